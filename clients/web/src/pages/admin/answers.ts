import { AdminService } from "../../api/admin_v1.js";
import type { RecordedDeskAnswer } from "../../api/admin_v1.js";
import { dateOfMicroseconds } from "../../json/scalars.js";
import { translator } from "../../language/words.js";
import { pagesOf } from "../../parts/pages_of.js";
import { Table } from "../../parts/table.js";
import { time } from "../../parts/time.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { adminNavigation } from "./navigation.js";
import { words } from "./words.js";

/** Who at which desk has answered which call; of one person only, with the number in `account`. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal, query } = context;
  const t = translator(words, locale.language);
  const account = /^[1-9][0-9]{0,18}$/.exec(query.get("account") ?? "")?.[0] ?? "0";
  const table = new Table<RecordedDeskAnswer>([
    { head: t("time"), cell: (answer) => time(dateOfMicroseconds(answer.atUs), locale, { dateStyle: "medium", timeStyle: "medium" }) },
    {
      head: t("name"), isHeading: true, cell: (answer) => element(
        "a", { class: "target", href: `/admin/answers?account=${answer.accountId ?? "0"}` }, answer.name ?? ""),
    },
    { head: t("dispatcher"), cell: (answer) => answer.dispatcherId ?? "" },
    { head: t("answer"), isValue: true, cell: ({ kind }) => (kind && kind in words ? t(kind as keyof typeof words) : "") },
    { head: t("call"), cell: (answer) => answer.emergencyId ?? "" },
  ], { caption: t("answersCaption") }, locale);
  const more = await pagesOf<RecordedDeskAnswer>(context, async (pageToken) => {
    const page = await client.unary(AdminService.listDeskAnswers, { pageToken, accountId: account }, { signal });
    return { items: page.answers ?? [], nextPageToken: page.nextPageToken ?? "" };
  }, (items) => table.append(items));
  return {
    title: t("answers"),
    content: [adminNavigation("/admin/answers", locale.language), element("p", {}, t("answersWhat")), table.node, more],
  };
}
