import { GroupService } from "../../api/groups_v1.js";
import type { GroupBuckets, GroupQuestion, GroupStatistic } from "../../api/groups_v1.js";
import type { Metric } from "../../api/readings_v1.js";
import { precisions, sexes } from "../../groups/question.js";
import { words as groupWords } from "../../groups/words.js";
import { translator } from "../../language/words.js";
import { metricName } from "../../metrics/format.js";
import { choiceField, dateField, numberField, setField, textField } from "../../parts/field.js";
import type { Choice, Field } from "../../parts/field.js";
import { element } from "../../shell/element.js";
import type { PageContext } from "../../shell/page.js";
import { words } from "./words.js";

type Place = "anywhere" | "area" | "circle" | "box";
type AnyField = Omit<Field<never>, "value"> & { value(): unknown };

const statistics: Readonly<Record<string, keyof typeof words>> = {
  GROUP_STATISTIC_MEAN: "mean",
  GROUP_STATISTIC_STANDARD_DEVIATION: "deviation",
  GROUP_STATISTIC_HISTOGRAM: "histogram",
  GROUP_STATISTIC_QUANTILES: "quantiles",
  GROUP_STATISTIC_HOUR_PROFILE: "profile",
};
const buckets: Readonly<Record<GroupBuckets, keyof typeof words>> = {
  GROUP_BUCKETS_UNSPECIFIED: "noBuckets", GROUP_BUCKETS_DAY: "day", GROUP_BUCKETS_WEEK: "week", GROUP_BUCKETS_MONTH: "month",
};
const places: Readonly<Record<Place, keyof typeof words>> = {
  anywhere: "anywhere", area: "inArea", circle: "inCircle", box: "inBox",
};
const dayMs = 86_400_000;
/** Areas are looked for when nobody has typed for so long. */
const typingMs = 250;
const areaCode = /\b(IT-[RPM]\d+)\)?$/;

/** The fields of a question about a group. The address of the page has what was entered, by the names of the fields. */
export class QuestionForm {
  readonly fields: readonly AnyField[];
  readonly content: readonly Node[];
  private readonly t;
  private readonly query: URLSearchParams;
  private readonly metrics;
  private readonly sex;
  private readonly place;
  private readonly area;
  private readonly buckets;
  private readonly statistics;
  private readonly precision;
  private readonly numbers: Readonly<Record<NumberName, Field<number>>>;
  private readonly texts: Readonly<Record<"address" | "fromDate" | "toDate" | "timeZone", Field<string>>>;

  constructor(private readonly context: PageContext, registry: readonly Metric[]) {
    const { locale } = context;
    const t = this.t = translator(words, locale.language);
    const told = translator(groupWords, locale.language);
    const query = this.query = context.query;
    const many = (name: string): string[] => (query.get(name) ?? "").split(",").filter((part) => part !== "");

    this.metrics = setField({
      name: "metrics", label: t("metrics"), hint: t("metricsHint"), refused: t("metricsRefused"), value: many("metrics"),
      choices: registry.filter(({ kind }) => kind === "METRIC_KIND_SCALAR").map((metric) => (
        { value: metric.name ?? "", label: metricName(metric.name ?? "", metric, locale) })),
      api: ["question.metrics"],
    }, locale);
    this.sex = this.choice("sex", told("sex"), labelled(sexes, told), "GROUP_SEX_UNSPECIFIED");
    this.place = this.choice("place", t("place"), labelled(places, t), "anywhere");
    this.area = this.areaField();
    this.buckets = this.choice("buckets", t("buckets"), labelled(buckets, t), "GROUP_BUCKETS_UNSPECIFIED");
    this.statistics = setField({
      name: "statistics", label: t("statistics"), optional: true, api: ["question.statistics"],
      value: query.has("statistics") ? many("statistics") : ["GROUP_STATISTIC_MEAN"],
      choices: Object.entries(statistics).map(([value, key]) => ({ value, label: t(key) })),
    }, locale);
    this.precision = this.choice(
      "precision", t("precision"), labelled(precisions, told), "GROUP_PRECISION_MEDIUM", t("precisionHint"));
    this.numbers = this.numberFields();
    this.texts = this.textFields();

    const n = this.numbers;
    const { address, fromDate, toDate, timeZone } = this.texts;
    const circle = [n.latitude, n.longitude, n.radius];
    const box = [n.south, n.north, n.west, n.east];
    this.fields = [
      this.metrics, this.sex, n.fromAge, n.toAge, n.fromWeight, n.toWeight, n.minimum, this.place, this.area, ...circle, ...box,
      address, fromDate, toDate, n.fromHour, n.toHour, timeZone, this.buckets, this.statistics, this.precision,
    ];
    this.content = [
      this.metrics.node,
      section(t("who"), this.sex, n.fromAge, n.toAge, n.fromWeight, n.toWeight, n.minimum, address),
      section(t("where"), this.place, this.area, ...circle, ...box),
      section(t("when"), fromDate, toDate, n.fromHour, n.toHour, timeZone, this.buckets),
      section(t("what"), this.statistics, this.precision),
    ];
    const show = (): void => {
      this.area.node.hidden = this.place.value() !== "area";
      for (const { node } of circle) node.hidden = this.place.value() !== "circle";
      for (const { node } of box) node.hidden = this.place.value() !== "box";
    };
    this.place.node.addEventListener("change", show);
    show();
  }

