import { translator } from "../../../language/words.js";
import { choiceField, numberField, textField } from "../../../parts/field.js";
import { Form } from "../../../parts/form.js";
import { element } from "../../../shell/element.js";
import type { PageContext } from "../../../shell/page.js";
import { hashOf, nearOf, radiiKm, rounded } from "./near.js";
import { words } from "./words.js";

/** The longest text that the server searches for. */
const maxTextCharacters = 100;
/** How long a browser may look for where it is. */
const locatingMs = 15_000;

/** What is looked for. The browser's position is asked for by a button alone, and stays in the browser's line. */
export class SearchForm {
  readonly node: HTMLElement;
  private readonly text;
  private readonly latitude;
  private readonly longitude;
  private readonly radius;

  constructor(private readonly context: PageContext) {
    const { locale, signal } = context;
    const t = translator(words, locale.language);
    const degrees = new Intl.NumberFormat(locale.tag, { minimumFractionDigits: 3 });
    const kilometres = new Intl.NumberFormat(locale.tag, { style: "unit", unit: "kilometer" });
    this.text = textField({
      name: "text", label: t("text"), hint: t("textHint"), type: "search", optional: true, maxLength: maxTextCharacters,
    }, locale);
    this.latitude = numberField({
      name: "latitude", label: t("latitude"), hint: t("degrees", { example: degrees.format(45.464) }), optional: true,
      least: -90, most: 90, api: ["near.latitude"],
    }, locale);
    this.longitude = numberField({
      name: "longitude", label: t("longitude"), hint: t("degrees", { example: degrees.format(9.19) }), optional: true,
      least: -180, most: 180, api: ["near.longitude"],
    }, locale);
    this.radius = choiceField({
      name: "radius", label: t("radius"), value: "50", api: ["radius_m"],
      choices: radiiKm.map((radius) => ({ value: String(radius), label: kilometres.format(radius) })),
    }, locale);
    const near = element(
      "fieldset", { class: "near" }, element("legend", {}, t("near")), this.latitude.node, this.longitude.node,
      this.radius.node, this.locator());
    const form = new Form({
      fields: [this.text, this.latitude, this.longitude, this.radius], content: [this.text.node, near],
      submit: t("search"), label: t("find"),
      send: async () => {
        const [latitude, longitude] = [this.latitude.value(), this.longitude.value()];
        if ((latitude === undefined) !== (longitude === undefined)) {
          form.show({ fields: { [latitude === undefined ? "latitude" : "longitude"]: t("both") } });
          return;
        }
        const text = this.text.value() ?? "";
        const place = latitude === undefined || longitude === undefined
          ? "" : hashOf({ latitude, longitude, radiusKm: Number(this.radius.value()) });
        this.context.go(`/races${text === "" ? "" : `?${new URLSearchParams({ text })}`}${place}`);
      },
    }, locale, signal);
    form.node.classList.add("search");
    this.node = form.node;
  }

  /** Shows what the address says. */
  set(): void {
    this.text.set(new URLSearchParams(location.search).get("text") ?? "");
    const near = nearOf(location.hash);
    if (!near) return;
    this.latitude.set(near.latitude);
    this.longitude.set(near.longitude);
    const known = radiiKm.find((radius) => radius >= near.radiusKm);
    this.radius.set(String(known ?? radiiKm[radiiKm.length - 1]));
  }

  /** The button that asks the browser where it is. */
  private locator(): HTMLElement {
    const t = translator(words, this.context.locale.language);
    const button = element("button", { type: "button" }, t("here"));
    const said = element("p", { class: "hint", role: "status" });
    button.addEventListener("click", () => {
      said.textContent = t("locating");
      navigator.geolocation.getCurrentPosition(
        ({ coords }) => {
          said.textContent = "";
          this.latitude.set(rounded(coords.latitude));
          this.longitude.set(rounded(coords.longitude));
        },
        () => { said.textContent = t("denied"); },
        { timeout: locatingMs, maximumAge: 60_000 });
    });
    return element("div", { class: "field locator" }, button, said);
  }
}
