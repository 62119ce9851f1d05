"""What was seen in a run of emergencies.py, and what it proves."""

from __future__ import annotations

import uuid
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import NamedTuple

import findings
from journal_file import JournalState

CALL_S = 5.0
"""From the moment at which everything works again to the call, at most."""
SERVING_S = 1.0
"""From a server's start to SERVING where PostgreSQL runs, at most."""
ANSWER_S = 2.0
"""An answer has been taken after this time, if nothing was killed meanwhile."""
JOURNAL_S = 5.0
"""And is in the journal after this: a disk that is busy may keep it waiting."""
DETECTED, DISPATCHING, ACCEPTED, EN_ROUTE, RESOLVED, CANCELLED = range(1, 7)
_EARLIER = {DETECTED: (), DISPATCHING: (DETECTED,), ACCEPTED: (DISPATCHING, ACCEPTED, EN_ROUTE), EN_ROUTE: (
    DISPATCHING, ACCEPTED, EN_ROUTE), RESOLVED: (DISPATCHING, ACCEPTED, EN_ROUTE), CANCELLED: (
    DETECTED, DISPATCHING, ACCEPTED, EN_ROUTE)}  # fmt: skip
CALL, UPDATE, TAKEN = "call", "update", "taken"
Episode = tuple[int, int]
"""A person, and which of the person's emergencies."""


class Opening(NamedTuple):
    """What an emergency's number is made of: person, metric and the time of the first reading beyond the limit."""

    person: int
    metric: int
    began_us: int

    @staticmethod
    @cache
    def of(emergency: str) -> Opening:
        """Raises ValueError where it is none."""
        number = uuid.UUID(emergency).int
        high, low = number >> 64, number & (1 << 64) - 1
        return Opening(low & (1 << 54) - 1, high & 0xFFF, (high >> 16) << 8 | low >> 54 & 0xFF)

    @property
    def emergency(self) -> str:
        high = (self.began_us >> 8) << 16 | 0x8000 | self.metric
        low = 1 << 63 | (self.began_us & 0xFF) << 54 | self.person
        return str(uuid.UUID(int=high << 64 | low))


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
    metric: int = 1
    began_us: int = 0
    """The time of the first reading beyond the limit."""
    episode: int = 1
    """Crossings of one episode are one emergency."""

    @property
    def key(self) -> Episode:
        return self.person, self.episode


@dataclass
class Incident:
    """A notice as a dispatcher counted it: one for each that came."""

    dispatcher: str
    emergency: str
    at_s: float
    connection: str = ""
    kind: str = CALL
    metrics: tuple[int, ...] = ()
    """Of the crossings that it told of."""
    is_closed: bool = False
    """Whether the dispatcher did not only accept it and said at once that it was over."""


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
    crossings: list[int] = field(default_factory=list)
    """Their metrics."""


