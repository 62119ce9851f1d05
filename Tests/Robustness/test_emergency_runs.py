"""The checker of emergencies finds what is broken; and a short run of it (B-UC.4, B-3.7.2)."""

import json
import re
import subprocess
import sys
from copy import deepcopy
from pathlib import Path

import pytest

from emergency_runs import ACCEPTED, DETECTED, DISPATCHING, Crossing, EmergencyRun, Incident, Outage, Record


class World:
    """Two emergencies and a value that swung back; the server was gone from 101 to 102."""

    def __init__(self):
        self.run = EmergencyRun(
            crossings=[Crossing(1, 99.9, 100), Crossing(2, 101.2, 101.3), Crossing(3, 100, 100, is_emergency=False)],
            incidents=[Incident("first", "e-1", 1, 100.1), Incident("second", "e-1", 1, 102.4),
                       Incident("first", "e-2", 2, 103)],
            outages=[Outage("server", 101, 102)],
            records=[self.record("e-1", 1, 1000), self.record("e-2", 2, 2000)],
            journal=[("e-1", 1), ("e-2", 2), ("e-2", 2)],
            gateway=[(channel, f"{e} {channel}", "EXERCISE") for channel in ("sms", "voice") for e in ("e-1", "e-2")],
            starts_s=[0.4],
        )  # fmt: skip

    @staticmethod
    def record(emergency, person, at):
        steps = [(DETECTED, at, "evaluator"), (DISPATCHING, at + 1, "dispatch"), (ACCEPTED, at + 2, "dispatcher 9")]
        return Record(emergency, person, ACCEPTED, steps)


def forget_a_call(r):
    r.incidents = [i for i in r.incidents if i.person != 1]


def call_late(r):
    r.incidents[2].at_s = 107.1


def call_late_although_an_outage_follows(r):
    r.incidents[2].at_s = 108.5
    r.outages.append(Outage("postgres", 107.5, 108))


def call_twice(r):
    r.incidents.append(Incident("first", "e-1", 1, 101))


def find_it_anew_after_a_restart(r):
    r.incidents.append(Incident("second", "e-3", 2, 105))
    r.records.append(World.record("e-3", 2, 3000))


def have_another_in_the_journal(r):
    r.journal.append(("e-4", 1))


def call_without_a_crossing(r):
    r.incidents.append(Incident("first", "e-5", 3, 100))


def lose_the_record(r):
    del r.records[1]


def record_twice(r):
    r.records.append(World.record("e-1", 1, 5000))


def lose_the_acceptance(r):
    r.records[0].transitions.pop()
    r.records[0].state = DISPATCHING


def end_in_another_state(r):
    r.records[0].state = DETECTED


def skip_a_state(r):
    del r.records[0].transitions[1]


def go_back_in_time(r):
    r.records[0].transitions[1] = (DISPATCHING, 999, "dispatch")


def share_a_time(r):
    r.records[1].transitions[0] = (DETECTED, 1002, "evaluator")


def send_an_sms_under_two_keys(r):
    r.gateway.append(("sms", "e-1 again", "EXERCISE"))


def send_an_sms_for_nobody(r):
    r.gateway.append(("sms", "e-9 sms", "EXERCISE"))


def never_ring(r):
    r.gateway.pop()


def start_slowly(r):
    r.starts_s.append(1.3)


BREAKAGES = {
    forget_a_call: "person 1: nobody was called",
    call_late: r"person 2: the call came 5\.10 s after",
    call_late_although_an_outage_follows: "person 2: the call came",
    call_twice: "e-1 is 2 incidents at first",
    find_it_anew_after_a_restart: "person 2: 2 emergencies",
    have_another_in_the_journal: "person 1: 2 emergencies",
    call_without_a_crossing: "person 3: was called for without",
    lose_the_record: "e-2 was called and is not recorded",
    record_twice: "e-1 is recorded 2 times",
    lose_the_acceptance: "e-1 is recorded without a dispatcher's acceptance",
    end_in_another_state: "e-1 is in state 1",
    skip_a_state: "e-1 went from state 1 to 3",
    go_back_in_time: "e-1 has transitions at",
    share_a_time: "2 transitions at 1002",
    send_an_sms_under_two_keys: "e-1 is 2 different calls by sms",
    send_an_sms_for_nobody: "belongs to no emergency",
    never_ring: "e-2 was never taken by voice",
    start_slowly: r"SERVING 1\.30 s",
}


def test_a_good_run_has_no_problem_and_says_how_long_calls_took():
    world = World()
    assert world.run.problems() == []
    assert world.run.seconds_to_call() == pytest.approx([0.1, 1.0])


def test_outages_that_follow_each_other_give_time():
    run = World().run
    run.incidents[2].at_s = 112
    run.outages += [Outage("server", 104, 107.5), Outage("dispatcher", 107, 108)]
    assert run.problems() == []
    assert run.seconds_to_call() == pytest.approx([0.1, 4.0])


@pytest.mark.parametrize("breakage", BREAKAGES, ids=lambda b: b.__name__)
def test_a_broken_promise_is_found(breakage):
    run = World().run
    before = deepcopy(run)
    breakage(run)
    assert run != before, "the breakage breaks something"
    problems = run.problems()
    assert any(re.search(BREAKAGES[breakage], p) for p in problems), problems


@pytest.mark.timeout(180)
def test_a_short_run_of_the_checker():
    command = [sys.executable, Path(__file__).parent / "emergencies.py", "--emergencies", "30", "--seed", "7", "--json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=170)
    summary = json.loads(done.stdout or "{}")
    assert done.returncode == 0 and summary["ok"], done.stdout + done.stderr
    assert summary["emergencies"] == 30 and sum(summary["kills"].values()) > 0
