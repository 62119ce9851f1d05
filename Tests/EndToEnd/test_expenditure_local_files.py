"""Real figures whose licence lets nobody hand them on, read where they lie (S-NFR10, S-EV1). Elsewhere these are skipped."""

from __future__ import annotations

import csv
import gzip
import io
from collections import Counter, defaultdict
from decimal import Decimal

import pytest

from expenditure_files import import_files, publish, shipped
from expenditure_site import BODY_HEADINGS, REGIONAL, Site, cents, written
from expenditure_site import rows as csv_rows
from server_process import ROOT
from trackme.protocol import figures, releases

FOLDER = ROOT.parent / "shared/data/italy/openbdap"
MOBILITY = "mobilita_extraregione_2022-2024.CONVERTED.csv"
KEY_FIGURES = "enti_2012-2024_key_figures.csv.gz"
VOICES = "enti_2024_voices.CONVERTED.csv.gz"
TOTALS = {f"Totale {what} ({letter})": f"{letter}Z9999" for letter, what in {
    "A": "valore della produzione", "B": "costi della produzione", "C": "proventi e oneri finanziari",
    "D": "rettifiche di valore di attivita' finanziarie", "E": "proventi e oneri straordinari"}.items()}  # fmt: skip
"""Codes that the form gives the totals of its parts; those of others are made up here."""
RESULT = "Risultato prima delle imposte (A - B +/- C +/- D +/- E)"

pytestmark = pytest.mark.skipif(not FOLDER.is_dir(), reason=f"{FOLDER} is not here")


@pytest.fixture(scope="module")
def administrator():
    with Site() as made:
        yield made.administrator


def table(name: str) -> list[dict[str, str]]:
    content = (FOLDER / name).read_bytes()
    text = (gzip.decompress(content) if name.endswith(".gz") else content).decode()
    return list(csv.DictReader(io.StringIO(text), delimiter=";" if ".csv.gz" in name else ","))


def regions() -> dict[str, str]:
    return {row[1]: row[2] for row in csv_rows(shipped()[REGIONAL])[1:]}


def official(rows: list[list[str]]) -> bytes:
    """An account of bodies as the publisher writes it."""
    return written([BODY_HEADINGS, *rows])


def accounts_of_regions() -> dict[str, bytes]:
    return {name: content for name, content in shipped().items() if "regionale" in name or "nazionale" in name}


def test_what_each_region_pays_for_patients_treated_elsewhere(administrator):
    """S-EV1: 5.19 bn in 2024. What regions receive is only partly in the accounts: it is not read, and no balance shown."""
    files = {MOBILITY: (FOLDER / MOBILITY).read_bytes(), **accounts_of_regions()}
    release = import_files(administrator, files)
    if release.number:
        publish(administrator, release)
    answer = administrator.ask("GetMobility")
    paid = {(row.territory, row.year): (row.public_cents, row.private_cents) for row in answer.rows}
    assert paid == {
        (row["region_code"], int(row["year"])): (cents(row["paid_to_public_eur"]), cents(row["paid_to_private_eur"]))
        for row in table(MOBILITY)
    }
    sums = Counter()
    for (_, year), amounts in paid.items():
        sums[year] += sum(amounts)
    assert {year: round(total / 1e11, 2) for year, total in sums.items()} == {2022: 3.79, 2023: 4.60, 2024: 5.18}
    assert [round(sum(paid[region, 2024]) / 1e8) for region in ("120", "030")] == [638, 473]
    received = {str(cents(row["received_partial_eur"])) for row in table(MOBILITY)}
    assert received.isdisjoint(str(answer).replace('"', " ").split())


@pytest.mark.long
def test_the_voices_of_217_bodies_add_up_in_euros(administrator):
    """S-NFR10: down to the third level parts give their totals, and A − B ± C ± D ± E is the result before taxes."""
    codes = TOTALS | {RESULT: "XA0000"}
    rows, bodies = [], defaultdict(dict)
    for row in table(VOICES):
        voice = row["voce"]
        code = codes.setdefault(voice, f"T{len(codes):04}")
        region, body = row["codice_regione"], row["codice_ente_ssn"]
        bodies[region, body][voice] = int(row["euro"])
        rows.append([row["anno"], region, regions()[region], body, row["ente"], code, voice, f"{row['euro']}.00"])
    draft = import_files(administrator, {"bodies.csv": official(rows), **accounts_of_regions()}, dry_run=True)
    checks = {check.kind: (check.made, check.failed) for check in draft.checks}
    assert checks[releases.CHECK_KIND_RESULT] == (217, 0)
    made, failed = checks[releases.CHECK_KIND_PARTS]
    assert made > 1_000 and failed == 0
    assert len(bodies) == 217 and not [finding for finding in draft.findings if finding.blocks]


def test_thirteen_years_of_bodies_are_shown_as_they_are_and_not_added_up(administrator):
    """S-NFR10, S-UC3: the series of a body, to the cent, beside accounts of regions that stay what they are."""
    columns = {"costiProduzione": "BZ9999", "costoPersonale": "BA2080"}
    names = {"BZ9999": "Totale costi della produzione (B)", "BA2080": "Totale Costo del personale"}
    rows, costs = [], defaultdict(dict)
    for row in table(KEY_FIGURES):
        region, body = row["codice"][:3], row["codice"][3:]
        costs[row["codice"]][int(row["anno"])] = cents(row["costiProduzione"])
        for column, code in columns.items():
            if row[column]:
                amount = f"{Decimal(row[column]):.2f}"
                rows.append([row["anno"], region, regions()[region], body, row["denominazione"], code, names[code], amount])
    draft = import_files(administrator, {"bodies.csv": official(rows), **accounts_of_regions()})
    release = publish(administrator, draft).number
    assert [(f.first_year, f.last_year) for f in draft.files if f.name == "bodies.csv"] == [(2012, 2024)]
    view = figures.View(voice="BZ9999", release=release)
    for body in ("010203", "030701", "041201", "150101"):
        if body not in costs:
            continue
        answer = administrator.ask("GetReport", view=view, territory=body)
        shown = {year.year: year.value.number for year in answer.series if not year.value.missing}
        assert shown == costs[body]
    answer = administrator.ask("GetReport", view=view, territory="030")
    added = sum(years.get(2024, 0) for body, years in costs.items() if body.startswith("030"))
    assert answer.whole.value.number < added
