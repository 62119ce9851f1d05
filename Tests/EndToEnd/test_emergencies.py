"""From a reading to an ambulance, over the wire: devices push, dispatchers take calls, gateways take SMS and voice
(A-R13 to A-R15, B-R.S1 to S4, B-R.P1/2, B-UC.4, B-3.7.1/2)."""

import time
from datetime import date, datetime, timedelta, timezone

import grpc
import pytest

from trackme.protocol import emergencies, ingest, notifications, sos

from accounts import Accounts, on_one_day
from dispatchers import (
    ACCEPTED,
    CALL,
    CANCEL,
    EN_ROUTE,
    FALSE_ALARM,
    REFUSED,
    RESOLVED,
    TAKEN,
    UPDATE,
    Handling,
)
from failures import fails
from http_counterpart import CLOSE, CLOSE_AFTER_TAKING, HANG
from patients import (
    BORN,
    CALLBACK,
    EXERCISE_NUMBER,
    HOLD_S,
    MILAN,
    NEW_YORK,
    SECOND_US,
    Patient,
    Watch,
    now_us,
    sos_environment,
)
from server_process import ServerProcess, wait_until
from sms_gateway import SmsGateway
from stalls import between
from streams import PATIENCE_S, scalars

pytestmark = pytest.mark.strict

STATE_ACCEPTED = emergencies.EMERGENCY_STATE_ACCEPTED
STATE_EN_ROUTE = emergencies.EMERGENCY_STATE_EN_ROUTE
STATE_RESOLVED = emergencies.EMERGENCY_STATE_RESOLVED
STATE_CANCELLED = emergencies.EMERGENCY_STATE_CANCELLED
EXERCISE, ACTUAL = emergencies.DISPATCH_STATUS_EXERCISE, emergencies.DISPATCH_STATUS_ACTUAL
CALL_S = 5
"""From the completed crossing to the call, at most."""


@pytest.fixture(scope="module")
def gateway():
    with SmsGateway() as gateway:
        yield gateway


@pytest.fixture(scope="module")
def city(gateway):
    """The server of this file."""
    process = ServerProcess(sos_environment(gateway)).start()
    yield process
    process.remove()


@pytest.fixture(scope="module")
def people(city):
    accounts = Accounts(city)
    yield accounts
    accounts.close()


@pytest.fixture(scope="module", autouse=True)
def silent(people):
    """Persons whose heart rate ends here; the last test sees what came of it."""
    persons = {name: Patient(people) for name in ("told", "called for", "taken off")}
    for name, person in persons.items():
        minutes = 1 if name == "called for" else 0
        person.choose(silence=sos.SilenceSettings(notify_after_minutes=1, call_after_minutes=minutes))
        person.measure(72)
    persons["taken off"].report(ingest.WEAR_STATE_NOT_WORN)
    yield time.monotonic(), persons
    for person in persons.values():
        person.leave()


@pytest.fixture
def patient(people):
    patient = Patient(people)
    yield patient
    patient.leave()


@pytest.fixture
def rescue(people):
    """A dispatcher who has a stream open."""
    with Handling(people.dispatcher()) as handling:
        yield handling


@pytest.fixture
def own(tmp_path):
    """Makes servers of the test's own: gateway, server, accounts."""
    opened = []

    def make(gateway: SmsGateway | None = None, **environment):
        gateway = gateway or SmsGateway()
        server = ServerProcess(sos_environment(gateway, **environment)).start()
        accounts = Accounts(server)
        opened.append((gateway, server, accounts))
        return gateway, server, accounts

    yield make
    for gateway, server, accounts in opened:
        accounts.close()
        server.remove()
        gateway.close()


def years_before(day: date, years: int) -> date:
    try:
        return day.replace(year=day.year - years)
    except ValueError:
        return day.replace(year=day.year - years, day=28)


def actors(emergency: emergencies.Emergency) -> list[str]:
    return [t.actor for t in emergency.transitions]


# A-R13, A-R14: who is monitored


