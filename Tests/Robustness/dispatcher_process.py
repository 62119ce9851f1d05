"""`plain_dispatcher.py` as a process that is killed and started again, and what it noted."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from emergency_runs import Incident
from server_process import ServerProcess
from streams import METRIC_IDS

_PASSING = {"UNAVAILABLE"}


class DispatcherProcess:
    """The system of an emergency service. What came to it is in a file that outlives it."""

    def __init__(self, name: str, server: ServerProcess, token: str, closed: list[int], address: str = ""):
        """The address is for a server behind a proxy, which tells where its callers are."""
        self.name, self.problems = name, []
        self.connections: list[str] = []
        self._server, self._address = server, address
        self._files = {end: server.data_dir / f"{name}.{end}" for end in ("token", "close", "notices", "log")}
        self._files["token"].write_text(token)
        self._files["close"].write_text("\n".join(map(str, closed)))
        self._process: subprocess.Popen | None = None
        self._read = 0

    def start(self) -> None:
        command = [
            sys.executable, Path(__file__).parent / "plain_dispatcher.py", "--target", self._server.target,
            "--token-file", self._files["token"], "--close", self._files["close"], "--notices", self._files["notices"],
            *(["--address", self._address] if self._address else []),
        ]  # fmt: skip
        with self._files["log"].open("ab") as log:
            self._process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    @property
    def is_connected(self) -> bool:
        """Whether the process that runs has had an answer to its hello."""
        return any(c.startswith(f"{self._process.pid}-") for c in self.connections)

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
        """What has been noted since the last call, in whole lines."""
        try:
            with self._files["notices"].open("rb") as file:
                file.seek(self._read)
                data = file.read()
        except FileNotFoundError:
            return []
        whole, _, _ = data.rpartition(b"\n")
        if not whole:
            return []
        self._read += len(whole) + 1
        return [incident for line in whole.split(b"\n") if (incident := self._take(json.loads(line)))]

    def _take(self, line: dict) -> Incident | None:
        match line["kind"]:
            case "connected":
                self.connections.append(line["connection"])
            case "status":
                if line["status"] not in _PASSING:
                    self.problems.append(f"{self.name}: the stream ended with {line['status']}: {line['message']}")
            case kind:
                metrics = tuple(METRIC_IDS[metric] for metric in line["metrics"])
                return Incident(
                    self.name, line["emergency"], line["at_s"], line["connection"], kind, metrics, line["closed"]
                )
        return None
