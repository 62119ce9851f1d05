"""A database has one server: a second one is refused with a clear word, and the first goes on, whatever has ended the one
before."""

import subprocess
import threading
import time

import psycopg
import pytest

from server_process import ServerProcess, binary, wait_until
from stalls import since
from streams import Caller, fresh_client, reading, scalars

pytestmark = pytest.mark.strict

T0 = 1_700_000_000_000_000
KEY = 0x7472_6163_6B6D_6511
HOLDERS = (
    "SELECT a.pid FROM pg_locks l JOIN pg_stat_activity a USING (pid)"
    f" WHERE l.locktype = 'advisory' AND l.granted AND l.classid = {KEY >> 32} AND l.objid = {KEY & 0xFFFF_FFFF}"
)


@pytest.fixture
def host():
    """A server with its PostgreSQL."""
    process = ServerProcess({"TRACKME_HEARTBEAT_MS": "200"}).start()
    yield process
    process.remove()


def beside(host: ServerProcess, database: str = "trackme") -> ServerProcess:
    """A server that is to use a database of the host's PostgreSQL."""
    _, directory, _, port = host.psql_arguments[:4]
    return ServerProcess({"TRACKME_DATABASE_URL": f"postgresql://trackme@/{database}?host={directory}&port={port}"})


def refused(server: ServerProcess) -> str:
    """What a server says that ends at its start."""
    server.start(wait=False)
    assert server.process.wait(10) not in (0, None)
    return server.log_tail()


def test_a_second_server_on_a_database_is_refused_and_the_first_goes_on(host):
    with Caller(host.target, host.operator_token) as caller:
        client = fresh_client()
        with caller.push(client) as push, caller.subscribe([7]) as subscription:
            subscription.standing()
            push.commit(1, scalars(7, [(T0, 60)]))
            writers = "SELECT pid FROM pg_stat_activity WHERE application_name LIKE 'trackme-writer-%%'"
            writer = host.sql(writers)
            second = beside(host)
            try:
                said = refused(second)
            finally:
                second.remove()
            assert "another TrackMe server is running on this database" in said
            assert f"session {host.sql(HOLDERS)[0][0]}," in said
            # The same streams go on, on the same session of the writer.
            push.commit(2, scalars(7, [(T0 + 1, 61)]))
            assert sorted(r.scalar for r in caller.history(7)) == [60, 61]
            assert host.sql(writers) == writer and len(writer) == 1
    assert host.stop() == 0, host.log_tail()


def test_a_second_server_on_a_data_directory_is_refused_and_the_first_goes_on(host):
    ended = subprocess.run(
        [binary(), "serve", "--listen", "127.0.0.1:0", "--data-dir", host.data_dir / "data"],
        capture_output=True, text=True, timeout=60, env=host.environment,
    )  # fmt: skip
    assert ended.returncode != 0
    assert "another server is running on this data directory" in ended.stderr
    with Caller(host.target, host.operator_token) as caller:
        caller.record([reading(7, T0, 60)])
    assert host.stop() == 0


def test_after_a_kill_the_next_server_starts_within_two_seconds(host):
    host.sql("CREATE DATABASE elsewhere")
    server = beside(host, "elsewhere").start()
    try:
        for _ in range(3):
            with Caller(server.target, server.operator_token) as caller, caller.push() as push:
                push.commit(1, scalars(7, [(T0, 60)]))
                server.kill()
            began = time.monotonic()
            server.start()
            assert since(began) < 2
        assert server.stop() == 0, server.log_tail()
    finally:
        server.remove()


def test_a_server_outlives_its_postgresql_and_has_the_database_for_itself_again(host):
    (before,) = host.sql(HOLDERS)
    host.kill_postgres()
    wait_until(lambda: host.postmaster_pid() is not None, what="PostgreSQL")

    def held():
        try:
            return [pid for (pid,) in host.sql(HOLDERS) if pid != before]
        except (psycopg.Error, TypeError):  # PostgreSQL is not ready yet.
            return None

    wait_until(held, what="the lock")
    assert host.process.poll() is None
    second = beside(host)
    try:
        assert "another TrackMe server is running on this database" in refused(second)
    finally:
        second.remove()
    with Caller(host.target, host.operator_token) as caller:
        caller.record([reading(7, T0, 60)])
    assert host.stop() == 0, host.log_tail()


def test_a_server_that_has_lost_the_database_to_another_ends_and_says_so(host):
    host.sql("CREATE DATABASE elsewhere")
    server = beside(host, "elsewhere").start()
    try:
        here = " AND l.database = (SELECT oid FROM pg_database WHERE datname = 'elsewhere')"
        [(holder,)] = host.sql(HOLDERS + here)
        _, directory, _, port = host.psql_arguments[:4]
        with psycopg.connect(
            host=directory, port=port, user="trackme", dbname="elsewhere", autocommit=True,
            application_name="trackme-server-another",
        ) as other:  # fmt: skip
            # It waits in line, so that the lock is its own at once.
            waiting = threading.Thread(target=other.execute, args=("SELECT pg_advisory_lock(%s)", (KEY,)))
            waiting.start()
            line = HOLDERS.replace("l.granted", "NOT l.granted")
            wait_until(lambda: host.sql(line), what="the other one in line")
            host.sql("SELECT pg_terminate_backend(%s)", (holder,))
            waiting.join()
            assert server.process.wait(20) not in (0, None)
        assert "another TrackMe server is running on this database" in server.log_tail()
    finally:
        server.remove()
