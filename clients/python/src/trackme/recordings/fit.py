"""Garmin's FIT. Parsed by fitdecode; the record messages count."""

from __future__ import annotations

import io
from datetime import datetime
from typing import BinaryIO
from zoneinfo import ZoneInfo

import fitdecode

from .sample import Recording, microseconds

# Positions are in semicircles: 2^31 of them are 180 degrees.
_DEGREES = 180 / 2**31


def read(file: BinaryIO, recording: Recording, zone: ZoneInfo) -> None:
    # A recording that was cut short by an empty battery is still worth what it has: checksums only warn.
    try:
        with fitdecode.FitReader(
            io.BytesIO(file.read()), check_crc=fitdecode.CrcCheck.DISABLED, error_handling=fitdecode.ErrorHandling.IGNORE
        ) as frames:
            for frame in frames:
                if isinstance(frame, fitdecode.FitDataMessage) and frame.name == "record":
                    _add(frame, recording)
    except fitdecode.FitEOFError:
        if not recording.samples:
            raise ValueError("not FIT, or cut short before its first record") from None
    except fitdecode.FitError as error:
        raise ValueError(f"not FIT: {error}") from error


def _add(frame: fitdecode.FitDataMessage, recording: Recording) -> None:
    def field(*names: str):
        for name in names:
            value = frame.get_value(name, fallback=None)
            if value is not None:
                return value
        return None

    time, latitude, longitude = field("timestamp"), field("position_lat"), field("position_long")
    recording.add_point(
        microseconds(time) if isinstance(time, datetime) else None,
        None if latitude is None else latitude * _DEGREES,
        None if longitude is None else longitude * _DEGREES,
        altitude=field("enhanced_altitude", "altitude"),
        speed=field("enhanced_speed", "speed"),
        heart_rate=field("heart_rate"),
    )
