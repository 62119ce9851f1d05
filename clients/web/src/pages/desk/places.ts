import type { DeskCall } from "../../api/sos_v1.js";
import { dateOfMicroseconds, toNumber } from "../../json/scalars.js";
import { translator } from "../../language/words.js";
import type { MapView } from "../../map/map_view.js";
import type { MapMarker } from "../../map/markers.js";
import { element } from "../../shell/element.js";
import type { PageContext } from "../../shell/page.js";
import { words } from "./words.js";

/** An older position is drawn as one that may not hold any more. */
const freshMs = 300_000;

/** Where the calls are, on a map. It is loaded when the first position comes, so that no call waits for it. */
export class CallPlaces {
  readonly node = element("div", { class: "places", hidden: "" });
  private map: MapView | undefined;
  private isLoading = false;
  private markers: readonly MapMarker[] = [];
  /** The calls that have been brought into view. */
  private shown: ReadonlySet<string> = new Set();

  /** @param chosen told of a call whose place was clicked on. */
  constructor(private readonly context: PageContext, private readonly chosen: (id: string) => void) {}

  /**
   * Shows these calls, and brings new ones into view.
   * @param labelOf the number that a call's card has, by the call's id.
   */
  draw(calls: readonly DeskCall[], labelOf: (id: string) => string): void {
    this.markers = calls.flatMap(({ emergency, place }) => {
      const position = emergency?.position;
      if (!position) return [];
      const id = emergency.emergencyId ?? "";
      const isFresh = Date.now() - dateOfMicroseconds(position.timeUs).getTime() < freshMs;
      return [{
        id, label: labelOf(id), latitude: toNumber(position.latitude), longitude: toNumber(position.longitude),
        kind: isFresh ? "runner" : "stale", isHighlighted: place !== "CALL_PLACE_OURS", accuracyM: toNumber(position.accuracyM),
      }];
    });
    this.node.hidden = this.markers.length === 0;
    if (this.map) this.show(this.map);
    else if (this.markers.length > 0 && !this.isLoading) void this.load();
  }

  private async load(): Promise<void> {
    this.isLoading = true;
    const { locale, signal } = this.context;
    const t = translator(words, locale.language);
    try {
      const { MapView } = await import("../../map/map_view.js");
      if (signal.aborted) return;
      this.map = new MapView(this.context, {
        label: t("map"), alternative: t("mapAlternative"), onMarker: (id) => this.chosen(id),
      });
      this.node.append(this.map.node);
      this.show(this.map);
    } catch {
      // Calls go on without it; with the next one it is tried again.
    } finally {
      this.isLoading = false;
    }
  }

  private show(map: MapView): void {
    map.setMarkers(this.markers);
    const ids = new Set(this.markers.map(({ id }) => id));
    if ([...ids].some((id) => !this.shown.has(id))) map.show(this.markers);
    this.shown = ids;
  }
}
