"""The two bidirectional streams and the single calls, in the words of the tests. Generated messages in and out."""

from __future__ import annotations

import itertools
import queue
import threading
import time

import grpc

from patience import FACTOR
from trackme.protocol import (
    IngestServiceStub,
    ReadingServiceStub,
    SubscriptionServiceStub,
    ingest,
    reading_service,
    readings,
    sharing,
)

# The registry's numbers of the metrics that the tests use; test_registry checks them against ListMetrics.
METRIC_IDS = {
    "heart_rate": 1, "systolic_blood_pressure": 2, "diastolic_blood_pressure": 3, "blood_glucose": 4,
    "body_temperature": 5, "blood_oxygen": 6, "respiratory_rate": 7, "ecg": 8, "steps": 9, "weight": 10, "position": 11,
}  # fmt: skip
PATIENCE_S = 15 * FACTOR
RESENDS = 3
"""How long what must come may take."""

_client_names = itertools.count(1)


def fresh_client() -> str:
    """A client_id that no other test uses."""
    return f"test-{time.time_ns()}-{next(_client_names)}"


def scalars(person: int, rows, metric="heart_rate", source: str | None = None) -> readings.ReadingColumns:
    """Columns of (time_us, value) pairs."""
    metric_id = METRIC_IDS.get(metric, metric)
    rows = list(rows)
    return readings.ReadingColumns(
        sources=[] if source is None else [source],
        scalars=readings.ScalarColumns(
            person_id=[person],
            metric=[metric_id],
            source=[] if source is None else [0],
            time_us=[t for t, _ in rows],
            value=[v for _, v in rows],
        ),
    )


def positions(person: int, rows) -> readings.ReadingColumns:
    """Columns of (time_us, latitude, longitude, accuracy)."""
    rows = list(rows)
    return readings.ReadingColumns(
        positions=readings.PositionColumns(
            person_id=[person],
            metric=[METRIC_IDS["position"]],
            time_us=[row[0] for row in rows],
            latitude=[row[1] for row in rows],
            longitude=[row[2] for row in rows],
            accuracy=[row[3] for row in rows],
        )
    )


def reading(person: int, time_us: int, value: float, metric="heart_rate", source="") -> readings.Reading:
    return readings.Reading(person_id=person, metric=metric, time_us=time_us, scalar=value, source=source)


def times_of(columns: readings.ReadingColumns) -> list[int]:
    return [*columns.scalars.time_us, *columns.positions.time_us, *columns.waveforms.time_us]


class Stream:
    """One bidirectional call: requests go in from here, responses come out when asked for."""

    def __init__(self, method, token: str | None, timeout: float | None = None):
        self._requests: queue.SimpleQueue = queue.SimpleQueue()
        self._closed = threading.Event()
        self.call = method(iter(self._requests.get, None), metadata=metadata(token), timeout=timeout)
        self._responses: queue.Queue = queue.Queue(maxsize=0)
        self._reader: threading.Thread | None = None

    def send(self, request) -> None:
        self._requests.put(request)

    def half_close(self) -> None:
        self._requests.put(None)

    def next(self, seconds: float = PATIENCE_S):
        """The next response. Raises grpc.RpcError where the call failed, StopIteration where it ended well, and
        TimeoutError where nothing comes."""
        if self._reader is None:
            self._reader = threading.Thread(target=self._read, daemon=True)
            self._reader.start()
        try:
            answer = self._responses.get(timeout=seconds)
        except queue.Empty:
            raise TimeoutError(f"no response within {seconds} s") from None
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def cancel(self) -> None:
        self.call.cancel()
        self._requests.put(None)

    def _read(self) -> None:
        try:
            for response in self.call:
                self._responses.put(response)
            self._responses.put(StopIteration())
        except grpc.RpcError as error:
            self._responses.put(error)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.cancel()


class Push(Stream):
    """PushReadings, past its welcome."""

    def __init__(self, channel, token: str | None, client_id: str, timeout: float | None = None):
        super().__init__(IngestServiceStub(channel).PushReadings, token, timeout)
        self.send(ingest.PushReadingsRequest(hello=ingest.PushHello(client_id=client_id)))
        self.welcome = self.next().welcome
        self._acknowledgements: list[ingest.BatchAcknowledgement] = []

    def batch(self, sequence: int, columns: readings.ReadingColumns) -> None:
        self.send(ingest.PushReadingsRequest(batch=ingest.ReadingBatch(sequence=sequence, readings=columns)))

    def acknowledgement(self) -> ingest.BatchAcknowledgement:
        """The next one."""
        while not self._acknowledgements:
            self._acknowledgements.extend(self.next().acknowledgements.acknowledgements)
        return self._acknowledgements.pop(0)

    def commit(self, sequence: int, columns: readings.ReadingColumns) -> ingest.BatchAcknowledgement:
        self.batch(sequence, columns)
        answer = self.acknowledgement()
        assert answer.sequence == sequence
        return answer


