"""A reading as a row, and the values it may have."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Position:
    """A place on WGS 84. None means not known."""

    latitude: float
    """Degrees, north positive."""
    longitude: float
    """Degrees, east positive."""
    altitude: float | None = None
    """Metres above mean sea level."""
    accuracy: float | None = None
    """Metres, radius of the circle that holds the true place with 68 % probability."""
    speed: float | None = None
    """Metres per second over ground."""
    course: float | None = None
    """Degrees clockwise from true north."""


@dataclass(frozen=True, slots=True)
class Waveform:
    """Samples taken at one rate, the first one at the reading's time."""

    rate_hz: float
    samples: tuple[float, ...]


Value = float | Position | Waveform


@dataclass(frozen=True, slots=True)
class Reading:
    """One measurement of one person."""

    person_id: int
    metric: str
    """Name in the metric registry, such as "heart_rate"."""
    time_us: int
    """Microseconds since the Unix epoch, UTC."""
    value: Value
    source: str = ""
    """Where it comes from; empty on a push means the session's client_id."""
