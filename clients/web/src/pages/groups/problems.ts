import { ConnectError } from "../../connect/errors.js";
import type { Reason } from "../../connect/reasons.js";
import { describeError } from "../../errors/describe.js";
import { translator } from "../../language/words.js";
import type { Language } from "../../language/words.js";
import type { Problems } from "../../parts/form.js";
import { words } from "./words.js";

const reasons: Partial<Record<Reason, keyof typeof words>> = {
  GROUP_TOO_SMALL: "tooSmall",
  PRIVACY_BUDGET_SPENT: "budgetSpent",
  PAYMENT_NOT_USABLE: "paymentNotUsable",
  TOO_MANY_PAYMENTS: "tooManyPayments",
  TOO_MANY_SUBSCRIPTIONS: "tooMany",
  QUESTIONS_HAVE_PRICE: "havePrice",
};

/** What the server's answer means for a question; undefined where that is what it means everywhere. */
function knownProblem(failure: unknown, language: Language): string | undefined {
  if (!(failure instanceof ConnectError)) return undefined;
  const key = reasons[failure.reason as Reason];
  return key && translator(words, language)(key);
}

/** The same for a form. */
export function problemsOf(failure: unknown, language: Language): Problems | undefined {
  const whole = knownProblem(failure, language);
  return whole === undefined ? undefined : { fields: {}, whole };
}

/** The same in a sentence. */
export function problemText(failure: unknown, language: Language): string {
  return knownProblem(failure, language) ?? describeError(failure, language);
}
