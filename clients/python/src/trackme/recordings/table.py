"""CSV: our own table, and what Fitbit's export looks like.

Ours has the header `time,metric,value` or `time,metric,value,source`: the time in ISO 8601 or as whole microseconds
since the Unix epoch, the metric by its name in the registry, the value a number. Fitbit's has `datetime` and
`heartrate` or `steps` among its columns. Times that say no zone are in the zone that the caller names.
"""

from __future__ import annotations

import csv
import io
from datetime import datetime
from typing import BinaryIO
from zoneinfo import ZoneInfo

from .sample import HEART_RATE, STEPS, Recording, microseconds

_FITBIT = {"heartrate": HEART_RATE, "steps": STEPS}


def read(file: BinaryIO, recording: Recording, zone: ZoneInfo) -> None:
    rows = csv.DictReader(io.TextIOWrapper(file, encoding="utf-8-sig", newline=""))
    header = set(rows.fieldnames or ())
    if {"time", "metric", "value"} <= header:
        for row in rows:
            value = _number(row["value"], rows.line_num)
            recording.add(_time(row["time"], zone, rows.line_num), row["metric"], value, row.get("source") or "")
    elif "datetime" in header and header & _FITBIT.keys():
        for row in rows:
            for column in header & _FITBIT.keys():
                value = _number(row[column], rows.line_num)
                recording.add(_time(row["datetime"], zone, rows.line_num), _FITBIT[column], value)
    else:
        raise ValueError("the header is not time,metric,value[,source], nor that of a Fitbit export")


def _time(text: str | None, zone: ZoneInfo, line: int) -> int | None:
    text = (text or "").strip()
    if not text:
        return None
    if text.lstrip("-").isdigit():
        return int(text)
    try:
        time = datetime.fromisoformat(text)
    except ValueError:
        raise ValueError(f"line {line}: {text!r} is no time") from None
    return microseconds(time if time.tzinfo else time.replace(tzinfo=zone))


def _number(text: str | None, line: int) -> float | None:
    text = (text or "").strip()
    if not text:
        return None
    try:
        return float(text)
    except ValueError:
        raise ValueError(f"line {line}: {text!r} is no number") from None
