"""The whole way of a reading, on a server of its own: see show.py.

Starts `trackme serve` on its embedded PostgreSQL and the show beside it. Ends by itself, with status 0 if everything
came out as it must, and leaves neither processes nor files. With KEEP=1 in the environment the server stays until
Ctrl-C, with races that go on for whoever opens its pages: see stay.py.
"""

from __future__ import annotations

import argparse
import os
import secrets
import signal
import subprocess
import sys
import time
from pathlib import Path

from demo_server import DemoServer
from show import WHAT_IS_REAL

# Installed beside the interpreter that runs this.
COMMANDS = Path(sys.executable).parent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--trackme", type=Path, required=True, help="the server's binary")
    parser.add_argument("--recordings", type=Path, required=True)
    options = parser.parse_args()
    interruption = Interruption()
    try:
        with DemoServer(options.trackme) as server:
            status = run(server, options.recordings, interruption, os.environ.get("KEEP", "") not in ("", "0"))
    except OSError as error:
        print(f"The demo failed: {error}")
        return 1
    if status == 0 and interruption.number:
        print("Ended; nothing is left running.")
    return status


def run(server: DemoServer, recordings: Path, interruption: Interruption, keeps: bool) -> int:
    """The show, and what follows it; the exit status."""
    began = time.monotonic()
    print(WHAT_IS_REAL)
    print(f"Starting a server with a PostgreSQL of its own on {server.target} …", flush=True)
    # What its programs leave behind where they are killed is in our folder too.
    temporary = server.folder / "tmp"
    temporary.mkdir()
    environment = {**server.environment, "TMPDIR": str(temporary)}
    # For people who sign in afterwards; otherwise nobody knows the passwords of the show.
    password = secrets.token_urlsafe(9)
    if keeps:
        environment["DEMO_PASSWORD"] = password
    # A group of its own, with everything that it starts: ended as one.
    show = subprocess.Popen(
        [sys.executable, Path(__file__).with_name("show.py"), "--trackme", server.trackme, "--server", server.target,
         "--folder", server.folder, "--recordings", recordings],
        env=environment, start_new_session=True,
    )  # fmt: skip
    try:
        wait(lambda: show.poll() is not None, server, interruption)
    finally:
        end_group(show)
    if interruption.number:
        print(f"\nInterrupted by {signal.Signals(interruption.number).name}.")
        return 128 + interruption.number
    if show.returncode or server.process.poll() is not None:
        return failed(server, "see above")
    print(f"\nThat was all, in {time.monotonic() - began:.0f} s.", flush=True)
    if keeps:
        why = stay(server, recordings, interruption, environment)
        if not interruption.number:
            return failed(server, why)
        print()
    else:
        print("\nTry it yourself: `KEEP=1 make demo` leaves this server running and says how to reach it; `make run` "
              "starts an\nempty one.", flush=True)  # fmt: skip
    return 0 if server.stop() == 0 else failed(server, "")


def stay(server: DemoServer, recordings: Path, interruption: Interruption, environment: dict[str, str]) -> str:
    """Holds races until somebody interrupts; what else has ended it."""
    ready = server.folder / "stay.ready"
    races = subprocess.Popen(
        [sys.executable, Path(__file__).with_name("stay.py"), "--server", server.target, "--recordings", recordings,
         "--ready-file", ready], env=environment, start_new_session=True,
    )  # fmt: skip
    try:
        wait(lambda: ready.exists() or races.poll() is not None, server, interruption)
        if ready.exists() and not interruption.number:
            print(who_may_look(server, environment["DEMO_PASSWORD"]), how_to_reach(server, recordings), sep="\n", flush=True)
            wait(lambda: races.poll() is not None, server, interruption)
    finally:
        end_group(races)
    return "the races ended, see above"


def failed(server: DemoServer, why: str) -> int:
    status = server.process.poll()
    print(f"\nThe demo failed: {why if status is None else f'the server ended with status {status}'}.")
    print("The end of the server's log:\n" + server.log_tail(), flush=True)
    return 1


class Interruption:
    """Notes the first SIGINT, SIGTERM or SIGHUP, which is then acted upon where it does no harm."""

    def __init__(self) -> None:
        self.number = 0
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._note)

    def _note(self, number: int, _) -> None:
        self.number = self.number or number


def wait(condition, server: DemoServer, interruption: Interruption) -> None:
    """Until the condition holds, the server has ended, or somebody interrupts."""
    while not (condition() or server.process.poll() is not None or interruption.number):
        time.sleep(0.05)


def end_group(leader: subprocess.Popen) -> None:
    """Ends a process and all that it has started: SIGTERM, and SIGKILL for what is there after five seconds."""
    for number, patience_s in ((signal.SIGTERM, 5), (signal.SIGKILL, 5)):
        end = time.monotonic() + patience_s
        try:
            os.killpg(leader.pid, number)
            while time.monotonic() < end:
                leader.poll()
                os.killpg(leader.pid, 0)
                time.sleep(0.02)
        except ProcessLookupError:
            break
    leader.wait()


def who_may_look(server: DemoServer, password: str) -> str:
    return f"""
Open http://{server.web}/ in a browser: a race is running, "Il giro del centro", and the next one follows it. Everybody's
password is {password}

- giulia organises the race, and can disqualify, correct and cancel
- ada, bruno, carla, dario and elena run in it: their pulses are live too
- marta, paolo, rita and sandro wore what was replayed first
- mario has shared his pulse with a doctor, and revoked it; anna's pulse has called an ambulance
- bianchi is the doctor, and galeno the institute that asks about groups
- keeper is the administrator

What the regions of Italy spend on health is on a map at http://{server.web}/expenditure, for anybody.

The runners run as their recordings have it, on other streets; nothing is sped up here."""


def how_to_reach(server: DemoServer, recordings: Path) -> str:
    here = Path.cwd()
    commands, files = (p.relative_to(here) if p.is_relative_to(here) else p for p in (COMMANDS, recordings.resolve()))
    call = f'{commands}/buf curl --protocol grpc --http2-prior-knowledge -H "authorization: Bearer $TOKEN"'
    at = f'--server {server.target} --token "$TOKEN"'
    watch, person = server.folder / "watch.token", (server.folder / "watch.person").read_text()
    return f"""
KEEP=1: the server stays on {server.target}, without TLS, for programs on this machine. The operator's token is in
{server.token_file}; it reads everything. Marta's watch has pushed with a token of
its own, which can do nothing else, and pushes once more below. In another terminal, in {here}:

  TOKEN=$(cat {server.token_file})
  {call} --list-methods http://{server.target}
  {call} -d '{{"personId": {person}}}' http://{server.target}/trackme.readings.v1.ReadingService/GetCurrentStatus
  {commands}/trackme-watch {at} --person {person} --from-beginning --count 10
  {commands}/trackme-bridge --server {server.target} --token-file {watch} --person {person}={files}/run-2020-07-13.gpx.gz --duration 5 --start-now
  psql -h {server.data}/postgres/run -U trackme trackme -c 'SELECT person, metric, count(*) FROM reading GROUP BY 1, 2 ORDER BY 3 DESC LIMIT 12'

Ctrl-C ends it."""


if __name__ == "__main__":
    sys.exit(main())
