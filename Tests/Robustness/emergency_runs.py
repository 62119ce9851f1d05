"""What was seen in a run of emergencies.py, and what it proves."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field

CALL_S = 5.0
"""From the moment at which everything works again to the call, at most."""
SERVING_S = 1.0
"""From a server's start to SERVING where PostgreSQL runs, at most."""
DETECTED, DISPATCHING, ACCEPTED, EN_ROUTE, RESOLVED, CANCELLED = range(1, 7)
_EARLIER = {DETECTED: (), DISPATCHING: (DETECTED,), ACCEPTED: (DISPATCHING, ACCEPTED, EN_ROUTE), EN_ROUTE: (
    DISPATCHING, ACCEPTED, EN_ROUTE), RESOLVED: (DISPATCHING, ACCEPTED, EN_ROUTE), CANCELLED: (
    DETECTED, DISPATCHING, ACCEPTED, EN_ROUTE)}  # fmt: skip


@dataclass
class Crossing:
    """What a person's readings were meant to bring about. Times are seconds of time.time()."""

    person: int
    sent_s: float
    """When the first of them was handed to the client."""
    due_s: float
    """When the hold was over: from here on there is an emergency."""
    is_emergency: bool = True
    """False: values swung back within the limits before the hold was over."""


@dataclass
class Incident:
    """A call as a dispatcher noted it."""

    dispatcher: str
    emergency: str
    person: int
    at_s: float


@dataclass
class Outage:
    """Something was killed at from_s and worked again at to_s."""

    what: str
    from_s: float
    to_s: float


@dataclass
class Record:
    """An emergency as PostgreSQL has it in the end."""

    emergency: str
    person: int
    state: int
    transitions: list[tuple[int, int, str]]
    """State, time and actor."""


