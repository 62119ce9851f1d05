from trackme._generated.options.v1 import callers_pb2 as _callers_pb2
from trackme._generated.sos.v1 import emergency_pb2 as _emergency_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class AnswerKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ANSWER_KIND_UNSPECIFIED: _ClassVar[AnswerKind]
    ANSWER_KIND_ACCEPTED: _ClassVar[AnswerKind]
    ANSWER_KIND_REFUSED: _ClassVar[AnswerKind]
    ANSWER_KIND_EN_ROUTE: _ClassVar[AnswerKind]
    ANSWER_KIND_RESOLVED: _ClassVar[AnswerKind]
    ANSWER_KIND_FALSE_ALARM: _ClassVar[AnswerKind]

class NoticeKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    NOTICE_KIND_UNSPECIFIED: _ClassVar[NoticeKind]
    NOTICE_KIND_CALL: _ClassVar[NoticeKind]
    NOTICE_KIND_UPDATE: _ClassVar[NoticeKind]
    NOTICE_KIND_CANCEL: _ClassVar[NoticeKind]
    NOTICE_KIND_TAKEN: _ClassVar[NoticeKind]

class CallPlace(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CALL_PLACE_UNSPECIFIED: _ClassVar[CallPlace]
    CALL_PLACE_WAITING: _ClassVar[CallPlace]
    CALL_PLACE_REFUSED: _ClassVar[CallPlace]
    CALL_PLACE_OURS: _ClassVar[CallPlace]
    CALL_PLACE_TAKEN: _ClassVar[CallPlace]
    CALL_PLACE_OVER: _ClassVar[CallPlace]
ANSWER_KIND_UNSPECIFIED: AnswerKind
ANSWER_KIND_ACCEPTED: AnswerKind
ANSWER_KIND_REFUSED: AnswerKind
ANSWER_KIND_EN_ROUTE: AnswerKind
ANSWER_KIND_RESOLVED: AnswerKind
ANSWER_KIND_FALSE_ALARM: AnswerKind
NOTICE_KIND_UNSPECIFIED: NoticeKind
NOTICE_KIND_CALL: NoticeKind
NOTICE_KIND_UPDATE: NoticeKind
NOTICE_KIND_CANCEL: NoticeKind
NOTICE_KIND_TAKEN: NoticeKind
CALL_PLACE_UNSPECIFIED: CallPlace
CALL_PLACE_WAITING: CallPlace
CALL_PLACE_REFUSED: CallPlace
CALL_PLACE_OURS: CallPlace
CALL_PLACE_TAKEN: CallPlace
CALL_PLACE_OVER: CallPlace

class HandleEmergenciesRequest(_message.Message):
    __slots__ = ("hello", "answer")
    HELLO_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    hello: DispatcherHello
    answer: DispatcherAnswer
    def __init__(self, hello: _Optional[_Union[DispatcherHello, _Mapping]] = ..., answer: _Optional[_Union[DispatcherAnswer, _Mapping]] = ...) -> None: ...

class DispatcherHello(_message.Message):
    __slots__ = ("system",)
    SYSTEM_FIELD_NUMBER: _ClassVar[int]
    system: str
    def __init__(self, system: _Optional[str] = ...) -> None: ...

class DispatcherAnswer(_message.Message):
    __slots__ = ("emergency_id", "kind", "note")
    EMERGENCY_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    emergency_id: str
    kind: AnswerKind
    note: str
    def __init__(self, emergency_id: _Optional[str] = ..., kind: _Optional[_Union[AnswerKind, str]] = ..., note: _Optional[str] = ...) -> None: ...

class HandleEmergenciesResponse(_message.Message):
    __slots__ = ("kind", "emergency", "text")
    KIND_FIELD_NUMBER: _ClassVar[int]
    EMERGENCY_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    kind: NoticeKind
    emergency: _emergency_pb2.Emergency
    text: str
    def __init__(self, kind: _Optional[_Union[NoticeKind, str]] = ..., emergency: _Optional[_Union[_emergency_pb2.Emergency, _Mapping]] = ..., text: _Optional[str] = ...) -> None: ...

class DeskAnswer(_message.Message):
    __slots__ = ("kind", "at_us", "account_id", "name", "note")
    KIND_FIELD_NUMBER: _ClassVar[int]
    AT_US_FIELD_NUMBER: _ClassVar[int]
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    kind: AnswerKind
    at_us: int
    account_id: int
    name: str
    note: str
    def __init__(self, kind: _Optional[_Union[AnswerKind, str]] = ..., at_us: _Optional[int] = ..., account_id: _Optional[int] = ..., name: _Optional[str] = ..., note: _Optional[str] = ...) -> None: ...

class CallHolder(_message.Message):
    __slots__ = ("account_id", "name")
    ACCOUNT_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    account_id: int
    name: str
    def __init__(self, account_id: _Optional[int] = ..., name: _Optional[str] = ...) -> None: ...

class DeskCall(_message.Message):
    __slots__ = ("place", "emergency", "text", "holder", "answers", "left")
    PLACE_FIELD_NUMBER: _ClassVar[int]
    EMERGENCY_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    HOLDER_FIELD_NUMBER: _ClassVar[int]
    ANSWERS_FIELD_NUMBER: _ClassVar[int]
    LEFT_FIELD_NUMBER: _ClassVar[int]
    place: CallPlace
    emergency: _emergency_pb2.Emergency
    text: str
    holder: CallHolder
    answers: _containers.RepeatedCompositeFieldContainer[DeskAnswer]
    left: _containers.RepeatedScalarFieldContainer[AnswerKind]
    def __init__(self, place: _Optional[_Union[CallPlace, str]] = ..., emergency: _Optional[_Union[_emergency_pb2.Emergency, _Mapping]] = ..., text: _Optional[str] = ..., holder: _Optional[_Union[CallHolder, _Mapping]] = ..., answers: _Optional[_Iterable[_Union[DeskAnswer, _Mapping]]] = ..., left: _Optional[_Iterable[_Union[AnswerKind, str]]] = ...) -> None: ...

class WatchCallsRequest(_message.Message):
    __slots__ = ("cursor",)
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    cursor: str
    def __init__(self, cursor: _Optional[str] = ...) -> None: ...

class WatchCallsResponse(_message.Message):
    __slots__ = ("cursor", "status", "begins_anew", "call")
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    BEGINS_ANEW_FIELD_NUMBER: _ClassVar[int]
    CALL_FIELD_NUMBER: _ClassVar[int]
    cursor: str
    status: _emergency_pb2.DispatchStatus
    begins_anew: bool
    call: DeskCall
    def __init__(self, cursor: _Optional[str] = ..., status: _Optional[_Union[_emergency_pb2.DispatchStatus, str]] = ..., begins_anew: _Optional[bool] = ..., call: _Optional[_Union[DeskCall, _Mapping]] = ...) -> None: ...

class AnswerCallRequest(_message.Message):
    __slots__ = ("emergency_id", "kind", "note")
    EMERGENCY_ID_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    emergency_id: str
    kind: AnswerKind
    note: str
    def __init__(self, emergency_id: _Optional[str] = ..., kind: _Optional[_Union[AnswerKind, str]] = ..., note: _Optional[str] = ...) -> None: ...

class AnswerCallResponse(_message.Message):
    __slots__ = ("call",)
    CALL_FIELD_NUMBER: _ClassVar[int]
    call: DeskCall
    def __init__(self, call: _Optional[_Union[DeskCall, _Mapping]] = ...) -> None: ...
