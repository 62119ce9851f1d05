import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from trackme._generated.options.v1 import callers_pb2 as _callers_pb2
from trackme._generated.races.v1 import race_pb2 as _race_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RunnerStatus(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RUNNER_STATUS_UNSPECIFIED: _ClassVar[RunnerStatus]
    RUNNER_STATUS_ENROLLED: _ClassVar[RunnerStatus]
    RUNNER_STATUS_ABSENT: _ClassVar[RunnerStatus]
    RUNNER_STATUS_NOT_SEEN: _ClassVar[RunnerStatus]
    RUNNER_STATUS_RUNNING: _ClassVar[RunnerStatus]
    RUNNER_STATUS_STANDING: _ClassVar[RunnerStatus]
    RUNNER_STATUS_NO_SIGNAL: _ClassVar[RunnerStatus]
    RUNNER_STATUS_OFF_COURSE: _ClassVar[RunnerStatus]
    RUNNER_STATUS_FINISHED: _ClassVar[RunnerStatus]
    RUNNER_STATUS_RETIRED: _ClassVar[RunnerStatus]
    RUNNER_STATUS_DISQUALIFIED: _ClassVar[RunnerStatus]
    RUNNER_STATUS_DID_NOT_FINISH: _ClassVar[RunnerStatus]

class ResultChangeKind(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RESULT_CHANGE_KIND_UNSPECIFIED: _ClassVar[ResultChangeKind]
    RESULT_CHANGE_KIND_DISQUALIFIED: _ClassVar[ResultChangeKind]
    RESULT_CHANGE_KIND_REINSTATED: _ClassVar[ResultChangeKind]
    RESULT_CHANGE_KIND_FINISH_TIME: _ClassVar[ResultChangeKind]
    RESULT_CHANGE_KIND_DID_NOT_FINISH: _ClassVar[ResultChangeKind]
    RESULT_CHANGE_KIND_AS_MEASURED: _ClassVar[ResultChangeKind]
RUNNER_STATUS_UNSPECIFIED: RunnerStatus
RUNNER_STATUS_ENROLLED: RunnerStatus
RUNNER_STATUS_ABSENT: RunnerStatus
RUNNER_STATUS_NOT_SEEN: RunnerStatus
RUNNER_STATUS_RUNNING: RunnerStatus
RUNNER_STATUS_STANDING: RunnerStatus
RUNNER_STATUS_NO_SIGNAL: RunnerStatus
RUNNER_STATUS_OFF_COURSE: RunnerStatus
RUNNER_STATUS_FINISHED: RunnerStatus
RUNNER_STATUS_RETIRED: RunnerStatus
RUNNER_STATUS_DISQUALIFIED: RunnerStatus
RUNNER_STATUS_DID_NOT_FINISH: RunnerStatus
RESULT_CHANGE_KIND_UNSPECIFIED: ResultChangeKind
RESULT_CHANGE_KIND_DISQUALIFIED: ResultChangeKind
RESULT_CHANGE_KIND_REINSTATED: ResultChangeKind
RESULT_CHANGE_KIND_FINISH_TIME: ResultChangeKind
RESULT_CHANGE_KIND_DID_NOT_FINISH: ResultChangeKind
RESULT_CHANGE_KIND_AS_MEASURED: ResultChangeKind

class Split(_message.Message):
    __slots__ = ("point", "time_ms")
    POINT_FIELD_NUMBER: _ClassVar[int]
    TIME_MS_FIELD_NUMBER: _ClassVar[int]
    point: int
    time_ms: int
    def __init__(self, point: _Optional[int] = ..., time_ms: _Optional[int] = ...) -> None: ...

class LeaderboardRow(_message.Message):
    __slots__ = ("rank", "first_rank", "last_rank", "number", "name", "status", "distance_m", "uncertainty_m", "has_marker", "marker_m", "is_grey", "fix_age_ms", "splits", "finish_time_ms", "is_corrected")
    RANK_FIELD_NUMBER: _ClassVar[int]
    FIRST_RANK_FIELD_NUMBER: _ClassVar[int]
    LAST_RANK_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    STATUS_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_M_FIELD_NUMBER: _ClassVar[int]
    UNCERTAINTY_M_FIELD_NUMBER: _ClassVar[int]
    HAS_MARKER_FIELD_NUMBER: _ClassVar[int]
    MARKER_M_FIELD_NUMBER: _ClassVar[int]
    IS_GREY_FIELD_NUMBER: _ClassVar[int]
    FIX_AGE_MS_FIELD_NUMBER: _ClassVar[int]
    SPLITS_FIELD_NUMBER: _ClassVar[int]
    FINISH_TIME_MS_FIELD_NUMBER: _ClassVar[int]
    IS_CORRECTED_FIELD_NUMBER: _ClassVar[int]
    rank: int
    first_rank: int
    last_rank: int
    number: int
    name: str
    status: RunnerStatus
    distance_m: float
    uncertainty_m: float
    has_marker: bool
    marker_m: float
    is_grey: bool
    fix_age_ms: int
    splits: _containers.RepeatedCompositeFieldContainer[Split]
    finish_time_ms: int
    is_corrected: bool
    def __init__(self, rank: _Optional[int] = ..., first_rank: _Optional[int] = ..., last_rank: _Optional[int] = ..., number: _Optional[int] = ..., name: _Optional[str] = ..., status: _Optional[_Union[RunnerStatus, str]] = ..., distance_m: _Optional[float] = ..., uncertainty_m: _Optional[float] = ..., has_marker: _Optional[bool] = ..., marker_m: _Optional[float] = ..., is_grey: _Optional[bool] = ..., fix_age_ms: _Optional[int] = ..., splits: _Optional[_Iterable[_Union[Split, _Mapping]]] = ..., finish_time_ms: _Optional[int] = ..., is_corrected: _Optional[bool] = ...) -> None: ...

class Leaderboard(_message.Message):
    __slots__ = ("race_id", "cursor", "time", "state", "rows")
    RACE_ID_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    ROWS_FIELD_NUMBER: _ClassVar[int]
    race_id: int
    cursor: str
    time: _timestamp_pb2.Timestamp
    state: _race_pb2.RaceState
    rows: _containers.RepeatedCompositeFieldContainer[LeaderboardRow]
    def __init__(self, race_id: _Optional[int] = ..., cursor: _Optional[str] = ..., time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., state: _Optional[_Union[_race_pb2.RaceState, str]] = ..., rows: _Optional[_Iterable[_Union[LeaderboardRow, _Mapping]]] = ...) -> None: ...

class WatchRaceRequest(_message.Message):
    __slots__ = ("race_id", "cursor")
    RACE_ID_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    race_id: int
    cursor: str
    def __init__(self, race_id: _Optional[int] = ..., cursor: _Optional[str] = ...) -> None: ...

class WatchRaceResponse(_message.Message):
    __slots__ = ("cursor", "snapshot", "delta", "heartbeat")
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    SNAPSHOT_FIELD_NUMBER: _ClassVar[int]
    DELTA_FIELD_NUMBER: _ClassVar[int]
    HEARTBEAT_FIELD_NUMBER: _ClassVar[int]
    cursor: str
    snapshot: RaceSnapshot
    delta: RaceDelta
    heartbeat: Heartbeat
    def __init__(self, cursor: _Optional[str] = ..., snapshot: _Optional[_Union[RaceSnapshot, _Mapping]] = ..., delta: _Optional[_Union[RaceDelta, _Mapping]] = ..., heartbeat: _Optional[_Union[Heartbeat, _Mapping]] = ...) -> None: ...

class Heartbeat(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class RaceSnapshot(_message.Message):
    __slots__ = ("race", "leaderboard")
    RACE_FIELD_NUMBER: _ClassVar[int]
    LEADERBOARD_FIELD_NUMBER: _ClassVar[int]
    race: _race_pb2.Race
    leaderboard: Leaderboard
    def __init__(self, race: _Optional[_Union[_race_pb2.Race, _Mapping]] = ..., leaderboard: _Optional[_Union[Leaderboard, _Mapping]] = ...) -> None: ...

class RaceDelta(_message.Message):
    __slots__ = ("time", "numbers", "marker_m", "fix_age_ms", "leaders", "changed", "state")
    TIME_FIELD_NUMBER: _ClassVar[int]
    NUMBERS_FIELD_NUMBER: _ClassVar[int]
    MARKER_M_FIELD_NUMBER: _ClassVar[int]
    FIX_AGE_MS_FIELD_NUMBER: _ClassVar[int]
    LEADERS_FIELD_NUMBER: _ClassVar[int]
    CHANGED_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    time: _timestamp_pb2.Timestamp
    numbers: _containers.RepeatedScalarFieldContainer[int]
    marker_m: _containers.RepeatedScalarFieldContainer[int]
    fix_age_ms: _containers.RepeatedScalarFieldContainer[int]
    leaders: _containers.RepeatedCompositeFieldContainer[LeaderboardRow]
    changed: _containers.RepeatedCompositeFieldContainer[LeaderboardRow]
    state: _race_pb2.RaceState
    def __init__(self, time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., numbers: _Optional[_Iterable[int]] = ..., marker_m: _Optional[_Iterable[int]] = ..., fix_age_ms: _Optional[_Iterable[int]] = ..., leaders: _Optional[_Iterable[_Union[LeaderboardRow, _Mapping]]] = ..., changed: _Optional[_Iterable[_Union[LeaderboardRow, _Mapping]]] = ..., state: _Optional[_Union[_race_pb2.RaceState, str]] = ...) -> None: ...

class GetLeaderboardRequest(_message.Message):
    __slots__ = ("race_id", "cursor", "time")
    RACE_ID_FIELD_NUMBER: _ClassVar[int]
    CURSOR_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    race_id: int
    cursor: str
    time: _timestamp_pb2.Timestamp
    def __init__(self, race_id: _Optional[int] = ..., cursor: _Optional[str] = ..., time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class GetLeaderboardResponse(_message.Message):
    __slots__ = ("leaderboard",)
    LEADERBOARD_FIELD_NUMBER: _ClassVar[int]
    leaderboard: Leaderboard
    def __init__(self, leaderboard: _Optional[_Union[Leaderboard, _Mapping]] = ...) -> None: ...

class GetResultsRequest(_message.Message):
    __slots__ = ("race_id",)
    RACE_ID_FIELD_NUMBER: _ClassVar[int]
    race_id: int
    def __init__(self, race_id: _Optional[int] = ...) -> None: ...

class ResultChange(_message.Message):
    __slots__ = ("number", "kind", "finish_time", "reason", "author", "time")
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    KIND_FIELD_NUMBER: _ClassVar[int]
    FINISH_TIME_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    AUTHOR_FIELD_NUMBER: _ClassVar[int]
    TIME_FIELD_NUMBER: _ClassVar[int]
    number: int
    kind: ResultChangeKind
    finish_time: _duration_pb2.Duration
    reason: str
    author: _race_pb2.Organizer
    time: _timestamp_pb2.Timestamp
    def __init__(self, number: _Optional[int] = ..., kind: _Optional[_Union[ResultChangeKind, str]] = ..., finish_time: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., reason: _Optional[str] = ..., author: _Optional[_Union[_race_pb2.Organizer, _Mapping]] = ..., time: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class GetResultsResponse(_message.Message):
    __slots__ = ("leaderboard", "changes")
    LEADERBOARD_FIELD_NUMBER: _ClassVar[int]
    CHANGES_FIELD_NUMBER: _ClassVar[int]
    leaderboard: Leaderboard
    changes: _containers.RepeatedCompositeFieldContainer[ResultChange]
    def __init__(self, leaderboard: _Optional[_Union[Leaderboard, _Mapping]] = ..., changes: _Optional[_Iterable[_Union[ResultChange, _Mapping]]] = ...) -> None: ...
