"""When each sample of some recordings is due, and what time it bears then."""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from .recordings import Recording
from .values import Reading


class Rebase(Enum):
    """What times the readings bear."""

    NONE = "none"
    """Those of the recording."""
    START_NOW = "start-now"
    """The first one is the start of the replay, and each later one the moment at which it is due: at a speed other
    than 1 the distances between them shrink or grow with it."""
    END_NOW = "end-now"
    """The last one of each recording is the moment at which it is due; the distances between them are the recorded
    ones."""


@dataclass(frozen=True, slots=True)
class Due:
    """A reading and when to send it, in seconds after the start of the replay."""

    after_s: float
    reading: Reading


class Replay:
    """Several persons' recordings side by side, each beginning with the replay.

    The samples of a recording keep the order of the file. One that steps back in time is due at once: a device that
    sends late sends late here too. `speed` is how many recorded seconds pass in one; infinity means all is due at
    the start. With `duration_s`, each recording takes that many seconds, at a speed of its own.
    """

    def __init__(
        self,
        recordings: list[tuple[int, Recording]],
        speed: float = 1.0,
        rebase: Rebase = Rebase.NONE,
        duration_s: float | None = None,
    ):
        if not speed > 0 or (duration_s is not None and not duration_s > 0):
            raise ValueError("speed and duration are more than 0")
        self._rebase = rebase
        # Person, recording, its first and last time, speed.
        self._tracks: list[tuple[int, Recording, int, int, float]] = []
        for person, recording in recordings:
            if not recording.samples:
                continue
            first_us, last_us = recording.interval_us()
            if duration_s is not None:
                speed = ((last_us - first_us) / 1e6 / duration_s) or 1.0
            if rebase is Rebase.START_NOW and math.isinf(speed):
                raise ValueError("start-now needs a speed: with all due at once, no reading has a time of its own")
            if rebase is Rebase.END_NOW and speed < 1:
                raise ValueError("end-now needs a speed of 1 or more: slower, readings are sent before their time")
            self._tracks.append((person, recording, first_us, last_us, speed))

    @property
    def readings(self) -> int:
        """How many there are."""
        return sum(len(recording.samples) for _, recording, *_ in self._tracks)

    @property
    def duration_s(self) -> float:
        """From the first reading to the last."""
        return max(((last - first) / 1e6 / speed for _, _, first, last, speed in self._tracks), default=0)

    def schedule(self, start_us: int) -> Iterator[Due]:
        """All readings as they fall due in a replay that starts at `start_us`."""
        tracks = [self._track(*track, start_us) for track in self._tracks]
        return heapq.merge(*tracks, key=lambda due: due.after_s)

    def _track(
        self, person_id: int, recording: Recording, first_us: int, last_us: int, speed: float, start_us: int
    ) -> Iterator[Due]:
        end_us = start_us + round((last_us - first_us) / speed)
        reached_us = first_us
        for sample in recording.samples:
            reached_us = max(reached_us, sample.time_us)
            match self._rebase:
                case Rebase.NONE:
                    time_us = sample.time_us
                case Rebase.START_NOW:
                    time_us = start_us + round((sample.time_us - first_us) / speed)
                case Rebase.END_NOW:
                    time_us = end_us - (last_us - sample.time_us)
            yield Due(
                (reached_us - first_us) / 1e6 / speed,
                Reading(person_id, sample.metric, time_us, sample.value, sample.source),
            )
