import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from trackme._generated.options.v1 import callers_pb2 as _callers_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class NotificationKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    NOTIFICATION_KIND_UNSPECIFIED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_REGISTERED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_DEVICE_ADDED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_ACCESS_REQUESTED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_ACCESS_ACCEPTED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_ACCESS_REFUSED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_ACCESS_WITHDRAWN: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_ACCESS_REVOKED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_ACCESS_EXPIRED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_MAINTENANCE: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_PASSWORD_CHANGED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_EMERGENCY: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_EMERGENCY_OVER: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_SILENCE: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_RACE_POSTPONED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_RACE_CANCELLED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_RACE_INVITED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_RACE_ORGANIZER_ADDED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_RACE_PLACE: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_RACE_PAYMENT_DUE: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_RACE_PLACE_LOST: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_RACE_RECEIPT: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_RACE_REFUND: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_RACE_DISQUALIFIED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_RACE_REINSTATED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_RACE_RUNNER_EMERGENCY: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_RACE_RUNNER_EMERGENCY_OVER: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_RACE_CHANGED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_RACE_DISABLED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_RACE_ENABLED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_SIGN_IN_CHANGED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_RACE_PAYMENT_FAILED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_REGISTERED_AGAIN: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_ACCOUNT_DISABLED: _ClassVar[NotificationKind]
    NOTIFICATION_KIND_ACCOUNT_ENABLED: _ClassVar[NotificationKind]
NOTIFICATION_KIND_UNSPECIFIED: NotificationKind
NOTIFICATION_KIND_REGISTERED: NotificationKind
NOTIFICATION_KIND_DEVICE_ADDED: NotificationKind
NOTIFICATION_KIND_ACCESS_REQUESTED: NotificationKind
NOTIFICATION_KIND_ACCESS_ACCEPTED: NotificationKind
NOTIFICATION_KIND_ACCESS_REFUSED: NotificationKind
NOTIFICATION_KIND_ACCESS_WITHDRAWN: NotificationKind
NOTIFICATION_KIND_ACCESS_REVOKED: NotificationKind
NOTIFICATION_KIND_ACCESS_EXPIRED: NotificationKind
NOTIFICATION_KIND_MAINTENANCE: NotificationKind
NOTIFICATION_KIND_PASSWORD_CHANGED: NotificationKind
NOTIFICATION_KIND_EMERGENCY: NotificationKind
NOTIFICATION_KIND_EMERGENCY_OVER: NotificationKind
NOTIFICATION_KIND_SILENCE: NotificationKind
NOTIFICATION_KIND_RACE_POSTPONED: NotificationKind
NOTIFICATION_KIND_RACE_CANCELLED: NotificationKind
NOTIFICATION_KIND_RACE_INVITED: NotificationKind
NOTIFICATION_KIND_RACE_ORGANIZER_ADDED: NotificationKind
NOTIFICATION_KIND_RACE_PLACE: NotificationKind
NOTIFICATION_KIND_RACE_PAYMENT_DUE: NotificationKind
NOTIFICATION_KIND_RACE_PLACE_LOST: NotificationKind
NOTIFICATION_KIND_RACE_RECEIPT: NotificationKind
NOTIFICATION_KIND_RACE_REFUND: NotificationKind
NOTIFICATION_KIND_RACE_DISQUALIFIED: NotificationKind
NOTIFICATION_KIND_RACE_REINSTATED: NotificationKind
NOTIFICATION_KIND_RACE_RUNNER_EMERGENCY: NotificationKind
NOTIFICATION_KIND_RACE_RUNNER_EMERGENCY_OVER: NotificationKind
NOTIFICATION_KIND_RACE_CHANGED: NotificationKind
NOTIFICATION_KIND_RACE_DISABLED: NotificationKind
NOTIFICATION_KIND_RACE_ENABLED: NotificationKind
NOTIFICATION_KIND_SIGN_IN_CHANGED: NotificationKind
NOTIFICATION_KIND_RACE_PAYMENT_FAILED: NotificationKind
NOTIFICATION_KIND_REGISTERED_AGAIN: NotificationKind
NOTIFICATION_KIND_ACCOUNT_DISABLED: NotificationKind
NOTIFICATION_KIND_ACCOUNT_ENABLED: NotificationKind

class Notification(_message.Message):
    __slots__ = ("notification_id", "kind", "created", "subject", "text", "access_request_id", "device_id", "is_read", "emergency_id", "race_id", "subject_italian", "text_italian")
    NOTIFICATION_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    CREATED_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    ACCESS_REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    IS_READ_FIELD_NUMBER: _ClassVar[int]
    EMERGENCY_ID_FIELD_NUMBER: _ClassVar[int]
    RACE_ID_FIELD_NUMBER: _ClassVar[int]
    SUBJECT_ITALIAN_FIELD_NUMBER: _ClassVar[int]
    TEXT_ITALIAN_FIELD_NUMBER: _ClassVar[int]
    notification_id: int
    kind: NotificationKind
    created: _timestamp_pb2.Timestamp
    subject: str
    text: str
    access_request_id: int
    device_id: int
    is_read: bool
    emergency_id: str
    race_id: int
    subject_italian: str
    text_italian: str
    def __init__(self, notification_id: _Optional[int] = ..., kind: _Optional[_Union[NotificationKind, str]] = ..., created: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., subject: _Optional[str] = ..., text: _Optional[str] = ..., access_request_id: _Optional[int] = ..., device_id: _Optional[int] = ..., is_read: _Optional[bool] = ..., emergency_id: _Optional[str] = ..., race_id: _Optional[int] = ..., subject_italian: _Optional[str] = ..., text_italian: _Optional[str] = ...) -> None: ...

class ListNotificationsRequest(_message.Message):
    __slots__ = ("unread_only", "page_size", "page_token")
    UNREAD_ONLY_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    unread_only: bool
    page_size: int
    page_token: str
    def __init__(self, unread_only: _Optional[bool] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListNotificationsResponse(_message.Message):
    __slots__ = ("notifications", "next_page_token", "unread_count")
    NOTIFICATIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    UNREAD_COUNT_FIELD_NUMBER: _ClassVar[int]
    notifications: _containers.RepeatedCompositeFieldContainer[Notification]
    next_page_token: str
    unread_count: int
    def __init__(self, notifications: _Optional[_Iterable[_Union[Notification, _Mapping]]] = ..., next_page_token: _Optional[str] = ..., unread_count: _Optional[int] = ...) -> None: ...

class WatchNotificationsRequest(_message.Message):
    __slots__ = ("cursor",)
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    cursor: str
    def __init__(self, cursor: _Optional[str] = ...) -> None: ...

class WatchNotificationsResponse(_message.Message):
    __slots__ = ("cursor", "notification")
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    NOTIFICATION_FIELD_NUMBER: _ClassVar[int]
    cursor: str
    notification: Notification
    def __init__(self, cursor: _Optional[str] = ..., notification: _Optional[_Union[Notification, _Mapping]] = ...) -> None: ...

class MarkReadRequest(_message.Message):
    __slots__ = ("notification_ids",)
    NOTIFICATION_IDS_FIELD_NUMBER: _ClassVar[int]
    notification_ids: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, notification_ids: _Optional[_Iterable[int]] = ...) -> None: ...

class MarkReadResponse(_message.Message):
    __slots__ = ("marked_count",)
    MARKED_COUNT_FIELD_NUMBER: _ClassVar[int]
    marked_count: int
    def __init__(self, marked_count: _Optional[int] = ...) -> None: ...
