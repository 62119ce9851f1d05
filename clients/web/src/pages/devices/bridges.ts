import { IdentityService } from "../../api/identity_v1.js";
import type { Bridge } from "../../api/identity_v1.js";
import { translator } from "../../language/words.js";
import { ask } from "../../parts/dialog.js";
import { DoneLine } from "../../parts/done.js";
import { textField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { Table } from "../../parts/table.js";
import { dateOf, time } from "../../parts/time.js";
import { element } from "../../shell/element.js";
import type { PageContext } from "../../shell/page.js";
import { words } from "./words.js";

/**
 * Bridges that may send a person's readings.
 * @throws ConnectError where they cannot be had.
 */
export async function bridgesSection(context: PageContext): Promise<Node[]> {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  let bridges = (await client.unary(IdentityService.listBridges, {}, { signal })).bridges ?? [];
  const table = new Table<Bridge>([
    { head: t("bridge"), isValue: true, cell: ({ bridgeId }) => bridgeId ?? "" },
    { head: t("name"), isHeading: true, cell: ({ name }) => name ?? "" },
    {
      head: t("since"),
      cell: ({ allowed }) => {
        const date = dateOf(allowed);
        return date ? time(date, locale) : "";
      },
    },
    { head: t("actions"), cell: (bridge) => stopButton(bridge) },
  ], { caption: t("yourBridges"), none: t("noBridges") }, locale);
  table.draw(bridges);

  const done = new DoneLine(context);
  const number = textField({
    name: "bridge", api: ["bridge_id"], label: t("bridge"), autocomplete: "off", refused: t("bridgeNumber"),
    check: (text) => /^[1-9][0-9]{0,17}$/.test(text) ? undefined : t("bridgeNumber"),
  }, locale);
  const form = new Form({
    label: t("bridges"), submit: t("allow"), fields: [number],
    async send() {
      done.show("");
      const { bridge = {} } = await client.unary(
        IdentityService.allowBridge, { bridgeId: number.value() ?? "" }, { signal });
      number.set("");
      bridges = [bridge, ...bridges.filter(({ bridgeId }) => bridgeId !== bridge.bridgeId)];
      table.draw(bridges);
      done.show(t("allowed", { name: bridge.name ?? "" }));
    },
  }, locale, signal);
  return [
    element("h2", {}, t("bridges")), element("p", {}, t("bridgesText")),
    element("div", { class: "narrow" }, form.node, done.node), table.node,
  ];

  function stopButton(bridge: Bridge): HTMLElement {
    const what = { name: bridge.name ?? "" };
    const button = element("button", { type: "button", "aria-label": t("disallowWhat", what) }, t("disallow"));
    button.addEventListener("click", () => {
      void ask({
        title: t("disallowWhat", what), content: [element("p", {}, t("disallowText"))], confirm: t("disallow"),
        act: async () => {
          await client.unary(IdentityService.disallowBridge, { bridgeId: bridge.bridgeId ?? "" }, { signal });
        },
      }, locale, signal).then((isDone) => {
        if (!isDone) return;
        bridges = bridges.filter(({ bridgeId }) => bridgeId !== bridge.bridgeId);
        table.draw(bridges);
        table.node.focus();
        done.show(t("disallowed", what));
      });
    });
    return button;
  }
}
