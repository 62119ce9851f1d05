"""For how long the machine stood still, so that tests can judge what is promised in time on one that others use as well.

A quiet thread measures how late it is woken. What it was late is no part of how long something took, as little for whoever is
tested: where a test's process does not get a processor, a server's does not get one either.
"""

from __future__ import annotations

import threading
import time

TICK_S = 0.02
LATE_S = 0.05
"""A thread that sleeps is woken sooner than this where there is a processor for it."""

_stalls: list[tuple[float, float]] = []
"""From when to when, in seconds of time.monotonic()."""


def _watch() -> None:
    while True:
        began = time.monotonic()
        time.sleep(TICK_S)
        woken = time.monotonic()
        if woken - began > TICK_S + LATE_S:
            _stalls.append((began + TICK_S, woken))


def stood_still_s(began: float, ended: float) -> float:
    """How much of that time, of time.monotonic()."""
    return sum(max(0.0, min(end, ended) - max(begin, began)) for begin, end in list(_stalls))


def since(began: float) -> float:
    """How long it has been, since a moment of time.monotonic(), without what the machine stood still."""
    ended = time.monotonic()
    return ended - began - stood_still_s(began, ended)


def between(began: float, ended: float) -> float:
    """The same from one moment of time.time() to another."""
    ahead = time.time() - time.monotonic()
    return ended - began - stood_still_s(began - ahead, ended - ahead)


threading.Thread(target=_watch, name="stalls", daemon=True).start()
