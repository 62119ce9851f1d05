"""GPX tracks, with the heart rate of Garmin's TrackPointExtension. Parsed by gpxpy."""

from __future__ import annotations

import io
from typing import BinaryIO
from zoneinfo import ZoneInfo

import gpxpy
from gpxpy.gpx import GPXException, GPXTrackPoint

from .sample import Recording, microseconds
from .xml_repair import Shape, repaired

_SHAPE = Shape(
    root="gpx",
    home="trkseg",
    point="trkpt",
    coordinates=("lat", "lon"),
    numbers=frozenset(("ele", "speed", "course", "hr")),
    time="time",
    needs_time=False,
    before='<gpx version="1.1"><trk><trkseg>',
    behind="</trkseg></trk></gpx>",
    extensions="http://www.garmin.com/xmlschemas/TrackPointExtension/v1",
    knows_namespaces=False,
    extended=frozenset(("speed", "course", "hr")),
    others=frozenset(("wpt", "rtept")),
)


def read(file: BinaryIO, recording: Recording, zone: ZoneInfo) -> None:
    """Raises ValueError for what is no GPX, or has no point and can't be read to its end."""
    for document in repaired(file, _SHAPE, recording, zone):
        try:
            (segment,) = gpxpy.parse(io.BytesIO(document)).tracks[0].segments
        except GPXException as error:
            raise ValueError(f"not GPX: {error}") from error
        for point in segment.points:
            _add(point, recording)


def _add(point: GPXTrackPoint, recording: Recording) -> None:
    recording.add_point(
        microseconds(point.time),
        point.latitude,
        point.longitude,
        altitude=point.elevation,
        speed=_extension(point, "speed"),
        course=_extension(point, "course"),
        heart_rate=_extension(point, "hr"),
    )


def _extension(point: GPXTrackPoint, name: str) -> float | None:
    return next((float(element.text) for element in point.extensions if element.tag == name), None)
