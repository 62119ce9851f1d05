import type { Emergency } from "../api/sos_v1.js";
import type { Locale } from "../language/choice.js";
import { translator } from "../language/words.js";
import { words } from "./words.js";

/** Whether nothing more becomes of it. */
export function isOver(emergency: Emergency): boolean {
  return emergency.state === "EMERGENCY_STATE_RESOLVED" || emergency.state === "EMERGENCY_STATE_CANCELLED";
}

/** Where it stands. */
export function stateText(emergency: Emergency, locale: Locale): string {
  const state = emergency.state ?? "EMERGENCY_STATE_UNSPECIFIED";
  return state === "EMERGENCY_STATE_UNSPECIFIED" ? "" : translator(words, locale.language)(state);
}
