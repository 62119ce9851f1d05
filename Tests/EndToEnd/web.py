"""The gateway as programs and browsers meet it: plain HTTP/1.1, the Connect protocol in either form, cookies. It shares
nothing with the server but the messages."""

from __future__ import annotations

import base64
import http.client
import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from urllib.parse import quote

import grpc
from google.protobuf import json_format
from google.protobuf.message import Message
from google.rpc import error_details_pb2

from calls import Method, Outcome
from streams import PATIENCE_S

VERSION = {"Connect-Protocol-Version": "1"}
CODES = {
    "canceled": grpc.StatusCode.CANCELLED,
    **{code.name.lower(): code for code in grpc.StatusCode if code.name not in ("OK", "CANCELLED")},
}
STATUSES = {
    "canceled": 499, "unknown": 500, "invalid_argument": 400, "deadline_exceeded": 504, "not_found": 404,
    "already_exists": 409, "permission_denied": 403, "resource_exhausted": 429, "failed_precondition": 400,
    "aborted": 409, "out_of_range": 400, "unimplemented": 501, "internal": 500, "unavailable": 503, "data_loss": 500,
    "unauthenticated": 401,
}  # fmt: skip
END = 2
"""The flag of the last envelope."""


@dataclass
class Answer:
    """What came back as a whole."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str | None:
        return next((value for key, value in self.headers if key.lower() == name), None)

    @property
    def json(self):
        return json.loads(self.body)

    @property
    def cookies(self) -> dict[str, str]:
        """What is set, by name: value and attributes."""
        set_ = (value for key, value in self.headers if key.lower() == "set-cookie")
        return dict(cookie.split("=", 1) for cookie in set_)

    @property
    def failure(self) -> Outcome:
        assert self.status == STATUSES[self.json["code"]], self
        return failure_of(self.json)


def failure_of(error: dict) -> Outcome:
    """A failed call, as Connect tells it; `debug` must say the same as the bytes."""
    outcome = Outcome(CODES[error["code"]], error.get("message", ""))
    for detail in error.get("details", []):
        outcome.has_details = True
        value = base64.b64decode(detail["value"] + "==")
        if detail["type"] == "google.rpc.ErrorInfo":
            info = error_details_pb2.ErrorInfo.FromString(value)
            outcome.reason, outcome.facts = info.reason, dict(info.metadata)
            assert json_format.ParseDict(detail["debug"], error_details_pb2.ErrorInfo()) == info
        elif detail["type"] == "google.rpc.BadRequest":
            bad = error_details_pb2.BadRequest.FromString(value)
            outcome.fields += [v.field for v in bad.field_violations]
            assert json_format.ParseDict(detail["debug"], error_details_pb2.BadRequest()) == bad
    return outcome


class Web:
    """Asks one server; each request has a connection of its own."""

    def __init__(self, port: int, headers: dict[str, str] | None = None):
        self.port, self.headers = port, headers or {}

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def begin(self, method: str, path: str, body: bytes = b"", timeout: float = PATIENCE_S, **headers):
        """Sends a request; the connection and its response, whose body is still to be read.

        :param headers: "_" stands for "-"; None takes a header away.
        """
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=timeout)
        sent = {**self.headers, **{name.replace("_", "-"): value for name, value in headers.items()}}
        connection.request(method, path, body, {k: v for k, v in sent.items() if v is not None})
        return connection, connection.getresponse()

    def send(self, method: str, path: str, body: bytes = b"", **headers) -> Answer:
        connection, response = self.begin(method, path, body, **headers)
        try:
            return self.took(Answer(response.status, response.getheaders(), response.read()))
        finally:
            connection.close()

    def took(self, answer: Answer) -> Answer:
        return answer

    def post(self, path: str, fields: dict | bytes, **headers) -> Answer:
        """A unary call with JSON."""
        body = fields if isinstance(fields, bytes) else json.dumps(fields).encode()
        return self.send("POST", path, body, **{"Content-Type": "application/json", **VERSION, **headers})

    def get(self, path: str, message: bytes = b"{}", encoding: str = "json", **more) -> Answer:
        """A unary call by GET."""
        if encoding == "proto":
            message = base64.urlsafe_b64encode(message).rstrip(b"=") + b"&base64=1"
        else:
            message = quote(message).encode()
        return self.send("GET", f"{path}?connect=v1&encoding={encoding}&message={message.decode()}", **more)

    def stream(self, path: str, *messages: dict | bytes, codec: str = "json", **headers) -> Stream:
        """A call that streams: frames come as they are read."""
        frames = (m if isinstance(m, bytes) else json.dumps(m).encode() for m in messages)
        body = b"".join(envelope(frame) for frame in frames)
        headers = {"Content-Type": f"application/connect+{codec}", **VERSION, **headers}
        return Stream(*self.begin("POST", path, body, **headers))


def envelope(message: bytes, flags: int = 0) -> bytes:
    return struct.pack(">BI", flags, len(message)) + message


@dataclass
class Stream:
    """The frames of a response that streams, and how it ended."""

    connection: http.client.HTTPConnection
    response: http.client.HTTPResponse
    end: dict | None = None
    frames_read: int = field(default=0)

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_) -> None:
        self.connection.close()

    def next(self) -> bytes | None:
        """The next frame; None at the end, which is in `end` then."""
        head = self._read(5)
        flags, count = struct.unpack(">BI", head)
        message = self._read(count)
        if flags == END:
            self.end = json.loads(message)
            assert self.response.read() == b"", "something came behind the end"
            return None
        assert flags == 0
        self.frames_read += 1
        return message

    def frames(self) -> Iterator[bytes]:
        while (frame := self.next()) is not None:
            yield frame

    @property
    def failure(self) -> Outcome | None:
        return failure_of(self.end["error"]) if "error" in self.end else None

    def _read(self, count: int) -> bytes:
        bytes_ = b""
        while len(bytes_) < count:
            part = self.response.read(count - len(bytes_))
            assert part, "the stream was cut off"
            bytes_ += part
        return bytes_


class Browser(Web):
    """A page of the server in a browser: it says where it comes from, and keeps cookies."""

    def __init__(self, port: int):
        super().__init__(port)
        self.cookies: dict[str, str] = {}
        self.headers = {"Sec-Fetch-Site": "same-origin", "Origin": self.origin}

    def begin(self, method: str, path: str, body: bytes = b"", timeout: float = PATIENCE_S, **headers):
        if self.cookies and "Cookie" not in headers:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        connection, response = super().begin(method, path, body, timeout, **headers)
        self.took(Answer(response.status, response.getheaders(), b""))
        return connection, response

    def took(self, answer: Answer) -> Answer:
        for name, cookie in answer.cookies.items():
            value, *attributes = cookie.split("; ")
            if "Max-Age=0" in attributes:
                self.cookies.pop(name, None)
            else:
                self.cookies[name] = value
        return answer

    def log_in(self, credentials) -> Answer:
        return self.post("/web/session/log-in", {"name": credentials.username, "password": credentials.password})

    def log_out(self) -> Answer:
        return self.post("/web/session/log-out", {})


def outcome(web: Web, method: Method, token: str | None, requests: list[bytes], codec: str) -> Outcome:
    """What becomes of a call over Connect, as `calls.outcome` tells it over gRPC: the first response, or the end."""
    authorization = {"Authorization": f"Bearer {token}"} if token else {}
    messages = [_encoded(method.request, request, codec) for request in requests]
    if not method.client_streams and not method.server_streams:
        (message,) = messages
        headers = {"Content-Type": f"application/{codec}", **VERSION, **authorization}
        answer = web.send("POST", method.path, message, **headers)
        if answer.status != 200:
            return answer.failure
        return Outcome(grpc.StatusCode.OK, responses=[_decoded(method.response, answer.body, codec)])
    with web.stream(method.path, *messages, codec=codec, **authorization) as stream:
        frame = stream.next()
        if frame is not None:
            return Outcome(grpc.StatusCode.OK, responses=[_decoded(method.response, frame, codec)])
        return stream.failure or Outcome(grpc.StatusCode.OK)


def _encoded(kind: type, message: bytes, codec: str) -> bytes:
    if codec == "proto":
        return message
    return json_format.MessageToJson(kind.FromString(message), indent=None).encode()


def _decoded(kind: type, message: bytes, codec: str) -> Message:
    return kind.FromString(message) if codec == "proto" else json_format.Parse(message, kind())
