from trackme._generated.options.v1 import callers_pb2 as _callers_pb2
from trackme._generated.sos.v1 import emergency_pb2 as _emergency_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Mapping as _Mapping
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
