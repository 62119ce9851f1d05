"""Strangers and their bodies over HTTP: what is refused is refused before it is read, and who only holds things up holds up
nobody else."""

from __future__ import annotations

import os
import select
import socket
import time
from contextlib import suppress

import grpc
import pytest

from trackme.protocol import identity, races

from calls import reflected_methods
from server_process import SERVING, ServerProcess, wait_until
from stalls import since
from web import VERSION, Browser, Web, outcome

ACCOUNT = "/trackme.identity.v1.IdentityService/GetAccount"
LOG_IN = "/trackme.identity.v1.IdentityService/LogIn"
PLAN = "/trackme.races.v1.RaceService/PlanRoutes"
STATUS = "/trackme.readings.v1.ReadingService/GetCurrentStatus"
WATCH = "/trackme.readings.v1.ReadingService/WatchReadings"
STRANGERS_PER_ADDRESS = 100


@pytest.fixture(scope="module")
def methods(server):
    with grpc.insecure_channel(server.target) as channel:
        return {m.path: m for m in reflected_methods(channel)}


def begun(
    port: int, path: str, *headers: str, content: str = "application/json", bytes_: int = 1_000_000, source: str = "127.0.0.1"
) -> socket.socket:  # fmt: skip
    """A request whose head was sent, and nothing of its body."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=60, source_address=(source, 0))
    lines = [f"POST {path} HTTP/1.1", "Host: x", f"Content-Type: {content}", f"Content-Length: {bytes_}", *headers]
    connection.sendall("\r\n".join([*lines, "", ""]).encode())
    return connection


def test_a_call_that_is_refused_is_answered_before_its_body_comes(server, person):
    """Whatever its length; nor is the body of who asks first whether it is wanted."""
    for bytes_ in (2, 1_000_000, 200_000_000):
        for headers in ([], ["Expect: 100-continue"], ["Authorization: Bearer nothing"]):
            with begun(server.web_port, STATUS, *headers, bytes_=bytes_) as connection:
                assert connection.recv(100).startswith(b"HTTP/1.1 401 "), headers
            with begun(server.web_port, WATCH, *headers, content="application/connect+json", bytes_=bytes_) as connection:
                response = b"".join(iter(lambda: connection.recv(65_536), b""))
                assert response.startswith(b"HTTP/1.1 200 ") and b'"unauthenticated"' in response, headers
    token = f"Authorization: Bearer {server.person_token(person)}"
    with begun(server.web_port, STATUS, token, "Expect: 100-continue") as connection:
        assert connection.recv(100).startswith(b"HTTP/1.1 100 "), "a call that is taken is read"


def asked(port: int, head: bytes, piece: int) -> bytes:
    """What comes back until the connection ends, when so many bytes are sent at a time."""
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        with suppress(BrokenPipeError, ConnectionResetError):
            for start in range(0, len(head), piece):
                connection.sendall(head[start : start + piece])
        return b"".join(iter(lambda: connection.recv(65_536), b""))


@pytest.mark.parametrize("piece", [1, 1 << 20], ids=["byte by byte", "at once"])
@pytest.mark.parametrize(
    ("line", "fields", "status"),
    [
        ("POST / HTTP/1.1", "Content-Length: abc\r\n", 400),
        ("POST / HTTP/1.1", "Content-Length: \r\n", 400),
        ("POST / HTTP/1.1", "Content-Length: 99999999999999999999\r\n", 413),
        (f"GET /?{'a&' * 100} HTTP/1.1", "", 431),
        (f"GET /?{'a&' * 900} HTTP/1.1", "", 431),
        ("GET / HTTP/1.1", f"A: {'a' * 4_500}\r\n", 431),
    ],
)
def test_a_head_that_is_none_is_answered_once(server, line, fields, status, piece):
    answer = asked(server.web_port, f"{line}\r\nHost: x\r\n{fields}\r\n".encode(), piece)
    assert answer.startswith(f"HTTP/1.1 {status} ".encode()) and answer.count(b"HTTP/1.1 ") == 1


@pytest.mark.parametrize("codec", ["json", "proto"])
def test_what_grpc_lets_through_http_lets_through(server, accounts, methods, codec):
    """A GPX file may have 4 MiB, other messages 1 MiB; in JSON bytes are longer."""
    who = accounts.person()
    web = Web(server.web_port)

    def reason(method, token: str | None, message) -> tuple[grpc.StatusCode, bool]:
        got = outcome(web, methods[method], token, [message.SerializeToString()], codec)
        return got.code, got.reason == "MESSAGE_TOO_LONG"

    refused, taken = grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.INVALID_ARGUMENT
    assert reason(PLAN, who.token, races.PlanRoutesRequest(gpx=b"x" * (4 << 20))) == (taken, False)
    assert reason(PLAN, who.token, races.PlanRoutesRequest(gpx=b"x" * ((4 << 20) + 70_000)))[0] == refused
    assert reason(LOG_IN, None, identity.LogInRequest(name="x" * ((1 << 20) - 10)))[0] == taken
    assert reason(LOG_IN, None, identity.LogInRequest(name="x" * (1 << 20)))[0] == refused
    longest = 4 << 20 if codec == "json" else 1 << 20
    assert reason(LOG_IN, None, identity.LogInRequest(name="x" * (longest + 1))) == (refused, True)


def test_bodies_that_do_not_come_keep_nobody_out(server, accounts):
    """Of strangers more than there is room for: the oldest calls end, as over gRPC."""
    who = accounts.person()

    def log_in() -> bool:
        name = {"name": who.credentials.username, "password": who.credentials.password}
        return Web(server.web_port).post(LOG_IN, name).status == 200

    def still_silent() -> int:
        """How many there were when all had been let in; silent calls end after ten seconds."""
        silent = [begun(server.web_port, LOG_IN, bytes_=1_000) for _ in range(2_100)]
        try:
            # A machine that is behind takes only now what was sent before: this one may then be the oldest.
            wait_until(log_in, what="a log-in")
            wait_until(lambda: Browser(server.web_port).log_in(who.credentials).status == 204, what="a browser's log-in")
            assert Web(server.web_port, {"Authorization": f"Bearer {who.token}"}).post(ACCOUNT, {}).status == 200
            ended = select.poll()
            for connection in silent:
                ended.register(connection, select.POLLIN)
            return len(silent) - len(ended.poll(0))
        finally:
            for connection in silent:
                connection.close()

    assert any(still_silent() > 1_000 for _ in range(3)), "the silent calls were over each time"


@pytest.mark.long
def test_a_stranger_has_ten_seconds_for_a_body_as_over_grpc(server):
    began = time.monotonic()
    with begun(server.web_port, LOG_IN, bytes_=100) as connection:
        connection.settimeout(0.2)
        while since(began) < 25:
            # As slowly as may be: the call ends, and then its connection.
            try:
                connection.sendall(b" ")
                if connection.recv(1) == b"":
                    break
            except TimeoutError:
                pass
            except OSError:
                break
    assert time.monotonic() - began > 9 and since(began) < 20


def test_only_a_proxy_of_the_configuration_says_where_a_call_comes_from():
    """Seen by the limit of strangers' calls of one address, from which this machine is exempt."""
    server = ServerProcess({"TRACKME_TRUSTED_PROXIES": "127.0.0.3"}, has_web=True).start()
    held = []

    def asked(source: str, hops: str) -> tuple[socket.socket, bytes]:
        """A call whose body does not come, and what is said when it asks whether it may."""
        connection = begun(
            server.web_port, LOG_IN, f"X-Forwarded-For: {hops}", "Expect: 100-continue", source=source, bytes_=100)  # fmt: skip
        held.append(connection)
        return connection, connection.recv(1_000)

    def hold(source: str, hops: str) -> None:
        # Answered, so it is counted before the next one comes.
        assert asked(source, hops)[1].startswith(b"HTTP/1.1 100 ")

    def is_refused(source: str, hops: str) -> bool:
        connection, answer = asked(source, hops)
        connection.close()
        assert answer.startswith((b"HTTP/1.1 100 ", b"HTTP/1.1 429 "))
        return b"429" in answer

    try:
        for _ in range(STRANGERS_PER_ADDRESS):
            hold("127.0.0.1", "192.0.2.1")
        assert not is_refused("127.0.0.1", "192.0.2.1"), "no proxy is at that address"
        assert not is_refused("127.0.0.3", "192.0.2.1"), "so nothing is counted for that address"
        for _ in range(STRANGERS_PER_ADDRESS):
            hold("127.0.0.3", "198.51.100.7, 192.0.2.1")
        assert is_refused("127.0.0.3", "192.0.2.1"), "the newest address that is no proxy counts"
        assert not is_refused("127.0.0.3", "198.51.100.7"), "what stands before it was written by a stranger"
    finally:
        for connection in held:
            connection.close()
        server.remove()


