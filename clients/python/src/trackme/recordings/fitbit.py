"""Fitbit's readings in the export that Google Takeout makes: JSON, a file for each kind and some days.

Times are UTC there, although they do not say so, and the month comes first.
"""

from __future__ import annotations

import json
from typing import BinaryIO
from zoneinfo import ZoneInfo

from . import text
from .sample import HEART_RATE, Recording

_UTC = ZoneInfo("UTC")
_BLANKS = " \t\r\n\0"


def read(file: BinaryIO, recording: Recording, zone: ZoneInfo) -> None:
    """Raises ValueError for what is no list of readings, or is cut short before the first one."""
    content = "".join(text.pieces(file)).lstrip(_BLANKS)
    if not content.startswith("["):
        raise ValueError("no list of Fitbit's readings")
    decoder = json.JSONDecoder()
    at = number = 0
    while True:
        # Behind the bracket, or the comma.
        at = _after_blanks(content, at + 1)
        if content[at : at + 1] == "]":
            break
        try:
            one, at = decoder.raw_decode(content, at)
        except (ValueError, RecursionError):
            recording.cut_short = f"cut short after {number:,} readings"
            break
        number += 1
        _take(one, number, recording)
        at = _after_blanks(content, at)
        if content[at : at + 1] != ",":
            if content[at : at + 1] != "]":
                recording.cut_short = f"cut short after {number:,} readings"
            break
    if recording.cut_short:
        if not number:
            raise ValueError(recording.cut_short)
        return
    recording.behind_end += len(content[at + 1 :].strip(_BLANKS))


def _after_blanks(content: str, at: int) -> int:
    while content[at : at + 1] and content[at] in _BLANKS:
        at += 1
    return at


def _take(one: object, number: int, recording: Recording) -> None:
    value = one.get("value") if isinstance(one, dict) else None
    if not isinstance(value, dict) or "bpm" not in value:
        recording.add_unknown(", ".join(sorted(one))[:60] if isinstance(one, dict) else type(one).__name__)
        return
    try:
        pulse = text.number(str(value["bpm"]))
        recording.add(text.written_time_us(str(one["dateTime"]), _UTC, month_first=True), HEART_RATE, pulse)
    except KeyError:
        recording.without_time += 1
    except ValueError as error:
        recording.add_unreadable(f"reading {number}: {error}")
