"""Measures in Chromium what the pages cost a browser: make measure-pages.

Prints a line for each figure, with the goal where there is one, and ends with status 1 where a goal is missed:

- what a page weighs as it is loaded by a browser without anything of the site;
- how long it is from going to a race of 5,000 runners to the first row of its board, and from going to the map of health
  expenditure to its regions in their colours;
- how long the main thread works on each frame of the stream while 5,000 markers move;
- the memory of the page's scripts over minutes of that, after each collection of garbage.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import threading
import time
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "EndToEnd"), str(Path(__file__).parents[1])]

from accounts import Accounts, Member  # noqa: E402
from expenditure_files import import_files, publish, shipped  # noqa: E402
from race_crowd import put_crowd  # noqa: E402
from race_rows import RaceRow  # noqa: E402
from race_runners import COURSE_M  # noqa: E402
from server_process import ServerProcess  # noqa: E402
from streams import Push, fresh_client, positions  # noqa: E402

WEIGHTS_KB = {"/sign-in": 60, "/status": 120, "/races": 60, "/races/{race}": 160, "/races/{race}/live": 160, "/expenditure": 100}
FIRST_ROW_MS, FIRST_MAP_MS, FRAME_MS = 1_000, 1_000, 50
TASKS = ("RunTask", "ThreadControllerImpl::RunTask")
BETWEEN_FRAMES_MS = 300
"""Frames of the stream come once a second."""
CLOCK_MS = 5
"""What takes less is a clock that ticks, and no frame."""
FLAT = 1.2
"""Memory at the end, compared with that after the first minute."""


class Figures:
    """What was measured, and whether every goal was reached."""

    def __init__(self):
        self.all: dict[str, float] = {}
        self.is_good = True

    def add(self, name: str, value: float, goal: float | None = None) -> None:
        self.all[name] = round(value, 2)
        missed = goal is not None and value > goal
        self.is_good &= not missed
        told = "" if goal is None else f"  (at most {goal:g}{': MISSED' if missed else ''})"
        print(f"{name:<44} {value:10.2f}{told}", flush=True)


@dataclass
class Burst:
    """Tasks of the main thread that follow each other: what one frame of the stream makes."""

    begin_ms: float
    passed_ms: float
    """By the clock, from the first one's beginning to the last one's end."""
    work_ms: float
    """Of the processor: other programs of the machine take none of it."""


def p95(values: list[float]) -> float:
    return sorted(values)[min(len(values) - 1, int(len(values) * 0.95))]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runners", type=int, default=5_000)
    parser.add_argument("--visits", type=int, default=20, help="to the board")
    parser.add_argument("--minutes", type=float, default=10, help="of markers that move")
    parser.add_argument("--json", action="store_true", help="all figures once more, as one object, in the last line")
    options = parser.parse_args()
    figures = Figures()
    server = ServerProcess(has_web=True).start()
    accounts = Accounts(server)
    try:
        with sync_playwright() as playwright:
            chromium = playwright.chromium.launch(
                executable_path="/usr/bin/chromium-headless-shell", chromium_sandbox=os.geteuid() != 0,
                args=["--enable-precise-memory-info", "--js-flags=--expose-gc"],
            )  # fmt: skip
            spectator = accounts.person()
            race = put_crowd(server, accounts.person(), options.runners)
            publish(accounts.administrator, import_files(accounts.administrator, shipped()))
            runners = Runners(server, race)
            try:
                weigh(chromium, server, spectator, race, figures)
                visit(chromium, server, spectator, race, options.visits, figures)
                visit_map(chromium, server, options.visits, figures)
                watch(chromium, server, spectator, race, options, runners, figures)
            finally:
                runners.stop()
                chromium.close()
    finally:
        accounts.close()
        server.remove()
    if options.json:
        print(json.dumps(figures.all))
    return 0 if figures.is_good else 1


class Runners(threading.Thread):
    """Everybody in a crowd runs: a position of each, every second, by the operator's token."""

    def __init__(self, server: ServerProcess, race: RaceRow):
        super().__init__(daemon=True)
        self.race, self.channel = race, server.open_channel()
        self.push = Push(self.channel, server.operator_token, fresh_client())
        self.ended = threading.Event()
        self.began = time.time()

    def run(self) -> None:
        sequence = 0
        while not self.ended.wait(max(0.0, self.began + sequence - time.time())):
            sequence += 1
            self.push.commit(sequence, self.columns(time.time()))

    def columns(self, now: float):
        elapsed = now - self.began
        rows = []
        for index, person in enumerate(self.race.crowd):
            # Within twenty minutes nobody arrives; each has a pace of their own.
            metres = elapsed * (0.4 + 0.4 * (index % 97) / 97)
            rows.append((int(now * 1e6), 45.47 + 0.01 * metres / COURSE_M, 9.17, 4.0))
        made = positions(0, rows)
        del made.positions.person_id[:]
        made.positions.person_id.extend(self.race.crowd)
        return made

    def stop(self) -> None:
        self.ended.set()
        if self.is_alive():
            self.join(10)
        self.push.cancel()
        self.channel.close()


