"""Questions about areas with names (A-R9): Italy's regions are there at once, others are imported; a cell of the grid
belongs to the area that the middle of it is in, or, on a coast, the point that stands for it."""

from __future__ import annotations

import asyncio
import copy
import json
import subprocess
import sys

import grpc
import pytest

from trackme import TrackMeClient
from trackme.groups import question
from trackme.protocol import groups

from failures import fails
from group_town import HOUR_US, Town, day, midnight_us
from server_process import ROOT, binary

FIXTURES = ROOT / "Tests" / "fixtures" / "areas"
sys.path.append(str(FIXTURES))
import make_areas  # noqa: E402

MILAN, TURIN = (45.4641, 9.1919), (45.0703, 7.6869)
PROVINCES = FIXTURES / "autonomous_provinces.geojson"
IN_MILAN, IN_TURIN = 1_500, 1_300


@pytest.fixture(scope="module")
def town():
    """1,500 persons with a pulse in Milan, and 1,300 in Turin; budget enough for everything."""
    made = Town(TRACKME_GROUP_BUDGET="10000000", TRACKME_GROUP_BUDGET_OF_ALL="10000000")
    persons = made.seed(IN_MILAN + IN_TURIN, "heart_rate", "position")
    at = midnight_us() + 9 * HOUR_US
    made.push("heart_rate", ((p, at + 7, 70 if n < IN_MILAN else 90) for n, p in enumerate(persons)))
    made.place((p, at, *(MILAN if n < IN_MILAN else TURIN)) for n, p in enumerate(persons))
    made.gathered()
    yield made
    made.close()


@pytest.fixture(scope="module")
def institute(town):
    return town.accounts.third_party()


@pytest.fixture(scope="module")
def regions() -> list[dict]:
    return make_areas.topology_features(make_areas.BOUNDARIES.read_text())


def ask(party, **changes) -> groups.QueryGroupResponse:
    asked = groups.GroupQuestion(
        metrics=["heart_rate"], from_date=day().isoformat(), to_date=day().isoformat(),
        statistics=[groups.GROUP_STATISTIC_MEAN], precision=groups.GROUP_PRECISION_HIGH, **changes,
    )  # fmt: skip
    return party.ask("QueryGroup", question=asked)


def told(party, **changes) -> tuple[groups.QueryGroupResponse, groups.GroupResult]:
    response = ask(party, **changes)
    (result,) = response.answer.results
    return response, result


def listed(party, **filters) -> list[groups.GroupArea]:
    return list(party.ask("ListGroupAreas", **filters).areas)


def run_import(town, *files) -> subprocess.CompletedProcess:
    command = [binary(), "import-areas", *files, "--data-dir", town.server.data_dir / "data"]
    return subprocess.run(command, capture_output=True, text=True, env=town.server.environment, timeout=60)


def imported(town, *files) -> str:
    done = run_import(town, *files)
    assert done.returncode == 0, done.stderr
    assert f"reading {files[0]}, 1 of {len(files)}\n" in done.stderr
    return done.stdout


def write(path, features: list[dict]):
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features}))
    return path


def square(west: float, south: float, side: float, properties: dict) -> dict:
    east, north = west + side, south + side
    ring = [[west, south], [east, south], [east, north], [west, north], [west, south]]
    return {"type": "Feature", "properties": properties, "geometry": {"type": "Polygon", "coordinates": [ring]}}


# MARK: regions of a new server


def test_a_new_server_has_the_twenty_regions(institute, regions):
    found = listed(institute, level=groups.GROUP_AREA_LEVEL_REGION)
    assert [(a.code, a.name) for a in found] == [
        (f"IT-R{f['properties']['reg_istat_code']}", f["properties"]["reg_name"]) for f in regions
    ]
    assert len(found) == 20 and all(a.cell_count > 100 and not a.parent for a in found)


def test_only_those_in_the_area_count(town, institute):
    response, lombardia = told(institute, area="IT-R03")
    assert response.question.area == "IT-R03", "the answer says which question was answered"
    assert abs(lombardia.persons.value - IN_MILAN) <= 5 * lombardia.persons.error
    assert abs(lombardia.mean.value - 70) <= 5 * lombardia.mean.error
    _, piemonte = told(institute, area="IT-R01")
    assert abs(piemonte.persons.value - IN_TURIN) <= 5 * piemonte.persons.error
    assert abs(piemonte.mean.value - 90) <= 5 * piemonte.mean.error
    with fails(grpc.StatusCode.FAILED_PRECONDITION) as failure:
        ask(institute, area="IT-R05")
    assert failure.reason == "GROUP_TOO_SMALL"
    # Asked again, it is the same answer, and costs nothing more.
    again = ask(institute, area="IT-R03")
    assert again.answer == response.answer and again.budget.spent.rho > response.budget.spent.rho
    assert ask(institute, area="IT-R03").budget == again.budget


