"""A race while it is run, and at any moment of it (A-R22, A-R23, A-R24, A-R26)."""

from __future__ import annotations

import re
import time

import pytest
from google.protobuf.timestamp_pb2 import Timestamp
from playwright.sync_api import expect
from trackme.protocol import LiveServiceStub, live

from accounts import Accounts
from race_crowd import put_crowd
from race_rows import put_race
from race_runners import Runner, present
from server_process import ServerProcess, wait_until
from streams import PATIENCE_S, metadata

STATUS = {
    number: name for name, number in live.RunnerStatus.items() if name != "RUNNER_STATUS_UNSPECIFIED"
}  # fmt: skip
PAGE_ROWS = 50


def leaderboard(member, race_id: int, **moment) -> live.Leaderboard:
    request = live.GetLeaderboardRequest(race_id=race_id, **moment)
    answer = LiveServiceStub(member.channel).GetLeaderboard(request, metadata=metadata(member.token), timeout=PATIENCE_S)
    return answer.leaderboard


class Board:
    """The leaderboard on a page, as somebody who cannot see it is told of it."""

    def __init__(self, window):
        self.window, self.page = window, window.page
        self.words, self.races = window.words("pages/races/live"), window.words("races")

    @property
    def table(self):
        return self.page.get_by_role("region", name=self.words("board")).get_by_role("table")

    def row(self, runner: str):
        return self.table.get_by_role("row").filter(has=self.page.get_by_role("rowheader", name=runner))

    def told(self) -> list[list[str]]:
        """Rank, number, name, status and distance of each row, out of the accessibility tree."""
        rows = re.split(r"^ *- row .*$", self.table.aria_snapshot(), flags=re.MULTILINE)[2:]
        cells = [re.findall(r'- (?:cell|rowheader) "((?:[^"\\]|\\.)*)"', row) for row in rows]
        return [found[:5] for found in cells]

    def expected(self, rows) -> list[list[str]]:
        """The same of the API's rows."""
        return [[_rank(row), str(row.number), row.name, self.races(STATUS[row.status]), self.reached(row)] for row in rows]

    def reached(self, row) -> str:
        comma = "." if self.window.language == "en" else ","
        if row.status == live.RUNNER_STATUS_FINISHED:
            tenths = row.finish_time_ms // 100
            return f"{tenths // 36_000}:{tenths // 600 % 60:02}:{tenths // 10 % 60:02}{comma}{tenths % 10}"
        if row.distance_m < 1000:
            return f"{int(row.distance_m + 0.5)} m"
        return f"{row.distance_m / 1000:.2f} km".replace(".", comma)


class Frames:
    """What the page's stream brings from now on."""

    def __init__(self, page):
        self.page, self.count = page, 0
        self.session = page.context.new_cdp_session(page)
        self.session.on("Network.dataReceived", lambda _: setattr(self, "count", self.count + 1))
        self.session.send("Network.enable")

    def wait(self, count: int = 2) -> None:
        """Waits until so many more frames have come."""
        wanted, end = self.count + count, time.monotonic() + PATIENCE_S
        while self.count < wanted:
            assert time.monotonic() < end, "no frame has come"
            self.page.wait_for_timeout(20)


def _rank(row) -> str:
    if row.rank == 0:
        return "–"
    return f"{row.rank}" if row.first_rank == row.last_rank else f"{row.rank} ({row.first_rank}–{row.last_rank})"


@pytest.fixture
def race(server, accounts):
    """A race that runs for 60 s more than an hour, with four runners, of whom the last is not there."""
    runners = [Runner(accounts) for _ in range(4)]
    row = put_race(server, accounts.person(), "running", [runner.member for runner in runners])
    present(server, row, [runner.member for runner in runners[:3]])
    row.running = runners
    yield row
    for runner in runners:
        runner.leave()


