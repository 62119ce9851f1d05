"""`make demo`, as a newcomer runs it: it shows everything, says what is real, ends, and leaves nothing behind."""

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import uuid
from contextlib import suppress
from datetime import datetime, timezone
from pathlib import Path

import pytest

from patience import FACTOR
from server_process import ROOT, binary, wait_until
from web import Browser

# It says how long it took, which is less than 60 s on a machine with two idle cores.
PATIENCE_S = 60


class Demo:
    """A demo that runs, with a folder for temporary files and a mark in its environment that are its own."""

    def __init__(self, command, keep=None):
        # Short, and open to others: PostgreSQL's socket is in it, and PostgreSQL is another user where we are root.
        self.folder = Path(tempfile.mkdtemp(prefix="demo-"))
        self.folder.chmod(0o755)
        self.mark = f"DEMO_TEST={uuid.uuid4()}"
        name, _, value = self.mark.partition("=")
        environment = {k: v for k, v in os.environ.items() if k not in ("KEEP", "MAKEFLAGS")}
        environment |= {name: value, "TMPDIR": str(self.folder)} | ({"KEEP": keep} if keep else {})
        self.began = time.monotonic()
        self.out = self.folder.with_suffix(".out")
        with self.out.open("wb") as out:
            # A session of its own, as a terminal has.
            self.process = subprocess.Popen(
                command, cwd=ROOT, env={**environment, "PYTHONUNBUFFERED": "1"}, stdout=out, stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL, start_new_session=True,
            )  # fmt: skip

    def text(self):
        return self.out.read_text()

    def wait_for(self, words):
        def said():
            assert self.process.poll() is None or words in self.text(), self.text()
            return words in self.text()

        wait_until(said, PATIENCE_S, words)

    def status(self):
        status = self.process.wait(PATIENCE_S * FACTOR)
        self.seconds = time.monotonic() - self.began
        return status

    def left(self):
        """Processes that it began, and files in its folder."""
        return [*self.processes(), *self.folder.iterdir()]

    def processes(self):
        for path in Path("/proc").glob("[0-9]*"):
            try:
                said = (path / "cmdline").read_bytes(), (path / "environ").read_bytes(), os.fsencode((path / "cwd").readlink())
            except OSError:
                continue
            if self.mark.encode() in said[1] or any(os.fsencode(self.folder) in text for text in said):
                yield int(path.name), said[0].replace(b"\0", b" ").decode()

    def server(self):
        """The process id of its server."""
        return next((pid for pid, command in self.processes() if f"{binary()} serve" in command), None)

    def end(self):
        for pid, _ in list(self.processes()):
            with suppress(ProcessLookupError):  # it has just ended
                os.kill(pid, signal.SIGKILL)
        self.process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
        self.out.unlink()


def make():
    # What tests run on is built: that is not what they are about.
    return ["make", "-o", "build", "-o", ".venv/.ready", "demo", f"TRACKME={binary()}", f"PYTHON={sys.executable}"]


def demo_command(trackme=None, recordings=ROOT / "Tests/fixtures/recordings"):
    script = ROOT / "clients" / "python" / "samples" / "demo.py"
    return [sys.executable, script, "--trackme", trackme or binary(), "--recordings", recordings]


@pytest.fixture(scope="module")
def demo():
    """One that ends by itself."""
    made = Demo(make())
    yield made
    made.end()


@pytest.fixture(scope="module")
def stays():
    """One that stays until the last of its tests."""
    made = Demo(make(), keep="1")
    yield made
    made.end()


@pytest.fixture
def begun():
    """Begins demos, and ends what is left of them."""
    demos = []

    def begin(*arguments, **more):
        demos.append(Demo(*arguments, **more))
        return demos[-1]

    yield begin
    for demo in demos:
        demo.end()


