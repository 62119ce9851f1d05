from trackme._generated.readings.v1 import reading_pb2 as _reading_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class StartAt(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    START_AT_UNSPECIFIED: _ClassVar[StartAt]
    START_AT_NOW: _ClassVar[StartAt]
    START_AT_BEGINNING: _ClassVar[StartAt]
START_AT_UNSPECIFIED: StartAt
START_AT_NOW: StartAt
START_AT_BEGINNING: StartAt

class SubscribeRequest(_message.Message):
    __slots__ = ("start", "acknowledgement")
    START_FIELD_NUMBER: _ClassVar[int]
    ACKNOWLEDGEMENT_FIELD_NUMBER: _ClassVar[int]
    start: SubscribeStart
    acknowledgement: SubscribeAcknowledgement
    def __init__(self, start: _Optional[_Union[SubscribeStart, _Mapping]] = ..., acknowledgement: _Optional[_Union[SubscribeAcknowledgement, _Mapping]] = ...) -> None: ...

class SubscribeStart(_message.Message):
    __slots__ = ("person_ids", "metrics", "cursor", "start_at", "max_outstanding")
    PERSON_IDS_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    START_AT_FIELD_NUMBER: _ClassVar[int]
    MAX_OUTSTANDING_FIELD_NUMBER: _ClassVar[int]
    person_ids: _containers.RepeatedScalarFieldContainer[int]
    metrics: _containers.RepeatedScalarFieldContainer[str]
    cursor: str
    start_at: StartAt
    max_outstanding: int
    def __init__(self, person_ids: _Optional[_Iterable[int]] = ..., metrics: _Optional[_Iterable[str]] = ..., cursor: _Optional[str] = ..., start_at: _Optional[_Union[StartAt, str]] = ..., max_outstanding: _Optional[int] = ...) -> None: ...

class SubscribeAcknowledgement(_message.Message):
    __slots__ = ("cursor",)
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    cursor: str
    def __init__(self, cursor: _Optional[str] = ...) -> None: ...

class SubscribeResponse(_message.Message):
    __slots__ = ("cursor", "delivery", "heartbeat")
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    DELIVERY_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    cursor: str
    delivery: Delivery
    heartbeat: Heartbeat
    def __init__(self, cursor: _Optional[str] = ..., delivery: _Optional[_Union[Delivery, _Mapping]] = ..., heartbeat: _Optional[_Union[Heartbeat, _Mapping]] = ...) -> None: ...

class Delivery(_message.Message):
    __slots__ = ("readings", "catching_up")
    READINGS_FIELD_NUMBER: _ClassVar[int]
    CATCHING_UP_FIELD_NUMBER: _ClassVar[int]
    readings: _reading_pb2.ReadingColumns
    catching_up: bool
    def __init__(self, readings: _Optional[_Union[_reading_pb2.ReadingColumns, _Mapping]] = ..., catching_up: _Optional[bool] = ...) -> None: ...

class Heartbeat(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
