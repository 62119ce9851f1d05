"""The checker of emergencies finds what is broken (B-UC.4, B-3.7.2)."""

import json
import re
import zlib
from copy import deepcopy

import pytest

from emergencies import unseen
from emergency_runs import (
    ACCEPTED, DETECTED, DISPATCHING, RESOLVED, TAKEN, UPDATE, Crossing, EmergencyRun, Incident, Opening, Outage, Record,
)  # fmt: skip
from findings import NotJudged, is_late
from journal_file import JournalEntry, JournalState, parse_journal

HEART_RATE, BLOOD_OXYGEN = 1, 6
FIRST = Opening(1, HEART_RATE, 99_900_000).emergency
SECOND = Opening(2, HEART_RATE, 101_200_000).emergency
CLOSED = Opening(4, HEART_RATE, 90_000_000).emergency
AGAIN = Opening(4, BLOOD_OXYGEN, 110_000_000).emergency
SWING = Opening(3, HEART_RATE, 98_000_000).emergency
STRANGE = Opening(1, HEART_RATE, 77_000_000).emergency


class World:
    """Person 1 crosses two limits: one emergency. Person 2 crosses one while the server is gone from 101 to 102. The
    value of person 3 swings back. The first emergency of person 4 is closed by its dispatcher, a second one follows."""

    def __init__(self):
        both = (HEART_RATE, BLOOD_OXYGEN)
        self.run = EmergencyRun(
            crossings=[
                Crossing(1, 99.9, 100, True, HEART_RATE, 99_900_000),
                Crossing(1, 104, 104, True, BLOOD_OXYGEN, 104_000_000),
                Crossing(2, 101.2, 101.3, True, HEART_RATE, 101_200_000),
                Crossing(3, 98, 100, False, HEART_RATE, 98_000_000),
                Crossing(4, 90, 90, True, HEART_RATE, 90_000_000),
                Crossing(4, 110, 110, True, BLOOD_OXYGEN, 110_000_000, episode=2),
            ],
            incidents=[
                Incident("first", CLOSED, 90.1, "a", metrics=(HEART_RATE,), is_closed=True),
                # The server was killed before the answer was safe, so another dispatcher was called too.
                Incident("first", FIRST, 100.1, "a", metrics=(HEART_RATE,)),
                Incident("second", FIRST, 102.4, "b", metrics=(HEART_RATE,)),
                Incident("first", SECOND, 103, "c", metrics=(HEART_RATE,)),
                Incident("second", FIRST, 104.2, "b", UPDATE, metrics=both),
                # It comes again after a reconnection.
                Incident("second", FIRST, 108, "d", metrics=both),
                Incident("first", AGAIN, 110.3, "c", metrics=(BLOOD_OXYGEN,)),
            ],
            outages=[Outage("server", 101, 102)],
            records=[
                self.record(FIRST, 1, 1000, crossings=[HEART_RATE, BLOOD_OXYGEN]), self.record(SECOND, 2, 2000),
                self.record(CLOSED, 4, 3000, RESOLVED), self.record(AGAIN, 4, 4000, crossings=[BLOOD_OXYGEN]),
            ],
            journals=[
                JournalState(101, {FIRST: JournalEntry(1, 100_000_000, False)}),
                JournalState(
                    120, {FIRST: JournalEntry(1, 100_000_000, True), SECOND: JournalEntry(2, 102_000_000, True),
                          AGAIN: JournalEntry(4, 110_000_000, True)},
                ),
            ],
            gateway=[(c, f"{e} {c}", "EXERCISE") for c in ("sms", "voice") for e in (FIRST, SECOND, AGAIN)],
            starts=[(100, 100.4)],
        )  # fmt: skip

    @staticmethod
    def record(emergency, person, at, state=ACCEPTED, crossings=(HEART_RATE,)):
        steps = [(DETECTED, at, "evaluator"), (DISPATCHING, at + 1, "desk"), (ACCEPTED, at + 2, "dispatcher 9")]
        if state != ACCEPTED:
            steps.append((state, at + 3, "dispatcher 9"))
        return Record(emergency, person, state, steps, list(crossings))


