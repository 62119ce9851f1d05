"""Sends hostile requests, several at once, and checks every answer; started by fuzz.py.

    python Tests/Robustness/fuzz_client.py TARGETS --requests N --seed N
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import sys
import time
from collections import Counter
from functools import partial
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "EndToEnd")]

import grpc  # noqa: E402

from calls import Method, Outcome, outcome_of, reflected_methods  # noqa: E402
from findings import SHOWN, is_late, late, packed  # noqa: E402
from fuzz_connect import ConnectCalls  # noqa: E402
from hostile_messages import number_fields  # noqa: E402
from hostile_targets import LATER_FRAMES, NUMBERS, check_answer  # noqa: E402
from random_messages import RandomMessages  # noqa: E402
from sealed import EXTREMES, KINDS, MAX, MIN, RACE, sealed, unsealed  # noqa: E402
from statuses import FORGOTTEN  # noqa: E402
from streams import metadata  # noqa: E402

AT_ONCE = 8
SLOW_S = 2.0
"""No call takes so long, by itself: when it does, it is made once more."""
PASSWORD_S = 10.0
"""Nor one of `PASSWORDS`, which give way to all else, while this checker leaves no processor idle."""
PASSWORDS = {
    "ChangePassword", "CreateDeskOperator", "DeactivateAccount", "LinkOpenID", "LogIn", "RegisterPerson",
    "RegisterThirdParty",
}
"""Methods that hash a password."""
DEADLINE_S = 30
TICK_S = 0.02
WAYS = {"random": 25, "changed": 45, "changed twice": 10, "number": 10, "garbage": 10}
"""How a request is made, and how often."""


class Client:
    """Chooses a target and a request, calls, and judges the answer, again and again."""

    def __init__(self, said: dict, methods: list[Method], requests: int, rng: random.Random):
        """`said` is what fuzz.py writes for its clients."""
        self._address, self._left, self._rng = said["target"], requests, rng
        self._web = said.get("web")
        self._targets, self._methods = said["targets"], {m.path: m for m in methods}
        self._numbers = {m.path: [*number_fields(m.request.DESCRIPTOR)] for m in methods}
        key, races = bytes.fromhex(said["key"]), [*said["races"], 1]
        self._messages = RandomMessages(rng, {n: lambda: self._token(key, races) for n in ("cursor", "page_token")})
        self.statuses: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self.problems: list[str] = []
        self._stalled_s = 0.0
        """For how long this process did nothing, in all: calls were not slow because of that."""

    async def run(self) -> None:
        ticking = asyncio.create_task(self._tick())
        async with grpc.aio.insecure_channel(self._address) as channel, asyncio.TaskGroup() as tasks:
            for _ in range(AT_ONCE):
                calls = ConnectCalls(self._web, self._rng) if self._web else None
                tasks.create_task(self._work(calls.call if calls else partial(call, channel)))
        ticking.cancel()

    async def _work(self, call) -> None:
        """`call` makes one, given a method, a token and frames."""
        while self._left > 0:
            self._left -= 1
            target = self._rng.choice(self._targets)
            method = self._methods[target["path"]]
            how, frames = self._frames(method, bytes.fromhex(target["good"]))
            slow_s = PASSWORD_S if method.name in PASSWORDS else SLOW_S
            try:
                got, seconds = await self._timed(call, method, target["token"], frames)
                if seconds > slow_s:
                    self.counts["slow"] += 1
                    _, seconds = await self._timed(call, method, target["token"], frames)
                if seconds > slow_s:
                    self.problems.append(late(seconds, slow_s, 0, f"{method.path}, {how}: took {seconds:.2f} s, twice"))
                # Nothing can be said of it but that the server's log has no failure.
                is_forgotten = got.message == FORGOTTEN
                self.statuses["forgotten" if is_forgotten else got.code.name] += 1
                if is_forgotten:
                    continue
                if target["is_known"]:
                    self.counts["known"] += 1
                    self.counts["unknown"] += got.code == grpc.StatusCode.UNAUTHENTICATED
                check_answer(method, got)
            except AssertionError as error:
                content = " ".join(frame[:2_000].hex() for frame in frames)
                self.problems.append(f"{method.path}, {how}: {error}: {content}")

    async def _timed(self, call, method: Method, token: str | None, frames: list[bytes]) -> tuple[Outcome, float]:
        began, stalled_s = time.monotonic(), self._stalled_s
        got = await call(method, token, frames)
        return got, time.monotonic() - began - (self._stalled_s - stalled_s)

    async def _tick(self) -> None:
        while True:
            began = time.monotonic()
            await asyncio.sleep(TICK_S)
            self._stalled_s += max(0.0, time.monotonic() - began - 2 * TICK_S)

    def _frames(self, method: Method, good: bytes) -> tuple[str, list[bytes]]:
        (how,) = self._rng.choices(list(WAYS), WAYS.values())
        descriptor, messages, numbers = method.request.DESCRIPTOR, self._messages, self._numbers[method.path]
        match how:
            case "random":
                content = messages.message(descriptor)
            case "changed":
                content = good + messages.change(descriptor)
            case "changed twice":
                content = good + messages.change(descriptor) + messages.change(descriptor)
            case "number":
                content = good + (self._rng.choice(numbers)[1](self._rng.choice(NUMBERS)) if numbers else b"")
            case _:
                content = messages.garbage(good)
        if (later := LATER_FRAMES.get(method.name)) is not None and self._rng.random() < 0.5:
            return how, [good, content if how in ("random", "garbage") else later.SerializeToString() + content]
        return how, [content]

    def _token(self, key: bytes, races: list[int]) -> bytes:
        """A cursor or a page token that is well-formed."""
        rng = self._rng
        numbers = [rng.choice((*EXTREMES, rng.randrange(MIN, MAX), rng.randrange(10))) for _ in range(4)]
        some = numbers[: rng.randrange(1, 5)]
        numbers[0] = rng.choice(races)
        return rng.choice(
            [unsealed("1", *some), unsealed("r1", *numbers), sealed(key, rng.choice(KINDS), *some),
             sealed(key, RACE, *numbers)]
        ).encode()  # fmt: skip


async def call(channel: grpc.aio.Channel, method: Method, token: str | None, frames: list[bytes]) -> Outcome:
    """Calls, and waits for as many responses as there are frames, or the end if that comes before."""
    options = {"metadata": metadata(token), "timeout": DEADLINE_S}
    if not method.server_streams:
        try:
            await channel.unary_unary(method.path)(frames[0], **options)
            return Outcome(grpc.StatusCode.OK)
        except grpc.aio.AioRpcError as error:
            return outcome_of(error)
    stream = None
    try:
        if method.client_streams:
            stream = channel.stream_stream(method.path)(**options)
            for frame in frames:
                await stream.write(frame)
            await stream.done_writing()
        else:
            stream = channel.unary_stream(method.path)(frames[0], **options)
        for _ in frames:
            if await stream.read() is grpc.aio.EOF:
                return await _end(stream)
        return Outcome(grpc.StatusCode.OK)
    except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
        return await _end(stream)
    finally:
        stream.cancel()


async def _end(stream) -> Outcome:
    """The status of the call itself: an error of a write has lost it."""
    code = await stream.code()
    if code == grpc.StatusCode.OK:
        return Outcome(code)
    first, last = await stream.initial_metadata(), await stream.trailing_metadata()
    return outcome_of(grpc.aio.AioRpcError(code, first, last, await stream.details()))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("targets", type=Path)
    parser.add_argument("--requests", type=int, required=True)
    parser.add_argument("--seed", type=int, required=True)
    options = parser.parse_args()
    said = json.loads(options.targets.read_text())
    with grpc.insecure_channel(said["target"]) as channel:
        methods = reflected_methods(channel)
    client = Client(said, methods, options.requests, random.Random(options.seed))
    asyncio.run(client.run())
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(
        json.dumps(
            {"statuses": client.statuses, "counts": client.counts,
             "problems": packed(sorted(client.problems, key=is_late)[:SHOWN]),
             "cpu_s": used.ru_utime + used.ru_stime}
        )
    )  # fmt: skip


if __name__ == "__main__":
    main()
