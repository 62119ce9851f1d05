"""Figures come in whole or not at all, to the cent (S-NFR10)."""

from __future__ import annotations

import io
import random
from collections import defaultdict
from decimal import Decimal

import grpc
import openpyxl
import pytest

from trackme.protocol import figures, releases

from expenditure_files import accounts, import_files, publish, shipped
from expenditure_site import (
    BODIES,
    NATIONAL,
    REGIONAL,
    SHIPPED,
    bodies,
    body_rows,
    cents,
    map_values,
    mobility,
    residents,
    rows,
    written,
)
from failures import fails
from server_process import ROOT


def workbook(table: list[list[str]], numbers: bool) -> bytes:
    book = openpyxl.Workbook()
    amount = table[0].index("Importo Totale")
    for number, row in enumerate(table):
        cells = list(row)
        if numbers and number:
            cells[amount], cells[0] = float(row[amount]), int(row[0])
        book.active.append(cells)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def other_year(content: bytes, year: int) -> bytes:
    """SYNTHETIC: the same amounts under another year, so that the file is a new one."""
    table = rows(content)
    return written([table[0]] + [[str(year), *row[1:]] for row in table[1:]])


def test_the_real_accounts_to_the_cent_and_to_the_row(own_site):
    """S-NFR10: every number leads to the row that it came from; a region is what its account says."""
    site = own_site
    draft = import_files(site.administrator, shipped(), note="2024")
    assert draft.number and {file.form for file in draft.files} == {1, 2, 3, 4, 5}
    counts = {count.kind: (count.made, count.failed) for count in draft.checks}
    assert counts[releases.CHECK_KIND_NATIONAL_SUM] == (5, 0)
    assert not [finding for finding in draft.findings if finding.blocks]
    with fails(grpc.StatusCode.FAILED_PRECONDITION):
        site.ask("GetMap")
    release = publish(site.administrator, draft)
    assert release.published_time.seconds and release.override_reason == "" and release.etag != draft.etag
    regional, national = rows(shipped()[REGIONAL]), rows(shipped()[NATIONAL])
    for voice in ("BA0390", "BA1350", "BA1750", "BA2080", "BZ9999"):
        want = {r[1]: (cents(r[6]), n) for n, r in enumerate(regional, 1) if r[3] == voice}
        want |= {"IT": (cents(r[4]), n) for n, r in enumerate(national, 1) if r[1] == voice}
        assert map_values(site, voice) == {2024: want}
    assert map_values(site, "BZ9999")[2024]["IT"][0] == 14_919_584_274_769


def test_bodies_are_never_added_up_to_a_region(own_site):
    """S-NFR10: the sum over bodies of 2024 is 176.4 bn where the account says 149.2."""
    site = own_site
    publish(site.administrator, import_files(site.administrator, shipped()))
    sums = defaultdict(int)
    for row in rows(shipped()[BODIES])[1:]:
        if row[7] == "BZ9999":
            sums[row[1]] += cents(row[10])
    assert round(sum(sums.values()) / 1e11, 1) == 176.4
    shown = map_values(site, "BZ9999")[2024]
    assert round(shown["IT"][0] / 1e11, 1) == 149.2
    assert round(100 * sums["030"] / shown["030"][0] - 100, 1) == 27.9
    for region, added in sums.items():
        assert shown[region][0] < added or region in ("041", "042", "140"), region  # what these buy is from others
        answer = site.ask("GetReport", view=figures.View(voice="BZ9999"), territory=region)
        assert answer.whole.value.number == shown[region][0]


def test_the_same_file_twice_changes_nothing(own_site):
    site = own_site
    first = import_files(site.administrator, accounts(2024))
    again = import_files(site.administrator, accounts(2024))
    assert first.number and again.number == 0 and len(again.files) == 2
    assert all(file.imported_before for file in again.files)
    assert [(f.sha256, f.rows, f.form) for f in again.files] == [(f.sha256, f.rows, f.form) for f in first.files]
    mixed = import_files(site.administrator, accounts(2024) | accounts(2023))
    assert sorted(file.imported_before for file in mixed.files) == [False, False, True, True]
    assert [release.number for release in site.drafts()] == [mixed.number, first.number]


