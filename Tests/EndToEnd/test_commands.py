"""trackme-bridge and trackme-watch against the real server: recordings in, the same readings out."""

import json
import subprocess
import sys
import time
import zipfile
from pathlib import Path

import pytest

from server_process import ROOT, wait_until
from streams import Caller

RECORDINGS = ROOT / "Tests" / "fixtures" / "recordings"


def command(module, *arguments):
    return [sys.executable, "-m", f"trackme.commands.{module}", *map(str, arguments)]


def run(module, *arguments):
    done = subprocess.run(command(module, *arguments), capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize(
    "name, readings, metrics",
    [
        ("run-2020-07-13.gpx.gz", 862, {"position", "heart_rate"}),
        ("run-2020-07-13.tcx.gz", 862, {"position", "heart_rate"}),
        ("run-2020-08-21.fit", 1215, {"position", "heart_rate"}),
        ("fitbit-heart-rate.csv.zip", 1433, {"heart_rate"}),
    ],
)
def test_a_recording_is_stored_whole(server, operator, person, name, readings, metrics):
    summary = json.loads(
        run(
            "bridge",
            "--server",
            server.target,
            "--token",
            server.operator_token,
            "--speed",
            "max",
            "--json",
            "--quiet",
            "--client-id",
            f"bridge-{person}",
            "--person",
            f"{person}={RECORDINGS / name}",
        )  # fmt: skip
    )
    assert summary["readings_accepted"] == readings and summary["readings_rejected"] == 0
    assert not summary["skipped"]["unknown_metric"]
    found = operator.history(person, page_size=10_000)
    assert len(found) == readings and {r.metric for r in found} == metrics


def test_times_of_another_century_are_refused_unless_they_are_rebased(server, operator, person):
    options = ("--server", server.target, "--token", server.operator_token, "--speed", "max", "--json", "--quiet",
               "--client-id", f"bridge-{person}", "--person", f"{person}={RECORDINGS / 'icu-vitals.csv'}")  # fmt: skip
    refused = subprocess.run(command("bridge", *options), capture_output=True, text=True, timeout=120)
    summary = json.loads(refused.stdout)
    assert summary["rejections"] == {"TIME_IN_FUTURE": summary["readings_sent"]} and refused.returncode == 1
    summary = json.loads(run("bridge", *options, "--end-now"))
    assert summary["readings_accepted"] == summary["readings_sent"] == 168
    sources = {r.source for r in operator.history(person, metrics=["systolic_blood_pressure"])}
    assert sources == {"cuff", "arterial_line"}


APPLE_HEALTH = """<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE HealthData [
<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation)*)>
]>
<HealthData locale="en_IT">
 <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="W" unit="count/min" {at} value="61"/>
 <Record type="HKQuantityTypeIdentifierOxygenSaturation" sourceName="W" unit="%" {at} value="0.97"/>
 <Record type="HKQuantityTypeIdentifierBodyTemperature" sourceName="T" unit="degF" {at} value="98.6"/>
 <Record type="HKQuantityTypeIdentifierBloodGlucose" sourceName="G" unit="mmol&lt;180.1558800000541&gt;/L" {at} value="5.5"/>
 <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="W" unit="count/min" {at} value="none"/>
 <Record type="HKQuantityTypeIdentifierVO2Max" sourceName="W" unit="mL/min·kg" {at} value="44"/>
</HealthData>
"""


def test_an_export_of_apple_health_is_stored_in_the_units_of_the_metrics(server, operator, person, tmp_path):
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w") as archive:
        at = 'startDate="2021-03-27 16:17:11 +0100" endDate="2021-03-27 16:17:11 +0100"'
        archive.writestr("apple_health_export/export.xml", APPLE_HEALTH.format(at=at))
    done = subprocess.run(
        command("bridge", "--server", server.target, "--token", server.operator_token, "--speed", "max", "--json",
                "--quiet", "--client-id", f"bridge-{person}", "--person", f"{person}={path}"),
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    summary = json.loads(done.stdout)
    assert done.returncode == 0 and summary["readings_accepted"] == 4 and summary["readings_rejected"] == 0
    assert summary["skipped"]["unknown_kind"] == {"HKQuantityTypeIdentifierVO2Max": 1}
    assert summary["skipped"]["unreadable"] == 1
    assert "HKQuantityTypeIdentifierVO2Max 1" in done.stderr
    assert "line 10, HKQuantityTypeIdentifierHeartRate: 'none' is no number" in done.stderr
    found = {r.metric: (r.time_us, round(r.scalar, 3)) for r in operator.history(person)}
    values = {"heart_rate": 61, "blood_oxygen": 97, "body_temperature": 37, "blood_glucose": 99.086}
    assert found == {metric: (1_616_858_231_000_000, value) for metric, value in values.items()}


def test_what_goes_in_live_comes_out_live_with_a_persons_token(server, person, tmp_path):
    token = server.person_token(person)
    ready, out = tmp_path / "ready", tmp_path / "summary.json"
    watch = subprocess.Popen(
        command("watch", "--server", server.target, "--token", token, "--person", person, "--json", "--latency",
                "--count", 862, "--summary", out, "--ready-file", ready, "--cursor-file", tmp_path / "cursor"),
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    wait_until(ready.exists, what="the subscription")
    run("bridge", "--server", server.target, "--token", token, "--duration", 5, "--start-now", "--quiet",
        "--batch-age", 0.02, "--person", f"{person}={RECORDINGS / 'run-2020-07-13.gpx.gz'}")  # fmt: skip
    lines = [json.loads(line) for line in watch.communicate(timeout=60)[0].splitlines()]
    assert watch.returncode == 0 and len(lines) == 862
    summary = json.loads(out.read_text())
    assert summary["readings"] == summary["latency_ms"]["count"] == 862 and summary["latency_ms"]["p50"] > 0
    with Caller(server.target, token) as caller:
        assert len(caller.history(0, page_size=1000)) == 862


@pytest.mark.long
def test_the_bridge_and_the_watch_survive_a_server_that_is_killed(own_server, tmp_path):
    options = ("--server", own_server.target, "--token", own_server.operator_token)
    ready = tmp_path / "ready"
    watch = subprocess.Popen(
        command("watch", *options, "--person", 7, "--json", "--count", 862, "--ready-file", ready),
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    wait_until(ready.exists, what="the subscription")
    bridge = subprocess.Popen(
        command("bridge", *options, "--duration", 6, "--json", "--quiet", "--client-id", "gate",
                "--person", f"7={RECORDINGS / 'run-2020-07-13.gpx.gz'}"),
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with Caller(own_server.target, own_server.operator_token) as caller:
        wait_until(lambda: caller.status(7), what="the first readings")
    for _ in range(2):
        own_server.kill()
        time.sleep(0.3)
        own_server.start()
    summary = json.loads(bridge.communicate(timeout=60)[0])
    assert bridge.returncode == 0 and summary["reconnects"] >= 1 and summary["batches_acknowledged"] > 0
    assert summary["readings_accepted"] + summary["readings_in_repeated_batches"] == 862
    seen = [(r["metric"], r["time_us"]) for r in map(json.loads, watch.communicate(timeout=60)[0].splitlines())]
    assert len(seen) == len(set(seen)) == 862


def test_the_sample_of_the_package_works(server):
    sample = ROOT / "clients" / "python" / "samples" / "push_and_follow.py"
    done = subprocess.run(
        [sys.executable, sample, server.target], capture_output=True, text=True, timeout=60,
        env={**server.environment, "TRACKME_TOKEN": server.operator_token},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "Acknowledgement(" in done.stdout and "value=72.0" in done.stdout
    assert Path(sample).exists()
