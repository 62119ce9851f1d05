"""A disk that is nearly full: readings are checked and not kept, and everybody is told."""

import grpc
import pytest
from grpc_health.v1 import health_pb2, health_pb2_grpc

from accounts import Accounts
from patients import HOLD_S, SECOND_US, Patient, now_us, sos_environment
from server_process import NOT_SERVING, SERVING, ServerProcess, wait_until
from sms_gateway import SmsGateway
from streams import reading, scalars

pytestmark = pytest.mark.strict

ALARM_S = 5


@pytest.fixture
def full(request):
    """A server that wants more room than any disk has."""
    with SmsGateway() as gateway:
        process = ServerProcess(sos_environment(gateway, TRACKME_DISK_RESERVE_MIB="1000000000")).start()
        accounts = Accounts(process)
        yield accounts
        accounts.close()
        process.remove()


def health(server: ServerProcess, service: str) -> int:
    with server.open_channel() as channel:
        return health_pb2_grpc.HealthStub(channel).Check(health_pb2.HealthCheckRequest(service=service), timeout=60).status


def crossing(person: int):
    now = now_us()
    return [(now - HOLD_S * SECOND_US - 100_000, 35), (now, 35)]


def test_with_a_full_disk_alarms_go_on_and_readings_are_refused(full):
    server = full.server
    wait_until(lambda: health(server, "trackme.ingest.v1.IngestService") == NOT_SERVING, what="NOT_SERVING")
    assert health(server, "") == SERVING and health(server, "trackme.readings.v1.ReadingService") == SERVING
    assert "nearly full" in server.log.read_text()

    recording, pushing = Patient(full), Patient(full)
    with pytest.raises(grpc.RpcError) as refusal:
        recording.device.record([reading(recording.number, *row) for row in crossing(recording.number)])
    assert refusal.value.code() == grpc.StatusCode.UNAVAILABLE and "disk" in refusal.value.details()
    wait_until(recording.emergencies, ALARM_S, "the emergency of a unary call")

    pushing.send(scalars(pushing.number, crossing(pushing.number)))
    wait_until(pushing.emergencies, ALARM_S, "the emergency of a stream")
    pushing.stream.half_close()
    with pytest.raises(grpc.RpcError) as end:
        pushing.stream.next()
    assert end.value.code() == grpc.StatusCode.UNAVAILABLE and "disk" in end.value.details()
    for person in (recording, pushing):
        assert person.member.history(person.number) == []