def test_the_board_moves_as_the_runners_do_and_says_what_the_api_says(window, server, accounts, race):
    """A-R23, A-R24, A-R26: markers, ranks, ages, a disqualification, a finish."""
    first, second, third, _ = race.running
    board, page = Board(window), window.page
    spectator = accounts.person()
    window.sign_in(spectator.credentials, f"/races/{race.race_id}/live")
    expect(board.row("Runner 4")).to_contain_text(board.races("RUNNER_STATUS_ABSENT"))
    expect(page.get_by_text(window.words("parts")("live"))).to_be_visible()
    window.look("nobody seen yet")
    started = race.starts
    first.run(started, 0, 60, speed=4)
    second.run(started, 0, 60, speed=5)
    third.run(started, 0, 60, speed=6)
    expect(board.row("Runner 3")).to_contain_text("360 m")
    window.hears(board.races("leads", name="3 Runner 3"))
    shown = leaderboard(spectator, race.race_id)
    assert board.told() == board.expected(shown.rows)
    # An hour old, and said to be.
    expect(board.row("Runner 3").locator(".stale")).to_be_visible()
    window.look("with old positions")

    race.organizer.ask("Disqualify", race_id=race.race_id, number=3, reason="Took the tram")
    expect(board.row("Runner 3")).to_contain_text(board.races("RUNNER_STATUS_DISQUALIFIED"))
    expect(board.row("Runner 3")).to_have_class(re.compile(r"\bout\b"))
    second.run(started, 61, 230, speed=5, since=305)
    expect(board.row("Runner 2")).to_contain_text(board.races("RUNNER_STATUS_FINISHED"))
    assert board.told() == board.expected(leaderboard(spectator, race.race_id).rows)
    assert [row[1] for row in board.told()] == ["2", "1", "3", "4"]
    # What has happened within ten seconds is said together, in which the machine may stand still; nothing is lost.
    window.hears(
        board.races("disqualified", names="3 Runner 3"), board.races("finish", names="2 Runner 2"),
        board.races("leads", name="2 Runner 2"),
    )  # fmt: skip
    window.look("with a finish and a disqualification")
    window.picture("race")


def test_the_board_goes_on_after_the_server_is_restarted_under_the_page(windows):
    """A-R24: nothing of the race is missed, and nobody stands there twice."""
    server = ServerProcess({"TRACKME_HEARTBEAT_MS": "500"}, has_web=True).start()
    accounts = Accounts(server, seed=1)
    runners = [Runner(accounts) for _ in range(2)]
    try:
        race = put_race(server, accounts.person(), "running", [runner.member for runner in runners])
        present(server, race, [runner.member for runner in runners])
        window = windows(server)
        window.allow("ERR_|Failed to load resource|503")
        spectator = accounts.person()
        window.sign_in(spectator.credentials, f"/races/{race.race_id}/live")
        board, freshness = Board(window), window.words("parts")
        for end in (60, 90):
            for runner, speed in zip(runners, (4, 5)):
                runner.run(race.starts, end - 29, end, speed=speed, since=speed * (end - 30))
            expect(board.row("Runner 2")).to_contain_text(f"{5 * (end - 1)} m", timeout=30_000)
            server.kill()
            expect(window.page.locator("main").get_by_text(freshness.like("stale"))).to_be_visible()
            server.end()
            server.start()
            for runner in runners:
                runner.leave()
        runners[0].run(race.starts, 91, 120, speed=6, since=400)
        expect(board.row("Runner 1")).to_contain_text(re.compile("57[345] m"), timeout=30_000)
        assert board.told() == board.expected(leaderboard(spectator, race.race_id).rows)
        assert [row[1] for row in board.told()] == ["1", "2"]
    finally:
        for runner in runners:
            runner.leave()
        accounts.close()
        server.remove()


def test_somebody_finds_a_runner_and_follows_them_with_the_keyboard_alone(window, server, accounts, race):
    board, page = Board(window), window.page
    race.running[0].run(race.starts, 0, 60, speed=4)
    window.sign_in(accounts.person().credentials, f"/races/{race.race_id}/live")
    find = page.get_by_label(board.words("find"), exact=True)
    window.type_into(find, "runner 1")
    expect(board.table.get_by_role("row")).to_have_count(2)
    window.type_into(find, "99")
    expect(page.get_by_text(board.words("noneFound"))).to_be_visible()
    window.look("nobody found")
    window.type_into(find, "1")
    follow = page.get_by_role("button", name=board.words("followRunner", number="1", name="Runner 1"))
    window.press(follow)
    card = page.get_by_role("region", name=board.words("followed"))
    expect(card).to_contain_text("240 m")
    expect(follow).to_have_attribute("aria-pressed", "true")
    expect(follow).to_be_focused()
    page.wait_for_url(re.compile(r"/live\?follow=1&find=1$"))
    window.look("with somebody followed")
    # A place on the page, such as the one that the skip link leads to, does not draw it anew.
    button, frames = follow.element_handle(), Frames(page)
    page.evaluate("location.hash = 'main'")
    frames.wait()
    assert button.evaluate("element => element.isConnected")
    race.running[0].run(race.starts, 61, 90, speed=4, since=244)
    expect(card).to_contain_text("360 m")
    # The address brings it back, and Tab goes on from where it was.
    page.reload()
    expect(card).to_contain_text("360 m")
    expect(find).to_have_value("1")
    window.press(card.get_by_role("button", name=board.words("stopFollowing")))
    expect(card).to_be_hidden()
    expect(find).to_be_focused()


