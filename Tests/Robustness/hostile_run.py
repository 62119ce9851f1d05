"""One run of hostile.py: a server, those who do no harm, those who attack, and what was seen of all of them."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import time
import urllib.request
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from accounts import Accounts
from dispatcher_process import DispatcherProcess
from emergency_runs import CALL, Opening
from findings import unpacked
from hostile_attacker import WITH_VICTIMS
from hostile_cast import Cast, populate
from hostile_verdict import RECOVERY_S, Call, Crossing, HostileRun, Probe, Sample, share
from race_rows import put_race
from server_process import ServerProcess, free_port
from stalls import stood_still_between_s, stood_still_s
from statuses import status_problems

HERE = Path(__file__).parent
PERSONS_PER_COUNT = 1_000
"""Whose readings are counted together in the end."""
LAST_S = 60
"""How long the processes may take to end."""
SAMPLE_S, SCRAPE_S = 0.25, 0.5
"""Between two looks at the process, and what one may wait for its metrics."""
FATAL_BYTES = 3 << 30
"""A server that takes so much memory is killed, before it takes the machine from everybody else."""


@dataclass(frozen=True)
class Size:
    """How much of everything there is."""

    readings_per_s: int
    subscribers: int
    crossings: int
    files: int
    """That the server may have open: of those but for 256, gRPC has two thirds, which are fewer than idle connections would
    take, and HTTP the rest. With far fewer, a flood of newcomers closes each of them sooner than a busy machine's client
    comes to its first call."""
    before_s: float
    """Without attacks, to see how it is."""
    attack_s: float
    niceness: int = 0
    """Of the attackers. They would have machines of their own: where the load fills this one, they get what the server
    leaves of it, and take nothing from wearers and subscribers."""
    calm_s: float = 0
    """From one flood to the next."""
    after_s: float = 12.5
    """After the last attack: a little more than the server has to be as before."""


Times = tuple[float, float]
"""When something begins and ends, in seconds of time.time()."""


class Run:
    """Starts everybody, watches the server, and collects what was seen."""

    def __init__(self, server: ServerProcess, size: Size, attacks: list[str], rng: random.Random, is_long: bool):
        self._server, self._size, self._attacks, self._rng, self._is_long = server, size, attacks, rng, is_long
        self.seen = HostileRun(has_attacks=bool(attacks), stood_still_s=stood_still_between_s)
        self._metrics_port = free_port()
        server.environment["TRACKME_METRICS_LISTEN"] = f"127.0.0.1:{self._metrics_port}"
        self._processes: dict[str, subprocess.Popen] = {}
        self._dispatcher: DispatcherProcess | None = None
        self._cpu_s: dict[str, float] = {}
        self._cast: Cast | None = None

    def run(self) -> list[str]:
        server, size = self._server, self._size
        cast = self._cast = populate(server, size.readings_per_s, size.subscribers, size.crossings)
        assert server.stop() == 0
        server.start()
        accounts = Accounts(server)
        known, unknown = accounts.person(), accounts.person()
        cast.log_ins = [
            (known.credentials.username, known.credentials.password, known.token),
            (unknown.credentials.username, unknown.credentials.password, None),
        ]
        cast.races = [put_race(server, known, state).race_id for state in ("open", "running", "finished")]
        cast.registrations = [accounts.person_form(accounts.person().who) for _ in range(3)]
        accounts.close()
        cast.write(self._cast_file)
        self._dispatcher = DispatcherProcess("rescue", server, cast.token("dispatcher", cast.dispatcher), [], "10.255.0.1")
        self._dispatcher.start()
        pid = server.process.pid
        well_behaved = [self._start("load", "hostile_load.py", self._cast_file), self._act("timed", "hostile_timed.py")]
        # Twenty interpreters take seconds to start, which are no part of what is looked at.
        attackers = self._start_attackers()
        for process in well_behaved + attackers:
            assert process.stdout.readline() == "READY\n", f"{process.args} cannot begin: see its log"
        begin = time.time() + 1
        turns = self._plan(begin + size.before_s)
        end = self.seen.attack_s[1] + size.after_s
        for process, times in zip(well_behaved + attackers, [(begin, end)] * len(well_behaved) + turns, strict=True):
            process.stdin.write("{} {}\n".format(*times))
            process.stdin.flush()
        self._watch(pid, end)
        time.sleep(max(0.0, end - time.time()))
        self._watch_longer(pid)
        answers = {name: self._finish(name) for name in list(self._processes)}
        self._collect(answers, pid)
        asked_s = time.monotonic()
        if (status := server.stop(30)) != 0:
            self.seen.crashes.append(f"the server ended with status {status} on SIGTERM")
        ended_s = time.monotonic()
        self.seen.stop_s, self.seen.stop_still_s = ended_s - asked_s, stood_still_s(asked_s, ended_s)
        return self.seen.problems()

    def _start_attackers(self) -> list[subprocess.Popen]:
        # Where somebody who is attacked acts in it, and is timed, the process is no nicer than others'.
        return [
            self._act(
                name, "hostile_attacker.py", name, *["--long"] * self._is_long,
                niceness=0 if name in WITH_VICTIMS else self._size.niceness,
            ) for name in self._attacks
        ]  # fmt: skip

    def _plan(self, begin: float) -> list[Times]:
        """When the attackers attack, each in its turn: all at once."""
        self.seen.attack_s = (begin, begin + self._size.attack_s)
        return [self.seen.attack_s] * len(self._attacks)

    def _watch_longer(self, pid: int) -> None:
        """Where something may take longer than those who do no harm are there."""

    @property
    def _cast_file(self) -> Path:
        return self._server.data_dir / "cast.json"

    def _act(self, name: str, program: str, *arguments, niceness: int = 0) -> subprocess.Popen:
        """Starts somebody who knows the cast, and chooses at random."""
        seed = self._rng.randrange(2**32)
        return self._start(name, program, self._cast_file, *arguments, "--seed", seed, niceness=niceness)

    def _start(self, name: str, program: str, *arguments, niceness: int = 0) -> subprocess.Popen:
        command = ["nice", "-n", str(niceness), sys.executable, HERE / program, *map(str, arguments)]
        with (self._server.data_dir / f"{name}.log").open("wb") as log:
            process = self._processes[name] = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, text=True,
                start_new_session=niceness > 0,
            )  # fmt: skip
        if niceness > 0:
            _make_group_nice(process.pid, niceness)
        return self._processes[name]

    def _finish(self, name: str) -> dict:
        """What a process says in its last line."""
        process = self._processes[name]
        try:
            output, _ = process.communicate(timeout=LAST_S)
            answer = json.loads(output.splitlines()[-1])
        except (subprocess.TimeoutExpired, IndexError, ValueError):
            process.kill()
            process.wait()
            self.seen.refusals.append(f"{name} ended without a word: status {process.returncode}")
            return {}
        self._cpu_s[name] = answer["cpu_s"]
        return answer

    def end(self) -> None:
        """Ends what still runs."""
        for process in self._processes.values():
            if process.poll() is None:
                process.kill()
                process.wait()
        if self._dispatcher is not None:
            self._dispatcher.end()

    def _watch(self, pid: int, until_s: float) -> None:
        while time.time() < until_s and (sample := self._sample(pid)) is not None:
            self.seen.samples.append(sample)
            if sample.rss_bytes > FATAL_BYTES:
                self._server.kill()
                self.seen.crashes.append(f"the server was killed with {sample.rss_bytes >> 20} MiB of memory")
            time.sleep(SAMPLE_S)

    def _sample(self, pid: int) -> Sample | None:
        """How the server is; None where it has ended, as the verdict sees."""
        folder, now = Path(f"/proc/{pid}"), time.time()
        try:
            files, status = len(os.listdir(folder / "fd")), (folder / "status").read_text()
        except OSError:
            return None
        self.seen.peak_bytes = max(self.seen.peak_bytes, _kibibytes(status, "VmHWM") << 10)
        return Sample(now, files, _kibibytes(status, "VmRSS") << 10, self._calls_running())

    def _calls_running(self) -> int | None:
        """As the server's metrics tell; None where they do not come."""
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{self._metrics_port}/metrics", timeout=SCRAPE_S) as page:
                return int(float(re.search(rb"^trackme_calls_running (\S+)$", page.read(), re.MULTILINE)[1]))
        except OSError:
            return None

    def _collect(self, answers: dict[str, dict], pid: int) -> None:
        seen, server = self.seen, self._server
        if server.process.pid != pid or server.process.poll() is not None:
            seen.crashes.append(f"the server ended with {server.process.returncode}")
            server.start()
        seen.crashes += status_problems({}, server.log.read_text(errors="replace"))
        load, timed = answers.pop("load"), answers.pop("timed")
        for name, answer in answers.items():
            seen.attacks[name] = answer.get("statuses", {})
            seen.refusals += unpacked(answer.get("problems", []))
            if failure := answer.get("failure"):
                seen.refusals.append(f"the attack with {name} failed: {failure}")
        seen.refusals += unpacked(load.get("problems", []) + timed.get("problems", []))
        seen.acknowledged = {int(person): count for person, count in load.get("acknowledged", {}).items()}
        seen.delivered = {int(person): count for person, count in load.get("delivered", {}).items()}
        seen.probes = [Probe(*probe) for probe in timed.get("probes", [])]
        seen.lags = [tuple(lag) for lag in load.get("lags", [])]
        for crossing in timed.get("crossings", []):
            seen.crossings.append(Crossing(crossing["person"], crossing["due_s"]))
            seen.acknowledged[crossing["person"]] = crossing["acknowledged"]
        incidents = self._dispatcher.new_incidents()
        seen.called = {Opening.of(i.emergency).person for i in incidents if i.kind == CALL}
        seen.refusals += self._dispatcher.problems
        self._collect_rows()
        self._cpu_s["server"], self._cpu_s["postgres"] = _cpu_s(pid), _cpu_s_of_tree(server.postmaster_pid())

    def _collect_rows(self) -> None:
        for person, completed, decided, accepted in self._server.sql(
            "SELECT person, (facts -> 'crossings' -> 0 ->> 'completed')::bigint, (facts ->> 'detected')::bigint,"
            " (SELECT min((t ->> 'at')::bigint) FROM jsonb_array_elements(facts -> 'transitions') t"
            "   WHERE (t ->> 'state')::int = 3 AND t ->> 'actor' LIKE 'dispatcher%%') FROM emergency"
        ):
            times = [None if at is None else at / 1e6 for at in (completed, decided, accepted)]
            self.seen.calls[person] = Call(*times)
        persons = list(self.seen.acknowledged)
        for first in range(0, len(persons), PERSONS_PER_COUNT):
            self.seen.stored |= dict(
                self._server.sql(
                    "SELECT person, count(*) FROM reading WHERE person = ANY (%s) GROUP BY person",
                    (persons[first : first + PERSONS_PER_COUNT],),
                )
            )

    def summary(self) -> dict:
        seen = self.seen
        accepted, begin, end = seen.seconds_to_acceptance(), *seen.attack_s
        received = [call.completed_s - c.due_s for c in seen.crossings if (call := seen.calls.get(c.person)) is not None]
        decisions = [call.decided_s - call.completed_s for call in seen.calls.values() if call.completed_s]
        meanwhile = [p.seconds for p in seen.probes if begin <= p.at_s <= end]
        lags = [lag for at, lag in seen.lags if begin <= at <= end]

        def files(from_s: float, to_s: float) -> int:
            return max((sample.files for sample in seen.samples if from_s <= sample.at_s < to_s), default=0)

        return {
            "readings_acknowledged": sum(seen.acknowledged.values()),
            "subscribers": len(seen.delivered),
            "crossings": len(seen.crossings),
            "accepted_ms": {"p50": share(accepted, 0.5), "p99": share(accepted, 0.99), "max": share(accepted, 1)},
            "received_ms": {"p50": share(received, 0.5), "p99": share(received, 0.99), "max": share(received, 1)},
            "decision_ms": {"p50": share(decisions, 0.5), "p99": share(decisions, 0.99), "max": share(decisions, 1)},
            "unary_ms": {"p50": share(meanwhile, 0.5), "p99": share(meanwhile, 0.99), "max": share(meanwhile, 1)},
            "delivery_ms": {"p50": share(lags, 0.5), "p99": share(lags, 0.99)},
            "recovered_s": round(seen.recovered_s(), 1),
            "server_peak_mib": seen.peak_bytes >> 20,
            "server_files": {
                "before": files(0, begin), "meanwhile": files(begin, end), "after": files(end + RECOVERY_S, 1e99),
            },
            "cpu_s": {name: round(seconds, 1) for name, seconds in self._cpu_s.items()},
            "probes": dict(Counter(p.status for p in seen.probes)),
            "attacks": seen.attacks,
        }


def _make_group_nice(pid: int, niceness: int) -> None:
    """Makes a session nice among sessions, where the kernel shares processors out to them and niceness only counts within
    each: see sched(7), "The autogroup feature". Who is not root may do so ten times a second."""
    last = time.monotonic() + 1
    while time.monotonic() < last:
        try:
            Path(f"/proc/{pid}/autogroup").write_text(str(niceness))
            return
        except FileNotFoundError:
            return
        except OSError:
            time.sleep(0.02)


def _kibibytes(status: str, key: str) -> int:
    return next((int(line.split()[1]) for line in status.splitlines() if line.startswith(f"{key}:")), 0)


def _cpu_s(pid: int | None) -> float:
    """What a process has used, and those of its children that have ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0
    return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")


def _cpu_s_of_tree(pid: int | None) -> float:
    if pid is None:
        return 0
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return _cpu_s(pid) + sum(_cpu_s(int(child)) for child in children)
