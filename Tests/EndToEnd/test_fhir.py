"""An export as HL7 FHIR R4 (B-R.D2/3, A-R5): every reading is in it once, and every line is valid."""

import random
import time
from collections import Counter
from datetime import datetime
from decimal import Decimal

import grpc
import pytest

from trackme.columns import row_to_message
from trackme.protocol import access, reading_service, readings
from trackme.recordings import load
from trackme.values import Reading

from accounts import whole
from failures import fails
from fhir_reader import FHIR, PROFILES, Row, codes, loinc, microseconds, read, row_of
from server_process import ROOT, wait_until
from streams import fresh_client, reading, scalars

T0 = 1_700_000_000_000_000
SECOND_US, MINUTE_US, HOUR_US = 1_000_000, 60_000_000, 3_600_000_000
RECORDINGS = ROOT / "Tests/fixtures/recordings"
MESSAGE_BYTES_MAX = 4 << 20
"""What clients of gRPC take unless told otherwise."""


def fhir(caller, person=0, **options):
    return read(caller.export(person, format=FHIR, **options))


def exported_rows(caller, person) -> list:
    return [r for part in caller.export(person) for r in part.readings]


def ecg(person, time_us, samples, rate_hz=250.0, source=""):
    return readings.Reading(
        person_id=person, metric="ecg", time_us=time_us, source=source,
        waveform=readings.Waveform(rate_hz=rate_hz, samples=samples),
    )  # fmt: skip


def record(caller, rows):
    assert caller.record(rows).accepted == len(rows)


@pytest.mark.parametrize(
    "metric, value, profile, category, expected",
    [
        ("heart_rate", 72, "heartrate", "vital-signs", ["8867-4"]),
        ("respiratory_rate", 14, "resprate", "vital-signs", ["9279-1"]),
        ("body_temperature", 36.6, "bodytemp", "vital-signs", ["8310-5"]),
        ("weight", 74.25, "bodyweight", "vital-signs", ["29463-7"]),
        ("blood_oxygen", 97, "oxygensat", "vital-signs", ["59408-5", "2708-6"]),
        ("blood_glucose", 101.5, None, "laboratory", ["2339-0"]),
        ("steps", 12, None, "activity", ["55423-8"]),
    ],
)
def test_a_number_is_an_observation_with_the_codes_of_the_registry(
    operator, person, metric, value, profile, category, expected
):
    described = {m.name: m for m in operator.metrics()}[metric]
    record(operator, [reading(person, T0 + 1, value, metric=metric, source="watch")])
    export = fhir(operator, person)
    (o,) = export.observations
    assert [code for _, code in codes(o.code)] == expected and o.code.text == described.display_name
    assert described.loinc_code == expected[0]
    assert codes(o.category[0])[0][1] == category
    assert (o.meta.profile if o.meta else None) == ([PROFILES + profile] if profile else None)
    assert (float(o.valueQuantity.value), o.valueQuantity.code) == (value, described.unit)
    assert export.lines[0]["effectiveDateTime"] == "2023-11-14T22:13:20.000001Z"
    assert (o.subject.identifier.system, o.subject.identifier.value) == ("urn:trackme:person", str(person))
    assert (o.device.identifier.system, o.device.identifier.value, o.device.display) == (
        "urn:trackme:source", "watch", "watch",
    )  # fmt: skip


