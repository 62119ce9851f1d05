"""Garmin's TCX. Parsed by tcxreader."""

from __future__ import annotations

import io
from xml.etree.ElementTree import ParseError
from zoneinfo import ZoneInfo

from tcxreader.tcxreader import TCXReader

from .sample import Recording, microseconds


def read(file: io.BytesIO, recording: Recording, zone: ZoneInfo) -> None:
    try:
        exercise = TCXReader().read(file, only_gps=False)
    except (ParseError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not TCX: {error}") from error
    for point in exercise.trackpoints:
        recording.add_point(
            microseconds(point.time),
            point.latitude,
            point.longitude,
            altitude=point.elevation,
            speed=point.tpx_ext.get("Speed"),
            heart_rate=point.hr_value,
        )
