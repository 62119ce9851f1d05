/** How the sound stands. A browser lets a page sound only after somebody has asked for it there. */
export type SoundState = "off" | "on" | "none";

/** One round of the alarm: two tones and a rest, in seconds and Hz. */
const tones = [{ from: 0, to: 0.25, pitch: 880 }, { from: 0.35, to: 0.6, pitch: 660 }] as const;
const roundSeconds = 1.6;
const loudness = 0.4;

/** A sound that goes on for as long as calls wait. It is made by the browser: nothing is loaded. */
export class Alarm {
  private context: AudioContext | undefined;
  private source: AudioBufferSourceNode | undefined;
  private isWanted = false;

  /** @param changed told when the sound has another state. */
  constructor(private readonly changed: (state: SoundState) => void) {}

  get state(): SoundState {
    if (typeof AudioContext === "undefined") return "none";
    return this.context?.state === "running" ? "on" : "off";
  }

  get isSounding(): boolean {
    return this.source !== undefined && this.state === "on";
  }

  /** Lets it sound from now on. To be called when somebody has pressed a button. */
  async arm(): Promise<void> {
    if (this.state === "none") return;
    if (!this.context) {
      this.context = new AudioContext();
      // A browser may take it away, as when the machine sleeps: that must be seen.
      this.context.addEventListener("statechange", () => this.changed(this.state));
    }
    await this.context.resume();
    if (this.isWanted) this.play();
    this.changed(this.state);
  }

  async disarm(): Promise<void> {
    this.stop();
    await this.context?.suspend();
    this.changed(this.state);
  }

  /** Begins, or goes on; without being armed it is only wanted. */
  ring(): void {
    this.isWanted = true;
    this.play();
  }

  /** Is silent until it rings again. */
  silence(): void {
    this.isWanted = false;
    this.stop();
  }

  /** Gives everything back. */
  close(): void {
    this.silence();
    void this.context?.close();
    this.context = undefined;
  }

  private play(): void {
    if (!this.context || this.source || this.state !== "on") return;
    const source = this.context.createBufferSource();
    source.buffer = round(this.context);
    // The browser repeats it by itself: timers of a page that nobody looks at are slow.
    source.loop = true;
    source.connect(this.context.destination);
    source.start();
    this.source = source;
  }

  private stop(): void {
    this.source?.stop();
    this.source?.disconnect();
    this.source = undefined;
  }
}

function round(context: AudioContext): AudioBuffer {
  const buffer = context.createBuffer(1, Math.round(context.sampleRate * roundSeconds), context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (const { from, to, pitch } of tones) {
    const begin = Math.round(from * context.sampleRate);
    const count = Math.round((to - from) * context.sampleRate);
    for (let n = 0; n < count; n++) {
      // It swells and fades, for a tone that begins in the middle of a wave cracks.
      samples[begin + n] = loudness * Math.sin(Math.PI * n / count) * Math.sin(2 * Math.PI * pitch * n / context.sampleRate);
    }
  }
  return buffer;
}