def test_the_two_blood_pressures_of_a_moment_and_a_source_are_one_observation(operator, person):
    def pressures(at, source, systolic=None, diastolic=None):
        values = {"systolic_blood_pressure": systolic, "diastolic_blood_pressure": diastolic}
        return [reading(person, at, v, metric=m, source=source) for m, v in values.items() if v is not None]

    # Two sources of one moment, a moment with one each, neighbours that do not belong together, and one that is the last.
    rows = [
        *pressures(T0, "cuff", 120, 80), *pressures(T0, "line", 121.5, 79.5), *pressures(T0 + 1, "cuff", 130),
        *pressures(T0 + 2, "cuff", None, 85), *pressures(T0 + 3, "cuff", 118), *pressures(T0 + 3, "line", None, 70),
        reading(person, T0, 60), reading(person, T0 + 9, 61), *pressures(T0 + 10, "cuff", 119),
    ]  # fmt: skip
    record(operator, rows)
    export = fhir(operator, person)
    assert Counter(export.rows()) == Counter(row_of(r) for r in rows)
    panels = [o for o in export.observations if o.component]
    assert len(panels) == 7 and len(export.observations) == 9
    both = {
        (microseconds(o.effectiveDateTime) - T0, o.device.display): [
            float(c.valueQuantity.value) if c.valueQuantity else codes(c.dataAbsentReason)[0][1] for c in o.component
        ]
        for o in panels
    }
    assert both == {
        (0, "cuff"): [120, 80], (0, "line"): [121.5, 79.5], (1, "cuff"): [130, "unknown"],
        (2, "cuff"): ["unknown", 85], (3, "cuff"): [118, "unknown"], (3, "line"): ["unknown", 70],
        (10, "cuff"): [119, "unknown"],
    }  # fmt: skip
    assert all(loinc(o.code) == "85354-9" and o.meta.profile == [PROFILES + "bp"] for o in panels)


def test_of_a_blood_pressure_that_is_not_asked_for_nothing_is_said(operator, person):
    """The other one stands alone, under an id of its own: imported, it does not take the place of both."""
    record(operator, [reading(person, T0, 120, metric="systolic_blood_pressure"),
                      reading(person, T0, 80, metric="diastolic_blood_pressure")])  # fmt: skip
    (both,) = fhir(operator, person).observations
    (alone,) = fhir(operator, person, metrics=["systolic_blood_pressure"]).observations
    assert loinc(alone.code) == "8480-6" and alone.component is None and alone.valueQuantity.value == 120
    assert alone.meta.profile == [PROFILES + "vitalsigns"] and alone.id != both.id


def test_a_pair_is_found_across_pages_of_storage(operator, person):
    """10,000 readings are read at once: the first half of the pair is the last of them."""
    with operator.push() as push:
        push.commit(1, scalars(person, [(T0 + i, 60) for i in range(9_999)], source="cuff"))
        push.commit(2, scalars(person, [(T0 + 10_000, 120)], metric="systolic_blood_pressure", source="cuff"))
        push.commit(3, scalars(person, [(T0 + 10_000, 80)], metric="diastolic_blood_pressure", source="cuff"))
    export = fhir(operator, person)
    assert len(export.observations) == 10_000
    assert [float(c.valueQuantity.value) for c in export.observations[-1].component] == [120, 80]


def test_more_pressures_of_one_moment_than_wait_are_lost_neither(operator, person):
    count = 1_100
    rows = [
        reading(person, T0, value, metric=metric, source=f"cuff {i}")
        for metric, value in (("systolic_blood_pressure", 120), ("diastolic_blood_pressure", 80))
        for i in range(count)
    ]
    for start in range(0, len(rows), 500):
        record(operator, rows[start : start + 500])
    export = fhir(operator, person)
    assert Counter(export.rows()) == Counter(row_of(r) for r in rows)
    assert sum(o.component is not None for o in export.observations) == 1_000
    assert not any(c.dataAbsentReason for o in export.observations for c in o.component or ())


@pytest.mark.parametrize("rate_hz", [0.1, 1, 128, 250, 300, 512, 100_000])
def test_an_ecg_is_sampled_data(operator, person, rate_hz):
    samples = [0, -0.125, 1 / 3, 0.00001, 1e-12, 5e-324, -99.9, 0.1 + 0.2, 3]
    record(operator, [ecg(person, T0 + 7, samples, rate_hz, "strap")])
    export = fhir(operator, person)
    (o,) = export.observations
    data = o.valueSampledData
    assert export.rows() == [Row("ecg", "strap", T0 + 7, tuple(samples))], "to the last digit"
    assert "E" not in data.data and data.data.startswith("0 -0.125 0.3333333333333333 0.00001 1e-12 ")
    assert (data.dimensions, data.origin.value, data.origin.code) == (1, 0, "mV")
    assert float(data.period) == 1000 / rate_hz
    assert (codes(o.code), codes(o.category[0])[0][1]) == ([("http://loinc.org", "11524-6")], "procedure")
    lasts_us = round((len(samples) - 1) / rate_hz * SECOND_US)
    assert microseconds(o.effectivePeriod.end) - microseconds(o.effectivePeriod.start) == lasts_us


