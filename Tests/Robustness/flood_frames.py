"""What floods of HTTP/2 frames are made of. Everything is written before it is sent, so that one process can send as much
as a machine takes; and nobody here has a token."""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache
from itertools import count, cycle, repeat

from raw_http2 import (
    CONTINUATION, DATA, END_HEADERS, END_STREAM, HEADERS, PING, PREFACE, PRIORITY, RST_STREAM, SETTINGS, UNKNOWN,
    WINDOW_UPDATE, frame, text,
)  # fmt: skip

LOG_IN = "/trackme.identity.v1.IdentityService/LogIn"
FORM = "/trackme.identity.v1.IdentityService/GetRegistrationForm"
REFLECTION = "/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo"
BLOCK_BYTES = 64 << 10
FRAME_BYTES = 16 << 10
"""The most that one has."""
CALLS_PER_CONNECTION = 1 << 20
"""After which a connection is begun anew."""
CALLS_PER_VISIT = 30
"""On a connection that does not stay: about a kilobyte."""
_CANCEL = (8).to_bytes(4, "big")
_INITIAL_WINDOW_SIZE = (4).to_bytes(2, "big")

Block = tuple[bytes, int]
"""What is sent in one piece, and how many calls or frames are in it."""


@dataclass(frozen=True)
class Flood:
    """What a connection says. Settings are never acknowledged: until they are, they bind nobody."""

    unit: str
    """What is counted: calls or frames."""
    blocks: Callable[[], Iterable[Block]]
    """Until the connection is begun anew."""
    opening: bytes = PREFACE + frame(SETTINGS, 0, 0)
    reads: bool = True
    """Whether it takes what the server says, and throws it away."""
    stays: bool = True
    """Whether the connection is kept when all is said."""


def _headers(path: str, is_first: bool) -> bytes:
    """Of a call, without priority and padding. The first ones go into HPACK's table: later ones are six bytes."""
    if is_first:
        added = ((b"\x44", path), (b"\x41", "trackme"), (b"\x5f", "application/grpc"), (b"\x40" + text("te"), "trailers"))
        return b"\x83\x86" + b"".join(name + text(value) for name, value in added)
    return b"\x83\x86\xc1\xc0\xbf\xbe"


def _call(path: str, stream: int, rest: Callable[[int], bytes]) -> bytes:
    return frame(HEADERS, END_HEADERS, stream, _headers(path, stream == 1)) + rest(stream)


class _Calls:
    """Blocks of calls, written when a connection first comes to them, and kept for the others."""

    def __init__(self, path: str, rest: Callable[[int], bytes]):
        """`rest` is what follows the headers of the call with that stream's number."""
        self._path, self._rest, self._next = path, rest, 1
        self._blocks: list[Block] = []

    def __call__(self) -> Iterable[Block]:
        for number in count():
            if number == len(self._blocks):
                if self._next > 2 * CALLS_PER_CONNECTION:
                    return
                self._blocks.append(self._written())
            yield self._blocks[number]

    def _written(self) -> Block:
        block, first = bytearray(), self._next
        while len(block) < BLOCK_BYTES:
            block += _call(self._path, self._next, self._rest)
            self._next += 2
        return bytes(block), (self._next - first) // 2


def _message(stream: int, content: bytes) -> bytes:
    """A call's only message, of fewer than 256 bytes."""
    return frame(DATA, END_STREAM, stream, bytes([0, 0, 0, 0, len(content)]) + content)


def _reset(stream: int) -> bytes:
    return frame(RST_STREAM, 0, stream, _CANCEL)


def _log_in(stream: int) -> bytes:
    """With a name of its own, as refusals may be counted by name."""
    return _message(stream, b"\x0a" + text(f"nobody-{stream}") + b"\x12" + text("a wrong password"))


def _form(stream: int) -> bytes:
    return _message(stream, b"\x08\x01")


@cache
def _bomb() -> list[bytes]:
    """A message of 60 MiB that is compressed to 60 KB, in pieces for frames."""
    bomb = gzip.compress(bytes(60 << 20))
    message = b"\1" + len(bomb).to_bytes(4, "big") + bomb
    return [message[start : start + FRAME_BYTES] for start in range(0, len(message), FRAME_BYTES)]


