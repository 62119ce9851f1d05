"""For how long the machine stood still, so that tests can judge what is promised in time on one that others use as well.

A quiet thread measures how late it is woken, and in a checker another one how long the disk takes to keep a byte. Neither is
part of how long something took, as little for whoever is tested: where a test's process does not get a processor, a server's
does not get one either.
"""

from __future__ import annotations

import os
import tempfile
import threading
import time

TICK_S = 0.02
LATE_S = 0.05
"""A thread that sleeps is woken sooner than this where there is a processor for it."""

DISK_S = 0.1
"""A disk that is not busy keeps a byte sooner than this."""

_stalls: list[tuple[float, float]] = []
"""From when to when, in seconds of time.monotonic(), by their ends; those of the disk may overlap with the others."""


def _watch(clock=time.monotonic, sleep=time.sleep) -> None:
    while True:
        began = clock()
        sleep(TICK_S)
        woken = clock()
        if woken - began > TICK_S + LATE_S:
            _stalls.append((began + TICK_S, woken))


def watch_disk(folder: str | os.PathLike | None = None) -> None:
    """From now on what its disk is late counts as well: for those who judge what has to be committed."""
    threading.Thread(target=_watch_disk, args=(folder,), name="stalls of the disk", daemon=True).start()


def _watch_disk(folder: str | os.PathLike | None) -> None:
    with tempfile.TemporaryFile(dir=folder, buffering=0) as file:
        while True:
            began = time.monotonic()
            file.write(b"\0")
            os.fsync(file.fileno())
            kept = time.monotonic()
            if kept - began > DISK_S:
                _stalls.append((began, kept))
            time.sleep(DISK_S)


def stood_still_s(began: float, ended: float) -> float:
    """How much of that time, of time.monotonic()."""
    still, until = 0.0, began
    for begin, end in sorted(list(_stalls)):
        still += max(0.0, min(end, ended) - max(begin, until))
        until = max(until, min(end, ended))
    return still


def stood_still_between_s(began: float, ended: float) -> float:
    """The same of time.time()."""
    ahead = time.time() - time.monotonic()
    return stood_still_s(began - ahead, ended - ahead)


def since(began: float) -> float:
    """How long it has been, since a moment of time.monotonic(), without what the machine stood still."""
    ended = time.monotonic()
    return ended - began - stood_still_s(began, ended)


def between(began: float, ended: float) -> float:
    """The same from one moment of time.time() to another."""
    return ended - began - stood_still_between_s(began, ended)


threading.Thread(target=_watch, name="stalls", daemon=True).start()