@dataclass
class EmergencyRun:
    """Everything that was seen."""

    crossings: list[Crossing] = field(default_factory=list)
    incidents: list[Incident] = field(default_factory=list)
    outages: list[Outage] = field(default_factory=list)
    records: list[Record] = field(default_factory=list)
    journals: list[JournalState] = field(default_factory=list)
    """As they stood when the server had been killed."""
    gateway: list[tuple[str, str, str]] = field(default_factory=list)
    """Channel, key and text of what the gateway took."""
    starts: list[tuple[float, float]] = field(default_factory=list)
    """When the server was started and when it was SERVING, each time that it was started with PostgreSQL running."""
    are_starts_judged: bool = True
    """Not where others keep the machine busy."""
    stood_still_s: findings.StoodStill = findings.never
    """Of time.time()."""

    def problems(self) -> list[str]:
        """The promises that were broken."""
        self.__dict__.pop("_episodes", None)
        return [
            *self._not_reached(), *self._late(), *self._doubled(), *self._called_again(), *self._false(),
            *self._not_recorded(), *self._wrong_crossings(), *self._wrong_transitions(), *self._journal_problems(),
            *self._gateway_problems(), *self._slow_starts(),
        ]  # fmt: skip

    # Which crossing an emergency is of

    @cached_property
    def _episodes(self) -> dict[Opening, Episode]:
        return {Opening(c.person, c.metric, c.began_us): c.key for c in self.crossings if c.is_emergency}

    def episode_of(self, emergency: str) -> Episode | None:
        """None where no crossing was to bring it about."""
        return self._episodes.get(Opening.of(emergency))

    @property
    def reached(self) -> dict[tuple[Episode, int], float]:
        """When a dispatcher was told of each crossing first: by its episode and its metric."""
        episodes = {Opening(c.person, c.metric, c.began_us): c.key for c in self.crossings if c.is_emergency}
        first: dict[tuple[Episode, int], float] = {}
        for incident in self.incidents:
            if incident.kind not in (CALL, UPDATE):
                continue
            if (episode := episodes.get(Opening.of(incident.emergency))) is not None:
                for metric in incident.metrics:
                    first[episode, metric] = min(incident.at_s, first.get((episode, metric), incident.at_s))
        return first

    @property
    def expected(self) -> set[tuple[Episode, int]]:
        return {(c.key, c.metric) for c in self.crossings if c.is_emergency}

    # Calls

    def seconds_to_call(self) -> list[float]:
        """Of each crossing that was told of: from the moment when it was due and everything worked again."""
        reached = self.reached
        return [
            max(0.0, reached[c.key, c.metric] - self._ready(c, reached[c.key, c.metric]))
            for c in self.crossings if c.is_emergency and (c.key, c.metric) in reached
        ]  # fmt: skip

    def _ready(self, crossing: Crossing, until_s: float) -> float:
        """The end of the last outage that concerned a crossing before it was called, or when it was due."""
        ends = [o.to_s for o in self.outages if o.to_s > crossing.sent_s and o.from_s < until_s and o.to_s <= until_s]
        return max([crossing.due_s, *ends])

    def _not_reached(self):
        reached = self.reached
        for crossing in self.crossings:
            if crossing.is_emergency and (crossing.key, crossing.metric) not in reached:
                yield f"person {crossing.person}: nobody was told of the crossing of metric {crossing.metric}"

    def _late(self):
        """The call did not come within `CALL_S`, although nothing was killed for that long since it was due."""
        reached = self.reached
        for crossing in self.crossings:
            if not crossing.is_emergency or (crossing.key, crossing.metric) not in reached:
                continue
            at_s = reached[crossing.key, crossing.metric]
            for start, end in self._calm(crossing.sent_s):
                begin = max(start, crossing.due_s)
                if begin + CALL_S < min(end, at_s):
                    late, still = at_s - begin, self.stood_still_s(begin, at_s)
                    came = f"the call came {late:.2f} s after everything worked again"
                    yield findings.late(late, CALL_S, still, f"person {crossing.person}: {came}")
                    break

    def _calm(self, since_s: float):
        """The times without any outage from a moment on."""
        start = since_s
        for outage in sorted(self.outages, key=lambda o: o.from_s):
            if outage.from_s > start:
                yield start, outage.from_s
            start = max(start, outage.to_s)
        yield start, float("inf")

    def _was_killed(self, from_s: float, to_s: float) -> bool:
        return any(o.from_s < to_s and o.to_s > from_s for o in self.outages)

    # No incident twice

    def _doubled(self):
        by_episode: dict[Episode, set[str]] = defaultdict(set)
        seen = {i.emergency for i in self.incidents} | {r.emergency for r in self.records}
        for emergency in seen.union(*(j.emergencies for j in self.journals)):
            if (episode := self.episode_of(emergency)) is not None:
                by_episode[episode].add(emergency)
        for (person, episode), emergencies in by_episode.items():
            if len(emergencies) > 1:
                yield f"person {person}: {len(emergencies)} emergencies for one episode: {sorted(emergencies)}"
        for emergency, count in Counter(r.emergency for r in self.records).items():
            if count > 1:
                yield f"{emergency} is recorded {count} times"

    def _called_again(self):
        """A dispatcher that counts every call as an incident of its own counts only those twice that may come twice:
        after a reconnection, what it has not closed; and what another one was asked before its answer was known."""
        calls: dict[str, list[Incident]] = defaultdict(list)
        told_off: dict[tuple[str, str], float] = {}
        for incident in self.incidents:
            if incident.kind == CALL:
                calls[incident.emergency].append(incident)
            elif incident.kind == TAKEN:
                told_off[incident.emergency, incident.dispatcher] = incident.at_s
        for emergency, incidents in calls.items():
            for (dispatcher, _), count in Counter((i.dispatcher, i.connection) for i in incidents).items():
                if count > 1:
                    yield f"{emergency} is {count} incidents at {dispatcher} on one connection"
            incidents.sort(key=lambda i: i.at_s)
            for index, first in enumerate(incidents):
                if first.at_s <= told_off.get((emergency, first.dispatcher), 0):
                    continue  # Another one was quicker.
                known_s = self._known_s(first)
                for later in incidents[index + 1 :]:
                    is_own = later.dispatcher == first.dispatcher and not first.is_closed
                    is_known = later.at_s > known_s or (
                        later.at_s > first.at_s + ANSWER_S and not self._was_killed(first.at_s, later.at_s)
                    )
                    if not is_own and is_known:
                        done = f"{first.dispatcher} had {'closed' if first.is_closed else 'accepted'} it"
                        seconds = later.at_s - first.at_s
                        yield f"{later.dispatcher} was called for {emergency} {seconds:.2f} s after {done}"

    def _known_s(self, incident: Incident) -> float:
        """When a journal that was read had the answer to a call: it can't be lost any more. What is over and recorded
        need not be there."""
        for journal in self.journals:
            if journal.at_s > incident.at_s:
                entry = journal.emergencies.get(incident.emergency)
                if incident.is_closed:
                    if entry is None or entry.is_final:
                        return journal.at_s
                elif entry is not None and entry.is_accepted:
                    return journal.at_s
        return float("inf")

    def _false(self):
        seen = {i.emergency for i in self.incidents} | {r.emergency for r in self.records}
        for emergency in sorted(seen.union(*(j.emergencies for j in self.journals))):
            if self.episode_of(emergency) is None:
                opening = Opening.of(emergency)
                is_swing = any(c.person == opening.person and not c.is_emergency for c in self.crossings)
                why = "the value swung back" if is_swing else "no crossing begins so"
                yield f"person {opening.person}: {emergency} was called for, and {why}"

    # The record

    def _not_recorded(self):
        records = {record.emergency: record for record in self.records}
        for emergency in sorted({i.emergency for i in self.incidents}):
            if emergency not in records:
                yield f"{emergency} was called and is not recorded"
                continue
            steps = records[emergency].transitions
            if not any(state == ACCEPTED and actor.startswith("dispatcher") for state, _, actor in steps):
                yield f"{emergency} is recorded without a dispatcher's acceptance"

    def _wrong_crossings(self):
        """An episode's record has each of its crossings once, however often values went to and fro."""
        expected: dict[Episode, Counter[int]] = defaultdict(Counter)
        for crossing in self.crossings:
            if crossing.is_emergency:
                expected[crossing.key][crossing.metric] += 1
        for record in self.records:
            episode = self.episode_of(record.emergency)
            if episode is not None and Counter(record.crossings) != expected[episode]:
                yield f"{record.emergency} is of the crossings {record.crossings}, not {sorted(expected[episode])}"

    def _wrong_transitions(self):
        times: Counter[int] = Counter()
        for record in self.records:
            states = [state for state, _, _ in record.transitions]
            if states[:1] != [DETECTED] or states[-1] != record.state:
                yield f"{record.emergency} is in state {record.state} by {states}"
            for before, (after, _, actor) in zip(states, record.transitions[1:]):
                # News keep the state; the desk has none.
                if before not in _EARLIER[after] and (before != after or actor == "desk"):
                    yield f"{record.emergency} went from state {before} to {after}"
            at = [time for _, time, _ in record.transitions]
            if any(b <= a for a, b in zip(at, at[1:])):
                yield f"{record.emergency} has transitions at {at}"
            times.update(at)
        for time, count in times.items():
            if count > 1:
                yield f"{count} transitions at {time}: a cursor would lose one"

    # The journal

    def _journal_problems(self):
        """When the server had been killed, its journal had every call that had come to a dispatcher, from before it
        came, and every answer; a line that is broken is the last one."""
        called: dict[str, float] = {}
        answered: dict[str, float] = {}
        closed: dict[str, float] = {}
        for incident in sorted(self.incidents, key=lambda i: i.at_s):
            if incident.kind == CALL:
                called.setdefault(incident.emergency, incident.at_s)
                if not self._was_killed(incident.at_s, incident.at_s + JOURNAL_S):
                    answered.setdefault(incident.emergency, incident.at_s + JOURNAL_S)
                if incident.is_closed:
                    closed.setdefault(incident.emergency, incident.at_s)
        never = float("inf")
        for journal in self.journals:
            if journal.broken:
                yield f"{journal.broken} lines of the journal are broken"
            for emergency, at_s in called.items():
                # What is over need not be there any more.
                if not at_s < journal.at_s < closed.get(emergency, never):
                    continue
                entry = journal.emergencies.get(emergency)
                if entry is None:
                    yield f"{emergency} was called and is not in the journal"
                    continue
                if entry.detected_us > at_s * 1_000_000:
                    yield f"{emergency} is in the journal from after its call"
                if answered.get(emergency, never) < journal.at_s and not entry.is_accepted:
                    yield f"{emergency} was accepted, and the journal does not say so"

    # The rest

    def _gateway_problems(self):
        taken: dict[tuple[str, str], set[str]] = defaultdict(set)
        emergencies = {record.emergency for record in self.records}
        over = {i.emergency for i in self.incidents if i.is_closed}
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
            # What is over needs no further call.
            for emergency in sorted(emergencies - over):
                if (channel, emergency) not in taken:
                    yield f"{emergency} was never taken by {channel}"

    def _slow_starts(self):
        for began, serving in self.starts if self.are_starts_judged else []:
            if (seconds := serving - began) > SERVING_S:
                took = f"the server was SERVING {seconds:.2f} s after its start, with PostgreSQL running"
                yield findings.late(seconds, SERVING_S, self.stood_still_s(began, serving), took)
