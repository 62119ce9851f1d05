import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from trackme._generated.expenditure.v1 import figures_pb2 as _figures_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class FileForm(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    FILE_FORM_UNSPECIFIED: _ClassVar[FileForm]
    FILE_FORM_NATIONAL: _ClassVar[FileForm]
    FILE_FORM_REGIONAL: _ClassVar[FileForm]
    FILE_FORM_BODIES: _ClassVar[FileForm]
    FILE_FORM_RESIDENTS: _ClassVar[FileForm]
    FILE_FORM_PRICES: _ClassVar[FileForm]
    FILE_FORM_MOBILITY: _ClassVar[FileForm]

class CheckKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    CHECK_KIND_UNSPECIFIED: _ClassVar[CheckKind]
    CHECK_KIND_NATIONAL_SUM: _ClassVar[CheckKind]
    CHECK_KIND_CONSOLIDATED: _ClassVar[CheckKind]
    CHECK_KIND_PARTS: _ClassVar[CheckKind]
    CHECK_KIND_RESULT: _ClassVar[CheckKind]
    CHECK_KIND_UNKNOWN_VOICE: _ClassVar[CheckKind]
    CHECK_KIND_JUMP: _ClassVar[CheckKind]
FILE_FORM_UNSPECIFIED: FileForm
FILE_FORM_NATIONAL: FileForm
FILE_FORM_REGIONAL: FileForm
FILE_FORM_BODIES: FileForm
FILE_FORM_RESIDENTS: FileForm
FILE_FORM_PRICES: FileForm
FILE_FORM_MOBILITY: FileForm
CHECK_KIND_UNSPECIFIED: CheckKind
CHECK_KIND_NATIONAL_SUM: CheckKind
CHECK_KIND_CONSOLIDATED: CheckKind
CHECK_KIND_PARTS: CheckKind
CHECK_KIND_RESULT: CheckKind
CHECK_KIND_UNKNOWN_VOICE: CheckKind
CHECK_KIND_JUMP: CheckKind

class Finding(_message.Message):
    __slots__ = ("kind", "blocks", "year", "territory", "voice", "expected_cents", "found_cents", "source")
    KIND_FIELD_NUMBER: _ClassVar[int]
    BLOCKS_FIELD_NUMBER: _ClassVar[int]
    YEAR_FIELD_NUMBER: _ClassVar[int]
    TERRITORY_FIELD_NUMBER: _ClassVar[int]
    VOICE_FIELD_NUMBER: _ClassVar[int]
    EXPECTED_CENTS_FIELD_NUMBER: _ClassVar[int]
    FOUND_CENTS_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    kind: CheckKind
    blocks: bool
    year: int
    territory: str
    voice: str
    expected_cents: int
    found_cents: int
    source: _figures_pb2.SourceRow
    def __init__(self, kind: _Optional[_Union[CheckKind, str]] = ..., blocks: _Optional[bool] = ..., year: _Optional[int] = ..., territory: _Optional[str] = ..., voice: _Optional[str] = ..., expected_cents: _Optional[int] = ..., found_cents: _Optional[int] = ..., source: _Optional[_Union[_figures_pb2.SourceRow, _Mapping]] = ...) -> None: ...

class CheckCount(_message.Message):
    __slots__ = ("kind", "made", "failed")
    KIND_FIELD_NUMBER: _ClassVar[int]
    MADE_FIELD_NUMBER: _ClassVar[int]
    FAILED_FIELD_NUMBER: _ClassVar[int]
    kind: CheckKind
    made: int
    failed: int
    def __init__(self, kind: _Optional[_Union[CheckKind, str]] = ..., made: _Optional[int] = ..., failed: _Optional[int] = ...) -> None: ...

class ImportedFile(_message.Message):
    __slots__ = ("name", "form", "sha256", "rows", "first_year", "last_year", "source", "imported_before")
    NAME_FIELD_NUMBER: _ClassVar[int]
    FORM_FIELD_NUMBER: _ClassVar[int]
    SHA256_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    FIRST_YEAR_FIELD_NUMBER: _ClassVar[int]
    LAST_YEAR_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    IMPORTED_BEFORE_FIELD_NUMBER: _ClassVar[int]
    name: str
    form: FileForm
    sha256: str
    rows: int
    first_year: int
    last_year: int
    source: _figures_pb2.Source
    imported_before: bool
    def __init__(self, name: _Optional[str] = ..., form: _Optional[_Union[FileForm, str]] = ..., sha256: _Optional[str] = ..., rows: _Optional[int] = ..., first_year: _Optional[int] = ..., last_year: _Optional[int] = ..., source: _Optional[_Union[_figures_pb2.Source, _Mapping]] = ..., imported_before: _Optional[bool] = ...) -> None: ...

class Release(_message.Message):
    __slots__ = ("number", "created_time", "published_time", "note", "files", "checks", "findings", "override_reason", "etag")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    CREATED_TIME_FIELD_NUMBER: _ClassVar[int]
    PUBLISHED_TIME_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    FILES_FIELD_NUMBER: _ClassVar[int]
    CHECKS_FIELD_NUMBER: _ClassVar[int]
    FINDINGS_FIELD_NUMBER: _ClassVar[int]
    OVERRIDE_REASON_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    number: int
    created_time: _timestamp_pb2.Timestamp
    published_time: _timestamp_pb2.Timestamp
    note: str
    files: _containers.RepeatedCompositeFieldContainer[ImportedFile]
    checks: _containers.RepeatedCompositeFieldContainer[CheckCount]
    findings: _containers.RepeatedCompositeFieldContainer[Finding]
    override_reason: str
    etag: str
    def __init__(self, number: _Optional[int] = ..., created_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., published_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., note: _Optional[str] = ..., files: _Optional[_Iterable[_Union[ImportedFile, _Mapping]]] = ..., checks: _Optional[_Iterable[_Union[CheckCount, _Mapping]]] = ..., findings: _Optional[_Iterable[_Union[Finding, _Mapping]]] = ..., override_reason: _Optional[str] = ..., etag: _Optional[str] = ...) -> None: ...

class ListReleasesRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListReleasesResponse(_message.Message):
    __slots__ = ("releases", "next_page_token")
    RELEASES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    releases: _containers.RepeatedCompositeFieldContainer[Release]
    next_page_token: str
    def __init__(self, releases: _Optional[_Iterable[_Union[Release, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ImportHead(_message.Message):
    __slots__ = ("dry_run", "note")
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    NOTE_FIELD_NUMBER: _ClassVar[int]
    dry_run: bool
    note: str
    def __init__(self, dry_run: _Optional[bool] = ..., note: _Optional[str] = ...) -> None: ...

class FileHead(_message.Message):
    __slots__ = ("name", "source")
    NAME_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    name: str
    source: _figures_pb2.Source
    def __init__(self, name: _Optional[str] = ..., source: _Optional[_Union[_figures_pb2.Source, _Mapping]] = ...) -> None: ...

class ImportFiguresRequest(_message.Message):
    __slots__ = ("head", "file", "chunk")
    HEAD_FIELD_NUMBER: _ClassVar[int]
    FILE_FIELD_NUMBER: _ClassVar[int]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    head: ImportHead
    file: FileHead
    chunk: bytes
    def __init__(self, head: _Optional[_Union[ImportHead, _Mapping]] = ..., file: _Optional[_Union[FileHead, _Mapping]] = ..., chunk: _Optional[bytes] = ...) -> None: ...

class ImportFiguresResponse(_message.Message):
    __slots__ = ("release",)
    RELEASE_FIELD_NUMBER: _ClassVar[int]
    release: Release
    def __init__(self, release: _Optional[_Union[Release, _Mapping]] = ...) -> None: ...

class PublishReleaseRequest(_message.Message):
    __slots__ = ("number", "override_reason", "etag")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    OVERRIDE_REASON_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    number: int
    override_reason: str
    etag: str
    def __init__(self, number: _Optional[int] = ..., override_reason: _Optional[str] = ..., etag: _Optional[str] = ...) -> None: ...

class PublishReleaseResponse(_message.Message):
    __slots__ = ("release",)
    RELEASE_FIELD_NUMBER: _ClassVar[int]
    release: Release
    def __init__(self, release: _Optional[_Union[Release, _Mapping]] = ...) -> None: ...
