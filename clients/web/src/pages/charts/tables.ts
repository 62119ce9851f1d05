import type { Reading } from "../../api/readings_v1.js";
import { pointMoment } from "../../charts/ticks.js";
import { toNumber } from "../../json/scalars.js";
import type { Double } from "../../json/scalars.js";
import type { Locale } from "../../language/choice.js";
import { translator } from "../../language/words.js";
import { valueText } from "../../metrics/format.js";
import type { Column } from "../../parts/table.js";
import { lengthMs } from "./every_reading.js";
import { milliseconds } from "./history.js";
import type { Kind } from "./kinds.js";
import { words } from "./words.js";

/** The columns of positions, or of recordings. */
export function columnsOf(kind: Kind, locale: Locale): Array<Column<Reading>> {
  const t = translator(words, locale.language);
  const [metric] = kind.metrics;
  const time: Column<Reading> = { head: t("time"), cell: ({ timeUs }) => pointMoment(milliseconds(timeUs), "second", locale) };
  if (kind.shape === "waveform") {
    return [
      time,
      { head: t("length"), isValue: true, cell: (reading) => measure(lengthMs(reading) / 1000, "second", locale) },
      { head: t("recording"), cell: (reading) => valueText(reading, metric, locale) },
    ];
  }
  const known = (value: Double | undefined, unit: string): string => (
    value === undefined ? "–" : measure(toNumber(value), unit, locale));
  return [
    time,
    { head: t("place"), isValue: true, cell: (reading) => valueText(reading, metric, locale) },
    { head: t("altitude"), cell: ({ position }) => known(position?.altitude, "meter") },
    { head: t("accuracy"), cell: ({ position }) => known(position?.accuracy, "meter") },
    {
      head: t("speed"),
      cell: ({ position }) => known(position?.speed === undefined ? undefined : toNumber(position.speed) * 3.6, "kilometer-per-hour"),
    },
  ];
}

/** A number with a unit of `Intl`. */
function measure(value: number, unit: string, locale: Locale): string {
  return new Intl.NumberFormat(locale.tag, { style: "unit", unit, maximumFractionDigits: 1 }).format(value);
}
