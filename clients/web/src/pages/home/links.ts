import type { Kind } from "../../session/session.js";
import type { words } from "./words.js";

/** A place that a start page leads to. */
export interface HomeLink {
  readonly address: string;
  /** What it is called, and a sentence on what is there: keys of the page's words. */
  readonly title: keyof typeof words;
  readonly text: keyof typeof words;
}

/** Where a person whose account is disabled can go. */
export const waysOut: readonly HomeLink[] = [
  { address: "/requests", title: "requests", text: "requestsText" },
  { address: "/ledger", title: "ledger", text: "ledgerText" },
  { address: "/export", title: "export", text: "exportText" },
  { address: "/leave", title: "leave", text: "leaveText" },
];

/** Where each kind of account can go, what is needed most often first. */
export const links: Readonly<Record<Kind, readonly HomeLink[]>> = {
  person: [
    { address: "/status", title: "status", text: "statusText" },
    { address: "/charts", title: "charts", text: "chartsText" },
    { address: "/requests", title: "requests", text: "requestsText" },
    { address: "/sos", title: "sos", text: "sosText" },
    { address: "/races", title: "races", text: "racesText" },
    { address: "/devices", title: "devices", text: "devicesText" },
    { address: "/settings", title: "settings", text: "settingsText" },
  ],
  thirdParty: [
    { address: "/ask", title: "ask", text: "askText" },
    { address: "/asked", title: "asked", text: "askedText" },
    { address: "/subscriptions", title: "subscriptions", text: "subscriptionsText" },
    { address: "/groups", title: "groups", text: "groupsText" },
    { address: "/settings", title: "settings", text: "settingsText" },
  ],
  deskOperator: [
    { address: "/desk", title: "desk", text: "deskText" },
    { address: "/settings", title: "settings", text: "passwordText" },
  ],
  administrator: [
    { address: "/admin", title: "admin", text: "adminText" },
    { address: "/settings", title: "settings", text: "settingsText" },
  ],
};
