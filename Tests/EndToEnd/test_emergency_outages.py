"""An emergency call survives what fails beside it: PostgreSQL, the server itself, a webhook (B-UC.4, B-3.7.2)."""

import os
import signal
import time

import psycopg
import pytest

from trackme.protocol import emergencies, notifications, sos

import cap
from accounts import Accounts
from cap_webhook import CapWebhook
from dispatchers import ACCEPTED, CALL, Handling
from http_counterpart import CLOSE_AFTER_TAKING
from outages import hung
from patients import HOLD_S, MILAN, SECOND_US, Patient, now_us, sos_environment
from server_process import SERVING, ServerProcess, wait_until
from sms_gateway import SmsGateway
from stalls import between
from streams import scalars

pytestmark = pytest.mark.strict

CALL_S = 5


@pytest.fixture
def gateway():
    with SmsGateway() as gateway:
        yield gateway


@pytest.fixture
def city(gateway):
    process = ServerProcess(sos_environment(gateway)).start()
    yield process
    process.remove()


@pytest.fixture
def people(city):
    accounts = Accounts(city)
    yield accounts
    accounts.close()


@pytest.fixture
def patient(people):
    patient = Patient(people)
    patient.measure(70, ago_s=30)
    yield patient
    patient.leave()


def recorded(server: ServerProcess, person: int) -> list[tuple]:
    """What PostgreSQL has; nothing while it ends or begins."""
    if server.postmaster_pid() is None:
        return []
    try:
        return server.sql("SELECT id::text, state FROM emergency WHERE person = %s", (person,))
    except (psycopg.OperationalError, TypeError):  # between the look for it and the connection it may have gone
        return []


def test_a_call_goes_out_while_postgresql_stands_still_and_is_recorded_afterwards(city, people, patient, gateway):
    with Handling(people.dispatcher()) as rescue:
        with hung(city):
            started = time.time()
            patient.cross()
            at, notice = rescue.notice(patient.number)
            assert between(started, at) < CALL_S
            rescue.answer(notice.emergency.emergency_id, ACCEPTED, "taken without a database")
            wait_until(lambda: {t.channel for t in gateway.taken} == {"sms", "voice"}, CALL_S, "SMS and voice")
        emergency = wait_until(lambda: patient.emergencies()[0:1], 30, "the record")[0]
        assert emergency.emergency_id == notice.emergency.emergency_id
        wait_until(lambda: "taken without" in str(patient.emergency().transitions), 30, "the acceptance in the record")


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGQUIT], ids=["killed", "shut down at once"])
def test_a_call_goes_out_while_postgresql_is_gone_and_is_recorded_when_it_is_back(city, people, patient, number):
    with Handling(people.dispatcher()) as rescue:
        os.kill(city.postmaster_pid(), number)
        patient.cross()
        emergency = rescue.accept(patient.number)
        wait_until(lambda: city.postmaster_pid() is not None and city.health() == SERVING, 30, "PostgreSQL")
        wait_until(lambda: recorded(city, patient.number), 30, "the record")
        assert [row[0] for row in recorded(city, patient.number)] == [emergency.emergency_id]


def test_a_hold_that_a_kill_interrupts_still_calls_once(city, people, patient):
    dispatcher = people.dispatcher()
    patient.measure(35)
    crossed = time.time()
    city.kill()
    patient.leave()
    city.start()
    with Handling(dispatcher) as rescue:
        at, notice = rescue.notice(patient.number)
        assert between(crossed, at) < HOLD_S + CALL_S, "nothing more was pushed: the state is of the log"
        rescue.answer(notice.emergency.emergency_id, ACCEPTED)
        assert rescue.kinds(patient, Patient(people)).count(CALL) == 1
    assert len(recorded(city, patient.number)) == 1


def test_a_call_that_nobody_had_accepted_goes_on_after_a_kill_as_the_same_incident(city, people, patient, gateway):
    dispatcher = people.dispatcher()
    with Handling(dispatcher) as rescue:
        patient.cross()
        before = rescue.call_for(patient.number)
        city.kill()
    patient.leave()
    city.start()
    back = time.time()
    with Handling(dispatcher) as rescue:
        at, notice = rescue.notice(patient.number)
        assert between(back, at) < CALL_S and notice.emergency.emergency_id == before.emergency_id
        rescue.answer(before.emergency_id, ACCEPTED)
    wait_until(lambda: {t.channel for t in gateway.taken} == {"sms", "voice"}, 30, "SMS and voice")
    assert len({(t.channel, t.key) for t in gateway.taken}) == len(gateway.taken) == 2, "each once, by its key"
    assert len(patient.emergencies()) == 1


