"""What no good client sends: it is refused with a status that says why, and harms nobody else."""

import math

import grpc
import pytest

from trackme.protocol import IngestServiceStub, SubscriptionServiceStub, ingest, readings, sharing

import seeds
from failures import fails
from streams import METRIC_IDS, PATIENCE_S, Stream, Subscribe, fresh_client, metadata, reading, scalars

T0 = 1_700_000_000_000_000
INVALID = grpc.StatusCode.INVALID_ARGUMENT

UNARY = [
    "/trackme.ingest.v1.IngestService/RecordReadings",
    "/trackme.readings.v1.ReadingService/GetCurrentStatus",
    "/trackme.readings.v1.ReadingService/ListReadings",
    "/trackme.readings.v1.ReadingService/SummarizeReadings",
]
SERVER_STREAMS = [
    "/trackme.readings.v1.ReadingService/ExportReadings",
    "/trackme.readings.v1.ReadingService/WatchReadings",
]
BIDIRECTIONAL = [
    "/trackme.ingest.v1.IngestService/PushReadings",
    "/trackme.sharing.v1.SubscriptionService/Subscribe",
]


def raw(operator, path: str, content: bytes):
    """Calls with bytes of our choice."""
    options = {"metadata": metadata(operator.token), "timeout": PATIENCE_S}
    if path in UNARY:
        return operator.channel.unary_unary(path)(content, **options)
    if path in SERVER_STREAMS:
        return next(operator.channel.unary_stream(path)(content, **options))
    return next(operator.channel.stream_stream(path)(iter([content]), **options))


def field(number: int, content: bytes) -> bytes:
    """A length-delimited field."""
    size, length = len(content), b""
    while size > 127:
        length += bytes([size & 127 | 128])
        size >>= 7
    return bytes([number << 3 | 2]) + length + bytes([size]) + content


# Where a string stands in each request: the bytes around it.
STRINGS = {
    UNARY[0]: lambda s: field(1, s) + b"\x10\x01" + field(3, reading(1, T0, 60).SerializeToString()),
    UNARY[2]: lambda s: b"\x08\x01" + field(2, s),
    UNARY[3]: lambda s: b"\x08\x01" + field(2, s) + b"\x18\x01\x20\x02\x28\x05",
    SERVER_STREAMS[0]: lambda s: b"\x08\x01" + field(2, s),
    SERVER_STREAMS[1]: lambda s: b"\x08\x01" + field(2, s),
    BIDIRECTIONAL[0]: lambda s: field(1, field(1, s)),
    BIDIRECTIONAL[1]: lambda s: field(1, field(2, s)),
}


