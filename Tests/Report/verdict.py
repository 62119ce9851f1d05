"""Judges a run: what is red, what is only unsteady, and what is said of it in the end."""

from __future__ import annotations

from dataclasses import dataclass, field

from readers import LINE_LENGTH, Outcome
from records import Failure

MAX_UNSTEADY = 3
"""More than these are red."""
MAX_LINES = 60
"""Of a report."""


@dataclass
class Part:
    """One target of make."""

    name: str
    seconds: int = 0
    status: int = 0
    load: float = 0.0
    """Average of the last minute, when it ended."""
    busy_percent: float = 0.0
    """Of the processors' time, what anybody used here."""
    steal_percent: float = 0.0
    """And what the machine below took."""

    def row(self, word: str) -> str:
        machine = f"load {self.load:>4.1f}  busy {self.busy_percent:>3.0f} %  steal {self.steal_percent:>4.1f} %"
        return f"{self.name:<24} {self.seconds:>5} s  {machine}  {word}"


@dataclass
class Twice:
    """What failed in one command, or in one part that keeps no record, and what a second go said."""

    part: str
    name: str
    first: Outcome
    again: Outcome | None = None
    """None where there was no second go."""
    is_checker: bool = False

    def red(self) -> list[Failure]:
        if self.again is None:
            return self.first.failures
        still = {failure.name: failure for failure in self.again.failures}
        known = {failure.name for failure in self.first.failures}
        # A loss in the second go weighs more than the delay that led to it.
        again = [still[f.name] if f.name in still and still[f.name].is_finding else f for f in self.first.failures]
        return [
            *(f for f in again if f.is_finding or not self._passed_again(f)),
            *(f for name, f in still.items() if name not in known),
        ]

    def _passed_again(self, failure: Failure) -> bool:
        """Whether it was seen to pass in the second go. A checker passes as a whole."""
        return failure.name in self.again.ran or self.is_checker and self.again.passed > 0

    def unsteady(self) -> list[Failure]:
        names = {failure.name for failure in self.red()}
        return [failure for failure in self.first.failures if failure.name not in names]


@dataclass
class Verdict:
    """A whole run."""

    parts: list[Part]
    commands: list[Twice] = field(default_factory=list)
    """Those in which something failed."""
    passed: int = 0
    """In the first go."""
    variables: str = ""
    """Those that make was told: which tests they leave out does not fail."""

    @property
    def red(self) -> list[Failure]:
        return [failure for command in self.commands for failure in command.red()]

    @property
    def unsteady(self) -> list[Failure]:
        return [failure for command in self.commands for failure in command.unsteady()]

    @property
    def is_green(self) -> bool:
        return not self.red and len(self.unsteady) <= MAX_UNSTEADY

    def report(self) -> str:
        """At most `MAX_LINES` lines."""
        red_parts = {command.part for command in self.commands if command.red()}
        unsteady_parts = {command.part for command in self.commands if command.unsteady()}
        rows = [
            part.row("FAILED" if part.name in red_parts else "unsteady" if part.name in unsteady_parts else "ok")
            for part in self.parts
        ]
        total = f"{'total':<24} {sum(part.seconds for part in self.parts):>5} s"
        ending = [f"{self.passed + len(self.unsteady)} passed, {len(self.red)} failed"]
        if self.variables:
            ending.insert(0, f"by make {self.variables}")
        if self.unsteady:
            ending.insert(0, self._said_of_unsteady())
        room = MAX_LINES - len(rows) - 1 - len(ending) - 2
        said = _told([("red", f) for f in self.red] + [("unsteady", f) for f in self.unsteady], room)
        return "\n".join([*rows, total, "", *said, *([""] if said else []), *ending])

    def _said_of_unsteady(self) -> str:
        count = len(self.unsteady)
        if count > MAX_UNSTEADY:
            return f"{count} failed beside others and passed alone: more than {MAX_UNSTEADY} are red"
        return f"{count} failed beside others and passed alone: write them down in docs/testing.md, with date and reason"


def _told(failures: list[tuple[str, Failure]], room: int) -> list[str]:
    """Each with its place, as much of its reason as there is room for, and the command for it alone."""
    # The fewer there are, the more is said of each.
    for reason_lines in (3, 2, 1, 0):
        lines = [line for word, failure in failures for line in told(word, failure, reason_lines)]
        if len(lines) <= room:
            return lines
    return [*lines[: room - 1], f"and {len(lines) - room + 1} lines more: see .build/test-results"]


def told(word: str, failure: Failure, reason_lines: int) -> list[str]:
    """What is said of one failure."""
    place = f"  {failure.place}" if failure.place else ""
    said = [f"    {line}"[:LINE_LENGTH] for line in failure.reason.splitlines()[:reason_lines]]
    alone = [f"    {failure.rerun}"] if failure.rerun and reason_lines else []
    return [f"{word}: {failure.name}{place}", *said, *alone]
