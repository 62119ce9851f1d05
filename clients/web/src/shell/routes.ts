import type { Kind } from "../session/session.js";
import type { PageModule } from "./page.js";
import type { words } from "./words.js";

/** A page and its address. */
export interface Route {
  /** "/races/{raceId}": a part in braces stands for one part of any address, under its name. */
  readonly address: string;
  /** Whose page it is; left out for everybody's, with or without a session. */
  readonly kinds?: readonly Kind[];
  /** What the header calls it, for those whose page it is; left out for pages that others lead to. */
  readonly link?: keyof typeof words;
  load(): Promise<PageModule>;
}

/** Every page. The server answers these addresses with the shell, and others with 404. */
export const routes: readonly Route[] = [
  { address: "/", link: "home", load: () => import("../pages/home/home.js") },
  { address: "/sign-in", load: () => import("../pages/sign-in/sign_in.js") },
  { address: "/desk", kinds: ["deskOperator"], link: "desk", load: () => import("../pages/desk/desk.js") },
  { address: "/register", load: () => import("../pages/register/register.js") },
  {
    address: "/notifications", kinds: ["person", "thirdParty", "administrator", "deskOperator"],
    load: () => import("../pages/notifications/notifications.js"),
  },
  {
    address: "/linked-sign-in", kinds: ["person", "thirdParty", "administrator"],
    load: () => import("../pages/linked-sign-in/linked_sign_in.js"),
  },
  { address: "/accessibility", load: () => import("../pages/accessibility/accessibility.js") },
  {
    address: "/settings", kinds: ["person", "thirdParty", "administrator", "deskOperator"],
    load: () => import("../pages/settings/settings.js"),
  },
  { address: "/devices", kinds: ["person"], load: () => import("../pages/devices/devices.js") },
  {
    address: "/leave", kinds: ["person", "thirdParty", "administrator"], load: () => import("../pages/leave/leave.js"),
  },
  { address: "/erasure", load: () => import("../pages/erasure/erasure.js") },
  { address: "/races/new", kinds: ["person"], load: () => import("../pages/races/edit/edit.js") },
  { address: "/races/{raceId}/edit", kinds: ["person"], load: () => import("../pages/races/edit/edit.js") },
  { address: "/races/{raceId}/manage", kinds: ["person"], load: () => import("../pages/races/manage/manage.js") },
  { address: "/status", kinds: ["person"], link: "status", load: () => import("../pages/status/status.js") },
  { address: "/charts", kinds: ["person"], link: "charts", load: () => import("../pages/charts/charts.js") },
  { address: "/requests", kinds: ["person"], link: "requests", load: () => import("../pages/consent/requests.js") },
  { address: "/grants", kinds: ["person"], load: () => import("../pages/consent/grants.js") },
  { address: "/ledger", kinds: ["person"], load: () => import("../pages/ledger/ledger.js") },
  { address: "/export", kinds: ["person"], load: () => import("../pages/export/export.js") },
  { address: "/ask", kinds: ["thirdParty"], load: () => import("../pages/ask/ask.js") },
  { address: "/asked", kinds: ["thirdParty"], link: "asked", load: () => import("../pages/asked/asked.js") },
  { address: "/asked/{accessRequestId}", kinds: ["thirdParty"], load: () => import("../pages/asked/request.js") },
  { address: "/granted/{accessRequestId}", kinds: ["thirdParty"], load: () => import("../pages/granted/granted.js") },
  {
    address: "/subscriptions", kinds: ["thirdParty"], link: "subscriptions",
    load: () => import("../pages/subscriptions/subscriptions.js"),
  },
  { address: "/groups", kinds: ["thirdParty"], link: "groups", load: () => import("../pages/groups/groups.js") },
  { address: "/subscriptions/new", kinds: ["thirdParty"], load: () => import("../pages/subscriptions/create.js") },
  {
    address: "/subscriptions/{subscriptionId}", kinds: ["thirdParty"],
    load: () => import("../pages/subscriptions/subscription.js"),
  },
  { address: "/sos", kinds: ["person"], link: "sos", load: () => import("../pages/sos/settings.js") },
  { address: "/sos/contacts", kinds: ["person"], load: () => import("../pages/sos/contacts.js") },
  { address: "/sos/exertions", kinds: ["person"], load: () => import("../pages/sos/exertions.js") },
  { address: "/sos/limits", kinds: ["person"], load: () => import("../pages/sos/limits.js") },
  { address: "/sos/limits/{metric}", kinds: ["person"], load: () => import("../pages/sos/limit.js") },
  { address: "/emergencies", kinds: ["person"], load: () => import("../pages/emergencies/list.js") },
  { address: "/emergencies/{emergencyId}", kinds: ["person"], load: () => import("../pages/emergencies/emergency.js") },
  { address: "/admin", kinds: ["administrator"], link: "admin", load: () => import("../pages/admin/home.js") },
  { address: "/admin/dispatchers", kinds: ["administrator"], load: () => import("../pages/admin/dispatchers.js") },
  { address: "/admin/operators", kinds: ["administrator"], load: () => import("../pages/admin/operators.js") },
  { address: "/admin/answers", kinds: ["administrator"], load: () => import("../pages/admin/answers.js") },
  { address: "/admin/codes", kinds: ["administrator"], load: () => import("../pages/admin/codes.js") },
  { address: "/admin/accounts", kinds: ["administrator"], load: () => import("../pages/admin/accounts.js") },
  { address: "/admin/forms", kinds: ["administrator"], load: () => import("../pages/admin/forms.js") },
  { address: "/admin/bridges", kinds: ["administrator"], load: () => import("../pages/admin/bridges.js") },
  { address: "/admin/metrics", kinds: ["administrator"], load: () => import("../pages/admin/metrics.js") },
  { address: "/admin/races", kinds: ["administrator"], load: () => import("../pages/admin/races.js") },
  { address: "/admin/maintenance", kinds: ["administrator"], load: () => import("../pages/admin/maintenance.js") },
  { address: "/admin/status", kinds: ["administrator"], load: () => import("../pages/admin/status.js") },
  { address: "/contacts/confirm", load: () => import("../pages/contact-answer/contact_answer.js") },
  { address: "/races", kinds: ["person"], link: "races", load: () => import("../pages/races/list/list.js") },
  // Everybody's, so that a private link is kept while its reader signs in.
  { address: "/races/{raceId}", load: () => import("../pages/races/overview/overview.js") },
  { address: "/races/{raceId}/live", kinds: ["person"], load: () => import("../pages/races/live/live.js") },
  { address: "/expenditure", link: "expenditure", load: () => import("../pages/expenditure/map/map.js") },
  { address: "/expenditure/about", load: () => import("../pages/expenditure/about/about.js") },
  { address: "/expenditure/dictionary", load: () => import("../pages/expenditure/dictionary/dictionary.js") },
  { address: "/expenditure/tutorial", load: () => import("../pages/expenditure/tutorial/tutorial.js") },
  { address: "/expenditure/compare", load: () => import("../pages/expenditure/compare/compare.js") },
  { address: "/expenditure/mobility", load: () => import("../pages/expenditure/mobility/mobility.js") },
  {
    address: "/expenditure/admin", kinds: ["administrator"],
    load: () => import("../pages/expenditure/figures/figures.js"),
  },
  { address: "/expenditure/{territory}", load: () => import("../pages/expenditure/report/report.js") },
  { address: "/expenditure/{territory}/{voice}", load: () => import("../pages/expenditure/voice/voice.js") },
  { address: "/races/{raceId}/results", kinds: ["person"], load: () => import("../pages/races/results/results.js") },
];

