"""Persons whose values cross limits while everything about them is killed."""

from __future__ import annotations

import asyncio
import random
import time

from trackme import Reading

from emergency_runs import Crossing

HOLD_S = 3.0
"""Of every default limit."""
SECOND_US = 1_000_000
_VALUES = {"heart_rate": (30, 40), "blood_oxygen": (75, 90), "respiratory_rate": (26, 40)}
"""Beyond the limits of NEWS2's extreme values."""
_HEALTHY = {"heart_rate": 70, "blood_oxygen": 97, "respiratory_rate": 14}


class Wearer:
    """One person's device. Batches go by a session that sends them again until they are acknowledged."""

    def __init__(self, person: int, session, rng: random.Random):
        self._person, self._session, self._rng = person, session, rng
        self._metric = rng.choice(list(_VALUES))

    async def wear(self, swings: bool, after_s: float, crossings: list[Crossing]) -> None:
        """Crosses a limit once, some time from now; or swings about it for less than the hold."""
        await asyncio.sleep(after_s)
        now = time.time()
        crossing = Crossing(self._person, now, now, not swings)
        crossings.append(crossing)
        if swings:
            await self._send([(now - HOLD_S + 0.2, self._beyond()), (now - 1, _HEALTHY[self._metric])])
            return
        match self._rng.choice(["at once", "one reading", "live"]):
            case "at once":
                await self._send([(now - HOLD_S - 0.1, self._beyond()), (now, self._beyond())])
            case "one reading":
                crossing.due_s = now + HOLD_S
                await self._send([(now, self._beyond())])
            case "live":
                crossing.due_s = now + HOLD_S
                for second in range(int(HOLD_S) + 2):
                    await asyncio.sleep(max(0.0, now + second - time.time()))
                    await self._send([(now + second, self._beyond())])

    def _beyond(self) -> float:
        return float(self._rng.randrange(*_VALUES[self._metric]))

    async def _send(self, rows) -> None:
        readings = [Reading(self._person, self._metric, int(at * SECOND_US), value) for at, value in rows]
        await self._session.send(readings)
