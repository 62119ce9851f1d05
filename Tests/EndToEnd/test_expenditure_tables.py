"""Salute Trasparente: tables to take away (S-FR2, S-NFR9): the numbers of a view, with source, licence, release and
method."""

from __future__ import annotations

import csv
import io
import json
from decimal import Decimal
from urllib.parse import quote

import pytest

from trackme.protocol import figures

from expenditure_files import ACCOUNTS
from expenditure_site import REASON, Site, mobility, national, regional
from web import Web


def view(**fields) -> figures.View:
    return figures.View(**fields)


def exported(visitor, **fields) -> tuple[str, list[list[str]], list[list[str]]]:
    """The name, the notes, and the rows with their heading."""
    pieces = list(visitor.ask("ExportTable", **fields))
    assert pieces[0].head.content_type == "text/csv; charset=utf-8"
    content = b"".join(piece.chunk for piece in pieces[1:])
    assert content.startswith(b"\xef\xbb\xbf") and content.endswith(b"\r\n")
    text = content.decode("utf-8-sig")
    assert text.count("\n") == text.count("\r\n")
    lines = list(csv.reader(io.StringIO(text, newline=""), delimiter="," if fields.get("language") == "en" else ";"))
    blank = lines.index([])
    return pieces[0].head.name, lines[:blank], lines[blank + 1 :]


def test_a_table_says_where_it_comes_from(visitor):
    release = visitor.ask("GetMap").view.release
    name, notes, rows = exported(visitor, map=figures.GetMapRequest())
    assert name == f"salute-trasparente_BZ9999_2024_r{release}.csv"
    keys = [note[0] for note in notes]
    assert {"Fonte", "Licenza", "Edizione dei dati", "Metodo", "Prezzi", "Voce"} <= set(keys)
    assert "CC BY 3.0" in {note[1] for note in notes}
    assert len(rows) == 1 + 22 and all(len(row) == len(rows[0]) for row in rows)
    assert rows[1][:4] == ["2024", "IT", "Italia", "BZ9999"] and rows[1][5] == "149195842747,69"
    _, notes, rows = exported(visitor, map=figures.GetMapRequest(), language="en")
    assert rows[1][5] == "149195842747.69" and "Licence" in {note[0] for note in notes}


def test_every_view_has_its_table(visitor):
    for fields in (
        {"report": figures.GetReportRequest(territory="010")},
        {"voice_report": figures.GetVoiceReportRequest(territory="010")},
        {"comparison": figures.CompareTerritoriesRequest(territories=["010", "IT"])},
        {"mobility": figures.GetMobilityRequest()},
        {"map": figures.GetMapRequest(view=view(measure=figures.MEASURE_CHANGE))},
    ):
        for language in ("it", "en"):
            _, notes, rows = exported(visitor, language=language, **fields)
            assert notes and rows and all(len(row) == len(rows[0]) for row in rows)
            if "mobility" not in fields:
                assert len(rows) > 1
    _, _, rows = exported(visitor, map=figures.GetMapRequest(view=view(measure=figures.MEASURE_CHANGE)))
    assert rows[1][5] == "" and rows[1][7] == "manca l'importo dell'anno prima"


def test_prices_of_another_year_are_named_with_their_index(visitor):
    index = "World Bank, consumer prices, annual change (FP.CPI.TOTL.ZG)"
    _, notes, rows = exported(visitor, map=figures.GetMapRequest(view=view(prices_of=2020)))
    assert dict(map(tuple, notes))["Prezzi"] == f"dell'anno 2020, con l'indice: {index}"
    place = rows[0].index("Importo in euro a prezzi correnti")
    assert rows[1][place] == "149195842747,69" != rows[1][5]
    _, notes, _ = exported(visitor, map=figures.GetMapRequest())
    assert dict(map(tuple, notes))["Prezzi"] == "correnti"


def test_every_row_of_a_table_leads_to_its_row_in_a_file(visitor):
    release = visitor.ask("GetMap").view.release
    _, notes, rows = exported(visitor, map=figures.GetMapRequest(view=view(measure=figures.MEASURE_SHARE)))
    head = rows[0]
    (year,) = visitor.ask("GetMap", view=view(measure=figures.MEASURE_SHARE)).years
    for row, value in zip(rows[1:], year.values, strict=True):
        told = dict(zip(head, row, strict=True))
        source = value.value.source
        where = (told["Edizione della riga"], told["File di origine"], told["Riga di origine"])
        assert where == (str(release), source.file, str(source.row)) and source.row > 1
        assert (told["Valore"], told["Unità"]) == ("100,0000", "per cento")
    told = dict(map(tuple, notes))
    assert told["Edizione dei dati"].startswith(f"{release}, pubblicata il 20") and "BZ9999" in told["Metodo"]
    licences = [note[1] for note in notes if note[0] == "Licenza"]
    sources = visitor.ask("GetMap").origin.sources
    assert licences == [source.licence for source in sources]
    named = [note[1] for note in notes if note[0] == "Fonte"]
    assert named == [f"{source.name}, {source.uri}" for source in sources]


