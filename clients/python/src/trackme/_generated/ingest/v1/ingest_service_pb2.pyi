from trackme._generated.options.v1 import callers_pb2 as _callers_pb2
from trackme._generated.readings.v1 import reading_pb2 as _reading_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class WearState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    WEAR_STATE_UNSPECIFIED: _ClassVar[WearState]
    WEAR_STATE_WORN: _ClassVar[WearState]
    WEAR_STATE_NOT_WORN: _ClassVar[WearState]

class RejectionReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    REJECTION_REASON_UNSPECIFIED: _ClassVar[RejectionReason]
    REJECTION_REASON_UNKNOWN_METRIC: _ClassVar[RejectionReason]
    REJECTION_REASON_WRONG_KIND: _ClassVar[RejectionReason]
    REJECTION_REASON_NOT_A_NUMBER: _ClassVar[RejectionReason]
    REJECTION_REASON_OUT_OF_RANGE: _ClassVar[RejectionReason]
    REJECTION_REASON_TIME_IN_FUTURE: _ClassVar[RejectionReason]
    REJECTION_REASON_TIME_TOO_OLD: _ClassVar[RejectionReason]
    REJECTION_REASON_NOT_YOURS: _ClassVar[RejectionReason]
    REJECTION_REASON_INVALID_PERSON: _ClassVar[RejectionReason]
    REJECTION_REASON_INVALID_SOURCE: _ClassVar[RejectionReason]
    REJECTION_REASON_INVALID_WAVEFORM: _ClassVar[RejectionReason]
    REJECTION_REASON_TOO_MANY_IN_HOUR: _ClassVar[RejectionReason]
    REJECTION_REASON_TOO_MANY_STORED: _ClassVar[RejectionReason]
    REJECTION_REASON_NO_VALUE: _ClassVar[RejectionReason]
WEAR_STATE_UNSPECIFIED: WearState
WEAR_STATE_WORN: WearState
WEAR_STATE_NOT_WORN: WearState
REJECTION_REASON_UNSPECIFIED: RejectionReason
REJECTION_REASON_UNKNOWN_METRIC: RejectionReason
REJECTION_REASON_WRONG_KIND: RejectionReason
REJECTION_REASON_NOT_A_NUMBER: RejectionReason
REJECTION_REASON_OUT_OF_RANGE: RejectionReason
REJECTION_REASON_TIME_IN_FUTURE: RejectionReason
REJECTION_REASON_TIME_TOO_OLD: RejectionReason
REJECTION_REASON_NOT_YOURS: RejectionReason
REJECTION_REASON_INVALID_PERSON: RejectionReason
REJECTION_REASON_INVALID_SOURCE: RejectionReason
REJECTION_REASON_INVALID_WAVEFORM: RejectionReason
REJECTION_REASON_TOO_MANY_IN_HOUR: RejectionReason
REJECTION_REASON_TOO_MANY_STORED: RejectionReason
REJECTION_REASON_NO_VALUE: RejectionReason

class PushReadingsRequest(_message.Message):
    __slots__ = ("hello", "batch", "device_report")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    BATCH_FIELD_NUMBER: _ClassVar[int]
    DEVICE_REPORT_FIELD_NUMBER: _ClassVar[int]
    hello: PushHello
    batch: ReadingBatch
    device_report: DeviceReport
    def __init__(self, hello: _Optional[_Union[PushHello, _Mapping]] = ..., batch: _Optional[_Union[ReadingBatch, _Mapping]] = ..., device_report: _Optional[_Union[DeviceReport, _Mapping]] = ...) -> None: ...

class DeviceReport(_message.Message):
    __slots__ = ("person_id", "wear_state", "has_low_battery")
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    WEAR_STATE_FIELD_NUMBER: _ClassVar[int]
    HAS_LOW_BATTERY_FIELD_NUMBER: _ClassVar[int]
    person_id: int
    wear_state: WearState
    has_low_battery: bool
    def __init__(self, person_id: _Optional[int] = ..., wear_state: _Optional[_Union[WearState, str]] = ..., has_low_battery: _Optional[bool] = ...) -> None: ...

class PushHello(_message.Message):
    __slots__ = ("client_id",)
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    client_id: str
    def __init__(self, client_id: _Optional[str] = ...) -> None: ...

