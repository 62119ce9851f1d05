import { AdminService } from "../../api/admin_v1.js";
import { translator } from "../../language/words.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { adminNavigation } from "./navigation.js";
import { programs } from "./programs.js";
import { words } from "./words.js";

/** Programs that push readings for persons. */
export function open(context: PageContext): Page {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  return {
    title: t("bridges"),
    content: [
      adminNavigation("/admin/bridges", locale.language), element("p", {}, t("bridgesWhat")),
      ...programs({
        create: "createBridge", new: "newBridge", token: "bridgeToken", revoke: "revokeBridge", number: "bridgeNumber",
        revokeText: "revokeBridgeText", revoked: "bridgeRevoked",
        async make(name, requestId) {
          const { bridgeId, token } = await client.unary(
            AdminService.createBridge, { name, requestId: requestId({ name }) }, { signal });
          return { number: bridgeId ?? "", token: token ?? "" };
        },
        end: (bridgeId) => client.unary(AdminService.revokeBridge, { bridgeId }, { signal }),
      }, context),
    ],
  };
}
