import { ExpenditureService } from "../../../api/expenditure_v1.js";
import type { GetMapResponse, ListVoicesResponse } from "../../../api/expenditure_v1.js";
import { ConnectError } from "../../../connect/errors.js";
import { requestedView } from "../../../expenditure/address.js";
import type { ViewState } from "../../../expenditure/address.js";
import type { Controls } from "../../../expenditure/tutorial.js";
import { Menu } from "../../../expenditure/menu.js";
import { focusIfReturning, openView } from "../../../expenditure/view_state.js";
import { translator } from "../../../language/words.js";
import { element } from "../../../shell/element.js";
import type { Page, PageContext } from "../../../shell/page.js";
import { ShownMap } from "./shown_map.js";
import { words } from "./words.js";

/** The map's page, for what stands on top of it too. */
export interface MapPage extends Page {
  /** What a tutorial points at. */
  readonly controls: Controls;
  state(): ViewState;
}

/** The map of Italy, as the address says. */
export async function openMap(context: PageContext, path: string): Promise<MapPage> {
  const { locale } = context;
  const t = translator(words, locale.language);
  const first = openView(context, path);
  let shown: ShownMap | undefined;
  const state = (): ViewState => shown?.state ?? first;
  const menu = new Menu(context, state);
  const answers = await figures(context, first);
  focusIfReturning(context, menu.button);
  if (!answers) {
    const content: Node[] = [menu.node, element("p", {}, t("noFigures"))];
    if (context.session?.kind === "administrator") {
      content.push(element("p", {}, element("a", { href: "/expenditure/admin" }, t("import"))));
    }
    return { title: t("title"), content, controls: { menu: menu.node }, state };
  }
  const map = shown = new ShownMap(context, path, first, ...answers);
  return {
    title: t("title"), content: [menu.node, ...map.content], controls: { ...map.controls, menu: menu.node }, state,
  };
}

/** What a map is made of; undefined while nothing at all has been published. */
async function figures(
  context: PageContext, state: ViewState,
): Promise<readonly [GetMapResponse, ListVoicesResponse] | undefined> {
  const { client, signal } = context;
  const request = state.release === "" ? {} : { release: state.release };
  try {
    return await Promise.all([
      mapOf(context, state), client.read(ExpenditureService.listVoices, request, { signal })]);
  } catch (failure) {
    const isNotFound = failure instanceof ConnectError && failure.code === "not_found";
    if (isNotFound && state.release === "" && state.voice === "") return undefined;
    throw failure;
  }
}

/** The map of all years, so that another year asks for nothing. */
export async function mapOf({ client, signal }: PageContext, state: ViewState): Promise<GetMapResponse> {
  return await client.read(ExpenditureService.getMap, { view: requestedView({ ...state, year: 0 }) }, { signal });
}
