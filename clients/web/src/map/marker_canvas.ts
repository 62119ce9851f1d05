import { DrawnSpots, LabelCells } from "./markers.js";
import type { MapMarker, MarkerKind, Markers } from "./markers.js";
import { worldLength } from "./mercator.js";
import type { View } from "./mercator.js";
import type { Palette } from "./palette.js";

/** Up to so many markers in view have their numbers beside them. */
const labelledMax = 250;

/** Pixels from the middle of a marker to its edge. */
const radius = 6;
const highlightedRadius = 9;

/** Draws markers. A shape is drawn once, and then copied for each marker that has it. */
export class MarkerCanvas {
  private readonly shapes = new Map<string, HTMLCanvasElement>();
  private readonly spots = new DrawnSpots(3);
  private readonly cells = new LabelCells(22, 14);

  constructor(private readonly markers: Markers) {}

  /** To be called when the colours have changed. */
  forgetShapes(): void {
    this.shapes.clear();
  }

  draw(context: CanvasRenderingContext2D, view: View, scale: number, palette: Palette): void {
    this.markers.forEachHighlighted(view, 4_000, (marker, x, y) => drawAccuracy(context, marker, x, y, view, palette));
    let inView = 0;
    this.spots.clear(view);
    this.markers.forEachOther(view, radius, (marker, x, y) => {
      inView += 1;
      if (this.spots.take(marker.kind, x, y)) this.stamp(context, marker, x, y, scale, palette);
    });
    this.markers.forEachHighlighted(view, highlightedRadius, (marker, x, y) => (
      this.stamp(context, marker, x, y, scale, palette)));

    this.cells.clear();
    context.font = "600 12px system-ui, sans-serif";
    context.textAlign = "center";
    context.lineJoin = "round";
    context.lineWidth = 3;
    context.strokeStyle = palette.edge;
    context.fillStyle = palette.text;
    // The highlighted first: of two labels at one place the first is drawn.
    this.markers.forEachHighlighted(view, highlightedRadius, ({ label }, x, y) => (
      this.write(context, label, x, y + highlightedRadius + 12)));
    if (inView > labelledMax) return;
    this.markers.forEachOther(view, radius, ({ label }, x, y) => this.write(context, label, x, y + radius + 12));
  }

  private stamp(
    context: CanvasRenderingContext2D, { kind, isHighlighted }: MapMarker, x: number, y: number, scale: number,
    palette: Palette,
  ): void {
    const shape = this.shape(kind, isHighlighted ?? false, scale, palette);
    const size = shape.width / scale;
    context.drawImage(shape, x - size / 2, y - size / 2, size, size);
  }

  private write(context: CanvasRenderingContext2D, label: string, x: number, y: number): void {
    if (!this.cells.take(x, y)) return;
    context.strokeText(label, x, y);
    context.fillText(label, x, y);
  }

  private shape(kind: MarkerKind, isHighlighted: boolean, scale: number, palette: Palette): HTMLCanvasElement {
    const name = `${kind} ${isHighlighted} ${scale}`;
    const kept = this.shapes.get(name);
    if (kept) return kept;
    const canvas = document.createElement("canvas");
    const size = isHighlighted ? highlightedRadius : radius;
    canvas.width = canvas.height = Math.ceil((2 * size + 6) * scale);
    const context = canvas.getContext("2d");
    if (context) {
      context.translate(canvas.width / 2, canvas.height / 2);
      context.scale(scale, scale);
      drawShape(context, kind, isHighlighted, size, palette);
    }
    this.shapes.set(name, canvas);
    return canvas;
  }
}

/** A disc, a ring, a square or a cross: told apart without colours. */
function drawShape(
  context: CanvasRenderingContext2D, kind: MarkerKind, isHighlighted: boolean, size: number, palette: Palette,
): void {
  const colour = isHighlighted && kind !== "out" ? palette.highlight : palette[kind];
  context.beginPath();
  context.lineJoin = "round";
  if (kind === "out") {
    const arm = size * 0.7;
    context.moveTo(-arm, -arm);
    context.lineTo(arm, arm);
    context.moveTo(arm, -arm);
    context.lineTo(-arm, arm);
    context.lineCap = "round";
    context.lineWidth = 5;
    context.strokeStyle = palette.edge;
    context.stroke();
    context.lineWidth = 2.5;
    context.strokeStyle = colour;
    context.stroke();
  } else {
    if (kind === "finished") context.rect(-size * 0.85, -size * 0.85, size * 1.7, size * 1.7);
    else context.arc(0, 0, size, 0, 2 * Math.PI);
    context.lineWidth = 2;
    if (kind === "stale") {
      context.fillStyle = palette.edge;
      context.fill();
      context.strokeStyle = colour;
      context.stroke();
    } else {
      context.fillStyle = colour;
      context.fill();
      context.strokeStyle = palette.edge;
      context.stroke();
    }
  }
  if (!isHighlighted) return;
  context.beginPath();
  context.arc(0, 0, size + 1.5, 0, 2 * Math.PI);
  context.lineWidth = 2;
  context.strokeStyle = palette.text;
  context.stroke();
}

function drawAccuracy(
  context: CanvasRenderingContext2D, marker: MapMarker, x: number, y: number, view: View, palette: Palette,
): void {
  const around = worldLength(marker.accuracyM ?? 0, marker.latitude) * view.world;
  if (around < highlightedRadius) return;
  context.beginPath();
  context.arc(x, y, around, 0, 2 * Math.PI);
  context.globalAlpha = 0.15;
  context.fillStyle = palette.highlight;
  context.fill();
  context.globalAlpha = 1;
  context.lineWidth = 1.5;
  context.strokeStyle = palette.highlight;
  context.stroke();
}
