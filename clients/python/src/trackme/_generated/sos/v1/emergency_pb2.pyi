import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class EmergencyState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EMERGENCY_STATE_UNSPECIFIED: _ClassVar[EmergencyState]
    EMERGENCY_STATE_DETECTED: _ClassVar[EmergencyState]
    EMERGENCY_STATE_DISPATCHING: _ClassVar[EmergencyState]
    EMERGENCY_STATE_ACCEPTED: _ClassVar[EmergencyState]
    EMERGENCY_STATE_EN_ROUTE: _ClassVar[EmergencyState]
    EMERGENCY_STATE_RESOLVED: _ClassVar[EmergencyState]
    EMERGENCY_STATE_CANCELLED: _ClassVar[EmergencyState]

class DispatchStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DISPATCH_STATUS_UNSPECIFIED: _ClassVar[DispatchStatus]
    DISPATCH_STATUS_EXERCISE: _ClassVar[DispatchStatus]
    DISPATCH_STATUS_ACTUAL: _ClassVar[DispatchStatus]

class CallStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CALL_STATUS_UNSPECIFIED: _ClassVar[CallStatus]
    CALL_STATUS_QUEUED: _ClassVar[CallStatus]
    CALL_STATUS_SENT: _ClassVar[CallStatus]
    CALL_STATUS_RINGING: _ClassVar[CallStatus]
    CALL_STATUS_DELIVERED: _ClassVar[CallStatus]
    CALL_STATUS_ANSWERED: _ClassVar[CallStatus]
    CALL_STATUS_BUSY: _ClassVar[CallStatus]
    CALL_STATUS_NO_ANSWER: _ClassVar[CallStatus]
    CALL_STATUS_FAILED: _ClassVar[CallStatus]
    CALL_STATUS_UNCONFIRMED: _ClassVar[CallStatus]

class CrossingKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CROSSING_KIND_UNSPECIFIED: _ClassVar[CrossingKind]
    CROSSING_KIND_LOW: _ClassVar[CrossingKind]
    CROSSING_KIND_HIGH: _ClassVar[CrossingKind]
    CROSSING_KIND_SCORE: _ClassVar[CrossingKind]
    CROSSING_KIND_SILENCE: _ClassVar[CrossingKind]

