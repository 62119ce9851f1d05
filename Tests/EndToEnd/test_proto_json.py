"""The JSON that the server speaks is that of google.protobuf.json_format, for every message of the API and for one of
each kind of field, both ways."""

from __future__ import annotations

import json
import re
import struct

import pytest
from google.protobuf import json_format
from google.protobuf.message import DecodeError, Message

import seeds
from proto_json import JSONMessages, ProtoJSON, Schema

# Where json_format takes a detour by Python's numbers: whole ones that are written as others lose their last digits,
# and -0 its sign.
LOSSY = re.compile(rb"[0-9]{14,}(\.[0-9]+|\.?[0-9]*[eE])|-0(?![.0-9eE])")

# Messages of each type, and damaged texts of each.
ROUNDS = 30
DAMAGES = 60

SCHEMA = Schema()
TYPES = {**SCHEMA.api, **SCHEMA.mapping}
# In an Any: those that errors carry.
PACKED = {name: kind for name, kind in SCHEMA.api.items() if name.startswith("google.rpc.")}


@pytest.fixture(scope="module")
def converters():
    with ProtoJSON() as built_in, ProtoJSON(SCHEMA.bytes) as with_mapping:
        yield {name: built_in if name in SCHEMA.api else with_mapping for name in TYPES}


def plain(text: str | bytes):
    """The JSON, which says no name twice."""

    def pairs(items):
        assert len(dict(items)) == len(items), items
        return dict(items)

    def number(digits):
        # Of the smallest floats json_format writes six digits where fewer say which one it is.
        value = float(digits)
        return struct.unpack("f", struct.pack("f", value))[0] if 2**-150 < abs(value) < 2**-126 else value

    return json.loads(text, object_pairs_hook=pairs, parse_float=number)


def written(message: Message, **options) -> str | None:
    """What json_format writes; nothing where it can't."""
    try:
        return json_format.MessageToJson(message, descriptor_pool=SCHEMA.pool, **options)
    except (ValueError, json_format.Error, RecursionError):
        return None


def read(kind: type, text: bytes) -> Message | None:
    try:
        return json_format.Parse(text.decode(), kind(), descriptor_pool=SCHEMA.pool)
    except (json_format.Error, UnicodeDecodeError, RecursionError, ValueError):
        return None


def parsed(kind: type, content: bytes) -> Message | None:
    try:
        return kind.FromString(content)
    except DecodeError:
        return None


def same(one: Message, other: Message) -> bool:
    """Unknown fields apart, and whichever NaN it is; the bytes of an Any may stand in another order."""
    one.DiscardUnknownFields()
    other.DiscardUnknownFields()
    if one.SerializeToString(deterministic=True) == other.SerializeToString(deterministic=True):
        return True
    texts = written(one), written(other)
    return None not in texts and plain(texts[0]) == plain(texts[1])


def test_the_smallest_floats_may_have_fewer_digits():
    assert plain('{"a": 1e-45}') == plain('{"a": 1.4013e-45}')
    assert plain('{"a": 3.9295e-41}') == plain('{"a": 3.92952e-41}') != plain('{"a": 3.9298e-41}')
    assert plain("0.39295") != plain("0.392952") and plain("1.5e-300") != plain("1.6e-300")


def without_mark(text: str) -> bool:
    return "\\u0000" not in text


@pytest.mark.parametrize("name", TYPES)
def test_messages_are_the_same_json_both_ways(converters, name):
    kind, converter = TYPES[name], converters[name]
    messages = JSONMessages(seeds.rng(name), PACKED)
    compared = 0
    for _ in range(ROUNDS):
        content = messages.message(kind.DESCRIPTOR)
        message = parsed(kind, content)
        expected = written(message) if message is not None else None
        if expected is None or not without_mark(expected):
            # Not all of it was looked at if another member of a oneof came later.
            if message is not None:
                with pytest.raises(ProtoJSON.Refused):
                    converter.json(name, message.SerializeToString())
            continue
        compared += 1
        ours = converter.json(name, content)
        assert plain(ours) == plain(expected)
        back = read(kind, ours)
        assert back is not None and same(back, message), ours
        for options in ({}, {"preserving_proto_field_name": True}, {"use_integers_for_enums": True, "indent": None}):
            text = written(message, **options)
            assert same(kind.FromString(converter.message(name, text.encode())), message), text
    assert compared > ROUNDS / 2


@pytest.mark.parametrize("name", TYPES)
def test_what_is_taken_of_damaged_json_is_what_it_says(converters, name):
    kind, converter, rng = TYPES[name], converters[name], seeds.rng(f"damaged {name}")
    messages = JSONMessages(rng, PACKED)
    tokens = (
        b"{", b"}", b"[", b"]", b",", b":", b'"', b"null", b"true", b"1", b"-0", b"1.5", b"1e3", b"1.0", b"01",
        b"1e999", b'"NaN"', b'"1"', b'"-1"', b'"\\u0041"', b'"\\ud800"', b"/**/", b" ", b"\t", b"\x00", b"\xff",
        b'""', b"\\", b"{}", b"[]",
        b'"2026-11-24T09:30:00+01:00"', b'"1.5s"', b"NaN", b"-", b".", b"9223372036854775808", b'"a_b"',
        b'"QUJD"', b'"_-"', b'"@type"',
    )  # fmt: skip
    for _ in range(DAMAGES):
        message = parsed(kind, messages.message(kind.DESCRIPTOR))
        text = written(message, indent=None) if message is not None else None
        if text is None or len(text) > 20_000:
            continue
        damaged = bytearray(text.encode())
        for _ in range(rng.randrange(1, 4)):
            place = rng.randrange(len(damaged) + 1)
            value = re.compile(rb'"[^"]*"|[-0-9.e+]+|[a-z]+').search(damaged, place)
            if value and rng.random() < 0.6:
                damaged[value.start() : value.end()] = rng.choice(tokens)
            elif rng.random() < 0.5:
                damaged[place:place] = rng.choice(tokens)
            else:
                del damaged[place : place + rng.randrange(1, 3)]
        try:
            ours = converter.message(name, bytes(damaged))
        except ProtoJSON.Refused:
            continue
        theirs = read(kind, bytes(damaged))
        # json_format takes no exponent in text, and no text for other names that say the same number.
        if theirs is not None:
            assert LOSSY.search(damaged) or same(kind.FromString(ours), theirs), bytes(damaged)
        else:
            assert re.search(rb'"-?[0-9.]+(e[+-]?[0-9]+)?"', damaged), bytes(damaged)
