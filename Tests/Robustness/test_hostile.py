"""The checker of hostile callers finds what is broken."""

from copy import deepcopy

import pytest

from findings import NotJudged, is_late
from hostile_cast import Cast, said, stranger
from hostile_verdict import Call, Crossing, HostileRun, Probe, Sample, share


def good_run() -> HostileRun:
    """Attacks from 100 to 120. Persons 1 and 2 have readings, and person 1 follows them; person 3 crosses a limit."""
    return HostileRun(
        attack_s=(100, 120),
        crossings=[Crossing(3, 110)],
        called={3},
        calls={3: Call(110.1, 110.11, 110.2)},
        acknowledged={1: 50, 2: 50, 3: 2},
        # Somebody may be cut off before the acknowledgement comes.
        stored={1: 50, 2: 60, 3: 2},
        delivered={1: 50},
        probes=[Probe(at, "GetAccount", 0.01, "OK") for at in range(90, 135)] + [Probe(125, "LogIn", 3, "OK")],
        lags=[(at, 0.2) for at in range(90, 135)] + [(125, 5)],
        samples=[Sample(90, 50), Sample(110, 500), Sample(125, 400), Sample(131, 60)],
        peak_bytes=300 << 20,
        attacks={"much": {"OK": 5, "RESOURCE_EXHAUSTED": 100}},
    )


BROKEN = {
    "the server ended with -11": lambda r: r.crashes.append("the server ended with -11"),
    "person 2: 50 readings were acknowledged, 49 are stored": lambda r: r.stored.update({2: 49}),
    "person 1: 50 readings were acknowledged, 0 are stored": lambda r: r.stored.pop(1),
    "person 1: 50 readings acknowledged, 49 delivered": lambda r: r.delivered.update({1: 49}),
    "person 3: no dispatcher was called": lambda r: r.called.clear(),
    "person 3: no acceptance is recorded": lambda r: r.calls.clear(),
    "person 3: the call was accepted 5.10 s after": lambda r: setattr(r.calls[3], "accepted_s", 115.1),
    "the server had 1500 MiB": lambda r: setattr(r, "peak_bytes", 1500 << 20),
    "2 calls of GetAccount by others ended with closed: the first 4.0 s after the attacks began, after 2.50 s": lambda r: (
        r.probes.extend(Probe(at, "GetAccount", at - 101.5, "closed") for at in (110, 104))
    ),
    "subscriber 1: UNAVAILABLE": lambda r: r.refusals.append("subscriber 1: UNAVAILABLE"),
    "much: 2 calls ended with INTERNAL": lambda r: r.attacks["much"].update({"INTERNAL": 2}),
    "much: 1 calls ended with UNKNOWN": lambda r: r.attacks["much"].update({"UNKNOWN": 1}),
    "ListReadings took 1.50 s, 11.0 s after": lambda r: r.probes.append(Probe(131, "ListReadings", 1.5, "OK")),
    "readings were delivered 4.00 s late": lambda r: r.lags.append((131, 4)),
    "the server had 50 open files before the attacks, and 400 after": lambda r: setattr(r.samples[-1], "files", 400),
    "nobody crossed a limit": lambda r: r.crossings.clear(),
    "nobody asked anything after": lambda r: setattr(r, "probes", [p for p in r.probes if p.at_s < 130]),
    "much: the attack made no call": lambda r: r.attacks["much"].clear(),
    "the attacks did not come": lambda r: r.attacks.clear(),
}  # fmt: skip


LATE = ("person 3: the call was accepted", "ListReadings took", "readings were delivered")
"""How those begin that are about time alone."""


def test_a_run_in_which_all_held_has_no_problems():
    assert good_run().problems() == []


def test_a_run_for_comparison_has_no_attacks():
    run = good_run()
    run.attacks, run.has_attacks = {}, False
    assert run.problems() == []


@pytest.mark.parametrize("problem", BROKEN)
def test_a_broken_promise_is_seen(problem):
    run = deepcopy(good_run())
    BROKEN[problem](run)
    found = next((found for found in run.problems() if found.startswith(problem)), None)
    assert found is not None, run.problems()
    assert is_late(found) == problem.startswith(LATE)
    if is_late(found):
        run.stood_still_s = lambda began, ended: ended - began
        assert [type(said) for said in run.problems() if said.startswith(found)] == [NotJudged]


def test_the_time_to_acceptance_counts_from_the_device_s_first_try():
    assert good_run().seconds_to_acceptance() == [pytest.approx(0.2)]


def test_recovery_ends_with_the_last_slow_call_after_the_attacks():
    run = good_run()
    assert run.recovered_s() == pytest.approx(8)
    run.probes = [Probe(119, "LogIn", 30, "OK"), Probe(121, "LogIn", 0.9, "OK")]
    assert run.recovered_s() == 0


@pytest.mark.parametrize(("seconds", "is_slow"), [(1.25, False), (1.35, True)])
def test_a_call_is_as_before_unless_it_takes_a_second_more_than_any_of_its_kind_then(seconds, is_slow):
    run = deepcopy(good_run())
    begin, end = run.attack_s
    run.probes += [Probe(begin - 5, "LogIn", 0.3, "OK"), Probe(end + 11, "LogIn", seconds, "OK")]
    assert [found.startswith("LogIn took 1.35 s") for found in run.problems()] == [True] * is_slow


def test_shares_are_milliseconds():
    assert share([0.003, 0.001, 0.002], 0.5) == 2
    assert share([0.001], 0.99) == 1
    assert share([], 0.5) == 0


def test_everybody_comes_from_an_address_of_their_own(tmp_path):
    cast = Cast("host:1", "secret", [1, 300], 1, [], [], [], [], 5)
    file = tmp_path / "cast.json"
    cast.write(file)
    cast = Cast.read(file)
    assert cast.caller("session", 300) == (
        ("authorization", "Bearer secret-session-300"), ("x-forwarded-for", "10.0.1.44"),
    )  # fmt: skip
    assert said(None, "192.0.2.1") == (("x-forwarded-for", "192.0.2.1"),)
    strangers = {stranger(number)[0][1] for number in range(1_000)}
    assert len(strangers) == 100 and len({address.rpartition(".")[0] for address in strangers}) == 10
