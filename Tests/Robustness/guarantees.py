"""The guarantee checker: writers push and subscribers follow while the server and PostgreSQL are killed again and
again, at random and in the middle of the compactor's passes; then it is proved that every acknowledged reading is
stored exactly once and that every delivery stream is ordered, unique and without a gap, also where it resumes out of
chunks.

    python Tests/Robustness/guarantees.py [--kills 20] [--seed N] [--json]

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
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

from trackme import TrackMeClient  # noqa: E402

import findings  # noqa: E402
from actors import Landscape, SessionWriter, StreamReader, StreamWriter  # noqa: E402
from compactions import COMPACTION_S, STAGES, compacted_position, log_head, pass_held, wait_for_end  # noqa: E402
from histories import (  # noqa: E402
    Interruption, Key, check, check_compaction, positions_of, resumes_out_of_chunks,
)  # fmt: skip
from server_process import SERVING, ServerProcess, wait_until  # noqa: E402
from statuses import status_problems  # noqa: E402

PERSONS = range(1, 9)
REFERENCE = "everyone, live"
AWAY = ("everyone, away", "person 5, away")
"""Who comes back only when what they lack is in chunks."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Checks the guarantees of delivery and storage under kills.")
    parser.add_argument("--kills", type=int, default=20, help="SIGKILLs of the server at random (%(default)s)")
    parser.add_argument("--postgres-kills", type=int, default=None, help="SIGKILLs of PostgreSQL (one in 20 kills)")
    parser.add_argument("--compactions", type=int, default=None, help="kills in mid-compaction, of both (one in 20)")
    parser.add_argument("--seed", type=int, default=None, help="of the random numbers; printed")
    parser.add_argument("--rate", type=float, default=40, help="batches per second of each writer (%(default)s)")
    parser.add_argument("--limit", type=float, default=None, metavar="SECONDS", help="longest time of the run")
    parser.add_argument("--json", action="store_true", help="summary as one JSON object")
    options = parser.parse_args()
    for name in ("postgres_kills", "compactions"):
        if getattr(options, name) is None:
            setattr(options, name, max(1, options.kills // 20))
    if options.limit is None:
        options.limit = 120 + 8 * (options.kills + options.postgres_kills) + 90 * options.compactions
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(2**32)
    print(f"seed {seed}", file=sys.stderr)
    # Three passes of the compactor are waited for.
    server = ServerProcess({"TRACKME_HEARTBEAT_MS": "200", "TRACKME_COMPACTION_SECONDS": str(COMPACTION_S)}).start()
    started = time.monotonic()
    try:
        run = Run(server, random.Random(seed), options)
        try:
            asyncio.run(asyncio.wait_for(run.run(), options.limit))
            problems = run.problems
        except TimeoutError:
            problems = [f"the run did not end within {options.limit:.0f} s: {run.phase}", *run.lagging()]
        if (status := server.stop()) != 0:
            problems.append(f"the server ended with status {status} on SIGTERM")
        problems += status_problems(run.land.statuses, server.log.read_text(errors="replace"))
        summary = {"seed": seed, "duration_s": round(time.monotonic() - started, 1), **run.summary(),
                   **findings.judged(problems, seed)}  # fmt: skip
    except BaseException:
        server.end()
        print(f"the server's log and data are in {server.data_dir}", file=sys.stderr)
        raise
    if not summary["ok"]:
        server.end()
        print(f"the server's log and data are in {server.data_dir}", file=sys.stderr)
    else:
        server.remove()
    _print(summary, options.json)
    return 0 if summary["ok"] else 1


class Run:
    """One run: the actors, the killer, the verdict."""

    def __init__(self, server: ServerProcess, rng: random.Random, options: argparse.Namespace):
        self._server, self._rng, self._options = server, rng, options
        self.problems: list[str] = []
        self.phase = "start"
        self.kills = self.postgres_kills = 0
        self.interruptions: list[Interruption] = []
        self.writers: list = []
        self.readers: list[StreamReader] = []
        self._stored: dict[str, Counter[Key]] = {}
        self.land = Landscape(server.target, server.operator_token, options.rate)

    async def run(self) -> None:
        land = self.land
        self._populate(land)
        async with asyncio.TaskGroup() as readers:
            reading = [readers.create_task(r.run()) for r in self.readers]
            self.phase = "waiting for the subscriptions to stand"
            for reader in self.readers:
                await reader.standing.wait()
            async with asyncio.TaskGroup() as writers:
                for writer in self.writers:
                    writers.create_task(writer.run())
                self.phase = "killing"
                await self._kill()
                self.phase = "waiting for the writers' last acknowledgements"
                land.quiet.set()
            self.phase = "asking what is stored"
            await self._ask()
            self.phase = "waiting for the last deliveries"
            everything = next(iter(self._stored.values()))
            for reader in self.readers:
                expected = sum(1 for key in everything if reader.history.wants(key))
                await reader.has(expected)
            # Whatever would come twice has until here to come.
            await asyncio.sleep(1)
            for task in reading:
                task.cancel()
        self.phase = "checking"
        self.problems = check(
            [w.history for w in self.writers], [r.history for r in self.readers], self._stored, REFERENCE
        )
        self.problems += self._storage_counts()
        self.problems += check_compaction(
            self.interruptions, [r.history for r in self.readers], positions_of(w.history for w in self.writers), AWAY
        )

    def _populate(self, land: Landscape) -> None:
        def rng() -> random.Random:
            return random.Random(self._rng.random())

        for number in range(3):
            self.writers.append(StreamWriter(f"raw-{number}", land, list(PERSONS), rng()))
        for number in range(2):
            self.writers.append(SessionWriter(f"session-{number}", land, list(PERSONS), rng()))
        everyone = None
        self.readers = [
            StreamReader(REFERENCE, land, everyone, rng()),
            StreamReader("everyone, slow", land, everyone, rng(), pause_s=0.03),
            StreamReader("everyone, resuming", land, everyone, rng(), frames_per_connection=25),
            StreamReader("everyone, three outstanding", land, everyone, rng(), max_outstanding=3),
            StreamReader("person 1, live", land, frozenset({1}), rng()),
            StreamReader("person 2, resuming", land, frozenset({2}), rng(), frames_per_connection=5),
            StreamReader("persons 3 and 4, slow", land, frozenset({3, 4}), rng(), pause_s=0.02, max_outstanding=1),
            StreamReader(AWAY[0], land, everyone, rng()),
            StreamReader(AWAY[1], land, frozenset({5}), rng()),
        ]

    async def _kill(self) -> None:
        """Kills and restarts at random moments, PostgreSQL among them, and in the middle of compactions."""
        strikes = ["server"] * self._options.kills + ["postgres"] * self._options.postgres_kills
        strikes += ["compaction"] * self._options.compactions
        self._rng.shuffle(strikes)
        await asyncio.sleep(1)
        for strike in strikes:
            await asyncio.sleep(self._rng.uniform(0.2, 1.8))
            if strike == "server":
                self._kill_server()
                await asyncio.sleep(self._rng.choice([0, 0, self._rng.uniform(0, 1)]))
                await asyncio.to_thread(self._server.start)
            elif strike == "postgres":
                await self._kill_postgres()
            else:
                self.phase = "killing in mid-compaction"
                await self._kill_in_mid_compaction()
                self.phase = "killing"
        await asyncio.sleep(1)

    def _kill_server(self) -> None:
        self._server.kill()
        self.kills += 1

    async def _kill_postgres(self) -> None:
        await asyncio.to_thread(self._server.kill_postgres)
        self.postgres_kills += 1
        await asyncio.to_thread(self._wait_for_postgres)

    async def _kill_in_mid_compaction(self) -> None:
        """PostgreSQL is killed in the middle of a pass, then the server in the middle of the next one. A further server
        lives until its pass is over; then those come back who had left before."""
        away = [reader for reader in self.readers if reader.history.name in AWAY]
        for reader in away:
            reader.leave()
        for killed in ("postgres", "server"):
            stage = self._rng.choice(list(STAGES))
            with pass_held(self._server, stage) as wait:
                held = await asyncio.to_thread(wait)
                if killed == "server":
                    self._kill_server()
                else:
                    await self._kill_postgres()
            after = await asyncio.to_thread(wait_for_end, self._server, held) if killed == "server" else None
            self.interruptions.append(Interruption(killed, stage, held.compacted, after))
        head = await asyncio.to_thread(log_head, self._server)
        await asyncio.to_thread(self._server.start)
        await asyncio.to_thread(
            wait_until, lambda: compacted_position(self._server) >= head, 60, "the end of a pass of the compactor"
        )
        # This server has begun with what came after it, and has never had it in memory.
        self.land.packed = head
        for reader in away:
            reader.come_back()

    def _wait_for_postgres(self) -> None:
        wait_until(lambda: self._server.postmaster_pid() is not None, 30, "a new PostgreSQL")
        wait_until(lambda: self._server.health() == SERVING, 30, "SERVING after the kill of PostgreSQL")

    async def _ask(self) -> None:
        """The end state, asked for in three ways."""
        pages, export = Counter(), Counter()
        async with TrackMeClient(self._server.target, self._server.operator_token) as client:
            for person in PERSONS:
                async for r in client.history(person, page_size=5_000, oldest_first=True):
                    pages[Key(r.person_id, r.source, r.time_us, r.value)] += 1
                async for r in client.export(person):
                    export[Key(r.person_id, r.source, r.time_us, r.value)] += 1
        rows = await asyncio.to_thread(self._server.sql, "SELECT person, source_name, time_us, value FROM reading")
        self._stored = {"ExportReadings": export, "ListReadings": pages, "SQL": Counter(Key(*row) for row in rows)}

    def _storage_counts(self) -> list[str]:
        """No reading is in the tables twice: the view and the answers would hide that."""
        ((rows,),) = self._server.sql(
            "SELECT (SELECT coalesce(sum(reading_count), 0) FROM reading_log) "
            "+ (SELECT coalesce(sum(reading_count), 0) FROM reading_chunk)"
        )
        distinct = len(self._stored["SQL"])
        return [] if rows == distinct else [f"the tables hold {rows} readings, of which {distinct} are different"]

    def lagging(self) -> list[str]:
        return [f"{r.history.name}: {len(r.history.delivered)} deliveries so far" for r in self.readers]

    def summary(self) -> dict:
        histories = [w.history for w in self.writers]
        positions = positions_of(histories)
        return {
            "server_kills": self.kills,
            "postgres_kills": self.postgres_kills,
            "killed_in_mid_compaction": dict(Counter(f"{i.killed} {i.stage}" for i in self.interruptions)),
            "statuses": dict(self.land.statuses),
            "readings_pushed": sum(len(b.keys) for w in histories for b in w.batches.values()),
            "batches_pushed": sum(len(w.batches) for w in histories),
            "batches_acknowledged": sum(len(w.acknowledged) for w in histories),
            "batches_sent_again": sum(w.sent_again for w in self.writers),
            "batches_abandoned": sum(len(w.batches.keys() - w.acknowledged) for w in histories),
            "writer_reconnects": sum(max(0, len(w.welcomes) - 1) for w in histories),
            "readings_stored": len(next(iter(self._stored.values()), ())),
            "streams": {
                r.history.name: {
                    "delivered": len(r.history.delivered),
                    "connections": r.connections,
                    "out_of_chunks": resumes_out_of_chunks(r.history, positions),
                }
                for r in self.readers
            },
        }


def _print(summary: dict, as_json: bool) -> None:
    if as_json:
        print(json.dumps(summary))
        return
    for name, value in summary.items():
        if name == "problems":
            for problem in value:
                print(f"BROKEN: {problem}")
        elif name == "streams":
            for stream, figures in value.items():
                said = ", ".join(f"{value} {figure.replace('_', ' ')}" for figure, value in figures.items())
                print(f"  {stream}: {said}")
        else:
            print(f"{name}: {value}")


if __name__ == "__main__":
    sys.exit(main())
