import type { DeskCall, DispatchStatus, WatchCallsResponse } from "../../api/sos_v1.js";

/** The calls of a dispatcher, as the frames of WatchCalls tell them. Each is there once, whatever comes twice. */
export class Calls {
  private readonly calls = new Map<string, DeskCall>();
  /** Those that a stream which begins anew has not told of yet; undefined while it does not. */
  private forgotten: Set<string> | undefined;
  /** Whether new calls are meant; undefined while nothing has come. */
  status: DispatchStatus | undefined;

  /**
   * Takes a frame in. Calls of a stream before one that begins anew stay until that has told of everything that is open:
   * none that waits leaves the screen in between.
   * @returns the ids of calls that wait now and did not before.
   */
  take(frame: WatchCallsResponse): string[] {
    if (frame.beginsAnew) this.forgotten = new Set(this.calls.keys());
    if (frame.call) return this.put(frame.call);
    this.status = frame.status ?? this.status;
    for (const id of this.forgotten ?? []) this.calls.delete(id);
    this.forgotten = undefined;
    return [];
  }

  /** Takes a call as it stands, such as the answer to an answer. */
  put(call: DeskCall): string[] {
    const id = call.emergency?.emergencyId ?? "";
    const isNew = call.place === "CALL_PLACE_WAITING" && this.calls.get(id)?.place !== "CALL_PLACE_WAITING";
    this.calls.set(id, call);
    this.forgotten?.delete(id);
    return isNew ? [id] : [];
  }

  find(id: string): DeskCall | undefined {
    return this.calls.get(id);
  }

  /** Nobody has them: those that ring first, then by age. */
  get waiting(): DeskCall[] {
    return [...this.at("CALL_PLACE_WAITING"), ...this.at("CALL_PLACE_REFUSED")];
  }

  /** Those that ring. */
  get ringing(): DeskCall[] {
    return this.at("CALL_PLACE_WAITING");
  }

  get ours(): DeskCall[] {
    return this.at("CALL_PLACE_OURS");
  }

  get gone(): DeskCall[] {
    return [...this.at("CALL_PLACE_TAKEN"), ...this.at("CALL_PLACE_OVER")];
  }

  /** Whether anything that is shown is an exercise. */
  get hasExercise(): boolean {
    return this.status === "DISPATCH_STATUS_EXERCISE"
      || [...this.calls.values()].some(({ emergency }) => emergency?.status === "DISPATCH_STATUS_EXERCISE");
  }

  private at(place: DeskCall["place"]): DeskCall[] {
    const since = (call: DeskCall): number => Number(call.emergency?.detectedUs ?? 0);
    return [...this.calls.values()].filter((call) => call.place === place).sort((a, b) => since(a) - since(b));
  }
}
