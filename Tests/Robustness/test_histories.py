"""The checker finds what it is there to find: each made-up history breaks one promise."""

import re
from collections import Counter
from copy import deepcopy

import pytest

from histories import (
    Acknowledgement, Batch, Interruption, Key, Resume, Stream, Welcome, Writer, check, check_compaction,
    positions_of, resumes_out_of_chunks,
)  # fmt: skip
from statuses import Statuses, status_problems


def key(person, client, number):
    return Key(person, client, number, float(number))


class World:
    """Two writers, three batches each; batch 3 of the second was never acknowledged, and is stored."""

    def __init__(self):
        self.writers = []
        self.log = []
        for client in ("a", "b"):
            writer = Writer(client)
            for sequence in (1, 2, 3):
                keys = tuple(key(person, client, 10 * sequence + person) for person in (1, 2))
                writer.batches[sequence] = Batch(sequence, keys)
                if (client, sequence) != ("b", 3):
                    writer.acknowledgements.append(Acknowledgement(sequence, 2 * sequence + (client == "b")))
            writer.welcomes = [Welcome(0, 0, 0), Welcome(2, 2, 3)]
            self.writers.append(writer)
        a, b = self.writers
        for sequence in (1, 2, 3):
            self.log += [*a.batches[sequence].keys, *b.batches[sequence].keys]
        self.wide = Stream("wide", None, list(self.log))
        self.narrow = Stream("narrow", frozenset({2}), [k for k in self.log if k.person == 2])
        self.stored = {"export": Counter(self.log), "sql": Counter(self.log)}

    def check(self):
        return check(self.writers, [self.wide, self.narrow], self.stored, "wide")


def lose_from_storage(w):
    del w.stored["sql"][w.log[0]]


def lose_everywhere(w):
    for where in (w.stored["export"], w.stored["sql"]):
        del where[w.log[0]], where[w.log[1]]
    w.wide.delivered = w.wide.delivered[2:]
    w.narrow.delivered = w.narrow.delivered[1:]


def store_twice(w):
    w.stored["export"][w.log[3]] += 1


def store_half_a_batch(w):
    for where in w.stored.values():
        del where[w.log[-1]]
    w.wide.delivered.pop()
    w.narrow.delivered.pop()


def store_what_nobody_pushed(w):
    w.stored["sql"][key(9, "z", 1)] = 1


def change_a_value(w):
    w.stored["sql"][w.log[0]._replace(value=99.0)] = w.stored["sql"].pop(w.log[0])


def leave_a_gap(w):
    del w.narrow.delivered[1]


def leave_a_gap_in_everyones(w):
    del w.wide.delivered[0]


def deliver_twice(w):
    w.narrow.delivered.insert(2, w.narrow.delivered[0])


def deliver_twice_at_once(w):
    w.wide.delivered.append(w.wide.delivered[-1])


def deliver_what_is_of_others(w):
    w.narrow.delivered.insert(0, w.log[0])


def swap_batches_of_a_writer(w):
    d = w.narrow.delivered
    d[0], d[2] = d[2], d[0]


def swap_writers_in_one_stream(w):
    d = w.narrow.delivered
    d[0], d[1] = d[1], d[0]


def swap_within_a_batch_in_every_stream(w):
    d = w.wide.delivered
    d[0], d[1] = d[1], d[0]


def deliver_what_was_not_stored(w):
    for where in w.stored.values():
        del where[w.log[-1]], where[w.log[-2]]


def store_what_was_not_delivered(w):
    del w.wide.delivered[-2:]
    w.narrow.delivered.pop()


def forget_at_a_welcome(w):
    w.writers[0].welcomes.append(Welcome(2, 3, 3))


def invent_at_a_welcome(w):
    w.writers[0].welcomes.append(Welcome(4, 3, 3))


def acknowledge_what_was_not_sent(w):
    w.writers[1].acknowledgements.append(Acknowledgement(4, 99))


def go_back_in_position(w):
    w.writers[0].acknowledgements[1].position = 1


def stay_without_position(w):
    w.writers[0].acknowledgements[0].position = 0


BREAKAGES = {
    lose_from_storage: "is not stored",
    lose_everywhere: "is not stored",
    store_twice: "stored 2 times",
    store_half_a_batch: "only a part",
    store_what_nobody_pushed: "never pushed",
    change_a_value: "is not stored",
    leave_a_gap: "narrow: .* is missing",
    leave_a_gap_in_everyones: "wide: .* is missing",
    deliver_twice: "narrow: .* delivered 2 times",
    deliver_twice_at_once: "wide: .* delivered 2 times",
    deliver_what_is_of_others: "of somebody else",
    swap_batches_of_a_writer: "came after batch",
    swap_writers_in_one_stream: "narrow: delivery 0 is",
    swap_within_a_batch_in_every_stream: "wide: .* came after",
    deliver_what_was_not_stored: "delivered and is not stored",
    store_what_was_not_delivered: "stored and was not delivered",
    forget_at_a_welcome: "a welcome knows 2",
    invent_at_a_welcome: "a welcome knows 4",
    acknowledge_what_was_not_sent: "never sent",
    go_back_in_position: "is at position",
    stay_without_position: "is at position 0",
}


