"""Garmin's TCX. Parsed by tcxreader."""

from __future__ import annotations

import io
from typing import BinaryIO
from xml.etree.ElementTree import ParseError
from zoneinfo import ZoneInfo

from tcxreader.tcxreader import TCXReader

from .sample import Recording, microseconds
from .xml_repair import repaired

_EXTENSIONS = "http://www.garmin.com/xmlschemas/ActivityExtension/v2"


def read(file: BinaryIO, recording: Recording, zone: ZoneInfo) -> None:
    try:
        exercise = TCXReader().read(io.BytesIO(repaired(file.read(), _EXTENSIONS)), only_gps=False)
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
