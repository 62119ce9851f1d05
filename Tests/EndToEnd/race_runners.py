"""Those who run in the races of race_rows.py, with devices of their own."""

from __future__ import annotations

from accounts import Accounts
from streams import fresh_client, positions

COURSE_M = 1_111.5
"""The course of `put_race`: straight to the north."""


class Runner:
    """A runner with a device of their own."""

    def __init__(self, accounts: Accounts):
        self.member = accounts.person()
        self.device = accounts.keep(self.member.device())
        self.push = None
        self.sequence = 0

    def run(self, started: float, begin: int, end: int, speed: float, since: float = 0) -> None:
        """Positions of every second from one second of the race to another; returns when they are committed."""
        if self.push is None:
            self.push = self.device.push(fresh_client())
        rows = [
            (
                int((started + second) * 1e6),
                45.47 + 0.01 * (since + speed * (second - begin)) / COURSE_M,
                9.17,
                4.0,
            )
            for second in range(begin, end + 1)
        ]
        self.sequence += 1
        self.push.batch(self.sequence, positions(self.member.account_id, rows))
        answer = self.push.acknowledgement()
        assert answer.accepted == len(rows), answer

    def leave(self) -> None:
        if self.push is not None:
            self.push.cancel()
            self.push = None


def present(server, row, members) -> None:
    """Marks runners present in the log, as another server's writer would."""
    numbers = [member.account_id for member in members]
    server.sql(
        """
        SELECT change_race(1, 0, %s, 1::smallint, %s, %s, 0, '', now(), '{3,4}')
        FROM (SELECT pg_advisory_xact_lock(8390876135376643329)) l
        """,
        (row.race_id, numbers, row.organizer.account_id),
    )