def test_a_dry_run_says_the_same_and_keeps_nothing(own_site):
    site = own_site
    dry = import_files(site.administrator, shipped(), dry_run=True, note="dry")
    assert dry.number == 0 and dry.etag == "" and not site.drafts()
    draft = import_files(site.administrator, shipped(), note="dry")
    assert draft.number and dry.checks == draft.checks and len(dry.findings) == len(draft.findings)
    assert [f.sha256 for f in dry.files] == [f.sha256 for f in draft.files]


def forms(table: list[list[str]]) -> dict[str, bytes]:
    """The same account as it may be written."""
    heading, body = table[0], table[1:]
    chance = random.Random(15)
    order = chance.sample(range(len(heading)), len(heading))
    shuffled = chance.sample(body, len(body))
    amount = heading.index("Importo Totale")

    def with_amounts(change) -> list[list[str]]:
        return [heading] + [[change(c) if n == amount else c for n, c in enumerate(row)] for row in body]

    apart = with_amounts(lambda text: f"{Decimal(text):,.2f}")
    return {
        "columns": written([[row[n] for n in order] for row in table]),
        "rows": written([heading, *shuffled]),
        "more-columns": written([[*row, more] for row, more in zip(table, ["Oneri Finanziari"] + ["x"] * len(body))]),
        "capitals": written([[text.upper() for text in heading], *body]),
        "stage": written([["Tipo Rilevazione", *heading], *(["CONSUNTIVO", *row] for row in body)]),
        "bom": written(table, encoding="utf-8-sig", ending="\n"),
        "windows": written(table, encoding="cp1252"),
        "comma": written(with_amounts(lambda text: text.replace(".", ",")), delimiter=","),
        "italian": written(with_amounts(lambda text: text.replace(".", ","))),
        "thousands": written(apart),
        "italian-thousands": written(
            [apart[0], *([c.translate(str.maketrans(",.", ".,")) if n == amount else c for n, c in enumerate(row)]
                         for row in apart[1:])]),
        "quoted": "".join(";".join(f'"{cell}"' for cell in row) + "\r\n" for row in table).encode(),
        "text.xlsx": workbook(table, numbers=False),
        "numbers.xlsx": workbook(table, numbers=True),
    }  # fmt: skip


def test_any_order_encoding_ending_and_number_form_gives_the_same(own_site):
    """Each form under a year of its own, all of them published: every year shows the same amounts."""
    site = own_site
    table = rows((SHIPPED / REGIONAL).read_bytes())
    files = {}
    for number, name in enumerate(forms(table)):
        changed = [table[0]] + [[str(2001 + number), *row[1:]] for row in table[1:]]
        files[f"{name}.SYNTHETIC"] = forms(changed)[name]
    release = publish(site.administrator, import_files(site.administrator, files))
    assert all(file.rows == 105 for file in release.files)
    for voice in ("BA0390", "BZ9999"):
        want = {row[1]: cents(row[6]) for row in table[1:] if row[3] == voice}
        shown = map_values(site, voice)
        assert len(shown) == len(files)
        for year, values in shown.items():
            assert {t: v for t, (v, _) in values.items() if t != "IT"} == want, list(files)[year - 2001]


