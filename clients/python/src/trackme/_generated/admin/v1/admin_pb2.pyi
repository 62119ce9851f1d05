import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from trackme._generated.identity.v1 import identity_pb2 as _identity_pb2
from trackme._generated.options.v1 import callers_pb2 as _callers_pb2
from trackme._generated.readings.v1 import reading_service_pb2 as _reading_service_pb2
from trackme._generated.sos.v1 import dispatch_service_pb2 as _dispatch_service_pb2
from trackme._generated.sos.v1 import emergency_pb2 as _emergency_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class DecisionKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    DECISION_KIND_UNSPECIFIED: _ClassVar[DecisionKind]
    DECISION_KIND_CODE_CHANGED: _ClassVar[DecisionKind]
    DECISION_KIND_CODE_WITHDRAWN: _ClassVar[DecisionKind]
    DECISION_KIND_ACCOUNT_DISABLED: _ClassVar[DecisionKind]
    DECISION_KIND_ACCOUNT_ENABLED: _ClassVar[DecisionKind]

class ProgramKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PROGRAM_KIND_UNSPECIFIED: _ClassVar[ProgramKind]
    PROGRAM_KIND_BRIDGE: _ClassVar[ProgramKind]
    PROGRAM_KIND_DISPATCHER: _ClassVar[ProgramKind]
DECISION_KIND_UNSPECIFIED: DecisionKind
DECISION_KIND_CODE_CHANGED: DecisionKind
DECISION_KIND_CODE_WITHDRAWN: DecisionKind
DECISION_KIND_ACCOUNT_DISABLED: DecisionKind
DECISION_KIND_ACCOUNT_ENABLED: DecisionKind
PROGRAM_KIND_UNSPECIFIED: ProgramKind
PROGRAM_KIND_BRIDGE: ProgramKind
PROGRAM_KIND_DISPATCHER: ProgramKind

