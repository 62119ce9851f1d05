"""A person's emergencies as they happen, and the cancellation of a false alarm (A-R14, B-R.S4, B-UC.4)."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from patients import MILAN, Patient
from trackme.protocol import emergencies

pytestmark = pytest.mark.strict


@pytest.fixture
def patient(accounts):
    patient = Patient(accounts)
    yield patient
    patient.leave()


def test_an_emergency_appears_at_once_and_a_false_alarm_is_cancelled_by_keyboard_alone(window, patient):
    words, shared = window.words("pages/emergencies"), window.words("emergencies")
    page = window.page
    window.sign_in(patient.member.credentials, "/emergencies")
    expect(page.get_by_text(words("none"))).to_be_visible()
    window.look("without emergencies")
    patient.be_at(MILAN)
    patient.cross()
    row = page.get_by_role("row").nth(1)
    expect(row).to_contain_text("35")
    expect(page.get_by_text(words("underWay", what="")[:12])).to_be_visible()
    window.look("with one under way")
    window.press(page.get_by_role("link", name=words("open")))
    window.heading(words.like("one"))
    expect(page.get_by_text(words("exerciseBanner"))).to_be_visible()
    expect(page.get_by_text(words("cancellable", time="").rstrip(". "))).to_be_visible()
    window.look("one under way")
    steps = page.get_by_role("table", name=words("stepsCaption"))
    expect(steps.get_by_role("row", name=shared("evaluator"))).not_to_have_count(0)
    window.press(page.get_by_role("button", name=words("cancel")))
    dialog = page.get_by_role("dialog", name=words("cancelTitle"))
    expect(dialog).to_be_visible()
    window.type_into(dialog.get_by_label(words("reason")), "<b>I was dancing</b>")
    window.look("asking before it is cancelled")
    window.press(dialog.get_by_role("button", name=words("cancel")))
    expect(page.get_by_text(words("cancelled"))).to_be_focused()
    expect(page.get_by_text(shared("EMERGENCY_STATE_CANCELLED"), exact=True).first).to_be_visible()
    expect(steps).to_contain_text("<b>I was dancing</b>")
    expect(page.get_by_role("button", name=words("cancel"))).to_be_hidden()
    window.look("cancelled")
    assert patient.emergency_in(emergencies.EMERGENCY_STATE_CANCELLED)
    # Its address brings it back.
    page.reload()
    window.heading(words.like("one"))
    expect(steps).to_contain_text("<b>I was dancing</b>")


def test_nobody_sees_the_emergency_of_somebody_else(window, accounts, patient):
    patient.cross()
    number = patient.emergency().emergency_id
    window.allow("404")
    window.sign_in(accounts.person().credentials, f"/emergencies/{number}")
    window.heading(window.words("shell")("failed"))
    window.look("not one's own")
    patient.member.ask("CancelEmergency", emergency_id=number)
