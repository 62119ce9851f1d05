from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class PaymentState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PAYMENT_STATE_UNSPECIFIED: _ClassVar[PaymentState]
    PAYMENT_STATE_PENDING: _ClassVar[PaymentState]
    PAYMENT_STATE_AUTHORIZED: _ClassVar[PaymentState]
    PAYMENT_STATE_CAPTURED: _ClassVar[PaymentState]
    PAYMENT_STATE_CANCELLED: _ClassVar[PaymentState]
    PAYMENT_STATE_REFUNDED: _ClassVar[PaymentState]
    PAYMENT_STATE_FAILED: _ClassVar[PaymentState]
PAYMENT_STATE_UNSPECIFIED: PaymentState
PAYMENT_STATE_PENDING: PaymentState
PAYMENT_STATE_AUTHORIZED: PaymentState
PAYMENT_STATE_CAPTURED: PaymentState
PAYMENT_STATE_CANCELLED: PaymentState
PAYMENT_STATE_REFUNDED: PaymentState
PAYMENT_STATE_FAILED: PaymentState

class Price(_message.Message):
    __slots__ = ("currency_code", "minor_units")
    CURRENCY_CODE_FIELD_NUMBER: _ClassVar[int]
    MINOR_UNITS_FIELD_NUMBER: _ClassVar[int]
    currency_code: str
    minor_units: int
    def __init__(self, currency_code: _Optional[str] = ..., minor_units: _Optional[int] = ...) -> None: ...

class Payment(_message.Message):
    __slots__ = ("payment_id", "state", "price", "payment_url")
    PAYMENT_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    PAYMENT_URL_FIELD_NUMBER: _ClassVar[int]
    payment_id: str
    state: PaymentState
    price: Price
    payment_url: str
    def __init__(self, payment_id: _Optional[str] = ..., state: _Optional[_Union[PaymentState, str]] = ..., price: _Optional[_Union[Price, _Mapping]] = ..., payment_url: _Optional[str] = ...) -> None: ...
