"""The map of the pages: tiles of the imported streets, and the outlines of countries beyond them."""

from __future__ import annotations

import math
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest

from server_process import ServerProcess, wait_until
from test_routes import HELSINKI, MILAN, roads_import
from web import Answer, Web

EXTENT, MARGIN = 1024, 32
LAND, PATHS, STREETS, ROADS = range(4)
LAYERS = {
    "primary": ROADS, "secondary": ROADS, "primary_link": ROADS, "secondary_link": ROADS, "path": PATHS, "footway": PATHS,
    "track": PATHS, "bridleway": PATHS, "cycleway": PATHS, "steps": PATHS,
}  # fmt: skip
"""What is not here is drawn as a street."""

Lines = list[list[tuple[int, int]]]


@pytest.fixture(scope="module")
def mapped():
    """A server with pages, behind a proxy, that was running when Helsinki was imported."""
    process = ServerProcess({"TRACKME_TRUSTED_PROXIES": "127.0.0.1"}, has_web=True).start()
    done = roads_import(process, HELSINKI)
    assert done.returncode == 0, done.stderr
    yield process
    process.remove()


@pytest.fixture(scope="module")
def helsinki(mapped) -> Web:
    """A browser without a session, once the server has noticed the import."""
    web = Web(mapped.web_port)
    wait_until(lambda: "box" in about(web), what="the import")
    return web


def about(web: Web) -> dict:
    answer = web.send("GET", "/map")
    assert answer.status == 200 and answer.header("content-type") == "application/json", answer
    assert answer.header("cache-control") == "no-cache"
    return answer.json


def position(zoom: int, latitude: float, longitude: float) -> tuple[float, float]:
    """Where a place is among all tiles of a zoom, as OpenStreetMap's documents compute it."""
    north = math.asinh(math.tan(math.radians(latitude)))
    return (longitude + 180) / 360 * 2**zoom, (1 - north / math.pi) / 2 * 2**zoom


def tile_at(web: Web, zoom: int, latitude: float, longitude: float, query: str = "") -> Answer:
    x, y = position(zoom, latitude, longitude)
    return web.send("GET", f"/map/{zoom}/{int(x)}/{int(y)}{query}")


def layers(answer: Answer) -> dict[int, Lines]:
    """The lines of each layer: its number, then TWKB."""
    assert answer.status == 200, answer
    data, found = iter(answer.body), {}

    def varint() -> int:
        number = shift = 0
        while True:
            byte = next(data)
            number |= (byte & 0x7F) << shift
            if byte < 0x80:
                return number
            shift += 7

    def signed() -> int:
        number = varint()
        return number >> 1 if number % 2 == 0 else -(number + 1) // 2

    for layer in data:
        assert layer not in found and layer > max(found, default=-1), "layers stand in the order in which they are drawn"
        assert (next(data), next(data)) == (5, 0)
        x = y = 0
        found[layer] = []
        for _ in range(varint()):
            line = []
            for _ in range(varint()):
                x, y = x + signed(), y + signed()
                line.append((x, y))
            found[layer].append(line)
    return found


def distance(point: tuple[float, float], lines: Lines) -> float:
    """From a point to the nearest line, in the numbers of the tile."""
    least = math.inf
    for line in lines:
        for (ax, ay), (bx, by) in zip(line, line[1:]):
            dx, dy = bx - ax, by - ay
            along = (point[0] - ax) * dx + (point[1] - ay) * dy
            part = min(1, max(0, along / (dx * dx + dy * dy or 1)))
            least = min(least, math.hypot(point[0] - ax - part * dx, point[1] - ay - part * dy))
    return least


def is_on_land(lines: Lines, x: float, y: float) -> bool:
    """Whether an odd number of closed lines is around a point."""
    crossings = 0
    for line in lines:
        for (ax, ay), (bx, by) in zip(line, line[1:] + line[:1]):
            if (ay <= y) != (by <= y) and ax + (y - ay) / (by - ay) * (bx - ax) > x:
                crossings += 1
    return crossings % 2 == 1


