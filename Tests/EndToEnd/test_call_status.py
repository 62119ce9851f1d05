"""A call is taken when somebody took it: what the gateway says of an SMS and a voice call after it has queued them
(A-R15, B-R.S3/4, B-UC.4, B-3.7.1)."""

import time

import pytest

from trackme.protocol import emergencies, sos

from accounts import Accounts
from contact_codes import codes_in
from dispatchers import ACCEPTED, RESOLVED, Handling
from http_counterpart import CLOSE
from patients import Patient, Watch, sos_environment
from server_process import ServerProcess, wait_until
from sms_gateway import GONE, SmsGateway
from stalls import between

pytestmark = pytest.mark.strict

QUEUED, SENT, RINGING, DELIVERED, ANSWERED, BUSY, NO_ANSWER, FAILED, UNCONFIRMED = range(1, 10)
DISPATCHING = emergencies.EMERGENCY_STATE_DISPATCHING
STATE_ACCEPTED = emergencies.EMERGENCY_STATE_ACCEPTED
CALL_S = 5
"""From the completed crossing to the call at the gateway, at most."""
PATIENCE_S = 5
"""How long the server waits for more than "queued"."""
QUIET_S = 1.5


@pytest.fixture(scope="module")
def gateway():
    with SmsGateway() as gateway:
        yield gateway


@pytest.fixture(scope="module")
def city(gateway):
    process = ServerProcess(sos_environment(gateway, TRACKME_GATEWAY_PATIENCE_S=str(PATIENCE_S))).start()
    yield process
    process.remove()


@pytest.fixture(scope="module")
def people(city):
    accounts = Accounts(city)
    yield accounts
    accounts.close()


@pytest.fixture
def patient(people, gateway):
    gateway.taken.clear()
    gateway.looks.clear()
    patient = Patient(people)
    yield patient
    # Nobody is called for the patients of the other tests.
    with Handling(people.dispatcher()) as rescue:
        emergency = rescue.accept(patient.number)
        rescue.answer(emergency.emergency_id, RESOLVED)
        patient.emergency_in(emergencies.EMERGENCY_STATE_RESOLVED)
    patient.leave()


def told(patient: Patient, channel: str) -> list[int]:
    """What the person is told of a channel, step by step."""
    found = patient.emergencies()
    return [t.call_status for t in found[0].transitions if t.actor == channel] if found else []


def wait_for(patient: Patient, channel: str, statuses: list[int], seconds: float = 20) -> None:
    wait_until(lambda: told(patient, channel)[: len(statuses)] == statuses, seconds, f"{channel} to become {statuses}")


def test_queued_is_not_taken_and_every_step_is_told_until_it_is_delivered_and_answered(patient, gateway):
    gateway.upcoming = {"sms": [("queued",)], "voice": [("ringing",)]}
    watch = Watch(patient)
    started = time.time()
    patient.cross()
    wait_for(patient, "sms", [QUEUED])
    wait_for(patient, "voice", [QUEUED, RINGING])
    assert {t.channel for t in gateway.taken} == {"sms", "voice"}
    assert all(between(started, t.at) < CALL_S for t in gateway.taken), "placed within five seconds"
    assert patient.emergency().state == DISPATCHING, "nobody has taken it yet"

    sms, voice = gateway.of("sms")[0], gateway.of("voice")[0]
    gateway.become(sms.sid, "sent")
    wait_for(patient, "sms", [QUEUED, SENT])
    assert patient.emergency().state == DISPATCHING, "the carrier is nobody yet"
    gateway.become(sms.sid, "delivered")
    gateway.become(voice.sid, "in-progress")
    wait_for(patient, "sms", [QUEUED, SENT, DELIVERED])
    wait_for(patient, "voice", [QUEUED, RINGING, ANSWERED])
    emergency = patient.emergency()
    assert emergency.state == STATE_ACCEPTED
    assert [t.state for t in emergency.transitions if t.actor == "sms"][:2] == [DISPATCHING] * 2
    assert all(sms.sid in t.note for t in emergency.transitions if t.actor == "sms")
    seen = watch.until(STATE_ACCEPTED)
    assert {QUEUED} <= {t.call_status for frame in seen for t in frame.transitions}, "as it happens"
    watch.cancel()
    asked = len(gateway.looks)
    time.sleep(QUIET_S)
    assert len(gateway.looks) == asked and len(gateway.taken) == 2, "what was taken is not asked about any more"