def forget_a_call(r):
    r.incidents = [i for i in r.incidents if i.emergency != SECOND]


def forget_the_news_of_a_join(r):
    for incident in r.incidents:
        if incident.emergency == FIRST:
            incident.metrics = (HEART_RATE,)


def call_late(r):
    r.incidents[3].at_s = 107.1


def call_late_although_an_outage_follows(r):
    r.incidents[3].at_s = 108.5
    r.outages.append(Outage("postgres", 107.5, 108))


def tell_late_of_a_join(r):
    del r.incidents[4]
    r.incidents[4].at_s = 109.5


def call_twice_on_a_connection(r):
    r.incidents.append(Incident("first", SECOND, 104, "c", metrics=(HEART_RATE,)))


def call_another_in_spite_of_an_answer(r):
    r.incidents.append(Incident("second", SECOND, 106, "b", metrics=(HEART_RATE,)))


def call_another_in_spite_of_an_answer_after_a_restart(r):
    r.journals.insert(1, JournalState(106, {e: JournalEntry(2, 102_000_000, True) for e in (FIRST, SECOND)}))
    r.outages.append(Outage("server", 106, 107))
    r.incidents.append(Incident("second", SECOND, 107.5, "e", metrics=(HEART_RATE,)))


def call_again_for_what_is_closed(r):
    r.incidents.append(Incident("first", CLOSED, 103.5, "c", metrics=(HEART_RATE,)))


def call_again_for_what_is_over(r):
    r.incidents[6].is_closed = True
    r.incidents.append(Incident("first", AGAIN, 113, "c2", metrics=(BLOOD_OXYGEN,)))


def find_it_anew_after_a_restart(r):
    r.incidents.append(Incident("second", STRANGE, 105, "b", metrics=(HEART_RATE,)))


def make_a_joined_crossing_an_emergency_of_its_own(r):
    own = Opening(1, BLOOD_OXYGEN, 104_000_000).emergency
    r.incidents.append(Incident("second", own, 104.5, "b", metrics=(BLOOD_OXYGEN,)))


def have_another_in_the_journal(r):
    r.journals[1].emergencies[Opening(1, BLOOD_OXYGEN, 104_000_000).emergency] = JournalEntry(1, 104_000_000, True)


def call_without_a_crossing(r):
    r.incidents.append(Incident("first", SWING, 100.5, "a", metrics=(HEART_RATE,)))


def call_anew_for_a_value_that_wavers(r):
    r.records[1].crossings.append(HEART_RATE)


def lose_a_joined_crossing(r):
    r.records[0].crossings.pop()


def lose_the_record(r):
    del r.records[1]


def record_twice(r):
    r.records.append(World.record(FIRST, 1, 5000, crossings=[HEART_RATE, BLOOD_OXYGEN]))


def lose_the_acceptance(r):
    r.records[0].transitions.pop()
    r.records[0].state = DISPATCHING


def end_in_another_state(r):
    r.records[0].state = DETECTED


def skip_a_state(r):
    del r.records[0].transitions[1]


def call_anew_after_a_restart(r):
    r.records[0].transitions.insert(2, (DISPATCHING, 1001, "desk"))


def go_back_in_time(r):
    r.records[0].transitions[1] = (DISPATCHING, 999, "desk")


def share_a_time(r):
    r.records[1].transitions[0] = (DETECTED, 1002, "evaluator")


def call_before_it_is_in_the_journal(r):
    del r.journals[0].emergencies[FIRST]


def write_the_journal_after_the_call(r):
    r.journals[1].emergencies[SECOND] = JournalEntry(2, 103_500_000, True)


def lose_an_answer_from_the_journal(r):
    r.journals[1].emergencies[SECOND] = JournalEntry(2, 102_000_000, False)


