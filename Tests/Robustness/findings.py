"""What a checker found: which of it is about time alone, and who is told."""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable
from pathlib import Path

SHOWN = 50
"""Problems in a summary, at most."""
FIRST = 5
"""That are told of first, to whoever reads the end of a run of all tests."""


HANG_S = 20.0
"""Whatever else a machine does, what takes so long does not come."""


class Late(str):
    """A broken promise of time: everything came, in order, once and to nobody else, but too late."""


def late(seconds: float, problem: str) -> str:
    """Something took that long, which is too long: by `HANG_S` and more, it is not the machine that is slow."""
    return Late(problem) if seconds < HANG_S else problem


def is_late(problem: str) -> bool:
    return isinstance(problem, Late)


def packed(problems: Iterable[str]) -> list[list]:
    """As JSON can tell another process of them."""
    return [[is_late(problem), problem] for problem in problems]


def unpacked(answer: list[list]) -> list[str]:
    return [Late(text) if late else text for late, text in answer]


def of(name: str, problem: str) -> str:
    """The same problem, said to be of one run of several."""
    return type(problem)(f"{name}: {problem}")


def add_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--judge-times", action="store_true", help="what came late is a broken promise, not only printed")


def judged(problems: Iterable[str], options: argparse.Namespace, seed: int) -> dict:
    """The part of a summary that tells of problems. Without `--judge-times` what came late is told apart, and breaks
    nothing: other work on the same machine makes it late as well. `Tests/kept` is told of what is judged."""
    # What came late stands last: a loss would not be seen behind fifty delays.
    problems = sorted(problems, key=is_late)
    late = [] if options.judge_times else [problem for problem in problems if is_late(problem)]
    broken = [problem for problem in problems if options.judge_times or not is_late(problem)]
    if path := os.environ.get("TRACKME_TEST_PROBLEMS"):
        first = [{"text": problem, "is_late": is_late(problem)} for problem in broken[:FIRST]]
        Path(path).write_text(json.dumps({"seed": seed, "problems": first}))
    return {
        "ok": not broken, "late_and_not_judged": late[:SHOWN], "problem_count": len(broken), "problems": broken[:SHOWN]
    }  # fmt: skip
