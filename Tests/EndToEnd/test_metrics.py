"""Numbers for who runs a server: each one in docs/operations.md is there, moves when it should, and names nobody."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import grpc
import pytest
from google.protobuf import descriptor_pool

from trackme.protocol import IdentityServiceStub, identity, race

from accounts import PERSON, Accounts, Party
from dispatchers import Handling
from failures import fails
from mail_server import MailServer
from metrics_page import Page, scrape
from outages import hung, refused
from patients import Patient, sos_environment
from race_rows import put_race
from server_process import ROOT, SERVING, ServerProcess, free_port, binary, wait_until
from sms_gateway import SmsGateway
from stalls import since
from streams import Caller, fresh_client, reading, scalars
from test_live_race import Runner, Spectator, present

DOCUMENT = ROOT / "docs/operations.md"
T0 = 1_700_000_000_000_000
STATUSES = {code.name for code in grpc.StatusCode}
COMPACTION_S = 60
"""It begins within 3 s here, and takes what time it takes on a machine that is busy."""


# MARK: What the page says


def table(heading: str) -> list[list[str]]:
    """The cells of the table below a heading."""
    part = DOCUMENT.read_text().split(f"\n### {heading}\n")[1].split("\n#")[0]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in _rows(part.splitlines())]


def _rows(lines: list[str]):
    """The lines of tables without their heads."""
    is_body = False
    for line in lines:
        if line.startswith("| ") and is_body:
            yield line
        is_body = is_body and line.startswith("|") or line.startswith("|---")


def names(heading: str) -> set[str]:
    """What stands in the first column."""
    return {row[0].strip("`") for row in table(heading)}


FAMILIES = {
    name.strip("`"): (kind, set(re.findall(r"`(\w+)`", labels))) for name, kind, labels, *_ in table("What there is")
}
QUEUES, FOLLOWERS, CHANNELS, OUTCOMES = map(names, ("Queues", "Followers", "Channels", "Outcomes"))


def methods() -> set[str]:
    """All that the protocol has, and the services of gRPC's own."""
    pool = descriptor_pool.Default()
    found = {"unknown", "grpc.health.v1.Health/Check", "grpc.health.v1.Health/Watch"}
    for version in ("v1", "v1alpha"):
        found.add(f"grpc.reflection.{version}.ServerReflection/ServerReflectionInfo")
    for file in (ROOT / "Protos/trackme").rglob("*.proto"):
        described = pool.FindFileByName(str(file.relative_to(ROOT / "Protos")))
        for service in described.services_by_name.values():
            found |= {f"{service.full_name}/{method.name}" for method in service.methods}
    return found


# MARK: The server


class Watched(ServerProcess):
    """A server whose metrics can be read."""

    def __init__(self, environment: dict[str, str] | None = None):
        self.metrics_port = free_port()
        super().__init__(
            {
                "TRACKME_HEARTBEAT_MS": "200", "TRACKME_METRICS_LISTEN": f"127.0.0.1:{self.metrics_port}",
                "TRACKME_COMPACTION_SECONDS": "3",
                **(environment or {}),
            }
        )  # fmt: skip

    def page(self) -> Page:
        return scrape(self.metrics_port)

    def fresh(self) -> Page:
        """A page of what is so from now on: one that was made before may be given to others for 0.2 s."""
        time.sleep(0.25)
        return self.page()

    def until(self, condition, seconds: float = 15) -> Page:
        """The first page of which something holds."""

        def look():
            page = self.page()
            return page if condition(page) else None

        return wait_until(look, seconds, "the number")


@pytest.fixture(scope="module")
def gateway():
    with SmsGateway() as gateway:
        yield gateway


@pytest.fixture(scope="module")
def mail():
    with MailServer() as server:
        yield server


