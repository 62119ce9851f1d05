import datetime

from google.protobuf import timestamp_pb2 as _timestamp_pb2
from trackme._generated.identity.v1 import identity_pb2 as _identity_pb2
from trackme._generated.options.v1 import callers_pb2 as _callers_pb2
from trackme._generated.payments.v1 import payment_pb2 as _payment_pb2
from google.protobuf.internal import containers as _containers
from google.protobuf.internal import enum_type_wrapper as _enum_type_wrapper
from google.protobuf import descriptor as _descriptor
from google.protobuf import message as _message
from collections.abc import Iterable as _Iterable, Mapping as _Mapping
from typing import ClassVar as _ClassVar, Optional as _Optional, Union as _Union

DESCRIPTOR: _descriptor.FileDescriptor

class GroupSex(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GROUP_SEX_UNSPECIFIED: _ClassVar[GroupSex]
    GROUP_SEX_FEMALE: _ClassVar[GroupSex]
    GROUP_SEX_MALE: _ClassVar[GroupSex]

class GroupBuckets(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GROUP_BUCKETS_UNSPECIFIED: _ClassVar[GroupBuckets]
    GROUP_BUCKETS_DAY: _ClassVar[GroupBuckets]
    GROUP_BUCKETS_WEEK: _ClassVar[GroupBuckets]
    GROUP_BUCKETS_MONTH: _ClassVar[GroupBuckets]

class GroupStatistic(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GROUP_STATISTIC_UNSPECIFIED: _ClassVar[GroupStatistic]
    GROUP_STATISTIC_MEAN: _ClassVar[GroupStatistic]
    GROUP_STATISTIC_STANDARD_DEVIATION: _ClassVar[GroupStatistic]
    GROUP_STATISTIC_HISTOGRAM: _ClassVar[GroupStatistic]
    GROUP_STATISTIC_QUANTILES: _ClassVar[GroupStatistic]
    GROUP_STATISTIC_HOUR_PROFILE: _ClassVar[GroupStatistic]
    GROUP_STATISTIC_RECORDS: _ClassVar[GroupStatistic]

class GroupPrecision(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GROUP_PRECISION_UNSPECIFIED: _ClassVar[GroupPrecision]
    GROUP_PRECISION_LOW: _ClassVar[GroupPrecision]
    GROUP_PRECISION_MEDIUM: _ClassVar[GroupPrecision]
    GROUP_PRECISION_HIGH: _ClassVar[GroupPrecision]

class GroupExportFormat(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GROUP_EXPORT_FORMAT_UNSPECIFIED: _ClassVar[GroupExportFormat]
    GROUP_EXPORT_FORMAT_CSV: _ClassVar[GroupExportFormat]
    GROUP_EXPORT_FORMAT_NDJSON: _ClassVar[GroupExportFormat]

class GroupAreaLevel(int, metaclass=_enum_type_wrapper.EnumTypeWrapper):
    __slots__ = ()
    GROUP_AREA_LEVEL_UNSPECIFIED: _ClassVar[GroupAreaLevel]
    GROUP_AREA_LEVEL_REGION: _ClassVar[GroupAreaLevel]
    GROUP_AREA_LEVEL_PROVINCE: _ClassVar[GroupAreaLevel]
    GROUP_AREA_LEVEL_MUNICIPALITY: _ClassVar[GroupAreaLevel]
GROUP_SEX_UNSPECIFIED: GroupSex
GROUP_SEX_FEMALE: GroupSex
GROUP_SEX_MALE: GroupSex
GROUP_BUCKETS_UNSPECIFIED: GroupBuckets
GROUP_BUCKETS_DAY: GroupBuckets
GROUP_BUCKETS_WEEK: GroupBuckets
GROUP_BUCKETS_MONTH: GroupBuckets
GROUP_STATISTIC_UNSPECIFIED: GroupStatistic
GROUP_STATISTIC_MEAN: GroupStatistic
GROUP_STATISTIC_STANDARD_DEVIATION: GroupStatistic
GROUP_STATISTIC_HISTOGRAM: GroupStatistic
GROUP_STATISTIC_QUANTILES: GroupStatistic
GROUP_STATISTIC_HOUR_PROFILE: GroupStatistic
GROUP_STATISTIC_RECORDS: GroupStatistic
GROUP_PRECISION_UNSPECIFIED: GroupPrecision
GROUP_PRECISION_LOW: GroupPrecision
GROUP_PRECISION_MEDIUM: GroupPrecision
GROUP_PRECISION_HIGH: GroupPrecision
GROUP_EXPORT_FORMAT_UNSPECIFIED: GroupExportFormat
GROUP_EXPORT_FORMAT_CSV: GroupExportFormat
GROUP_EXPORT_FORMAT_NDJSON: GroupExportFormat
GROUP_AREA_LEVEL_UNSPECIFIED: GroupAreaLevel
GROUP_AREA_LEVEL_REGION: GroupAreaLevel
GROUP_AREA_LEVEL_PROVINCE: GroupAreaLevel
GROUP_AREA_LEVEL_MUNICIPALITY: GroupAreaLevel

class SharedMetric(_message.Message):
    __slots__ = ("metric", "counts_from")
    METRIC_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FROM_FIELD_NUMBER: _ClassVar[int]
    metric: str
    counts_from: _timestamp_pb2.Timestamp
    def __init__(self, metric: _Optional[str] = ..., counts_from: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ...) -> None: ...

class AnonymousSharing(_message.Message):
    __slots__ = ("metrics", "etag")
    METRICS_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    metrics: _containers.RepeatedCompositeFieldContainer[SharedMetric]
    etag: str
    def __init__(self, metrics: _Optional[_Iterable[_Union[SharedMetric, _Mapping]]] = ..., etag: _Optional[str] = ...) -> None: ...

class GetAnonymousSharingRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetAnonymousSharingResponse(_message.Message):
    __slots__ = ("sharing",)
    SHARING_FIELD_NUMBER: _ClassVar[int]
    sharing: AnonymousSharing
    def __init__(self, sharing: _Optional[_Union[AnonymousSharing, _Mapping]] = ...) -> None: ...

class UpdateAnonymousSharingRequest(_message.Message):
    __slots__ = ("metrics", "etag")
    METRICS_FIELD_NUMBER: _ClassVar[int]
    ETAG_FIELD_NUMBER: _ClassVar[int]
    metrics: _containers.RepeatedScalarFieldContainer[str]
    etag: str
    def __init__(self, metrics: _Optional[_Iterable[str]] = ..., etag: _Optional[str] = ...) -> None: ...

class UpdateAnonymousSharingResponse(_message.Message):
    __slots__ = ("sharing",)
    SHARING_FIELD_NUMBER: _ClassVar[int]
    sharing: AnonymousSharing
    def __init__(self, sharing: _Optional[_Union[AnonymousSharing, _Mapping]] = ...) -> None: ...

class GroupCircle(_message.Message):
    __slots__ = ("latitude", "longitude", "radius_m")
    LATITUDE_FIELD_NUMBER: _ClassVar[int]
    LONGITUDE_FIELD_NUMBER: _ClassVar[int]
    RADIUS_M_FIELD_NUMBER: _ClassVar[int]
    latitude: float
    longitude: float
    radius_m: float
    def __init__(self, latitude: _Optional[float] = ..., longitude: _Optional[float] = ..., radius_m: _Optional[float] = ...) -> None: ...

class GroupBox(_message.Message):
    __slots__ = ("south", "west", "north", "east")
    SOUTH_FIELD_NUMBER: _ClassVar[int]
    WEST_FIELD_NUMBER: _ClassVar[int]
    NORTH_FIELD_NUMBER: _ClassVar[int]
    EAST_FIELD_NUMBER: _ClassVar[int]
    south: float
    west: float
    north: float
    east: float
    def __init__(self, south: _Optional[float] = ..., west: _Optional[float] = ..., north: _Optional[float] = ..., east: _Optional[float] = ...) -> None: ...

class GroupQuestion(_message.Message):
    __slots__ = ("metrics", "from_age", "to_age", "from_weight_kg", "to_weight_kg", "sex", "address", "circle", "box", "from_date", "to_date", "time_zone", "from_hour", "to_hour", "buckets", "statistics", "precision", "minimum_persons", "area")
    METRICS_FIELD_NUMBER: _ClassVar[int]
    FROM_AGE_FIELD_NUMBER: _ClassVar[int]
    TO_AGE_FIELD_NUMBER: _ClassVar[int]
    FROM_WEIGHT_KG_FIELD_NUMBER: _ClassVar[int]
    TO_WEIGHT_KG_FIELD_NUMBER: _ClassVar[int]
    SEX_FIELD_NUMBER: _ClassVar[int]
    ADDRESS_FIELD_NUMBER: _ClassVar[int]
    CIRCLE_FIELD_NUMBER: _ClassVar[int]
    BOX_FIELD_NUMBER: _ClassVar[int]
    FROM_DATE_FIELD_NUMBER: _ClassVar[int]
    TO_DATE_FIELD_NUMBER: _ClassVar[int]
    TIME_ZONE_FIELD_NUMBER: _ClassVar[int]
    FROM_HOUR_FIELD_NUMBER: _ClassVar[int]
    TO_HOUR_FIELD_NUMBER: _ClassVar[int]
    BUCKETS_FIELD_NUMBER: _ClassVar[int]
    STATISTICS_FIELD_NUMBER: _ClassVar[int]
    PRECISION_FIELD_NUMBER: _ClassVar[int]
    MINIMUM_PERSONS_FIELD_NUMBER: _ClassVar[int]
    AREA_FIELD_NUMBER: _ClassVar[int]
    metrics: _containers.RepeatedScalarFieldContainer[str]
    from_age: int
    to_age: int
    from_weight_kg: float
    to_weight_kg: float
    sex: GroupSex
    address: str
    circle: GroupCircle
    box: GroupBox
    from_date: str
    to_date: str
    time_zone: str
    from_hour: int
    to_hour: int
    buckets: GroupBuckets
    statistics: _containers.RepeatedScalarFieldContainer[GroupStatistic]
    precision: GroupPrecision
    minimum_persons: int
    area: str
    def __init__(self, metrics: _Optional[_Iterable[str]] = ..., from_age: _Optional[int] = ..., to_age: _Optional[int] = ..., from_weight_kg: _Optional[float] = ..., to_weight_kg: _Optional[float] = ..., sex: _Optional[_Union[GroupSex, str]] = ..., address: _Optional[str] = ..., circle: _Optional[_Union[GroupCircle, _Mapping]] = ..., box: _Optional[_Union[GroupBox, _Mapping]] = ..., from_date: _Optional[str] = ..., to_date: _Optional[str] = ..., time_zone: _Optional[str] = ..., from_hour: _Optional[int] = ..., to_hour: _Optional[int] = ..., buckets: _Optional[_Union[GroupBuckets, str]] = ..., statistics: _Optional[_Iterable[_Union[GroupStatistic, str]]] = ..., precision: _Optional[_Union[GroupPrecision, str]] = ..., minimum_persons: _Optional[int] = ..., area: _Optional[str] = ...) -> None: ...

class QueryGroupRequest(_message.Message):
    __slots__ = ("question", "dry_run", "payment_id")
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    PAYMENT_ID_FIELD_NUMBER: _ClassVar[int]
    question: GroupQuestion
    dry_run: bool
    payment_id: str
    def __init__(self, question: _Optional[_Union[GroupQuestion, _Mapping]] = ..., dry_run: _Optional[bool] = ..., payment_id: _Optional[str] = ...) -> None: ...

class GroupEstimate(_message.Message):
    __slots__ = ("value", "error")
    VALUE_FIELD_NUMBER: _ClassVar[int]
    ERROR_FIELD_NUMBER: _ClassVar[int]
    value: float
    error: float
    def __init__(self, value: _Optional[float] = ..., error: _Optional[float] = ...) -> None: ...

class GroupQuantile(_message.Message):
    __slots__ = ("share", "estimate")
    SHARE_FIELD_NUMBER: _ClassVar[int]
    ESTIMATE_FIELD_NUMBER: _ClassVar[int]
    share: float
    estimate: GroupEstimate
    def __init__(self, share: _Optional[float] = ..., estimate: _Optional[_Union[GroupEstimate, _Mapping]] = ...) -> None: ...

class GroupHour(_message.Message):
    __slots__ = ("hour", "is_withheld", "persons", "mean")
    HOUR_FIELD_NUMBER: _ClassVar[int]
    IS_WITHHELD_FIELD_NUMBER: _ClassVar[int]
    PERSONS_FIELD_NUMBER: _ClassVar[int]
    MEAN_FIELD_NUMBER: _ClassVar[int]
    hour: int
    is_withheld: bool
    persons: GroupEstimate
    mean: GroupEstimate
    def __init__(self, hour: _Optional[int] = ..., is_withheld: _Optional[bool] = ..., persons: _Optional[_Union[GroupEstimate, _Mapping]] = ..., mean: _Optional[_Union[GroupEstimate, _Mapping]] = ...) -> None: ...

class GroupResult(_message.Message):
    __slots__ = ("metric", "from_date", "to_date", "is_withheld", "persons", "mean", "standard_deviation", "histogram", "quantiles", "scale_from", "scale_to")
    METRIC_FIELD_NUMBER: _ClassVar[int]
    FROM_DATE_FIELD_NUMBER: _ClassVar[int]
    TO_DATE_FIELD_NUMBER: _ClassVar[int]
    IS_WITHHELD_FIELD_NUMBER: _ClassVar[int]
    PERSONS_FIELD_NUMBER: _ClassVar[int]
    MEAN_FIELD_NUMBER: _ClassVar[int]
    STANDARD_DEVIATION_FIELD_NUMBER: _ClassVar[int]
    HISTOGRAM_FIELD_NUMBER: _ClassVar[int]
    QUANTILES_FIELD_NUMBER: _ClassVar[int]
    SCALE_FROM_FIELD_NUMBER: _ClassVar[int]
    SCALE_TO_FIELD_NUMBER: _ClassVar[int]
    metric: str
    from_date: str
    to_date: str
    is_withheld: bool
    persons: GroupEstimate
    mean: GroupEstimate
    standard_deviation: GroupEstimate
    histogram: _containers.RepeatedCompositeFieldContainer[GroupEstimate]
    quantiles: _containers.RepeatedCompositeFieldContainer[GroupQuantile]
    scale_from: float
    scale_to: float
    def __init__(self, metric: _Optional[str] = ..., from_date: _Optional[str] = ..., to_date: _Optional[str] = ..., is_withheld: _Optional[bool] = ..., persons: _Optional[_Union[GroupEstimate, _Mapping]] = ..., mean: _Optional[_Union[GroupEstimate, _Mapping]] = ..., standard_deviation: _Optional[_Union[GroupEstimate, _Mapping]] = ..., histogram: _Optional[_Iterable[_Union[GroupEstimate, _Mapping]]] = ..., quantiles: _Optional[_Iterable[_Union[GroupQuantile, _Mapping]]] = ..., scale_from: _Optional[float] = ..., scale_to: _Optional[float] = ...) -> None: ...

class GroupProfile(_message.Message):
    __slots__ = ("metric", "hours")
    METRIC_FIELD_NUMBER: _ClassVar[int]
    HOURS_FIELD_NUMBER: _ClassVar[int]
    metric: str
    hours: _containers.RepeatedCompositeFieldContainer[GroupHour]
    def __init__(self, metric: _Optional[str] = ..., hours: _Optional[_Iterable[_Union[GroupHour, _Mapping]]] = ...) -> None: ...

class GroupAnswer(_message.Message):
    __slots__ = ("results", "profiles")
    RESULTS_FIELD_NUMBER: _ClassVar[int]
    PROFILES_FIELD_NUMBER: _ClassVar[int]
    results: _containers.RepeatedCompositeFieldContainer[GroupResult]
    profiles: _containers.RepeatedCompositeFieldContainer[GroupProfile]
    def __init__(self, results: _Optional[_Iterable[_Union[GroupResult, _Mapping]]] = ..., profiles: _Optional[_Iterable[_Union[GroupProfile, _Mapping]]] = ...) -> None: ...

class PrivacyCost(_message.Message):
    __slots__ = ("rho", "epsilon")
    RHO_FIELD_NUMBER: _ClassVar[int]
    EPSILON_FIELD_NUMBER: _ClassVar[int]
    rho: float
    epsilon: float
    def __init__(self, rho: _Optional[float] = ..., epsilon: _Optional[float] = ...) -> None: ...

class GroupBudget(_message.Message):
    __slots__ = ("total", "spent", "left", "renewed", "reserved", "left_in_year")
    TOTAL_FIELD_NUMBER: _ClassVar[int]
    SPENT_FIELD_NUMBER: _ClassVar[int]
    LEFT_FIELD_NUMBER: _ClassVar[int]
    RENEWED_FIELD_NUMBER: _ClassVar[int]
    RESERVED_FIELD_NUMBER: _ClassVar[int]
    LEFT_IN_YEAR_FIELD_NUMBER: _ClassVar[int]
    total: PrivacyCost
    spent: PrivacyCost
    left: PrivacyCost
    renewed: _timestamp_pb2.Timestamp
    reserved: PrivacyCost
    left_in_year: PrivacyCost
    def __init__(self, total: _Optional[_Union[PrivacyCost, _Mapping]] = ..., spent: _Optional[_Union[PrivacyCost, _Mapping]] = ..., left: _Optional[_Union[PrivacyCost, _Mapping]] = ..., renewed: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., reserved: _Optional[_Union[PrivacyCost, _Mapping]] = ..., left_in_year: _Optional[_Union[PrivacyCost, _Mapping]] = ...) -> None: ...

class QueryGroupResponse(_message.Message):
    __slots__ = ("question", "answer", "cost", "budget", "gathered", "price", "payment")
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    ANSWER_FIELD_NUMBER: _ClassVar[int]
    COST_FIELD_NUMBER: _ClassVar[int]
    BUDGET_FIELD_NUMBER: _ClassVar[int]
    GATHERED_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    PAYMENT_FIELD_NUMBER: _ClassVar[int]
    question: GroupQuestion
    answer: GroupAnswer
    cost: PrivacyCost
    budget: GroupBudget
    gathered: _timestamp_pb2.Timestamp
    price: _payment_pb2.Price
    payment: _payment_pb2.Payment
    def __init__(self, question: _Optional[_Union[GroupQuestion, _Mapping]] = ..., answer: _Optional[_Union[GroupAnswer, _Mapping]] = ..., cost: _Optional[_Union[PrivacyCost, _Mapping]] = ..., budget: _Optional[_Union[GroupBudget, _Mapping]] = ..., gathered: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., price: _Optional[_Union[_payment_pb2.Price, _Mapping]] = ..., payment: _Optional[_Union[_payment_pb2.Payment, _Mapping]] = ...) -> None: ...

class ExportGroupRequest(_message.Message):
    __slots__ = ("question", "format", "dry_run", "payment_id")
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    FORMAT_FIELD_NUMBER: _ClassVar[int]
    DRY_RUN_FIELD_NUMBER: _ClassVar[int]
    PAYMENT_ID_FIELD_NUMBER: _ClassVar[int]
    question: GroupQuestion
    format: GroupExportFormat
    dry_run: bool
    payment_id: str
    def __init__(self, question: _Optional[_Union[GroupQuestion, _Mapping]] = ..., format: _Optional[_Union[GroupExportFormat, str]] = ..., dry_run: _Optional[bool] = ..., payment_id: _Optional[str] = ...) -> None: ...

class GroupStratum(_message.Message):
    __slots__ = ("from_age", "to_age", "sex")
    FROM_AGE_FIELD_NUMBER: _ClassVar[int]
    TO_AGE_FIELD_NUMBER: _ClassVar[int]
    SEX_FIELD_NUMBER: _ClassVar[int]
    from_age: int
    to_age: int
    sex: GroupSex
    def __init__(self, from_age: _Optional[int] = ..., to_age: _Optional[int] = ..., sex: _Optional[_Union[GroupSex, str]] = ...) -> None: ...

class GroupTable(_message.Message):
    __slots__ = ("metric", "is_withheld", "persons", "bin_error", "stratum_error", "age_association", "sex_association", "scale_from", "scale_to", "counts")
    METRIC_FIELD_NUMBER: _ClassVar[int]
    IS_WITHHELD_FIELD_NUMBER: _ClassVar[int]
    PERSONS_FIELD_NUMBER: _ClassVar[int]
    BIN_ERROR_FIELD_NUMBER: _ClassVar[int]
    STRATUM_ERROR_FIELD_NUMBER: _ClassVar[int]
    AGE_ASSOCIATION_FIELD_NUMBER: _ClassVar[int]
    SEX_ASSOCIATION_FIELD_NUMBER: _ClassVar[int]
    SCALE_FROM_FIELD_NUMBER: _ClassVar[int]
    SCALE_TO_FIELD_NUMBER: _ClassVar[int]
    COUNTS_FIELD_NUMBER: _ClassVar[int]
    metric: str
    is_withheld: bool
    persons: GroupEstimate
    bin_error: float
    stratum_error: float
    age_association: float
    sex_association: float
    scale_from: float
    scale_to: float
    counts: _containers.RepeatedScalarFieldContainer[int]
    def __init__(self, metric: _Optional[str] = ..., is_withheld: _Optional[bool] = ..., persons: _Optional[_Union[GroupEstimate, _Mapping]] = ..., bin_error: _Optional[float] = ..., stratum_error: _Optional[float] = ..., age_association: _Optional[float] = ..., sex_association: _Optional[float] = ..., scale_from: _Optional[float] = ..., scale_to: _Optional[float] = ..., counts: _Optional[_Iterable[int]] = ...) -> None: ...

class GroupRecords(_message.Message):
    __slots__ = ("strata", "tables")
    STRATA_FIELD_NUMBER: _ClassVar[int]
    TABLES_FIELD_NUMBER: _ClassVar[int]
    strata: _containers.RepeatedCompositeFieldContainer[GroupStratum]
    tables: _containers.RepeatedCompositeFieldContainer[GroupTable]
    def __init__(self, strata: _Optional[_Iterable[_Union[GroupStratum, _Mapping]]] = ..., tables: _Optional[_Iterable[_Union[GroupTable, _Mapping]]] = ...) -> None: ...

class ExportGroupResponse(_message.Message):
    __slots__ = ("question", "records", "cost", "budget", "gathered", "data", "price", "payment")
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    RECORDS_FIELD_NUMBER: _ClassVar[int]
    COST_FIELD_NUMBER: _ClassVar[int]
    BUDGET_FIELD_NUMBER: _ClassVar[int]
    GATHERED_FIELD_NUMBER: _ClassVar[int]
    DATA_FIELD_NUMBER: _ClassVar[int]
    PRICE_FIELD_NUMBER: _ClassVar[int]
    PAYMENT_FIELD_NUMBER: _ClassVar[int]
    question: GroupQuestion
    records: GroupRecords
    cost: PrivacyCost
    budget: GroupBudget
    gathered: _timestamp_pb2.Timestamp
    data: bytes
    price: _payment_pb2.Price
    payment: _payment_pb2.Payment
    def __init__(self, question: _Optional[_Union[GroupQuestion, _Mapping]] = ..., records: _Optional[_Union[GroupRecords, _Mapping]] = ..., cost: _Optional[_Union[PrivacyCost, _Mapping]] = ..., budget: _Optional[_Union[GroupBudget, _Mapping]] = ..., gathered: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., data: _Optional[bytes] = ..., price: _Optional[_Union[_payment_pb2.Price, _Mapping]] = ..., payment: _Optional[_Union[_payment_pb2.Payment, _Mapping]] = ...) -> None: ...

class GetGroupBudgetRequest(_message.Message):
    __slots__ = ()
    def __init__(self) -> None: ...

class GetGroupBudgetResponse(_message.Message):
    __slots__ = ("budget",)
    BUDGET_FIELD_NUMBER: _ClassVar[int]
    budget: GroupBudget
    def __init__(self, budget: _Optional[_Union[GroupBudget, _Mapping]] = ...) -> None: ...

class GroupDisclosure(_message.Message):
    __slots__ = ("third_party_id", "third_party_name", "question", "answered", "third_party")
    THIRD_PARTY_ID_FIELD_NUMBER: _ClassVar[int]
    THIRD_PARTY_NAME_FIELD_NUMBER: _ClassVar[int]
    QUESTION_FIELD_NUMBER: _ClassVar[int]
    ANSWERED_FIELD_NUMBER: _ClassVar[int]
    THIRD_PARTY_FIELD_NUMBER: _ClassVar[int]
    third_party_id: int
    third_party_name: str
    question: GroupQuestion
    answered: _timestamp_pb2.Timestamp
    third_party: _identity_pb2.ThirdPartyDetails
    def __init__(self, third_party_id: _Optional[int] = ..., third_party_name: _Optional[str] = ..., question: _Optional[_Union[GroupQuestion, _Mapping]] = ..., answered: _Optional[_Union[datetime.datetime, _timestamp_pb2.Timestamp, _Mapping]] = ..., third_party: _Optional[_Union[_identity_pb2.ThirdPartyDetails, _Mapping]] = ...) -> None: ...

class ListGroupDisclosuresRequest(_message.Message):
    __slots__ = ("page_size", "page_token")
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    page_size: int
    page_token: str
    def __init__(self, page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListGroupDisclosuresResponse(_message.Message):
    __slots__ = ("disclosures", "next_page_token")
    DISCLOSURES_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    disclosures: _containers.RepeatedCompositeFieldContainer[GroupDisclosure]
    next_page_token: str
    def __init__(self, disclosures: _Optional[_Iterable[_Union[GroupDisclosure, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...

class GroupArea(_message.Message):
    __slots__ = ("code", "name", "level", "parent", "cell_count")
    CODE_FIELD_NUMBER: _ClassVar[int]
    NAME_FIELD_NUMBER: _ClassVar[int]
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    PARENT_FIELD_NUMBER: _ClassVar[int]
    CELL_COUNT_FIELD_NUMBER: _ClassVar[int]
    code: str
    name: str
    level: GroupAreaLevel
    parent: str
    cell_count: int
    def __init__(self, code: _Optional[str] = ..., name: _Optional[str] = ..., level: _Optional[_Union[GroupAreaLevel, str]] = ..., parent: _Optional[str] = ..., cell_count: _Optional[int] = ...) -> None: ...

class ListGroupAreasRequest(_message.Message):
    __slots__ = ("level", "name_prefix", "page_size", "page_token")
    LEVEL_FIELD_NUMBER: _ClassVar[int]
    NAME_PREFIX_FIELD_NUMBER: _ClassVar[int]
    PAGE_SIZE_FIELD_NUMBER: _ClassVar[int]
    PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    level: GroupAreaLevel
    name_prefix: str
    page_size: int
    page_token: str
    def __init__(self, level: _Optional[_Union[GroupAreaLevel, str]] = ..., name_prefix: _Optional[str] = ..., page_size: _Optional[int] = ..., page_token: _Optional[str] = ...) -> None: ...

class ListGroupAreasResponse(_message.Message):
    __slots__ = ("areas", "next_page_token")
    AREAS_FIELD_NUMBER: _ClassVar[int]
    NEXT_PAGE_TOKEN_FIELD_NUMBER: _ClassVar[int]
    areas: _containers.RepeatedCompositeFieldContainer[GroupArea]
    next_page_token: str
    def __init__(self, areas: _Optional[_Iterable[_Union[GroupArea, _Mapping]]] = ..., next_page_token: _Optional[str] = ...) -> None: ...
