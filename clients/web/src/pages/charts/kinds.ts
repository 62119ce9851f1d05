import type { Metric } from "../../api/readings_v1.js";
import type { Locale } from "../../language/choice.js";
import { translator } from "../../language/words.js";
import { metricName, unitName } from "../../metrics/format.js";
import { words } from "./words.js";

/** What a chart can be of: one metric, or several that are read together. */
export interface Kind {
  /** In addresses. */
  readonly name: string;
  readonly label: string;
  readonly unit: string;
  readonly shape: "scalar" | "waveform" | "position";
  readonly metrics: readonly Metric[];
}

const pressures: readonly string[] = ["systolic_blood_pressure", "diastolic_blood_pressure"];

const shapes: Readonly<Record<string, Kind["shape"]>> = {
  METRIC_KIND_SCALAR: "scalar", METRIC_KIND_POSITION: "position", METRIC_KIND_WAVEFORM: "waveform",
};

/** The kinds of a registry, in its order. The two blood pressures are one. */
export function kindsOf(registry: readonly Metric[], locale: Locale): Kind[] {
  const both = pressures.flatMap((name) => registry.filter((metric) => metric.name === name));
  const kinds: Kind[] = [];
  for (const metric of registry) {
    const name = metric.name ?? "";
    const shape = shapes[metric.kind ?? ""];
    if (!shape) continue;
    const unit = unitName(metric.unit, locale);
    if (both.length === 2 && pressures.includes(name)) {
      if (kinds.some((kind) => kind.name === "blood_pressure")) continue;
      const label = translator(words, locale.language)("bloodPressure");
      kinds.push({ name: "blood_pressure", label, unit, shape, metrics: both });
    } else {
      kinds.push({ name, label: metricName(name, metric, locale), unit, shape, metrics: [metric] });
    }
  }
  return kinds;
}
