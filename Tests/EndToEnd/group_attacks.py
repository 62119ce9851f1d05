"""Those who want to know something about one person, and ask about groups.

There are 1,504 persons of whom the attacker knows everything, and a target of whom they know where the target is to be
found: nobody else weighs 120 kg and more. On each of many days a coin decides whether the target has sent anything, and
another one whether it was little or much. Each day is a trial: the attacker spends on it what a third party may spend in a
year, and guesses. Noise is drawn for each day by itself, so that the days of a question are trials that know nothing of
each other.
"""

from __future__ import annotations

import itertools
import math
import random
import statistics
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from trackme.protocol import groups, sharing

import seeds
from accounts import Party
from group_town import HOUR_US, Town, day, midnight_us
from plain_threshold import PlainThreshold, Subject, Told
from streams import Subscribe

DAYS = 122
CROWD = 1_504
"""One person more, and it would be rounded to 1,510 and no longer to 1,500."""
TARGET_KG, HEAVY_KG = 130, 120
NUMBER_COST = 1 / (2 * 20**2)
"""ρ of a number of high precision."""
YEAR_BUDGET = 0.01
PARTIES = 8
LEVEL, LOW, HIGH, MIDDLE = 95.0, 80.0, 100.0, 90.0
"""Everybody's oxygen, what the target's may be: the ends of the scale, and the middle of it."""
MANY = 20_000
"""Readings of a day on which the target has sent something."""
NOON_ZONES = (
    "UTC", "GMT", "Etc/UTC", "Etc/GMT", "Etc/Zulu", "Etc/UCT", "Etc/Universal", "Etc/Greenwich", "Africa/Abidjan",
    "Atlantic/Reykjavik",
)  # fmt: skip
"""Where clocks show the same."""

Ask = Callable[..., list[Told]]
Attack = Callable[["World", Ask], list[bool]]


@dataclass(frozen=True)
class Score:
    """How often guesses were right."""

    right: int
    trials: int

    @property
    def share(self) -> float:
        return self.right / self.trials

    def bound(self, deviations: float) -> float:
        """The share and so many standard deviations of it: 1.96 is the upper end of the 95 % interval."""
        return self.share + deviations * math.sqrt(0.25 / self.trials)

    def __add__(self, other: Score) -> Score:
        return Score(self.right + other.right, self.trials + other.trials)

    @staticmethod
    def of(guesses: list[bool], truth: list[bool]) -> Score:
        return Score(sum(g == t for g, t in zip(guesses, truth, strict=True)), len(truth))


