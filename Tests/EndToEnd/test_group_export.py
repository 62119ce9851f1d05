"""Rows about anonymous groups: made-up persons, drawn from noisy tables, under the budget of all answers (A-R9, A-R10,
B-R.R4 to B-R.R6, B-R.D6)."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import statistics
from collections import Counter
from dataclasses import dataclass

import grpc
import pytest

from trackme import TrackMeClient
from trackme.protocol import groups

from accounts import Party
from failures import fails
from group_town import HOUR_US, Town, day, midnight_us, timed
from server_process import wait_until

pytestmark = pytest.mark.strict

PERSONS = 3_000
NUMBER = 0.001_25
"""ρ of a number of high precision."""
COLUMNS = ["metric", "age_from", "age_to", "sex", "value_from", "value_to", "value"]
CSV, NDJSON = groups.GROUP_EXPORT_FORMAT_CSV, groups.GROUP_EXPORT_FORMAT_NDJSON
LOW, WIDTH, BINS = 40, 4.5, 20


def pulse(number: int) -> float:
    """Of women 66.5 to 80, of men 80.5 to 94: in the middle of a bin."""
    return 64.75 + WIDTH * (number // 2 % 3 + (3 if number % 2 else 0))


def age(number: int) -> int:
    """As seed-persons has it."""
    return 18 + number // 2 % 70


@pytest.fixture(scope="module")
def town():
    """3,000 persons with a pulse, of whom 999 have their oxygen taken. There is budget enough for everything."""
    made = Town(TRACKME_GROUP_BUDGET="10000000", TRACKME_GROUP_BUDGET_OF_ALL="10000000")
    made.persons = made.seed(PERSONS, "heart_rate", "blood_oxygen")
    made.push("heart_rate", ((p, midnight_us() + h * HOUR_US, pulse(n)) for n, p in enumerate(made.persons) for h in (8, 20)))
    made.push("blood_oxygen", ((p, midnight_us() + 9 * HOUR_US, 97) for p in made.persons[:999]))
    made.gathered()
    yield made
    made.close()


@pytest.fixture(scope="module")
def institute(town):
    return town.accounts.third_party()


@dataclass
class Export:
    first: groups.ExportGroupResponse
    parts: list[bytes]

    @property
    def data(self) -> bytes:
        return b"".join(self.parts)

    @property
    def table(self) -> groups.GroupTable:
        (table,) = self.first.records.tables
        return table


def question(**changes) -> groups.GroupQuestion:
    fields = {
        "metrics": ["heart_rate"], "from_date": day().isoformat(), "to_date": day().isoformat(),
        "precision": groups.GROUP_PRECISION_HIGH, **changes,
    }  # fmt: skip
    return groups.GroupQuestion(**fields)


def export(party, format: int = CSV, dry_run: bool = False, **changes) -> Export:
    first, *later = party.ask("ExportGroup", question=question(**changes), format=format, dry_run=dry_run)
    assert not first.data and all(m.data and not m.HasField("question") for m in later)
    return Export(first, [m.data for m in later])


def rows(exported: Export, format: int = CSV) -> list[tuple]:
    """As Python's own readers have them: metric, age_from, age_to, sex, value_from, value_to, value."""
    text = exported.data.decode()
    if format == NDJSON:
        read = [json.loads(line) for line in text.splitlines()]
    else:
        read = list(csv.DictReader(io.StringIO(text), strict=True))
    assert all(list(row) == COLUMNS for row in read)
    return [
        (row["metric"], int(row["age_from"]), int(row["age_to"]) if row["age_to"] else None, row["sex"],
         *(float(row[name]) for name in COLUMNS[4:]))
        for row in read
    ]  # fmt: skip


