"""Asking a person for readings, and what becomes of a request (A-R5, A-R6, A-R7, A-R8, B-R.R1, B-R.R3)."""

from __future__ import annotations

from datetime import date

import pytest
from playwright.sync_api import expect

from fiscal_codes import random_identity

from accounts import today, whole

HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script> \" ' & {number}"
"""What somebody types who wants it to be more than text."""


@pytest.fixture
def doctor(accounts):
    return accounts.third_party()


def fill(window, person, purpose: str = "Follow-up after surgery") -> None:
    """Fills the form by keyboard alone, but for what is wrong or left out afterwards."""
    words, sharing, metrics, page = window.words("pages/ask"), window.words("sharing"), window.words("metrics"), window.page
    window.type_into(page.get_by_label(words("fiscalCode"), exact=True), person.who.fiscal_code.lower())
    window.press(page.get_by_label(metrics("heart_rate"), exact=True), "Space")
    # A group of radio buttons is one stop of the Tab key.
    window.tab_to(page.get_by_label(sharing("second"), exact=True))
    page.keyboard.press("Space")
    page.keyboard.press("ArrowDown")
    expect(page.get_by_label(sharing("minute"), exact=True)).to_be_checked()
    window.type_into(page.get_by_label(words("purpose"), exact=True), purpose)


def test_a_third_party_asks_by_keyboard_alone_and_hears_the_answer_at_once(window, accounts, doctor):
    person = accounts.person()
    asked, sharing, page = window.words("pages/asked"), window.words("sharing"), window.page
    window.sign_in(doctor.credentials)
    window.press(page.get_by_role("navigation").get_by_role("link", name=window.words("shell")("asked"), exact=True))
    window.heading(asked("title"))
    expect(page.get_by_text(asked("none"))).to_be_visible()
    window.look("no requests")
    window.press(page.get_by_role("link", name=asked("ask")))
    window.heading(window.words("pages/ask")("title"))
    fill(window, person)
    window.look("filled in")
    window.press(page.get_by_role("button", name=window.words("pages/ask")("submit")))
    window.heading(asked.like("requestOf"))
    expect(page.get_by_text(sharing("pending"))).to_be_visible()
    expect(page.get_by_text("Follow-up after surgery")).to_be_visible()
    expect(page.get_by_text(sharing("minute"))).to_be_visible()
    window.look("a request that waits")
    (waiting,) = person.ask("ListAccessRequests").access_requests
    assert list(waiting.scope.metrics) == ["heart_rate"] and waiting.scope.granularity == 2
    person.ask("AcceptAccessRequest", access_request_id=waiting.access_request_id)
    expect(page.get_by_text(sharing("accepted"), exact=True)).to_be_visible()
    expect(page.get_by_role("link", name=asked("look"))).to_have_attribute("href", f"/granted/{waiting.access_request_id}")
    expect(page.get_by_role("status")).to_contain_text(sharing("accepted"))
    window.look("a request that is granted")
    person.ask("RevokeAccess", access_request_id=waiting.access_request_id)
    expect(page.get_by_text(sharing("revoked"), exact=True)).to_be_visible()
    expect(page.get_by_role("link", name=asked("look"))).to_have_count(0)


@pytest.mark.long
def test_nobody_learns_from_an_answer_whether_a_child_has_an_account(window, accounts, doctor):
    """A-R8: a child's code and one that nobody has are answered alike."""
    child = accounts.person(born=date(today().year - 10, 1, 1))
    nobody = type("Nobody", (), {"who": random_identity(accounts.rng)})
    words, page = window.words("pages/ask"), window.page
    window.sign_in(doctor.credentials, "/ask")
    fill(window, nobody)
    field, submit = page.get_by_label(words("fiscalCode"), exact=True), page.get_by_role("button", name=words("submit"))
    told = []
    window.allow("404 .*RequestAccess")
    for person in (nobody, child):
        field.fill(person.who.fiscal_code)
        submit.click()
        expect(field).to_be_focused()
        expect(field).to_have_accessible_description(f"{words('fiscalCodeHint')} {words('nobody')}")
        told.append(page.locator("main").inner_text())
    assert told[0] == told[1]
    window.look("nobody found")


