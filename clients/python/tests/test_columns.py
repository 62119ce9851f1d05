"""Rows and columns say the same."""

import math

import pytest

from trackme import Position, Reading, UnknownMetric, Waveform
from trackme.columns import columns_to_rows, message_to_row, row_to_message, rows_to_columns
from trackme.metrics import KnownMetrics
from trackme.protocol import readings

from fake_server import METRICS

KNOWN = KnownMetrics.of(METRICS)
ROWS = [
    Reading(7, "heart_rate", 1_000_000, 61.0),
    Reading(8, "heart_rate", 2_000_000, 62.5),
    Reading(7, "position", 3_000_000, Position(45.0, 9.0, altitude=120.0, speed=2.5)),
    Reading(7, "position", 4_000_000, Position(45.1, 9.1)),
    Reading(8, "ecg", 5_000_000, Waveform(250.0, (0.1, 0.2, 0.3))),
    Reading(8, "ecg", 6_000_000, Waveform(500.0, (0.4,))),
]


def test_rows_survive_the_way_through_columns():
    assert columns_to_rows(rows_to_columns(ROWS, KNOWN), KNOWN) == ROWS


def test_rows_survive_the_way_through_messages():
    assert [message_to_row(row_to_message(row)) for row in ROWS] == ROWS


def test_columns_are_ordered_by_kind():
    shuffled = [ROWS[4], ROWS[2], ROWS[0], ROWS[5], ROWS[3], ROWS[1]]
    assert columns_to_rows(rows_to_columns(shuffled, KNOWN), KNOWN) == ROWS


def test_a_column_of_one_value_has_one_entry():
    rows = [Reading(7, "heart_rate", t, 60.0, "strap") for t in range(5)]
    scalars = rows_to_columns(rows, KNOWN).scalars
    assert (list(scalars.person_id), list(scalars.metric), list(scalars.source)) == ([7], [1], [0])
    assert len(scalars.time_us) == len(scalars.value) == 5


def test_an_entry_alone_counts_for_all_readings():
    columns = readings.ReadingColumns(sources=["strap"])
    columns.scalars.person_id.append(7)
    columns.scalars.metric.append(1)
    columns.scalars.source.append(0)
    columns.scalars.time_us.extend([1, 2])
    columns.scalars.value.extend([60, 61])
    assert columns_to_rows(columns, KNOWN) == [
        Reading(7, "heart_rate", 1, 60.0, "strap"),
        Reading(7, "heart_rate", 2, 61.0, "strap"),
    ]


def test_no_source_column_where_no_row_has_a_source():
    columns = rows_to_columns(ROWS, KNOWN, client_id="phone")
    assert not columns.sources and not columns.scalars.source


def test_rows_without_source_get_the_client_where_others_have_one():
    rows = [Reading(7, "heart_rate", 1, 60.0, "cuff"), Reading(7, "heart_rate", 1, 61.0)]
    assert [r.source for r in columns_to_rows(rows_to_columns(rows, KNOWN, "phone"), KNOWN)] == ["cuff", "phone"]


def test_unknown_is_not_a_number_in_columns():
    columns = rows_to_columns(ROWS[2:4], KNOWN)
    assert columns.positions.altitude[0] == 120.0 and math.isnan(columns.positions.altitude[1])
    assert not columns.positions.course


@pytest.mark.parametrize("part, column", [("scalars", "person_id"), ("scalars", "value"), ("waveforms", "samples")])
def test_columns_that_do_not_fit_are_refused(part, column):
    columns = rows_to_columns(ROWS * 2, KNOWN)
    getattr(getattr(columns, part), column).append(1)
    with pytest.raises(ValueError):
        columns_to_rows(columns, KNOWN)


def test_an_unknown_metric_is_named():
    with pytest.raises(UnknownMetric, match="mood"):
        rows_to_columns([Reading(7, "mood", 1, 1.0)], KNOWN)
