"""A TrackMe server in a few lines, in memory: for tests of the client alone. It keeps the protocol's promises, and
can be told to break connections at the worst moments."""

from __future__ import annotations

import asyncio
import math

import grpc
from google.protobuf import any_pb2
from google.rpc import code_pb2, error_details_pb2, status_pb2
from grpc_status import rpc_status

from trackme import columns
from trackme._generated.ingest.v1 import ingest_service_pb2_grpc as ingest_grpc
from trackme._generated.readings.v1 import reading_service_pb2_grpc as readings_grpc
from trackme._generated.sharing.v1 import subscription_service_pb2_grpc as sharing_grpc
from trackme.metrics import KnownMetrics, Metric, MetricKind
from trackme.protocol import ingest, reading_service, readings, sharing

METRICS = [
    Metric(1, "heart_rate", MetricKind.SCALAR, "/min", "8867-4", 0, 300),
    Metric(2, "position", MetricKind.POSITION),
    Metric(3, "ecg", MetricKind.WAVEFORM, "mV"),
]


class FakeServer:
    """One server that may be stopped and started again on its port; what it committed stays."""

    def __init__(self):
        self.metrics = list(METRICS)
        self.batches: list[tuple[str, int, readings.ReadingColumns]] = []
        self.last_sequence: dict[str, int] = {}
        self.received: list[tuple[str, int]] = []
        self.acknowledged_cursors: list[str] = []
        self.list_metrics_calls = 0
        self.token: str | None = None
        # What to break: called after each commit and before its acknowledgement; may raise Break.
        self.before_acknowledgement = lambda sequence: None
        # How many deliveries a subscription gives before it breaks.
        self.deliveries_per_stream = math.inf
        self.heartbeat_s = 0.05
        self.port = 0
        self._committed = asyncio.Condition()
        self._generation: dict[str, int] = {}
        self._server: grpc.aio.Server | None = None

    async def start(self) -> None:
        self._server = grpc.aio.server()
        ingest_grpc.add_IngestServiceServicer_to_server(_Ingest(self), self._server)
        readings_grpc.add_ReadingServiceServicer_to_server(_Readings(self), self._server)
        sharing_grpc.add_SubscriptionServiceServicer_to_server(_Subscriptions(self), self._server)
        self.port = self._server.add_insecure_port(f"127.0.0.1:{self.port}")
        assert self.port
        await self._server.start()

    async def stop(self) -> None:
        await self._server.stop(0)

    @property
    def target(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def known(self) -> KnownMetrics:
        return KnownMetrics.of(self.metrics)

    async def commit(self, client_id: str, sequence: int, batch: readings.ReadingColumns) -> None:
        async with self._committed:
            self.batches.append((client_id, sequence, batch))
            self.last_sequence[client_id] = sequence
            self._committed.notify_all()

    async def committed_after(self, position: int) -> bool:
        """Whether something came after the position before a heartbeat is due."""
        try:
            async with asyncio.timeout(self.heartbeat_s), self._committed:
                await self._committed.wait_for(lambda: len(self.batches) > position)
            return True
        except TimeoutError:
            return False

    async def check(self, context) -> None:
        if self.token and ("authorization", f"Bearer {self.token}") not in tuple(context.invocation_metadata()):
            info = any_pb2.Any()
            info.Pack(error_details_pb2.ErrorInfo(reason="UNAUTHENTICATED", domain="trackme"))
            status = status_pb2.Status(code=code_pb2.UNAUTHENTICATED, message="no such token", details=[info])
            await context.abort_with_status(rpc_status.to_status(status))


class Break(Exception):
    """Ends a stream as a lost connection would."""


class _Ingest(ingest_grpc.IngestServiceServicer):
    def __init__(self, server: FakeServer):
        self._server = server

    async def PushReadings(self, requests, context):
        server = self._server
        await server.check(context)
        client_id = (await anext(aiter(requests))).hello.client_id
        generation = server._generation[client_id] = server._generation.get(client_id, 0) + 1
        yield ingest.PushReadingsResponse(
            welcome=ingest.PushWelcome(
                last_sequence=server.last_sequence.get(client_id, 0), max_batch_readings=100, max_batch_bytes=10_000
            )
        )
        async for request in requests:
            if server._generation[client_id] != generation:
                await context.abort(grpc.StatusCode.ABORTED, "another stream began")
            batch = request.batch
            server.received.append((client_id, batch.sequence))
            repeated = batch.sequence <= server.last_sequence.get(client_id, 0)
            accepted = columns.count(batch.readings)
            rejections = [
                ingest.Rejection(index=i, reason=ingest.REJECTION_REASON_OUT_OF_RANGE, field="value")
                for i, value in enumerate(batch.readings.scalars.value)
                if not 0 <= value <= 300
            ]
            if not repeated:
                await server.commit(client_id, batch.sequence, batch.readings)
            try:
                server.before_acknowledgement(batch.sequence)
            except Break:
                await context.abort(grpc.StatusCode.UNAVAILABLE, "connection lost")
            yield ingest.PushReadingsResponse(
                acknowledgements=ingest.BatchAcknowledgements(
                    acknowledgements=[
                        ingest.BatchAcknowledgement(
                            sequence=batch.sequence,
                            position=len(server.batches),
                            accepted=0 if repeated else accepted - len(rejections),
                            rejected=0 if repeated else len(rejections),
                            repeated=repeated,
                            rejections=() if repeated else rejections,
                        )
                    ]
                )
            )


class _Readings(readings_grpc.ReadingServiceServicer):
    def __init__(self, server: FakeServer):
        self._server = server

    async def ListMetrics(self, request, context):
        await self._server.check(context)
        self._server.list_metrics_calls += 1
        return reading_service.ListMetricsResponse(
            metrics=[
                reading_service.Metric(
                    id=m.id, name=m.name, kind=m.kind.value, unit=m.unit, loinc_code=m.loinc_code,
                    zero_is_no_value=m.zero_is_no_value,
                )
                for m in self._server.metrics
            ]
        )

    async def WatchReadings(self, request, context):
        server, position = self._server, int(request.cursor or 0)
        while True:
            rows = []
            if await server.committed_after(position):
                rows = columns.columns_to_rows(server.batches[position][2], server.known)
                position += 1
            yield reading_service.WatchReadingsResponse(
                cursor=str(position), readings=[columns.row_to_message(r) for r in rows]
            )


class _Subscriptions(sharing_grpc.SubscriptionServiceServicer):
    def __init__(self, server: FakeServer):
        self._server = server

    async def Subscribe(self, requests, context):
        server = self._server
        await server.check(context)
        start = (await anext(aiter(requests))).start
        if start.cursor == "bad":
            await context.abort(grpc.StatusCode.INVALID_ARGUMENT, "no such cursor")
        position = int(start.cursor or (0 if start.start_at == sharing.START_AT_BEGINNING else len(server.batches)))
        reader = asyncio.create_task(self._acknowledgements(requests))
        try:
            yield sharing.SubscribeResponse(cursor=str(position), heartbeat=sharing.Heartbeat())
            deliveries = 0
            while True:
                if not await server.committed_after(position):
                    yield sharing.SubscribeResponse(cursor=str(position), heartbeat=sharing.Heartbeat())
                    continue
                if deliveries == server.deliveries_per_stream:
                    await context.abort(grpc.StatusCode.UNAVAILABLE, "connection lost")
                deliveries += 1
                batch = server.batches[position][2]
                position += 1
                yield sharing.SubscribeResponse(cursor=str(position), delivery=sharing.Delivery(readings=batch))
        finally:
            reader.cancel()

    async def _acknowledgements(self, requests) -> None:
        async for request in requests:
            self._server.acknowledged_cursors.append(request.acknowledgement.cursor)
