"""`trackme dispatcher` against a server that only plays the desk: what it shows, says and writes down."""

import json
import queue
import signal
import subprocess
import threading
import time
from concurrent import futures
from datetime import date

import grpc
import pytest
from trackme.protocol import dispatch, emergencies, readings

from dispatchers import ACCEPTED, CALL, CANCEL, EN_ROUTE, FALSE_ALARM, REFUSED, RESOLVED, TAKEN, UPDATE
from server_process import binary, wait_until
from stalls import since

pytestmark = pytest.mark.strict

TOKEN = "dispatchers-token"
IDS = [f"060a2418-1e40-8001-8000-{number:012x}" for number in range(100)]


def emergency(number=1):
    """A pulse of 190 that began 3.5 seconds ago."""
    now = time.time_ns() // 1000
    began, completed = now - 3_500_000, now - 500_000
    pulse = emergencies.Vital(metric="heart_rate", value=190, unit="/min", time_us=completed, source="watch")
    crossing = emergencies.Crossing(
        kind=emergencies.CROSSING_KIND_HIGH, metric="heart_rate", limit=131, value=190, began_us=began,
        completed_us=completed, hold_ms=3000, rule_version="news2-2017.1", readings=[pulse],
    )  # fmt: skip
    return emergencies.Emergency(
        emergency_id=IDS[number], person_id=1000 + number, state=emergencies.EMERGENCY_STATE_DISPATCHING,
        status=emergencies.DISPATCH_STATUS_EXERCISE, detected_us=completed + 1000, crossings=[crossing],
        recent_vitals=[pulse], age=71, sex="female", callback_number="+393331234567", emergency_number="112",
        country="IT",
        position=emergencies.LastPosition(latitude=45.46421, longitude=9.19034, accuracy_m=12, time_us=began),
    )  # fmt: skip


class Desk:
    """A server of DispatchService alone."""

    def __init__(self, port=0):
        self.streams = queue.Queue()
        """Of each stream its metadata, what it has sent, and the queue of what is to be sent; None ends it."""
        handler = grpc.stream_stream_rpc_method_handler(
            self.handle,
            request_deserializer=dispatch.HandleEmergenciesRequest.FromString,
            response_serializer=dispatch.HandleEmergenciesResponse.SerializeToString,
        )
        self._threads = futures.ThreadPoolExecutor(8)
        self.server = grpc.server(self._threads)
        self.server.add_generic_rpc_handlers(
            [grpc.method_handlers_generic_handler("trackme.sos.v1.DispatchService", {"HandleEmergencies": handler})]
        )
        self.port = self.server.add_insecure_port(f"127.0.0.1:{port}")
        self.server.start()

    def handle(self, requests, context):
        received, notices = queue.Queue(), queue.Queue()
        received.put(next(requests))
        self.streams.put((dict(context.invocation_metadata()), received, notices))

        def read():
            try:
                for request in requests:
                    received.put(request)
            except grpc.RpcError:
                pass
            received.put(None)
            notices.put(None)  # A handler that waited on would keep its thread, and the interpreter, for ever.

        threading.Thread(target=read, daemon=True).start()
        yield dispatch.HandleEmergenciesResponse()
        while (notice := notices.get()) is not None:
            yield notice

    def stop(self):
        self.server.stop(0).wait()
        self._threads.shutdown()


class Stream:
    """The desk's side of a stream that has said hello."""

    def __init__(self, desk):
        metadata, self.received, self.notices = desk.streams.get(timeout=60)
        assert metadata["authorization"] == f"Bearer {TOKEN}"
        assert self.received.get(timeout=60).hello.system == "trackme dispatcher"

    def tell(self, kind, about):
        self.notices.put(dispatch.HandleEmergenciesResponse(kind=kind, emergency=about, text="EXERCISE"))

    def answer(self, seconds=15):
        """The next answer: (emergency_id, kind); None at the end of the stream."""
        request = self.received.get(timeout=seconds)
        return request and (request.answer.emergency_id, request.answer.kind)

    def says_no_more(self):
        """Nothing before the answer to another call."""
        self.tell(CALL, emergency(4))
        assert self.answer() == (IDS[4], ACCEPTED)

    def end(self):
        self.notices.put(None)


@pytest.fixture
def desk():
    desk = Desk()
    yield desk
    desk.stop()


@pytest.fixture
def start(desk, tmp_path):
    """Starts dispatchers; each must end with status 0 on SIGTERM, if it has not ended before."""
    (tmp_path / "token").write_text(TOKEN + "\n")
    started = []

    def start(*flags):
        command = [binary(), "dispatcher", "--server", f"127.0.0.1:{desk.port}", "--token-file", tmp_path / "token"]
        output = (tmp_path / f"output-{len(started)}").open("wb+")
        process = subprocess.Popen([*map(str, command), *map(str, flags)], stdout=output, stderr=subprocess.STDOUT)
        process.shown = lambda: (tmp_path / output.name).read_text()
        process.events = lambda: [json.loads(line) for line in process.shown().splitlines()]
        started.append(process)
        return process

    yield start
    for process in started:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == 0, process.shown()


