import { ExpenditureService } from "../../../api/expenditure_v1.js";
import { Tutorial } from "../../../expenditure/tutorial.js";
import { afterDrawing, returnToMenu } from "../../../expenditure/view_state.js";
import type { Page, PageContext } from "../../../shell/page.js";
import { openMap } from "../map/open_map.js";

/** The tutorial, over the map that it is about. */
export async function open(context: PageContext): Promise<Page> {
  const { client, session, signal } = context;
  const canEdit = session?.kind === "administrator";
  const [map, { steps }] = await Promise.all([
    openMap(context, "/expenditure/tutorial"),
    // Who edits has to see what was edited a moment ago: no answer that somebody has kept.
    canEdit ? client.unary(ExpenditureService.getTutorial, {}, { signal })
      : client.read(ExpenditureService.getTutorial, {}, { signal }),
  ]);
  const tutorial = new Tutorial(context, steps ?? [], map.controls, () => returnToMenu(context, map.state()));
  afterDrawing(context, () => tutorial.show());
  return { title: map.title, content: [...map.content, tutorial.node] };
}
