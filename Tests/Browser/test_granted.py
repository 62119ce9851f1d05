"""What a person has granted to a third party, in a browser: live, as a file, and gone when it ends (A-R7, A-R11, A-G4)."""

from __future__ import annotations

import csv
import random
import re
import time

import pytest
from playwright.sync_api import expect

from trackme.protocol import readings

import seeds
from accounts import Accounts, whole
from recorded import push
from server_process import ServerProcess, wait_until
from stalls import since

pytestmark = pytest.mark.strict

RESTARTS = 3
"""How often the server is killed under open pages, as `Restarts.run` plans it; with `--every-look` 20 times, at random."""
STREAMS = re.compile("/(Subscribe|WatchAccessRequests)$")
RECONNECTED_MS = 40_000
"""Pauses before a page tries again grow to half a minute."""
WITHIN_S = 1
"""So long may something stay on screen after its grant has ended."""


@pytest.fixture
def doctor(accounts):
    return accounts.third_party()


class Granted:
    """A window before the readings of one grant."""

    def __init__(self, window, number: int, is_followed: bool = True):
        self.window, self.page, self.number, self.is_followed = window, window.page, number, is_followed
        self.words = window.words("pages/granted")

    def rows(self):
        """The rows of readings on screen; those that are covered are not among them."""
        return self.page.locator("tbody").get_by_role("row")

    def is_live(self) -> None:
        if self.is_followed:
            line = self.page.get_by_role("main").get_by_text(self.window.words("parts")("live"))
            expect(line).to_be_visible(timeout=RECONNECTED_MS)
        # A page that does not follow shows what there was; it follows the grant alone.
        counted = self.words("count", count=r"[\d.,]+")
        expect(self.page.get_by_text(re.compile(f"^{counted}$"))).to_be_visible(timeout=RECONNECTED_MS)

    def values(self) -> list[int]:
        """What is on screen, the newest first. The table begins with some rows, and has more by a button."""
        more = self.page.get_by_role("button", name=self.window.words("charts")("more"), exact=True)
        while more.is_visible():
            more.click()
        return [int(text.split()[0]) for text in self.rows().locator(".value").all_inner_texts()]

    def watch(self) -> None:
        """Begins to keep every value that is ever in the page, covered or not, and whether any was to be seen."""
        self.page.evaluate(_WATCH)

    def was_uncovered(self) -> bool:
        """Whether anything was to be seen, if only for a moment, since it was asked last."""
        return self.page.evaluate("() => { const was = window.wasUncovered; window.wasUncovered = false; return was; }")

    def seen(self) -> set[int]:
        return {int(text.split()[0]) for text in self.page.evaluate("() => [...window.seenValues]")}


# What a page adds to itself is looked at before anything else can happen in it.
_WATCH = """() => {
  window.seenValues = new Set();
  window.wasUncovered = false;
  new MutationObserver(() => {
    for (const cell of document.querySelectorAll("tbody .value")) {
      window.seenValues.add(cell.textContent);
      window.wasUncovered ||= cell.offsetParent !== null;
    }
  }).observe(document.body, { attributes: true, childList: true, subtree: true, characterData: true });
}"""


