// Makes the map of the 21 accounts of Italy's health service out of boundaries: src/expenditure/italy.ts.
//
//   node clients/web/maps/italy.mjs            writes it
//   node clients/web/maps/italy.mjs --check    fails where the committed file is not what the boundaries give
//
// Borders are simplified as lines between the places where three regions meet, and each line is used by the shapes on
// both its sides: so there are neither slivers nor overlaps.

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = dirname(fileURLToPath(import.meta.url));
const made = join(folder, "../src/expenditure/italy.ts");

/** How long a unit of the map is. */
const unitKm = 0.5;
/** A point of a line goes where the triangle with those beside it is smaller. */
const leastTriangleKm2 = 5;
/** Islands and enclaves that are smaller are left out; Capri has 10. */
const leastRingKm2 = 5;
/** Around the land, in units. */
const margin = 12;
const mostBytes = 14 * 1024;
/** Places of two files closer than this are one: some metres, in degrees. */
const sameDegrees = 0.00003;

/** Lambert's azimuthal projection, which keeps areas, of a sphere around the middle of Italy: kilometres, y downwards. */
function project([longitude, latitude]) {
  const radians = Math.PI / 180, middle = { longitude: 12.5 * radians, latitude: 42 * radians };
  const across = longitude * radians - middle.longitude, up = latitude * radians;
  const scale = 6371.0072 * Math.sqrt(2 / (
    1 + Math.sin(middle.latitude) * Math.sin(up) + Math.cos(middle.latitude) * Math.cos(up) * Math.cos(across)));
  return [
    scale * Math.cos(up) * Math.sin(across),
    -scale * (Math.cos(middle.latitude) * Math.sin(up) - Math.sin(middle.latitude) * Math.cos(up) * Math.cos(across)),
  ];
}

const isSame = (one, other) => Math.hypot(one[0] - other[0], one[1] - other[1]) < sameDegrees;

/** Twice the area of a triangle; the sign is its direction. */
const turn = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);

/** The area within a ring whose last point is its first; the sign is its direction. */
const area = (ring) => ring.slice(1).reduce((sum, [x, y], index) => sum + ring[index][0] * y - x * ring[index][1], 0) / 2;

/** The file's lines in degrees, and its regions: by code of the account, polygons of rings of steps along lines. */
function readRegions() {
  const { arcs, transform, objects } = JSON.parse(readFileSync(join(folder, "limits_IT_regions.topo.json"), "utf8"));
  const lines = arcs.map((arc) => {
    let x = 0, y = 0;
    return arc.map(([dx, dy]) => {
      x += dx;
      y += dy;
      return [x, y].map((value, axis) => value * transform.scale[axis] + transform.translate[axis]);
    });
  });
  const regions = new Map(objects.regions.geometries.map(({ type, properties, arcs: rings }) => (
    [`${properties.reg_istat_code}0`, type === "Polygon" ? [rings] : rings])));
  return { lines, regions };
}

/** The points of a step: a line, or where the number is negative, the complement's line backwards. */
const pointsOf = (lines, step) => (step < 0 ? [...lines[~step]].reverse() : lines[step]);

/** The ring that steps make together. */
const ringOf = (lines, steps) => steps.flatMap((step, index) => pointsOf(lines, step).slice(index === 0 ? 0 : 1));

/** Cuts the line that has a place in it there, for all rings that use it. */
function cutAt({ lines, regions }, steps, place) {
  for (const step of steps) {
    const line = lines[step < 0 ? ~step : step], at = line.findIndex((point) => isSame(point, place));
    if (at < 0) continue;
    if (at > 0 && at < line.length - 1) {
      const first = step < 0 ? ~step : step, second = lines.push(line.slice(at)) - 1;
      lines[first] = line.slice(0, at + 1);
      for (const polygons of regions.values()) {
        for (const ring of polygons.flat()) {
          const used = ring.findIndex((other) => other === first || other === ~first);
          if (used >= 0) ring.splice(used, 1, ...(ring[used] < 0 ? [~second, ~first] : [first, second]));
        }
      }
    }
    return line[at];
  }
  throw new Error(`no line of the region goes through ${place}`);
}

