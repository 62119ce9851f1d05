"""A third party that follows a subscription to its end, and notes what it got."""

from __future__ import annotations

import asyncio
import queue
import time

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from trackme.protocol import SubscriptionServiceStub, sharing

from revoked_runs import Reading

PATIENCE_S = 30


class Follower:
    """Subscribe by hand."""

    def __init__(
        self, channel: grpc.Channel, metadata, reading: Reading, revoked: asyncio.Event,
        start_at: int = sharing.START_AT_NOW, max_outstanding: int = 0, acknowledges: bool = True, pause_s: float = 0,
    ):  # fmt: skip
        self._stub, self._metadata = SubscriptionServiceStub(channel), metadata
        self._reading, self._revoked = reading, revoked
        self._start_at, self._max_outstanding = start_at, max_outstanding
        self._acknowledges, self._pause_s = acknowledges, pause_s

    def follow(self, subscription: int, stand) -> float:
        """Reads to the end, and says when that was. Calls `stand` with each frame."""
        start = sharing.SubscribeStart(
            subscription_id=subscription, start_at=self._start_at, max_outstanding=self._max_outstanding
        )
        requests: queue.SimpleQueue = queue.SimpleQueue()
        requests.put(sharing.SubscribeRequest(start=start))
        call = self._stub.Subscribe(iter(requests.get, None), metadata=self._metadata, timeout=PATIENCE_S)
        try:
            for response in call:
                stand()
                self._take(response)
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
        return time.monotonic()

    def _take(self, response: sharing.SubscribeResponse) -> None:
        self._reading.frames += 1
        self._reading.last_change = None
        match response.WhichOneof("frame"):
            case "delivery":
                note(self._reading, response.delivery.readings.scalars.time_us)
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
