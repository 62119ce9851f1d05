import { AdminService } from "../../api/admin_v1.js";
import { ConnectError } from "../../connect/errors.js";
import { translator } from "../../language/words.js";
import { DoneLine } from "../../parts/done.js";
import { setField, textField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { adminNavigation } from "./navigation.js";
import { numberOf } from "./number.js";
import { words } from "./words.js";

/** Takes races out of use, and back; the number of one in `race`. */
export function open(context: PageContext): Page {
  const { client, locale, signal, query } = context;
  const t = translator(words, locale.language);
  const race = numberOf("race_id", t("raceNumber"), context, {
    hint: t("raceHint"), refused: t("raceRefused"), value: query.get("race") ?? "",
  });
  const what = setField<"disable" | "enable">({
    name: "what", label: t("what"), isOne: true, value: ["disable"],
    choices: [{ value: "disable", label: t("disable") }, { value: "enable", label: t("enable") }],
  }, locale);
  const reason = textField({ name: "reason", label: t("raceReason"), isLong: true, maxLength: 500 }, locale);
  const done = new DoneLine(context);
  const form = new Form({
    fields: [race, what, reason], submit: t("doRace"), label: t("races"),
    async send() {
      done.show("");
      const isDisabled = what.value()?.[0] !== "enable";
      const wanted = { raceId: race.value() ?? "0", reason: reason.value() ?? "" };
      await client.unary(isDisabled ? AdminService.disableRace : AdminService.enableRace, wanted, { signal });
      done.show(t(isDisabled ? "raceDisabled" : "raceEnabled", { number: wanted.raceId }));
      reason.set("");
    },
    problems: (failure) => (failure instanceof ConnectError && failure.is("NO_RACE")
      ? { fields: { [race.name]: t("raceRefused") } } : undefined),
  }, locale, signal);
  return {
    title: t("races"),
    content: [
      adminNavigation("/admin/races", locale.language), element("p", {}, t("racesWhat")),
      element("div", { class: "narrow" }, form.node, done.node),
    ],
  };
}
