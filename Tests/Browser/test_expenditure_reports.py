"""Reports, comparison, mobility and the import of figures of health expenditure in a browser (S-UC2, S-UC3, S-FR2, S-NFR5,
S-NFR10, S-EV1, S-EV2)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from expenditure_files import accounts as made_up_accounts
from spending import spending_server

SERVICES_CENTS = 431_169_701_240
"""What Piemonte paid for services (BA0390) in 2024, as the shipped file says in its second row."""


@pytest.fixture(scope="module")
def spending():
    with spending_server() as made:
        yield made


@pytest.fixture
def window(windows, spending):
    return windows(spending.server)


def euros(cents: int, window) -> str:
    """An amount as the page's language writes it."""
    text = f"{cents // 100:,}.{cents % 100:02}"
    return f"€{text}" if window.language == "en" else f"{text.translate(str.maketrans(',.', '.,'))}\xa0€"


def says(window):
    return window.words("expenditure/reports")


def test_s_uc2_a_report_shows_the_whole_and_its_parts_each_with_its_row(window):
    words, page = says(window), window.page
    window.open("/expenditure/010?measure=euros&year=2024&release=1")
    expect(page.get_by_role("heading", level=1)).to_contain_text("BZ9999")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Piemonte")
    parts = page.get_by_role("table", name=words("composition", measure=words("MEASURE_EUROS"), year="2024"))
    services = parts.get_by_role("row").filter(has_text="BA0390")
    expect(services).to_contain_text(euros(SERVICES_CENTS, window))
    expect(services).to_contain_text("conto_economico_regionale_2024.FIVE-VOICES.csv")
    expect(page.locator(".whole")).to_be_visible()
    expect(page.get_by_text(words.like("unexplained"))).to_be_visible()
    expect(page.get_by_text("CC BY 3.0").first).to_be_visible()
    window.look("report in euros")
    for summary in page.locator("summary").all():
        if not summary.locator("..").get_attribute("open"):
            summary.click()
    window.look("report with every table open")


@pytest.mark.long
def test_s_uc2_a_value_per_resident_names_its_denominator_and_a_missing_one_its_reason(window):
    words, page = says(window), window.page
    window.open("/expenditure/010?year=2024&release=1")
    expect(page.get_by_text(words("dividedBy"), exact=True).first).to_be_visible()
    expect(page.locator("dd").filter(has_text="popolazione_regioni.CONVERTED.csv")).to_be_visible()
    window.open("/expenditure/010?measure=change&year=2024&release=1")
    expect(page.locator(".whole-missing")).to_contain_text(words("MISSING_REASON_NO_YEAR_BEFORE"))
    window.look("no value")
    window.open("/expenditure/IT?release=1")
    expect(page.get_by_role("heading", level=1)).to_contain_text(words("italy"))
    window.look("Italy")


