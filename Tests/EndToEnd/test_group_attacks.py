"""Attacks on anonymous groups: each finds out about a person where groups are only counted, and hardly anything where
answers have noise (B-R.R6, B-R.D6).

A guess is right in 50 of 100 cases; it may be in 55. `make test-long` shows that with so many trials that the upper end of
the 95 % interval is below it. With fewer, `make test` shows that nothing speaks for more.
"""

from __future__ import annotations

import os

import pytest

import group_attacks
from group_attacks import DAYS, Score, World

TRIALS = int(os.environ.get("TRACKME_ATTACK_TRIALS", "3000"))
IS_LONG = TRIALS >= 100_000
AT_MOST = 0.55

pytestmark = pytest.mark.timeout(1_800 if IS_LONG else 180)


@pytest.fixture(scope="module")
def world():
    made = World()
    yield made
    made.close()


def succeeds(score: Score) -> None:
    assert score.share >= 0.99, score


def is_no_better_than_a_coin(score: Score) -> None:
    """The long form shows that it is. The short one fails where it would be by chance once in 30,000 times."""
    print(f"right: {100 * score.share:.2f} of 100 in {score.trials:,} trials, at most {100 * score.bound(1.96):.2f}")
    assert score.bound(1.96 if IS_LONG else -4) <= AT_MOST, score


PRESENCE = {
    attack.__name__: attack
    for attack in (
        group_attacks.averaging, group_attacks.cloned_cohorts, group_attacks.differencing, group_attacks.tracker,
        group_attacks.rounding_edge,
    )
}  # fmt: skip
VALUES = {
    attack.__name__: attack for attack in (group_attacks.differencing_means, group_attacks.averaging_means)
}


@pytest.mark.parametrize("name", [*PRESENCE, *VALUES])
def test_where_groups_are_only_counted_an_attack_succeeds(world, name):
    if attack := PRESENCE.get(name):
        plain = world.plain("heart_rate", rounding=10 if name == "rounding_edge" else 1)
        truth = world.is_present
    else:
        attack, plain, truth = VALUES[name], world.plain("blood_oxygen"), world.is_high
    succeeds(Score.of(attack(world, lambda is_mean=False, **filters: plain.ask(**filters)), truth))


@pytest.mark.parametrize("name", PRESENCE)
def test_whether_somebody_is_in_a_group_stays_unknown(world, name):
    is_no_better_than_a_coin(
        group_attacks.rounds(world, PRESENCE[name], "heart_rate", world.is_present, TRIALS)
    )


@pytest.mark.parametrize("name", VALUES)
def test_what_somebody_has_sent_stays_unknown(world, name):
    is_no_better_than_a_coin(group_attacks.rounds(world, VALUES[name], "blood_oxygen", world.is_high, TRIALS))


def test_a_refusal_tells_of_a_boundary_where_groups_are_only_counted(world):
    plain = world.plain("heart_rate")
    guesses = group_attacks.refusal_boundary(world, plain.ask, margin=0)
    succeeds(Score.of(guesses, world.is_present))


def test_a_refusal_tells_nothing_of_a_boundary(world):
    def attack(world, ask):
        return group_attacks.refusal_boundary(world, ask, margin=6 * 20)

    is_no_better_than_a_coin(group_attacks.rounds(world, attack, "heart_rate", world.is_present, TRIALS))


def test_two_third_parties_that_put_their_answers_together_know_no_more(world):
    def attack(world, ask):
        return group_attacks.averaging(world, ask, times=16)

    score = group_attacks.rounds(world, attack, "heart_rate", world.is_present, TRIALS, parties=2)
    is_no_better_than_a_coin(score)


def test_time_tells_of_much_data_where_all_readings_are_gone_through(world):
    plain = world.plain("heart_rate")
    assert Score.of(group_attacks.timing(plain.timed()), world.is_present).share > 0.9


def test_how_long_an_answer_takes_tells_nothing(world):
    is_no_better_than_a_coin(group_attacks.time_service(world, TRIALS // 20))


def test_the_difference_of_two_days_tells_of_somebody_where_groups_are_only_counted(world):
    deltas = group_attacks.Deltas(world)
    succeeds(Score.of(deltas.guesses([world.plain("heart_rate").ask()]), deltas.truth))


def test_whoever_follows_a_group_does_not_see_who_comes_and_goes(world):
    is_no_better_than_a_coin(group_attacks.Deltas(world).trials(TRIALS // 20))


def test_who_leaves_is_seen_where_groups_are_only_counted(world):
    before, after = world.plain("blood_oxygen"), world.plain("blood_oxygen")
    after.subjects = after.subjects[:-1]
    for later, truth in ((before, False), (after, True)):
        succeeds(Score.of(group_attacks.has_left([before.ask()], [later.ask()]), [truth] * DAYS))


def test_nobody_sees_who_has_left(world):
    """The last one: the target is gone after it."""
    is_no_better_than_a_coin(group_attacks.watch_leaving(world, TRIALS))
