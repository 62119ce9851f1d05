"""Connections that do nothing, and descriptors that are few: nobody is locked out, and the server never ceases to
listen."""

import os
import resource
import socket
from contextlib import ExitStack

import grpc
import pytest
import trustme
from grpc_health.v1 import health_pb2, health_pb2_grpc

from server_process import SERVING, ServerProcess, wait_until

DESCRIPTORS = 256
IDLE = 400
KEPT = 32
"""Descriptors that the server gives to no connection."""
WATCHED = health_pb2.HealthCheckRequest(service="trackme.readings.v1.ReadingService")


@pytest.fixture(params=["plain", "tls"])
def crowded(request, tmp_path_factory):
    """A server with few descriptors."""
    environment, credentials = {}, None
    if request.param == "tls":
        pem = tmp_path_factory.mktemp("tls") / "server.pem"
        authority = trustme.CA()
        authority.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.write_to_path(pem)
        environment = {"TRACKME_TLS_CERTIFICATE": str(pem), "TRACKME_TLS_KEY": str(pem)}
        credentials = grpc.ssl_channel_credentials(authority.cert_pem.bytes())
    server = ServerProcess(environment, credentials)
    server.launcher = ("prlimit", f"--nofile=128:{DESCRIPTORS}")
    yield server.start()
    server.remove()


class Client:
    """A client with a connection of its own and a call that goes on."""

    def __init__(self, server):
        options = [("grpc.use_local_subchannel_pool", 1), ("grpc.enable_retries", 0)]
        self.channel = (
            grpc.insecure_channel(server.target, options)
            if server.credentials is None
            else grpc.secure_channel(server.target, server.credentials, options)
        )
        self.health = health_pb2_grpc.HealthStub(self.channel)
        try:
            self.watch = self.health.Watch(WATCHED, timeout=60)
            assert next(self.watch).status == SERVING
        except BaseException:
            self.channel.close()
            raise

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.channel.close()


def come(server, stack: ExitStack) -> Client:
    """A client that comes again when it is turned away, as clients do."""
    clients: list[Client] = []

    def is_in() -> bool:
        try:
            clients.append(stack.enter_context(Client(server)))
        except grpc.RpcError:
            return False
        return True

    wait_until(is_in, what="a connection")
    return clients[0]


def descriptors(server) -> set[int]:
    return set(map(int, os.listdir(f"/proc/{server.process.pid}/fd")))


def connect(server) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), timeout=60)


def test_idle_connections_lock_nobody_out_and_end_no_call(crowded):
    limit = resource.prlimit(crowded.process.pid, resource.RLIMIT_NOFILE)
    assert limit == (DESCRIPTORS, DESCRIPTORS), "raised as far as it may be"
    before = len(descriptors(crowded))
    with ExitStack() as stack:
        first = stack.enter_context(Client(crowded))
        idle = [stack.enter_context(connect(crowded)) for _ in range(IDLE)]
        with Client(crowded):
            assert len(descriptors(crowded)) < DESCRIPTORS - 32, "others need descriptors as well"
        # Those that have been there for longest have made room; the call has not.
        for connection in idle[: IDLE - DESCRIPTORS]:
            while connection.recv(4096):
                pass
        assert first.watch.is_active()
        assert crowded.health() == SERVING
    # Meanwhile the server may have connected to PostgreSQL once more.
    wait_until(lambda: len(descriptors(crowded)) <= before + 16, what="the end of the connections")
    assert "as many connections as may be" in crowded.log_tail()


def test_without_a_descriptor_newcomers_are_turned_away_until_there_is_one(crowded):
    pid = crowded.process.pid
    with ExitStack() as stack:
        # More than the connections to PostgreSQL that the server may open meanwhile, each of which takes a descriptor.
        for _ in range(40):
            stack.enter_context(connect(crowded))
        # Accepted in their order: this one has an answer, so the idle ones have their descriptors.
        stack.enter_context(Client(crowded))
        highest = max(descriptors(crowded))
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (highest + 1 + KEPT, DESCRIPTORS))
        try:
            # The idle connections give their descriptors.
            clients = [come(crowded, stack) for _ in range(4)]
            # Where each has a call, newcomers are told at once.
            with pytest.raises(grpc.RpcError) as refused:
                while len(clients) < 100:
                    clients.append(stack.enter_context(Client(crowded)))
            assert refused.value.code() == grpc.StatusCode.UNAVAILABLE
            # More than one: the server may want descriptors for something else just then.
            for client in clients[:16]:
                client.channel.close()
            wait_until(lambda: crowded.health() is not None, what="an answer")
        finally:
            resource.prlimit(pid, resource.RLIMIT_NOFILE, (DESCRIPTORS, DESCRIPTORS))
        with Client(crowded):
            pass
    assert "no file descriptor" in crowded.log_tail()
