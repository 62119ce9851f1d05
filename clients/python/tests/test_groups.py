"""Answers about groups, as columns."""

import pytest

from trackme.groups import GroupAnswer, GroupExport, question
from trackme.protocol import groups, payments


def estimate(value: float, error: float) -> groups.GroupEstimate:
    return groups.GroupEstimate(value=value, error=error)


@pytest.fixture
def answer() -> GroupAnswer:
    told = groups.GroupResult(
        metric="heart_rate", from_date="2026-11-01", to_date="2026-11-07", persons=estimate(1_200, 20),
        mean=estimate(70, 1.5), histogram=[estimate(3, 28), estimate(5, 28)], scale_from=40, scale_to=130,
        quantiles=[groups.GroupQuantile(share=0.5, estimate=estimate(69, 2))],
    )  # fmt: skip
    withheld = groups.GroupResult(metric="heart_rate", from_date="2026-11-08", to_date="2026-11-14", is_withheld=True)
    hours = [
        groups.GroupHour(hour=0, persons=estimate(1_100, 20), mean=estimate(60, 1)),
        groups.GroupHour(hour=1, is_withheld=True),
    ]
    profile = groups.GroupProfile(metric="heart_rate", hours=hours)
    return GroupAnswer(
        groups.QueryGroupResponse(answer=groups.GroupAnswer(results=[told, withheld], profiles=[profile]))
    )


def test_what_is_to_be_paid_is_a_payment_and_beside_an_answer_is_none(answer):
    due = payments.Payment(payment_id="1", state=payments.PAYMENT_STATE_PENDING, payment_url="https://pay/1")
    assert GroupAnswer(groups.QueryGroupResponse(payment=due)).payment == due and answer.payment is None


def test_buckets_are_columns_and_what_is_not_told_is_none(answer):
    columns = answer.buckets()
    assert {len(c) for c in columns.values()} == {2}
    assert columns["from_date"] == ["2026-11-01", "2026-11-08"] and columns["is_withheld"] == [False, True]
    assert columns["persons"] == [1_200, None] and columns["persons_error"] == [20, None]
    assert columns["mean"] == [70, None] and columns["mean_error"] == [1.5, None]
    assert columns["standard_deviation"] == [None, None]


def test_histogram_quantiles_and_profile_are_columns(answer):
    assert answer.histogram() == {
        "metric": ["heart_rate"] * 2, "from_date": ["2026-11-01"] * 2, "lower": [40, 85], "upper": [85, 130],
        "persons": [3, 5], "persons_error": [28, 28],
    }  # fmt: skip
    assert answer.quantiles()["value"] == [69] and answer.quantiles()["share"] == [0.5]
    assert answer.profile()["mean"] == [60, None] and answer.profile()["hour"] == [0, 1]


CSV = b"""metric,age_from,age_to,sex,value_from,value_to,value
steps,18,29,female,150.0,300.0,225.0
steps,80,,male,0.0,150.0,75.0
"""
NDJSON = b"""
{"metric":"steps","age_from":18,"age_to":29,"sex":"female","value_from":150.0,"value_to":300.0,"value":225.0}
{"metric":"steps","age_from":80,"age_to":null,"sex":"male","value_from":0.0,"value_to":150.0,"value":75.0}
""".lstrip()


@pytest.mark.parametrize("data, format", [(CSV, "csv"), (NDJSON, "ndjson")])
def test_rows_are_columns(data, format):
    assert GroupExport(groups.ExportGroupResponse(), data, format).columns() == {
        "metric": ["steps"] * 2, "age_from": [18, 80], "age_to": [29, None], "sex": ["female", "male"],
        "value_from": [150, 0], "value_to": [300, 150], "value": [225, 75],
    }  # fmt: skip


@pytest.mark.parametrize("format", ["csv", "ndjson"])
def test_of_a_dry_run_there_are_no_rows(format):
    assert set(map(len, GroupExport(groups.ExportGroupResponse(), b"", format).columns().values())) == {0}


def test_a_question_takes_words():
    asked = question(
        ["steps"], "2026-11-01", "2026-11-30", statistics=("quantiles", "standard_deviation"), buckets="week",
        precision="high", sex="female", from_age=60, area="IT-R03",
    )  # fmt: skip
    assert asked.buckets == groups.GROUP_BUCKETS_WEEK and asked.precision == groups.GROUP_PRECISION_HIGH
    assert list(asked.statistics) == [groups.GROUP_STATISTIC_QUANTILES, groups.GROUP_STATISTIC_STANDARD_DEVIATION]
    assert asked.sex == groups.GROUP_SEX_FEMALE and asked.from_age == 60 and asked.area == "IT-R03"
    plain = question(["steps"], "2026-11-01", "2026-11-30")
    assert plain.buckets == groups.GROUP_BUCKETS_UNSPECIFIED and plain.sex == groups.GROUP_SEX_UNSPECIFIED
    assert plain.precision == groups.GROUP_PRECISION_MEDIUM


@pytest.mark.parametrize("wrong", [{"buckets": "hour"}, {"precision": "best"}, {"statistics": ("mode",)}, {"sex": "x"}])
def test_a_word_that_is_none_of_them_is_an_error(wrong):
    with pytest.raises(ValueError):
        question(["steps"], "2026-11-01", "2026-11-30", **wrong)
