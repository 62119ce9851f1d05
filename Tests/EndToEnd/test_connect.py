"""The Connect protocol (https://connectrpc.com/docs/protocol): every RPC over plain HTTP, in both forms, as over gRPC."""

from __future__ import annotations

import http.client
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import grpc
import pytest
from google.protobuf import json_format

from trackme.protocol import callers, identity, ingest, reading_service, sharing

from caller_table import COLUMNS, ROWS, Town
from calls import reflected_methods
from server_process import ServerProcess, wait_until
from streams import Caller, reading
from test_callers import as_cell
from web import VERSION, Web, envelope, outcome

RECORD = "/trackme.ingest.v1.IngestService/RecordReadings"
STATUS = "/trackme.readings.v1.ReadingService/GetCurrentStatus"
METRICS = "/trackme.readings.v1.ReadingService/ListMetrics"
FORM = "/trackme.identity.v1.IdentityService/GetRegistrationForm"
WATCH = "/trackme.readings.v1.ReadingService/WatchReadings"
SUBSCRIBE = "/trackme.sharing.v1.SubscriptionService/Subscribe"
NOW_US = 1_700_000_000_000_000


@pytest.fixture
def as_person(server, person) -> Web:
    return Web(server.web_port, {"Authorization": f"Bearer {server.person_token(person)}"})


def record(web: Web, person: int, *values: float, at: int = NOW_US) -> None:
    rows = [{"personId": str(person), "metric": "heart_rate", "timeUs": str(at + n), "scalar": v} for n, v in enumerate(values)]
    assert web.post(RECORD, {"readings": rows}).status == 200


# Unary calls


def test_a_reading_goes_in_and_comes_out_as_json(as_person, person):
    answer = as_person.post(
        RECORD, {"readings": [{"personId": str(person), "metric": "heart_rate", "timeUs": str(NOW_US), "scalar": 72.5}]}
    )
    assert (answer.status, answer.header("content-type")) == (200, "application/json")
    assert json_format.ParseDict(answer.json, ingest.RecordReadingsResponse()).acknowledgement.accepted == 1
    status = as_person.post(STATUS, {"personId": str(person)}).json
    # 64-bit numbers are text, names are in lower camel case.
    (shown,) = [m for m in status["metrics"] if m["metric"] == "heart_rate"] if "metrics" in status else [status]
    assert "72.5" in json.dumps(status) and f'"{NOW_US}"' in json.dumps(status)


def test_bytes_pass_through_as_they_are(as_person, person):
    request = ingest.RecordReadingsRequest(readings=[reading(person, NOW_US, 61)])
    answer = as_person.send(
        "POST", RECORD, request.SerializeToString(), **{"Content-Type": "application/proto", **VERSION}
    )
    assert (answer.status, answer.header("content-type")) == (200, "application/proto")
    assert ingest.RecordReadingsResponse.FromString(answer.body).acknowledgement.accepted == 1


@pytest.mark.parametrize("path, fields, status, reason, named", [
    (STATUS, {"personId": "1"}, 401, "UNAUTHENTICATED", []),
    (FORM, {"kind": "ACCOUNT_KIND_PERSON", "colour": 1}, 400, "INVALID_MESSAGE", ["colour"]),
    (FORM, {"kind": "ACCOUNT_KIND_CAT"}, 400, "INVALID_MESSAGE", ["kind"]),
    (FORM, b"{", 400, "INVALID_MESSAGE", []), (FORM, b"", 400, "INVALID_MESSAGE", []),
    (FORM, b"[]", 400, "INVALID_MESSAGE", []), (FORM, b'{"kind": 1, "kind": 1}', 400, "INVALID_MESSAGE", ["kind"]),
])  # fmt: skip
def test_what_is_refused_is_refused_by_name(web, path, fields, status, reason, named):
    answer = web.post(path, fields)
    assert (answer.status, answer.header("content-type")) == (status, "application/json")
    failure = answer.failure
    assert failure.reason == reason and [f.split(".")[-1] for f in failure.fields if f] == named, failure


def test_fields_at_fault_are_named_as_over_grpc(web):
    failure = web.post("/trackme.identity.v1.IdentityService/RegisterPerson", {"username": "x"}).failure
    assert failure.code == grpc.StatusCode.INVALID_ARGUMENT and {"username", "email", "fiscal_code"} <= set(failure.fields)


def test_an_rpc_without_side_effects_answers_get(web, as_person):
    by_post = web.post(FORM, {"kind": "ACCOUNT_KIND_PERSON"})
    by_get = web.get(FORM, b'{"kind": "ACCOUNT_KIND_PERSON"}')
    assert by_get.status == 200 and by_get.body == by_post.body
    request = identity.GetRegistrationFormRequest(kind=identity.ACCOUNT_KIND_PERSON)
    binary = web.get(FORM, request.SerializeToString(), encoding="proto")
    told = identity.GetRegistrationFormResponse.FromString(binary.body)
    assert told == json_format.Parse(by_get.body, identity.GetRegistrationFormResponse())
    assert web.send("GET", FORM + "?connect=v1&encoding=json").failure.fields == ["message"]
    for path in (RECORD, WATCH, "/trackme.races.v1.RaceService/GetRace"):
        answer = as_person.get(path)
        assert (answer.status, answer.header("allow")) == (405, "POST"), path


