"""Who was not connected before raises the alarm too while PostgreSQL is of no use (A-R15, B-R.S2): readings are judged
when they come; their storage is asked for later."""

from __future__ import annotations

import time
from dataclasses import dataclass, field

import grpc
import pytest

from trackme.protocol import IngestServiceStub, ingest

from accounts import Accounts, Party
from dispatchers import ACCEPTED, CALL, Handling
from outages import OUTAGES, hung, slow
from patients import HOLD_S, SECOND_US, Patient, now_us, sos_environment
from server_process import ServerProcess, wait_until
from sms_gateway import SmsGateway
from stalls import between
from streams import Push, fresh_client, metadata, reading, scalars

pytestmark = pytest.mark.strict

CALL_S = 5
AWAY = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)


@pytest.fixture(scope="module")
def city():
    with SmsGateway() as gateway:
        process = ServerProcess(sos_environment(gateway)).start()
        yield process
        process.remove()


@pytest.fixture(scope="module")
def people(city):
    accounts = Accounts(city)
    yield accounts
    accounts.close()


@pytest.fixture
def patient(people):
    patient = Patient(people)
    patient.measure(70, ago_s=30)
    patient.leave()
    return patient


@pytest.fixture
def other(people):
    """Somebody else, with a stream that stays open."""
    other = Patient(people)
    other.measure(70, ago_s=30)
    yield other
    other.leave()


@pytest.fixture
def rescue(people):
    with Handling(people.dispatcher()) as rescue:
        yield rescue


def crossing() -> list[tuple[int, float]]:
    """Two readings that complete a crossing by their own times."""
    now = now_us()
    return [(now - HOLD_S * SECOND_US - 100_000, 35), (now, 35)]


@dataclass
class Unary:
    """RecordReadings, asked again until it is answered, with a source that is new."""

    caller: Party
    person: int
    rows: list[tuple[int, float]] = field(default_factory=crossing)
    source: str = field(default_factory=fresh_client)
    is_acknowledged: bool = False

    def push(self, seconds: float = 4) -> None:
        request = ingest.RecordReadingsRequest(
            readings=[reading(self.person, at, value, source=self.source) for at, value in self.rows]
        )
        try:
            answer = self.caller.call(IngestServiceStub(self.caller.channel).RecordReadings, request, seconds)
        except grpc.RpcError as error:
            assert error.code() in AWAY, error
        else:
            assert answer.acknowledgement.accepted == len(self.rows), answer
            self.is_acknowledged = True

    def finish(self) -> None:
        """Until it is acknowledged."""
        wait_until(lambda: self.is_acknowledged or self.push(), 30, "the answer")

    def leave(self) -> None:
        pass


@dataclass
class Streaming:
    """PushReadings under a name that is new; opened again until all is acknowledged."""

    caller: Party
    person: int
    rows: list[tuple[int, float]] = field(default_factory=crossing)
    client: str = field(default_factory=fresh_client)
    sequence: int = 1
    is_acknowledged: bool = False
    stream: Push | None = None

    def push(self) -> None:
        self.stream = Push(self.caller.channel, self.caller.token, self.client)
        assert self.stream.welcome.last_sequence < self.sequence
        self.stream.batch(self.sequence, scalars(self.person, self.rows))
        self.hear(0.3)

    def hear(self, seconds: float) -> None:
        """What the server says of the batch."""
        try:
            answer = self.stream.next(seconds).acknowledgements.acknowledgements[0]
        except TimeoutError:
            return
        except grpc.RpcError as error:
            assert error.code() in AWAY, error
            self.stream = None
        else:
            assert (answer.sequence, answer.rejected) == (self.sequence, 0), answer
            self.is_acknowledged = True

    def finish(self) -> None:
        def attempt() -> bool:
            if self.stream is not None:
                self.hear(15)
                return self.is_acknowledged
            try:
                stream = Push(self.caller.channel, self.caller.token, self.client)
            except grpc.RpcError as error:
                assert error.code() in AWAY, error
                return False
            if stream.welcome.last_sequence >= self.sequence:
                self.is_acknowledged = True
            else:
                self.stream = stream
                stream.batch(self.sequence, scalars(self.person, self.rows))
            return self.is_acknowledged

        wait_until(attempt, 60, "the acknowledgement")
        self.leave()

    def leave(self) -> None:
        if self.stream is not None:
            self.stream.cancel()
            self.stream = None


