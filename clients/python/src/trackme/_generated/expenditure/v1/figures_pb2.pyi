import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Measure(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MEASURE_UNSPECIFIED: _ClassVar[Measure]
    MEASURE_EUROS: _ClassVar[Measure]
    MEASURE_PER_RESIDENT: _ClassVar[Measure]
    MEASURE_SHARE: _ClassVar[Measure]
    MEASURE_CHANGE: _ClassVar[Measure]

class MissingReason(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    MISSING_REASON_UNSPECIFIED: _ClassVar[MissingReason]
    MISSING_REASON_NOT_REPORTED: _ClassVar[MissingReason]
    MISSING_REASON_NO_ACCOUNT: _ClassVar[MissingReason]
    MISSING_REASON_NO_RESIDENTS: _ClassVar[MissingReason]
    MISSING_REASON_NO_YEAR_BEFORE: _ClassVar[MissingReason]
    MISSING_REASON_NO_TOTAL: _ClassVar[MissingReason]
    MISSING_REASON_NO_PRICES: _ClassVar[MissingReason]
    MISSING_REASON_ZERO_BASE: _ClassVar[MissingReason]
MEASURE_UNSPECIFIED: Measure
MEASURE_EUROS: Measure
MEASURE_PER_RESIDENT: Measure
MEASURE_SHARE: Measure
MEASURE_CHANGE: Measure
MISSING_REASON_UNSPECIFIED: MissingReason
MISSING_REASON_NOT_REPORTED: MissingReason
MISSING_REASON_NO_ACCOUNT: MissingReason
MISSING_REASON_NO_RESIDENTS: MissingReason
MISSING_REASON_NO_YEAR_BEFORE: MissingReason
MISSING_REASON_NO_TOTAL: MissingReason
MISSING_REASON_NO_PRICES: MissingReason
MISSING_REASON_ZERO_BASE: MissingReason

class View(_message.Message):
    __slots__ = ("release", "year", "voice", "measure", "prices_of")
    RELEASE_FIELD_NUMBER: _ClassVar[int]
    YEAR_FIELD_NUMBER: _ClassVar[int]
    VOICE_FIELD_NUMBER: _ClassVar[int]
    MEASURE_FIELD_NUMBER: _ClassVar[int]
    PRICES_OF_FIELD_NUMBER: _ClassVar[int]
    release: int
    year: int
    voice: str
    measure: Measure
    prices_of: int
    def __init__(self, release: _Optional[int] = ..., year: _Optional[int] = ..., voice: _Optional[str] = ..., measure: _Optional[_Union[Measure, str]] = ..., prices_of: _Optional[int] = ...) -> None: ...

class SourceRow(_message.Message):
    __slots__ = ("release", "file", "row")
    RELEASE_FIELD_NUMBER: _ClassVar[int]
    FILE_FIELD_NUMBER: _ClassVar[int]
    ROW_FIELD_NUMBER: _ClassVar[int]
    release: int
    file: str
    row: int
    def __init__(self, release: _Optional[int] = ..., file: _Optional[str] = ..., row: _Optional[int] = ...) -> None: ...

class Denominator(_message.Message):
    __slots__ = ("residents", "date", "source")
    RESIDENTS_FIELD_NUMBER: _ClassVar[int]
    DATE_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    residents: int
    date: str
    source: SourceRow
    def __init__(self, residents: _Optional[int] = ..., date: _Optional[str] = ..., source: _Optional[_Union[SourceRow, _Mapping]] = ...) -> None: ...

class Value(_message.Message):
    __slots__ = ("number", "missing", "source", "denominator", "amount_cents")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    MISSING_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    DENOMINATOR_FIELD_NUMBER: _ClassVar[int]
    AMOUNT_CENTS_FIELD_NUMBER: _ClassVar[int]
    number: int
    missing: MissingReason
    source: SourceRow
    denominator: Denominator
    amount_cents: int
    def __init__(self, number: _Optional[int] = ..., missing: _Optional[_Union[MissingReason, str]] = ..., source: _Optional[_Union[SourceRow, _Mapping]] = ..., denominator: _Optional[_Union[Denominator, _Mapping]] = ..., amount_cents: _Optional[int] = ...) -> None: ...

class TerritoryValue(_message.Message):
    __slots__ = ("territory", "value")
    TERRITORY_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    territory: str
    value: Value
    def __init__(self, territory: _Optional[str] = ..., value: _Optional[_Union[Value, _Mapping]] = ...) -> None: ...

class YearValue(_message.Message):
    __slots__ = ("year", "value")
    YEAR_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    year: int
    value: Value
    def __init__(self, year: _Optional[int] = ..., value: _Optional[_Union[Value, _Mapping]] = ...) -> None: ...

class Territory(_message.Message):
    __slots__ = ("code", "name", "name_en", "parent")
    CODE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    NAME_EN_FIELD_NUMBER: _ClassVar[int]
    PARENT_FIELD_NUMBER: _ClassVar[int]
    code: str
    name: str
    name_en: str
    parent: str
    def __init__(self, code: _Optional[str] = ..., name: _Optional[str] = ..., name_en: _Optional[str] = ..., parent: _Optional[str] = ...) -> None: ...

class Voice(_message.Message):
    __slots__ = ("code", "description", "parent", "years", "part_count")
    CODE_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    PARENT_FIELD_NUMBER: _ClassVar[int]
    YEARS_FIELD_NUMBER: _ClassVar[int]
    PART_COUNT_FIELD_NUMBER: _ClassVar[int]
    code: str
    description: str
    parent: str
    years: _containers.RepeatedScalarFieldContainer[int]
    part_count: int
    def __init__(self, code: _Optional[str] = ..., description: _Optional[str] = ..., parent: _Optional[str] = ..., years: _Optional[_Iterable[int]] = ..., part_count: _Optional[int] = ...) -> None: ...

class Origin(_message.Message):
    __slots__ = ("release", "published_time", "sources", "override_reason")
    RELEASE_FIELD_NUMBER: _ClassVar[int]
    PUBLISHED_TIME_FIELD_NUMBER: _ClassVar[int]
    SOURCES_FIELD_NUMBER: _ClassVar[int]
    OVERRIDE_REASON_FIELD_NUMBER: _ClassVar[int]
    release: int
    published_time: _timestamp_pb2.Timestamp
    sources: _containers.RepeatedCompositeFieldContainer[Source]
    override_reason: str
    def __init__(self, release: _Optional[int] = ..., published_time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., sources: _Optional[_Iterable[_Union[Source, _Mapping]]] = ..., override_reason: _Optional[str] = ...) -> None: ...

class Source(_message.Message):
    __slots__ = ("name", "licence", "uri")
    NAME_FIELD_NUMBER: _ClassVar[int]
    LICENCE_FIELD_NUMBER: _ClassVar[int]
    URI_FIELD_NUMBER: _ClassVar[int]
    name: str
    licence: str
    uri: str
    def __init__(self, name: _Optional[str] = ..., licence: _Optional[str] = ..., uri: _Optional[str] = ...) -> None: ...

class PriceIndex(_message.Message):
    __slots__ = ("name", "year")
    NAME_FIELD_NUMBER: _ClassVar[int]
    YEAR_FIELD_NUMBER: _ClassVar[int]
    name: str
    year: int
    def __init__(self, name: _Optional[str] = ..., year: _Optional[int] = ...) -> None: ...

class ListTerritoriesRequest(_message.Message):
    __slots__ = ("release", "bodies_of")
    RELEASE_FIELD_NUMBER: _ClassVar[int]
    BODIES_OF_FIELD_NUMBER: _ClassVar[int]
    release: int
    bodies_of: str
    def __init__(self, release: _Optional[int] = ..., bodies_of: _Optional[str] = ...) -> None: ...

class ListTerritoriesResponse(_message.Message):
    __slots__ = ("territories", "origin")
    TERRITORIES_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    territories: _containers.RepeatedCompositeFieldContainer[Territory]
    origin: Origin
    def __init__(self, territories: _Optional[_Iterable[_Union[Territory, _Mapping]]] = ..., origin: _Optional[_Union[Origin, _Mapping]] = ...) -> None: ...

class ListVoicesRequest(_message.Message):
    __slots__ = ("release",)
    RELEASE_FIELD_NUMBER: _ClassVar[int]
    release: int
    def __init__(self, release: _Optional[int] = ...) -> None: ...

class ListVoicesResponse(_message.Message):
    __slots__ = ("voices", "years", "price_years", "origin")
    VOICES_FIELD_NUMBER: _ClassVar[int]
    YEARS_FIELD_NUMBER: _ClassVar[int]
    PRICE_YEARS_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    voices: _containers.RepeatedCompositeFieldContainer[Voice]
    years: _containers.RepeatedScalarFieldContainer[int]
    price_years: _containers.RepeatedScalarFieldContainer[int]
    origin: Origin
    def __init__(self, voices: _Optional[_Iterable[_Union[Voice, _Mapping]]] = ..., years: _Optional[_Iterable[int]] = ..., price_years: _Optional[_Iterable[int]] = ..., origin: _Optional[_Union[Origin, _Mapping]] = ...) -> None: ...

class GetMapRequest(_message.Message):
    __slots__ = ("view",)
    VIEW_FIELD_NUMBER: _ClassVar[int]
    view: View
    def __init__(self, view: _Optional[_Union[View, _Mapping]] = ...) -> None: ...

class MapYear(_message.Message):
    __slots__ = ("year", "values")
    YEAR_FIELD_NUMBER: _ClassVar[int]
    VALUES_FIELD_NUMBER: _ClassVar[int]
    year: int
    values: _containers.RepeatedCompositeFieldContainer[TerritoryValue]
    def __init__(self, year: _Optional[int] = ..., values: _Optional[_Iterable[_Union[TerritoryValue, _Mapping]]] = ...) -> None: ...

class GetMapResponse(_message.Message):
    __slots__ = ("view", "voice", "years", "index", "origin")
    VIEW_FIELD_NUMBER: _ClassVar[int]
    VOICE_FIELD_NUMBER: _ClassVar[int]
    YEARS_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    view: View
    voice: Voice
    years: _containers.RepeatedCompositeFieldContainer[MapYear]
    index: PriceIndex
    origin: Origin
    def __init__(self, view: _Optional[_Union[View, _Mapping]] = ..., voice: _Optional[_Union[Voice, _Mapping]] = ..., years: _Optional[_Iterable[_Union[MapYear, _Mapping]]] = ..., index: _Optional[_Union[PriceIndex, _Mapping]] = ..., origin: _Optional[_Union[Origin, _Mapping]] = ...) -> None: ...

class Part(_message.Message):
    __slots__ = ("voice", "value")
    VOICE_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    voice: Voice
    value: Value
    def __init__(self, voice: _Optional[_Union[Voice, _Mapping]] = ..., value: _Optional[_Union[Value, _Mapping]] = ...) -> None: ...

class Rank(_message.Message):
    __slots__ = ("place", "of", "tied_with")
    PLACE_FIELD_NUMBER: _ClassVar[int]
    OF_FIELD_NUMBER: _ClassVar[int]
    TIED_WITH_FIELD_NUMBER: _ClassVar[int]
    place: int
    of: int
    tied_with: int
    def __init__(self, place: _Optional[int] = ..., of: _Optional[int] = ..., tied_with: _Optional[int] = ...) -> None: ...

class GetReportRequest(_message.Message):
    __slots__ = ("view", "territory")
    VIEW_FIELD_NUMBER: _ClassVar[int]
    TERRITORY_FIELD_NUMBER: _ClassVar[int]
    view: View
    territory: str
    def __init__(self, view: _Optional[_Union[View, _Mapping]] = ..., territory: _Optional[str] = ...) -> None: ...

class GetReportResponse(_message.Message):
    __slots__ = ("view", "territory", "whole", "path", "parts", "unexplained_cents", "series", "others", "rank", "years", "index", "origin")
    VIEW_FIELD_NUMBER: _ClassVar[int]
    TERRITORY_FIELD_NUMBER: _ClassVar[int]
    WHOLE_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    UNEXPLAINED_CENTS_FIELD_NUMBER: _ClassVar[int]
    SERIES_FIELD_NUMBER: _ClassVar[int]
    OTHERS_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    YEARS_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    view: View
    territory: Territory
    whole: Part
    path: _containers.RepeatedCompositeFieldContainer[Voice]
    parts: _containers.RepeatedCompositeFieldContainer[Part]
    unexplained_cents: int
    series: _containers.RepeatedCompositeFieldContainer[YearValue]
    others: _containers.RepeatedCompositeFieldContainer[TerritoryValue]
    rank: Rank
    years: _containers.RepeatedScalarFieldContainer[int]
    index: PriceIndex
    origin: Origin
    def __init__(self, view: _Optional[_Union[View, _Mapping]] = ..., territory: _Optional[_Union[Territory, _Mapping]] = ..., whole: _Optional[_Union[Part, _Mapping]] = ..., path: _Optional[_Iterable[_Union[Voice, _Mapping]]] = ..., parts: _Optional[_Iterable[_Union[Part, _Mapping]]] = ..., unexplained_cents: _Optional[int] = ..., series: _Optional[_Iterable[_Union[YearValue, _Mapping]]] = ..., others: _Optional[_Iterable[_Union[TerritoryValue, _Mapping]]] = ..., rank: _Optional[_Union[Rank, _Mapping]] = ..., years: _Optional[_Iterable[int]] = ..., index: _Optional[_Union[PriceIndex, _Mapping]] = ..., origin: _Optional[_Union[Origin, _Mapping]] = ...) -> None: ...

class GetVoiceReportRequest(_message.Message):
    __slots__ = ("view", "territory")
    VIEW_FIELD_NUMBER: _ClassVar[int]
    TERRITORY_FIELD_NUMBER: _ClassVar[int]
    view: View
    territory: str
    def __init__(self, view: _Optional[_Union[View, _Mapping]] = ..., territory: _Optional[str] = ...) -> None: ...

class Description(_message.Message):
    __slots__ = ("text", "first_year", "last_year")
    TEXT_FIELD_NUMBER: _ClassVar[int]
    FIRST_YEAR_FIELD_NUMBER: _ClassVar[int]
    LAST_YEAR_FIELD_NUMBER: _ClassVar[int]
    text: str
    first_year: int
    last_year: int
    def __init__(self, text: _Optional[str] = ..., first_year: _Optional[int] = ..., last_year: _Optional[int] = ...) -> None: ...

class MeasureValue(_message.Message):
    __slots__ = ("measure", "value", "rank")
    MEASURE_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    RANK_FIELD_NUMBER: _ClassVar[int]
    measure: Measure
    value: Value
    rank: Rank
    def __init__(self, measure: _Optional[_Union[Measure, str]] = ..., value: _Optional[_Union[Value, _Mapping]] = ..., rank: _Optional[_Union[Rank, _Mapping]] = ...) -> None: ...

class GetVoiceReportResponse(_message.Message):
    __slots__ = ("view", "territory", "voice", "path", "descriptions", "measures", "series", "italy", "index", "origin")
    VIEW_FIELD_NUMBER: _ClassVar[int]
    TERRITORY_FIELD_NUMBER: _ClassVar[int]
    VOICE_FIELD_NUMBER: _ClassVar[int]
    PATH_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTIONS_FIELD_NUMBER: _ClassVar[int]
    MEASURES_FIELD_NUMBER: _ClassVar[int]
    SERIES_FIELD_NUMBER: _ClassVar[int]
    ITALY_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    view: View
    territory: Territory
    voice: Voice
    path: _containers.RepeatedCompositeFieldContainer[Voice]
    descriptions: _containers.RepeatedCompositeFieldContainer[Description]
    measures: _containers.RepeatedCompositeFieldContainer[MeasureValue]
    series: _containers.RepeatedCompositeFieldContainer[YearValue]
    italy: _containers.RepeatedCompositeFieldContainer[YearValue]
    index: PriceIndex
    origin: Origin
    def __init__(self, view: _Optional[_Union[View, _Mapping]] = ..., territory: _Optional[_Union[Territory, _Mapping]] = ..., voice: _Optional[_Union[Voice, _Mapping]] = ..., path: _Optional[_Iterable[_Union[Voice, _Mapping]]] = ..., descriptions: _Optional[_Iterable[_Union[Description, _Mapping]]] = ..., measures: _Optional[_Iterable[_Union[MeasureValue, _Mapping]]] = ..., series: _Optional[_Iterable[_Union[YearValue, _Mapping]]] = ..., italy: _Optional[_Iterable[_Union[YearValue, _Mapping]]] = ..., index: _Optional[_Union[PriceIndex, _Mapping]] = ..., origin: _Optional[_Union[Origin, _Mapping]] = ...) -> None: ...

class CompareTerritoriesRequest(_message.Message):
    __slots__ = ("view", "territories")
    VIEW_FIELD_NUMBER: _ClassVar[int]
    TERRITORIES_FIELD_NUMBER: _ClassVar[int]
    view: View
    territories: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, view: _Optional[_Union[View, _Mapping]] = ..., territories: _Optional[_Iterable[str]] = ...) -> None: ...

class ComparedTerritory(_message.Message):
    __slots__ = ("territory", "value", "parts", "series")
    TERRITORY_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    PARTS_FIELD_NUMBER: _ClassVar[int]
    SERIES_FIELD_NUMBER: _ClassVar[int]
    territory: Territory
    value: Value
    parts: _containers.RepeatedCompositeFieldContainer[Part]
    series: _containers.RepeatedCompositeFieldContainer[YearValue]
    def __init__(self, territory: _Optional[_Union[Territory, _Mapping]] = ..., value: _Optional[_Union[Value, _Mapping]] = ..., parts: _Optional[_Iterable[_Union[Part, _Mapping]]] = ..., series: _Optional[_Iterable[_Union[YearValue, _Mapping]]] = ...) -> None: ...

class CompareTerritoriesResponse(_message.Message):
    __slots__ = ("view", "voice", "sides", "index", "origin")
    VIEW_FIELD_NUMBER: _ClassVar[int]
    VOICE_FIELD_NUMBER: _ClassVar[int]
    SIDES_FIELD_NUMBER: _ClassVar[int]
    INDEX_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    view: View
    voice: Voice
    sides: _containers.RepeatedCompositeFieldContainer[ComparedTerritory]
    index: PriceIndex
    origin: Origin
    def __init__(self, view: _Optional[_Union[View, _Mapping]] = ..., voice: _Optional[_Union[Voice, _Mapping]] = ..., sides: _Optional[_Iterable[_Union[ComparedTerritory, _Mapping]]] = ..., index: _Optional[_Union[PriceIndex, _Mapping]] = ..., origin: _Optional[_Union[Origin, _Mapping]] = ...) -> None: ...

class GetMobilityRequest(_message.Message):
    __slots__ = ("release",)
    RELEASE_FIELD_NUMBER: _ClassVar[int]
    release: int
    def __init__(self, release: _Optional[int] = ...) -> None: ...

class MobilityRow(_message.Message):
    __slots__ = ("year", "territory", "public_cents", "private_cents", "source")
    YEAR_FIELD_NUMBER: _ClassVar[int]
    TERRITORY_FIELD_NUMBER: _ClassVar[int]
    PUBLIC_CENTS_FIELD_NUMBER: _ClassVar[int]
    PRIVATE_CENTS_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    year: int
    territory: str
    public_cents: int
    private_cents: int
    source: SourceRow
    def __init__(self, year: _Optional[int] = ..., territory: _Optional[str] = ..., public_cents: _Optional[int] = ..., private_cents: _Optional[int] = ..., source: _Optional[_Union[SourceRow, _Mapping]] = ...) -> None: ...

class GetMobilityResponse(_message.Message):
    __slots__ = ("rows", "origin")
    ROWS_FIELD_NUMBER: _ClassVar[int]
    ORIGIN_FIELD_NUMBER: _ClassVar[int]
    rows: _containers.RepeatedCompositeFieldContainer[MobilityRow]
    origin: Origin
    def __init__(self, rows: _Optional[_Iterable[_Union[MobilityRow, _Mapping]]] = ..., origin: _Optional[_Union[Origin, _Mapping]] = ...) -> None: ...

class ExportTableRequest(_message.Message):
    __slots__ = ("map", "report", "voice_report", "comparison", "mobility", "language")
    MAP_FIELD_NUMBER: _ClassVar[int]
    REPORT_FIELD_NUMBER: _ClassVar[int]
    VOICE_REPORT_FIELD_NUMBER: _ClassVar[int]
    COMPARISON_FIELD_NUMBER: _ClassVar[int]
    MOBILITY_FIELD_NUMBER: _ClassVar[int]
    LANGUAGE_FIELD_NUMBER: _ClassVar[int]
    map: GetMapRequest
    report: GetReportRequest
    voice_report: GetVoiceReportRequest
    comparison: CompareTerritoriesRequest
    mobility: GetMobilityRequest
    language: str
    def __init__(self, map: _Optional[_Union[GetMapRequest, _Mapping]] = ..., report: _Optional[_Union[GetReportRequest, _Mapping]] = ..., voice_report: _Optional[_Union[GetVoiceReportRequest, _Mapping]] = ..., comparison: _Optional[_Union[CompareTerritoriesRequest, _Mapping]] = ..., mobility: _Optional[_Union[GetMobilityRequest, _Mapping]] = ..., language: _Optional[str] = ...) -> None: ...

class ExportHead(_message.Message):
    __slots__ = ("name", "content_type")
    NAME_FIELD_NUMBER: _ClassVar[int]
    CONTENT_TYPE_FIELD_NUMBER: _ClassVar[int]
    name: str
    content_type: str
    def __init__(self, name: _Optional[str] = ..., content_type: _Optional[str] = ...) -> None: ...

class ExportTableResponse(_message.Message):
    __slots__ = ("head", "chunk")
    HEAD_FIELD_NUMBER: _ClassVar[int]
    CHUNK_FIELD_NUMBER: _ClassVar[int]
    head: ExportHead
    chunk: bytes
    def __init__(self, head: _Optional[_Union[ExportHead, _Mapping]] = ..., chunk: _Optional[bytes] = ...) -> None: ...
