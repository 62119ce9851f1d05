"""Courses: maps that are imported while the server runs, routes over them, and runs that leave as GPX (A-R17, A-R25)."""

from __future__ import annotations

import math
import re
import subprocess
import xml.etree.ElementTree as ElementTree
from datetime import datetime

import grpc
import pytest

from trackme.protocol import race, readings

from accounts import Accounts
from failures import fails
from race_rows import put_race
from server_process import ROOT, ServerProcess, binary
from streams import METRIC_IDS

MILAN, HELSINKI = ROOT / "Maps" / "milan-duomo.osm.gz", ROOT / "Maps" / "helsinki-centre.osm.pbf"
GPX = {"": "http://www.topografix.com/GPX/1/1"}


def roads_import(server: ServerProcess, file, **environment):
    """Runs the real command on a server's data directory."""
    return subprocess.run(
        [binary(), "roads", "import", file, "--data-dir", server.data_dir / "data"],
        capture_output=True, text=True, timeout=120, env={**server.environment, **environment},
    )  # fmt: skip


@pytest.fixture(scope="module")
def mapped():
    """A server that was running when Helsinki was imported."""
    process = ServerProcess({"TRACKME_HEARTBEAT_MS": "200"}).start()
    done = roads_import(process, HELSINKI)
    assert done.returncode == 0, done.stderr
    assert "1 of 5: picking streets" in done.stderr and "5 of 5: putting them in place" in done.stderr
    assert re.match(r"\d+ ways, 9\d km, with \d+ crossings were imported in ", done.stdout)
    yield process
    process.remove()


@pytest.fixture(scope="module")
def planner(mapped):
    accounts = Accounts(mapped)
    member = accounts.person()
    yield member
    accounts.close()


def helsinki(north: float, east: float, name: str = "") -> race.Place:
    """A place by its share of the map's box."""
    return race.Place(latitude=60.1650 + 0.0130 * north, longitude=24.9365 + 0.0150 * east, name=name)


def metres(a: tuple[float, float], b: tuple[float, float]) -> float:
    north = (a[0] - b[0]) * 111_412
    return math.hypot(north, (a[1] - b[1]) * 111_412 * math.cos(math.radians(a[0])))


def points(course) -> list[tuple[float, float]]:
    return list(zip(course.latitudes, course.longitudes, strict=True))


def test_a_r17_several_distinct_routes_run_on_streets_through_every_stage(mapped, planner):
    """A-R17."""
    stages = [helsinki(0.8, 0.3, "Kallio"), helsinki(0.6, 0.9)]
    start = helsinki(0.2, 0.2, "Forum")
    routes = planner.ask("PlanRoutes", start=start, stages=stages, arrival=start).routes
    assert 2 <= len(routes) <= 3
    assert len({route.route_id for route in routes}) == len(routes)
    lengths = [route.course.length_m for route in routes]
    assert lengths == sorted(lengths) and lengths[0] > 2_000
    for route in routes:
        course = route.course
        assert course.source == race.COURSE_SOURCE_ROADS
        assert "© OpenStreetMap contributors" in course.attribution and "ODbL" in course.attribution
        line = points(course)
        assert line[0] == line[-1]
        length = sum(metres(a, b) for a, b in zip(line, line[1:]))
        assert length == pytest.approx(course.length_m, rel=0.005)
        assert [stage.place.name for stage in course.stages] == ["Kallio", ""]
        for stage, wanted in zip(course.stages, stages, strict=True):
            here = (stage.place.latitude, stage.place.longitude)
            assert metres(here, (wanted.latitude, wanted.longitude)) <= 250
            assert min(metres(here, point) for point in line) < 150
        # On streets: every point is within a metre of a way, and no way is a motorway.
        rows = mapped.sql(
            """
            SELECT max((SELECT min(ST_Distance(w.line::geography, p::geography)) FROM roads.way w
              WHERE w.line && ST_Expand(p, 0.001)))
            FROM (SELECT ST_SetSRID(ST_MakePoint(x, y), 4326) AS p FROM unnest(%s::float8[], %s::float8[]) s (x, y)) q
            """,
            (list(course.longitudes), list(course.latitudes)),
        )
        assert rows[0][0] < 1
    assert mapped.sql("SELECT count(*) FROM roads.way WHERE kind ~ '^(motorway|trunk)'") == [(0,)]
    # The route that is chosen is the course that is shown: it is kept under its number.
    kept = mapped.sql("SELECT length_m FROM course WHERE id = %s::uuid", (routes[1].route_id,))
    assert kept[0][0] == routes[1].course.length_m


