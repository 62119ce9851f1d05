"""The results of a race that is over (A-R18, A-R23, A-R26)."""

from __future__ import annotations

import re

import pytest
from google.protobuf.duration_pb2 import Duration
from playwright.sync_api import expect

from race_crowd import put_crowd
from race_rows import put_race
from race_runners import Runner, present


@pytest.fixture
def race(server, accounts):
    """A race that three have run: one came in, one was given a time, one was disqualified."""
    runners = [Runner(accounts) for _ in range(3)]
    row = put_race(server, accounts.person(), "running", [runner.member for runner in runners])
    present(server, row, [runner.member for runner in runners])
    runners[0].run(row.starts, 0, 250, speed=5)
    runners[2].run(row.starts, 0, 250, speed=5)
    for runner in runners:
        runner.leave()
    organizer = row.organizer
    organizer.ask("Disqualify", race_id=row.race_id, number=3, reason="Took the tram")
    organizer.ask(
        "CorrectResult", race_id=row.race_id, number=2, finish_time=Duration(seconds=200), reason="The watch had stopped"
    )
    organizer.ask("FinishRace", race_id=row.race_id)
    return row


def test_results_have_the_own_row_and_every_decision(window, server, race):
    words, races, page = window.words("pages/races/results"), window.words("races"), window.page
    comma = "." if window.language == "en" else ","
    window.sign_in(race.runners[2].credentials, f"/races/{race.race_id}/results")
    results = page.get_by_role("table", name=words("caption"), exact=True)
    rows = results.get_by_role("row")
    expect(rows).to_have_count(4)
    first = rows.nth(1)
    expect(first).to_contain_text(f"Runner 2 ({words('mine')})")
    expect(first).to_contain_text(f"0:03:20{comma}0 ({words('corrected')})")
    expect(first.locator(".chosen")).to_be_visible()
    expect(page.get_by_text(words("yours", rank="1", time=f"0:03:20{comma}0"))).to_be_visible()
    expect(rows.nth(2)).to_contain_text(re.compile("Runner 1.*Arena 0:01:5"))
    expect(rows.nth(3)).to_contain_text(races("RUNNER_STATUS_DISQUALIFIED"))
    expect(rows.nth(3).locator(".out")).to_be_visible()
    changes = page.get_by_role("table", name=words("changes"))
    expect(changes.get_by_role("row", name="3 Runner 3")).to_contain_text(words("RESULT_CHANGE_KIND_DISQUALIFIED"))
    expect(changes.get_by_role("row", name="3 Runner 3")).to_contain_text("Took the tram")
    expect(changes.get_by_role("row", name="2 Runner 2")).to_contain_text(f"0:03:20{comma}0")
    window.look("with corrections")
    window.press(page.get_by_role("link", name=words("replay")))
    window.heading("Corsa del Parco")


def test_results_are_printed_whole_on_a4(window, server, accounts):
    race = put_crowd(server, accounts.person(), 230)
    race.organizer.ask("FinishRace", race_id=race.race_id)
    words, page = window.words("pages/races/results"), window.page
    window.sign_in(accounts.person().credentials, f"/races/{race.race_id}/results")
    rows = page.get_by_role("table", name=words("caption"), exact=True).get_by_role("row")
    expect(rows).to_have_count(101)
    window.press(page.get_by_role("button", name=words("more")))
    expect(rows).to_have_count(201)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(rows).to_have_count(231)
    window.look("as it is printed")
    page.emulate_media(media="print")
    expect(page.get_by_role("button", name=words("print"))).to_be_hidden()
    expect(page.get_by_role("banner")).to_be_hidden()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(rows).to_have_count(201)
    paper = page.pdf(prefer_css_page_size=True)
    width, height = re.search(rb"/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]", paper).groups()
    assert (round(float(width)), round(float(height))) == (595, 842)


def test_there_are_no_results_before_the_end(window, server, accounts):
    race = put_race(server, accounts.person(), "running", [accounts.person()])
    window.sign_in(accounts.person().credentials, f"/races/{race.race_id}/results")
    expect(window.page.get_by_text(window.words("pages/races/results")("notYet"))).to_be_visible()
    window.look("before the end")