def test_it_is_on_from_registration_at_60_and_off_a_day_younger(people):
    def enabled(day: date) -> list[bool]:
        sixty = years_before(day, 60)
        persons = [people.person(born) for born in (sixty, sixty + timedelta(days=1))]
        return [person.ask("GetSosSettings").settings.enabled for person in persons]

    assert on_one_day(enabled) == [True, False]


def test_nobody_is_called_for_a_person_who_has_it_off_until_it_is_turned_on(people, rescue):
    patient = Patient(people, born=date(1985, 3, 4))
    patient.cross()
    assert rescue.kinds(patient, Patient(people)) == []
    patient.choose(enabled=True)
    patient.cross()
    rescue.accept(patient.number)
    patient.choose(enabled=False)
    assert len(patient.emergencies()) <= 1
    patient.leave()


def test_turned_off_means_no_call_from_the_next_reading_on(people, rescue):
    patient = Patient(people)
    patient.choose(enabled=False)
    patient.cross()
    assert rescue.kinds(patient, Patient(people)) == []
    assert patient.emergencies() == []
    patient.leave()


# A-R15, B-R.S3/4, B-R.P2: the call


def test_three_seconds_beyond_a_limit_call_a_dispatcher_within_five_with_all_that_is_known(patient, rescue, gateway):
    patient.choose(callback_number=CALLBACK)
    patient.be_at(MILAN)
    patient.measure(97, "blood_oxygen")
    patient.measure(121, "systolic_blood_pressure")
    patient.measure(71)
    began = now_us()
    first = time.time()
    for _ in range(HOLD_S + 1):
        patient.send(scalars(patient.number, [(now_us(), 35)]))
        time.sleep(1)
    at, notice = rescue.notice(patient.number)
    emergency = notice.emergency
    rescue.answer(emergency.emergency_id, ACCEPTED, "incident 12")
    assert between(first, at) < CALL_S, "of the first crossing: the default hold is inside"

    assert emergency.status == EXERCISE, "of a new installation"
    [crossing] = emergency.crossings
    assert (crossing.kind, crossing.metric) == (emergencies.CROSSING_KIND_LOW, "heart_rate")
    assert (crossing.limit, crossing.value, crossing.hold_ms) == (41, 35, HOLD_S * 1000)
    assert crossing.rule_version == "news2-2017.2" and not crossing.during_exertion
    assert began <= crossing.began_us <= began + SECOND_US
    assert crossing.readings[0].time_us == crossing.began_us
    completed, detected = crossing.completed_us / SECOND_US, emergency.detected_us / SECOND_US
    assert completed <= detected and between(completed, detected) < 0.1, "decided in under 0.1 s (B-R.P1)"
    assert between(completed, at) < CALL_S
    vitals = {v.metric: (v.value, v.unit) for v in emergency.recent_vitals}
    assert vitals["blood_oxygen"] == (97, "%") and vitals["systolic_blood_pressure"] == (121, "mm[Hg]")
    assert vitals["heart_rate"] == (35, "/min")
    position = emergency.position
    assert (position.latitude, position.longitude, position.accuracy_m) == pytest.approx((*MILAN, 12), abs=1e-6)
    assert 0 < now_us() - position.time_us < 60 * SECOND_US
    assert (emergency.emergency_number, emergency.country) == ("112", "IT")
    assert emergency.callback_number == CALLBACK
    day = datetime.fromtimestamp(crossing.completed_us / SECOND_US, timezone.utc)
    assert emergency.age == day.year - BORN.year - ((day.month, day.day) < (BORN.month, BORN.day))
    assert emergency.sex == ("female" if patient.member.who.is_female else "male")
    for text in (notice.text, wait_for(gateway, "sms", emergency).text, wait_for(gateway, "voice", emergency).text):
        assert text.startswith("EXERCISE"), text
        assert "35" in text and str(emergency.age) in text, text
    for text in (notice.text, wait_for(gateway, "sms", emergency).text):
        assert "45.46" in text and "9.19" in text and "97" in text, text
        assert CALLBACK in text and emergency.sex in text, text


