"""Those who want to know something about one person, and look at the service instead of its answers: at what it charges
whoever hangs up, at when it takes in new data, at how long it takes to answer.

They are not told what gives a person away. Of some persons they know everything, and see what is different where these are;
then they guess about the others.
"""

from __future__ import annotations

import itertools
import random
import statistics
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import date

import grpc
from trackme.protocol import GroupServiceStub, groups

import seeds
from accounts import SESSION_S, Party
from group_attacks import DAYS, Score, World
from group_town import HOUR_US, Town, day, midnight_us, timed
from server_process import wait_until
from streams import METRIC_IDS, PATIENCE_S, metadata

ADDRESSES = 200
YEAR_DAYS = 366
"""The most that a question may be about."""
METRICS = ["heart_rate", "blood_oxygen", "respiratory_rate", "body_temperature"]
"""Of the last two, what is stored is what is stored of the first."""
HANG_UP_S = (0.04, 0.08, 0.16)
"""How long whoever hangs up may have waited."""
MOST_PAIRS = 2
"""Of third parties that look at the clock together."""
PACE_S = 0.1
"""Answers to small questions leave at multiples of it."""
ANSWERED, REFUSED, FAILED = None, grpc.StatusCode.FAILED_PRECONDITION, grpc.StatusCode.RESOURCE_EXHAUSTED
"""What a question can end with: numbers, a group that is too small, a budget that is spent."""


@dataclass(frozen=True)
class Seen:
    """What an attacker has seen, as numbers, and what was true."""

    numbers: tuple[float, ...]
    truth: bool


@dataclass(frozen=True)
class Rule:
    """Guesses by one of the numbers: true above a limit, or below it."""

    number: int
    limit: float
    is_above: bool

    def guess(self, seen: Seen) -> bool:
        return (seen.numbers[self.number] > self.limit) == self.is_above

    def score(self, all_seen: Sequence[Seen]) -> Score:
        return Score.of([self.guess(s) for s in all_seen], [s.truth for s in all_seen])


def learnt(known: Sequence[Seen]) -> Rule:
    """The rule that is right most often about those whose truth is known."""
    rules = (
        Rule(number, limit, is_above)
        for number in range(len(known[0].numbers))
        for limit in _between({seen.numbers[number] for seen in known})
        for is_above in (True, False)
    )
    return max(rules, key=lambda rule: rule.score(known).right)


