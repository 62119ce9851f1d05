"""What is measured of the machine counts once, and only within the time that is asked about."""

import time

import pytest

import stalls


@pytest.fixture(autouse=True)
def measured(monkeypatch):
    found = []
    monkeypatch.setattr(stalls, "_stalls", found)
    return found


@pytest.mark.parametrize(
    "found, still_s",
    [([(12, 13)], 1), ([(5, 11)], 1), ([(18, 30)], 2), ([(5, 30)], 10), ([(1, 2), (30, 31)], 0), ([(12, 13), (15, 15.5)], 1.5),
     # The disk, and whoever waits for it.
     ([(12, 14), (13, 15)], 3), ([(13, 15), (12, 16)], 4), ([(12, 16), (13, 15)], 4), ([(5, 30), (19, 40)], 10)],
)  # fmt: skip
def test_each_moment_counts_once_and_only_within_the_time(measured, found, still_s):
    measured += found
    assert stalls.stood_still_s(10, 20) == still_s


def test_moments_are_told_by_either_clock(measured):
    now, clock = time.time(), time.monotonic()
    measured.append((clock - 3, clock - 1))
    assert stalls.stood_still_between_s(now - 4, now) == pytest.approx(2, abs=0.1)
    assert stalls.between(now - 4, now) == pytest.approx(2, abs=0.1)
    assert stalls.since(clock - 4) == pytest.approx(2, abs=0.5)


def test_a_thread_that_is_woken_late_is_a_stall(measured):
    """The machine stands still while it sleeps the second time."""
    now, sleeps = [1.0], iter([0.02, 1.5, 0.02])

    def sleep(_):
        now[0] += next(sleeps)

    with pytest.raises(StopIteration):
        stalls._watch(lambda: now[0], sleep)
    assert pytest.approx((1.04, 2.52)) in measured
