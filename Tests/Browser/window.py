"""A real Chromium before the pages, as a person sits before it. It watches what no page may ever do: say an error in the
console, break its own policy, ask another host, or be in the way of somebody who cannot see, or has no mouse."""

from __future__ import annotations

import json
import os
import re
import subprocess
import tempfile
from datetime import date
from functools import cache
from pathlib import Path
from urllib.parse import quote

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, Request, Response, expect

from patience import FACTOR

ROOT = Path(__file__).parents[2]
WEB = ROOT / "clients/web"
PICTURES = ROOT / "docs/pictures"
PICTURES_WANTED = "TRACKME_PICTURES" in os.environ
PATIENCE_MS = 15_000 * FACTOR
"""How long a page may take to show what it is waited for, on a busy machine."""
expect.set_options(timeout=PATIENCE_MS)

NARROW = 320
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@cache
def _tables() -> dict[str, dict[str, dict[str, str]]]:
    """Every table of sentences in clients/web, by its folder below src."""
    files = sorted(path for path in (WEB / "src").glob("**/words.ts") if path.parent.name != "language")
    lines = [f'import {{ words as w{n} }} from "{path}";' for n, path in enumerate(files)]
    pairs = ", ".join(f'"{path.parent.relative_to(WEB / "src")}": w{n}' for n, path in enumerate(files))
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "tables.ts"
        source.write_text("\n".join([*lines, f"console.log(JSON.stringify({{ {pairs} }}));"]))
        command = ["esbuild", source, "--bundle", "--platform=node", "--log-level=warning"]
        bundle = subprocess.run(command, check=True, capture_output=True, timeout=60).stdout
    return json.loads(subprocess.run(["node", "-"], input=bundle, check=True, capture_output=True, timeout=60).stdout)


_ANNOUNCED = """
window.announced = [];
new MutationObserver((changes) => {
  const live = document.getElementById("live");
  if (live?.textContent && changes.some((change) => live.contains(change.target))) announced.push(live.textContent);
}).observe(document, { childList: true, characterData: true, subtree: true });
"""
"""Keeps what a page announces, which is there only until it announces something else."""


# What is right need neither be described nor brought here: that takes three quarters of the time.
_AXE = "rules => axe.run(document, { runOnly: rules, resultTypes: ['violations'] }).then(result => result.violations)"


class Words:
    """The sentences of one folder of clients/web/src in the language of a window: `words("submit")`."""

    def __init__(self, folder: str, language: str):
        self.table, self.language = _tables()[folder], language

    def __call__(self, key: str, **values: str) -> str:
        return re.sub(r"\{(\w+)\}", lambda hole: values.get(hole[1], hole[0]), self.table[key][self.language])

    def like(self, key: str) -> re.Pattern:
        """The sentence with anything in its holes."""
        return re.compile(re.sub(r"\\{\w+\\}", ".+", re.escape(self.table[key][self.language])))


