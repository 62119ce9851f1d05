"""Small files with the traits of public bug reports: each gives what `Tests/fixtures/reported/README.md` says is right for it.

The two courses among them are for PlanRoutes: PlanRoutesTests.swift.
"""

import asyncio
import json
import sys
from datetime import datetime, timezone

import pytest

from trackme import Position, columns
from trackme.metrics import Metric, MetricKind
from trackme.recordings import load


def at(text):
    return int(datetime.fromisoformat(text).replace(tzinfo=timezone.utc).timestamp() * 1_000_000)


def every(seconds, first, values):
    """Times in microseconds and values, so many seconds apart."""
    return [(at(first) + round(number * seconds * 1_000_000), value) for number, value in enumerate(values)]


EIGHT = "2024-05-04T08:00:00"
RUN = {"positions": every(1, EIGHT, range(5)), "heart_rate": every(1, EIGHT, range(120, 125))}
"""Five positions, a second apart, and five pulses."""
HEALTH = every(1, EIGHT, range(70, 75))

# What is in each file, and what of it is left out and said.
FILES = {
    "gpx_osmand_ios.gpx": ({"positions": every(1, "2024-07-01T12:00:00", range(6))}, {"unknown_kind": {"hdop": 6}}),
    "tcx_strap_off.tcx": (
        {"heart_rate": every(1, EIGHT, (80, 81, 82, 83, 84, 80, 81, 82))}, {"no_value": {"heart_rate": 7}}
    ),
    "fit_hr_msgs.fit": (
        {
            "positions": every(1, EIGHT, range(5)),
            "heart_rate": every(1, EIGHT, (90,)) + every(0.75, "2024-05-04T08:00:00.750", range(100, 124)),
        },
        {},
    ),
    "fit_monitoring.fit": (
        {"heart_rate": every(60, "2024-05-04T08:01:00", range(61, 66))}, {"unknown_kind": {"monitoring.steps": 1}}
    ),
    "fit_hr_array.fit": ({"positions": every(1, EIGHT, range(5)), "heart_rate": every(1, EIGHT, range(121, 126))}, {}),
    "fit_datasize0.fit": (RUN, {}),
    "fit_garbage_tail.fit": (RUN, {"behind_end": 64}),
    "tcx_comma.tcx": (RUN, {}),
    "tcx_lap_empty_summary.tcx": (RUN, {}),
    "tcx_time_nozone.tcx": (RUN, {}),
    "gpx_latin1.gpx": ({"positions": every(1, EIGHT, range(5))}, {}),
    "gpx_utf16.gpx": ({"positions": every(1, EIGHT, range(5))}, {}),
    "ah_two_roots.xml": ({"heart_rate": HEALTH + every(1, "2024-05-05T08:00:00", range(70, 75))}, {}),
    "ah_truncated.xml": ({"heart_rate": HEALTH[:4]}, {"cut_short": "cut short in line 7"}),
    "gpx_commatime.gpx": ({"positions": every(1, "2024-05-04T08:00:00.250", range(5))}, {}),
    "csv_libre.csv": ({"blood_glucose": every(900, "2024-05-04T06:00:00", (97.3, 100.9))}, {}),
    "csv_dexcom.csv": (
        {"blood_glucose": every(1, "2024-05-04T06:00:00", (104,))}, {"unreadable": 2}
    ),
    "csv_withings_bp.csv": (
        {
            "systolic_blood_pressure": every(1, "2024-05-04T06:00:00", (121,)),
            "diastolic_blood_pressure": every(1, "2024-05-04T06:00:00", (79,)),
            "heart_rate": every(1, "2024-05-04T06:00:00", (61,)),
        },
        {},
    ),
    "takeout_hr.json": ({"heart_rate": every(1, EIGHT, (70,))}, {}),
    "zip_gz_inside.zip": (RUN, {}),
    "course_loop.gpx": ({}, {"without_time": 61}),
    "course_leading_blanks.gpx": ({}, {"without_time": 30}),
}  # fmt: skip


def test_every_file_is_here(fixtures):
    assert {path.name for path in (fixtures / "reported").iterdir()} == {*FILES, "README.md"}


