// As much of a browser as the shell uses: elements, focus, one address with its history. Each test has its own.

type Listener = (event: FakeEvent) => void;

export class FakeEvent {
  defaultPrevented = false;
  readonly button = 0;
  readonly metaKey = false;
  readonly ctrlKey: boolean;
  readonly shiftKey = false;
  readonly altKey = false;

  constructor(readonly type: string, readonly target: FakeElement, control = false) {
    this.ctrlKey = control;
  }

  preventDefault(): void {
    this.defaultPrevented = true;
  }
}

export class FakeElement {
  readonly attributes = new Map<string, string>();
  readonly dataset: Record<string, string> = {};
  children: Array<FakeElement | string> = [];
  parent: FakeElement | undefined;
  value = "";
  disabled = false;
  hidden = false;
  private readonly listeners = new Map<string, Listener[]>();

  constructor(readonly name: string, private readonly page: FakePage) {}

  get id(): string { return this.attributes.get("id") ?? ""; }
  get target(): string { return this.attributes.get("target") ?? ""; }
  get hash(): string { return this.url.hash; }
  get origin(): string { return this.url.origin; }
  get pathname(): string { return this.url.pathname; }
  get search(): string { return this.url.search; }
  private get url(): URL { return new URL(this.attributes.get("href") ?? "", this.page.url); }

  get textContent(): string {
    return this.children.map((child) => (typeof child === "string" ? child : child.textContent)).join("");
  }
  set textContent(text: string) { this.children = text === "" ? [] : [text]; }

  setAttribute(name: string, value: string): void { this.attributes.set(name, value); }
  getAttribute(name: string): string | null { return this.attributes.get(name) ?? null; }
  hasAttribute(name: string): boolean { return this.attributes.has(name); }
  removeAttribute(name: string): void { this.attributes.delete(name); }

  readonly classList = {
    toggle: (name: string, isThere: boolean): void => {
      const others = (this.attributes.get("class") ?? "").split(" ").filter((other) => other !== "" && other !== name);
      this.attributes.set("class", [...others, ...(isThere ? [name] : [])].join(" "));
    },
  };

  append(...children: Array<FakeElement | string>): void {
    for (const child of children) if (typeof child !== "string") child.parent = this;
    this.children.push(...children);
  }

  replaceChildren(...children: Array<FakeElement | string>): void {
    this.children = [];
    this.append(...children);
  }

  addEventListener(type: string, listener: Listener): void {
    this.listeners.set(type, [...(this.listeners.get(type) ?? []), listener]);
  }

  focus(): void { this.page.focused = this; }

  contains(other: FakeElement | null): boolean {
    return other !== null && (other === this || this.all().includes(other));
  }

  closest(name: string): FakeElement | null {
    return this.name === name ? this : (this.parent?.closest(name) ?? null);
  }

  /** Only by one attribute and its value, as the shell asks. */
  querySelector(selector: string): FakeElement | null {
    const [, name, value] = /^\[([\w-]+)=(\w+)\]$/.exec(selector) ?? [];
    return this.all().find((found) => found.getAttribute(name ?? "") === value) ?? null;
  }

  /** Everything below, in the order of the document. */
  all(): FakeElement[] {
    return this.children.flatMap((child) => (typeof child === "string" ? [] : [child, ...child.all()]));
  }

  /** What somebody does here; it goes up as far as the document. */
  dispatch(type: string, control = false): FakeEvent {
    const event = new FakeEvent(type, this, control);
    for (let at: FakeElement | undefined = this; at; at = at.parent) at.hear(event);
    this.page.hear(event);
    return event;
  }

  private hear(event: FakeEvent): void {
    for (const listener of this.listeners.get(event.type) ?? []) listener(event);
  }
}

/** The document, its address and its history. */
export class FakePage {
  url: URL;
  focused: FakeElement | undefined;
  reloads = 0;
  title = "";
  readonly documentElement = { lang: "" };
  readonly places: Record<"skip" | "header" | "main" | "footer" | "live", FakeElement>;
  private readonly past: URL[] = [];
  private readonly listeners = new Map<string, Listener[]>();

  constructor(address: string) {
    this.url = new URL(address, "https://trackme.example");
    const made = (): FakeElement => new FakeElement("div", this);
    this.places = { skip: made(), header: made(), main: made(), footer: made(), live: made() };
  }

  /** Puts this page in the browser's place. */
  install(languages: readonly string[] = ["en"]): void {
    const page = this;
    const listen = (type: string, listener: Listener): void => {
      page.listeners.set(type, [...(page.listeners.get(type) ?? []), listener]);
    };
    const globals: Record<string, unknown> = {
      document: {
        createElement: (name: string) => new FakeElement(name, page), documentElement: page.documentElement,
        get activeElement() { return page.focused ?? null; },
        addEventListener: listen, get title() { return page.title; }, set title(text: string) { page.title = text; },
      },
      addEventListener: listen,
      navigator: { languages },
      location: {
        get pathname() { return page.url.pathname; }, get search() { return page.url.search; },
        get origin() { return page.url.origin; }, reload: () => { page.reloads++; },
      },
      history: {
        pushState: (_: unknown, __: string, address: string) => {
          page.past.push(page.url);
          page.url = new URL(address, page.url);
        },
        replaceState: (_: unknown, __: string, address: string) => { page.url = new URL(address, page.url); },
      },
    };
    for (const [name, value] of Object.entries(globals)) {
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    }
  }

  /** The browser's button. */
  back(): void {
    this.url = this.past.pop() ?? this.url;
    this.moved();
  }

  /** The address has changed by the browser itself. */
  moved(): void {
    this.hear(new FakeEvent("popstate", this.places.main));
  }

  hear(event: FakeEvent): void {
    for (const listener of this.listeners.get(event.type) ?? []) listener(event);
  }

  get heading(): string {
    const [first] = this.places.main.all();
    return first?.name === "h1" ? first.textContent : "";
  }

  /** The element of this kind whose text is this. */
  find(name: string, text: string): FakeElement {
    const found = Object.values(this.places).flatMap((place) => place.all())
      .find((element) => element.name === name && element.textContent === text);
    if (!found) throw new Error(`there is no ${name} "${text}"`);
    return found;
  }

  byId(id: string): FakeElement {
    const found = this.places.main.all().find((element) => element.id === id);
    if (!found) throw new Error(`there is no ${id}`);
    return found;
  }
}

/** Waits until something holds, however long it takes; for ever is five seconds. */
export async function until(holds: () => boolean, what: string): Promise<void> {
  const end = Date.now() + 5_000;
  while (!holds()) {
    if (Date.now() > end) throw new Error(`never: ${what}`);
    await new Promise<void>((resolve) => setTimeout(resolve, 0));
  }
}
