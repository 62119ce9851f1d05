import { GroupService } from "../../api/groups_v1.js";
import type { AnonymousSharing } from "../../api/groups_v1.js";
import { ReadingService } from "../../api/readings_v1.js";
import { translator } from "../../language/words.js";
import { metricName } from "../../metrics/format.js";
import { DoneLine } from "../../parts/done.js";
import { setField } from "../../parts/field.js";
import { Form } from "../../parts/form.js";
import { dateOf, momentText } from "../../parts/time.js";
import { element } from "../../shell/element.js";
import type { PageContext } from "../../shell/page.js";
import { words } from "./words.js";

/**
 * Which kinds of a person's readings may enter anonymous answers.
 * @throws ConnectError where the choice cannot be had.
 */
export async function sharingSection(context: PageContext): Promise<Node[]> {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const [registry, current] = await Promise.all([
    client.unary(ReadingService.listMetrics, {}, { signal }),
    client.unary(GroupService.getAnonymousSharing, {}, { signal }),
  ]);
  let sharing: AnonymousSharing = current.sharing ?? {};
  const done = new DoneLine(context);
  const place = element("div", { class: "narrow" });
  draw();
  return [element("h2", {}, t("sharing")), element("p", {}, t("sharingText")), place];

  /** Draws the choice as the server has it. */
  function draw(): void {
    const from = new Map((sharing.metrics ?? []).map(({ metric = "", countsFrom }) => [metric, dateOf(countsFrom)]));
    const kinds = setField<string>({
      name: "sharing", api: ["metrics"], label: t("kinds"), optional: true, value: [...from.keys()],
      choices: (registry.metrics ?? []).map((metric) => {
        const name = metricName(metric.name ?? "", metric, locale);
        const moment = from.get(metric.name ?? "");
        const label = moment ? t("countsFrom", { metric: name, time: momentText(moment, locale) }) : name;
        return { value: metric.name ?? "", label };
      }),
    }, locale);
    const form = new Form({
      label: t("sharing"), submit: t("saveSharing"), fields: [kinds],
      async send() {
        done.show("");
        const answer = await client.unary(
          GroupService.updateAnonymousSharing, { metrics: [...(kinds.value() ?? [])], etag: sharing.etag ?? "" }, { signal });
        sharing = answer.sharing ?? {};
        draw();
        place.querySelector<HTMLElement>("button")?.focus();
        done.show(t("sharingSaved"));
      },
    }, locale, signal);
    place.replaceChildren(form.node, done.node);
  }
}