def stored(patient: Patient, rows) -> bool:
    """Whether these readings of the person are there, each once."""
    times = [at for at, _ in rows]
    kept = [row.time_us for row in patient.member.history(patient.number) if row.time_us in times]
    return sorted(kept) == sorted(times)


def pusher(kind: str, people: Accounts, patient: Patient) -> Party:
    """A token with which nobody has called."""
    return people.bridge(patient.member) if kind == "bridge" else people.keep(patient.member.device())


@pytest.mark.parametrize("outage", OUTAGES, ids=lambda outage: outage.__name__)
@pytest.mark.parametrize(
    "kind, way",
    [
        pytest.param("device", Unary, id="device-call"), pytest.param("bridge", Streaming, id="bridge-stream"),
        pytest.param("device", Streaming, id="device-stream", marks=pytest.mark.long),
        pytest.param("bridge", Unary, id="bridge-call", marks=pytest.mark.long),
    ],
)  # fmt: skip
def test_a_crossing_calls_within_five_seconds_whatever_the_database_does(
    city, people, patient, rescue, outage, way, kind
):
    pushing = way(pusher(kind, people, patient), patient.number)
    with outage(city):
        started = time.time()
        pushing.push()
        at, notice = rescue.notice(patient.number)
        assert between(started, at) < CALL_S
        rescue.answer(notice.emergency.emergency_id, ACCEPTED)
        if outage in (hung, slow):
            assert not pushing.is_acknowledged
    if pushing.is_acknowledged:
        assert stored(patient, pushing.rows), "acknowledged and not committed"
    pushing.finish()
    assert stored(patient, pushing.rows)
    assert patient.emergency(30).emergency_id == notice.emergency.emergency_id
    assert rescue.kinds(patient, Patient(people)).count(CALL) == 1


@pytest.mark.parametrize("way", [Unary, Streaming], ids=["call", "stream"])
def test_so_does_a_person_in_a_session_that_has_just_begun(city, people, patient, rescue, way):
    phone = people.keep(patient.member.another_session())
    pushing = way(phone, patient.number)
    with hung(city):
        pushing.push()
        assert rescue.call_for(patient.number)
    pushing.finish()
    assert stored(patient, pushing.rows)


@pytest.mark.long
def test_a_client_that_comes_back_while_its_batches_hang_is_welcome_and_judged(city, people, patient, rescue):
    device = people.keep(patient.member.device())
    now = now_us()
    before = Streaming(device, patient.number, rows=[(now - 20 * SECOND_US, 70)])
    before.push()
    before.finish()
    waiting = Streaming(device, patient.number, [(now - 15 * SECOND_US, 71)], before.client, sequence=2)
    with hung(city):
        waiting.push()
        waiting.leave()
        started = time.time()
        back = Streaming(device, patient.number, client=before.client, sequence=3)
        back.stream = Push(device.channel, device.token, before.client)
        assert back.stream.welcome.last_sequence == 1, "the second batch is not committed"
        back.stream.batch(3, scalars(patient.number, back.rows))
        at, notice = rescue.notice(patient.number)
        assert between(started, at) < CALL_S
        rescue.answer(notice.emergency.emergency_id, ACCEPTED)
    # What hung is kept, and counted: the second batch is not asked for again.
    with pytest.raises(grpc.RpcError) as ended:
        back.stream.next(30)
    assert ended.value.code() == grpc.StatusCode.UNAVAILABLE
    back.stream = None
    back.finish()
    assert stored(patient, before.rows + waiting.rows + back.rows)
    assert rescue.kinds(patient, Patient(people)).count(CALL) == 1


