"""What a checker found: which of it is about time alone, what can't be judged, and who is told."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path

SHOWN = 50
"""Problems in a summary, at most."""
FIRST = 5
"""That are told of first, to whoever reads the end of a run of all tests."""


HANG_S = 20.0
"""Whatever else a machine does, what takes so long does not come."""


STILL_S = 2.0
"""Of what went on while the machine stood still for longer, nothing is judged."""


class Late(str):
    """A broken promise of time: everything came, in order, once and to nobody else, but too late."""


class NotJudged(str):
    """By the clock, a broken promise of time; but the machine stood still meanwhile."""


StoodStill = Callable[[float, float], float]
"""For how many seconds the machine stood still from one moment to another, of a clock that is agreed on: see `stalls`."""


def never(began_s: float, ended_s: float) -> float:
    """A machine that does not stand still."""
    return 0.0


def late(seconds: float, limit_s: float, still_s: float, problem: str) -> str:
    """Something took that long, which is longer than promised, and meanwhile the machine stood still for so long. By `HANG_S`
    and more, it is not the machine that is slow."""
    if seconds - still_s >= HANG_S:
        return problem
    if still_s > STILL_S or seconds - still_s <= limit_s:
        return NotJudged(f"{problem}; not judged: the machine stood still for {still_s:.2f} s")
    return Late(problem)


def is_late(problem: str) -> bool:
    return isinstance(problem, Late)


_KINDS = {"broken": str, "late": Late, "not judged": NotJudged}


def packed(problems: Iterable[str]) -> list[list[str]]:
    """As JSON can tell another process of them."""
    names = {kind: name for name, kind in _KINDS.items()}
    return [[names[type(problem)], problem] for problem in problems]


def unpacked(answer: list[list[str]]) -> list[str]:
    return [_KINDS[name](text) for name, text in answer]


def of(name: str, problem: str) -> str:
    """The same problem, said to be of one run of several."""
    return type(problem)(f"{name}: {problem}")


def judged(problems: Iterable[str], seed: int) -> dict:
    """The part of a summary that tells of problems. `Tests/kept` is told of what is judged."""
    # What came late stands last: a loss would not be seen behind fifty delays.
    problems = sorted(problems, key=is_late)
    left = [problem for problem in problems if isinstance(problem, NotJudged)]
    broken = [problem for problem in problems if not isinstance(problem, NotJudged)]
    if path := os.environ.get("TRACKME_TEST_PROBLEMS"):
        first = [{"text": problem, "is_late": is_late(problem)} for problem in broken[:FIRST]]
        Path(path).write_text(json.dumps({"seed": seed, "problems": first}))
    return {
        "ok": not broken, "not_judged": left[:SHOWN], "problem_count": len(broken), "problems": broken[:SHOWN]
    }  # fmt: skip
