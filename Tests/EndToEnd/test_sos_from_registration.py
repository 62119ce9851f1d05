"""Who is called for from registration on, and default limits of blood glucose, over the wire: devices push, a dispatcher
takes the calls (A-R13, A-R14, A-R15, B-UC.1)."""

from datetime import date

import grpc
import pytest

from trackme.protocol import emergencies, identity

from accounts import today
from dispatchers import Handling
from failures import fails
from patients import Patient

pytestmark = pytest.mark.strict

CALL_S = 5


def years_ago(years: int) -> date:
    return date(today().year - years, 1, 2)


@pytest.fixture
def rescue(accounts):
    """A dispatcher who has a stream open."""
    with Handling(accounts.dispatcher()) as handling:
        yield handling


@pytest.fixture
def patients(accounts):
    made = []

    def make(*arguments, **registration) -> Patient:
        made.append(Patient(accounts, *arguments, **registration))
        return made[-1]

    yield make
    for patient in made:
        patient.leave()


@pytest.mark.parametrize(
    "age, choice, is_on",
    [
        (30, identity.SOS_CHOICE_ON, True), (30, identity.SOS_CHOICE_UNSPECIFIED, False),
        (70, identity.SOS_CHOICE_OFF, False), (70, identity.SOS_CHOICE_UNSPECIFIED, True),
    ],
)  # fmt: skip
def test_the_choice_at_registration_holds_from_the_first_reading_on(patients, rescue, age, choice, is_on):
    patient = patients(years_ago(age), automated_sos=choice)
    patient.cross()
    if is_on:
        rescue.accept(patient.number)
    else:
        assert rescue.kinds(patient, patients(years_ago(70))) == []
    assert patient.member.ask("GetSosSettings").settings.enabled == is_on
    # It can be changed at any time.
    patient.choose(enabled=not is_on)
    assert patient.member.ask("GetSosSettings").settings.enabled != is_on


def test_a_choice_that_is_none_is_named(accounts):
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "automated_sos"):
        accounts.person(automated_sos=7)


@pytest.mark.parametrize("age", [9, pytest.param(40, marks=pytest.mark.long)])
def test_glucose_calls_below_54_mg_per_dl_of_adults_and_children(patients, rescue, age):
    patient = patients(years_ago(age), automated_sos=identity.SOS_CHOICE_ON)
    patient.measure(54, "blood_glucose")
    with pytest.raises(TimeoutError):
        rescue.notice(patient.number, seconds=CALL_S)
    # One value: a sensor's next one comes in minutes.
    patient.measure(53, "blood_glucose")
    emergency = rescue.accept(patient.number)
    [crossing] = emergency.crossings
    assert (crossing.kind, crossing.metric) == (emergencies.CROSSING_KIND_LOW, "blood_glucose")
    assert [(r.value, r.unit) for r in crossing.readings] == [(53, "mg/dL")]
    assert (crossing.limit, crossing.value, crossing.hold_ms) == (54, 53, 3_000)
    assert crossing.rule_version == ("news2-2017.2" if age >= 16 else "glucose-2025.1")
    # One milligram more is the same emergency.
    patient.measure(55, "blood_glucose")
    patient.cross(52, "blood_glucose")
    assert len(patient.emergencies()) == 1
