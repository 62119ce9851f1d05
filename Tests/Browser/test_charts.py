"""Charts of a person's own readings, by kind and interval, live at the right edge (B-R.D2/3, A-R27, A-G4)."""

from __future__ import annotations

import math
import re
import time

import pytest
from playwright.sync_api import Locator, expect

from trackme.protocol import readings

from accounts import Accounts
from recorded import push, record
from server_process import ServerProcess


@pytest.fixture
def own_server():
    """A server that a test may restart."""
    process = ServerProcess({"TRACKME_HEARTBEAT_MS": "500"}, has_web=True).start()
    accounts = Accounts(process, seed=1)
    yield process, accounts
    accounts.close()
    process.remove()


def table(window) -> Locator:
    return window.page.locator(".chart-table tbody tr")


def values(window) -> list[float]:
    """The second column of the table, the newest first."""
    cells = window.page.locator(".chart-table tbody td:nth-child(2)").all_inner_texts()
    return [float(cell.replace(",", ".")) for cell in cells]


def value(window, number: str) -> re.Pattern:
    """How a slider says a temperature."""
    return re.compile(f": {re.escape(number if window.language == 'en' else number.replace('.', ','))} °C")


def test_new_readings_appear_at_the_right_edge_until_the_chart_is_paused(window, accounts):
    person = accounts.person()
    words = window.words("pages/charts")
    push(person, "heart_rate", 71, 72, 73)
    window.sign_in(person.credentials, "/charts?last=300")
    page = window.page
    expect(page.locator("main").get_by_text(window.words("parts")("live"))).to_be_visible()
    expect(table(window)).to_have_count(3)
    window.look("live")
    push(person, "heart_rate", 96.5)
    expect(table(window)).to_have_count(4)
    assert values(window) == [96.5, 73, 72, 71]
    expect(page.locator(".chosen")).to_contain_text("96.5" if window.language == "en" else "96,5")

    page.get_by_role("button", name=words("pause")).click()
    expect(page.get_by_text(words("still"))).to_be_visible()
    window.look("paused")
    push(person, "heart_rate", 101)
    # Whatever the server would have sent, it has sent before the status knows of it.
    status = page.context.new_page()
    status.goto(window.origin + "/status")
    expect(status.get_by_role("row", name=window.words("metrics")("heart_rate"))).to_contain_text("101")
    status.close()
    assert values(window) == [96.5, 73, 72, 71]
    page.get_by_role("button", name=words("goOn")).click()
    expect(table(window)).to_have_count(5)
    assert values(window)[0] == 101


def test_a_chart_that_nobody_looks_at_rests_and_then_has_everything_once(window, accounts):
    person = accounts.person()
    push(person, "heart_rate", 71)
    window.sign_in(person.credentials, "/charts?metric=heart_rate&last=3600&step=raw")
    main, words = window.page.locator("main"), window.words("parts")
    for known in (1, 4):
        expect(main.get_by_text(words("live"))).to_be_visible()
        expect(table(window)).to_have_count(known)
        window.hide()
        expect(main.get_by_text(words("resting"))).to_be_visible()
        push(person, "heart_rate", *range(71 + known, 74 + known))
        window.hide(False)
        expect(table(window)).to_have_count(known + 3)
    assert sorted(values(window)) == list(range(71, 78))


def test_what_comes_between_the_first_answer_and_the_stream_is_not_missed(window, accounts):
    person = accounts.person()
    push(person, "heart_rate", 71)

    def hold(route):
        push(person, "heart_rate", 99)
        route.continue_()

    window.page.route("**/*.ReadingService/WatchReadings", hold, times=1)
    window.sign_in(person.credentials, "/charts?last=300")
    expect(table(window)).to_have_count(2)
    assert values(window) == [99, 71]


def test_a_chart_is_moved_zoomed_and_read_by_keyboard_alone(window, accounts):
    person = accounts.person()
    words, metrics = window.words("pages/charts"), window.words("metrics")
    # The next one is not of the same second.
    push(person, "body_temperature", 36.6, 36.7, 36.8, every_s=60, end_s=time.time() - 30)
    push(person, "weight", 70.25)
    window.sign_in(person.credentials, "/charts?metric=body_temperature&last=3600")
    page = window.page
    slider = page.get_by_role("slider", name=window.words("charts")("point"))
    expect(table(window)).to_have_count(3)

    window.tab_to(slider)
    page.keyboard.press("Home")
    expect(slider).to_have_attribute("aria-valuetext", value(window, "36.6"))
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuetext", value(window, "36.7"))
    push(person, "body_temperature", 36.9)
    expect(table(window)).to_have_count(4)
    expect(slider).to_have_attribute("aria-valuetext", value(window, "36.7"))
    page.keyboard.press("End")
    expect(slider).to_have_attribute("aria-valuetext", value(window, "36.9"))

    window.press(page.get_by_role("button", name=words("zoomOut")))
    page.wait_for_url("**last=7200*")
    expect(page.get_by_label(words("span"), exact=True)).to_have_value("other")
    # The link that skips to the content leads to a place on this page, which is not drawn anew for it.
    page.locator(".chart").evaluate("element => element.setAttribute('data-seen', '')")
    window.press(page.get_by_role("link", name=window.words("shell")("skip")))
    window.press(page.get_by_role("button", name=words("earlier")))
    page.wait_for_url("**from=*")
    expect(page.locator(".chart[data-seen]")).to_be_visible()
    window.press(page.get_by_role("button", name=words("earlier")))
    expect(page.locator(".chart-plot").get_by_text(window.words("charts")("none"))).to_be_visible()
    window.look("an interval without readings")
    window.press(page.get_by_role("button", name=words.like("newest")))
    expect(table(window)).to_have_count(4)
    window.press(page.get_by_role("button", name=words("earlier")))
    window.press(page.get_by_role("button", name=words("later")))
    page.wait_for_url("**last=7200*")

    window.tab_to(page.get_by_label(words("kind"), exact=True))
    page.keyboard.type(metrics("weight"))
    expect(page.get_by_role("heading", level=2, name=metrics("weight"))).to_be_visible()
    expect(table(window)).to_have_count(1)

    window.press(page.locator("summary"))
    window.tab_to(page.get_by_label(words("from"), exact=True))
    page.keyboard.press("ArrowDown")
    window.press(page.get_by_role("button", name=words("show")))
    page.wait_for_url("**from=*")