@pytest.mark.parametrize("rate_hz", [5e-324, 1e-300, 1e-12])
def test_a_rate_of_almost_nothing_ends_nothing(operator, person, rate_hz):
    record(operator, [ecg(person, T0, [1, 2], rate_hz)])
    (o,) = fhir(operator, person).observations
    assert microseconds(o.effectiveDateTime) == T0 and float(o.valueSampledData.period) >= 1e15


def test_long_waveforms_fit_into_messages(operator, person):
    noise = random.Random(7)
    rows = [ecg(person, T0 + i, [noise.uniform(-1e-5, 1e-5) for _ in range(50_000)], 1_000) for i in range(8)]
    for row in rows:
        record(operator, [row])
    export = fhir(operator, person)
    assert export.rows() == [row_of(r) for r in rows]
    assert max(export.sizes) < MESSAGE_BYTES_MAX and len(export.sizes) > 1


def test_a_metric_without_a_loinc_code_has_one_of_ours(server, operator, person):
    server.sql(
        "INSERT INTO metric (id, name, display_name, kind, unit, loinc_code, minimum, maximum) VALUES "
        "(710, 'strain', 'Strain \"x\"', 'scalar', '{score}', '', -1e308, 1e308) ON CONFLICT DO NOTHING"
    )
    wait_until(lambda: "strain" in {m.name for m in operator.metrics()}, 3.5, "the new metric")
    values = [0.0, -0.0, 1e308, -1e308, 5e-324, 0.1 + 0.2, 123456789012345.6, 1e16, 2**53, 1e-7, -0.00001234]
    record(operator, [reading(person, T0 + i, v, metric="strain") for i, v in enumerate(values)])
    export = fhir(operator, person)
    assert [row.value for row in export.rows()] == values, "to the last digit"
    assert [line["valueQuantity"]["value"] for line in export.lines[:-1]][5] == Decimal("0.30000000000000004")
    for o in export.observations:
        assert codes(o.code) == [("urn:trackme:metric", "strain")] and o.code.text == 'Strain "x"'
        assert o.meta is None and o.category is None and o.valueQuantity.code == "{score}"


def test_a_profile_is_claimed_only_by_what_meets_it(server, operator, person):
    """A metric that somebody has given a code of LOINC with a unit that the profile does not take."""
    server.sql(
        "INSERT INTO metric (id, name, display_name, kind, unit, loinc_code, minimum, maximum) VALUES "
        "(711, 'pulse_hz', 'Pulse', 'scalar', 'Hz', '8867-4', 0, 10) ON CONFLICT DO NOTHING"
    )
    wait_until(lambda: "pulse_hz" in {m.name for m in operator.metrics()}, 3.5, "the new metric")
    record(operator, [reading(person, T0, 1.25, metric="pulse_hz")])
    (o,) = fhir(operator, person).observations
    assert loinc(o.code) == "8867-4" and o.meta is None and o.valueQuantity.code == "Hz"


