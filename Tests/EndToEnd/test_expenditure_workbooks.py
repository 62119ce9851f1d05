"""Accounts come as workbooks too, as LibreOffice and openpyxl write them (S-NFR10)."""

from __future__ import annotations

import io

import grpc
import openpyxl
import pytest

from expenditure_files import import_files, publish, shipped
from expenditure_site import NATIONAL, REGIONAL, Site
from expenditure_site import rows as csv_rows
from failures import fails
from server_process import ROOT
from trackme.protocol import figures

FOLDER = ROOT / "Tests/fixtures/spreadsheets"
FIRST_ROWS = {"plain": 2, "merged": 4, "formulas": 2}
"""Where the first amount stands in each."""


@pytest.fixture
def administrator():
    with Site() as made:
        yield made.administrator


def regional() -> list[list[str]]:
    return csv_rows(shipped()[REGIONAL])


def workbook(rows: list[list[str]], *merged: str) -> bytes:
    book, content = openpyxl.Workbook(), io.BytesIO()
    for row in rows:
        book.active.append(row)
    for cells in merged:
        book.active.merge_cells(cells)
    book.save(content)
    return content.getvalue()


def amounts(administrator, voice: str) -> dict[str, tuple[int, int]]:
    """Cents and rows by territory."""
    answer = administrator.ask("GetMap", view=figures.View(voice=voice, measure=figures.MEASURE_EUROS))
    (year,) = answer.years
    return {value.territory: (value.value.number, value.value.source.row) for value in year.values}


@pytest.mark.parametrize("name", FIRST_ROWS)
def test_a_workbook_by_libreoffice_says_what_the_publishers_file_says(administrator, name):
    """Shared strings, merged titles and headings, and the stored values of formulas: the same cents, with the sheet's rows."""
    file = f"regional-2024.{name}.xlsx"
    files = {file: (FOLDER / file).read_bytes(), NATIONAL: shipped()[NATIONAL]}
    draft = import_files(administrator, files)
    assert not [finding for finding in draft.findings if finding.blocks]
    publish(administrator, draft)
    for voice in ("BA0390", "BA1350", "BA1750", "BA2080", "BZ9999"):
        want = {
            row[1]: (int(row[6].replace(".", "")), FIRST_ROWS[name] + place)
            for place, row in enumerate(regional()[1:]) if row[3] == voice
        }  # fmt: skip
        shown = amounts(administrator, voice)
        assert {territory: value for territory, value in shown.items() if territory != "IT"} == want


def test_a_heading_that_is_merged_over_two_rows_counts_once(administrator):
    heading, *rows = regional()
    letters = "ABCDEFG"
    content = workbook([heading, [None] * 7, *rows], *(f"{letter}1:{letter}2" for letter in letters))
    draft = import_files(administrator, {"two.xlsx": content, NATIONAL: shipped()[NATIONAL]})
    assert [file.rows for file in draft.files if file.name == "two.xlsx"] == [105]


def test_an_error_names_the_row_that_comes_closest_to_a_heading(administrator):
    """And titles end somewhere: below ten rows of them nobody looks for a heading."""
    heading, *rows = regional()
    title = ["Conto economico 2024"]
    cases = {
        "row 3: the heading has no \"Importo Totale\"": [title, title, heading[:-1], *(row[:-1] for row in rows)],
        "row 1: the heading is of no known form": [*[title] * 10, heading, *rows],
        'row 12, column "Importo Totale"': [*[title] * 9, heading, rows[0], [*rows[1][:-1], "x"]],
    }
    for said, table in cases.items():
        with fails(grpc.StatusCode.INVALID_ARGUMENT) as failure:
            import_files(administrator, {"titles.xlsx": workbook(table)})
        assert failure.reason == "BAD_FILE" and said in failure.message