@pytest.fixture(scope="module")
def server(gateway, mail, tmp_path_factory):
    """A server that has everything that can be configured, and takes us for a proxy."""
    secret = tmp_path_factory.mktemp("payments") / "secret"
    secret.write_text("a-secret-of-the-provider\n")
    webhook = f"http://127.0.0.1:{free_port()}/alerts"
    process = Watched(
        sos_environment(
            gateway,
            TRACKME_TRUSTED_PROXIES="127.0.0.1", TRACKME_DISPATCH_WEBHOOKS=webhook,
            TRACKME_SMTP_URL=mail.url, TRACKME_SMTP_TLS="none", TRACKME_MAIL_FROM="trackme@service.example",
            TRACKME_PAYMENT_URL="http://127.0.0.1:9", TRACKME_PAYMENT_KEY_FILE=str(secret),
            TRACKME_PAYMENT_WEBHOOK_SECRET_FILE=str(secret), TRACKME_WEBHOOK_LISTEN=f"127.0.0.1:{free_port()}",
            TRACKME_OIDC_ISSUER="http://127.0.0.1:9", TRACKME_OIDC_CLIENT_ID="trackme",
        )
    ).start()  # fmt: skip
    yield process
    status, tail = process.stop(), process.log_tail()
    process.remove()
    assert status == 0, tail


@pytest.fixture
def own():
    """One to be mistreated."""
    process = Watched().start()
    yield process
    process.remove()


@pytest.fixture(scope="module")
def accounts(server):
    accounts = Accounts(server)
    yield accounts
    accounts.close()


@pytest.fixture(scope="module")
def operator(server):
    with Caller(server.target, server.operator_token) as caller:
        yield caller


# MARK: The page and the server have the same


def test_the_page_has_exactly_what_is_scraped(server):
    page = server.page()
    assert set(page.families) == set(FAMILIES)
    assert {name: family.kind for name, family in page.families.items()} == {
        name: kind for name, (kind, _) in FAMILIES.items()
    }


def test_names_say_what_they_are(server):
    for name, family in server.page().families.items():
        assert name.startswith("trackme_")
        assert (family.kind == "counter") == name.endswith("_total"), name
        assert not re.search(r"_(ms|milliseconds|minutes|kib|mib|percent)(_|$)", name), name
        assert family.help.endswith("."), name


def test_queues_and_their_limits_are_those_of_the_page(server):
    page = server.page()
    assert page.values("queue") == QUEUES
    limits = {row[0].strip("`"): row[1].replace(",", "") for row in table("Queues")}
    for queue in QUEUES:
        key = ("trackme_queue_limit", frozenset({("queue", queue)}))
        assert page.families["trackme_queue_limit"].samples.get(key) == (
            float(limits[queue]) if limits[queue] else None
        ), queue
    assert page.values("follower") == FOLLOWERS


def test_limits_are_those_of_the_configuration(server):
    page = server.page()
    assert page("trackme_calls_limit") == 100_000
    assert page("trackme_commit_waiting_bytes_limit") == 16 << 20
    descriptors = int(page("trackme_process_max_fds"))
    assert Path(f"/proc/{server.process.pid}/limits").read_text().split("Max open files")[1].split()[0] == f"{descriptors}"
    # Less what HTTP gets for each of its two addresses here, of which one is that of metrics.
    assert page("trackme_connections_limit") == min(50_000, descriptors - 256 - 2 * 1_024)


# MARK: Each number moves when it should


def test_calls_are_counted_by_method_and_status(server, operator, accounts):
    before = server.fresh()
    operator.metrics()
    with fails(grpc.StatusCode.UNAUTHENTICATED):
        accounts.anonymous().ask("GetAccount")
    with pytest.raises(grpc.RpcError) as none:
        operator.channel.unary_unary("/trackme.readings.v1.ReadingService/OfPerson4711")(b"", timeout=60)
    assert none.value.code() == grpc.StatusCode.UNIMPLEMENTED

    def grown(method: str, status: str):
        labels = {"method": method, "status": status}
        return lambda page: page("trackme_calls_total", **labels) - before("trackme_calls_total", **labels)

    for method, status in (
        ("trackme.readings.v1.ReadingService/ListMetrics", "OK"),
        ("trackme.identity.v1.IdentityService/GetAccount", "UNAUTHENTICATED"),
        ("unknown", "UNIMPLEMENTED"),
    ):
        assert grown(method, status)(server.until(grown(method, status))) == 1, method