@pytest.mark.long
def test_s_uc3_a_chart_leads_to_all_about_a_voice_and_back_to_where_it_was_by_keyboard_alone(window):
    words, page = says(window), window.page
    window.open("/expenditure/010?measure=euros&year=2024")
    charts = page.url
    part = page.locator("#part-BA2080")
    window.press(part)
    expect(page.get_by_role("heading", level=1)).to_contain_text("BA2080")
    expect(page.get_by_role("heading", name=words("definition"), exact=True)).to_be_visible()
    measures = page.get_by_role("table", name=words("measures", year="2024"))
    expect(measures.get_by_role("row")).to_have_count(5)
    expect(page.get_by_role("img", name=words.like("seriesSummary"))).to_be_visible()
    # Each number of a series says which row it is out of.
    page.get_by_text(words("table"), exact=True).first.click()
    expect(page.locator(".figure-table").get_by_text("conto_economico_regionale_2024").first).to_be_visible()
    window.look("a voice")
    window.press(page.get_by_role("link", name=words("back"), exact=True))
    expect(part).to_be_focused()
    assert page.url == charts
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_contain_text("BA2080")
    page.go_back()
    expect(part).to_be_focused()
    # Down the tree, and up again by the way that is shown.
    window.press(page.locator("#part-BA0390"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("BA0390")
    way = page.get_by_role("navigation", name=words("where"))
    expect(way.get_by_role("link")).to_have_count(3)
    window.press(way.get_by_role("link").last)
    expect(page.get_by_role("heading", level=1)).to_contain_text("BZ9999")


def test_s_uc3_s_uc6_a_voice_leads_to_its_place_in_the_dictionary(window):
    words, page = says(window), window.page
    window.open("/expenditure/010/BA2080?release=1")
    window.press(page.get_by_role("link", name=words("dictionary"), exact=True))
    heading = page.locator("#entry-BA2080").get_by_role("heading")
    expect(heading).to_be_focused()
    expect(heading).to_be_in_viewport()


def test_s_nfr5_the_own_value_is_marked_among_21_and_every_chart_can_be_taken_away(window):
    words, page = says(window), window.page
    window.open("/expenditure/120?year=2024&release=1")
    title = words("histogram", measure=words("MEASURE_PER_RESIDENT"), year="2024")
    drawing = page.get_by_role("img", name=words.like("histogramSummary"))
    expect(drawing).to_be_visible()
    expect(drawing.get_by_text(re.compile("▲"))).to_have_count(1)
    page.get_by_text(words("accounts"), exact=True).click()
    ranks = page.get_by_role("table", name=re.compile(re.escape(words("accounts"))))
    expect(ranks.get_by_role("row")).to_have_count(22)
    for kind in ("SVG", "PNG"):
        with page.expect_download() as saving:
            page.get_by_role("button", name=words("saveAs", title=title, kind=kind), exact=True).click()
        content = Path(saving.value.path()).read_bytes()
        assert saving.value.suggested_filename.endswith(f".{kind.lower()}")
        if kind == "PNG":
            assert content.startswith(b"\x89PNG") and len(content) > 1_000
        else:
            text = content.decode()
            assert text.startswith("<svg") and "CC BY 3.0" in text and 'fill="rgb' in text and "class=" not in text
    with page.expect_download() as saving:
        page.get_by_role("link", name=words("csv"), exact=True).click()
    assert saving.value.suggested_filename.endswith(".csv")
    assert b"BZ9999" in Path(saving.value.path()).read_bytes()


def test_s_uc2_bodies_are_led_to_and_never_added_up(window):
    words, page = says(window), window.page
    window.open("/expenditure/010?release=1")
    expect(page.get_by_text(words("bodiesWhy"))).to_be_visible()
    window.press(page.locator(".bodies a").first)
    expect(page.get_by_text(words("ofBody"))).to_be_visible()
    window.look("a body")
    expect(page.get_by_role("img", name=words.like("histogramSummary"))).to_have_count(0)


def test_s_uc2_what_is_chosen_stands_in_the_address_and_on_paper(window):
    words, page = says(window), window.page
    window.open("/expenditure/120")
    measure = page.get_by_label(words("measure"), exact=True)
    window.tab_to(measure)
    page.keyboard.press("End")
    expect(measure).to_have_value("MEASURE_CHANGE")
    window.press(page.get_by_role("button", name=words("show"), exact=True))
    page.wait_for_url("**measure=change**")
    page.go_back()
    expect(page.get_by_label(words("measure"), exact=True)).to_have_value("MEASURE_PER_RESIDENT")
    exact = page.get_by_role("link", name=words("address"), exact=True).get_attribute("href")
    assert re.search(r"release=[2-9]", exact) and "year=" in exact and f"lang={window.language}" in exact
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", name=words("take"), exact=True)).to_be_hidden()
    expect(page.locator(".figure-drawing").first).to_be_visible()
    page.emulate_media(media="screen")


def test_s_ev2_territories_are_compared_on_one_scale_by_keyboard_alone(window):
    words, page = says(window), window.page
    window.open("/expenditure/compare")
    window.look("nothing is compared")
    show = page.get_by_role("button", name=words("show"), exact=True)
    for code in ("IT", "010"):
        if code == "010":
            window.press(show)
            expect(page.locator("#which-problem")).to_have_text(words("twoToFive"))
            window.look("too few")
        window.press(page.locator(f"#which-{code}"), "Space")
    window.press(show)
    drawing = page.get_by_role("img", name=words.like("comparedSummary"))
    expect(drawing).to_be_visible()
    expect(page.get_by_role("img", name=words.like("seriesSummary"))).to_be_visible()
    assert drawing.locator("rect").count() % 2 == 0
    window.look("two are compared")
    page.reload()
    expect(page.locator("#which-010")).to_be_checked()
    expect(drawing).to_be_visible()
    window.press(page.locator("#report-010"))
    expect(page.get_by_role("heading", level=1)).to_contain_text("Piemonte")


@pytest.mark.long
def test_s_ev1_what_is_paid_for_patients_treated_elsewhere_has_no_balance(window):
    words, page = says(window), window.page
    window.open("/expenditure/mobility?release=1")
    expect(page.get_by_text(words("noMobility"))).to_be_visible()
    window.look("no such figures")
    window.open("/expenditure/mobility")
    expect(page.get_by_text(words("noBalance"))).to_be_visible()
    expect(page.get_by_role("table", name=words("paid", year="2023")).get_by_role("row")).to_have_count(22)
    window.look("mobility of 2023")
    window.press(page.get_by_role("navigation", name=words("year")).get_by_role("link", name="2022", exact=True))
    table = page.get_by_role("table", name=words("paid", year="2022"))
    expect(table.get_by_role("row").nth(1)).to_contain_text(euros(302_250, window))
    expect(table.get_by_role("row").nth(1)).to_contain_text("mobility.SYNTHETIC.csv")


def test_what_is_not_there_says_so(window):
    window.allow("4(00|04) .*GetReport")
    window.open("/expenditure/999")
    expect(page_text := window.page.locator("main")).not_to_be_empty()
    expect(page_text.get_by_role("button")).to_be_visible()
    window.look("no such territory")


def test_s_nfr10_an_administrator_tries_imports_and_publishes_with_a_reason_that_visitors_see(window, spending, tmp_path):
    words, page = window.words("pages/expenditure/figures"), window.page
    # Files that were imported before change nothing: each look has its own.
    files = made_up_accounts(2022, more=1 + 2 * (window.language == "it") + (window.theme == "dark"))
    national = next(name for name in files if name.startswith("national"))
    files[national] = re.sub(rb"(\d)\r\n$", lambda found: b"%d\r\n" % ((int(found[1]) + 1) % 10), files[national])
    paths = []
    for name, content in files.items():
        paths.append(tmp_path / name)
        paths[-1].write_bytes(content)
    (tmp_path / "wrong.csv").write_bytes(b"a,b\r\n1,2\r\n")
    window.allow("4(00|12|09) .*(ImportFigures|PublishRelease)")
    window.sign_in(spending.administrator.credentials, "/expenditure/admin")
    window.look("releases")
    check = page.get_by_role("button", name=words("check"), exact=True)
    window.press(check)
    expect(page.locator("#files-problem")).to_have_text(words("noFiles"))
    page.locator("#files").set_input_files(tmp_path / "wrong.csv")
    window.press(check)
    expect(page.locator("#files-problem")).to_contain_text("wrong.csv")
    window.look("a file that is none")
    page.locator("#files").set_input_files(paths)
    window.press(check)
    expect(page.get_by_role("heading", name=words("found"), exact=True)).to_be_visible()
    expect(page.get_by_role("table", name=words("findingsCaption")).first.get_by_role("row").nth(1)).to_contain_text(words("yes"))
    window.look("what the files would be")
    window.press(page.get_by_role("button", name=words("importNow"), exact=True))
    card = page.locator(".releases .card").first
    expect(card).to_contain_text(words("draft"))
    expect(card).to_contain_text(words("blocked"))
    # Nobody sees a draft, so nothing leads to it.
    expect(card.get_by_role("link")).to_have_count(0)
    number = re.search(r"\d+", card.get_by_role("heading").first.inner_text())[0]
    publish_button = card.get_by_role("button", name=words("publish", number=number), exact=True)
    window.type_into(card.get_by_label(words("reason"), exact=True), "too short")
    window.press(publish_button)
    expect(card.get_by_text(words("reasonShort"))).to_be_visible()
    window.look("a reason is asked for")
    reason = "A cent is missing in the national file, which is known."
    window.type_into(card.get_by_label(words("reason"), exact=True), reason)
    window.press(publish_button)
    window.press(page.get_by_role("dialog").get_by_role("button", name=words("publishConfirm"), exact=True))
    # What is announced says the same.
    expect(page.get_by_role("main").get_by_text(words("donePublished", number=number))).to_be_visible()
    expect(card).to_contain_text(reason)
    expect(card.get_by_role("link", name=words("see"), exact=True)).to_be_visible()
    window.open("/expenditure/010?year=2022")
    expect(page.get_by_text(reason)).to_be_visible()
