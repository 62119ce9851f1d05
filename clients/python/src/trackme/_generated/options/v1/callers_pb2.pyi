from google.protobuf import descriptor_pb2 as _descriptor_pb2
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from typing import ClassVar as _ClassVar

DESCRIPTOR: _descriptor.FileDescriptor

class Caller(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CALLER_UNSPECIFIED: _ClassVar[Caller]
    CALLER_ANYONE: _ClassVar[Caller]
    CALLER_PERSON: _ClassVar[Caller]
    CALLER_THIRD_PARTY: _ClassVar[Caller]
    CALLER_DEVICE: _ClassVar[Caller]
    CALLER_BRIDGE: _ClassVar[Caller]
    CALLER_DISPATCHER: _ClassVar[Caller]
    CALLER_ADMINISTRATOR: _ClassVar[Caller]
    CALLER_OPERATOR: _ClassVar[Caller]
    CALLER_DESK_OPERATOR: _ClassVar[Caller]
    CALLER_DISABLED_PERSON: _ClassVar[Caller]
CALLER_UNSPECIFIED: Caller
CALLER_ANYONE: Caller
CALLER_PERSON: Caller
CALLER_THIRD_PARTY: Caller
CALLER_DEVICE: Caller
CALLER_BRIDGE: Caller
CALLER_DISPATCHER: Caller
CALLER_ADMINISTRATOR: Caller
CALLER_OPERATOR: Caller
CALLER_DESK_OPERATOR: Caller
CALLER_DISABLED_PERSON: Caller
CALLERS_FIELD_NUMBER: _ClassVar[int]
callers: _descriptor.FieldDescriptor
