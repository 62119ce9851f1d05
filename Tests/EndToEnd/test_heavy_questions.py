"""What one account asks, however much, delays nobody else: not their calls, and above all not their alarms. In `make test`
`HeavyQuestionTests` and the checker of hostile callers prove the same."""

import time
from itertools import count

import grpc
import pytest

from trackme.protocol import ReadingServiceStub, reading_service

from accounts import Accounts
from patients import HOLD_S, SECOND_US, Patient, now_us, sos_environment
from server_process import ServerProcess, wait_until
from sms_gateway import SmsGateway
from stalls import since
from streams import METRIC_IDS, fresh_client, metadata, reading, readings

pytestmark = pytest.mark.long

HOURS, FULL_HOUR = 3, 900_000
"""Full hours, and the readings of each, near the limit: many seconds of work for a processor in a few dozen questions."""
BATCH = 10_000
HOUR_US = 3600 * SECOND_US
MINUTE = 3
OTHERS_S = 2
"""The longest that a call of somebody else may take: milliseconds, but for a machine that is busy with other things."""
ALARM_S = 5
ANSWERS_S = 300
"""Until a crowd of questions is answered, on a machine that has other things to do."""


@pytest.fixture(scope="module")
def city():
    """The server of this file, and who lives there."""
    with SmsGateway() as gateway:
        process = ServerProcess(sos_environment(gateway)).start()
        accounts = Accounts(process)
        yield accounts
        accounts.close()
        process.remove()


@pytest.fixture(scope="module")
def hog(city):
    """A person with very full hours, and when they began."""
    member = city.person()
    start = (now_us() // HOUR_US - 24) * HOUR_US
    step = HOUR_US // FULL_HOUR
    values = [60 + i % 40 for i in range(BATCH)]
    with city.keep(member.device()).push() as push:
        for number in range(HOURS * FULL_HOUR // BATCH):
            first = start + number * BATCH * step
            columns = readings.ReadingColumns(
                scalars=readings.ScalarColumns(
                    person_id=[member.account_id],
                    metric=[METRIC_IDS["heart_rate"]],
                    time_us=range(first, first + BATCH * step, step),
                    value=values,
                )
            )
            push.batch(number + 1, columns)
        for _ in range(HOURS * FULL_HOUR // BATCH):
            assert push.acknowledgement().rejected == 0
    return member, start


class Crowd:
    """Many questions of one account at once."""

    def __init__(self, member, start: int):
        stub = ReadingServiceStub(member.channel)
        span = {"from_us": start, "to_us": start + HOURS * HOUR_US}
        summary = reading_service.SummarizeReadingsRequest(metric="heart_rate", resolution=MINUTE, **span)
        page = reading_service.ListReadingsRequest(page_size=10_000, **span)
        export = reading_service.ExportReadingsRequest(**span)
        said = {"metadata": metadata(member.token), "timeout": 2 * ANSWERS_S}
        self.unary = [stub.SummarizeReadings.future(summary, **said) for _ in range(30)]
        self.unary += [stub.ListReadings.future(page, **said) for _ in range(15)]
        # Nobody reads them: they go on as far as flow control lets them.
        self.exports = [stub.ExportReadings(export, **said) for _ in range(10)]

    @property
    def is_answered(self) -> bool:
        return all(call.done() for call in self.unary)

    def statuses(self) -> list[grpc.StatusCode]:
        return [call.code() for call in self.unary]

    def cancel(self) -> None:
        for call in [*self.unary, *self.exports]:
            call.cancel()


@pytest.fixture
def other(city):
    """Somebody else, who is here before the questions come."""
    return Patient(city)


@pytest.fixture
def crowd(other, hog):
    crowd = Crowd(*hog)
    yield crowd
    crowd.cancel()


def test_many_heavy_questions_of_one_person_delay_nobody_else(other, crowd):
    begun, calls, slowest = time.monotonic(), 0, 0.0
    client, sequences = fresh_client(), count(1)
    while not crowd.is_answered and time.monotonic() < begun + 20:
        for ask in (
            lambda: other.member.ask("GetAccount"),
            lambda: other.device.record(
                [reading(other.number, now_us(), 70)], client_id=client, sequence=next(sequences)
            ),
            lambda: other.member.list(other.number, page_size=10),
        ):
            before = time.monotonic()
            ask()
            slowest = max(slowest, since(before))
            calls += 1
    assert calls, "the questions were answered before anybody else could ask"
    assert slowest < OTHERS_S, f"{calls} calls, the slowest {slowest:.2f} s"


def test_an_alarm_by_a_unary_call_is_raised_in_time_beside_heavy_questions(other, crowd):
    now, began = now_us(), time.monotonic()
    other.device.record([reading(other.number, now + ago, 35) for ago in (-HOLD_S * SECOND_US - 100_000, 0)])
    wait_until(other.emergencies, what="the emergency")
    assert since(began) < ALARM_S


def test_questions_beyond_those_that_may_wait_are_refused_with_a_reason(crowd):
    wait_until(lambda: crowd.is_answered, ANSWERS_S / 4, "the answers")
    codes = crowd.statuses()
    assert set(codes) == {grpc.StatusCode.OK, grpc.StatusCode.RESOURCE_EXHAUSTED}, codes
    refused = [call for call in crowd.unary if call.code() == grpc.StatusCode.RESOURCE_EXHAUSTED]
    assert any("questions" in call.details() for call in refused)