def test_a_tile_has_the_streets_that_lie_in_it_and_no_others(mapped, helsinki):
    zoom, (latitude, longitude) = 16, (60.1710, 24.9440)
    found = layers(tile_at(helsinki, zoom, latitude, longitude))
    column, row = map(int, position(zoom, latitude, longitude))
    wanted: dict[int, list[tuple[float, float]]] = {LAND: [], PATHS: [], STREETS: [], ROADS: []}
    for kind, north, east in mapped.sql(
        "SELECT kind, ST_Y(p.geom), ST_X(p.geom) FROM roads.way, ST_DumpPoints(line) AS p"
    ):
        x, y = position(zoom, north, east)
        wanted[LAYERS.get(kind, STREETS)].append(((x - column) * EXTENT, (y - row) * EXTENT))
    for layer in (PATHS, STREETS, ROADS):
        inside = [p for p in wanted[layer] if 0 <= p[0] <= EXTENT and 0 <= p[1] <= EXTENT]
        assert len(inside) > 10, "the test needs a tile with streets of each kind"
        # A line may leave a point out that is half a pixel beside it.
        assert max(distance(point, found[layer]) for point in inside) < 3
        drawn = [point for line in found[layer] for point in line]
        assert all(-MARGIN <= x <= EXTENT + MARGIN and -MARGIN <= y <= EXTENT + MARGIN for x, y in drawn)
        inner = [p for p in drawn if 0 < p[0] < EXTENT and 0 < p[1] < EXTENT]
        assert all(min(math.dist(point, other) for other in wanted[layer]) < 3 for point in inner)
    # All of the tile is Finland.
    assert is_on_land(found[LAND], 512, 512)


@pytest.mark.parametrize(("zoom", "layers_there"), [
    (8, []), (9, [ROADS]), (11, [STREETS, ROADS]), (13, [STREETS, ROADS]), (14, [PATHS, STREETS, ROADS]),
])  # fmt: skip
def test_the_farther_away_the_fewer_streets_are_drawn(helsinki, zoom, layers_there):
    answer = tile_at(helsinki, zoom, 60.1710, 24.9440)
    found = layers(answer)
    assert [layer for layer in found if layer != LAND] == layers_there
    assert len(answer.body) < 64 << 10


@pytest.mark.parametrize("zoom", [2, 5, 9])
@pytest.mark.parametrize(("place", "is_land"), [
    ((41.9, 12.6), True), ((39.6, 12.2), False), ((45.46, 9.19), True), ((-41.3, 175.5), True), ((0.0, -30.0), False),
    ((66.5, 179.5), True), ((66.5, -179.0), True), ((64.5, 26.0), True),
])  # fmt: skip
def test_beyond_the_streets_there_is_land_and_sea(helsinki, zoom, place, is_land):
    """Both sides of the dateline too, on which Chukotka lies."""
    x, y = position(zoom, *place)
    found = layers(tile_at(helsinki, zoom, *place))
    assert is_on_land(found.get(LAND, []), (x % 1) * EXTENT, (y % 1) * EXTENT) == is_land


def test_the_whole_world_is_one_small_tile(helsinki):
    answer = helsinki.send("GET", "/map/0/0/0")
    assert list(layers(answer)) == [LAND]
    assert len(answer.body) < 32 << 10


@pytest.mark.parametrize(("path", "status", "field"), [
    ("/map/17/0/0", 400, "zoom"), ("/map/-1/0/0", 400, "zoom"), ("/map/a/0/0", 400, "zoom"), ("/map/05/0/0", 400, "zoom"),
    ("/map/3/8/0", 400, "x"), ("/map/3/-1/0", 400, "x"), ("/map/3/+1/0", 400, "x"), ("/map/3//0", 400, "x"),
    ("/map/3/99999999999999999999/0", 400, "x"), ("/map/3/0/8", 400, "y"), ("/map/3/0/%30", 400, "y"),
    ("/map/3/0", 404, None), ("/map/3/0/0/0", 404, None), ("/map/", 404, None), ("/mapped", 404, None),
])  # fmt: skip
def test_what_is_no_tile_is_refused_and_the_part_at_fault_named(helsinki, path, status, field):
    answer = helsinki.send("GET", path)
    assert answer.status == status
    assert answer.header("cache-control") == "no-store"
    if field is not None:
        assert answer.body.decode().startswith(f"{field}: "), answer.body
    assert helsinki.send("POST", "/map/0/0/0", b"x").status == 405


def test_a_tile_is_kept_by_browsers_where_its_address_says_of_which_import_it_is(helsinki):
    version = about(helsinki)["version"]
    named = tile_at(helsinki, 14, 60.17, 24.94, f"?v={version}")
    assert named.header("cache-control") == "public, max-age=31536000, immutable"
    for query in ("", "?v=1-0", f"?v={version}0", f"?w={version}"):
        other = tile_at(helsinki, 14, 60.17, 24.94, query)
        assert other.header("cache-control") == "no-cache" and other.body == named.body
    x, y = map(int, position(14, 60.17, 24.94))
    again = helsinki.send("GET", f"/map/14/{x}/{y}", If_None_Match=f'"a", {named.header("etag")}')
    assert (again.status, again.body) == (304, b"")
    assert helsinki.send("GET", f"/map/14/{x}/{y}", If_None_Match='"a"').body == named.body