def _bombs() -> Iterable[Block]:
    *first, last = _bomb()
    for stream in range(1, 2 * CALLS_PER_CONNECTION, 2):
        encoded = b"\x00" + text("grpc-encoding") + text("gzip")
        headers = frame(HEADERS, END_HEADERS, stream, _headers(LOG_IN, stream == 1) + encoded)
        pieces = b"".join(frame(DATA, 0, stream, piece) for piece in first)
        yield headers + pieces + frame(DATA, END_STREAM, stream, last), 1


def _endless() -> Iterable[Block]:
    """A message of 4 GiB, and every 64 KiB of it a question of another call, so that its connection seems to be alive."""
    question = b"\0\0\0\0\2" + b"\x3a\0"
    yield _call(REFLECTION, 1, lambda stream: frame(DATA, 0, stream, question)), 2
    yield _call(REFLECTION, 3, lambda stream: frame(DATA, 0, stream, b"\0\xff\xff\xff\xff")), 2
    yield from repeat((frame(DATA, 0, 3, bytes(FRAME_BYTES)) * 4 + frame(DATA, 0, 1, question), 5))


def _few_resets() -> Iterable[Block]:
    calls = [_call(LOG_IN, stream, _reset) for stream in range(1, 2 * CALLS_PER_VISIT, 2)]
    return [(b"".join(calls), len(calls))]


def _empty_data() -> Iterable[Block]:
    """A call whose message never comes; now and then another one, as the server ends them."""
    frames = BLOCK_BYTES // 9
    for stream in range(1, 2 * CALLS_PER_CONNECTION, 2):
        yield frame(HEADERS, END_HEADERS, stream, _headers(LOG_IN, stream == 1)), 0
        yield from repeat((frame(DATA, 0, stream) * frames, frames), 16)


def _settings() -> Iterable[Block]:
    """Windows for answers that change with each frame."""
    two = b"".join(frame(SETTINGS, 0, 0, _INITIAL_WINDOW_SIZE + size.to_bytes(4, "big")) for size in (65_535, 65_536))
    pairs = BLOCK_BYTES // len(two)
    return repeat((two * pairs, 2 * pairs))


def _pings() -> Iterable[Block]:
    ping = frame(PING, 0, 0, b"trackme?")
    frames = BLOCK_BYTES // len(ping)
    return repeat((ping * frames, frames))


def _others() -> Iterable[Block]:
    """Weights of streams that nobody opened, room for answers that nobody asked for, and frames of a kind that is none."""
    three = frame(PRIORITY, 0, 1, bytes(4) + b"\1") + frame(WINDOW_UPDATE, 0, 0, bytes(3) + b"\1") + frame(UNKNOWN, 0, 0)
    triples = BLOCK_BYTES // len(three)
    return repeat((three * triples, 3 * triples))


def _continuations() -> Iterable[Block]:
    """Headers that never end: parts without anything, and parts that name a header per byte, out of HPACK's table."""
    nothing, much = frame(CONTINUATION, 0, 1), frame(CONTINUATION, 0, 1, b"\x90" * (16 << 10))
    return cycle([(nothing * (BLOCK_BYTES // 9), BLOCK_BYTES // 9), (much * 4, 4)])


_BEGIN = PREFACE + frame(SETTINGS, 0, 0)
_LOG_INS = _Calls(LOG_IN, _log_in)
FLOODS = {
    "rapid reset": Flood("calls", _Calls(LOG_IN, _reset)),
    "brief connections": Flood("calls", _few_resets, stays=False),
    "log-ins": Flood("calls", _LOG_INS),
    "log-ins unread": Flood("calls", _LOG_INS, reads=False),
    "silent calls": Flood("calls", _Calls(LOG_IN, lambda _: b"")),
    "empty DATA": Flood("frames", _empty_data),
    "SETTINGS": Flood("frames", _settings),
    "PING": Flood("frames", _pings),
    "other frames": Flood("frames", _others),
    "CONTINUATION": Flood("frames", _continuations, _BEGIN + frame(HEADERS, 0, 1, _headers(LOG_IN, True))),
    "compressed": Flood("calls", _bombs),
    "endless messages": Flood("frames", _endless),
    "zero windows": Flood("calls", _Calls(FORM, _form), PREFACE + frame(SETTINGS, 0, 0, _INITIAL_WINDOW_SIZE + bytes(4))),
}
"""By their names in `hostile.py --flood`."""
