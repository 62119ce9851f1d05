"""An explorer with official tools and no source at hand: reflection, health, buf curl."""

import json
import subprocess
import sys
from pathlib import Path

import grpc
import pytest
from google.protobuf import descriptor_pool
from grpc_health.v1 import health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection_pb2 as messages
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase

from server_process import SERVING

SERVICES = {
    "trackme.admin.v1.AdminService",
    "trackme.expenditure.v1.ExpenditureService",
    "trackme.identity.v1.IdentityService",
    "trackme.groups.v1.GroupService",
    "trackme.ingest.v1.IngestService",
    "trackme.notifications.v1.NotificationService",
    "trackme.races.v1.LiveService",
    "trackme.races.v1.RaceService",
    "trackme.readings.v1.ReadingService",
    "trackme.sharing.v1.AccessService",
    "trackme.sharing.v1.SubscriptionService",
    "trackme.sos.v1.DispatchService",
    "trackme.sos.v1.SosService",
    "grpc.health.v1.Health",
    "grpc.reflection.v1.ServerReflection",
    "grpc.reflection.v1alpha.ServerReflection",
}


def test_the_official_reflection_client_finds_everything(channel):
    database = ProtoReflectionDescriptorDatabase(channel)
    assert set(database.get_services()) == SERVICES
    pool = descriptor_pool.DescriptorPool(database)
    service = pool.FindServiceByName("trackme.ingest.v1.IngestService")
    push = service.methods_by_name["PushReadings"]
    assert push.client_streaming and push.server_streaming
    assert push.input_type.full_name == "trackme.ingest.v1.PushReadingsRequest"
    assert pool.FindMessageTypeByName("trackme.readings.v1.ReadingColumns").fields_by_name["scalars"]
    assert pool.FindEnumTypeByName("trackme.readings.v1.Resolution").values_by_name["RESOLUTION_WEEK"].number == 6


@pytest.mark.parametrize("version", ["v1", "v1alpha"])
class TestReflection:
    """Both versions have the same messages on the wire."""

    def ask(self, channel, version, *requests):
        call = channel.stream_stream(
            f"/grpc.reflection.{version}.ServerReflection/ServerReflectionInfo",
            request_serializer=messages.ServerReflectionRequest.SerializeToString,
            response_deserializer=messages.ServerReflectionResponse.FromString,
        )
        return list(call(iter([messages.ServerReflectionRequest(**r) for r in requests]), timeout=60))

    def test_services_are_listed(self, channel, version):
        (answer,) = self.ask(channel, version, {"list_services": ""})
        assert {s.name for s in answer.list_services_response.service} == SERVICES

    @pytest.mark.parametrize(
        "symbol",
        [
            "trackme.readings.v1.ReadingService",
            "trackme.readings.v1.ReadingService.ListReadings",
            "trackme.readings.v1.ListReadingsRequest",
            "trackme.readings.v1.ListReadingsRequest.page_token",
            "trackme.readings.v1.Resolution",
            "trackme.readings.v1.RESOLUTION_DAY",
            "trackme.readings.v1.Reading.value",
            "grpc.health.v1.HealthCheckResponse.ServingStatus",
        ],
    )
    def test_a_file_is_found_by_a_symbol_of_every_kind(self, channel, version, symbol):
        (answer,) = self.ask(channel, version, {"file_containing_symbol": symbol})
        assert answer.WhichOneof("message_response") == "file_descriptor_response", answer
        assert answer.file_descriptor_response.file_descriptor_proto

    def test_a_file_is_found_by_its_name(self, channel, version):
        (answer,) = self.ask(channel, version, {"file_by_filename": "trackme/readings/v1/reading.proto"})
        assert answer.file_descriptor_response.file_descriptor_proto

    def test_what_is_not_there_is_not_found_and_the_stream_goes_on(self, channel, version):
        answers = self.ask(
            channel,
            version,
            {"file_containing_symbol": "no.such.Thing"},
            {"file_by_filename": "no.proto"},
            {"list_services": ""},
        )
        assert [a.error_response.error_code for a in answers] == [5, 5, 0]
        assert answers[0].original_request.file_containing_symbol == "no.such.Thing"


