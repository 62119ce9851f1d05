"""The start page: what waits for somebody, and where they can go."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect


def test_whoever_has_no_session_can_sign_in_or_register(window):
    words = window.words("pages/home")
    window.open("/")
    window.look("without a session")
    window.press(window.page.get_by_role("main").get_by_role("link", name=words("register")))
    window.heading(window.words("pages/register")("title"))


@pytest.mark.parametrize("kind", ["person", "third_party", "administrator", "desk_operator"])
def test_each_kind_of_account_finds_its_pages(window, accounts, kind):
    people = {
        "person": accounts.person, "third_party": accounts.third_party, "administrator": lambda: accounts.administrator,
        "desk_operator": lambda: accounts.desk_operator(accounts.dispatcher()),
    }  # fmt: skip
    words, shell = window.words("pages/home"), window.words("shell")
    page = window.page
    window.sign_in(people[kind]().credentials)
    if kind == "person":
        expect(page.get_by_text(words.like("unread"))).to_be_visible()
    window.look("with its links")
    places = page.get_by_role("list", name=words("places")).get_by_role("link")
    names = places.all_inner_texts()
    assert words("settings") in names
    for name in names:
        places.get_by_text(name, exact=True).click()
        expect(page.get_by_role("heading", level=1)).not_to_have_text(words("title"))
        assert page.get_by_role("heading", level=1).inner_text() not in (shell("notFound"), shell("otherKind"))
        window.ready()
        window.page.go_back()
        window.heading(words("title"))