class ReadingBatch(_message.Message):
    __slots__ = ("sequence", "readings")
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    READINGS_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    readings: _reading_pb2.ReadingColumns
    def __init__(self, sequence: _Optional[int] = ..., readings: _Optional[_Union[_reading_pb2.ReadingColumns, _Mapping]] = ...) -> None: ...

class PushReadingsResponse(_message.Message):
    __slots__ = ("welcome", "acknowledgements")
    WELCOME_FIELD_NUMBER: _ClassVar[int]
    ACKNOWLEDGEMENTS_FIELD_NUMBER: _ClassVar[int]
    welcome: PushWelcome
    acknowledgements: BatchAcknowledgements
    def __init__(self, welcome: _Optional[_Union[PushWelcome, _Mapping]] = ..., acknowledgements: _Optional[_Union[BatchAcknowledgements, _Mapping]] = ...) -> None: ...

class PushWelcome(_message.Message):
    __slots__ = ("last_sequence", "max_batch_readings", "max_batch_bytes")
    LAST_SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    MAX_BATCH_READINGS_FIELD_NUMBER: _ClassVar[int]
    MAX_BATCH_BYTES_FIELD_NUMBER: _ClassVar[int]
    last_sequence: int
    max_batch_readings: int
    max_batch_bytes: int
    def __init__(self, last_sequence: _Optional[int] = ..., max_batch_readings: _Optional[int] = ..., max_batch_bytes: _Optional[int] = ...) -> None: ...

class BatchAcknowledgements(_message.Message):
    __slots__ = ("acknowledgements",)
    ACKNOWLEDGEMENTS_FIELD_NUMBER: _ClassVar[int]
    acknowledgements: _containers.RepeatedCompositeFieldContainer[BatchAcknowledgement]
    def __init__(self, acknowledgements: _Optional[_Iterable[_Union[BatchAcknowledgement, _Mapping]]] = ...) -> None: ...

class BatchAcknowledgement(_message.Message):
    __slots__ = ("sequence", "position", "accepted", "rejected", "repeated", "rejections")
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    ACCEPTED_FIELD_NUMBER: _ClassVar[int]
    REJECTED_FIELD_NUMBER: _ClassVar[int]
    REPEATED_FIELD_NUMBER: _ClassVar[int]
    REJECTIONS_FIELD_NUMBER: _ClassVar[int]
    sequence: int
    position: int
    accepted: int
    rejected: int
    repeated: bool
    rejections: _containers.RepeatedCompositeFieldContainer[Rejection]
    def __init__(self, sequence: _Optional[int] = ..., position: _Optional[int] = ..., accepted: _Optional[int] = ..., rejected: _Optional[int] = ..., repeated: _Optional[bool] = ..., rejections: _Optional[_Iterable[_Union[Rejection, _Mapping]]] = ...) -> None: ...

class Rejection(_message.Message):
    __slots__ = ("index", "reason", "field")
    INDEX_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    FIELD_FIELD_NUMBER: _ClassVar[int]
    index: int
    reason: RejectionReason
    field: str
    def __init__(self, index: _Optional[int] = ..., reason: _Optional[_Union[RejectionReason, str]] = ..., field: _Optional[str] = ...) -> None: ...

class RecordReadingsRequest(_message.Message):
    __slots__ = ("client_id", "sequence", "readings")
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    SEQUENCE_FIELD_NUMBER: _ClassVar[int]
    READINGS_FIELD_NUMBER: _ClassVar[int]
    client_id: str
    sequence: int
    readings: _containers.RepeatedCompositeFieldContainer[_reading_pb2.Reading]
    def __init__(self, client_id: _Optional[str] = ..., sequence: _Optional[int] = ..., readings: _Optional[_Iterable[_Union[_reading_pb2.Reading, _Mapping]]] = ...) -> None: ...

class RecordReadingsResponse(_message.Message):
    __slots__ = ("acknowledgement",)
    ACKNOWLEDGEMENT_FIELD_NUMBER: _ClassVar[int]
    acknowledgement: BatchAcknowledgement
    def __init__(self, acknowledgement: _Optional[_Union[BatchAcknowledgement, _Mapping]] = ...) -> None: ...