def test_the_official_health_client_hears_that_all_is_well(channel):
    stub = health_pb2_grpc.HealthStub(channel)
    for service in ("", "trackme.ingest.v1.IngestService", "trackme.readings.v1.ReadingService"):
        assert stub.Check(health_pb2.HealthCheckRequest(service=service), timeout=60).status == SERVING
    assert next(stub.Watch(health_pb2.HealthCheckRequest(), timeout=60)).status == SERVING


def test_the_health_of_a_service_that_is_none(channel):
    stub = health_pb2_grpc.HealthStub(channel)
    with pytest.raises(grpc.RpcError) as caught:
        stub.Check(health_pb2.HealthCheckRequest(service="no.such.Service"), timeout=60)
    assert caught.value.code() == grpc.StatusCode.NOT_FOUND
    answer = next(stub.Watch(health_pb2.HealthCheckRequest(service="no.such.Service"), timeout=60))
    assert answer.status == health_pb2.HealthCheckResponse.SERVICE_UNKNOWN


def buf_command(*arguments, token=None):
    tool = Path(sys.executable).parent / "buf"
    command = [tool, "curl", "--protocol", "grpc", "--http2-prior-knowledge"]
    if token:
        command += ["--header", f"authorization: Bearer {token}"]
    return [*command, *arguments]


def buf(*arguments, token=None):
    return subprocess.run(buf_command(*arguments, token=token), capture_output=True, text=True, timeout=60)


def test_buf_curl_explores_by_reflection_alone(server):
    listing = buf("--list-services", f"http://{server.target}")
    assert listing.returncode == 0, listing.stderr
    assert set(listing.stdout.split()) >= {s for s in SERVICES if s.startswith("trackme")}
    methods = buf("--list-methods", f"http://{server.target}")
    assert "trackme.sharing.v1.SubscriptionService/Subscribe" in methods.stdout


def test_buf_curl_records_and_reads(server, person):
    record = json.dumps(
        {"readings": [{"personId": person, "metric": "heart_rate", "timeUs": "1700000000000000", "scalar": 72}]}
    )
    base = f"http://{server.target}/trackme"
    done = buf("-d", record, f"{base}.ingest.v1.IngestService/RecordReadings", token=server.operator_token)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["acknowledgement"]["accepted"] == 1
    found = buf("-d", json.dumps({"personId": person}), f"{base}.readings.v1.ReadingService/ListReadings",
                token=server.operator_token)  # fmt: skip
    assert json.loads(found.stdout)["readings"][0]["scalar"] == 72


def test_buf_curl_pushes_and_subscribes(server, person):
    base = f"http://{server.target}/trackme"
    frames = [
        {"hello": {"clientId": f"buf-{person}"}},
        {"batch": {"sequence": "1", "readings": {"scalars": {
            "personId": [str(person)], "metric": [1], "timeUs": ["1700000000000000"], "value": [61]}}}},
    ]  # fmt: skip
    done = buf("-d", "\n".join(map(json.dumps, frames)), f"{base}.ingest.v1.IngestService/PushReadings",
               token=server.operator_token)  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert '"accepted"' in done.stdout
    start = json.dumps({"start": {"personIds": [person], "startAt": "START_AT_BEGINNING"}})
    command = buf_command("-d", start, f"{base}.sharing.v1.SubscriptionService/Subscribe", token=server.operator_token)
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as listening:
        for line in listening.stdout:
            if '"delivery"' in line:
                break
        else:
            raise AssertionError("the stream ended")
        listening.terminate()


def test_buf_curl_shows_what_is_wrong(server):
    failed = buf("-d", "{}", f"http://{server.target}/trackme.readings.v1.ReadingService/ListReadings")
    assert failed.returncode != 0 and "unauthenticated" in failed.stderr.lower()
    failed = buf("-d", "{}", f"http://{server.target}/trackme.readings.v1.ReadingService/ListReadings",
                 token=server.operator_token)  # fmt: skip
    assert "person_id" in failed.stderr
