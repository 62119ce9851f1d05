"""Limits are checked where they are used up: many calls at once leave no more than calls one after the other."""

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import grpc

from trackme.protocol import access

from accounts import whole
from calls import outcome_of
from fiscal_codes import random_identity

CALLERS = 40
"""Calls at once: a session may have 64."""


def stampede(calls) -> Counter:
    """Makes all calls at once; how often each reason came, and "" for success."""

    def make(call) -> str:
        try:
            call()
        except grpc.RpcError as error:
            return outcome_of(error).reason or error.code().name
        return ""

    with ThreadPoolExecutor(CALLERS) as pool:
        return Counter(pool.map(make, calls))


def test_of_a_hundred_requests_at_once_ten_wait_for_a_person(accounts):
    """A-R6: a person is not buried in requests."""
    person, doctor = accounts.person(), accounts.third_party()
    assert stampede([lambda: doctor.request(person)] * 100) == {"": 10, "TOO_MANY_REQUESTS": 90}
    waiting = person.ask("ListAccessRequests", states=[access.ACCESS_STATE_PENDING]).access_requests
    assert len(waiting) == 10
    # One that is decided makes room for one.
    person.ask("RefuseAccessRequest", access_request_id=waiting[0].access_request_id)
    assert stampede([lambda: doctor.request(person)] * 20) == {"": 1, "TOO_MANY_REQUESTS": 19}
    # Others are not held up, and a request that was made is found again.
    accounts.third_party().request(person)
    assert doctor.request(accounts.person(), request_id="one") == doctor.request(person, request_id="one")


def test_of_lookups_at_once_no_more_than_a_hundred_lead_to_nobody(accounts):
    """A-R5: who tries out fiscal codes gets nowhere."""
    doctor, person = accounts.third_party(), accounts.person()
    # Somebody who is found uses nothing up.
    for _ in range(5):
        doctor.request(person)

    def look_up(code):
        return lambda: doctor.ask("RequestAccess", fiscal_code=code, purpose="study", scope=whole())

    codes = [random_identity(accounts.rng).fiscal_code for _ in range(130)]
    assert stampede(map(look_up, codes)) == {"NO_SUCH_PERSON": 100, "TOO_MANY_LOOKUPS": 30}
    assert stampede([lambda: doctor.request(person)]) == {"TOO_MANY_LOOKUPS": 1}
    accounts.third_party().request(person)


def test_a_person_lets_at_most_a_hundred_bridges_push(accounts):
    """B-3.1.2: also when they are allowed at once."""
    person = accounts.person()
    bridges = [accounts.bridge().bridge_id for _ in range(103)]
    calls = [lambda bridge=bridge: person.ask("AllowBridge", bridge_id=bridge) for bridge in bridges]
    assert stampede(calls) == {"": 100, "TOO_MANY_BRIDGES": 3}
    assert len(person.ask("ListBridges").bridges) == 100
    # One that may push already is no further one.
    assert stampede([lambda: person.ask("AllowBridge", bridge_id=person.ask("ListBridges").bridges[0].bridge_id)]) == {"": 1}
