import { describeError } from "../errors/describe.js";
import { translator } from "../language/words.js";
import { element } from "../shell/element.js";
import type { PageContext } from "../shell/page.js";
import { words } from "./words.js";

/** One page of a long list, and what to ask for to get the next one; empty where there is none. */
export interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly nextPageToken: string;
}

/**
 * Asks for a long list page by page: the first at once, the others by a button below.
 * @param take shows items, below those before.
 * @returns the button.
 * @throws ConnectError where the first page cannot be had.
 */
export async function pagesOf<Item>(
  context: Pick<PageContext, "locale" | "signal">, ask: (pageToken: string) => Promise<PageOf<Item>>,
  take: (items: readonly Item[]) => void,
): Promise<HTMLElement> {
  const { locale, signal } = context;
  const button = element("button", { type: "button" }, translator(words, locale.language)("more"));
  const problem = element("p", { class: "problem", role: "alert" });
  let next = "";
  const show = async (): Promise<void> => {
    const page = await ask(next);
    if (signal.aborted) return;
    next = page.nextPageToken;
    button.hidden = next === "";
    take(page.items);
  };
  button.addEventListener("click", () => {
    button.disabled = true;
    problem.textContent = "";
    show()
      .catch((failure: unknown) => { if (!signal.aborted) problem.textContent = describeError(failure, locale.language); })
      .finally(() => { button.disabled = false; });
  });
  await show();
  return element("div", { class: "more" }, button, problem);
}