class ThirdPartyCode(_message.Message):
    __slots__ = ("code_id", "company", "issued", "expires", "used", "kind", "checked", "withdrawn", "etag", "third_party_id", "third_party_name", "disabled")
    CODE_ID_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    ISSUED_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_FIELD_NUMBER: _ClassVar[int]
    USED_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    CHECKED_FIELD_NUMBER: _ClassVar[int]
    WITHDRAWN_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    THIRD_PARTY_ID_FIELD_NUMBER: _ClassVar[int]
    THIRD_PARTY_NAME_FIELD_NUMBER: _ClassVar[int]
    DISABLED_FIELD_NUMBER: _ClassVar[int]
    code_id: int
    company: str
    issued: _timestamp_pb2.Timestamp
    expires: _timestamp_pb2.Timestamp
    used: _timestamp_pb2.Timestamp
    kind: _identity_pb2.HolderKind
    checked: str
    withdrawn: _timestamp_pb2.Timestamp
    etag: str
    third_party_id: int
    third_party_name: str
    disabled: _timestamp_pb2.Timestamp
    def __init__(self, code_id: _Optional[int] = ..., company: _Optional[str] = ..., issued: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., expires: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., used: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., kind: _Optional[_Union[_identity_pb2.HolderKind, str]] = ..., checked: _Optional[str] = ..., withdrawn: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., etag: _Optional[str] = ..., third_party_id: _Optional[int] = ..., third_party_name: _Optional[str] = ..., disabled: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class IssueThirdPartyCodeRequest(_message.Message):
    __slots__ = ("request_id", "company", "lifetime_days", "kind", "checked")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    LIFETIME_DAYS_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    CHECKED_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    company: str
    lifetime_days: int
    kind: _identity_pb2.HolderKind
    checked: str
    def __init__(self, request_id: _Optional[str] = ..., company: _Optional[str] = ..., lifetime_days: _Optional[int] = ..., kind: _Optional[_Union[_identity_pb2.HolderKind, str]] = ..., checked: _Optional[str] = ...) -> None: ...

class IssueThirdPartyCodeResponse(_message.Message):
    __slots__ = ("third_party_code", "code")
    THIRD_PARTY_CODE_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    third_party_code: ThirdPartyCode
    code: str
    def __init__(self, third_party_code: _Optional[_Union[ThirdPartyCode, _Mapping]] = ..., code: _Optional[str] = ...) -> None: ...

class UpdateThirdPartyCodeRequest(_message.Message):
    __slots__ = ("code_id", "etag", "company", "kind", "checked", "reason")
    CODE_ID_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    COMPANY_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    CHECKED_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    code_id: int
    etag: str
    company: str
    kind: _identity_pb2.HolderKind
    checked: str
    reason: str
    def __init__(self, code_id: _Optional[int] = ..., etag: _Optional[str] = ..., company: _Optional[str] = ..., kind: _Optional[_Union[_identity_pb2.HolderKind, str]] = ..., checked: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class UpdateThirdPartyCodeResponse(_message.Message):
    __slots__ = ("third_party_code",)
    THIRD_PARTY_CODE_FIELD_NUMBER: _ClassVar[int]
    third_party_code: ThirdPartyCode
    def __init__(self, third_party_code: _Optional[_Union[ThirdPartyCode, _Mapping]] = ...) -> None: ...

class WithdrawThirdPartyCodeRequest(_message.Message):
    __slots__ = ("code_id", "reason")
    CODE_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    code_id: int
    reason: str
    def __init__(self, code_id: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class WithdrawThirdPartyCodeResponse(_message.Message):
    __slots__ = ("third_party_code",)
    THIRD_PARTY_CODE_FIELD_NUMBER: _ClassVar[int]
    third_party_code: ThirdPartyCode
    def __init__(self, third_party_code: _Optional[_Union[ThirdPartyCode, _Mapping]] = ...) -> None: ...

class DisableAccountRequest(_message.Message):
    __slots__ = ("account_id", "name", "reason")
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    account_id: int
    name: str
    reason: str
    def __init__(self, account_id: _Optional[int] = ..., name: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class DisableAccountResponse(_message.Message):
    __slots__ = ("account_id",)
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    account_id: int
    def __init__(self, account_id: _Optional[int] = ...) -> None: ...

class EnableAccountRequest(_message.Message):
    __slots__ = ("account_id", "name", "reason")
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    account_id: int
    name: str
    reason: str
    def __init__(self, account_id: _Optional[int] = ..., name: _Optional[str] = ..., reason: _Optional[str] = ...) -> None: ...

class EnableAccountResponse(_message.Message):
    __slots__ = ("account_id",)
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    account_id: int
    def __init__(self, account_id: _Optional[int] = ...) -> None: ...

class AccountDecision(_message.Message):
    __slots__ = ("decision_id", "kind", "decided", "decided_by", "code_id", "account_id", "reason", "before", "after")
    DECISION_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    DECIDED_FIELD_NUMBER: _ClassVar[int]
    DECIDED_BY_FIELD_NUMBER: _ClassVar[int]
    CODE_ID_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    BEFORE_FIELD_NUMBER: _ClassVar[int]
    AFTER_FIELD_NUMBER: _ClassVar[int]
    decision_id: int
    kind: DecisionKind
    decided: _timestamp_pb2.Timestamp
    decided_by: int
    code_id: int
    account_id: int
    reason: str
    before: _identity_pb2.ThirdPartyDetails
    after: _identity_pb2.ThirdPartyDetails
    def __init__(self, decision_id: _Optional[int] = ..., kind: _Optional[_Union[DecisionKind, str]] = ..., decided: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., decided_by: _Optional[int] = ..., code_id: _Optional[int] = ..., account_id: _Optional[int] = ..., reason: _Optional[str] = ..., before: _Optional[_Union[_identity_pb2.ThirdPartyDetails, _Mapping]] = ..., after: _Optional[_Union[_identity_pb2.ThirdPartyDetails, _Mapping]] = ...) -> None: ...

class ListAccountDecisionsRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "account_id")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    account_id: int
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., account_id: _Optional[int] = ...) -> None: ...

class ListAccountDecisionsResponse(_message.Message):
    __slots__ = ("decisions", "next_page_token")
    DECISIONS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    decisions: _containers.RepeatedCompositeFieldContainer[AccountDecision]
    next_page_token: str
    def __init__(self, decisions: _Optional[_Iterable[_Union[AccountDecision, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ListThirdPartyCodesRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListThirdPartyCodesResponse(_message.Message):
    __slots__ = ("third_party_codes", "next_page_token")
    THIRD_PARTY_CODES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    third_party_codes: _containers.RepeatedCompositeFieldContainer[ThirdPartyCode]
    next_page_token: str
    def __init__(self, third_party_codes: _Optional[_Iterable[_Union[ThirdPartyCode, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class UpdateRegistrationFormRequest(_message.Message):
    __slots__ = ("kind", "etag", "fields")
    KIND_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    kind: _identity_pb2.AccountKind
    etag: str
    fields: _containers.RepeatedCompositeFieldContainer[_identity_pb2.FormField]
    def __init__(self, kind: _Optional[_Union[_identity_pb2.AccountKind, str]] = ..., etag: _Optional[str] = ..., fields: _Optional[_Iterable[_Union[_identity_pb2.FormField, _Mapping]]] = ...) -> None: ...

class UpdateRegistrationFormResponse(_message.Message):
    __slots__ = ("fields", "etag")
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    fields: _containers.RepeatedCompositeFieldContainer[_identity_pb2.FormField]
    etag: str
    def __init__(self, fields: _Optional[_Iterable[_Union[_identity_pb2.FormField, _Mapping]]] = ..., etag: _Optional[str] = ...) -> None: ...

class PutMetricRequest(_message.Message):
    __slots__ = ("metric",)
    METRIC_FIELD_NUMBER: _ClassVar[int]
    metric: _reading_service_pb2.Metric
    def __init__(self, metric: _Optional[_Union[_reading_service_pb2.Metric, _Mapping]] = ...) -> None: ...

class PutMetricResponse(_message.Message):
    __slots__ = ("metric",)
    METRIC_FIELD_NUMBER: _ClassVar[int]
    metric: _reading_service_pb2.Metric
    def __init__(self, metric: _Optional[_Union[_reading_service_pb2.Metric, _Mapping]] = ...) -> None: ...

class CreateBridgeRequest(_message.Message):
    __slots__ = ("request_id", "name")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    name: str
    def __init__(self, request_id: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class CreateBridgeResponse(_message.Message):
    __slots__ = ("bridge_id", "token")
    BRIDGE_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    bridge_id: int
    token: str
    def __init__(self, bridge_id: _Optional[int] = ..., token: _Optional[str] = ...) -> None: ...

class RevokeBridgeRequest(_message.Message):
    __slots__ = ("bridge_id",)
    BRIDGE_ID_FIELD_NUMBER: _ClassVar[int]
    bridge_id: int
    def __init__(self, bridge_id: _Optional[int] = ...) -> None: ...

class RevokeBridgeResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class AnnounceMaintenanceRequest(_message.Message):
    __slots__ = ("request_id", "begins", "ends", "message")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    BEGINS_FIELD_NUMBER: _ClassVar[int]
    ENDS_FIELD_NUMBER: _ClassVar[int]
    MESSAGE_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    begins: _timestamp_pb2.Timestamp
    ends: _timestamp_pb2.Timestamp
    message: str
    def __init__(self, request_id: _Optional[str] = ..., begins: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., ends: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., message: _Optional[str] = ...) -> None: ...

class AnnounceMaintenanceResponse(_message.Message):
    __slots__ = ("notified_accounts",)
    NOTIFIED_ACCOUNTS_FIELD_NUMBER: _ClassVar[int]
    notified_accounts: int
    def __init__(self, notified_accounts: _Optional[int] = ...) -> None: ...

class CreateDispatcherRequest(_message.Message):
    __slots__ = ("request_id", "name", "priority")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    name: str
    priority: int
    def __init__(self, request_id: _Optional[str] = ..., name: _Optional[str] = ..., priority: _Optional[int] = ...) -> None: ...

class CreateDispatcherResponse(_message.Message):
    __slots__ = ("dispatcher_id", "token")
    DISPATCHER_ID_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    dispatcher_id: int
    token: str
    def __init__(self, dispatcher_id: _Optional[int] = ..., token: _Optional[str] = ...) -> None: ...

class RevokeDispatcherRequest(_message.Message):
    __slots__ = ("dispatcher_id",)
    DISPATCHER_ID_FIELD_NUMBER: _ClassVar[int]
    dispatcher_id: int
    def __init__(self, dispatcher_id: _Optional[int] = ...) -> None: ...

class RevokeDispatcherResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Program(_message.Message):
    __slots__ = ("account_id", "name", "priority", "created", "revoked")
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    PRIORITY_FIELD_NUMBER: _ClassVar[int]
    CREATED_FIELD_NUMBER: _ClassVar[int]
    REVOKED_FIELD_NUMBER: _ClassVar[int]
    account_id: int
    name: str
    priority: int
    created: _timestamp_pb2.Timestamp
    revoked: _timestamp_pb2.Timestamp
    def __init__(self, account_id: _Optional[int] = ..., name: _Optional[str] = ..., priority: _Optional[int] = ..., created: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., revoked: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class ListProgramsRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "kind")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    kind: ProgramKind
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., kind: _Optional[_Union[ProgramKind, str]] = ...) -> None: ...

class ListProgramsResponse(_message.Message):
    __slots__ = ("programs", "next_page_token")
    PROGRAMS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    programs: _containers.RepeatedCompositeFieldContainer[Program]
    next_page_token: str
    def __init__(self, programs: _Optional[_Iterable[_Union[Program, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class DeskOperator(_message.Message):
    __slots__ = ("account_id", "dispatcher_id", "username", "email", "name", "created", "password_change_due", "revoked")
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    DISPATCHER_ID_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    CREATED_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_CHANGE_DUE_FIELD_NUMBER: _ClassVar[int]
    REVOKED_FIELD_NUMBER: _ClassVar[int]
    account_id: int
    dispatcher_id: int
    username: str
    email: str
    name: str
    created: _timestamp_pb2.Timestamp
    password_change_due: bool
    revoked: _timestamp_pb2.Timestamp
    def __init__(self, account_id: _Optional[int] = ..., dispatcher_id: _Optional[int] = ..., username: _Optional[str] = ..., email: _Optional[str] = ..., name: _Optional[str] = ..., created: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., password_change_due: _Optional[bool] = ..., revoked: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class CreateDeskOperatorRequest(_message.Message):
    __slots__ = ("request_id", "dispatcher_id", "username", "email", "name", "initial_password")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    DISPATCHER_ID_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    INITIAL_PASSWORD_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    dispatcher_id: int
    username: str
    email: str
    name: str
    initial_password: str
    def __init__(self, request_id: _Optional[str] = ..., dispatcher_id: _Optional[int] = ..., username: _Optional[str] = ..., email: _Optional[str] = ..., name: _Optional[str] = ..., initial_password: _Optional[str] = ...) -> None: ...

class CreateDeskOperatorResponse(_message.Message):
    __slots__ = ("desk_operator",)
    DESK_OPERATOR_FIELD_NUMBER: _ClassVar[int]
    desk_operator: DeskOperator
    def __init__(self, desk_operator: _Optional[_Union[DeskOperator, _Mapping]] = ...) -> None: ...

class ListDeskOperatorsRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "dispatcher_id")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    DISPATCHER_ID_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    dispatcher_id: int
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., dispatcher_id: _Optional[int] = ...) -> None: ...

class ListDeskOperatorsResponse(_message.Message):
    __slots__ = ("desk_operators", "next_page_token")
    DESK_OPERATORS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    desk_operators: _containers.RepeatedCompositeFieldContainer[DeskOperator]
    next_page_token: str
    def __init__(self, desk_operators: _Optional[_Iterable[_Union[DeskOperator, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class RevokeDeskOperatorRequest(_message.Message):
    __slots__ = ("account_id",)
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    account_id: int
    def __init__(self, account_id: _Optional[int] = ...) -> None: ...

class RevokeDeskOperatorResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListDeskAnswersRequest(_message.Message):
    __slots__ = ("page_size", "page_token", "account_id")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    account_id: int
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., account_id: _Optional[int] = ...) -> None: ...

class RecordedDeskAnswer(_message.Message):
    __slots__ = ("emergency_id", "dispatcher_id", "account_id", "name", "kind", "at_us")
    EMERGENCY_ID_FIELD_NUMBER: _ClassVar[int]
    DISPATCHER_ID_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    AT_US_FIELD_NUMBER: _ClassVar[int]
    emergency_id: str
    dispatcher_id: int
    account_id: int
    name: str
    kind: _dispatch_service_pb2.AnswerKind
    at_us: int
    def __init__(self, emergency_id: _Optional[str] = ..., dispatcher_id: _Optional[int] = ..., account_id: _Optional[int] = ..., name: _Optional[str] = ..., kind: _Optional[_Union[_dispatch_service_pb2.AnswerKind, str]] = ..., at_us: _Optional[int] = ...) -> None: ...

class ListDeskAnswersResponse(_message.Message):
    __slots__ = ("answers", "next_page_token")
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    answers: _containers.RepeatedCompositeFieldContainer[RecordedDeskAnswer]
    next_page_token: str
    def __init__(self, answers: _Optional[_Iterable[_Union[RecordedDeskAnswer, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GetDispatchStatusRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetDispatchStatusResponse(_message.Message):
    __slots__ = ("status", "changed", "changed_by", "reason")
    STATUS_FIELD_NUMBER: _ClassVar[int]
    CHANGED_FIELD_NUMBER: _ClassVar[int]
    CHANGED_BY_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    status: _emergency_pb2.DispatchStatus
    changed: _timestamp_pb2.Timestamp
    changed_by: int
    reason: str
    def __init__(self, status: _Optional[_Union[_emergency_pb2.DispatchStatus, str]] = ..., changed: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., changed_by: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class SetDispatchStatusRequest(_message.Message):
    __slots__ = ("status", "reason")
    STATUS_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    status: _emergency_pb2.DispatchStatus
    reason: str
    def __init__(self, status: _Optional[_Union[_emergency_pb2.DispatchStatus, str]] = ..., reason: _Optional[str] = ...) -> None: ...

class SetDispatchStatusResponse(_message.Message):
    __slots__ = ("status",)
    STATUS_FIELD_NUMBER: _ClassVar[int]
    status: _emergency_pb2.DispatchStatus
    def __init__(self, status: _Optional[_Union[_emergency_pb2.DispatchStatus, str]] = ...) -> None: ...

class DisableRaceRequest(_message.Message):
    __slots__ = ("race_id", "reason")
    RACE_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    race_id: int
    reason: str
    def __init__(self, race_id: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class DisableRaceResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class EnableRaceRequest(_message.Message):
    __slots__ = ("race_id", "reason")
    RACE_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    race_id: int
    reason: str
    def __init__(self, race_id: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class EnableRaceResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