@pytest.mark.parametrize(
    "name, shown",
    [
        ('a"b\\c</script>', 'a"b\\c</script>'),
        ('"}\n{"resourceType": "Patient"}', '"}\ufffd{"resourceType": "Patient"}'),
        ("tab\tand\x01\x7f\x85", "tab\ufffdand\ufffd\ufffd\ufffd"),
        ("line\u2028separators\u2029", "line\ufffdseparators\ufffd"),
        ("  ", "\ufffd\ufffd"),
        (" orologio è 🏃 ", " orologio è 🏃 "),
    ],
)
def test_whatever_a_device_calls_itself_stays_within_its_string(operator, person, name, shown):
    record(operator, [reading(person, T0, 72, source=name)])
    export = fhir(operator, person)
    assert [(o.device.display, o.device.identifier.value) for o in export.observations] == [(shown, shown)]
    assert {line["resourceType"] for line in export.lines} == {"Observation", "Provenance"}


def test_a_source_that_is_not_known_is_no_device(operator, person):
    record(operator, [reading(person, T0, 72)])
    assert [o.device for o in fhir(operator, person).observations] == [None]


def test_ids_are_the_same_in_every_export_and_of_no_other_person(operator, person):
    def push(about):
        record(operator, [reading(about, T0 + i, 60, source=s) for i in range(20) for s in ("a", "b")])
        record(operator, [ecg(about, T0, [1]), reading(about, T0, 120, metric="systolic_blood_pressure")])

    push(person)
    push(other := person + 700_000)
    first, some = fhir(operator, person), fhir(operator, person, from_us=T0 + 5, metrics=["heart_rate"])
    assert fhir(operator, person).ids() == first.ids() and len(first.ids()) == 42
    assert set(some.ids()) < set(first.ids()) and len(some.ids()) == 30
    assert not set(fhir(operator, other).ids()) & set(first.ids())
    # The other half of the blood pressure comes late: the same resource, with more in it.
    record(operator, [reading(person, T0, 80, metric="diastolic_blood_pressure")])
    assert set(fhir(operator, person).ids()) == set(first.ids())


def test_provenance_says_who_has_put_it_together_and_when(operator, person):
    before = datetime.fromtimestamp(time.time() - 60).astimezone()
    record(operator, [reading(person, T0, 72)])
    (p,) = fhir(operator, person).provenances
    assert before < p.recorded < datetime.fromtimestamp(time.time() + 60).astimezone()
    assert (codes(p.activity)[0][1], p.policy) == ("extract", None)
    assert [(codes(a.type)[0][1], a.who.display) for a in p.agent] == [("assembler", "TrackMe")]


def test_positions_are_left_out_and_refused_by_name(operator, person):
    place = readings.Reading(person_id=person, metric="position", time_us=T0, position=readings.Position(latitude=1))
    record(operator, [place, reading(person, T0, 72)])
    assert [row.metric for row in fhir(operator, person).rows()] == ["heart_rate"]
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "metrics[1]"):
        fhir(operator, person, metrics=["steps", "position"])


def test_a_format_that_is_none_is_refused(operator, person):
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "format"):
        list(operator.export(person, format=9))


def test_rows_are_exported_as_before(operator, person):
    record(operator, [reading(person, T0, 72)])
    (part,) = operator.export(person, format=reading_service.EXPORT_FORMAT_READINGS)
    assert [r.scalar for r in part.readings] == [72] and part.ndjson == b""


def test_nothing_is_exported_of_nobody(operator, person):
    assert list(operator.export(person, format=FHIR)) == []


@pytest.mark.parametrize(
    "name", ["icu-vitals.csv", "fitbit-heart-rate.csv.zip", "run-2020-08-21.fit"]
)
def test_a_recording_comes_out_as_it_went_in(operator, person, name):
    recording = load(RECORDINGS / name)
    first_us, last_us = recording.interval_us()
    # Some are of a year that has not come yet.
    shift_us = T0 - first_us
    rows = [
        row_to_message(Reading(person, s.metric, s.time_us + shift_us, s.value, s.source)) for s in recording.samples
    ]
    for start in range(0, len(rows), 1_000):
        record(operator, rows[start : start + 1_000])
    kept = [row_of(r) for r in exported_rows(operator, person) if r.metric != "position"]
    export = fhir(operator, person)
    assert len(kept) > 50 and Counter(export.rows()) == Counter(kept)
    pressures = Counter((r.source, r.time_us) for r in kept if "blood_pressure" in r.metric)
    assert len([o for o in export.observations if o.component]) == len(pressures)


