import { contrast } from "./colour_vision.js";

export type Theme = "light" | "dark";

type Scales = Readonly<Record<Theme, Readonly<Record<number, readonly string[]>>>>;

/*
 * The colours are constants, found by a search and proven by tests: in every scale all classes, neighbours or not, are
 * 10 apart by CIEDE2000 in normal vision, under protanopia, deuteranopia and tritanopia, and in grey.
 */

/** From little to much: the more, the farther from the ground. */
const sequential: Scales = {
  light: {
    1: ["#05767f"],
    2: ["#f1e39e", "#05767f"],
    3: ["#f6e6a3", "#03a27b", "#03576f"],
    4: ["#f8e7a5", "#47b76a", "#027e82", "#024462"],
    5: ["#f8e7a5", "#73bf6a", "#079282", "#026678", "#013557"],
    6: ["#f8e7a5", "#89c46d", "#01a07d", "#007980", "#05516b", "#00264c"],
    7: ["#f7e7b7", "#95c973", "#05a970", "#08857f", "#066375", "#003f5d", "#001639"],
  },
  dark: {
    1: ["#b8d07a"],
    2: ["#04526b", "#b8d07a"],
    3: ["#024260", "#049482", "#e7df96"],
    4: ["#003859", "#04757f", "#20b26c", "#f1e39e"],
    5: ["#012d51", "#026075", "#088d83", "#64bc69", "#f1e39e"],
    6: ["#002b50", "#05556e", "#047b81", "#01a17c", "#8ac46d", "#f6e6a3"],
    7: ["#01264f", "#014d66", "#057077", "#049083", "#15b682", "#9cd859", "#fff5e6"],
  },
};

/**
 * Orange for less, blue for more. A class and its opposite are not equally light, so that they differ in grey too.
 * Where the number is odd, the middle is for what hardly changed.
 */
const diverging: Scales = {
  light: {
    1: ["#ebe8e0"],
    2: ["#ffa361", "#0778b4"],
    3: ["#f18122", "#ebe8e0", "#0170a9"],
    4: ["#cd5602", "#fedcc6", "#33affe", "#01568d"],
    5: ["#a74400", "#ff9747", "#ebe8e0", "#078dd2", "#033e67"],
    6: ["#8b3300", "#e36c18", "#fedec9", "#68bbff", "#0774b6", "#012e51"],
    7: ["#722900", "#c85900", "#ffa869", "#ebe8e0", "#02a0ee", "#05639d", "#01213c"],
  },
  dark: {
    1: ["#403d38"],
    2: ["#b45901", "#76bffe"],
    3: ["#b95b01", "#403d38", "#5db8ff"],
    4: ["#f27429", "#6b3300", "#0774ae", "#b7d3fe"],
    5: ["#ff8640", "#8f4500", "#33302b", "#0785c6", "#cadeff"],
    6: ["#ffa071", "#ba5201", "#4b2400", "#015683", "#1e96e8", "#dde9ff"],
    7: ["#ffaf88", "#d05d01", "#743700", "#2a2822", "#016aa0", "#38a3f6", "#e6eeff"],
  },
};

/** The page's ground, and on it the lines of the hatching of missing values and the outline of every region. */
export const surroundings: Readonly<Record<Theme, Readonly<Record<"ground" | "hatch" | "outline", string>>>> = {
  light: { ground: "#ffffff", hatch: "#6b7681", outline: "#4a545e" },
  dark: { ground: "#14181c", hatch: "#98a3ae", outline: "#b4bec8" },
};

/**
 * The colours of so many classes, from the least to the greatest.
 * @param count 1 to 7: there is one class where all values are the same.
 */
export function scaleOf(kind: "sequential" | "diverging", count: number, theme: Theme): readonly string[] {
  const colours = (kind === "sequential" ? sequential : diverging)[theme][count];
  if (!colours) throw new RangeError(`there is no scale of ${count} classes`);
  return colours;
}

/** The colour of a text on another colour: black or white, whichever is read more easily. */
export function inkOn(colour: string): string {
  return contrast(colour, "#000000") >= contrast(colour, "#ffffff") ? "#000000" : "#ffffff";
}
