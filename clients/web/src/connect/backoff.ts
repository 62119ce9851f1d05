/** The first pause after a failure; each further one is twice as long. */
const firstMs = 500;
/** No pause is longer, unless it is said otherwise. */
const usualLongestMs = 30_000;
/** A connection that has held for so long has not failed. */
export const calmMs = 10_000;

/**
 * Pauses before further attempts: twice as long each time, with a random half, so that all pages of a server that comes
 * back do not come back together.
 */
export class Backoff {
  private failures = 0;

  constructor(private readonly random: () => number, private readonly longestMs = usualLongestMs) {}

  /**
   * The pause after a failure, in milliseconds.
   * @param heldMs how long the connection had held.
   */
  pause(heldMs: number): number {
    if (heldMs >= calmMs) this.failures = 0;
    const longest = Math.min(this.longestMs, firstMs * 2 ** this.failures);
    this.failures = Math.min(this.failures + 1, 16);
    return longest / 2 + (this.random() * longest) / 2;
  }

  /** The next pause is the first one again. */
  reset(): void {
    this.failures = 0;
  }
}
