"""The checker of emergency calls: values of monitored persons cross limits, of one or more metrics, and waver about
them while the server, PostgreSQL and the systems of two dispatchers are killed at random moments. The dispatchers are
plain programs that count every call that comes. Then it is proved that each crossing reached a dispatcher within five
seconds of everything working again, that each episode is exactly one emergency wherever it was noted and is not called
for twice, that the journal had every call before it went out, and that PostgreSQL has all of them in the end with every
transition.

    python Tests/Robustness/emergencies.py [--emergencies 1000] [--long] [--beside-others] [--seed N] [--json]

Exit status 0: all promises held. 1: some did not, or the run did not end in time; the data folder is kept.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import time
from collections import Counter
from contextlib import AsyncExitStack
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "EndToEnd")]

import psycopg  # noqa: E402
from trackme import Backoff, TrackMeClient  # noqa: E402

import findings  # noqa: E402
from dispatcher_process import DispatcherProcess  # noqa: E402
from emergency_runs import CALL, CALL_S, EmergencyRun, Outage, Record  # noqa: E402
from findings import Late  # noqa: E402
from journal_file import read_journal  # noqa: E402
from patients import sos_environment  # noqa: E402
from server_process import SERVING, ServerProcess, wait_until  # noqa: E402
from sms_gateway import SmsGateway  # noqa: E402
from stalls import stood_still_between_s, watch_disk  # noqa: E402
from statuses import ObservedSession, Statuses, status_problems  # noqa: E402
from wearers import COURSES, LONG_COURSES, QUIET_S, Wearer  # noqa: E402

STRIKES = {"server": 5, "postgres": 2, "dispatcher": 3, "dispatchers": 1, "server and postgres": 1, "everything": 1}
"""What is killed, and how often compared with the others."""
PUSHERS = 4
SETTLE_S = 60


def main() -> int:
    parser = argparse.ArgumentParser(description="Checks that no emergency is lost or doubled, whatever is killed.")
    parser.add_argument("--emergencies", type=int, default=1000, help="persons who cross limits (%(default)s)")
    parser.add_argument("--long", action="store_true", help=f"some also waver for more than {QUIET_S:.0f} s")
    parser.add_argument("--seed", type=int, default=None, help="of the random numbers; printed")
    parser.add_argument("--limit", type=float, default=None, metavar="SECONDS", help="longest time of the run")
    parser.add_argument("--beside-others", action="store_true", help="others are at work here: no start is judged")
    parser.add_argument("--json", action="store_true", help="summary as one JSON object, on one line")
    options = parser.parse_args()
    limit = options.limit or 180 + 2 * options.emergencies + (QUIET_S + 120) * options.long
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(2**32)
    print(f"seed {seed}", file=sys.stderr)
    started = time.monotonic()
    watch_disk()
    with SmsGateway() as gateway:
        server = ServerProcess(sos_environment(gateway)).start()
        run = Run(server, gateway, random.Random(seed), options.emergencies, options.long)
        run.seen.are_starts_judged = not options.beside_others
        try:
            try:
                asyncio.run(asyncio.wait_for(run.run(), limit))
                problems = run.problems()
            except TimeoutError:
                problems = [Late(f"the run did not end within {limit:.0f} s: {run.phase}"), *run.problems()]
            run.end_dispatchers()
            if (status := server.stop()) != 0:
                problems.append(f"the server ended with status {status} on SIGTERM")
        except BaseException:
            run.end_dispatchers()
            server.end()
            print(f"the server's log and data are in {server.data_dir}", file=sys.stderr)
            raise
    summary = {"seed": seed, "duration_s": round(time.monotonic() - started, 1), **run.summary(),
               **findings.judged(problems, seed)}  # fmt: skip
    if not summary["ok"]:
        server.end()
        print(f"the server's log and data are in {server.data_dir}", file=sys.stderr)
    else:
        server.remove()
    print(json.dumps(summary, indent=None if options.json else 2))
    return 0 if summary["ok"] else 1


class Run:
    """One run: persons who cross limits, the killer, the verdict."""

    def __init__(self, server: ServerProcess, gateway: SmsGateway, rng: random.Random, emergencies: int, is_long: bool):
        self._server, self._gateway, self._rng = server, gateway, rng
        self._emergencies, self._is_long = emergencies, is_long
        self.phase = "start"
        self.kills: Counter[str] = Counter()
        self.seen = EmergencyRun(stood_still_s=stood_still_between_s)
        self._found: list[str] = []
        self._dispatchers: list[DispatcherProcess] = []
        self._batches = Counter()
        self._statuses = Statuses()
        self._courses: dict[int, str] = {}

    async def run(self) -> None:
        self.phase = "making persons and dispatchers"
        # Some persons more: their values swing back before the hold is over.
        long = list(LONG_COURSES) * 3 if self._is_long else []
        swings = ["swing"] * max(3, self._emergencies // 10)
        courses = long + self._rng.choices(list(COURSES), COURSES.values(), k=self._emergencies - len(long)) + swings
        await asyncio.to_thread(self._populate, courses)
        for dispatcher in self._dispatchers:
            dispatcher.start()
        following = asyncio.create_task(self._follow())
        try:
            async with AsyncExitStack() as stack:
                client = await stack.enter_async_context(
                    TrackMeClient(self._server.target, self._server.operator_token)
                )
                sessions = [
                    await stack.enter_async_context(
                        ObservedSession(
                            client, f"bridge-{number}", self._statuses, window=512, backoff=Backoff(0.02, 0.2),
                            connect_timeout_s=5,
                        )
                    )  # fmt: skip
                    for number in range(PUSHERS)
                ]
                self.phase = "killing"
                await self._rounds(sessions)
                self.phase = "waiting for the last acknowledgements"
                for session in sessions:
                    await session.flush()
                self._batches["sent"] = sum(s.statistics.batches_sent for s in sessions)
                self._batches["resent"] = sum(s.statistics.batches_resent for s in sessions)
            self.phase = "waiting for the last calls"
            await self._settle(lambda: self.seen.expected <= self.seen.reached.keys())
            self.phase = "waiting for the record"
            await self._settle(lambda: self._is_recorded())
            # Whatever would come twice has until here to come.
            await asyncio.sleep(1)
        finally:
            following.cancel()
            self._note_incidents()
            await asyncio.to_thread(self._collect)
        self.phase = "checking"

    def _populate(self, courses: list[str]) -> None:
        """Persons who are monitored, and two dispatchers, by SQL. The server takes everything up at its next start."""
        server, count = self._server, len(courses)
        rows = server.sql(
            "INSERT INTO account (kind, username) SELECT 'person', 'wearer-' || n FROM generate_series(1, %s) n"
            " RETURNING id",
            (count,),
        )
        self._courses = {row[0]: course for row, course in zip(rows, courses)}
        closed = [person for person, course in self._courses.items() if course == "again"]
        for number in range(2):
            token = f"dispatcher-{number}-{self._rng.getrandbits(128):032x}"
            server.sql(
                "WITH staff AS (INSERT INTO account (kind, username) VALUES ('administrator', %(admin)s) RETURNING id),"
                " made AS (INSERT INTO account (kind, username) VALUES ('dispatcher', %(name)s) RETURNING id),"
                " rescue AS (INSERT INTO dispatcher (account, created_by, priority)"
                "   SELECT made.id, staff.id, %(priority)s FROM made, staff)"
                " INSERT INTO access_token (token_sha256, kind, account)"
                "   SELECT sha256(convert_to(%(token)s, 'UTF8')), 'dispatcher', id FROM made",
                {"admin": f"admin-{number}", "name": f"rescue-{number}", "priority": number, "token": token},
            )
            self._dispatchers.append(DispatcherProcess(f"rescue-{number}", server, token, closed))
        server.sql(
            "INSERT INTO person (account, given_names, family_name, fiscal_code, date_of_birth, sex, weight_kg,"
            " height_cm) SELECT id, 'A', 'Wearer', 'WEARER' || lpad(id::text, 10, '0'), '1950-05-17', 'female', 70, 170"
            " FROM account WHERE kind = 'person'"
        )
        server.sql("UPDATE sos_settings SET enabled = true, changed_in = pg_current_xact_id()")
        assert server.stop() == 0
        server.start()

    # The killing

    async def _rounds(self, sessions: list) -> None:
        rng = self._rng
        left = sorted(self._courses, key=lambda person: (self._courses[person] not in LONG_COURSES, rng.random()))
        left.reverse()
        async with asyncio.TaskGroup() as wearing:
            lives = []
            while left:
                for _ in range(min(len(left), rng.randrange(3, 10))):
                    person = left.pop()
                    wearer = Wearer(
                        person, sessions[person % PUSHERS], random.Random(rng.random()), self.seen.crossings,
                        self._is_closed,
                    )  # fmt: skip
                    lives.append(wearing.create_task(wearer.wear(self._courses[person], rng.uniform(0, 1.2))))
                await asyncio.sleep(rng.uniform(0, 1.2))
                await self._strike(rng.choices(list(STRIKES), STRIKES.values())[0])
                # Sometimes the next one comes at once, sometimes there is time for holds to be over.
                await asyncio.sleep(rng.choice([0, rng.uniform(0, 1), rng.uniform(1, 4)]))
            self.phase = "waiting for the last readings"
            while self._is_long and not all(life.done() for life in lives):
                await asyncio.sleep(rng.uniform(3, 15))
                await self._strike(rng.choices(list(STRIKES), STRIKES.values())[0])

    async def _is_closed(self, person: int) -> bool:
        """Waits until PostgreSQL has it that the person's emergency is over; whether that came."""

        def ask() -> bool:
            try:
                return bool(self._server.sql("SELECT 1 FROM emergency WHERE person = %s AND state = 5", (person,)))
            except (psycopg.Error, TypeError):  # PostgreSQL has just been killed
                return False

        end = time.monotonic() + SETTLE_S
        while not await asyncio.to_thread(ask):
            if time.monotonic() > end:
                self._found.append(f"person {person}: the emergency that the dispatcher has closed is not over")
                return False
            await asyncio.sleep(0.5)
        return True

    async def _strike(self, what: str) -> None:
        """Kills, and starts again what does not do so by itself."""
        rng = self._rng
        self.kills[what] += 1
        pause = rng.choice([0, 0, rng.uniform(0, 1)])
        struck = time.time()
        if what in ("dispatchers", "everything"):
            victims = list(self._dispatchers)
        else:
            victims = [rng.choice(self._dispatchers)] if what == "dispatcher" else []
        for victim in victims:
            victim.kill()
        if what in ("server", "server and postgres", "everything"):
            self._server.kill()
            self.seen.journals.append(read_journal(self._journal, struck))
        if what in ("postgres", "server and postgres", "everything"):
            await asyncio.to_thread(self._server.kill_postgres)
        await asyncio.sleep(pause)
        if what in ("server", "server and postgres", "everything"):
            started = time.time()
            self._server.start(wait=False)
            await asyncio.to_thread(self._server.wait_serving)
            if what == "server":
                self.seen.starts.append((started, time.time()))
        elif what == "postgres":
            await asyncio.to_thread(self._wait_for_postgres)
        for victim in victims:
            victim.start()
        await self._settle(lambda: all(victim.is_connected for victim in victims))
        self.seen.outages.append(Outage(what, struck, time.time()))

    @property
    def _journal(self) -> Path:
        return self._server.data_dir / "data" / "emergencies" / "journal"

    def _wait_for_postgres(self) -> None:
        wait_until(lambda: self._server.postmaster_pid() is not None, 30, "a new PostgreSQL")
        wait_until(lambda: self._server.health() == SERVING, 30, "SERVING after the kill of PostgreSQL")

    # What is seen

    async def _follow(self) -> None:
        while True:
            self._note_incidents()
            await asyncio.sleep(0.01)

    def _note_incidents(self) -> None:
        for dispatcher in self._dispatchers:
            self.seen.incidents += dispatcher.new_incidents()

    def _is_recorded(self) -> bool:
        ((taken,),) = self._server.sql(
            "SELECT count(*) FROM emergency WHERE EXISTS (SELECT FROM jsonb_array_elements(facts -> 'transitions') t"
            " WHERE t ->> 'actor' LIKE 'dispatcher%%' AND (t ->> 'state')::int = 3)"
        )
        expected = {episode for episode, _ in self.seen.expected}
        closed = {self.seen.episode_of(i.emergency) for i in self.seen.incidents if i.is_closed}
        channels = Counter(t.channel for t in self._gateway.taken)
        return taken >= len(expected) and min(channels["sms"], channels["voice"]) >= len(expected - closed)

    async def _settle(self, condition) -> None:
        """Waits, but not for ever: what is missing is for the verdict to say."""
        end = time.monotonic() + SETTLE_S
        while not await asyncio.to_thread(condition) and time.monotonic() < end:
            await asyncio.sleep(0.2)

    def _collect(self) -> None:
        for emergency, person, state, transitions, crossings in self._server.sql(
            "SELECT id::text, person, state, facts -> 'transitions', facts -> 'crossings' FROM emergency"
        ):
            steps = [(t["state"], t["at"], t["actor"]) for t in transitions]
            self.seen.records.append(Record(emergency, person, state, steps, [c["metric"] for c in crossings]))
        self.seen.gateway = [(t.channel, t.key, t.text) for t in self._gateway.taken]

    # The verdict

    def problems(self) -> list[str]:
        torn = [p for d in self._dispatchers for p in d.problems]
        failed = status_problems(self._statuses, self._server.log.read_text(errors="replace"))
        refused = [f"the gateway refused: {r}" for r in self._gateway.refusals[:5]]
        return [*self._found, *self.unseen(), *self.seen.problems(), *torn, *failed, *refused]

    def unseen(self) -> list[str]:
        """What the run is about and did not see."""
        return unseen(self.seen, set(self._courses.values()))

    def end_dispatchers(self) -> None:
        for dispatcher in self._dispatchers:
            dispatcher.end()

    def summary(self) -> dict:
        seconds = sorted(self.seen.seconds_to_call())
        starts = sorted(serving - began for began, serving in self.seen.starts)
        return {
            "emergencies": len({episode for episode, _ in self.seen.expected}),
            "crossings": len(self.seen.expected),
            "courses": dict(Counter(self._courses.values())),
            "kills": dict(self.kills),
            "batches": dict(self._batches),
            "reached": len(self.seen.reached),
            "incidents": dict(Counter(f"{i.dispatcher} {i.kind}" for i in self.seen.incidents)),
            "journals_read": len(self.seen.journals),
            "statuses": dict(self._statuses),
            "recorded": len(self.seen.records),
            "call_s": {"p50": _share(seconds, 0.5), "p99": _share(seconds, 0.99), "max": _share(seconds, 1.0)},
            "call_s_limit": CALL_S,
            "serving_s": {"p50": _share(starts, 0.5), "max": _share(starts, 1)},
        }


def unseen(seen: EmergencyRun, courses: set[str]) -> list[str]:
    """What a run is about and did not see."""
    expected = Counter(episode for episode, _ in seen.expected)
    was_seen = {
        "the server was not killed": bool(seen.journals),
        "no journal held an emergency": any(journal.emergencies for journal in seen.journals),
        "no call came on a further connection": len(
            {i.connection for i in seen.incidents if i.kind == CALL}
        ) > 2,
        "no crossing joined an emergency": "join" not in courses or any(n > 1 for n in expected.values()),
        "nobody had two emergencies": "again" not in courses or any(number > 1 for _, number in expected),
    }  # fmt: skip
    return [what for what, is_seen in was_seen.items() if not is_seen]


def _share(ordered: list[float], share: float) -> float:
    """The value that so many are not above."""
    if not ordered:
        return 0.0
    return round(ordered[min(len(ordered) - 1, int(share * len(ordered)))], 3)


if __name__ == "__main__":
    sys.exit(main())