/** Puts two provinces in the place of their region; outside, they have the region's own lines. */
function splitRegion(map, code, provinces) {
  const [[ring]] = map.regions.get(code);
  const [one, other] = provinces.map(({ points }) => points);
  // The border between them: the points of one that the other has too, in the one's order.
  const isShared = (point) => other.some((candidate) => isSame(point, candidate));
  const open = one.slice(0, -1);
  const start = open.findIndex((point, index) => isShared(point) && !isShared(open.at(index - 1)));
  const turned = [...open.slice(start), ...open.slice(0, start)];
  const between = turned.slice(0, turned.findIndex((point) => !isShared(point)));
  const from = cutAt(map, ring, between[0]), to = cutAt(map, ring, between.at(-1));
  const inner = map.lines.push([from, ...between.slice(1, -1), to]) - 1;

  const at = ring.findIndex((step) => isSame(pointsOf(map.lines, step)[0], to));
  const steps = [...ring.slice(at), ...ring.slice(0, at)];
  const end = steps.findIndex((step) => isSame(pointsOf(map.lines, step)[0], from));
  const halves = [[...steps.slice(0, end), inner], [...steps.slice(end), ~inner]];
  map.regions.delete(code);
  for (const { code: part, points } of provinces) {
    const steps = halves.find((half) => ringOf(map.lines, half).every(
      (point) => points.some((candidate) => isSame(point, candidate))));
    if (!steps) throw new Error(`${part} is not a part of ${code}`);
    map.regions.set(part, [[steps]]);
  }
}

/** Visvalingam and Whyatt's simplification: the point of the smallest triangle goes first. The ends stay. */
function simplified(line, leastKm2) {
  const kept = [...line];
  const isRing = isSame(line[0], line.at(-1));
  for (;;) {
    let smallest = Infinity, at = -1;
    for (let index = 1; index < kept.length - 1; index++) {
      const size = Math.abs(turn(kept[index - 1], kept[index], kept[index + 1])) / 2;
      if (size < smallest) [smallest, at] = [size, index];
    }
    if (smallest >= leastKm2 || (isRing && kept.length <= 5)) return kept;
    kept.splice(at, 1);
  }
}

/** Where two parts of lines cross or touch elsewhere than at their ends; the numbers of the lines. */
function crossings(lines) {
  const parts = lines.flatMap((line, number) => line.slice(1).map((b, index) => ({ a: line[index], b, number })));
  const equal = (one, other) => one[0] === other[0] && one[1] === other[1];
  const isBetween = (point, { a, b }) => turn(a, b, point) === 0 && !equal(point, a) && !equal(point, b)
    && Math.min(a[0], b[0]) <= point[0] && point[0] <= Math.max(a[0], b[0])
    && Math.min(a[1], b[1]) <= point[1] && point[1] <= Math.max(a[1], b[1]);
  const found = new Set();
  parts.forEach((one, index) => {
    for (const other of parts.slice(index + 1)) {
      const isCrossed = turn(one.a, one.b, other.a) * turn(one.a, one.b, other.b) < 0
        && turn(other.a, other.b, one.a) * turn(other.a, other.b, one.b) < 0;
      const isTouched = isBetween(one.a, other) || isBetween(one.b, other)
        || isBetween(other.a, one) || isBetween(other.b, one);
      const isDouble = (equal(one.a, other.a) && equal(one.b, other.b)) || (equal(one.a, other.b) && equal(one.b, other.a));
      if (isCrossed || isTouched || isDouble) found.add(one.number).add(other.number);
    }
  });
  return found;
}

/** Each line in units, simplified as much as it can be without crossing another. */
function drawnLines(lines, origin) {
  const inUnits = (line) => line
    .map((point) => point.map((value, axis) => Math.round((value - origin[axis]) / unitKm) + margin))
    .filter(([x, y], index, all) => index === 0 || x !== all[index - 1][0] || y !== all[index - 1][1]);
  const limits = lines.map(() => leastTriangleKm2);
  for (let round = 0; round < 12; round++) {
    const drawn = lines.map((line, number) => inUnits(simplified(line, limits[number])));
    const crossed = crossings(drawn);
    if (crossed.size === 0) return drawn;
    for (const number of crossed) limits[number] *= 0.7;
  }
  throw new Error("lines cross however little they are simplified");
}

/** How far a point is from the nearest side of rings; negative outside of them. */
function depth([x, y], rings) {
  let isInside = false, least = Infinity;
  for (const ring of rings) {
    for (let index = 1; index < ring.length; index++) {
      const [ax, ay] = ring[index - 1], [bx, by] = ring[index];
      if ((ay > y) !== (by > y) && x < ((bx - ax) * (y - ay)) / (by - ay) + ax) isInside = !isInside;
      const along = ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / ((bx - ax) ** 2 + (by - ay) ** 2);
      const t = Math.min(Math.max(along, 0), 1);
      least = Math.min(least, Math.hypot(x - ax - t * (bx - ax), y - ay - t * (by - ay)));
    }
  }
  return isInside ? least : -least;
}

