"""Readings of persons, as their devices push them."""

from __future__ import annotations

import time

from trackme.protocol import readings

from accounts import Member


def push(person: Member, metric: str, *values: float, every_s: float = 1.0, end_s: float | None = None) -> None:
    """Records one reading after the other by a new device of the person.

    :param every_s: how many seconds lie between two of them.
    :param end_s: when the last one was, in seconds since the epoch; by default now.
    """
    end_us = round((time.time() if end_s is None else end_s) * 1e6)
    times = [end_us - round((len(values) - 1 - n) * every_s * 1e6) for n in range(len(values))]
    record(person, [readings.Reading(metric=metric, time_us=at, scalar=value) for at, value in zip(times, values)])


def record(person: Member, rows: list[readings.Reading]) -> None:
    """Records readings of any kind by a new device of the person."""
    for row in rows:
        row.person_id = person.account_id
    answer = person.device().record(rows)
    assert answer.accepted == len(rows), answer