def cells(town, code: str) -> set[int]:
    with town.server.connect() as database:
        query = "SELECT generate_series(lower(r), upper(r) - 1) FROM group_area, unnest(cells) AS r WHERE code = %s"
        return {row[0] for row in database.execute(query, (code,))}


def cell(latitude: float, longitude: float) -> int:
    return int((latitude + 90) * 20) * 7_200 + int((longitude + 180) * 20)


@pytest.mark.parametrize(
    "name, latitude, longitude, code",
    [
        ("Milano", *MILAN, "03"), ("Torino", *TURIN, "01"), ("Roma", 41.8902, 12.4922, "12"),
        ("Vaticano, in the cell of Roma", 41.9022, 12.4533, "12"), ("San Marino", 43.936, 12.447, None),
        ("Lampedusa", 35.502, 12.61, "19"), ("Palermo", 38.115, 13.36, "19"), ("Napoli", 40.84, 14.25, "15"),
        ("Bari", 41.125, 16.87, "16"), ("Messina", 38.19, 15.55, "19"), ("Reggio Calabria", 38.11, 15.65, "18"),
        ("Trieste", 45.65, 13.77, "06"), ("Venezia", 45.437, 12.335, "05"), ("Capri", 40.55, 14.24, "15"),
        ("Campione, in Switzerland's Ticino", 46.01, 8.96, None), ("Nice", 43.7, 7.26, None),
        ("Ajaccio", 41.92, 8.74, None), ("the Tyrrhenian Sea", 40, 12, None),
        # On both sides of the Ticino, of the Po and of the Sesia.
        ("Turbigo", 45.53, 8.73, "03"), ("Galliate", 45.48, 8.69, "01"), ("Piacenza", 45.04, 9.68, "08"),
        ("Codogno", 45.16, 9.70, "03"),
    ],
)  # fmt: skip
def test_a_town_is_in_its_region(town, name, latitude, longitude, code):
    owners = {c for c in (f"{n:02}" for n in range(1, 21)) if cell(latitude, longitude) in cells(town, f"IT-R{c}")}
    assert owners == ({code} if code else set())


def test_cells_are_where_postgis_says(town, regions):
    """Every cell of Italy, by its middle, or the point of its coast; PostGIS shares nothing with what made the cells."""
    swift = (make_areas.GROUPS / "Rules/Areas/CoastPoints.swift").read_text().split('"""')[1]
    coast = {n // 1024: (n % 1024 // 32, n % 32) for n in map(int, swift.split())}
    with town.server.connect() as database:
        database.execute("CREATE TEMPORARY TABLE region (code text, shape geometry)")
        for feature in regions:
            database.execute(
                "INSERT INTO region VALUES (%s, ST_GeomFromGeoJSON(%s))",
                (f"IT-R{feature['properties']['reg_istat_code']}", json.dumps(feature["geometry"])),
            )
        points = []
        for row in range(int((35 + 90) * 20), int((47.5 + 90) * 20)):
            for column in range(int((6 + 180) * 20), int((19 + 180) * 20)):
                number = row * 7_200 + column
                down, right = coast.get(number, (15.5, 15.5))
                longitude = (column + (right + 0.5) / 32) / 20 - 180
                points.append((number, longitude, (row + (down + 0.5) / 32) / 20 - 90))
        numbers, longitudes, latitudes = (list(part) for part in zip(*points))
        found = database.execute(
            """
            SELECT code, n FROM unnest(%s::integer[], %s::float8[], %s::float8[]) AS p (n, x, y)
            JOIN region ON ST_Contains(shape, ST_SetSRID(ST_MakePoint(x, y), 4326))
            """, (numbers, longitudes, latitudes),
        ).fetchall()  # fmt: skip
        stored = database.execute(
            "SELECT code, generate_series(lower(r), upper(r) - 1) FROM group_area, unnest(cells) AS r WHERE level = 1"
        ).fetchall()
    assert set(found) == set(stored) and len(found) == len(stored) > 13_900
    assert len({number for _, number in stored}) == len(stored), "a cell is in one region"


# MARK: what may be asked


@pytest.mark.parametrize("code", ["IT-R21", "IT-R3", "it-r03", "Lombardia", "IT-R03 ", "IT-P015", "x" * 100_000, "IT-R03'--"])
def test_what_is_no_area_is_named_and_costs_nothing(institute, code):
    before = institute.ask("GetGroupBudget").budget
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "question.area"):
        ask(institute, area=code)
    assert institute.ask("GetGroupBudget").budget == before


