"""With what calls may end while servers are killed, and with what never."""

from __future__ import annotations

import re
from collections import Counter

import grpc

from trackme import PushSession

PASSING = "UNAVAILABLE"
"""What a server that was killed, or one that is about to come, answers with: the call is made again."""
_NEVER = {"INTERNAL", "UNKNOWN"}
FORGOTTEN = "Internal error from Core"
"""What grpc.aio itself makes of a write into a connection that broke: the status that the call had is lost, and where
it was INTERNAL the server's log has it."""


class Statuses(Counter):
    """How many calls ended with each status, other than OK, by its name."""

    def __init__(self, *counts):
        super().__init__(*counts)
        self.words: dict[str, str] = {}
        """What the first one of each said."""

    def note(self, error: grpc.RpcError) -> None:
        """Counts a status that may pass, or that tells of a broken promise; raises what else ends a call."""
        name = "forgotten" if error.details() == FORGOTTEN else error.code().name
        self[name] += 1
        self.words.setdefault(name, error.details() or "")
        if name not in {PASSING, "forgotten", *_NEVER}:
            raise error


class ObservedSession(PushSession):
    """The package's session, which goes on after every broken connection; each one's status is counted."""

    def __init__(self, client, client_id: str, statuses: Statuses, **options):
        super().__init__(client.endpoint, client.metrics, client_id, **options)
        self._statuses = statuses

    async def _stream(self, stub) -> None:
        try:
            await super()._stream(stub)
        except grpc.aio.AioRpcError as error:
            self._statuses.note(error)
            raise


def status_problems(statuses: Statuses, log: str = "") -> list[str]:
    """Whatever is done to a server, no call ends with INTERNAL or UNKNOWN; nor does its log tell of one that did."""
    problems = [
        f"{count} calls ended with {name}: {statuses.words.get(name, '')}"
        for name, count in sorted(statuses.items())
        if name in _NEVER
    ]
    failed = [line for line in log.splitlines() if re.search(r"\ba call failed\b", line)]
    if failed:
        problems.append(f"{len(failed)} calls failed by the server's log, the first one: {failed[0]}")
    return problems
