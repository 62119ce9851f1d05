/** A value at a moment; of an interval, the mean of its values and what they lie between. */
export interface ChartPoint {
  /** Milliseconds since the Unix epoch; of an interval, its start. */
  readonly time: number;
  readonly value: number;
  /** Both or none: the least and the greatest value of the interval, drawn as a band. */
  readonly least?: number;
  readonly most?: number;
  /** How many values the point sums up. */
  readonly count?: number;
}

/** A line of a chart. */
export interface ChartSeries {
  readonly name: string;
  /** By rising time, and no two at one moment. */
  readonly points: readonly ChartPoint[];
  /** Points farther apart have no line between them: nobody knows what was there. By default all are joined. */
  readonly gapMs?: number;
}

/** A horizontal line, such as a threshold. */
export interface ChartLimit {
  readonly name: string;
  readonly value: number;
  /** Which side of it is shaded, if one is. */
  readonly beyond?: "above" | "below";
}

/** A shaded time, such as when a rule would have called. */
export interface ChartPeriod {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/** What a chart shows. */
export interface ChartView {
  /** The ends of the time that is shown, in milliseconds since the Unix epoch. Points outside are not drawn. */
  readonly from: number;
  readonly to: number;
  readonly series: readonly ChartSeries[];
  readonly limits?: readonly ChartLimit[];
  readonly periods?: readonly ChartPeriod[];
}