class SilenceCause(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SILENCE_CAUSE_UNSPECIFIED: _ClassVar[SilenceCause]
    SILENCE_CAUSE_UNKNOWN: _ClassVar[SilenceCause]
    SILENCE_CAUSE_LOW_BATTERY: _ClassVar[SilenceCause]
    SILENCE_CAUSE_STREAM_CLOSED: _ClassVar[SilenceCause]
    SILENCE_CAUSE_CONNECTION_LOST: _ClassVar[SilenceCause]
    SILENCE_CAUSE_STOPPED_MOVING: _ClassVar[SilenceCause]
EMERGENCY_STATE_UNSPECIFIED: EmergencyState
EMERGENCY_STATE_DETECTED: EmergencyState
EMERGENCY_STATE_DISPATCHING: EmergencyState
EMERGENCY_STATE_ACCEPTED: EmergencyState
EMERGENCY_STATE_EN_ROUTE: EmergencyState
EMERGENCY_STATE_RESOLVED: EmergencyState
EMERGENCY_STATE_CANCELLED: EmergencyState
DISPATCH_STATUS_UNSPECIFIED: DispatchStatus
DISPATCH_STATUS_EXERCISE: DispatchStatus
DISPATCH_STATUS_ACTUAL: DispatchStatus
CALL_STATUS_UNSPECIFIED: CallStatus
CALL_STATUS_QUEUED: CallStatus
CALL_STATUS_SENT: CallStatus
CALL_STATUS_RINGING: CallStatus
CALL_STATUS_DELIVERED: CallStatus
CALL_STATUS_ANSWERED: CallStatus
CALL_STATUS_BUSY: CallStatus
CALL_STATUS_NO_ANSWER: CallStatus
CALL_STATUS_FAILED: CallStatus
CALL_STATUS_UNCONFIRMED: CallStatus
CROSSING_KIND_UNSPECIFIED: CrossingKind
CROSSING_KIND_LOW: CrossingKind
CROSSING_KIND_HIGH: CrossingKind
CROSSING_KIND_SCORE: CrossingKind
CROSSING_KIND_SILENCE: CrossingKind
SILENCE_CAUSE_UNSPECIFIED: SilenceCause
SILENCE_CAUSE_UNKNOWN: SilenceCause
SILENCE_CAUSE_LOW_BATTERY: SilenceCause
SILENCE_CAUSE_STREAM_CLOSED: SilenceCause
SILENCE_CAUSE_CONNECTION_LOST: SilenceCause
SILENCE_CAUSE_STOPPED_MOVING: SilenceCause

class Vital(_message.Message):
    __slots__ = ("metric", "value", "unit", "time_us", "source")
    METRIC_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    TIME_US_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    metric: str
    value: float
    unit: str
    time_us: int
    source: str
    def __init__(self, metric: _Optional[str] = ..., value: _Optional[float] = ..., unit: _Optional[str] = ..., time_us: _Optional[int] = ..., source: _Optional[str] = ...) -> None: ...

class Crossing(_message.Message):
    __slots__ = ("kind", "metric", "limit", "value", "began_us", "completed_us", "hold_ms", "rule_version", "during_exertion", "readings", "silence_cause")
    KIND_FIELD_NUMBER: _ClassVar[int]
    METRIC_FIELD_NUMBER: _ClassVar[int]
    LIMIT_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    BEGAN_US_FIELD_NUMBER: _ClassVar[int]
    COMPLETED_US_FIELD_NUMBER: _ClassVar[int]
    HOLD_MS_FIELD_NUMBER: _ClassVar[int]
    RULE_VERSION_FIELD_NUMBER: _ClassVar[int]
    DURING_EXERTION_FIELD_NUMBER: _ClassVar[int]
    READINGS_FIELD_NUMBER: _ClassVar[int]
    SILENCE_CAUSE_FIELD_NUMBER: _ClassVar[int]
    kind: CrossingKind
    metric: str
    limit: float
    value: float
    began_us: int
    completed_us: int
    hold_ms: int
    rule_version: str
    during_exertion: bool
    readings: _containers.RepeatedCompositeFieldContainer[Vital]
    silence_cause: SilenceCause
    def __init__(self, kind: _Optional[_Union[CrossingKind, str]] = ..., metric: _Optional[str] = ..., limit: _Optional[float] = ..., value: _Optional[float] = ..., began_us: _Optional[int] = ..., completed_us: _Optional[int] = ..., hold_ms: _Optional[int] = ..., rule_version: _Optional[str] = ..., during_exertion: _Optional[bool] = ..., readings: _Optional[_Iterable[_Union[Vital, _Mapping]]] = ..., silence_cause: _Optional[_Union[SilenceCause, str]] = ...) -> None: ...

class LastPosition(_message.Message):
    __slots__ = ("latitude", "longitude", "accuracy_m", "time_us")
    LATITUDE_FIELD_NUMBER: _ClassVar[int]
    LONGITUDE_FIELD_NUMBER: _ClassVar[int]
    ACCURACY_M_FIELD_NUMBER: _ClassVar[int]
    TIME_US_FIELD_NUMBER: _ClassVar[int]
    latitude: float
    longitude: float
    accuracy_m: float
    time_us: int
    def __init__(self, latitude: _Optional[float] = ..., longitude: _Optional[float] = ..., accuracy_m: _Optional[float] = ..., time_us: _Optional[int] = ...) -> None: ...

class EmergencyTransition(_message.Message):
    __slots__ = ("state", "at_us", "actor", "note", "call_status")
    STATE_FIELD_NUMBER: _ClassVar[int]
    AT_US_FIELD_NUMBER: _ClassVar[int]
    ACTOR_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    CALL_STATUS_FIELD_NUMBER: _ClassVar[int]
    state: EmergencyState
    at_us: int
    actor: str
    note: str
    call_status: CallStatus
    def __init__(self, state: _Optional[_Union[EmergencyState, str]] = ..., at_us: _Optional[int] = ..., actor: _Optional[str] = ..., note: _Optional[str] = ..., call_status: _Optional[_Union[CallStatus, str]] = ...) -> None: ...

class Emergency(_message.Message):
    __slots__ = ("emergency_id", "person_id", "state", "status", "detected_us", "crossings", "recent_vitals", "position", "age", "sex", "callback_number", "emergency_number", "country", "transitions", "cancellable_until", "earlier")
    EMERGENCY_ID_FIELD_NUMBER: _ClassVar[int]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    DETECTED_US_FIELD_NUMBER: _ClassVar[int]
    CROSSINGS_FIELD_NUMBER: _ClassVar[int]
    RECENT_VITALS_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    AGE_FIELD_NUMBER: _ClassVar[int]
    SEX_FIELD_NUMBER: _ClassVar[int]
    CALLBACK_NUMBER_FIELD_NUMBER: _ClassVar[int]
    EMERGENCY_NUMBER_FIELD_NUMBER: _ClassVar[int]
    COUNTRY_FIELD_NUMBER: _ClassVar[int]
    TRANSITIONS_FIELD_NUMBER: _ClassVar[int]
    CANCELLABLE_UNTIL_FIELD_NUMBER: _ClassVar[int]
    EARLIER_FIELD_NUMBER: _ClassVar[int]
    emergency_id: str
    person_id: int
    state: EmergencyState
    status: DispatchStatus
    detected_us: int
    crossings: _containers.RepeatedCompositeFieldContainer[Crossing]
    recent_vitals: _containers.RepeatedCompositeFieldContainer[Vital]
    position: LastPosition
    age: int
    sex: str
    callback_number: str
    emergency_number: str
    country: str
    transitions: _containers.RepeatedCompositeFieldContainer[EmergencyTransition]
    cancellable_until: _timestamp_pb2.Timestamp
    earlier: int
    def __init__(self, emergency_id: _Optional[str] = ..., person_id: _Optional[int] = ..., state: _Optional[_Union[EmergencyState, str]] = ..., status: _Optional[_Union[DispatchStatus, str]] = ..., detected_us: _Optional[int] = ..., crossings: _Optional[_Iterable[_Union[Crossing, _Mapping]]] = ..., recent_vitals: _Optional[_Iterable[_Union[Vital, _Mapping]]] = ..., position: _Optional[_Union[LastPosition, _Mapping]] = ..., age: _Optional[int] = ..., sex: _Optional[str] = ..., callback_number: _Optional[str] = ..., emergency_number: _Optional[str] = ..., country: _Optional[str] = ..., transitions: _Optional[_Iterable[_Union[EmergencyTransition, _Mapping]]] = ..., cancellable_until: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., earlier: _Optional[int] = ...) -> None: ...