def break_the_journal(r):
    r.journals[0].broken = 1


def send_an_sms_under_two_keys(r):
    r.gateway.append(("sms", f"{FIRST} again", "EXERCISE"))


def send_an_sms_for_nobody(r):
    r.gateway.append(("sms", "e-9 sms", "EXERCISE"))


def never_ring(r):
    r.gateway.pop()


def start_slowly(r):
    r.starts.append((100, 101.3))


BREAKAGES = {
    forget_a_call: "person 2: nobody was told of the crossing of metric 1",
    forget_the_news_of_a_join: "person 1: nobody was told of the crossing of metric 6",
    call_late: r"person 2: the call came 5\.10 s after",
    call_late_although_an_outage_follows: "person 2: the call came",
    tell_late_of_a_join: r"person 1: the call came 5\.50 s after",
    call_twice_on_a_connection: f"{SECOND} is 2 incidents at first on one connection",
    call_another_in_spite_of_an_answer: f"second was called for {SECOND} 3.00 s after first had accepted it",
    call_another_in_spite_of_an_answer_after_a_restart: f"second was called for {SECOND} 4.50 s after first",
    call_again_for_what_is_closed: f"first was called for {CLOSED} 13.40 s after first had closed it",
    call_again_for_what_is_over: f"first was called for {AGAIN} 2.70 s after first had closed it",
    find_it_anew_after_a_restart: f"person 1: {STRANGE} was called for, and no crossing begins so",
    make_a_joined_crossing_an_emergency_of_its_own: "person 1: 2 emergencies for one episode",
    have_another_in_the_journal: "person 1: 2 emergencies for one episode",
    call_without_a_crossing: f"person 3: {SWING} was called for, and the value swung back",
    call_anew_for_a_value_that_wavers: f"{SECOND} is of the crossings",
    lose_a_joined_crossing: f"{FIRST} is of the crossings",
    lose_the_record: f"{SECOND} was called and is not recorded",
    record_twice: f"{FIRST} is recorded 2 times",
    lose_the_acceptance: f"{FIRST} is recorded without a dispatcher's acceptance",
    end_in_another_state: f"{FIRST} is in state 1",
    skip_a_state: f"{FIRST} went from state 1 to 3",
    call_anew_after_a_restart: f"{FIRST} went from state 2 to 2",
    go_back_in_time: f"{FIRST} has transitions at",
    share_a_time: "2 transitions at 1002",
    call_before_it_is_in_the_journal: f"{FIRST} was called and is not in the journal",
    write_the_journal_after_the_call: f"{SECOND} is in the journal from after its call",
    lose_an_answer_from_the_journal: f"{SECOND} was accepted, and the journal does not say so",
    break_the_journal: "1 lines of the journal are broken",
    send_an_sms_under_two_keys: f"{FIRST} is 2 different calls by sms",
    send_an_sms_for_nobody: "belongs to no emergency",
    never_ring: f"{AGAIN} was never taken by voice",
    start_slowly: r"SERVING 1\.30 s",
}


def test_a_good_run_has_no_problem_and_says_how_long_calls_took():
    world = World()
    assert world.run.problems() == []
    assert world.run.seconds_to_call() == pytest.approx([0.1, 0.2, 1.0, 0.1, 0.3])


def test_outages_that_follow_each_other_give_time():
    run = World().run
    run.incidents[3].at_s = 112
    run.outages += [Outage("server", 104, 107.5), Outage("dispatcher", 107, 108)]
    assert run.problems() == []
    assert run.seconds_to_call()[2] == pytest.approx(4.0)


def test_whoever_was_told_that_another_has_the_call_does_not_own_it():
    run = World().run
    run.incidents += [
        Incident("second", SECOND, 103.001, "b", metrics=(HEART_RATE,)),
        Incident("second", SECOND, 103.002, "b", TAKEN, metrics=(HEART_RATE,)),
        Incident("first", SECOND, 108.5, "e", metrics=(HEART_RATE,)),
    ]
    assert run.problems() == []