def test_what_moves_can_be_paused(window, server, accounts, race):
    board, page = Board(window), window.page
    race.running[0].run(race.starts, 0, 60, speed=4)
    window.sign_in(accounts.person().credentials, f"/races/{race.race_id}/live")
    expect(board.row("Runner 1")).to_contain_text("240 m")
    window.press(page.get_by_role("button", name=board.words("pause")))
    expect(page.get_by_text(board.words.like("paused"))).to_be_visible()
    window.look("paused")
    before, frames = board.told(), Frames(page)
    race.running[0].run(race.starts, 61, 120, speed=4, since=244)
    other = accounts.person()
    wait_until(lambda: leaderboard(other, race.race_id).rows[0].distance_m > 470, what="the runner's way")
    frames.wait()
    assert board.told() == before
    window.press(page.get_by_role("button", name=board.words("resume")))
    expect(board.row("Runner 1")).to_contain_text("480 m")


@pytest.mark.long
def test_any_moment_of_the_race_is_shown_again_with_the_keyboard_alone(window, server, accounts, race):
    """A-R23: the board of a moment is the API's of that time, and its address brings it back."""
    first, second, *_ = race.running
    first.run(race.starts, 0, 200, speed=4)
    second.run(race.starts, 0, 60, speed=5)
    second.run(race.starts, 61, 200, speed=2, since=305)
    board, page, spectator = Board(window), window.page, accounts.person()
    window.sign_in(spectator.credentials, f"/races/{race.race_id}/live")
    expect(board.row("Runner 1")).to_contain_text("800 m")
    slider = page.get_by_role("slider", name=board.words("moment"))
    window.press(slider, "Home")
    expect(page.get_by_role("main").get_by_text(board.words.like("shown"))).to_be_visible()
    # The page counts milliseconds: the position of the very second may be behind the moment.
    a_minute = re.compile("(295|300) m")
    later = page.get_by_role("button", name=board.words("later"))
    window.press(later)
    expect(slider).to_have_value("60")
    expect(board.row("Runner 2")).to_contain_text(a_minute)
    page.wait_for_url(re.compile(r"/live\?at="))
    shown = leaderboard(spectator, race.race_id, time=_moment(race.starts + 60))
    assert board.told() == board.expected(shown.rows)
    assert [row[1] for row in board.told()[:2]] == ["2", "1"]
    window.look("a minute after the start")
    page.reload()
    expect(board.row("Runner 2")).to_contain_text(a_minute)
    window.press(page.get_by_role("button", name=board.words("play")))
    expect(board.row("Runner 1")).to_contain_text(re.compile("(356|360) m"))
    window.press(page.get_by_role("button", name=board.words("stop")))
    window.press(page.get_by_role("button", name=board.words("toNow")))
    expect(page.get_by_text(window.words("parts")("live"))).to_be_visible()
    expect(board.row("Runner 1")).to_contain_text("800 m")
    # Somebody who moves the slider is not disturbed by what comes meanwhile.
    frames = Frames(page)
    slider.evaluate("element => { element.value = 100; element.dispatchEvent(new Event('input')); }")
    first.run(race.starts, 201, 210, speed=4, since=804)
    expect(board.row("Runner 1")).to_contain_text("840 m")
    frames.wait()
    expect(slider).to_have_value("100")


@pytest.mark.long
def test_the_focus_stays_with_its_runner_when_others_pass(window, server, accounts, race):
    first, second, *_ = race.running
    first.run(race.starts, 0, 60, speed=4)
    second.run(race.starts, 0, 60, speed=3)
    board, page = Board(window), window.page
    window.sign_in(accounts.person().credentials, f"/races/{race.race_id}/live")
    expect(board.row("Runner 1")).to_contain_text("240 m")
    leading, passing = (
        page.get_by_role("button", name=board.words("followRunner", number=str(number), name=f"Runner {number}"))
        for number in (1, 2)
    )  # fmt: skip
    for focused, runner, since in ((leading, second, 183), (leading, first, 244)):
        window.tab_to(focused)
        before = [row[1] for row in board.told()[:2]]
        runner.run(race.starts, 61, 110, speed=4 if runner is second else 6, since=since)
        expect(board.table.get_by_role("row").nth(1)).to_contain_text(f"Runner {before[1]}")
        expect(focused).to_be_focused()
    expect(passing).to_be_visible()


@pytest.mark.long
def test_a_race_that_may_not_be_seen_any_more_leaves_the_page(window, server, accounts, race):
    """What an administrator disables is shown no more, not even what has been loaded."""
    race.running[0].run(race.starts, 0, 60, speed=4)
    board, page = Board(window), window.page
    window.sign_in(accounts.person().credentials, f"/races/{race.race_id}/live?follow=1")
    expect(board.row("Runner 1")).to_contain_text("240 m")
    window.allow("404 ")
    accounts.administrator.ask("DisableRace", race_id=race.race_id, reason="A complaint")
    expect(page.get_by_role("rowheader")).to_have_count(0)
    expect(page.get_by_role("region", name=board.words("followed"))).to_be_hidden()
    expect(page.get_by_text(window.words("errors/reasons")("NO_RACE")).first).to_be_visible()
    window.look("not to be seen")


