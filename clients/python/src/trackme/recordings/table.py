"""CSV: our own table, and tables that name a metric in the head of a column.

Ours has the header `time,metric,value` or `time,metric,value,source`: the metric by its name in the registry. Others have one
column with the time, and for each metric a column whose head is known here: Fitbit's and Withings' exports, and those of
Dexcom's and Abbott's glucose sensors. The header need not be the first line; cells are separated by commas, semicolons or tabs.

A time is in ISO 8601, in whole microseconds since the Unix epoch, or a date such as 04-05-2024 with a time of the day. Times
that say no zone are in the zone that the caller names.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator
from itertools import chain, islice
from typing import BinaryIO
from zoneinfo import ZoneInfo

from . import text
from .sample import HEART_RATE, STEPS, Recording

_OURS = {"time", "metric", "value"}
_TIMES = ("time", "datetime", "timestamp", "device timestamp", "timestamp (yyyy-mm-ddthh:mm:ss)", "date")
# Of glucose: 18.016 mg/dL are a mmol/L.
_MMOL = 18.016
_GLUCOSES = ("historic glucose", "scan glucose", "strip glucose")
# The head of a column in small letters: its metric, and what its values are multiplied by.
_COLUMNS: dict[str, tuple[str, float]] = {
    **dict.fromkeys(("heartrate", "heart rate", "heart_rate", "heart rate (bpm)", "pulse", "bpm"), (HEART_RATE, 1)),
    "steps": (STEPS, 1),
    **dict.fromkeys(("systolic", "systolic (mmhg)"), ("systolic_blood_pressure", 1)),
    **dict.fromkeys(("diastolic", "diastolic (mmhg)"), ("diastolic_blood_pressure", 1)),
    "weight (kg)": ("weight", 1),
    **dict.fromkeys(("spo2", "spo2 (%)"), ("blood_oxygen", 1)),
    **{f"{kind} mg/dl": ("blood_glucose", 1) for kind in _GLUCOSES},
    **{f"{kind} mmol/l": ("blood_glucose", _MMOL) for kind in _GLUCOSES},
    "glucose value (mg/dl)": ("blood_glucose", 1),
    "glucose value (mmol/l)": ("blood_glucose", _MMOL),
}
# Columns that say something about a row; others with a number in them hold a kind of reading that nothing here stands for.
_ABOUT = {
    "", "index", "id", "user", "device", "serial number", "source device id", "transmitter id", "record type", "event type",
    "event subtype", "patient info", "device info", "comments", "notes",
}  # fmt: skip
# A header comes within so many lines.
_HEAD_LINES = 30
_SEPARATORS = ",;\t"


def read(file: BinaryIO, recording: Recording, zone: ZoneInfo) -> None:
    """Raises ValueError for a table without a header that is known."""
    source = _Lines(file)
    lines = iter(source)
    head = list(islice(lines, _HEAD_LINES))
    for number, line in enumerate(head):
        for separator in _SEPARATORS:
            (header,) = csv.reader([line], delimiter=separator)
            if _is_known(names := [name.strip().lower() for name in header]):
                table = _Table(names, recording, zone)
                rows = csv.reader(chain(head[number + 1 :], lines), delimiter=separator)
                table.read(rows, number + 1, source)
                return
    raise ValueError("the header is not time,metric,value[,source], nor that of an export that is known")


class _Lines:
    """The lines of a file."""

    def __init__(self, file: BinaryIO):
        self._file = file
        self.ends_open = False
        """Whether the last line, which has been read, has no end."""

    def __iter__(self) -> Iterator[str]:
        rest = ""
        for piece in text.pieces(self._file):
            *whole, rest = (rest + piece.replace("\0", "")).split("\n")
            for line in whole:
                yield line + "\n"
        if rest:
            self.ends_open = True
            yield rest


def _is_known(names: list[str]) -> bool:
    return set(names) >= _OURS or (any(name in _TIMES for name in names) and any(name in _COLUMNS for name in names))


class _Table:
    def __init__(self, names: list[str], recording: Recording, zone: ZoneInfo):
        self._names, self._recording, self._zone = names, recording, zone
        self._is_ours = set(names) >= _OURS
        self._time = names.index("time" if self._is_ours else next(name for name in _TIMES if name in names))
        used = {self._time, *(names.index(name) for name in (*_OURS, "source") if self._is_ours and name in names)}
        self._others = [n for n, name in enumerate(names) if n not in used and name not in _COLUMNS and name not in _ABOUT]
        # Rows with a date that begins with the day or with the month: others tell which.
        self._waiting: list[tuple[int, list[str]]] = []
        self._first_max = self._second_max = 0

    def read(self, rows, lines_before: int, source: _Lines) -> None:
        """Takes all rows."""
        row: tuple[int, list[str]] | None = None
        try:
            for cells in rows:
                if row:
                    self._sort(*row)
                row = (lines_before + rows.line_num, cells)
        except csv.Error as error:
            self._recording.cut_short = f"{error}: not read any further than line {lines_before + rows.line_num}"
        if source.ends_open and (row is None or len(row[1]) < len(self._names)):
            self._recording.cut_short = f"cut short in line {row[0] if row else lines_before}"
        elif row:
            self._sort(*row)
            if source.ends_open:
                # Many programs end a file like this, and a value that was cut looks like another one.
                self._recording.cut_short = f"line {row[0]} has no end, and was taken as it is: it may be cut short"
        # Without a number that is no month, and without AM and PM, the day comes first.
        twelve_hours = any(cells[self._time].strip().upper().endswith("M") for _, cells in self._waiting)
        month_first = self._first_max <= 12 and (self._second_max > 12 or twelve_hours)
        for line, cells in self._waiting:
            self._take(line, cells, month_first)

    def _sort(self, line: int, cells: list[str]) -> None:
        """Takes a row, unless others have to tell what its date means."""
        if not any(cell.strip() for cell in cells):
            return
        cells += [""] * (len(self._names) - len(cells))
        if (numbers := text.day_and_month(cells[self._time])) is None:
            self._take(line, cells, month_first=False)
            return
        self._first_max = max(self._first_max, numbers[0])
        self._second_max = max(self._second_max, numbers[1])
        self._waiting.append((line, cells))

    def _take(self, line: int, cells: list[str], month_first: bool) -> None:
        values = self._values(line, cells)
        behind = range(len(self._names), len(cells))
        for column in (*self._others, *behind):
            try:
                text.number(cells[column])
                self._recording.add_unknown("cells behind the last column" if column in behind else self._names[column])
            except ValueError:
                pass
        if not values:
            return
        try:
            time_us = self._time_us(cells[self._time], month_first)
        except ValueError as error:
            self._unreadable(line, self._names[self._time], error)
            return
        for metric, value, source in values:
            self._recording.add(time_us, metric, value, source)

    def _values(self, line: int, cells: list[str]) -> list[tuple[str, float, str]]:
        """What a row says: metrics, values, and where they come from."""
        if self._is_ours:
            columns = [(self._names.index("value"), cells[self._names.index("metric")].strip(), 1.0)]
            source = cells[self._names.index("source")] if "source" in self._names else ""
        else:
            columns = [(n, *_COLUMNS[name]) for n, name in enumerate(self._names) if name in _COLUMNS]
            source = ""
        values = []
        for column, metric, factor in columns:
            # Of a row about one metric; a column may be empty.
            if not cells[column].strip() and not self._is_ours:
                continue
            try:
                value = text.number(cells[column])
                values.append((metric, value if factor == 1 else round(value * factor, 1), source))
            except ValueError as error:
                self._unreadable(line, self._names[column], error)
        return values

    def _time_us(self, said: str, month_first: bool) -> int | None:
        said = said.strip()
        if not said:
            return None
        if said.lstrip("-").isdigit():
            return int(said)
        return text.written_time_us(said, self._zone, month_first)

    def _unreadable(self, line: int, column: str, error: ValueError) -> None:
        self._recording.add_unreadable(f"line {line}, {column}: {error}")
