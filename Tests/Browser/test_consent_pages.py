"""Requests to decide, grants and their end, and the ledger of disclosures (A-R6, A-R7, B-R.R2, B-R.R3, A-UC, B-UC.1)."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from trackme.protocol import access, groups

from accounts import whole
from recorded import push
from server_process import wait_until
from streams import METRIC_IDS

pytestmark = pytest.mark.strict

HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script> \" ' & {name}"
"""What somebody types who wants it to be more than text."""

MIDNIGHT_S = 1_790_812_800


@pytest.fixture
def attacker(accounts, person):
    """A third party whose name is more than text."""
    credentials = accounts.credentials("doctor")
    accounts.anonymous().ask("RegisterThirdParty", **accounts.third_party_form(credentials, name=HOSTILE))
    return accounts.keep(type(person)(accounts.server.target, credentials)).log_in()


@pytest.fixture
def person(accounts):
    return accounts.person()


@pytest.fixture
def doctor(accounts):
    return accounts.third_party()


def state_of(person, request) -> int:
    number = request.access_request_id
    return person.ask("GetAccessRequest", access_request_id=number).access_request.state


def test_a_person_sees_who_asks_for_what_and_decides_by_keyboard_alone(window, person, doctor):
    words, page = window.words("pages/consent"), window.page
    window.sign_in(person.credentials)
    window.press(page.get_by_role("link", name=window.words("shell")("requests"), exact=True))
    window.heading(words("requestsTitle"))
    expect(page.get_by_text(words("nonePending"))).to_be_visible()
    expect(page.locator("main").get_by_text(window.words("parts")("live"))).to_be_visible()
    window.look("nobody asks")

    ends = {"from": {"seconds": MIDNIGHT_S}, "to": {"seconds": MIDNIGHT_S + 86_400}}
    first = doctor.request(person, whole(access.GRANULARITY_MINUTE, ("heart_rate", "weight"), **ends), purpose="After surgery")
    card = page.get_by_role("article")
    expect(card).to_have_count(1)
    shared = window.words("sharing")
    for said in ("Studio Bianchi", "Cardiology", shared("HOLDER_KIND_HEALTH_CARE"), shared("notChecked"), "After surgery", window.words("metrics")("heart_rate"), window.words("metrics")("weight"),
                 window.words("sharing")("minute"), "2026"):  # fmt: skip
        expect(card).to_contain_text(said)
    window.look("somebody asks")
    window.picture("requests")
    second = doctor.request(person, purpose="A second opinion")
    expect(card).to_have_count(2)

    # Escape leaves everything as it was, and the focus where it came from.
    accept = card.filter(has_text="After surgery").get_by_role("button", name=words("accept"))
    window.press(accept)
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text("After surgery")
    expect(dialog).to_contain_text(shared("notChecked"))
    window.look("asked whether to accept")
    page.keyboard.press("Escape")
    expect(accept).to_be_focused()
    assert state_of(person, first) == access.ACCESS_STATE_PENDING

    page.keyboard.press("Enter")
    window.press(dialog.get_by_role("button", name=words("accept")))
    expect(page.get_by_text(words("accepted", name="Studio Bianchi"))).to_be_visible()
    expect(card).to_have_count(1)
    assert state_of(person, first) == access.ACCESS_STATE_ACCEPTED
    # Whoever has decided one is led to the next.
    expect(card.get_by_role("heading")).to_be_focused()
    window.press(card.get_by_role("button", name=words("refuse")))
    window.look("asked whether to refuse")
    window.press(dialog.get_by_role("button", name=words("refuse")))
    expect(page.get_by_text(words("nonePending"))).to_be_focused()
    assert state_of(person, second) == access.ACCESS_STATE_REFUSED

    window.press(page.get_by_role("link", name=words("decided")))
    page.wait_for_url("**state=decided")
    rows = page.get_by_role("row")
    expect(rows).to_have_count(3)
    expect(rows.filter(has_text="A second opinion")).to_contain_text(words("stateRefused"))
    window.look("what was decided")


def test_what_is_longer_than_the_screen_is_read_from_its_beginning(windows, server, person, accounts):
    window = windows(server, viewport={"width": 390, "height": 700})
    institute = accounts.third_party(description="What we do, why, and for whom. " * 20)
    institute.request(person)
    words, page = window.words("pages/consent"), window.page
    window.sign_in(person.credentials, "/requests")
    window.press(page.get_by_role("button", name=words("accept")))
    title = page.get_by_role("dialog").get_by_role("heading")
    expect(title).to_be_focused()
    expect(title).to_be_in_viewport(ratio=1)
    window.press(page.get_by_role("dialog").get_by_role("button", name=words("accept")))
    expect(page.get_by_text(words("accepted", name="Studio Bianchi"))).to_be_visible()


def test_a_request_that_is_withdrawn_goes_and_what_is_decided_elsewhere_cannot_be_decided_again(window, person, doctor):
    words, page = window.words("pages/consent"), window.page
    withdrawn, elsewhere = doctor.request(person, purpose="First"), doctor.request(person, purpose="Second")
    window.sign_in(person.credentials, "/requests")
    card = page.get_by_role("article")
    expect(card).to_have_count(2)
    expect(page.locator("main").get_by_text(window.words("parts")("live"))).to_be_visible()
    doctor.ask("RevokeAccess", access_request_id=withdrawn.access_request_id)
    expect(card).to_have_count(1)
    expect(page.get_by_text(words("gone", name="Studio Bianchi"))).to_be_visible()
    person.ask("RefuseAccessRequest", access_request_id=elsewhere.access_request_id)
    expect(card).to_have_count(0)
    assert state_of(person, elsewhere) == access.ACCESS_STATE_REFUSED


def test_a_request_that_comes_between_the_list_and_the_stream_is_not_missed(window, person, doctor):
    def hold(route):
        doctor.request(person, purpose="In between")
        route.continue_()

    window.page.route("**/*.AccessService/WatchAccessRequests", hold, times=1)
    window.sign_in(person.credentials, "/requests")
    expect(window.page.get_by_role("article")).to_contain_text("In between")


def test_a_grant_is_ended_by_keyboard_alone_and_at_once(window, person, doctor):
    words, page = window.words("pages/consent"), window.page
    grant = doctor.granted(person)
    window.sign_in(person.credentials, "/requests")
    window.press(page.get_by_role("link", name=words("grants")))
    window.heading(words("grants"))
    card = page.get_by_role("article")
    expect(card).to_contain_text("Studio Bianchi")
    window.look("somebody may see readings")
    window.press(card.get_by_role("button", name=words("end")))
    window.look("asked whether to end it")
    window.press(page.get_by_role("dialog").get_by_role("button", name=words("end")))
    expect(page.get_by_text(words("noneCurrent"))).to_be_focused()
    expect(page.get_by_text(words("endDone", name="Studio Bianchi"))).to_be_visible()
    assert person.ask("GetAccessRequest", access_request_id=grant).access_request.state == access.ACCESS_STATE_REVOKED

    # What begins and ends elsewhere is seen at once as well.
    again = doctor.granted(person)
    expect(card).to_have_count(1)
    doctor.ask("RevokeAccess", access_request_id=again)
    expect(card).to_have_count(0)
    expect(page.get_by_text(words("endedByItself", name="Studio Bianchi"))).to_be_visible()
    window.press(page.get_by_role("link", name=words("ended")))
    page.wait_for_url("**state=ended")
    expect(card).to_have_count(2)
    window.look("what has ended")


def test_the_ledger_says_what_was_delivered_to_whom(window, person, doctor):
    words, consent, page = window.words("pages/ledger"), window.words("pages/consent"), window.page
    push(person, "heart_rate", 71, 72, 73)
    grant, unused = doctor.granted(person), doctor.granted(person)
    assert sum(len(part.readings) for part in doctor.export(0, access_request_id=grant)) == 3
    wait_until(lambda: any(d.HasField("ended") for d in person.ask("ListDisclosures").disclosures), what="the entry")
    window.sign_in(person.credentials, "/requests")
    window.press(page.get_by_role("link", name=consent("ledger")))
    window.heading(words("title"))
    row = page.get_by_role("row").nth(1)
    for said in ("Studio Bianchi", words("export"), window.words("metrics")("heart_rate"), "3"):
        expect(row).to_contain_text(said)
    window.look("a delivery")
    window.open(f"/ledger?grant={unused}")
    expect(page.get_by_text(words("none"))).to_be_visible()
    window.press(page.get_by_role("link", name=words("all")))
    expect(page.get_by_role("row")).to_have_count(2)
    window.press(page.get_by_role("link", name=words("inGroups")))
    expect(page.get_by_text(words("noGroups"))).to_be_visible()
    window.look("no answers about groups")


def test_what_a_third_party_types_is_text_wherever_its_request_is_shown(window, attacker, person):
    """Names and purposes are shown to the person who is asked."""
    attacker.request(person, purpose=HOSTILE)
    words, page = window.words("pages/consent"), window.page
    window.sign_in(person.credentials, "/requests")
    expect(page.get_by_text(HOSTILE, exact=True)).to_have_count(2)
    window.look("a hostile request")
    page.get_by_role("button", name=words("accept")).click()
    page.get_by_role("dialog").get_by_role("button", name=words("accept")).click()
    expect(page.get_by_text(HOSTILE)).to_have_count(1)
    for address, count in (("/grants", 2), ("/requests?state=decided", 2)):
        window.open(address)
        expect(page.get_by_text(HOSTILE, exact=True)).to_have_count(count)
    assert page.locator("main img, main script").count() == 0


def test_answers_about_groups_that_may_be_made_of_own_readings_are_in_the_ledger(window, server, person, attacker):
    etag = person.ask("GetAnonymousSharing").sharing.etag
    person.ask("UpdateAnonymousSharing", metrics=["heart_rate"], etag=etag)
    question = groups.GroupQuestion(
        metrics=["heart_rate"], from_age=20, to_age=64, address=HOSTILE, from_date="2026-10-01", to_date="2026-10-31", from_hour=7)
    # An answer needs a thousand persons: here it stands in the ledger as one that was given, and its question as it was asked.
    server.sql(
        """
        INSERT INTO group_disclosure (
          third_party, question, metrics, first_day, to_us, from_age, to_age, sex, read_at, answered_at)
        VALUES (%s, %s, %s, current_date, 4102444800000000, 0, 120, NULL, now(), now())
        """, (attacker.account_id, question.SerializeToString(), [METRIC_IDS["heart_rate"]]))  # fmt: skip
    words, page = window.words("pages/ledger"), window.page
    window.sign_in(person.credentials, "/ledger?view=groups")
    row = page.get_by_role("row").nth(1)
    for said in (HOSTILE, window.words("metrics")("heart_rate"), window.words("groups")("agesFromTo", **{"from": "20", "to": "64"})):
        expect(row).to_contain_text(said)
    expect(page.get_by_text(words("groupsText"))).to_be_visible()
    window.look("an answer about a group")
    assert page.locator("main img, main script").count() == 0
