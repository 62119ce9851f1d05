"""Garmin's FIT. Parsed by fitdecode: records, the pulses of `hr` and `monitoring` messages, and what scales and cuffs write.

A file is one recording after the other, each with a header that says how long it is. What is wrong with them in the wild: the
length is 0, where the device lost power before it could write it; the file ends before; something else follows.
"""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator
from typing import BinaryIO
from zoneinfo import ZoneInfo

import fitdecode

from .sample import HEART_RATE, POSITION, Recording

# Positions are in semicircles: 2^31 of them are 180 degrees.
_DEGREES = 180 / 2**31
# FIT counts seconds from 1989-12-31T00:00:00Z.
_EPOCH_S = 631_065_600
# Smaller numbers are seconds since the device was turned on.
_LEAST_TIME = 0x1000_0000
_CHECKSUM_BYTES = 2

_RECORD = frozenset(
    (
        "timestamp", "position_lat", "position_long", "altitude", "enhanced_altitude", "speed", "enhanced_speed", "heart_rate",
        "respiration_rate", "enhanced_respiration_rate",
    )
)  # fmt: skip
_HR = frozenset(
    ("timestamp", "fractional_timestamp", "time256", "filtered_bpm", "event_timestamp", "event_timestamp_12")
)  # fmt: skip
_MONITORING = frozenset(
    ("timestamp", "timestamp_16", "local_timestamp", "heart_rate", "activity_type", "intensity",
     "current_activity_type_intensity", "device_index")
)  # fmt: skip
# Messages of one moment: the metric of each field.
_MOMENTS = {
    "blood_pressure": {
        "systolic_pressure": "systolic_blood_pressure", "diastolic_pressure": "diastolic_blood_pressure",
        "heart_rate": HEART_RATE,
    },
    "weight_scale": {"weight": "weight"},
    "spo2_data": {"reading_spo2": "blood_oxygen"},
    "respiration_rate": {"respiration_rate": "respiratory_rate"},
}  # fmt: skip
# Messages that say how a recording was made, or sum it up.
_ABOUT = frozenset(
    (
        "file_id", "file_creator", "activity", "session", "lap", "length", "segment_lap", "event", "device_info",
        "device_settings", "user_profile", "hrm_profile", "sdm_profile", "bike_profile", "sport", "zones_target", "hr_zone",
        "power_zone", "speed_zone", "cadence_zone", "met_zone", "time_in_zone", "field_description", "developer_data_id",
        "software", "capabilities", "file_capabilities", "mesg_capabilities", "field_capabilities", "monitoring_info",
        "timestamp_correlation", "training_file", "workout", "workout_step", "course", "course_point", "pad", "split",
        "split_summary", "gps_metadata", "training_settings", "watchface_settings", "connectivity",
    )
)  # fmt: skip


def read(file: BinaryIO, recording: Recording, zone: ZoneInfo) -> None:
    """Times are UTC in FIT. Raises ValueError for what is no FIT, or ends before its first message."""
    content = file.read()
    start = messages = 0
    while not recording.cut_short and (header := _header(content, start)):
        end, clock = start + sum(header) + _CHECKSUM_BYTES, _Clock()
        if start + sum(header) > len(content):
            recording.cut_short = f"cut short: {start + sum(header) - len(content):,} bytes are missing"
        for number, message in enumerate(_messages(content, start, header, recording), 1):
            messages += 1
            try:
                _take(message, clock, recording)
            except (ArithmeticError, TypeError, ValueError) as error:
                recording.add_unreadable(f"message {number}, {message.name}: {error}")
        start = min(end, len(content))
    if not messages:
        raise ValueError(f"not FIT, or without messages{': ' if recording.cut_short else ''}{recording.cut_short}")
    recording.behind_end += len(content) - start


def _header(content: bytes, start: int) -> tuple[int, int] | None:
    """The bytes of the header there, and of the data behind it; nil where there is none."""
    head = content[start : start + 12]
    if len(head) < 12 or head[8:] != b".FIT" or head[0] < 12:
        return None
    data_bytes = struct.unpack_from("<I", head, 4)[0]
    # A length of 0 was never written: all that follows is its data.
    return head[0], data_bytes or max(0, len(content) - start - head[0] - _CHECKSUM_BYTES)


def _messages(
    content: bytes, start: int, header: tuple[int, int], recording: Recording
) -> Iterator[fitdecode.FitDataMessage]:
    """The messages of one recording, as far as they can be read."""
    part = bytearray(content[start : start + sum(header)])
    struct.pack_into("<I", part, 4, header[1])
    if len(part) == sum(header):
        # A recording is worth what it has: its checksum may be wrong or missing.
        part += bytes(_CHECKSUM_BYTES)
    try:
        with fitdecode.FitReader(
            io.BytesIO(part), check_crc=fitdecode.CrcCheck.DISABLED, error_handling=fitdecode.ErrorHandling.IGNORE
        ) as frames:
            for frame in frames:
                if isinstance(frame, fitdecode.FitDataMessage):
                    yield frame
    except (fitdecode.FitError, AssertionError, ArithmeticError, LookupError, TypeError, ValueError, struct.error) as error:
        # What Python raises where fitdecode meets what it does not expect.
        recording.cut_short = recording.cut_short or f"not read to its end: {error or type(error).__name__}"