@pytest.mark.parametrize("content", [b"heart\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"heart\x00rate"])
@pytest.mark.parametrize("path", STRINGS)
def test_text_that_is_not_utf8_or_has_a_nul_is_refused(operator, path, content):
    with fails(INVALID):
        raw(operator, path, STRINGS[path](content))


@pytest.mark.parametrize("content", [b"\xff" * 50, b"\x0a\xff", b"\x0a\x05ab", b"\x07", b"\x00\x01\x02"])
@pytest.mark.parametrize("path", UNARY + SERVER_STREAMS + BIDIRECTIONAL)
def test_bytes_that_are_no_message_are_refused(operator, path, content):
    with fails(INVALID):
        raw(operator, path, content)


def test_random_bytes_harm_nobody(operator, person):
    rng = seeds.rng("bytes")
    seed = ingest.RecordReadingsRequest(readings=[reading(person, T0, 60)] * 3).SerializeToString()
    for _ in range(300):
        content = bytearray(seed) if rng.random() < 0.7 else bytearray(rng.randbytes(rng.randrange(200)))
        for _ in range(rng.randrange(1, 6)):
            if content:
                content[rng.randrange(len(content))] = rng.randrange(256)
        try:
            raw(operator, rng.choice(UNARY + BIDIRECTIONAL), bytes(content))
        except (grpc.RpcError, StopIteration) as error:
            if isinstance(error, grpc.RpcError):
                assert error.code() in (INVALID, grpc.StatusCode.PERMISSION_DENIED, grpc.StatusCode.FAILED_PRECONDITION)
    assert operator.metrics()


def test_unknown_fields_are_passed_over(operator, person):
    content = b"\x08" + bytes([person & 127 | 128, person >> 7]) + field(1000 >> 3 & 15 or 9, b"later")
    raw(operator, UNARY[1], content)


@pytest.mark.parametrize("path", UNARY[:1] + BIDIRECTIONAL)
def test_a_message_over_the_limit_is_refused(operator, path):
    with pytest.raises(grpc.RpcError) as caught:
        raw(operator, path, field(15, bytes(8 << 20)))
    assert caught.value.code() == grpc.StatusCode.RESOURCE_EXHAUSTED


def test_a_method_that_is_none_is_unimplemented(operator):
    for path in ("/trackme.ingest.v1.IngestService/Nothing", "/no.such.Service/Method", "/x"):
        with pytest.raises(grpc.RpcError) as caught:
            operator.channel.unary_unary(path)(b"", metadata=metadata(operator.token), timeout=PATIENCE_S)
        assert caught.value.code() == grpc.StatusCode.UNIMPLEMENTED


# PushReadings


@pytest.mark.parametrize("client_id", ["", "x" * 65, "två", "tab\there", "new\nline"])
def test_a_client_id_is_short_printable_ascii(operator, client_id):
    with fails(INVALID) as failure:
        operator_push = IngestServiceStub(operator.channel).PushReadings
        with Stream(operator_push, operator.token) as stream:
            stream.send(ingest.PushReadingsRequest(hello=ingest.PushHello(client_id=client_id)))
            stream.next()
    assert any(f.endswith("client_id") for f in failure.fields), failure.fields


def test_a_push_begins_with_a_hello_and_has_one(operator, person):
    batch = ingest.PushReadingsRequest(batch=ingest.ReadingBatch(sequence=1, readings=scalars(person, [(T0, 60)])))
    hello = ingest.PushReadingsRequest(hello=ingest.PushHello(client_id=fresh_client()))
    for frames in ([batch], [hello, hello], [ingest.PushReadingsRequest()], [hello, ingest.PushReadingsRequest()]):
        with Stream(IngestServiceStub(operator.channel).PushReadings, operator.token) as stream:
            for frame in frames:
                stream.send(frame)
            with fails(INVALID):
                while True:
                    stream.next()
    assert operator.history(person) == []


def test_a_sequence_is_1_or_more(operator, person):
    with operator.push() as push:
        push.batch(0, scalars(person, [(T0, 60)]))
        with fails(INVALID) as failure:
            push.next()
    assert any(f.endswith("sequence") for f in failure.fields), failure.fields


def columns(change) -> readings.ReadingColumns:
    out = scalars(1, [(T0, 60), (T0 + 1, 61), (T0 + 2, 62)])
    change(out)
    return out


MISFITS = {
    "a value too many": lambda c: c.scalars.value.append(1),
    "a value too few": lambda c: c.scalars.value.pop(),
    "two persons for three readings": lambda c: c.scalars.person_id.append(2),
    "no person": lambda c: c.scalars.person_id.pop(),
    "no metric": lambda c: c.scalars.metric.pop(),
    "two sources for three readings": lambda c: (c.sources.append("a"), c.scalars.source.extend([0, 0])),
    "a latitude too few": lambda c: c.positions.MergeFrom(
        readings.PositionColumns(person_id=[1], metric=[11], time_us=[T0, T0], latitude=[1], longitude=[1, 1])
    ),
    "an altitude for one of two": lambda c: c.positions.MergeFrom(
        readings.PositionColumns(
            person_id=[1], metric=[11], time_us=[T0, T0], latitude=[1, 1], longitude=[1, 1], altitude=[5]
        )
    ),
    "samples that do not add up": lambda c: c.waveforms.MergeFrom(
        readings.WaveformColumns(person_id=[1], metric=[8], time_us=[T0], rate_hz=[1], sample_count=[3], samples=[1])
    ),
    "sample counts that overflow": lambda c: c.waveforms.MergeFrom(
        readings.WaveformColumns(
            person_id=[1], metric=[8], time_us=[T0] * 3, rate_hz=[1] * 3, sample_count=[2**32 - 1, 2**32 - 1, 3],
            samples=[1],
        )
    ),
    "too many sources": lambda c: c.sources.extend(str(i) for i in range(1_001)),
}  # fmt: skip


@pytest.mark.parametrize("name", MISFITS)
def test_columns_that_do_not_fit_together_are_refused(operator, name):
    with operator.push() as push:
        push.batch(1, columns(MISFITS[name]))
        with fails(INVALID) as failure:
            push.next()
    assert failure.fields


def test_a_batch_of_too_many_readings_is_refused(operator, person):
    with operator.push() as push:
        push.batch(1, scalars(person, ((T0 + i, 60) for i in range(10_001))))
        with fails(INVALID):
            push.next()
    assert operator.history(person) == []


def test_a_batch_that_is_refused_leaves_the_ones_before_it(operator, person):
    client = fresh_client()
    with operator.push(client) as push:
        push.batch(1, scalars(person, [(T0, 60)]))
        push.batch(2, columns(MISFITS["a value too many"]))
        with fails(INVALID):
            while True:
                push.next()
    with operator.push(client) as push:
        assert push.welcome.last_sequence == 1
        assert push.commit(2, scalars(person, [(T0 + 1, 60)])).accepted == 1


def test_a_waveform_too_long_is_rejected_alone(operator, person):
    shape = readings.WaveformColumns(
        person_id=[person], metric=[METRIC_IDS["ecg"]], time_us=[T0, T0 + 1, T0 + 2], rate_hz=[250, 250, 200_000],
        sample_count=[50_001, 2, 1], samples=[0.5] * 50_004,
    )  # fmt: skip
    with operator.push() as push:
        answer = push.commit(1, readings.ReadingColumns(waveforms=shape))
    assert answer.accepted == 1
    assert [(r.index, r.reason) for r in answer.rejections] == [
        (0, ingest.REJECTION_REASON_INVALID_WAVEFORM),
        (2, ingest.REJECTION_REASON_INVALID_WAVEFORM),
    ]


def test_a_sample_that_is_no_number_is_rejected(operator, person):
    shape = readings.WaveformColumns(
        person_id=[person], metric=[8], time_us=[T0], rate_hz=[250], sample_count=[2], samples=[0.5, math.nan]
    )
    with operator.push() as push:
        answer = push.commit(1, readings.ReadingColumns(waveforms=shape))
    assert [r.reason for r in answer.rejections] == [ingest.REJECTION_REASON_NOT_A_NUMBER]


# RecordReadings


@pytest.mark.parametrize(
    "request_, field_",
    [
        (dict(readings=[]), "readings"),
        (dict(readings=[reading(1, T0 + i, 60) for i in range(1_001)]), "readings"),
        (dict(readings=[reading(1, T0, 60)], client_id="x"), "sequence"),
        (dict(readings=[reading(1, T0, 60)], sequence=1), "sequence"),
        (dict(readings=[reading(1, T0, 60)], client_id="é", sequence=1), "client_id"),
    ],
)
def test_record_readings_refuses_nonsense_by_field(operator, request_, field_):
    rows = request_.pop("readings")
    try:
        with fails(INVALID) as failure:
            operator.record(rows, **request_)
    finally:
        request_["readings"] = rows
    assert any(f.endswith(field_) for f in failure.fields), failure.fields


def test_the_longest_message_of_a_stranger_comes_in_time_to_be_refused_by_its_field(accounts):
    """Of whom nobody knows, little is read at once; a call has ten seconds for its first message."""
    with fails(INVALID, "name"):
        accounts.anonymous().ask("LogIn", name="x" * ((1 << 20) - 100), password="correct horse")


# Subscribe


@pytest.mark.parametrize(
    "start, field_",
    [
        (dict(person_ids=[1], metrics=["mood"]), "metrics"),
        (dict(person_ids=[0]), "person_ids"),
        (dict(person_ids=[-1]), "person_ids"),
        (dict(person_ids=list(range(1, 10_002))), "person_ids"),
        (dict(person_ids=[1], start_at=9), "start_at"),
    ],
)
def test_subscribe_refuses_nonsense_by_field(operator, start, field_):
    with Subscribe(operator.channel, operator.token, **start) as subscription:
        with fails(INVALID) as failure:
            subscription.frame()
    assert any(field_ in f for f in failure.fields), failure.fields


def test_a_subscription_begins_with_a_start_and_has_one(operator):
    start = sharing.SubscribeRequest(start=sharing.SubscribeStart(person_ids=[1]))
    acknowledgement = sharing.SubscribeRequest(acknowledgement=sharing.SubscribeAcknowledgement(cursor="x"))
    for frames in ([acknowledgement], [start, start], [sharing.SubscribeRequest()]):
        with Stream(SubscriptionServiceStub(operator.channel).Subscribe, operator.token) as stream:
            for frame in frames:
                stream.send(frame)
            with fails(INVALID):
                while True:
                    stream.next()


def test_a_deadline_that_is_over_is_no_harm(operator, person):
    for _ in range(50):
        try:
            operator.call(IngestServiceStub(operator.channel).RecordReadings,
                          ingest.RecordReadingsRequest(readings=[reading(person, T0, 60)]), timeout=0.0005)  # fmt: skip
        except grpc.RpcError as error:
            assert error.code() == grpc.StatusCode.DEADLINE_EXCEEDED
    assert operator.record([reading(person, T0, 61)]).accepted == 1


@pytest.mark.long
def test_clients_that_vanish_in_hundreds_are_no_harm(server, operator, person):
    from streams import Caller

    for _ in range(20):
        caller = Caller(server.target, server.operator_token)
        for _ in range(10):
            caller.subscribe([person], start_at=2)
            caller.push().batch(1, scalars(person, [(T0, 60)]))
        caller.channel.close()
    assert operator.record([reading(person, T0, 61)]).accepted == 1
