import { RaceService } from "../../../api/races_v1.js";
import type { Race, Route } from "../../../api/races_v1.js";
import { ConnectError } from "../../../connect/errors.js";
import { toNumber } from "../../../json/scalars.js";
import { translator } from "../../../language/words.js";
import { MapView } from "../../../map/map_view.js";
import type { Place } from "../../../map/mercator.js";
import { Form } from "../../../parts/form.js";
import type { Problems } from "../../../parts/form.js";
import { element } from "../../../shell/element.js";
import type { Page, PageContext } from "../../../shell/page.js";
import { RaceDetails } from "./details.js";
import { GPXUpload } from "./gpx_upload.js";
import { lengthText } from "./lengths.js";
import { PlaceList } from "./places.js";
import { courseMaxM, placeOf, planRequest, straightM } from "./plan.js";
import type { NamedPlace } from "./plan.js";
import { lineOf, RouteChoice } from "./route_choice.js";
import { words } from "./words.js";

/** Makes a race, or changes one: its course on the map, its dates, who may run. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, parameters, signal } = context;
  const t = translator(words, locale.language);
  const raceId = parameters["raceId"];
  if (raceId === undefined) return { title: t("newTitle"), content: new Editor(context, undefined).content };
  const { race } = await client.unary(RaceService.getRace, { raceId }, { signal });
  const title = t("editTitle", { race: race?.name ?? "" });
  if (race?.state !== "RACE_STATE_DRAFT" && race?.state !== "RACE_STATE_ENROLMENT_OPEN") {
    return { title, content: [element("p", {}, t("wrongState"))] };
  }
  return { title, content: new Editor(context, race).content };
}

class Editor {
  readonly content: readonly Node[];
  private readonly t;
  private readonly map: MapView;
  private readonly places: PlaceList;
  private readonly routes: RouteChoice;
  private readonly length = element("p", { class: "hint" });
  /** What was done last on the map. */
  private readonly done = element("p", { class: "hint" });
  private readonly details: RaceDetails;
  /** The same for each attempt to save, so that one that is repeated makes no second race. */
  private readonly requestId = Array.from(
    crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

  constructor(private readonly context: PageContext, private readonly race: Race | undefined) {
    const { locale, signal } = context;
    this.t = translator(words, locale.language);
    const t = this.t;
    this.map = new MapView(context, { label: t("map"), alternative: t("mapAlternative") });
    this.routes = new RouteChoice(locale, race?.course, () => this.draw());
    this.places = new PlaceList(locale, () => {
      this.routes.forget();
      this.draw();
    });
    const { start, stages, arrival } = race?.course ?? {};
    if (start && arrival) {
      this.places.fill(named(start), (stages ?? []).map(({ place }) => named(place ?? {})), named(arrival));
    }
    this.details = new RaceDetails(race, locale);
    this.map.pick({
      picked: (place) => this.said(this.places.put(place)),
      moved: (stop, place) => this.said(this.places.putAt(this.entry(stop), place)),
      selected: (stop) => this.places.select(this.entry(stop)),
    });
    this.content = [
      element("h2", {}, t("course")), element("p", {}, t("howTo")), element(
        "div", { class: "beside" }, element("div", {}, this.map.node, this.done, this.length), this.planForm().node),
      element("h2", {}, t("gpxTitle")), this.gpxForm().node,
      element("h2", {}, t("details")), this.saveForm(signal).node,
    ];
    this.draw();
  }

  private draw(): void {
    const { locale } = this.context;
    const { course } = this.routes;
    const stops = this.places.stops();
    const line = course ? lineOf(course) : stops;
    this.map.setCourse({ line, stops, isTentative: !course });
    const wanted = this.places.wanted();
    this.length.textContent = wanted && !course ? this.t("straight", {
      length: lengthText(straightM(wanted), locale), most: lengthText(courseMaxM, locale),
    }) : "";
  }

  /** Which place of the list a stop on the map is. */
  private entry(stop: number): number {
    return this.places.stops()[stop]?.entry ?? 0;
  }

  private said(text: string): void {
    this.done.textContent = text;
    this.context.announce(text);
  }

  // MARK: The course

  private planForm(): Form {
    const { client, locale, signal } = this.context;
    const { places } = this;
    return new Form({
      // The list grows and shrinks while the form is there.
      get fields() { return places.fields; },
      submit: this.t("find"), label: this.t("course"), content: [places.node],
      send: async () => {
        const wanted = places.wanted();
        if (!wanted) return;
        const { routes } = await client.unary(RaceService.planRoutes, planRequest(wanted), { signal });
        this.take(routes ?? []);
      },
      problems: (failure) => this.planProblems(failure),
    }, locale, signal);
  }

  private gpxForm(): Form {
    const { client, locale, signal } = this.context;
    const file = new GPXUpload(locale);
    return new Form({
      fields: [file], submit: this.t("upload"), label: this.t("gpxTitle"),
      send: async () => {
        const wanted = this.places.wanted();
        const gpx = await file.bytes();
        const { routes } = await client.unary(
          RaceService.planRoutes, { gpx, stages: [...wanted?.stages ?? []], laps: wanted?.laps ?? 1 }, { signal });
        const course = routes?.[0]?.course;
        if (course?.start && course.arrival) {
          this.places.fill(
            named(course.start), (course.stages ?? []).map(({ place }) => named(place ?? {})), named(course.arrival));
        }
        this.take(routes ?? []);
      },
      problems: (failure) => this.planProblems(failure),
    }, locale, signal);
  }

  private take(routes: readonly Route[]): void {
    this.routes.offer(routes);
    this.map.show(lineOf(this.routes.course ?? {}));
    this.said(this.t("found", { count: String(routes.length) }));
    this.routes.focus();
  }

  /** Why no course could be planned, at the places where that is. */
  private planProblems(failure: unknown): Problems | undefined {
    if (!(failure instanceof ConnectError)) return undefined;
    if (failure.is("NO_WAY")) return { fields: {}, whole: this.t("noWay") };
    if (failure.is("TOO_BUSY")) return { fields: {}, whole: this.t("plansBusy") };
    if (failure.is("TOO_MANY_PLANS")) return { fields: {}, whole: this.t("manyPlans") };
    if (failure.is("TOO_MANY_STREETS")) return { fields: {}, whole: this.t("manyStreets") };
    if (failure.is("COURSE_TOO_LONG")) {
      const { locale } = this.context;
      const length = lengthText(Number(failure.metadata["length_m"]), locale);
      return { fields: {}, whole: this.t("tooLong", { length, most: lengthText(courseMaxM, locale) }) };
    }
    const fields: Record<string, string> = {};
    for (const path of failure.violations.keys()) {
      const place = placeOf(path, this.places.stageCount);
      const name = place === undefined ? undefined : this.places.fieldName(place);
      if (name !== undefined) fields[name] = this.t("refusedPlace");
    }
    return Object.keys(fields).length > 0 ? { fields } : undefined;
  }

  // MARK: Saving

  private saveForm(signal: AbortSignal): Form {
    const { client, locale } = this.context;
    return new Form({
      fields: [this.routes, ...this.details.fields] as never, submit: this.t(this.race ? "save" : "create"),
      label: this.t("details"),
      send: async () => {
        const plan = this.details.plan(this.routes.routeId);
        const { race } = this.race
          ? await client.unary(
            RaceService.updateRace, { raceId: this.race.raceId ?? "0", etag: this.race.etag ?? "", plan }, { signal })
          : await client.unary(RaceService.createRace, { requestId: this.requestId, plan }, { signal });
        this.context.go(`/races/${race?.raceId ?? ""}/manage`);
      },
      problems: (failure) => {
        if (!(failure instanceof ConnectError)) return undefined;
        const whole = failure.is("STALE_ETAG") ? this.t("stale") : failure.is("RACE_STATE") ? this.t("wrongState")
          : failure.is("RACE_CHANGED_OFTEN") ? this.t("changedOften")
            : failure.is("TOO_MANY_RACES") ? this.t("tooManyRaces")
              : failure.is("NOT_ORGANIZER") ? this.t("notOrganizer") : undefined;
        return whole === undefined ? undefined : { fields: {}, whole };
      },
    }, locale, signal);
  }
}

function named({ latitude, longitude, name }: { latitude?: unknown; longitude?: unknown; name?: string }): NamedPlace {
  const place: Place = { latitude: toNumber(latitude as number), longitude: toNumber(longitude as number) };
  return { ...place, name: name ?? "" };
}
