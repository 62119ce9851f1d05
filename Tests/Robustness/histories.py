"""What writers and subscribers saw, and what must be true of it. Pure: no server, no clock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple


class Key(NamedTuple):
    """One reading; no two that are pushed are the same."""

    person: int
    source: str
    """The client that pushed it."""
    time_us: int
    value: float


@dataclass
class Batch:
    """What a writer sent under one sequence number, the first time and each time again."""

    sequence: int
    keys: tuple[Key, ...]


@dataclass
class Acknowledgement:
    """As received; position is None where a welcome said it."""

    sequence: int
    position: int | None
    repeated: bool = False


@dataclass
class Welcome:
    """What the server said at a reconnect, beside what the client knew then."""

    last_sequence: int
    highest_acknowledged: int
    highest_sent: int


@dataclass
class Writer:
    """One client's history."""

    client: str
    batches: dict[int, Batch] = field(default_factory=dict)
    acknowledgements: list[Acknowledgement] = field(default_factory=list)
    welcomes: list[Welcome] = field(default_factory=list)

    @property
    def acknowledged(self) -> set[int]:
        return {a.sequence for a in self.acknowledgements}

    def pushed_keys(self) -> Iterable[Key]:
        return (key for batch in self.batches.values() for key in batch.keys)

    def acknowledged_keys(self) -> Iterable[Key]:
        return (
            key for sequence in sorted(self.acknowledged & self.batches.keys()) for key in self.batches[sequence].keys
        )


@dataclass
class Resume:
    """A connection of a stream."""

    first: int
    """How much had been delivered before it."""
    packed: int
    """When it was made, readings up to this position were in chunks and in no server's memory."""


@dataclass
class Interruption:
    """A pass of the compactor that was in its middle when its server or PostgreSQL was killed."""

    killed: str
    """server or postgres"""
    stage: str
    """How far it had come."""
    before: int
    """The position up to which chunks held everything before it."""
    after: int | None
    """And when nobody worked on it any more; None where that was not asked."""


@dataclass
class Stream:
    """One logical subscription, through all its connections, that begins before the first push."""

    name: str
    persons: frozenset[int] | None
    """None: everyone."""
    delivered: list[Key] = field(default_factory=list)
    caught_up: set[int] = field(default_factory=set)
    """Places in it of what came while the stream caught up. Chunks do not keep the order in which the readings of one
    position were pushed: they come in that of persons and times."""
    resumes: list[Resume] = field(default_factory=list)

    def wants(self, key: Key) -> bool:
        return self.persons is None or key.person in self.persons


def check(
    writers: Sequence[Writer], streams: Sequence[Stream], stored: dict[str, Counter[Key]], reference: str
) -> list[str]:
    """Every way in which the guarantees do not hold; none is what we want.

    `stored` is the end state as different ways of asking tell it. `reference` names the stream of everyone whose
    order the others must have.
    """
    problems = []
    for writer in writers:
        problems += check_acknowledgements(writer)
    for where, found in stored.items():
        problems += check_stored(writers, found, where)
    positions = positions_of(writers)
    for stream in streams:
        problems += check_stream(writers, stream, positions)
    whole = next(s for s in streams if s.name == reference)
    for stream in streams:
        problems += check_same_order(whole, stream, positions)
    problems += check_delivered_is_stored(whole, next(iter(stored.values())))
    problems += check_positions(writers, whole)
    return problems


def positions_of(writers: Iterable[Writer]) -> dict[Key, int]:
    """Where in the log readings are, as far as acknowledgements have said it."""
    return {
        key: acknowledgement.position
        for writer in writers
        for acknowledgement in writer.acknowledgements
        if acknowledgement.position is not None and not acknowledgement.repeated
        and acknowledgement.sequence in writer.batches
        for key in writer.batches[acknowledgement.sequence].keys
    }  # fmt: skip


