import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from trackme._generated.groups.v1 import group_service_pb2 as _group_service_pb2
from trackme._generated.options.v1 import callers_pb2 as _callers_pb2
from trackme._generated.readings.v1 import reading_pb2 as _reading_pb2
from trackme._generated.sharing.v1 import access_service_pb2 as _access_service_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Cadence(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CADENCE_UNSPECIFIED: _ClassVar[Cadence]
    CADENCE_AS_PRODUCED: _ClassVar[Cadence]
    CADENCE_HOURLY: _ClassVar[Cadence]
    CADENCE_DAILY: _ClassVar[Cadence]
    CADENCE_WEEKLY: _ClassVar[Cadence]
    CADENCE_MONTHLY: _ClassVar[Cadence]

class GroupPause(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GROUP_PAUSE_UNSPECIFIED: _ClassVar[GroupPause]
    GROUP_PAUSE_TOO_SMALL: _ClassVar[GroupPause]
    GROUP_PAUSE_BUDGET_SPENT: _ClassVar[GroupPause]
    GROUP_PAUSE_PRICE: _ClassVar[GroupPause]

class StartAt(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    START_AT_UNSPECIFIED: _ClassVar[StartAt]
    START_AT_NOW: _ClassVar[StartAt]
    START_AT_BEGINNING: _ClassVar[StartAt]
CADENCE_UNSPECIFIED: Cadence
CADENCE_AS_PRODUCED: Cadence
CADENCE_HOURLY: Cadence
CADENCE_DAILY: Cadence
CADENCE_WEEKLY: Cadence
CADENCE_MONTHLY: Cadence
GROUP_PAUSE_UNSPECIFIED: GroupPause
GROUP_PAUSE_TOO_SMALL: GroupPause
GROUP_PAUSE_BUDGET_SPENT: GroupPause
GROUP_PAUSE_PRICE: GroupPause
START_AT_UNSPECIFIED: StartAt
START_AT_NOW: StartAt
START_AT_BEGINNING: StartAt

class Subscription(_message.Message):
    __slots__ = ("subscription_id", "access_request_id", "metrics", "cadence", "time_zone", "created", "ended", "next_digest", "etag", "group", "pause", "release_cost")
    SUBSCRIPTION_ID_FIELD_NUMBER: _ClassVar[int]
    ACCESS_REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    CADENCE_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    CREATED_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    NEXT_DIGEST_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    PAUSE_FIELD_NUMBER: _ClassVar[int]
    RELEASE_COST_FIELD_NUMBER: _ClassVar[int]
    subscription_id: int
    access_request_id: int
    metrics: _containers.RepeatedScalarFieldContainer[str]
    cadence: Cadence
    time_zone: str
    created: _timestamp_pb2.Timestamp
    ended: _timestamp_pb2.Timestamp
    next_digest: _timestamp_pb2.Timestamp
    etag: str
    group: _group_service_pb2.GroupQuestion
    pause: GroupPause
    release_cost: _group_service_pb2.PrivacyCost
    def __init__(self, subscription_id: _Optional[int] = ..., access_request_id: _Optional[int] = ..., metrics: _Optional[_Iterable[str]] = ..., cadence: _Optional[_Union[Cadence, str]] = ..., time_zone: _Optional[str] = ..., created: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., ended: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., next_digest: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., etag: _Optional[str] = ..., group: _Optional[_Union[_group_service_pb2.GroupQuestion, _Mapping]] = ..., pause: _Optional[_Union[GroupPause, str]] = ..., release_cost: _Optional[_Union[_group_service_pb2.PrivacyCost, _Mapping]] = ...) -> None: ...

class CreateSubscriptionRequest(_message.Message):
    __slots__ = ("request_id", "access_request_id", "metrics", "cadence", "time_zone", "group")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    ACCESS_REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    CADENCE_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    access_request_id: int
    metrics: _containers.RepeatedScalarFieldContainer[str]
    cadence: Cadence
    time_zone: str
    group: _group_service_pb2.GroupQuestion
    def __init__(self, request_id: _Optional[str] = ..., access_request_id: _Optional[int] = ..., metrics: _Optional[_Iterable[str]] = ..., cadence: _Optional[_Union[Cadence, str]] = ..., time_zone: _Optional[str] = ..., group: _Optional[_Union[_group_service_pb2.GroupQuestion, _Mapping]] = ...) -> None: ...

class CreateSubscriptionResponse(_message.Message):
    __slots__ = ("subscription",)
    SUBSCRIPTION_FIELD_NUMBER: _ClassVar[int]
    subscription: Subscription
    def __init__(self, subscription: _Optional[_Union[Subscription, _Mapping]] = ...) -> None: ...

class ListSubscriptionsRequest(_message.Message):
    __slots__ = ("active_only", "page_size", "page_token")
    ACTIVE_ONLY_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    active_only: bool
    page_size: int
    page_token: str
    def __init__(self, active_only: _Optional[bool] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListSubscriptionsResponse(_message.Message):
    __slots__ = ("subscriptions", "next_page_token")
    SUBSCRIPTIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    subscriptions: _containers.RepeatedCompositeFieldContainer[Subscription]
    next_page_token: str
    def __init__(self, subscriptions: _Optional[_Iterable[_Union[Subscription, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class UpdateSubscriptionRequest(_message.Message):
    __slots__ = ("subscription_id", "etag", "metrics", "cadence", "time_zone", "group")
    SUBSCRIPTION_ID_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    CADENCE_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    GROUP_FIELD_NUMBER: _ClassVar[int]
    subscription_id: int
    etag: str
    metrics: _containers.RepeatedScalarFieldContainer[str]
    cadence: Cadence
    time_zone: str
    group: _group_service_pb2.GroupQuestion
    def __init__(self, subscription_id: _Optional[int] = ..., etag: _Optional[str] = ..., metrics: _Optional[_Iterable[str]] = ..., cadence: _Optional[_Union[Cadence, str]] = ..., time_zone: _Optional[str] = ..., group: _Optional[_Union[_group_service_pb2.GroupQuestion, _Mapping]] = ...) -> None: ...

class UpdateSubscriptionResponse(_message.Message):
    __slots__ = ("subscription",)
    SUBSCRIPTION_FIELD_NUMBER: _ClassVar[int]
    subscription: Subscription
    def __init__(self, subscription: _Optional[_Union[Subscription, _Mapping]] = ...) -> None: ...

class CancelSubscriptionRequest(_message.Message):
    __slots__ = ("subscription_id",)
    SUBSCRIPTION_ID_FIELD_NUMBER: _ClassVar[int]
    subscription_id: int
    def __init__(self, subscription_id: _Optional[int] = ...) -> None: ...

class CancelSubscriptionResponse(_message.Message):
    __slots__ = ("subscription",)
    SUBSCRIPTION_FIELD_NUMBER: _ClassVar[int]
    subscription: Subscription
    def __init__(self, subscription: _Optional[_Union[Subscription, _Mapping]] = ...) -> None: ...

class SubscribeRequest(_message.Message):
    __slots__ = ("start", "acknowledgement")
    START_FIELD_NUMBER: _ClassVar[int]
    ACKNOWLEDGEMENT_FIELD_NUMBER: _ClassVar[int]
    start: SubscribeStart
    acknowledgement: SubscribeAcknowledgement
    def __init__(self, start: _Optional[_Union[SubscribeStart, _Mapping]] = ..., acknowledgement: _Optional[_Union[SubscribeAcknowledgement, _Mapping]] = ...) -> None: ...

class SubscribeStart(_message.Message):
    __slots__ = ("person_ids", "metrics", "cursor", "start_at", "max_outstanding", "subscription_id")
    PERSON_IDS_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    START_AT_FIELD_NUMBER: _ClassVar[int]
    MAX_OUTSTANDING_FIELD_NUMBER: _ClassVar[int]
    SUBSCRIPTION_ID_FIELD_NUMBER: _ClassVar[int]
    person_ids: _containers.RepeatedScalarFieldContainer[int]
    metrics: _containers.RepeatedScalarFieldContainer[str]
    cursor: str
    start_at: StartAt
    max_outstanding: int
    subscription_id: int
    def __init__(self, person_ids: _Optional[_Iterable[int]] = ..., metrics: _Optional[_Iterable[str]] = ..., cursor: _Optional[str] = ..., start_at: _Optional[_Union[StartAt, str]] = ..., max_outstanding: _Optional[int] = ..., subscription_id: _Optional[int] = ...) -> None: ...

class SubscribeAcknowledgement(_message.Message):
    __slots__ = ("cursor",)
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    cursor: str
    def __init__(self, cursor: _Optional[str] = ...) -> None: ...

class SubscribeResponse(_message.Message):
    __slots__ = ("cursor", "delivery", "heartbeat", "access_change", "digest", "group_release")
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    DELIVERY_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    ACCESS_CHANGE_FIELD_NUMBER: _ClassVar[int]
    DIGEST_FIELD_NUMBER: _ClassVar[int]
    GROUP_RELEASE_FIELD_NUMBER: _ClassVar[int]
    cursor: str
    delivery: Delivery
    heartbeat: Heartbeat
    access_change: _access_service_pb2.AccessChange
    digest: Digest
    group_release: GroupRelease
    def __init__(self, cursor: _Optional[str] = ..., delivery: _Optional[_Union[Delivery, _Mapping]] = ..., heartbeat: _Optional[_Union[Heartbeat, _Mapping]] = ..., access_change: _Optional[_Union[_access_service_pb2.AccessChange, _Mapping]] = ..., digest: _Optional[_Union[Digest, _Mapping]] = ..., group_release: _Optional[_Union[GroupRelease, _Mapping]] = ...) -> None: ...

class Delivery(_message.Message):
    __slots__ = ("readings", "catching_up")
    READINGS_FIELD_NUMBER: _ClassVar[int]
    CATCHING_UP_FIELD_NUMBER: _ClassVar[int]
    readings: _reading_pb2.ReadingColumns
    catching_up: bool
    def __init__(self, readings: _Optional[_Union[_reading_pb2.ReadingColumns, _Mapping]] = ..., catching_up: _Optional[bool] = ...) -> None: ...

class GroupRelease(_message.Message):
    __slots__ = ("release_id", "period_start", "period_end", "question", "answer", "pause", "cost", "gathered")
    RELEASE_ID_FIELD_NUMBER: _ClassVar[int]
    PERIOD_START_FIELD_NUMBER: _ClassVar[int]
    PERIOD_END_FIELD_NUMBER: _ClassVar[int]
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    PAUSE_FIELD_NUMBER: _ClassVar[int]
    COST_FIELD_NUMBER: _ClassVar[int]
    GATHERED_FIELD_NUMBER: _ClassVar[int]
    release_id: int
    period_start: _timestamp_pb2.Timestamp
    period_end: _timestamp_pb2.Timestamp
    question: _group_service_pb2.GroupQuestion
    answer: _group_service_pb2.GroupAnswer
    pause: GroupPause
    cost: _group_service_pb2.PrivacyCost
    gathered: _timestamp_pb2.Timestamp
    def __init__(self, release_id: _Optional[int] = ..., period_start: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., period_end: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., question: _Optional[_Union[_group_service_pb2.GroupQuestion, _Mapping]] = ..., answer: _Optional[_Union[_group_service_pb2.GroupAnswer, _Mapping]] = ..., pause: _Optional[_Union[GroupPause, str]] = ..., cost: _Optional[_Union[_group_service_pb2.PrivacyCost, _Mapping]] = ..., gathered: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Heartbeat(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Digest(_message.Message):
    __slots__ = ("digest_id", "period_start", "period_end", "part", "is_last", "readings", "summaries")
    DIGEST_ID_FIELD_NUMBER: _ClassVar[int]
    PERIOD_START_FIELD_NUMBER: _ClassVar[int]
    PERIOD_END_FIELD_NUMBER: _ClassVar[int]
    PART_FIELD_NUMBER: _ClassVar[int]
    IS_LAST_FIELD_NUMBER: _ClassVar[int]
    READINGS_FIELD_NUMBER: _ClassVar[int]
    SUMMARIES_FIELD_NUMBER: _ClassVar[int]
    digest_id: int
    period_start: _timestamp_pb2.Timestamp
    period_end: _timestamp_pb2.Timestamp
    part: int
    is_last: bool
    readings: _reading_pb2.ReadingColumns
    summaries: _containers.RepeatedCompositeFieldContainer[MetricSummary]
    def __init__(self, digest_id: _Optional[int] = ..., period_start: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., period_end: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., part: _Optional[int] = ..., is_last: _Optional[bool] = ..., readings: _Optional[_Union[_reading_pb2.ReadingColumns, _Mapping]] = ..., summaries: _Optional[_Iterable[_Union[MetricSummary, _Mapping]]] = ...) -> None: ...

class MetricSummary(_message.Message):
    __slots__ = ("metric", "count", "min", "mean", "max")
    METRIC_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    MIN_FIELD_NUMBER: _ClassVar[int]
    MEAN_FIELD_NUMBER: _ClassVar[int]
    MAX_FIELD_NUMBER: _ClassVar[int]
    metric: str
    count: int
    min: float
    mean: float
    max: float
    def __init__(self, metric: _Optional[str] = ..., count: _Optional[int] = ..., min: _Optional[float] = ..., mean: _Optional[float] = ..., max: _Optional[float] = ...) -> None: ...