@dataclass
class EmergencyRun:
    """Everything that was seen."""

    crossings: list[Crossing] = field(default_factory=list)
    incidents: list[Incident] = field(default_factory=list)
    outages: list[Outage] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    journal: list[tuple[str, int]] = field(default_factory=list)
    """Emergency and person of each entry of the journal."""
    gateway: list[tuple[str, str, str]] = field(default_factory=list)
    """Channel, key and text of what the gateway took."""
    starts_s: list[float] = field(default_factory=list)
    """How long the server took to SERVING, each time that it was started with PostgreSQL running."""

    def problems(self) -> list[str]:
        """The promises that were broken."""
        return [
            *self._not_reached(), *self._late(), *self._doubled(), *self._false(), *self._not_recorded(),
            *self._wrong_transitions(), *self._gateway_problems(), *self._slow_starts(),
        ]  # fmt: skip

    @property
    def reached(self) -> dict[int, float]:
        """When the first call for each person came."""
        first: dict[int, float] = {}
        for incident in self.incidents:
            first[incident.person] = min(incident.at_s, first.get(incident.person, incident.at_s))
        return first

    def seconds_to_call(self) -> list[float]:
        """Of each emergency that was called: from the moment when it was due and everything worked again."""
        reached = self.reached
        return [
            max(0.0, reached[c.person] - self._ready(c, reached[c.person]))
            for c in self.crossings if c.is_emergency and c.person in reached
        ]  # fmt: skip

    def _ready(self, crossing: Crossing, until_s: float) -> float:
        """The end of the last outage that concerned a crossing before it was called, or when it was due."""
        ends = [o.to_s for o in self.outages if o.to_s > crossing.sent_s and o.from_s < until_s and o.to_s <= until_s]
        return max([crossing.due_s, *ends])

    def _not_reached(self):
        reached = self.reached
        for crossing in self.crossings:
            if crossing.is_emergency and crossing.person not in reached:
                yield f"person {crossing.person}: nobody was called"

    def _late(self):
        """A call is late if for CALL_S everything worked, it was due, and it had not come."""
        reached = self.reached
        for crossing in self.crossings:
            if not crossing.is_emergency or crossing.person not in reached:
                continue
            for start, end in self._calm(crossing.sent_s):
                begin = max(start, crossing.due_s)
                if begin + CALL_S < min(end, reached[crossing.person]):
                    late = reached[crossing.person] - begin
                    yield f"person {crossing.person}: the call came {late:.2f} s after everything worked again"
                    break

    def _calm(self, since_s: float):
        """The times without any outage from a moment on."""
        start = since_s
        for outage in sorted(self.outages, key=lambda o: o.from_s):
            if outage.from_s > start:
                yield start, outage.from_s
            start = max(start, outage.to_s)
        yield start, float("inf")

    def _doubled(self):
        by_person: dict[int, set[str]] = defaultdict(set)
        for incident in self.incidents:
            by_person[incident.person].add(incident.emergency)
        for record in self.records:
            by_person[record.person].add(record.emergency)
        for emergency, person in self.journal:
            by_person[person].add(emergency)
        for person, emergencies in by_person.items():
            if len(emergencies) > 1:
                yield f"person {person}: {len(emergencies)} emergencies for one episode: {sorted(emergencies)}"
        for emergency, count in Counter(r.emergency for r in self.records).items():
            if count > 1:
                yield f"{emergency} is recorded {count} times"
        noted = Counter((i.dispatcher, i.emergency) for i in self.incidents)
        for (dispatcher, emergency), count in noted.items():
            if count > 1:
                yield f"{emergency} is {count} incidents at {dispatcher}"

    def _false(self):
        expected = {c.person for c in self.crossings if c.is_emergency}
        seen = {i.person for i in self.incidents} | {r.person for r in self.records} | {p for _, p in self.journal}
        for person in sorted(seen - expected):
            yield f"person {person}: was called for without a crossing"

    def _not_recorded(self):
        records = {record.emergency: record for record in self.records}
        for emergency in sorted({i.emergency for i in self.incidents}):
            if emergency not in records:
                yield f"{emergency} was called and is not recorded"
                continue
            steps = records[emergency].transitions
            if not any(state == ACCEPTED and actor.startswith("dispatcher") for state, _, actor in steps):
                yield f"{emergency} is recorded without a dispatcher's acceptance"

    def _wrong_transitions(self):
        times: Counter[int] = Counter()
        for record in self.records:
            states = [state for state, _, _ in record.transitions]
            if states[:1] != [DETECTED] or states[-1] != record.state:
                yield f"{record.emergency} is in state {record.state} by {states}"
            for before, after in zip(states, states[1:]):
                if before not in _EARLIER[after]:
                    yield f"{record.emergency} went from state {before} to {after}"
            at = [time for _, time, _ in record.transitions]
            if any(b <= a for a, b in zip(at, at[1:])):
                yield f"{record.emergency} has transitions at {at}"
            times.update(at)
        for time, count in times.items():
            if count > 1:
                yield f"{count} transitions at {time}: a cursor would lose one"

    def _gateway_problems(self):
        taken: dict[tuple[str, str], set[str]] = defaultdict(set)
        emergencies = {record.emergency for record in self.records}
        for channel, key, _ in self.gateway:
            owner = next((e for e in emergencies if e in key), None)
            if owner is None:
                yield f"{channel} with the key {key} belongs to no emergency"
            else:
                taken[(channel, owner)].add(key)
        for (channel, emergency), keys in taken.items():
            if len(keys) > 1:
                yield f"{emergency} is {len(keys)} different calls by {channel}"
        for channel in ("sms", "voice"):
            for emergency in sorted(emergencies):
                if (channel, emergency) not in taken:
                    yield f"{emergency} was never taken by {channel}"

    def _slow_starts(self):
        for seconds in self.starts_s:
            if seconds > SERVING_S:
                yield f"the server was SERVING {seconds:.2f} s after its start, with PostgreSQL running"
