"""People at dispatchers' desks: WatchCalls and AnswerCall in the words of the tests."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import grpc

from trackme.protocol import DispatchServiceStub, dispatch

from accounts import Member
from streams import PATIENCE_S, metadata

WAITING, GIVEN_BACK = dispatch.CALL_PLACE_WAITING, dispatch.CALL_PLACE_REFUSED
OURS, TAKEN, OVER = dispatch.CALL_PLACE_OURS, dispatch.CALL_PLACE_TAKEN, dispatch.CALL_PLACE_OVER


class Watching:
    """An open WatchCalls stream."""

    def __init__(self, operator: Member, cursor: str = ""):
        self.frames: list[tuple[float, dispatch.WatchCallsResponse]] = []
        """Every frame so far, and when it came, in seconds of time.time()."""
        self.end: grpc.RpcError | None = None
        self.ended_at = 0.0
        self._changed = threading.Condition()
        request = dispatch.WatchCallsRequest(cursor=cursor)
        self._call = DispatchServiceStub(operator.channel).WatchCalls(request, metadata=metadata(operator.token))
        threading.Thread(target=self._read, daemon=True).start()
        self.until(lambda: self.frames or self.end, what="the first frame")

    def _read(self) -> None:
        try:
            for frame in self._call:
                with self._changed:
                    self.frames.append((time.time(), frame))
                    self._changed.notify_all()
        except grpc.RpcError as error:
            with self._changed:
                self.end, self.ended_at = error, time.time()
                self._changed.notify_all()

    def until(self, condition: Callable, seconds: float = PATIENCE_S, what: str = "frame"):
        """What the condition returns, as soon as that is something."""
        with self._changed:
            self._changed.wait_for(condition, seconds)
            found = condition()
            assert found, f"no {what} within {seconds} s; the end: {self.end}"
            return found

    @property
    def cursor(self) -> str:
        return self.frames[-1][1].cursor

    @property
    def calls(self) -> list[dispatch.DeskCall]:
        """Of every frame that has one."""
        return [frame.call for _, frame in self.frames if frame.HasField("call")]

    def of(self, person: int) -> list[dispatch.DeskCall]:
        return [call for call in self.calls if call.emergency.person_id == person]

    def call_for(self, person: int, place: int | None = WAITING, seconds: float = PATIENCE_S):
        """The newest call for a person, as soon as it stands there."""

        def newest():
            call = next(iter(self.of(person)[-1:]), None)
            return call if call is not None and place in (None, call.place) else None

        return self.until(newest, seconds, f"call for {person} at {place}")

    def heartbeat(self, seconds: float = PATIENCE_S) -> dispatch.WatchCallsResponse:
        """The next frame without a call."""
        count = len(self.frames)
        return self.until(lambda: next((f for _, f in self.frames[count:] if not f.HasField("call")), None), seconds)

    def cancel(self) -> None:
        self._call.cancel()

    def __enter__(self) -> Watching:
        return self

    def __exit__(self, *_) -> None:
        self.cancel()


def answer(operator: Member, emergency_id: str, kind: int, note: str = "") -> dispatch.DeskCall:
    return operator.ask("AnswerCall", emergency_id=emergency_id, kind=kind, note=note).call
