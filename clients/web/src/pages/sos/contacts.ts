import { SosService } from "../../api/sos_v1.js";
import type { ContactState, EmergencyContact, SosSettings } from "../../api/sos_v1.js";
import { ConnectError } from "../../connect/errors.js";
import { describeError } from "../../errors/describe.js";
import { translator } from "../../language/words.js";
import { ask } from "../../parts/dialog.js";
import { DoneLine } from "../../parts/done.js";
import { textField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import type { Problems } from "../../parts/form.js";
import { Table } from "../../parts/table.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { sosNavigation } from "./navigation.js";
import { words } from "./words.js";

const mostContacts = 5;

/** Who is told of an emergency, and what each has answered. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  let { settings = {}, etag = "" } = await client.unary(SosService.getSosSettings, {}, { signal });

  const isStale = (failure: unknown): boolean => failure instanceof ConnectError && failure.is("STALE_ETAG");
  const change = async (contacts: EmergencyContact[]): Promise<void> => {
    const wanted: SosSettings = { ...settings, contacts };
    const changed = await client.unary(SosService.updateSosSettings, { etag, settings: wanted }, { signal });
    ({ settings = {}, etag = "" } = changed);
    draw();
  };

  const stateText = (address: string | undefined, state: ContactState | undefined): Node | string => {
    if (!address) return "–";
    const text = state === undefined || state === "CONTACT_STATE_UNSPECIFIED" ? "" : t(state);
    return element("span", {}, element("span", { class: "value" }, address), element("br"), text);
  };
  const remove = async (contact: EmergencyContact): Promise<void> => {
    const name = contact.name ?? "";
    const isDone = await ask({
      title: t("removeContact", { name }), content: [element("p", {}, t("removeContactText"))], confirm: t("remove"),
      act: () => change((settings.contacts ?? []).filter((other) => other !== contact)),
      problem: (failure) => (isStale(failure) ? t("stale") : undefined),
    }, locale, signal);
    if (isDone) title.focus();
  };
  const table = new Table<EmergencyContact>([
    { head: t("name"), cell: (contact) => contact.name ?? "" },
    { head: t("phoneHead"), cell: (contact) => stateText(contact.phoneNumber, contact.phoneState) },
    { head: t("emailHead"), cell: (contact) => stateText(contact.email, contact.emailState) },
    {
      head: t("action"),
      cell(contact) {
        const label = t("removeNamed", { name: contact.name ?? "" });
        const button = element("button", { type: "button", "aria-label": label }, t("remove"));
        button.addEventListener("click", () => void remove(contact));
        return button;
      },
    },
  ], { caption: t("contacts"), none: t("noContacts") }, locale);

  // Each update asks those again who have not answered for a day: nothing else changes.
  const again = element("button", { type: "button" }, t("askAgain"));
  const problem = element("p", { class: "problem", role: "alert" });
  again.addEventListener("click", () => {
    if (again.disabled) return;
    again.disabled = true;
    problem.textContent = "";
    change(settings.contacts ?? []).then(() => done.show(t("askedAgain")), (failure: unknown) => {
      problem.textContent = isStale(failure) ? t("stale") : describeError(failure, locale.language);
    }).finally(() => { again.disabled = false; });
  });

  const place = (): number => settings.contacts?.length ?? 0;
  const name = textField({ name: "name", label: t("name"), maxLength: 100, autocomplete: "off" }, locale);
  const phone = textField({
    name: "phone_number", label: t("phone"), type: "tel", autocomplete: "off", optional: true, hint: t("phoneHint"),
    refused: t("phoneRefused"),
  }, locale);
  const email = textField({
    name: "email", label: t("email"), type: "email", autocomplete: "off", optional: true, refused: t("emailRefused"),
  }, locale);
  const done = new DoneLine(context);
  const form = new Form({
    fields: [name, phone, email], submit: t("addContact"), label: t("addContact"),
    async send() {
      done.show("");
      if (!phone.value() && !email.value()) {
        form.show({ fields: { [phone.name]: t("reachRefused") } });
        return;
      }
      await change([
        ...(settings.contacts ?? []), { name: name.value() ?? "", phoneNumber: phone.value() ?? "", email: email.value() ?? "" },
      ]);
      for (const field of [name, phone, email]) field.set("");
      done.show(t("contactAdded"));
    },
    problems: (failure) => contactProblems(failure, place()),
  }, locale, signal);

  /** The server names the new contact by its place behind the others. */
  const contactProblems = (failure: unknown, index: number): Problems | undefined => {
    if (isStale(failure)) return { fields: {}, whole: t("stale") };
    if (!(failure instanceof ConnectError)) return undefined;
    const fields: Record<string, string> = {};
    const path = `settings.contacts[${index}]`;
    if (failure.violations.has(`${path}.name`)) fields[name.name] = describeError(failure, locale.language);
    if (failure.violations.has(`${path}.phone_number`)) fields[phone.name] = t("phoneRefused");
    if (failure.violations.has(`${path}.email`)) fields[email.name] = t("emailRefused");
    if (failure.violations.has(path)) fields[phone.name] = t("reachRefused");
    return Object.keys(fields).length > 0 ? { fields } : undefined;
  };

  const title = element("h2", { tabindex: "-1" }, t("addContact"));
  const full = element("p", {}, t("tooManyContacts"));
  const draw = (): void => {
    const contacts = settings.contacts ?? [];
    table.draw(contacts);
    again.hidden = !contacts.some(({ phoneState, emailState }) => [phoneState, emailState].includes("CONTACT_STATE_ASKED"));
    form.node.hidden = contacts.length >= mostContacts;
    full.hidden = !form.node.hidden;
  };
  draw();
  return {
    title: t("contacts"),
    content: [
      sosNavigation("/sos/contacts", locale.language), element("p", {}, t("contactsWhat")), table.node, problem,
      element("div", { class: "buttons" }, again), title, full, element("div", { class: "narrow" }, form.node, done.node),
    ],
  };
}