def wait_for(gateway, channel: str, emergency, seconds: float = CALL_S):
    """The SMS or voice call for an emergency. Its key names the emergency, whatever else is in it."""
    return wait_until(
        lambda: next((t for t in gateway.of(channel) if emergency.emergency_id in t.key), None), seconds, channel
    )


def test_a_clock_that_was_minutes_ahead_and_is_put_right_hides_nothing(patient, rescue):
    """B-R.S2: what the device said of the future is no evidence about the present."""
    now = now_us()
    patient.push(scalars(patient.number, [(now + second * SECOND_US, 70) for second in range(-60, 240)]))
    first = time.time()
    for _ in range(HOLD_S + 1):
        patient.send(scalars(patient.number, [(now_us(), 195)]))
        time.sleep(1)
    at, notice = rescue.notice(patient.number)
    rescue.answer(notice.emergency.emergency_id, ACCEPTED)
    assert between(first, at) < CALL_S
    assert notice.emergency.crossings[0].value == 195


def test_sms_and_voice_go_out_at_the_same_time_as_the_call_to_a_dispatcher(patient, rescue, gateway):
    """B-3.7.1: two channels of different technology."""
    patient.cross()
    at, notice = rescue.notice(patient.number)
    for channel in ("sms", "voice"):
        taken = wait_for(gateway, channel, notice.emergency)
        assert taken.to == EXERCISE_NUMBER and between(at, taken.at) < 2
    rescue.answer(notice.emergency.emergency_id, ACCEPTED)
    whole = wait_until(
        lambda: next((e for e in patient.emergencies() if {"sms", "voice", "dispatcher"} <= {a.split()[0] for a in actors(e)}), None),
        what="acceptances",
    )
    times = [t.at_us for t in whole.transitions]
    assert times == sorted(set(times)), "every transition has a time of its own"
    assert whole.transitions[0].actor == "evaluator"


def test_an_exercise_never_calls_an_emergency_number_and_an_administrator_turns_it_into_earnest(people, gateway):
    administrator = people.administrator
    assert administrator.ask("GetDispatchStatus").status == EXERCISE
    patients = {"112": Patient(people), "911": Patient(people)}
    try:
        with Handling(people.dispatcher()) as rescue:
            assert administrator.ask("SetDispatchStatus", status=ACTUAL, reason="a test").status == ACTUAL
            for place, (number, patient) in zip((MILAN, NEW_YORK), patients.items()):
                patient.be_at(place)
                patient.cross()
                emergency = rescue.accept(patient.number)
                assert (emergency.status, emergency.emergency_number) == (ACTUAL, number)
                for channel in ("sms", "voice"):
                    taken = wait_for(gateway, channel, emergency)
                    assert taken.to == number and "EXERCISE" not in taken.text
                patient.leave()
    finally:
        administrator.ask("SetDispatchStatus", status=EXERCISE, reason="the test is over")
    called = {t.key: t.to for t in gateway.taken if t.to in ("112", "911")}
    assert len(called) == 4, "nothing else called an emergency number"


# B-UC.4: whatever fails


@pytest.mark.long
def test_a_gateway_that_fails_is_asked_again_with_the_same_key_until_it_takes_the_call(own, request):
    gateway, _, accounts = own()
    patient = Patient(accounts)
    gateway.outcome = 500
    with Handling(accounts.dispatcher()) as rescue:
        patient.cross()
        emergency = rescue.accept(patient.number)
        wait_until(lambda: len(gateway.requests) >= 4, what="the first attempts")
        gateway.script = [429, CLOSE, CLOSE_AFTER_TAKING, 503, CLOSE, HANG]
        gateway.outcome = None
        for channel, path in (("sms", "Messages"), ("voice", "Calls")):
            assert wait_for(gateway, channel, emergency, 60)
            keys = {r.key for r in gateway.requests if path in r.path}
            assert len(keys) == 1 and len(gateway.of(channel)) == 1, "one call, however often it was tried"
        wait_until(lambda: {"sms", "voice"} <= set(actors(patient.emergency())), 60, "both accepted")
        assert not gateway.refusals
    patient.leave()


