"""The journal of emergencies as another program reads it: lines of a CRC-32 in eight hexadecimal digits, a blank and
JSON (Sources/Areas/Sos/Emergencies/Dispatch/JournalLine.swift)."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

ACCEPTED, RESOLVED = 3, 5


class JournalEntry(NamedTuple):
    """The newest line of an emergency."""

    person: int
    detected_us: int
    """The time of its first transition."""
    is_accepted: bool
    """Whether a dispatcher had said so."""
    is_final: bool = False


@dataclass
class JournalState:
    """What the journal held at a moment."""

    at_s: float
    emergencies: dict[str, JournalEntry] = field(default_factory=dict)
    broken: int = 0
    """Lines that are not whole, except the last one, in which a kill may have come."""


def read_journal(path: Path, at_s: float) -> JournalState:
    """Of a server that does not run."""
    return parse_journal(path.read_bytes(), at_s)


def parse_journal(data: bytes, at_s: float) -> JournalState:
    state = JournalState(at_s)
    lines = data.split(b"\n")
    lines.pop()  # What follows the last line break is not whole.
    for line in lines:
        body = line[9:]
        if line[8:9] != b" " or line[:8] != f"{zlib.crc32(body):08x}".encode():
            state.broken += 1
            continue
        emergency = json.loads(body).get("emergency")
        if emergency is not None:
            steps = emergency["transitions"]
            state.emergencies[emergency["id"]] = JournalEntry(
                emergency["person"], steps[0]["at"],
                any(s["state"] >= ACCEPTED and s["actor"].startswith("dispatcher") for s in steps),
                steps[-1]["state"] >= RESOLVED,
            )  # fmt: skip
    return state
