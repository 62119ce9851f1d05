/** A place to look around. */
export interface Near {
  readonly latitude: number;
  readonly longitude: number;
  readonly radiusKm: number;
}

/** Kilometres to choose from. */
export const radiiKm = [5, 20, 50, 200, 1000] as const;

/**
 * The place that is behind the "#" of an address: there, because servers and proxies log the rest of it, and where
 * somebody is belongs to nobody else. Undefined where there is none.
 */
export function nearOf(hash: string): Near | undefined {
  const [, latitude, longitude, radius] = /^#near=(-?\d+(?:\.\d+)?),(-?\d+(?:\.\d+)?),(\d+)$/.exec(hash) ?? [];
  const near = { latitude: Number(latitude), longitude: Number(longitude), radiusKm: Number(radius) };
  const isPlace = Math.abs(near.latitude) <= 90 && Math.abs(near.longitude) <= 180 && near.radiusKm > 0;
  return isPlace ? near : undefined;
}

/** The same the other way round. Of a place, a hundred metres are enough. */
export function hashOf({ latitude, longitude, radiusKm }: Near): string {
  return `#near=${rounded(latitude)},${rounded(longitude)},${radiusKm}`;
}

/** To about a hundred metres. */
export function rounded(degrees: number): number {
  return Math.round(degrees * 1000) / 1000;
}
