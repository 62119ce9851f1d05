"""What was seen in a run of hostile.py, and what it proves."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

import findings

CALL_S = 5.0
"""From the crossing of a limit to the acceptance of its call, the time to connect included."""
MEMORY_BYTES = 1 << 30
"""Of the server, at most."""
RECOVERY_S = 10.0
"""After the attacks everything is as before."""
SLOW_S = 1.0
"""A delivery that takes so long is not as before, nor is a call that takes so much longer than any of its kind then."""
MORE_FILES = 100
"""Open files that the server may have more than before the attacks: connections to PostgreSQL and to gateways that have
come into use."""
_NEVER = {"INTERNAL", "UNKNOWN"}


@dataclass
class Crossing:
    """A limit that a person's values crossed. Times are seconds of time.time()."""

    person: int
    due_s: float
    """When the device began to connect: from here on there is an emergency."""


@dataclass
class Call:
    """An emergency as the server has kept it, in seconds of its clock, which is that of this machine."""

    completed_s: float
    """When the last reading of the crossing was received."""
    decided_s: float
    accepted_s: float | None
    """When a dispatcher's acceptance was received."""


@dataclass
class Probe:
    """A small call of somebody who does no harm."""

    at_s: float
    rpc: str
    seconds: float
    status: str


@dataclass
class Sample:
    """The server's process at a moment."""

    at_s: float
    files: int
    rss_bytes: int = 0
    """Of its memory."""
    running: int | None = 0
    """Calls, by its metrics; None where they did not come in time."""