def test_a_call_that_its_client_leaves_is_cancelled(server, operator):
    labels = {"method": "trackme.sharing.v1.SubscriptionService/Subscribe", "status": "CANCELLED"}
    before = server.fresh()("trackme_calls_total", **labels)
    operator.subscribe([1]).standing().cancel()
    server.until(lambda page: page("trackme_calls_total", **labels) == before + 1)


def test_running_calls_and_connections_come_and_go(server):
    before = server.fresh()
    callers = [Caller(server.target, server.operator_token) for _ in range(5)]
    for number, caller in enumerate(callers):
        # Each a connection of its own.
        caller.channel = grpc.insecure_channel(server.target, [("grpc.use_local_subchannel_pool", 1), ("test", number)])
    streams = [caller.subscribe([2]).standing() for caller in callers]
    page = server.until(lambda page: page("trackme_calls_running") >= before("trackme_calls_running") + 5)
    assert page("trackme_connections") >= before("trackme_connections") + 5
    assert page("trackme_process_open_fds") >= before("trackme_process_open_fds") + 5
    for stream, caller in zip(streams, callers, strict=True):
        stream.cancel()
        caller.channel.close()
    server.until(
        lambda page: page("trackme_calls_running") <= before("trackme_calls_running")
        and page("trackme_connections") <= before("trackme_connections")
    )


def test_calls_that_are_too_many_are_refused_and_counted(server):
    """Of strangers behind one address; what they send does not come."""
    before = server.fresh()
    behind = (("x-forwarded-for", "198.51.100.7"),)
    with server.open_channel() as channel:
        silent = [
            channel.stream_unary("/trackme.identity.v1.IdentityService/LogIn").future(_never(), metadata=behind)
            for _ in range(100)
        ]
        server.until(lambda page: page("trackme_calls_running") >= before("trackme_calls_running") + 100)
        request = identity.GetRegistrationFormRequest(kind=PERSON)
        with pytest.raises(grpc.RpcError) as refusal:
            IdentityServiceStub(channel).GetRegistrationForm(request, metadata=behind, timeout=60)
        assert refusal.value.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
        for call in silent:
            call.cancel()
    labels = {
        "method": "trackme.identity.v1.IdentityService/GetRegistrationForm",
        "status": "RESOURCE_EXHAUSTED",
    }
    page = server.until(lambda page: page("trackme_calls_refused_total") > before("trackme_calls_refused_total"))
    assert page("trackme_calls_refused_total") == before("trackme_calls_refused_total") + 1
    assert page("trackme_calls_total", **labels) == before("trackme_calls_total", **labels) + 1


def _never():
    """Requests that do not come until the call is over."""
    threading.Event().wait(10)
    yield from ()


def test_commits_are_counted_with_what_is_in_them(server, operator):
    before = server.fresh()
    operator.record([reading(3, T0 + second * 1_000_000, 60) for second in range(700)])
    page = server.until(lambda page: page("trackme_committed_readings_total") > before("trackme_committed_readings_total"))

    def grown(name):
        return page(name) - before(name)

    assert grown("trackme_committed_readings_total") == 700
    assert 700 * 8 <= grown("trackme_committed_bytes_total") <= 700 * 100
    assert grown("trackme_commit_groups_total") == grown("trackme_commit_seconds") == 1
    line = ("trackme_commit_seconds_sum", frozenset())
    took = page.families["trackme_commit_seconds"].samples[line] - before.families["trackme_commit_seconds"].samples[line]
    assert 0 < took < 10


def test_compaction_works_off_its_backlog(server, operator):
    def backlog(page):
        return page("trackme_compaction_backlog_rows")

    server.until(lambda page: backlog(page) == 0, COMPACTION_S)
    for second in range(3):
        operator.record([reading(4, T0 + second * 1_000_000, 60)])
    page = server.until(lambda page: backlog(page) >= 1)
    assert page("trackme_follower_lag_positions", follower="compaction") == backlog(page)
    assert page("trackme_follower_lag_seconds", follower="compaction") < COMPACTION_S
    # Time goes on as long as nothing is done.
    later = server.until(lambda later: backlog(later) == 0 or later("trackme_follower_lag_seconds", follower="compaction") > 1)
    assert later("trackme_follower_lag_seconds", follower="group_cells") > 0
    page = server.until(lambda page: backlog(page) == 0, COMPACTION_S)
    assert page("trackme_follower_lag_seconds", follower="compaction") == 0
    assert page("trackme_follower_lag_positions", follower="deliveries") == 0


