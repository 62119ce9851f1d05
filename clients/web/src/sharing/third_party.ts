import type { HolderKind, ThirdPartyDetails } from "../api/identity_v1.js";
import type { Locale } from "../language/choice.js";
import { translator } from "../language/words.js";
import { facts } from "../parts/facts.js";
import { element } from "../shell/element.js";
import { words } from "./words.js";

/** Kinds of third parties that an administrator chooses from, in the order in which they are offered. */
export const holderKinds = [
  "HOLDER_KIND_COMPANY", "HOLDER_KIND_HEALTH_CARE", "HOLDER_KIND_RESEARCH_INSTITUTE", "HOLDER_KIND_PUBLIC_AUTHORITY",
  "HOLDER_KIND_ASSOCIATION",
] as const;

/** What a third party is; empty where nobody has said it. */
export function holderKindText(kind: HolderKind | undefined, locale: Locale): string {
  const known = holderKinds.find((each) => each === kind);
  return known ? translator(words, locale.language)(known) : "";
}

/** Who a third party is: what it is, what was checked of that, and what it says of itself. */
export function thirdPartyRows(
  party: ThirdPartyDetails | undefined, locale: Locale,
): ReadonlyArray<readonly [string, Node | string | undefined]> {
  const t = translator(words, locale.language);
  return [
    [t("whatItIs"), holderKindText(party?.kind, locale)],
    [t("checked"), party?.checked || element("span", { class: "problem" }, t("notChecked"))],
    [t("ownWords"), party?.description],
  ];
}

/** The name of a third party in a table, which opens to who it is. */
export function thirdPartyCell(name: string | undefined, party: ThirdPartyDetails | undefined, locale: Locale): HTMLElement {
  return element("details", {}, element("summary", {}, name ?? ""), facts(thirdPartyRows(party, locale)));
}