def test_a_r16_2_and_a_r16_3_are_refused_by_the_field_and_with_the_length(planner):
    """A-R16.2, A-R16.3."""
    start, end = helsinki(0.1, 0.1), helsinki(0.9, 0.9)
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "stages"):
        planner.ask("PlanRoutes", start=start, stages=[helsinki(0.5, i / 11) for i in range(11)], arrival=end)
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "arrival"):
        planner.ask("PlanRoutes", start=start, arrival=start)
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "stages[0]"):
        planner.ask("PlanRoutes", start=start, stages=[end], arrival=end)
    with fails(grpc.StatusCode.INVALID_ARGUMENT) as failure:
        planner.ask("PlanRoutes", start=start, stages=[end], arrival=start, laps=50)
    assert failure.reason == "COURSE_TOO_LONG" and re.search(r"would be \d{5,} m long", failure.message)
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "arrival"):
        planner.ask("PlanRoutes", start=start, arrival=race.Place(latitude=60.1845, longitude=24.944))


@pytest.mark.long
def test_a_map_is_replaced_under_a_running_server_and_with_the_server_down(own_server):
    accounts = Accounts(own_server)
    milan = dict(
        start=race.Place(latitude=45.459, longitude=9.194), arrival=race.Place(latitude=45.461, longitude=9.197)
    )
    there = dict(start=helsinki(0.2, 0.2), arrival=helsinki(0.7, 0.7))
    source = lambda member, places: member.ask("PlanRoutes", **places).routes[0].course.source  # noqa: E731
    member = accounts.person()
    assert source(member, milan) == source(member, there) == race.COURSE_SOURCE_STRAIGHT
    assert roads_import(own_server, MILAN).returncode == 0
    assert source(member, milan) == race.COURSE_SOURCE_ROADS
    assert source(member, there) == race.COURSE_SOURCE_STRAIGHT
    broken = roads_import(own_server, ROOT / "Makefile")
    assert broken.returncode != 0 and "osmium" in broken.stderr
    missing = roads_import(own_server, "/nowhere.osm.pbf")
    assert missing.returncode != 0 and "cannot read /nowhere.osm.pbf: No such file or directory" in missing.stderr
    assert source(member, milan) == race.COURSE_SOURCE_ROADS
    own_server.stop()
    assert roads_import(own_server, HELSINKI).returncode == 0
    own_server.start()
    member.log_in()
    assert source(member, there) == race.COURSE_SOURCE_ROADS
    assert source(member, milan) == race.COURSE_SOURCE_STRAIGHT
    accounts.close()


def test_an_uploaded_track_is_the_course(planner):
    """A-R17."""
    track = [(60.17 + i / 10_000, 24.94 + (i % 3) / 20_000, 10 + i) for i in range(200)]
    inner = "".join(f'<trkpt lat="{a}" lon="{b}"><ele>{h}</ele></trkpt>' for a, b, h in track)
    gpx = f'<gpx xmlns="{GPX[""]}"><trk><trkseg>{inner}</trkseg></trk></gpx>'.encode()
    stage = race.Place(latitude=track[90][0], longitude=track[90][1], name="half")
    (route,) = planner.ask("PlanRoutes", stages=[stage], gpx=gpx).routes
    assert route.course.source == race.COURSE_SOURCE_GPX
    assert points(route.course) == [(a, b) for a, b, _ in track]
    # Changes below 3 m count as errors of measurement.
    assert 196 <= route.course.climb_m <= 199
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "stages[0]"):
        planner.ask("PlanRoutes", stages=[race.Place(latitude=60.2, longitude=24.9)], gpx=gpx)
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "gpx"):
        planner.ask("PlanRoutes", gpx=gpx[:-20])


