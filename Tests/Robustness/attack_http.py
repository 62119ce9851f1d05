"""What may hurt over HTTP: heads and bodies that hardly come or never end, answers that nobody takes, connections on which
nothing is said, and requests that two readers might read differently."""

from __future__ import annotations

import asyncio
import re
import socket
from collections.abc import AsyncIterator

from hostile_cast import Metadata
from hostile_stage import Stage

LOG_IN = "/trackme.identity.v1.IdentityService/LogIn"
FORM = "/trackme.identity.v1.IdentityService/GetRegistrationForm"
RECORD = "/trackme.ingest.v1.IngestService/RecordReadings"
WATCH = "/trackme.readings.v1.ReadingService/WatchReadings"
EXPORT = "/trackme.readings.v1.ReadingService/ExportReadings"
SUBSCRIBE = "/trackme.sharing.v1.SubscriptionService/Subscribe"
AGAIN_S = 2
"""After which a connection that was closed is opened again."""
DRIP_S = 1.0
"""Between two bytes of what comes slowly."""
PART = b"x" * 16_384


def head(path: str, who: Metadata, *lines: str, method: str = "POST", content: str = "application/json") -> bytes:
    """A request's head, but for the empty line at its end."""
    fields = [f"{name}: {value}" for name, value in who]
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: x", f"Content-Type: {content}", *fields, *lines, ""]).encode()


async def drip(text: bytes) -> AsyncIterator[bytes]:
    """Byte by byte."""
    for byte in text:
        yield bytes([byte])
        await asyncio.sleep(DRIP_S)


async def flood(first: bytes, part: bytes) -> AsyncIterator[bytes]:
    """As fast as it is taken, and for ever."""
    yield first
    while True:
        yield part


async def say(stage: Stage, parts: AsyncIterator[bytes]) -> bytes:
    """Sends on a connection of its own until the server answers or closes it; what has come."""
    try:
        reader, writer = await asyncio.open_connection(*stage.cast.web_address)
    except OSError:
        stage.statuses["refused"] += 1
        return b""
    answer = asyncio.create_task(reader.read(65_536))

    async def send() -> None:
        async for part in parts:
            writer.write(part)
            await writer.drain()

    sending = asyncio.create_task(send())
    try:
        await asyncio.wait([answer], timeout=stage.left_s)
        came = answer.result() if answer.done() and not answer.exception() else b""
        stage.statuses[_status(came) if answer.done() else "left open"] += 1
        return came
    finally:
        for task in (answer, sending):
            task.cancel()
        await asyncio.gather(answer, sending, return_exceptions=True)
        writer.transport.abort()


def _status(answer: bytes) -> str:
    """The status of an answer; INTERNAL is never one of a request."""
    number = answer[9:12].decode(errors="replace")
    return "INTERNAL" if number == "500" or b'"internal"' in answer or b'"unknown"' in answer else number or "closed"


async def _again(stage: Stage, count: int, act) -> None:
    """So many at once, each again when it has ended."""

    async def repeat(number: int) -> None:
        while not stage.is_over:
            await act(number)
            await asyncio.sleep(AGAIN_S)

    async with asyncio.TaskGroup() as tasks:
        for number in range(count):
            tasks.create_task(repeat(number))
            await asyncio.sleep(0.002)


async def slow_heads(stage: Stage) -> None:
    """Connections on which nothing is said, half a word, or a head that comes byte by byte."""
    text = head("/", (), "A: " + "b" * 1_000, method="GET")

    async def begin(number: int) -> None:
        await say(stage, drip((b"", b"G", text)[number % 3]))

    await _again(stage, stage.scale(300, 3_000), begin)


