import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from trackme._generated.options.v1 import callers_pb2 as _callers_pb2
from trackme._generated.sos.v1 import emergency_pb2 as _emergency_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class ContactState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CONTACT_STATE_UNSPECIFIED: _ClassVar[ContactState]
    CONTACT_STATE_WAITING: _ClassVar[ContactState]
    CONTACT_STATE_ASKED: _ClassVar[ContactState]
    CONTACT_STATE_CONFIRMED: _ClassVar[ContactState]
    CONTACT_STATE_REFUSED: _ClassVar[ContactState]
CONTACT_STATE_UNSPECIFIED: ContactState
CONTACT_STATE_WAITING: ContactState
CONTACT_STATE_ASKED: ContactState
CONTACT_STATE_CONFIRMED: ContactState
CONTACT_STATE_REFUSED: ContactState

class EmergencyContact(_message.Message):
    __slots__ = ("name", "phone_number", "email", "phone_state", "email_state")
    NAME_FIELD_NUMBER: _ClassVar[int]
    PHONE_NUMBER_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    PHONE_STATE_FIELD_NUMBER: _ClassVar[int]
    EMAIL_STATE_FIELD_NUMBER: _ClassVar[int]
    name: str
    phone_number: str
    email: str
    phone_state: ContactState
    email_state: ContactState
    def __init__(self, name: _Optional[str] = ..., phone_number: _Optional[str] = ..., email: _Optional[str] = ..., phone_state: _Optional[_Union[ContactState, str]] = ..., email_state: _Optional[_Union[ContactState, str]] = ...) -> None: ...

class SilenceSettings(_message.Message):
    __slots__ = ("notify_after_minutes", "call_after_minutes")
    NOTIFY_AFTER_MINUTES_FIELD_NUMBER: _ClassVar[int]
    CALL_AFTER_MINUTES_FIELD_NUMBER: _ClassVar[int]
    notify_after_minutes: int
    call_after_minutes: int
    def __init__(self, notify_after_minutes: _Optional[int] = ..., call_after_minutes: _Optional[int] = ...) -> None: ...

class SosSettings(_message.Message):
    __slots__ = ("enabled", "callback_number", "contacts", "silence", "uses_oxygen_scale_2", "uses_supplemental_oxygen")
    ENABLED_FIELD_NUMBER: _ClassVar[int]
    CALLBACK_NUMBER_FIELD_NUMBER: _ClassVar[int]
    CONTACTS_FIELD_NUMBER: _ClassVar[int]
    SILENCE_FIELD_NUMBER: _ClassVar[int]
    USES_OXYGEN_SCALE_2_FIELD_NUMBER: _ClassVar[int]
    USES_SUPPLEMENTAL_OXYGEN_FIELD_NUMBER: _ClassVar[int]
    enabled: bool
    callback_number: str
    contacts: _containers.RepeatedCompositeFieldContainer[EmergencyContact]
    silence: SilenceSettings
    uses_oxygen_scale_2: bool
    uses_supplemental_oxygen: bool
    def __init__(self, enabled: _Optional[bool] = ..., callback_number: _Optional[str] = ..., contacts: _Optional[_Iterable[_Union[EmergencyContact, _Mapping]]] = ..., silence: _Optional[_Union[SilenceSettings, _Mapping]] = ..., uses_oxygen_scale_2: _Optional[bool] = ..., uses_supplemental_oxygen: _Optional[bool] = ...) -> None: ...

class GetSosSettingsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetSosSettingsResponse(_message.Message):
    __slots__ = ("settings", "etag", "dispatch_status")
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    DISPATCH_STATUS_FIELD_NUMBER: _ClassVar[int]
    settings: SosSettings
    etag: str
    dispatch_status: _emergency_pb2.DispatchStatus
    def __init__(self, settings: _Optional[_Union[SosSettings, _Mapping]] = ..., etag: _Optional[str] = ..., dispatch_status: _Optional[_Union[_emergency_pb2.DispatchStatus, str]] = ...) -> None: ...

class UpdateSosSettingsRequest(_message.Message):
    __slots__ = ("settings", "etag")
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    settings: SosSettings
    etag: str
    def __init__(self, settings: _Optional[_Union[SosSettings, _Mapping]] = ..., etag: _Optional[str] = ...) -> None: ...

class UpdateSosSettingsResponse(_message.Message):
    __slots__ = ("settings", "etag")
    SETTINGS_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    settings: SosSettings
    etag: str
    def __init__(self, settings: _Optional[_Union[SosSettings, _Mapping]] = ..., etag: _Optional[str] = ...) -> None: ...

class ConfirmContactRequest(_message.Message):
    __slots__ = ("code",)
    CODE_FIELD_NUMBER: _ClassVar[int]
    code: str
    def __init__(self, code: _Optional[str] = ...) -> None: ...