class Window:
    """A window of the browser, with cookies of its own. `page` is Playwright's: find what is on it by role and name."""

    def __init__(self, context: BrowserContext, origin: str, language: str, theme: str, name: str):
        self.context, self.origin, self.language, self.theme, self.name = context, origin, language, theme, name
        self.faults: list[str] = []
        """What was seen that no page may do; the test fails if anything is left in it at its end."""
        self.is_elsewhere = False
        """Whether it looks at another site, which may do as it likes."""
        self.allowed: list[re.Pattern] = []
        context.set_default_timeout(PATIENCE_MS)
        context.on("console", self._console)
        context.on("weberror", lambda error: self.is_elsewhere or self.faults.append(f"uncaught: {error.error}"))
        context.on("request", self._request)
        context.add_init_script(_ANNOUNCED)
        self.page: Page = context.new_page()

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning") and not self.is_elsewhere:
            text = f"{message.text} ({message.location.get('url', '')})"
            if not any(pattern.search(text) for pattern in self.allowed):
                self.faults.append(f"console: {text}")

    def _request(self, request: Request) -> None:
        if not self.is_elsewhere and not request.url.startswith((self.origin + "/", "data:", "blob:")):
            self.faults.append(f"asked another host: {request.url}")

    def allow(self, pattern: str) -> None:
        """Lets messages like this one pass from now on: Chromium writes refused and broken requests into the console by
        itself, and when it likes."""
        self.allowed.append(re.compile(pattern))

    def words(self, folder: str) -> Words:
        return Words(folder, self.language)

    # Going about

    def open(self, address: str) -> Response | None:
        """Goes to an address of the site, and waits until its page is there."""
        response = self.page.goto(self.origin + address)
        self.ready()
        return response

    def ready(self) -> None:
        """Waits until the page of the address is drawn."""
        expect(self.page.locator("main:not([aria-busy]) h1")).to_be_visible(timeout=PATIENCE_MS)

    def hears(self, *texts: str) -> None:
        """Waits until all of these were announced to somebody who listens to the page, in whatever order, and whatever was
        announced after them."""
        self.page.wait_for_function(
            "texts => texts.every(text => (window.announced ?? []).some(said => said.includes(text)))", arg=list(texts),
            timeout=PATIENCE_MS)  # fmt: skip

    def heading(self, text: str | re.Pattern) -> None:
        """Waits for the page with this heading."""
        expect(self.page.get_by_role("heading", level=1, name=text, exact=isinstance(text, str))).to_be_visible(
            timeout=PATIENCE_MS)  # fmt: skip
        self.ready()

    def hide(self, isHidden: bool = True) -> None:
        """Looks at another window, or back at this one: Chromium without a screen has only one."""
        self.page.evaluate(_VISIBILITY, "hidden" if isHidden else "visible")

    def sign_in(self, credentials, address: str = "/") -> None:
        """Signs in by the form, and comes to the address."""
        words = self.words("pages/sign-in")
        self.open(f"/sign-in?next={quote(address, safe='')}")
        self.page.get_by_label(words("username"), exact=True).fill(credentials.username)
        self.page.get_by_label(words("password"), exact=True).fill(credentials.password)
        self.page.keyboard.press("Enter")
        self.page.wait_for_url(self.origin + address)
        self.ready()

    # By keyboard alone

    def tab_to(self, target: Locator, most: int = 150, key: str = "Tab") -> None:
        """Presses Tab until the target has the focus, as somebody without a mouse does; fails if it never has.

        What has the focus on the way must be seen to have it.
        """
        expect(target).to_be_visible(timeout=PATIENCE_MS)
        element = target.element_handle()
        for _ in range(most):
            is_there, has_focus, is_shown = element.evaluate(_FOCUS)
            if not is_there:
                # The page has drawn itself anew.
                element = target.element_handle()
                _, has_focus, is_shown = element.evaluate(_FOCUS)
            if has_focus:
                assert is_shown, f"{target} does not show its focus"
                return
            self.page.keyboard.press(key)
        raise AssertionError(f"{target} is not reached with {most} times {key}")

    def press(self, target: Locator, key: str = "Enter") -> None:
        """Goes to the target with Tab and presses a key on it."""
        self.tab_to(target)
        self.page.keyboard.press(key)

    def type_into(self, target: Locator, text: str) -> None:
        """Goes to a field with Tab and replaces what is in it by what is typed."""
        self.tab_to(target)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)

    def type_day(self, target: Locator, day: date) -> None:
        """Goes to a field for a day with Tab and types it, in whichever order this browser asks for it."""
        self.tab_to(target)
        for text in (f"{day:%m%d%Y}", f"{day:%d%m%Y}"):
            self.page.keyboard.type(text)
            if target.input_value() == day.isoformat():
                return
            self.page.keyboard.press("Shift+Tab")
            self.page.keyboard.press("Shift+Tab")
            self.tab_to(target)
        raise AssertionError(f"{target} does not take {day}, but {target.input_value()!r}")

    # What every state of a page owes to everybody

    def look(self, state: str) -> None:
        """Checks the page as it stands: axe-core finds nothing, and nothing is cut off or scrolls sideways at 320 pixels.

        :param state: what it shows, for whoever reads that the check failed.
        """
        where = f"{self.page.url} ({state}, {self.language}, {self.theme})"
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(AXE_SCRIPT)
        found = self.page.evaluate(_AXE, RULES)
        told = [f"{v['id']}: {v['help']}: {[node['html'][:160] for node in v['nodes']][:3]}" for v in found]
        assert not told, f"axe at {where}:\n" + "\n".join(told)
        size = self.page.viewport_size
        self.page.set_viewport_size({"width": NARROW, "height": 640})
        wide = self.page.evaluate(_WIDE)
        self.page.set_viewport_size(size)
        assert not wide, f"wider than {NARROW} pixels at {where}: {wide}"

    def picture(self, name: str) -> None:
        """Draws a picture for the documents, where TRACKME_PICTURES is set: `make pictures`."""
        if PICTURES_WANTED:
            PICTURES.mkdir(exist_ok=True)
            self.page.evaluate("scrollTo(0, 0)")
            self.page.screenshot(path=PICTURES / f"{name}.png")

    def close(self) -> None:
        """Fails the test if anything was seen that no page may do."""
        faults, failed = self.faults, os.environ.get("TRACKME_SCREENSHOTS")
        if failed and not self.page.is_closed():
            Path(failed).mkdir(exist_ok=True)
            self.page.screenshot(path=Path(failed) / f"{re.sub(r'[^a-z0-9]+', '-', self.name.lower())}.png", full_page=True)
        self.context.close()
        assert not faults, "\n".join(faults)


_FOCUS = "element => [element.isConnected, element === document.activeElement, element.matches(':focus-visible')]"

_VISIBILITY = """state => {
  Object.defineProperty(document, "visibilityState", { configurable: true, get: () => state });
  document.dispatchEvent(new Event("visibilitychange"));
}"""

# What reaches beyond the right edge of the page, and is in nothing that scrolls by itself.
_WIDE = """() => {
  if (document.documentElement.scrollWidth <= innerWidth) return [];
  const scrolls = element => element && element !== document.body
    && (['auto', 'scroll', 'hidden'].includes(getComputedStyle(element).overflowX) || scrolls(element.parentElement));
  return [...document.body.querySelectorAll('*')]
    .filter(element => element.getBoundingClientRect().right > innerWidth + 1 && !scrolls(element.parentElement))
    .slice(0, 3).map(element => element.outerHTML.slice(0, 160));
}"""
