"""The accessibility statement and its feedback address: configured pages, and what stands there without."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from server_process import ServerProcess

HOSTILE = '<img src=x onerror="alert(1)"><script>alert(1)</script>'


def follow_footer(window):
    window.press(window.page.get_by_role("contentinfo").get_by_role("link", name=window.words("shell")("accessibility")))
    window.heading(window.words("pages/accessibility")("title"))


@pytest.mark.long
def test_without_a_statement_the_page_says_what_is_measured_and_what_is_not_known(window):
    words, page = window.words("pages/accessibility"), window.page
    window.open("/")
    follow_footer(window)
    for said in ("ownWord", "measuredAxe", "measuredKeyboard", "measuredNarrow", "missingText", "noFeedback"):
        expect(page.get_by_text(words(said))).to_be_visible()
    window.look("the statement that is built in")


@pytest.fixture(scope="module")
def configured(tmp_path_factory):
    statement = tmp_path_factory.mktemp("statement") / "statement.txt"
    statement.write_text(f"# What we promise\r\n\r\nAll of it works.\n  \n{HOSTILE}\nand more\n")
    server = ServerProcess(
        {
            "TRACKME_ACCESSIBILITY_STATEMENT_EN": str(statement),
            "TRACKME_ACCESSIBILITY_STATEMENT_IT": "https://form.agid.gov.it/view/1",
            "TRACKME_ACCESSIBILITY_FEEDBACK": "accessibility@trackme.example",
        },
        has_web=True,
    ).start()  # fmt: skip
    yield server
    server.remove()


def test_a_configured_statement_and_its_feedback_address_stand_there(configured, windows):
    window = windows(configured)
    words, main = window.words("pages/accessibility"), window.page.get_by_role("main")
    window.open("/accessibility")
    if window.language == "it":
        expect(main.get_by_role("link", name=words("elsewhere"))).to_have_attribute("href", "https://form.agid.gov.it/view/1")
    else:
        expect(main.get_by_role("heading", level=2, name="What we promise")).to_be_visible()
        expect(main.locator("[lang=en] p")).to_have_text(["All of it works.", f"{HOSTILE} and more"])
    mail = main.get_by_role("link", name="accessibility@trackme.example")
    expect(mail).to_have_attribute("href", "mailto:accessibility@trackme.example")
    expect(main.get_by_text(words("ownWord"))).to_have_count(0)
    window.look("a configured statement")


def test_a_statement_in_one_language_is_shown_in_the_other_too(windows, tmp_path):
    statement = tmp_path / "dichiarazione.txt"
    statement.write_text("Tutto funziona: è così.")
    server = ServerProcess(
        {"TRACKME_ACCESSIBILITY_STATEMENT_IT": str(statement), "TRACKME_ACCESSIBILITY_FEEDBACK": "https://trackme.example/help"},
        has_web=True,
    ).start()  # fmt: skip
    try:
        window = windows(server)
        window.open("/accessibility")
        main, words = window.page.get_by_role("main"), window.words("pages/accessibility")
        expect(main.locator("[lang=it] p")).to_have_text("Tutto funziona: è così.")
        expect(main.get_by_role("link", name=words("feedbackPage"))).to_have_attribute("href", "https://trackme.example/help")
        window.look("a statement in one language")
    finally:
        server.remove()