@pytest.mark.long
def test_summaries_show_the_mean_and_what_it_is_made_of_and_go_on(window, accounts):
    person = accounts.person()
    words = window.words("pages/charts")
    minute = (time.time() // 60 - 10) * 60
    push(person, "heart_rate", 60, 90, every_s=30, end_s=minute + 30)
    push(person, "heart_rate", 80, end_s=minute + 180)
    window.sign_in(person.credentials, "/charts?metric=heart_rate&last=14400&step=minute")
    page = window.page
    expect(table(window)).to_have_count(2)
    cells = page.locator(".chart-table tbody tr").last.get_by_role("cell")
    assert cells.all_inner_texts() == ["75", "60", "90", "2"]
    expect(page.locator(".band")).not_to_have_count(0)
    window.look("by minute")
    window.picture("charts")
    # A device that comes late changes the minute that it is of.
    expect(page.locator("main").get_by_text(window.words("parts")("live"))).to_be_visible()
    push(person, "heart_rate", 45, end_s=minute + 10)
    expect(cells).to_have_text(["65", "45", "90", "3"])

    for step in ("second", "hour", "day", "week", "raw"):
        page.get_by_label(words("step"), exact=True).select_option(step)
        page.wait_for_url(f"**step={step}")
    expect(table(window)).to_have_count(4)
    page.reload()
    window.ready()
    expect(page.get_by_label(words("step"), exact=True)).to_have_value("raw")
    expect(table(window)).to_have_count(4)


@pytest.mark.long
def test_every_kind_of_reading_has_its_form(window, accounts):
    person = accounts.person()
    words, metrics = window.words("pages/charts"), window.words("metrics")
    now_us = round(time.time() * 1e6)
    # Not among the last seconds, out of which they would move while others are looked at.
    ecg_us = now_us - 60_000_000
    beat = [math.sin(n / 20) / 10 + (1 if n % 200 < 6 else 0) for n in range(500)]
    record(person, [
        readings.Reading(metric="systolic_blood_pressure", time_us=now_us, scalar=121),
        readings.Reading(metric="diastolic_blood_pressure", time_us=now_us, scalar=79),
        *(readings.Reading(metric="ecg", time_us=ecg_us - n * 2_000_000, waveform=readings.Waveform(rate_hz=250, samples=beat)) for n in (1, 2)),
        readings.Reading(metric="position", time_us=now_us, position=readings.Position(latitude=45.4642, longitude=9.19, accuracy=4, speed=2.5)),
    ])  # fmt: skip
    page = window.page
    window.sign_in(person.credentials, "/charts")
    page.get_by_label(words("kind"), exact=True).select_option("blood_pressure")
    expect(page.locator(".plot path.line")).to_have_count(2)
    expect(table(window).get_by_role("cell")).to_have_text(["121", "79"])
    window.look("blood pressure")

    page.get_by_label(words("kind"), exact=True).select_option("ecg")
    expect(table(window)).to_have_count(2)
    expect(page.get_by_role("slider")).to_have_attribute("max", "999")
    expect(page.locator(".plot path.line")).to_have_count(1)
    window.look("an electrocardiogram")

    page.get_by_label(words("kind"), exact=True).select_option("position")
    expect(page.locator(".plot")).to_have_count(0)
    expect(table(window)).to_contain_text("9 km/h")
    window.look("positions")


def test_an_address_that_says_nonsense_shows_what_most_want_to_see(window, accounts):
    person = accounts.person()
    push(person, "blood_oxygen", 97)
    window.sign_in(person.credentials, "/charts?metric=x&last=-1&step=never&from=y")
    expect(window.page.get_by_role("heading", level=2, name=window.words("metrics")("blood_oxygen"))).to_be_visible()
    expect(table(window)).to_have_count(1)


@pytest.mark.long
def test_readings_stand_there_once_each_after_the_server_is_restarted_under_the_page(own_server, windows):
    server, accounts = own_server
    person = accounts.person()
    window = windows(server)
    window.allow("ERR_|Failed to load resource|503")
    given = list(range(60, 70))
    push(person, "heart_rate", *given)
    window.sign_in(person.credentials, "/charts?metric=heart_rate&last=3600&step=raw")
    expect(table(window)).to_have_count(len(given))
    words = window.words("parts")
    for _ in range(2):
        expect(window.page.locator("main").get_by_text(words("live"))).to_be_visible(timeout=30_000)
        push(person, "heart_rate", len(given) + 60)
        given.append(len(given) + 60)
        expect(table(window)).to_have_count(len(given))
        server.kill()
        expect(window.page.locator("main").get_by_text(words.like("stale"))).to_be_visible()
        server.end()
        server.start()
        # Before the page is back, and after it.
        push(person, "heart_rate", len(given) + 60, len(given) + 61)
        given += [len(given) + 60, len(given) + 61]
        expect(table(window)).to_have_count(len(given), timeout=30_000)
    assert sorted(values(window)) == given