def test_a_fourth_emergency_in_ten_minutes_waits_behind_the_first_of_others_and_keeps_none_of_them_waiting(
    people, patient, gateway
):
    other = Patient(people)

    def placed(emergency) -> set[str]:
        return {c for c in ("sms", "voice") if any(emergency.emergency_id in t.key for t in gateway.of(c))}

    with Handling(people.dispatcher()) as first:
        for metric, value, fine in (
            ("heart_rate", 35, 70), ("blood_oxygen", 85, 97), ("systolic_blood_pressure", 80, 120),
        ):  # fmt: skip
            heard = len(first.notices)
            patient.cross(value, metric)
            emergency = first.notice(patient.number, after=heard)[1].emergency
            for channel in ("sms", "voice"):
                wait_for(gateway, channel, emergency)
            patient.member.ask("CancelEmergency", emergency_id=emergency.emergency_id, reason="again")
            patient.send(scalars(patient.number, [(now_us(), fine)], metric))
        heard = len(first.notices)
        patient.cross(30, "respiratory_rate")
        notice = first.notice(patient.number, after=heard)[1]
        fourth = notice.emergency
        assert any("repeated caller: 3 " in t.note for t in fourth.transitions)
        assert len(patient.emergencies()) == 4

        other.cross()
        emergency = first.call_for(other.number)
        for channel in ("sms", "voice"):
            wait_for(gateway, channel, emergency)
        assert placed(fourth) == set(), "it was detected before, and waits for a dispatcher"
        with Handling(people.dispatcher()) as second:
            for person in (patient, other):
                second.call_for(person.number)
            called = [n.emergency.person_id for _, n in second.notices if n.kind == CALL]
            assert called.index(other.number) < called.index(patient.number), "first calls are told first"
        assert placed(fourth) == set()
    # Nobody is left who could take it.
    for channel in ("sms", "voice"):
        wait_for(gateway, channel, fourth)
    for person, emergency in ((patient, fourth), (other, emergency)):
        person.member.ask("CancelEmergency", emergency_id=emergency.emergency_id)
    other.leave()


def test_with_no_dispatcher_connected_the_first_one_that_connects_is_called_at_once(people, patient):
    patient.cross()
    emergency = patient.emergency()
    time.sleep(1)
    connected = time.time()
    with Handling(people.dispatcher()) as rescue:
        at, notice = rescue.notice(patient.number)
        assert notice.emergency.emergency_id == emergency.emergency_id and between(connected, at) < 2
        rescue.answer(emergency.emergency_id, ACCEPTED)
        wait_until(lambda: any(a.startswith("dispatcher ") for a in actors(patient.emergency())), what="its acceptance")


def test_a_second_dispatcher_is_called_when_the_first_has_not_answered_in_two_seconds(people, patient):
    first, second = people.dispatcher(priority=0), people.dispatcher(priority=1)
    with Handling(second) as takes_over, Handling(first) as silent:
        patient.cross()
        at, notice = silent.notice(patient.number)
        later, again = takes_over.notice(patient.number)
        assert again.emergency.emergency_id == notice.emergency.emergency_id
        assert later - at > 1.8 and between(at, later) < 3.5
        takes_over.answer(notice.emergency.emergency_id, ACCEPTED)
        assert silent.notice(patient.number, TAKEN)
        # The first one's word comes too late and changes nothing.
        silent.answer(notice.emergency.emergency_id, ACCEPTED)
        takes_over.answer(notice.emergency.emergency_id, RESOLVED)
        accepted = [t.actor for t in patient.emergency_in(STATE_RESOLVED).transitions if t.state == STATE_ACCEPTED]
        assert [a for a in accepted if a.startswith("dispatcher")] == [f"dispatcher {second.dispatcher_id}"]


@pytest.mark.parametrize("goes", ["refuses", "goes away"])
def test_another_dispatcher_is_called_at_once_when_the_first(people, patient, goes):
    with Handling(people.dispatcher(priority=1)) as other, Handling(people.dispatcher(priority=0)) as first:
        patient.cross()
        emergency = first.call_for(patient.number)
        at = time.time()
        if goes == "refuses":
            first.answer(emergency.emergency_id, REFUSED, "not our district")
        else:
            first.cancel()
        later, _ = other.notice(patient.number)
        assert between(at, later) < 1.5
        other.answer(emergency.emergency_id, ACCEPTED)
        if goes == "refuses":
            wait_until(lambda: any("district" in t.note for t in patient.emergency().transitions), what="the note")