def _between(numbers: set[float]) -> list[float]:
    """Limits that tell these numbers apart, at most a hundred."""
    ordered = sorted(numbers)
    limits = [ordered[0] - 1, *((a + b) / 2 for a, b in itertools.pairwise(ordered))]
    return limits[:: len(limits) // 100 + 1]


Look = Callable[[int, bool], Seen]
"""Takes the worker's number, and whether the person may be one of those who are known."""


def looks(look: Look, count: int, workers: int, is_known: bool) -> list[Seen]:
    """So many at least."""

    def work(worker: int) -> list[Seen]:
        return [look(worker, is_known) for _ in range(-(-count // workers))]

    with ThreadPoolExecutor(workers) as pool:
        return list(itertools.chain.from_iterable(pool.map(work, range(workers))))


def attack(look: Look, trials: int, workers: int, fewest_known: int = 20) -> Score:
    """Looks at persons who are known, learns, and guesses about so many others."""
    rule = learnt(looks(look, max(trials // 4, fewest_known), workers, is_known=True))
    return rule.score(looks(look, trials, workers, is_known=False))


class Street:
    """Addresses of which an attacker wants to know whether somebody lives there who shares anything. Nobody else does: a
    question with an address is about one person, or about nobody.

    What is stored of the days of `World` is stored of a whole year, so that there is much to be read.
    """

    def __init__(self, world: World):
        self.world = world
        self._logged_in_s: dict[Party, float] = {}
        self.penniless = [self._penniless() for _ in range(2 * MOST_PAIRS)]
        rng = seeds.rng("street")
        # Of those who are known and of the others, half the addresses have somebody.
        halves = (rng.sample([True, False] * (ADDRESSES // 4), ADDRESSES // 2) for _ in range(2))
        self.is_there = list(itertools.chain.from_iterable(halves))
        there = [number for number in range(ADDRESSES) if self.is_there[number]]
        with world.town.server.connect() as database:
            with database.cursor() as cursor:
                cursor.executemany(
                    "UPDATE account SET form_values = jsonb_build_object('address', %s::text) WHERE id = %s",
                    [(self.address(number), person) for number, person in zip(there, rng.sample(world.crowd, len(there)))],
                )
            for days in range(DAYS, YEAR_DAYS, DAYS):
                database.execute(
                    "INSERT INTO group_cell (metric, day, part, hour, payload) SELECT metric, day - %s, part, hour, payload"
                    " FROM group_cell WHERE day BETWEEN %s - date '1970-01-01' AND %s - date '1970-01-01'",
                    [days, day(DAYS), day(1)],
                )
            for other in METRICS[2:]:
                numbers = [METRIC_IDS[other], METRIC_IDS[METRICS[0]]]
                database.execute(
                    "INSERT INTO anonymous_metric (person, metric, counts_from_us)"
                    " SELECT person, %s, counts_from_us FROM anonymous_metric WHERE metric = %s",
                    numbers,
                )
                database.execute(
                    "INSERT INTO group_cell (metric, day, part, hour, payload)"
                    " SELECT %s, day, part, hour, payload FROM group_cell WHERE metric = %s",
                    numbers,
                )

    @staticmethod
    def address(number: int) -> str:
        return f"Via Ignota {number:03}, 20121 Milano"

    def some(self, is_known: bool) -> int:
        """An address."""
        half = ADDRESSES // 2
        return random.randrange(half) + (0 if is_known else half)

    def question(self, number: int) -> groups.GroupQuestion:
        """Something about an address that has not been asked before. It costs four numbers, and so
        half of what a third party has in a year."""
        return groups.GroupQuestion(
            metrics=METRICS, from_date=day(YEAR_DAYS).isoformat(), to_date=day(1).isoformat(),
            precision=groups.GROUP_PRECISION_HIGH, address=self.address(number), **self.world.words(),
        )  # fmt: skip

    # Whoever hangs up

    def cancelled(self, trials: int, workers: int = 4) -> Score:
        """Asks, hangs up some 10 ms later, and looks at what it has cost. How much later, those who are known teach."""
        lessons = {s: looks(self._hangs_up_after(s), 8, workers, is_known=True) for s in HANG_UP_S}
        rules = {s: learnt(lessons[s]) for s in HANG_UP_S}
        seconds = max(HANG_UP_S, key=lambda s: rules[s].score(lessons[s]).share)
        return attack(self._hangs_up_after(seconds), trials, workers)

    def _hangs_up_after(self, seconds: float) -> Look:
        def look(worker: int, is_known: bool) -> Seen:
            party, number = self._logged_in(self.world.parties[worker]), self.some(is_known)
            before = _spent(party)
            call = GroupServiceStub(party.channel).QueryGroup.future(
                groups.QueryGroupRequest(question=self.question(number)), metadata=metadata(party.token)
            )
            time.sleep(seconds)
            call.cancel()
            return Seen((_settled(party) - before,), self.is_there[number])

        return look

    # Whoever looks at the clock

    def timed(self, end: grpc.StatusCode | None, trials: int, others: int, pairs: int = 1) -> Score:
        """Two third parties ask about a person at the same time, in words of their own, and guess by nothing but how long
        they wait.

        :param end: what the questions end with. Where that is numbers, whether the target has sent something on a day is to
            be found out, else whether somebody lives at an address.
        :param others: how many third parties ask all the while.
        :param pairs: how many pairs of third parties do so at once.
        """
        with self._asking_meanwhile(others), ThreadPoolExecutor(2 * pairs) as pool:
            return attack(self._waits(pool, end), trials, pairs, fewest_known=10)

    def _waits(self, pool: ThreadPoolExecutor, end: grpc.StatusCode | None) -> Look:
        those = self.penniless if end is FAILED else self.world.parties

        def look(pair: int, is_known: bool) -> Seen:
            askers = [self._logged_in(party) for party in those[2 * pair : 2 * pair + 2]]
            is_true = random.random() < 0.5
            if end is ANSWERED:
                days = self._days(is_true, is_known)
                questions = [self.small_question(*days) for _ in askers]
            else:
                address = random.choice(self._those(is_true, is_known))
                questions = [self.question(address) for _ in askers]
            return clocked(list(pool.map(self._wait, askers, questions, [end, end])), is_true)

        return look

    def _days(self, is_present: bool, is_known: bool) -> tuple[date, date]:
        """A day on which the target has sent something or not: of the even ones everything is known."""
        number = random.choice(
            [n for n, p in enumerate(self.world.is_present) if p == is_present and (n % 2 == 0) == is_known]
        )
        return day(DAYS - number), day(DAYS - number)

    def _those(self, is_there: bool, is_known: bool) -> list[int]:
        half = ADDRESSES // 2
        return [n for n, there in enumerate(self.is_there) if there == is_there and (n < half) == is_known]

    def small_question(self, first: date, last: date, address: str = "") -> groups.GroupQuestion:
        return groups.GroupQuestion(
            metrics=METRICS[:1], from_date=first.isoformat(), to_date=last.isoformat(), address=address,
            precision=groups.GROUP_PRECISION_HIGH, **self.world.words(),
        )  # fmt: skip

    def _wait(self, party: Party, question: groups.GroupQuestion, end: grpc.StatusCode | None) -> float:
        def ask() -> grpc.StatusCode | None:
            try:
                party.ask("QueryGroup", question=question)
            except grpc.RpcError as error:
                return error.code()

        ended, seconds = timed(ask)
        assert ended == end, f"{ended} in place of {end}"
        return seconds

    def _penniless(self) -> Party:
        """A third party that has spent everything."""
        party = self.world.town.accounts.third_party()
        self.world.town.server.sql(
            "INSERT INTO group_budget (third_party, year, spent) VALUES (%s, extract(year FROM now() AT TIME ZONE 'UTC'), %s)",
            (party.account_id, 1_000 * self.world.BUDGET),
        )
        return party

    @contextmanager
    def _asking_meanwhile(self, others: int) -> Iterator[None]:
        """So many third parties ask one question after the other, about everybody and about addresses."""
        is_over = threading.Event()

        def ask(party: Party) -> None:
            while not is_over.is_set():
                self._logged_in(party)
                address = random.choice(["", self.address(random.randrange(ADDRESSES))])
                self._wait(party, self.small_question(day(DAYS), day(1), address), REFUSED if address else ANSWERED)

        with ThreadPoolExecutor(max(others, 1)) as pool:
            asking = [pool.submit(ask, party) for party in self.world.parties[2 * MOST_PAIRS :][:others]]
            try:
                yield
            finally:
                is_over.set()
        for one in asking:
            one.result()

    # Sessions end

    def _logged_in(self, party: Party) -> Party:
        if time.monotonic() > self._logged_in_s.get(party, -SESSION_S) + SESSION_S:
            party.log_in()
            self._logged_in_s[party] = time.monotonic()
        return party


def clocked(waits: Sequence[float], truth: bool) -> Seen:
    """What may be seen of times: each, what they are together, how late after a departure they are, and which was longer."""
    late = [wait % PACE_S for wait in waits]
    together = (statistics.fmean(waits), min(waits), max(waits), statistics.fmean(late), min(late), waits[0] - waits[1])
    return Seen((*waits, *together), truth)


def _spent(party: Party) -> float:
    return party.ask("GetGroupBudget").budget.spent.rho


def _settled(party: Party) -> float:
    """What is spent when it has stayed the same for a while."""
    last, since = _spent(party), time.monotonic()
    while time.monotonic() < since + 0.25:
        time.sleep(0.05)
        if (now := _spent(party)) != last:
            last, since = now, time.monotonic()
    return last


class QuietTown:
    """A server on which nobody does anything but one person, and an attacker who asks what questions would cost."""

    SHOWN_S = 2.6
    """Within it what was sent is compacted, and cells are made anew."""
    WITHDRAWN_S = 1.4

    def __init__(self, persons: int):
        self.town = Town(TRACKME_GROUP_EPOCH_SECONDS="1")
        self.persons = self.town.seed(persons, "heart_rate")
        self.town.push("heart_rate", [(self.persons[0], midnight_us() + 12 * HOUR_US, 70)])
        self.town.gathered()
        self.attacker = self.town.accounts.third_party()
        self._leaving = iter(self.persons[1:])
        self._steps = itertools.count(1)

    def close(self) -> None:
        self.town.close()

    def look(self, is_sending: bool) -> Seen:
        """Whether somebody sends something, or withdraws what they share, is up to a coin: what the attacker sees of it."""
        is_active = random.random() < 0.5
        act = self._send if is_sending else self._withdrawal() if is_active else None
        before, began = self._gathered(), time.monotonic()
        if is_active:
            act()
        seen, end = [before], began + (self.SHOWN_S if is_sending else self.WITHDRAWN_S)
        while time.monotonic() < end:
            if (now := self._gathered()) != seen[-1]:
                seen.append(now)
            time.sleep(0.02)
        steps = [later - earlier for earlier, later in itertools.pairwise(seen)]
        return Seen((len(steps), seen[-1] - before, max(steps, default=0), min(steps, default=0)), is_active)

    def _gathered(self) -> float:
        """When data was gathered last, in seconds: a dry run tells it, and costs nothing."""
        question = groups.GroupQuestion(metrics=["heart_rate"], from_date=day().isoformat(), to_date=day().isoformat())
        return self.attacker.ask("QueryGroup", dry_run=True, question=question).gathered.ToMicroseconds() / 1e6

    def _send(self) -> None:
        self.town.push("heart_rate", [(self.persons[0], midnight_us() + 12 * HOUR_US + next(self._steps), 70)])

    def _withdrawal(self) -> Callable[[], None]:
        """Lets another one withdraw everything."""
        server = self.town.server
        party = Party(server.target, server.person_token(next(self._leaving)))
        etag = party.ask("GetAnonymousSharing").sharing.etag

        def withdraw() -> None:
            party.ask("UpdateAnonymousSharing", metrics=[], etag=etag)
            party.channel.close()

        return withdraw


def epochs(trials: int, towns: int) -> Score:
    """Looks at when data is gathered, on so many servers at once: half the time for who sends, half for who withdraws."""
    count = -(-trials // towns)
    known = max(count // 4, 2)

    def watch(_: int) -> list[dict[bool, list[Seen]]]:
        town = QuietTown(count + known + 2)
        try:
            parts = []
            for number in (known, count):
                parts.append({kind: [] for kind in (True, False)})
                for trial in range(number):
                    if trial % 100 == 0:
                        town.attacker.log_in()
                    parts[-1][trial % 2 == 0].append(town.look(is_sending=trial % 2 == 0))
            return parts
        finally:
            town.close()

    with ThreadPoolExecutor(towns) as pool:
        seen = list(pool.map(watch, range(towns)))
    score = Score(0, 0)
    for kind in (True, False):
        lessons, others = (list(itertools.chain.from_iterable(town[n][kind] for town in seen)) for n in range(2))
        score += learnt(lessons).score(others)
    return score


class StillTown:
    """A server whose data stays as it is for a day, with enough persons to be told of."""

    ENOUGH = 1_300

    def __init__(self, persons: int = ENOUGH):
        self.town = Town(TRACKME_GROUP_BUDGET="10000000000", TRACKME_GROUP_BUDGET_OF_ALL="10000000000")
        self.persons = self.town.seed(persons, "heart_rate")
        self.town.push("heart_rate", ((p, midnight_us() + 12 * HOUR_US, 70) for p in self.persons))
        self.town.gathered()
        self.party = self.town.accounts.third_party()
        self._wordings = itertools.count()

    def close(self) -> None:
        self.town.close()

    def question(self) -> groups.GroupQuestion:
        """One that has not been asked before, with an answer. It costs one number."""
        fewest, hours = divmod(next(self._wordings), 144)
        return groups.GroupQuestion(
            metrics=["heart_rate"], from_date=day().isoformat(), to_date=day().isoformat(), from_hour=hours % 12,
            to_hour=13 + hours // 12, minimum_persons=1_000 + fewest, precision=groups.GROUP_PRECISION_HIGH,
        )  # fmt: skip

    # Deadlines

    def deadlines(self, trials: int, seconds: Sequence[float] = (0.008, 0.012, 0.016, 0.024)) -> Score:
        """Asks with a deadline that is too short, and then again without: how often that cost more than the answer."""
        parties = [self.town.accounts.third_party() for _ in range(4)]

        def work(party: Party) -> Score:
            score = Score(0, 0)
            for trial in range(-(-trials // len(parties))):
                if trial % 500 == 0:
                    party.log_in()
                score += Score(self._burns(party, seconds[trial % len(seconds)]), 1)
            return score

        with ThreadPoolExecutor(len(parties)) as pool:
            return sum(pool.map(work, parties), Score(0, 0))

    def _burns(self, party: Party, deadline_s: float) -> bool:
        before, question = _spent(party), self.question()
        with suppress(grpc.RpcError):
            party.ask("QueryGroup", timeout=deadline_s, question=question)
        answer = wait_until(lambda: self._answer(party, question), what="an answer for whoever asks again")
        assert answer.answer.results
        return _settled(party) - before > answer.cost.rho * (1 + 1e-6)

    @staticmethod
    def _answer(party: Party, question: groups.GroupQuestion) -> groups.QueryGroupResponse | None:
        """None where it has to be asked once more: the deadline before may have ended a session of PostgreSQL's."""
        try:
            return party.ask("QueryGroup", question=question)
        except grpc.RpcError as error:
            if error.code() != grpc.StatusCode.UNAVAILABLE:
                raise
            return None

    # The ledger

    def ledger(self, answers: int, leaving: int) -> Score:
        """Persons withdraw while an answer is made, of which a snapshot has been taken: how often they are not told of it.

        :param leaving: how many, of each answer.
        """
        missed = 0
        those = iter(self.persons)
        for _ in range(answers):
            persons = [self._person(next(those)) for _ in range(leaving)]
            question = self.question()
            with ThreadPoolExecutor(1) as pool:
                with self._held():
                    asked = pool.submit(self.party.ask, "QueryGroup", PATIENCE_S, question=question)
                    wait_until(self._is_reading, what="a question that reads cells")
                    for person in persons:
                        etag = person.ask("GetAnonymousSharing").sharing.etag
                        person.ask("UpdateAnonymousSharing", metrics=[], etag=etag)
                told = asked.result().question
            for person in persons:
                missed += told not in [d.question for d in person.ask("ListGroupDisclosures").disclosures]
                person.channel.close()
        return Score(missed, answers * leaving)

    def _person(self, number: int) -> Party:
        server = self.town.server
        return Party(server.target, server.person_token(number))

    @contextmanager
    def _held(self) -> Iterator[None]:
        """Nobody reads cells: whoever has a snapshot already waits with it."""
        with self.town.server.connect() as database, database.transaction():
            database.execute("LOCK TABLE group_cell IN ACCESS EXCLUSIVE MODE")
            yield

    def _is_reading(self) -> bool:
        waiting = "SELECT EXISTS (SELECT FROM pg_locks WHERE relation = 'group_cell'::regclass AND NOT granted)"
        return self.town.server.sql(waiting)[0][0]
