"""Text as files have it: encodings, numbers and times, read alike whatever the format."""

from __future__ import annotations

import codecs
import math
import re
from collections.abc import Iterator
from datetime import datetime
from typing import BinaryIO
from zoneinfo import ZoneInfo

from .sample import microseconds

_CHUNK = 1 << 20
# The longer ones first: UTF-32's begins like UTF-16's.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF32_LE, "utf-32-le"), (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"),
)  # fmt: skip
_DECLARED = re.compile(rb"\s*<\?xml[^>]*?\sencoding\s*=\s*[\"']([A-Za-z0-9._-]+)[\"']")
_DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
_DAY_FIRST = re.compile(r"([0-9]{1,2})[-/.]([0-9]{1,2})[-/.]([0-9]{4}|[0-9]{2})(?:[ T,]+([0-9].*))?")


def pieces(file: BinaryIO) -> Iterator[str]:
    """The text of a file, by its byte order mark or by what its XML declaration says; UTF-8 otherwise. What is no text in that
    encoding becomes U+FFFD. Raises ValueError for an encoding that nobody knows."""
    head = file.read(_CHUNK)
    encoding, skipped = _encoding(head)
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    chunk = head[skipped:]
    while chunk:
        yield decoder.decode(chunk)
        chunk = file.read(_CHUNK)
    yield decoder.decode(b"", final=True)


def _encoding(head: bytes) -> tuple[str, int]:
    """The encoding of what begins like this, and how many bytes of a mark are before it."""
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name, len(mark)
    if head.startswith((b"<\0", b"\0<")):
        return ("utf-16-le" if head[0] else "utf-16-be"), 0
    declared = _DECLARED.match(head)
    if declared is None:
        return "utf-8", 0
    name = declared[1].decode("ascii")
    try:
        found = codecs.lookup(name)
        "".encode(name)
    except LookupError:
        raise ValueError(f"encoding {name!r} is not known") from None
    # Who writes "UTF-16" in single bytes means something else.
    return ("utf-8" if found.name.startswith(("utf-16", "utf-32")) else found.name), 0


def number(text: str) -> float:
    """Of a decimal number, with a point or a comma before its decimals. Raises ValueError."""
    plain = text.strip()
    if "," in plain:
        # The last of the two is the decimal sign: 1.234,5 and 1,234.5.
        thousands, decimal = (".", ",") if plain.rfind(",") > plain.rfind(".") else (",", ".")
        plain = plain.replace(thousands, "").replace(decimal, ".", 1)
    if not _DECIMAL.fullmatch(plain) or not math.isfinite(value := float(plain)):
        raise ValueError(f"{text.strip()[:40]!r} is no number")
    return value


def time_us(text: str, zone: ZoneInfo) -> int:
    """Microseconds since the epoch of a time in ISO 8601; one that says no zone is in `zone`. Raises ValueError."""
    plain = text.strip()
    # 2021-03-27 16:17:11 +0100
    date, _, offset = plain.rpartition(" ")
    if offset[:1] in ("+", "-") and ":" in date:
        plain = date.rstrip() + offset
    try:
        time = datetime.fromisoformat(plain)
    except ValueError:
        raise ValueError(f"{text.strip()[:40]!r} is no time") from None
    return in_zone_us(time, zone)


def in_zone_us(time: datetime, zone: ZoneInfo) -> int:
    """Microseconds since the epoch; a time that says no zone is in `zone`. Raises ValueError."""
    try:
        return microseconds(time if time.tzinfo else time.replace(tzinfo=zone))
    except OverflowError:
        raise ValueError(f"{time} is no time") from None


def day_and_month(text: str) -> tuple[int, int] | None:
    """The two numbers that a date like 04-05-2024 begins with; nil for one that begins with the year."""
    found = _DAY_FIRST.fullmatch(text.strip())
    return (int(found[1]), int(found[2])) if found else None


def written_time_us(text: str, zone: ZoneInfo, month_first: bool) -> int:
    """As `time_us`, also of dates like 04-05-2024 or 5/4/24, with times like 8:00 or 8:00 PM. Raises ValueError."""
    found = _DAY_FIRST.fullmatch(text.strip())
    if found is None:
        return time_us(text, zone)
    first, second, year = int(found[1]), int(found[2]), int(found[3])
    month, day = (first, second) if month_first else (second, first)
    clock = (found[4] or "00:00").strip().upper()
    for form in ("%H:%M:%S.%f", "%H:%M:%S", "%H:%M", "%I:%M:%S %p", "%I:%M %p"):
        try:
            time = datetime.strptime(clock, form)
            return in_zone_us(time.replace(year=year if year > 99 else 2000 + year, month=month, day=day), zone)
        except ValueError:
            continue
    raise ValueError(f"{text.strip()[:40]!r} is no time")
