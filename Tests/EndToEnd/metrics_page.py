"""Prometheus's text format, version 0.0.4, read strictly: what is not exactly right is an error. Shares no code with what
writes it."""

from __future__ import annotations

import math
import re
import urllib.request
from collections import defaultdict
from dataclasses import dataclass, field

NAME = r"[a-z_][a-z0-9_]*"
HELP = re.compile(rf"# HELP ({NAME}) ((?:[^\\\n]|\\\\|\\n)+)")
TYPE = re.compile(rf"# TYPE ({NAME}) (counter|gauge|histogram)")
LABEL = re.compile(rf'({NAME})="((?:[^"\\\n]|\\\\|\\"|\\n)*)"')
SAMPLE = re.compile(rf"({NAME})(?:\{{(.+)\}})? (\S+)")
NUMBER = re.compile(r"[+-]?(\d+(\.\d+)?(e[+-]?\d+)?|Inf)|NaN")
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


@dataclass
class Family:
    kind: str
    help: str
    samples: dict[tuple[str, frozenset], float] = field(default_factory=dict)
    """By the name of the line and its labels."""

    @property
    def labels(self) -> set[str]:
        return {name for _, labels in self.samples for name, _ in labels} - {"le"}


class Page:
    """One scrape."""

    def __init__(self, text: str):
        self.families: dict[str, Family] = {}
        assert text.endswith("\n"), "the last line must end"
        current = helped = None
        for line in text[:-1].split("\n"):
            if match := HELP.fullmatch(line):
                helped = match.groups()
                assert helped[0] not in self.families, f"twice: {line}"
            elif match := TYPE.fullmatch(line):
                assert helped and helped[0] == match[1], f"no HELP before: {line}"
                current = match[1]
                self.families[current] = Family(match[2], helped[1])
            else:
                self._sample(line, current)
        for name, family in self.families.items():
            if family.kind == "histogram":
                _check_histogram(name, family)

    def _sample(self, line: str, current: str | None) -> None:
        match = SAMPLE.fullmatch(line)
        assert match and NUMBER.fullmatch(match[3]), f"no sample: {line!r}"
        assert current is not None, f"of no family: {line}"
        family = self.families[current]
        endings = ("_bucket", "_sum", "_count") if family.kind == "histogram" else ("",)
        assert match[1] in [current + ending for ending in endings], f"not of {current}: {line}"
        labels = LABEL.findall(match[2] or "")
        assert ",".join(f'{name}="{value}"' for name, value in labels) == (match[2] or ""), f"labels: {line}"
        key = match[1], frozenset(labels)
        assert len(dict(labels)) == len(labels) and key not in family.samples, f"twice: {line}"
        number = float(match[3].replace("Inf", "inf"))
        assert family.kind == "gauge" or number >= 0, line
        family.samples[key] = number

    def __call__(self, name: str, **labels: str) -> float:
        """The sum of all samples of a family that have these labels; of a histogram, of its counts."""
        family = self.families[name]
        line = f"{name}_count" if family.kind == "histogram" else name
        return sum(
            number for (found, have), number in family.samples.items() if found == line and labels.items() <= set(have)
        )

    def values(self, label: str) -> set[str]:
        """All values of a label."""
        return {
            value for family in self.families.values() for _, labels in family.samples for name, value in labels
            if name == label
        }  # fmt: skip

    @property
    def labels(self) -> set[str]:
        return set().union(*(family.labels for family in self.families.values()))


def _check_histogram(name: str, family: Family) -> None:
    """Buckets only grow, and the last one holds everything."""
    buckets = defaultdict(list)
    for (line, labels), number in family.samples.items():
        if line == f"{name}_bucket":
            bound = float(dict(labels)["le"].replace("Inf", "inf"))
            buckets[frozenset(pair for pair in labels if pair[0] != "le")].append((bound, number))
    assert buckets, name
    for labels, found in buckets.items():
        counts = [count for _, count in sorted(found)]
        assert counts == sorted(counts), f"{name} {found}"
        assert max(found)[0] == math.inf and counts[-1] == family.samples[f"{name}_count", labels], f"{name} {found}"
        assert (f"{name}_sum", labels) in family.samples


def scrape(port: int, seconds: float = 10) -> Page:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=seconds) as answer:
        assert answer.status == 200 and answer.headers["Content-Type"] == CONTENT_TYPE
        return Page(answer.read().decode())
