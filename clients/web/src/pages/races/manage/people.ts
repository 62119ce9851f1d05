import { RaceService } from "../../../api/races_v1.js";
import type { Organizer, Race } from "../../../api/races_v1.js";
import { ConnectError } from "../../../connect/errors.js";
import { translator } from "../../../language/words.js";
import { ask } from "../../../parts/dialog.js";
import { textField } from "../../../parts/field.js";
import type { Field } from "../../../parts/field.js";
import { Form } from "../../../parts/form.js";
import type { Problems } from "../../../parts/form.js";
import { Table } from "../../../parts/table.js";
import { element } from "../../../shell/element.js";
import type { PageContext } from "../../../shell/page.js";
import { invitationLink, parseUsernames } from "./entries.js";
import { words } from "./words.js";

/** The most usernames of one invitation. */
const usernamesMax = 1_000;

/** Who manages the race, and who else is to. */
export function organizers(
  context: PageContext, race: Race, changed: (race: Race | undefined, said: string) => void,
): readonly Node[] {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const raceId = race.raceId ?? "0";
  const remove = (username: string): Promise<boolean> => ask({
    title: t("removeOrganizer", { username }), content: [element("p", {}, t("removeOrganizerText", { username }))],
    confirm: t("removeOrganizer", { username }),
    async act() {
      const answer = await client.unary(RaceService.removeOrganizer, { raceId, username }, { signal });
      changed(answer.race, t("done"));
    },
  }, locale, signal);
  const list = race.organizers ?? [];
  const table = new Table<Organizer>([
    { head: t("name"), cell: ({ name }) => name ?? "" },
    { head: t("username"), cell: ({ username }) => username ?? "" },
    {
      head: t("action"),
      cell({ username = "" }) {
        // A race keeps one.
        if (list.length < 2) return t("lastOrganizer");
        const button = element("button", { type: "button" }, t("removeOrganizer", { username }));
        button.addEventListener("click", () => void remove(username));
        return button;
      },
    },
  ], { caption: t("organizers") }, locale);
  table.draw(list);
  const username = textField({
    name: "username", label: t("organizerUsername"), maxLength: 100, refused: t("noPerson"),
  }, locale);
  const form = new Form({
    fields: [username] as never, submit: t("addOrganizer"), label: t("addOrganizer"),
    async send() {
      const answer = await client.unary(
        RaceService.addOrganizer, { raceId, username: username.value() ?? "" }, { signal });
      changed(answer.race, t("done"));
    },
    problems: (failure) => whole(failure, "TOO_MANY_ORGANIZERS", t("manyOrganizers")),
  }, locale, signal);
  return [element("h2", {}, t("organizers")), table.node, form.node];
}

/** Who may enrol in a race by invitation, and the link for them. */
export function invitations(context: PageContext, race: Race): readonly Node[] {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const raceId = race.raceId ?? "0";
  const link = element("div");
  const said = element("p", { class: "hint", role: "status" });
  const showLink = (invitation: string | undefined): void => {
    if (!invitation) return;
    link.replaceChildren(linkNode(context, invitationLink(location.origin, raceId, invitation)));
    link.querySelector("input")?.focus();
  };
  const canInvite = race.state === "RACE_STATE_DRAFT" || race.state === "RACE_STATE_ENROLMENT_OPEN";
  const invitees = usernames("invitees", t("invitees"), t("inviteesHint"), context);
  const invite = new Form({
    fields: [invitees] as never, submit: t("invite"), label: t("invite"),
    async send() {
      const names = parseUsernames(invitees.value() ?? "");
      const { invitation } = await client.unary(RaceService.inviteRunners, { raceId, usernames: [...names] }, { signal });
      invitees.set("");
      said.textContent = t("invited", { count: String(names.length) });
      showLink(invitation);
    },
    problems: (failure) => (
      whole(failure, "TOO_MANY_INVITATIONS", t("manyInvitations"))
      ?? whole(failure, "TOO_MANY_INVITED", t("manyInvitations"))),
  }, locale, signal);
  const revokees = usernames("revokees", t("revokees"), undefined, context);
  const revoke = new Form({
    fields: [revokees] as never, submit: t("revoke"), label: t("revoke"),
    async send() {
      const names = parseUsernames(revokees.value() ?? "");
      const { revokedCount } = await client.unary(
        RaceService.revokeInvitations, { raceId, usernames: [...names] }, { signal });
      revokees.set("");
      said.textContent = t("revoked", { count: String(revokedCount ?? 0) });
    },
  }, locale, signal);
  const renew = element("button", { type: "button" }, t("newLink"));
  renew.addEventListener("click", () => void ask({
    title: t("newLink"), content: [element("p", {}, t("newLinkText"))], confirm: t("newLink"),
    async act() {
      const { invitation } = await client.unary(RaceService.revokeInvitations, { raceId, usernames: [] }, { signal });
      showLink(invitation);
    },
  }, locale, signal));
  return [
    element("h2", {}, t("invitations")), ...(canInvite ? [invite.node] : []), said, link, element("p", {}, renew),
    revoke.node,
  ];
}

/** The link as text to copy, with a button that copies it. */
function linkNode({ locale, announce }: PageContext, address: string): HTMLElement {
  const t = translator(words, locale.language);
  const input = element("input", { type: "text", id: "link", readonly: "", value: address });
  const copy = element("button", { type: "button" }, t("copy"));
  copy.addEventListener("click", () => {
    input.select();
    // Where the browser lets pages write to the clipboard; otherwise it stands there, selected.
    navigator.clipboard?.writeText(address).then(() => announce(t("copied")), () => undefined);
  });
  return element(
    "div", { class: "field" }, element("label", { for: "link" }, t("link")), element("p", { class: "hint" }, t("linkText")),
    input, element("p", {}, copy));
}

function usernames(name: string, label: string, hint: string | undefined, { locale }: PageContext): Field<string> {
  const t = translator(words, locale.language);
  const field = textField({
    name, label, isLong: true, api: ["usernames"], ...(hint === undefined ? {} : { hint }),
  }, locale);
  return {
    ...field,
    problem: () => field.problem() ?? (
      parseUsernames(field.value() ?? "").length > usernamesMax ? t("tooManyNames") : undefined),
  };
}

function whole(
  failure: unknown, reason: Parameters<ConnectError["is"]>[0], said: string,
): Problems | undefined {
  return failure instanceof ConnectError && failure.is(reason) ? { fields: {}, whole: said } : undefined;
}