def test_granted_readings_are_seen_followed_and_looked_at_by_keyboard_alone(window, accounts, doctor):
    person = accounts.person()
    grant = doctor.granted(person, whole(metrics=("heart_rate", "body_temperature", "position")))
    push(person, "heart_rate", 61, 62, 63, end_s=time.time() - 600)
    push(person, "body_temperature", 36.6, end_s=time.time() - 600)
    view = Granted(window, grant)
    page, metrics = window.page, window.words("metrics")
    window.sign_in(doctor.credentials, f"/asked/{grant}")
    window.press(page.get_by_role("link", name=window.words("pages/asked")("look")))
    window.heading(view.words("title", number=str(grant)))
    expect(view.rows()).to_have_count(3)
    assert view.values() == [63, 62, 61]
    expect(page.get_by_role("heading", level=2, name=metrics("heart_rate"))).to_be_visible()
    window.look("readings, not live")
    # Without a subscription nothing new comes, and the page says so.
    push(person, "heart_rate", 99, end_s=time.time() - 300)
    expect(page.get_by_text(view.words("notLive"))).to_be_visible()
    window.press(page.get_by_role("button", name=view.words("follow")))
    expect(page.get_by_text(view.words("notLive"))).to_have_count(0)
    expect(view.rows()).to_have_count(4)
    push(person, "heart_rate", 64)
    expect(view.rows()).to_have_count(5)
    assert view.values() == [64, 99, 63, 62, 61]
    (subscription,) = doctor.ask("ListSubscriptions").subscriptions
    assert subscription.access_request_id == grant and len(subscription.metrics) == 3
    view.is_live()
    window.look("live")
    window.press(page.get_by_role("link", name=metrics("body_temperature")))
    expect(view.rows()).to_have_count(1)
    expect(view.rows()).to_contain_text("36" + ("," if window.language == "it" else ".") + "6")
    window.press(page.get_by_role("link", name=view.words("hours")))
    expect(page.get_by_role("link", name=view.words("hours"))).to_have_attribute("aria-current", "true")
    assert page.url.endswith(f"/granted/{grant}?metric=body_temperature&period=hours")
    page.reload()
    expect(view.rows()).to_have_count(1)
    window.press(page.get_by_role("link", name=view.words("earlier")))
    expect(page.get_by_text(view.words("none"))).to_be_visible()
    window.ready()
    window.look("nothing in the interval")
    window.press(page.get_by_role("link", name=view.words("now"), exact=True))
    expect(view.rows()).to_have_count(1)
    window.press(page.get_by_role("link", name=metrics("position")))
    expect(page.get_by_text(view.words("none"))).to_be_visible()
    expect(page.locator("svg")).to_have_count(0)


def test_what_was_granted_is_loaded_as_a_file(window, accounts, doctor):
    person = accounts.person()
    push(person, "heart_rate", 71, 72, end_s=time.time() - 600)
    push(person, "body_temperature", 36.6, end_s=time.time() - 600)
    hostile = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    at_us = round((time.time() - 300) * 1e6)
    reading = readings.Reading(person_id=person.account_id, metric="heart_rate", time_us=at_us, scalar=73, source=hostile)
    assert person.device().record([reading]).accepted == 1
    grant = doctor.granted(person)
    view = Granted(window, grant)
    window.sign_in(doctor.credentials, f"/granted/{grant}")
    expect(view.rows()).to_have_count(3)
    # What a person's device calls itself is text here, also as the name of a line.
    expect(view.rows().first).to_contain_text(hostile)
    expect(window.page.get_by_role("listitem").filter(has_text=hostile)).to_be_visible()
    for name, kind in (("shownCSV", "csv"), ("allCSV", "csv"), ("allFHIR", "ndjson")):
        with window.page.expect_download() as loading:
            window.press(window.page.get_by_role("link", name=view.words(name)))
        file = loading.value
        assert file.suggested_filename == f"trackme-readings-grant-{grant}.{kind}"
        if kind == "csv":
            with open(file.path(), newline="") as lines:
                values = [(row["metric"], float(row["value"])) for row in csv.DictReader(lines)]
            assert values == [("heart_rate", 71), ("heart_rate", 72), ("heart_rate", 73)]


@pytest.mark.parametrize("is_followed", [True, False], ids=["followed", "not followed"])
def test_when_the_grant_ends_its_readings_leave_the_screen_within_a_second(window, accounts, doctor, is_followed):
    """A: a person can withdraw a grant at any time, and it works at once."""
    person = accounts.person()
    push(person, "heart_rate", 71, 72, 73)
    grant = doctor.granted(person)
    if is_followed:
        doctor.subscription(grant)
    view = Granted(window, grant, is_followed)
    window.sign_in(doctor.credentials, f"/granted/{grant}")
    expect(view.rows()).to_have_count(3)
    view.is_live()
    person.ask("RevokeAccess", access_request_id=grant)
    revoked = time.monotonic()
    expect(view.rows()).to_have_count(0)
    expect(window.page.get_by_role("main").get_by_text(view.words("over"))).to_be_visible()
    assert since(revoked) < WITHIN_S
    for what in ("table", "svg", "a[download]"):
        expect(window.page.locator(what)).to_have_count(0)
    expect(window.page.get_by_role("status")).to_contain_text(view.words("over"))
    window.look("ended")
    window.page.reload()
    expect(window.page.get_by_text(view.words("notGranted"))).to_be_visible()
    window.look("not granted")


