import type { Notification, NotificationKind } from "../api/notifications_v1.js";
import type { Language } from "../language/words.js";
import type { Kind } from "../session/session.js";
import { match, routes } from "../shell/routes.js";
import { words } from "./words.js";

/** Kinds of which the server's subject says more: who it is, and whether it was the third party or an administrator. */
const named: ReadonlySet<NotificationKind> = new Set(["NOTIFICATION_KIND_ACCESS_REQUESTED", "NOTIFICATION_KIND_ACCESS_WITHDRAWN"]);

/** What a notification says in the language of the page; one of a kind that pages do not know yet, as the server has it. */
export function sentenceOf(notification: Notification, language: Language): string {
  const kind = notification.kind ?? "NOTIFICATION_KIND_UNSPECIFIED";
  const subject = (language === "it" ? notification.subjectItalian : notification.subject) ?? "";
  if (named.has(kind) && subject !== "") return subject;
  if (kind !== "NOTIFICATION_KIND_UNSPECIFIED" && Object.prototype.hasOwnProperty.call(words, kind)) {
    return words[kind][language];
  }
  return subject;
}

/** The whole message of a notification in the language of the page; empty where there is none. */
export function messageOf(notification: Notification, language: Language): string {
  return (language === "it" ? notification.textItalian : notification.text) ?? "";
}

/** Where something can be done about a notification, or more be seen: a page of this kind of account, if there is one. */
export function placeOf(notification: Notification, account: Kind): string | undefined {
  const address = addressOf(notification, account);
  if (address === undefined) return undefined;
  const route = match(routes, address)?.route;
  return route && (!route.kinds || route.kinds.includes(account)) ? address : undefined;
}

function addressOf(notification: Notification, account: Kind): string | undefined {
  const { kind = "", accessRequestId, emergencyId, raceId } = notification;
  if (kind.startsWith("NOTIFICATION_KIND_RACE_")) {
    return raceId === undefined ? undefined : `/races/${encodeURIComponent(raceId)}`;
  }
  if (kind.startsWith("NOTIFICATION_KIND_ACCESS_")) {
    if (account === "thirdParty") {
      return accessRequestId === undefined ? "/asked" : `/asked/${encodeURIComponent(accessRequestId)}`;
    }
    return kind === "NOTIFICATION_KIND_ACCESS_REQUESTED" ? "/requests" : "/grants";
  }
  switch (kind) {
    case "NOTIFICATION_KIND_EMERGENCY":
    case "NOTIFICATION_KIND_EMERGENCY_OVER":
      return emergencyId ? `/emergencies/${encodeURIComponent(emergencyId)}` : "/emergencies";
    case "NOTIFICATION_KIND_SILENCE": return "/sos";
    case "NOTIFICATION_KIND_REGISTERED": return account === "thirdParty" ? "/ask" : "/devices";
    case "NOTIFICATION_KIND_DEVICE_ADDED": return "/devices";
    case "NOTIFICATION_KIND_PASSWORD_CHANGED":
    case "NOTIFICATION_KIND_SIGN_IN_CHANGED": return "/settings";
    default: return undefined;
  }
}