class World:
    """The crowd, the target, and a service that answers about them."""

    BUDGET = 10_000_000_000
    """Of each third party and of all together, in millionths of ρ."""

    def __init__(self):
        rng = seeds.rng("group attacks")
        # As many days of one kind as of the other: who always guesses the same is right on half of them.
        self.is_present, self.is_high = (rng.sample([True, False] * (DAYS // 2), DAYS) for _ in range(2))
        self.town = Town(
            TRACKME_GROUP_BUDGET=str(self.BUDGET), TRACKME_GROUP_BUDGET_OF_ALL=str(self.BUDGET),
            TRACKME_GROUP_EPOCH_SECONDS="1",
        )
        try:
            self._fill()
        except BaseException:
            self.close()
            raise
        self.parties = [self.town.accounts.third_party() for _ in range(PARTIES)]
        self._wordings = itertools.count()

    def _fill(self) -> None:
        *self.crowd, self.target = self.town.seed(CROWD + 1, "heart_rate", "blood_oxygen")
        with self.town.server.connect() as database:
            database.execute("UPDATE person SET weight_kg = %s WHERE account = %s", [TARGET_KG, self.target])
            # Adults on every day that is asked about.
            database.execute("UPDATE person SET date_of_birth = '1980-01-01'")
            weights = dict(database.execute("SELECT account, weight_kg FROM person").fetchall())
        self.weights = [float(weights[p]) for p in self.crowd]
        noons = [midnight_us(DAYS - d) + 12 * HOUR_US for d in range(DAYS)]
        self.town.push("heart_rate", ((p, noon, 70) for noon in noons for p in self.crowd))
        self.town.push("blood_oxygen", ((p, noon, LEVEL) for noon in noons for p in self.crowd))
        present = [noon for noon, is_present in zip(noons, self.is_present) if is_present]
        self.town.push("heart_rate", ((self.target, noon + n, 70) for noon in present for n in range(MANY)))
        self.town.push(
            "blood_oxygen", ((self.target, n, HIGH if high else LOW) for n, high in zip(noons, self.is_high))
        )
        self.town.gathered()

    def close(self) -> None:
        self.town.close()

    def without_target(self, from_weight_kg: float = 0) -> int:
        """How many of the crowd are as heavy: the attacker knows them all."""
        return sum(w >= from_weight_kg for w in self.weights)

    # As a plain threshold has it

    def plain(self, metric: str, rounding: int = 1) -> PlainThreshold:
        crowd = {"heart_rate": 70.0, "blood_oxygen": LEVEL}[metric]
        subjects = [Subject(w, [[crowd]] * DAYS) for w in self.weights]
        if metric == "heart_rate":
            target = [[70.0] * MANY if p else [] for p in self.is_present]
        else:
            target = [[HIGH if high else LOW] for high in self.is_high]
        return PlainThreshold([*subjects, Subject(TARGET_KG, target)], DAYS, MIDDLE, rounding)

    # As the service has it

    def asking(self, metric: str, spent: list[float], parties: int = 1) -> Ask:
        """Puts questions to the service, each in words of its own, for so many third parties in turn.

        :param spent: takes what the answers cost a person of one day.
        """
        those = itertools.cycle(random.sample(self.parties, parties))

        def ask(minimum_persons: int | None = None, is_mean: bool = False, **filters) -> list[Told]:
            question = groups.GroupQuestion(
                metrics=[metric], from_date=day(DAYS).isoformat(), to_date=day(1).isoformat(),
                buckets=groups.GROUP_BUCKETS_DAY, statistics=[groups.GROUP_STATISTIC_MEAN] if is_mean else [],
                precision=groups.GROUP_PRECISION_HIGH, **filters, **self.words(minimum_persons),
            )  # fmt: skip
            answer = next(those).ask("QueryGroup", question=question).answer
            assert len(answer.results) == DAYS
            spent.append(NUMBER_COST * (2 if is_mean else 1))
            return [_told(result) for result in answer.results]

        return ask


    def words(self, minimum_persons: int | None = None) -> dict:
        """Something to ask that has not been asked before, and changes nothing: all readings are of noon."""
        number, hours = divmod(next(self._wordings), 144)
        fewest, zone = divmod(number, len(NOON_ZONES))
        return {
            "from_hour": hours % 12, "to_hour": 13 + hours // 12, "time_zone": NOON_ZONES[zone],
            "minimum_persons": minimum_persons or 1_000 + fewest % 20,
        }  # fmt: skip

    def log_in(self) -> None:
        """Sessions end."""
        for party in self.parties:
            party.log_in()

    # What happens while somebody asks

    def renew(self) -> None:
        """Somebody sends something, and answers are made anew."""
        self.town.push("blood_oxygen", [(self.crowd[0], midnight_us(DAYS) + 12 * HOUR_US + next(self._wordings), LEVEL)])
        self.town.gathered()

    def leave(self) -> None:
        """The target shares no oxygen any more."""
        target = Party(self.town.server.target, self.town.server.person_token(self.target))
        etag = target.ask("GetAnonymousSharing").sharing.etag
        target.ask("UpdateAnonymousSharing", metrics=["heart_rate"], etag=etag)
        target.channel.close()
        self.town.gathered()


def _told(result: groups.GroupResult) -> Told:
    if result.is_withheld:
        return Told()
    count = result.persons.value
    return Told(count, count * (result.mean.value - MIDDLE) if result.HasField("mean") else None)


def rounds(world: World, attack: Attack, metric: str, truth: list[bool], trials: int, parties: int = 1) -> Score:
    """Lets somebody attack the service, day after day, until there are so many trials.

    A trial may cost what a third party may spend in a year, and no more.
    """

    def once(_: int) -> Score:
        spent: list[float] = []
        guesses = attack(world, world.asking(metric, spent, parties))
        assert sum(spent) <= parties * YEAR_BUDGET * (1 + 1e-9), "more than the budget of a year"
        return Score.of(guesses, truth)

    world.log_in()
    with ThreadPoolExecutor(16) as pool:
        return sum(pool.map(once, range(math.ceil(trials / DAYS))), Score(0, 0))


def _each_day(answers: list[list[Told]]) -> Iterator[tuple[Told, ...]]:
    return zip(*answers, strict=True)


# The attacks. Each spends eight numbers of high precision on a day, which is a year's budget.


def averaging(world: World, ask: Ask, times: int = 8) -> list[bool]:
    """The same question in other words, again and again: the mean of the answers has less noise."""
    known = world.without_target()
    return [statistics.fmean(t.persons for t in told) > known + 0.5 for told in _each_day([ask() for _ in range(times)])]


def cloned_cohorts(world: World, ask: Ask) -> list[bool]:
    """Groups that are described in other ways, and are the same persons."""
    filters = [{}, {"from_weight_kg": 50}] * 4
    known = world.without_target()
    return [statistics.fmean(t.persons for t in told) > known + 0.5 for told in _each_day([ask(**f) for f in filters])]


def differencing(world: World, ask: Ask) -> list[bool]:
    """A group with the target, less the same one without."""
    pairs = [(ask(), ask(to_weight_kg=HEAVY_KG)) for _ in range(4)]
    differences = ([a.persons - b.persons for a, b in zip(*pair)] for pair in pairs)
    return [statistics.fmean(d) > 0.5 for d in zip(*differences)]


def tracker(world: World, ask: Ask) -> list[bool]:
    """Nobody may ask about those of 120 kg and more, who are too few; but about those of 60 kg and more, and about those
    of 60 to 120 (Denning, Denning and Schwartz, "The Tracker: A Threat to Statistical Database Security", 1979)."""
    answers = [ask(from_weight_kg=60) for _ in range(4)] + [ask(from_weight_kg=60, to_weight_kg=120) for _ in range(4)]
    return [
        statistics.fmean(t.persons for t in told[:4]) - statistics.fmean(t.persons for t in told[4:]) > 0.5
        for told in _each_day(answers)
    ]


def differencing_means(world: World, ask: Ask) -> list[bool]:
    """What the target has is what a group's values add up to, less those of the same group without the target."""
    pairs = [(ask(is_mean=True), ask(is_mean=True, to_weight_kg=HEAVY_KG)) for _ in range(2)]
    differences = ([a.total - b.total for a, b in zip(*pair)] for pair in pairs)
    return [statistics.fmean(d) > 0 for d in zip(*differences)]


def averaging_means(world: World, ask: Ask) -> list[bool]:
    """Whoever knows all others' values needs no second group."""
    known = (LEVEL - MIDDLE) * world.without_target()
    return [statistics.fmean(t.total for t in told) > known for told in _each_day([ask(is_mean=True) for _ in range(4)])]


def rounding_edge(world: World, ask: Ask) -> list[bool]:
    """Where numbers are rounded to tens, one person more tips a group of 1,504 over."""
    answers = [ask() for _ in range(8)]
    return [sum(t.persons >= world.without_target() + 1 for t in told) >= 4 for told in _each_day(answers)]


def refusal_boundary(world: World, ask: Ask, margin: int) -> list[bool]:
    """Whoever asks for as many as there are with the target learns from a refusal.

    :param margin: so much more than what is asked for must a group have.
    """
    edge = world.without_target() + 1 - margin
    answers = [ask(minimum_persons=edge) for _ in range(8)]
    return [sum(t.persons is not None for t in told) >= 4 for told in _each_day(answers)]


class Deltas:
    """Whoever follows a group sees what changes from one day to the next: pairs of days of which the target has sent
    something on one. On which is guessed."""

    def __init__(self, world: World):
        self.world = world
        self.pairs: list[int] = []
        for d in range(DAYS - 2):
            if world.is_present[d] != world.is_present[d + 1] and d - 1 not in self.pairs:
                self.pairs.append(d)
        self.truth = [world.is_present[d + 1] for d in self.pairs]

    def guesses(self, followed: list[list[Told]]) -> list[bool]:
        """By the same question, ordered several times in other words."""
        of_day = [statistics.fmean(t.persons for t in told) for told in _each_day(followed)]
        return [of_day[d + 1] > of_day[d] for d in self.pairs]

    def trials(self, trials: int) -> Score:
        """Four subscriptions, of which each releases two numbers on a pair of days: a year's budget."""
        def once(party: Party) -> Score:
            party.log_in()
            return Score.of(self.guesses(self._follow(party, 4)), self.truth)

        rounds = itertools.islice(itertools.cycle(self.world.parties), math.ceil(trials / len(self.pairs)))
        with ThreadPoolExecutor(len(self.world.parties)) as pool:
            return sum(pool.map(once, rounds), Score(0, 0))

    def _follow(self, party: Party, count: int) -> list[list[Told]]:
        ids = [self._order(party) for _ in range(count)]
        self.world.town.server.sql(
            "UPDATE group_subscription SET period_start = %s::timestamptz, period_end = %s::timestamptz WHERE id = ANY (%s)",
            (f"{day(DAYS)} 00:00+00", f"{day(DAYS - 1)} 00:00+00", ids),
        )
        followed = [list(self._releases(party, number)) for number in ids]
        for number in ids:
            party.ask("CancelSubscription", subscription_id=number)
        return followed

    def _order(self, party: Party) -> int:
        words = self.world.words()
        zone = words.pop("time_zone")
        group = groups.GroupQuestion(metrics=["heart_rate"], precision=groups.GROUP_PRECISION_HIGH, **words)
        made = party.ask("CreateSubscription", cadence=sharing.CADENCE_DAILY, time_zone=zone, group=group)
        return made.subscription.subscription_id

    def _releases(self, party: Party, number: int) -> Iterator[Told]:
        left = DAYS - 1
        with Subscribe(
            party.channel, party.token, subscription_id=number, start_at=sharing.START_AT_BEGINNING
        ) as stream:
            while left:
                frame = stream.frame()
                if frame.HasField("group_release"):
                    left -= 1
                    yield _told(frame.group_release.answer.results[0])


def has_left(before: list[list[Told]], after: list[list[Told]]) -> list[bool]:
    """The same question before and after somebody may have left."""
    return [
        statistics.fmean(t.persons for t in earlier) - statistics.fmean(t.persons for t in later) > 0.5
        for earlier, later in zip(_each_day(before), _each_day(after), strict=True)
    ]


def watch_leaving(world: World, trials: int) -> Score:
    """Once answers are made anew, and the target stays; once they are, and the target has left."""
    times = math.ceil(trials / 2 / DAYS)
    asks = [world.asking("blood_oxygen", []) for _ in range(times)]

    def four(ask: Ask) -> list[list[Told]]:
        return [ask() for _ in range(4)]

    world.log_in()
    score = Score(0, 0)
    with ThreadPoolExecutor(16) as pool:
        for between, truth in ((world.renew, False), (world.leave, True)):
            before = list(pool.map(four, asks))
            between()
            after = list(pool.map(four, asks))
            guesses = itertools.chain.from_iterable(map(has_left, before, after))
            score += Score.of(list(guesses), [truth] * (times * DAYS))
    return score