class ConfirmContactResponse(_message.Message):
    __slots__ = ("person_name",)
    PERSON_NAME_FIELD_NUMBER: _ClassVar[int]
    person_name: str
    def __init__(self, person_name: _Optional[str] = ...) -> None: ...

class RefuseContactRequest(_message.Message):
    __slots__ = ("code",)
    CODE_FIELD_NUMBER: _ClassVar[int]
    code: str
    def __init__(self, code: _Optional[str] = ...) -> None: ...

class RefuseContactResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Limits(_message.Message):
    __slots__ = ("low", "high", "hold_ms", "hysteresis")
    LOW_FIELD_NUMBER: _ClassVar[int]
    HIGH_FIELD_NUMBER: _ClassVar[int]
    HOLD_MS_FIELD_NUMBER: _ClassVar[int]
    HYSTERESIS_FIELD_NUMBER: _ClassVar[int]
    low: float
    high: float
    hold_ms: int
    hysteresis: float
    def __init__(self, low: _Optional[float] = ..., high: _Optional[float] = ..., hold_ms: _Optional[int] = ..., hysteresis: _Optional[float] = ...) -> None: ...

class Threshold(_message.Message):
    __slots__ = ("metric", "rest", "exertion", "is_default")
    METRIC_FIELD_NUMBER: _ClassVar[int]
    REST_FIELD_NUMBER: _ClassVar[int]
    EXERTION_FIELD_NUMBER: _ClassVar[int]
    IS_DEFAULT_FIELD_NUMBER: _ClassVar[int]
    metric: str
    rest: Limits
    exertion: Limits
    is_default: bool
    def __init__(self, metric: _Optional[str] = ..., rest: _Optional[_Union[Limits, _Mapping]] = ..., exertion: _Optional[_Union[Limits, _Mapping]] = ..., is_default: _Optional[bool] = ...) -> None: ...

class ListThresholdsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListThresholdsResponse(_message.Message):
    __slots__ = ("thresholds", "score_limit", "rule_version")
    THRESHOLDS_FIELD_NUMBER: _ClassVar[int]
    SCORE_LIMIT_FIELD_NUMBER: _ClassVar[int]
    RULE_VERSION_FIELD_NUMBER: _ClassVar[int]
    thresholds: _containers.RepeatedCompositeFieldContainer[Threshold]
    score_limit: int
    rule_version: str
    def __init__(self, thresholds: _Optional[_Iterable[_Union[Threshold, _Mapping]]] = ..., score_limit: _Optional[int] = ..., rule_version: _Optional[str] = ...) -> None: ...

class SetThresholdRequest(_message.Message):
    __slots__ = ("threshold",)
    THRESHOLD_FIELD_NUMBER: _ClassVar[int]
    threshold: Threshold
    def __init__(self, threshold: _Optional[_Union[Threshold, _Mapping]] = ...) -> None: ...

class SetThresholdResponse(_message.Message):
    __slots__ = ("threshold", "rule_version")
    THRESHOLD_FIELD_NUMBER: _ClassVar[int]
    RULE_VERSION_FIELD_NUMBER: _ClassVar[int]
    threshold: Threshold
    rule_version: str
    def __init__(self, threshold: _Optional[_Union[Threshold, _Mapping]] = ..., rule_version: _Optional[str] = ...) -> None: ...

class ResetThresholdRequest(_message.Message):
    __slots__ = ("metric",)
    METRIC_FIELD_NUMBER: _ClassVar[int]
    metric: str
    def __init__(self, metric: _Optional[str] = ...) -> None: ...

class ResetThresholdResponse(_message.Message):
    __slots__ = ("threshold", "rule_version")
    THRESHOLD_FIELD_NUMBER: _ClassVar[int]
    RULE_VERSION_FIELD_NUMBER: _ClassVar[int]
    threshold: Threshold
    rule_version: str
    def __init__(self, threshold: _Optional[_Union[Threshold, _Mapping]] = ..., rule_version: _Optional[str] = ...) -> None: ...

class Exertion(_message.Message):
    __slots__ = ("exertion_id", "to")
    EXERTION_ID_FIELD_NUMBER: _ClassVar[int]
    FROM_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    exertion_id: int
    to: _timestamp_pb2.Timestamp
    def __init__(self, exertion_id: _Optional[int] = ..., to: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., **kwargs) -> None: ...

class DeclareExertionRequest(_message.Message):
    __slots__ = ("request_id", "to")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    FROM_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    to: _timestamp_pb2.Timestamp
    def __init__(self, request_id: _Optional[str] = ..., to: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., **kwargs) -> None: ...

