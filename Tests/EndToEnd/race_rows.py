"""Races put straight into the database, in any state: what tests need that cannot wait for a race to begin."""

from __future__ import annotations

import hashlib
import time
from dataclasses import dataclass, field

from accounts import Member
from server_process import ServerProcess, wait_until

DAY, HOUR = 86_400, 3_600
# Enrolment ends and start, in seconds from now, of a race with a limit of six hours.
TIMES = {
    "draft": (6 * DAY, 7 * DAY), "open": (6 * DAY, 7 * DAY), "closed": (-HOUR, HOUR), "running": (-2 * HOUR, -HOUR),
    "finished": (-2 * DAY, -DAY), "cancelled": (6 * DAY, 7 * DAY),
}  # fmt: skip
SECRET = "an invitation that somebody got by mail"


@dataclass
class RaceRow:
    """A race that was put into the database."""

    race_id: int
    organizer: Member
    starts: float
    """Seconds since the epoch."""
    runners: dict[int, Member] = field(default_factory=dict)
    """By number."""
    crowd: list[int] = field(default_factory=list)
    """Accounts of runners who have no session, by number from 1 on."""


def put_course(server: ServerProcess, planner: Member) -> str:
    """Straight along Milano's Parco Sempione, 1.1 km, with one stage: its route_id."""
    rows = server.sql(
        """
        INSERT INTO course (planned_by, source, latitudes, longitudes, altitudes, start_name, start_at, arrival_name,
          arrival_at, stage_names, stage_latitudes, stage_longitudes, stage_distances, length_m, attribution)
        VALUES (%s, 3, ARRAY[45.47, 45.48], ARRAY[9.17, 9.17], '{}', 'Castello', ST_MakePoint(9.17, 45.47)::geography,
          'Arco', ST_MakePoint(9.17, 45.48)::geography, ARRAY['Arena'], ARRAY[45.475], ARRAY[9.17], ARRAY[555.7],
          1111.5, '') RETURNING id::text
        """,
        (planner.account_id,),
    )
    return rows[0][0]


def put_race(
    server: ServerProcess, organizer: Member, state: str = "open", runners=(), name: str = "Corsa del Parco",
    by_invitation: bool = False, present: bool = False, **columns,
) -> RaceRow:  # fmt: skip
    """A race in a state, with runners who have the numbers from 1 on; `columns` of the table replace others."""
    deadline, start = (time.time() + seconds for seconds in TIMES[state])
    values = {
        "created_by": organizer.account_id, "name": name, "description": "", "place_name": "Milano",
        "course": put_course(server, organizer), "time_limit_us": 6 * HOUR * 1_000_000,
        "is_opened": state != "draft", "by_invitation": by_invitation, "capacity": 20_000, "last_number": len(runners),
        "invitation_sha256": hashlib.sha256(SECRET.encode()).digest() if by_invitation else None, **columns,
    }  # fmt: skip
    names, marks = ", ".join(values), ", ".join(["%s"] * len(values))
    ((race,),) = server.sql(
        f"INSERT INTO race ({names}, enrolment_ends_at, starts_at, cancelled_at) VALUES ({marks}, to_timestamp(%s),"
        f" to_timestamp(%s), {'now()' if state == 'cancelled' else 'NULL'}) RETURNING id",
        (*values.values(), deadline, start),
    )
    server.sql("INSERT INTO race_organizer (race, account) VALUES (%s, %s)", (race, organizer.account_id))
    row = RaceRow(race, organizer, start, dict(enumerate(runners, 1)))
    for number, runner in row.runners.items():
        server.sql(
            "INSERT INTO race_enrolment (race, person, state, number, runner_name, is_present)"
            " VALUES (%s, %s, 3, %s, %s, %s)",
            (race, runner.account_id, number, f"Runner {number}", present),
        )
    return row


def everybody_is_told(server: ServerProcess) -> None:
    """Waits until nobody is to be told anything of a race any more."""
    waiting = "SELECT count(*) FROM race_notice WHERE done_at IS NULL"
    wait_until(lambda: server.sql(waiting) == [(0,)], what="the last one who is told of a race")