def test_the_demo_shows_everything_ends_by_itself_and_leaves_nothing(demo):
    status = demo.status()
    text = demo.text()
    assert status == 0, text
    for heading in ("The readings as a subscriber", "Who may see which", "From a reading to an ambulance", "A race, live",
                    "What the regions of Italy spend"):  # fmt: skip
        assert heading in text
    # How it ends: everything delivered, the doctor cut off, the call taken, the race won.
    assert "  delivered            5,058" in text and "PERMISSION_DENIED" in text
    assert "EXERCISE, call 112 in IT" in text and "1. " in text.partition("results")[2]
    # The five that spend most and the five that spend least per resident, with their source.
    spent = text.partition("What the regions of Italy spend")[2]
    assert re.search(r"1\. P\.A\. Bolzano +3,194\.\d\d €.* row \d+; [\d,]+ residents on 2024-01-01", spent), spent
    assert re.search(r"21\. Campania +2,396\.\d\d €", spent) and len(re.findall(r"^ +\d+\. ", spent, re.M)) == 10
    assert "RGS-MEF OpenBDAP" in spent and re.search(r"http://127\.0\.0\.1:\d+/expenditure", spent)
    assert not demo.left()


def test_the_demo_says_how_long_it_took(demo):
    demo.status()
    [seconds] = re.findall(r"That was all, in (\d+) s\.", demo.text())
    # What it does not count is the start of make and Python, and the end of the server.
    assert demo.seconds - 30 < int(seconds) <= demo.seconds


def test_the_demo_says_before_it_begins_what_is_recorded_and_what_is_simulated(demo):
    demo.wait_for("Starting a server")
    statement = demo.text().partition("Starting a server")[0]
    for said in ("Recorded:", "runpandas", "AnomalyDetect", "MIT licence", "OpenStreetMap contributors, ODbL"):
        assert said in statement
    for said in ("Simulated:", "2.5 times", "Anna's pulse", "the doctor", "the dispatcher is a program", "mails are files"):
        assert said in " ".join(statement.split())


@pytest.fixture(scope="module")
def pages(stays):
    """What the demo that stays says of its pages: their port, the password, and whose accounts there are."""
    stays.wait_for("Ctrl-C ends it.")
    said = stays.text().partition("Open http://127.0.0.1:")[2].partition("KEEP=1: the server stays on ")[0]
    [password] = re.findall(r"^password is (\S+)$", said, re.MULTILINE)
    whose = " ".join(re.findall(r"^- (.+)$", said, re.MULTILINE))
    return int(said.partition("/")[0]), password, whose


def signed_in(pages, username: str) -> Browser:
    port, password, whose = pages
    assert username in whose, "nobody has said so"
    browser = Browser(port)
    assert browser.post("/web/session/log-in", {"name": username, "password": password}).status == 204, username
    return browser


@pytest.mark.long
def test_with_keep_there_are_pages_and_everybody_of_whom_it_tells_can_sign_in(pages):
    everybody = {
        "giulia": "PERSON", "ada": "PERSON", "bruno": "PERSON", "carla": "PERSON", "dario": "PERSON", "elena": "PERSON",
        "mario": "PERSON", "anna": "PERSON", "bianchi": "THIRD_PARTY", "galeno": "THIRD_PARTY", "keeper": "ADMINISTRATOR",
    }  # fmt: skip
    assert b"<main" in Browser(pages[0]).send("GET", "/").body
    for username, kind in everybody.items():
        account = signed_in(pages, username).post("/trackme.identity.v1.IdentityService/GetAccount", {}).json["account"]
        assert (account["username"], account["kind"]) == (username, f"ACCOUNT_KIND_{kind}")


@pytest.mark.long
def test_with_keep_a_race_is_running_with_runners_who_run_and_whose_hearts_beat(pages):
    spectator, ada = signed_in(pages, "mario"), signed_in(pages, "ada")
    since = datetime.fromtimestamp(time.time() - 3_600, timezone.utc).isoformat()
    search = {"text": "giro del centro", "from": since}
    found = [f["race"] for f in spectator.post("/trackme.races.v1.RaceService/SearchRaces", search).json["races"]]
    [running] = [race for race in found if race["state"] == "RACE_STATE_RUNNING"]

    def metres() -> float:
        asked = {"raceId": running["raceId"]}
        rows = spectator.post("/trackme.races.v1.LiveService/GetLeaderboard", asked).json["leaderboard"].get("rows", [])
        return sum(row.get("distanceM", 0) for row in rows)

    def pulse() -> dict | None:
        status = ada.post("/trackme.readings.v1.ReadingService/GetCurrentStatus", {}).json["readings"]
        return next((r for r in status if r["metric"] == "heart_rate"), None)

    before, beat = metres(), pulse()
    wait_until(lambda: metres() > before + 30, 60, "runners who run")
    assert 40 < beat["scalar"] < 220
    wait_until(lambda: pulse()["timeUs"] > beat["timeUs"], 60, "a heart that beats")


