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
class Stream:
    """One logical subscription, through all its connections, that begins before the first push."""

    name: str
    persons: frozenset[int] | None
    """None: everyone."""
    delivered: list[Key] = field(default_factory=list)

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
    for stream in streams:
        problems += check_stream(writers, stream)
    whole = next(s for s in streams if s.name == reference)
    for stream in streams:
        problems += check_same_order(whole, stream)
    problems += check_delivered_is_stored(whole, next(iter(stored.values())))
    problems += check_positions(writers, whole)
    return problems


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


def check_stream(writers: Sequence[Writer], stream: Stream) -> list[str]:
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
    last: dict[str, tuple[int, int]] = {}
    disorder = []
    for key in stream.delivered:
        here = place.get(key)
        if here is None:
            continue
        if here < last.get(key.source, (0, 0)):
            disorder.append(f"{stream.name}: {key} (batch {here[0]}) came after batch {last[key.source][0]}")
        last[key.source] = max(here, last.get(key.source, (0, 0)))
    return problems + _few(disorder)


def check_same_order(whole: Stream, stream: Stream) -> list[str]:
    """All streams follow one log: each has its part of it, in the order in which everyone's stream has it."""
    expected = [key for key in whole.delivered if stream.wants(key)]
    for index, (ours, theirs) in enumerate(zip(stream.delivered, expected)):
        if ours != theirs:
            return [f"{stream.name}: delivery {index} is {ours}, and {theirs} in {whole.name}"]
    if len(stream.delivered) != len(expected):
        return [f"{stream.name}: {len(stream.delivered)} deliveries, and {len(expected)} in {whole.name}"]
    return []


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


def _few(problems: Iterable[str], most: int = 5) -> list[str]:
    """The first ones: one mistake tends to show a thousand times."""
    return list(islice(problems, most))