def test_calls_for_help_are_counted_until_somebody_takes_them(server, accounts, gateway):
    def calls(page, channel, outcome):
        return page("trackme_dispatch_calls_total", channel=channel, outcome=outcome)

    before = server.fresh()
    patient, rescue = Patient(accounts), accounts.dispatcher()
    with Handling(rescue) as handling:
        patient.cross()
        emergency = handling.call_for(patient.number)
        page = server.until(lambda page: page("trackme_emergencies_untaken") == 1)
        server.until(
            lambda later: later("trackme_emergencies_untaken_seconds") > page("trackme_emergencies_untaken_seconds")
        )
        server.until(
            lambda page: all(calls(page, channel, "placed") > calls(before, channel, "placed") for channel in ("sms", "voice"))
        )
        # Nobody is behind the webhook.
        server.until(lambda page: calls(page, "webhooks", "failed") > calls(before, "webhooks", "failed"))
        handling.answer(emergency.emergency_id, 1, "incident 4711")
        page = server.until(lambda page: page("trackme_emergencies_untaken") == 0)
    assert page("trackme_emergencies_untaken_seconds") == 0
    page = server.until(lambda page: calls(page, "dispatchers", "taken") == calls(before, "dispatchers", "taken") + 1)
    assert calls(page, "dispatchers", "placed") == calls(before, "dispatchers", "placed") + 1
    patient.leave()


def test_races_tick_for_their_spectators(server, accounts):
    before = server.fresh()
    runner, spectator = Runner(accounts), accounts.person()
    row = put_race(server, accounts.person(), "running", [runner.member], name="Corsa di Anna")
    present(server, row, [runner.member])
    watching = Spectator(spectator, row.race_id)
    watching.until(lambda rows: len(rows) == 1)
    assert watching.state == race.RACE_STATE_RUNNING
    runner.run(row.starts + 60, 0, 30, speed=4)
    watching.until(lambda rows: rows[1].marker_m > 50)
    page = server.until(lambda page: page("trackme_race_tick_seconds") > before("trackme_race_tick_seconds"))
    assert page("trackme_races_followed") == before("trackme_races_followed") + 1
    assert page("trackme_race_spectators") == before("trackme_race_spectators") + 1
    assert page("trackme_race_ticks_total") > page("trackme_race_tick_seconds")
    assert page("trackme_race_frames_total") >= before("trackme_race_frames_total") + 2
    assert page("trackme_follower_lag_positions", follower="races") == 0
    watching.call.cancel()
    server.until(lambda page: page("trackme_race_spectators") == before("trackme_race_spectators"))
    runner.leave()


def test_a_mail_that_is_not_taken_waits(server, accounts, mail):
    mail.hold.clear()
    try:
        accounts.person()
        server.until(lambda page: page("trackme_queue_length", queue="mails") >= 1)
    finally:
        mail.hold.set()
    server.until(lambda page: page("trackme_queue_length", queue="mails") == 0, 30)


def test_passwords_wait_for_their_turn(own):
    """More log-ins than there are turns; those of this machine are one network."""

    def log_in(number):
        with Party(own.target, None) as somebody, pytest.raises(grpc.RpcError):
            somebody.ask("LogIn", name=f"nobody-{number}", password="wrong and long enough")

    queues = ("password_networks", "password_hashes")
    with ThreadPoolExecutor(100) as pool:
        done = [pool.submit(log_in, number) for number in range(100)]
        waited = set()
        while not all(task.done() for task in done):
            page = own.page()
            waited |= {queue for queue in queues if page("trackme_queue_length", queue=queue) > 0}
        for task in done:
            task.result()
    assert waited == set(queues)
    own.until(lambda page: sum(page("trackme_queue_length", queue=queue) for queue in queues) == 0)


