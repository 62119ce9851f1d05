from trackme._generated.options.v1 import callers_pb2 as _callers_pb2
from trackme._generated.readings.v1 import reading_pb2 as _reading_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class MetricKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    METRIC_KIND_UNSPECIFIED: _ClassVar[MetricKind]
    METRIC_KIND_SCALAR: _ClassVar[MetricKind]
    METRIC_KIND_POSITION: _ClassVar[MetricKind]
    METRIC_KIND_WAVEFORM: _ClassVar[MetricKind]

class ReadingOrder(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    READING_ORDER_UNSPECIFIED: _ClassVar[ReadingOrder]
    READING_ORDER_NEWEST_FIRST: _ClassVar[ReadingOrder]
    READING_ORDER_OLDEST_FIRST: _ClassVar[ReadingOrder]

class Resolution(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RESOLUTION_UNSPECIFIED: _ClassVar[Resolution]
    RESOLUTION_RAW: _ClassVar[Resolution]
    RESOLUTION_SECOND: _ClassVar[Resolution]
    RESOLUTION_MINUTE: _ClassVar[Resolution]
    RESOLUTION_HOUR: _ClassVar[Resolution]
    RESOLUTION_DAY: _ClassVar[Resolution]
    RESOLUTION_WEEK: _ClassVar[Resolution]

class ExportFormat(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    EXPORT_FORMAT_UNSPECIFIED: _ClassVar[ExportFormat]
    EXPORT_FORMAT_READINGS: _ClassVar[ExportFormat]
    EXPORT_FORMAT_FHIR_R4_NDJSON: _ClassVar[ExportFormat]
METRIC_KIND_UNSPECIFIED: MetricKind
METRIC_KIND_SCALAR: MetricKind
METRIC_KIND_POSITION: MetricKind
METRIC_KIND_WAVEFORM: MetricKind
READING_ORDER_UNSPECIFIED: ReadingOrder
READING_ORDER_NEWEST_FIRST: ReadingOrder
READING_ORDER_OLDEST_FIRST: ReadingOrder
RESOLUTION_UNSPECIFIED: Resolution
RESOLUTION_RAW: Resolution
RESOLUTION_SECOND: Resolution
RESOLUTION_MINUTE: Resolution
RESOLUTION_HOUR: Resolution
RESOLUTION_DAY: Resolution
RESOLUTION_WEEK: Resolution
EXPORT_FORMAT_UNSPECIFIED: ExportFormat
EXPORT_FORMAT_READINGS: ExportFormat
EXPORT_FORMAT_FHIR_R4_NDJSON: ExportFormat

class Metric(_message.Message):
    __slots__ = ("id", "name", "kind", "unit", "loinc_code", "minimum", "maximum", "display_name", "zero_is_no_value")
    ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    UNIT_FIELD_NUMBER: _ClassVar[int]
    LOINC_CODE_FIELD_NUMBER: _ClassVar[int]
    MINIMUM_FIELD_NUMBER: _ClassVar[int]
    MAXIMUM_FIELD_NUMBER: _ClassVar[int]
    DISPLAY_NAME_FIELD_NUMBER: _ClassVar[int]
    ZERO_IS_NO_VALUE_FIELD_NUMBER: _ClassVar[int]
    id: int
    name: str
    kind: MetricKind
    unit: str
    loinc_code: str
    minimum: float
    maximum: float
    display_name: str
    zero_is_no_value: bool
    def __init__(self, id: _Optional[int] = ..., name: _Optional[str] = ..., kind: _Optional[_Union[MetricKind, str]] = ..., unit: _Optional[str] = ..., loinc_code: _Optional[str] = ..., minimum: _Optional[float] = ..., maximum: _Optional[float] = ..., display_name: _Optional[str] = ..., zero_is_no_value: _Optional[bool] = ...) -> None: ...

class ListMetricsRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ListMetricsResponse(_message.Message):
    __slots__ = ("metrics",)
    METRICS_FIELD_NUMBER: _ClassVar[int]
    metrics: _containers.RepeatedCompositeFieldContainer[Metric]
    def __init__(self, metrics: _Optional[_Iterable[_Union[Metric, _Mapping]]] = ...) -> None: ...

class GetCurrentStatusRequest(_message.Message):
    __slots__ = ("person_id",)
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    person_id: int
    def __init__(self, person_id: _Optional[int] = ...) -> None: ...

class GetCurrentStatusResponse(_message.Message):
    __slots__ = ("readings",)
    READINGS_FIELD_NUMBER: _ClassVar[int]
    readings: _containers.RepeatedCompositeFieldContainer[_reading_pb2.Reading]
    def __init__(self, readings: _Optional[_Iterable[_Union[_reading_pb2.Reading, _Mapping]]] = ...) -> None: ...

class ListReadingsRequest(_message.Message):
    __slots__ = ("person_id", "metrics", "from_us", "to_us", "order", "page_size", "page_token")
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    FROM_US_FIELD_NUMBER: _ClassVar[int]
    TO_US_FIELD_NUMBER: _ClassVar[int]
    ORDER_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    person_id: int
    metrics: _containers.RepeatedScalarFieldContainer[str]
    from_us: int
    to_us: int
    order: ReadingOrder
    page_size: int
    page_token: str
    def __init__(self, person_id: _Optional[int] = ..., metrics: _Optional[_Iterable[str]] = ..., from_us: _Optional[int] = ..., to_us: _Optional[int] = ..., order: _Optional[_Union[ReadingOrder, str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListReadingsResponse(_message.Message):
    __slots__ = ("readings", "next_page_token")
    READINGS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    readings: _containers.RepeatedCompositeFieldContainer[_reading_pb2.Reading]
    next_page_token: str
    def __init__(self, readings: _Optional[_Iterable[_Union[_reading_pb2.Reading, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class SummarizeReadingsRequest(_message.Message):
    __slots__ = ("person_id", "metric", "from_us", "to_us", "resolution", "time_zone", "page_size", "page_token")
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    METRIC_FIELD_NUMBER: _ClassVar[int]
    FROM_US_FIELD_NUMBER: _ClassVar[int]
    TO_US_FIELD_NUMBER: _ClassVar[int]
    RESOLUTION_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    person_id: int
    metric: str
    from_us: int
    to_us: int
    resolution: Resolution
    time_zone: str
    page_size: int
    page_token: str
    def __init__(self, person_id: _Optional[int] = ..., metric: _Optional[str] = ..., from_us: _Optional[int] = ..., to_us: _Optional[int] = ..., resolution: _Optional[_Union[Resolution, str]] = ..., time_zone: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ReadingSummary(_message.Message):
    __slots__ = ("start_us", "count", "min", "mean", "max", "last")
    START_US_FIELD_NUMBER: _ClassVar[int]
    COUNT_FIELD_NUMBER: _ClassVar[int]
    MIN_FIELD_NUMBER: _ClassVar[int]
    MEAN_FIELD_NUMBER: _ClassVar[int]
    MAX_FIELD_NUMBER: _ClassVar[int]
    LAST_FIELD_NUMBER: _ClassVar[int]
    start_us: int
    count: int
    min: float
    mean: float
    max: float
    last: float
    def __init__(self, start_us: _Optional[int] = ..., count: _Optional[int] = ..., min: _Optional[float] = ..., mean: _Optional[float] = ..., max: _Optional[float] = ..., last: _Optional[float] = ...) -> None: ...

class SummarizeReadingsResponse(_message.Message):
    __slots__ = ("summaries", "next_page_token")
    SUMMARIES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    summaries: _containers.RepeatedCompositeFieldContainer[ReadingSummary]
    next_page_token: str
    def __init__(self, summaries: _Optional[_Iterable[_Union[ReadingSummary, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class ExportReadingsRequest(_message.Message):
    __slots__ = ("person_id", "metrics", "from_us", "to_us", "access_request_id", "format")
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    FROM_US_FIELD_NUMBER: _ClassVar[int]
    TO_US_FIELD_NUMBER: _ClassVar[int]
    ACCESS_REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    person_id: int
    metrics: _containers.RepeatedScalarFieldContainer[str]
    from_us: int
    to_us: int
    access_request_id: int
    format: ExportFormat
    def __init__(self, person_id: _Optional[int] = ..., metrics: _Optional[_Iterable[str]] = ..., from_us: _Optional[int] = ..., to_us: _Optional[int] = ..., access_request_id: _Optional[int] = ..., format: _Optional[_Union[ExportFormat, str]] = ...) -> None: ...

class ExportReadingsResponse(_message.Message):
    __slots__ = ("readings", "ndjson")
    READINGS_FIELD_NUMBER: _ClassVar[int]
    NDJSON_FIELD_NUMBER: _ClassVar[int]
    readings: _containers.RepeatedCompositeFieldContainer[_reading_pb2.Reading]
    ndjson: bytes
    def __init__(self, readings: _Optional[_Iterable[_Union[_reading_pb2.Reading, _Mapping]]] = ..., ndjson: _Optional[bytes] = ...) -> None: ...

class WatchReadingsRequest(_message.Message):
    __slots__ = ("person_id", "metrics", "cursor")
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    METRICS_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    person_id: int
    metrics: _containers.RepeatedScalarFieldContainer[str]
    cursor: str
    def __init__(self, person_id: _Optional[int] = ..., metrics: _Optional[_Iterable[str]] = ..., cursor: _Optional[str] = ...) -> None: ...

class WatchReadingsResponse(_message.Message):
    __slots__ = ("cursor", "readings")
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    READINGS_FIELD_NUMBER: _ClassVar[int]
    cursor: str
    readings: _containers.RepeatedCompositeFieldContainer[_reading_pb2.Reading]
    def __init__(self, cursor: _Optional[str] = ..., readings: _Optional[_Iterable[_Union[_reading_pb2.Reading, _Mapping]]] = ...) -> None: ...
