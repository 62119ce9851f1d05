"""Contacts are told of emergencies after they have agreed, without an account (A-R15, A-3.1.4)."""

import grpc
import pytest

from trackme.protocol import sos

from accounts import Accounts
from contact_codes import answer_from, code_for, codes_in, texts_to
from failures import fails
from patients import Patient
from server_process import ServerProcess, wait_until

pytestmark = pytest.mark.strict

NOT_FOUND, EXHAUSTED = grpc.StatusCode.NOT_FOUND, grpc.StatusCode.RESOURCE_EXHAUSTED
WAITING, ASKED = sos.CONTACT_STATE_WAITING, sos.CONTACT_STATE_ASKED
CONFIRMED, REFUSED = sos.CONTACT_STATE_CONFIRMED, sos.CONTACT_STATE_REFUSED
ANSWERS_A_MINUTE = 20


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


def test_who_is_asked_is_led_to_the_page_where_the_server_has_one():
    """A-3.1.4: the code stands behind "#" of the link, so that no server is sent it by a look at the page."""
    server = ServerProcess({"TRACKME_WEB_ORIGIN": "https://trackme.example"}).start()
    accounts = Accounts(server)
    try:
        patient = fainting(accounts)
        luisa = sos.EmergencyContact(name="Luisa", phone_number="+393471234567", email="luisa@example.org")
        patient.choose(contacts=[luisa])
        for address, rpc in ((luisa.phone_number, "ConfirmContact"), (luisa.email, "RefuseContact")):
            code = code_for(server, address)
            [text] = texts_to(server, address)
            assert f"https://trackme.example/contacts/confirm#{code}" in text.split()
            assert "ConfirmContact" not in text and text.count(code) == 1
            accounts.anonymous().ask(rpc, code=code)
        patient.leave()
    finally:
        accounts.close()
        server.remove()


def test_a_contact_is_told_after_agreeing_and_never_after_refusing(city, people, patient):
    luisa = sos.EmergencyContact(name="Luisa", phone_number=f"+39347{patient.number % 10**7:07}1")
    bruno = sos.EmergencyContact(name="Bruno", email=f"bruno-{patient.number}@example.org")
    patient.choose(contacts=[luisa, bruno])
    code = code_for(city, luisa.phone_number)
    refused = code_for(city, bruno.email)
    assert states(patient) == [ASKED, ASKED]

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

    patient.measure(20)
    patient.emergency()
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