@pytest.mark.long
def test_with_keep_it_stays_the_commands_that_it_prints_work_and_ctrl_c_ends_it(stays):
    demo = stays
    demo.wait_for("Ctrl-C ends it.")
    said = demo.text().partition("KEEP=1: the server stays on ")[2]
    commands = [line for line in said.splitlines() if line.startswith("  ")]
    assert len(commands) == 6
    # All in one shell, as somebody who copies them has it.
    script = "".join(f"echo '#'{number}\n{command.strip()}\n" for number, command in enumerate(commands))
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
    done = subprocess.run(
        ["bash", "-e", "-c", script], cwd=ROOT, capture_output=True, text=True, timeout=120,
        env={**os.environ, "PATH": path, "PAGER": "cat"},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    _, listed, status, watched, replayed, counted = [part.partition("\n")[2] for part in done.stdout.split("#")[1:]]
    assert "trackme.ingest.v1.IngestService/PushReadings" in listed
    assert '"heart_rate"' in status
    assert len(watched.splitlines()) >= 10
    assert "862 accepted, 0 rejected" in replayed
    assert counted.count("|") > 10
    assert demo.process.poll() is None and demo.server()
    os.killpg(demo.process.pid, signal.SIGINT)
    # Of make; it says that it was interrupted.
    assert demo.status() in (0, 2, 130, -signal.SIGINT)
    assert "Ended; nothing is left running." in demo.text()
    assert "Traceback" not in demo.text()
    assert not demo.left()


@pytest.mark.parametrize("number", [signal.SIGINT, *(pytest.param(n, marks=pytest.mark.long) for n in (signal.SIGTERM, signal.SIGHUP))])
@pytest.mark.long
def test_a_demo_that_is_interrupted_ends_at_once_and_leaves_nothing(begun, number):
    demo = begun(demo_command())
    demo.wait_for("The readings as a subscriber")
    demo.process.send_signal(number)
    assert demo.status() == 128 + number, demo.text()
    assert f"Interrupted by {number.name}" in demo.text() and "Traceback" not in demo.text()
    assert not demo.left()


@pytest.mark.parametrize(
    "words",
    [
        "The readings as a subscriber",
        *(pytest.param(words, marks=pytest.mark.long) for words in ("Starting a server", "From a reading to an ambulance")),
    ],
)  # fmt: skip
@pytest.mark.long
def test_when_the_server_dies_the_demo_says_so_fails_and_leaves_nothing(begun, words):
    demo = begun(demo_command(), keep="1")
    demo.wait_for(words)
    os.kill(wait_until(demo.server, what="the server"), signal.SIGKILL)
    assert demo.status() == 1, demo.text()
    assert "The demo failed: the server ended with status -9" in demo.text()
    assert "The end of the server's log:" in demo.text() and "Traceback" not in demo.text()
    assert not demo.left()


@pytest.mark.parametrize("trackme", ["/bin/false", "/nowhere/trackme"])
def test_a_server_that_does_not_start_is_said(begun, trackme):
    demo = begun(demo_command(trackme))
    assert demo.status() == 1
    assert "The demo failed: " in demo.text() and "Traceback" not in demo.text()
    assert not demo.left()


def test_a_show_that_fails_is_said(begun):
    demo = begun(demo_command(recordings="/nowhere"))
    assert demo.status() == 1
    assert "/nowhere/run-2020-07-13.gpx.gz" in demo.text() and "The demo failed: see above." in demo.text()
    assert "Traceback" not in demo.text() and "That was all" not in demo.text()
    assert not demo.left()
