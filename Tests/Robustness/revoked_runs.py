"""What was seen in a run of revocation.py, and what it proves."""

from __future__ import annotations

import bisect
from dataclasses import dataclass, field

SECOND_US = 1_000_000


class PushedBatches:
    """What a device pushed: each batch holds readings of seconds of its own, later ones than all batches before it. So
    the time of a reading says in which batch it was, and at which position of the log that was committed."""

    def __init__(self, first_second: int):
        self.next_second = first_second
        self._ends: list[int] = []
        self._positions: list[int | None] = []

    def add(self, readings: int) -> range:
        """A new batch: the seconds of its readings."""
        seconds = range(self.next_second, self.next_second + readings)
        self.next_second = seconds.stop
        self._ends.append(seconds.stop)
        self._positions.append(None)
        return seconds

    def acknowledged(self, sequence: int, position: int) -> None:
        """The batch with that number, counted from 1, was committed there."""
        self._positions[sequence - 1] = position

    @property
    def count(self) -> int:
        return len(self._ends)

    @property
    def unacknowledged(self) -> int:
        return self._positions.count(None)

    def position_of(self, time_us: int) -> int | None:
        """Where the reading of that time was committed; None if that was never said."""
        batch = bisect.bisect_right(self._ends, time_us // SECOND_US)
        return self._positions[batch] if batch < len(self._positions) else None

    def after(self, position: int) -> int:
        """How many batches were committed after a position."""
        return sum(1 for p in self._positions if p is not None and p > position)


@dataclass
class Reading:
    """What one stream or export of the third party got."""

    name: str
    frames: int = 0
    """Of any kind."""
    readings: int = 0
    newest_us: int = 0
    """The greatest time among the readings: of the newest batch, as times and positions rise together."""
    is_export: bool = False
    last_change: tuple[int, int] | None = None
    """State and position of the access change in the last frame; None if the last frame was another one."""
    ended_s: float = 0.0
    status: str = ""
    reason: str = ""
    message: str = ""
    position: int | None = None
    """As the metadata of the status says."""


@dataclass
class RevokedRun:
    """One grant from its beginning to its end."""

    kind: str
    revoked_s: float = 0.0
    """When the call of RevokeAccess began."""
    position: int = 0
    """Where the grant ended, as RevokeAccess said."""
    state: int = 0
    committed_after: int = 0
    """Batches that the device got committed after that."""
    readings: list[Reading] = field(default_factory=list)

    def seconds_to_end(self) -> list[float]:
        """From the call of RevokeAccess to the end of each stream and export that it ended."""
        return [r.ended_s - self.revoked_s for r in self.readings if r.status != "OK"]

    def problems(self, pushed: PushedBatches) -> list[str]:
        """The promises that were broken."""
        found = []
        for reading in self.readings:
            found += [f"{self.kind}, {reading.name}: {p}" for p in self._problems_of(reading, pushed)]
        return found

    @staticmethod
    def came_too_late(reading: Reading) -> bool:
        """Whether the grant had ended before the stream began: then there is a status and no frame."""
        return not reading.is_export and reading.frames == 0

    def was_cut_off(self, reading: Reading) -> bool:
        """Whether it was ended without details because the client, busy as it is, had not read for half a second."""
        waited = reading.ended_s - self.revoked_s >= 0.4
        return waited and not reading.reason and str(self.position) in reading.message

    def _problems_of(self, reading: Reading, pushed: PushedBatches):
        if reading.readings:
            newest = pushed.position_of(reading.newest_us)
            if newest is None:
                yield f"a reading of second {reading.newest_us // SECOND_US} was delivered and never acknowledged"
            elif newest > self.position:
                yield f"a reading of position {newest} was delivered; the grant ended at {self.position}"
        if reading.is_export and reading.status == "OK":
            return  # It was over before the grant was.
        if self.was_cut_off(reading):
            if reading.status != "PERMISSION_DENIED":
                yield f"was cut off with {reading.status}"
            return
        if (reading.status, reading.reason) != ("PERMISSION_DENIED", "ACCESS_ENDED"):
            yield f"ended with {reading.status} {reading.reason}: {reading.message}"
        if reading.position != self.position:
            yield f"the status names position {reading.position}, not {self.position}"
        if reading.is_export or self.came_too_late(reading):
            return
        if reading.last_change != (self.state, self.position):
            yield f"the last frame was {reading.last_change}, not the change to {self.state} at {self.position}"