def test_the_process_is_as_the_system_sees_it(server):
    pid, page = server.process.pid, server.fresh()
    ticks = os.sysconf("SC_CLK_TCK")
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    assert page("trackme_process_cpu_seconds_total") == pytest.approx((int(fields[11]) + int(fields[12])) / ticks, abs=1)
    resident = int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")
    assert page("trackme_process_resident_memory_bytes") == pytest.approx(resident, rel=0.3)
    assert page("trackme_process_open_fds") == pytest.approx(len(os.listdir(f"/proc/{pid}/fd")), abs=5)
    booted = int(re.search(r"^btime (\d+)", Path("/proc/stat").read_text(), re.MULTILINE)[1])
    assert page("trackme_process_start_time_seconds") == pytest.approx(booted + int(fields[19]) / ticks, abs=0.1)
    while server.page()("trackme_process_cpu_seconds_total") == page("trackme_process_cpu_seconds_total"):
        pass


# MARK: Nobody is named


def test_no_label_names_anybody(server, accounts, operator):
    """After everything above, and more that somebody might be found by."""
    for path in ("/trackme/Anna", "/x", f"/trackme.sos.v1.SosService/{accounts.person().credentials.username}"):
        with pytest.raises(grpc.RpcError):
            operator.channel.unary_unary(path)(b"", timeout=60)
    page = server.fresh()
    assert page.labels == {"method", "status", "queue", "follower", "channel", "outcome"}
    assert page.values("method") <= methods()
    assert page.values("status") <= STATUSES
    assert page.values("queue") == QUEUES
    assert page.values("follower") == FOLLOWERS
    assert page.values("channel") == CHANNELS
    assert page.values("outcome") == OUTCOMES
    for name, family in page.families.items():
        assert family.labels <= FAMILIES[name][1], name
    assert page("trackme_metrics_dropped_total") == 0


# MARK: Outages


def test_what_waits_for_postgresql_is_seen(own):
    with Caller(own.target, own.operator_token) as operator, operator.push(fresh_client()) as push:
        push.commit(1, scalars(7, [(T0, 60)]))
        with hung(own):
            begun = time.monotonic()
            for sequence in range(2, 6):
                push.batch(sequence, scalars(7, [(T0 + sequence * 1_000_000, 60)] * 100))
                time.sleep(0.05)
            page = own.until(
                lambda page: page("trackme_commit_age_seconds") > 0.5
                and page("trackme_queue_length", queue="commit_readings") > 0,
                60,
            )
            assert page("trackme_commit_waiting_bytes") > 0
            assert page("trackme_queue_length", queue="commit_batches") >= 1
            assert page("trackme_commit_age_seconds") <= time.monotonic() - begun + 1
            own.until(lambda page: page("trackme_serving") == 0, 30)
            started = time.monotonic()
            page = own.page()
            assert since(started) < 4, "a scrape waits for nobody"
            lengths = page.families["trackme_queue_length"].samples
            assert ("trackme_queue_length", frozenset({("queue", "mails")})) not in lengths
        page = own.until(lambda page: page("trackme_serving") == 1 and page("trackme_commit_age_seconds") == 0, 60)
        assert page("trackme_commit_waiting_bytes") == 0


def test_a_commit_that_fails_is_counted(own):
    with Caller(own.target, own.operator_token) as operator, operator.push(fresh_client()) as push:
        push.commit(1, scalars(7, [(T0, 60)]))
        before = own.page()
        with refused(own):
            push.batch(2, scalars(7, [(T0 + 1, 60)]))
            own.until(lambda page: page("trackme_commit_failures_total") > before("trackme_commit_failures_total"), 30)


def test_a_server_that_is_started_again_says_so(own):
    before = own.page()
    assert own.stop() == 0
    own.start()
    page = own.page()
    assert page("trackme_process_start_time_seconds") > before("trackme_process_start_time_seconds")
    assert page("trackme_calls_total", method="grpc.reflection.v1.ServerReflection/ServerReflectionInfo") == 0


