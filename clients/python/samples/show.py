"""What demo.py shows on a server that is starting or running: recorded readings are pushed, committed and delivered
live; then a doctor asks for a person's readings, the person accepts, and revokes; then a pulse calls an ambulance; then
a race is planned, run and watched; then an institute asks about a group.

Replays real recordings of several persons with trackme-bridge, follows them with trackme-watch, and says what arrived
and how fast. Status 0 if everything that was acknowledged was delivered, and to nobody else, the call was taken within
five seconds, the race has its winner, and of too small a group nothing was told.
"""

from __future__ import annotations

import argparse
import json
import os
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import consent
import emergency
import expenditure
import group
import grpc
import race

from trackme.protocol import IdentityServiceStub, identity
from trackme.recordings import load

# Username, given and family name, sex, fiscal code, year of birth; what the person wore.
PERSONS = (
    (("marta", "Marta", "Moretti", True, "MRTMRT84C54F205X", 1984), "run-2020-07-13.gpx.gz", "a run with pulse and positions (GPX)"),
    (("paolo", "Paolo", "Pini", False, "PNIPLA77C14F205M", 1977), "run-2020-11-22.gpx.gz", "another run (GPX)"),
    (("rita", "Rita", "Russo", True, "RSSRTI91C54F205L", 1991), "run-2020-08-21.fit", "a third run (FIT)"),
    (("sandro", "Sandro", "Serra", False, "SRRSDR69C14F205L", 1969), "fitbit-heart-rate.csv.zip", "a day with a wristband (CSV)"),
)  # fmt: skip
# Installed beside the interpreter that runs this.
COMMANDS = Path(sys.executable).parent
REPLAY_SECONDS = 5
LINES_SHOWN = 12
PATIENCE_S = 60.0
# What newcomers have to believe of it, said before it begins.
WHAT_IS_REAL = f"""\
Recorded:   pulses and positions of four persons: three runs (runpandas, © 2020 Correndo por aí, MIT licence) and a day
            with a wristband (AnomalyDetect, © 2020 Gireesh Bogu, MIT licence), replayed in {REPLAY_SECONDS} s each; the streets
            near Milan's cathedral (© OpenStreetMap contributors, ODbL 1.0).
Official:   what the 21 accounts of Italy's health service spent in 2024, five voices (RGS-MEF, CC BY 3.0), residents
            (ISTAT, CC BY) and prices (World Bank, CC BY 4.0).
Simulated:  Mario, Anna, Giulia, the runners and the doctor, with made-up names and numbers; Anna's pulse; the race, in
            which each runner keeps the pace of a recorded run at {race.TIME_LAPSE} times its speed, on other streets and with
            {race.GPS_ERROR_M:.0f} m of error; {group.PERSONS:,} persons and their pulses; the dispatcher is a program here, so nobody
            is called, by phone, SMS or otherwise; mails are files.
Real:       the server, its PostgreSQL, every call over gRPC, every time that is printed.
"""


