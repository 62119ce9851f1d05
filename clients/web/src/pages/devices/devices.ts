import { IdentityService } from "../../api/identity_v1.js";
import type { Device } from "../../api/identity_v1.js";
import { translator } from "../../language/words.js";
import { shownOnce } from "../../parts/copy.js";
import { ask } from "../../parts/dialog.js";
import { choiceField, textField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { pagesOf } from "../../parts/pages_of.js";
import { RequestIds } from "../../parts/request_ids.js";
import { Table } from "../../parts/table.js";
import { dateOf, time } from "../../parts/time.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { bridgesSection } from "./bridges.js";
import { words } from "./words.js";

/** What sends readings for a person: devices with tokens of their own, and bridges. */
export async function open(context: PageContext): Promise<Page> {
  const t = translator(words, context.locale.language);
  const [devices, bridges] = await Promise.all([devicesSection(context), bridgesSection(context)]);
  const number = element("p", {}, t("number", { number: context.session?.accountId ?? "" }));
  return { title: t("title"), content: [element("p", {}, t("what")), number, ...devices, ...bridges] };
}

async function devicesSection(context: PageContext): Promise<Node[]> {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  let devices: Device[] = [];
  const table = new Table<Device>([
    { head: t("name"), cell: ({ name }) => name ?? "" },
    { head: t("created"), cell: ({ created }) => moment(created) },
    { head: t("expires"), cell: ({ expires }) => expires ? moment(expires) : t("never") },
    { head: t("actions"), cell: (device) => revokeButton(device) },
  ], { caption: t("listed"), none: t("none") }, locale);
  const more = await pagesOf<Device>(context, async (pageToken) => {
    const page = await client.unary(IdentityService.listDevices, { pageToken }, { signal });
    return { items: page.devices ?? [], nextPageToken: page.nextPageToken ?? "" };
  }, (items) => {
    const fresh = items.filter(({ deviceId }) => !devices.some((device) => device.deviceId === deviceId));
    devices = [...devices, ...fresh];
    table.append(fresh);
  });

  const name = textField({ name: "name", label: t("name"), hint: t("nameHint"), autocomplete: "off", maxLength: 100 }, locale);
  const lifetime = choiceField<"0" | "30" | "365">({
    name: "lifetime", api: ["lifetime_days"], label: t("lifetime"), value: "0",
    choices: [{ value: "0", label: t("always") }, { value: "30", label: t("month") }, { value: "365", label: t("year") }],
  }, locale);
  const requestIds = new RequestIds();
  const token = element("div", { tabindex: "-1" });
  const form = new Form({
    label: t("add"), submit: t("add"), fields: [name, lifetime],
    async send() {
      const wanted = { name: name.value() ?? "", lifetimeDays: Number(lifetime.value() ?? 0) };
      const answer = await client.unary(
        IdentityService.createDevice, { ...wanted, requestId: requestIds.of(wanted) }, { signal });
      requestIds.renew();
      name.set("");
      devices = [answer.device ?? {}, ...devices];
      table.draw(devices);
      token.replaceChildren(shownOnce(t("token", { name: wanted.name }), answer.token ?? "", context));
      token.focus();
      context.announce(t("added"));
    },
  }, locale, signal);
  return [
    element("h2", {}, t("add")), element("div", { class: "narrow" }, form.node), token, element("h2", {}, t("yours")),
    table.node, more,
  ];

  function moment(at: string | undefined): Node | string {
    const date = dateOf(at);
    return date ? time(date, locale) : "";
  }

  function revokeButton(device: Device): HTMLElement {
    const what = { name: device.name ?? "" };
    const button = element("button", { type: "button", "aria-label": t("revokeWhat", what) }, t("revoke"));
    button.addEventListener("click", () => {
      void ask({
        title: t("revokeWhat", what), content: [element("p", {}, t("revokeText"))], confirm: t("revoke"),
        act: async () => { await client.unary(IdentityService.revokeDevice, { deviceId: device.deviceId ?? "" }, { signal }); },
      }, locale, signal).then((isDone) => {
        if (!isDone) return;
        devices = devices.filter(({ deviceId }) => deviceId !== device.deviceId);
        table.draw(devices);
        table.node.focus();
        context.announce(t("revoked", what));
      });
    });
    return button;
  }
}
