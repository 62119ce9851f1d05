"""The person's current status, live (A-R27)."""

from __future__ import annotations

from playwright.sync_api import expect

from recorded import push


def test_new_readings_appear_at_once(window, accounts):
    person = accounts.person()
    push(person, "heart_rate", 71)
    metrics = window.words("metrics")
    window.sign_in(person.credentials, "/status")
    row = window.page.get_by_role("row", name=metrics("heart_rate"))
    expect(row).to_contain_text("71")
    window.look("with one reading")
    expect(window.page.get_by_text(window.words("parts")("live"))).to_be_visible()
    push(person, "heart_rate", 96)
    expect(row).to_contain_text("96")
    push(person, "body_temperature", 36.6)
    expect(window.page.get_by_role("row", name=metrics("body_temperature"))).to_be_visible()
    expect(window.page.get_by_role("row")).to_have_count(3)
    window.look("with two")


def test_without_readings_it_says_so(window, accounts):
    window.sign_in(accounts.person().credentials, "/status")
    expect(window.page.get_by_text(window.words("pages/status")("none"))).to_be_visible()
    window.look("without readings")
