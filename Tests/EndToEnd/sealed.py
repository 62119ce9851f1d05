"""Cursors, page tokens and nonces as a server makes them, and as it made them before they were sealed: with any numbers. Written
from the description in Sources/Kernel/ServiceKit/Cursors, with Python's own BLAKE2."""

from __future__ import annotations

import base64
import hashlib

from hypothesis import strategies as st

LOG, NOTIFICATIONS, EMERGENCIES, RACE, PAGE, SIGN_IN = KINDS = range(1, 7)
# The years 1 to 9999 in microseconds: what lies outside is no time.
FIRST_US, END_US = -62_135_596_800_000_000, 253_402_300_800_000_000
MIN, MAX = -(2**63), 2**63 - 1
EXTREMES = (MIN, MIN + 1, FIRST_US - 1, FIRST_US, -1, 0, 1, END_US - 1, END_US, MAX - 1, MAX)
OUT_OF_BOUNDS = tuple(n for n in EXTREMES if not FIRST_US <= n < END_US)


def base36(number: int) -> str:
    digits, left = "", abs(number)
    while left or not digits:
        left, digit = divmod(left, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[digit] + digits
    return "-" + digits if number < 0 else digits


def number(text: str) -> int:
    return int(text, 36)


def unsealed(version: str, *numbers: int) -> str:
    return ".".join([version, *map(base36, numbers)])


def sealed(key: bytes, kind: int, *numbers: int) -> str:
    text = unsealed("2", *numbers)
    tag = hashlib.blake2b(bytes([kind]) + text.encode(), digest_size=16, key=key).digest()
    return f"{text}.{base64.urlsafe_b64encode(tag).decode().rstrip('=')}"


def key_of(server) -> bytes:
    """What a server signs with."""
    ((key,),) = server.sql("SELECT key FROM cursor_key")
    return bytes(key)


def well_formed(key: bytes, races: list[int]) -> st.SearchStrategy[bytes]:
    """Cursors and page tokens with numbers that are extreme or any, of these races or none: half of them such as only
    the holder of the key can make."""
    numbers = st.sampled_from(EXTREMES) | st.integers(MIN, MAX)
    some = st.lists(numbers, min_size=1, max_size=4)
    of_race = st.tuples(st.sampled_from([*races, 1]), *[numbers | st.integers(0, 10)] * 3)
    return st.one_of(
        some.map(lambda n: unsealed("1", *n)),
        of_race.map(lambda n: unsealed("r1", *n)),
        st.tuples(st.sampled_from(KINDS), some).map(lambda p: sealed(key, p[0], *p[1])),
        of_race.map(lambda n: sealed(key, RACE, *n)),
    ).map(str.encode)