  private choice<Value extends string>(
    name: string, label: string, choices: ReadonlyArray<Choice<Value>>, otherwise: Value, hint?: string,
  ): Field<Value> {
    const wanted = choices.find(({ value }) => value === this.query.get(name))?.value ?? otherwise;
    return choiceField<Value>({
      name, label, optional: true, api: [`question.${name}`], value: wanted, choices, ...(hint === undefined ? {} : { hint }),
    }, this.context.locale);
  }

  private numberFields(): Record<NumberName, Field<number>> {
    const { t, query } = this;
    const { locale } = this.context;
    const number = (
      name: NumberName, api: string, least: number, most: number, more: { hint?: string; refused?: string; step?: number } = {},
      needed?: Place,
    ): Field<number> => {
      const kept = Number(query.get(name) ?? NaN);
      return onlyAt(needed, () => this.place, numberField({
        name, label: t(name), optional: needed === undefined, least, most, api: [`question.${api}`], ...more,
        ...(Number.isFinite(kept) ? { value: kept } : {}),
      }, locale));
    };
    const ages = { hint: t("agesHint"), refused: t("agesRefused"), step: 1 };
    const weights = { hint: t("weightsHint"), refused: t("weightsRefused") };
    const hours = { hint: t("hoursHint"), refused: t("hoursRefused"), step: 1 };
    const place = { refused: t("placeRefused") };
    return {
      fromAge: number("fromAge", "from_age", 18, 150, ages), toAge: number("toAge", "to_age", 18, 150, ages),
      fromWeight: number("fromWeight", "from_weight_kg", 0, 700, weights),
      toWeight: number("toWeight", "to_weight_kg", 0, 700, weights),
      minimum: number("minimum", "minimum_persons", 1_000, 1_000_000_000, { hint: t("minimumHint"), step: 1 }),
      latitude: number("latitude", "latitude", -90, 90, place, "circle"),
      longitude: number("longitude", "longitude", -180, 180, place, "circle"),
      radius: number("radius", "circle", 0.001, 500, place, "circle"),
      south: number("south", "box", -90, 90, place, "box"), north: number("north", "north", -90, 90, place, "box"),
      west: number("west", "west", -180, 180, place, "box"), east: number("east", "east", -180, 180, place, "box"),
      fromHour: number("fromHour", "from_hour", 0, 23, hours), toHour: number("toHour", "to_hour", 1, 24, hours),
    };
  }

  private textFields(): QuestionForm["texts"] {
    const { t, query } = this;
    const { locale } = this.context;
    const day = (ago: number): string => new Date(Date.now() - ago * dayMs).toISOString().slice(0, 10);
    const date = (name: "fromDate" | "toDate", api: string, otherwise: string): Field<string> => dateField({
      name, label: t(name), refused: t("datesRefused"), value: query.get(name) ?? otherwise, api: [`question.${api}`],
    }, locale);
    return {
      address: textField({
        name: "address", label: t("address"), optional: true, maxLength: 100, value: query.get("address") ?? "",
        api: ["question.address"],
      }, locale),
      fromDate: date("fromDate", "from_date", day(7)), toDate: date("toDate", "to_date", day(1)),
      timeZone: textField({
        name: "timeZone", label: t("timeZone"), refused: t("timeZoneRefused"), maxLength: 64,
        value: query.get("timeZone") ?? Intl.DateTimeFormat().resolvedOptions().timeZone, api: ["question.time_zone"],
      }, locale),
    };
  }

