"""The server's metric registry, kept at hand."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from enum import Enum

from .errors import UnknownMetric
from .protocol import reading_service
from .values import Position, Value


class MetricKind(Enum):
    """The shape of a metric's values."""

    UNKNOWN = reading_service.METRIC_KIND_UNSPECIFIED
    """A kind that came after this package."""
    SCALAR = reading_service.METRIC_KIND_SCALAR
    POSITION = reading_service.METRIC_KIND_POSITION
    WAVEFORM = reading_service.METRIC_KIND_WAVEFORM

    @classmethod
    def _missing_(cls, value: object) -> MetricKind:
        return cls.UNKNOWN


@dataclass(frozen=True, slots=True)
class Metric:
    """One kind of reading."""

    id: int
    name: str
    kind: MetricKind
    unit: str = ""
    """UCUM code."""
    loinc_code: str = ""
    minimum: float = float("-inf")
    maximum: float = float("inf")
    display_name: str = ""
    zero_is_no_value: bool = False
    """0 is what sensors write when they have nothing to say: the server refuses it."""

    def is_no_value(self, value: Value) -> bool:
        """Whether the server refuses it because it says nothing."""
        if not self.zero_is_no_value:
            return False
        return value.latitude == value.longitude == 0 if isinstance(value, Position) else value == 0


class MetricRegistry:
    """Metrics by name and by number. Loaded when first needed, and again when something is not in it: the server
    takes new metrics while it runs."""

    def __init__(self, load: Callable[[], Awaitable[Iterable[Metric]]]):
        self._load = load
        self._lock = asyncio.Lock()
        self._by_name: dict[str, Metric] = {}
        self._by_id: dict[int, Metric] = {}

    async def refresh(self) -> None:
        """Asks the server."""
        metrics = list(await self._load())
        self._by_name = {m.name: m for m in metrics}
        self._by_id = {m.id: m for m in metrics}

    async def all(self) -> list[Metric]:
        """Every metric, in the order of their numbers."""
        await self._ensure((), ())
        return sorted(self._by_id.values(), key=lambda m: m.id)

    async def resolve(self, names: Iterable[str] = (), ids: Iterable[int] = ()) -> KnownMetrics:
        """A table that has these metrics, if the server has them; ones it lacks are simply not in the table."""
        await self._ensure(names, ids)
        return KnownMetrics(self._by_name, self._by_id)

    def name(self, id: int) -> str:
        """The name of a metric that is at hand, or its number."""
        return self._by_id[id].name if id in self._by_id else f"metric {id}"

    async def _ensure(self, names: Iterable[str], ids: Iterable[int]) -> None:
        names, ids = set(names), set(ids)

        def missing() -> bool:
            return not self._by_id or not names <= self._by_name.keys() or not ids <= self._by_id.keys()

        if missing():
            async with self._lock:
                if missing():
                    await self.refresh()


class KnownMetrics:
    """The registry as it was at one moment."""

    def __init__(self, by_name: dict[str, Metric], by_id: dict[int, Metric]):
        self._by_name, self._by_id = by_name, by_id

    @classmethod
    def of(cls, metrics: Iterable[Metric]) -> KnownMetrics:
        metrics = list(metrics)
        return cls({m.name: m for m in metrics}, {m.id: m for m in metrics})

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def named(self, name: str) -> Metric:
        """Raises UnknownMetric."""
        try:
            return self._by_name[name]
        except KeyError:
            raise UnknownMetric(f"the server has no metric {name!r}") from None

    def numbered(self, id: int) -> Metric:
        """Raises UnknownMetric."""
        try:
            return self._by_id[id]
        except KeyError:
            raise UnknownMetric(f"the server has no metric number {id}") from None


def metric_of(message: reading_service.Metric) -> Metric:
    return Metric(
        id=message.id,
        name=message.name,
        kind=MetricKind(message.kind),
        unit=message.unit,
        loinc_code=message.loinc_code,
        minimum=message.minimum,
        maximum=message.maximum,
        display_name=message.display_name,
        zero_is_no_value=message.zero_is_no_value,
    )
