"""The checker of hostile callers: ten accounts and a hundred strangers do, at once, whatever may hurt, beside bridges,
subscribers, wearers who cross limits and persons who ask small questions. Then it is proved that the server lived, lost
nothing that it had acknowledged, called for everyone in time, kept to its memory, refused nobody else, and was as before
soon after.

    python Tests/Robustness/hostile.py [--long] [--attack NAME ...] [--seed N] [--json]

With --long everything is larger and the same load is also run without attacks, for comparison. Exit status 0: all
promises held. 1: some did not; the data folder is kept.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "EndToEnd")]

from accounts import Accounts  # noqa: E402
from dispatcher_process import DispatcherProcess  # noqa: E402
from emergency_runs import CALL, Opening  # noqa: E402
from hostile_attacker import ATTACKS  # noqa: E402
from hostile_cast import Cast, populate  # noqa: E402
from hostile_verdict import RECOVERY_S, Call, Crossing, HostileRun, Probe, Sample, share  # noqa: E402
from patients import sos_environment  # noqa: E402
from race_rows import put_race  # noqa: E402
from server_process import ServerProcess  # noqa: E402
from sms_gateway import SmsGateway  # noqa: E402
from statuses import status_problems  # noqa: E402


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
    after_s: float = 12.5
    """A little more than the server has to be as before."""


SHORT = Size(readings_per_s=20_000, subscribers=50, crossings=40, files=760, before_s=3, attack_s=18)
LONG = Size(readings_per_s=100_000, subscribers=1_000, crossings=500, files=6_016, before_s=30, attack_s=180, niceness=19)
PERSONS_PER_COUNT = 1_000
"""Whose readings are counted together in the end."""
LAST_S = 60
"""How long the processes may take to end."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Checks what callers who mean harm can do to the others.")
    parser.add_argument("--long", action="store_true", help="the whole load, for minutes, and without attacks too")
    parser.add_argument("--attack", nargs="*", choices=ATTACKS, default=list(ATTACKS), help="only these")
    parser.add_argument("--seed", type=int, default=None, help="of the random numbers; printed")
    parser.add_argument("--json", action="store_true", help="summary as one JSON object, on one line")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(2**32)
    print(f"seed {seed}", file=sys.stderr)
    size, started = (LONG if options.long else SHORT), time.monotonic()
    runs = {}
    if options.long:
        runs["without attacks"] = perform(size, [], random.Random(seed), options.long)
    runs["with attacks"] = perform(size, options.attack, random.Random(seed), options.long)
    problems = [f"{name}: {problem}" for name, (found, _) in runs.items() for problem in found]
    summary = {"ok": not problems, "seed": seed, "duration_s": round(time.monotonic() - started, 1),
               **{name: summary for name, (_, summary) in runs.items()},
               "problem_count": len(problems), "problems": problems[:50]}  # fmt: skip
    print(json.dumps(summary, indent=None if options.json else 2))
    return 1 if problems else 0


def perform(size: Size, attacks: list[str], rng: random.Random, is_long: bool) -> tuple[list[str], dict]:
    """One run on a server of its own: the broken promises, and what was measured."""
    with SmsGateway() as gateway:
        server = ServerProcess(sos_environment(gateway, TRACKME_TRUSTED_PROXIES="127.0.0.1"), has_web=True)
        server.launcher = ("prlimit", f"--nofile={size.files}:{size.files}")
        server.start()
        run = Run(server, size, attacks, rng, is_long)
        try:
            problems = run.run()
        except BaseException:
            run.end()
            server.end()
            print(f"the server's log and data are in {server.data_dir}", file=sys.stderr)
            raise
        run.end()
        if problems:
            server.end()
            print(f"the server's log and data are in {server.data_dir}", file=sys.stderr)
        else:
            server.remove()
        return problems, run.summary()


class Run:
    """Starts everybody, watches the server, and collects what was seen."""

    def __init__(self, server: ServerProcess, size: Size, attacks: list[str], rng: random.Random, is_long: bool):
        self._server, self._size, self._attacks, self._rng, self._is_long = server, size, attacks, rng, is_long
        self.seen = HostileRun(has_attacks=bool(attacks))
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
        well_behaved = [self._start("load", "hostile_load.py"), self._start("wearers", "hostile_wearers.py")]
        # Twenty interpreters take seconds to start, which are no part of what is looked at.
        attackers = [
            self._start(name, "hostile_attacker.py", name, *["--long"] * self._is_long, niceness=size.niceness)
            for name in self._attacks
        ]
        for process in well_behaved + attackers:
            assert process.stdout.readline() == "READY\n", f"{process.args} cannot begin: see its log"
        begin = time.time() + 1
        attack, calm = begin + size.before_s, begin + size.before_s + size.attack_s
        end = calm + size.after_s
        self.seen.attack_s = (attack, calm)
        for processes, times in ((well_behaved, (begin, end)), (attackers, (attack, calm))):
            for process in processes:
                process.stdin.write("{} {}\n".format(*times))
                process.stdin.flush()
        self._watch(pid, end)
        time.sleep(max(0.0, end - time.time()))
        answers = {name: self._finish(name) for name in list(self._processes)}
        self._collect(answers, pid)
        if (status := server.stop(30)) != 0:
            self.seen.crashes.append(f"the server ended with status {status} on SIGTERM")
        return self.seen.problems()

    @property
    def _cast_file(self) -> Path:
        return self._server.data_dir / "cast.json"

    def _start(self, name: str, program: str, *arguments, niceness: int = 0) -> subprocess.Popen:
        command = [
            "nice", "-n", str(niceness), sys.executable, HERE / program, self._cast_file, *map(str, arguments), "--seed",
            str(self._rng.randrange(2**32)),
        ]  # fmt: skip
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
        folder = Path(f"/proc/{pid}")
        while time.time() < until_s:
            try:
                self.seen.samples.append(Sample(time.time(), len(os.listdir(folder / "fd"))))
                status = (folder / "status").read_text()
            except OSError:
                return  # It has ended; the verdict sees that.
            self.seen.peak_bytes = _kibibytes(status, "VmHWM") << 10
            time.sleep(0.25)

    def _collect(self, answers: dict[str, dict], pid: int) -> None:
        seen, server = self.seen, self._server
        if server.process.pid != pid or server.process.poll() is not None:
            seen.crashes.append(f"the server ended with {server.process.returncode}")
            server.start()
        seen.crashes += status_problems({}, server.log.read_text(errors="replace"))
        load, wearers = answers.pop("load"), answers.pop("wearers")
        for name, answer in answers.items():
            seen.attacks[name] = answer.get("statuses", {})
            seen.refusals += answer.get("problems", [])
            if failure := answer.get("failure"):
                seen.refusals.append(f"the attack with {name} failed: {failure}")
        seen.refusals += load.get("problems", []) + wearers.get("problems", [])
        seen.acknowledged = {int(person): count for person, count in load.get("acknowledged", {}).items()}
        seen.delivered = {int(person): count for person, count in load.get("delivered", {}).items()}
        seen.probes = [Probe(*probe) for probe in load.get("probes", [])]
        seen.lags = [tuple(lag) for lag in load.get("lags", [])]
        for crossing in wearers.get("crossings", []):
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


if __name__ == "__main__":
    sys.exit(main())
