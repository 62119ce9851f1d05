"""`trackme dispatcher` as a process that is killed and started again, and what it noted."""

from __future__ import annotations

import os
import subprocess
import time
import uuid

from emergency_runs import Incident
from server_process import ServerProcess, binary


class DispatcherProcess:
    """The system of an emergency service. Its incidents are in a file that outlives it."""

    def __init__(self, name: str, server: ServerProcess, token: str):
        self.name, self.problems = name, []
        self._server = server
        self._token_file = server.data_dir / f"{name}.token"
        self._token_file.write_text(token)
        self._file = server.data_dir / f"{name}.incidents"
        self._log = server.data_dir / f"{name}.log"
        self._process: subprocess.Popen | None = None
        self._read = 0

    def start(self) -> None:
        command = [
            binary(), "dispatcher", "--server", self._server.target, "--token-file", self._token_file,
            "--incidents", self._file, "--json",
        ]  # fmt: skip
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=os.environ
            )

    def kill(self) -> None:
        """SIGKILL: no chance to tidy up. One that has ended by itself is a problem."""
        if (status := self._process.poll()) is not None:
            self.problems.append(f"{self.name} ended by itself with status {status}")
        self._process.kill()
        self._process.wait()

    def end(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.kill()
            self._process.wait()

    def new_incidents(self) -> list[Incident]:
        """What has been noted since the last call: lines that are whole, with the time at which they were seen here."""
        try:
            with self._file.open("rb") as file:
                file.seek(self._read)
                data = file.read()
        except FileNotFoundError:
            return []
        whole, _, _ = data.rpartition(b"\n")
        if not whole:
            return []
        self._read += len(whole) + 1
        now, incidents = time.time(), []
        for line in whole.decode(errors="replace").split("\n"):
            try:
                incidents.append(Incident(self.name, line, person_of(line), now))
            except ValueError:
                self.problems.append(f"{self.name}: no emergency: {line!r}")
        return incidents


def person_of(emergency: str) -> int:
    """The person whom an emergency's number holds in its last 54 bits."""
    return uuid.UUID(emergency).int & (1 << 54) - 1
