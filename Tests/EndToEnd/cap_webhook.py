"""A dispatcher's webhook, for tests: takes CAP 1.2 messages by POST on loopback HTTP, and refuses what breaks the
standard with 422."""

from __future__ import annotations

from http_counterpart import HTTPCounterpart, Received

import cap


class CapWebhook(HTTPCounterpart):
    """`alerts` are the messages that were taken, once each by sender, identifier and time; `problems` what was wrong
    with others."""

    def __init__(self, **options):
        self.alerts: list[cap.Element] = []
        self.problems: list[str] = []
        self._known: dict[tuple[str, str, str], cap.Element] = {}
        super().__init__(**options)

    def take(self, request: Received) -> tuple[int, str, bytes]:
        kind = request.headers.get("content-type", "").partition(";")[0].strip()
        if kind not in ("application/cap+xml", "application/xml", "text/xml"):
            return self._refuse(415, f"the content is {kind!r}")
        try:
            alert = cap.parse(request.body)
            self._check_references(alert)
        except cap.CapError as error:
            return self._refuse(422, str(error))
        request.facts = {name: alert.get(name) for name in ("identifier", "sender", "sent", "status", "msgType")}
        key = (alert.get("sender"), alert.get("identifier"), alert.get("sent"))
        if key not in self._known:
            self._known[key] = alert
            self.alerts.append(alert)
        return 200, "text/plain", b"taken"

    def _check_references(self, alert: cap.Element) -> None:
        """An update and a cancel are about messages that came before."""
        for reference in cap.references_of(alert):
            if reference not in self._known:
                raise cap.CapError(f"references names {reference}, which never came")

    def _refuse(self, status: int, problem: str) -> tuple[int, str, bytes]:
        self.problems.append(problem)
        return status, "text/plain", problem.encode()
