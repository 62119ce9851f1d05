"""A pooler in transaction mode, as far as a server can tell: each transaction gets another session with PostgreSQL.

It reads the protocol so far that it knows where a transaction ends: "Message Flow" and "Message Formats" in PostgreSQL's
manual. A client's log-in is answered with that of a session of its own, which no transaction of it ever gets.
"""

from __future__ import annotations

import socket
import tempfile
import threading
from contextlib import suppress
from pathlib import Path


class TransactionPooler:
    def __init__(self, directory: str, port: str):
        self._upstream = f"{directory}/.s.PGSQL.{port}"
        self._folder = tempfile.TemporaryDirectory(prefix="trackme-pooler-")
        Path(self._folder.name).chmod(0o755)
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(f"{self._folder.name}/.s.PGSQL.5432")
        self._listener.listen(64)
        self._lock, self._free = threading.Lock(), []
        threading.Thread(target=self._accept, daemon=True).start()

    def url(self, database: str) -> str:
        return f"postgresql://trackme@/{database}?host={self._folder.name}"

    def close(self) -> None:
        self._listener.close()
        self._folder.cleanup()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=(client,), daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        session = None
        with suppress(OSError, EOFError), client:
            start = _message(client, has_type=False)
            own, answer = self._log_in(start)
            own.close()
            client.sendall(answer)
            while True:
                message = _message(client)
                if message[:1] == b"X":
                    return
                if session is None:
                    session = self._take(start)
                session.sendall(message)
                # A query, or the end of a pipeline: an answer comes to its end.
                if message[:1] in b"QS":
                    while (answer := _message(session))[:1] != b"Z":
                        client.sendall(answer)
                    if answer[5:] == b"I":
                        # Before the client hears of it: what comes next finds it free.
                        with self._lock:
                            self._free.append(session)
                        session = None
                    client.sendall(answer)

    def _take(self, start: bytes) -> socket.socket:
        with self._lock:
            if self._free:
                return self._free.pop()
        return self._log_in(start)[0]

    def _log_in(self, start: bytes) -> tuple[socket.socket, bytes]:
        session = socket.socket(socket.AF_UNIX)
        session.connect(self._upstream)
        session.sendall(start)
        answer = b""
        while True:
            message = _message(session)
            answer += message
            if message[:1] == b"Z":
                return session, answer


def _message(source: socket.socket, has_type: bool = True) -> bytes:
    head = _read(source, 5 if has_type else 4)
    return head + _read(source, int.from_bytes(head[-4:], "big") - 4)


def _read(source: socket.socket, count: int) -> bytes:
    content = b""
    while len(content) < count:
        part = source.recv(count - len(content))
        if not part:
            raise EOFError
        content += part
    return content
