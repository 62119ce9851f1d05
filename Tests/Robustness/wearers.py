"""Persons whose values cross limits, swing and waver about them while everything about them is killed."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from trackme import Reading

from emergency_runs import Crossing
from streams import METRIC_IDS

HOLD_S = 3.0
"""Of every default limit."""
QUIET_S = 600.0
"""How long a crossing must have been over for its episode to close."""
SECOND_US = 1_000_000


@dataclass(frozen=True)
class Vital:
    """Whole numbers about a default limit: NEWS2's extreme values, and the hysteresis beside them."""

    beyond: range
    wavering: range
    """Within the limit, and not so far that the crossing is over."""
    healthy: int


VITALS = {
    "heart_rate": Vital(range(30, 40), range(41, 46), 70),
    "blood_oxygen": Vital(range(75, 90), range(92, 94), 97),
    "respiratory_rate": Vital(range(26, 40), range(24, 25), 14),
}

COURSES = {"crossing": 10, "join": 3, "waver": 3, "again": 2}
"""What becomes of persons, and of how many compared with the others. Each but "again" is one emergency, that is two."""
LONG_COURSES = ("linger", "recover")
"""They take longer than `QUIET_S`: a value that wavers for so long is the same emergency, one that was well another."""


class Wearer:
    """One person's device. Batches go by a session that sends them again until they are acknowledged."""

    def __init__(
        self, person: int, session, rng: random.Random, crossings: list[Crossing],
        is_closed: Callable[[int], Awaitable[bool]],
    ):  # fmt: skip
        self._person, self._session, self._rng, self._crossings = person, session, rng, crossings
        self._is_closed = is_closed
        self._metric, self._other = rng.sample(list(VITALS), 2)

    async def wear(self, course: str, after_s: float) -> None:
        """Lives through a course, some time from now."""
        await asyncio.sleep(after_s)
        rng = self._rng
        match course:
            case "swing":
                await self._swing()
            case "crossing":
                await self._cross(rng.choice(["at once", "one reading", "live"]))
            case "join":
                await self._cross("live")
                await asyncio.sleep(rng.uniform(0, 4))
                await self._cross(rng.choice(["at once", "live"]), self._other)
            case "waver":
                await self._cross("live")
                await self._waver(rng.uniform(4, 12), 0.5, also_beyond=True)
            case "again":
                await self._cross("at once")
                if await self._is_closed(self._person):
                    # The limit that is crossed still calls no more; another one does.
                    await self._waver(2, 0.5, also_beyond=True)
                    await self._cross("live", self._other, episode=2)
            case "linger":
                await self._cross("live")
                await self._waver(QUIET_S + 20, 5, also_beyond=False)
                await self._send(self._metric, [(time.time() - HOLD_S - 0.1, "beyond"), (time.time(), "beyond")])
            case "recover":
                await self._cross("live")
                end = time.time() + QUIET_S + 20
                while time.time() < end:
                    await self._send(self._metric, [(time.time(), "healthy")])
                    await asyncio.sleep(5)
                await self._cross("live", episode=2)

    async def _swing(self) -> None:
        """Beyond the limit for less than the hold."""
        now = time.time()
        self._note(self._metric, now - HOLD_S + 0.2, now, 1, is_emergency=False)
        await self._send(self._metric, [(now - HOLD_S + 0.2, "beyond"), (now - 1, "healthy")])

    async def _cross(self, how: str, metric: str | None = None, episode: int = 1) -> None:
        metric = metric or self._metric
        now = time.time()
        match how:
            case "at once":
                began = now - HOLD_S - 0.1
                self._note(metric, began, now, episode)
                await self._send(metric, [(began, "beyond"), (now, "beyond")])
            case "one reading":
                self._note(metric, now, now + HOLD_S, episode)
                await self._send(metric, [(now, "beyond")])
            case "live":
                self._note(metric, now, now + HOLD_S, episode)
                for second in range(int(HOLD_S) + 2):
                    await asyncio.sleep(max(0.0, now + second - time.time()))
                    await self._send(metric, [(now + second, "beyond")])

    async def _waver(self, seconds: float, every_s: float, also_beyond: bool) -> None:
        """The value goes to and fro about the limit, never so far that its crossing is over."""
        end = time.time() + seconds
        while time.time() < end:
            where = self._rng.choice(["beyond", "wavering"]) if also_beyond else "wavering"
            await self._send(self._metric, [(time.time(), where)])
            await asyncio.sleep(every_s)

    def _note(self, metric: str, began_s: float, due_s: float, episode: int, is_emergency: bool = True) -> None:
        self._crossings.append(
            Crossing(
                self._person, time.time(), due_s, is_emergency, METRIC_IDS[metric], int(began_s * SECOND_US), episode
            )
        )

    async def _send(self, metric: str, rows) -> None:
        vital = VITALS[metric]
        values = {
            "beyond": lambda: self._rng.choice(vital.beyond),
            "wavering": lambda: self._rng.choice(vital.wavering),
            "healthy": lambda: vital.healthy,
        }
        await self._session.send(
            [Reading(self._person, metric, int(at * SECOND_US), float(values[where]())) for at, where in rows]
        )
