"""Signing in at an OpenID Connect issuer in a browser (A-R4)."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from openid_site import NAME, Site, subjects


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    made = Site(tmp_path_factory.mktemp("openid"))
    yield made
    made.remove()


def press_issuer(window):
    """Presses the link by keyboard; the issuer leads back at once."""
    window.is_elsewhere = True
    window.press(window.page.get_by_role("link", name=window.words("pages/sign-in")("atIssuer", name=NAME)))


def test_a_person_signs_in_at_the_issuer_by_keyboard_alone_and_comes_to_the_page_they_wanted(site, windows):
    member, site.issuer.subject = site.linked()
    window = windows(site.server)
    shell, page = window.words("shell"), window.page
    window.open("/status")
    window.heading(window.words("pages/sign-in")("title"))
    expect(page.get_by_text(NAME)).to_be_visible()
    window.look("with a way to an issuer")
    press_issuer(window)
    window.heading(window.words("pages/status")("title"))
    window.is_elsewhere = False
    assert page.url == f"{site.origin}/status"
    expect(page.get_by_text(shell("signedInAs", username=member.credentials.username))).to_be_visible()
    cookies = window.context.cookies(site.origin)
    assert {c["name"] for c in cookies} == {"__Host-trackme-session", "__Host-trackme-refresh"}
    assert all(c["httpOnly"] and c["secure"] and c["sameSite"] == "Strict" for c in cookies)
    window.press(page.get_by_role("button", name=shell("signOut")))
    window.heading(window.words("pages/sign-in")("title"))
    assert not window.context.cookies(site.origin)


@pytest.mark.long
def test_who_is_not_signed_in_there_reads_why_and_may_use_the_password(site, windows):
    window = windows(site.server)
    words, page = window.words("pages/sign-in"), window.page
    for subject, said in ((None, "refused"), ("a subject that nobody has", "notLinked")):
        site.issuer.subject = subject
        window.open("/sign-in?next=/status")
        press_issuer(window)
        expect(page.get_by_role("alert")).to_have_text(words(said))
        window.is_elsewhere = False
    window.look("after an issuer")
    window.open("/sign-in?problem=anything%20<script>")
    expect(page.get_by_role("alert")).to_have_text(words("invalid"))
    member = site.accounts.person()
    window.open("/sign-in?problem=notLinked&next=%2Fstatus")
    window.type_into(page.get_by_label(words("username"), exact=True), member.credentials.username)
    window.type_into(page.get_by_label(words("password"), exact=True), member.credentials.password)
    page.keyboard.press("Enter")
    window.heading(window.words("pages/status")("title"))


@pytest.mark.long
def test_a_person_links_the_account_by_keyboard_alone_and_ends_the_link(site, windows):
    site.issuer.subject = next(subjects)
    member, window = site.accounts.person(), windows(site.server)
    words, signing, page = window.words("pages/linked-sign-in"), window.words("pages/sign-in"), window.page
    window.open("/sign-in")
    press_issuer(window)
    expect(page.get_by_role("alert")).to_have_text(signing("notLinked"))
    window.is_elsewhere = False
    window.type_into(page.get_by_label(signing("username"), exact=True), member.credentials.username)
    window.type_into(page.get_by_label(signing("password"), exact=True), member.credentials.password)
    page.keyboard.press("Enter")
    window.heading(words("title"))
    window.look("before")
    for password, said in (("wrong horse", "wrongPassword"), (member.credentials.password, "linked")):
        window.is_elsewhere = True
        window.press(page.get_by_role("link", name=words("begin", name=NAME)))
        field = page.get_by_label(words("password"), exact=True)
        expect(field).to_be_visible()
        window.is_elsewhere = False
        assert page.url == f"{site.origin}/linked-sign-in", "the code stands in no address"
        window.look("the password is asked for")
        window.allow("403")
        window.type_into(field, password)
        page.keyboard.press("Enter")
        expect(page.get_by_text(words(said, name=NAME))).to_be_visible()
        window.look(said)
    window.press(page.get_by_role("button", name=window.words("shell")("signOut")))
    window.heading(signing("title"))
    press_issuer(window)
    expect(page.get_by_text(window.words("shell")("signedInAs", username=member.credentials.username))).to_be_visible()
    window.is_elsewhere = False
    window.open("/linked-sign-in")
    window.press(page.get_by_role("button", name=words("end")))
    expect(page.get_by_text(words("ended"))).to_be_visible()
    window.open("/linked-sign-in?problem=refused")
    expect(page.get_by_role("alert")).to_have_text(words("refused"))


def test_where_there_is_no_issuer_the_page_says_so(window, accounts):
    window.sign_in(accounts.person().credentials, "/linked-sign-in")
    expect(window.page.get_by_text(window.words("pages/linked-sign-in")("none"))).to_be_visible()
    window.look("no issuer")
