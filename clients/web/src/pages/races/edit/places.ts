import type { MapStop } from "../../../map/course.js";
import type { Place } from "../../../map/mercator.js";
import type { Locale } from "../../../language/choice.js";
import { translator } from "../../../language/words.js";
import { numberField, switchField, textField } from "../../../parts/field.js";
import type { Field } from "../../../parts/field.js";
import { element } from "../../../shell/element.js";
import { parsePlace, placeText, stagesMax } from "./plan.js";
import type { NamedPlace, WantedCourse } from "./plan.js";
import { words } from "./words.js";

/** One place of the course: what is entered, and which node shows it. */
interface Entry {
  readonly node: HTMLElement;
  readonly coordinates: Field<string>;
  readonly name: Field<string>;
  readonly legend: HTMLElement;
  readonly buttons: HTMLElement;
}

/**
 * The places of a course as a list: the start, up to ten stages, the arrival. One of them is selected: it is the one that
 * is put where somebody points on the map.
 */
export class PlaceList {
  readonly node: HTMLElement;
  private readonly t;
  private readonly list = element("ol", { class: "places" });
  private readonly add: HTMLButtonElement;
  private readonly start: Entry;
  private readonly arrival: Entry;
  private stages: Entry[] = [];
  private readonly loop: Field<boolean>;
  private readonly laps: Field<number>;
  private selected: Entry;
  private count = 0;

  /** @param changed is called when any place is another one. */
  constructor(private readonly locale: Locale, private readonly changed: () => void) {
    this.t = translator(words, locale.language);
    this.start = this.entry();
    this.arrival = this.entry();
    this.selected = this.start;
    const loop = switchField({ name: "loop", label: this.t("isLoop") });
    this.loop = {
      ...loop, problem: () => (loop.value() && this.stages.length === 0 ? this.t("loopNeedsStage") : undefined),
    };
    this.laps = numberField({
      name: "laps", label: this.t("laps"), hint: this.t("lapsHint"), least: 1, most: 50, step: 1, value: 1,
      api: ["laps"],
    }, locale);
    this.add = element("button", { type: "button" }, this.t("addStage"));
    this.add.addEventListener("click", () => this.addStage());
    this.loop.node.addEventListener("change", () => {
      if (this.loop.value() && this.selected === this.arrival) this.selected = this.start;
      this.draw();
      this.changed();
    });
    this.laps.node.addEventListener("change", () => this.changed());
    this.node = element("div", {}, this.list, element("p", {}, this.add), this.loop.node, this.laps.node);
    this.draw();
  }

  /** Every field, to say what is wrong at it. */
  get fields(): readonly Field<never>[] {
    const entries = this.entries().flatMap(({ coordinates, name }) => [coordinates, name]);
    return [...entries, this.loop, this.laps] as unknown as readonly Field<never>[];
  }

  /** The name of the field of a place: 0 is the start, then the stages, then the arrival. */
  fieldName(place: number): string | undefined {
    return [this.start, ...this.stages, this.arrival][place]?.coordinates.name;
  }

  get stageCount(): number {
    return this.stages.length;
  }

  /** What is entered; undefined as long as a place is missing or is none. */
  wanted(): WantedCourse | undefined {
    const start = placeIn(this.start);
    const stages = this.stages.map(placeIn);
    const isLoop = this.loop.value() ?? false;
    const arrival = isLoop ? undefined : placeIn(this.arrival);
    if (!start || (!isLoop && !arrival)) return undefined;
    if (stages.some((stage) => stage === undefined)) return undefined;
    return { start, stages: stages as NamedPlace[], arrival, laps: this.laps.value() ?? 1 };
  }

  /** The places that there are, for the map. */
  stops(): ReadonlyArray<MapStop & { readonly entry: number }> {
    return this.entries().flatMap((entry, index) => {
      const place = placeIn(entry);
      if (!place) return [];
      const kind = entry === this.start ? "start" : entry === this.arrival ? "finish" : "stage";
      const label = kind === "stage" ? String(this.stages.indexOf(entry) + 1) : this.title(entry);
      return [{ ...place, kind, label, isSelected: entry === this.selected, entry: index } as const];
    });
  }

  /** Fills the list with a course that there is. */
  fill(start: NamedPlace, stages: readonly NamedPlace[], arrival: NamedPlace): void {
    const isLoop = start.latitude === arrival.latitude && start.longitude === arrival.longitude;
    this.stages = stages.map(() => this.entry());
    this.loop.set(isLoop);
    for (const [entry, place] of [
      [this.start, start] as const, ...this.stages.map((entry, index) => [entry, stages[index]] as const),
      [this.arrival, isLoop ? undefined : arrival] as const,
    ]) {
      if (!place) continue;
      entry.coordinates.set(placeText(place));
      entry.name.set(place.name);
    }
    this.draw();
  }