def new_context(chromium: Browser) -> BrowserContext:
    return chromium.new_context(locale="en-GB", viewport={"width": 1280, "height": 800})


def sign_in(page: Page, origin: str, member: Member) -> None:
    page.goto(f"{origin}/sign-in")
    page.get_by_label("Username or e-mail address").fill(member.credentials.username)
    page.get_by_label("Password").fill(member.credentials.password)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{origin}/")


def first_row(page: Page):
    return page.locator(".board tbody tr").first


def weigh(chromium: Browser, server: ServerProcess, member: Member, race: RaceRow, figures: Figures) -> None:
    """What each page loads but for the answers of the API, as it comes over the wire, without headers."""
    origin = f"http://127.0.0.1:{server.web_port}"
    for address, goal in WEIGHTS_KB.items():
        with_session = new_context(chromium)
        sign_in(with_session.new_page(), origin, member)
        # The cookies, and nothing that was loaded with them.
        context = new_context(chromium)
        context.add_cookies(with_session.cookies())
        page, loaded = context.new_page(), []
        page.on("requestfinished", lambda request: loaded.append(request))
        page.goto(origin + address.replace("{race}", str(race.race_id)))
        expect(page.locator("main:not([aria-busy]) h1")).to_be_visible()
        page.wait_for_load_state("load")
        own = [request for request in loaded if "/trackme." not in request.url and "/map/" not in request.url]
        figures.add(f"weight_kb {address}", sum(request.sizes()["responseBodySize"] for request in own) / 1024, goal)
        context.close()
        with_session.close()


def visit(
    chromium: Browser, server: ServerProcess, member: Member, race: RaceRow, visits: int, figures: Figures
) -> None:
    """From going to the board to its first row, by somebody who has seen pages of the site before."""
    origin = f"http://127.0.0.1:{server.web_port}"
    context = new_context(chromium)
    page = context.new_page()
    sign_in(page, origin, member)
    note_first(page, ".board tbody tr")
    times = []
    for _ in range(visits + 1):
        page.goto(f"{origin}/races/{race.race_id}/live")
        expect(first_row(page)).to_be_visible(timeout=30_000)
        times.append(page.evaluate("window.firstMs"))
    # The first one has the server make the board.
    times = times[1:]
    figures.add("first_row_ms_p50", statistics.median(times))
    figures.add("first_row_ms_p95", p95(times), FIRST_ROW_MS)
    context.close()


def note_first(page: Page, selector: str) -> None:
    """Has each page note in window.firstMs when it first has an element."""
    page.add_init_script("""
        new MutationObserver((_, observer) => {
          if (!document.querySelector(SELECTOR)) return;
          window.firstMs = performance.now();
          observer.disconnect();
        }).observe(document, { childList: true, subtree: true, attributes: true });
    """.replace("SELECTOR", json.dumps(selector)))