def strata_of(numbers: range) -> Counter:
    """How many persons there are of each age group and sex."""
    def begins(years: int) -> int:
        return 18 if years < 30 else min(years // 10 * 10, 80)

    return Counter((begins(age(n)), "male" if n % 2 else "female") for n in numbers)


# The rows


def test_csv_and_ndjson_have_the_same_rows_one_for_each_person(town):
    party = town.accounts.third_party()
    first, second = export(party), export(party, NDJSON)
    told = rows(first)
    assert told == rows(second, NDJSON) and first.first == second.first
    assert first.data.startswith(",".join(COLUMNS).encode() + b"\n")
    assert len(told) == sum(first.table.counts) == first.table.persons.value >= 1_000
    assert abs(len(told) - PERSONS) <= 5 * first.table.persons.error
    assert all(len(part) <= 64 << 10 and part.endswith(b"\n") for part in second.parts) and len(second.parts) > 3


def test_the_rows_are_spread_as_the_persons_are(town, institute):
    exported = export(institute, minimum_persons=1_001)
    told, table = rows(exported), exported.table
    assert 0 < table.bin_error < 28.3 and 0 < table.stratum_error < 28.3
    bins, truth = Counter(row[6] for row in told), Counter(pulse(n) for n in range(PERSONS))
    for value in (LOW + WIDTH * (n + 0.5) for n in range(BINS)):
        assert abs(bins[value] - truth[value]) <= 5 * table.bin_error + 1, value
    strata, truth = Counter((row[1], row[3]) for row in told), strata_of(range(PERSONS))
    assert set(strata) <= set(truth) and len(truth) == 14
    for stratum, count in truth.items():
        assert abs(strata[stratum] - count) <= 5 * table.stratum_error + 1, stratum
    # Women and men have no value in common, and that is seen.
    def mean(sex: str) -> float:
        return statistics.fmean(row[6] for row in told if row[3] == sex)

    truth = statistics.fmean(pulse(n) for n in range(1, PERSONS, 2)) - statistics.fmean(pulse(n) for n in range(0, PERSONS, 2))
    assert 0.6 < table.sex_association <= 1 and 0.6 * truth < mean("male") - mean("female") < 1.2 * truth
    assert 0 <= table.age_association < 0.7, "ages have no part in it"


def test_whoever_is_asked_about_is_in_the_rows_and_nobody_else(town, institute):
    told = rows(export(institute, sex=groups.GROUP_SEX_FEMALE, from_age=25, to_age=84))
    assert {row[3] for row in told} == {"female"}
    assert {row[1:3] for row in told} <= {(25, 29), *((n, n + 9) for n in range(30, 80, 10)), (80, 84)}
    assert abs(len(told) - sum(25 <= age(n) <= 84 and n % 2 == 0 for n in range(PERSONS))) <= 5 * 20


def test_nothing_in_a_row_is_of_one_person(town, institute):
    """Every row is one of 280 that were known before anybody was asked; in the file there is nothing else."""
    exported = export(institute)
    ages = {(18, 29), *((n, n + 9) for n in range(30, 80, 10)), (80, None)}
    bins = {(LOW + WIDTH * n, LOW + WIDTH * (n + 1), LOW + WIDTH * (n + 0.5)) for n in range(BINS)}
    for row in set(rows(exported)):
        assert row[0] == "heart_rate" and row[1:3] in ages and row[3] in ("female", "male") and row[4:] in bins
    lines = exported.data.decode().splitlines()[1:]
    order = [line for n, line in enumerate(lines) if n == 0 or lines[n - 1] != line]
    assert len(order) == len(set(order)), "what is alike stands together: the order tells nothing more"
    with town.server.connect() as database:
        known = database.execute("SELECT fiscal_code, family_name, given_names FROM person LIMIT 2000").fetchall()
    text = exported.data.decode().upper() + exported.first.SerializeToString().decode(errors="ignore").upper()
    assert known and not [word for words in known for word in words if word.upper() in text]


def test_the_python_client_has_them_as_columns(town, institute):
    async def ask(format: str):
        async with TrackMeClient(town.server.target, institute.token) as client:
            return await client.export_group(question(), format=format)

    first, second = asyncio.run(ask("csv")), asyncio.run(ask("ndjson"))
    assert first.columns() == second.columns() and list(first.columns()) == COLUMNS
    assert list(zip(*first.columns().values())) == rows(export(institute))


# What it costs, and when there are none


def test_the_same_question_has_the_same_bytes_and_costs_once(town):
    party = town.accounts.third_party()
    first = export(party, from_weight_kg=53)
    assert first.first.cost.rho == pytest.approx(4 * NUMBER) and first.first.budget.spent == first.first.cost
    again = export(party, from_weight_kg=50, statistics=[groups.GROUP_STATISTIC_RECORDS], time_zone="UTC")
    assert again == first, "the budget is the same as well"
    # Another third party pays for it as well, and gets the same.
    other = export(town.accounts.third_party(), from_weight_kg=51)
    assert other.data == first.data and other.first.budget.spent == first.first.cost
    # It is another question than one for an answer.
    spent = party.ask("QueryGroup", question=question(from_weight_kg=50)).budget.spent
    assert spent.rho == pytest.approx(5 * NUMBER)


def test_of_one_age_group_and_sex_it_costs_two_numbers(town, institute):
    told = export(institute, dry_run=True, sex=groups.GROUP_SEX_MALE, from_age=60, to_age=69)
    assert told.first.cost.rho == pytest.approx(2 * NUMBER)


def test_a_dry_run_costs_nothing_and_tells_what_it_would(town):
    party = town.accounts.third_party()
    told = export(party, dry_run=True, metrics=["heart_rate", "steps"])
    assert told.first.cost.rho == pytest.approx(2 * 4 * NUMBER) and told.parts == []
    assert not told.first.HasField("records") and told.first.gathered.seconds > 0
    assert told.first.budget.spent.rho == 0 == party.ask("GetGroupBudget").budget.spent.rho


def test_a_group_of_999_is_refused_as_an_answer_is(town):
    party = town.accounts.third_party()
    failures = []
    for rpc in ("QueryGroup", "ExportGroup"):
        with fails(grpc.StatusCode.FAILED_PRECONDITION) as failure:
            answer = party.ask(rpc, question=question(metrics=["blood_oxygen"]))
            list(answer if rpc == "ExportGroup" else [])
        failures.append((failure.reason, failure.message))
    assert failures[0] == failures[1] and failures[0][0] == "GROUP_TOO_SMALL"
    assert party.ask("GetGroupBudget").budget.spent.rho == pytest.approx(2 * NUMBER), "the count of each was looked at"


def test_of_two_kinds_the_one_with_too_few_is_withheld(town):
    exported = export(town.accounts.third_party(), metrics=["heart_rate", "blood_oxygen"])
    few, many = exported.first.records.tables
    assert few.metric == "blood_oxygen" and few.is_withheld and not few.counts and not few.HasField("persons")
    assert not many.is_withheld and {row[0] for row in rows(exported)} == {"heart_rate"}
    assert exported.first.cost.rho == pytest.approx((1 + 4) * NUMBER) and exported.first.budget.spent == exported.first.cost


@pytest.mark.parametrize(
    "field, changes",
    [
        ("question.buckets", {"buckets": groups.GROUP_BUCKETS_DAY}), ("question.buckets", {"buckets": 9}),
        ("question.statistics[0]", {"statistics": [groups.GROUP_STATISTIC_MEAN]}),
        ("question.statistics[0]", {"statistics": [9]}),
        ("format", {"format": 9}), ("question.metrics", {"metrics": []}), ("question.metrics", {"metrics": ["steps"] * 11}),
        ("question.metrics[0]", {"metrics": ["position"]}), ("question.to_age", {"to_age": 17}),
        ("question.time_zone", {"time_zone": "Europe/Atlantis"}), ("question.minimum_persons", {"minimum_persons": 999}),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_question_is_named_and_costs_nothing(town, institute, field, changes):
    before = institute.ask("GetGroupBudget").budget
    with fails(grpc.StatusCode.INVALID_ARGUMENT, field):
        export(institute, **changes)
    assert institute.ask("GetGroupBudget").budget == before


def test_rows_are_not_a_statistic_of_an_answer(institute):
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "question.statistics[1]"):
        institute.ask(
            "QueryGroup", question=question(statistics=[groups.GROUP_STATISTIC_MEAN, groups.GROUP_STATISTIC_RECORDS]))


def test_the_first_message_takes_whole_tenths_of_a_second(town, institute):
    for changes in ({"minimum_persons": 1_002}, {"metrics": ["blood_oxygen"]}):
        def call():
            try:
                next(institute.ask("ExportGroup", question=question(**changes)))
            except grpc.RpcError as error:
                assert error.code() == grpc.StatusCode.FAILED_PRECONDITION

        _, seconds = timed(call)
        assert seconds >= 0.1


def test_persons_see_that_rows_were_given(town, institute):
    asked = export(institute, from_hour=7).first.question
    woman = Party(town.server.target, town.server.person_token(town.persons[0]))
    told = [d for d in woman.ask("ListGroupDisclosures").disclosures if d.question == asked]
    assert [d.third_party_id for d in told] == [institute.account_id]
    assert list(asked.statistics) == [groups.GROUP_STATISTIC_RECORDS]
    woman.channel.close()


def test_who_goes_while_rows_are_made_has_paid_for_them_and_finds_them(town):
    party = town.accounts.third_party()

    def spent() -> float:
        return party.ask("GetGroupBudget").budget.spent.rho

    waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE %s"
    with town.server.connect() as database, database.transaction():
        # Nobody can read what the rows are made of.
        database.execute("LOCK TABLE group_cell")
        call = party.ask("ExportGroup", question=question(from_hour=3))
        wait_until(lambda: town.server.sql(waiting, ("%FROM group_cell%",)) == [(1,)], 30, "the export")
        assert spent() == pytest.approx(4 * NUMBER), "it is reserved before anything is read"
        call.cancel()
        told = "SELECT count(*) FROM group_disclosure WHERE third_party = %s"
        assert town.server.sql(told, (party.account_id,)) == [(0,)]
    wait_until(lambda: town.server.sql(told, (party.account_id,)) == [(1,)], what="the rows that nobody waits for")
    assert rows(export(party, from_hour=3)) and spent() == pytest.approx(4 * NUMBER)


def test_who_stops_reading_stops_the_export(town, institute):
    """And harms nobody: nothing is kept of it but what is in flight."""
    calls = [institute.ask("ExportGroup", question=question(), format=NDJSON) for _ in range(20)]
    assert len({next(call).records.SerializeToString() for call in calls}) == 1
    for call in calls:
        call.cancel()
    assert rows(export(institute))


# With the budget of a third party as it is where nobody sets it


@pytest.fixture(scope="module")
def border():
    """Women who are 30 on the day asked for, and men who are a day younger. All together have enough for everybody's budget."""
    made = Town(TRACKME_GROUP_BUDGET_OF_ALL="1000000")
    persons = made.seed(PERSONS, "heart_rate")
    with made.server.connect() as database:
        database.execute(
            "UPDATE person SET date_of_birth = (%s::date - interval '30 years')::date + (sex = 'male')::integer",
            [day().isoformat()],
        )
    made.push("heart_rate", ((p, midnight_us() + HOUR_US, pulse(n)) for n, p in enumerate(persons)))
    made.gathered()
    yield made
    made.close()


@pytest.mark.long
def test_ages_are_those_of_the_first_day_to_the_day(border):
    exported = export(border.accounts.third_party())
    strata, error = Counter((row[1], row[3]) for row in rows(exported)), exported.table.stratum_error
    for stratum, count in strata.items():
        truth = PERSONS / 2 if stratum in ((30, "female"), (18, "male")) else 0
        assert abs(count - truth) <= 5 * error + 1, (stratum, count)
    assert strata[30, "female"] > 1_000 < strata[18, "male"]


def test_rows_are_paid_for_from_the_budget_of_all_answers(border):
    """A third party has eight numbers a year."""
    party = border.accounts.third_party()
    kept = export(party)
    export(party, from_hour=1)
    assert party.ask("GetGroupBudget").budget.left.rho == 0
    for rpc in ("ExportGroup", "QueryGroup"):
        with fails(grpc.StatusCode.RESOURCE_EXHAUSTED) as failure:
            answer = party.ask(rpc, question=question(to_hour=5))
            list(answer if rpc == "ExportGroup" else [])
        assert failure.reason == "PRIVACY_BUDGET_SPENT"
    assert export(party).data == kept.data, "what was paid for stays"
