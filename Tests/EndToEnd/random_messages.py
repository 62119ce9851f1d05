"""The same requests that no good client sends as in hostile_messages.py, drawn from one random generator: a hundred
times as fast, and without Hypothesis's way back to the smallest one."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable, Mapping

from google.protobuf.descriptor import Descriptor, FieldDescriptor

from hostile_messages import (
    BROKEN_TEXTS, DOUBLES, FIXED, HUGE_TEXTS, INTEGERS, ODD_TEXTS, SQL_TEXTS, VARINTS, ZIGZAG, delimited, encoded,
    scalar, varint, wire_type,
)  # fmt: skip

_TEXTS = [*map(encoded, (*ODD_TEXTS, *SQL_TEXTS)), *BROKEN_TEXTS]
_HUGE = [*map(encoded, HUGE_TEXTS)]
_DEPTH = 5
_F = FieldDescriptor


class RandomMessages:
    """Contents of messages, fields and damaged messages."""

    def __init__(self, rng: random.Random, known: Mapping[str, Callable[[], bytes]] | None = None):
        """`known` makes well-formed texts, by the names of fields: each is tried beside texts of any kind."""
        self._rng, self._known = rng, known or {}

    def message(self, descriptor: Descriptor, depth: int = 0) -> bytes:
        """Each field present or not."""
        if depth > _DEPTH:
            return b""
        return b"".join(self.field(field, depth) for field in descriptor.fields if self._rng.random() < 0.5)

    def change(self, descriptor: Descriptor) -> bytes:
        """One field, to be put behind a good message: it takes the place of the good one."""
        return self.field(self._rng.choice(descriptor.fields), 0) if descriptor.fields else b""

    def field(self, field: FieldDescriptor, depth: int) -> bytes:
        """With its tag; of a repeated one several, now and then thousands."""
        if not field.is_repeated:
            return self._one(field, depth)
        if self._rng.random() < 0.02:
            one = self._one(field, depth)
            return one * 2_000 if len(one) < 200 else one
        return b"".join(self._one(field, depth) for _ in range(self._rng.randrange(5)))

    def garbage(self, good: bytes) -> bytes:
        """Bytes that are no message, or a good one that was damaged."""
        rng = self._rng
        place = rng.randrange(len(good)) if good else 0
        return rng.choice(
            [
                rng.randbytes(rng.randrange(1, 200)), good[:place], good[:place] + rng.randbytes(1) + good[place + 1 :],
                b"\x0a\xff\xff\xff\xff\x0f", b"\x0b" * 500, b"\x0a\x05ab", b"\x08", delimited(1, b"\n" * 99),
                delimited(2047, b"a field of later") + varint(2046 << 3) + b"\x01",
            ]
        )  # fmt: skip

    def _one(self, field: FieldDescriptor, depth: int) -> bytes:
        if field.message_type is not None:
            return delimited(field.number, self.message(field.message_type, depth + 1))
        if field.type in (_F.TYPE_STRING, _F.TYPE_BYTES):
            return delimited(field.number, self._text(field.name))
        return varint(field.number << 3 | wire_type(field)) + scalar(field, self._value(field))

    def _text(self, name: str) -> bytes:
        rng = self._rng
        if name in self._known and rng.random() < 0.5:
            return self._known[name]()
        if rng.random() < 0.01:
            return rng.choice(_HUGE)
        if rng.random() < 0.3:
            return encoded("".join(chr(rng.choice((rng.randrange(128), rng.randrange(0x800)))) for _ in range(12)))
        return rng.choice(_TEXTS)

    def _value(self, field: FieldDescriptor):
        rng = self._rng
        if field.type == _F.TYPE_BOOL:
            return rng.choice((0, 1, 2, 2**63))
        if field.type == _F.TYPE_ENUM:
            known = [value.number for value in field.enum_type.values]
            return rng.choice([*known, *known, -1, len(known), 9_999, 2**31 - 1, -(2**31)])
        if field.type in (_F.TYPE_DOUBLE, _F.TYPE_FLOAT):
            if rng.random() < 0.5:
                return rng.choice(DOUBLES) if field.type == _F.TYPE_DOUBLE else rng.choice((0.0, -1.0, 70.0, 1e30))
            return struct.unpack(FIXED[field.type], rng.randbytes(struct.calcsize(FIXED[field.type])))[0]
        assert field.type in VARINTS | ZIGZAG or field.type in FIXED
        return rng.choice(INTEGERS) if rng.random() < 0.7 else rng.randrange(-(2**63), 2**63)