def test_as_many_spectators_as_the_configuration_says_have_connections_where_descriptors_are_few():
    """Without the variable they would have a third of 744."""
    server = ServerProcess({"TRACKME_WEB_CONNECTIONS": "600"}, has_web=True)
    server.launcher = ("prlimit", "--nofile=1000:1000")
    held = []
    try:
        server.start()
        for _ in range(600):
            connection = socket.create_connection(("127.0.0.1", server.web_port), timeout=60)
            connection.sendall(b"GET / HTTP/1.1\r\n")
            held.append(connection)
        assert server.health() == SERVING, "and gRPC has its own"
        # The next one is taken after all of these.
        held.append(socket.create_connection(("127.0.0.1", server.web_port), timeout=60))
        ended = select.poll()
        for connection in held[:-1]:
            ended.register(connection, select.POLLIN)
        closed = [file for file, _ in ended.poll(5_000)]
        assert closed == [held[0].fileno()], "one more is too many, and the oldest makes room"
        assert "connections=600" in server.log_tail()
    finally:
        for connection in held:
            connection.close()
        server.remove()


def test_connections_over_http_leave_descriptors_to_grpc():
    """And to everything else: of few descriptors each has its part, whoever holds all that there are."""
    server = ServerProcess(has_web=True)
    server.launcher = ("prlimit", "--nofile=256:256")
    held = []
    try:
        server.start()
        for number in range(300):
            connection = socket.create_connection(("127.0.0.1", server.web_port), timeout=60)
            connection.sendall(b"GET / HTTP/1.1\r\n" if number % 2 else b"")
            held.append(connection)
        files = len(os.listdir(f"/proc/{server.process.pid}/fd"))
        assert files < 200, f"{files} descriptors are in use"
        assert server.health() == SERVING
        assert Web(server.web_port).send("GET", "/readyz").status == 200, "the oldest make room"
    finally:
        for connection in held:
            connection.close()
        server.remove()