@dataclass
class HostileRun:
    """Everything that was seen."""

    attack_s: tuple[float, float] = (0, 0)
    """When the attacks began and ended."""
    has_attacks: bool = True
    crossings: list[Crossing] = field(default_factory=list)
    called: set[int] = field(default_factory=set)
    """The persons for whom the dispatcher says that it was called."""
    calls: dict[int, Call] = field(default_factory=dict)
    """By the person."""
    acknowledged: dict[int, int] = field(default_factory=dict)
    """How many readings of each person were acknowledged."""
    stored: dict[int, int] = field(default_factory=dict)
    delivered: dict[int, int] = field(default_factory=dict)
    """How many readings reached each person who follows their own."""
    probes: list[Probe] = field(default_factory=list)
    lags: list[tuple[float, float]] = field(default_factory=list)
    """When a frame was delivered, and how long after it was due."""
    samples: list[Sample] = field(default_factory=list)
    peak_bytes: int = 0
    stop_s: float = 0
    """From SIGTERM to the end; and for how long of it the machine stood still."""
    stop_still_s: float = 0
    crashes: list[str] = field(default_factory=list)
    attacks: dict[str, dict[str, int]] = field(default_factory=dict)
    """How the calls of each attack ended."""
    refusals: list[str] = field(default_factory=list)
    """What else went wrong for those who do no harm."""
    stood_still_s: findings.StoodStill = findings.never
    """Of time.time()."""

    def problems(self) -> list[str]:
        """The promises that were broken."""
        return [
            *self.crashes, *self._lost(), *self._undelivered(), *self._not_called(), *self._late(), *self._memory(),
            *self._refused(), *self._failures(), *self._not_as_before(), *self._unseen(),
        ]  # fmt: skip

    def _lost(self):
        for person, count in self.acknowledged.items():
            if self.stored.get(person, 0) < count:
                yield f"person {person}: {count} readings were acknowledged, {self.stored.get(person, 0)} are stored"

    def _undelivered(self):
        for person, count in self.delivered.items():
            if count != self.acknowledged.get(person, 0):
                yield f"person {person}: {self.acknowledged.get(person, 0)} readings acknowledged, {count} delivered"

    def _not_called(self):
        for crossing in self.crossings:
            if crossing.person not in self.called:
                yield f"person {crossing.person}: no dispatcher was called"

    def seconds_to_acceptance(self) -> list[float]:
        """Of each crossing whose call was accepted."""
        return [
            call.accepted_s - c.due_s for c in self.crossings
            if (call := self.calls.get(c.person)) is not None and call.accepted_s is not None
        ]  # fmt: skip

    def _late(self):
        for crossing in self.crossings:
            call = self.calls.get(crossing.person)
            if call is None or call.accepted_s is None:
                yield f"person {crossing.person}: no acceptance is recorded"
            elif (late := call.accepted_s - crossing.due_s) > CALL_S:
                still = self.stood_still_s(crossing.due_s, call.accepted_s)
                accepted = f"the call was accepted {late:.2f} s after the crossing"
                yield findings.late(late, CALL_S, still, f"person {crossing.person}: {accepted}")

    def _memory(self):
        if self.peak_bytes > MEMORY_BYTES:
            yield f"the server had {self.peak_bytes >> 20} MiB of memory"

    def _refused(self):
        yield from self.refusals
        refused: defaultdict[tuple[str, str], list[Probe]] = defaultdict(list)
        for probe in self.probes:
            if not self._is_fine(probe):
                refused[probe.rpc, probe.status].append(probe)
        for (rpc, status), probes in refused.items():
            first = min(probes, key=lambda probe: probe.at_s)
            when = f"{first.at_s - self.attack_s[0]:.1f} s after the attacks began"
            yield f"{len(probes)} calls of {rpc} by others ended with {status}: the first {when}, after {first.seconds:.2f} s"

    def _is_fine(self, probe: Probe) -> bool:
        return probe.status == "OK"

    def _failures(self):
        for name, statuses in self.attacks.items():
            for status in sorted(_NEVER & statuses.keys()):
                yield f"{name}: {statuses[status]} calls ended with {status}"

    def _not_as_before(self):
        _, end = self.attack_s
        later = end + RECOVERY_S
        for probe in self.probes:
            slow_s = SLOW_S + self._slowest_before_s(probe.rpc)
            if probe.at_s > later and probe.seconds > slow_s:
                took = f"{probe.rpc} took {probe.seconds:.2f} s, {probe.at_s - end:.1f} s after the attacks"
                yield findings.late(probe.seconds, slow_s, self.still_s(probe), took)
        slow = [(lag, at) for at, lag in self.lags if at > later and lag > 1 + SLOW_S]
        for lag, at in sorted(slow, reverse=True)[:3]:
            delivered = f"readings were delivered {lag:.2f} s late, {at - end:.1f} s after the attacks"
            yield findings.late(lag, 1 + SLOW_S, self.stood_still_s(at - lag, at), delivered)
        before = max((s.files for s in self.samples if s.at_s < self.attack_s[0]), default=0)
        after = [s.files for s in self.samples if s.at_s > later]
        if after and min(after) > before + MORE_FILES:
            yield f"the server had {before} open files before the attacks, and {min(after)} after them"

    def _slowest_before_s(self, rpc: str) -> float:
        """How long its slowest call took before the attacks; 0 where none was made."""
        begin, _ = self.attack_s
        return max((p.seconds for p in self.probes if p.rpc == rpc and p.at_s + p.seconds <= begin), default=0.0)

    def still_s(self, probe: Probe) -> float:
        """For how long the machine stood still during a call."""
        return self.stood_still_s(probe.at_s, probe.at_s + probe.seconds)

    def recovered_s(self) -> float:
        """How long after the attacks the last small call was slow that had begun after them."""
        _, end = self.attack_s
        return max((p.at_s + p.seconds - end for p in self.probes if p.at_s > end and p.seconds > SLOW_S), default=0.0)

    def _unseen(self):
        """What the run is about and did not see."""
        if not self.crossings:
            yield "nobody crossed a limit"
        if not any(probe.at_s > self.attack_s[1] + RECOVERY_S for probe in self.probes):
            yield "nobody asked anything after the attacks"
        for name, statuses in self.attacks.items():
            if not statuses:
                yield f"{name}: the attack made no call"
        if self.has_attacks != bool(self.attacks):
            yield "the attacks did not come"


def share(values: list[float], part: float) -> float:
    """The value that so many are not above, in milliseconds."""
    ordered = sorted(values)
    return round(1_000 * ordered[min(len(ordered) - 1, int(part * len(ordered)))], 1) if ordered else 0.0