export interface Match {
  readonly route: Route;
  readonly parameters: Readonly<Record<string, string>>;
}

/** The page at a path, if there is one. "/races/new" is that page, and no race of "/races/{raceId}". */
export function match(routes: readonly Route[], path: string): Match | undefined {
  const parts = path.split("/");
  let found: Match | undefined;
  for (const route of routes) {
    const parameters = matchParts(route.address.split("/"), parts);
    if (!parameters) continue;
    if (Object.keys(parameters).length === 0) return { route, parameters };
    found ??= { route, parameters };
  }
  return found;
}

function matchParts(pattern: readonly string[], parts: readonly string[]): Record<string, string> | undefined {
  if (pattern.length !== parts.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, wanted] of pattern.entries()) {
    const part = parts[index] ?? "";
    const name = /^\{(\w+)\}$/.exec(wanted)?.[1];
    if (name === undefined) {
      if (part !== wanted) return undefined;
      continue;
    }
    try {
      parameters[name] = decodeURIComponent(part);
    } catch {
      return undefined;
    }
    if (part === "") return undefined;
  }
  return parameters;
}

/** Where to go after signing in: an address of this site that has a page, or else the first page. */
export function safeAddress(wanted: string | null, origin: string): string {
  try {
    const url = new URL(wanted ?? "/", origin);
    if (url.origin === origin && match(routes, url.pathname)) return url.pathname + url.search;
  } catch {
    // No address at all.
  }
  return "/";
}
