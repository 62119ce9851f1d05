"""What a recording holds."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass, field
from datetime import datetime, timezone
from typing import TYPE_CHECKING

from ..values import Position, Value

if TYPE_CHECKING:
    from .sample_store import SampleStore

_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)

# Names of the server's metric registry.
HEART_RATE = "heart_rate"
POSITION = "position"
STEPS = "steps"

# What sensors write 0 for when they have nothing to say, as the server's registry has it (zero_is_no_value). A receiver
# without a fix writes latitude and longitude 0.
ZERO_IS_NO_VALUE = frozenset(
    (
        HEART_RATE, POSITION, "systolic_blood_pressure", "diastolic_blood_pressure", "blood_glucose", "body_temperature",
        "blood_oxygen", "respiratory_rate", "weight",
    )
)  # fmt: skip
# FIT's invalid value of one byte, which converters write as if it were a pulse; nobody's heart is that fast.
_NO_PULSE = 255.0

# Of what is named one by one: a file can be made of nothing else.
_MOST_KINDS, _MOST_EXAMPLES = 1_000, 10


@dataclass(frozen=True, slots=True)
class Sample:
    """One value of one metric at one time, of the person who made the recording."""

    time_us: int
    metric: str
    value: Value
    source: str = ""


@dataclass
class Recording:
    """The samples of one file."""

    name: str
    samples: list[Sample] | SampleStore = field(default_factory=list)
    without_time: int = 0
    """Points left out because they say no time."""
    no_value: Counter[str] = field(default_factory=Counter)
    """Samples left out because they are what a sensor writes when it has nothing to say, by metric."""
    cut_short: str = ""
    """Where the file ends before its end, or can't be read any further; empty for a whole one."""
    behind_end: int = 0
    """How many bytes, or characters, follow the end of the recording; they are left out."""
    repeated: int = 0
    """Samples left out because the same one stood before."""
    unknown: Counter[str] = field(default_factory=Counter)
    """Records left out because nothing here stands for their kind, by kind."""
    unreadable: int = 0
    """Records left out because they make no sense."""
    unreadable_examples: list[str] = field(default_factory=list)
    """Where the first ten of these are, and what is wrong with them."""
    _seen: set[Sample] = field(default_factory=set, repr=False)

    def add(self, time_us: int | None, metric: str, value: Value | None, source: str = "") -> None:
        """Takes a sample; one without a value is no sample."""
        if value is None:
            return
        if is_no_value(metric, value):
            self.no_value[metric] += 1
            return
        if time_us is None:
            self.without_time += 1
            return
        sample = Sample(time_us, metric, value, source)
        if sample in self._seen:
            self.repeated += 1
            return
        self._seen.add(sample)
        self.samples.append(sample)

    def left_out(self) -> int:
        """How many samples, points and records of the file are not among the samples."""
        return self.without_time + self.repeated + self.no_value.total() + self.unknown.total() + self.unreadable

    def add_unknown(self, kind: str) -> None:
        """Counts a record of a kind that nothing here stands for."""
        self.unknown[kind if kind in self.unknown or len(self.unknown) < _MOST_KINDS else "others"] += 1

    def add_unreadable(self, what: str) -> None:
        """Counts a record that makes no sense; `what` says where it is and why."""
        self.unreadable += 1
        if self.unreadable <= _MOST_EXAMPLES:
            self.unreadable_examples.append(what)

    def interval_us(self) -> tuple[int, int]:
        """The first and the last time, of a recording that has samples."""
        if not isinstance(self.samples, list):
            return self.samples.interval_us()
        times = [s.time_us for s in self.samples]
        return min(times), max(times)

    def add_point(
        self,
        time_us: int | None,
        latitude: float | None,
        longitude: float | None,
        *,
        altitude: float | None = None,
        speed: float | None = None,
        course: float | None = None,
        heart_rate: float | None = None,
    ) -> None:
        """Takes what a track point says; anything may be missing."""
        if latitude is not None and longitude is not None:
            self.add(time_us, POSITION, Position(latitude, longitude, altitude, None, speed, course))
        if heart_rate is not None:
            self.add(time_us, HEART_RATE, float(heart_rate))


def is_no_value(metric: str, value: Value) -> bool:
    """Whether it is what a sensor writes when it has nothing to say."""
    if isinstance(value, Position):
        return value.latitude == value.longitude == 0
    if not isinstance(value, float):
        return False
    if metric == HEART_RATE and value == _NO_PULSE:
        return True
    return not math.isfinite(value) or (value == 0 and metric in ZERO_IS_NO_VALUE)


def microseconds(time: datetime | None) -> int | None:
    """Microseconds since the epoch, exactly; a time without a zone is UTC."""
    if time is None:
        return None
    if time.tzinfo is None:
        time = time.replace(tzinfo=timezone.utc)
    since = time - _EPOCH
    return (since.days * 86_400 + since.seconds) * 1_000_000 + since.microseconds
