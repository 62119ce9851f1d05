"""Hostile requests over HTTP, by the Connect protocol: bytes as over gRPC, and JSON, which is damaged as a text as well."""

from __future__ import annotations

import asyncio
import json
import random
import socket
import struct

import grpc
from google.protobuf import json_format
from google.protobuf.message import DecodeError

from calls import Method, Outcome
from web import END, envelope, failure_of

DEADLINE_S = 30
DAMAGED_SHARE = 0.4
DEEP = 5_000
"""Values within values."""
TOKENS = [
    "null", "true", "-0", "1e999", "1e-999", "-9223372036854775808", "18446744073709551616", "0.1", "01", "+1", "NaN",
    '"Infinity"', '"\\ud800"', '"\\u0000"', '"9999-12-31T23:59:59.999999999Z"', '"0000-00-00T00:00:00Z"', '"1e9s"', "[]", "{}",
    "[null]", '{"a":{}}', '"=="', '"////"', "'x'", '"\t"', '{"@type":"type.googleapis.com/google.protobuf.Any"}', "//", "",
]  # fmt: skip


def damaged(text: str, rng: random.Random) -> bytes:
    """JSON that is none, or none of its message."""
    place = rng.randrange(len(text) + 1)
    match rng.randrange(8):
        case 0:
            return text[:place].encode()
        case 1:
            return (text[:place] + rng.choice(TOKENS) + text[place:]).encode()
        case 2:
            # A value gives way to another one.
            start = text.find(":", place)
            end = min((at for at in (text.find(",", start), text.find("}", start)) if at > 0), default=len(text))
            return (text[: start + 1] + rng.choice(TOKENS) + text[end:]).encode()
        case 3:
            return text.replace("{", '{"' + rng.choice(("colour", "", "\\u0000", "personId")) + '":' + rng.choice(TOKENS) + ",", 1).encode()
        case 4:
            return (rng.choice(("[", '{"a":', '{"readings":[')) * rng.choice((3, 100, 101, DEEP))).encode()
        case 5:
            inner = text[1:-1]
            return ("{" + inner + "," + inner + "}").encode()
        case 6:
            bytes_ = bytearray(text.encode())
            bytes_[place % len(bytes_)] = rng.randrange(256)
            return bytes(bytes_)
        case _:
            return rng.choice((b"", b" ", b"\xff\xfe", b"\xef\xbb\xbf{}", b"{}{}", b"{}\0", b"null", b"0", b'""', rng.randbytes(20)))


class ConnectCalls:
    """Calls of one worker, one after the other, on one connection for as long as it lasts."""

    def __init__(self, address: str, rng: random.Random):
        self._address, self._rng = address.rpartition(":"), rng
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def call(self, method: Method, token: str | None, frames: list[bytes]) -> Outcome:
        """What becomes of one of the frames; a stream is left after its first response."""
        codec, body = self._body(method, self._rng.choice(frames))
        is_stream = method.client_streams or method.server_streams
        if is_stream:
            body = envelope(body)
        lines = [f"POST {method.path} HTTP/1.1", "Host: x", f"Content-Length: {len(body)}", "Connect-Protocol-Version: 1",
                 f"Connect-Timeout-Ms: {DEADLINE_S * 1_000}", f"Content-Type: application/{'connect+' * is_stream}{codec}"]  # fmt: skip
        lines += [f"Authorization: Bearer {token}"] * bool(token)
        try:
            async with asyncio.timeout(DEADLINE_S):
                got = await self._exchange("\r\n".join([*lines, "", ""]).encode() + body, is_stream)
        except (OSError, asyncio.IncompleteReadError, ValueError) as error:
            self.close()
            return Outcome(grpc.StatusCode.UNKNOWN, f"no answer: {error!r}")
        if got.reason == "INVALID_MESSAGE" and codec == "json":
            # It is named as it stands in the text.
            got.fields = [""]
        return got

    def _body(self, method: Method, frame: bytes) -> tuple[str, bytes]:
        if self._rng.random() < 0.3:
            return "proto", frame
        try:
            message = method.request.FromString(frame)
            text = json_format.MessageToJson(message, indent=None)
        except (DecodeError, json_format.Error, ValueError, TypeError, OverflowError):
            return "proto", frame
        return "json", damaged(text, self._rng) if self._rng.random() < DAMAGED_SHARE else text.encode()

    async def _exchange(self, request: bytes, is_stream: bool) -> Outcome:
        if self._streams is None:
            self._streams = await asyncio.open_connection(self._address[0], int(self._address[2]))
            # Without leaving a port behind.
            link = self._streams[1].get_extra_info("socket")
            link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        reader, writer = self._streams
        writer.write(request)
        head = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        status = int(head.split(" ", 2)[1])
        if "transfer-encoding: chunked" in head:
            return await self._first(reader)
        length = next(int(line.partition(":")[2]) for line in head.splitlines() if line.startswith("content-length:"))
        body = await reader.readexactly(length)
        if "connection: close" in head:
            self.close()
        if status == 200:
            return _ended(body) if is_stream else Outcome(grpc.StatusCode.OK)
        return failure_of(json.loads(body))

    async def _first(self, reader: asyncio.StreamReader) -> Outcome:
        """The first frame of a stream; with it, the connection is left."""
        frame = b""
        while len(frame) < 5 or len(frame) < 5 + int.from_bytes(frame[1:5], "big"):
            count = int(await reader.readuntil(b"\r\n"), 16)
            if count == 0:
                raise ValueError("the stream has no end")
            frame += (await reader.readexactly(count + 2))[:-2]
        self.close()
        return _ended(frame)

    def close(self) -> None:
        if self._streams is not None:
            self._streams[1].transport.abort()
        self._streams = None


def _ended(frame: bytes) -> Outcome:
    length = int.from_bytes(frame[1:5], "big")
    end = json.loads(frame[5 : 5 + length]) if frame[0] == END else {}
    return failure_of(end["error"]) if "error" in end else Outcome(grpc.StatusCode.OK)