def positions(person: int, rows) -> readings.ReadingColumns:
    """Columns of (time_us, latitude, longitude, altitude or None)."""
    return readings.ReadingColumns(
        positions=readings.PositionColumns(
            person_id=[person],
            metric=[METRIC_IDS["position"]],
            time_us=[row[0] for row in rows],
            latitude=[row[1] for row in rows],
            longitude=[row[2] for row in rows],
            altitude=[math.nan if row[3] is None else row[3] for row in rows],
            accuracy=[5.0] * len(rows),
        )
    )


def push_run(operator, runner, rows) -> None:
    with operator.push() as push:
        for sequence, begin in enumerate(range(0, len(rows), 1_000), 1):
            push.commit(sequence, positions(runner.account_id, rows[begin : begin + 1_000]))


def micros(text: str) -> int:
    return round(datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() * 1_000_000)


def export(runner, run) -> tuple[list[bytes], ElementTree.Element, list[tuple]]:
    """The pieces of a run, the file, and its points as rows of `positions`."""
    pieces = [piece.gpx for piece in runner.ask("ExportRun", race_id=run.race_id)]
    root = ElementTree.fromstring(b"".join(pieces))
    points = [
        (
            micros(point.find("time", GPX).text), float(point.attrib["lat"]), float(point.attrib["lon"]),
            None if point.find("ele", GPX) is None else float(point.find("ele", GPX).text),
        )
        for point in root.iterfind("trk/trkseg/trkpt", GPX)
    ]  # fmt: skip
    return pieces, root, points


def test_a_run_leaves_as_the_positions_that_were_pushed(server, accounts, operator):
    organizer, runner, other = accounts.person(), accounts.person(), accounts.person()
    run = put_race(server, organizer, "finished", [runner], name='Corsa <"&"> è', present=True)
    # The database has rounded the start.
    start_us = int(run.starts * 1_000_000) + 5
    # From before the start, and not as far as the arrival.
    rows = [
        (start_us + (i - 10) * 700_001, 45.47 + i / 1_000_000, 9.17 + i % 7 / 1_000_000, 120 + i % 9 if i % 3 else None)
        for i in range(5_300)
    ]
    push_run(operator, runner, rows)
    pieces, root, exported = export(runner, run)
    assert len(pieces) > 3
    assert root.attrib["version"] == "1.1"
    assert root.find("trk/name", GPX).text == 'Corsa <"&"> è'
    assert exported == [row for row in rows if row[0] >= start_us]
    for stranger in (other, organizer):
        with fails(grpc.StatusCode.NOT_FOUND) as failure:
            list(stranger.ask("ExportRun", race_id=run.race_id))
        assert failure.reason == "NOT_ENROLLED"
    with fails(grpc.StatusCode.NOT_FOUND):
        list(other.ask("ExportRun", race_id=2**40))
    early = put_race(server, organizer, "closed", [runner])
    with fails(grpc.StatusCode.FAILED_PRECONDITION) as failure:
        list(runner.ask("ExportRun", race_id=early.race_id))
    assert failure.reason == "RACE_STATE"


def test_a_run_ends_at_the_runner_s_own_finish(server, accounts, operator):
    runner = accounts.person()
    run = put_race(server, accounts.person(), "finished", [runner], present=True)
    ((position, author),) = server.sql(
        "SELECT coalesce((SELECT max(position) FROM race_change), 0) + 1, %s::bigint", (runner.account_id,)
    )
    server.sql(
        "INSERT INTO race_change (position, race, kind, persons, author, finish_us, reason, changed_at)"
        " VALUES (%s, %s, 1, ARRAY[%s::bigint], %s, 0, '', to_timestamp(%s))",
        (position, run.race_id, runner.account_id, author, run.starts - 60),
    )
    # The database has rounded the start.
    start_us = int(run.starts * 1_000_000) + 5
    # 3 m/s along 1.1 km, and on to the car.
    rows = [(start_us + i * 1_000_000, 45.47 + i * 2.7e-5, 9.17, None) for i in range(900)]
    push_run(operator, runner, rows)
    _, _, exported = export(runner, run)
    assert exported == rows[: len(exported)]
    assert 45.4799 <= exported[-1][1] <= 45.4802
