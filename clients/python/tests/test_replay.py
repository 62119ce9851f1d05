"""Samples fall due as they were recorded, and bear the times that were asked for."""

import math

import pytest

from trackme.recordings import Recording
from trackme.replay import Rebase, Replay

START = 1_700_000_000_000_000


def recording(*seconds):
    out = Recording("r")
    for number, second in enumerate(seconds):
        out.add(int(second * 1_000_000), "heart_rate", 60.0 + number)
    return out


def plan(replay):
    return [(d.after_s, d.reading.person_id, d.reading.time_us) for d in replay.schedule(START)]


def test_recorded_times_are_kept_and_paced_by_the_speed():
    assert plan(Replay([(7, recording(100, 110, 130))], speed=10)) == [
        (0, 7, 100_000_000),
        (1, 7, 110_000_000),
        (3, 7, 130_000_000),
    ]


def test_start_now_gives_each_reading_the_moment_at_which_it_is_due():
    replay = Replay([(7, recording(100, 110, 130))], speed=10, rebase=Rebase.START_NOW)
    assert plan(replay) == [(0, 7, START), (1, 7, START + 1_000_000), (3, 7, START + 3_000_000)]


def test_end_now_keeps_distances_and_never_sends_the_future():
    replay = Replay([(7, recording(100, 110, 130)), (8, recording(0, 5))], speed=10, rebase=Rebase.END_NOW)
    for after_s, _, time_us in plan(replay):
        assert time_us <= START + after_s * 1e6
    assert [t for _, p, t in plan(replay) if p == 7] == [START + s * 1_000_000 for s in (-27, -17, 3)]
    assert [t for _, p, t in plan(replay) if p == 8] == [START + s for s in (-4_500_000, 500_000)]


def test_persons_are_merged_by_when_they_are_due():
    replay = Replay([(7, recording(100, 102)), (8, recording(5000, 5001, 5003))])
    assert [(a, p) for a, p, _ in plan(replay)] == [(0, 7), (0, 8), (1, 8), (2, 7), (3, 8)]
    assert replay.duration_s == 3


def test_a_step_back_in_time_is_due_at_once_with_its_own_time():
    assert plan(Replay([(7, recording(100, 105, 103, 106))])) == [
        (0, 7, 100_000_000),
        (5, 7, 105_000_000),
        (5, 7, 103_000_000),
        (6, 7, 106_000_000),
    ]


def test_at_full_speed_all_is_due_at_the_start():
    assert {a for a, _, _ in plan(Replay([(7, recording(1, 2, 3))], math.inf, Rebase.END_NOW))} == {0}


def test_a_duration_gives_each_recording_its_own_speed():
    replay = Replay([(7, recording(0, 10)), (8, recording(0, 1000))], duration_s=2, rebase=Rebase.START_NOW)
    assert [a for a, _, _ in plan(replay)] == [0, 0, 2, 2] and replay.duration_s == 2


@pytest.mark.parametrize("speed, rebase", [(math.inf, Rebase.START_NOW), (0.5, Rebase.END_NOW), (0, Rebase.NONE)])
def test_what_makes_no_sense_is_refused(speed, rebase):
    with pytest.raises(ValueError):
        Replay([(7, recording(1, 2))], speed, rebase)


def test_nothing_is_no_error():
    replay = Replay([(7, Recording("empty"))])
    assert plan(replay) == [] and replay.duration_s == 0
