"""GPX tracks, with the heart rate of Garmin's TrackPointExtension. Parsed by gpxpy."""

from __future__ import annotations

import io
from typing import BinaryIO
from zoneinfo import ZoneInfo

import gpxpy
from gpxpy.gpx import GPXException, GPXTrackPoint

from .sample import Recording, microseconds
from .xml_repair import repaired

_EXTENSIONS = "http://www.garmin.com/xmlschemas/TrackPointExtension/v1"


def read(file: BinaryIO, recording: Recording, zone: ZoneInfo) -> None:
    try:
        document = gpxpy.parse(io.BytesIO(repaired(file.read(), _EXTENSIONS)))
    except GPXException as error:
        raise ValueError(f"not GPX: {error}") from error
    for track in document.tracks:
        for segment in track.segments:
            for point in segment.points:
                recording.add_point(
                    microseconds(point.time),
                    point.latitude,
                    point.longitude,
                    altitude=point.elevation,
                    speed=_extension(point, "speed") if point.speed is None else point.speed,
                    course=_extension(point, "course") if point.course is None else point.course,
                    heart_rate=_extension(point, "hr"),
                )


def _extension(point: GPXTrackPoint, name: str) -> float | None:
    """The number in an extension element of that local name, at any depth and in any namespace."""
    for extension in point.extensions:
        for element in extension.iter():
            if isinstance(element.tag, str) and element.tag.rpartition("}")[2] == name:
                try:
                    return float(element.text or "")
                except ValueError:
                    return None
    return None