@pytest.mark.parametrize(
    "place", [{"circle": groups.GroupCircle(latitude=45, longitude=9, radius_m=9_000)}, {"box": groups.GroupBox(north=5, east=5)}]
)
def test_an_area_is_not_asked_beside_another_place(institute, place):
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "question.area"):
        ask(institute, area="IT-R03", **place)


def test_areas_are_listed_page_by_page_and_found_by_their_beginning(institute):
    pages, token = [], ""
    while True:
        page = institute.ask("ListGroupAreas", level=groups.GROUP_AREA_LEVEL_REGION, page_size=7, page_token=token)
        pages.append([a.code for a in page.areas])
        token = page.next_page_token
        if not token:
            break
    assert [len(p) for p in pages] == [7, 7, 6] and sum(pages, []) == [f"IT-R{n:02}" for n in range(1, 21)]
    assert [a.name for a in listed(institute, name_prefix="LA")] == ["Lazio"]
    assert [a.name for a in listed(institute, name_prefix="valle d'aosta/VALLÉE")] == ["Valle d'Aosta/Vallée d'Aoste"]
    assert listed(institute, name_prefix="%") == listed(institute, name_prefix="azio") == []


def test_the_python_client_finds_and_asks_about_an_area(town):
    party = town.accounts.third_party()

    async def find_and_ask():
        async with TrackMeClient(town.server.target, party.token) as client:
            (area,) = [area async for area in client.group_areas("piem", level="region")]
            every = [area.code async for area in client.group_areas(level="region")]
            asked = question(["heart_rate"], day().isoformat(), day().isoformat(), precision="high", area=area.code)
            return every, await client.ask_group(asked)

    every, answer = asyncio.run(find_and_ask())
    assert len(every) == 20 and answer.question.area == "IT-R01" and abs(answer.buckets()["mean"][0] - 90) < 8


def test_bad_lists_are_refused(institute):
    first = institute.ask("ListGroupAreas", page_size=7)
    for field, request in (
        ("level", {"level": 9}), ("name_prefix", {"name_prefix": "x" * 101}), ("name_prefix", {"name_prefix": "a\0b"}),
        ("page_size", {"page_size": -1}), ("page_token", {"page_token": "x" * 50}),
        ("page_token", {"page_token": first.next_page_token, "name_prefix": "L"}),
    ):  # fmt: skip
        with fails(grpc.StatusCode.INVALID_ARGUMENT, field):
            institute.ask("ListGroupAreas", **request)


# MARK: imports


def test_the_regions_import_as_they_are(town, regions, tmp_path):
    """What came with the server is what an import of the same boundaries makes."""
    assert "0 areas added, 0 changed, 20 as they were" in imported(town, write(tmp_path / "regions.geojson", regions))


def test_provinces_are_imported_once(town, institute):
    assert "2 areas added, 0 changed, 0 as they were" in imported(town, PROVINCES)
    found = listed(institute, level=groups.GROUP_AREA_LEVEL_PROVINCE)
    assert [(a.code, a.name) for a in found] == [("IT-P021", "P. A. Bolzano/Bozen"), ("IT-P022", "P. A. Trento")]
    assert "0 areas added, 0 changed, 2 as they were" in imported(town, PROVINCES)
    assert listed(institute, level=groups.GROUP_AREA_LEVEL_PROVINCE) == found
    # Together they are Trentino-Alto Adige, but for what was simplified of their borders.
    bolzano, trento, region = (cells(town, code) for code in ("IT-P021", "IT-P022", "IT-R04"))
    assert not bolzano & trento and len((bolzano | trento) ^ region) <= 6
    with fails(grpc.StatusCode.FAILED_PRECONDITION):
        ask(institute, area="IT-P021")


def test_municipalities_have_parents_and_may_be_too_small(town, institute, tmp_path):
    milano = {"name": "Milano", "com_istat_code": "015146", "prov_istat_code": "015", "reg_istat_code": "03"}
    dot = {"name": "Dot-\x8atev", "com_istat_code": "015999", "prov_istat_code": "015", "reg_istat_code": "03"}
    file = write(tmp_path / "m.geojson", [square(9.05, 45.4, 0.2, milano), square(9.001, 45.501, 0.01, dot)])
    said = imported(town, file)
    assert "too small for the grid: Dot-Štev (IT-M015999)" in said and "2 areas added" in said
    found = {a.code: a for a in listed(institute, level=groups.GROUP_AREA_LEVEL_MUNICIPALITY)}
    assert found["IT-M015146"].parent == "IT-P015" and found["IT-M015146"].cell_count == 16
    assert found["IT-M015999"].cell_count == 0
    _, result = told(institute, area="IT-M015146")
    assert abs(result.persons.value - IN_MILAN) <= 5 * result.persons.error
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "question.area") as failure:
        ask(institute, area="IT-M015999")
    assert "too small" in failure.message


