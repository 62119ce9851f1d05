"""Attacks on anonymous groups: each finds out about a person where groups are only counted, and hardly anything where
answers have noise (B-R.R6, B-R.D6).

A guess is right in 50 of 100 cases; `docs/groups.md` promises how often it may be. `make test-long` keeps to that with so
many trials that the upper end of the 95 % interval is at most a point above it. With fewer, `make test` shows that nothing
speaks for more.
"""

from __future__ import annotations

import os

import pytest

import group_attacks
import group_service_attacks
from group_attacks import DAYS, Score, World
from group_service_attacks import ANSWERED, FAILED, REFUSED, StillTown, Street, clocked

TRIALS = int(os.environ.get("TRACKME_ATTACK_TRIALS", "1000"))
IS_LONG = TRIALS >= 100_000
CLOCKED = 6_000 if IS_LONG else 40
"""Trials of those that wait for the clock."""
PROMISED = {1: 0.536, 2: 0.55}
"""How often whoever guesses may be right, by how many third parties put together what they know."""

pytestmark = [pytest.mark.strict, pytest.mark.timeout(5_400 if IS_LONG else 600)]


@pytest.fixture(scope="module")
def world():
    made = World()
    yield made
    made.close()


def succeeds(score: Score) -> None:
    assert score.share >= 0.99, score


def is_no_better_than_promised(score: Score, parties: int = 1) -> None:
    """The long form shows that it is. The short one fails where it would be by chance once in 30,000 times."""
    print(f"right: {100 * score.share:.2f} of 100 in {score.trials:,} trials, at most {100 * score.bound(1.96):.2f}")
    if IS_LONG:
        assert score.share <= PROMISED[parties] and score.bound(1.96) <= PROMISED[parties] + 0.01, score
    else:
        assert score.bound(-4) <= PROMISED[parties], score


def never_happens(score: Score) -> None:
    """Not once, in so many trials."""
    print(f"happened: {score.right} times in {score.trials:,} trials, at most {100 * 3 / score.trials:.2f} of 100")
    assert score.right == 0, score


@pytest.fixture(scope="module")
def street(world):
    return Street(world)


@pytest.fixture(scope="module")
def still_town():
    made = StillTown(1_700)
    yield made
    made.close()


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


@pytest.mark.long
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
    is_no_better_than_promised(
        group_attacks.rounds(world, PRESENCE[name], "heart_rate", world.is_present, TRIALS)
    )


@pytest.mark.parametrize("name", VALUES)
def test_what_somebody_has_sent_stays_unknown(world, name):
    is_no_better_than_promised(group_attacks.rounds(world, VALUES[name], "blood_oxygen", world.is_high, TRIALS))


@pytest.mark.long
def test_a_refusal_tells_of_a_boundary_where_groups_are_only_counted(world):
    plain = world.plain("heart_rate")
    guesses = group_attacks.refusal_boundary(world, plain.ask, margin=0)
    succeeds(Score.of(guesses, world.is_present))


def test_a_refusal_tells_nothing_of_a_boundary(world):
    def attack(world, ask):
        return group_attacks.refusal_boundary(world, ask, margin=6 * 20)

    is_no_better_than_promised(group_attacks.rounds(world, attack, "heart_rate", world.is_present, TRIALS))


@pytest.mark.long
def test_two_third_parties_that_put_their_answers_together_know_no_more(world):
    def attack(world, ask):
        return group_attacks.averaging(world, ask, times=16)

    score = group_attacks.rounds(world, attack, "heart_rate", world.is_present, TRIALS, parties=2)
    is_no_better_than_promised(score, parties=2)


@pytest.mark.long
def test_time_tells_of_much_data_where_all_readings_are_gone_through(world):
    """To the one who finds nothing out about the service."""
    plain = world.plain("heart_rate")
    seen = [clocked(waits, truth) for *waits, truth in zip(plain.timed(), plain.timed(), world.is_present)]
    assert group_service_attacks.learnt(seen[::2]).score(seen[1::2]).share > 0.9


@pytest.mark.long
@pytest.mark.parametrize("others", [pytest.param(0, id="quiet"), pytest.param(4, id="busy")])
@pytest.mark.parametrize("end", [ANSWERED, REFUSED, FAILED], ids=["answered", "refused", "failed"])
def test_how_long_an_answer_takes_tells_nothing(street, end, others):
    score = street.timed(end, CLOCKED // 3 if IS_LONG else 20, others, pairs=2 if others or IS_LONG else 1)
    is_no_better_than_promised(score, parties=2)


@pytest.mark.long
def test_what_whoever_hangs_up_is_charged_tells_nothing(street):
    is_no_better_than_promised(street.cancelled(CLOCKED))


@pytest.mark.long
def test_when_data_is_gathered_tells_nothing_of_the_only_person_who_is_active():
    is_no_better_than_promised(group_service_attacks.epochs(CLOCKED if IS_LONG else 24, towns=8 if IS_LONG else 4))


@pytest.mark.long
def test_a_deadline_that_is_too_short_costs_no_more_than_the_answer(still_town):
    never_happens(still_town.deadlines(CLOCKED))


def test_who_withdraws_while_an_answer_is_made_of_their_readings_is_told_of_it(still_town):
    never_happens(still_town.ledger(answers=20 if IS_LONG else 2, leaving=15 if IS_LONG else 6))


@pytest.mark.long
def test_the_difference_of_two_days_tells_of_somebody_where_groups_are_only_counted(world):
    deltas = group_attacks.Deltas(world)
    succeeds(Score.of(deltas.guesses([world.plain("heart_rate").ask()]), deltas.truth))


@pytest.mark.long
def test_whoever_follows_a_group_does_not_see_who_comes_and_goes(world):
    is_no_better_than_promised(group_attacks.Deltas(world).trials(TRIALS // 20))


@pytest.mark.long
def test_who_leaves_is_seen_where_groups_are_only_counted(world):
    before, after = world.plain("blood_oxygen"), world.plain("blood_oxygen")
    after.subjects = after.subjects[:-1]
    for later, truth in ((before, False), (after, True)):
        succeeds(Score.of(group_attacks.has_left([before.ask()], [later.ask()]), [truth] * DAYS))


@pytest.mark.long
def test_nobody_sees_who_has_left(world):
    """The last one: the target is gone after it."""
    is_no_better_than_promised(group_attacks.watch_leaving(world, TRIALS))