def test_the_map_says_whose_it_is_and_where_it_has_streets(mapped, helsinki):
    known = about(helsinki)
    assert "© OpenStreetMap contributors" in known["attribution"] and "Natural Earth" in known["attribution"]
    assert known["maxZoom"] == 16
    assert known["box"] == pytest.approx(
        mapped.sql("SELECT west, south, east, north FROM roads.import ORDER BY id DESC LIMIT 1")[0])
    # With the headers of everything that pages get.
    for path in ("/map", "/map/0/0/0"):
        answer = helsinki.send("GET", path)
        assert "default-src 'none'" in answer.header("content-security-policy")
        assert answer.header("x-content-type-options") == "nosniff"


def test_while_the_database_is_busy_tiles_are_refused_soon_and_those_in_memory_are_there(mapped, helsinki):
    kept = tile_at(helsinki, 15, 60.1710, 24.9440)
    with closing(mapped.connect()) as connection:
        connection.execute("BEGIN")
        connection.execute("LOCK TABLE roads.way")
        late = tile_at(helsinki, 15, 60.1760, 24.9500)
        assert (late.status, late.header("retry-after")) == (503, "1")
        assert late.header("cache-control") == "no-store"
        assert tile_at(helsinki, 15, 60.1710, 24.9440).body == kept.body
        connection.execute("ROLLBACK")
    assert tile_at(helsinki, 15, 60.1760, 24.9500).status == 200


def test_of_many_tiles_at_once_each_is_made_or_refused(helsinki):
    """As a stranger asks for them, who wants to be in the way: nothing breaks, and afterwards the map is there."""
    x, y = position(16, 60.1710, 24.9440)
    wanted = [f"/map/16/{int(x) + dx}/{int(y) + dy}" for dx in range(-8, 8) for dy in range(-8, 8)]
    with ThreadPoolExecutor(100) as pool:
        statuses = list(pool.map(lambda path: helsinki.send("GET", path).status, wanted))
    assert set(statuses) <= {200, 503} and statuses.count(200) >= 66
    assert layers(helsinki.send("GET", wanted[0])) is not None


def test_who_asks_for_many_tiles_keeps_nobody_out_who_comes_through_the_same_proxy(mapped, helsinki):
    # Imported again, nothing of it is in memory.
    version = about(helsinki)["version"]
    assert roads_import(mapped, HELSINKI).returncode == 0
    wait_until(lambda: about(helsinki)["version"] != version, what="the import")
    x, y = map(int, position(15, 60.1710, 24.9440))

    def ask(client: str) -> int:
        return helsinki.send("GET", f"/map/15/{x}/{y}", X_Forwarded_For=client).status

    with closing(mapped.connect()) as connection, ThreadPoolExecutor(100) as pool:
        connection.execute("BEGIN")
        connection.execute("LOCK TABLE roads.way")
        many = [pool.submit(ask, "192.0.2.1") for _ in range(90)]
        wait_until(lambda: any(one.done() for one in many), what="the first who is refused")
        other = pool.submit(ask, "192.0.2.2")
        with pytest.raises(TimeoutError):
            other.result(timeout=0.5)
        connection.execute("ROLLBACK")
        assert other.result() == 200
        assert {one.result() for one in many} == {200, 503}


@pytest.mark.long
def test_another_import_is_another_map(mapped, helsinki):
    """The last test of this server."""
    before = about(helsinki)
    tile = tile_at(helsinki, 15, 60.1710, 24.9440, f"?v={before['version']}")
    assert STREETS in layers(tile)
    assert roads_import(mapped, MILAN).returncode == 0
    wait_until(lambda: about(helsinki)["version"] != before["version"], what="the new version")
    after = about(helsinki)
    assert after["box"][0] == pytest.approx(9.2, abs=0.2)
    here = tile_at(helsinki, 15, 60.1710, 24.9440, f"?v={before['version']}")
    assert list(layers(here)) == [LAND] and here.header("cache-control") == "no-cache"
    assert here.header("etag") != tile.header("etag")
    milan = tile_at(helsinki, 15, 45.4642, 9.1900, f"?v={after['version']}")
    assert STREETS in layers(milan) and "immutable" in milan.header("cache-control")


def test_without_an_import_there_are_countries(web):
    assert about(web) == {"version": "1-0", "maxZoom": 16, "attribution": "Natural Earth"}
    assert list(layers(tile_at(web, 12, 45.46, 9.19, "?v=1-0"))) == [LAND]