def _moment(seconds: float):
    made = Timestamp()
    made.FromMicroseconds(int(seconds * 1000) * 1000)
    return made


@pytest.mark.long
def test_before_the_deadline_the_board_is_empty_and_after_it_all_stand_at_the_start(window, server, accounts):
    runner = accounts.person()
    board, page = Board(window), window.page
    early = put_race(server, accounts.person(), "open", [runner])
    window.sign_in(accounts.person().credentials, f"/races/{early.race_id}/live")
    expect(page.get_by_text(board.words("empty"))).to_be_visible()
    window.look("before the deadline")
    closed = put_race(server, accounts.person(), "closed", [runner])
    window.open(f"/races/{closed.race_id}/live")
    expect(board.row("Runner 1")).to_contain_text(board.races("RUNNER_STATUS_ENROLLED"))
    expect(page.get_by_text(board.words.like("toStart"))).to_be_visible()


@pytest.mark.long
def test_a_race_that_is_over_shows_its_final_state(window, server, accounts):
    runner = Runner(accounts)
    race = put_race(server, accounts.person(), "running", [runner.member])
    present(server, race, [runner.member])
    runner.run(race.starts, 0, 250, speed=5)
    runner.leave()
    race.organizer.ask("FinishRace", race_id=race.race_id)
    board, page = Board(window), window.page
    window.sign_in(accounts.person().credentials, f"/races/{race.race_id}/live")
    expect(page.get_by_text(board.words("over"))).to_be_visible()
    expect(board.row("Runner 1")).to_contain_text(board.races("RUNNER_STATUS_FINISHED"))
    window.look("over")
    window.press(page.get_by_role("link", name=board.words("results")))
    window.heading(window.words("pages/races/results").like("title"))


@pytest.mark.long
def test_five_thousand_runners_come_a_page_at_a_time(window, server, accounts):
    """Every row can be reached with the keyboard, and each page says what the API says."""
    race = put_crowd(server, accounts.person(), 5_000)
    spectator = accounts.person()
    board, page = Board(window), window.page
    window.sign_in(spectator.credentials, f"/races/{race.race_id}/live")
    # From the moment on at which the server has read that they are present.
    expect(board.table.get_by_role("row", name=board.races("RUNNER_STATUS_NOT_SEEN"))).to_have_count(PAGE_ROWS)
    rows = leaderboard(spectator, race.race_id).rows
    assert len(rows) == 5_000 and {row.status for row in rows} == {live.RUNNER_STATUS_NOT_SEEN}
    assert board.told() == board.expected(rows[:PAGE_ROWS])
    pager = page.get_by_role("navigation", name=board.words("pages"))
    window.press(pager.get_by_role("button", name=board.words("next")))
    expect(board.table).to_have_accessible_name(re.compile("51"))
    assert board.told() == board.expected(rows[PAGE_ROWS : 2 * PAGE_ROWS])
    window.press(pager.get_by_role("button", name=board.words("last")))
    assert board.told() == board.expected(rows[-PAGE_ROWS:])
    page.wait_for_url(re.compile(r"/live\?page=100$"))
    window.look("the last of a hundred pages")
    page.reload()
    expect(board.row("Runner 5000")).to_be_visible()


def test_what_others_have_typed_is_shown_as_text(window, server, accounts):
    """Names of runners, on the board and in the results, and the reason of a disqualification."""
    hostile = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    race = put_race(server, accounts.person(), "running", [accounts.person()], name=hostile)
    server.sql("UPDATE race_enrolment SET runner_name = %s WHERE race = %s", (hostile, race.race_id))
    # The server may have read the race in between.
    server.sql("UPDATE race SET changed_in = pg_current_xact_id() WHERE id = %s", (race.race_id,))
    page = window.page
    window.sign_in(accounts.person().credentials, f"/races/{race.race_id}/live?follow=1")
    expect(page.get_by_role("rowheader")).to_have_text(hostile)
    expect(page.get_by_role("heading", name=f"1 {hostile}")).to_be_visible()
    race.organizer.ask("Disqualify", race_id=race.race_id, number=1, reason=hostile)
    expect(page.locator("#live")).to_contain_text(hostile)
    race.organizer.ask("FinishRace", race_id=race.race_id)
    window.open(f"/races/{race.race_id}/results")
    window.heading(window.words("pages/races/results")("title", race=hostile))
    expect(page.get_by_role("cell", name=hostile)).to_be_visible()
    assert page.locator("img, main script").count() == 0
