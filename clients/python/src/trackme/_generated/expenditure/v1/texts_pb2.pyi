from trackme._generated.expenditure.v1 import figures_pb2 as _figures_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Text(_message.Message):
    __slots__ = ("italian", "english")
    ITALIAN_FIELD_NUMBER: _ClassVar[int]
    ENGLISH_FIELD_NUMBER: _ClassVar[int]
    italian: str
    english: str
    def __init__(self, italian: _Optional[str] = ..., english: _Optional[str] = ...) -> None: ...

class DictionaryEntry(_message.Message):
    __slots__ = ("code", "definition", "descriptions", "years", "etag")
    CODE_FIELD_NUMBER: _ClassVar[int]
    DEFINITION_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTIONS_FIELD_NUMBER: _ClassVar[int]
    YEARS_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    code: str
    definition: Text
    descriptions: _containers.RepeatedCompositeFieldContainer[_figures_pb2.Description]
    years: _containers.RepeatedScalarFieldContainer[int]
    etag: str
    def __init__(self, code: _Optional[str] = ..., definition: _Optional[_Union[Text, _Mapping]] = ..., descriptions: _Optional[_Iterable[_Union[_figures_pb2.Description, _Mapping]]] = ..., years: _Optional[_Iterable[int]] = ..., etag: _Optional[str] = ...) -> None: ...

class GetDictionaryRequest(_message.Message):
    __slots__ = ("release",)
    RELEASE_FIELD_NUMBER: _ClassVar[int]
    release: int
    def __init__(self, release: _Optional[int] = ...) -> None: ...

class GetDictionaryResponse(_message.Message):
    __slots__ = ("entries", "origin")
    ENTRIES_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    entries: _containers.RepeatedCompositeFieldContainer[DictionaryEntry]
    origin: _figures_pb2.Origin
    def __init__(self, entries: _Optional[_Iterable[_Union[DictionaryEntry, _Mapping]]] = ..., origin: _Optional[_Union[_figures_pb2.Origin, _Mapping]] = ...) -> None: ...

class UpdateDefinitionRequest(_message.Message):
    __slots__ = ("code", "step", "text", "etag")
    CODE_FIELD_NUMBER: _ClassVar[int]
    STEP_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    code: str
    step: int
    text: Text
    etag: str
    def __init__(self, code: _Optional[str] = ..., step: _Optional[int] = ..., text: _Optional[_Union[Text, _Mapping]] = ..., etag: _Optional[str] = ...) -> None: ...

class UpdateDefinitionResponse(_message.Message):
    __slots__ = ("etag",)
    ETAG_FIELD_NUMBER: _ClassVar[int]
    etag: str
    def __init__(self, etag: _Optional[str] = ...) -> None: ...

class TutorialStep(_message.Message):
    __slots__ = ("number", "control", "text", "etag")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    CONTROL_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    number: int
    control: str
    text: Text
    etag: str
    def __init__(self, number: _Optional[int] = ..., control: _Optional[str] = ..., text: _Optional[_Union[Text, _Mapping]] = ..., etag: _Optional[str] = ...) -> None: ...

class GetTutorialRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetTutorialResponse(_message.Message):
    __slots__ = ("steps",)
    STEPS_FIELD_NUMBER: _ClassVar[int]
    steps: _containers.RepeatedCompositeFieldContainer[TutorialStep]
    def __init__(self, steps: _Optional[_Iterable[_Union[TutorialStep, _Mapping]]] = ...) -> None: ...
