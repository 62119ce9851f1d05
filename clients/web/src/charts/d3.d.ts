// As much of Debian's d3 packages as charts use: they come without types.

declare module "d3-scale" {
  /** Maps numbers to pixels. */
  export interface LinearScale {
    (value: number): number;
    domain(ends: readonly [number, number]): this;
    domain(): [number, number];
    range(ends: readonly [number, number]): this;
    nice(count?: number): this;
    ticks(count?: number): number[];
  }
  /** Maps moments to pixels, with ticks by the clock of the browser. */
  export interface TimeScale {
    (moment: Date | number): number;
    domain(ends: readonly [Date, Date]): this;
    range(ends: readonly [number, number]): this;
    ticks(count?: number): Date[];
  }
  export function scaleLinear(): LinearScale;
  export function scaleTime(): TimeScale;
}

declare module "d3-shape" {
  /** The `d` of a path through points. */
  export interface Line<Point> {
    (points: readonly Point[]): string | null;
    x(of: (point: Point) => number): this;
    y(of: (point: Point) => number): this;
  }
  /** The `d` of what lies between two lines. */
  export interface Area<Point> {
    (points: readonly Point[]): string | null;
    x(of: (point: Point) => number): this;
    y0(of: (point: Point) => number): this;
    y1(of: (point: Point) => number): this;
  }
  export function line<Point>(): Line<Point>;
  export function area<Point>(): Area<Point>;
}

declare module "d3-array" {
  export function bisectLeft(sorted: readonly number[], value: number): number;
  export function median(values: Iterable<number>): number | undefined;
}
