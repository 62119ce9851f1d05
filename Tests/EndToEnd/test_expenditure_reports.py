"""Salute Trasparente: what is told of published figures, over the wire (S-UC1 to S-UC3, S-EV1, S-EV2, S-FR2, S-NFR2,
S-NFR5, S-NFR10)."""

from __future__ import annotations

import csv
import io
from decimal import ROUND_HALF_UP, Decimal

import grpc
import pytest

from trackme.protocol import figures

from accounts import Accounts
from expenditure_files import import_figures, import_files, publish, shipped
from failures import fails
from server_process import ROOT, ServerProcess, wait_until

FIGURES = ROOT / "Sources" / "Areas" / "Expenditure" / "Figures"
REGIONAL = "conto_economico_regionale_2024.FIVE-VOICES.csv"
BODIES = "conto_economico_enti_2024.FIVE-VOICES.csv"
VOICES = ["BA0390", "BA1350", "BA1750", "BA2080", "BZ9999"]
NOT_FOUND, INVALID = grpc.StatusCode.NOT_FOUND, grpc.StatusCode.INVALID_ARGUMENT
MEASURES = [
    figures.MEASURE_EUROS, figures.MEASURE_PER_RESIDENT, figures.MEASURE_SHARE, figures.MEASURE_CHANGE,
]  # fmt: skip


@pytest.fixture(scope="module")
def world():
    """A server without figures."""
    process = ServerProcess().start()
    accounts = Accounts(process)
    yield accounts
    accounts.close()
    process.remove()


@pytest.fixture(scope="module")
def visitor(world):
    """Whoever asks, on a server with the shipped figures: one release. Before, there were none."""
    visitor = world.anonymous()
    with fails(grpc.StatusCode.FAILED_PRECONDITION) as failure:
        visitor.ask("GetMap")
    assert failure.reason == "NO_FIGURES"
    with fails(NOT_FOUND) as failure:
        visitor.ask("GetMap", view=figures.View(release=1))
    assert failure.reason == "NO_SUCH_RELEASE"
    draft = import_files(world.administrator, shipped())
    with fails(NOT_FOUND):
        visitor.ask("GetMap", view=figures.View(release=draft.number))
    publish(world.administrator, draft)
    wait_until(lambda: answers(visitor), 3, "the release is seen")
    return visitor


def answers(visitor) -> bool:
    try:
        return visitor.ask("GetMap").view.release > 0
    except grpc.RpcError:
        return False


def table(name: str) -> list[dict]:
    return list(csv.DictReader(io.StringIO((FIGURES / name).read_text("utf-8-sig")), delimiter=";"))


def cents(text: str) -> int:
    return int(Decimal(text) * 100)


def residents(year: int = 2024) -> dict[str, int]:
    rows = csv.DictReader(io.StringIO((FIGURES / "popolazione_regioni.CONVERTED.csv").read_text("utf-8-sig")))
    return {row["region_code"]: int(row["residents"]) for row in rows if row["date"] == f"{year}-01-01"}


def half_up(number: Decimal) -> int:
    return int(number.quantize(Decimal(1), ROUND_HALF_UP))


def view(**fields) -> figures.View:
    return figures.View(**fields)


def test_the_map_has_the_official_amounts_and_where_they_stand(visitor):
    rows = table(REGIONAL)
    for voice in VOICES:
        answer = visitor.ask("GetMap", view=view(voice=voice))
        assert answer.view.year == 2024 and answer.view.measure == figures.MEASURE_EUROS and answer.view.voice == voice
        (year,) = answer.years
        told = {value.territory: value.value for value in year.values}
        assert list(told) == ["IT", *sorted(set(row["Codice Regione"] for row in rows))]
        for number, row in enumerate(rows, start=2):
            if row["Codice Voce Contabile"] != voice:
                continue
            value = told[row["Codice Regione"]]
            assert value.number == value.amount_cents == cents(row["Importo Totale"])
            assert (value.source.file, value.source.row) == (REGIONAL, number)
        assert told["IT"].number == sum(value.number for code, value in told.items() if code != "IT")