class Failed(Exception):
    """Something came out otherwise than it must."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trackme", type=Path, required=True, help="the server's binary")
    parser.add_argument("--server", required=True, help="host:port, without TLS")
    parser.add_argument("--folder", type=Path, required=True, help="for files; its `data` is the server's folder")
    parser.add_argument("--recordings", type=Path, required=True)
    options = parser.parse_args()
    try:
        show_readings(options)
        show_accounts(options)
    except grpc.RpcError as error:
        print(f"\nA call ended with {error.code().name}: {error.details()}", flush=True)
        return 1
    except (Failed, OSError, subprocess.SubprocessError, RuntimeError) as error:
        print(f"\n{error}", flush=True)
        return 1
    return 0


def show_readings(options: argparse.Namespace) -> None:
    """Real recordings of several persons go in, each with the token of its person's own device, and come out live."""
    recordings = [options.recordings / name for _, name, _ in PERSONS]
    expected = sum(len(load(path).samples) for path in recordings)
    summary, ready = options.folder / "watch.json", options.folder / "watch.ready"
    wait_until(lambda: is_listening(options.server), "the server")
    # It ends with the last reading; idle for long means that one is lost.
    watch = subprocess.Popen(
        [sys.executable, "-u", COMMANDS / "trackme-watch", "--server", options.server, "--token-file",
         options.folder / "data" / "operator.token", "--all", "--latency", "--count", str(expected), "--until-idle", "60",
         "--give-up-after", "20", "--summary", summary, "--ready-file", ready],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    with grpc.insecure_channel(options.server) as channel:
        grpc.channel_ready_future(channel).result(PATIENCE_S)
        wearers = [with_device(channel, who) for who, _, _ in PERSONS]
    keep_watch(options.folder, *wearers[0])
    wait_until(lambda: ready.exists() or watch.poll() is not None, "the subscription")
    for (who, _, what), (person, _) in zip(PERSONS, wearers):
        print(f"  {who[1]:<8} person {person}: {what}")
    print("The readings as a subscriber sees them, a few of them:\n", flush=True)
    bridges = [
        subprocess.Popen(
            [COMMANDS / "trackme-bridge", "--server", options.server, f"--person={person}={path}", "--client-id", who[0],
             "--duration", str(REPLAY_SECONDS), "--start-now", "--give-up-after", "20", "--json", "--quiet"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, "TRACKME_TOKEN": token},
        )
        for (who, _, _), path, (person, token) in zip(PERSONS, recordings, wearers)
    ]  # fmt: skip
    for number, line in enumerate(watch.stdout):
        if number % (expected // LINES_SHOWN) == 0:
            print("  " + line, end="", flush=True)
    ended = [(bridge, *bridge.communicate(timeout=PATIENCE_S)) for bridge in bridges]
    if faults := [f"trackme-bridge ended with status {b.returncode}: {err}" for b, _, err in ended if b.returncode]:
        raise Failed("\n".join(faults))
    if watch.wait(PATIENCE_S):
        raise Failed(f"trackme-watch ended with status {watch.returncode}")
    pushed = [json.loads(out) for _, out, _ in ended]
    seen = json.loads(summary.read_text())
    print(f"  … {seen['readings']:,} in all\n")
    accepted = sum(one["readings_accepted"] for one in pushed)
    if not seen["readings"] == accepted == expected:
        raise Failed(f"of {expected} readings, {accepted} were committed and {seen['readings']} delivered")
    print_figures(pushed, seen)


def with_device(channel: grpc.Channel, who: tuple) -> tuple[int, str]:
    """Registers a person with a device: the person's number, and the device's token, which can push and do nothing else."""
    caller, person = race.register(channel, who)
    device = caller.call(IdentityServiceStub(channel).CreateDevice, identity.CreateDeviceRequest(name="watch"))
    return person, device.token


def keep_watch(folder: Path, person: int, token: str) -> None:
    """For who pushes more afterwards: a device's token, in a file, and whose it is."""
    token_file = folder / "watch.token"
    token_file.touch(mode=0o600)
    token_file.write_text(token)
    (folder / "watch.person").write_text(str(person))


def show_accounts(options: argparse.Namespace) -> None:
    """Who may see which reading, who is called when one is beyond its limit, and a race."""
    password, data = consent.new_password(), options.folder / "data"
    subprocess.run(
        [options.trackme, "admin", "create", "--data-dir", data, "--username", "keeper", "--email", "keeper@example.org"],
        env={**os.environ, "TRACKME_ADMIN_PASSWORD": password}, stdout=subprocess.DEVNULL, check=True, timeout=PATIENCE_S,
    )  # fmt: skip
    with grpc.insecure_channel(options.server) as channel, ThreadPoolExecutor(1) as beside:
        gathered = beside.submit(group.prepare, channel, options.trackme, data)
        prepared = beside.submit(race.prepare, channel, options.trackme, data, options.recordings)
        print("\nWho may see which reading:\n", flush=True)
        if not consent.show(channel, "keeper", password):
            raise Failed("a reading was shown to somebody who may not see it, or not to somebody who may")
        print("\nFrom a reading to an ambulance:\n", flush=True)
        if not emergency.show(channel, options.trackme, options.server, options.folder, "keeper", password):
            raise Failed("the call did not come in time, or not as it must be")
        print("\nA race, live:\n", flush=True)
        if not race.show(channel, prepared.result(PATIENCE_S)):
            raise Failed("the race did not come out as it must")
        print("\nA group of 1,200, and nobody in it:\n", flush=True)
        if not group.show(channel, "keeper", password, *gathered.result(PATIENCE_S)):
            raise Failed("a group was not told of as it must be")
        print("\nWhat the regions of Italy spend on health:\n", flush=True)
        if not expenditure.show(channel, options.trackme, data, os.environ.get("TRACKME_WEB_LISTEN")):
            raise Failed("what regions spend was not shown as it must be")


def is_listening(target: str) -> bool:
    host, port = target.rsplit(":", 1)
    try:
        socket.create_connection((host, int(port)), timeout=1).close()
    except OSError:
        return False
    return True


def wait_until(condition, what: str) -> None:
    end = time.monotonic() + PATIENCE_S
    while not condition():
        if time.monotonic() > end:
            raise Failed(f"{what} did not come within {PATIENCE_S:.0f} s")
        time.sleep(0.05)


def print_figures(pushed: list[dict], seen: dict) -> None:
    latency = seen["latency_ms"]
    sent, accepted, refused = (sum(one[f"readings_{what}"] for one in pushed) for what in ("sent", "accepted", "rejected"))
    slowest = max((one["ack_ms"] for one in pushed), key=lambda ack: ack["p99"])
    print(f"Readings in         {sent:>8,}   by {len(pushed)} devices, each with a token of its own")
    print(f"  committed         {accepted:>8,}   refused {refused:,}")
    print(f"  delivered         {seen['readings']:>8,}   in {seen['deliveries']:,} frames")
    print(f"Push to commit      p50 {slowest['p50']:.1f} ms, p99 {slowest['p99']:.1f} ms (the slowest device)")
    print(f"Reading to delivery p50 {latency['p50']:.1f} ms, p99 {latency['p99']:.1f} ms (the bridge gathers for up to 50 ms)",
          flush=True)  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
