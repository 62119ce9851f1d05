import { AdminService } from "../../api/admin_v1.js";
import { translator } from "../../language/words.js";
import { element } from "../../shell/element.js";
import type { Page, PageContext } from "../../shell/page.js";
import { adminNavigation } from "./navigation.js";
import { programs } from "./programs.js";
import { words } from "./words.js";

/** Programs that push readings for persons. */
export async function open(context: PageContext): Promise<Page> {
  const { client, locale, signal } = context;
  const t = translator(words, locale.language);
  return {
    title: t("bridges"),
    content: [
      adminNavigation("/admin/bridges", locale.language), element("p", {}, t("bridgesWhat")),
      ...await programs({
        kind: "PROGRAM_KIND_BRIDGE", create: "createBridge", new: "newBridge", token: "bridgeToken",
        caption: "bridgesCaption", revoke: "revokeBridge", revokeText: "revokeBridgeText",
        async make(name, requestId) {
          const { bridgeId, token } = await client.unary(
            AdminService.createBridge, { name, requestId: requestId({ name }) }, { signal });
          return { program: { accountId: bridgeId ?? "0", name }, token: token ?? "" };
        },
        end: (bridgeId) => client.unary(AdminService.revokeBridge, { bridgeId }, { signal }),
      }, context),
    ],
  };
}
