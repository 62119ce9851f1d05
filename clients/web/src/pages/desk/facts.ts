import type { DeskAnswer, DeskCall, Emergency } from "../../api/sos_v1.js";
import { coordinates, crossingText, placeText, vitalText } from "../../emergencies/format.js";
import { dateOfMicroseconds, toNumber } from "../../json/scalars.js";
import { translator } from "../../language/words.js";
import { copyButton } from "../../parts/copy.js";
import { time } from "../../parts/time.js";
import { element } from "../../shell/element.js";
import type { PageContext } from "../../shell/page.js";
import { words } from "./words.js";

/** A span whose text says how long ago a moment was; it grows with the page. */
export type Ages = (moment: Date, key: "ago") => HTMLElement;

const said = {
  ANSWER_KIND_ACCEPTED: "saidAccepted", ANSWER_KIND_REFUSED: "saidRefused", ANSWER_KIND_EN_ROUTE: "saidEnRoute",
  ANSWER_KIND_RESOLVED: "saidResolved", ANSWER_KIND_FALSE_ALARM: "saidFalseAlarm",
} as const;

/** Everything that is known of an emergency, for those who send help. */
export function facts(call: DeskCall, ages: Ages, context: Pick<PageContext, "locale" | "announce">): Node[] {
  const { locale } = context;
  const t = translator(words, locale.language);
  const emergency = call.emergency ?? {};
  const list = element("dl");
  const row = (name: string, ...values: readonly Node[]): void => {
    list.append(element("dt", {}, name), element("dd", {}, ...values));
  };
  const lines = (texts: readonly string[]): Node => element("ul", {}, ...texts.map((text) => element("li", {}, text)));
  row(t("crossed"), lines((emergency.crossings ?? []).map((crossing) => (
    crossing.duringExertion ? `${crossingText(crossing, locale)} (${t("duringExertion")})` : crossingText(crossing, locale)))));
  row(t("personLabel"), element("span", {}, personText(emergency, t)));
  const phone = emergency.callbackNumber;
  row(t("callBack"), phone ? element("a", { href: `tel:${phone}` }, phone) : element("span", {}, t("noNumber")));
  const { position } = emergency;
  if (position) {
    const metres = new Intl.NumberFormat(locale.tag, { maximumFractionDigits: 0 });
    const accuracy = toNumber(position.accuracyM);
    row(t("position"), element("span", { class: "value" }, placeText(position, locale)),
      copyButton(coordinates(position), t("coordinates"), context));
    row(t("accuracy"), element("span", {}, accuracy > 0 ? t("within", { metres: metres.format(accuracy) }) : t("accuracyUnknown")));
    row(t("measured"), ages(dateOfMicroseconds(position.timeUs), "ago"));
  } else {
    row(t("position"), element("span", {}, t("noPosition")));
  }
  const vitals = emergency.recentVitals ?? [];
  if (vitals.length === 0) {
    row(t("vitals"), element("span", {}, t("noVitals")));
  } else {
    row(t("vitals"), element("ul", {}, ...vitals.map((vital) => element(
      "li", {}, `${vitalText(vital, locale)}, `, ages(dateOfMicroseconds(vital.timeUs), "ago")))));
  }
  if (emergency.emergencyNumber) row(t("number"), element("span", {}, emergency.emergencyNumber));
  if (emergency.earlier) row(t("repeated"), element("span", {}, t("repeatedText", { count: String(emergency.earlier) })));
  if (call.answers?.length) row(t("answers"), element("ul", {}, ...call.answers.map((answer) => answered(answer, context))));
  return [list];
}

function answered(answer: DeskAnswer, { locale }: Pick<PageContext, "locale">): HTMLElement {
  const t = translator(words, locale.language);
  const kind = answer.kind && answer.kind in said ? t(said[answer.kind as keyof typeof said]) : "";
  // A refusal without a note has the server's word for it.
  const note = answer.note && answer.note !== "refused" ? `: ${answer.note}` : "";
  return element(
    "li", {}, time(dateOfMicroseconds(answer.atUs), locale, { timeStyle: "medium" }), ` ${answer.name ?? ""}, ${kind}${note}`);
}

function personText(emergency: Emergency, t: (key: keyof typeof words, values?: Record<string, string>) => string): string {
  const sex = emergency.sex === "female" ? t("female") : emergency.sex === "male" ? t("male") : t("sexUnknown");
  const age = emergency.age === -1 ? t("ageUnknown") : t("years", { age: String(emergency.age ?? 0) });
  return `${sex}, ${age}`;
}
