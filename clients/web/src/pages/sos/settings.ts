import { SosService } from "../../api/sos_v1.js";
import { ConnectError } from "../../connect/errors.js";
import { translator } from "../../language/words.js";
import { DoneLine } from "../../parts/done.js";
import { numberField, switchField, textField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { sosNavigation } from "./navigation.js";
import { words } from "./words.js";

/** The most minutes that a silence may last before somebody is told, or called. */
const mostMinutes = 1440;

/** Whether and how help is called for the person. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const answer = await client.unary(SosService.getSosSettings, {}, { signal });
  let { settings = {}, etag = "" } = answer;
  const enabled = switchField({ name: "enabled", label: t("enabled"), value: settings.enabled ?? false, api: ["settings.enabled"] });
  const callback = textField({
    name: "callback_number", label: t("callbackNumber"), type: "tel", autocomplete: "tel", optional: true, hint: t("phoneHint"),
    refused: t("phoneRefused"), value: settings.callbackNumber ?? "", api: ["settings.callback_number"],
  }, locale);
  const minutes = (
    name: "notify_after_minutes" | "call_after_minutes", label: string, value: number | undefined, refused?: string,
  ) => numberField({
    name, label, hint: t("neverHint"), least: 0, most: mostMinutes, step: 1, value: value ?? 0,
    api: [`settings.silence.${name}`], ...(refused === undefined ? {} : { refused }),
  }, locale);
  const notifyAfter = minutes("notify_after_minutes", t("notifyAfter"), settings.silence?.notifyAfterMinutes);
  const callAfter = minutes("call_after_minutes", t("callAfter"), settings.silence?.callAfterMinutes, t("callAfterRefused"));
  const scale = switchField({ name: "oxygen_scale", label: t("oxygenScale"), value: settings.usesOxygenScale2 ?? false });
  const oxygen = switchField({ name: "oxygen", label: t("supplementalOxygen"), value: settings.usesSupplementalOxygen ?? false });
  const done = new DoneLine(context);
  const group = (name: string, ...fields: ReadonlyArray<{ readonly node: Node }>): HTMLElement => (
    element("fieldset", {}, element("legend", {}, name), ...fields.map(({ node }) => node)));
  const form = new Form({
    fields: [enabled, callback, notifyAfter, callAfter, scale, oxygen], submit: t("save"),
    content: [
      enabled.node, callback.node, group(t("silence"), notifyAfter, callAfter), group(t("medical"), scale, oxygen),
    ],
    async send() {
      done.show("");
      // Who is told is chosen on a page of its own.
      const changed = await client.unary(SosService.updateSosSettings, {
        etag, settings: {
          contacts: settings.contacts ?? [], enabled: enabled.value() ?? false, callbackNumber: callback.value() ?? "",
          silence: { notifyAfterMinutes: notifyAfter.value() ?? 0, callAfterMinutes: callAfter.value() ?? 0 },
          usesOxygenScale2: scale.value() ?? false, usesSupplementalOxygen: oxygen.value() ?? false,
        },
      }, { signal });
      ({ settings = {}, etag = "" } = changed);
      done.show(t("saved"));
    },
    problems: (failure) => (failure instanceof ConnectError && failure.is("STALE_ETAG")
      ? { fields: {}, whole: t("stale") } : undefined),
  }, locale, signal);
  return {
    title: t("settings"),
    content: [
      sosNavigation("/sos", locale.language),
      ...(answer.dispatchStatus === "DISPATCH_STATUS_EXERCISE" ? [element("p", { class: "exercise banner" }, t("exercise"))] : []),
      element("p", {}, t("what")), element("div", { class: "narrow" }, form.node, done.node),
    ],
  };
}
