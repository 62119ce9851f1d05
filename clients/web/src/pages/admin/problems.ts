import { ConnectError } from "../../connect/errors.js";
import type { Translate } from "../../language/words.js";
import type { Problems } from "../../parts/form.js";
import type { words } from "./words.js";

/** What it means that something was made before whose secret is shown once; undefined for everything else. */
export function onceProblems(t: Translate<typeof words>): (failure: unknown) => Problems | undefined {
  return (failure) => (failure instanceof ConnectError && failure.code === "already_exists" && failure.violations.size === 0
    ? { fields: {}, whole: t("madeBefore") } : undefined);
}
