import { SubscriptionService } from "../api/sharing_v1.js";
import type { Cadence, GroupPause, Subscription } from "../api/sharing_v1.js";
import { ConnectError } from "../connect/errors.js";
import { words as groupWords } from "../groups/words.js";
import type { Locale } from "../language/choice.js";
import { translator } from "../language/words.js";
import { setField } from "../parts/field.js";
import type { Field, FieldOptions } from "../parts/field.js";
import type { PageContext } from "../shell/page.js";
import { cadenceText } from "./describe.js";

/** How often readings of a person may be delivered; answers about a group are of periods. */
export const cadences = [
  "CADENCE_AS_PRODUCED", "CADENCE_HOURLY", "CADENCE_DAILY", "CADENCE_WEEKLY", "CADENCE_MONTHLY",
] as const;

/** A field for one of some cadences. */
export function cadenceField(
  options: Omit<FieldOptions, "name">, choosable: readonly Cadence[], value: Cadence | undefined, locale: Locale,
): Field<readonly Cadence[]> {
  return setField<Cadence>({
    ...options, name: "cadence", isOne: true, value: value ? [value] : [],
    choices: choosable.map((cadence) => ({ value: cadence, label: cadenceText(cadence, locale) })),
  }, locale);
}

/** The caller's active subscriptions and those that have ended, the newest first. */
export async function* subscriptionsOf(
  { client, signal }: Pick<PageContext, "client" | "signal">, activeOnly: boolean,
): AsyncGenerator<Subscription> {
  let pageToken = "";
  do {
    const page = await client.unary(
      SubscriptionService.listSubscriptions, { activeOnly, pageSize: 100, pageToken }, { signal });
    for (const subscription of page.subscriptions ?? []) yield subscription;
    pageToken = page.nextPageToken ?? "";
  } while (pageToken !== "");
}

/**
 * The subscription of a number.
 * @throws ConnectError "not_found" where the caller has none of it.
 */
export async function subscriptionOf(context: Pick<PageContext, "client" | "signal">, number: string): Promise<Subscription> {
  for await (const subscription of subscriptionsOf(context, false)) {
    if (subscription.subscriptionId === number) return subscription;
  }
  throw new ConnectError("not_found", "there is no such subscription");
}

const pauses: Partial<Record<GroupPause, "tooSmall" | "budgetSpent" | "pausedByPrice">> = {
  GROUP_PAUSE_TOO_SMALL: "tooSmall",
  GROUP_PAUSE_BUDGET_SPENT: "budgetSpent",
  GROUP_PAUSE_PRICE: "pausedByPrice",
};

/** Why nothing is told of a group and a period; empty where something is. */
export function pauseText(pause: GroupPause | undefined, locale: Locale): string {
  const key = pauses[pause ?? "GROUP_PAUSE_UNSPECIFIED"];
  return key ? translator(groupWords, locale.language)(key) : "";
}