def visit_map(chromium: Browser, server: ServerProcess, visits: int, figures: Figures) -> None:
    """From going to the map of health expenditure to its regions, by somebody without an account and with nothing kept."""
    times = []
    for _ in range(visits):
        context = new_context(chromium)
        page = context.new_page()
        note_first(page, "a.region[href]")
        page.goto(f"http://127.0.0.1:{server.web_port}/expenditure")
        expect(page.locator("a.region[href]")).to_have_count(21, timeout=30_000)
        times.append(page.evaluate("window.firstMs"))
        context.close()
    figures.add("first_map_ms_p50", statistics.median(times))
    figures.add("first_map_ms_p95", p95(times), FIRST_MAP_MS)


def watch(
    chromium: Browser, server: ServerProcess, member: Member, race: RaceRow, options, runners: Runners, figures: Figures
) -> None:
    """The main thread and its memory while everybody runs."""
    origin = f"http://127.0.0.1:{server.web_port}"
    context = new_context(chromium)
    page = context.new_page()
    sign_in(page, origin, member)
    page.goto(f"{origin}/races/{race.race_id}/live")
    expect(first_row(page)).to_be_visible(timeout=30_000)
    runners.start()
    expect(page.get_by_role("row", name="Running")).to_have_count(50, timeout=60_000)
    session = context.new_cdp_session(page)
    session.send("HeapProfiler.enable")
    tracer = Tracer(session, page)
    busy: list[Burst] = []
    memory: list[float] = []
    end = time.monotonic() + 60 * options.minutes
    while time.monotonic() < end or not busy:
        busy += tracer.bursts(min(20.0, 60 * options.minutes))
        session.send("HeapProfiler.collectGarbage")
        memory.append(page.evaluate("performance.memory.usedJSHeapSize") / 1024 / 1024)
    work = [burst.work_ms for burst in busy]
    figures.add("frames", len(busy))
    figures.add("main_thread_ms_per_frame_p50", statistics.median(work))
    figures.add("main_thread_ms_per_frame_p95", p95(work), FRAME_MS)
    figures.add("main_thread_ms_per_frame_max", max(work))
    begin = memory[min(3, len(memory) - 1)]
    figures.add("memory_mib_after_a_minute", begin)
    figures.add("memory_mib_at_the_end", memory[-1], round(begin * FLAT + 1, 2))
    context.close()


class Tracer:
    """The tasks of a page's main thread, out of Chromium's own trace."""

    def __init__(self, session, page: Page):
        self.session, self.page = session, page
        self.events: list[dict] = []
        self.is_complete = False
        session.on("Tracing.dataCollected", lambda found: self.events.extend(found["value"]))
        session.on("Tracing.tracingComplete", lambda _: setattr(self, "is_complete", True))

    def bursts(self, seconds: float) -> list[Burst]:
        """What the main thread does with each frame of the stream: reading it, ordering the board, drawing rows, laying them
        out, and drawing the map."""
        self.events, self.is_complete = [], False
        self.session.send("Tracing.start", {"traceConfig": {"includedCategories": ["toplevel", "devtools.timeline"]}})
        self.page.wait_for_timeout(seconds * 1000)
        self.session.send("Tracing.end")
        while not self.is_complete:
            self.page.wait_for_timeout(20)
        called = [(event["pid"], event["tid"]) for event in self.events if event.get("name") == "FunctionCall"]
        if not called:
            return []
        main = max(set(called), key=called.count)
        tasks = sorted(
            (Burst(event["ts"] / 1000, event.get("dur", 0) / 1000, event.get("tdur", event.get("dur", 0)) / 1000)
             for event in self.events
             if (event["pid"], event["tid"]) == main and event.get("name") in TASKS),
            key=lambda task: task.begin_ms,
        )  # fmt: skip
        found: list[Burst] = []
        for task in tasks:
            if found and task.begin_ms - found[-1].begin_ms - found[-1].passed_ms < BETWEEN_FRAMES_MS:
                last = found.pop()
                end_ms = max(task.begin_ms + task.passed_ms, last.begin_ms + last.passed_ms)
                task = Burst(last.begin_ms, end_ms - last.begin_ms, last.work_ms + task.work_ms)
            found.append(task)
        return [burst for burst in found if burst.work_ms > CLOCK_MS]


if __name__ == "__main__":
    sys.exit(main())