def test_newer_boundaries_are_another_question(town, institute, regions, tmp_path):
    before, _ = told(institute, area="IT-R03")
    changed = copy.deepcopy([f for f in regions if f["properties"]["reg_istat_code"] == "03"])
    hole = square(9.0, 45.3, 0.4, {})["geometry"]["coordinates"][0]
    geometry = changed[0]["geometry"]
    next(p for p in geometry["coordinates"] if make_areas.is_inside([p], 9.2, 45.5)).append(hole)
    assert "1 changed" in imported(town, write(tmp_path / "without.geojson", changed))
    try:
        with fails(grpc.StatusCode.FAILED_PRECONDITION) as failure:
            ask(institute, area="IT-R03")
        assert failure.reason == "GROUP_TOO_SMALL"
    finally:
        assert "1 changed, 19 as they were" in imported(town, write(tmp_path / "again.geojson", regions))
    after = ask(institute, area="IT-R03")
    assert after.answer == before.answer


PROVINCE = {"prov_name": "Prova", "prov_istat_code": "900", "reg_istat_code": "03"}


def prova(**changes) -> dict:
    """A province that none is, with members of the feature replaced."""
    return {**square(9, 45, 0.3, PROVINCE), **changes}


@pytest.mark.parametrize(
    "features, fault",
    [
        ([prova(properties={"name": "Prova"})], "feature 1: has no reg_istat_code"),
        ([prova(properties=None)], "feature 1: "), ([prova(properties={**PROVINCE, "prov_istat_code": 900})], "prov_istat_code"),
        ([prova(properties={**PROVINCE, "prov_istat_code": "9"})], "feature 1: prov_istat_code must be 3 digits"),
        ([prova(properties={"prov_istat_code": "900"})], "feature 1: has no prov_name"),
        ([prova(properties={**PROVINCE, "prov_name": "a\0b"})], "feature 1: prov_name must have no control characters"),
        ([prova(), prova()], "feature 2 (Prova): has the code of feature 1"),
        ([prova(geometry=None)], "feature 1 (Prova): "),
        ([prova(geometry={"type": "Point", "coordinates": [9, 45]})], "feature 1 (Prova): is no Polygon or MultiPolygon"),
        ([prova(geometry={"type": "Polygon", "coordinates": []})], "feature 1 (Prova): has no outline"),
        ([prova(geometry={"type": "Polygon", "coordinates": [[[9, 45], [10, 45], [10, 46]]]})], "is not closed"),
        ([prova(geometry={"type": "Polygon", "coordinates": [[[9, 45], [10], [10, 46], [9, 45]]]})], "feature 1 (Prova): "),
        ([prova(), square(514_000, 5_034_000, 900, {**PROVINCE, "prov_istat_code": "901"})],
         "feature 2 (Prova): has points that are no longitude and latitude in degrees"),
        ([square(-90, -80, 150, PROVINCE)], "feature 1 (Prova): has more cells than a question may be about"),
        ([], "has no features"),
    ],
)  # fmt: skip
def test_a_bad_file_is_refused_and_its_fault_is_named(town, tmp_path, features, fault):
    good = write(tmp_path / "good.geojson", [square(10, 44, 0.3, {**PROVINCE, "prov_istat_code": "902"})])
    bad = write(tmp_path / "bad.geojson", features)
    refused = run_import(town, good, bad)
    assert refused.returncode != 0 and "bad.geojson" in refused.stderr and fault in refused.stderr, refused.stderr
    with town.server.connect() as database:
        assert database.execute("SELECT count(*) FROM group_area WHERE code LIKE 'IT-P9%'").fetchone()[0] == 0


@pytest.mark.parametrize("text", ["", "{", "[]", '{"type": "Feature"}', '{"type": "FeatureCollection"}', "\xff", "[" * 100_000])
def test_a_file_that_is_no_geojson_is_refused(town, tmp_path, text):
    path = tmp_path / "bad.geojson"
    path.write_bytes(text.encode("latin-1"))
    refused = run_import(town, path)
    assert refused.returncode != 0 and str(path) in refused.stderr, refused.stderr
    missing = run_import(town, tmp_path / "none.geojson")
    assert missing.returncode != 0 and "No such file" in missing.stderr


def test_one_area_in_two_files_is_refused(town, tmp_path):
    again = write(tmp_path / "again.geojson", json.loads(PROVINCES.read_text())["features"][:1])
    refused = run_import(town, PROVINCES, again)
    assert refused.returncode != 0 and "P. A. Bolzano/Bozen (IT-P021) is in" in refused.stderr
