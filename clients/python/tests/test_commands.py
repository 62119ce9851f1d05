"""The commands, as processes, against a server."""

import asyncio
import json
import re
import sys
import time

import pytest

from trackme import columns
from trackme.commands.bridge_lines import ReadingLines
from trackme.recordings import load


async def run(module, *arguments):
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", f"trackme.commands.{module}", *map(str, arguments),
        stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )  # fmt: skip
    out, err = await process.communicate()
    return process.returncode, out.decode(), err.decode()


@pytest.fixture
def recordings(fixtures):
    return fixtures / "recordings"


def stored(server):
    return [r for _, _, batch in server.batches for r in columns.columns_to_rows(batch, server.known)]


async def test_bridge_replays_several_persons(server, recordings):
    status, out, err = await run(
        "bridge", "--server", server.target, "--token", "t", "--speed", "max", "--json", "--quiet", "--batch-size", 50,
        "--person", f"7={recordings / 'run-2020-07-13.gpx.gz'}", "--person", f"8={recordings / 'run-2020-08-21.fit'}",
    )  # fmt: skip
    assert status == 0, err
    summary = json.loads(out)
    assert summary["readings_sent"] == summary["readings_accepted"] == 544 + 318 + 711 + 504
    assert summary["persons"] == 2 and summary["ack_ms"]["p99"] >= summary["ack_ms"]["p50"] > 0
    assert len(stored(server)) == summary["readings_sent"]


async def test_bridge_keeps_the_pace_and_rebases(server, tmp_path):
    (tmp_path / "a.csv").write_text(
        "time,metric,value\n" + "".join(f"{2_000_000_000_000_000 + s * 1_000_000},heart_rate,60\n" for s in range(11))
    )
    status, out, err = await run(
        "bridge", "--server", server.target, "--speed", 10, "--start-now", "--json", "--batch-age", 0.01,
        "--person", f"7={tmp_path / 'a.csv'}",
    )  # fmt: skip
    summary = json.loads(out)
    assert status == 0 and 1.0 <= summary["duration_s"] < 10
    times = [r.time_us for r in stored(server)]
    assert [b - a for a, b in zip(times, times[1:])] == [100_000] * 10
    assert summary["batches_sent"] > 5, "a reading does not wait longer than its batch's age"


async def test_bridge_says_how_far_it_is_at_full_speed(server, tmp_path):
    (tmp_path / "a.csv").write_text("time,metric,value\n" + "".join(f"{n},heart_rate,60\n" for n in range(700)))
    server.before_acknowledgement = lambda sequence: time.sleep(0.003)
    status, _, err = await run(
        "bridge", "--server", server.target, "--speed", "max", "--batch-size", 1, "--window", 1,
        "--person", f"7={tmp_path / 'a.csv'}",
    )  # fmt: skip
    assert status == 0, err
    assert re.search(r"^ +1 s: [1-9]\d* of 700 readings sent, \d+ accepted, 0 rejected, 0 reconnects$", err, re.MULTILINE), err


def test_reading_a_large_file_says_how_far_it_is(tmp_path, capfd):
    (tmp_path / "a.csv").write_text("time,metric,value\n" + "".join(f"{n},heart_rate,60\n" for n in range(200_000)))
    with ReadingLines(every_s=0.005) as lines:
        load(tmp_path / "a.csv", progress=lines.progress)
    said = capfd.readouterr().err.splitlines()
    shares = [int(re.fullmatch(r" +\d+ s: reading .*a\.csv: \d\.\d of 4\.1 MB, (\d+) %", line)[1]) for line in said]
    assert len(shares) > 3 and shares == sorted(shares) and any(0 < share < 100 for share in shares)
    with ReadingLines(quiet=True, every_s=0.005) as lines:
        load(tmp_path / "a.csv", progress=lines.progress)
    assert capfd.readouterr().err == ""


async def test_bridge_says_what_the_server_has_no_metric_for(server, recordings):
    status, out, _ = await run(
        "bridge", "--server", server.target, "--speed", "max", "--json", "--quiet",
        "--person", f"7={recordings / 'icu-vitals.csv'}",
    )  # fmt: skip
    summary = json.loads(out)
    assert status == 0 and summary["readings_sent"] == 32
    assert summary["skipped"]["unknown_metric"]["blood_oxygen"] == 26


