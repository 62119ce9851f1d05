"""What every attack has at hand: callers, channels, random numbers, and the count of how its calls ended."""

from __future__ import annotations

import asyncio
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable

import grpc

from hostile_bridge import OPTIONS
from hostile_cast import ATTACKERS, STOLEN, Cast, Metadata, said, stranger
from statuses import FORGOTTEN

class Stage:
    def __init__(self, cast: Cast, rng: random.Random, until_s: float, is_long: bool):
        self.cast, self.rng, self.until_s, self.is_long = cast, rng, until_s, is_long
        self.statuses: Counter[str] = Counter()
        self.problems: list[str] = []
        """Promises to those who are attacked that were broken."""

    @property
    def is_over(self) -> bool:
        return time.time() > self.until_s

    @property
    def left_s(self) -> float:
        return max(0.0, self.until_s - time.time())

    def scale(self, short: int, long: int) -> int:
        """So many of something: fewer in the short form."""
        return long if self.is_long else short

    def channel(self, *options: tuple[str, object]) -> grpc.aio.Channel:
        """A connection of its own."""
        return grpc.aio.insecure_channel(self.cast.target, (*OPTIONS, *options))

    def place(self, number: int) -> int:
        """The accounts that attack by turns, but the one whose device is stolen: whoever took its session too could hold
        all of that session's calls."""
        place = number % (ATTACKERS - 1)
        return place + (place >= STOLEN)

    def account(self, place: int, kind: str = "session") -> Metadata:
        """One of the accounts that attack, from an address of theirs."""
        account = self.cast.attackers[place % ATTACKERS]
        return said(self.cast.token(kind, account), f"203.0.113.{place % ATTACKERS + 1}")

    def person(self, place: int) -> int:
        return self.cast.attackers[place % ATTACKERS]

    def stranger(self) -> Metadata:
        return stranger(self.rng.randrange(10_000))

    async def call(self, method, request, metadata: Metadata, timeout: float = 60):
        """A unary call; its response, or None where it failed. One that is broken off at the end counts as unanswered: the
        server lets those wait that cost it much."""
        try:
            response = await method(request, metadata=metadata, timeout=timeout)
            self.statuses["OK"] += 1
            return response
        except grpc.aio.AioRpcError as error:
            self.statuses[error.code().name] += 1
            return None
        except asyncio.CancelledError:
            self.statuses["unanswered"] += 1
            raise

    async def note_end(self, call) -> None:
        """Waits for the end of a stream, and counts its status: that of the call, where an error of a write has lost
        it."""
        code = await call.code()
        self.statuses["forgotten" if await call.details() == FORGOTTEN else code.name] += 1

    async def repeat(self, act: Callable[[int], Awaitable], rate: float, side_by_side: int) -> None:
        """Acts until the end, at most so often a second and so many times at once."""
        number = 0
        begin = time.time()

        async def work() -> None:
            nonlocal number
            while not self.is_over:
                mine, number = number, number + 1
                await asyncio.sleep(max(0.0, begin + mine / rate - time.time()))
                if not self.is_over:
                    await act(mine)

        async with asyncio.TaskGroup() as tasks:
            for _ in range(side_by_side):
                tasks.create_task(work())