def test_a_call_is_shown_with_all_that_people_need_and_accepted(desk, start):
    process = start()
    stream = Stream(desk)
    stream.tell(CALL, emergency())
    assert stream.answer() == (IDS[1], ACCEPTED)
    wait_until(lambda: "ACCEPTED incident 1" in process.shown(), what="the acceptance")
    shown = process.shown()
    for fact in (
        "EXERCISE, call 112 in IT", "HIGH heart_rate 190 /min, limit 131, held for 3 s", "vitals: heart_rate 190 /min",
        "position 45.46421, 9.19034 ± 12 m, 4 s old", "71 years, female, call back +393331234567",
        "s after the first value beyond the limit", "s after the crossing was complete", "s after the decision",
    ):  # fmt: skip
        assert fact in shown, shown
    assert TOKEN not in shown


def test_news_of_a_call_are_shown(desk, start):
    process = start()
    stream = Stream(desk)
    first, second, third = emergency(1), emergency(2), emergency(3)
    for about in (first, second, third):
        stream.tell(CALL, about)
        stream.answer()
    first.transitions.append(emergencies.EmergencyTransition(actor="person", note="I am fine"))
    stream.tell(CANCEL, first)
    stream.tell(TAKEN, second)
    stream.tell(UPDATE, third)
    wait_until(lambda: "UPDATE  incident 3" in process.shown(), what="the update")
    assert "CANCEL  incident 1: a false alarm, says the person: I am fine" in process.shown()
    assert "TAKEN   incident 2" in process.shown()
    stream.says_no_more()


def test_events_are_lines_of_json_with_the_measured_times(desk, start):
    process = start("--json")
    stream = Stream(desk)
    stream.tell(CALL, emergency())
    assert stream.answer() == (IDS[1], ACCEPTED)
    wait_until(lambda: len(process.shown().splitlines()) == 3, what="three events")
    connected, call, answer = process.events()
    assert [connected["event"], call["event"], answer["event"]] == ["connected", "call", "answer"]
    assert call["emergency_id"] == IDS[1] and call["person_id"] == 1001 and call["is_new"] is True
    assert (call["status"], call["number"], call["country"]) == ("EXERCISE", "112", "IT")
    assert (call["latitude"], call["longitude"]) == (45.46421, 9.19034)
    assert answer["answer"] == "ACCEPTED"
    for event in (call, answer):
        assert event["since_first_ms"] >= 3500
        assert abs(event["since_first_ms"] - event["since_completed_ms"] - 3000) < 1.1
        assert 0 < event["since_decision_ms"] < event["since_completed_ms"]


def test_an_incident_is_written_once_before_it_is_accepted_whatever_restarts(desk, start, tmp_path):
    incidents = tmp_path / "incidents"
    incidents.write_text(IDS[9] + "\n060a")  # a line that a crash has cut off
    process = start("--incidents", incidents, "--json")
    stream = Stream(desk)
    for number in (1, 2, 1, 9):
        stream.tell(CALL, emergency(number))
        assert stream.answer() == (IDS[number], ACCEPTED)
        assert IDS[number] in incidents.read_text().splitlines()
    process.kill()
    process.wait()
    process.poll = process.wait = lambda timeout=None: 0
    again = start("--incidents", incidents)
    stream = Stream(desk)
    stream.tell(CALL, emergency(2))
    assert stream.answer() == (IDS[2], ACCEPTED)
    assert incidents.read_text().splitlines() == [IDS[9], "060a", IDS[1], IDS[2]]
    assert [e["is_new"] for e in process.events() if e["event"] == "call"] == [True, True, False, False]
    wait_until(lambda: "incident 1, again" in again.shown(), what="the repeated call")


def test_the_first_calls_are_refused_if_wanted(desk, start):
    start("--refuse", 2, "--quiet")
    stream = Stream(desk)
    for number, kind in ((1, REFUSED), (2, REFUSED), (1, ACCEPTED)):
        stream.tell(CALL, emergency(number))
        assert stream.answer() == (IDS[number], kind)


def test_answers_can_be_late_and_others_are_not_held_up(desk, start):
    start("--delay", 1500)
    stream = Stream(desk)
    began = time.monotonic()
    for number in (1, 2, 3):
        stream.tell(CALL, emergency(number))
    assert {stream.answer() for _ in range(3)} == {(IDS[number], ACCEPTED) for number in (1, 2, 3)}
    # One after the other they would take 4.5 s.
    assert time.monotonic() - began >= 1.5 and since(began) < 4


