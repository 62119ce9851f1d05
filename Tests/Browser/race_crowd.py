"""Races with more runners than a test can register one by one."""

from __future__ import annotations

from accounts import Member
from race_rows import RaceRow, put_race
from server_process import ServerProcess


def put_crowd(server: ServerProcess, organizer: Member, count: int, **columns) -> RaceRow:
    """A race that runs with so many runners, numbers from 1 on, who have accounts and cannot log in; all of them present.

    :return: with their accounts in `crowd`.
    """
    # A draft as long as its runners are not there: nobody makes a board of it.
    row = put_race(server, organizer, "running", last_number=count, is_opened=False, **columns)
    name = f"crowd-{row.race_id}"
    server.sql(
        "INSERT INTO account (kind, username, email, display_name)"
        " SELECT 'person', %s || '-' || n, %s || '-' || n || '@example.org', 'Crowd' FROM generate_series(1, %s) n",
        (name, name, count),
    )
    runners = [number for (number,) in server.sql(
        "SELECT id FROM account WHERE username LIKE %s ORDER BY id", (f"{name}-%",)
    )]  # fmt: skip
    server.sql(
        "INSERT INTO race_enrolment (race, person, state, number, runner_name)"
        " SELECT %s, person, 3, n, 'Runner ' || n FROM unnest(%s::bigint[]) WITH ORDINALITY AS t (person, n)",
        (row.race_id, runners),
    )
    server.sql(
        "UPDATE race SET is_opened = true, changed_in = pg_current_xact_id() WHERE id = %s", (row.race_id,)
    )
    marked = organizer.ask("MarkPresent", race_id=row.race_id, numbers=range(1, count + 1))
    assert marked.changed_count == count
    row.crowd = runners
    return row