def test_the_same_batch_again_after_a_kill_is_not_a_second_emergency(city, people, patient):
    dispatcher = people.dispatcher()
    now = now_us()
    batch = scalars(patient.number, [(now - HOLD_S * SECOND_US - 1, 35), (now, 35)])
    with Handling(dispatcher) as rescue:
        number = patient.send(batch)
        first = rescue.accept(patient.number)
        wait_until(lambda: recorded(city, patient.number), what="the record")
        city.kill()
    patient.leave()
    city.start()
    with Handling(dispatcher) as rescue:
        stream = patient.stream
        stream.batch(max(number, stream.welcome.last_sequence), batch)
        last = stream.welcome.last_sequence + 100
        stream.batch(last, batch)
        while stream.acknowledgement().sequence < last:
            pass
        assert rescue.kinds(patient, Patient(people)).count(CALL) <= 1
        told = [frame.emergency for _, frame in rescue.notices if frame.emergency.person_id == patient.number]
        assert {emergency.emergency_id for emergency in told} <= {first.emergency_id}
    assert len(patient.emergencies()) == 1


def test_what_was_cancelled_stays_cancelled_after_a_kill(city, people, patient):
    dispatcher = people.dispatcher()
    with Handling(dispatcher) as rescue:
        patient.cross()
        emergency = rescue.accept(patient.number)
        patient.member.ask("CancelEmergency", emergency_id=emergency.emergency_id)
        city.kill()
    patient.leave()
    city.start()
    with Handling(dispatcher) as rescue:
        patient.cross(34)
        assert rescue.kinds(patient, Patient(people)).count(CALL) == 0
    assert patient.emergency().state == emergencies.EMERGENCY_STATE_CANCELLED


def test_a_silence_of_hours_goes_on_after_a_kill(city, people):
    person = Patient(people)
    person.choose(silence=sos.SilenceSettings(notify_after_minutes=360))
    person.measure(72, ago_s=5 * 3600)
    city.kill()
    person.leave()
    city.start()
    # Of those five hours the server has known for some seconds only.
    person.choose(silence=sos.SilenceSettings(notify_after_minutes=240))
    wait_until(
        lambda: notifications.NOTIFICATION_KIND_SILENCE
        in [n.kind for n in person.member.ask("ListNotifications").notifications],
        what="the notice of silence",
    )


@pytest.fixture
def webhook():
    with CapWebhook() as webhook:
        yield webhook


@pytest.fixture
def hooked(gateway, webhook):
    """A server whose only dispatcher is the webhook."""
    process = ServerProcess(sos_environment(gateway, TRACKME_DISPATCH_WEBHOOKS=f"{webhook.url}/cap")).start()
    accounts = Accounts(process)
    yield accounts
    accounts.close()
    process.remove()


def test_a_webhook_gets_cap_messages_that_hold_to_the_standard_until_it_takes_one(hooked, webhook):
    webhook.script = [500, CLOSE_AFTER_TAKING]
    patient = Patient(hooked)
    patient.be_at(MILAN)
    started = time.time()
    patient.cross()
    wait_until(lambda: webhook.alerts, CALL_S + 5, "the alert")
    emergency = wait_until(
        lambda: next((e for e in patient.emergencies() if "webhook 1" in {t.actor for t in e.transitions}), None),
        what="the webhook's acceptance",
    )
    assert between(started, webhook.requests[0].at) < CALL_S
    assert not webhook.problems
    alert = webhook.alerts[0]
    assert len({a.get("identifier") for a in webhook.alerts}) == 1, "one incident, however often it was sent"
    assert (alert.get("status"), alert.get("msgType")) == ("Exercise", "Alert")
    assert emergency.emergency_id in alert.get("identifier") + alert.get("incidents")
    info = alert.first("info")
    assert (info.get("category"), info.get("urgency")) == ("Health", "Immediate")
    latitude, longitude, radius_km = cap.circle_of(info.first("area"))
    assert (latitude, longitude) == pytest.approx(MILAN, abs=1e-4) and 0 < radius_km < 1
    assert "35" in info.get("description") + info.get("headline")
    assert any("EXERCISE" in info.get(name) for name in ("headline", "description", "event"))

    patient.member.ask("CancelEmergency", emergency_id=emergency.emergency_id, reason="a false alarm")
    cancel = wait_until(
        lambda: next((a for a in webhook.alerts if a.get("msgType") == "Cancel"), None), 15, "the cancel"
    )
    assert cap.references_of(cancel)[0][1] == alert.get("identifier") and not webhook.problems
    patient.leave()


def test_a_webhook_is_the_next_candidate_behind_a_dispatcher_that_does_not_answer(hooked, webhook):
    patient = Patient(hooked)
    with Handling(hooked.dispatcher()) as silent:
        patient.cross()
        at, _ = silent.notice(patient.number)
        wait_until(lambda: webhook.alerts, CALL_S, "the webhook's turn")
        taken_over = webhook.requests[0].at
        assert taken_over - at > 1.8 and between(at, taken_over) < 3.5
    patient.leave()