def check_acknowledgements(writer: Writer) -> list[str]:
    """Acknowledgements are of batches that were sent, and a welcome neither forgets nor invents a commit."""
    problems = []
    for sequence in sorted(writer.acknowledged - writer.batches.keys()):
        problems.append(f"{writer.client}: batch {sequence} was acknowledged and never sent")
    for welcome in writer.welcomes:
        if welcome.last_sequence < welcome.highest_acknowledged:
            problems.append(
                f"{writer.client}: a welcome knows {welcome.last_sequence}, "
                f"after {welcome.highest_acknowledged} had been acknowledged"
            )
        if welcome.last_sequence > welcome.highest_sent:
            problems.append(
                f"{writer.client}: a welcome knows {welcome.last_sequence}, the last sent was {welcome.highest_sent}"
            )
    return problems


def check_stored(writers: Sequence[Writer], found: Counter[Key], where: str) -> list[str]:
    """What is acknowledged is stored exactly once, what is not at most once, in whole batches, and nothing else."""
    problems = _few(
        (f"{where}: {key} is stored {found[key]} times" for key in found if found[key] > 1),
    )
    pushed = set()
    for writer in writers:
        pushed.update(writer.pushed_keys())
        problems += _few(
            f"{where}: {key} was acknowledged and is not stored" for key in writer.acknowledged_keys() if not found[key]
        )
        problems += _few(
            f"{where}: only a part of batch {batch.sequence} of {writer.client} is stored"
            for batch in writer.batches.values()
            if 0 < sum(1 for key in batch.keys if found[key]) < len(batch.keys)
        )
    return problems + _few(f"{where}: {key} is stored and was never pushed" for key in found if key not in pushed)


def check_stream(writers: Sequence[Writer], stream: Stream, positions: dict[Key, int]) -> list[str]:
    """A stream delivers everything acknowledged that it is about, once, each writer's readings in their order."""
    problems = []
    counts = Counter(stream.delivered)
    problems += _few(f"{stream.name}: {key} was delivered {n} times" for key, n in counts.items() if n > 1)
    problems += _few(f"{stream.name}: {key} is of somebody else" for key in counts if not stream.wants(key))
    place: dict[Key, tuple[int, int]] = {}
    for writer in writers:
        for batch in writer.batches.values():
            for index, key in enumerate(batch.keys):
                place[key] = (batch.sequence, index)
        problems += _few(
            f"{stream.name}: {key} was acknowledged and is missing"
            for key in writer.acknowledged_keys()
            if stream.wants(key) and key not in counts
        )
    problems += _few(f"{stream.name}: {key} was never pushed" for key in counts if key not in place)
    return problems + _few(_disorder(stream, place, positions))


def _disorder(
    stream: Stream, place: dict[Key, tuple[int, int]], positions: dict[Key, int]
) -> Iterable[str]:
    """What came after a later reading of its writer: of the same person, of a later position, or, unless the stream was
    catching up, of the same one."""
    by_person: dict[tuple[str, int], tuple[int, int]] = {}
    by_writer: dict[str, tuple[tuple[int, int], int | None]] = {}
    for index, key in enumerate(stream.delivered):
        if key not in place:
            continue
        here, position = place[key], positions.get(key)
        last, last_position = by_writer.get(key.source, ((0, 0), None))
        before = by_person.get((key.source, key.person), (0, 0))
        is_free = index in stream.caught_up and (position is None or last_position in (None, position))
        if here < before or (here < last and not is_free):
            yield f"{stream.name}: {key} (batch {here[0]}) came after batch {last[0]}"
        if here >= last:
            by_writer[key.source] = here, position
        by_person[(key.source, key.person)] = max(here, before)