def bad_files() -> dict[str, tuple[bytes, str]]:
    """Files that are wrong, and what the error says."""
    content = (SHIPPED / REGIONAL).read_bytes()
    table = rows(content)

    def with_cell(row: int, column: int, text: str) -> bytes:
        changed = [list(cells) for cells in table]
        changed[row][column] = text
        return written(changed)

    return {
        "empty.csv": (b"", "empty"),
        "heading.csv": (written(table[:1]), "no rows"),
        "no-amount.csv": (written([row[:-1] for row in table]), '"Importo Totale"'),
        "no-region.csv": (written([[row[0], *row[2:]] for row in table]), '"Codice Regione"'),
        "other.csv": (b"a;b\r\n1;2\r\n", "form"),
        "twice.csv": (written([*table, table[7]]), 'row 107, column "Codice Voce Contabile": is there twice'),
        "doubled-heading.csv": (written([[*row, row[6]] for row in table]), 'column "Importo Totale"'),
        "istat-21.csv": (with_cell(18, 1, "021"), 'row 19, column "Codice Regione"'),
        "swapped.csv": (with_cell(18, 1, "042"), 'row 19, column "Descrizione Regione"'),
        "year.csv": (with_cell(3, 0, "20244"), 'row 4, column "Anno di Riferimento"'),
        "thousand.csv": (with_cell(5, 6, "1.234"), 'row 6, column "Importo Totale"'),
        "three-decimals.csv": (with_cell(5, 6, "12345.678"), 'row 6, column "Importo Totale"'),
        "huge.csv": (with_cell(5, 6, "9" * 30), 'row 6, column "Importo Totale"'),
        "nan.csv": (with_cell(5, 6, "NaN"), 'row 6, column "Importo Totale"'),
        "formula.csv": (with_cell(5, 6, "=1+1"), 'row 6, column "Importo Totale"'),
        "none.csv": (with_cell(5, 6, ""), 'row 6, column "Importo Totale": is empty'),
        "code.csv": (with_cell(5, 3, "BA'; DROP"), 'row 6, column "Codice Voce Contabile"'),
        "forecast.csv": (
            written([["Tipo Rilevazione", *table[0]], *(["PREVENTIVO", *row] for row in table[1:])]),
            'row 2, column "Tipo Rilevazione"'),
        "20-accounts.csv": (written([row for row in table if row[1] != "042"]), "042 P.A. Trento"),
        "unfinished.csv": (content.rstrip(), "end of line"),
        "zip.xlsx": (b"PK\x03\x04" + b"\x00" * 400, ""),
        "cut.xlsx": (workbook(table, numbers=True)[:-3000], ""),
        "noise.csv": (random.Random(1).randbytes(5_000), ""),
    }  # fmt: skip


@pytest.mark.parametrize("name", bad_files())
def test_a_bad_file_has_an_error_with_a_place_and_nothing_is_kept(site, name):
    content, said = bad_files()[name]
    good = {NATIONAL: (SHIPPED / NATIONAL).read_bytes()}
    before = [release.number for release in site.drafts()]
    if content:
        with fails(grpc.StatusCode.INVALID_ARGUMENT) as failure:
            import_files(site.administrator, {**good, name: content})
        assert failure.reason == "BAD_FILE" and name in failure.message and said in failure.message
    else:
        with fails(grpc.StatusCode.INVALID_ARGUMENT):
            import_files(site.administrator, {**good, name: content})
    assert [release.number for release in site.drafts()] == before
    assert import_files(site.administrator, good, dry_run=True).files[0].imported_before is False


def test_a_cut_file_is_never_half_a_release(site):
    """Cut anywhere: an error, or a draft that is blocked because it is not what Italy's account says."""
    whole, chance = other_year((SHIPPED / REGIONAL).read_bytes(), 2031), random.Random(3)
    national = other_year((SHIPPED / NATIONAL).read_bytes(), 2031)
    for length in [1, 10, 130, len(whole) - 2, *chance.sample(range(1, len(whole) - 1), 25)]:
        try:
            draft = import_files(
                site.administrator, {"whole.csv": national, "cut.csv": whole[:length]}, dry_run=True)  # fmt: skip
        except grpc.RpcError as error:
            assert error.code() == grpc.StatusCode.INVALID_ARGUMENT and "cut.csv" in error.details(), length
        else:
            assert [finding for finding in draft.findings if finding.blocks], length


def test_an_error_tells_file_row_and_column_apart(site):
    table = rows((SHIPPED / REGIONAL).read_bytes())
    table[5][6] = "1.234"
    _, place = site.refusal({"bad.csv": written(table)})
    assert place == {"file": "bad.csv", "row": "6", "column": "Importo Totale"}
    # Of the whole year, and of the whole file.
    _, place = site.refusal({"cut.csv": written(row for row in table[:5])})
    assert place == {"file": "cut.csv"}