def test_a_call_that_was_accepted_comes_again_after_a_reconnection_and_is_the_same_incident(people, patient):
    dispatcher = people.dispatcher()
    with Handling(dispatcher) as rescue:
        patient.cross()
        emergency = rescue.accept(patient.number)
        wait_until(lambda: any(a.startswith("dispatcher") for a in actors(patient.emergency())), what="acceptance")
    with Handling(dispatcher) as rescue:
        assert rescue.call_for(patient.number).emergency_id == emergency.emergency_id
        rescue.answer(emergency.emergency_id, ACCEPTED)
        rescue.answer(emergency.emergency_id, RESOLVED)
        patient.emergency_in(STATE_RESOLVED)
    with Handling(dispatcher) as rescue:
        assert rescue.kinds(patient, Patient(people)) == []


# One emergency an episode


def test_a_value_that_swings_about_a_limit_is_one_emergency(people, patient, rescue):
    start = now_us() - 60 * SECOND_US
    for swing in range(5):
        at = start + swing * 10 * SECOND_US
        beyond = [(at + i * SECOND_US, 40.5 - 0.1 * i) for i in range(5)]
        patient.push(scalars(patient.number, [*beyond, (at + 6 * SECOND_US, 41.2), (at + 8 * SECOND_US, 41.9)]))
    rescue.accept(patient.number)
    assert rescue.kinds(patient, Patient(people)).count(CALL) == 1
    assert len(patient.emergency().crossings) == 1


def test_a_further_crossing_joins_the_emergency_and_the_dispatcher_hears_of_it(patient, rescue):
    patient.cross()
    emergency = rescue.accept(patient.number)
    patient.cross(80, "blood_oxygen")
    news = rescue.notice(patient.number, UPDATE)[1].emergency
    assert news.emergency_id == emergency.emergency_id
    assert [c.metric for c in news.crossings] == ["heart_rate", "blood_oxygen"]
    assert len(patient.emergencies()) == 1


def test_readings_that_come_five_minutes_late_never_call(people, patient, rescue):
    old = now_us() - 400 * SECOND_US
    patient.push(scalars(patient.number, [(old + i * SECOND_US, 30) for i in range(10)]))
    assert rescue.kinds(patient, Patient(people)) == []
    assert patient.emergencies() == []


def test_a_reading_beyond_that_nothing_follows_calls_when_the_hold_is_over(patient, rescue):
    patient.measure(35)
    at, notice = rescue.notice(patient.number)
    crossing = notice.emergency.crossings[0]
    assert HOLD_S * SECOND_US <= crossing.completed_us - crossing.began_us < (HOLD_S + 1) * SECOND_US
    rescue.answer(notice.emergency.emergency_id, ACCEPTED)


# The person's side


def test_a_watch_sees_every_transition_and_resumes_after_its_cursor(patient, rescue):
    watch = Watch(patient)
    patient.cross()
    emergency = rescue.accept(patient.number)
    frames = watch.until(STATE_ACCEPTED)
    middle = watch.cursor
    rescue.answer(emergency.emergency_id, EN_ROUTE)
    rescue.answer(emergency.emergency_id, RESOLVED)
    # Transitions that follow each other closely may share a frame; none is left out, none comes twice. What a channel
    # answers may come after the end.
    rest = watch.until(STATE_RESOLVED)
    while brought_by([*frames, *rest]) != states_of(patient.emergency_in(STATE_RESOLVED)):
        rest.append(watch.next())
    watch.cancel()
    everything = states_of(patient.emergency_in(STATE_RESOLVED))
    states = [state for state, _, _ in everything]
    assert states[0] == emergencies.EMERGENCY_STATE_DETECTED and states == sorted(states)
    seen = len(states_of(frames[-1]))

    again = Watch(patient, middle)
    resumed = again.until(STATE_RESOLVED)
    while len(states_of(resumed[-1])) < len(everything):
        resumed.append(again.next())
    assert brought_by(resumed, seen) == everything[seen:]
    again.cancel()


