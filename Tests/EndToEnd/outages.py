"""Ways in which PostgreSQL is of no use to a server."""

from __future__ import annotations

import os
import signal
import threading
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import psycopg
from psycopg import sql

from server_process import SERVING, ServerProcess, wait_until


def postgres_processes(server: ServerProcess) -> list[int]:
    """The postmaster and its children."""
    root = server.postmaster_pid()
    found = [root]
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = path.read_text().rpartition(")")[2].split()
        except (FileNotFoundError, ProcessLookupError):
            continue
        if int(fields[1]) == root:
            found.append(int(path.parent.name))
    return found


@contextmanager
def hung(server: ServerProcess):
    """It takes connections and questions, and answers nothing."""
    stopped = postgres_processes(server)
    for process in stopped:
        # One that PostgreSQL needs no more has ended by itself.
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGSTOP)
    try:
        yield
    finally:
        for process in stopped:
            # One that was ended meanwhile, as the server ends sessions that hang, is gone.
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGCONT)
    _wait_for_return(server)


@contextmanager
def refused(server: ServerProcess):
    """It is not there, and can't be started."""
    settings = next((server.data_dir / "data").glob("**/postgresql.auto.conf"))
    before = settings.read_text()
    settings.write_text(before + "\nthis is no setting\n")
    try:
        os.kill(server.postmaster_pid(), signal.SIGQUIT)
        wait_until(lambda: server.postmaster_pid() is None, what="the end of PostgreSQL")
        yield
    finally:
        settings.write_text(before)
    _wait_for_return(server)


@contextmanager
def slow(server: ServerProcess):
    """It answers, but every table is locked for as long as this goes on."""
    with server.connect() as connection:
        tables = connection.execute(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> 'spatial_ref_sys'"
        ).fetchall()
        _lock(connection, [table for (table,) in tables])
        try:
            yield
        finally:
            connection.execute("ROLLBACK")


def _lock(connection: psycopg.Connection, tables: list[str]) -> None:
    names = sql.SQL(", ").join(sql.Identifier(table) for table in tables)
    end = time.monotonic() + 20
    while True:
        connection.execute("BEGIN")
        try:
            connection.execute("SET LOCAL lock_timeout = '500ms'")
            connection.execute(sql.SQL("LOCK TABLE {} IN ACCESS EXCLUSIVE MODE").format(names))
            return
        except (psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected):
            connection.execute("ROLLBACK")
            assert time.monotonic() < end, "the tables can't be locked"


@contextmanager
def restarting(server: ServerProcess):
    """It dies whenever it is there again."""
    over = threading.Event()

    def kill() -> None:
        while not over.wait(0.02):
            if (pid := server.postmaster_pid()) is not None:
                try:
                    os.kill(pid, signal.SIGQUIT)
                except ProcessLookupError:
                    pass

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        wait_until(lambda: server.postmaster_pid() is None, what="the end of PostgreSQL")
        yield
    finally:
        over.set()
        killer.join()
    _wait_for_return(server)


def _wait_for_return(server: ServerProcess) -> None:
    wait_until(lambda: server.postmaster_pid() is not None and server.health() == SERVING, 60, "PostgreSQL")


OUTAGES = (hung, refused, slow, restarting)
