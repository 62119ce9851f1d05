import { ConnectError } from "../../connect/errors.js";
import { describeError } from "../../errors/describe.js";
import { translator } from "../../language/words.js";
import type { Language } from "../../language/words.js";
import { words } from "./words.js";

/** What it means that an answer was not taken, with who has the call where the server says so. */
export function answerProblem(failure: unknown, language: Language): string {
  const t = translator(words, language);
  if (!(failure instanceof ConnectError)) return describeError(failure, language);
  const name = failure.metadata["name"];
  if (failure.is("CALL_TAKEN")) return name === undefined ? t("heldElsewhere") : t("heldBy", { name });
  if (failure.is("CALL_OVER")) return name === undefined ? t("over") : t("overBy", { name });
  if (failure.is("TOO_MANY_ANSWERS")) return t("tooManyAnswers");
  if (failure.is("NO_CALL")) return t("noCall");
  if (failure.code === "unavailable" || failure.code === "deadline_exceeded") return t("sendAgain");
  return describeError(failure, language);
}
