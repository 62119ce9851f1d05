import type { DrawnCourse, MapStop } from "./course.js";
import { worldX, worldY } from "./mercator.js";
import type { View } from "./mercator.js";
import type { Palette } from "./palette.js";

/** Draws the line of a course, and its stops above it. */
export function drawCourse(
  context: CanvasRenderingContext2D, { course, line }: DrawnCourse, view: View, palette: Palette,
): void {
  context.lineCap = "round";
  context.lineJoin = "round";
  context.beginPath();
  for (let index = 0; index < line.length; index += 2) {
    const [x, y] = [(line[index] ?? 0) * view.world - view.left, (line[index + 1] ?? 0) * view.world - view.top];
    if (index === 0) context.moveTo(x, y);
    else context.lineTo(x, y);
  }
  context.setLineDash([]);
  context.lineWidth = 7;
  context.strokeStyle = palette.edge;
  context.stroke();
  context.setLineDash(course.isTentative ? [10, 8] : []);
  context.lineWidth = 4;
  context.strokeStyle = palette.course;
  context.stroke();
  context.setLineDash([]);
  for (const stop of course.stops) drawStop(context, stop, view, palette);
}

/** A triangle where it begins, squares on the way, a chequered square where it ends; a disc for any other place. */
function drawStop(context: CanvasRenderingContext2D, stop: MapStop, view: View, palette: Palette): void {
  const x = worldX(stop.longitude) * view.world - view.left;
  const y = worldY(stop.latitude) * view.world - view.top;
  const size = stop.isSelected ? 11 : 8;
  context.beginPath();
  if (stop.kind === "start") {
    context.moveTo(x - size * 0.8, y - size);
    context.lineTo(x + size * 1.2, y);
    context.lineTo(x - size * 0.8, y + size);
    context.closePath();
  } else if (stop.kind === "place") {
    context.arc(x, y, size, 0, 2 * Math.PI);
  } else {
    context.rect(x - size, y - size, 2 * size, 2 * size);
  }
  context.lineWidth = stop.isSelected ? 6 : 4;
  context.strokeStyle = stop.isSelected ? palette.text : palette.edge;
  context.stroke();
  context.fillStyle = stop.isSelected ? palette.highlight : palette.course;
  context.fill();
  if (stop.kind === "finish") {
    context.fillStyle = palette.edge;
    context.fillRect(x - size, y - size, size, size);
    context.fillRect(x, y, size, size);
  }
  context.font = "700 13px system-ui, sans-serif";
  context.textAlign = "center";
  context.lineWidth = 4;
  context.strokeStyle = palette.edge;
  context.strokeText(stop.label, x, y - size - 6);
  context.fillStyle = palette.text;
  context.fillText(stop.label, x, y - size - 6);
}
