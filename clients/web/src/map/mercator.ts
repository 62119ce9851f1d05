/** A place on the earth: degrees, WGS 84. */
export interface Place {
  readonly latitude: number;
  readonly longitude: number;
}

/** The world as a square from 0 to 1, west to east and north to south, as maps on the web draw it. */
export function worldX(longitude: number): number {
  return longitude / 360 + 0.5;
}

/** The poles, which are nowhere on such a map, stand at its edges. */
export function worldY(latitude: number): number {
  const sine = Math.sin(Math.max(-85.0511, Math.min(85.0511, latitude)) * Math.PI / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** Metres around the equator. */
const equatorM = 40_075_016.7;

/** The part of the world's width that a distance is at a latitude. */
export function worldLength(metres: number, latitude: number): number {
  return metres / (equatorM * Math.cos(Math.max(-85, Math.min(85, latitude)) * Math.PI / 180));
}

/** What of the world is in view: the world is `world` pixels wide, and the view begins at (`left`, `top`) of it. */
export interface View {
  readonly world: number;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Metres between two places along the earth. */
export function distanceM(from: Place, to: Place): number {
  const radians = Math.PI / 180;
  const [north, east] = [(to.latitude - from.latitude) * radians, (to.longitude - from.longitude) * radians];
  const across = Math.cos(from.latitude * radians) * Math.cos(to.latitude * radians);
  return 2 * 6_371_008.8 * Math.asin(Math.min(
    1, Math.sqrt(Math.sin(north / 2) ** 2 + across * Math.sin(east / 2) ** 2)));
}

/** Two or more places as the corners of the least box around them, south-west first; undefined without any. */
export function boxAround(places: readonly Place[]): readonly [Place, Place] | undefined {
  if (places.length === 0) return undefined;
  let [south, west, north, east] = [90, 180, -90, -180];
  for (const { latitude, longitude } of places) {
    south = Math.min(south, latitude);
    north = Math.max(north, latitude);
    west = Math.min(west, longitude);
    east = Math.max(east, longitude);
  }
  return [{ latitude: south, longitude: west }, { latitude: north, longitude: east }];
}