async def test_bridge_survives_a_restart_of_the_server(server, tmp_path):
    (tmp_path / "a.csv").write_text(
        "time,metric,value\n" + "".join(f"{s * 1_000_000},heart_rate,60\n" for s in range(300))
    )
    bridge = asyncio.create_task(
        run(
            "bridge",
            "--server",
            server.target,
            "--speed",
            150,
            "--json",
            "--quiet",
            "--batch-age",
            0.01,
            "--person",
            f"7={tmp_path / 'a.csv'}",
        )  # fmt: skip
    )
    while len(server.batches) < 10:
        await asyncio.sleep(0.01)
    await server.stop()
    await asyncio.sleep(0.3)
    await server.start()
    status, out, err = await bridge
    summary = json.loads(out)
    assert status == 0, err
    assert summary["reconnects"] == 1
    assert [r.time_us for r in stored(server)] == [s * 1_000_000 for s in range(300)]


async def test_bridge_refuses_what_is_not_a_recording(server, tmp_path):
    (tmp_path / "a.gpx").write_text("hello")
    status, _, err = await run("bridge", "--server", server.target, "--person", f"7={tmp_path / 'a.gpx'}")
    assert status == 2 and "a.gpx" in err
    status, _, err = await run("bridge", "--server", server.target, "--person", f"7={tmp_path / 'b.gpx'}")
    assert (status, err) == (2, f"trackme-bridge: {tmp_path / 'b.gpx'}: No such file or directory\n")


async def test_bridge_says_why_the_server_refused_it(server, recordings):
    server.token = "other"
    status, out, err = await run(
        "bridge", "--server", server.target, "--token", "t", "--person", f"7={recordings / 'run-2020-08-21.fit'}"
    )
    assert status == 1 and "UNAUTHENTICATED" in err and "UNAUTHENTICATED UNAUTHENTICATED" not in err
    assert "not sent: 1,215 readings" in out


async def test_watch_prints_and_resumes_by_its_cursor_file(server, client, recordings, tmp_path):
    await run("bridge", "--server", server.target, "--speed", "max", "--quiet", "--batch-size", 100,
              "--person", f"7={recordings / 'run-2020-07-13.gpx.gz'}")  # fmt: skip
    options = ("--server", server.target, "--all", "--json", "--cursor-file", tmp_path / "cursor")
    status, first, err = await run("watch", *options, "--from-beginning", "--count", 150)
    assert status == 0, err
    status, rest, err = await run("watch", *options, "--count", 544 + 318 - len(first.splitlines()))
    assert status == 0, err
    lines = [json.loads(line) for line in (first + rest).splitlines()]
    assert len(lines) == 544 + 318
    assert len({(r["metric"], r["time_us"]) for r in lines}) == len(lines)
    assert lines[0].keys() == {"person_id", "metric", "source", "time_us", "value"}


async def test_watch_measures_latency(server, tmp_path):
    (tmp_path / "a.csv").write_text(
        "time,metric,value\n" + "".join(f"{s * 1_000_000},heart_rate,60\n" for s in range(100))
    )
    ready = tmp_path / "ready"
    watch = asyncio.create_task(
        run(
            "watch",
            "--server",
            server.target,
            "--person",
            7,
            "--quiet",
            "--latency",
            "--summary",
            "-",
            "--count",
            100,
            "--ready-file",
            ready,
        )  # fmt: skip
    )
    while not ready.exists():
        await asyncio.sleep(0.01)
    await run("bridge", "--server", server.target, "--speed", 100, "--start-now", "--quiet", "--batch-age", 0,
              "--person", f"7={tmp_path / 'a.csv'}")  # fmt: skip
    status, out, err = await watch
    assert status == 0, err
    summary = json.loads(out)
    assert summary["readings"] == summary["latency_ms"]["count"] == 100
    assert 0 < summary["latency_ms"]["p50"] < 5000


async def test_watch_prints_lines_for_people(server, client):
    from trackme import Position, Reading, Waveform

    async with client.push("phone") as session:
        await session.send([
            Reading(7, "heart_rate", 1_600_000_000_000_000, 61.0),
            Reading(7, "position", 1_600_000_000_000_000, Position(45.1, 9.2, 120)),
            Reading(7, "ecg", 1_600_000_000_000_000, Waveform(250, (0.1, 0.2))),
        ])  # fmt: skip
    status, out, _ = await run("watch", "--server", server.target, "--person", 7, "--from-beginning", "--count", 3)
    assert status == 0
    assert "2020-09-13 12:26:40.000  person 7" in out
    assert "61 /min" in out and "45.100000 9.200000 120.0 m" in out and "2 samples at 250 Hz" in out


@pytest.mark.parametrize("arguments", [(), ("--all", "--person", "7")])
async def test_watch_wants_persons_or_all(arguments):
    status, _, err = await run("watch", *arguments)
    assert status == 2 and "--all" in err
