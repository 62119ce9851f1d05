import type { Course, Route } from "../../../api/races_v1.js";
import { toNumber } from "../../../json/scalars.js";
import type { Locale } from "../../../language/choice.js";
import { translator } from "../../../language/words.js";
import type { Place } from "../../../map/mercator.js";
import { setField } from "../../../parts/field.js";
import type { Field } from "../../../parts/field.js";
import { element } from "../../../shell/element.js";
import { heightText, lengthText } from "./lengths.js";
import { words } from "./words.js";

/** The routes that there are to choose from, as a field of the form. */
export class RouteChoice {
  readonly name = "route";
  readonly api = ["plan.route_id"];
  readonly refused: string;
  readonly node = element("div");
  private readonly t;
  private field: Field<readonly string[]> | undefined;
  private routes: readonly Route[] = [];
  private readonly whole = element("p", { class: "problem" });
  private readonly source = element("p", { class: "hint" });

  /**
   * @param kept the course that a race has already; without a choice it stays.
   * @param changed is called when another course is chosen.
   */
  constructor(
    private readonly locale: Locale, private kept: Course | undefined, private readonly changed: () => void,
  ) {
    this.t = translator(words, locale.language);
    this.refused = this.t("oldRoute");
    this.draw();
  }

  /** Offers these instead of those before; the first is chosen. */
  offer(routes: readonly Route[]): void {
    this.routes = routes;
    this.kept = undefined;
    this.draw();
    this.changed();
  }

  /** Offers nothing any more: the places are others. */
  forget(): void {
    if (this.routes.length === 0 && !this.kept) return;
    this.offer([]);
  }

  /** The course that is chosen, or kept. */
  get course(): Course | undefined {
    return this.chosen?.course ?? this.kept;
  }

  /** For the plan: empty where the course is kept. */
  get routeId(): string {
    return this.chosen?.routeId ?? "";
  }

  private get chosen(): Route | undefined {
    const id = this.field?.value()?.[0];
    return this.routes.find(({ routeId }) => routeId === id);
  }

  problem(): string | undefined {
    return this.course ? undefined : this.t("noRoute");
  }

  show(problem: string | undefined): void {
    this.whole.textContent = problem ?? "";
  }

  focus(): void {
    this.field?.focus();
  }

  private draw(): void {
    this.field = this.routes.length === 0 ? undefined : setField({
      name: this.name, label: this.t("routes"), isOne: true, value: [this.routes[0]?.routeId ?? ""],
      choices: this.routes.map((route, index) => ({ value: route.routeId ?? "", label: this.text(route, index) })),
    }, this.locale);
    this.field?.node.addEventListener("change", () => {
      this.say();
      this.changed();
    });
    const kept = this.kept && element("p", {}, this.t("kept", { length: this.length(this.kept) }));
    this.node.replaceChildren(...[this.field?.node, kept].flatMap((node) => node ?? []), this.source, this.whole);
    this.show(undefined);
    this.say();
  }

  private say(): void {
    const { source, attribution } = this.course ?? {};
    const key = source === "COURSE_SOURCE_ROADS" ? "sourceRoads" : source === "COURSE_SOURCE_GPX" ? "sourceGpx"
      : source === "COURSE_SOURCE_STRAIGHT" ? "sourceStraight" : undefined;
    this.source.textContent = [...(key ? [this.t(key)] : []), attribution ?? ""].join(" ");
  }

  private text(route: Route, index: number): string {
    const number = String(index + 1);
    const length = this.length(route.course ?? {});
    const climb = route.course?.climbM;
    if (climb === undefined) return this.t("route", { number, length });
    return this.t("routeClimb", { number, length, climb: heightText(toNumber(climb), this.locale) });
  }

  private length({ lengthM }: Course): string {
    return lengthText(toNumber(lengthM), this.locale);
  }
}

/** The points of a course. */
export function lineOf({ latitudes = [], longitudes = [] }: Course): readonly Place[] {
  return latitudes.map((latitude, index) => (
    { latitude: toNumber(latitude), longitude: toNumber(longitudes[index]) }));
}
