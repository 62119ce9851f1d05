import datetime

from google.protobuf import duration_pb2 as _duration_pb2
from google.protobuf import timestamp_pb2 as _timestamp_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class RaceState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    RACE_STATE_UNSPECIFIED: _ClassVar[RaceState]
    RACE_STATE_DRAFT: _ClassVar[RaceState]
    RACE_STATE_ENROLMENT_OPEN: _ClassVar[RaceState]
    RACE_STATE_ENROLMENT_CLOSED: _ClassVar[RaceState]
    RACE_STATE_RUNNING: _ClassVar[RaceState]
    RACE_STATE_FINISHED: _ClassVar[RaceState]
    RACE_STATE_CANCELLED: _ClassVar[RaceState]
    RACE_STATE_DISABLED: _ClassVar[RaceState]

class CourseSource(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    COURSE_SOURCE_UNSPECIFIED: _ClassVar[CourseSource]
    COURSE_SOURCE_ROADS: _ClassVar[CourseSource]
    COURSE_SOURCE_GPX: _ClassVar[CourseSource]
    COURSE_SOURCE_STRAIGHT: _ClassVar[CourseSource]

class EnrolmentState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    ENROLMENT_STATE_UNSPECIFIED: _ClassVar[EnrolmentState]
    ENROLMENT_STATE_WAITING: _ClassVar[EnrolmentState]
    ENROLMENT_STATE_AWAITING_PAYMENT: _ClassVar[EnrolmentState]
    ENROLMENT_STATE_ENROLLED: _ClassVar[EnrolmentState]
    ENROLMENT_STATE_WITHDRAWN: _ClassVar[EnrolmentState]
    ENROLMENT_STATE_EXPIRED: _ClassVar[EnrolmentState]

class PaymentState(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    PAYMENT_STATE_UNSPECIFIED: _ClassVar[PaymentState]
    PAYMENT_STATE_PENDING: _ClassVar[PaymentState]
    PAYMENT_STATE_AUTHORIZED: _ClassVar[PaymentState]
    PAYMENT_STATE_CAPTURED: _ClassVar[PaymentState]
    PAYMENT_STATE_CANCELLED: _ClassVar[PaymentState]
    PAYMENT_STATE_REFUNDED: _ClassVar[PaymentState]
    PAYMENT_STATE_FAILED: _ClassVar[PaymentState]
RACE_STATE_UNSPECIFIED: RaceState
RACE_STATE_DRAFT: RaceState
RACE_STATE_ENROLMENT_OPEN: RaceState
RACE_STATE_ENROLMENT_CLOSED: RaceState
RACE_STATE_RUNNING: RaceState
RACE_STATE_FINISHED: RaceState
RACE_STATE_CANCELLED: RaceState
RACE_STATE_DISABLED: RaceState
COURSE_SOURCE_UNSPECIFIED: CourseSource
COURSE_SOURCE_ROADS: CourseSource
COURSE_SOURCE_GPX: CourseSource
COURSE_SOURCE_STRAIGHT: CourseSource
ENROLMENT_STATE_UNSPECIFIED: EnrolmentState
ENROLMENT_STATE_WAITING: EnrolmentState
ENROLMENT_STATE_AWAITING_PAYMENT: EnrolmentState
ENROLMENT_STATE_ENROLLED: EnrolmentState
ENROLMENT_STATE_WITHDRAWN: EnrolmentState
ENROLMENT_STATE_EXPIRED: EnrolmentState
PAYMENT_STATE_UNSPECIFIED: PaymentState
PAYMENT_STATE_PENDING: PaymentState
PAYMENT_STATE_AUTHORIZED: PaymentState
PAYMENT_STATE_CAPTURED: PaymentState
PAYMENT_STATE_CANCELLED: PaymentState
PAYMENT_STATE_REFUNDED: PaymentState
PAYMENT_STATE_FAILED: PaymentState

class Place(_message.Message):
    __slots__ = ("latitude", "longitude", "name")
    LATITUDE_FIELD_NUMBER: _ClassVar[int]
    LONGITUDE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    latitude: float
    longitude: float
    name: str
    def __init__(self, latitude: _Optional[float] = ..., longitude: _Optional[float] = ..., name: _Optional[str] = ...) -> None: ...

class Money(_message.Message):
    __slots__ = ("currency_code", "minor_units")
    CURRENCY_CODE_FIELD_NUMBER: _ClassVar[int]
    MINOR_UNITS_FIELD_NUMBER: _ClassVar[int]
    currency_code: str
    minor_units: int
    def __init__(self, currency_code: _Optional[str] = ..., minor_units: _Optional[int] = ...) -> None: ...

class CourseStage(_message.Message):
    __slots__ = ("place", "distance_m")
    PLACE_FIELD_NUMBER: _ClassVar[int]
    DISTANCE_M_FIELD_NUMBER: _ClassVar[int]
    place: Place
    distance_m: float
    def __init__(self, place: _Optional[_Union[Place, _Mapping]] = ..., distance_m: _Optional[float] = ...) -> None: ...

class Course(_message.Message):
    __slots__ = ("source", "latitudes", "longitudes", "altitudes", "length_m", "climb_m", "stages", "start", "arrival", "attribution")
    SOURCE_FIELD_NUMBER: _ClassVar[int]
    LATITUDES_FIELD_NUMBER: _ClassVar[int]
    LONGITUDES_FIELD_NUMBER: _ClassVar[int]
    ALTITUDES_FIELD_NUMBER: _ClassVar[int]
    LENGTH_M_FIELD_NUMBER: _ClassVar[int]
    CLIMB_M_FIELD_NUMBER: _ClassVar[int]
    STAGES_FIELD_NUMBER: _ClassVar[int]
    START_FIELD_NUMBER: _ClassVar[int]
    ARRIVAL_FIELD_NUMBER: _ClassVar[int]
    ATTRIBUTION_FIELD_NUMBER: _ClassVar[int]
    source: CourseSource
    latitudes: _containers.RepeatedScalarFieldContainer[float]
    longitudes: _containers.RepeatedScalarFieldContainer[float]
    altitudes: _containers.RepeatedScalarFieldContainer[float]
    length_m: float
    climb_m: float
    stages: _containers.RepeatedCompositeFieldContainer[CourseStage]
    start: Place
    arrival: Place
    attribution: str
    def __init__(self, source: _Optional[_Union[CourseSource, str]] = ..., latitudes: _Optional[_Iterable[float]] = ..., longitudes: _Optional[_Iterable[float]] = ..., altitudes: _Optional[_Iterable[float]] = ..., length_m: _Optional[float] = ..., climb_m: _Optional[float] = ..., stages: _Optional[_Iterable[_Union[CourseStage, _Mapping]]] = ..., start: _Optional[_Union[Place, _Mapping]] = ..., arrival: _Optional[_Union[Place, _Mapping]] = ..., attribution: _Optional[str] = ...) -> None: ...

class Race(_message.Message):
    __slots__ = ("race_id", "name", "description", "place_name", "state", "starts", "enrolment_ends", "time_limit", "by_invitation", "capacity", "fee", "enrolled_count", "waiting_count", "course", "organizers", "etag", "my_enrolment", "is_observed", "finished")
    RACE_ID_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    DESCRIPTION_FIELD_NUMBER: _ClassVar[int]
    PLACE_NAME_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    STARTS_FIELD_NUMBER: _ClassVar[int]
    ENROLMENT_ENDS_FIELD_NUMBER: _ClassVar[int]
    TIME_LIMIT_FIELD_NUMBER: _ClassVar[int]
    BY_INVITATION_FIELD_NUMBER: _ClassVar[int]
    CAPACITY_FIELD_NUMBER: _ClassVar[int]
    FEE_FIELD_NUMBER: _ClassVar[int]
    ENROLLED_COUNT_FIELD_NUMBER: _ClassVar[int]
    WAITING_COUNT_FIELD_NUMBER: _ClassVar[int]
    COURSE_FIELD_NUMBER: _ClassVar[int]
    ORGANIZERS_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    MY_ENROLMENT_FIELD_NUMBER: _ClassVar[int]
    IS_OBSERVED_FIELD_NUMBER: _ClassVar[int]
    FINISHED_FIELD_NUMBER: _ClassVar[int]
    race_id: int
    name: str
    description: str
    place_name: str
    state: RaceState
    starts: _timestamp_pb2.Timestamp
    enrolment_ends: _timestamp_pb2.Timestamp
    time_limit: _duration_pb2.Duration
    by_invitation: bool
    capacity: int
    fee: Money
    enrolled_count: int
    waiting_count: int
    course: Course
    organizers: _containers.RepeatedCompositeFieldContainer[Organizer]
    etag: str
    my_enrolment: Enrolment
    is_observed: bool
    finished: _timestamp_pb2.Timestamp
    def __init__(self, race_id: _Optional[int] = ..., name: _Optional[str] = ..., description: _Optional[str] = ..., place_name: _Optional[str] = ..., state: _Optional[_Union[RaceState, str]] = ..., starts: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., enrolment_ends: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., time_limit: _Optional[_Union[datetime.timedelta, _duration_pb2.Duration, _Mapping]] = ..., by_invitation: _Optional[bool] = ..., capacity: _Optional[int] = ..., fee: _Optional[_Union[Money, _Mapping]] = ..., enrolled_count: _Optional[int] = ..., waiting_count: _Optional[int] = ..., course: _Optional[_Union[Course, _Mapping]] = ..., organizers: _Optional[_Iterable[_Union[Organizer, _Mapping]]] = ..., etag: _Optional[str] = ..., my_enrolment: _Optional[_Union[Enrolment, _Mapping]] = ..., is_observed: _Optional[bool] = ..., finished: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class Organizer(_message.Message):
    __slots__ = ("username", "name")
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    username: str
    name: str
    def __init__(self, username: _Optional[str] = ..., name: _Optional[str] = ...) -> None: ...

class Enrolment(_message.Message):
    __slots__ = ("race_id", "state", "number", "runner_name", "waiting_position", "payment_state", "payment_url", "held_until", "is_present", "is_disqualified", "username")
    RACE_ID_FIELD_NUMBER: _ClassVar[int]
    STATE_FIELD_NUMBER: _ClassVar[int]
    NUMBER_FIELD_NUMBER: _ClassVar[int]
    RUNNER_NAME_FIELD_NUMBER: _ClassVar[int]
    WAITING_POSITION_FIELD_NUMBER: _ClassVar[int]
    PAYMENT_STATE_FIELD_NUMBER: _ClassVar[int]
    PAYMENT_URL_FIELD_NUMBER: _ClassVar[int]
    HELD_UNTIL_FIELD_NUMBER: _ClassVar[int]
    IS_PRESENT_FIELD_NUMBER: _ClassVar[int]
    IS_DISQUALIFIED_FIELD_NUMBER: _ClassVar[int]
    USERNAME_FIELD_NUMBER: _ClassVar[int]
    race_id: int
    state: EnrolmentState
    number: int
    runner_name: str
    waiting_position: int
    payment_state: PaymentState
    payment_url: str
    held_until: _timestamp_pb2.Timestamp
    is_present: bool
    is_disqualified: bool
    username: str
    def __init__(self, race_id: _Optional[int] = ..., state: _Optional[_Union[EnrolmentState, str]] = ..., number: _Optional[int] = ..., runner_name: _Optional[str] = ..., waiting_position: _Optional[int] = ..., payment_state: _Optional[_Union[PaymentState, str]] = ..., payment_url: _Optional[str] = ..., held_until: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., is_present: _Optional[bool] = ..., is_disqualified: _Optional[bool] = ..., username: _Optional[str] = ...) -> None: ...
