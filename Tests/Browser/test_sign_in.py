"""Signing in and out in a browser (B-UC.3)."""

from __future__ import annotations

from playwright.sync_api import expect


def test_a_person_signs_in_by_keyboard_alone_and_out_again(window, accounts):
    person = accounts.person()
    words, shell = window.words("pages/sign-in"), window.words("shell")
    page = window.page
    window.open("/sign-in")
    window.look("empty")
    window.type_into(page.get_by_label(words("username"), exact=True), person.credentials.username)
    window.type_into(page.get_by_label(words("password"), exact=True), person.credentials.password)
    page.keyboard.press("Enter")
    window.heading(window.words("pages/home")("title"))
    expect(page.get_by_text(shell("signedInAs", username=person.credentials.username))).to_be_visible()
    window.look("signed in")
    cookies = {cookie["name"]: cookie for cookie in window.context.cookies()}
    assert cookies and all(name.startswith("__Host-") for name in cookies)
    assert all(c["httpOnly"] and c["secure"] and c["sameSite"] == "Strict" for c in cookies.values())
    window.press(page.get_by_role("button", name=shell("signOut")))
    window.heading(words("title"))
    assert not window.context.cookies()


def test_what_is_wrong_stands_at_the_field_and_has_the_focus(window, accounts):
    person = accounts.person()
    words = window.words("pages/sign-in")
    page = window.page
    window.open("/sign-in")
    page.get_by_role("button", name=words("submit")).click()
    username = page.get_by_label(words("username"), exact=True)
    expect(username).to_be_focused()
    expect(username).to_have_accessible_description(words("usernameMissing"))
    window.look("without a name")
    username.fill(person.credentials.username)
    page.get_by_label(words("password"), exact=True).fill("wrong horse")
    window.allow("401")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_have_text(words("wrong"))
    window.look("with a wrong password")


def test_a_page_of_persons_asks_for_the_sign_in_and_comes_after_it(window, accounts):
    person = accounts.person()
    window.open("/status")
    window.heading(window.words("pages/sign-in")("title"))
    assert window.page.url.endswith("/sign-in?next=%2Fstatus")
    window.sign_in(person.credentials, "/status")
    window.heading(window.words("pages/status")("title"))


def test_a_form_that_is_under_way_is_not_sent_again(window, accounts):
    person, words, page = accounts.person(), window.words("pages/sign-in"), window.page
    sent = []
    page.route("**/web/session/log-in", lambda route: sent.append(route))
    window.open("/sign-in")
    page.get_by_label(words("username"), exact=True).fill(person.credentials.username)
    page.get_by_label(words("password"), exact=True).fill(person.credentials.password)
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name=words("submit"))).to_be_disabled()
    page.keyboard.press("Enter")
    page.get_by_role("button", name=words("submit")).click(force=True)
    sent[0].continue_()
    window.heading(window.words("pages/home")("title"))
    assert len(sent) == 1
