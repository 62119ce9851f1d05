/** Time, chance and the page's visibility: what tests put in place of a browser's. */
export interface Surroundings {
  /** Milliseconds since some moment; never goes back. */
  now(): number;
  /** Calls once after so many milliseconds, unless what it returns was called before. */
  timer(milliseconds: number, call: () => void): () => void;
  /** At least 0 and less than 1. */
  random(): number;
  isHidden(): boolean;
  /** Calls at each change, until what it returns is called. */
  onVisibilityChange(call: () => void): () => void;
}

/** The browser's own. */
export const browser: Surroundings = {
  now: () => performance.now(),
  timer(milliseconds, call) {
    const id = setTimeout(call, milliseconds);
    return () => clearTimeout(id);
  },
  random: Math.random,
  isHidden: () => document.visibilityState === "hidden",
  onVisibilityChange(call) {
    document.addEventListener("visibilitychange", call);
    return () => document.removeEventListener("visibilitychange", call);
  },
};
