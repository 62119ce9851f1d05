"""A gateway for SMS and voice, for tests: the part of Twilio's API that matters here, on loopback HTTP.

    POST /2010-04-01/Accounts/{account}/Messages.json    To, From, Body
    POST /2010-04-01/Accounts/{account}/Calls.json       To, From, Twiml
    GET  /2010-04-01/Accounts/{account}/Messages/{sid}.json
    GET  /2010-04-01/Accounts/{account}/Calls/{sid}.json

with basic authentication, a form in the body, and 201 with a sid; what is asked for by its sid is answered with its
status. A request whose Idempotency-Key was taken before is answered with the same sid and does nothing more. What
becomes of messages and calls is in `upcoming`. By itself it runs for development:

    python Tests/EndToEnd/sms_gateway.py [--port 8070] [--account AC…] [--token …]
"""

from __future__ import annotations

import argparse
import base64
import json
import re
import sys
import tempfile
import threading
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import parse_qs

from http_counterpart import HTTPCounterpart, Received

_PATH = re.compile(r"/2010-04-01/Accounts/([^/]+)/(Messages|Calls)\.json")
_RESOURCE = re.compile(r"/2010-04-01/Accounts/([^/]+)/(Messages|Calls)/([A-Za-z0-9]+)\.json")
_FATE = {"sms": ("delivered",), "voice": ("in-progress", "completed")}
"""What becomes of an SMS and a call, question by question; the last one stays."""
GONE = "gone"
"""In the place of a status: there is no such message."""
_E164 = re.compile(r"\+[1-9][0-9]{6,14}")
_EMERGENCY = re.compile(r"112|911|999|000")


@dataclass(frozen=True)
class Taken:
    """An SMS or a voice call that was taken, once however often it came."""

    channel: str
    """sms or voice"""
    sid: str
    to: str
    sender: str
    text: str
    """Of an SMS the message, of a call what is said."""
    key: str
    at: float


class SmsGateway(HTTPCounterpart):
    """Takes SMS and voice calls at `base`; its token is in `token_file`. What it refuses, and why, is in `refusals`."""

    def __init__(self, account="AC0123456789abcdef", token="gateway-secret", **options):
        self.account, self.token = account, token
        self.taken: list[Taken] = []
        self.refusals: list[str] = []
        self.upcoming: dict[str, list[tuple[str, ...]]] = {"sms": [], "voice": []}
        """What becomes of the next messages and calls: of each what it is said to be, question by question, the last one
        stays: a status of Twilio's, "completed:0" with a duration, or GONE. While it is empty all are taken."""
        self._fates: dict[str, list[str]] = {}
        self._by_key: dict[tuple[str, str], Taken] = {}
        with tempfile.NamedTemporaryFile("w", prefix="gateway-", delete=False) as file:
            file.write(token + "\n")
        self.token_file = file.name
        super().__init__(**options)
        self.base = f"{self.url}/2010-04-01/Accounts/{account}"

    def close(self) -> None:
        super().close()
        Path(self.token_file).unlink(missing_ok=True)

    def of(self, channel: str, to: str | None = None) -> list[Taken]:
        """What was taken on a channel, oldest first, to a number."""
        with self._lock:
            return [t for t in self.taken if t.channel == channel and to in (None, t.to)]

    def take(self, request: Received) -> tuple[int, str, bytes]:
        status, problem, taken = self._read(request)
        if problem:
            self.refusals.append(problem)
            return status, "application/json", json.dumps({"status": status, "message": problem}).encode()
        known = self._by_key.get((taken.channel, taken.key))
        if known is None:
            self.taken.append(taken)
            self._by_key[(taken.channel, taken.key)] = known = taken
            upcoming = self.upcoming[taken.channel]
            self._fates[taken.sid] = list(upcoming.pop(0) if upcoming else _FATE[taken.channel])
        return 201, "application/json", json.dumps({"sid": known.sid, "status": "queued"}).encode()

    def become(self, sid: str, *statuses: str) -> None:
        """From now on a message or call is said to be this, question by question."""
        with self._lock:
            self._fates[sid] = list(statuses)

    def look(self, request: Received) -> tuple[int, str, bytes]:
        status, answer = self._find(request)
        return status, "application/json", json.dumps(answer).encode()

    def _find(self, request: Received) -> tuple[int, dict]:
        path = _RESOURCE.fullmatch(request.path)
        if request.headers.get("authorization") != self._authorization:
            return 401, {"status": 401}
        prefix = "" if path is None else "SM" if path[2] == "Messages" else "CA"
        fate = self._fates.get(path[3]) if path and path[1] == self.account and path[3].startswith(prefix) else None
        if fate is None:
            return 404, {"status": 404}
        status, _, duration = (fate.pop(0) if len(fate) > 1 else fate[0]).partition(":")
        if status == GONE:
            return 404, {"status": 404}
        answer = {"sid": path[3], "status": status}
        if prefix == "CA":
            answer["duration"] = (duration or "12") if status == "completed" else None
        return 200, answer

    def _read(self, request: Received) -> tuple[int, str, Taken | None]:
        """The status of a refusal and why; or what was asked for."""
        path = _PATH.fullmatch(request.path.partition("?")[0])
        if path is None:
            return 404, f"there is nothing at {request.path}", None
        if request.headers.get("authorization") != self._authorization or path[1] != self.account:
            return 401, "not this account's credentials", None
        if request.headers.get("content-type", "").partition(";")[0] != "application/x-www-form-urlencoded":
            return 415, "not a form", None
        fields = {name: values[-1] for name, values in parse_qs(request.body.decode(), keep_blank_values=True).items()}
        request.facts = fields
        channel, what = ("sms", "Body") if path[2] == "Messages" else ("voice", "Twiml")
        for name in ("To", "From", what):
            if not fields.get(name):
                return 400, f"{name} is missing", None
        if not (_E164.fullmatch(fields["To"]) or _EMERGENCY.fullmatch(fields["To"])):
            return 400, "To is not a phone number", None
        if not request.key:
            return 400, "there is no Idempotency-Key", None
        text = fields[what]
        if channel == "sms" and len(text) > 1600:
            return 400, "Body is longer than 1,600 characters", None
        if channel == "voice":
            try:
                twiml = ElementTree.fromstring(text)
            except ElementTree.ParseError as error:
                return 400, f"Twiml is no XML: {error}", None
            if twiml.tag != "Response":
                return 400, "Twiml is no Response", None
            text = " ".join("".join(said.itertext()) for said in twiml.iter("Say"))
        sid = f"{'SM' if channel == 'sms' else 'CA'}{len(self.taken):032x}"
        return 201, "", Taken(channel, sid, fields["To"], fields["From"], text, request.key, request.at)

    @property
    def _authorization(self) -> str:
        return "Basic " + base64.b64encode(f"{self.account}:{self.token}".encode()).decode()


def main() -> None:
    parser = argparse.ArgumentParser(description="A gateway for SMS and voice that prints what it is sent.")
    parser.add_argument("--port", type=int, default=8070)
    parser.add_argument("--account", default="AC0123456789abcdef")
    parser.add_argument("--token", default="gateway-secret")
    options = parser.parse_args()

    class Printing(SmsGateway):
        def take(self, request):
            before = len(self.taken)
            answer = super().take(request)
            for taken in self.taken[before:]:
                print(f"{taken.channel} to {taken.to}: {taken.text}", flush=True)
            return answer

    with Printing(options.account, options.token, port=options.port) as gateway:
        print(f"listening on {gateway.url}", file=sys.stderr)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            pass


if __name__ == "__main__":
    main()
