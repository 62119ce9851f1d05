"""Subscriptions of a third party: made, changed, delivered and cancelled in a browser (A-R11, A-R12)."""

from __future__ import annotations

import time

import pytest
from playwright.sync_api import expect

from trackme.protocol import sharing

from accounts import whole
from recorded import push
from stalls import since

pytestmark = pytest.mark.strict


@pytest.fixture
def doctor(accounts):
    return accounts.third_party()


def test_a_subscription_is_made_changed_and_cancelled_by_keyboard_alone(window, accounts, doctor):
    person = accounts.person()
    grant = doctor.granted(person, whole(metrics=("heart_rate", "body_temperature")))
    words, often, page = window.words("pages/subscriptions"), window.words("sharing"), window.page
    window.sign_in(doctor.credentials)
    window.press(page.get_by_role("navigation").get_by_role("link", name=window.words("shell")("subscriptions"), exact=True))
    expect(page.get_by_text(words("none"))).to_be_visible()
    window.look("none")
    window.open(f"/asked/{grant}")
    window.press(page.get_by_role("link", name=window.words("pages/asked")("subscribe")))
    window.heading(words("newTitle"))
    window.press(page.get_by_label(window.words("metrics")("body_temperature"), exact=True), "Space")
    window.tab_to(page.get_by_label(often("asProduced"), exact=True))
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    zone = page.get_by_label(words("timeZone"), exact=True)
    expect(zone).to_have_value("Europe/Rome")
    window.type_into(zone, "Europe/Atlantis")
    window.look("a new one")
    window.allow("400 .*CreateSubscription")
    page.keyboard.press("Enter")
    expect(zone).to_have_accessible_description(f"{words('timeZoneHint')} {words('timeZoneRefused')}")
    window.type_into(zone, "Europe/Rome")
    page.keyboard.press("Enter")
    window.heading(words.like("subscriptionOf"))
    (made,) = doctor.ask("ListSubscriptions").subscriptions
    assert (made.access_request_id, list(made.metrics), made.cadence) == (grant, ["heart_rate"], sharing.CADENCE_DAILY)
    window.look("a subscription")
    window.tab_to(page.get_by_label(often("daily"), exact=True))
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    window.hears(words("saved"))
    expect(page.get_by_role("definition").filter(has_text=often("weekly"))).to_be_visible()
    (changed,) = doctor.ask("ListSubscriptions").subscriptions
    assert changed.cadence == sharing.CADENCE_WEEKLY and changed.etag != made.etag
    # Readings as they are produced are another subscription.
    page.get_by_label(often("asProduced"), exact=True).check()
    window.allow("400 .*UpdateSubscription")
    page.keyboard.press("Enter")
    expect(page.get_by_text(words("fixed"))).to_be_visible()
    window.press(page.get_by_role("button", name=words("cancel")))
    window.look("asked whether to")
    window.press(page.get_by_role("dialog").get_by_role("button", name=words("cancel")))
    expect(page.get_by_role("definition").filter(has_text=words("hasEnded"))).to_be_visible()
    expect(page.get_by_role("form")).to_have_count(0)
    window.look("ended")
    assert not doctor.ask("ListSubscriptions", active_only=True).subscriptions
    window.press(page.get_by_role("navigation").get_by_role("link", name=window.words("shell")("subscriptions"), exact=True))
    expect(page.get_by_text(words("none"))).to_be_visible()
    window.press(page.get_by_role("link", name=words("all"), exact=True))
    row = page.get_by_role("row").filter(has=page.get_by_role("link", name=words("subscriptionOf", number=str(made.subscription_id))))
    expect(row).to_contain_text(words("hasEnded"))
    window.look("all of them")


def test_what_somebody_else_has_changed_meanwhile_is_not_overwritten(window, accounts, doctor):
    number = doctor.subscription(doctor.granted(accounts.person()), sharing.CADENCE_DAILY)
    words, often, page = window.words("pages/subscriptions"), window.words("sharing"), window.page
    window.sign_in(doctor.credentials, f"/subscriptions/{number}")
    (seen,) = doctor.ask("ListSubscriptions").subscriptions
    doctor.ask("UpdateSubscription", subscription_id=number, etag=seen.etag, cadence=sharing.CADENCE_MONTHLY)
    page.get_by_label(often("weekly"), exact=True).check()
    save = page.get_by_role("button", name=words("save"))
    window.allow("409 .*UpdateSubscription")
    save.click()
    expect(page.get_by_role("alert").filter(has_text=words("stale"))).to_be_visible()
    expect(page.get_by_label(often("monthly"), exact=True)).to_be_checked()
    window.look("changed meanwhile")
    page.get_by_label(often("weekly"), exact=True).check()
    save.click()
    expect(page.get_by_role("definition").filter(has_text=often("weekly"))).to_be_visible()


@pytest.mark.long
def test_digests_come_as_they_are_made_and_leave_with_the_grant(window, server, accounts, doctor):
    person = accounts.person()
    push(person, "heart_rate", 60, 70, 83, end_s=time.time() - 5_400)
    grant = doctor.granted(person)
    number = doctor.subscription(grant, sharing.CADENCE_HOURLY)
    words, page = window.words("pages/subscriptions"), window.page
    window.sign_in(doctor.credentials, f"/subscriptions/{number}")
    expect(page.get_by_text(words("noDeliveries"))).to_be_visible()
    server.sql(
        "UPDATE subscription SET period_start = now() - interval '2 hours', period_end = now() - interval '1 hour' WHERE id = %s",
        (number,),
    )
    digest = page.get_by_role("article")
    expect(digest.first).to_be_visible(timeout=60_000)
    row = digest.get_by_role("row", name=window.words("metrics")("heart_rate"))
    expect(row.first).to_contain_text("71")
    texts = [text.split()[0] for text in row.first.locator(".value").all_inner_texts()]
    assert texts == ["3", "60", "71", "83"]
    window.look("a digest")
    person.ask("RevokeAccess", access_request_id=grant)
    revoked = time.monotonic()
    expect(digest).to_have_count(0)
    assert since(revoked) < 1
    expect(page.get_by_role("main").get_by_text(words("over"))).to_be_visible()
    window.look("after the grant")
