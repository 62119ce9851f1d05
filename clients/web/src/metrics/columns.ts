import type { Metric, Reading, ReadingColumns } from "../api/readings_v1.js";
import { toNumber } from "../json/scalars.js";
import type { Double } from "../json/scalars.js";

/** The entry of a column for one reading: a column of one entry says it for all. */
function entry<Value>(column: readonly Value[] | undefined, index: number): Value | undefined {
  return column?.length === 1 ? column[0] : column?.[index];
}

/** What is not known is left out. */
function known<Name extends string>(name: Name, column: readonly Double[] | undefined, index: number): { [Key in Name]?: Double } {
  const value = column?.[index];
  return value === undefined || Number.isNaN(toNumber(value)) ? {} : { [name]: value } as { [Key in Name]?: Double };
}

/** Readings as rows, for the columns in which streams send them. Those of metrics that the registry has not are left out. */
export function readingsOf(columns: ReadingColumns | undefined, registry: readonly Metric[]): Reading[] {
  const names = new Map(registry.map(({ id, name }) => [id ?? 0, name ?? ""]));
  const found: Reading[] = [];
  const row = (
    of: { personId?: string[]; metric?: number[]; source?: number[]; timeUs?: string[] }, index: number,
  ): Omit<Reading, "scalar" | "position" | "waveform"> | undefined => {
    const metric = names.get(entry(of.metric, index) ?? 0);
    if (metric === undefined) return undefined;
    const source = entry(of.source, index);
    return {
      personId: entry(of.personId, index) ?? "0", metric, timeUs: of.timeUs?.[index] ?? "0",
      source: source === undefined ? "" : columns?.sources?.[source] ?? "",
    };
  };
  const { scalars, positions, waveforms } = columns ?? {};
  scalars?.timeUs?.forEach((_, index) => {
    const reading = row(scalars, index);
    if (reading) found.push({ ...reading, scalar: scalars.value?.[index] ?? 0 } as Reading);
  });
  positions?.timeUs?.forEach((_, index) => {
    const reading = row(positions, index);
    if (!reading) return;
    const position = {
      latitude: positions.latitude?.[index] ?? 0, longitude: positions.longitude?.[index] ?? 0,
      ...known("altitude", positions.altitude, index), ...known("accuracy", positions.accuracy, index),
      ...known("speed", positions.speed, index), ...known("course", positions.course, index),
    };
    found.push({ ...reading, position } as Reading);
  });
  let begin = 0;
  waveforms?.timeUs?.forEach((_, index) => {
    const end = begin + (waveforms.sampleCount?.[index] ?? 0);
    const waveform = { rateHz: waveforms.rateHz?.[index] ?? 0, samples: waveforms.samples?.slice(begin, end) ?? [] };
    begin = end;
    const reading = row(waveforms, index);
    if (reading) found.push({ ...reading, waveform } as Reading);
  });
  return found;
}
