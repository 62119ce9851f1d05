"""What attacks on anonymous groups are tried on first: groups that are only counted.

Whoever asks about fewer persons than a thousand is refused, and everybody else hears exact numbers, or rounded ones. That is
how groups are often made anonymous, and it does not work: an attack that fails here as well would show nothing.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass

THRESHOLD = 1_000


@dataclass(frozen=True)
class Told:
    """What is told of a day; None where it is withheld."""

    persons: float | None = None
    total: float | None = None
    """What the persons' means are above the middle of the scale, added up."""


@dataclass(frozen=True)
class Subject:
    """A person with what a threshold system has stored of them."""

    weight: float
    readings: Sequence[Sequence[float]]
    """By day: values of the readings of that day."""


class PlainThreshold:
    """Answers by going through all readings."""

    def __init__(self, subjects: Sequence[Subject], days: int, middle: float, rounding: int = 1):
        self.subjects, self.days, self.middle, self.rounding = subjects, days, middle, rounding

    def ask(self, from_weight_kg: float = 0, to_weight_kg: float = 1_000, minimum_persons: int = THRESHOLD) -> list[Told]:
        """Each day's answer."""
        chosen = [s for s in self.subjects if from_weight_kg <= s.weight < to_weight_kg]
        return [self._day([s.readings[day] for s in chosen if s.readings[day]], minimum_persons) for day in range(self.days)]

    def _day(self, readings: list[Sequence[float]], minimum_persons: int) -> Told:
        if len(readings) < max(minimum_persons, THRESHOLD):
            return Told()
        total = 0.0
        for of_person in readings:
            sum_of_person = 0.0
            for value in of_person:
                sum_of_person += value
            total += sum_of_person / len(of_person) - self.middle
        count = len(readings)
        return Told(self.rounding * ((count + self.rounding // 2) // self.rounding), total)

    def timed(self) -> list[float]:
        """How many seconds of computing it takes to answer about each day: the fastest of some rounds, because whatever
        else the machine does comes and goes."""
        chosen = [[s.readings[day] for s in self.subjects if s.readings[day]] for day in range(self.days)]
        fastest = [float("inf")] * self.days
        for _ in range(20):
            for day, readings in enumerate(chosen):
                began = time.thread_time()
                self._day(readings, THRESHOLD)
                fastest[day] = min(fastest[day], time.thread_time() - began)
        return fastest
