import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from trackme._generated.identity.v1 import identity_pb2 as _identity_pb2
from trackme._generated.options.v1 import callers_pb2 as _callers_pb2
from trackme._generated.payments.v1 import payment_pb2 as _payment_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Granularity(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GRANULARITY_UNSPECIFIED: _ClassVar[Granularity]
    GRANULARITY_SECOND: _ClassVar[Granularity]
    GRANULARITY_MINUTE: _ClassVar[Granularity]
    GRANULARITY_HOUR: _ClassVar[Granularity]

class AccessState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ACCESS_STATE_UNSPECIFIED: _ClassVar[AccessState]
    ACCESS_STATE_PENDING: _ClassVar[AccessState]
    ACCESS_STATE_ACCEPTED: _ClassVar[AccessState]
    ACCESS_STATE_REFUSED: _ClassVar[AccessState]
    ACCESS_STATE_WITHDRAWN: _ClassVar[AccessState]
    ACCESS_STATE_REVOKED: _ClassVar[AccessState]
    ACCESS_STATE_EXPIRED: _ClassVar[AccessState]
    ACCESS_STATE_AWAITING_PAYMENT: _ClassVar[AccessState]

class DisclosureKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DISCLOSURE_KIND_UNSPECIFIED: _ClassVar[DisclosureKind]
    DISCLOSURE_KIND_STREAM: _ClassVar[DisclosureKind]
    DISCLOSURE_KIND_DIGEST: _ClassVar[DisclosureKind]
    DISCLOSURE_KIND_EXPORT: _ClassVar[DisclosureKind]
GRANULARITY_UNSPECIFIED: Granularity
GRANULARITY_SECOND: Granularity
GRANULARITY_MINUTE: Granularity
GRANULARITY_HOUR: Granularity
ACCESS_STATE_UNSPECIFIED: AccessState
ACCESS_STATE_PENDING: AccessState
ACCESS_STATE_ACCEPTED: AccessState
ACCESS_STATE_REFUSED: AccessState
ACCESS_STATE_WITHDRAWN: AccessState
ACCESS_STATE_REVOKED: AccessState
ACCESS_STATE_EXPIRED: AccessState
ACCESS_STATE_AWAITING_PAYMENT: AccessState
DISCLOSURE_KIND_UNSPECIFIED: DisclosureKind
DISCLOSURE_KIND_STREAM: DisclosureKind
DISCLOSURE_KIND_DIGEST: DisclosureKind
DISCLOSURE_KIND_EXPORT: DisclosureKind

class AccessScope(_message.Message):
    __slots__ = ("metrics", "to", "granularity")
    METRICS_FIELD_NUMBER: _ClassVar[int]
    FROM_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    GRANULARITY_FIELD_NUMBER: _ClassVar[int]
    metrics: _containers.RepeatedScalarFieldContainer[str]
    to: _timestamp_pb2.Timestamp
    granularity: Granularity
    def __init__(self, metrics: _Optional[_Iterable[str]] = ..., to: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., granularity: _Optional[_Union[Granularity, str]] = ..., **kwargs) -> None: ...

class AccessRequest(_message.Message):
    __slots__ = ("access_request_id", "third_party_id", "third_party_name", "person_id", "scope", "purpose", "state", "position", "requested", "changed", "expires", "payment", "third_party")
    ACCESS_REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    THIRD_PARTY_ID_FIELD_NUMBER: _ClassVar[int]
    THIRD_PARTY_NAME_FIELD_NUMBER: _ClassVar[int]
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    PURPOSE_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    REQUESTED_FIELD_NUMBER: _ClassVar[int]
    CHANGED_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_FIELD_NUMBER: _ClassVar[int]
    PAYMENT_FIELD_NUMBER: _ClassVar[int]
    THIRD_PARTY_FIELD_NUMBER: _ClassVar[int]
    access_request_id: int
    third_party_id: int
    third_party_name: str
    person_id: int
    scope: AccessScope
    purpose: str
    state: AccessState
    position: int
    requested: _timestamp_pb2.Timestamp
    changed: _timestamp_pb2.Timestamp
    expires: _timestamp_pb2.Timestamp
    payment: _payment_pb2.Payment
    third_party: _identity_pb2.ThirdPartyDetails
    def __init__(self, access_request_id: _Optional[int] = ..., third_party_id: _Optional[int] = ..., third_party_name: _Optional[str] = ..., person_id: _Optional[int] = ..., scope: _Optional[_Union[AccessScope, _Mapping]] = ..., purpose: _Optional[str] = ..., state: _Optional[_Union[AccessState, str]] = ..., position: _Optional[int] = ..., requested: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., changed: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., expires: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., payment: _Optional[_Union[_payment_pb2.Payment, _Mapping]] = ..., third_party: _Optional[_Union[_identity_pb2.ThirdPartyDetails, _Mapping]] = ...) -> None: ...

class RequestAccessRequest(_message.Message):
    __slots__ = ("request_id", "fiscal_code", "scope", "purpose")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    FISCAL_CODE_FIELD_NUMBER: _ClassVar[int]
    SCOPE_FIELD_NUMBER: _ClassVar[int]
    PURPOSE_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    fiscal_code: str
    scope: AccessScope
    purpose: str
    def __init__(self, request_id: _Optional[str] = ..., fiscal_code: _Optional[str] = ..., scope: _Optional[_Union[AccessScope, _Mapping]] = ..., purpose: _Optional[str] = ...) -> None: ...

class RequestAccessResponse(_message.Message):
    __slots__ = ("access_request",)
    ACCESS_REQUEST_FIELD_NUMBER: _ClassVar[int]
    access_request: AccessRequest
    def __init__(self, access_request: _Optional[_Union[AccessRequest, _Mapping]] = ...) -> None: ...

class GetRequestPriceRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetRequestPriceResponse(_message.Message):
    __slots__ = ("price",)
    PRICE_FIELD_NUMBER: _ClassVar[int]
    price: _payment_pb2.Price
    def __init__(self, price: _Optional[_Union[_payment_pb2.Price, _Mapping]] = ...) -> None: ...

class GetAccessRequestRequest(_message.Message):
    __slots__ = ("access_request_id",)
    ACCESS_REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    access_request_id: int
    def __init__(self, access_request_id: _Optional[int] = ...) -> None: ...

class GetAccessRequestResponse(_message.Message):
    __slots__ = ("access_request",)
    ACCESS_REQUEST_FIELD_NUMBER: _ClassVar[int]
    access_request: AccessRequest
    def __init__(self, access_request: _Optional[_Union[AccessRequest, _Mapping]] = ...) -> None: ...

class ListAccessRequestsRequest(_message.Message):
    __slots__ = ("states", "page_size", "page_token")
    STATES_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    states: _containers.RepeatedScalarFieldContainer[AccessState]
    page_size: int
    page_token: str
    def __init__(self, states: _Optional[_Iterable[_Union[AccessState, str]]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListAccessRequestsResponse(_message.Message):
    __slots__ = ("access_requests", "next_page_token")
    ACCESS_REQUESTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    access_requests: _containers.RepeatedCompositeFieldContainer[AccessRequest]
    next_page_token: str
    def __init__(self, access_requests: _Optional[_Iterable[_Union[AccessRequest, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class AcceptAccessRequestRequest(_message.Message):
    __slots__ = ("access_request_id",)
    ACCESS_REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    access_request_id: int
    def __init__(self, access_request_id: _Optional[int] = ...) -> None: ...

class AcceptAccessRequestResponse(_message.Message):
    __slots__ = ("access_request",)
    ACCESS_REQUEST_FIELD_NUMBER: _ClassVar[int]
    access_request: AccessRequest
    def __init__(self, access_request: _Optional[_Union[AccessRequest, _Mapping]] = ...) -> None: ...

class RefuseAccessRequestRequest(_message.Message):
    __slots__ = ("access_request_id",)
    ACCESS_REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    access_request_id: int
    def __init__(self, access_request_id: _Optional[int] = ...) -> None: ...

class RefuseAccessRequestResponse(_message.Message):
    __slots__ = ("access_request",)
    ACCESS_REQUEST_FIELD_NUMBER: _ClassVar[int]
    access_request: AccessRequest
    def __init__(self, access_request: _Optional[_Union[AccessRequest, _Mapping]] = ...) -> None: ...

class RevokeAccessRequest(_message.Message):
    __slots__ = ("access_request_id",)
    ACCESS_REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    access_request_id: int
    def __init__(self, access_request_id: _Optional[int] = ...) -> None: ...

class RevokeAccessResponse(_message.Message):
    __slots__ = ("access_request",)
    ACCESS_REQUEST_FIELD_NUMBER: _ClassVar[int]
    access_request: AccessRequest
    def __init__(self, access_request: _Optional[_Union[AccessRequest, _Mapping]] = ...) -> None: ...

class WatchAccessRequestsRequest(_message.Message):
    __slots__ = ("cursor",)
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    cursor: str
    def __init__(self, cursor: _Optional[str] = ...) -> None: ...

class WatchAccessRequestsResponse(_message.Message):
    __slots__ = ("cursor", "change")
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    CHANGE_FIELD_NUMBER: _ClassVar[int]
    cursor: str
    change: AccessChange
    def __init__(self, cursor: _Optional[str] = ..., change: _Optional[_Union[AccessChange, _Mapping]] = ...) -> None: ...

class AccessChange(_message.Message):
    __slots__ = ("access_request_id", "state", "position", "changed")
    ACCESS_REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    CHANGED_FIELD_NUMBER: _ClassVar[int]
    access_request_id: int
    state: AccessState
    position: int
    changed: _timestamp_pb2.Timestamp
    def __init__(self, access_request_id: _Optional[int] = ..., state: _Optional[_Union[AccessState, str]] = ..., position: _Optional[int] = ..., changed: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Disclosure(_message.Message):
    __slots__ = ("access_request_id", "third_party_id", "third_party_name", "kind", "metrics", "reading_count", "to", "began", "ended", "at_most", "third_party")
    ACCESS_REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    THIRD_PARTY_ID_FIELD_NUMBER: _ClassVar[int]
    THIRD_PARTY_NAME_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    READING_COUNT_FIELD_NUMBER: _ClassVar[int]
    FROM_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    BEGAN_FIELD_NUMBER: _ClassVar[int]
    ENDED_FIELD_NUMBER: _ClassVar[int]
    AT_MOST_FIELD_NUMBER: _ClassVar[int]
    THIRD_PARTY_FIELD_NUMBER: _ClassVar[int]
    access_request_id: int
    third_party_id: int
    third_party_name: str
    kind: DisclosureKind
    metrics: _containers.RepeatedScalarFieldContainer[str]
    reading_count: int
    to: _timestamp_pb2.Timestamp
    began: _timestamp_pb2.Timestamp
    ended: _timestamp_pb2.Timestamp
    at_most: bool
    third_party: _identity_pb2.ThirdPartyDetails
    def __init__(self, access_request_id: _Optional[int] = ..., third_party_id: _Optional[int] = ..., third_party_name: _Optional[str] = ..., kind: _Optional[_Union[DisclosureKind, str]] = ..., metrics: _Optional[_Iterable[str]] = ..., reading_count: _Optional[int] = ..., to: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., began: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., ended: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., at_most: _Optional[bool] = ..., third_party: _Optional[_Union[_identity_pb2.ThirdPartyDetails, _Mapping]] = ..., **kwargs) -> None: ...

class ListDisclosuresRequest(_message.Message):
    __slots__ = ("access_request_id", "page_size", "page_token")
    ACCESS_REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    access_request_id: int
    page_size: int
    page_token: str
    def __init__(self, access_request_id: _Optional[int] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListDisclosuresResponse(_message.Message):
    __slots__ = ("disclosures", "next_page_token")
    DISCLOSURES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    disclosures: _containers.RepeatedCompositeFieldContainer[Disclosure]
    next_page_token: str
    def __init__(self, disclosures: _Optional[_Iterable[_Union[Disclosure, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...