async def slow_bodies(stage: Stage) -> None:
    """Bodies of strangers and of accounts that were announced and come byte by byte."""

    async def begin(number: int) -> None:
        path, who = ((LOG_IN, stage.stranger()), (RECORD, stage.account(stage.place(number))), (RECORD, stage.stranger()))[number % 3]
        first = head(path, who, f"Content-Length: {stage.rng.choice((10, 100_000, 4 << 20))}") + b"\r\n"

        async def parts() -> AsyncIterator[bytes]:
            yield first
            async for byte in drip(b" " * 1_000):
                yield byte

        await say(stage, parts())

    await _again(stage, stage.scale(150, 3_000), begin)


async def endless_bodies(stage: Stage) -> None:
    """Bodies in chunks that never end, unary and as streams."""
    chunk = b"4000\r\n" + PART + b"\r\n"

    async def begin(number: int) -> None:
        who = stage.account(stage.place(number)) if number % 2 else stage.stranger()
        path, content = ((LOG_IN, "application/json"), (RECORD, "application/proto"), (SUBSCRIBE, "application/connect+proto"))[number % 3]
        await say(stage, flood(head(path, who, "Transfer-Encoding: chunked", content=content) + b"\r\n", chunk))

    await _again(stage, stage.scale(6, 40), begin)


async def huge_heads(stage: Stage) -> None:
    """Heads of one long line and of very many lines, without an end."""

    async def begin(number: int) -> None:
        first, part = ((head("/", ()) + b"A: ", PART), (head("/", ()), b"A: b\r\n" * 500), (b"GET /", PART))[number % 3]
        await say(stage, flood(first, part))

    await _again(stage, stage.scale(6, 40), begin)


async def untaken_answers(stage: Stage) -> None:
    """Streams and files that are asked for, and of which nothing is read."""

    async def begin(number: int) -> None:
        connection = socket.socket()
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        connection.setblocking(False)
        try:
            await asyncio.get_running_loop().sock_connect(connection, stage.cast.web_address)
            who = stage.account(stage.place(number))
            path = (WATCH, EXPORT)[number % 2]
            stream = head(path, who, "Content-Length: 7", content="application/connect+json") + b"\r\n\0\0\0\0\2{}"
            page = head("/", (), method="GET") + b"\r\n"
            await asyncio.get_running_loop().sock_sendall(connection, page * 200 if number % 3 == 0 else stream)
            stage.statuses["begun"] += 1
            await asyncio.sleep(min(5.0, stage.left_s))
        except OSError:
            stage.statuses["refused"] += 1
        finally:
            connection.close()

    await _again(stage, stage.scale(40, 400), begin)


SMUGGLED = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
"""Stands in a body; whoever takes it for a request answers with "ok"."""
AMBIGUOUS = [
    (f"Content-Length: {len(SMUGGLED)}", "Transfer-Encoding: chunked"), ("Content-Length: 0", f"Content-Length: {len(SMUGGLED)}"),
    ("Transfer-Encoding: chunked", "Transfer-Encoding: identity"), ("Transfer-Encoding : chunked",), ("Transfer-Encoding: xchunked",),
    ("Transfer-Encoding: chunked, identity",), ("Content-Length: +0",), ("Content-Length: 0x0",), ("Host: y", "Content-Length: 0"),
    ("Content-Length: 0\r\n Content-Length: 33",), ("A: b\nContent-Length: 0",),
]  # fmt: skip


async def smuggling(stage: Stage) -> None:
    """Requests whose end two readers might see at different places."""

    async def send(number: int) -> None:
        lines = AMBIGUOUS[number % len(AMBIGUOUS)]
        text = head(FORM, stage.stranger(), *lines) + b"\r\n" + b"0\r\n\r\n" * (number % 2) + SMUGGLED

        async def parts() -> AsyncIterator[bytes]:
            yield text

        answer = await say(stage, parts())
        # libmicrohttpd says twice that a length is none.
        if any(status not in (b"400", b"501") for status in re.findall(rb"HTTP/1\.1 (\d+)", answer)):
            stage.problems.append(f"{lines} was taken for a request: {answer!r}")

    await stage.repeat(send, rate=stage.scale(50, 500), side_by_side=4)
