"""What was seen in a run of revocation.py, and what it proves."""

from __future__ import annotations

import bisect
from collections.abc import Iterable
from dataclasses import dataclass, field

import findings

SECOND_US = 1_000_000
MINUTE_S = 60
END_S = 2.0
"""From the end of a grant, or from the moment at which a server that was killed after it works again, to the end of
each stream and export. The server cuts off after half a second; the rest is for a client that is busy."""


class PushedBatches:
    """What a device pushed: each batch holds readings of seconds of its own, later ones than all batches before it. So
    the time of a reading says in which batch it was, and at which position of the log that was committed. The values of
    a minute rise by 1 each second, so a mean says how many of them it is of."""

    def __init__(self, first_second: int):
        self.first_second = self.next_second = first_second
        self._ends: list[int] = []
        self._positions: list[int | None] = []

    @staticmethod
    def value(second: int) -> float:
        return float(60 + second % MINUTE_S)

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

    def committed(self, sequence: int) -> None:
        """That batch was committed and its acknowledgement lost with the server: not before the batch before it."""
        self._positions[sequence - 1] = self._positions[sequence - 2] if sequence > 1 else 0

    @property
    def count(self) -> int:
        return len(self._ends)

    def position_of(self, time_us: int) -> int | None:
        """Where the reading of that time was committed, at least; None if that was never said."""
        batch = bisect.bisect_right(self._ends, time_us // SECOND_US)
        return self._positions[batch] if batch < len(self._positions) else None

    def newest_in(self, minute_us: int, mean: float) -> int | None:
        """The time of the newest of the readings whose mean was shown for a minute, which are its first ones; None if
        there are no such readings."""
        first = max(minute_us // SECOND_US, self.first_second)
        count = 2 * (mean - self.value(first)) + 1
        newest = first + round(count) - 1
        if abs(count - round(count)) > 1e-6 or not first <= newest < minute_us // SECOND_US + MINUTE_S:
            return None
        return newest * SECOND_US

    def after(self, position: int) -> int:
        """How many batches were committed after a position."""
        return sum(1 for p in self._positions if p is not None and p > position)


@dataclass
class Reading:
    """What one stream or export of the third party got."""

    name: str
    frames: int = 0
    """Of any kind, on the last connection."""
    readings: int = 0
    newest_us: int = 0
    """The greatest time among the readings: of the newest batch, as times and positions rise together."""
    minutes: list[tuple[int, int, float]] = field(default_factory=list)
    """Digest, minute and mean."""
    is_export: bool = False
    is_late: bool = False
    """It began when the grant's end had been answered."""
    stalls: bool = False
    """It did not read for longer than the server waits before it cuts off."""
    breaks: int = 0
    """Connections that ended because the server was killed."""
    last_change: tuple[int, int] | None = None
    """State and position of the access change in the last frame; None if the last frame was another one."""
    ended_s: float = 0.0
    status: str = ""
    reason: str = ""
    message: str = ""
    position: int | None = None
    """As the metadata of the status says."""

    def begin(self) -> None:
        """A new connection, or a new attempt."""
        self.frames, self.last_change = 0, None
        self.status = self.reason = self.message = ""
        self.position = None

    def take_minutes(self, digest: int, minutes: Iterable[tuple[int, float]]) -> None:
        self.minutes += ((digest, minute, mean) for minute, mean in minutes)


@dataclass
class RevokedRun:
    """One grant from its beginning to its end."""

    kind: str
    revoked_s: float = 0.0
    """When the call of RevokeAccess began."""
    answered_s: float = 0.0
    """When it was answered."""
    position: int = 0
    """Where the grant ended, as RevokeAccess said."""
    state: int = 0
    committed_after: int = 0
    """Batches that the device got committed after that."""
    is_killed: bool = False
    """Whether the server was killed in it."""
    outages: list[list[float]] = field(default_factory=list)
    """From when to when no server answered."""
    readings: list[Reading] = field(default_factory=list)
    stood_still_s: findings.StoodStill = findings.never
    """Of time.monotonic()."""

    def seconds_to_end(self) -> list[float]:
        """From the call of RevokeAccess to the end of each stream and export that it ended and that was read, without what
        the machine stood still meanwhile."""
        ended = [r for r in self.readings if r.status != "OK" and not (r.is_late or r.stalls)]
        return [r.ended_s - begin - self.stood_still_s(begin, r.ended_s) for r in ended for begin in [self._begin_s(r)]]

    def _begin_s(self, reading: Reading) -> float:
        """The end of the grant, or the end of the outage that was in the way of a stream's."""
        if not self.is_killed:
            return self.revoked_s
        # A call that was lost with the server may have ended nothing.
        ends = [end for start, end in self.outages if end > self.answered_s and start < reading.ended_s]
        return max([self.answered_s, *ends])

    def problems(self, pushed: PushedBatches) -> list[str]:
        """The promises that were broken."""
        found = []
        for reading in self.readings:
            found += [findings.of(f"{self.kind}, {reading.name}", p) for p in self._problems_of(reading, pushed)]
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
        yield from self._shown(reading, pushed)
        if reading.is_late and (reading.readings or reading.minutes or reading.frames):
            yield f"began after the end of the grant was answered and got {reading.readings} readings"
        begin = self._begin_s(reading)
        if not reading.is_late and (seconds := reading.ended_s - begin) > END_S:
            still = self.stood_still_s(begin, reading.ended_s)
            yield findings.late(seconds, END_S, still, f"lasted {seconds:.2f} s beyond the end of the grant")
        if reading.is_export and reading.status == "OK" and not reading.is_late:
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

    def _shown(self, reading: Reading, pushed: PushedBatches):
        """No reading from behind the end, neither by itself nor in a mean."""
        newest_us = reading.newest_us
        digests: dict[int, tuple[int, float]] = {}
        for digest, minute_us, mean in reading.minutes:
            newest = pushed.newest_in(minute_us, mean)
            if newest is None:
                yield f"the mean {mean} of the minute {minute_us // SECOND_US} is not one of its readings"
            newest_us = max(newest_us, newest or 0)
            # A digest that was interrupted comes again as a whole.
            if digests.setdefault(minute_us, (digest, mean)) != (digest, mean):
                yield f"the minute {minute_us // SECOND_US} was shown twice: {digests[minute_us]}, {(digest, mean)}"
        if not newest_us:
            return
        newest = pushed.position_of(newest_us)
        if newest is None:
            yield f"a reading of second {newest_us // SECOND_US} was delivered and never acknowledged"
        elif newest > self.position:
            yield f"a reading of position {newest} was delivered; the grant ended at {self.position}"
