"""Pushing readings so that each lands once, whatever happens to the connection."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter, OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

import grpc

from . import columns
from .backoff import Backoff
from .endpoint import Endpoint
from .errors import BatchTooLarge, ClientSuperseded, TrackMeError, details_of, raise_status
from .metrics import KnownMetrics, MetricRegistry
from .protocol import IngestServiceStub, ingest, readings
from .values import Reading

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Rejected:
    """A reading that was refused. index is its place in the batch: scalars first, then positions, then waveforms."""

    index: int
    reason: str
    """Such as "OUT_OF_RANGE"."""
    field: str


@dataclass(frozen=True)
class Acknowledgement:
    """A batch is committed."""

    sequence: int
    position: int
    """Place in the log; 0 where the commit was only learnt from the welcome after a reconnect."""
    accepted: int
    rejected: int
    repeated: bool
    """It had been committed before; the counts of that time are not known any more."""
    rejections: tuple[Rejected, ...] = ()
    latency_s: float = 0.0
    """From the moment the batch was handed over to its acknowledgement."""


class Ticket:
    """A batch on its way. Awaiting it gives the Acknowledgement."""

    def __init__(self, sequence: int, frame: ingest.PushReadingsRequest, readings_count: int):
        self.sequence = sequence
        self.readings_count = readings_count
        self._frame = frame
        loop = asyncio.get_running_loop()
        self._started = loop.time()
        self._acknowledged: asyncio.Future[Acknowledgement] = loop.create_future()

    def __await__(self):
        return asyncio.shield(self._acknowledged).__await__()

    @property
    def done(self) -> bool:
        return self._acknowledged.done()

    def _resolve(self, message: ingest.BatchAcknowledgement) -> Acknowledgement:
        acknowledgement = Acknowledgement(
            sequence=self.sequence,
            position=message.position,
            accepted=message.accepted,
            rejected=message.rejected,
            repeated=message.repeated,
            rejections=tuple(Rejected(r.index, _reason(r.reason), r.field) for r in message.rejections),
            latency_s=asyncio.get_running_loop().time() - self._started,
        )
        if not self._acknowledged.done():
            self._acknowledged.set_result(acknowledgement)
        return acknowledgement


@dataclass
class PushStatistics:
    """What a session did so far."""

    readings_sent: int = 0
    """Readings handed over; a resend does not count again."""
    batches_sent: int = 0
    batches_resent: int = 0
    batches_acknowledged: int = 0
    batches_repeated: int = 0
    """Batches that the server had already committed when they were sent again, or at a reconnect."""
    readings_accepted: int = 0
    readings_rejected: int = 0
    readings_repeated: int = 0
    """Readings of the repeated batches: committed, but not by a commit that we got counts of."""
    rejections: dict[str, int] = field(default_factory=dict)
    """By reason."""
    rejected_metrics: dict[str, Counter[str]] = field(default_factory=dict)
    """By reason and by the metric's name, or its number where the server has none."""
    reconnects: int = 0
    acknowledgement_latencies_s: list[float] = field(default_factory=list)