def test_totals_are_right_to_the_cent(visitor):
    """S-NFR10: the account of a region, and never the sum of its bodies, which is 18 % more."""
    def total(voice):
        (year,) = visitor.ask("GetMap", view=view(voice=voice)).years
        return {value.territory: value.value.number for value in year.values}

    assert total("BZ9999")["IT"] == 149_195_842_747_69
    assert total("BA0390")["IT"] == 66_261_627_832_06
    added = sum(cents(row["Importo Totale"]) for row in table(BODIES) if row["Codice Voce Contabile"] == "BZ9999")
    assert added > total("BZ9999")["IT"] * 1.15


def test_per_resident_from_campania_to_bolzano(visitor):
    answer = visitor.ask("GetMap", view=view(measure=figures.MEASURE_PER_RESIDENT))
    counted = residents()
    values = {value.territory: value.value for value in answer.years[0].values}
    for code, people in counted.items():
        value = values[code]
        assert value.number == half_up(Decimal(value.amount_cents) / people)
        assert (value.denominator.residents, value.denominator.date) == (people, "2024-01-01")
        assert value.denominator.source.row > 1 and value.denominator.source.file.startswith("popolazione")
    italy = values.pop("IT")
    assert italy.number == half_up(Decimal(italy.amount_cents) / sum(counted.values()))
    assert italy.denominator.residents == sum(counted.values())
    ordered = sorted(values, key=lambda code: values[code].number)
    assert (ordered[0], ordered[-1]) == ("150", "041")
    assert (values["150"].number // 100, values["041"].number // 100) == (2_396, 3_194)


def test_what_is_missing_has_a_reason(visitor):
    answer = visitor.ask("GetMap", view=view(measure=figures.MEASURE_CHANGE))
    assert all(v.value.missing == figures.MISSING_REASON_NO_YEAR_BEFORE for v in answer.years[0].values)
    for prices, reason in ((2050, figures.MISSING_REASON_NO_PRICES), (1950, figures.MISSING_REASON_NO_PRICES)):
        answer = visitor.ask("GetMap", view=view(prices_of=prices))
        assert all(v.value.missing == reason and v.value.amount_cents for v in answer.years[0].values)
        assert answer.index.year == prices and answer.index.name
    report = visitor.ask("GetReport", territory="010", view=view(year=2019))
    assert report.whole.value.missing == figures.MISSING_REASON_NO_ACCOUNT and not report.parts
    assert report.rank.place == 0 and report.rank.of == 0 and list(report.years) == [2024]


def test_amounts_in_the_prices_of_another_year(visitor):
    """Chained exactly out of the changes as they are written."""
    changes = {int(row["year"]): Decimal(row["consumer_prices_annual_change_percent"]) for row in csv.DictReader(
        io.StringIO((FIGURES / "consumer_prices_italy_annual_change.csv").read_text("utf-8-sig")))}  # fmt: skip
    for year in (2000, 2012, 2023, 2024):
        factor = Decimal(1)
        for between in range(year + 1, 2025):
            factor *= 1 + changes[between] / 100
        answer = visitor.ask("GetMap", view=view(prices_of=year))
        for value in answer.years[0].values:
            assert value.value.number == half_up(Decimal(value.value.amount_cents) / factor)
    voices = visitor.ask("ListVoices")
    assert list(voices.price_years) == list(range(1999, 2025)) and list(voices.years) == [2024]


def test_the_tree_of_voices(visitor):
    voices = {voice.code: voice for voice in visitor.ask("ListVoices").voices}
    assert list(voices) == ["BZ9999", "BA0390", "BA1350", "BA1750", "BA2080"]
    assert {code: voice.parent for code, voice in voices.items()} == {
        "BZ9999": "", "BA0390": "BZ9999", "BA1350": "BA0390", "BA1750": "BA0390", "BA2080": "BZ9999",
    }  # fmt: skip
    assert voices["BA0390"].part_count == 2 and list(voices["BA0390"].years) == [2024]
    assert voices["BA0390"].description == "B.2) Acquisti di servizi"


def test_a_report_goes_down_the_tree(visitor):
    """S-UC2: what is there and what its parts are; S-NFR5: the others, for a histogram."""
    report = visitor.ask("GetReport", territory="030")
    assert report.territory.name == "Lombardia" and report.territory.name_en == "Lombardy"
    assert report.territory.parent == "IT" and not report.path
    assert [part.voice.code for part in report.parts] == ["BA0390", "BA2080"]
    assert report.unexplained_cents == report.whole.value.number - sum(part.value.number for part in report.parts)
    assert [other.territory for other in report.others] == sorted(residents())
    assert (report.rank.place, report.rank.of, report.rank.tied_with) == (1, 21, 0)
    assert [year.year for year in report.series] == [2024] and list(report.years) == [2024]
    down = visitor.ask("GetReport", territory="030", view=view(voice="BA0390", measure=figures.MEASURE_SHARE))
    assert [voice.code for voice in down.path] == ["BZ9999"]
    assert [part.voice.code for part in down.parts] == ["BA1350", "BA1750"]
    assert down.whole.value.number == half_up(
        Decimal(down.whole.value.amount_cents) * 1_000_000 / report.whole.value.amount_cents
    )
    leaf = visitor.ask("GetReport", territory="030", view=view(voice="BA1350"))
    assert not leaf.parts and leaf.unexplained_cents == 0
    italy = visitor.ask("GetReport", territory="IT")
    assert not italy.HasField("rank") and len(italy.others) == 21 and italy.territory.name_en == "Italy"


def test_a_body_has_a_report_of_its_own(visitor):
    rows = [row for row in table(BODIES) if row["Codice Voce Contabile"] == "BZ9999"]
    listed = visitor.ask("ListTerritories", bodies_of="010")
    assert [body.code for body in listed.territories] == sorted(body.code for body in listed.territories)
    assert all(body.code.startswith("010") and body.parent == "010" and body.name for body in listed.territories)
    assert not any(body.code.endswith("999") for body in listed.territories)
    assert any("spd_ssn" in source.name for source in listed.origin.sources)
    body = listed.territories[-1].code
    report = visitor.ask("GetReport", territory=body)
    expected = {cents(row["Importo Totale"]) for row in rows if body[:3] in row.values() and body[3:] in row.values()}
    assert {report.whole.value.number} == expected
    assert report.whole.value.source.file == BODIES and not report.others and not report.HasField("rank")
    assert list(report.years) == [2024] and report.parts
    per_resident = visitor.ask("GetVoiceReport", territory=body).measures[1]
    assert per_resident.value.missing == figures.MISSING_REASON_NO_RESIDENTS


def test_all_about_one_voice(visitor):
    """S-UC3: definition, series, share, rank, source."""
    report = visitor.ask("GetVoiceReport", territory="041", view=view(voice="BA2080"))
    assert [value.measure for value in report.measures] == MEASURES
    assert report.measures[1].rank.place == 1 and report.measures[1].rank.of == 21
    assert report.measures[3].value.missing == figures.MISSING_REASON_NO_YEAR_BEFORE
    (description,) = report.descriptions
    assert description.text == "Totale Costo del personale"
    assert (description.first_year, description.last_year) == (2024, 2024)
    assert [voice.code for voice in report.path] == ["BZ9999"]
    assert len(report.series) == len(report.italy) == 1
    assert report.italy[0].value.number == 40_378_274_916_49


def test_regions_are_compared_on_one_scale(visitor):
    """S-EV2."""
    codes = ["030", "IT", "042"]
    answer = visitor.ask("CompareTerritories", territories=codes, view=view(measure=figures.MEASURE_PER_RESIDENT))
    assert [side.territory.code for side in answer.sides] == codes
    assert all([part.voice.code for part in side.parts] == ["BA0390", "BA2080"] for side in answer.sides)
    assert all([year.year for year in side.series] == [2024] for side in answer.sides)
    assert all(side.value.number > 0 for side in answer.sides)


def test_every_answer_says_what_it_is_made_of(visitor):
    asked = {
        "GetMap": {}, "GetReport": {"territory": "010"}, "GetVoiceReport": {"territory": "010"}, "ListVoices": {},
        "CompareTerritories": {"territories": ["010", "020"]}, "ListTerritories": {}, "GetDictionary": {},
    }  # fmt: skip
    for rpc, fields in asked.items():
        origin = visitor.ask(rpc, **fields).origin
        assert origin.release >= 1 and origin.published_time.seconds > 0 and not origin.override_reason
        assert {source.licence for source in origin.sources} >= {"CC BY 3.0", "CC BY 4.0"}, rpc
        assert len({source.name for source in origin.sources}) == len(origin.sources)


def test_the_21_accounts_and_italy(visitor):
    territories = visitor.ask("ListTerritories").territories
    assert [t.code for t in territories] == ["IT", *sorted(residents())] and len(territories) == 22
    names = {t.code: (t.name, t.name_en) for t in territories}
    assert names["190"] == ("Sicilia", "Sicily") and names["120"] == ("Lazio", "")


def test_nothing_is_invented_about_patients_treated_elsewhere(visitor):
    """S-EV1: the shipped figures have none."""
    assert not visitor.ask("GetMobility").rows


BAD_VIEWS = [
    ("release", -1), ("year", 1), ("year", 3000), ("voice", "ba0390"), ("voice", "B' OR 1=1"), ("voice", "A" * 5000),
    ("measure", 9), ("prices_of", -2024),
]  # fmt: skip


@pytest.mark.parametrize(("field", "value"), BAD_VIEWS)
def test_bad_views_name_their_field(visitor, field, value):
    bad = view(**{field: value})
    asked = {
        "GetMap": {}, "GetReport": {"territory": "010"}, "GetVoiceReport": {"territory": "010"},
        "CompareTerritories": {"territories": ["010", "020"]},
    }  # fmt: skip
    for rpc, fields in asked.items():
        with fails(INVALID, f"view.{field}"):
            visitor.ask(rpc, view=bad, **fields)
    with fails(INVALID, f"map.view.{field}"):
        list(visitor.ask("ExportTable", map=figures.GetMapRequest(view=bad)))


def test_other_bad_fields_are_named(visitor):
    for rpc in ("ListTerritories", "ListVoices", "GetMobility", "GetDictionary"):
        with fails(INVALID, "release"):
            visitor.ask(rpc, release=-1)
        with fails(NOT_FOUND) as failure:
            visitor.ask(rpc, release=1 << 40)
        assert failure.reason == "NO_SUCH_RELEASE"
    for account in ("IT", "999", "010203", "x"):
        with fails(INVALID, "bodies_of"):
            visitor.ask("ListTerritories", bodies_of=account)
    for territory in ("", "it", "21", "021", "01020", "0102034", "01020٣"):
        for rpc in ("GetReport", "GetVoiceReport"):
            with fails(INVALID, "territory"):
                visitor.ask(rpc, territory=territory)
    for codes, field in (
        ([], "territories"), (["010"], "territories"), (["010"] * 6, "territories"), (["010", "010"], "territories[1]"),
        (["010", "010203"], "territories[1]"), (["", "010"], "territories[0]"),
    ):  # fmt: skip
        with fails(INVALID, field):
            visitor.ask("CompareTerritories", territories=codes)
    with fails(INVALID, "map"):
        list(visitor.ask("ExportTable"))
    with fails(INVALID, "language"):
        list(visitor.ask("ExportTable", map=figures.GetMapRequest(), language="de"))


def test_what_is_not_there_is_not_found(visitor):
    for fields, reason in (
        ({"territory": "010", "view": view(voice="BA9998")}, "NO_SUCH_VOICE"),
        ({"territory": "010998"}, "NO_SUCH_TERRITORY"),
        ({"territory": "010999"}, "NO_SUCH_TERRITORY"),
        ({"territory": "010", "view": view(release=999)}, "NO_SUCH_RELEASE"),
    ):
        for rpc in ("GetReport", "GetVoiceReport"):
            with fails(NOT_FOUND) as failure:
                visitor.ask(rpc, **fields)
            assert failure.reason == reason


def test_a_correction_is_a_new_release_and_the_old_one_stays(world, visitor):
    """Last, as it changes what everybody sees."""
    old = visitor.ask("GetMap")
    lines = (FIGURES / REGIONAL).read_text("utf-8-sig").splitlines()
    national = (FIGURES / "conto_economico_nazionale_2024.FIVE-VOICES.csv").read_text("utf-8-sig").splitlines()

    def corrected(rows, column, add=100):
        for row in rows:
            cells = row.split(";")
            if column in cells and "BZ9999" in cells:
                cells[-1] = str(Decimal(cells[-1]) + add)
            yield ";".join(cells)

    files = {
        "correction-regional.csv": "\r\n".join(corrected(lines, "010")).encode() + b"\r\n",
        "correction-national.csv": "\r\n".join(corrected(national, "BZ9999")).encode() + b"\r\n",
    }
    draft = import_files(world.administrator, files)
    assert visitor.ask("GetMap") == old
    release = publish(world.administrator, draft).number
    wait_until(lambda: visitor.ask("GetMap").view.release == release, 2, "the correction is seen")
    new = visitor.ask("GetMap", view=view(measure=figures.MEASURE_PER_RESIDENT))
    values = {value.territory: value.value for value in new.years[0].values}
    before = {value.territory: value.value for value in old.years[0].values}
    assert values["010"].amount_cents == before["010"].amount_cents + 100_00
    assert values["010"].source.release == release and values["010"].source.file == "correction-regional.csv"
    # Residents and prices are those of the release before, and say so.
    assert values["010"].denominator.source.release == old.view.release
    again = visitor.ask("GetMap", view=view(release=old.view.release))
    assert again == old


def test_a_year_before_makes_a_change(world, visitor):
    """Made-up accounts of 2023 beside the real ones of 2024."""
    assert import_figures(world.administrator, 2023).number
    wait_until(lambda: len(visitor.ask("ListVoices").years) == 2, 2, "the new year is seen")
    percent = "5.62219442195901", "0.982373023061417"
    for prices_of, factors in (
        (0, (Decimal(1), Decimal(1))),
        (2024, (1 + Decimal(percent[1]) / 100, Decimal(1))),
        (2022, (1 / (1 + Decimal(percent[0]) / 100), 1 / ((1 + Decimal(percent[0]) / 100) * (1 + Decimal(percent[1]) / 100)))),
    ):  # fmt: skip
        euros = visitor.ask("GetMap", view=view(voice="BA0390", prices_of=prices_of))
        assert [year.year for year in euros.years] == [2023, 2024]
        change = visitor.ask("GetMap", view=view(voice="BA0390", prices_of=prices_of, measure=figures.MEASURE_CHANGE))
        for before, after, change_of in zip(euros.years[0].values, euros.years[1].values, change.years[1].values):
            then, now = before.value.number, after.value.number
            assert then == half_up(before.value.amount_cents * factors[0])
            assert now == half_up(after.value.amount_cents * factors[1])
            assert change_of.value.number == half_up(Decimal(now - then) * 1_000_000 / then)
        assert all(v.value.missing == figures.MISSING_REASON_NO_YEAR_BEFORE for v in change.years[0].values)
    report = visitor.ask("GetVoiceReport", territory="010", view=view(voice="BA0390"))
    assert [d.first_year for d in report.descriptions] == [2024, 2023] and report.view.year == 2024
    assert [year.year for year in report.series] == [2023, 2024] == [year.year for year in report.italy]
    # Each year has the residents of its own first day.
    per_resident = visitor.ask("GetMap", view=view(measure=figures.MEASURE_PER_RESIDENT))
    for year in per_resident.years:
        for value in year.values[1:]:
            assert value.value.denominator.residents == residents(year.year)[value.territory]
    # The made-up form has no such voice, and bodies have no account of that year.
    staff = visitor.ask("GetReport", territory="010", view=view(voice="BA2080", year=2023))
    assert staff.whole.value.missing == figures.MISSING_REASON_NOT_REPORTED
