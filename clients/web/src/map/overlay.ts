import { DomUtil, Point } from "leaflet/leaflet.esm.js";
import type { Map as LeafletMap } from "leaflet/leaflet.esm.js";
import type { View } from "./mercator.js";

/** A canvas over what is in view of a map. */
export class Overlay {
  private readonly canvas = document.createElement("canvas");
  private readonly context = this.canvas.getContext("2d");

  constructor(private readonly map: LeafletMap, pane: string) {
    this.canvas.className = "map-overlay";
    map.getPane(pane).append(this.canvas);
  }

  /** Clears it, and draws in pixels of the page, with the view's corner at 0. */
  draw(view: View, scale: number, draw: (context: CanvasRenderingContext2D) => void): void {
    const { canvas, context } = this;
    if (!context) return;
    const [width, height] = [Math.round(view.width * scale), Math.round(view.height * scale)];
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
      canvas.style.width = `${view.width}px`;
      canvas.style.height = `${view.height}px`;
    }
    DomUtil.setPosition(canvas, this.map.containerPointToLayerPoint(new Point(0, 0)));
    context.setTransform(scale, 0, 0, scale, 0, 0);
    context.clearRect(0, 0, view.width, view.height);
    draw(context);
  }
}
