"""What persons choose about AutomatedSOS: settings, contacts, limits tried on the own history, exertion
(A-R13, A-R14, A-3.1.4, B-R.S1, B-R.S2)."""

from __future__ import annotations

import re
import time
from datetime import date

import pytest
from playwright.sync_api import expect

from contact_codes import code_for
from recorded import push


@pytest.fixture
def person(accounts):
    """An adult for whom AutomatedSOS is off at first."""
    return accounts.person(born=date(1985, 5, 17))


def done(window, text: str):
    """The line that says what was done; the live region says it too."""
    return window.page.locator("main").get_by_text(text, exact=True)


def test_settings_are_chosen_by_keyboard_alone_and_hold(window, person):
    words = window.words("pages/sos")
    page = window.page
    window.sign_in(person.credentials, "/sos")
    expect(page.get_by_text(words("exercise"))).to_be_visible()
    window.look("as they begin")
    enabled = page.get_by_label(words("enabled"))
    expect(enabled).not_to_be_checked()
    window.press(enabled, "Space")
    phone = page.get_by_label(words("callbackNumber"))
    window.type_into(phone, "333 1234567")
    window.type_into(page.get_by_label(words("callAfter")), "10")
    window.allow("400")
    page.keyboard.press("Enter")
    expect(phone).to_have_accessible_description(re.compile(re.escape(words("phoneRefused"))))
    expect(page.get_by_label(words("callAfter"))).to_have_accessible_description(re.compile(re.escape(words("callAfterRefused"))))
    window.look("with what is refused at its fields")
    window.type_into(phone, "+393331234567")
    window.type_into(page.get_by_label(words("notifyAfter")), "15")
    window.press(page.get_by_label(words("supplementalOxygen")), "Space")
    window.press(page.get_by_role("button", name=words("save")))
    expect(done(window, words("saved"))).to_be_visible()
    window.look("saved")
    held = person.ask("GetSosSettings").settings
    assert (held.enabled, held.callback_number, held.uses_supplemental_oxygen) == (True, "+393331234567", True)
    assert (held.silence.notify_after_minutes, held.silence.call_after_minutes) == (15, 10)
    # What another page has changed meanwhile is not overwritten.
    known = person.ask("GetSosSettings")
    known.settings.callback_number = "+393339999999"
    person.ask("UpdateSosSettings", settings=known.settings, etag=known.etag)
    window.allow("409")
    page.get_by_role("button", name=words("save")).click()
    expect(page.get_by_role("alert")).to_have_text(words("stale"))
    assert person.ask("GetSosSettings").settings.callback_number == "+393339999999"
    page.reload()
    expect(phone).to_have_value("+393339999999")


def test_a_contact_is_named_asked_and_told_only_after_agreeing(windows, server, person):
    window, stranger = windows(server), windows(server)
    words, answers = window.words("pages/sos"), window.words("pages/contact-answer")
    page = window.page
    window.sign_in(person.credentials, "/sos/contacts")
    expect(page.get_by_text(words("noContacts"))).to_be_visible()
    window.look("without contacts")
    name = "Luisa <img src=x onerror=alert(1)><script>alert(2)</script>"
    address = f"luisa-{person.account_id}@example.org"
    window.type_into(page.get_by_label(words("name")), name)
    page.keyboard.press("Enter")
    expect(page.get_by_label(words("phone"))).to_have_accessible_description(re.compile(re.escape(words("reachRefused"))))
    window.type_into(page.get_by_label(words("email")), address)
    page.keyboard.press("Enter")
    row = page.get_by_role("row", name=name)
    expect(row).to_contain_text(address)
    window.look("with a contact")
    code = code_for(server, address)
    page.reload()
    expect(row).to_contain_text(words("CONTACT_STATE_ASKED"))

    # Who is asked needs no account. A link carries the code where no server sees it.
    asked = []
    stranger.page.on("request", lambda request: asked.append(request.url))
    stranger.open(f"/contacts/confirm#{code}")
    field = stranger.page.get_by_label(answers("code"))
    expect(field).to_have_value(code)
    assert code not in stranger.page.url and not [url for url in asked if code in url]
    stranger.look("with the code of the link")
    stranger.press(stranger.page.get_by_role("button", name=answers("agree"), exact=True))
    expect(stranger.page.get_by_text(answers("agreed", name=full_name(person)))).to_be_visible()
    stranger.look("agreed")
    page.reload()
    expect(row).to_contain_text(words("CONTACT_STATE_CONFIRMED"))

    # Who has agreed can refuse, for good; and by the same page by hand.
    stranger.open("/contacts/confirm")
    stranger.type_into(field, "not a code")
    stranger.allow("400|404")
    stranger.page.keyboard.press("Enter")
    expect(field).to_have_accessible_description(re.compile(re.escape(answers("codeRefused"))))
    stranger.type_into(field, "0" * 32)
    stranger.page.keyboard.press("Enter")
    expect(field).to_have_accessible_description(re.compile(re.escape(answers("unknown"))))
    stranger.look("with a code that is none")
    stranger.type_into(field, code)
    stranger.press(stranger.page.get_by_role("button", name=answers("refuse"), exact=True))
    dialog = stranger.page.get_by_role("dialog", name=answers("refuseTitle"))
    expect(dialog).to_be_visible()
    stranger.look("asking before a refusal")
    stranger.press(dialog.get_by_role("button", name=answers("refuse"), exact=True))
    expect(stranger.page.get_by_text(answers("refused"))).to_be_visible()
    page.reload()
    expect(row).to_contain_text(words("CONTACT_STATE_REFUSED"))

    window.press(page.get_by_role("button", name=words("removeNamed", name=name)))
    dialog = page.get_by_role("dialog", name=words("removeContact", name=name))
    expect(dialog).to_be_visible()
    window.look("asking before a removal")
    window.press(dialog.get_by_role("button", name=words("remove"), exact=True))
    expect(page.get_by_text(words("noContacts"))).to_be_visible()
    assert not person.ask("GetSosSettings").settings.contacts


