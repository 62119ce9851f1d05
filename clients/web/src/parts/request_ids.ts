/**
 * Ids of requests that a server does once: what is sent again after an answer was lost has the id that it had, and other
 * content another one.
 */
export class RequestIds {
  private content = "";
  private id = "";

  of(request: unknown): string {
    const content = JSON.stringify(request);
    if (content !== this.content || this.id === "") this.id = crypto.randomUUID();
    this.content = content;
    return this.id;
  }

  /** What comes next is another request, even with the same content: the last one has been answered. */
  renew(): void {
    this.id = "";
  }
}
