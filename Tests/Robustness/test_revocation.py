"""The revocation checker finds what is broken (B-R.R1: at any time, and at once)."""

import re
from copy import deepcopy

import pytest

from findings import NotJudged, is_late, never
from revocation import slow_starts, unseen
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
        self.late_export = Reading("late export", is_export=True, is_late=True, **end)
        self.late_stream = Reading("late stream", is_late=True, **end)
        # 1000 is 40 s into a minute: the mean of 1000 to 1003, of which the last two are at position 11.
        self.digest = Reading("digest", 2, minutes=[(1, 960 * SECOND_US, 101.5)], last_change=(REVOKED, 12), **end)
        self.stalled = Reading(
            "stalled", 1, 2, 1001 * SECOND_US, stalls=True, status="PERMISSION_DENIED", ended_s=6.0,
            message="the grant is revoked from position 12 on",
        )  # fmt: skip
        self.run = RevokedRun(
            "live", 5.0, 5.05, 12, REVOKED,
            readings=[self.stream, self.export, self.late_export, self.late_stream, self.digest, self.stalled],
        )  # fmt: skip

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


def last_too_long(w):
    w.stream.ended_s = 7.5


def hang_without_a_final_frame(w):
    w.stream.status, w.stream.reason, w.stream.last_change, w.stream.ended_s = "DEADLINE_EXCEEDED", "", None, 35.0


def be_cut_off_too_late(w):
    w.stream.reason, w.stream.message, w.stream.last_change = "", "revoked from position 12 on", None
    w.stream.ended_s = 7.5


def leave_out_the_final_frame_of_one_that_reads(w):
    w.stream.last_change = None
    w.stream.reason, w.stream.message, w.stream.ended_s = "", "revoked from position 12 on", 5.2


def let_one_that_does_not_read_last(w):
    w.stalled.ended_s = 7.5


def show_one_that_does_not_read_what_came_after(w):
    w.stalled.newest_us = 1004 * SECOND_US


def end_with_internal(w):
    w.stream.status, w.stream.reason = "INTERNAL", ""


def go_on_exporting(w):
    w.export.status, w.export.reason, w.export.position, w.export.ended_s = "OK", "", None, 7.5


def export_after_the_answer(w):
    w.late_export.status, w.late_export.reason, w.late_export.position = "OK", "", None
    w.late_export.readings, w.late_export.newest_us = 2, 1001 * SECOND_US


def export_nothing_after_the_answer(w):
    w.late_export.status, w.late_export.reason, w.late_export.position = "OK", "", None


def show_a_frame_after_the_answer(w):
    w.late_stream.frames, w.late_stream.last_change = 1, (REVOKED, 12)


def digest_what_came_after(w):
    w.digest.minutes[0] = (1, 960 * SECOND_US, 102.0)  # one second more


def digest_what_was_never_pushed(w):
    w.digest.minutes[0] = (1, 960 * SECOND_US, 101.7)


def digest_a_minute_twice(w):
    w.digest.minutes.append((2, 960 * SECOND_US, 101.0))


def last_too_long_after_a_kill(w):
    w.run.is_killed, w.run.outages = True, [[5.0, 6.0]]
    w.stream.ended_s = 8.5


def show_what_came_after_in_spite_of_a_kill(w):
    w.run.is_killed, w.run.outages = True, [[5.0, 6.0]]
    w.stream.newest_us = 1004 * SECOND_US


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
    last_too_long: r"stream: lasted 2\.50 s",
    hang_without_a_final_frame: r"stream: lasted 30\.00 s",
    be_cut_off_too_late: r"stream: lasted 2\.50 s",
    leave_out_the_final_frame_of_one_that_reads: "stream: ended with PERMISSION_DENIED : revoked",
    let_one_that_does_not_read_last: r"stalled: lasted 2\.50 s",
    show_one_that_does_not_read_what_came_after: "stalled: a reading of position 13 was delivered",
    end_with_internal: "ended with INTERNAL",
    go_on_exporting: r"export: lasted 2\.50 s",
    export_after_the_answer: "late export: began after the end of the grant was answered and got 2 readings",
    export_nothing_after_the_answer: "late export: ended with OK",
    show_a_frame_after_the_answer: "late stream: began after the end",
    digest_what_came_after: "digest: a reading of position 13 was delivered",
    digest_what_was_never_pushed: "digest: the mean 101.7 of the minute 960 is not one of its readings",
    digest_a_minute_twice: "digest: the minute 960 was shown twice",
    last_too_long_after_a_kill: r"stream: lasted 2\.50 s",
    show_what_came_after_in_spite_of_a_kill: "stream: a reading of position 13",
}


