"""A real server as a process of its own, for tests that talk to it from outside."""

from __future__ import annotations

import atexit
import functools
import itertools
import os
import secrets
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
import time
from contextlib import suppress
from pathlib import Path

import grpc
import psycopg
from grpc_health.v1 import health_pb2, health_pb2_grpc

from patience import FACTOR

ROOT = Path(__file__).parents[1]
SERVING = health_pb2.HealthCheckResponse.SERVING
NOT_SERVING = health_pb2.HealthCheckResponse.NOT_SERVING


def binary() -> Path:
    """TRACKME_BIN, or the release build."""
    named = Path(os.environ.get("TRACKME_BIN", ".build/release/trackme"))
    return named if named.is_absolute() else ROOT / named


def wait_until(condition, seconds: float = 15.0, what: str = "the condition"):
    """The first true answer of `condition`, which is asked again and again for `seconds` times the patience of tests: the
    less often the longer it lasts, as whoever asks takes the processor from what is waited for."""
    seconds *= FACTOR
    began = time.monotonic()
    while True:
        if answer := condition():
            return answer
        if (waited := time.monotonic() - began) > seconds:
            raise AssertionError(f"{what} did not come within {seconds} s")
        time.sleep(min(0.1, max(0.01, waited / 10)))


class ServerProcess:
    """`trackme serve` on ports and a data folder of its own; all stay the same when it is started again. Its PostgreSQL is a
    copy of one that an earlier server has made, unless `from_scratch`: to make one takes a second and a half of a processor,
    and tests start hundreds."""

    CLUSTER = Path("data", "postgres", "data")

    def __init__(
        self, environment: dict[str, str] | None = None, credentials: grpc.ChannelCredentials | None = None,
        has_web: bool = False, from_scratch: bool = False,
    ):  # fmt: skip
        # Readable by others: PostgreSQL runs as another user where we are root. Short: it holds a socket.
        self.data_dir = Path(tempfile.mkdtemp(prefix="trackme-"))
        self.data_dir.chmod(0o755)
        self.port = free_port()
        self.target = f"127.0.0.1:{self.port}"
        # Where it listens, and what else `trackme serve` is told.
        self.listen, self.options = self.target, ()
        # What starts it, such as `prlimit` with its arguments.
        self.launcher: tuple[str, ...] = ()
        self.credentials = credentials
        self.log = self.data_dir / "server.log"
        self.environment = {**os.environ, **(environment or {})}
        # Where browsers come, if they may.
        self.web_port = free_port() if has_web else 0
        if has_web:
            self.environment["TRACKME_WEB_LISTEN"] = f"127.0.0.1:{self.web_port}"
        for name in ("TRACKME_DATABASE_URL", "TRACKME_OPERATOR_TOKEN"):
            if name not in (environment or {}):
                self.environment.pop(name, None)
        self.process: subprocess.Popen | None = None
        self._connections = threading.local()
        self._makes_cluster = from_scratch or "TRACKME_DATABASE_URL" in self.environment

    def start(self, wait: bool = True) -> ServerProcess:
        assert self.process is None or self.process.poll() is not None, "the server runs already"
        if not self._makes_cluster:
            self._copy_cluster()
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*self.launcher, binary(), "serve", "--listen", self.listen, "--data-dir", self.data_dir / "data",
                 *self.options], stdout=log, stderr=log, env=self.environment,
            )  # fmt: skip
        if wait:
            self.wait_serving()
        return self

    def _copy_cluster(self) -> None:
        self._makes_cluster = True
        folder = (self.data_dir / self.CLUSTER).parent
        for made in (folder.parent, folder):
            made.mkdir(mode=0o711)
        # Its owner is kept.
        subprocess.run(["cp", "-a", _first_server().data_dir / self.CLUSTER, folder], check=True)

    def wait_serving(self, seconds: float = 30.0) -> None:
        def serving():
            assert self.process.poll() is None, f"the server ended with {self.process.returncode}:\n{self.log_tail()}"
            return self.health() == SERVING

        wait_until(serving, seconds, f"SERVING ({self.log})")

    def health(self) -> int | None:
        """What the health service says; None where nobody answers."""
        with self.open_channel() as channel:
            try:
                request = health_pb2.HealthCheckRequest()
                return health_pb2_grpc.HealthStub(channel).Check(request, timeout=2 * FACTOR).status
            except grpc.RpcError:
                return None

    def open_channel(self) -> grpc.Channel:
        """A new channel; the caller closes it."""
        if self.credentials is None:
            return grpc.insecure_channel(self.target)
        return grpc.secure_channel(self.target, self.credentials)

    def stop(self, seconds: float = 20.0) -> int:
        """SIGTERM; the exit status."""
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(seconds * FACTOR)

    def kill(self) -> None:
        """SIGKILL: no chance to tidy up."""
        self.process.kill()
        self.process.wait()

    def end(self) -> None:
        """Ends whatever still runs; the data stays."""
        if self.process is not None and self.process.poll() is None:
            self.kill()
        if (pid := self.postmaster_pid()) is not None:
            os.kill(pid, signal.SIGQUIT)
            wait_until(lambda: self.postmaster_pid() is None, what="the end of PostgreSQL")

    def remove(self) -> None:
        """Ends whatever still runs, and removes the data."""
        self.end()
        shutil.rmtree(self.data_dir, ignore_errors=True)

    def log_tail(self, lines: int = 40) -> str:
        return "\n".join(self.log.read_text(errors="replace").splitlines()[-lines:])

    # Tokens

    @property
    def operator_token(self) -> str:
        return (self.data_dir / "data" / "operator.token").read_text().strip()

    def person_token(self, person: int) -> str:
        command = [binary(), "token", "create", "--data-dir", self.data_dir / "data", "--person", str(person)]
        return subprocess.run(
            command, check=True, capture_output=True, text=True, env=self.environment, timeout=30 * FACTOR
        ).stdout.strip()

    # Its PostgreSQL

    def _postmaster(self) -> list[str] | None:
        """What postmaster.pid says, if it is of a process that works in its folder: numbers are given out again."""
        path = self.data_dir / self.CLUSTER / "postmaster.pid"
        try:
            lines = path.read_text().splitlines()
            if Path(f"/proc/{lines[0]}/cwd").resolve(strict=True) == path.parent.resolve():
                return lines
        except (FileNotFoundError, ProcessLookupError, IndexError):
            pass
        return None

    def postmaster_pid(self) -> int | None:
        """The process id of the PostgreSQL that runs, if one does."""
        lines = self._postmaster()
        if not lines:
            return None
        pid = int(lines[0])
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except (FileNotFoundError, ProcessLookupError):
            return None
        return None if state == "Z" else pid

    def kill_postgres(self) -> int:
        """SIGKILL for the postmaster; its process id."""
        pid = self.postmaster_pid()
        assert pid is not None, "PostgreSQL does not run"
        os.kill(pid, signal.SIGKILL)
        wait_until(lambda: self.postmaster_pid() != pid, what="the end of PostgreSQL")
        return pid

    @property
    def psql_arguments(self) -> list[str]:
        """What psql needs to get in."""
        lines = self._postmaster()
        return ["-h", lines[4], "-p", lines[3], "-U", "trackme", "-d", "trackme"]

    def connect(self) -> psycopg.Connection:
        """A connection such as an administrator has, each statement a transaction; the caller closes it."""
        host, port = self.psql_arguments[1], self.psql_arguments[3]
        # Nothing is prepared, so that tables may change.
        return psycopg.connect(
            host=host, port=port, user="trackme", dbname="trackme", autocommit=True, prepare_threshold=None
        )

    def sql(self, statement: str, parameters=()) -> list[tuple]:
        """Runs one statement as an administrator would; its rows. Each thread keeps its connection while PostgreSQL runs: to
        make one costs more than most statements, and tests run thousands.
        TypeError: no PostgreSQL runs."""
        kept = self._connections
        lines = self._postmaster()
        # Its process and when it began.
        postgres = lines and (lines[0], lines[2])
        if postgres is None or getattr(kept, "postgres", None) != postgres or kept.connection.closed:
            kept.connection, kept.postgres = self.connect(), postgres
        try:
            cursor = kept.connection.execute(statement, parameters)
        except psycopg.OperationalError:
            if not kept.connection.closed:
                raise
            # PostgreSQL has ended it since.
            kept.connection = self.connect()
            cursor = kept.connection.execute(statement, parameters)
        return cursor.fetchall() if cursor.description else []


@functools.cache
def _first_server() -> ServerProcess:
    """A server that has been started and has ended."""
    server = ServerProcess(from_scratch=True)
    atexit.register(server.remove)
    server.start()
    assert server.stop() == 0, server.log_tail()
    return server


# Below what the kernel gives to whoever names no port, so that nobody else has one while a server that was killed is away; each
# process begins somewhere else.
_PORTS = range(10_000, 32_000)
_ports = itertools.islice(itertools.cycle(_PORTS), secrets.randbelow(len(_PORTS)), None)


def free_port() -> int:
    """A port that nobody listens on, and that this process has not had before."""
    for port in itertools.islice(_ports, len(_PORTS)):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")