@pytest.mark.long
def test_what_is_busy_or_fails_is_called_again_until_somebody_has_it(patient, gateway):
    gateway.upcoming = {
        "sms": [("undelivered",), ("failed",)],
        "voice": [("ringing", "busy"), ("no-answer",), ("completed:0",)],
    }
    patient.cross()
    wait_for(patient, "sms", [QUEUED, FAILED, QUEUED, FAILED, QUEUED, DELIVERED], 30)
    wait_for(patient, "voice", [QUEUED, RINGING, BUSY, QUEUED, NO_ANSWER, QUEUED, FAILED, QUEUED, ANSWERED], 40)
    emergency = patient.emergency().emergency_id
    keys = [t.key for t in gateway.of("voice")]
    assert keys == [f"{emergency}/voice", *(f"{emergency}/voice/{n}" for n in (2, 3, 4))], "each attempt has a key of its own"
    notes = [t.note for t in patient.emergency().transitions if t.call_status == BUSY]
    assert len(notes) == 1 and "busy" in notes[0]


@pytest.mark.long
def test_a_gateway_that_never_says_more_than_queued_is_called_again_and_nobody_counts_as_told(patient, gateway):
    gateway.upcoming = {"sms": [("queued",)], "voice": [("queued",), ("queued",), ("queued",)]}
    patient.cross()
    wait_for(patient, "sms", [QUEUED, UNCONFIRMED, QUEUED, DELIVERED], 4 * PATIENCE_S)
    wait_for(patient, "voice", [QUEUED, UNCONFIRMED, QUEUED], 4 * PATIENCE_S)
    first, second = gateway.of("voice")[:2]
    assert second.at - first.at > PATIENCE_S - 1 and between(first.at, second.at) < PATIENCE_S + 5
    assert ANSWERED not in told(patient, "voice")
    assert len([r for r in gateway.looks if first.sid in r.path]) < 2 * PATIENCE_S, "it is not pestered"


@pytest.mark.long
def test_a_message_that_the_gateway_does_not_know_is_sent_again(patient, gateway):
    gateway.upcoming = {"sms": [(GONE,)], "voice": [(GONE,)]}
    patient.cross()
    wait_for(patient, "sms", [QUEUED, UNCONFIRMED, QUEUED, DELIVERED])
    wait_for(patient, "voice", [QUEUED, UNCONFIRMED, QUEUED, ANSWERED])
    assert len(gateway.of("sms")) == 2
    asked = [r for r in gateway.looks if gateway.of("sms")[0].sid in r.path]
    assert len(asked) == 2, "it is believed the second time, and not waited for"


@pytest.mark.parametrize("outcome", [CLOSE, pytest.param(500, marks=pytest.mark.long)])
def test_a_gateway_that_dies_after_it_has_queued_is_asked_on_and_gets_no_second_message(patient, gateway, outcome):
    gateway.look_outcome = outcome
    patient.cross()
    wait_for(patient, "sms", [QUEUED])
    wait_until(lambda: len(gateway.looks) >= 2, CALL_S, "questions in vain")
    gateway.look_outcome = None
    wait_for(patient, "sms", [QUEUED, DELIVERED])
    wait_for(patient, "voice", [QUEUED, ANSWERED])
    assert [t.channel for t in gateway.taken].count("sms") == 1


@pytest.mark.long
def test_what_was_delivered_while_the_server_was_dead_is_not_sent_again(city, people, patient, gateway):
    gateway.upcoming = {"sms": [("queued",)], "voice": [("queued",)]}
    patient.cross()
    wait_for(patient, "sms", [QUEUED])
    wait_for(patient, "voice", [QUEUED])
    city.kill()
    patient.leave()
    gateway.become(gateway.of("sms")[0].sid, "delivered")
    gateway.become(gateway.of("voice")[0].sid, "busy")
    city.start()
    wait_for(patient, "sms", [QUEUED, DELIVERED])
    wait_for(patient, "voice", [QUEUED, BUSY, QUEUED, ANSWERED])
    assert len(gateway.of("sms")) == 1 and len(gateway.of("voice")) == 2


def test_a_contacts_sms_is_followed_as_well(people, patient, gateway):
    number = "+393331234568"
    patient.choose(contacts=[sos.EmergencyContact(name="Luisa Rossi", phone_number=number)])
    [question] = wait_until(lambda: gateway.of("sms", number), what="the question")
    people.anonymous().ask("ConfirmContact", code=codes_in([question.text])[0])
    gateway.upcoming = {"sms": [("undelivered",), ("undelivered",)], "voice": []}
    patient.cross()
    wait_for(patient, "sms", [QUEUED, FAILED, QUEUED, DELIVERED])
    wait_for(patient, "contact 0 sms", [QUEUED, FAILED, QUEUED, DELIVERED])