class DeclareExertionResponse(_message.Message):
    __slots__ = ("exertion",)
    EXERTION_FIELD_NUMBER: _ClassVar[int]
    exertion: Exertion
    def __init__(self, exertion: _Optional[_Union[Exertion, _Mapping]] = ...) -> None: ...

class ListExertionsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListExertionsResponse(_message.Message):
    __slots__ = ("exertions",)
    EXERTIONS_FIELD_NUMBER: _ClassVar[int]
    exertions: _containers.RepeatedCompositeFieldContainer[Exertion]
    def __init__(self, exertions: _Optional[_Iterable[_Union[Exertion, _Mapping]]] = ...) -> None: ...

class EndExertionRequest(_message.Message):
    __slots__ = ("exertion_id",)
    EXERTION_ID_FIELD_NUMBER: _ClassVar[int]
    exertion_id: int
    def __init__(self, exertion_id: _Optional[int] = ...) -> None: ...

class EndExertionResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class BacktestThresholdsRequest(_message.Message):
    __slots__ = ("thresholds", "to")
    THRESHOLDS_FIELD_NUMBER: _ClassVar[int]
    FROM_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    thresholds: _containers.RepeatedCompositeFieldContainer[Threshold]
    to: _timestamp_pb2.Timestamp
    def __init__(self, thresholds: _Optional[_Iterable[_Union[Threshold, _Mapping]]] = ..., to: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., **kwargs) -> None: ...

class BacktestThresholdsResponse(_message.Message):
    __slots__ = ("episodes", "evaluated_readings", "is_truncated")
    EPISODES_FIELD_NUMBER: _ClassVar[int]
    EVALUATED_READINGS_FIELD_NUMBER: _ClassVar[int]
    IS_TRUNCATED_FIELD_NUMBER: _ClassVar[int]
    episodes: _containers.RepeatedCompositeFieldContainer[BacktestEpisode]
    evaluated_readings: int
    is_truncated: bool
    def __init__(self, episodes: _Optional[_Iterable[_Union[BacktestEpisode, _Mapping]]] = ..., evaluated_readings: _Optional[int] = ..., is_truncated: _Optional[bool] = ...) -> None: ...

class BacktestEpisode(_message.Message):
    __slots__ = ("crossings",)
    CROSSINGS_FIELD_NUMBER: _ClassVar[int]
    crossings: _containers.RepeatedCompositeFieldContainer[_emergency_pb2.Crossing]
    def __init__(self, crossings: _Optional[_Iterable[_Union[_emergency_pb2.Crossing, _Mapping]]] = ...) -> None: ...

class ListEmergenciesRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListEmergenciesResponse(_message.Message):
    __slots__ = ("emergencies", "next_page_token")
    EMERGENCIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    emergencies: _containers.RepeatedCompositeFieldContainer[_emergency_pb2.Emergency]
    next_page_token: str
    def __init__(self, emergencies: _Optional[_Iterable[_Union[_emergency_pb2.Emergency, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetEmergencyRequest(_message.Message):
    __slots__ = ("emergency_id",)
    EMERGENCY_ID_FIELD_NUMBER: _ClassVar[int]
    emergency_id: str
    def __init__(self, emergency_id: _Optional[str] = ...) -> None: ...

class GetEmergencyResponse(_message.Message):
    __slots__ = ("emergency",)
    EMERGENCY_FIELD_NUMBER: _ClassVar[int]
    emergency: _emergency_pb2.Emergency
    def __init__(self, emergency: _Optional[_Union[_emergency_pb2.Emergency, _Mapping]] = ...) -> None: ...

class CancelEmergencyRequest(_message.Message):
    __slots__ = ("emergency_id", "reason")
    EMERGENCY_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    emergency_id: str
    reason: str
    def __init__(self, emergency_id: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class CancelEmergencyResponse(_message.Message):
    __slots__ = ("emergency",)
    EMERGENCY_FIELD_NUMBER: _ClassVar[int]
    emergency: _emergency_pb2.Emergency
    def __init__(self, emergency: _Optional[_Union[_emergency_pb2.Emergency, _Mapping]] = ...) -> None: ...

class WatchEmergenciesRequest(_message.Message):
    __slots__ = ("cursor",)
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    cursor: str
    def __init__(self, cursor: _Optional[str] = ...) -> None: ...

class WatchEmergenciesResponse(_message.Message):
    __slots__ = ("cursor", "emergency")
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    EMERGENCY_FIELD_NUMBER: _ClassVar[int]
    cursor: str
    emergency: _emergency_pb2.Emergency
    def __init__(self, cursor: _Optional[str] = ..., emergency: _Optional[_Union[_emergency_pb2.Emergency, _Mapping]] = ...) -> None: ...