# Of few, one in three is of HTTP, or as many as the configuration says; gRPC keeps 16.
@pytest.mark.parametrize(
    ("configured", "of_http"), [(None, (2_000 - 256) // 3), ("900", 900), ("20000", 2_000 - 256 - 16)]
)
def test_limits_follow_the_descriptors(configured, of_http):
    process = Watched()
    process.environment["TRACKME_WEB_LISTEN"] = "127.0.0.1:0"
    if configured:
        process.environment["TRACKME_WEB_CONNECTIONS"] = configured
    process.launcher = ("prlimit", "--nofile=2000:2000")
    try:
        page = process.start().page()
        assert page("trackme_process_max_fds") == 2_000
        assert page("trackme_connections_limit") == 2_000 - 256 - of_http
    finally:
        process.remove()


# MARK: Who may ask, and what


@pytest.mark.parametrize(
    ("request_text", "status"),
    [
        ("POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nhi", 405),
        ("PUT /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n", 405),
        ("DELETE /metrics HTTP/1.1\r\nHost: x\r\n\r\n", 405),
        ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", 404),
        ("GET /metrics/ HTTP/1.1\r\nHost: x\r\n\r\n", 404),
        ("GET /metricsx HTTP/1.1\r\nHost: x\r\n\r\n", 404),
        ("GET /../metrics HTTP/1.1\r\nHost: x\r\n\r\n", 404),
        ("GET /v1/payment-events HTTP/1.1\r\nHost: x\r\n\r\n", 404),
        ("GET /metrics?person=7 HTTP/1.1\r\nHost: x\r\n\r\n", 200),
        ("GET /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n", 400),
        ("nonsense\r\n\r\n", None),
    ],
)
def test_everything_else_is_refused(server, request_text, status):
    """What is no request at all gets no answer: its connection is closed."""
    with closing(socket.create_connection(("127.0.0.1", server.metrics_port), timeout=60)) as connection:
        connection.sendall(request_text.encode())
        answer = connection.recv(64).decode()
    assert answer.startswith(f"HTTP/1.1 {status} ") if status else answer == "", answer
    server.page()


def test_many_who_ask_at_once_all_get_a_page(server):
    with ThreadPoolExecutor(30) as pool:
        pages = list(pool.map(lambda _: server.page(), range(120)))
    assert all(set(page.families) == set(FAMILIES) for page in pages)


def test_without_the_variable_nothing_listens():
    process = ServerProcess()
    try:
        process.start()
        assert "/metrics" not in process.log.read_text()
        assert process.stop() == 0
    finally:
        process.remove()


def start_fails(tmp_path, listen: str, *options: str) -> str:
    """What a server says that does not start."""
    done = subprocess.run(
        [binary(), "serve", "--listen", "127.0.0.1:0", "--data-dir", tmp_path / "data", *options],
        capture_output=True, text=True, timeout=60, env={**os.environ, "TRACKME_METRICS_LISTEN": listen},
    )  # fmt: skip
    assert done.returncode != 0
    return done.stderr


@pytest.mark.parametrize("listen", ["0.0.0.0:0", "[::]:0", "192.0.2.1:9464", "metrics.example.org:9464"])
def test_others_can_read_them_only_if_somebody_says_so(tmp_path, listen):
    said = start_fails(tmp_path, listen)
    assert "TRACKME_METRICS_LISTEN" in said and "--insecure" in said


@pytest.mark.parametrize("listen", ["9464", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:70000", ":9464"])
def test_what_is_no_address_is_refused(tmp_path, listen):
    assert "TRACKME_METRICS_LISTEN" in start_fails(tmp_path, listen)


def test_with_insecure_others_can_read_them():
    port = free_port()
    process = ServerProcess({"TRACKME_METRICS_LISTEN": f"0.0.0.0:{port}"})
    process.options = ("--insecure",)
    try:
        process.start()
        assert process.health() == SERVING
        scrape(port)
        assert process.stop() == 0
    finally:
        process.remove()


def test_an_address_that_is_taken_is_said_at_the_start():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        process = ServerProcess({"TRACKME_METRICS_LISTEN": f"127.0.0.1:{taken.getsockname()[1]}"})
        try:
            assert process.start(wait=False).process.wait(60) != 0
            assert "in use" in process.log.read_text()
        finally:
            process.remove()
