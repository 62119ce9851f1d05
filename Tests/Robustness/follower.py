"""A third party that follows a subscription to its end, and notes what it got."""

from __future__ import annotations

import asyncio
import queue
import time

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from trackme.protocol import SubscriptionServiceStub, sharing

from patience import FACTOR
from revoked_runs import Reading

PATIENCE_S = 30 * FACTOR
COMPACTION_S = 60
"""What was pushed is in chunks within this time."""
STREAM_S = 2 * COMPACTION_S + PATIENCE_S
"""How long a stream may last. A run waits for chunks before its grant ends, twice at most, and so do those that wait
for it at the beginning of a stage."""


class Follower:
    """Subscribe by hand. Where `resumes`, it goes on after the cursor of the last frame when the server was killed.
    With `stalls_s` it does not read, after its first frame, until that time after the end of the grant."""

    def __init__(
        self, channel: grpc.Channel, metadata, reading: Reading, revoked: asyncio.Event,
        start_at: int = sharing.START_AT_NOW, max_outstanding: int = 0, acknowledges: bool = True, pause_s: float = 0,
        resumes: bool = False, stalls_s: float = 0,
    ):  # fmt: skip
        self._stub, self._metadata = SubscriptionServiceStub(channel), metadata
        self._reading, self._revoked = reading, revoked
        self._start_at, self._max_outstanding = start_at, max_outstanding
        self._acknowledges, self._pause_s, self._resumes = acknowledges, pause_s, resumes
        self._stalls_s, reading.stalls = stalls_s, stalls_s > 0
        self._cursor = ""

    def follow(self, subscription: int, stand) -> float:
        """Reads to the end, and says when that was. Calls `stand` with each frame."""
        patience = time.monotonic() + STREAM_S
        while True:
            self._reading.begin()
            self._connection(subscription, stand)
            ended = time.monotonic()
            if not self._resumes or self._reading.status != "UNAVAILABLE" or ended > patience:
                return ended
            self._reading.breaks += 1
            time.sleep(0.05)

    def _connection(self, subscription: int, stand) -> None:
        start = sharing.SubscribeStart(
            subscription_id=subscription, start_at=self._start_at, max_outstanding=self._max_outstanding,
            cursor=self._cursor,
        )  # fmt: skip
        requests: queue.SimpleQueue = queue.SimpleQueue()
        requests.put(sharing.SubscribeRequest(start=start))
        call = self._stub.Subscribe(iter(requests.get, None), metadata=self._metadata, timeout=STREAM_S)
        try:
            for response in call:
                stand()
                self._take(response)
                if self._stalls_s:
                    self._stall()
                # A reader that is slow to the end could not be told sooner than it reads.
                if self._pause_s and not self._revoked.is_set():
                    time.sleep(self._pause_s)
                if self._acknowledges:
                    acknowledgement = sharing.SubscribeAcknowledgement(cursor=response.cursor)
                    requests.put(sharing.SubscribeRequest(acknowledgement=acknowledgement))
            self._reading.status = "OK"
        except grpc.RpcError as error:
            note_status(self._reading, error)
        finally:
            requests.put(None)

    def _stall(self) -> None:
        patience = time.monotonic() + STREAM_S
        while not self._revoked.is_set() and time.monotonic() < patience:
            time.sleep(0.01)
        time.sleep(self._stalls_s)
        self._stalls_s = 0

    def _take(self, response: sharing.SubscribeResponse) -> None:
        self._reading.frames += 1
        self._reading.last_change = None
        self._cursor = response.cursor
        match response.WhichOneof("frame"):
            case "delivery":
                note(self._reading, response.delivery.readings.scalars.time_us)
            case "digest":
                scalars = response.digest.readings.scalars
                self._reading.take_minutes(response.digest.digest_id, zip(scalars.time_us, scalars.value))
            case "access_change":
                self._reading.last_change = (response.access_change.state, response.access_change.position)


def note_status(reading: Reading, error: grpc.RpcError) -> None:
    reading.status, reading.message = error.code().name, error.details() or ""
    status = rpc_status.from_call(error)
    for detail in status.details if status else ():
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            reading.reason = info.reason
            reading.position = int(info.metadata.get("position", 0)) or None


def note(reading: Reading, times) -> None:
    reading.readings += len(times)
    reading.newest_us = max(reading.newest_us, max(times, default=0))