def test_a_call_that_another_has_taken_is_not_accepted_late(desk, start):
    start("--delay", 500)
    stream = Stream(desk)
    stream.tell(CALL, emergency())
    stream.tell(TAKEN, emergency())
    stream.says_no_more()


def test_it_vanishes_without_an_answer_if_wanted(desk, start):
    process = start("--vanish-after", 2, "--json")
    stream = Stream(desk)
    stream.tell(CALL, emergency(1))
    assert stream.answer() == (IDS[1], ACCEPTED)
    stream.tell(CALL, emergency(2))
    assert stream.answer() is None
    assert process.wait(timeout=60) == 0
    told = [(event["event"], event.get("emergency_id")) for event in process.events()]
    # The first answer is shown beside what comes next.
    assert ("vanished", None) in told and ("answer", IDS[2]) not in told


@pytest.mark.parametrize(
    "flags, kinds",
    [
        (["--en-route-after", "0.1", "--resolve-after", "0.3"], [ACCEPTED, EN_ROUTE, RESOLVED]),
        (["--resolve-after", "0.1", "--false-alarm"], [ACCEPTED, FALSE_ALARM]),
        (["--false-alarm"], [ACCEPTED, FALSE_ALARM]),
        (["--en-route-after", "0"], [ACCEPTED, EN_ROUTE]),
    ],
)
def test_it_says_how_an_incident_goes_on(desk, start, flags, kinds):
    start(*flags)
    stream = Stream(desk)
    stream.tell(CALL, emergency())
    assert [stream.answer() for _ in kinds] == [(IDS[1], kind) for kind in kinds]
    stream.says_no_more()


def test_it_connects_again_whatever_ends_the_stream(desk, start):
    process = start("--json")
    Stream(desk).end()
    stream = Stream(desk)
    desk.stop()
    assert stream.answer() is None
    time.sleep(1)
    port, desk.port = desk.port, None
    again = Desk(port)
    try:
        stream = Stream(again)
        stream.tell(CALL, emergency())
        assert stream.answer() == (IDS[1], ACCEPTED)
    finally:
        stream.end()
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == 0
        again.stop()
    assert {event["event"] for event in process.events()} >= {"connected", "disconnected", "call", "answer"}


def test_nothing_is_asked_of_a_server_without_a_token(tmp_path):
    done = subprocess.run(
        [binary(), "dispatcher", "--token-file", tmp_path / "none"], capture_output=True, text=True, timeout=20
    )
    assert done.returncode != 0 and "--token-file" in done.stderr


def test_a_pulse_beyond_its_limit_reaches_the_dispatcher_in_time_as_one_incident(server, accounts, tmp_path):
    """A-R14, A-R15: the whole way with the real server; the person is over 60 and has turned nothing on."""
    dispatcher = accounts.dispatcher()
    (tmp_path / "token").write_text(dispatcher.token)
    incidents = tmp_path / "incidents"
    with (tmp_path / "events").open("wb") as output:
        process = subprocess.Popen(
            [binary(), "dispatcher", "--server", server.target, "--token-file", tmp_path / "token", "--json",
             "--incidents", incidents, "--resolve-after", "1"], stdout=output, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def events(kind, person):
        lines = (tmp_path / "events").read_text().splitlines()
        return [e for e in map(json.loads, lines) if e["event"] == kind and e.get("person_id", person) == person]

    try:
        wait_until(lambda: events("connected", 0), what="the connection")
        person = accounts.person(born=date(1950, 1, 1))
        device = person.device()
        place = readings.Position(latitude=43.7696, longitude=11.2558, accuracy=8)

        def push(pulse):
            about = {"person_id": person.account_id, "time_us": time.time_ns() // 1000}
            at = readings.Reading(metric="position", position=place, **about)
            device.record([at, readings.Reading(metric="heart_rate", scalar=pulse, **about)])
            time.sleep(0.2)

        push(75)
        end = time.monotonic() + 15
        while not events("answer", person.account_id) and time.monotonic() < end:
            push(150)
        [call, answer] = events("call", person.account_id)[:1] + events("answer", person.account_id)[:1]
        assert answer["answer"] == "ACCEPTED" and answer["since_completed_ms"] < 5000
        assert 3000 <= answer["since_first_ms"] < 8000
        assert (call["status"], call["number"], call["country"]) == ("EXERCISE", "112", "IT")
        assert (call["latitude"], call["longitude"]) == (43.7696, 11.2558)
        wait_until(lambda: len(events("answer", person.account_id)) == 2, what="the resolution")
        assert events("answer", person.account_id)[1]["answer"] == "RESOLVED"
        assert len(events("call", person.account_id)) == 1
        assert incidents.read_text().splitlines().count(call["emergency_id"]) == 1
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=60) == 0