def test_an_answer_that_may_have_been_lost_with_the_server_is_asked_for_again():
    run = World().run
    run.outages.append(Outage("server", 106, 107))
    run.incidents.append(Incident("second", SECOND, 107.5, "e", metrics=(HEART_RATE,)))
    assert run.problems() == []


@pytest.mark.parametrize("breakage", BREAKAGES, ids=lambda b: b.__name__)
def test_a_broken_promise_is_found(breakage):
    run = World().run
    before = deepcopy(run)
    breakage(run)
    assert run != before, "the breakage breaks something"
    problems = run.problems()
    found = next((p for p in problems if re.search(BREAKAGES[breakage], p)), None)
    assert found is not None, problems
    assert is_late(found) == bool(re.search(r"after everything worked again|was SERVING", found))
    if is_late(found):
        # Nobody can judge it where the machine stood still all the while.
        run.stood_still_s = lambda began, ended: ended - began
        assert [type(p) for p in run.problems() if p.startswith(found)] == [NotJudged]


def test_no_start_is_judged_beside_others():
    run = World().run
    start_slowly(run)
    run.are_starts_judged = False
    assert run.problems() == []


def test_an_emergency_s_number_says_what_opened_it():
    """A UUID of version 8 (RFC 9562)."""
    opening = Opening(1_000_000_044, BLOOD_OXYGEN, 1_795_302_750_523_043)
    assert Opening.of(opening.emergency) == opening
    assert opening.emergency[14] == "8" and opening.emergency[19] in "89ab"


OMISSIONS = {
    "the server was not killed": lambda run: run.journals.clear(),
    "no journal held an emergency": lambda run: [journal.emergencies.clear() for journal in run.journals],
    "no call came on a further connection": lambda run: [setattr(i, "connection", "a") for i in run.incidents],
    "no crossing joined an emergency": lambda run: run.crossings.pop(1),
    "nobody had two emergencies": lambda run: run.crossings.pop(5),
}


@pytest.mark.parametrize("what", OMISSIONS)
def test_a_run_that_did_not_see_what_it_is_about_fails(what):
    run, courses = World().run, {"join", "again", "crossing"}
    assert unseen(run, courses) == []
    OMISSIONS[what](run)
    assert any(what in p for p in unseen(run, courses))


def line(**fields) -> bytes:
    body = json.dumps(fields).encode()
    return f"{zlib.crc32(body):08x} ".encode() + body + b"\n"


def emergency(last=None):
    steps = [{"state": 1, "at": 5, "actor": "evaluator", "note": ""}, *([last] if last else [])]
    return {"id": FIRST, "person": 1, "transitions": steps}


def test_the_newest_line_of_a_journal_counts():
    accepted = {"state": 3, "at": 9, "actor": "dispatcher 7", "note": ""}
    data = line(last=4) + line(emergency=emergency()) + line(emergency=emergency(accepted)) + line(
        recorded={"id": FIRST, "changed": 9})  # fmt: skip
    assert parse_journal(data, 1).emergencies == {FIRST: JournalEntry(1, 5, True)}
    over = {**accepted, "state": 5}
    assert parse_journal(line(emergency=emergency(over)), 1).emergencies == {FIRST: JournalEntry(1, 5, True, True)}
    by_sms = {**accepted, "actor": "sms"}
    assert parse_journal(line(emergency=emergency(by_sms)), 1).emergencies == {FIRST: JournalEntry(1, 5, False)}


def test_only_the_last_line_of_a_journal_may_be_torn():
    whole = line(emergency=emergency())
    torn = parse_journal(whole + whole[:40], 1)
    assert torn.broken == 0 and len(torn.emergencies) == 1
    assert parse_journal(whole[:40] + b"\n" + whole, 1).broken == 1
    assert parse_journal(whole.replace(b'"person": 1', b'"person": 2') + whole, 1).broken == 1
