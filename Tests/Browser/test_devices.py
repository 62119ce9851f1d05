"""Devices and bridges of a person (B-R.D1, A-G4)."""

from __future__ import annotations

import time

import grpc
from playwright.sync_api import expect

from trackme.protocol import readings

from accounts import Party
from failures import fails

HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"


def test_a_person_adds_a_device_whose_token_is_shown_once_and_revokes_it_by_keyboard_alone(window, accounts):
    person = accounts.person()
    words, parts = window.words("pages/devices"), window.words("parts")
    page = window.page
    window.sign_in(person.credentials)
    window.press(page.get_by_role("main").get_by_role("link", name=window.words("pages/home")("devices")))
    window.heading(words("title"))
    expect(page.get_by_text(words("none"))).to_be_visible()
    expect(page.get_by_text(words("number", number=str(person.account_id)))).to_be_visible()
    window.look("without devices")
    window.type_into(page.get_by_label(words("name"), exact=True), HOSTILE)
    window.press(page.get_by_role("button", name=words("add")))
    card = page.get_by_role("group", name=words("token", name=HOSTILE))
    expect(card.get_by_text(parts("shownOnce"))).to_be_visible()
    window.look("with the token")

    device = accounts.keep(Party(accounts.server.target, card.locator("code").inner_text()))
    reading = readings.Reading(
        person_id=person.account_id, metric="heart_rate", time_us=round(time.time() * 1e6), scalar=70)  # fmt: skip
    assert device.record([reading]).accepted == 1

    # It is shown once, and never again.
    window.open("/devices")
    row = page.get_by_role("row", name=HOSTILE)
    expect(row).to_contain_text(words("never"))
    expect(page.locator("code")).to_have_count(0)
    revoke = words("revokeWhat", name=HOSTILE)
    window.press(row.get_by_role("button", name=revoke))
    dialog = page.get_by_role("dialog", name=revoke)
    window.look("asked whether to revoke it")
    window.press(dialog.get_by_role("button", name=words("revoke")))
    expect(row).to_have_count(0)
    expect(page.get_by_text(words("none"))).to_be_visible()
    with fails(grpc.StatusCode.UNAUTHENTICATED):
        device.record([reading])


def test_a_person_lets_a_bridge_send_readings_and_stops_it(window, accounts):
    person, bridge = accounts.person(), accounts.bridge()
    words = window.words("pages/devices")
    page = window.page
    window.sign_in(person.credentials, "/devices")
    number = page.get_by_label(words("bridge"), exact=True)
    window.type_into(number, "number 7")
    page.keyboard.press("Enter")
    expect(number).to_have_accessible_description(words("bridgeNumber"))
    window.type_into(number, "999999999999")
    window.allow("404 .*AllowBridge")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").filter(has_text=window.words("errors/reasons")("UNKNOWN_BRIDGE"))).to_be_visible()
    window.look("with a bridge that nobody knows")
    window.type_into(number, str(bridge.bridge_id))
    page.keyboard.press("Enter")
    row = page.get_by_role("row").filter(has_text=str(bridge.bridge_id))
    expect(row).to_be_visible()
    assert [b.bridge_id for b in person.ask("ListBridges").bridges] == [bridge.bridge_id]
    window.look("with a bridge")
    window.press(row.get_by_role("button"))
    window.press(page.get_by_role("dialog").get_by_role("button", name=words("disallow")))
    expect(row).to_have_count(0)
    assert not person.ask("ListBridges").bridges