/** The point of a polygon that is farthest from its sides, where a label has most room. */
function labelPoint(rings) {
  const [xs, ys] = [0, 1].map((axis) => rings[0].map((point) => point[axis]));
  let best = { point: rings[0][0], depth: -Infinity };
  const look = (fromX, toX, fromY, toY, step) => {
    for (let x = fromX; x <= toX; x += step) {
      for (let y = fromY; y <= toY; y += step) {
        const found = depth([x, y], rings);
        if (found > best.depth) best = { point: [x, y], depth: found };
      }
    }
  };
  look(Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys), 6);
  const [x, y] = best.point;
  look(x - 6, x + 6, y - 6, y + 6, 1);
  return best.point;
}

/** A ring as a path of SVG: its first point, and from there steps, with no more between numbers than is needed. */
function pathOf(ring) {
  const steps = ring.slice(1, -1).flatMap(([x, y], index) => [x - ring[index][0], y - ring[index][1]]);
  return `M${ring[0].join(" ")}l${steps.map((step, index) => (index > 0 && step >= 0 ? ` ${step}` : step)).join("")}z`;
}

function make() {
  const map = readRegions();
  const { features } = JSON.parse(readFileSync(join(folder, "autonomous_provinces.geojson"), "utf8"));
  splitRegion(map, "040", features.map(({ properties, geometry }) => (
    { code: properties.bdap_region_code, points: geometry.coordinates[0][0] })));

  // The size of a line that is a ring by itself says whether it is drawn: for an enclave, on both of its sides.
  const lines = map.lines.map((line) => line.map(project));
  const isLeftOut = (step) => {
    const line = lines[step < 0 ? ~step : step];
    return isSame(line[0], line.at(-1)) && Math.abs(area(line)) < leastRingKm2;
  };
  // Holes that no other region fills are gaps of the source, in Piemonte and Lombardia, and the Vatican City.
  const steps = [...map.regions.values()].flat(3);
  const isDrawn = ([step, ...more], index) => (
    more.length > 0 || (!isLeftOut(step) && (index === 0 || steps.includes(~step))));
  const regions = [...map.regions].sort(([one], [other]) => (one < other ? -1 : 1)).map(([code, polygons]) => (
    { code, polygons: polygons.filter(([outside]) => isDrawn(outside, 0)).map((rings) => rings.filter(isDrawn)) }));
  const used = [...new Set(regions.flatMap(({ polygons }) => polygons.flat(2).map((step) => (step < 0 ? ~step : step))))];
  const places = used.flatMap((number) => lines[number]);
  const origin = [0, 1].map((axis) => Math.min(...places.map((point) => point[axis])));
  const drawn = [];
  drawnLines(used.map((number) => lines[number]), origin).forEach((line, index) => { drawn[used[index]] = line; });
  const size = [0, 1].map((axis) => Math.max(...drawn.flat().map((point) => point[axis])) + margin);

  const users = (number) => regions.filter(
    ({ polygons }) => polygons.flat(2).some((step) => step === number || step === ~number));
  const rows = regions.map(({ code, polygons }) => {
    const rings = polygons.map((polygon) => polygon.map((steps) => ringOf(drawn, steps)));
    const largest = rings.reduce((one, other) => (Math.abs(area(other[0])) > Math.abs(area(one[0])) ? other : one));
    const neighbours = used.map(users).filter((both) => both.some((user) => user.code === code)).flat()
      .map((user) => user.code).filter((other) => other !== code);
    return `  { code: "${code}", label: [${labelPoint(largest).join(", ")}], `
      + `neighbours: [${[...new Set(neighbours)].sort().map((other) => `"${other}"`).join(", ")}],\n`
      + `    path: "${rings.flat().map(pathOf).join("")}" },\n`;
  });
  return "/*! Boundaries of Italy's regions: © ISTAT, openpolis, CC BY 4.0; simplified, with the autonomous provinces */\n"
    + "// Made by maps/italy.mjs: change nothing here.\n\n"
    + `/** How large the map is; a unit is ${unitKm * 1000} m. Lambert's azimuthal equal-area projection. */\n`
    + `export const italySize = { width: ${size[0]}, height: ${size[1]} } as const;\n\n`
    + "/** By code of the account: where a label has most room, whom a region borders on, and its shape. */\n"
    + `export const italy = [\n${rows.join("")}] as const;\n`;
}

const fresh = make();
const bytes = Buffer.byteLength(fresh);
if (bytes > mostBytes) throw new Error(`the map has ${bytes} bytes, and may have ${mostBytes}`);
if (!process.argv.includes("--check")) {
  writeFileSync(made, fresh);
  console.log(`src/expenditure/italy.ts: ${bytes} bytes`);
} else if (readFileSync(made, "utf8") !== fresh) {
  console.error("clients/web/src/expenditure/italy.ts is stale: run node clients/web/maps/italy.mjs");
  process.exitCode = 1;
}
