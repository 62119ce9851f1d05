"""A server with persons who share readings anonymously, and what its cells hold."""

from __future__ import annotations

import functools
import subprocess
import time
from datetime import date, datetime, timedelta, timezone

from trackme.protocol import readings

from accounts import Accounts
from server_process import ServerProcess, binary, wait_until
from streams import METRIC_IDS, Caller

HOUR_US = 3_600_000_000


@functools.cache
def _today() -> date:
    """The day on which the first test asked for it: what was pushed before midnight is asked about after it."""
    return datetime.now(timezone.utc).date()


def day(ago: int = 1) -> date:
    return _today() - timedelta(days=ago)


def midnight_us(ago: int = 1) -> int:
    """When the day began, UTC."""
    return int(datetime.combine(day(ago), datetime.min.time(), timezone.utc).timestamp()) * 1_000_000


class Town:
    """What is committed is compacted every second. An epoch is a day, unless the environment says otherwise, and another one
    begins when a test wants it to."""

    def __init__(self, has_web: bool = False, **environment: str):
        self.server = ServerProcess(
            {"TRACKME_GROUP_EPOCH_SECONDS": "86400", "TRACKME_COMPACTION_SECONDS": "1", **environment}, has_web=has_web
        ).start()
        self.accounts = Accounts(self.server)
        self.operator = Caller(self.server.target, self.server.operator_token)

    def seed(self, count: int, *metrics: str) -> list[int]:
        """The numbers of new persons who share these kinds."""
        command = [binary(), "seed-persons", "--data-dir", self.server.data_dir / "data", "--count", str(count)]
        for metric in metrics:
            command += ["--metric", metric]
        done = subprocess.run(
            command, check=True, capture_output=True, text=True, env=self.server.environment, timeout=60
        )
        return [int(line) for line in done.stdout.split()]

    def push(self, metric: str, rows) -> None:
        """Commits (person, time_us, value)."""
        rows = list(rows)
        with self.operator.push() as push:
            for sequence, start in enumerate(range(0, len(rows), 5_000), 1):
                some = rows[start : start + 5_000]
                push.commit(
                    sequence,
                    readings.ReadingColumns(
                        scalars=readings.ScalarColumns(
                            person_id=[p for p, _, _ in some], metric=[METRIC_IDS[metric]],
                            time_us=[t for _, t, _ in some], value=[v for _, _, v in some],
                        )
                    ),
                )  # fmt: skip

    def place(self, rows) -> None:
        """Commits (person, time_us, latitude, longitude)."""
        rows = list(rows)
        with self.operator.push() as push:
            push.commit(
                1,
                readings.ReadingColumns(
                    positions=readings.PositionColumns(
                        person_id=[r[0] for r in rows], metric=[METRIC_IDS["position"]], time_us=[r[1] for r in rows],
                        latitude=[r[2] for r in rows], longitude=[r[3] for r in rows], accuracy=[5.0] * len(rows),
                    )
                ),
            )  # fmt: skip

    def gathered(self) -> None:
        """All that is committed is in the cells, and all that was withdrawn is not. What was answered is forgotten, as it is
        when an epoch begins."""
        with self.server.connect() as database:

            def ask(query: str, *parameters):
                return database.execute(query, parameters).fetchone()[0]

            head = ask(
                "SELECT greatest((SELECT max(position) FROM reading_log), (SELECT compacted_position FROM log_state))"
            )
            wait_until(lambda: ask("SELECT compacted_position >= %s FROM log_state", head), 60, "compaction")
            database.execute("UPDATE group_state SET made_at = 'epoch'")
            query = """
                SELECT position >= %s AND made_at > 'epoch' AND NOT EXISTS (SELECT FROM group_stale) FROM group_state
                """
            wait_until(lambda: ask(query, head), 60, "the cells")
            database.execute("DELETE FROM group_answer")
            database.execute("DELETE FROM group_charge")

    def close(self) -> None:
        self.accounts.close()
        self.operator.channel.close()
        self.server.remove()


def timed(call):
    """The answer, and how many seconds it took."""
    began = time.monotonic()
    answer = call()
    return answer, time.monotonic() - began