class _Clock:
    """What times of messages are relative to."""

    def __init__(self) -> None:
        self.seconds: int | None = None
        """The last timestamp, in FIT's seconds."""
        self._pulse_us = 0
        self._pulse_ticks: int | None = None
        self._ticks = 0

    def now_us(self) -> int | None:
        return None if self.seconds is None or self.seconds < _LEAST_TIME else (self.seconds + _EPOCH_S) * 1_000_000

    def take(self, raw: dict[str, object]) -> None:
        """A message says the time, whole or the last 16 bits of it."""
        if isinstance(stamp := _last(raw.get("timestamp")), int):
            self.seconds = stamp
        elif isinstance(low := _last(raw.get("timestamp_16")), int) and self.seconds is not None:
            self.seconds += (low - self.seconds) & 0xFFFF

    def pulses_us(self, raw: dict[str, object]) -> list[int]:
        """The times of the pulses of an `hr` message. The first one says to which time its 1,024ths of a second belong; later
        ones have the last 12 bits of them."""
        if "event_timestamp_12" in raw:
            ticks = [self._ticks_of(low) for low in _twelve_bits(bytes(_all(raw["event_timestamp_12"])))]
        else:
            ticks = [tick for tick in _all(raw.get("event_timestamp")) if isinstance(tick, int)]
            if ticks and (now_us := self.now_us()) is not None:
                part = _last(raw.get("fractional_timestamp"))
                self._pulse_us = now_us + (round(part * 1_000_000 / 32_768) if isinstance(part, int) else 0)
                self._pulse_ticks, self._ticks = ticks[0], ticks[-1]
        if self._pulse_ticks is None:
            return []
        return [self._pulse_us + round((tick - self._pulse_ticks) * 1_000_000 / 1_024) for tick in ticks]

    def _ticks_of(self, low: int) -> int:
        self._ticks += (low - self._ticks) & 0xFFF
        return self._ticks


def _take(message: fitdecode.FitDataMessage, clock: _Clock, recording: Recording) -> None:
    """Takes what a message says."""
    if message.name in _ABOUT and message.name != "monitoring_info":
        return
    # Fields of the file first, then what fitdecode makes of them: enhanced_speed of speed.
    raw = {field.name: field.raw_value for field in reversed(message.fields)}
    clock.take(raw)
    values = {field.name: field.value for field in message.fields}
    match message.name:
        case "record":
            _take_record(values, clock, recording)
            _count_others(message.name, values, _RECORD, recording)
        case "hr":
            _take_pulses(raw, clock, recording)
            _count_others(message.name, values, _HR, recording)
        case "monitoring":
            if "heart_rate" in values:
                _add(recording, clock.now_us(), HEART_RATE, values["heart_rate"])
            _count_others(message.name, values, _MONITORING, recording)
        case name if name in _MOMENTS:
            for field, metric in _MOMENTS[name].items():
                if field in values:
                    _add(recording, clock.now_us(), metric, values[field])
            _count_others(name, values, {"timestamp", *_MOMENTS[name]}, recording)
        case "monitoring_info":
            pass
        case name:
            recording.add_unknown(name)


def _take_record(values: dict[str, object], clock: _Clock, recording: Recording) -> None:
    def field(*names: str):
        return next((value for name in names if (value := _last(values.get(name))) is not None), None)

    latitude, longitude, pulse = field("position_lat"), field("position_long"), field("heart_rate")
    if "position_lat" in values and (latitude is None or longitude is None):
        recording.no_value[POSITION] += 1
    if "heart_rate" in values and pulse is None:
        recording.no_value[HEART_RATE] += 1
    recording.add_point(
        clock.now_us(),
        None if latitude is None else latitude * _DEGREES,
        None if longitude is None else longitude * _DEGREES,
        altitude=field("enhanced_altitude", "altitude"),
        speed=field("enhanced_speed", "speed"),
        heart_rate=pulse,
    )
    if "respiration_rate" in values or "enhanced_respiration_rate" in values:
        _add(recording, clock.now_us(), "respiratory_rate", field("enhanced_respiration_rate", "respiration_rate"))


def _take_pulses(raw: dict[str, object], clock: _Clock, recording: Recording) -> None:
    pulses, times_us = _all(raw.get("filtered_bpm")), clock.pulses_us(raw)
    for pulse, time_us in zip(pulses, times_us):
        _add(recording, time_us, HEART_RATE, pulse)
    recording.without_time += max(0, len(pulses) - len(times_us))


def _add(recording: Recording, time_us: int | None, metric: str, value: object) -> None:
    """Takes a value; FIT's invalid ones are none already."""
    last = _last(value)
    if last is None:
        recording.no_value[metric] += 1
    else:
        recording.add(time_us, metric, float(last))


def _count_others(name: str, values: dict[str, object], known: frozenset[str] | set[str], recording: Recording) -> None:
    """Counts the fields that nothing here stands for."""
    for field, value in values.items():
        if field not in known and _last(value) is not None:
            recording.add_unknown(f"{name}.{field}")


def _all(value: object) -> tuple:
    return value if isinstance(value, tuple) else tuple(value) if isinstance(value, (bytes, list)) else () if value is None else (value,)


def _last(value: object):
    """A field may be an array: the last value that is one counts, which is the newest."""
    if not isinstance(value, tuple):
        return value
    return next((one for one in reversed(value) if one is not None), None)


def _twelve_bits(packed: bytes) -> list[int]:
    """Numbers of 12 bits, the lowest first."""
    whole = int.from_bytes(packed, "little")
    return [whole >> 12 * index & 0xFFF for index in range(len(packed) * 8 // 12)]