def test_one_file_under_two_names_is_an_error(site):
    content = bodies()
    said, place = site.refusal({"a.csv": content, "b.csv": content})
    assert "b.csv: has the same bytes as a.csv" in said and place == {"file": "b.csv"}


def test_what_stands_in_two_files_is_named_in_both(site):
    """Of a release nobody could say which of the two counts."""
    twice = body_rows([(2019, "201", "SYNTHETIC", "ZZ0001", "Voce SYNTHETIC", "1.00"),
                       (2019, "201", "SYNTHETIC", "BA0010", "B.1) Beni SYNTHETIC", "300.10")])  # fmt: skip
    said, place = site.refusal({"a.csv": bodies(), "b.csv": twice})
    assert said.endswith("is there twice: 2019, 010201, BA0010 stands in row 5 of a.csv too")
    assert place == {"file": "b.csv", "row": "3", "column": "Codice Voce Contabile"}
    percent = "consumer_prices_annual_change_percent"
    for first, second, row, what in (
        (residents([2019]), residents([2018, 2019]), "23", "2019, 010 stands in row 2 of a.csv too"),
        (mobility([2019]), mobility([2018, 2019]), "23", "2019, 010 stands in row 2 of a.csv too"),
        (f"year,{percent}\n2019,1.5\n".encode(), f"year,{percent}\n2018,1\n2019,2\n".encode(), "3",
         "2019 stands in row 2 of a.csv too"),
    ):  # fmt: skip
        said, place = site.refusal({"a.csv": first, "b.csv": second})
        assert said.endswith(what) and place == {"file": "b.csv", "row": row}, said


@pytest.mark.parametrize("table", [residents, mobility])
def test_a_year_has_all_21_territories_or_is_an_error(site, table):
    """What lacks one has been cut; of accounts see above."""
    said, place = site.refusal({"a.csv": table([2018]), "b.csv": table([2019], without=42)})
    assert "2019 lacks 042 P.A. Trento" in said and place == {"file": "b.csv"}


def test_of_two_texts_for_one_code_the_order_of_rows_does_not_matter(site):
    """The form has one description for a code and year; a file that has two is shown alike whatever its order."""
    table = [(2019, "201", "SYNTHETIC B", "ZZ0002", "Voce SYNTHETIC b", "1.00"),
             (2019, "202", "SYNTHETIC", "ZZ0002", "Voce SYNTHETIC a", "2.00"),
             (2019, "201", "SYNTHETIC A", "ZZ0003", "Voce SYNTHETIC", "3.00")]  # fmt: skip
    numbers = [
        site.published({f"{year}.csv": body_rows([(year, *row[1:]) for row in order])}).number
        for year, order in ((2011, table), (2012, table[::-1]))
    ]
    told = {entry.code: entry for entry in site.ask("GetDictionary").entries}["ZZ0002"].descriptions
    assert [(text.text, text.first_year, text.last_year) for text in told] == [("Voce SYNTHETIC a", 2011, 2012)]
    for number in numbers:
        named = site.ask("ListTerritories", bodies_of="010", release=number).territories
        assert [(body.code, body.name) for body in named] == [("010201", "SYNTHETIC A"), ("010202", "SYNTHETIC")]


def test_a_file_has_the_source_that_is_given_or_the_publishers(own_site):
    site = own_site
    own = figures.Source(name="A correction by SYNTHETIC", licence="CC0", uri="https://example.org/figures")
    content = accounts(2024)
    regional = next(name for name in content if name.startswith("regional"))
    draft = site.draft_of(content, {regional: own})
    told = {file.name: file.source for file in draft.files}
    assert told.pop(regional) == own
    assert [(source.licence, "SSN_CCE_NAZ_VOCCN_001" in source.name) for source in told.values()] == [("CC BY 3.0", True)]
    publish(site.administrator, draft)
    assert own in site.ask("ListTerritories", release=draft.number).origin.sources
