import { IdentityService } from "../../api/identity_v1.js";
import type { Account } from "../../api/identity_v1.js";
import { translator } from "../../language/words.js";
import { ask } from "../../parts/dialog.js";
import { facts } from "../../parts/facts.js";
import { dateOf, dayText, time } from "../../parts/time.js";
import { logOut } from "../../session/session.js";
import { thirdPartyRows } from "../../sharing/third_party.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { siteFacts } from "../../shell/site.js";
import { passwordSection } from "./password.js";
import { profileSection } from "./profile.js";
import { sharingSection } from "./sharing.js";
import { words } from "./words.js";

/** What an account's owner can see and change of it. */
export async function open(context: PageContext): Promise<Page> {
  const { client, session, signal } = context;
  const t = translator(words, context.locale.language);
  const [{ account = {} }, sharing] = await Promise.all([
    client.unary(IdentityService.getAccount, {}, { signal }),
    session?.kind === "person" ? sharingSection(context) : [],
  ]);
  // The administrator keeps what is known of people at a desk.
  const profile = session?.kind === "deskOperator" ? [] : await profileSection(account, context);
  return {
    title: t("title"),
    content: [
      element("h2", {}, t("account")), accountFacts(account, context), ...profile, ...passwordSection(context), ...sharing,
      ...moreSection(context),
    ],
  };
}

/** What nobody can change. */
function accountFacts(account: Account, { locale }: PageContext): HTMLElement {
  const t = translator(words, locale.language);
  const { person } = account;
  const name = person ? `${person.givenNames ?? ""} ${person.familyName ?? ""}` : (account.thirdParty ?? account.deskOperator)?.name;
  const created = dateOf(account.created);
  return facts([
    [t("username"), account.username],
    [t("name"), name],
    // What it says of itself stands below, to be changed.
    ...(account.thirdParty ? thirdPartyRows({ ...account.thirdParty, description: "" }, locale) : []),
    [t("fiscalCode"), person?.fiscalCode],
    [t("dateOfBirth"), person?.dateOfBirth && dayText(person.dateOfBirth, locale)],
    [t("sex"), person && t(person.sex === "SEX_MALE" ? "male" : "female")],
    [t("since"), created && time(created, locale, { dateStyle: "medium" })],
  ]);
}

/** Ways to other pages, and the end of all sessions. */
function moreSection(context: PageContext): Node[] {
  const { locale, session, signal } = context;
  const t = translator(words, locale.language);
  const link = (href: string, text: string): HTMLElement => element("p", {}, element("a", { href }, text));
  const everywhere = element("button", { type: "button" }, t("sessions"));
  everywhere.addEventListener("click", () => {
    void ask({
      title: t("sessions"), content: [element("p", {}, t("sessionsText"))], confirm: t("sessionsConfirm"),
      act: () => context.endSession(() => endSessions(context)),
    }, locale, signal).then((isDone) => {
      if (!isDone) return;
      context.announce(t("sessionsEnded"));
      context.go("/sign-in");
    });
  });
  const elsewhere = element("div");
  if (session?.kind !== "deskOperator") {
    // Nobody waits for what few servers have.
    siteFacts(context.client, signal).then(({ openIdName: name }) => {
      if (name !== undefined) elsewhere.append(link("/linked-sign-in", t("linked", { name })));
    }, () => {});
  }
  return [
    element("h2", {}, t("more")), elsewhere, ...(session?.kind === "person" ? [link("/devices", t("devices"))] : []),
    element("p", {}, everywhere), ...(session?.kind === "deskOperator" ? [] : [link("/leave", t("leave"))]),
  ];
}

async function endSessions({ client }: PageContext): Promise<void> {
  await client.unary(IdentityService.logOut, { allSessions: true });
  // The browser's cookies are of no use any more, and it forgets them.
  await logOut(client).catch(() => {});
}
