"""A person's own readings as files (B-R.D2)."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from playwright.sync_api import expect

from recorded import push


def download(window) -> str:
    """Presses the button by keyboard; what is in the file."""
    with window.page.expect_download() as begun:
        window.press(window.page.get_by_role("button", name=window.words("pages/export")("submit")))
    return Path(begun.value.path()).read_text()


def test_a_person_loads_a_file_of_what_is_chosen_by_keyboard_alone(window, accounts):
    person = accounts.person()
    words, page = window.words("pages/export"), window.page
    push(person, "heart_rate", 71, 72, every_s=86_400)
    push(person, "weight", 70.5)
    window.sign_in(person.credentials, "/charts?metric=heart_rate")
    window.press(page.get_by_role("link", name=window.words("pages/charts")("exportIt")))
    window.heading(words("title"))
    expect(page.get_by_label(window.words("metrics")("heart_rate"), exact=True)).to_be_checked()
    window.look("as it comes from a chart")
    rows = list(csv.DictReader(download(window).splitlines()))
    assert [(row["metric"], float(row["value"])) for row in rows] == [("heart_rate", 71), ("heart_rate", 72)]
    expect(page.get_by_text(words("begun"))).to_be_visible()

    window.press(page.get_by_label(window.words("metrics")("heart_rate"), exact=True), "Space")
    window.tab_to(page.get_by_label(words("csv"), exact=True))
    page.keyboard.press("ArrowDown")
    lines = [json.loads(line) for line in download(window).splitlines()]
    assert sum(line["resourceType"] == "Observation" for line in lines) == 3


def test_what_no_file_can_be_of_is_said_at_its_field(window, accounts):
    words, page = window.words("pages/export"), window.page
    window.sign_in(accounts.person().credentials, "/export?metric=position")
    page.get_by_label(words("fhir"), exact=True).check()
    submit = page.get_by_role("button", name=words("submit"))
    submit.click()
    expect(page.get_by_text(words("noPositions"))).to_be_visible()
    window.look("positions in FHIR")
    page.get_by_label(words("csv"), exact=True).check()
    page.get_by_label(words("from"), exact=True).fill("2026-11-02T00:00")
    page.get_by_label(words("to"), exact=True).fill("2026-11-01T00:00")
    submit.click()
    to = page.get_by_label(words("to"), exact=True)
    expect(to).to_be_focused()
    expect(to).to_have_accessible_description(f"{words('toHint')} {words('endsBeforeStart')}")