def test_a_good_history_has_no_problem():
    assert World().check() == []


@pytest.mark.parametrize("breakage", BREAKAGES, ids=lambda b: b.__name__)
def test_a_broken_promise_is_found(breakage):
    world = World()
    before = deepcopy(world)
    breakage(world)
    assert vars(world) != vars(before), "the breakage breaks something"
    problems = world.check()
    assert any(re.search(BREAKAGES[breakage], p) for p in problems), problems


def test_an_unacknowledged_batch_may_be_stored_or_not():
    world = World()
    for where in world.stored.values():
        del where[world.log[-1]], where[world.log[-2]]
    del world.wide.delivered[-2:]
    world.narrow.delivered.pop()
    assert world.check() == []


def test_what_comes_out_of_chunks_may_be_in_another_order_within_a_position():
    world = World()
    swap_within_a_batch_in_every_stream(world)
    world.wide.caught_up = {0, 1}
    assert world.check() == []


@pytest.mark.parametrize("breakage", [swap_batches_of_a_writer, swap_writers_in_one_stream], ids=lambda b: b.__name__)
def test_whoever_catches_up_gets_positions_in_their_order(breakage):
    world = World()
    world.narrow.caught_up = set(range(6))
    breakage(world)
    assert any(re.search(BREAKAGES[breakage], p) for p in world.check())


def test_a_person_s_readings_come_in_the_order_of_their_times_also_out_of_chunks():
    writer = Writer("a", {1: Batch(1, (key(1, "a", 10), key(1, "a", 11)))}, [Acknowledgement(1, 2)])
    stream = Stream("all", None, [key(1, "a", 11), key(1, "a", 10)], caught_up={0, 1})
    assert any("came after batch" in p for p in check([writer], [stream], {"sql": Counter(stream.delivered)}, "all"))


class Compactions:
    """The wide stream resumed when chunks reached to position 4, and got positions 3 to 7; both kills hit passes."""

    def __init__(self):
        self.world = World()
        self.world.wide.resumes = [Resume(0, 0), Resume(2, 4)]
        self.interruptions = [Interruption("postgres", "half", 0, None), Interruption("server", "half", 0, 0)]

    def check(self):
        return check_compaction(self.interruptions, [self.world.wide], positions_of(self.world.writers), ["wide"])


def never_kill_in_mid_compaction(c):
    c.interruptions.clear()


def kill_postgres_only(c):
    del c.interruptions[1]


def keep_half_a_pass(c):
    c.interruptions[1].after = 7


def never_resume(c):
    del c.world.wide.resumes[1]


def resume_out_of_the_log(c):
    c.world.wide.resumes[1].packed = 2


def resume_when_all_is_delivered(c):
    c.world.wide.resumes[1].first = 12


UNSEEN = {
    never_kill_in_mid_compaction: "no pass of the compactor was in its middle when server was killed",
    kill_postgres_only: "no pass of the compactor was in its middle when server was killed",
    keep_half_a_pass: "moved the position from 0 to 7",
    never_resume: "wide: no resume was served out of chunks",
    resume_out_of_the_log: "wide: no resume was served out of chunks",
    resume_when_all_is_delivered: "wide: no resume was served out of chunks",
}


def test_a_run_with_kills_in_mid_compaction_and_a_resume_out_of_chunks_is_good():
    compactions = Compactions()
    assert compactions.check() == []
    assert resumes_out_of_chunks(compactions.world.wide, positions_of(compactions.world.writers)) == 1


@pytest.mark.parametrize("omission", UNSEEN, ids=lambda o: o.__name__)
def test_a_run_that_did_not_see_compaction_fails(omission):
    compactions = Compactions()
    omission(compactions)
    problems = compactions.check()
    assert any(re.search(UNSEEN[omission], p) for p in problems), problems


@pytest.mark.parametrize("status", ["INTERNAL", "UNKNOWN"])
def test_a_call_that_ends_with_such_a_status_is_found(status):
    assert status_problems(Statuses({"UNAVAILABLE": 7})) == []
    assert any(f"1 calls ended with {status}" in p for p in status_problems(Statuses({"UNAVAILABLE": 7, status: 1})))


def test_a_call_that_failed_by_the_server_s_log_is_found():
    line = "2026-01-01T00:00:00+0000 error trackme: error=x id=1z path=/trackme.X/Y [trackme] a call failed"
    assert status_problems(Statuses(), f"notice trackme: SERVING\n{line}\n")
    assert not status_problems(Statuses(), "notice trackme: SERVING\n")
