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
export function open(context: PageContext): Page {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  const priority = numberField({
    name: "priority", label: t("priority"), least: 0, most: mostPriority, step: 1, value: 0,
  }, locale);
  return {
    title: t("dispatch"),
    content: [
      adminNavigation("/admin/dispatchers", locale.language), element("p", {}, t("dispatchWhat")),
      ...programs({
        create: "createDispatcher", new: "newDispatcher", token: "dispatcherToken", revoke: "revokeDispatcher",
        number: "dispatcherNumber", revokeText: "revokeDispatcherText", revoked: "dispatcherRevoked",
        more: [priority],
        async make(name, requestId) {
          const wanted = { name, priority: priority.value() ?? 0 };
          const { dispatcherId, token } = await client.unary(
            AdminService.createDispatcher, { ...wanted, requestId: requestId(wanted) }, { signal });
          return { number: dispatcherId ?? "", token: token ?? "" };
        },
        end: (dispatcherId) => client.unary(AdminService.revokeDispatcher, { dispatcherId }, { signal }),
      }, context),
    ],
  };
}