def check_same_order(whole: Stream, stream: Stream, positions: dict[Key, int]) -> list[str]:
    """All streams follow one log: each has its part of it, in the order in which everyone's stream has it. Only where
    one of both was catching up may readings of one position come in another order."""
    expected = [(key, index in whole.caught_up) for index, key in enumerate(whole.delivered) if stream.wants(key)]
    place = 0
    for run in _runs(expected, positions):
        ours = stream.delivered[place : place + len(run)]
        is_same_set = Counter(ours) == Counter(key for key, _ in run)
        for index, (key, (theirs, was_caught_up)) in enumerate(zip(ours, run), place):
            if key != theirs and not (is_same_set and (was_caught_up or index in stream.caught_up)):
                return [f"{stream.name}: delivery {index} is {key}, and {theirs} in {whole.name}"]
        place += len(run)
    if len(stream.delivered) != len(expected):
        return [f"{stream.name}: {len(stream.delivered)} deliveries, and {len(expected)} in {whole.name}"]
    return []


def _runs(deliveries: Sequence[tuple[Key, bool]], positions: dict[Key, int]) -> Iterable[list[tuple[Key, bool]]]:
    """Deliveries that may be of one position: those of known and different positions are apart."""
    run: list[tuple[Key, bool]] = []
    for delivery in deliveries:
        if run:
            last, this = positions.get(run[-1][0]), positions.get(delivery[0])
            if last is not None and this is not None and last != this:
                yield run
                run = []
        run.append(delivery)
    if run:
        yield run


def check_delivered_is_stored(whole: Stream, stored: Counter[Key]) -> list[str]:
    """What was committed without an acknowledgement was delivered too, and nothing that was not committed."""
    delivered = set(whole.delivered)
    return _few(
        f"{whole.name}: {key} is stored and was not delivered" for key in stored if key not in delivered
    ) + _few(f"{whole.name}: {key} was delivered and is not stored" for key in delivered if not stored[key])


def check_positions(writers: Sequence[Writer], whole: Stream) -> list[str]:
    """Positions in acknowledgements are in the order of the log: that of everyone's stream."""
    order = {key: index for index, key in enumerate(whole.delivered)}
    known = []
    for writer in writers:
        for acknowledgement in writer.acknowledgements:
            batch = writer.batches.get(acknowledgement.sequence)
            if acknowledgement.position is None or acknowledgement.repeated or batch is None:
                continue
            if acknowledgement.position <= 0:
                return [f"{writer.client}: batch {batch.sequence} is at position {acknowledgement.position}"]
            if batch.keys[0] in order:
                known.append((order[batch.keys[0]], acknowledgement.position, writer.client, batch.sequence))
    known.sort()
    return _few(
        f"{client}: batch {sequence} is at position {position}, and what was delivered before it at {earlier}"
        for (_, earlier, _, _), (_, position, client, sequence) in zip(known, known[1:])
        if position < earlier
    )


def resumes_out_of_chunks(stream: Stream, positions: dict[Key, int]) -> int:
    """How many connections brought something that could come out of chunks only."""
    # A resume that brought nothing begins where the next one does.
    ends = [resume.first for resume in stream.resumes[1:]] + [len(stream.delivered)]
    return sum(
        any(positions.get(key, r.packed + 1) <= r.packed for key in islice(stream.delivered, r.first, end))
        for r, end in zip(stream.resumes, ends)
    )


def check_compaction(
    interruptions: Sequence[Interruption], streams: Sequence[Stream], positions: dict[Key, int], expected: Sequence[str]
) -> list[str]:
    """That the run saw what it is about: passes of the compactor were killed in their middle and left nothing behind,
    and every stream of `expected` resumed out of chunks."""
    problems = [
        f"no pass of the compactor was in its middle when {what} was killed"
        for what in ("server", "postgres")
        if not any(i.killed == what for i in interruptions)
    ]
    problems += [
        f"a pass that was killed {i.stage} moved the position from {i.before} to {i.after}"
        for i in interruptions
        if i.after not in (None, i.before)
    ]
    return problems + [
        f"{stream.name}: no resume was served out of chunks"
        for stream in streams
        if stream.name in expected and not resumes_out_of_chunks(stream, positions)
    ]


def _few(problems: Iterable[str], most: int = 5) -> list[str]:
    """The first ones: one mistake tends to show a thousand times."""
    return list(islice(problems, most))