def test_no_rpc_that_answers_get_has_a_secret_or_a_place_in_its_request(channel):
    """Addresses are logged on their way."""
    marked = [m for m in reflected_methods(channel) if m.has_no_side_effects]
    assert len(marked) > 20
    names = ("password", "token", "secret", "invitation", "fiscal_code", "latitude", "receipt_id", "code")
    for method in marked:
        fields = {f.name for f in method.request.DESCRIPTOR.fields} - {"page_token"}
        assert not any(n in field for n in names for field in fields), method.path


def test_only_connects_own_contents_and_methods_are_taken(web):
    for content in ("application/grpc", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", None):
        answer = web.post(METRICS, {}, **{"Content-Type": content})
        assert (answer.status, answer.header("accept-post")) == (415, "application/proto, application/json"), content
    assert web.post(METRICS, {}, **{"Content-Type": "application/connect+json"}).status == 415
    answer = web.post(WATCH, {})
    assert (answer.status, answer.header("accept-post")) == (415, "application/connect+proto, application/connect+json")
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "HEAD"):
        assert web.send(method, RECORD).status == 405, method
    for path in ("/trackme.ingest.v1.IngestService/Nothing", "/trackme.ingest.v1.IngestService", "//x"):
        assert web.post(path, {}).status == 404, path


def test_nobody_else_may_read_answers(web):
    """No CORS: another site's script gets nothing."""
    for answer in (
        web.post(METRICS, {}, Origin="https://evil.example"),
        web.send("OPTIONS", METRICS, Origin="https://evil.example", Access_Control_Request_Method="POST"),
    ):
        assert not [name for name, _ in answer.headers if name.lower().startswith("access-control")]


def test_what_is_compressed_is_unimplemented(as_person):
    assert as_person.post(METRICS, {}, Content_Encoding="gzip").failure.code == grpc.StatusCode.UNIMPLEMENTED
    assert as_person.post(METRICS, {}, Content_Encoding="identity").status == 200
    with as_person.stream(WATCH, {}, Connect_Content_Encoding="gzip") as stream:
        assert stream.next() is None and stream.failure.code == grpc.StatusCode.UNIMPLEMENTED
    connection, response = as_person.begin(
        "POST", WATCH, envelope(b"{}", 1), **{"Content-Type": "application/connect+json"}
    )
    assert b"COMPRESSION" in response.read()
    connection.close()


def test_a_version_that_is_not_known_is_refused(web):
    assert web.post(FORM, {}, Connect_Protocol_Version="2").failure.reason == "PROTOCOL_VERSION"


def test_a_message_that_is_too_long_is_refused(as_person):
    body = b'{"readings": [' + b" " * (5 << 20) + b"]}"
    assert as_person.post(RECORD, body).failure.code == grpc.StatusCode.RESOURCE_EXHAUSTED


# Streams


def test_readings_are_followed_and_resumed_after_a_cursor(as_person, person):
    with as_person.stream(WATCH, {}) as stream:
        cursor, seen = "", []
        record(as_person, person, 61, 62, 63)
        while len(seen) < 3:
            frame = json_format.Parse(stream.next(), reading_service.WatchReadingsResponse())
            cursor = frame.cursor or cursor
            seen += [r.scalar for r in frame.readings]
    record(as_person, person, 64, at=NOW_US + 10)
    with as_person.stream(WATCH, {"cursor": cursor}) as stream:
        while len(seen) < 4:
            frame = json_format.Parse(stream.next(), reading_service.WatchReadingsResponse())
            seen += [r.scalar for r in frame.readings]
    assert seen == [61, 62, 63, 64]


def test_a_silent_stream_has_heartbeats_and_ends_at_its_deadline(as_person):
    began = time.monotonic()
    with as_person.stream(WATCH, {}, Connect_Timeout_Ms="1200") as stream:
        assert stream.response.status == 200
        assert stream.response.getheader("content-type") == "application/connect+json"
        assert len(list(stream.frames())) >= 3
        assert stream.failure.code == grpc.StatusCode.DEADLINE_EXCEEDED
    assert time.monotonic() - began > 1.1


@pytest.mark.parametrize("text", ["", "x", "-1", "12345678901"])
def test_a_deadline_that_is_none_is_refused(web, text):
    assert web.post(FORM, {}, Connect_Timeout_Ms=text or " ").failure.reason == "TIMEOUT"


