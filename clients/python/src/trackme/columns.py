"""Rows to columns and back: the two forms in which the protocol carries readings."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

from .metrics import KnownMetrics
from .protocol import readings as messages
from .values import Position, Reading, Value, Waveform

_POSITION_EXTRAS = ("altitude", "accuracy", "speed", "course")


def rows_to_columns(rows: Iterable[Reading], metrics: KnownMetrics, client_id: str = "") -> messages.ReadingColumns:
    """Columns in the order of the protocol: scalars, then positions, then waveforms, each in the order of the rows.

    The value's type decides the kind; whether it suits the metric is the server's to judge. `client_id` is what rows
    without a source get where other rows of the batch have one. Raises UnknownMetric.
    """
    scalars, positions, waveforms = split_by_kind(rows)
    out = messages.ReadingColumns()
    sources: dict[str, int] = {}
    for part, column in ((scalars, "scalars"), (positions, "positions"), (waveforms, "waveforms")):
        if part:
            _fill_keys(getattr(out, column), part, metrics, sources, client_id)
    if scalars:
        out.scalars.value.extend(r.value for r in scalars)
    if positions:
        out.positions.latitude.extend(r.value.latitude for r in positions)
        out.positions.longitude.extend(r.value.longitude for r in positions)
        for name in _POSITION_EXTRAS:
            values = [getattr(r.value, name) for r in positions]
            if any(v is not None for v in values):
                getattr(out.positions, name).extend(math.nan if v is None else v for v in values)
    if waveforms:
        out.waveforms.rate_hz.extend(r.value.rate_hz for r in waveforms)
        out.waveforms.sample_count.extend(len(r.value.samples) for r in waveforms)
        for r in waveforms:
            out.waveforms.samples.extend(r.value.samples)
    out.sources.extend(sources)
    return out


def split_by_kind(rows: Iterable[Reading]) -> tuple[list[Reading], list[Reading], list[Reading]]:
    """Scalars, positions and waveforms: one after the other they are the numbering that rejections use."""
    scalars: list[Reading] = []
    positions: list[Reading] = []
    waveforms: list[Reading] = []
    for row in rows:
        if isinstance(row.value, Position):
            positions.append(row)
        elif isinstance(row.value, Waveform):
            waveforms.append(row)
        else:
            scalars.append(row)
    return scalars, positions, waveforms


def _fill_keys(out, rows: Sequence[Reading], metrics: KnownMetrics, sources: dict[str, int], client_id: str) -> None:
    out.person_id.extend(_shared([r.person_id for r in rows]))
    out.metric.extend(_shared([metrics.named(r.metric).id for r in rows]))
    out.time_us.extend(r.time_us for r in rows)
    if any(r.source for r in rows):
        out.source.extend(_shared([sources.setdefault(r.source or client_id, len(sources)) for r in rows]))


def _shared(column: list[int]) -> list[int]:
    """One entry where all are the same: the short form of the columns that allow it."""
    return column[:1] if column and column.count(column[0]) == len(column) else column


def count(columns: messages.ReadingColumns) -> int:
    """How many readings the columns hold."""
    return len(columns.scalars.time_us) + len(columns.positions.time_us) + len(columns.waveforms.time_us)


def metric_ids(columns: messages.ReadingColumns) -> set[int]:
    """The numbers of the metrics that occur."""
    return {*columns.scalars.metric, *columns.positions.metric, *columns.waveforms.metric}


def metric_id_at(columns: messages.ReadingColumns, index: int) -> int:
    """The number of the metric of the reading with that number in the batch; 0 where there is none."""
    for part in (columns.scalars, columns.positions, columns.waveforms):
        if index < len(part.time_us):
            return part.metric[index if len(part.metric) > 1 else 0] if part.metric else 0
        index -= len(part.time_us)
    return 0


def columns_to_rows(columns: messages.ReadingColumns, metrics: KnownMetrics) -> list[Reading]:
    """Rows in the order in which the protocol numbers them. Raises UnknownMetric, and ValueError where the columns
    do not fit together."""
    rows: list[Reading] = []
    for part, values in (
        (columns.scalars, columns.scalars.value),
        (columns.positions, list(_positions(columns.positions))),
        (columns.waveforms, list(_waveforms(columns.waveforms))),
    ):
        n = len(part.time_us)
        if len(values) != n:
            raise ValueError(f"{n} times and {len(values)} values")
        persons = _spread(part.person_id, n, "person_id")
        names = {id: metrics.numbered(id).name for id in set(part.metric)}
        metric = _spread(part.metric, n, "metric")
        source = _spread(part.source, n, "source") if part.source else None
        for i in range(n):
            rows.append(
                Reading(
                    persons[i],
                    names[metric[i]],
                    part.time_us[i],
                    values[i],
                    columns.sources[source[i]] if source is not None else "",
                )
            )
    return rows


def _spread(column: Sequence[int], n: int, name: str) -> Sequence[int]:
    if len(column) == n:
        return column
    if len(column) == 1:
        return [column[0]] * n
    raise ValueError(f"{name} has {len(column)} entries for {n} readings")


def _positions(columns: messages.PositionColumns) -> Iterator[Position]:
    n = len(columns.time_us)
    extras = []
    for name in _POSITION_EXTRAS:
        column = getattr(columns, name)
        if column and len(column) != n:
            raise ValueError(f"{name} has {len(column)} entries for {n} readings")
        extras.append([None if math.isnan(v) else v for v in column] if column else [None] * n)
    if not len(columns.latitude) == len(columns.longitude) == n:
        raise ValueError(f"{len(columns.latitude)} latitudes and {len(columns.longitude)} longitudes for {n} readings")
    for i in range(n):
        yield Position(columns.latitude[i], columns.longitude[i], *(column[i] for column in extras))


def _waveforms(columns: messages.WaveformColumns) -> Iterator[Waveform]:
    if sum(columns.sample_count) != len(columns.samples):
        raise ValueError("the sample counts do not add up to the samples")
    start = 0
    for rate_hz, samples in zip(columns.rate_hz, columns.sample_count, strict=True):
        yield Waveform(rate_hz, tuple(columns.samples[start : start + samples]))
        start += samples


def row_to_message(row: Reading) -> messages.Reading:
    """The row form of the protocol."""
    out = messages.Reading(person_id=row.person_id, metric=row.metric, source=row.source, time_us=row.time_us)
    match row.value:
        case Position() as p:
            out.position.latitude, out.position.longitude = p.latitude, p.longitude
            for name in _POSITION_EXTRAS:
                if (value := getattr(p, name)) is not None:
                    setattr(out.position, name, value)
        case Waveform() as w:
            out.waveform.rate_hz = w.rate_hz
            out.waveform.samples.extend(w.samples)
        case number:
            out.scalar = number
    return out


def message_to_row(message: messages.Reading) -> Reading:
    """Raises ValueError for a message without a value."""
    value: Value
    match message.WhichOneof("value"):
        case "scalar":
            value = message.scalar
        case "position":
            p = message.position
            value = Position(
                p.latitude,
                p.longitude,
                *(getattr(p, name) if p.HasField(name) else None for name in _POSITION_EXTRAS),
            )
        case "waveform":
            value = Waveform(message.waveform.rate_hz, tuple(message.waveform.samples))
        case _:
            raise ValueError("the reading has no value")
    return Reading(message.person_id, message.metric, message.time_us, value, message.source)
