"""How long to wait before the next attempt."""

from __future__ import annotations

import random


class Backoff:
    """Waits that double from `first` to `last` seconds, each shortened at random by up to a half, so that many
    clients of one server do not return at the same moment."""

    def __init__(self, first: float = 0.1, last: float = 5.0, rng: random.Random | None = None):
        self._first, self._last = first, last
        self._rng = rng or random.Random()
        self._next = first

    def next_delay(self) -> float:
        """Seconds to wait now; the next answer is longer."""
        delay = self._next * self._rng.uniform(0.5, 1.0)
        self._next = min(self._next * 2, self._last)
        return delay

    def reset(self) -> None:
        """The last attempt succeeded."""
        self._next = self._first
