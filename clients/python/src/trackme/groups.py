"""Answers about anonymous groups as columns: lists of one length by name, as pandas.DataFrame and polars.DataFrame take
them. A number that is not told is None; beside each number is its error, the standard deviation of the noise in it."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import dataclass
from datetime import datetime, timezone

from google.protobuf.message import Message

from .protocol import groups, payments

Columns = dict[str, list]


@dataclass(frozen=True)
class GroupAnswer:
    """What a group was asked, and what it has answered."""

    response: groups.QueryGroupResponse

    @property
    def question(self) -> groups.GroupQuestion:
        """The question that was answered: the one that was asked, on the grid."""
        return self.response.question

    @property
    def gathered(self) -> datetime:
        """When the data was gathered that the answer is made of."""
        return self.response.gathered.ToDatetime(tzinfo=timezone.utc)

    @property
    def payment(self) -> payments.Payment | None:
        """What is to be paid before there is an answer: on its payment_url as long as it is PENDING."""
        return self.response.payment if self.response.HasField("payment") else None

    def buckets(self) -> Columns:
        """A row for each kind and bucket of time: persons, mean and standard deviation, in the unit of the kind."""
        results = self.response.answer.results
        columns: Columns = {
            "metric": [r.metric for r in results], "from_date": [r.from_date for r in results],
            "to_date": [r.to_date for r in results], "is_withheld": [r.is_withheld for r in results],
        }  # fmt: skip
        for name in ("persons", "mean", "standard_deviation"):
            columns |= _estimates(name, results)
        return columns

    def quantiles(self) -> Columns:
        """A row for each share of the persons, kind and bucket."""
        rows = [(r, q) for r in self.response.answer.results for q in r.quantiles]
        return {
            "metric": [r.metric for r, _ in rows], "from_date": [r.from_date for r, _ in rows],
            "share": [q.share for _, q in rows], "value": [q.estimate.value for _, q in rows],
            "value_error": [q.estimate.error for _, q in rows],
        }  # fmt: skip

    def histogram(self) -> Columns:
        """A row for each bin, kind and bucket: its ends, in the unit of the kind, and how many persons are in it."""
        rows = [(r, n, bin_) for r in self.response.answer.results for n, bin_ in enumerate(r.histogram)]

        def edge(result: groups.GroupResult, number: int) -> float:
            width = (result.scale_to - result.scale_from) / len(result.histogram)
            return result.scale_from + number * width

        return {
            "metric": [r.metric for r, _, _ in rows], "from_date": [r.from_date for r, _, _ in rows],
            "lower": [edge(r, n) for r, n, _ in rows], "upper": [edge(r, n + 1) for r, n, _ in rows],
            "persons": [b.value for _, _, b in rows], "persons_error": [b.error for _, _, b in rows],
        }  # fmt: skip

    def profile(self) -> Columns:
        """A row for each kind and hour of the day."""
        rows = [(p, h) for p in self.response.answer.profiles for h in p.hours]
        columns: Columns = {
            "metric": [p.metric for p, _ in rows], "hour": [h.hour for _, h in rows],
            "is_withheld": [h.is_withheld for _, h in rows],
        }  # fmt: skip
        for name in ("persons", "mean"):
            columns |= _estimates(name, [h for _, h in rows])
        return columns


@dataclass(frozen=True)
class GroupExport:
    """Rows about a group: made-up persons, of whom none is one of those asked about."""

    response: groups.ExportGroupResponse
    """What they are made of: `response.records`; what they cost, and what is left."""
    data: bytes
    """The file, as it came."""
    format: str

    @property
    def question(self) -> groups.GroupQuestion:
        """The question that was answered: the one that was asked, on the grid."""
        return self.response.question

    @property
    def payment(self) -> payments.Payment | None:
        """What is to be paid before there are rows, as with an answer."""
        return self.response.payment if self.response.HasField("payment") else None

    def columns(self) -> Columns:
        """A row for each made-up person; age_to is None where there is no limit."""
        text = self.data.decode()
        rows = [json.loads(line) for line in text.splitlines()] if self.format == "ndjson" else csv.DictReader(io.StringIO(text))
        columns: Columns = {name: [] for name in _ROW}
        for row in rows:
            for name, read in _ROW.items():
                columns[name].append(read(row[name]) if row[name] not in (None, "") else None)
        return columns


_ROW = {"metric": str, "age_from": int, "age_to": int, "sex": str, "value_from": float, "value_to": float, "value": float}


def _estimates(name: str, messages: list[Message]) -> Columns:
    told = [getattr(m, name) if m.HasField(name) else None for m in messages]
    return {name: [t and t.value for t in told], f"{name}_error": [t and t.error for t in told]}


def question(
    metrics: list[str], from_date: str, to_date: str, *, statistics: tuple[str, ...] = ("mean",), buckets: str = "",
    precision: str = "medium", sex: str = "", area: str = "", **filters,
) -> groups.GroupQuestion:  # fmt: skip
    """A question with its choices as words: `question(["heart_rate"], "2026-11-01", "2026-11-30", buckets="week")`.

    :param statistics: of "mean", "standard_deviation", "histogram", "quantiles" and "hour_profile"; none for rows.
    :param buckets: "day", "week", "month", or none.
    :param precision: "low", "medium" or "high".
    :param sex: "female", "male", or both.
    :param area: the code of an area, such as "IT-R03"; TrackMeClient.group_areas finds it.
    :param filters: other fields of GroupQuestion.
    :raises ValueError: for a word that is none of these.
    """

    def number(enum, word: str) -> int:
        return enum.Value(f"{enum.DESCRIPTOR.name.replace('Group', 'GROUP_').upper()}_{(word or 'unspecified').upper()}")

    return groups.GroupQuestion(
        metrics=metrics, from_date=from_date, to_date=to_date, buckets=number(groups.GroupBuckets, buckets),
        statistics=[number(groups.GroupStatistic, s) for s in statistics],
        precision=number(groups.GroupPrecision, precision), sex=number(groups.GroupSex, sex), area=area,
        **filters,
    )  # fmt: skip
