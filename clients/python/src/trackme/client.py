"""The way into a TrackMe server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterable, Sequence

import grpc

from .backoff import Backoff
from .columns import message_to_row, row_to_message
from .endpoint import TLS, Endpoint
from .groups import GroupAnswer, GroupExport
from .metrics import Metric, MetricRegistry, metric_of
from .protocol import GroupServiceStub, IngestServiceStub, ReadingServiceStub, groups, ingest, reading_service
from .push import PushSession
from .subscribe import Subscription, Watch
from .values import Reading


class TrackMeClient:
    """A server, and what one token may do there. Use it as an async context manager.

        async with TrackMeClient("localhost:50051", token) as client:
            async with client.push("my-phone") as session:
                await session.send([Reading(7, "heart_rate", now_us, 72.0)])

    Single calls raise grpc.aio.AioRpcError; errors.details_of tells what the server says about it.
    """

    def __init__(self, target: str, token: str = "", tls: TLS | None = None, call_timeout_s: float = 30.0):
        self.endpoint = Endpoint(target, token, tls)
        self.call_timeout_s = call_timeout_s
        self._channel: grpc.aio.Channel | None = None
        self.metrics = MetricRegistry(self._list_metrics)

    async def __aenter__(self) -> TrackMeClient:
        return self

    async def __aexit__(self, *_) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes what single calls use; sessions and subscriptions have connections of their own."""
        if self._channel is not None:
            await self._channel.close()
            self._channel = None

    def push(self, client_id: str, **options) -> PushSession:
        """A session that pushes batches under this permanent name; options are those of PushSession."""
        return PushSession(self.endpoint, self.metrics, client_id, **options)

    def subscribe(
        self,
        person_ids: Iterable[int] = (),
        *,
        metrics: Iterable[str] = (),
        cursor: str = "",
        from_beginning: bool = False,
        max_outstanding: int = 0,
        heartbeat_timeout_s: float | None = 60.0,
        give_up_after_s: float | None = None,
        backoff: Backoff | None = None,
    ) -> Subscription:
        """Readings of these persons (none: everyone) as they are committed, after the cursor if there is one."""
        return Subscription(
            self.endpoint,
            self.metrics,
            tuple(person_ids),
            tuple(metrics),
            cursor=cursor,
            from_beginning=from_beginning,
            max_outstanding=max_outstanding,
            heartbeat_timeout_s=heartbeat_timeout_s,
            give_up_after_s=give_up_after_s,
            backoff=backoff,
        )

    def watch(
        self,
        person_id: int = 0,
        *,
        metrics: Iterable[str] = (),
        cursor: str = "",
        heartbeat_timeout_s: float | None = 60.0,
        give_up_after_s: float | None = None,
        backoff: Backoff | None = None,
    ) -> Watch:
        """Readings of one person (0: the caller) as they are committed, without acknowledgements."""
        return Watch(
            self.endpoint,
            person_id,
            tuple(metrics),
            cursor=cursor,
            heartbeat_timeout_s=heartbeat_timeout_s,
            give_up_after_s=give_up_after_s,
            backoff=backoff,
        )

    async def record(
        self, rows: Sequence[Reading], client_id: str = "", sequence: int = 0
    ) -> ingest.BatchAcknowledgement:
        """Pushes one small batch and waits for its commit."""
        response = await IngestServiceStub(self._connected()).RecordReadings(
            ingest.RecordReadingsRequest(
                client_id=client_id, sequence=sequence, readings=[row_to_message(r) for r in rows]
            ),
            **self._options,
        )
        return response.acknowledgement

    async def current_status(self, person_id: int = 0) -> list[Reading]:
        """The newest reading of each metric."""
        response = await self._readings.GetCurrentStatus(
            reading_service.GetCurrentStatusRequest(person_id=person_id), **self._options
        )
        return [message_to_row(m) for m in response.readings]

    async def history(
        self,
        person_id: int = 0,
        *,
        metrics: Iterable[str] = (),
        from_us: int = 0,
        to_us: int = 0,
        oldest_first: bool = False,
        page_size: int = 1000,
    ) -> AsyncIterator[Reading]:
        """All readings of the interval, fetched page by page."""
        request = reading_service.ListReadingsRequest(
            person_id=person_id, metrics=metrics, from_us=from_us, to_us=to_us, page_size=page_size,
            order=reading_service.READING_ORDER_OLDEST_FIRST if oldest_first
            else reading_service.READING_ORDER_NEWEST_FIRST,
        )  # fmt: skip
        while True:
            page = await self._readings.ListReadings(request, **self._options)
            for message in page.readings:
                yield message_to_row(message)
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def export(
        self, person_id: int = 0, *, metrics: Iterable[str] = (), from_us: int = 0, to_us: int = 0
    ) -> AsyncIterator[Reading]:
        """The whole history, oldest first, in one stream."""
        async for part in self._export(person_id=person_id, metrics=metrics, from_us=from_us, to_us=to_us):
            for message in part.readings:
                yield message_to_row(message)

    async def export_fhir(
        self, person_id: int = 0, *, metrics: Iterable[str] = (), from_us: int = 0, to_us: int = 0
    ) -> AsyncIterator[bytes]:
        """The whole history as resources of HL7 FHIR R4: pieces of NDJSON, whole lines each, that make one file."""
        async for part in self._export(
            person_id=person_id, metrics=metrics, from_us=from_us, to_us=to_us,
            format=reading_service.EXPORT_FORMAT_FHIR_R4_NDJSON,
        ):  # fmt: skip
            yield part.ndjson

    def _export(self, **fields) -> AsyncIterator[reading_service.ExportReadingsResponse]:
        return self._readings.ExportReadings(
            reading_service.ExportReadingsRequest(**fields), metadata=self.endpoint.metadata
        )

    async def summarize(
        self, metric: str, resolution: str, from_us: int, to_us: int, *, person_id: int = 0, time_zone: str = ""
    ) -> AsyncIterator[reading_service.ReadingSummary]:
        """One summary an interval; resolution is "raw", "second", "minute", "hour", "day" or "week"."""
        request = reading_service.SummarizeReadingsRequest(
            person_id=person_id, metric=metric, from_us=from_us, to_us=to_us, time_zone=time_zone,
            resolution=reading_service.Resolution.Value(f"RESOLUTION_{resolution.upper()}"),
        )  # fmt: skip
        while True:
            page = await self._readings.SummarizeReadings(request, **self._options)
            for summary in page.summaries:
                yield summary
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def ask_group(
        self, question: groups.GroupQuestion, *, dry_run: bool = False, payment_id: str = ""
    ) -> GroupAnswer:
        """Asks about an anonymous group; groups.question makes a question. A dry run tells only what it would cost. Where
        questions have a price, the first answer has only a payment: ask again with its id when it is reserved."""
        request = groups.QueryGroupRequest(question=question, dry_run=dry_run, payment_id=payment_id)
        response = await GroupServiceStub(self._connected()).QueryGroup(request, **self._options)
        return GroupAnswer(response)

    async def export_group(
        self, question: groups.GroupQuestion, *, format: str = "csv", dry_run: bool = False, payment_id: str = ""
    ) -> GroupExport:
        """Rows about an anonymous group, "csv" or "ndjson", of a question without buckets and statistics. A dry run tells
        only what they would cost. Prices are as with query_group."""
        call = GroupServiceStub(self._connected()).ExportGroup(
            groups.ExportGroupRequest(
                question=question, dry_run=dry_run, payment_id=payment_id,
                format=groups.GroupExportFormat.Value(f"GROUP_EXPORT_FORMAT_{format.upper()}"),
            ),
            metadata=self.endpoint.metadata,
        )  # fmt: skip
        first, *parts = [message async for message in call]
        return GroupExport(first, b"".join(part.data for part in parts), format)

    async def group_areas(self, name_prefix: str = "", *, level: str = "") -> AsyncIterator[groups.GroupArea]:
        """Areas that a question may name with area=area.code; level is "region", "province", "municipality", or any."""
        request = groups.ListGroupAreasRequest(
            name_prefix=name_prefix, page_size=100,
            level=groups.GroupAreaLevel.Value(f"GROUP_AREA_LEVEL_{(level or 'unspecified').upper()}"),
        )  # fmt: skip
        while True:
            page = await GroupServiceStub(self._connected()).ListGroupAreas(request, **self._options)
            for area in page.areas:
                yield area
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def _list_metrics(self) -> list[Metric]:
        response = await self._readings.ListMetrics(reading_service.ListMetricsRequest(), **self._options)
        return [metric_of(m) for m in response.metrics]

    def _connected(self) -> grpc.aio.Channel:
        if self._channel is None:
            self._channel = self.endpoint.open_channel()
        return self._channel

    @property
    def _readings(self) -> ReadingServiceStub:
        return ReadingServiceStub(self._connected())

    @property
    def _options(self) -> dict:
        return {"metadata": self.endpoint.metadata, "timeout": self.call_timeout_s, "wait_for_ready": True}
