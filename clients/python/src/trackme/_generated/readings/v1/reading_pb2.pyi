from google.protobuf.internal import containers as _containers
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class Reading(_message.Message):
    __slots__ = ("person_id", "metric", "source", "time_us", "scalar", "position", "waveform")
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    METRIC_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    TIME_US_FIELD_NUMBER: _ClassVar[int]
    SCALAR_FIELD_NUMBER: _ClassVar[int]
    POSITION_FIELD_NUMBER: _ClassVar[int]
    WAVEFORM_FIELD_NUMBER: _ClassVar[int]
    person_id: int
    metric: str
    source: str
    time_us: int
    scalar: float
    position: Position
    waveform: Waveform
    def __init__(self, person_id: _Optional[int] = ..., metric: _Optional[str] = ..., source: _Optional[str] = ..., time_us: _Optional[int] = ..., scalar: _Optional[float] = ..., position: _Optional[_Union[Position, _Mapping]] = ..., waveform: _Optional[_Union[Waveform, _Mapping]] = ...) -> None: ...

class Position(_message.Message):
    __slots__ = ("latitude", "longitude", "altitude", "accuracy", "speed", "course")
    LATITUDE_FIELD_NUMBER: _ClassVar[int]
    LONGITUDE_FIELD_NUMBER: _ClassVar[int]
    ALTITUDE_FIELD_NUMBER: _ClassVar[int]
    ACCURACY_FIELD_NUMBER: _ClassVar[int]
    SPEED_FIELD_NUMBER: _ClassVar[int]
    COURSE_FIELD_NUMBER: _ClassVar[int]
    latitude: float
    longitude: float
    altitude: float
    accuracy: float
    speed: float
    course: float
    def __init__(self, latitude: _Optional[float] = ..., longitude: _Optional[float] = ..., altitude: _Optional[float] = ..., accuracy: _Optional[float] = ..., speed: _Optional[float] = ..., course: _Optional[float] = ...) -> None: ...

class Waveform(_message.Message):
    __slots__ = ("rate_hz", "samples")
    RATE_HZ_FIELD_NUMBER: _ClassVar[int]
    SAMPLES_FIELD_NUMBER: _ClassVar[int]
    rate_hz: float
    samples: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, rate_hz: _Optional[float] = ..., samples: _Optional[_Iterable[float]] = ...) -> None: ...

class ReadingColumns(_message.Message):
    __slots__ = ("sources", "scalars", "positions", "waveforms")
    SOURCES_FIELD_NUMBER: _ClassVar[int]
    SCALARS_FIELD_NUMBER: _ClassVar[int]
    POSITIONS_FIELD_NUMBER: _ClassVar[int]
    WAVEFORMS_FIELD_NUMBER: _ClassVar[int]
    sources: _containers.RepeatedScalarFieldContainer[str]
    scalars: ScalarColumns
    positions: PositionColumns
    waveforms: WaveformColumns
    def __init__(self, sources: _Optional[_Iterable[str]] = ..., scalars: _Optional[_Union[ScalarColumns, _Mapping]] = ..., positions: _Optional[_Union[PositionColumns, _Mapping]] = ..., waveforms: _Optional[_Union[WaveformColumns, _Mapping]] = ...) -> None: ...

class ScalarColumns(_message.Message):
    __slots__ = ("person_id", "metric", "source", "time_us", "value")
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    METRIC_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    TIME_US_FIELD_NUMBER: _ClassVar[int]
    VALUE_FIELD_NUMBER: _ClassVar[int]
    person_id: _containers.RepeatedScalarFieldContainer[int]
    metric: _containers.RepeatedScalarFieldContainer[int]
    source: _containers.RepeatedScalarFieldContainer[int]
    time_us: _containers.RepeatedScalarFieldContainer[int]
    value: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, person_id: _Optional[_Iterable[int]] = ..., metric: _Optional[_Iterable[int]] = ..., source: _Optional[_Iterable[int]] = ..., time_us: _Optional[_Iterable[int]] = ..., value: _Optional[_Iterable[float]] = ...) -> None: ...

class PositionColumns(_message.Message):
    __slots__ = ("person_id", "metric", "source", "time_us", "latitude", "longitude", "altitude", "accuracy", "speed", "course")
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    METRIC_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    TIME_US_FIELD_NUMBER: _ClassVar[int]
    LATITUDE_FIELD_NUMBER: _ClassVar[int]
    LONGITUDE_FIELD_NUMBER: _ClassVar[int]
    ALTITUDE_FIELD_NUMBER: _ClassVar[int]
    ACCURACY_FIELD_NUMBER: _ClassVar[int]
    SPEED_FIELD_NUMBER: _ClassVar[int]
    COURSE_FIELD_NUMBER: _ClassVar[int]
    person_id: _containers.RepeatedScalarFieldContainer[int]
    metric: _containers.RepeatedScalarFieldContainer[int]
    source: _containers.RepeatedScalarFieldContainer[int]
    time_us: _containers.RepeatedScalarFieldContainer[int]
    latitude: _containers.RepeatedScalarFieldContainer[float]
    longitude: _containers.RepeatedScalarFieldContainer[float]
    altitude: _containers.RepeatedScalarFieldContainer[float]
    accuracy: _containers.RepeatedScalarFieldContainer[float]
    speed: _containers.RepeatedScalarFieldContainer[float]
    course: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, person_id: _Optional[_Iterable[int]] = ..., metric: _Optional[_Iterable[int]] = ..., source: _Optional[_Iterable[int]] = ..., time_us: _Optional[_Iterable[int]] = ..., latitude: _Optional[_Iterable[float]] = ..., longitude: _Optional[_Iterable[float]] = ..., altitude: _Optional[_Iterable[float]] = ..., accuracy: _Optional[_Iterable[float]] = ..., speed: _Optional[_Iterable[float]] = ..., course: _Optional[_Iterable[float]] = ...) -> None: ...

class WaveformColumns(_message.Message):
    __slots__ = ("person_id", "metric", "source", "time_us", "rate_hz", "sample_count", "samples")
    PERSON_ID_FIELD_NUMBER: _ClassVar[int]
    METRIC_FIELD_NUMBER: _ClassVar[int]
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    TIME_US_FIELD_NUMBER: _ClassVar[int]
    RATE_HZ_FIELD_NUMBER: _ClassVar[int]
    SAMPLE_COUNT_FIELD_NUMBER: _ClassVar[int]
    SAMPLES_FIELD_NUMBER: _ClassVar[int]
    person_id: _containers.RepeatedScalarFieldContainer[int]
    metric: _containers.RepeatedScalarFieldContainer[int]
    source: _containers.RepeatedScalarFieldContainer[int]
    time_us: _containers.RepeatedScalarFieldContainer[int]
    rate_hz: _containers.RepeatedScalarFieldContainer[float]
    sample_count: _containers.RepeatedScalarFieldContainer[int]
    samples: _containers.RepeatedScalarFieldContainer[float]
    def __init__(self, person_id: _Optional[_Iterable[int]] = ..., metric: _Optional[_Iterable[int]] = ..., source: _Optional[_Iterable[int]] = ..., time_us: _Optional[_Iterable[int]] = ..., rate_hz: _Optional[_Iterable[float]] = ..., sample_count: _Optional[_Iterable[int]] = ..., samples: _Optional[_Iterable[float]] = ...) -> None: ...
