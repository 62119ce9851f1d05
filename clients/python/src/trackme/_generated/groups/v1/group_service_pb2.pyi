import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from trackme._generated.options.v1 import callers_pb2 as _callers_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class SharedMetric(_message.Message):
    __slots__ = ("metric", "counts_from")
    METRIC_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FROM_FIELD_NUMBER: _ClassVar[int]
    metric: str
    counts_from: _timestamp_pb2.Timestamp
    def __init__(self, metric: _Optional[str] = ..., counts_from: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class AnonymousSharing(_message.Message):
    __slots__ = ("metrics", "etag")
    METRICS_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    metrics: _containers.RepeatedCompositeFieldContainer[SharedMetric]
    etag: str
    def __init__(self, metrics: _Optional[_Iterable[_Union[SharedMetric, _Mapping]]] = ..., etag: _Optional[str] = ...) -> None: ...

class GetAnonymousSharingRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetAnonymousSharingResponse(_message.Message):
    __slots__ = ("sharing",)
    SHARING_FIELD_NUMBER: _ClassVar[int]
    sharing: AnonymousSharing
    def __init__(self, sharing: _Optional[_Union[AnonymousSharing, _Mapping]] = ...) -> None: ...

class UpdateAnonymousSharingRequest(_message.Message):
    __slots__ = ("metrics", "etag")
    METRICS_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    metrics: _containers.RepeatedScalarFieldContainer[str]
    etag: str
    def __init__(self, metrics: _Optional[_Iterable[str]] = ..., etag: _Optional[str] = ...) -> None: ...

class UpdateAnonymousSharingResponse(_message.Message):
    __slots__ = ("sharing",)
    SHARING_FIELD_NUMBER: _ClassVar[int]
    sharing: AnonymousSharing
    def __init__(self, sharing: _Optional[_Union[AnonymousSharing, _Mapping]] = ...) -> None: ...
