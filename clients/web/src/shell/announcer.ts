import type { Surroundings } from "../connect/surroundings.js";

/** Between two messages, so that who listens to a page is not talked over by it. */
const pauseMs = 10_000;

/** Says messages in a live region: at once, or when the last one is long enough ago; of those that wait, the newest. */
export class Announcer {
  private waiting: string | undefined;
  private isPausing = false;

  constructor(
    private readonly say: (message: string) => void, private readonly surroundings: Pick<Surroundings, "timer">,
  ) {}

  announce(message: string): void {
    this.waiting = message;
    if (!this.isPausing) this.next();
  }

  private next(): void {
    const message = this.waiting;
    this.waiting = undefined;
    this.isPausing = message !== undefined;
    if (message === undefined) return;
    this.say(message);
    this.surroundings.timer(pauseMs, () => this.next());
  }
}
