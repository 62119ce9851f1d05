"""The revocation checker finds what is broken; and a short run of it (B-R.R1: at any time, and at once)."""

import json
import re
import subprocess
import sys
from copy import deepcopy
from pathlib import Path

import pytest

from revoked_runs import SECOND_US, PushedBatches, Reading, RevokedRun

REVOKED = 5


class World:
    """Four batches of two readings at positions 10, 11, 13 and 14; the grant ends at 12."""

    def __init__(self):
        self.pushed = PushedBatches(1000)
        for sequence, position in enumerate([10, 11, 13, 14], 1):
            self.pushed.add(2)
            self.pushed.acknowledged(sequence, position)
        end = {"status": "PERMISSION_DENIED", "reason": "ACCESS_ENDED", "position": 12, "ended_s": 5.1}
        self.stream = Reading("stream", 2, 4, 1003 * SECOND_US, last_change=(REVOKED, 12), **end)
        self.export = Reading("export", 1, 2, 1001 * SECOND_US, is_export=True, **end)
        self.run = RevokedRun("live", 5.0, 12, REVOKED, readings=[self.stream, self.export])

    def check(self):
        return self.run.problems(self.pushed)


def show_what_came_after(w):
    w.stream.newest_us = 1004 * SECOND_US


def export_what_came_after(w):
    w.export.newest_us = 1007 * SECOND_US


def show_what_was_never_pushed(w):
    w.stream.newest_us = 1008 * SECOND_US


def show_what_was_not_acknowledged(w):
    w.pushed.add(1)
    w.stream.newest_us = 1008 * SECOND_US


def end_without_the_change(w):
    w.stream.last_change = None


def end_with_another_change(w):
    w.stream.last_change = (2, 9)


def end_well(w):
    w.stream.status = "OK"


def end_for_another_reason(w):
    w.export.reason = "NOT_PERMITTED"


def name_another_position(w):
    w.export.position = 11


BREAKAGES = {
    show_what_came_after: "stream: a reading of position 13 was delivered",
    export_what_came_after: "export: a reading of position 14 was delivered",
    show_what_was_never_pushed: "never acknowledged",
    show_what_was_not_acknowledged: "never acknowledged",
    end_without_the_change: "the last frame was None",
    end_with_another_change: "the last frame was",
    end_well: "ended with OK",
    end_for_another_reason: "ended with PERMISSION_DENIED NOT_PERMITTED",
    name_another_position: "the status names position 11",
}


def test_a_good_run_has_no_problem_and_says_how_long_it_took():
    world = World()
    assert world.check() == []
    assert world.run.seconds_to_end() == pytest.approx([0.1, 0.1])
    assert world.pushed.after(12) == 2


def test_an_export_that_was_over_before_the_end_is_good():
    world = World()
    world.export.status, world.export.reason, world.export.position = "OK", "", None
    assert world.check() == [] and len(world.run.seconds_to_end()) == 1


def test_a_stream_that_was_cut_off_must_still_hold_nothing_from_behind_the_end():
    world = World()
    world.stream.reason, world.stream.message = "", "the grant is revoked from position 12 on"
    world.stream.ended_s = 5.5
    world.stream.last_change = None
    assert world.check() == []
    show_what_came_after(world)
    assert world.check()


@pytest.mark.parametrize("breakage", BREAKAGES, ids=lambda b: b.__name__)
def test_a_broken_promise_is_found(breakage):
    world = World()
    before = deepcopy(world.run), deepcopy(world.pushed)
    breakage(world)
    assert (world.run, vars(world.pushed)) != (before[0], vars(before[1])), "the breakage breaks something"
    problems = world.check()
    assert any(re.search(BREAKAGES[breakage], p) for p in problems), problems


@pytest.mark.timeout(150)
def test_a_short_run_of_the_checker():
    command = [sys.executable, Path(__file__).parent / "revocation.py", "--runs", "40", "--parallel", "4",
               "--history", "20000", "--seed", "7", "--json"]  # fmt: skip
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    summary = json.loads(done.stdout or "{}")
    assert done.returncode == 0 and summary["ok"], done.stdout + done.stderr
    assert summary["runs"] == 40 and summary["readings_delivered"] > 0
    assert summary["runs_with_commits_after_the_end"] > 0