def test_a_good_run_has_no_problem_and_says_how_long_it_took():
    world = World()
    assert world.check() == []
    assert world.run.seconds_to_end() == pytest.approx([0.1, 0.1, 0.1])
    assert world.pushed.after(12) == 2


def test_an_export_that_was_over_before_the_end_is_good():
    world = World()
    world.export.status, world.export.reason, world.export.position = "OK", "", None
    assert world.check() == [] and len(world.run.seconds_to_end()) == 2


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
    found = next((p for p in problems if re.search(BREAKAGES[breakage], p)), None)
    assert found is not None, problems
    # What lasts for half a minute does not end.
    assert is_late(found) == ("lasted 2.50 s" in found)
    if is_late(found):
        world.run.stood_still_s = lambda began, ended: ended - began
        assert [type(p) for p in world.check() if p.startswith(found)] == [NotJudged]
        assert max(world.run.seconds_to_end()) == 0


def test_a_server_is_back_within_a_second_of_its_own_time():
    """B-3.7.2"""
    (found,) = slow_starts([(10, 11), (20, 21.25)], never)
    assert is_late(found) and "SERVING 1.25 s" in found
    assert [type(said) for said in slow_starts([(20, 21.25)], lambda began, ended: 0.3)] == [NotJudged]


def test_a_batch_whose_acknowledgement_was_lost_is_not_before_the_one_before_it():
    world = World()
    world.pushed.add(2)
    world.pushed.committed(5)
    world.stream.newest_us = 1008 * SECOND_US
    assert any("a reading of position 14 was delivered" in p for p in world.check())


def test_an_outage_gives_time():
    world = World()
    world.run.is_killed, world.run.outages = True, [[5.0, 9.0], [9.5, 10.0]]
    world.stream.ended_s = 9.4
    assert world.check() == []


def test_what_a_digest_s_mean_is_of():
    pushed = World().pushed
    assert pushed.newest_in(960 * SECOND_US, 100.0) == 1000 * SECOND_US
    assert pushed.newest_in(960 * SECOND_US, 109.5) == 1019 * SECOND_US
    assert pushed.newest_in(960 * SECOND_US, 110.0) is None, "the minute ends at 1020"
    assert pushed.newest_in(1020 * SECOND_US, 89.5) == 1079 * SECOND_US


class Runs:
    """One in which everything was seen."""

    def __init__(self):
        self.world = World()
        self.world.run.committed_after, self.world.stream.breaks = 2, 1

    def check(self):
        return unseen([self.world.run], 1)


OMISSIONS = {
    "no batch was committed": lambda r: setattr(r.world.run, "committed_after", 0),
    "no reading was delivered": lambda r: [setattr(x, "readings", 0) for x in r.world.run.readings],
    "no stream was cut off": lambda r: setattr(r.world.stalled, "reason", "ACCESS_ENDED"),
    "no digest was delivered": lambda r: r.world.digest.minutes.clear(),
    "no export was ended": lambda r: setattr(r.world.export, "status", "OK"),
    "nobody came after": lambda r: [setattr(x, "is_late", False) for x in r.world.run.readings],
    "no kill broke a stream": lambda r: setattr(r.world.stream, "breaks", 0),
}


@pytest.mark.parametrize("what", OMISSIONS)
def test_runs_that_did_not_see_what_they_are_about_fail(what):
    runs = Runs()
    assert runs.check() == []
    OMISSIONS[what](runs)
    assert any(what in p for p in runs.check())
