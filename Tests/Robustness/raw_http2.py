"""As much of HTTP/2 as somebody needs who begins calls and never sends a message: a gRPC library would take far more CPU
time for each."""

from __future__ import annotations

import asyncio
import struct
from collections import Counter

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PING, GOAWAY, WINDOW_UPDATE, CONTINUATION = 0, 1, 2, 3, 4, 6, 7, 8, 9
UNKNOWN = 66
ACK = END_STREAM = 1
END_HEADERS = 4


class RawConnection:
    """One connection. What comes is counted by the frames' kinds and thrown away."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, authority: str):
        self._reader, self._writer, self._authority = reader, writer, authority
        self._next = 1
        self._ended: set[bytes] = set()
        self.seen: Counter[str] = Counter()

    @staticmethod
    async def open(target: str) -> RawConnection:
        host, _, port = target.rpartition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        connection = RawConnection(reader, writer, target)
        writer.write(PREFACE + frame(SETTINGS, 0, 0))
        return connection

    def begin(self, path: str, headers: tuple[tuple[str, str], ...], count: int) -> None:
        """Begins so many calls, with no more than their headers."""
        block = bytes([0x83, 0x86, 0x04]) + text(path) + b"\x01" + text(self._authority)
        for name, value in (("content-type", "application/grpc"), ("te", "trailers"), *headers):
            block += b"\x00" + text(name) + text(value)
        for _ in range(count):
            self._writer.write(frame(HEADERS, END_HEADERS, self._next, block))
            self._next += 2

    async def read(self) -> None:
        """Reads until the server closes the connection, and answers what keeps it open."""
        try:
            while True:
                header = await self._reader.readexactly(9)
                content = await self._reader.readexactly(int.from_bytes(header[:3], "big"))
                kind, flags = header[3], header[4]
                if kind == SETTINGS and not flags & ACK:
                    self._writer.write(frame(SETTINGS, ACK, 0))
                elif kind == PING and not flags & ACK:
                    self._writer.write(frame(PING, ACK, 0, content))
                elif kind == RST_STREAM or kind == HEADERS and flags & END_STREAM:
                    self._ended.add(header[5:])
                    self.seen["ended"] = len(self._ended)
                elif kind == GOAWAY:
                    self.seen["goaway"] += 1
        except (asyncio.IncompleteReadError, OSError):
            self.seen["closed"] += 1

    def close(self) -> None:
        self._writer.close()


def frame(kind: int, flags: int, stream: int, content: bytes = b"") -> bytes:
    return len(content).to_bytes(3, "big") + struct.pack(">BBI", kind, flags, stream) + content


def text(characters: str) -> bytes:
    """As HPACK writes it, without Huffman's code."""
    content = characters.encode()
    assert len(content) < 127
    return bytes([len(content)]) + content
