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

class RaceRole(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RACE_ROLE_UNSPECIFIED: _ClassVar[RaceRole]
    RACE_ROLE_ORGANIZER: _ClassVar[RaceRole]
    RACE_ROLE_RUNNER: _ClassVar[RaceRole]
    RACE_ROLE_OBSERVER: _ClassVar[RaceRole]
RACE_ROLE_UNSPECIFIED: RaceRole
RACE_ROLE_ORGANIZER: RaceRole
RACE_ROLE_RUNNER: RaceRole
RACE_ROLE_OBSERVER: RaceRole

class PlanRoutesRequest(_message.Message):
    __slots__ = ("start", "stages", "arrival", "laps", "gpx")
    START_FIELD_NUMBER: _ClassVar[int]
    STAGES_FIELD_NUMBER: _ClassVar[int]
    ARRIVAL_FIELD_NUMBER: _ClassVar[int]
    LAPS_FIELD_NUMBER: _ClassVar[int]
    GPX_FIELD_NUMBER: _ClassVar[int]
    start: _race_pb2.Place
    stages: _containers.RepeatedCompositeFieldContainer[_race_pb2.Place]
    arrival: _race_pb2.Place
    laps: int
    gpx: bytes
    def __init__(self, start: _Optional[_Union[_race_pb2.Place, _Mapping]] = ..., stages: _Optional[_Iterable[_Union[_race_pb2.Place, _Mapping]]] = ..., arrival: _Optional[_Union[_race_pb2.Place, _Mapping]] = ..., laps: _Optional[int] = ..., gpx: _Optional[bytes] = ...) -> None: ...

class Route(_message.Message):
    __slots__ = ("route_id", "course")
    ROUTE_ID_FIELD_NUMBER: _ClassVar[int]
    COURSE_FIELD_NUMBER: _ClassVar[int]
    route_id: str
    course: _race_pb2.Course
    def __init__(self, route_id: _Optional[str] = ..., course: _Optional[_Union[_race_pb2.Course, _Mapping]] = ...) -> None: ...

class PlanRoutesResponse(_message.Message):
    __slots__ = ("routes",)
    ROUTES_FIELD_NUMBER: _ClassVar[int]
    routes: _containers.RepeatedCompositeFieldContainer[Route]
    def __init__(self, routes: _Optional[_Iterable[_Union[Route, _Mapping]]] = ...) -> None: ...

class RacePlan(_message.Message):
    __slots__ = ("name", "description", "place_name", "starts", "enrolment_ends", "time_limit", "by_invitation", "capacity", "fee", "route_id")
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    PLACE_NAME_FIELD_NUMBER: _ClassVar[int]
    STARTS_FIELD_NUMBER: _ClassVar[int]
    ENROLMENT_ENDS_FIELD_NUMBER: _ClassVar[int]
    TIME_LIMIT_FIELD_NUMBER: _ClassVar[int]
    BY_INVITATION_FIELD_NUMBER: _ClassVar[int]
    CAPACITY_FIELD_NUMBER: _ClassVar[int]
    FEE_FIELD_NUMBER: _ClassVar[int]
    ROUTE_ID_FIELD_NUMBER: _ClassVar[int]
    name: str
    description: str
    place_name: str
    starts: _timestamp_pb2.Timestamp
    enrolment_ends: _timestamp_pb2.Timestamp
    time_limit: _duration_pb2.Duration
    by_invitation: bool
    capacity: int
    fee: _race_pb2.Money
    route_id: str
    def __init__(self, name: _Optional[str] = ..., description: _Optional[str] = ..., place_name: _Optional[str] = ..., starts: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., enrolment_ends: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., time_limit: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., by_invitation: _Optional[bool] = ..., capacity: _Optional[int] = ..., fee: _Optional[_Union[_race_pb2.Money, _Mapping]] = ..., route_id: _Optional[str] = ...) -> None: ...

class CreateRaceRequest(_message.Message):
    __slots__ = ("request_id", "plan")
    REQUEST_ID_FIELD_NUMBER: _ClassVar[int]
    PLAN_FIELD_NUMBER: _ClassVar[int]
    request_id: str
    plan: RacePlan
    def __init__(self, request_id: _Optional[str] = ..., plan: _Optional[_Union[RacePlan, _Mapping]] = ...) -> None: ...

class CreateRaceResponse(_message.Message):
    __slots__ = ("race",)
    RACE_FIELD_NUMBER: _ClassVar[int]
    race: _race_pb2.Race
    def __init__(self, race: _Optional[_Union[_race_pb2.Race, _Mapping]] = ...) -> None: ...

class GetRaceRequest(_message.Message):
    __slots__ = ("race_id", "invitation")
    RACE_ID_FIELD_NUMBER: _ClassVar[int]
    INVITATION_FIELD_NUMBER: _ClassVar[int]
    race_id: int
    invitation: str
    def __init__(self, race_id: _Optional[int] = ..., invitation: _Optional[str] = ...) -> None: ...

class GetRaceResponse(_message.Message):
    __slots__ = ("race",)
    RACE_FIELD_NUMBER: _ClassVar[int]
    race: _race_pb2.Race
    def __init__(self, race: _Optional[_Union[_race_pb2.Race, _Mapping]] = ...) -> None: ...

class UpdateRaceRequest(_message.Message):
    __slots__ = ("race_id", "plan", "etag")
    RACE_ID_FIELD_NUMBER: _ClassVar[int]
    PLAN_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    race_id: int
    plan: RacePlan
    etag: str
    def __init__(self, race_id: _Optional[int] = ..., plan: _Optional[_Union[RacePlan, _Mapping]] = ..., etag: _Optional[str] = ...) -> None: ...

class UpdateRaceResponse(_message.Message):
    __slots__ = ("race",)
    RACE_FIELD_NUMBER: _ClassVar[int]
    race: _race_pb2.Race
    def __init__(self, race: _Optional[_Union[_race_pb2.Race, _Mapping]] = ...) -> None: ...

class OpenEnrolmentRequest(_message.Message):
    __slots__ = ("race_id",)
    RACE_ID_FIELD_NUMBER: _ClassVar[int]
    race_id: int
    def __init__(self, race_id: _Optional[int] = ...) -> None: ...

class OpenEnrolmentResponse(_message.Message):
    __slots__ = ("race",)
    RACE_FIELD_NUMBER: _ClassVar[int]
    race: _race_pb2.Race
    def __init__(self, race: _Optional[_Union[_race_pb2.Race, _Mapping]] = ...) -> None: ...

class PostponeRaceRequest(_message.Message):
    __slots__ = ("race_id", "starts")
    RACE_ID_FIELD_NUMBER: _ClassVar[int]
    STARTS_FIELD_NUMBER: _ClassVar[int]
    race_id: int
    starts: _timestamp_pb2.Timestamp
    def __init__(self, race_id: _Optional[int] = ..., starts: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class PostponeRaceResponse(_message.Message):
    __slots__ = ("race",)
    RACE_FIELD_NUMBER: _ClassVar[int]
    race: _race_pb2.Race
    def __init__(self, race: _Optional[_Union[_race_pb2.Race, _Mapping]] = ...) -> None: ...

class CancelRaceRequest(_message.Message):
    __slots__ = ("race_id", "reason")
    RACE_ID_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    race_id: int
    reason: str
    def __init__(self, race_id: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class CancelRaceResponse(_message.Message):
    __slots__ = ("race",)
    RACE_FIELD_NUMBER: _ClassVar[int]
    race: _race_pb2.Race
    def __init__(self, race: _Optional[_Union[_race_pb2.Race, _Mapping]] = ...) -> None: ...

class FinishRaceRequest(_message.Message):
    __slots__ = ("race_id",)
    RACE_ID_FIELD_NUMBER: _ClassVar[int]
    race_id: int
    def __init__(self, race_id: _Optional[int] = ...) -> None: ...

class FinishRaceResponse(_message.Message):
    __slots__ = ("race",)
    RACE_FIELD_NUMBER: _ClassVar[int]
    race: _race_pb2.Race
    def __init__(self, race: _Optional[_Union[_race_pb2.Race, _Mapping]] = ...) -> None: ...

class ListRacesRequest(_message.Message):
    __slots__ = ("role", "page_size", "page_token")
    ROLE_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    role: RaceRole
    page_size: int
    page_token: str
    def __init__(self, role: _Optional[_Union[RaceRole, str]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListRacesResponse(_message.Message):
    __slots__ = ("races", "next_page_token")
    RACES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    races: _containers.RepeatedCompositeFieldContainer[_race_pb2.Race]
    next_page_token: str
    def __init__(self, races: _Optional[_Iterable[_Union[_race_pb2.Race, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class SearchRacesRequest(_message.Message):
    __slots__ = ("near", "radius_m", "text", "to", "page_size", "page_token")
    NEAR_FIELD_NUMBER: _ClassVar[int]
    RADIUS_M_FIELD_NUMBER: _ClassVar[int]
    TEXT_FIELD_NUMBER: _ClassVar[int]
    FROM_FIELD_NUMBER: _ClassVar[int]
    TO_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    near: _race_pb2.Place
    radius_m: float
    text: str
    to: _timestamp_pb2.Timestamp
    page_size: int
    page_token: str
    def __init__(self, near: _Optional[_Union[_race_pb2.Place, _Mapping]] = ..., radius_m: _Optional[float] = ..., text: _Optional[str] = ..., to: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ..., **kwargs) -> None: ...

class FoundRace(_message.Message):
    __slots__ = ("race", "distance_m")
    RACE_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_M_FIELD_NUMBER: _ClassVar[int]
    race: _race_pb2.Race
    distance_m: float
    def __init__(self, race: _Optional[_Union[_race_pb2.Race, _Mapping]] = ..., distance_m: _Optional[float] = ...) -> None: ...

class SearchRacesResponse(_message.Message):
    __slots__ = ("races", "next_page_token")
    RACES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    races: _containers.RepeatedCompositeFieldContainer[FoundRace]
    next_page_token: str
    def __init__(self, races: _Optional[_Iterable[_Union[FoundRace, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class EnrolRequest(_message.Message):
    __slots__ = ("race_id", "invitation", "runner_name")
    RACE_ID_FIELD_NUMBER: _ClassVar[int]
    INVITATION_FIELD_NUMBER: _ClassVar[int]
    RUNNER_NAME_FIELD_NUMBER: _ClassVar[int]
    race_id: int
    invitation: str
    runner_name: str
    def __init__(self, race_id: _Optional[int] = ..., invitation: _Optional[str] = ..., runner_name: _Optional[str] = ...) -> None: ...

class EnrolResponse(_message.Message):
    __slots__ = ("enrolment",)
    ENROLMENT_FIELD_NUMBER: _ClassVar[int]
    enrolment: _race_pb2.Enrolment
    def __init__(self, enrolment: _Optional[_Union[_race_pb2.Enrolment, _Mapping]] = ...) -> None: ...

class WithdrawRequest(_message.Message):
    __slots__ = ("race_id",)
    RACE_ID_FIELD_NUMBER: _ClassVar[int]
    race_id: int
    def __init__(self, race_id: _Optional[int] = ...) -> None: ...

class WithdrawResponse(_message.Message):
    __slots__ = ("enrolment",)
    ENROLMENT_FIELD_NUMBER: _ClassVar[int]
    enrolment: _race_pb2.Enrolment
    def __init__(self, enrolment: _Optional[_Union[_race_pb2.Enrolment, _Mapping]] = ...) -> None: ...

class ListEnrolmentsRequest(_message.Message):
    __slots__ = ("race_id", "states", "page_size", "page_token")
    RACE_ID_FIELD_NUMBER: _ClassVar[int]
    STATES_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    race_id: int
    states: _containers.RepeatedScalarFieldContainer[_race_pb2.EnrolmentState]
    page_size: int
    page_token: str
    def __init__(self, race_id: _Optional[int] = ..., states: _Optional[_Iterable[_Union[_race_pb2.EnrolmentState, str]]] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListEnrolmentsResponse(_message.Message):
    __slots__ = ("enrolments", "next_page_token")
    ENROLMENTS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    enrolments: _containers.RepeatedCompositeFieldContainer[_race_pb2.Enrolment]
    next_page_token: str
    def __init__(self, enrolments: _Optional[_Iterable[_Union[_race_pb2.Enrolment, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class InviteRunnersRequest(_message.Message):
    __slots__ = ("race_id", "usernames")
    RACE_ID_FIELD_NUMBER: _ClassVar[int]
    USERNAMES_FIELD_NUMBER: _ClassVar[int]
    race_id: int
    usernames: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, race_id: _Optional[int] = ..., usernames: _Optional[_Iterable[str]] = ...) -> None: ...

class InviteRunnersResponse(_message.Message):
    __slots__ = ("invitation", "unknown_usernames")
    INVITATION_FIELD_NUMBER: _ClassVar[int]
    UNKNOWN_USERNAMES_FIELD_NUMBER: _ClassVar[int]
    invitation: str
    unknown_usernames: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, invitation: _Optional[str] = ..., unknown_usernames: _Optional[_Iterable[str]] = ...) -> None: ...

class RevokeInvitationsRequest(_message.Message):
    __slots__ = ("race_id", "usernames")
    RACE_ID_FIELD_NUMBER: _ClassVar[int]
    USERNAMES_FIELD_NUMBER: _ClassVar[int]
    race_id: int
    usernames: _containers.RepeatedScalarFieldContainer[str]
    def __init__(self, race_id: _Optional[int] = ..., usernames: _Optional[_Iterable[str]] = ...) -> None: ...

class RevokeInvitationsResponse(_message.Message):
    __slots__ = ("revoked_count", "invitation")
    REVOKED_COUNT_FIELD_NUMBER: _ClassVar[int]
    INVITATION_FIELD_NUMBER: _ClassVar[int]
    revoked_count: int
    invitation: str
    def __init__(self, revoked_count: _Optional[int] = ..., invitation: _Optional[str] = ...) -> None: ...

class ObserveRaceRequest(_message.Message):
    __slots__ = ("race_id", "invitation")
    RACE_ID_FIELD_NUMBER: _ClassVar[int]
    INVITATION_FIELD_NUMBER: _ClassVar[int]
    race_id: int
    invitation: str
    def __init__(self, race_id: _Optional[int] = ..., invitation: _Optional[str] = ...) -> None: ...

class ObserveRaceResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class StopObservingRequest(_message.Message):
    __slots__ = ("race_id",)
    RACE_ID_FIELD_NUMBER: _ClassVar[int]
    race_id: int
    def __init__(self, race_id: _Optional[int] = ...) -> None: ...

class StopObservingResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class AddOrganizerRequest(_message.Message):
    __slots__ = ("race_id", "username")
    RACE_ID_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    race_id: int
    username: str
    def __init__(self, race_id: _Optional[int] = ..., username: _Optional[str] = ...) -> None: ...

class AddOrganizerResponse(_message.Message):
    __slots__ = ("race",)
    RACE_FIELD_NUMBER: _ClassVar[int]
    race: _race_pb2.Race
    def __init__(self, race: _Optional[_Union[_race_pb2.Race, _Mapping]] = ...) -> None: ...

class RemoveOrganizerRequest(_message.Message):
    __slots__ = ("race_id", "username")
    RACE_ID_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    race_id: int
    username: str
    def __init__(self, race_id: _Optional[int] = ..., username: _Optional[str] = ...) -> None: ...

class RemoveOrganizerResponse(_message.Message):
    __slots__ = ("race",)
    RACE_FIELD_NUMBER: _ClassVar[int]
    race: _race_pb2.Race
    def __init__(self, race: _Optional[_Union[_race_pb2.Race, _Mapping]] = ...) -> None: ...

class MarkPresentRequest(_message.Message):
    __slots__ = ("race_id", "numbers", "absent")
    RACE_ID_FIELD_NUMBER: _ClassVar[int]
    NUMBERS_FIELD_NUMBER: _ClassVar[int]
    ABSENT_FIELD_NUMBER: _ClassVar[int]
    race_id: int
    numbers: _containers.RepeatedScalarFieldContainer[int]
    absent: bool
    def __init__(self, race_id: _Optional[int] = ..., numbers: _Optional[_Iterable[int]] = ..., absent: _Optional[bool] = ...) -> None: ...

class MarkPresentResponse(_message.Message):
    __slots__ = ("changed_count",)
    CHANGED_COUNT_FIELD_NUMBER: _ClassVar[int]
    changed_count: int
    def __init__(self, changed_count: _Optional[int] = ...) -> None: ...

class DisqualifyRequest(_message.Message):
    __slots__ = ("race_id", "number", "reason")
    RACE_ID_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    race_id: int
    number: int
    reason: str
    def __init__(self, race_id: _Optional[int] = ..., number: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class DisqualifyResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ReinstateRequest(_message.Message):
    __slots__ = ("race_id", "number", "reason")
    RACE_ID_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    race_id: int
    number: int
    reason: str
    def __init__(self, race_id: _Optional[int] = ..., number: _Optional[int] = ..., reason: _Optional[str] = ...) -> None: ...

class ReinstateResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class CorrectResultRequest(_message.Message):
    __slots__ = ("race_id", "number", "finish_time", "did_not_finish", "as_measured", "reason")
    RACE_ID_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    FINISH_TIME_FIELD_NUMBER: _ClassVar[int]
    DID_NOT_FINISH_FIELD_NUMBER: _ClassVar[int]
    AS_MEASURED_FIELD_NUMBER: _ClassVar[int]
    REASON_FIELD_NUMBER: _ClassVar[int]
    race_id: int
    number: int
    finish_time: _duration_pb2.Duration
    did_not_finish: bool
    as_measured: bool
    reason: str
    def __init__(self, race_id: _Optional[int] = ..., number: _Optional[int] = ..., finish_time: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., did_not_finish: _Optional[bool] = ..., as_measured: _Optional[bool] = ..., reason: _Optional[str] = ...) -> None: ...

class CorrectResultResponse(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class ExportRunRequest(_message.Message):
    __slots__ = ("race_id",)
    RACE_ID_FIELD_NUMBER: _ClassVar[int]
    race_id: int
    def __init__(self, race_id: _Optional[int] = ...) -> None: ...

class ExportRunResponse(_message.Message):
    __slots__ = ("gpx",)
    GPX_FIELD_NUMBER: _ClassVar[int]
    gpx: bytes
    def __init__(self, gpx: _Optional[bytes] = ...) -> None: ...