def brought_by(frames, seen: int = 0) -> list[tuple[int, int, str]]:
    """The transitions that each frame adds to those before it, at least one."""
    brought = []
    for frame in frames:
        steps = states_of(frame)
        assert len(steps) > seen, "a frame without news"
        brought += steps[seen:]
        seen = len(steps)
    return brought


def states_of(emergency) -> list[tuple[int, int, str]]:
    return [(t.state, t.at_us, t.actor) for t in emergency.transitions]


def test_a_person_cancels_a_false_alarm_and_the_dispatcher_is_told(people, patient, rescue):
    patient.cross()
    emergency = rescue.accept(patient.number)
    cancelled = patient.member.ask("CancelEmergency", emergency_id=emergency.emergency_id, reason="I dropped the watch")
    assert cancelled.emergency.state == STATE_CANCELLED
    notice = rescue.notice(patient.number, CANCEL)[1]
    assert notice.emergency.emergency_id == emergency.emergency_id
    assert any("dropped" in t.note for t in notice.emergency.transitions)
    again = patient.member.ask("CancelEmergency", emergency_id=emergency.emergency_id)
    assert actors(again.emergency).count("person") == 1, "changes nothing"
    # What was a false alarm does not call again while it lasts.
    patient.cross(34)
    assert rescue.kinds(patient, Patient(people)).count(CALL) == 1
    kinds = wait_until(
        lambda: (k := [n.kind for n in patient.member.ask("ListNotifications").notifications])
        and notifications.NOTIFICATION_KIND_EMERGENCY_OVER in k and k,
        what="the notifications",
    )  # fmt: skip
    assert notifications.NOTIFICATION_KIND_EMERGENCY in kinds


@pytest.mark.parametrize(("kind", "state"), [(RESOLVED, STATE_RESOLVED), (FALSE_ALARM, STATE_CANCELLED)])
def test_what_is_over_is_not_cancelled(patient, rescue, kind, state):
    patient.cross()
    emergency = rescue.accept(patient.number)
    rescue.answer(emergency.emergency_id, kind)
    patient.emergency_in(state)
    if state == STATE_RESOLVED:
        with fails(grpc.StatusCode.FAILED_PRECONDITION):
            patient.member.ask("CancelEmergency", emergency_id=emergency.emergency_id)


def test_nobody_else_sees_or_cancels_an_emergency(people, patient, rescue):
    patient.cross()
    emergency = rescue.accept(patient.number)
    stranger = people.person()
    for rpc in ("GetEmergency", "CancelEmergency"):
        with fails(grpc.StatusCode.NOT_FOUND):
            stranger.ask(rpc, emergency_id=emergency.emergency_id)
    assert not stranger.ask("ListEmergencies").emergencies


# Silence; the persons were silent since this file began


@pytest.mark.long
def test_silence_is_told_and_calls_only_if_that_was_chosen(silent, people):
    began, persons = silent

    def kinds(name):
        return [n.kind for n in persons[name].member.ask("ListNotifications").notifications]

    with Handling(people.dispatcher()) as rescue:
        emergency = rescue.accept(persons["called for"].number, max(PATIENCE_S, 130 - (time.monotonic() - began)))
        assert emergency.crossings[0].kind == emergencies.CROSSING_KIND_SILENCE
        assert emergency.crossings[0].silence_cause == emergencies.SILENCE_CAUSE_UNKNOWN
        called = {frame.emergency.person_id for _, frame in rescue.notices}
    for name in ("told", "called for"):
        wait_until(lambda: notifications.NOTIFICATION_KIND_SILENCE in kinds(name), what="the notice of silence")
    assert notifications.NOTIFICATION_KIND_SILENCE not in kinds("taken off")
    assert not called & {persons["told"].number, persons["taken off"].number}
    for name in ("told", "taken off"):
        assert persons[name].emergencies() == []