  /** A line in which names of areas are proposed as they are typed. */
  private areaField(): Field<string> {
    const { t } = this;
    const { client, locale, signal, surroundings } = this.context;
    const field = textField({
      name: "area", label: t("area"), hint: t("areaHint"), refused: t("placeRefused"), missing: t("areaMissing"),
      value: this.query.get("area") ?? "", autocomplete: "off", maxLength: 120, api: ["question.area"],
    }, locale);
    const proposals = element("datalist", { id: "areas" });
    field.node.querySelector("input")?.setAttribute("list", proposals.id);
    field.node.append(proposals);
    const propose = async (): Promise<void> => {
      try {
        const namePrefix = field.value() ?? "";
        const { areas } = await client.unary(GroupService.listGroupAreas, { namePrefix, pageSize: 20 }, { signal });
        proposals.replaceChildren(...(areas ?? []).filter(({ cellCount }) => (cellCount ?? 0) > 0).map(({ name, code }) => (
          element("option", { value: `${name ?? ""} (${code ?? ""})` }))));
      } catch {
        // The code of an area can be typed without proposals.
      }
    };
    let cancel = (): void => {};
    signal.addEventListener("abort", () => cancel());
    field.node.addEventListener("input", () => {
      cancel();
      cancel = surroundings.timer(typingMs, () => void propose());
    });
    const problem = (): string | undefined => (
      field.problem() ?? (areaCode.test(field.value() ?? "") ? undefined : t("areaMissing")));
    return onlyAt("area", () => this.place, { ...field, problem });
  }

  /** What was entered, as the API has it. */
  question(): GroupQuestion {
    const { numbers: n, texts } = this;
    const number = (field: Field<number>): number => field.value() ?? 0;
    const place = this.place.value();
    const code = areaCode.exec(this.area.value() ?? "")?.[1];
    return {
      metrics: [...this.metrics.value() ?? []], fromAge: number(n.fromAge), toAge: number(n.toAge),
      fromWeightKg: number(n.fromWeight), toWeightKg: number(n.toWeight), sex: this.sex.value() ?? "GROUP_SEX_UNSPECIFIED",
      address: texts.address.value() ?? "",
      ...(place === "area" && code ? { area: code } : {}),
      ...(place === "circle" ? {
        circle: { latitude: number(n.latitude), longitude: number(n.longitude), radiusM: number(n.radius) * 1000 },
      } : {}),
      ...(place === "box" ? {
        box: { south: number(n.south), west: number(n.west), north: number(n.north), east: number(n.east) },
      } : {}),
      fromDate: texts.fromDate.value() ?? "", toDate: texts.toDate.value() ?? "", timeZone: texts.timeZone.value() ?? "",
      fromHour: number(n.fromHour), toHour: number(n.toHour), buckets: this.buckets.value() ?? "GROUP_BUCKETS_UNSPECIFIED",
      statistics: [...this.statistics.value() ?? []] as GroupStatistic[],
      precision: this.precision.value() ?? "GROUP_PRECISION_MEDIUM", minimumPersons: number(n.minimum),
    };
  }

  /** The address of the page as it is filled in. */
  address(): string {
    const query = new URLSearchParams();
    for (const { name, node, value } of this.fields) {
      const entered = node.hidden ? undefined : value();
      const text = Array.isArray(entered) ? entered.join(",") : String(entered ?? "");
      if (text !== "" || name === "statistics") query.set(name, text);
    }
    return `/groups?${query.toString()}`;
  }
}

type NumberName = "fromAge" | "toAge" | "fromWeight" | "toWeight" | "minimum" | "latitude" | "longitude" | "radius"
  | "south" | "north" | "west" | "east" | "fromHour" | "toHour";

/** A field that counts at one kind of place alone. */
function onlyAt<Value>(needed: Place | undefined, place: () => Field<Place>, field: Field<Value>): Field<Value> {
  if (needed === undefined) return field;
  return { ...field, problem: () => (place().value() === needed ? field.problem() : undefined) };
}

/** Values with what people read. */
function labelled<Value extends string, Key>(values: Readonly<Record<Value, Key>>, say: (key: Key) => string): Array<Choice<Value>> {
  return (Object.keys(values) as Value[]).map((value) => ({ value, label: say(values[value]) }));
}

function section(title: string, ...fields: readonly AnyField[]): HTMLElement {
  return element(
    "section", {}, element("h2", {}, title), element("div", { class: "side-by-side" }, ...fields.map(({ node }) => node)));
}