# Under a grant


def granted(accounts, granularity, metrics, rows):
    """A person whose watch pushes rows of (metric, time, value); the third party that is granted metrics; the grant."""
    person, doctor = accounts.person(), accounts.third_party()
    grant = doctor.granted(person, whole(granularity, metrics))
    with person.device().push(fresh_client()) as push:
        for sequence, (metric, time_us, value) in enumerate(rows, 1):
            push.commit(sequence, scalars(person.account_id, [(time_us, value)], metric=metric, source="watch"))
    return person, doctor, grant


PRESSURE_ROWS = [
    ("systolic_blood_pressure", T0 // HOUR_US * HOUR_US + SECOND_US, 120),
    ("systolic_blood_pressure", T0 // HOUR_US * HOUR_US + 2 * SECOND_US, 130),
    ("diastolic_blood_pressure", T0 // HOUR_US * HOUR_US + 3 * SECOND_US, 80),
    ("heart_rate", T0 // HOUR_US * HOUR_US + 3 * SECOND_US + 5, 60),
]
PRESSURES = ("systolic_blood_pressure", "diastolic_blood_pressure", "heart_rate", "position")


def test_a_third_party_is_shown_means_as_means(accounts):
    person, doctor, grant = granted(accounts, access.GRANULARITY_MINUTE, PRESSURES, PRESSURE_ROWS)
    start = PRESSURE_ROWS[0][1] // HOUR_US * HOUR_US
    export = fhir(doctor, access_request_id=grant)
    pressure, pulse = sorted(export.observations, key=lambda o: o.component is None)
    assert sorted(row[:1] + row[2:] for row in export.rows()) == [
        ("diastolic_blood_pressure", start, 80), ("heart_rate", start, 60), ("systolic_blood_pressure", start, 125),
    ]  # fmt: skip
    for o in (pressure, pulse):
        assert microseconds(o.effectivePeriod.start) == start
        assert microseconds(o.effectivePeriod.end) == start + MINUTE_US - 1
        assert o.method.text == "mean of the readings of one minute"
    (p,) = export.provenances
    assert codes(p.activity)[0][1] == "disclose" and p.policy == [f"urn:trackme:access-request:{grant}"]
    own = fhir(person)
    assert not set(own.ids()) & set(export.ids()), "a mean is another resource than the reading at its start"
    assert fhir(doctor, access_request_id=grant).ids() == export.ids()


def test_a_third_party_is_told_nothing_of_what_it_was_not_granted(accounts):
    _, doctor, grant = granted(accounts, access.GRANULARITY_SECOND, ["diastolic_blood_pressure"], PRESSURE_ROWS)
    (o,) = fhir(doctor, access_request_id=grant).observations
    assert loinc(o.code) == "8462-4" and o.component is None and o.valueQuantity.value == 80


def test_each_part_under_a_grant_is_noted_before_it_is_sent(accounts):
    rows = [("heart_rate", T0 + i * SECOND_US, 60) for i in range(3)]
    person, doctor, grant = granted(accounts, access.GRANULARITY_SECOND, ["heart_rate"], rows)
    assert len(fhir(doctor, access_request_id=grant).observations) == 3
    noted = [d for d in person.ask("ListDisclosures").disclosures if d.access_request_id == grant]
    assert [d.reading_count for d in noted] == [3]


def test_no_export_says_who_the_person_is(accounts):
    person, doctor, grant = granted(accounts, access.GRANULARITY_SECOND, PRESSURES, PRESSURE_ROWS)
    for parts in (person.export(0, format=FHIR), doctor.export(0, access_request_id=grant, format=FHIR)):
        text = b"".join(part.ndjson for part in parts).decode()
        assert f'"value":"{person.account_id}"' in text
        for word in (person.who.fiscal_code, person.credentials.username, person.credentials.email):
            assert word and word.lower() not in text.lower()
