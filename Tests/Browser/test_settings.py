"""Settings of an account: profile, password, anonymous sharing, all sessions (A-admin, B-UC.1, A-3.6.3)."""

from __future__ import annotations

import grpc
from playwright.sync_api import expect

from failures import fails


def test_a_person_changes_profile_and_anonymous_sharing_by_keyboard_alone(window, accounts):
    person = accounts.person(anonymous_metrics=["heart_rate"])
    words, shared, metrics = window.words("pages/settings"), window.words("registration"), window.words("metrics")
    page = window.page
    window.sign_in(person.credentials, "/settings")
    expect(page.get_by_text(person.who.fiscal_code)).to_be_visible()
    window.look("as it was")
    window.type_into(page.get_by_label(shared("weight"), exact=True), "80.5")
    address = page.get_by_label(shared("optional", label=shared("address")), exact=True)
    window.type_into(address, "<script>alert(1)</script> 7")
    window.press(page.get_by_role("button", name=words("save")))
    expect(page.get_by_text(words("saved")).first).to_be_visible()
    account = person.ask("GetAccount").account
    assert (account.person.weight_kg, account.email) == (80.5, person.credentials.email)
    assert [(field.name, field.value) for field in account.fields] == [("address", "<script>alert(1)</script> 7")]

    # Somebody else has changed the account: nothing of theirs is lost, and it is said.
    person.ask("UpdateAccount", etag=account.etag, height_cm=181)
    window.type_into(page.get_by_label(shared("weight"), exact=True), "81")
    window.allow("409 .*UpdateAccount")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert").first).to_have_text(window.words("errors/reasons")("STALE_ETAG"))
    window.look("changed elsewhere")

    kinds = page.get_by_role("group", name=words("kinds"))
    expect(kinds.get_by_label(metrics("heart_rate"))).to_be_checked()
    window.press(kinds.get_by_label(metrics("heart_rate")), "Space")
    window.press(kinds.get_by_label(metrics("steps")), "Space")
    window.press(page.get_by_role("button", name=words("saveSharing")))
    expect(page.get_by_text(words("sharingSaved")).first).to_be_visible()
    assert [shared.metric for shared in person.ask("GetAnonymousSharing").sharing.metrics] == ["steps"]
    window.look("with another choice")


def test_a_third_party_changes_its_password_and_every_other_session_ends(window, accounts):
    doctor = accounts.third_party()
    words, shared = window.words("pages/settings"), window.words("registration")
    page = window.page
    window.sign_in(doctor.credentials, "/settings")
    description = page.get_by_label(shared("description"), exact=True)
    expect(description).to_have_value("Cardiology")
    description.fill("Cardiology and sport")
    email = page.get_by_label(shared("email"), exact=True)
    email.fill("studio")
    window.allow("400 .*UpdateAccount")
    page.get_by_role("button", name=words("save")).click()
    expect(email).to_have_accessible_description(shared("emailRefused"))
    email.fill(f"new-{doctor.credentials.email}")
    page.get_by_role("button", name=words("save")).click()
    expect(page.get_by_text(words("saved")).first).to_be_visible()
    account = doctor.ask("GetAccount").account
    assert (account.third_party.description, account.email) == ("Cardiology and sport", f"new-{doctor.credentials.email}")

    def fill(old: str, new: str):
        window.type_into(page.get_by_label(words("oldPassword"), exact=True), old)
        window.type_into(page.get_by_label(words("newPassword"), exact=True), new)
        window.type_into(page.get_by_label(shared("passwordAgain"), exact=True), new)
        page.keyboard.press("Enter")

    old, new = doctor.credentials.password, "another fine password"
    window.allow("403 .*ChangePassword")
    fill("not the password", new)
    expect(page.get_by_label(words("oldPassword"), exact=True)).to_have_accessible_description(words("wrongPassword"))
    window.look("with a wrong password")
    fill(old, old)
    expect(page.get_by_text(words("samePassword"))).to_be_visible()
    fill(old, new)
    expect(page.get_by_text(words("passwordChanged")).first).to_be_visible()
    with fails(grpc.StatusCode.UNAUTHENTICATED):
        doctor.ask("GetAccount")
    # This session goes on.
    window.open("/settings")
    window.heading(words("title"))


def test_where_people_sign_in_elsewhere_the_settings_lead_to_the_link(window, accounts):
    """A-R4."""
    page = window.page
    page.route("**/web/site", lambda route: route.fulfill(json={"openIdName": "Idem"}))
    window.sign_in(accounts.third_party().credentials, "/settings")
    link = page.get_by_role("link", name=window.words("pages/settings")("linked", name="Idem"))
    expect(link).to_have_attribute("href", "/linked-sign-in")


def test_somebody_signs_out_everywhere(window, accounts):
    person = accounts.person()
    words = window.words("pages/settings")
    page = window.page
    window.sign_in(person.credentials, "/settings")
    window.press(page.get_by_role("button", name=words("sessions")))
    dialog = page.get_by_role("dialog", name=words("sessions"))
    window.look("asked whether to sign out everywhere")
    window.press(dialog.get_by_role("button", name=words("sessionsConfirm")))
    window.heading(window.words("pages/sign-in")("title"))
    assert not window.context.cookies()
    with fails(grpc.StatusCode.UNAUTHENTICATED):
        person.ask("GetAccount")