class PushSession:
    """One client's stream of batches, as `TrackMeClient.push` opens it. Use it as an async context manager.

    Batches are numbered after the last one that the server committed for this client_id. At most `window` of them
    are unacknowledged at a time: `send` waits for room. When the stream breaks, the session reconnects with
    increasing waits, learns from the server's welcome how far it got, and sends the rest again under the same
    numbers, so that every batch takes effect once. It gives up after errors that a retry cannot mend, and
    `give_up_after_s` seconds (None: never) after the last sign of the server; then every pending ticket and every
    call raises.

    Leaving the context waits until everything is acknowledged; leaving it by an exception does not.
    """

    def __init__(
        self,
        endpoint: Endpoint,
        metrics: MetricRegistry,
        client_id: str,
        *,
        window: int = 32,
        give_up_after_s: float | None = None,
        connect_timeout_s: float = 10.0,
        backoff: Backoff | None = None,
    ):
        if window < 1:
            raise ValueError("window is at least 1")
        self.client_id = client_id
        self.statistics = PushStatistics()
        self.max_batch_readings = 10_000
        self.max_batch_bytes = 1 << 20
        self._endpoint, self._metrics, self._window = endpoint, metrics, window
        self._give_up_after_s, self._connect_timeout_s = give_up_after_s, connect_timeout_s
        self._backoff = backoff or Backoff()
        self._pending: OrderedDict[int, Ticket] = OrderedDict()
        self._highest_sent = 0
        self._last_sequence: int | None = None
        self._changed = asyncio.Condition()
        self._welcomes = 0
        self._failure: BaseException | None = None
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> PushSession:
        self._task = asyncio.create_task(self._run(), name=f"push {self.client_id}")
        try:
            await self._wait(lambda: self._last_sequence is not None)
            await self._known(())
        except BaseException:
            await self.abort()
            raise
        return self

    async def __aexit__(self, kind, error, trace) -> None:
        try:
            if kind is None:
                await self.flush()
        finally:
            await self.abort()

    async def send(self, rows: Sequence[Reading]) -> Ticket:
        """Hands over one batch; returns when there is room for it, not when it is committed.

        Raises BatchTooLarge, UnknownMetric, ClientSuperseded, and grpc.RpcError where the server refuses the stream.
        """
        known = await self._known({r.metric for r in rows})
        return await self.send_columns(columns.rows_to_columns(rows, known, self.client_id))

    async def send_columns(self, batch: readings.ReadingColumns) -> Ticket:
        """As `send`, for readings that are columns already."""
        size = columns.count(batch)
        if size == 0:
            raise ValueError("the batch is empty")
        async with self._changed:
            await self._wait_locked(lambda: self._last_sequence is not None and len(self._pending) < self._window)
            if size > self.max_batch_readings:
                raise BatchTooLarge(f"{size} readings; the server takes {self.max_batch_readings}")
            sequence = max(self._last_sequence, next(reversed(self._pending), 0)) + 1
            frame = ingest.PushReadingsRequest(batch=ingest.ReadingBatch(sequence=sequence, readings=batch))
            if frame.ByteSize() > self.max_batch_bytes:
                raise BatchTooLarge(f"{frame.ByteSize()} bytes; the server takes {self.max_batch_bytes}")
            ticket = self._pending[sequence] = Ticket(sequence, frame, size)
            self.statistics.readings_sent += size
            self.statistics.batches_sent += 1
            self._changed.notify_all()
        return ticket

    async def _known(self, names: Iterable[str]) -> KnownMetrics:
        """The registry, waiting for the server as long as the session does."""
        while True:
            try:
                return await self._metrics.resolve(names)
            except grpc.aio.AioRpcError as error:
                if self._failure is not None:
                    raise self._failure from error
                if not details_of(error).is_retriable:
                    raise
                await asyncio.sleep(0.1)

    async def flush(self) -> None:
        """Waits until every batch is acknowledged."""
        await self._wait(lambda: not self._pending)

    async def abort(self) -> None:
        """Ends the session at once; tickets that are not acknowledged are cancelled."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        if self._failure is None:
            self._failure = TrackMeError("the session is closed")
        for ticket in self._pending.values():
            ticket._acknowledged.cancel()

    async def _wait(self, condition) -> None:
        async with self._changed:
            await self._wait_locked(condition)

    async def _wait_locked(self, condition) -> None:
        await self._changed.wait_for(lambda: self._failure is not None or condition())
        if self._failure is not None:
            raise self._failure

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        last_sign = loop.time()
        try:
            while True:
                welcomes = self._welcomes
                try:
                    # A new channel each time: what remains of a broken one costs no back-off of its own.
                    async with self._endpoint.open_channel() as channel:
                        await self._stream(IngestServiceStub(channel))
                    problem = "the server ended the stream"
                except grpc.aio.AioRpcError as error:
                    details = details_of(error)
                    if details.code == grpc.StatusCode.ABORTED:
                        raise ClientSuperseded(f"{self.client_id}: {details.message}") from error
                    if not details.is_retriable:
                        raise
                    problem = f"{details.code.name}: {details.message}"
                except TimeoutError:
                    problem = "no welcome in time"
                if self._welcomes > welcomes:
                    last_sign = loop.time()
                    self._backoff.reset()
                if self._give_up_after_s is not None and loop.time() - last_sign > self._give_up_after_s:
                    raise TrackMeError(f"gave up: {problem}")
                delay = self._backoff.next_delay()
                log.info("push %s: %s; again in %.1f s", self.client_id, problem, delay)
                await asyncio.sleep(delay)
        except asyncio.CancelledError:
            raise
        except BaseException as error:
            await self._fail(error)

    async def _fail(self, error: BaseException) -> None:
        async with self._changed:
            self._failure = error
            for ticket in self._pending.values():
                if not ticket.done:
                    ticket._acknowledged.set_exception(error)
                    # Whoever awaits the ticket sees it; who does not has seen it from send or flush.
                    ticket._acknowledged.exception()
            self._changed.notify_all()

    async def _stream(self, stub: IngestServiceStub) -> None:
        """One connection, from hello to its end."""
        call = stub.PushReadings(metadata=self._endpoint.metadata)
        try:
            async with asyncio.timeout(self._connect_timeout_s):
                await call.write(ingest.PushReadingsRequest(hello=ingest.PushHello(client_id=self.client_id)))
                first = await call.read()
            if first is grpc.aio.EOF:
                return
            await self._welcome(first.welcome)
            writer = asyncio.create_task(self._write(call))
            try:
                while (response := await call.read()) is not grpc.aio.EOF:
                    await self._acknowledge(response.acknowledgements)
            finally:
                writer.cancel()
                await asyncio.gather(writer, return_exceptions=True)
        except asyncio.InvalidStateError:  # the call was over before our write
            await raise_status(call)
        finally:
            call.cancel()

    async def _welcome(self, welcome: ingest.PushWelcome) -> None:
        async with self._changed:
            self._welcomes += 1
            if self._welcomes > 1:
                self.statistics.reconnects += 1
            self.max_batch_readings = welcome.max_batch_readings or self.max_batch_readings
            self.max_batch_bytes = welcome.max_batch_bytes or self.max_batch_bytes
            if self._last_sequence is None:
                self._last_sequence = welcome.last_sequence
            for sequence in [s for s in self._pending if s <= welcome.last_sequence]:
                self._settle(ingest.BatchAcknowledgement(sequence=sequence, repeated=True))
            self._changed.notify_all()

    async def _write(self, call) -> None:
        """Sends what is pending, in order, then what comes."""
        sent = 0
        while True:
            async with self._changed:
                await self._changed.wait_for(lambda after=sent: next(reversed(self._pending), 0) > after)
                due = [t for s, t in self._pending.items() if s > sent]
            for ticket in due:
                if ticket.sequence <= self._highest_sent:
                    self.statistics.batches_resent += 1
                self._highest_sent = max(self._highest_sent, ticket.sequence)
                sent = ticket.sequence
                await call.write(ticket._frame)

    async def _acknowledge(self, message: ingest.BatchAcknowledgements) -> None:
        async with self._changed:
            for acknowledgement in message.acknowledgements:
                self._settle(acknowledgement)
            self._changed.notify_all()

    def _settle(self, message: ingest.BatchAcknowledgement) -> None:
        ticket = self._pending.pop(message.sequence, None)
        if ticket is None:
            return
        self._last_sequence = max(self._last_sequence or 0, message.sequence)
        acknowledgement, statistics = ticket._resolve(message), self.statistics
        statistics.batches_acknowledged += 1
        statistics.acknowledgement_latencies_s.append(acknowledgement.latency_s)
        if acknowledgement.repeated:
            statistics.batches_repeated += 1
            statistics.readings_repeated += ticket.readings_count
        statistics.readings_accepted += acknowledgement.accepted
        statistics.readings_rejected += acknowledgement.rejected
        for rejected in acknowledgement.rejections:
            statistics.rejections[rejected.reason] = statistics.rejections.get(rejected.reason, 0) + 1
            metric = self._metrics.name(columns.metric_id_at(ticket._frame.batch.readings, rejected.index))
            statistics.rejected_metrics.setdefault(rejected.reason, Counter())[metric] += 1


def _reason(number: int) -> str:
    try:
        return ingest.RejectionReason.Name(number).removeprefix("REJECTION_REASON_")
    except ValueError:  # a reason that came after this package
        return f"REASON_{number}"
