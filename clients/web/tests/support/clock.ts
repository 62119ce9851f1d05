import type { Surroundings } from "../../src/connect/surroundings.js";

/** Time that passes when a test says so, chance that a test chooses, and a page that a test hides. */
export class Clock implements Surroundings {
  chance = 0;
  private time = 0;
  private hidden = false;
  private timers: Array<{ readonly at: number; readonly call: () => void }> = [];
  private watchers = new Set<() => void>();

  now(): number {
    return this.time;
  }

  timer(milliseconds: number, call: () => void): () => void {
    const timer = { at: this.time + milliseconds, call };
    this.timers.push(timer);
    return () => { this.timers = this.timers.filter((other) => other !== timer); };
  }

  random(): number {
    return this.chance;
  }

  isHidden(): boolean {
    return this.hidden;
  }

  onVisibilityChange(call: () => void): () => void {
    this.watchers.add(call);
    return () => this.watchers.delete(call);
  }

  /** Whoever still waits for something: nobody, when all has ended. */
  get waiting(): number {
    return this.timers.length + this.watchers.size;
  }

  /** How long until the next timer. */
  get nextIn(): number {
    return Math.min(...this.timers.map(({ at }) => at)) - this.time;
  }

  /** Lets time pass, timers call in their order, and then everything settle. */
  async advance(milliseconds: number): Promise<void> {
    const until = this.time + milliseconds;
    await settled();
    for (;;) {
      const next = this.timers.filter(({ at }) => at <= until).sort((one, other) => one.at - other.at)[0];
      if (!next) break;
      this.timers = this.timers.filter((timer) => timer !== next);
      this.time = Math.max(this.time, next.at);
      next.call();
      await settled();
    }
    this.time = until;
  }

  async hide(hidden: boolean): Promise<void> {
    this.hidden = hidden;
    for (const call of this.watchers) call();
    await settled();
  }
}

/** All that follows from what has happened has happened: nothing here waits for anything outside. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn++) await Promise.resolve();
}
