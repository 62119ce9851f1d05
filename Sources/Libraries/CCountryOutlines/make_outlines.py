"""Makes outlines.bin out of country outlines at 1:50 million.

    python3 Sources/Libraries/CCountryOutlines/make_outlines.py countries-50m.topo.json

The input is TopoJSON of Natural Earth's "Admin 0 - Countries", 1:50m, in the boundary view of the United Nations, as
cublya/world-atlas publishes it (countries-50m.json). Natural Earth is in the public domain. islands.csv is ours.

outlines.bin, little-endian; a varint is LEB128, a delta is a zigzag varint:

    "TMCO", version (1 byte: 1)
    degrees a grid step east, degrees a step north, longitude and latitude of (0, 0)     4 doubles
    countries (varint), each:   ISO 3166-1 alpha-2 (2 bytes), rings (varint), each ring:
        points (varint), each:  east and north, as deltas from the point before, the first from (0, 0)
    islands (varint), each:     ISO 3166-1 alpha-2 (2 bytes), latitude, longitude in degrees, radius in km (3 floats)

A ring ends where it began; its first point is not repeated. One that crosses the dateline goes on beyond it: its points
may be more than 360 degrees east of (0, 0), or west of it. A point is in a country if it is within an odd number of the
country's rings: holes are rings like others.
"""

import csv
import json
import struct
import sys
from pathlib import Path

FOLDER = Path(__file__).parent

# The source gives no code to these.
CODES = {"FRA": "FR", "NOR": "NO", "TWN": "TW", "ATC": "AU"}

# Nobody's: Antarctica has no emergency service, and the glacier between India and Pakistan no code.
LEFT_OUT = {"ATA", "KAS"}

# Parts that ISO 3166-1 gives codes of their own and the source counts as their countries:
# (country in the source, code, southern, western, northern, eastern edge of a rectangle around the part).
PARTS = [
    ("FRA", "GF", 1.0, -56.0, 7.0, -50.0),  # French Guiana
    ("FRA", "GP", 15.6, -62.5, 17.0, -60.5),  # Guadeloupe
    ("FRA", "MQ", 14.0, -62.0, 15.2, -60.0),  # Martinique
    ("FRA", "RE", -22.0, 54.0, -20.0, 57.0),  # Reunion
    ("FRA", "YT", -14.0, 44.0, -12.0, 46.5),  # Mayotte
    ("NOR", "SJ", 74.0, 10.0, 82.0, 35.0),  # Svalbard with Bear Island
    ("NOR", "SJ", 70.0, -10.0, 72.0, -7.0),  # Jan Mayen
    ("NLD", "BQ", 11.0, -70.0, 18.0, -62.0),  # Bonaire, Sint Eustatius, Saba
    ("NZL", "TK", -10.0, -174.0, -8.0, -170.0),  # Tokelau
    ("IOA", "CX", -11.0, 105.0, -10.0, 106.5),  # Christmas Island
    ("IOA", "CC", -13.0, 96.0, -11.0, 98.0),  # Cocos Islands
]


def varint(number):
    out = bytearray()
    while number > 0x7F:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def delta(number):
    return varint(number << 1 if number >= 0 else (-number << 1) - 1)


def decoded(arc):
    """The grid points of an arc, which is kept as differences."""
    x = y = 0
    points = []
    for dx, dy in arc:
        x, y = x + dx, y + dy
        points.append((x, y))
    return points


def joined(indices, arcs):
    """A ring of arcs, without the repeated last point. ~i is arc i backwards."""
    points = []
    for index in indices:
        arc = arcs[index] if index >= 0 else arcs[~index][::-1]
        points += arc[1:] if points else arc
    assert points[0] == points[-1]
    return points[:-1]


def unwrapped(ring, width):
    """The ring without the jumps over the whole width of the grid that it makes at the dateline."""
    points = []
    for x, y in ring:
        if points:
            x += round((points[-1][0] - x) / width) * width
        points.append((x, y))
    # One that does not come back goes around a pole; there is only Antarctica's.
    assert abs(points[0][0] - points[-1][0]) < width / 2
    return points


def code_of(ring, properties, scale, translate):
    """The code of the country or part that a ring belongs to; None where there is none."""
    name = properties["adm0A3"]
    for country, code, south, west, north, east in PARTS:
        longitude, latitude = (ring[0][axis] * scale[axis] + translate[axis] for axis in (0, 1))
        if name == country and south < latitude < north and west < longitude < east:
            return code
    return None if name in LEFT_OUT else CODES.get(name) or properties["isoA2"]


def rings_by_code(topology):
    scale, translate = topology["transform"]["scale"], topology["transform"]["translate"]
    arcs = [decoded(arc) for arc in topology["arcs"]]
    width = round(360 / scale[0])
    countries = {}
    for geometry in topology["objects"]["countries"]["geometries"]:
        polygons = [geometry["arcs"]] if geometry["type"] == "Polygon" else geometry["arcs"]
        for ring in (joined(indices, arcs) for polygon in polygons for indices in polygon):
            if code := code_of(ring, geometry["properties"], scale, translate):
                assert len(code) == 2 and code.isupper(), geometry["properties"]
                countries.setdefault(code, []).append(unwrapped(ring, width))
    return countries


def main():
    topology = json.loads(Path(sys.argv[1]).read_text())
    countries = rings_by_code(topology)
    out = bytearray(b"TMCO\x01")
    out += struct.pack("<4d", *topology["transform"]["scale"], *topology["transform"]["translate"])
    out += varint(len(countries))
    for code, rings in sorted(countries.items()):
        out += code.encode() + varint(len(rings))
        for ring in rings:
            out += varint(len(ring))
            last = (0, 0)
            for point in ring:
                out += delta(point[0] - last[0]) + delta(point[1] - last[1])
                last = point
    with open(FOLDER / "islands.csv", newline="") as file:
        islands = list(csv.DictReader(file))
    out += varint(len(islands))
    for island in islands:
        place = [float(island[column]) for column in ("latitude", "longitude", "radius_km")]
        out += island["code"].encode() + struct.pack("<3f", *place)
    (FOLDER / "outlines.bin").write_bytes(out)
    points = sum(len(ring) for rings in countries.values() for ring in rings)
    print(f"{len(countries)} countries, {points} points, {len(islands)} islands, {len(out)} bytes")


main()