@pytest.mark.parametrize("name", FILES)
def test_a_reported_file_gives_what_is_right_for_it(fixtures, name):
    wanted, left_out = FILES[name]
    recording = load(fixtures / "reported" / name, "Europe/Rome")
    found = {}
    for sample in recording.samples:
        if isinstance(sample.value, Position):
            assert 45.45 < sample.value.latitude < 45.48 and 9.18 < sample.value.longitude < 9.21
            assert sample.value.altitude == {"g": 120, "t": 120.5}.get(name[0]) or name.startswith(("gpx_osm", "fit", "zip"))
            found.setdefault("positions", []).append((sample.time_us, len(found.get("positions", ()))))
        else:
            found.setdefault(sample.metric, []).append((sample.time_us, sample.value))
    assert found == wanted
    said = {
        "no_value": dict(recording.no_value), "unknown_kind": dict(recording.unknown),
        "without_time": recording.without_time, "repeated": recording.repeated, "unreadable": recording.unreadable,
        "behind_end": recording.behind_end, "cut_short": recording.cut_short,
    }  # fmt: skip
    assert {kind: count for kind, count in said.items() if count} == left_out


async def bridge(server, *arguments):
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "trackme.commands.bridge", "--server", server.target, "--token", "t", "--speed", "max",
        "--time-zone", "Europe/Rome", *map(str, arguments), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await process.communicate()
    return process.returncode, out.decode(), err.decode()


async def test_nothing_is_left_out_in_silence(server, fixtures, tmp_path):
    (tmp_path / "more.csv").write_text(
        "time,metric,value\n0,heart_rate,60\n0,heart_rate,60\n1,mood,3\n,heart_rate,61\n2,heart_rate,\n3,heart_rate\n4,heart_rate,60,7\n"
    )
    files = [fixtures / "reported" / name for name, (_, left_out) in FILES.items() if left_out and not name.startswith("course")]
    persons = [option for file in (*files, tmp_path / "more.csv") for option in ("--person", f"7={file}")]
    status, out, err = await bridge(server, *persons)
    assert status == 0, err
    for said in (
        "left out, without a value: heart_rate 7", "left out, as no metric is for them: hdop 6, monitoring.steps 1",
        "left out: 1 points without a time", "left out: 1 repeats", "left out: 4 values that make no sense",
        "left out: 64 bytes behind the end of files", "ah_truncated.xml: cut short in line 7",
        "the server has no metric for", "mood 1", "cells behind the last column 1",
    ):  # fmt: skip
        assert said in out, out
    # What makes no sense is named where it stands.
    assert "line 4, glucose value (mg/dl): 'High' is no number" in err
    status, again, _ = await bridge(server, "--json", "--quiet", "--client-id", "again", *persons)
    skipped = json.loads(again)["skipped"]
    assert status == 0 and skipped["no_value"] == {"heart_rate": 7} and skipped["behind_end"] == 64
    assert [name.rpartition("/")[2] for name in skipped["cut_short"]] == ["ah_truncated.xml"]


@pytest.mark.parametrize(
    "name, content, why",
    [
        ("a.csv", "time,metric,value\nyesterday,heart_rate,1\n", "line 2, time: 'yesterday' is no time"),
        ("a.csv", "time,metric,value\n2020-01-01,heart_rate,much\n", "'much' is no number"),
        ("a.csv", "time,metric,value\n0,heart_rate,0\n", "heart_rate 1 are left out"),
        ("a.xml", "<HealthData><Record type='Mood' value='1'/></HealthData>", "Mood 1"),
        ("a.json", '[{"dateTime": "05/04/24 08:00:00", "value": "12"}]', "dateTime, value 1"),
        ("a.gpx", "<gpx></gpx>", "there is no reading in it"),
    ],
)
async def test_a_file_of_which_nothing_is_read_ends_with_status_2(server, tmp_path, name, content, why):
    (tmp_path / name).write_text(content)
    status, out, err = await bridge(server, "--person", f"7={tmp_path / name}")
    assert status == 2 and out == ""
    assert why in err and f"{name}: there is no reading in it" in err
    assert server.batches == []


async def test_what_the_registry_says_is_no_value_is_not_sent(server, tmp_path):
    # The server's registry counts, for metrics that nobody has heard of here as well.
    server.metrics += [
        Metric(4, "lactate", MetricKind.SCALAR, zero_is_no_value=True), Metric(5, "steps", MetricKind.SCALAR)
    ]  # fmt: skip
    (tmp_path / "a.csv").write_text("time,metric,value\n0,lactate,0\n1,lactate,2\n2,steps,0\n")
    status, out, err = await bridge(server, "--person", f"7={tmp_path / 'a.csv'}")
    assert status == 0, err
    sent = [r for _, _, batch in server.batches for r in columns.columns_to_rows(batch, server.known)]
    assert [(r.metric, r.value) for r in sent] == [("lactate", 2.0), ("steps", 0.0)]
    assert "left out, without a value: lactate 1" in out