def test_tokens_and_permissions_that_ended_before_the_outage_do_nothing_in_it(city, people, patient, other, rescue):
    device = people.keep(patient.member.device())
    ended, denied = people.keep(patient.member.device()), people.bridge(patient.member)
    for caller in (ended, denied):
        caller.record([reading(patient.number, now_us() - 20 * SECOND_US, 70)])
    patient.member.ask("RevokeDevice", device_id=ended.device_id)
    patient.member.ask("DisallowBridge", bridge_id=denied.bridge_id)
    with hung(city):
        for caller in (ended, denied):
            with pytest.raises(grpc.RpcError):
                request = [reading(patient.number, at, value) for at, value in crossing()]
                caller.call(
                    IngestServiceStub(caller.channel).RecordReadings, ingest.RecordReadingsRequest(readings=request), 2
                )
        assert rescue.kinds(patient, other).count(CALL) == 0
        # One that is still valid calls.
        Unary(device, patient.number).push()
        assert rescue.call_for(patient.number)


def test_what_ends_elsewhere_is_noticed_before_the_outage(city, people, patient, other, rescue):
    ended, denied = people.keep(patient.member.device()), people.bridge(patient.member)
    open_stream = Push(ended.channel, ended.token, fresh_client())
    city.sql("DELETE FROM access_token WHERE device = %s", (ended.device_id,))
    city.sql(
        "WITH gone AS (DELETE FROM bridge_permission WHERE bridge = %s RETURNING bridge)"
        " UPDATE account SET version = version + 1 WHERE id IN (SELECT bridge FROM gone)",
        (denied.bridge_id,),
    )
    with pytest.raises(grpc.RpcError) as over:
        open_stream.next()
    assert over.value.code() == grpc.StatusCode.UNAUTHENTICATED

    def is_denied() -> bool:
        answer = denied.record([reading(patient.number, now_us() - 20 * SECOND_US, 70)])
        return answer.rejected == 1

    wait_until(is_denied, 5, "the end of the permission")
    with hung(city):
        for caller in (ended, denied):
            with pytest.raises(grpc.RpcError):
                request = [reading(patient.number, at, value) for at, value in crossing()]
                caller.call(
                    IngestServiceStub(caller.channel).RecordReadings, ingest.RecordReadingsRequest(readings=request), 2
                )
        assert rescue.kinds(patient, other).count(CALL) == 0


def test_calls_that_wait_for_a_database_that_hangs_end_and_leave_room_to_judge(city, people, patient, rescue):
    bridge = people.bridge(patient.member)
    record = IngestServiceStub(bridge.channel).RecordReadings
    with hung(city):
        now = now_us()
        fine = [
            record.future(
                ingest.RecordReadingsRequest(readings=[reading(patient.number, now - 20 * SECOND_US + n, 70)]),
                metadata=metadata(bridge.token),
            )
            for n in range(64)
        ]
        begun = time.time()
        codes = {call.exception(timeout=60).code() for call in fine}
        assert codes == {grpc.StatusCode.UNAVAILABLE}
        assert between(begun, time.time()) < 4
        Unary(bridge, patient.number).push()
        assert rescue.call_for(patient.number)


def test_a_server_that_has_just_begun_knows_its_tokens_and_clients_without_the_database(city, people, patient, rescue):
    device = people.keep(patient.member.device())
    known = Streaming(device, patient.number, rows=[(now_us() - 20 * SECOND_US, 70)], sequence=7)
    known.push()
    known.finish()
    unused = people.bridge(patient.member)
    assert city.stop() == 0
    city.start()
    with Handling(people.dispatcher()) as rescue, hung(city):
        back = Streaming(device, patient.number, client=known.client, sequence=8)
        back.stream = Push(device.channel, device.token, known.client)
        assert back.stream.welcome.last_sequence == 7
        Unary(unused, patient.number).push()
        assert rescue.call_for(patient.number)
