"""Requests that no good client sends, made from the descriptors of the messages: as bytes, so that they can be what the
official library would refuse to write. What is here knows no RPC and no field of its own."""

from __future__ import annotations

import math
import re
import struct
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from google.protobuf.descriptor import Descriptor, FieldDescriptor
from hypothesis import strategies as st

SQL_TEXTS = (
    "'", "''", '"', "' OR '1'='1", "'; DROP TABLE account; --", "x'); DELETE FROM person; --", "/* */ -- ", "$1",
    "$$; TRUNCATE account CASCADE; $$", "%", "_%", "\\", "\\' OR 1=1 --", "\\x27", "{}", "NULL", "E'\\''",
)  # fmt: skip

ODD_TEXTS = (
    "", " ", "\t\n", "é", "e\u0301", "\u202eabc", "\ufeff", "\U0001f3c3\u200d\u2642\ufe0f", "\u0000x", "ǅ", "ß",
    "\uffff", "\U0010ffff", "١٢٣", "..", "../../etc/passwd", "%00", "x" * 65, "x" * 1_001, "a@b.c", "heart_rate",
    "Europe/Rome", "2026-02-30", "0000-00-00", "99999-01-01", "RSSMRA80A01H501U", "true", "NaN", "-1",
)  # fmt: skip
BROKEN_TEXTS = (b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\xf4\x90\x80\x80", b"heart\x00rate", b"\x00")
HUGE_TEXTS = ("x" * 102_400, "é" * 51_200, "'" * 102_400)
INTEGERS = tuple(s * v for v in (0, 1, 2, 63, 2**31 - 1, 2**31, 2**32, 2**53, 2**63 - 1) for s in (1, -1))
DOUBLES = (
    0.0, -0.0, 1.0, -1.0, 70.0, math.nan, math.inf, -math.inf, 5e-324, 1.7976931348623157e308, -1e300, 1e16, 0.1,
)  # fmt: skip

_F = FieldDescriptor
VARINTS = {_F.TYPE_INT32, _F.TYPE_INT64, _F.TYPE_UINT32, _F.TYPE_UINT64, _F.TYPE_BOOL, _F.TYPE_ENUM}
ZIGZAG = {_F.TYPE_SINT32, _F.TYPE_SINT64}
FIXED = {
    _F.TYPE_DOUBLE: "<d", _F.TYPE_FLOAT: "<f", _F.TYPE_FIXED64: "<Q", _F.TYPE_SFIXED64: "<q", _F.TYPE_FIXED32: "<I",
    _F.TYPE_SFIXED32: "<i",
}  # fmt: skip


def varint(value: int) -> bytes:
    """The value as protobuf writes it; negative ones in ten bytes."""
    value &= 2**64 - 1
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def delimited(number: int, content: bytes) -> bytes:
    """A field of text, bytes or a message."""
    return varint(number << 3 | 2) + varint(len(content)) + content


def scalar(field: FieldDescriptor, value) -> bytes:
    """A value without its tag."""
    if field.type in VARINTS:
        return varint(value)
    if field.type in ZIGZAG:
        return varint(value << 1 ^ value >> 63)
    form = FIXED[field.type]
    if form[1] in "df":
        return struct.pack(form, value)
    bits = 8 * struct.calcsize(form)
    value &= 2**bits - 1
    return struct.pack(form.upper(), value)


def wire_type(field: FieldDescriptor) -> int:
    return 0 if field.type in VARINTS | ZIGZAG else 1 if struct.calcsize(FIXED[field.type]) == 8 else 5


def _values(field: FieldDescriptor) -> st.SearchStrategy:
    """Values of a number, an enum or a truth."""
    if field.type == _F.TYPE_BOOL:
        return st.sampled_from((0, 1, 2, 2**63))
    if field.type == _F.TYPE_ENUM:
        known = [v.number for v in field.enum_type.values]
        return st.sampled_from(known + known + [-1, len(known), 9_999, 2**31 - 1, -(2**31)])
    if FIXED.get(field.type, "  ")[1] == "d":
        return st.sampled_from(DOUBLES) | st.floats()
    if FIXED.get(field.type, "  ")[1] == "f":
        return st.floats(width=32)
    return st.sampled_from(INTEGERS) | st.integers(-(2**63), 2**63 - 1)


def texts() -> st.SearchStrategy[bytes]:
    """Text as bytes: mostly such as people might type, now and then huge, hostile or no text at all."""
    return st.one_of(
        st.sampled_from(ODD_TEXTS).map(encoded),
        st.text(max_size=40).map(encoded),
        st.sampled_from(SQL_TEXTS).map(encoded),
        st.sampled_from(BROKEN_TEXTS),
        st.sampled_from(range(len(HUGE_TEXTS))).map(lambda i: encoded(HUGE_TEXTS[i])),
    )


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


Known = Mapping[str, st.SearchStrategy[bytes]]
"""Texts that are well-formed, by the names of fields: each is tried beside texts of any kind."""


def fields(field: FieldDescriptor, depth: int, known: Known = MappingProxyType({})) -> st.SearchStrategy[bytes]:
    """One field with its tag; of a repeated one several."""
    if field.message_type is not None:
        one = messages(field.message_type, depth + 1, known).map(lambda content: delimited(field.number, content))
    elif field.type in (_F.TYPE_STRING, _F.TYPE_BYTES):
        some = texts() | known[field.name] if field.name in known else texts()
        one = some.map(lambda content: delimited(field.number, content))
    else:
        tag = varint(field.number << 3 | wire_type(field))
        one = _values(field).map(lambda value: tag + scalar(field, value))
    if not field.is_repeated:
        return one
    some = st.lists(one, max_size=4).map(b"".join)
    many = one.filter(lambda content: len(content) < 200).map(lambda content: content * 2_000)
    return st.one_of(some, some, some, many)


def messages(
    descriptor: Descriptor, depth: int = 0, known: Known = MappingProxyType({})
) -> st.SearchStrategy[bytes]:
    """Messages of a type: each field present or not, with any value of its type."""
    if depth > 5 or not descriptor.fields:
        return st.just(b"")
    parts = [st.just(b"") | fields(field, depth, known) for field in descriptor.fields]
    return st.tuples(*parts).map(b"".join)


def changes(descriptor: Descriptor, known: Known = MappingProxyType({})) -> st.SearchStrategy[bytes]:
    """One field, to be put behind a good message: the last value of a field counts, so it takes the place of the
    good one, in messages within the message too."""
    if not descriptor.fields:
        return st.just(b"")
    return st.one_of([fields(field, 0, known) for field in descriptor.fields])


def garbage(good: bytes) -> st.SearchStrategy[bytes]:
    """Bytes that are no message, or a good one that was damaged."""
    cut = st.integers(0, max(0, len(good) - 1)).map(lambda n: good[:n])
    return st.one_of(
        st.binary(min_size=1, max_size=200),
        cut,
        st.tuples(cut, st.binary(min_size=1, max_size=4)).map(lambda p: p[0] + p[1] + good[len(p[0]) + len(p[1]) :]),
        st.sampled_from([b"\x0a\xff\xff\xff\xff\x0f", b"\x0b" * 500, b"\x0a\x05ab", b"\x08", delimited(1, b"\n" * 99)]),
        st.just(delimited(2047, b"a field of later") + varint(2046 << 3) + b"\x01"),
    )


def text_fields(descriptor: Descriptor, depth: int = 0) -> Iterator[tuple[str, callable]]:
    """Every place for text in a message, as (path, function from content to bytes that put the content there)."""
    for field in descriptor.fields if depth <= 5 else ():
        if field.type == _F.TYPE_STRING:
            yield field.name, lambda content, n=field.number: delimited(n, content)
        elif field.message_type is not None:
            for path, put in text_fields(field.message_type, depth + 1):
                yield f"{field.name}.{path}", lambda content, n=field.number, put=put: delimited(n, put(content))


def number_fields(descriptor: Descriptor, depth: int = 0) -> Iterator[tuple[str, callable]]:
    """Every place for a whole number in a message, as (path, function from a number to bytes that put it there)."""
    for field in descriptor.fields if depth <= 5 else ():
        if field.message_type is not None:
            for path, put in number_fields(field.message_type, depth + 1):
                yield f"{field.name}.{path}", lambda value, n=field.number, put=put: delimited(n, put(value))
        elif field.type in VARINTS | ZIGZAG or FIXED.get(field.type, " d")[1] not in "df":
            tag = varint(field.number << 3 | wire_type(field))
            yield field.name, lambda value, field=field, tag=tag: tag + scalar(field, value)


def names_a_field(descriptor: Descriptor, path: str) -> bool:
    """Whether a path such as "start.person_ids[3]" leads to a field of the message."""
    *parents, last = path.split(".")
    for name in parents:
        field = descriptor.fields_by_name.get(re.sub(r"\[\d+\]$", "", name))
        if field is None or field.message_type is None:
            return False
        descriptor = field.message_type
    return re.sub(r"\[\d+\]$", "", last) in descriptor.fields_by_name
