"""Garmin's TCX. Parsed by tcxreader."""

from __future__ import annotations

import io
from typing import BinaryIO
from xml.etree.ElementTree import ParseError
from zoneinfo import ZoneInfo

from tcxreader.tcxreader import TCXReader

from .sample import Recording, microseconds
from .xml_repair import Shape, repaired

_EXTENSIONS = "http://www.garmin.com/xmlschemas/ActivityExtension/v2"
_SHAPE = Shape(
    root="TrainingCenterDatabase",
    home="Activities",
    point="Trackpoint",
    coordinates=(),
    numbers=frozenset(("LatitudeDegrees", "LongitudeDegrees", "AltitudeMeters", "Value", "Speed")),
    time="Time",
    needs_time=True,
    before='<TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2" '
    f'xmlns:x="{_EXTENSIONS}"><Activities><Activity Sport="Other"><Lap><Track>',
    behind="</Track></Lap></Activity></Activities></TrainingCenterDatabase>",
    extensions=_EXTENSIONS,
    knows_namespaces=True,
)


def read(file: BinaryIO, recording: Recording, zone: ZoneInfo) -> None:
    """Raises ValueError for what is no TCX, or has no point and can't be read to its end."""
    for document in repaired(file, _SHAPE, recording, zone):
        try:
            points = TCXReader().read(io.BytesIO(document), only_gps=False).trackpoints
        except (ParseError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"not TCX: {error}") from error
        for point in points:
            recording.add_point(
                microseconds(point.time),
                point.latitude,
                point.longitude,
                altitude=point.elevation,
                speed=point.tpx_ext.get("Speed"),
                heart_rate=point.hr_value,
            )
