import type { Money, Race, RacePlan } from "../../../api/races_v1.js";
import { toBigInt } from "../../../json/scalars.js";
import type { Timestamp } from "../../../json/scalars.js";
import type { Locale } from "../../../language/choice.js";
import { translator } from "../../../language/words.js";
import { momentField, numberField, switchField, textField } from "../../../parts/field.js";
import type { Field } from "../../../parts/field.js";
import { dateOf } from "../../../parts/time.js";
import { digitsOf } from "./plan.js";
import { words } from "./words.js";

const runnersMax = 20_000;
const defaultHours = 6;

/** What an organiser says of a race beside its course, as fields. */
export class RaceDetails {
  readonly fields: readonly Field<never>[];
  private readonly name;
  private readonly placeName;
  private readonly description;
  private readonly starts;
  private readonly enrolmentEnds;
  private readonly timeLimit;
  private readonly capacity;
  private readonly byInvitation;
  private readonly fee: Field<number>;
  private readonly currency: Field<string>;

  /** @param race what it is now; undefined for a new one. */
  constructor(private readonly race: Race | undefined, locale: Locale) {
    const t = translator(words, locale.language);
    const hours = race?.timeLimit === undefined ? undefined : Number(race.timeLimit.slice(0, -1)) / 3_600;
    this.name = textField({
      name: "name", label: t("name"), maxLength: 100, value: race?.name ?? "", api: ["plan.name"],
    }, locale);
    this.placeName = textField({
      name: "place_name", label: t("placeNameOfRace"), maxLength: 100, value: race?.placeName ?? "",
      api: ["plan.place_name"],
    }, locale);
    this.description = textField({
      name: "description", label: t("description"), optional: true, isLong: true, maxLength: 4_000,
      value: race?.description ?? "", api: ["plan.description"],
    }, locale);
    this.starts = inTheFuture(momentField({
      name: "starts", label: t("starts"), api: ["plan.starts"], refused: t("datesRefused"), ...at(race?.starts),
    }, locale), t("inThePast"));
    this.enrolmentEnds = inTheFuture(momentField({
      name: "enrolment_ends", label: t("enrolmentEnds"), hint: t("enrolmentEndsHint"), api: ["plan.enrolment_ends"],
      refused: t("datesRefused"), ...at(race?.enrolmentEnds),
    }, locale), t("inThePast"));
    this.timeLimit = numberField({
      name: "time_limit", label: t("timeLimit"), hint: t("timeLimitHint"), optional: true, most: 48,
      api: ["plan.time_limit"], ...(hours === undefined ? {} : { value: hours }),
    }, locale);
    this.capacity = numberField({
      name: "capacity", label: t("capacity"), hint: t("capacityHint"), optional: true, least: 1, most: runnersMax, step: 1,
      api: ["plan.capacity"], ...(race?.capacity ? { value: race.capacity } : {}),
    }, locale);
    this.byInvitation = switchField({
      name: "by_invitation", label: t("byInvitation"), value: race?.byInvitation ?? false, api: ["plan.by_invitation"],
    });
    this.fee = numberField({
      name: "fee", label: t("fee"), hint: t("feeHint"), optional: true, least: 0, api: ["plan.fee"],
      ...(race?.fee ? { value: amountOf(race.fee) } : {}),
    }, locale);
    const currency = textField({
      name: "currency", label: t("currency"), hint: t("currencyHint"), optional: true, maxLength: 3,
      value: race?.fee?.currencyCode ?? "EUR",
      api: ["plan.fee.currency_code"],
    }, locale);
    this.currency = {
      ...currency,
      problem: () => (
        this.fee.value() && digitsOf(currency.value() ?? "") === undefined ? t("currencyHint") : undefined),
    };
    // Once runners can enrol, who may and what it costs stay as they are.
    if (race && race.state !== "RACE_STATE_DRAFT") {
      for (const field of [this.byInvitation, this.fee, this.currency]) field.node.hidden = true;
    }
    this.fields = [
      this.name, this.placeName, this.description, this.starts, this.enrolmentEnds, this.timeLimit, this.capacity,
      this.byInvitation, this.fee, this.currency,
    ] as unknown as readonly Field<never>[];
  }

  /** What was entered, for the server. */
  plan(routeId: string): RacePlan {
    const fee = this.feeOf();
    const hours = this.timeLimit.value() ?? defaultHours;
    return {
      name: this.name.value() ?? "", placeName: this.placeName.value() ?? "", description: this.description.value() ?? "",
      ...moment("starts", this.starts.value(), this.race?.starts),
      ...moment("enrolmentEnds", this.enrolmentEnds.value(), this.race?.enrolmentEnds),
      timeLimit: `${Math.round(hours * 3_600)}s`, capacity: this.capacity.value() ?? 0,
      byInvitation: this.byInvitation.value() ?? false, ...(fee ? { fee } : {}), routeId,
    };
  }

  private feeOf(): Money | undefined {
    const amount = this.fee.value();
    const currencyCode = this.currency.value() ?? "";
    if (!amount) return undefined;
    return { currencyCode, minorUnits: String(Math.round(amount * 10 ** (digitsOf(currencyCode) ?? 2))) };
  }
}

function at(timestamp: Timestamp | undefined): { readonly value?: Date } {
  const date = dateOf(timestamp);
  return date ? { value: date } : {};
}

/** The moment for the server. One that the field shows unchanged keeps its seconds, which the field does not have. */
function moment<Name extends "starts" | "enrolmentEnds">(
  name: Name, entered: Date | undefined, before: Timestamp | undefined,
): { [Key in Name]?: Timestamp } {
  if (!entered) return {};
  const kept = dateOf(before);
  const isKept = kept && Math.floor(kept.getTime() / 60_000) === Math.floor(entered.getTime() / 60_000);
  return { [name]: isKept && before ? before : entered.toISOString() } as { [Key in Name]?: Timestamp };
}

function inTheFuture(field: Field<Date>, said: string): Field<Date> {
  return {
    ...field,
    problem() {
      const value = field.value();
      return field.problem() ?? (value && value.getTime() <= Date.now() ? said : undefined);
    },
  };
}

function amountOf({ currencyCode, minorUnits }: Money): number {
  return Number(toBigInt(minorUnits)) / 10 ** (digitsOf(currencyCode ?? "") ?? 2);
}
