"""A PostgreSQL of somebody's own that lacks what a server needs: the server says what, and does not start; and one that stops
to commit later on: the server says that it does not serve."""

from __future__ import annotations

import threading
from contextlib import suppress

import grpc
import psycopg
import pytest

from metrics_page import scrape
from server_process import NOT_SERVING, SERVING, ServerProcess, free_port, wait_until
from streams import Caller, reading
from transaction_pooler import TransactionPooler
from web import Web

T0 = 1_700_000_000_000_000
CONNECTIONS = 20


@pytest.fixture(scope="module")
def host():
    """A server, for its PostgreSQL."""
    process = ServerProcess().start()
    yield process
    process.remove()


def guest(url: str, **more) -> ServerProcess:
    return ServerProcess({"TRACKME_DATABASE_URL": url}, **more)


def refusal(server: ServerProcess) -> str:
    """What a server says that does not start."""
    try:
        server.start(wait=False)
        assert server.process.wait(20) not in (0, None)
        return server.log_tail()
    finally:
        server.remove()


def test_behind_a_pooler_in_transaction_mode_a_server_does_not_start_and_says_what_it_lacks(host):
    host.sql("CREATE DATABASE pooled")
    _, directory, _, port = host.psql_arguments[:4]
    pooler = TransactionPooler(directory, port)
    try:
        said = refusal(guest(pooler.url("pooled")))
    finally:
        pooler.close()
    assert "advisory locks of sessions, settings of sessions, prepared statements" in said
    assert "session mode" in said
    # Nothing was done with it.
    with psycopg.connect(host=directory, port=port, user="trackme", dbname="pooled") as connection:
        assert connection.execute("SELECT to_regclass('schema_migration')").fetchone() == (None,)


@pytest.mark.long
def test_a_role_with_one_connection_too_few_is_refused_with_the_number_and_one_with_just_enough_serves(host):
    host.sql(f"CREATE ROLE narrow LOGIN CONNECTION LIMIT {CONNECTIONS - 1}")
    host.sql("CREATE DATABASE narrow OWNER narrow")
    _, directory, _, port = host.psql_arguments[:4]
    with psycopg.connect(host=directory, port=port, user="trackme", dbname="narrow", autocommit=True) as connection:
        # These take a superuser.
        connection.execute("CREATE EXTENSION postgis; CREATE EXTENSION pg_trgm; CREATE EXTENSION pgrouting")
    url = f"postgresql://narrow@/narrow?host={directory}&port={port}"
    said = refusal(guest(url))
    assert f"it uses {CONNECTIONS} connections, and got {CONNECTIONS - 1}" in said
    assert 'too many connections for role "narrow"' in said

    host.sql(f"ALTER ROLE narrow CONNECTION LIMIT {CONNECTIONS}")
    server = guest(url)
    try:
        server.start()
        with Caller(server.target, server.operator_token) as caller:
            caller.record([reading(7, T0, 60)])
            assert [r.scalar for r in caller.history(7)] == [60]
        assert server.stop() == 0, server.log_tail()
        assert "too many connections" not in server.log.read_text()
    finally:
        server.remove()


def test_a_server_whose_commits_do_not_come_for_five_seconds_says_so_everywhere():
    port = free_port()
    server = ServerProcess({"TRACKME_METRICS_LISTEN": f"127.0.0.1:{port}"}, has_web=True).start()

    def said() -> list:
        """What is said where it can be asked."""
        return [server.health(), Web(server.web_port).send("GET", "/readyz").status,
                scrape(port)("trackme_serving")]  # fmt: skip

    try:
        assert said() == [SERVING, 200, 1]
        with Caller(server.target, server.operator_token) as caller, server.connect() as connection:
            caller.record([reading(7, T0, 60)])
            # Everything but what commits readings is answered.
            connection.execute("BEGIN; LOCK TABLE reading_log IN EXCLUSIVE MODE")

            def record() -> None:
                with suppress(grpc.RpcError):
                    caller.record([reading(7, T0 + 1, 61)])

            asking = threading.Thread(target=record)
            asking.start()
            # Others may be given a page of metrics for 0.2 s.
            wait_until(lambda: said() == [NOT_SERVING, 503, 0], 10, "NOT_SERVING")
            assert caller.metrics(), "the database answers"
            connection.execute("COMMIT")
            asking.join()
            wait_until(lambda: said() == [SERVING, 200, 1], 10, "SERVING")
        assert server.stop() == 0, server.log_tail()
    finally:
        server.remove()
