"""Following readings as they are committed, through disconnects and restarts."""

from __future__ import annotations

import asyncio
import logging
from abc import ABC, abstractmethod
from dataclasses import dataclass, field

import grpc

from .backoff import Backoff
from .columns import columns_to_rows, message_to_row, metric_ids
from .endpoint import Endpoint
from .errors import TrackMeError, details_of, raise_status
from .metrics import MetricRegistry
from .protocol import ReadingServiceStub, SubscriptionServiceStub, reading_service, sharing
from .values import Reading

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Frame:
    """What was committed since the frame before. One without readings is a heartbeat: nothing is missing up to its
    cursor."""

    cursor: str
    """Opaque; resumes right after this frame."""
    readings: list[Reading] = field(default_factory=list)
    catching_up: bool = False
    """True while the stream is behind the log and reads from storage."""

    @property
    def is_heartbeat(self) -> bool:
        return not self.readings


class _Followed(ABC):
    """An async iterator of frames that reconnects after its last cursor by itself. It raises grpc.aio.AioRpcError
    where a retry cannot help, and TrackMeError `give_up_after_s` seconds (None: never) after the last frame.

    A stream that stays silent for `heartbeat_timeout_s` seconds is taken for dead. Frames are read when they are
    asked for: a reader that is slow holds the server's stream back, and nothing piles up here.
    """

    def __init__(self, endpoint: Endpoint, cursor: str, heartbeat_timeout_s, give_up_after_s, backoff):
        self.cursor = cursor
        """Where the stream stands: after the last frame that was handed out."""
        self.reconnects = 0
        """How often a broken stream was resumed."""
        self._endpoint = endpoint
        self._heartbeat_timeout_s, self._give_up_after_s = heartbeat_timeout_s, give_up_after_s
        self._backoff = backoff or Backoff()
        self._channel: grpc.aio.Channel | None = None
        self._call = None
        self._is_broken = False
        self._last_sign: float | None = None

    async def __aenter__(self):
        return self

    async def __aexit__(self, *_) -> None:
        await self.close()

    def __aiter__(self):
        return self

    async def __anext__(self) -> Frame:
        loop = asyncio.get_running_loop()
        if self._last_sign is None:
            self._last_sign = loop.time()
        while True:
            try:
                if self._call is None:
                    self._channel = self._endpoint.open_channel()
                    self._call = await self._open(self._channel)
                async with asyncio.timeout(self._heartbeat_timeout_s):
                    response = await self._call.read()
                if response is not grpc.aio.EOF:
                    frame = await self._frame(response)
                    self.cursor = frame.cursor
                    self._last_sign = loop.time()
                    self.reconnects += self._is_broken
                    self._is_broken = False
                    self._backoff.reset()
                    return frame
                problem = "the server ended the stream"
            except grpc.aio.AioRpcError as error:
                details = details_of(error)
                if not details.is_retriable:
                    raise
                problem = f"{details.code.name}: {details.message}"
            except TimeoutError:
                problem = "no heartbeat"
            await self.close()
            if self._give_up_after_s is not None and loop.time() - self._last_sign > self._give_up_after_s:
                raise TrackMeError(f"gave up: {problem}")
            delay = self._backoff.next_delay()
            log.info("subscription: %s; again in %.1f s", problem, delay)
            self._is_broken = True
            await asyncio.sleep(delay)

    async def close(self) -> None:
        """Ends the stream; iterating again resumes after the last frame."""
        call, channel = self._call, self._channel
        self._call = self._channel = None
        if call is not None:
            call.cancel()
        if channel is not None:
            await channel.close()

    @abstractmethod
    async def _open(self, channel: grpc.aio.Channel):
        """The call, begun after self.cursor."""

    @abstractmethod
    async def _frame(self, response) -> Frame:
        """What the server's message says."""


class Subscription(_Followed):
    """SubscriptionService.Subscribe, as `TrackMeClient.subscribe` opens it.

    async with client.subscribe([7], cursor=saved) as stream:
        async for frame in stream:
            ...
            await stream.acknowledge(frame)
    """

    def __init__(
        self,
        endpoint: Endpoint,
        metrics: MetricRegistry,
        person_ids: tuple[int, ...],
        metric_names: tuple[str, ...],
        *,
        cursor: str = "",
        from_beginning: bool = False,
        max_outstanding: int = 0,
        heartbeat_timeout_s: float | None = 60.0,
        give_up_after_s: float | None = None,
        backoff: Backoff | None = None,
    ):
        super().__init__(endpoint, cursor, heartbeat_timeout_s, give_up_after_s, backoff)
        self._metrics, self._person_ids, self._metric_names = metrics, person_ids, metric_names
        self._start_at = sharing.START_AT_BEGINNING if from_beginning else sharing.START_AT_NOW
        self._max_outstanding = max_outstanding

    async def acknowledge(self, frame: Frame) -> None:
        """Tells the server that everything up to this frame is dealt with. Lost with the connection, harmlessly."""
        if self._call is None:
            return
        try:
            await self._call.write(
                sharing.SubscribeRequest(acknowledgement=sharing.SubscribeAcknowledgement(cursor=frame.cursor))
            )
        except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
            pass  # the next frame that is asked for finds out, and reconnects

    async def _open(self, channel: grpc.aio.Channel):
        call = SubscriptionServiceStub(channel).Subscribe(metadata=self._endpoint.metadata)
        start = sharing.SubscribeStart(
            person_ids=self._person_ids,
            metrics=self._metric_names,
            cursor=self.cursor,
            start_at=self._start_at,
            max_outstanding=self._max_outstanding,
        )
        try:
            await call.write(sharing.SubscribeRequest(start=start))
        except asyncio.InvalidStateError:  # the call was over before our write
            await raise_status(call)
        return call

    async def _frame(self, response: sharing.SubscribeResponse) -> Frame:
        if response.WhichOneof("frame") != "delivery":
            return Frame(response.cursor)
        columns = response.delivery.readings
        known = await self._metrics.resolve(ids=metric_ids(columns))
        return Frame(response.cursor, columns_to_rows(columns, known), response.delivery.catching_up)


class Watch(_Followed):
    """ReadingService.WatchReadings, as `TrackMeClient.watch` opens it."""

    def __init__(
        self,
        endpoint: Endpoint,
        person_id: int,
        metric_names: tuple[str, ...],
        *,
        cursor: str = "",
        heartbeat_timeout_s: float | None = 60.0,
        give_up_after_s: float | None = None,
        backoff: Backoff | None = None,
    ):
        super().__init__(endpoint, cursor, heartbeat_timeout_s, give_up_after_s, backoff)
        self._person_id, self._metric_names = person_id, metric_names

    async def _open(self, channel: grpc.aio.Channel):
        return ReadingServiceStub(channel).WatchReadings(
            reading_service.WatchReadingsRequest(
                person_id=self._person_id, metrics=self._metric_names, cursor=self.cursor
            ),
            metadata=self._endpoint.metadata,
        )

    async def _frame(self, response: reading_service.WatchReadingsResponse) -> Frame:
        return Frame(response.cursor, [message_to_row(m) for m in response.readings])
