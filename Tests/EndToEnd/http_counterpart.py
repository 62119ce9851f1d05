"""An HTTP server for tests that can misbehave: what the gateway for SMS and voice and the CAP webhook have in common."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

MAX_BODY_BYTES = 1 << 20
HANG, CLOSE, CLOSE_AFTER_TAKING = "hang", "close", "close after taking"
"""What may be put in the place of a status: no answer; the connection closed without one; and closed without one when
the request has been taken already."""


@dataclass
class Received:
    """One request, whatever became of it."""

    path: str
    headers: dict[str, str]
    """By their names in small letters."""
    body: bytes
    at: float
    """Seconds of time.time()."""
    outcome: int | str = 0
    """The status that was answered, or one of the misbehaviours above."""
    facts: dict[str, str] = field(default_factory=dict)
    """What the counterpart read out of it."""

    @property
    def key(self) -> str:
        return self.headers.get("idempotency-key", "")


class HTTPCounterpart:
    """Listens on a port of its own. `script` holds outcomes for the requests to come, in their order: a status, HANG,
    CLOSE or CLOSE_AFTER_TAKING; while it is empty, `outcome` holds, and None means what `take` says."""

    def __init__(self, port: int = 0, script=(), outcome: int | str | None = None):
        self.script, self.outcome = list(script), outcome
        self.requests: list[Received] = []
        self.looks: list[Received] = []
        """What was asked with GET. `look_outcome` is to it what `outcome` is to the others; scripts are not for it."""
        self.look_outcome: int | str | None = None
        self._lock = threading.Lock()
        self._hold = threading.Event()
        counterpart = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                counterpart._answer(self)

            def do_GET(self):
                counterpart._answer_look(self)

            def log_message(self, *_):
                pass

        class Server(ThreadingHTTPServer):
            daemon_threads = True
            # One that was stopped comes back on its port at once.
            allow_reuse_address = True
            request_queue_size = 256

            def handle_error(self, *_):
                # Clients go away: that is what these tests are about.
                pass

        self._server = Server(("127.0.0.1", port), Handler)
        self.port = self._server.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self) -> None:
        """Nobody listens any more, and whoever hangs is let go."""
        self._hold.set()
        self._server.shutdown()
        self._server.server_close()

    def take(self, request: Received) -> tuple[int, str, bytes]:
        """Status, content type and body for a request that is not to fail; may change what is kept. Under the lock."""
        raise NotImplementedError

    def look(self, request: Received) -> tuple[int, str, bytes]:
        """The same for a question, which changes nothing. Under the lock."""
        return 405, "text/plain", b"there is nothing to get here"

    def _answer_look(self, handler: BaseHTTPRequestHandler) -> None:
        headers = {name.lower(): value for name, value in handler.headers.items()}
        request = Received(handler.path, headers, b"", time.time())
        with self._lock:
            outcome = self.look_outcome
            status, kind, body = self.look(request) if outcome is None else (outcome, "text/plain", b"scripted")
            request.outcome = status
            self.looks.append(request)
        self._send(handler, outcome, status, kind, body)

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        length = int(handler.headers.get("content-length") or 0)
        if length > MAX_BODY_BYTES:
            handler.send_error(413)
            return
        headers = {name.lower(): value for name, value in handler.headers.items()}
        request = Received(handler.path, headers, handler.rfile.read(length), time.time())
        with self._lock:
            outcome = self.script.pop(0) if self.script else self.outcome
            status, kind, body = 500, "text/plain", b"scripted"
            if outcome in (None, CLOSE_AFTER_TAKING):
                status, kind, body = self.take(request)
            elif isinstance(outcome, int):
                status = outcome
            request.outcome = status if outcome is None else outcome
            self.requests.append(request)
        self._send(handler, outcome, status, kind, body)

    def _send(
        self, handler: BaseHTTPRequestHandler, outcome: int | str | None, status: int, kind: str, body: bytes
    ) -> None:
        if outcome == HANG:
            self._hold.wait(60)
        if outcome in (HANG, CLOSE, CLOSE_AFTER_TAKING):
            handler.close_connection = True
            return
        handler.send_response(status)
        if status == 429:
            handler.send_header("Retry-After", "1")
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        handler.wfile.write(body)
