"""Pages of health expenditure at 400 % zoom, on A4, and in colours that the system forces (S-UC1 to S-UC7, S-NFR2, S-NFR4)."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from spending import spending_server
from window import Window

REPORTS = "expenditure/reports"
VIEWS = {
    "map": "/expenditure?release=1",
    "report": "/expenditure/010?year=2024&release=1",
    "voice": "/expenditure/010/BA0390?year=2024&release=1",
    "compare": "/expenditure/compare?regions=010,041,IT&year=2024&release=1",
    "mobility": "/expenditure/mobility?year=2023",
    "dictionary": "/expenditure/dictionary?release=1",
    "about": "/expenditure/about?release=1",
}
A4 = {"width": 680, "height": 1009}
"""What 15 mm of margin leave of A4, in pixels of 96 to the inch."""
ZOOMED = {"width": 320, "height": 256}
"""What 1280 × 1024 pixels are at 400 %."""


@pytest.fixture(scope="module")
def spending():
    with spending_server() as made:
        yield made


# The map and a report are seen on every landing, the others in `make test-long`.
@pytest.fixture(params=[view if view in ("map", "report") else pytest.param(view, marks=pytest.mark.long) for view in VIEWS])
def view(request) -> str:
    return request.param


# At 400 % zoom


def walk(window: Window) -> None:
    """Goes through the whole page with Tab: every control is reached, and is in sight when it has the focus."""
    page = window.page
    count = page.evaluate(_MARK)
    assert count > 5
    reached = set()
    for _ in range(count + 10):
        page.keyboard.press("Tab")
        found = page.evaluate(_FOCUSED)
        if found is None:
            break
        assert not found["hidden"], f"not in sight with the focus: {found['html']} at {found['place']}"
        reached.add(found["number"])
    left = page.evaluate(_LEFT, list(reached))
    assert not left, f"never reached: {left}"


def test_s_uc1_to_s_uc7_at_400_percent_everything_is_reached_and_nothing_scrolls_sideways(windows, spending, view):
    window = windows(spending.server, viewport=ZOOMED, device_scale_factor=4)
    window.open(VIEWS[view])
    window.look(f"{view} at 400 %")
    assert window.page.evaluate("document.documentElement.scrollWidth") <= ZOOMED["width"]
    walk(window)
    assert not window.page.evaluate(_CUT)
    # Numbers stay whole, and what stands in a row is said where the heads of columns have no room.
    assert not window.page.evaluate(_BROKEN_NUMBERS)
    if view == "compare":
        expect(window.page.locator(".numbers .cell-head").first).to_be_visible()


def test_s_uc4_s_uc5_at_400_percent_menu_and_tutorial_fit(windows, spending):
    window = windows(spending.server, viewport=ZOOMED, device_scale_factor=4)
    page, words = window.page, window.words("expenditure/tutorial")
    window.open(VIEWS["map"])
    window.press(page.locator("#menu"))
    box = page.get_by_role("menu").bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= ZOOMED["width"]
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    finish = dialog.get_by_role("button", name=words("finish"), exact=True)
    onward = dialog.get_by_role("button", name=words("next"), exact=True)
    expect(dialog).to_be_visible()
    while not finish.is_visible():
        box = dialog.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= ZOOMED["width"]
        assert box["y"] >= 0 and box["y"] + box["height"] <= ZOOMED["height"]
        before = dialog.get_by_role("heading").inner_text()
        window.press(onward)
        expect(dialog.get_by_role("heading")).not_to_have_text(before)
    window.look("the last step at 400 %")
    window.press(finish)
    expect(page.locator("#menu")).to_be_focused()


# On paper


def test_on_a4_nothing_is_cut_off_controls_are_gone_and_tables_stand_open(windows, spending, view):
    window = windows(spending.server)
    page = window.page
    window.open(VIEWS[view])
    is_open = page.evaluate(_OPEN)
    page.set_viewport_size(A4)
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert not page.evaluate(_BEYOND), "reaches beyond the paper"
    assert not page.evaluate(_CUT)
    shown = [control for control in page.locator("button, select, input, header, footer").all() if control.is_visible()]
    assert all(control.evaluate("element => !!element.closest('.legend-classes')") for control in shown), shown
    assert all(page.evaluate(_OPEN))
    for table in page.get_by_role("table").all():
        expect(table).to_be_visible()
    assert page.get_by_role("table").count() > 0 or view in ("dictionary", "about")
    # Letters of a drawing are as large as they are said to be, however wide the window is; a high one is drawn smaller.
    widths = page.locator("svg.plot").evaluate_all("all => all.map(image => image.viewBox.baseVal.width)")
    assert set(widths) <= {A4["width"]}
    heights = page.locator("svg.plot, svg.italy").evaluate_all("all => all.map(image => image.getBoundingClientRect().height)")
    assert all(height < A4["height"] for height in heights)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(_OPEN) == is_open


def test_printing_a_report_opens_its_tables_and_a_page_is_a4(windows, spending):
    window = windows(spending.server)
    page = window.page
    window.open(VIEWS["report"])
    before = page.evaluate(_OPEN)
    assert not all(before)
    page.evaluate("addEventListener('beforeprint', () => { window.printed = (%s)() })" % _OPEN)
    paper = page.pdf(prefer_css_page_size=True)
    assert page.evaluate("window.printed") == [True] * len(before)
    assert page.evaluate(_OPEN) == before
    boxes = re.findall(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", paper)
    assert boxes and all((round(float(width)), round(float(height))) == (595, 842) for width, height in boxes)


def test_s_nfr2_s_nfr4_the_map_is_printed_on_white_whatever_the_theme(windows, spending):
    window = windows(spending.server, color_scheme="dark")
    page = window.page
    window.open(VIEWS["map"])
    dark = fills(page)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    light = fills(page)
    assert len(set(light.values())) == 5 and not set(light.values()) & set(dark.values())
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert fills(page) == dark


def test_parts_and_sides_differ_on_paper_without_colour(windows, spending):
    window = windows(spending.server)
    page = window.page
    for view, shapes in (("report", ".slice"), ("compare", "#compared-title ~ .figure-drawing .length")):
        window.open(VIEWS[view])
        page.emulate_media(media="print")
        greys = {re.findall(r"\d+", text)[0] for text in page.locator(shapes).evaluate_all(_FILLS)}
        assert len(greys) == (2 if view == "report" else 3), greys
        page.emulate_media(media="screen")


# In forced colours


def fills(page) -> dict[str, str]:
    return page.locator("a.region").evaluate_all(
        "all => Object.fromEntries(all.map(link => [link.dataset.code, getComputedStyle(link.firstElementChild).fill]))")


def test_in_forced_colours_pages_are_read_and_walked(windows, spending, view):
    window = windows(spending.server, forced_colors="active")
    window.open(VIEWS[view])
    window.look(f"{view} in forced colours")
    text = window.page.evaluate(_SYSTEM, "CanvasText")
    drawn = window.page.locator("svg.plot text:not(.slice-number)").evaluate_all(_FILLS)
    assert set(drawn) <= {text}


def test_s_nfr2_s_nfr4_in_forced_colours_classes_are_told_apart_and_picked_out(windows, spending):
    window = windows(spending.server, forced_colors="active")
    page = window.page
    window.open(VIEWS["map"])
    text, ground = (page.evaluate(_SYSTEM, name) for name in ("CanvasText", "Canvas"))
    assert text != ground
    shown = fills(page)
    swatches = page.locator(".legend-classes rect").evaluate_all(_FILLS)
    assert len(set(swatches)) == 5 and set(shown.values()) == set(swatches)
    outlines = page.locator("a.region path").evaluate_all("all => all.map(path => getComputedStyle(path).stroke)")
    assert set(outlines) == {text}
    # A class that is picked out says so without colours, and so does the region with the focus.
    button = page.locator(".legend-classes button").first
    window.press(button)
    assert button.evaluate("element => getComputedStyle(element).outlineStyle") == "solid"
    window.look("a class picked out in forced colours")
    window.tab_to(page.locator('a.region[tabindex="0"]'), key="Shift+Tab")
    ring = page.locator("path.ring")
    assert ring.get_attribute("d") and ring.evaluate("path => getComputedStyle(path).stroke") not in (ground, "none")
    window.open("/expenditure?measure=change&year=2024&release=1")
    assert set(fills(page).values()) == {'url("#hatch")'}
    line, behind = (page.locator(f"#hatch {part}").evaluate("part => getComputedStyle(part).fill")
                    for part in (".hatch-line", ".hatch-ground"))  # fmt: skip
    assert (line, behind) == (text, ground)


def test_s_nfr5_in_forced_colours_the_own_value_is_marked(windows, spending):
    window = windows(spending.server, forced_colors="active")
    page = window.page
    window.open(VIEWS["report"])
    bins = page.locator(".bin").evaluate_all(_FILLS)
    assert len(set(bins)) == 2
    expect(page.get_by_role("img", name=window.words(REPORTS).like("histogramSummary")).get_by_text("▲")).to_have_count(1)
    slices = page.locator(".slice")
    assert len(set(slices.evaluate_all(_FILLS))) == slices.count() == 2


_FILLS = "all => all.map(shape => getComputedStyle(shape).fill)"

_OPEN = "() => [...document.querySelectorAll('details')].map(({ open }) => open)"

_SYSTEM = """name => {
  const probe = document.createElement('span');
  probe.style.color = name;
  document.body.append(probe);
  const { color } = getComputedStyle(probe);
  probe.remove();
  return color;
}"""

# Every control that Tab should lead to.
_MARK = """() => {
  window.controls = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex='0']")]
    .filter(element => element.tabIndex >= 0 && !element.disabled && element.checkVisibility({ visibilityProperty: true }));
  return window.controls.length;
}"""

# What has not been reached, and is still there.
_LEFT = """reached => window.controls.filter((element, number) => element.isConnected && !reached.includes(number))
  .map(element => element.outerHTML.slice(0, 120))"""

# What has the focus; null at the end of the page.
_FOCUSED = """() => {
  const element = document.activeElement;
  if (element === document.body) return null;
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return {
    number: window.controls.indexOf(element), html: element.outerHTML.slice(0, 120), place: [left, top, right, bottom],
    hidden: left < -1 || right > innerWidth + 1 || bottom <= 0 || top >= innerHeight,
  };
}"""

# Amounts that are broken in their middle.
_BROKEN_NUMBERS = """() => {
  const found = [];
  const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    for (const { index, 0: number } of node.data.matchAll(/\\d[\\d.,]{3,}\\d/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + number.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) found.push(node.data);
    }
  }
  return found;
}"""

# Texts of drawings that are not all within them.
_CUT = """() => [...document.querySelectorAll('svg.plot text')].filter(text => {
  const { left, right, bottom } = text.getBoundingClientRect(), frame = text.closest('svg').getBoundingClientRect();
  return left < frame.left - 1 || right > frame.right + 1 || bottom > frame.bottom + 4;
}).map(text => text.textContent)"""

# What reaches beyond the edges of the paper. Elements for those who listen are a pixel wide, and shown to nobody.
_BEYOND = """() => [...document.querySelectorAll('main *')]
  .filter(element => element.checkVisibility() && !element.closest('.unseen') && !element.closest('svg svg, svg > *'))
  .filter(element => { const { left, right } = element.getBoundingClientRect(); return left < -1 || right > innerWidth + 1; })
  .slice(0, 3).map(element => element.outerHTML.slice(0, 160))"""