@pytest.mark.timeout(900)
@pytest.mark.long
def test_restarts_leave_no_gap_and_show_nothing_twice_and_nothing_from_behind_a_revocation(windows, request):
    """Readings are covered while nobody can tell whether their grant stands, and come back with the connection."""
    restarts = 20 if request.config.getoption("--every-look") else RESTARTS
    server = ServerProcess({"TRACKME_HEARTBEAT_MS": "500"}, has_web=True).start()
    accounts = Accounts(server)
    try:
        person, doctor = accounts.person(), accounts.third_party()
        pages = [Granted(windows(server), 0, is_followed) for is_followed in (True, True, False)]
        for view in pages:
            # Chromium says in the console that connections break.
            view.window.allow("ERR_|Failed to load resource")
            view.window.sign_in(doctor.credentials)
        Restarts(server, person, doctor, pages).run(restarts, seeds.rng("restarts"))
    finally:
        accounts.close()
        server.remove()


class Restarts:
    """Kills the server again and again under open pages, and ends grants at random moments beside it."""

    def __init__(self, server: ServerProcess, person, doctor, pages: list[Granted]):
        self.server, self.person, self.doctor, self.pages = server, person, doctor, pages
        # Values are those of the counter, so that rows are told apart by them.
        self.pushed: list[int] = []
        self.start_s = int(time.time()) - 1_800
        self.record(2)
        for view in pages:
            self.begin(view)

    def begin(self, view: Granted) -> None:
        """Shows a new grant, which is of all that was pushed before too."""
        view.number = self.doctor.granted(self.person)
        if view.is_followed:
            self.doctor.subscription(view.number)
        view.window.open(f"/granted/{view.number}")
        view.watch()

    def record(self, count: int) -> None:
        for _ in range(count):
            value = 30 + len(self.pushed)
            push(self.person, "heart_rate", value, end_s=self.start_s + value)
            self.pushed.append(value)

    def all_is_shown_once(self) -> None:
        for view in self.pages:
            view.is_live()
            expect(view.rows()).not_to_have_count(0)
            if view.is_followed:
                wait_until(lambda: view.values() == self.pushed[::-1], what=f"{self.pushed} on screen")

    def revoke(self, view: Granted) -> None:
        self.person.ask("RevokeAccess", access_request_id=view.number)

    def is_gone(self, view: Granted) -> None:
        asked = time.monotonic()
        expect(view.rows()).to_have_count(0)
        assert since(asked) < WITHIN_S

    def is_over(self, view: Granted) -> None:
        """What is recorded from now on never reaches it."""
        before = set(self.pushed)
        self.record(2)
        expect(view.page.get_by_role("main").get_by_text(view.words("over"))).to_be_visible(timeout=RECONNECTED_MS)
        self.is_gone(view)
        assert view.seen() <= before

    def restart(self, ending: Granted | None, moment: str) -> None:
        if ending and moment == "as it is killed":
            self.revoke(ending)
        if ending and moment == "while it is away":
            ending.page.route(STREAMS, lambda route: route.abort())
        self.server.kill()
        for view in self.pages:
            self.is_gone(view)
            if view is not ending:
                expect(view.page.get_by_text(view.window.words("sharing")("covered"))).to_be_visible()
            view.was_uncovered()
        self.server.start()
        self.person.log_in()
        self.doctor.log_in()
        if not ending:
            return
        if moment == "when it is live":
            ending.is_live()
        if moment != "as it is killed":
            self.revoke(ending)
        if moment == "while it is away":
            ending.page.unroute(STREAMS)
        self.is_gone(ending)
        self.is_over(ending)
        if moment in ("as it is killed", "while it is away"):
            assert not ending.was_uncovered(), "it was over before the page was connected again"
        self.begin(ending)

    def run(self, restarts: int, rng: random.Random) -> None:
        moments = ["as it is killed", "while it is away", "at once", "when it is live"]
        plan = [(self.pages[0], rng.choice(moments)), (self.pages[2], "while it is away"), (None, "")]
        rng.shuffle(plan)
        plan += [(rng.choice([*self.pages, None]), rng.choice(moments)) for _ in range(restarts - len(plan))]
        for ending, moment in plan:
            self.record(2)
            self.all_is_shown_once()
            self.restart(ending, moment)
        self.record(2)
        self.all_is_shown_once()
        for view in self.pages:
            if view.is_followed:
                assert view.seen() == set(self.pushed)