def test_subscribe_takes_one_frame_and_delivers(as_person, person):
    start = {"start": {"startAt": "START_AT_BEGINNING", "personIds": [str(person)]}}
    record(as_person, person, 71, 72)
    with as_person.stream(SUBSCRIBE, start) as stream:
        values = []
        while len(values) < 2:
            frame = json_format.Parse(stream.next(), sharing.SubscribeResponse())
            values += frame.delivery.readings.scalars.value
    assert values == [71, 72]
    with as_person.stream(SUBSCRIBE, start, start) as stream:
        assert stream.next() is None and stream.failure.reason == "ONE_MESSAGE"
    with as_person.stream(SUBSCRIBE) as stream:
        assert stream.next() is None and stream.failure.reason == "NO_MESSAGE"


def test_a_stream_that_may_not_be_ends_with_an_error_in_its_last_frame(web):
    with web.stream(WATCH, {}) as stream:
        assert stream.response.status == 200 and stream.next() is None
        assert stream.failure.code == grpc.StatusCode.UNAUTHENTICATED


def test_a_client_that_goes_away_ends_its_call(as_person):
    """Seen by the limit of calls with one token: 64 at once."""
    held = [as_person.stream(WATCH, {}) for _ in range(64)]
    assert all(stream.next() is not None for stream in held)

    def is_free() -> bool:
        with as_person.stream(WATCH, {}) as stream:
            return stream.next() is not None or stream.failure.reason != "TOO_MANY_CALLS"

    assert not is_free()
    for stream in held:
        stream.connection.close()
    wait_until(is_free, what="the end of calls whose clients have gone")


def test_what_is_no_body_of_envelopes_is_refused(as_person):
    bad = {b"\0\0\0\0\5{}": "INVALID_ENVELOPE", b"\0\0": "INVALID_ENVELOPE", b"\x40\0\0\0\0": "INVALID_ENVELOPE",
           b"\0\xff\xff\xff\xff": "MESSAGE_TOO_LONG", envelope(b"{", 0): "INVALID_MESSAGE"}  # fmt: skip
    for body, reason in bad.items():
        connection, response = as_person.begin(
            "POST", WATCH, body, **{"Content-Type": "application/connect+json", **VERSION}
        )
        assert reason.encode() in response.read(), body
        connection.close()


# The same as over gRPC


@pytest.fixture(scope="module")
def town(server, accounts):
    return Town(accounts, server.operator_token)


@pytest.fixture(scope="module")
def methods(server):
    with grpc.insecure_channel(server.target) as channel:
        return {m.path: m for m in reflected_methods(channel)}


@pytest.mark.parametrize(
    "codec, step",
    [
        pytest.param("json", 3, id="json"), pytest.param("proto", 7, id="proto"),
        pytest.param("json", 1, id="json, everybody", marks=pytest.mark.long),
    ],
)  # fmt: skip
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_each_caller_gets_what_the_table_says(town, methods, row, codec, step):
    """Over gRPC everybody is asked for (`test_callers`): whoever decides is the same."""
    server = town.accounts.server
    for who in COLUMNS[::step]:
        caller = town.fresh(who) if row.is_fresh else town.caller(who)
        request = row.request(town, who, caller)
        got = outcome(Web(server.web_port), methods[row.path], caller.token, [request.SerializeToString()], codec)
        assert as_cell(got, row) == row.expected()[who], f"{who}: {got}: {got.message}"


def test_buf_curl_does_over_connect_what_it_does_over_grpc(server, person):
    """An explorer with an official tool."""
    buf = Path(sys.executable).parent / "buf"
    schema = Path(__file__).parents[2] / "Protos"
    record = {"readings": [{"personId": str(person), "metric": "heart_rate", "timeUs": str(NOW_US), "scalar": 99}]}
    for path, message in ((RECORD, record), (STATUS, {"personId": str(person)})):
        done = subprocess.run(
            [buf, "curl", "--protocol", "connect", "--schema", schema, "-H", f"Authorization: Bearer {server.operator_token}",
             "-d", json.dumps(message), f"http://127.0.0.1:{server.web_port}{path}"],
            capture_output=True, text=True, timeout=60, env={**os.environ, "HOME": str(server.data_dir)},
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
    assert "99" in done.stdout


# Who runs it


def test_a_server_says_whether_it_lives_and_whether_it_serves():
    server = ServerProcess(has_web=True).start()
    try:
        web = Web(server.web_port)
        assert [web.send("GET", p).status for p in ("/healthz", "/readyz")] == [200, 200]
        assert web.send("POST", "/readyz").status == 405
        server.kill_postgres()
        wait_until(lambda: web.send("GET", "/readyz").status == 503, what="not serving")
        assert web.send("GET", "/healthz").status == 200
        wait_until(lambda: web.send("GET", "/readyz").status == 200, 30, "serving")
    finally:
        server.remove()


def test_off_loopback_nothing_is_served_unencrypted():
    server = ServerProcess({"TRACKME_WEB_LISTEN": "0.0.0.0:0"})
    try:
        server.start(wait=False)
        assert server.process.wait(20) != 0 and "TRACKME_WEB_LISTEN: 0.0.0.0:0" in server.log_tail()
    finally:
        server.remove()