class Subscribe(Stream):
    """SubscriptionService.Subscribe."""

    def __init__(self, channel, token: str | None, timeout: float | None = None, **start):
        super().__init__(SubscriptionServiceStub(channel).Subscribe, token, timeout)
        self.cursor = start.get("cursor", "")
        self.send(sharing.SubscribeRequest(start=sharing.SubscribeStart(**start)))

    def frame(self, seconds: float = PATIENCE_S) -> sharing.SubscribeResponse:
        response = self.next(seconds)
        assert response.cursor, "every frame has a cursor"
        self.cursor = response.cursor
        return response

    def standing(self) -> Subscribe:
        """Waits for the first frame of a stream that begins now: from there on nothing is missed."""
        assert self.frame().WhichOneof("frame") == "heartbeat"
        return self

    def delivery(self, seconds: float = PATIENCE_S) -> sharing.SubscribeResponse:
        """The next frame that is no heartbeat."""
        end = time.monotonic() + seconds
        while True:
            response = self.frame(max(0.01, end - time.monotonic()))
            if response.WhichOneof("frame") == "delivery":
                return response

    def times(self, count: int) -> list[int]:
        """The times of the next `count` readings; fails where a frame brings more."""
        out: list[int] = []
        while len(out) < count:
            out += times_of(self.delivery().delivery.readings)
        assert len(out) == count, out
        return out

    def acknowledge(self, cursor: str | None = None) -> None:
        self.send(
            sharing.SubscribeRequest(
                acknowledgement=sharing.SubscribeAcknowledgement(cursor=self.cursor if cursor is None else cursor)
            )
        )


class Caller:
    """A channel and a token."""

    def __init__(self, target: str, token: str | None):
        self.token = token
        self.channel = grpc.insecure_channel(target)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.channel.close()

    def push(self, client_id: str | None = None, **options) -> Push:
        return Push(self.channel, self.token, client_id or fresh_client(), **options)

    def subscribe(self, persons=(), **options) -> Subscribe:
        return Subscribe(self.channel, self.token, person_ids=persons, **options)

    def record(self, rows, **options) -> ingest.BatchAcknowledgement:
        """Sends readings again that are not known to be kept, as clients do: the disk may be busy for two seconds."""
        request = ingest.RecordReadingsRequest(readings=rows, **options)
        for _ in range(RESENDS):
            try:
                return self.call(IngestServiceStub(self.channel).RecordReadings, request).acknowledgement
            except grpc.RpcError as error:
                if error.code() != grpc.StatusCode.UNAVAILABLE or "send them again" not in error.details():
                    raise
        return self.call(IngestServiceStub(self.channel).RecordReadings, request).acknowledgement

    def list(self, person: int, **options) -> reading_service.ListReadingsResponse:
        request = reading_service.ListReadingsRequest(person_id=person, **options)
        return self.call(ReadingServiceStub(self.channel).ListReadings, request)

    def history(self, person: int, **options) -> list[readings.Reading]:
        """All pages."""
        rows, token = [], ""
        while True:
            page = self.list(person, page_token=token, **options)
            rows += page.readings
            token = page.next_page_token
            if not token:
                return rows

    def status(self, person: int) -> list[readings.Reading]:
        request = reading_service.GetCurrentStatusRequest(person_id=person)
        return list(self.call(ReadingServiceStub(self.channel).GetCurrentStatus, request).readings)

    def metrics(self) -> list[reading_service.Metric]:
        return list(
            self.call(ReadingServiceStub(self.channel).ListMetrics, reading_service.ListMetricsRequest()).metrics
        )

    def summarize(self, **fields) -> reading_service.SummarizeReadingsResponse:
        request = reading_service.SummarizeReadingsRequest(**fields)
        return self.call(ReadingServiceStub(self.channel).SummarizeReadings, request)

    def export(self, person: int, **options):
        request = reading_service.ExportReadingsRequest(person_id=person, **options)
        return self.call(ReadingServiceStub(self.channel).ExportReadings, request)

    def watch(self, person: int, timeout: float = PATIENCE_S, **options):
        request = reading_service.WatchReadingsRequest(person_id=person, **options)
        return self.call(ReadingServiceStub(self.channel).WatchReadings, request, timeout)

    def call(self, method, request, timeout: float = PATIENCE_S):
        return method(request, metadata=metadata(self.token), timeout=timeout)


def metadata(token: str | None):
    return (("authorization", f"Bearer {token}"),) if token is not None else ()
