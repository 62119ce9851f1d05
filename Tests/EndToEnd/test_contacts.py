"""Contacts are told of emergencies after they have agreed, without an account; and one person's many emergencies do not
stand in the way of others (A-R15, A-3.1.4)."""

import grpc
import pytest

from trackme.protocol import emergencies, sos

from accounts import Accounts
from contact_codes import answer_from, code_for, codes_in, texts_to
from dispatchers import Handling
from failures import fails
from patients import Patient
from server_process import ServerProcess, wait_until

NOT_FOUND, EXHAUSTED = grpc.StatusCode.NOT_FOUND, grpc.StatusCode.RESOURCE_EXHAUSTED
WAITING, ASKED = sos.CONTACT_STATE_WAITING, sos.CONTACT_STATE_ASKED
CONFIRMED, REFUSED = sos.CONTACT_STATE_CONFIRMED, sos.CONTACT_STATE_REFUSED
ANSWERS_A_MINUTE = 20
BUDGET = 3


@pytest.fixture(scope="module")
def city():
    """A server behind a proxy."""
    process = ServerProcess({"TRACKME_HEARTBEAT_MS": "200", "TRACKME_TRUSTED_PROXIES": "127.0.0.1"}).start()
    yield process
    process.remove()


@pytest.fixture(scope="module")
def people(city):
    accounts = Accounts(city)
    yield accounts
    accounts.close()


@pytest.fixture
def patient(people):
    patient = fainting(people)
    yield patient
    patient.leave()


def fainting(people: Accounts) -> Patient:
    """Somebody for whom one reading calls."""
    patient = Patient(people)
    patient.member.ask("SetThreshold", threshold=sos.Threshold(metric="heart_rate", rest=sos.Limits(low=40)))
    return patient


def states(patient: Patient) -> list[int]:
    contacts = patient.member.ask("GetSosSettings").settings.contacts
    return [state for c in contacts for state in (c.phone_state, c.email_state) if state]


def cancelled_emergency(patient: Patient) -> emergencies.Emergency:
    """One that the person cancels, and a fine pulse after it."""
    known = {e.emergency_id for e in patient.emergencies()}
    patient.measure(20)
    found = wait_until(lambda: [e for e in patient.emergencies() if e.emergency_id not in known], 15, "an emergency")
    patient.member.ask("CancelEmergency", emergency_id=found[0].emergency_id)
    patient.measure(72)
    return found[0]


def test_a_contact_is_told_after_agreeing_and_never_after_refusing(city, people, patient):
    luisa = sos.EmergencyContact(name="Luisa", phone_number=f"+39347{patient.number % 10**7:07}1")
    bruno = sos.EmergencyContact(name="Bruno", email=f"bruno-{patient.number}@example.org")
    patient.choose(contacts=[luisa, bruno])
    code = code_for(city, luisa.phone_number)
    refused = code_for(city, bruno.email)
    assert states(patient) == [ASKED, ASKED]

    # Who has not agreed is told nothing.
    cancelled_emergency(patient)
    stranger = people.anonymous()
    with fails(NOT_FOUND) as failure:
        stranger.ask("ConfirmContact", code="0" * 32)
    assert failure.reason == "NO_CONTACT_CODE"
    name = stranger.ask("ConfirmContact", code=code).person_name
    assert patient.member.who.family_name in name
    stranger.ask("RefuseContact", code=refused)
    assert states(patient) == [CONFIRMED, REFUSED]

    # An SMS of an exercise goes to nobody's number; its text names the contact.
    def told() -> list[str]:
        return [text for text in texts_to(city, "nobody: an exercise") if "Luisa, TrackMe has detected" in text]

    assert not told()
    cancelled_emergency(patient)
    wait_until(told, what="the contact's SMS")
    patient.choose(contacts=[bruno])
    patient.choose(contacts=[luisa, bruno])
    assert states(patient) == [WAITING, REFUSED], "named again is asked again, but not after a refusal"
    assert len(codes_in(texts_to(city, bruno.email))) == len(texts_to(city, bruno.email)) == 1


def test_whoever_is_named_by_many_is_asked_once_a_day(city, people):
    victim = sos.EmergencyContact(name="Vito", phone_number="+393470000042", email="Vito@example.org")
    namers = [people.person() for _ in range(3)]
    for namer in namers:
        held = namer.ask("GetSosSettings")
        held.settings.contacts.append(victim)
        namer.ask("UpdateSosSettings", settings=held.settings, etag=held.etag)
    code_for(city, victim.phone_number)
    code_for(city, victim.email)

    def turns_left():
        [[count]] = city.sql("SELECT count(*) FROM sos_contact_address WHERE ask_at <= now()")
        return count

    wait_until(lambda: turns_left() == 0, what="the turns of all questions")
    assert len(texts_to(city, victim.phone_number)) == 1 and len(texts_to(city, victim.email)) == 1


def test_answers_are_limited_by_address(people):
    stranger = people.anonymous()
    for _ in range(ANSWERS_A_MINUTE):
        with fails(NOT_FOUND):
            answer_from(stranger, "198.51.100.7", "0" * 32)
    for rpc in ("ConfirmContact", "RefuseContact"):
        with fails(EXHAUSTED) as failure:
            answer_from(stranger, "198.51.100.7", "0" * 32, rpc)
        assert failure.reason == "TOO_MANY_CONTACT_ANSWERS"
    with fails(NOT_FOUND):
        answer_from(stranger, "198.51.100.8", "0" * 32)


def test_a_repeated_caller_is_shown_to_dispatchers_and_called_by_nobody_else(city, people, patient):
    folder = city.data_dir / "data" / "gateway"

    def sent(emergency: emergencies.Emergency) -> list[str]:
        return sorted(f.stem.removeprefix(f"{emergency.emergency_id}.") for f in folder.glob(f"{emergency.emergency_id}.*"))

    with Handling(people.dispatcher()) as rescue:
        called = []
        for number in range(BUDGET + 1):
            patient.measure(20)
            call = rescue.notice(patient.number, after=len(rescue.notices))[1].emergency
            assert call.earlier == number
            called.append(call)
            if number < BUDGET:
                wait_until(lambda: {"sms", "voice"} <= set(sent(called[-1])), what="SMS and voice call")
            patient.member.ask("CancelEmergency", emergency_id=call.emergency_id)
            patient.measure(72)
        other = fainting(people)
        other.measure(20)
        first = rescue.call_for(other.number)
        wait_until(lambda: {"sms", "voice"} <= set(sent(first)), what="the other person's SMS and voice call")
        other.leave()
    assert sent(called[-1]) == []
    kept = wait_until(lambda: len(found := patient.emergencies()) > BUDGET and found, what="all emergencies")
    assert any("repeated caller: 3" in t.note for t in kept[0].transitions)
