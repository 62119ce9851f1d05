"""Passes of the compactor that are stopped in the middle, so that whoever runs them can be killed there."""

from __future__ import annotations

import time
from contextlib import closing, contextmanager
from typing import NamedTuple

from server_process import ServerProcess

COMPACTION_S = 4
"""A pass is due so long after a server's start, and after the one before."""
PASS_S = 40
"""A pass begins within this time."""

STAGES = {
    "before the first chunk": "LOCK TABLE reading_chunk IN EXCLUSIVE MODE",
    "with chunks written and rows removed": "SELECT FROM log_state FOR UPDATE",
    "before the commit": "LOCK TABLE merge_queue IN EXCLUSIVE MODE",
}
"""What a pass does in its transaction, in this order, and what makes it wait there. Whoever reads or pushes goes on."""


class HeldPass(NamedTuple):
    backend: int
    """Process id of its PostgreSQL backend."""
    compacted: int
    """The position up to which chunks held everything before it."""


@contextmanager
def pass_held(server: ServerProcess, stage: str):
    """A function that waits until a pass has come to a stage, and holds it there until the context is left."""
    with closing(server.connect()) as connection:
        connection.execute("BEGIN")
        connection.execute(STAGES[stage])
        yield lambda: _wait(server, connection.info.backend_pid)


def _wait(server: ServerProcess, holder: int) -> HeldPass:
    end = time.monotonic() + PASS_S
    with closing(server.connect()) as connection:
        while True:
            held = connection.execute(
                "SELECT pid, (SELECT compacted_position FROM log_state) FROM pg_stat_activity"
                " WHERE %s = ANY(pg_blocking_pids(pid))"
                " AND query ~ '(COPY reading_chunk|UPDATE log_state|INTO merge_queue)'",
                (holder,),
            ).fetchone()
            if held:
                return HeldPass(*held)
            if time.monotonic() > end:
                raise TimeoutError(f"no pass of the compactor came within {PASS_S} s")
            time.sleep(0.02)


def wait_for_end(server: ServerProcess, held: HeldPass) -> int:
    """Waits until the backend of a pass is gone; the position up to which chunks hold everything then."""
    end = time.monotonic() + PASS_S
    lives = "SELECT 1 FROM pg_stat_activity WHERE pid = %s"
    with closing(server.connect()) as connection:
        while connection.execute(lives, (held.backend,)).fetchone() is not None:
            if time.monotonic() > end:
                raise TimeoutError("the backend of a pass that was killed does not end")
            time.sleep(0.02)
        return connection.execute("SELECT compacted_position FROM log_state").fetchone()[0]


def compacted_position(server: ServerProcess) -> int:
    return server.sql("SELECT compacted_position FROM log_state")[0][0]


def log_head(server: ServerProcess) -> int:
    """The newest position that is committed."""
    newest = "SELECT greatest((SELECT max(position) FROM reading_log), compacted_position) FROM log_state"
    return server.sql(newest)[0][0]