def test_what_is_wrong_with_a_request_stands_at_its_field(window, accounts, doctor):
    words, sharing, page = window.words("pages/ask"), window.words("sharing"), window.page
    window.sign_in(doctor.credentials, "/ask")
    submit = page.get_by_role("button", name=words("submit"))
    submit.click()
    code = page.get_by_label(words("fiscalCode"), exact=True)
    expect(code).to_be_focused()
    expect(page.get_by_text(window.words("parts")("required"))).to_have_count(4)
    window.look("nothing filled in")
    code.fill("RSSMRA80A01H501")
    page.get_by_label(window.words("metrics")("heart_rate"), exact=True).check()
    page.get_by_label(sharing("hour"), exact=True).check()
    start, end = page.get_by_label(words("from"), exact=True), page.get_by_label(words("to"), exact=True)
    page.get_by_label(words("purpose"), exact=True).fill("A test")
    start.fill("2026-11-01T10:30")
    submit.click()
    expect(start).to_have_accessible_description(f"{words('fromHint')} {words('wholeHour')}")
    start.fill("2026-11-01T11:00")
    end.fill("2026-11-01T11:00")
    submit.click()
    expect(end).to_have_accessible_description(f"{words('toHint')} {words('toBeforeFrom')}")
    end.fill("2026-11-02T11:00")
    window.allow("400 .*RequestAccess")
    submit.click()
    expect(code).to_have_accessible_description(f"{words('fiscalCodeHint')} {words('fiscalCodeWrong')}")
    window.look("refused by the server")


@pytest.mark.long
def test_requests_are_listed_by_state_as_it_changes_and_purposes_are_text(window, accounts, doctor):
    person = accounts.person()
    asked, sharing, page = window.words("pages/asked"), window.words("sharing"), window.page
    first = doctor.request(person, purpose=HOSTILE).access_request_id
    second = doctor.request(person, whole(metrics=("body_temperature",))).access_request_id
    window.sign_in(doctor.credentials, "/asked?state=open")

    def row(number: int):
        return page.get_by_role("row").filter(has=page.get_by_role("link", name=asked("requestOf", number=str(number)), exact=True))

    expect(row(first)).to_contain_text(HOSTILE)
    expect(row(second)).to_contain_text(window.words("metrics")("body_temperature"))
    expect(page.get_by_text(window.words("parts")("live"))).to_be_visible()
    window.look("two that wait")
    window.tab_to(page.get_by_role("link", name=asked("requestOf", number=str(first)), exact=True))
    person.ask("RefuseAccessRequest", access_request_id=second)
    expect(row(second)).to_have_count(0)
    expect(page.get_by_role("link", name=asked("requestOf", number=str(first)), exact=True)).to_be_focused()
    third = doctor.request(person, purpose="Another").access_request_id
    expect(row(third)).to_contain_text(sharing("pending"))
    window.press(page.get_by_role("link", name=asked("over"), exact=True))
    expect(row(second)).to_contain_text(sharing("refused"))
    assert page.url.endswith("/asked?state=over")
    page.reload()
    window.heading(asked("title"))
    expect(row(second)).to_be_visible()
    expect(row(first)).to_have_count(0)
    window.open(f"/asked/{first}")
    expect(page.get_by_text(HOSTILE)).to_be_visible()


def test_a_request_is_withdrawn_by_keyboard_alone_after_it_was_asked_whether_to(window, accounts, doctor):
    person = accounts.person()
    number = doctor.request(person).access_request_id
    asked, sharing, page = window.words("pages/asked"), window.words("sharing"), window.page
    window.sign_in(doctor.credentials, f"/asked/{number}")
    button = page.get_by_role("button", name=asked("withdraw"))
    window.press(button)
    expect(page.get_by_role("dialog")).to_contain_text(asked("withdrawText"))
    window.look("asked whether to")
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(button).to_be_focused()
    page.keyboard.press("Enter")
    window.press(page.get_by_role("dialog").get_by_role("button", name=asked("withdraw")))
    expect(page.get_by_text(sharing("withdrawn"), exact=True)).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)
    (ended,) = person.ask("ListAccessRequests").access_requests
    assert ended.state == 4
    window.press(page.get_by_role("link", name=asked("again")))
    window.heading(window.words("pages/ask")("title"))
    expect(page.get_by_label(window.words("metrics")("heart_rate"), exact=True)).to_be_checked()
    expect(page.get_by_label(window.words("pages/ask")("purpose"), exact=True)).to_have_value("A test of the heart")


def test_a_request_of_somebody_else_is_not_there(window, accounts, doctor):
    number = accounts.third_party().request(accounts.person()).access_request_id
    window.allow("404 .*GetAccessRequest")
    window.sign_in(doctor.credentials, f"/asked/{number}")
    expect(window.page.get_by_text(window.words("errors/reasons")("NO_ACCESS_REQUEST"))).to_be_visible()
    window.look("not there")
