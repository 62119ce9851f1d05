"""Part of the demo: what 1,200 persons add up to, and nothing about any of them."""

from __future__ import annotations

import random
import subprocess
import time
from datetime import date, datetime, timedelta, timezone
from pathlib import Path

import grpc
from consent import Caller, log_in, new_password, tell

from trackme.protocol import (
    AdminServiceStub,
    GroupServiceStub,
    IdentityServiceStub,
    IngestServiceStub,
    admin,
    groups,
    identity,
    ingest,
    readings,
)

PERSONS = 1_200
PATIENCE_S = 60.0
HOUR_US = 3_600_000_000


def prepare(channel: grpc.Channel, trackme: Path, data: Path) -> tuple[date, float]:
    """Adds the persons, with a pulse of each for every hour of yesterday; that day, and when they were committed."""
    seeded = subprocess.run(
        [trackme, "seed-persons", "--data-dir", data, "--count", str(PERSONS)],
        capture_output=True, text=True, check=True, timeout=PATIENCE_S,
    )  # fmt: skip
    persons = [int(line) for line in seeded.stdout.split()]
    yesterday = datetime.now(timezone.utc).date() - timedelta(days=1)
    midnight = datetime(yesterday.year, yesterday.month, yesterday.day, tzinfo=timezone.utc)
    began = int(midnight.timestamp()) * 1_000_000
    own = [(person, random.gauss(70, 10)) for person in persons]
    batches = [
        readings.ReadingColumns(
            scalars=readings.ScalarColumns(
                person_id=persons, metric=[1], time_us=[began + hour * HOUR_US] * PERSONS,
                value=[min(max(random.gauss(mean, 5), 40), 180) for _, mean in own],
            )
        )
        for hour in range(24)
    ]  # fmt: skip
    token = (data / "operator.token").read_text().strip()
    frames = [ingest.PushReadingsRequest(hello=ingest.PushHello(client_id="demo-group"))]
    frames += [
        ingest.PushReadingsRequest(batch=ingest.ReadingBatch(sequence=number, readings=batch))
        for number, batch in enumerate(batches, 1)
    ]
    metadata = [("authorization", f"Bearer {token}")]
    answers = IngestServiceStub(channel).PushReadings(iter(frames), metadata=metadata, timeout=PATIENCE_S)
    accepted = sum(a.accepted for answer in answers for a in answer.acknowledgements.acknowledgements)
    if accepted != PERSONS * 24:
        raise RuntimeError(f"of {PERSONS * 24} readings of a group, {accepted} were committed")
    return yesterday, time.time()


def show(channel: grpc.Channel, administrator: str, password: str, day: date, committed: float) -> bool:
    """Asks about all of them, and about some; whether both ended as they must."""
    service, institute = GroupServiceStub(channel), register(channel, administrator, password)

    def ask(
        dry_run: bool = False, precision: int = groups.GROUP_PRECISION_HIGH, **filters
    ) -> groups.QueryGroupResponse:
        question = groups.GroupQuestion(
            metrics=["heart_rate"], from_date=day.isoformat(), to_date=day.isoformat(),
            statistics=[groups.GROUP_STATISTIC_MEAN], precision=precision, **filters,
        )  # fmt: skip
        return institute.call(service.QueryGroup, groups.QueryGroupRequest(question=question, dry_run=dry_run))

    # The data that answers are made of follows the log at a distance.
    end = time.monotonic() + PATIENCE_S
    while (told := ask(dry_run=True)).gathered.seconds <= committed and time.monotonic() < end:
        time.sleep(0.5)
    tell("research", f"asks for the mean pulse of everybody yesterday, which costs their privacy ρ = {told.cost.rho:.4f}")
    answer = ask()
    result = answer.answer.results[0]
    tell("answer", f"{result.persons.value:.0f} ± {result.persons.error:.0f} persons, "
         f"{result.mean.value:.1f} ± {result.mean.error:.1f} beats per minute")  # fmt: skip
    same = ask()
    tell("research", f"asks again: the same answer, for nothing; ρ = {same.budget.left.rho:.4f} is left of this year's budget")
    try:
        # Of its share of the budget little is left, and it costs less.
        ask(sex=groups.GROUP_SEX_FEMALE, precision=groups.GROUP_PRECISION_MEDIUM)
    except grpc.RpcError as error:
        tell("refusal", f"of the women, of whom there are {PERSONS // 2}: {error.details()}")
        is_refused = error.code() == grpc.StatusCode.FAILED_PRECONDITION
    else:
        is_refused = False
    is_near = abs(result.persons.value - PERSONS) < 6 * result.persons.error
    return is_near and same.answer == answer.answer and same.budget == answer.budget and is_refused


def register(channel: grpc.Channel, administrator: str, password: str) -> Caller:
    """A third party, with a code of the administrator."""
    keeper, _ = log_in(channel, administrator, password)
    code = keeper.call(
        AdminServiceStub(channel).IssueThirdPartyCode,
        admin.IssueThirdPartyCodeRequest(company="Istituto Galeno", kind=identity.HOLDER_KIND_RESEARCH_INSTITUTE),
    ).code
    own = new_password()
    Caller(channel).call(
        IdentityServiceStub(channel).RegisterThirdParty,
        identity.RegisterThirdPartyRequest(
            username="galeno", email="galeno@example.org", password=own, description="Epidemiology",
            code=code,
        ),
    )  # fmt: skip
    return log_in(channel, "galeno", own)[0]
