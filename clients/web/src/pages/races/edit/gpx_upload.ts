import type { Bytes } from "../../../json/scalars.js";
import type { Locale } from "../../../language/choice.js";
import { translator } from "../../../language/words.js";
import { element } from "../../../shell/element.js";
import { words } from "./words.js";

/** What the server takes of a file. */
const gpxMaxBytes = 4 * 1024 * 1024;

/** A file of a course, as a field of a form. */
export class GPXUpload {
  readonly name = "gpx";
  readonly api = ["gpx", "start", "arrival"];
  readonly refused: string;
  readonly node: HTMLElement;
  private readonly t;
  private readonly input = element("input", { type: "file", id: "gpx", name: "gpx", accept: ".gpx,application/gpx+xml" });
  private readonly said = element("p", { id: "gpx-problem", class: "problem" });

  constructor(locale: Locale) {
    this.t = translator(words, locale.language);
    this.refused = this.t("gpxRefused");
    const hint = element("p", { id: "gpx-hint", class: "hint" }, this.t("gpxHint"));
    this.input.setAttribute("aria-describedby", `${hint.id} ${this.said.id}`);
    this.node = element(
      "div", { class: "field" }, element("label", { for: "gpx" }, this.t("gpx")), hint, this.input, this.said);
  }

  problem(): string | undefined {
    const file = this.input.files?.[0];
    if (!file) return this.t("gpxMissing");
    return file.size > gpxMaxBytes ? this.t("gpxTooLarge") : undefined;
  }

  show(problem: string | undefined): void {
    this.said.textContent = problem ?? "";
    if (problem === undefined) this.input.removeAttribute("aria-invalid");
    else this.input.setAttribute("aria-invalid", "true");
  }

  focus(): void {
    this.input.focus();
  }

  /** What is in the file. */
  bytes(): Promise<Bytes> {
    return new Promise((resolve, reject) => {
      const reader = new FileReader();
      // "data:…;base64," stands before it.
      reader.addEventListener("load", () => resolve(String(reader.result).replace(/^[^,]*,/, "")));
      reader.addEventListener("error", () => reject(reader.error));
      reader.readAsDataURL(this.input.files?.[0] ?? new Blob());
    });
  }
}
