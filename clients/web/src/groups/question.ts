import type { GroupPrecision, GroupQuestion, GroupSex } from "../api/groups_v1.js";
import type { Metric } from "../api/readings_v1.js";
import { toNumber } from "../json/scalars.js";
import type { Locale } from "../language/choice.js";
import { translator } from "../language/words.js";
import { facts } from "../parts/facts.js";
import { dayText } from "../parts/time.js";
import { metricsText } from "../sharing/describe.js";
import { words } from "./words.js";

export const sexes: Readonly<Record<GroupSex, "everybody" | "female" | "male">> = {
  GROUP_SEX_UNSPECIFIED: "everybody", GROUP_SEX_FEMALE: "female", GROUP_SEX_MALE: "male",
};

export const precisions: Readonly<Record<Exclude<GroupPrecision, "GROUP_PRECISION_UNSPECIFIED">, "low" | "medium" | "high">> = {
  GROUP_PRECISION_LOW: "low", GROUP_PRECISION_MEDIUM: "medium", GROUP_PRECISION_HIGH: "high",
};

/** A question as the server has moved it to its grid, in words. What is not asked for is left out. */
export function questionFacts(question: GroupQuestion, registry: readonly Metric[], locale: Locale): HTMLElement {
  const t = translator(words, locale.language);
  const number = new Intl.NumberFormat(locale.tag, { maximumFractionDigits: 4 });
  const format = (value: number | string | undefined): string => number.format(Number(value ?? 0));
  const { circle, box } = question;
  const place = question.area || (circle && t("circle", {
    radius: format(toNumber(circle.radiusM) / 1000), latitude: format(circle.latitude), longitude: format(circle.longitude),
  })) || (box && t("box", {
    south: format(box.south), north: format(box.north), west: format(box.west), east: format(box.east),
  }));
  const ages = (question.toAge ?? 0) > 0 ? "agesFromTo" : "agesFrom";
  const weights = toNumber(question.toWeightKg) > 0 ? "weightsFromTo" : "weightsFrom";
  const hasWeight = toNumber(question.fromWeightKg) > 0 || toNumber(question.toWeightKg) > 0;
  const hasHours = (question.fromHour ?? 0) > 0 || (question.toHour ?? 24) < 24;
  const clock = (hour: number): string => `${String(hour).padStart(2, "0")}:00`;
  const precision = question.precision ?? "GROUP_PRECISION_UNSPECIFIED";
  return facts([
    [t("metrics"), metricsText(question.metrics, registry, locale)],
    [t("ages"), t(ages, { from: format(question.fromAge), to: format(question.toAge) })],
    [t("sex"), t(sexes[question.sex ?? "GROUP_SEX_UNSPECIFIED"])],
    [t("weights"), hasWeight ? t(weights, { from: format(question.fromWeightKg), to: format(question.toWeightKg) }) : ""],
    [t("address"), question.address],
    [t("place"), place],
    [t("days"), daysText(question.fromDate, question.toDate, locale)],
    [t("hours"), hasHours ? t("hoursFromTo", { from: clock(question.fromHour ?? 0), to: clock(question.toHour ?? 24) }) : ""],
    [t("timeZone"), question.timeZone],
    [t("precision"), precision === "GROUP_PRECISION_UNSPECIFIED" ? "" : t(precisions[precision])],
    [t("minimum"), format(question.minimumPersons)],
  ]);
}

/** Days from the first to the last; one alone is said once. */
export function daysText(from: string | undefined, to: string | undefined, locale: Locale): string {
  if (!from || !to) return "";
  return from === to ? dayText(from, locale) : `${dayText(from, locale)} – ${dayText(to, locale)}`;
}
