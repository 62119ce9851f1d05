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

class AccountKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ACCOUNT_KIND_UNSPECIFIED: _ClassVar[AccountKind]
    ACCOUNT_KIND_PERSON: _ClassVar[AccountKind]
    ACCOUNT_KIND_THIRD_PARTY: _ClassVar[AccountKind]
    ACCOUNT_KIND_BRIDGE: _ClassVar[AccountKind]
    ACCOUNT_KIND_ADMINISTRATOR: _ClassVar[AccountKind]
    ACCOUNT_KIND_DISPATCHER: _ClassVar[AccountKind]
    ACCOUNT_KIND_DESK_OPERATOR: _ClassVar[AccountKind]

class Sex(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SEX_UNSPECIFIED: _ClassVar[Sex]
    SEX_FEMALE: _ClassVar[Sex]
    SEX_MALE: _ClassVar[Sex]

class FieldType(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FIELD_TYPE_UNSPECIFIED: _ClassVar[FieldType]
    FIELD_TYPE_TEXT: _ClassVar[FieldType]
    FIELD_TYPE_NUMBER: _ClassVar[FieldType]
    FIELD_TYPE_BOOLEAN: _ClassVar[FieldType]
    FIELD_TYPE_DATE: _ClassVar[FieldType]
    FIELD_TYPE_CHOICE: _ClassVar[FieldType]

class SosChoice(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    SOS_CHOICE_UNSPECIFIED: _ClassVar[SosChoice]
    SOS_CHOICE_ON: _ClassVar[SosChoice]
    SOS_CHOICE_OFF: _ClassVar[SosChoice]

class HolderKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    HOLDER_KIND_UNSPECIFIED: _ClassVar[HolderKind]
    HOLDER_KIND_COMPANY: _ClassVar[HolderKind]
    HOLDER_KIND_HEALTH_CARE: _ClassVar[HolderKind]
    HOLDER_KIND_RESEARCH_INSTITUTE: _ClassVar[HolderKind]
    HOLDER_KIND_PUBLIC_AUTHORITY: _ClassVar[HolderKind]
    HOLDER_KIND_ASSOCIATION: _ClassVar[HolderKind]
ACCOUNT_KIND_UNSPECIFIED: AccountKind
ACCOUNT_KIND_PERSON: AccountKind
ACCOUNT_KIND_THIRD_PARTY: AccountKind
ACCOUNT_KIND_BRIDGE: AccountKind
ACCOUNT_KIND_ADMINISTRATOR: AccountKind
ACCOUNT_KIND_DISPATCHER: AccountKind
ACCOUNT_KIND_DESK_OPERATOR: AccountKind
SEX_UNSPECIFIED: Sex
SEX_FEMALE: Sex
SEX_MALE: Sex
FIELD_TYPE_UNSPECIFIED: FieldType
FIELD_TYPE_TEXT: FieldType
FIELD_TYPE_NUMBER: FieldType
FIELD_TYPE_BOOLEAN: FieldType
FIELD_TYPE_DATE: FieldType
FIELD_TYPE_CHOICE: FieldType
SOS_CHOICE_UNSPECIFIED: SosChoice
SOS_CHOICE_ON: SosChoice
SOS_CHOICE_OFF: SosChoice
HOLDER_KIND_UNSPECIFIED: HolderKind
HOLDER_KIND_COMPANY: HolderKind
HOLDER_KIND_HEALTH_CARE: HolderKind
HOLDER_KIND_RESEARCH_INSTITUTE: HolderKind
HOLDER_KIND_PUBLIC_AUTHORITY: HolderKind
HOLDER_KIND_ASSOCIATION: HolderKind

class FormField(_message.Message):
    __slots__ = ("name", "label", "type", "required", "choices", "minimum", "maximum")
    NAME_FIELD_NUMBER: _ClassVar[int]
    LABEL_FIELD_NUMBER: _ClassVar[int]
    TYPE_FIELD_NUMBER: _ClassVar[int]
    REQUIRED_FIELD_NUMBER: _ClassVar[int]
    CHOICES_FIELD_NUMBER: _ClassVar[int]
    MINIMUM_FIELD_NUMBER: _ClassVar[int]
    MAXIMUM_FIELD_NUMBER: _ClassVar[int]
    name: str
    label: str
    type: FieldType
    required: bool
    choices: _containers.RepeatedScalarFieldContainer[str]
    minimum: float
    maximum: float
    def __init__(self, name: _Optional[str] = ..., label: _Optional[str] = ..., type: _Optional[_Union[FieldType, str]] = ..., required: _Optional[bool] = ..., choices: _Optional[_Iterable[str]] = ..., minimum: _Optional[float] = ..., maximum: _Optional[float] = ...) -> None: ...

class FieldValue(_message.Message):
    __slots__ = ("name", "value")
    NAME_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    name: str
    value: str
    def __init__(self, name: _Optional[str] = ..., value: _Optional[str] = ...) -> None: ...

class GetRegistrationFormRequest(_message.Message):
    __slots__ = ("kind",)
    KIND_FIELD_NUMBER: _ClassVar[int]
    kind: AccountKind
    def __init__(self, kind: _Optional[_Union[AccountKind, str]] = ...) -> None: ...

class GetRegistrationFormResponse(_message.Message):
    __slots__ = ("fields", "etag")
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    fields: _containers.RepeatedCompositeFieldContainer[FormField]
    etag: str
    def __init__(self, fields: _Optional[_Iterable[_Union[FormField, _Mapping]]] = ..., etag: _Optional[str] = ...) -> None: ...

class RegisterPersonRequest(_message.Message):
    __slots__ = ("request_id", "username", "email", "password", "given_names", "family_name", "fiscal_code", "date_of_birth", "sex", "weight_kg", "height_cm", "fields", "automated_sos", "anonymous_metrics")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    GIVEN_NAMES_FIELD_NUMBER: _ClassVar[int]
    FAMILY_NAME_FIELD_NUMBER: _ClassVar[int]
    FISCAL_CODE_FIELD_NUMBER: _ClassVar[int]
    DATE_OF_BIRTH_FIELD_NUMBER: _ClassVar[int]
    SEX_FIELD_NUMBER: _ClassVar[int]
    WEIGHT_KG_FIELD_NUMBER: _ClassVar[int]
    HEIGHT_CM_FIELD_NUMBER: _ClassVar[int]
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    AUTOMATED_SOS_FIELD_NUMBER: _ClassVar[int]
    ANONYMOUS_METRICS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    username: str
    email: str
    password: str
    given_names: str
    family_name: str
    fiscal_code: str
    date_of_birth: str
    sex: Sex
    weight_kg: float
    height_cm: float
    fields: _containers.RepeatedCompositeFieldContainer[FieldValue]
    automated_sos: SosChoice
    anonymous_metrics: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, request_id: _Optional[str] = ..., username: _Optional[str] = ..., email: _Optional[str] = ..., password: _Optional[str] = ..., given_names: _Optional[str] = ..., family_name: _Optional[str] = ..., fiscal_code: _Optional[str] = ..., date_of_birth: _Optional[str] = ..., sex: _Optional[_Union[Sex, str]] = ..., weight_kg: _Optional[float] = ..., height_cm: _Optional[float] = ..., fields: _Optional[_Iterable[_Union[FieldValue, _Mapping]]] = ..., automated_sos: _Optional[_Union[SosChoice, str]] = ..., anonymous_metrics: _Optional[_Iterable[str]] = ...) -> None: ...

class RegisterPersonResponse(_message.Message):
    __slots__ = ("account",)
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    account: Account
    def __init__(self, account: _Optional[_Union[Account, _Mapping]] = ...) -> None: ...

class RegisterThirdPartyRequest(_message.Message):
    __slots__ = ("request_id", "username", "email", "password", "name", "description", "code", "fields")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    CODE_FIELD_NUMBER: _ClassVar[int]
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    username: str
    email: str
    password: str
    name: str
    description: str
    code: str
    fields: _containers.RepeatedCompositeFieldContainer[FieldValue]
    def __init__(self, request_id: _Optional[str] = ..., username: _Optional[str] = ..., email: _Optional[str] = ..., password: _Optional[str] = ..., name: _Optional[str] = ..., description: _Optional[str] = ..., code: _Optional[str] = ..., fields: _Optional[_Iterable[_Union[FieldValue, _Mapping]]] = ...) -> None: ...

class RegisterThirdPartyResponse(_message.Message):
    __slots__ = ("account",)
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    account: Account
    def __init__(self, account: _Optional[_Union[Account, _Mapping]] = ...) -> None: ...

class Account(_message.Message):
    __slots__ = ("account_id", "kind", "username", "email", "fields", "person", "third_party", "desk_operator", "created", "etag", "disabled")
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    PERSON_FIELD_NUMBER: _ClassVar[int]
    THIRD_PARTY_FIELD_NUMBER: _ClassVar[int]
    DESK_OPERATOR_FIELD_NUMBER: _ClassVar[int]
    CREATED_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    DISABLED_FIELD_NUMBER: _ClassVar[int]
    account_id: int
    kind: AccountKind
    username: str
    email: str
    fields: _containers.RepeatedCompositeFieldContainer[FieldValue]
    person: PersonDetails
    third_party: ThirdPartyDetails
    desk_operator: DeskOperatorDetails
    created: _timestamp_pb2.Timestamp
    etag: str
    disabled: _timestamp_pb2.Timestamp
    def __init__(self, account_id: _Optional[int] = ..., kind: _Optional[_Union[AccountKind, str]] = ..., username: _Optional[str] = ..., email: _Optional[str] = ..., fields: _Optional[_Iterable[_Union[FieldValue, _Mapping]]] = ..., person: _Optional[_Union[PersonDetails, _Mapping]] = ..., third_party: _Optional[_Union[ThirdPartyDetails, _Mapping]] = ..., desk_operator: _Optional[_Union[DeskOperatorDetails, _Mapping]] = ..., created: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., etag: _Optional[str] = ..., disabled: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class PersonDetails(_message.Message):
    __slots__ = ("given_names", "family_name", "fiscal_code", "date_of_birth", "sex", "weight_kg", "height_cm")
    GIVEN_NAMES_FIELD_NUMBER: _ClassVar[int]
    FAMILY_NAME_FIELD_NUMBER: _ClassVar[int]
    FISCAL_CODE_FIELD_NUMBER: _ClassVar[int]
    DATE_OF_BIRTH_FIELD_NUMBER: _ClassVar[int]
    SEX_FIELD_NUMBER: _ClassVar[int]
    WEIGHT_KG_FIELD_NUMBER: _ClassVar[int]
    HEIGHT_CM_FIELD_NUMBER: _ClassVar[int]
    given_names: str
    family_name: str
    fiscal_code: str
    date_of_birth: str
    sex: Sex
    weight_kg: float
    height_cm: float
    def __init__(self, given_names: _Optional[str] = ..., family_name: _Optional[str] = ..., fiscal_code: _Optional[str] = ..., date_of_birth: _Optional[str] = ..., sex: _Optional[_Union[Sex, str]] = ..., weight_kg: _Optional[float] = ..., height_cm: _Optional[float] = ...) -> None: ...

class ThirdPartyDetails(_message.Message):
    __slots__ = ("name", "description", "kind", "checked")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    CHECKED_FIELD_NUMBER: _ClassVar[int]
    name: str
    description: str
    kind: HolderKind
    checked: str
    def __init__(self, name: _Optional[str] = ..., description: _Optional[str] = ..., kind: _Optional[_Union[HolderKind, str]] = ..., checked: _Optional[str] = ...) -> None: ...

class DeskOperatorDetails(_message.Message):
    __slots__ = ("name",)
    NAME_FIELD_NUMBER: _ClassVar[int]
    name: str
    def __init__(self, name: _Optional[str] = ...) -> None: ...

class LogInRequest(_message.Message):
    __slots__ = ("name", "password")
    NAME_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    name: str
    password: str
    def __init__(self, name: _Optional[str] = ..., password: _Optional[str] = ...) -> None: ...

class Session(_message.Message):
    __slots__ = ("token", "expires", "refresh_token", "refresh_expires", "account_id", "kind", "password_change_due")
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_FIELD_NUMBER: _ClassVar[int]
    REFRESH_TOKEN_FIELD_NUMBER: _ClassVar[int]
    REFRESH_EXPIRES_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_CHANGE_DUE_FIELD_NUMBER: _ClassVar[int]
    token: str
    expires: _timestamp_pb2.Timestamp
    refresh_token: str
    refresh_expires: _timestamp_pb2.Timestamp
    account_id: int
    kind: AccountKind
    password_change_due: bool
    def __init__(self, token: _Optional[str] = ..., expires: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., refresh_token: _Optional[str] = ..., refresh_expires: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., account_id: _Optional[int] = ..., kind: _Optional[_Union[AccountKind, str]] = ..., password_change_due: _Optional[bool] = ...) -> None: ...

class LogInResponse(_message.Message):
    __slots__ = ("session",)
    SESSION_FIELD_NUMBER: _ClassVar[int]
    session: Session
    def __init__(self, session: _Optional[_Union[Session, _Mapping]] = ...) -> None: ...

class RefreshSessionRequest(_message.Message):
    __slots__ = ("refresh_token",)
    REFRESH_TOKEN_FIELD_NUMBER: _ClassVar[int]
    refresh_token: str
    def __init__(self, refresh_token: _Optional[str] = ...) -> None: ...

class RefreshSessionResponse(_message.Message):
    __slots__ = ("session",)
    SESSION_FIELD_NUMBER: _ClassVar[int]
    session: Session
    def __init__(self, session: _Optional[_Union[Session, _Mapping]] = ...) -> None: ...

class LogOutRequest(_message.Message):
    __slots__ = ("all_sessions",)
    ALL_SESSIONS_FIELD_NUMBER: _ClassVar[int]
    all_sessions: bool
    def __init__(self, all_sessions: _Optional[bool] = ...) -> None: ...

class LogOutResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetAccountRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetAccountResponse(_message.Message):
    __slots__ = ("account",)
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    account: Account
    def __init__(self, account: _Optional[_Union[Account, _Mapping]] = ...) -> None: ...

class UpdateAccountRequest(_message.Message):
    __slots__ = ("etag", "email", "weight_kg", "height_cm", "description", "fields")
    ETAG_FIELD_NUMBER: _ClassVar[int]
    EMAIL_FIELD_NUMBER: _ClassVar[int]
    WEIGHT_KG_FIELD_NUMBER: _ClassVar[int]
    HEIGHT_CM_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    FIELDS_FIELD_NUMBER: _ClassVar[int]
    etag: str
    email: str
    weight_kg: float
    height_cm: float
    description: str
    fields: _containers.RepeatedCompositeFieldContainer[FieldValue]
    def __init__(self, etag: _Optional[str] = ..., email: _Optional[str] = ..., weight_kg: _Optional[float] = ..., height_cm: _Optional[float] = ..., description: _Optional[str] = ..., fields: _Optional[_Iterable[_Union[FieldValue, _Mapping]]] = ...) -> None: ...

class UpdateAccountResponse(_message.Message):
    __slots__ = ("account",)
    ACCOUNT_FIELD_NUMBER: _ClassVar[int]
    account: Account
    def __init__(self, account: _Optional[_Union[Account, _Mapping]] = ...) -> None: ...

class ChangePasswordRequest(_message.Message):
    __slots__ = ("old_password", "new_password")
    OLD_PASSWORD_FIELD_NUMBER: _ClassVar[int]
    NEW_PASSWORD_FIELD_NUMBER: _ClassVar[int]
    old_password: str
    new_password: str
    def __init__(self, old_password: _Optional[str] = ..., new_password: _Optional[str] = ...) -> None: ...

class ChangePasswordResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class DeactivateAccountRequest(_message.Message):
    __slots__ = ("password",)
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    password: str
    def __init__(self, password: _Optional[str] = ...) -> None: ...

class DeactivateAccountResponse(_message.Message):
    __slots__ = ("receipt",)
    RECEIPT_FIELD_NUMBER: _ClassVar[int]
    receipt: ErasureReceipt
    def __init__(self, receipt: _Optional[_Union[ErasureReceipt, _Mapping]] = ...) -> None: ...

class ErasureReceipt(_message.Message):
    __slots__ = ("receipt_id", "requested", "due", "erased", "erased_readings", "statement", "recipients")
    RECEIPT_ID_FIELD_NUMBER: _ClassVar[int]
    REQUESTED_FIELD_NUMBER: _ClassVar[int]
    DUE_FIELD_NUMBER: _ClassVar[int]
    ERASED_FIELD_NUMBER: _ClassVar[int]
    ERASED_READINGS_FIELD_NUMBER: _ClassVar[int]
    STATEMENT_FIELD_NUMBER: _ClassVar[int]
    RECIPIENTS_FIELD_NUMBER: _ClassVar[int]
    receipt_id: str
    requested: _timestamp_pb2.Timestamp
    due: _timestamp_pb2.Timestamp
    erased: _timestamp_pb2.Timestamp
    erased_readings: int
    statement: str
    recipients: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, receipt_id: _Optional[str] = ..., requested: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., due: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., erased: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., erased_readings: _Optional[int] = ..., statement: _Optional[str] = ..., recipients: _Optional[_Iterable[str]] = ...) -> None: ...

class GetErasureReceiptRequest(_message.Message):
    __slots__ = ("receipt_id",)
    RECEIPT_ID_FIELD_NUMBER: _ClassVar[int]
    receipt_id: str
    def __init__(self, receipt_id: _Optional[str] = ...) -> None: ...

class GetErasureReceiptResponse(_message.Message):
    __slots__ = ("receipt",)
    RECEIPT_FIELD_NUMBER: _ClassVar[int]
    receipt: ErasureReceipt
    def __init__(self, receipt: _Optional[_Union[ErasureReceipt, _Mapping]] = ...) -> None: ...

class Device(_message.Message):
    __slots__ = ("device_id", "name", "created", "expires")
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    CREATED_FIELD_NUMBER: _ClassVar[int]
    EXPIRES_FIELD_NUMBER: _ClassVar[int]
    device_id: int
    name: str
    created: _timestamp_pb2.Timestamp
    expires: _timestamp_pb2.Timestamp
    def __init__(self, device_id: _Optional[int] = ..., name: _Optional[str] = ..., created: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., expires: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class CreateDeviceRequest(_message.Message):
    __slots__ = ("request_id", "name", "lifetime_days")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    LIFETIME_DAYS_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    name: str
    lifetime_days: int
    def __init__(self, request_id: _Optional[str] = ..., name: _Optional[str] = ..., lifetime_days: _Optional[int] = ...) -> None: ...

class CreateDeviceResponse(_message.Message):
    __slots__ = ("device", "token")
    DEVICE_FIELD_NUMBER: _ClassVar[int]
    TOKEN_FIELD_NUMBER: _ClassVar[int]
    device: Device
    token: str
    def __init__(self, device: _Optional[_Union[Device, _Mapping]] = ..., token: _Optional[str] = ...) -> None: ...

class ListDevicesRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListDevicesResponse(_message.Message):
    __slots__ = ("devices", "next_page_token")
    DEVICES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    devices: _containers.RepeatedCompositeFieldContainer[Device]
    next_page_token: str
    def __init__(self, devices: _Optional[_Iterable[_Union[Device, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class RevokeDeviceRequest(_message.Message):
    __slots__ = ("device_id",)
    DEVICE_ID_FIELD_NUMBER: _ClassVar[int]
    device_id: int
    def __init__(self, device_id: _Optional[int] = ...) -> None: ...

class RevokeDeviceResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class Bridge(_message.Message):
    __slots__ = ("bridge_id", "name", "allowed")
    BRIDGE_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    ALLOWED_FIELD_NUMBER: _ClassVar[int]
    bridge_id: int
    name: str
    allowed: _timestamp_pb2.Timestamp
    def __init__(self, bridge_id: _Optional[int] = ..., name: _Optional[str] = ..., allowed: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class AllowBridgeRequest(_message.Message):
    __slots__ = ("bridge_id",)
    BRIDGE_ID_FIELD_NUMBER: _ClassVar[int]
    bridge_id: int
    def __init__(self, bridge_id: _Optional[int] = ...) -> None: ...

class AllowBridgeResponse(_message.Message):
    __slots__ = ("bridge",)
    BRIDGE_FIELD_NUMBER: _ClassVar[int]
    bridge: Bridge
    def __init__(self, bridge: _Optional[_Union[Bridge, _Mapping]] = ...) -> None: ...

class ListBridgesRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListBridgesResponse(_message.Message):
    __slots__ = ("bridges",)
    BRIDGES_FIELD_NUMBER: _ClassVar[int]
    bridges: _containers.RepeatedCompositeFieldContainer[Bridge]
    def __init__(self, bridges: _Optional[_Iterable[_Union[Bridge, _Mapping]]] = ...) -> None: ...

class DisallowBridgeRequest(_message.Message):
    __slots__ = ("bridge_id",)
    BRIDGE_ID_FIELD_NUMBER: _ClassVar[int]
    bridge_id: int
    def __init__(self, bridge_id: _Optional[int] = ...) -> None: ...

class DisallowBridgeResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class StartOpenIDLogInRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class StartOpenIDLogInResponse(_message.Message):
    __slots__ = ("authorization_endpoint", "client_id", "nonce")
    AUTHORIZATION_ENDPOINT_FIELD_NUMBER: _ClassVar[int]
    CLIENT_ID_FIELD_NUMBER: _ClassVar[int]
    NONCE_FIELD_NUMBER: _ClassVar[int]
    authorization_endpoint: str
    client_id: str
    nonce: str
    def __init__(self, authorization_endpoint: _Optional[str] = ..., client_id: _Optional[str] = ..., nonce: _Optional[str] = ...) -> None: ...

class LogInWithOpenIDRequest(_message.Message):
    __slots__ = ("id_token",)
    ID_TOKEN_FIELD_NUMBER: _ClassVar[int]
    id_token: str
    def __init__(self, id_token: _Optional[str] = ...) -> None: ...

class LogInWithOpenIDResponse(_message.Message):
    __slots__ = ("session",)
    SESSION_FIELD_NUMBER: _ClassVar[int]
    session: Session
    def __init__(self, session: _Optional[_Union[Session, _Mapping]] = ...) -> None: ...

class LinkOpenIDRequest(_message.Message):
    __slots__ = ("id_token", "password")
    ID_TOKEN_FIELD_NUMBER: _ClassVar[int]
    PASSWORD_FIELD_NUMBER: _ClassVar[int]
    id_token: str
    password: str
    def __init__(self, id_token: _Optional[str] = ..., password: _Optional[str] = ...) -> None: ...

class LinkOpenIDResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class UnlinkOpenIDRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class UnlinkOpenIDResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...