def full_name(person) -> str:
    return f"{person.who.given_names} {person.who.family_name}"


def test_limits_are_tried_on_the_own_history_set_and_reset(window, person):
    words, metrics = window.words("pages/sos"), window.words("metrics")
    page = window.page
    push(person, "heart_rate", *[70] * 20, *[95] * 20, *[72] * 20)
    window.sign_in(person.credentials, "/sos/limits")
    row = page.get_by_role("row", name=metrics("heart_rate"))
    expect(row).to_contain_text("131")
    expect(row).to_contain_text(words("byDefault"))
    expect(page.get_by_text(words.like("scoreLimit"))).to_be_visible()
    window.look("the defaults")
    window.press(page.get_by_role("link", name=words("changeNamed", metric=metrics("heart_rate"))))
    window.heading(words("limitsOf", metric=metrics("heart_rate")))
    rest = page.get_by_role("group", name=words("rest"), exact=True)
    high, low = rest.get_by_label(words("high")), rest.get_by_label(words("low"))
    for field in (low, high):
        window.type_into(field, "")
        page.keyboard.press("Delete")
    page.keyboard.press("Enter")
    expect(low).to_have_accessible_description(words("limitMissing"))
    window.type_into(low, "100")
    window.type_into(high, "90")
    window.allow("400")
    page.keyboard.press("Enter")
    expect(high).to_have_accessible_description(words("limitRefused"))
    window.type_into(low, "41")
    window.press(page.get_by_role("button", name=words("tryNow"), exact=True))
    expect(done(window, words("triedSome", episodes="1", count="60"))).to_be_focused()
    episodes = page.get_by_role("table", name=words("episodes"))
    expect(episodes).to_contain_text(window.words("emergencies")("high", value=f"{metrics('heart_rate')} 95 {metrics('/min')}", limit="90"))
    expect(page.get_by_text(words("wouldCall")).first).to_be_visible()
    window.look("tried")
    # The address brings the trial's time back.
    assert "from=" in page.url and "to=" in page.url
    # Nothing has been changed by trying.
    assert {t.metric: t for t in person.ask("ListThresholds").thresholds}["heart_rate"].is_default
    window.press(page.get_by_role("button", name=words("save"), exact=True))
    expect(done(window, words("saved"))).to_be_visible()
    held = {t.metric: t for t in person.ask("ListThresholds").thresholds}["heart_rate"]
    assert (held.rest.low, held.rest.high, held.rest.hold_ms, held.is_default) == (41, 90, 3000, False)
    window.press(page.get_by_role("button", name=words("reset"), exact=True))
    dialog = page.get_by_role("dialog", name=words("resetTitle"))
    window.press(dialog.get_by_role("button", name=words("reset"), exact=True))
    expect(high).to_have_value("131")
    assert {t.metric: t for t in person.ask("ListThresholds").thresholds}["heart_rate"].is_default


def test_an_exertion_is_declared_and_ended(window, person):
    words = window.words("pages/sos")
    page = window.page
    window.sign_in(person.credentials, "/sos/exertions")
    expect(page.get_by_text(words("noExertions"))).to_be_visible()
    window.look("without exertions")
    end = page.get_by_label(words("to"))
    end.fill("2020-01-01T10:00")
    window.allow("400")
    window.press(page.get_by_role("button", name=words("declare")))
    expect(end).to_have_accessible_description(words("toRefused"))
    local = time.strftime("%Y-%m-%dT%H:%M", time.gmtime(time.time() + 2 * 3600 + 1800))
    end.fill(local)
    window.press(page.get_by_role("button", name=words("declare")))
    expect(done(window, words("declared"))).to_be_visible()
    [exertion] = person.ask("ListExertions").exertions
    assert exertion.exertion_id
    window.look("with one under way")
    window.press(page.get_by_role("button", name=words("end"), exact=True))
    expect(page.get_by_text(words("noExertions"))).to_be_visible()
    assert not person.ask("ListExertions").exertions
