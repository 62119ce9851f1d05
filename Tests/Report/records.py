"""What a run of the tests leaves behind: a folder in which each command has a record, its output, and what failed.

`Tests/kept` writes a record for each command that it runs, `Tests/timed` reads them all. Only the standard library is used:
a run begins before any package is installed.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, field
from pathlib import Path

ROOT = Path(__file__).parents[2]
PYTEST, SWIFT, CHECKER = KINDS = ("pytest", "swift", "checker")
FOLDER = "TRACKME_TEST_RESULTS"
"""The folder of a run, from the project's root. `Tests/timed` sets it."""
ALONE = ".build/test-results-alone"
"""Where the results of commands go that somebody runs by hand."""
PART = "TRACKME_TEST_PART"
"""Which target of make a command runs for."""
PROBLEMS = "TRACKME_TEST_PROBLEMS"
"""The file in which a checker writes what it found."""


def folder() -> Path:
    return ROOT / (os.environ.get(FOLDER) or ALONE)


@dataclass
class Record:
    """One command of a run, in the first go or in the second one."""

    name: str
    """What its files are named after; of no other command in the run."""
    kind: str
    command: list[str]
    part: str = ""
    environment: dict[str, str] = field(default_factory=dict)
    """What its make said to it."""
    status: int | None = None
    """None while it runs, and of one that was killed with whoever ran it."""
    again: bool = False
    """The second go: what failed in the first one, alone."""

    @property
    def _stem(self) -> Path:
        return folder() / (f"{self.name}.again" if self.again else self.name)

    def file(self, suffix: str) -> Path:
        return self._stem.with_name(f"{self._stem.name}.{suffix}")

    def write(self) -> None:
        # Whole, or not there: whoever reads it may come at any time.
        new = self.file("json.new")
        new.write_text(json.dumps(asdict(self), indent=1))
        new.rename(self.file("json"))

    @staticmethod
    def read(path: Path) -> Record:
        return Record(**json.loads(path.read_text()))

    @staticmethod
    def all(again: bool = False) -> list[Record]:
        """Those of the first or of the second go, by their names."""
        found = [Record.read(path) for path in sorted(folder().glob("*.json"))]
        return [record for record in found if record.again == again]


@dataclass
class Failure:
    """One test or check that failed."""

    name: str
    """As whoever runs it alone names it."""
    reason: str
    """The first lines of what was said."""
    file: str = ""
    line: int = 0
    is_late: bool = False
    """Whether it is about time alone: something came too late, or not while somebody waited."""
    is_strict: bool = False
    """A promise whose breaking is a finding, and never passes: only time is forgiven."""
    rerun: str = ""
    """The command that runs just this one."""

    @property
    def is_finding(self) -> bool:
        """Not to be forgiven, whatever a second go says."""
        return self.is_strict and not self.is_late

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file
