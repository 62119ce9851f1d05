import type { Palette } from "./palette.js";
import { tileExtent } from "./tile.js";
import type { TileLayer } from "./tile.js";

/** How wide streets are drawn, in pixels: more where the map is nearer. */
function widths(zoom: number): Readonly<Record<"roads" | "streets" | "paths", number>> {
  const near = 2 ** Math.max(0, zoom - 14);
  return { roads: Math.min(2 * near, 14), streets: Math.min(1.1 * near, 9), paths: Math.min(0.8 * near, 2) };
}

/**
 * Draws a tile.
 * @param size its width and height in pixels of the canvas.
 * @param scale pixels of the canvas for one of the page.
 */
export function drawTile(
  context: CanvasRenderingContext2D, layers: readonly TileLayer[], zoom: number, size: number, scale: number,
  palette: Palette,
): void {
  const unit = size / tileExtent;
  const width = widths(zoom);
  context.lineCap = "round";
  context.lineJoin = "round";
  for (const { name, lines } of layers) {
    context.beginPath();
    for (const line of lines) {
      for (let index = 0; index < line.length; index += 2) {
        const [x, y] = [(line[index] ?? 0) * unit, (line[index + 1] ?? 0) * unit];
        if (index === 0) context.moveTo(x, y);
        else context.lineTo(x, y);
      }
      if (name === "land") context.closePath();
    }
    context.setLineDash([]);
    if (name === "land") {
      context.fillStyle = palette.land;
      context.fill("evenodd");
      context.strokeStyle = palette.border;
      context.lineWidth = scale;
      context.stroke();
      continue;
    }
    if (name === "paths") context.setLineDash([3 * scale, 2 * scale]);
    else if (width[name] >= 2) {
      // An edge, so that streets are seen without their colour.
      context.strokeStyle = palette.casing;
      context.lineWidth = (width[name] + 1.5) * scale;
      context.stroke();
    }
    context.strokeStyle = { roads: palette.road, streets: palette.street, paths: palette.path }[name];
    context.lineWidth = width[name] * scale;
    context.stroke();
  }
}
