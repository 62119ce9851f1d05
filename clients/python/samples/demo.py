"""The whole way of a reading, on a server of its own: recorded readings are pushed, committed and delivered live; then
a doctor asks for a person's readings, the person accepts, and revokes; then a pulse calls an ambulance; then a race is
planned, run and watched.

Starts `trackme serve` on its embedded PostgreSQL, replays real recordings of several persons with trackme-bridge,
follows them with trackme-watch, and says what arrived and how fast. Ends by itself, with status 0 if everything that
was acknowledged was delivered, and to nobody else, and the call was taken within five seconds.
"""

from __future__ import annotations

import argparse
import json
import os
import secrets
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import consent
import emergency
import grpc
import race

PERSONS = {
    1: ("run-2020-07-13.gpx.gz", "a run with pulse and positions (GPX)"),
    2: ("run-2020-11-22.gpx.gz", "another run (GPX)"),
    3: ("run-2020-08-21.fit", "a third run (FIT)"),
    4: ("fitbit-heart-rate.csv.zip", "a day with a wristband (CSV)"),
}
# Installed beside the interpreter that runs this.
COMMANDS = Path(sys.executable).parent
REPLAY_SECONDS = 6
LINES_SHOWN = 12
TRY_IT = """
Try it yourself: `make run`, then (grpcurl takes the same arguments with -plaintext):
  TOKEN=$(cat var/data/operator.token); AT=".venv/bin/buf curl --protocol grpc --http2-prior-knowledge"
  $AT --list-methods http://127.0.0.1:50051
  $AT -H "authorization: Bearer $TOKEN" -d '{"readings":[{"personId":7,"metric":"heart_rate","timeUs":1790000000000000,"scalar":72}]}' \\
    http://127.0.0.1:50051/trackme.ingest.v1.IngestService/RecordReadings
  $AT -H "authorization: Bearer $TOKEN" -d '{"personId":7}' \\
    http://127.0.0.1:50051/trackme.readings.v1.ReadingService/GetCurrentStatus"""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trackme", type=Path, required=True, help="the server's binary")
    parser.add_argument("--recordings", type=Path, required=True)
    options = parser.parse_args()
    # Readable by others: as root, PostgreSQL runs as another user.
    folder = Path(tempfile.mkdtemp(prefix="trackme-demo-"))
    folder.chmod(0o755)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        target = f"127.0.0.1:{probe.getsockname()[1]}"
    print(f"Starting a server with a PostgreSQL of its own on {target} …")
    server = subprocess.Popen(
        [options.trackme, "serve", "--listen", target, "--data-dir", folder / "data"],
        stderr=(folder / "server.log").open("w"),
    )
    try:
        status = show(target, folder, options.recordings) or show_accounts(options, target, folder)
        if not status:
            print(TRY_IT)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait(timeout=30)
    if status or server.returncode:
        print((folder / "server.log").read_text()[-2000:], file=sys.stderr)
        return status or 1
    shutil.rmtree(folder, ignore_errors=True)
    return 0


def show(target: str, folder: Path, recordings: Path) -> int:
    token = folder / "data" / "operator.token"
    server = ["--server", target, "--token-file", token]
    watch, lines = start_watch(target, server, folder)
    for person, (_, what) in PERSONS.items():
        print(f"  person {person}: {what}")
    print(f"Replaying the recordings in {REPLAY_SECONDS} s each, and following them live:\n")
    replay = [f"--person={person}={recordings / name}" for person, (name, _) in PERSONS.items()]
    bridge = subprocess.run(
        [COMMANDS / "trackme-bridge", *server, *replay, "--duration", str(REPLAY_SECONDS), "--start-now", "--json", "--quiet"],
        stdout=subprocess.PIPE, text=True, timeout=60,
    )  # fmt: skip
    watch.wait(timeout=60)
    pushed = json.loads(bridge.stdout or "{}")
    seen = json.loads((folder / "watch.json").read_text())
    received = lines.read_text().splitlines()
    for line in received[:: max(1, len(received) // LINES_SHOWN)][:LINES_SHOWN]:
        print("  " + line)
    print(f"  … {len(received):,} lines in all\n")
    summary(pushed, seen)
    return 0 if bridge.returncode == 0 and seen["readings"] == pushed["readings_accepted"] > 0 else 1


def show_accounts(options: argparse.Namespace, target: str, folder: Path) -> int:
    """Who may see which reading, who is called when one is beyond its limit, and a race."""
    trackme = options.trackme
    password = secrets.token_urlsafe(12)
    subprocess.run(
        [trackme, "admin", "create", "--data-dir", folder / "data", "--username", "keeper", "--email", "keeper@example.org"],
        env={**os.environ, "TRACKME_ADMIN_PASSWORD": password}, stdout=subprocess.DEVNULL, check=True, timeout=30,
    )  # fmt: skip
    with grpc.insecure_channel(target) as channel:
        print("\nWho may see which reading:\n")
        if not consent.show(channel, "keeper", password):
            return 1
        print("\nFrom a reading to an ambulance:\n")
        if not emergency.show(channel, trackme, target, folder, "keeper", password):
            return 1
        print("\nA race, live:\n")
        return 0 if race.show(channel, trackme, folder, options.recordings) else 1


def start_watch(target: str, server: list, folder: Path) -> tuple[subprocess.Popen, Path]:
    """A subscriber of everyone that stands before anything is pushed."""
    wait_for(lambda: is_listening(target), "the server")
    lines, ready = folder / "watch.txt", folder / "watch.ready"
    watch = subprocess.Popen(
        [COMMANDS / "trackme-watch", *server, "--all", "--latency", "--until-idle", "3", "--give-up-after", "30",
         "--summary", folder / "watch.json", "--ready-file", ready],
        stdout=lines.open("w"), stderr=subprocess.DEVNULL,
    )  # fmt: skip
    wait_for(ready.exists, "the subscriber")
    return watch, lines


def is_listening(target: str) -> bool:
    host, port = target.rsplit(":", 1)
    try:
        socket.create_connection((host, int(port)), timeout=1).close()
    except OSError:
        return False
    return True


def wait_for(condition, what: str) -> None:
    end = time.monotonic() + 30
    while not condition():
        if time.monotonic() > end:
            raise SystemExit(f"{what} did not start")
        time.sleep(0.02)


def summary(pushed: dict, seen: dict) -> None:
    ack, latency = pushed["ack_ms"], seen["latency_ms"]
    print(f"Readings in         {pushed['readings_sent']:>8,}")
    print(f"  committed         {pushed['readings_accepted']:>8,}   refused {pushed['readings_rejected']:,}")
    print(f"  delivered         {seen['readings']:>8,}   in {seen['deliveries']:,} frames")
    print(f"Push to commit      p50 {ack['p50']:.1f} ms, p99 {ack['p99']:.1f} ms")
    print(f"Due to delivered    p50 {latency['p50']:.1f} ms, p99 {latency['p99']:.1f} ms (the bridge gathers for up to 50 ms)")


if __name__ == "__main__":
    sys.exit(main())