def test_a_report_has_every_territory_and_part_once(visitor):
    _, _, rows = exported(visitor, report=figures.GetReportRequest(territory="030"))
    places = [(row[0], row[1], row[3]) for row in rows[1:]]
    assert len(places) == len(set(places)) == 3 + 20
    _, _, rows = exported(visitor, voice_report=figures.GetVoiceReportRequest(territory="IT"))
    assert len(rows) == 1 + 4, "Italy is not beside itself"


@pytest.fixture(scope="module")
def synthetic():
    """SYNTHETIC: 111 years in one file with the longest of names, which a failed check was overridden for."""
    voices = {"BZ9999": ("Totale SYNTHETIC " + "x" * 480 + "(B)", "1000.00")}
    heading = regional(1990, {}).decode()
    lines = [regional(year, voices).decode().removeprefix(heading) for year in range(1990, 2101)]
    files = {"r" * 196 + ".csv": (heading + "".join(lines)).encode(),
             "n.csv": national(2024, voices, {"BZ9999": "1.00"}), "m.csv": mobility([2023, 2022])}  # fmt: skip
    with Site(has_web=True) as made:
        made.published(files, REASON)
        yield made


def test_a_reason_that_overrides_a_check_stands_in_every_table(synthetic):
    visitor = synthetic.accounts.anonymous()
    for language, key in (("it", "Pubblicata benché un controllo non sia riuscito, perché"),
                          ("en", "Published although a check failed, because")):  # fmt: skip
        for fields in ({"map": figures.GetMapRequest()}, {"mobility": figures.GetMobilityRequest()}):
            _, notes, _ = exported(visitor, language=language, **fields)
            assert dict(map(tuple, notes))[key] == REASON


def test_patients_treated_elsewhere_are_what_is_paid_and_no_balance(synthetic):
    """S-EV1."""
    visitor = synthetic.accounts.anonymous()
    answer = visitor.ask("GetMobility")
    wanted = [(year, f"{account:03}") for year in (2022, 2023) for account in ACCOUNTS]
    assert [(row.year, row.territory) for row in answer.rows] == wanted
    for row in answer.rows:
        assert (row.public_cents, row.private_cents) == (int(row.territory) * 100, row.year)
        assert (row.source.file, row.source.release) == ("m.csv", 1) and row.source.row > 1
    assert {field.name for field in figures.MobilityRow.DESCRIPTOR.fields} == {
        "year", "territory", "public_cents", "private_cents", "source",
    }  # fmt: skip
    assert [source.name for source in answer.origin.sources] == ['RGS-MEF OpenBDAP, voices "Extraregione"']
    name, notes, rows = exported(visitor, mobility=figures.GetMobilityRequest(), language="en")
    assert name == "salute-trasparente_mobility_r1.csv"
    assert rows[0] == ["Year", "Territory", "Name of territory", "Paid to public bodies (euros)",
                       "Paid to private providers (euros)", "Release of row", "Source file", "Source row"]  # fmt: skip
    assert rows[1] == ["2022", "010", "Piemonte", "10.00", "20.22", "1", "m.csv", "23"] and len(rows) == 1 + 42
    assert "there is no balance" in dict(map(tuple, notes))["Method"]


def test_a_long_table_comes_in_messages_of_64_kib(synthetic):
    pieces = list(synthetic.accounts.anonymous().ask("ExportTable", map=figures.GetMapRequest()))
    sizes = [len(piece.chunk) for piece in pieces[1:]]
    assert len(sizes) > 16 and set(sizes[:-1]) == {65_536} and sizes[-1] <= 65_536


def test_a_table_of_more_than_a_mebibyte_is_sent_as_it_is_made_and_kept_by_nobody(synthetic):
    """Only what is waited for to its end has a tag."""
    pieces = list(synthetic.accounts.anonymous().ask("ExportTable", map=figures.GetMapRequest()))
    message = quote(json.dumps({"map": {}}))
    table = "/web/downloads/trackme.expenditure.v1.ExpenditureService/ExportTable"
    answer = Web(synthetic.server.web_port).send("GET", f"{table}?connect=v1&encoding=json&message={message}")
    assert answer.status == 200 and answer.body == b"".join(piece.chunk for piece in pieces[1:])
    assert len(answer.body) > 1 << 20
    assert answer.header("cache-control") == "no-store" and answer.header("etag") is None and not answer.cookies
