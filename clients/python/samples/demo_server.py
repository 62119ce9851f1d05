"""The server that demo.py shows: on a free port, in a folder of its own, gone without a trace."""

from __future__ import annotations

import os
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import suppress
from pathlib import Path


def free_ports(count: int) -> list[int]:
    """Below those that Linux gives to connections, one of which could take a port before the server does."""
    found = []
    for port in random.sample(range(20_000, 32_768), 200):
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            found.append(port)
        if len(found) == count:
            return found
    raise OSError("no port is free")


class DemoServer:
    """`trackme serve` with a PostgreSQL of its own, as a context. On leaving, server, PostgreSQL and folder are
    removed, also where the server was killed."""

    def __init__(self, trackme: Path):
        self.trackme = trackme
        # Readable by others: as root, PostgreSQL runs as another user.
        self.folder = Path(tempfile.mkdtemp(prefix="trackme-demo-"))
        self.folder.chmod(0o755)
        self.data = self.folder / "data"
        self.token_file = self.data / "operator.token"
        self.target, self.web = (f"127.0.0.1:{port}" for port in free_ports(2))
        # Settings of another server are none of ours.
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("TRACKME_")}
        self.environment["TRACKME_WEB_LISTEN"] = self.web
        # Answers about groups are of data of the last seconds, where an hour is usual.
        self.environment["TRACKME_GROUP_EPOCH_SECONDS"] = "2"

    def __enter__(self) -> DemoServer:
        try:
            with (self.folder / "server.log").open("w") as log:
                # A session of its own: Ctrl-C is for us, and we end it when nobody needs it any more.
                self.process = subprocess.Popen(
                    [self.trackme, "serve", "--listen", self.target, "--data-dir", self.data],
                    stdout=log, stderr=log, stdin=subprocess.DEVNULL, env=self.environment, start_new_session=True,
                )  # fmt: skip
        except BaseException:
            shutil.rmtree(self.folder, ignore_errors=True)
            raise
        return self

    def __exit__(self, *_) -> None:
        try:
            self.stop()
        finally:
            self._end_postgres()
            shutil.rmtree(self.folder, ignore_errors=True)

    def stop(self) -> int:
        """SIGTERM, and SIGKILL after 30 s; the exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(timeout=30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return self.process.wait()

    def log_tail(self, lines: int = 30) -> str:
        text = (self.folder / "server.log").read_text(errors="replace")
        return "\n".join("  " + line for line in text.splitlines()[-lines:]) or "  (nothing)"

    def _end_postgres(self) -> None:
        """Ends the PostgreSQL of a server that was killed. The next server would adopt it, but there is none."""
        for _ in range(200):
            if (pid := self._postmaster()) is None:
                return
            # At once: nobody needs its data any more.
            os.kill(pid, signal.SIGQUIT)
            time.sleep(0.1)

    def _postmaster(self) -> int | None:
        for path in self.data.glob("**/postmaster.pid"):
            try:
                pid = int(path.read_text().split()[0])
                # Numbers are given out again: it is ours if it works in its folder.
                if Path(f"/proc/{pid}/cwd").resolve(strict=True) == path.parent.resolve():
                    return pid
            except (OSError, ValueError, IndexError):
                pass
        return None