  /** Puts the selected place somewhere; then the next one without a place is selected. */
  put(place: Place): string {
    return this.putAt(this.entries().indexOf(this.selected), place);
  }

  /** Puts a place of the list somewhere. */
  putAt(index: number, place: Place): string {
    const entry = this.entries()[index] ?? this.selected;
    entry.coordinates.set(placeText(place));
    entry.coordinates.show(undefined);
    const said = this.t("placed", { place: this.title(entry), coordinates: placeText(place) });
    if (entry === this.selected) this.selected = this.entries().find((other) => !placeIn(other)) ?? entry;
    this.draw();
    this.changed();
    return said;
  }

  select(index: number): void {
    this.selected = this.entries()[index] ?? this.selected;
    this.draw();
    this.changed();
  }

  private addStage(): void {
    const stage = this.entry();
    this.stages.push(stage);
    this.selected = stage;
    this.draw();
    stage.coordinates.focus();
    this.changed();
  }

  private entries(): readonly Entry[] {
    return [this.start, ...this.stages, ...(this.loop?.value() ? [] : [this.arrival])];
  }

  private title(entry: Entry): string {
    if (entry === this.start) return this.t("start");
    if (entry === this.arrival) return this.t("arrival");
    return this.t("stage", { number: String(this.stages.indexOf(entry) + 1) });
  }

  private entry(): Entry {
    this.count += 1;
    const coordinates = textField({
      name: `place-${this.count}`, label: this.t("coordinates"), hint: this.t("coordinatesHint"), maxLength: 60,
    }, this.locale);
    const name = textField({
      name: `place-name-${this.count}`, label: this.t("placeName"), optional: true, maxLength: 100,
    }, this.locale);
    const checked: Field<string> = {
      ...coordinates,
      problem: () => coordinates.problem() ?? (
        parsePlace(coordinates.value() ?? "") ? undefined : this.t("notCoordinates")),
    };
    const legend = element("legend");
    const buttons = element("p", { class: "buttons" });
    const node = element(
      "li", {}, element("fieldset", {}, legend, checked.node, name.node, buttons));
    coordinates.node.addEventListener("change", () => this.changed());
    name.node.addEventListener("change", () => this.changed());
    return { node, coordinates: checked, name, legend, buttons };
  }

  /** Draws the list anew; the fields stay what they are, and whoever pressed a button keeps the focus on it. */
  private draw(): void {
    const focused = document.activeElement;
    const pressed = [this.start, ...this.stages, this.arrival].find(({ buttons }) => buttons.contains(focused));
    const position = pressed ? [...pressed.buttons.children].indexOf(focused as Element) : -1;
    const entries = this.entries();
    for (const entry of entries) {
      entry.legend.textContent = this.title(entry);
      entry.buttons.replaceChildren(...this.buttonsOf(entry));
    }
    this.list.replaceChildren(...entries.map(({ node }) => node));
    this.add.disabled = this.stages.length >= stagesMax;
    this.add.title = this.add.disabled ? this.t("noMoreStages") : "";
    if (!pressed) return;
    const again = pressed.buttons.children[position] as HTMLButtonElement | undefined;
    (again?.disabled ? pressed.buttons.querySelector<HTMLElement>("button") : again)?.focus();
  }

  private buttonsOf(entry: Entry): readonly HTMLElement[] {
    const place = this.title(entry);
    const button = (sign: string, label: string, act: () => void): HTMLButtonElement => {
      const named = sign === label ? {} : { "aria-label": label, title: label };
      const made = element("button", { type: "button", ...named }, sign);
      made.addEventListener("click", act);
      return made;
    };
    const put = this.t("place", { place });
    const select = button(put, put, () => this.select(this.entries().indexOf(entry)));
    select.setAttribute("aria-pressed", String(entry === this.selected));
    const index = this.stages.indexOf(entry);
    if (index < 0) return [select];
    const move = (by: 1 | -1): void => {
      this.stages.splice(index, 1);
      this.stages.splice(index + by, 0, entry);
      this.draw();
      this.changed();
    };
    const earlier = button("↑", this.t("earlier", { place }), () => move(-1));
    const later = button("↓", this.t("later", { place }), () => move(1));
    earlier.disabled = index === 0;
    later.disabled = index === this.stages.length - 1;
    const remove = button("×", this.t("remove", { place }), () => {
      this.stages.splice(index, 1);
      if (this.selected === entry) this.selected = this.start;
      this.draw();
      this.changed();
      this.add.focus();
    });
    return [select, earlier, later, remove];
  }
}

function placeIn({ coordinates, name }: Entry): NamedPlace | undefined {
  const place = parsePlace(coordinates.value() ?? "");
  return place && { ...place, name: name.value() ?? "" };
}
