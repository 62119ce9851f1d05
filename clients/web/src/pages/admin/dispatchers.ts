import { AdminService } from "../../api/admin_v1.js";
import { translator } from "../../language/words.js";
import { numberField } from "../../parts/field.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { adminNavigation } from "./navigation.js";
import { programs } from "./programs.js";
import { words } from "./words.js";

const mostPriority = 1000;

/** Emergency services whose systems, or people, take calls. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const priority = numberField({
    name: "priority", label: t("priority"), least: 0, most: mostPriority, step: 1, value: 0,
  }, locale);
  const number = new Intl.NumberFormat(locale.tag);
  return {
    title: t("dispatch"),
    content: [
      adminNavigation("/admin/dispatchers", locale.language), element("p", {}, t("dispatchWhat")),
      ...await programs({
        kind: "PROGRAM_KIND_DISPATCHER", create: "createDispatcher", new: "newDispatcher", token: "dispatcherToken",
        caption: "dispatchersCaption", revoke: "revokeDispatcher", revokeText: "revokeDispatcherText",
        more: [priority],
        columns: [{ head: t("callOrder"), cell: (program) => number.format(program.priority ?? 0) }],
        async make(name, requestId) {
          const wanted = { name, priority: priority.value() ?? 0 };
          const { dispatcherId, token } = await client.unary(
            AdminService.createDispatcher, { ...wanted, requestId: requestId(wanted) }, { signal });
          return { program: { accountId: dispatcherId ?? "0", ...wanted }, token: token ?? "" };
        },
        end: (dispatcherId) => client.unary(AdminService.revokeDispatcher, { dispatcherId }, { signal }),
      }, context),
    ],
  };
}
