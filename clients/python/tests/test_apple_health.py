"""Apple Health's export: what a phone writes becomes samples, in memory that does not grow with the file."""

import gzip
import json
import subprocess
import sys
import zipfile

import pytest

from trackme.recordings import load

from apple_export import DECLARATION, WATCH, export, record, write_large

# 2021-03-27 16:17:11 +0100
TIME_US = 1_616_858_231_000_000


def loaded(tmp_path, *elements, **options):
    path = tmp_path / "export.xml"
    path.write_text(export(*elements, **options))
    return load(path)


@pytest.mark.parametrize(
    "kind, value, unit, metric, expected",
    [
        ("HeartRate", "61", "count/min", "heart_rate", 61),
        ("HeartRate", "1.25", "count/s", "heart_rate", 75),
        ("BloodPressureSystolic", "118", "mmHg", "systolic_blood_pressure", 118),
        ("BloodPressureDiastolic", "76", "mmHg", "diastolic_blood_pressure", 76),
        ("BloodPressureSystolic", "16", "kPa", "systolic_blood_pressure", 120.009872),
        ("BloodGlucose", "94", "mg/dL", "blood_glucose", 94),
        ("BloodGlucose", "5.5", "mmol&lt;180.1558800000541&gt;/L", "blood_glucose", 99.085734),
        ("BodyTemperature", "36.6", "degC", "body_temperature", 36.6),
        ("BodyTemperature", "98.6", "degF", "body_temperature", 37),
        ("OxygenSaturation", "0.97", "%", "blood_oxygen", 97),
        ("OxygenSaturation", "0.57", "%", "blood_oxygen", 57),
        ("RespiratoryRate", "14.5", "count/min", "respiratory_rate", 14.5),
        ("StepCount", "120", "count", "steps", 120),
        ("BodyMass", "70.5", "kg", "weight", 70.5),
        ("BodyMass", "160", "lb", "weight", 72.574779),
    ],
)
def test_each_quantity_is_in_the_unit_of_its_metric(tmp_path, kind, value, unit, metric, expected):
    recording = loaded(tmp_path, record(kind, value, unit, device=WATCH))
    (sample,) = recording.samples
    assert (sample.time_us, sample.metric, sample.value, sample.source) == (TIME_US, metric, expected, "Watch6,2")
    assert not recording.unknown and not recording.unreadable


def test_times_have_their_zone_and_an_interval_counts_at_its_end(tmp_path):
    recording = loaded(
        tmp_path,
        record("StepCount", 30, "count", "2021-03-27 20:47:11 +0530", start="2021-03-27 20:37:11 +0530"),
        record("HeartRate", 60, time="2021-03-27 10:17:12 -0500"),
    )
    assert [(s.time_us - TIME_US, s.metric) for s in recording.samples] == [(0, "steps"), (1_000_000, "heart_rate")]


def test_samples_come_in_the_order_of_time_whatever_the_order_of_the_file(tmp_path):
    times = [f"2021-03-27 16:00:{second:02} +0100" for second in (5, 3, 9, 1)]
    recording = loaded(tmp_path, *[record("HeartRate", 60, time=time) for time in times], record("BodyMass", 70, "kg", times[1]))
    assert [s.time_us // 1_000_000 % 60 for s in recording.samples] == [1, 3, 3, 5, 9]
    assert [s.time_us // 1_000_000 % 60 for s in recording.samples] == [1, 3, 3, 5, 9], "can be read again"


def test_what_stands_in_a_correlation_too_counts_once(tmp_path):
    pressure = record("BloodPressureSystolic", 118, "mmHg"), record("BloodPressureDiastolic", 76, "mmHg")
    correlation = f'<Correlation type="HKCorrelationTypeIdentifierBloodPressure">{"".join(pressure)}</Correlation>'
    recording = loaded(tmp_path, *pressure, correlation)
    assert sorted(s.value for s in recording.samples) == [76, 118]
    assert recording.repeated == 2


def test_what_no_metric_is_for_is_counted_by_its_kind(tmp_path):
    sleep = '<Record type="HKCategoryTypeIdentifierSleepAnalysis" value="HKCategoryValueSleepAnalysisAsleep"/>'
    recording = loaded(tmp_path, record("VO2Max", 44), record("VO2Max", 45), record("HeartRate", 60), sleep)
    assert len(recording.samples) == 1
    assert recording.unknown == {"HKQuantityTypeIdentifierVO2Max": 2, "HKCategoryTypeIdentifierSleepAnalysis": 1}


@pytest.mark.parametrize(
    "bad, why",
    [
        (record("HeartRate", "fast"), "'fast' is no number"),
        (record("HeartRate", "nan"), "'nan' is no number"),
        (record("HeartRate", "1e999"), "'1e999' is no number"),
        (record("HeartRate", None), "no value"),
        (record("HeartRate", 60, None), "no unit"),
        (record("HeartRate", 60, "furlong"), "unit 'furlong' is not known"),
        (record("BloodGlucose", 5, "mmol/L"), "unit 'mmol/L' is not known"),
        (record("HeartRate", 60, time="yesterday"), "'yesterday' is no time"),
        (record("HeartRate", 60, time="2021-13-27 16:17:11 +0100"), "'2021-13-27 16:17:11 +0100' is no time"),
        ('<Record type="HKQuantityTypeIdentifierHeartRate" unit="count/min" value="60"/>', "no startDate"),
    ],
)
def test_a_record_that_makes_no_sense_is_named_and_the_others_are_taken(tmp_path, bad, why):
    recording = loaded(tmp_path, record("HeartRate", 61), bad, record("HeartRate", 62))
    assert [s.value for s in recording.samples] == [61, 62]
    line = export("@").splitlines().index(" @") + 2
    assert recording.unreadable == 1
    assert recording.unreadable_examples == [f"line {line}, HKQuantityTypeIdentifierHeartRate: {why}".replace(
        "HeartRate", "BloodGlucose" if "BloodGlucose" in bad else "HeartRate"
    )]  # fmt: skip


def test_very_many_kinds_and_bad_records_are_counted_but_not_all_named(tmp_path):
    kinds = [record(f"Kind{number}", 1) for number in range(1_100)]
    recording = loaded(tmp_path, *kinds, *[record("HeartRate", "x")] * 50)
    assert len(recording.unknown) == 1_001 and recording.unknown["others"] == 100
    assert recording.unreadable == 50 and len(recording.unreadable_examples) == 10


def test_sources_tell_devices_apart_without_naming_their_owner(tmp_path):
    phone = WATCH.replace("Watch6,2", "iPhone15,2")
    recording = loaded(
        tmp_path,
        record("HeartRate", 60, device=WATCH),
        record("HeartRate", 61, device=phone.replace("0x281d99900", "0x281d00000")),
        record("HeartRate", 62),
    )
    sources = [s.source for s in recording.samples]
    assert sources[:2] == ["Watch6,2", "iPhone15,2"]
    assert sources[2].startswith("apple-health-") and "Maria" not in sources[2]


def test_control_characters_that_xml_forbids_are_blanks(tmp_path):
    recording = loaded(tmp_path, record("HeartRate", 60, more=' note="a\x0bb"'), record("HeartRate", "6\x0b1"))
    assert [s.value for s in recording.samples] == [60] and recording.unreadable == 1


@pytest.mark.parametrize(
    "declaration",
    ["", "<!DOCTYPE HealthData>\n", '<!DOCTYPE HealthData SYSTEM "http://127.0.0.1:1/x.dtd">\n', DECLARATION],
    ids=["none", "no rules", "rules elsewhere", "Apple's"],
)
def test_the_declaration_may_be_anything_harmless(tmp_path, declaration):
    assert len(loaded(tmp_path, record("HeartRate", 60), declaration=declaration).samples) == 1


ENTITY = '<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;&a;&a;">'


@pytest.mark.parametrize(
    "content, why",
    [
        (export(record("HeartRate", "&b;"), declaration=f"<!DOCTYPE HealthData [{ENTITY}]>"), "declares entities"),
        (export(declaration=f"<!DOCTYPE HealthData [<!-- ]> -->{ENTITY}]>"), "not XML"),
        (export(declaration=f"<!DOCTYPE HealthData><!DOCTYPE HealthData [{ENTITY}]>"), "declares entities"),
        (export(declaration='<!DOCTYPE HealthData [<!ENTITY % x SYSTEM "http://127.0.0.1:1/">%x;]>'), "declares entities"),
        (export(record("HeartRate", "&x;"), declaration=""), "undefined entity"),
        (export(declaration=f"<!DOCTYPE HealthData [{ENTITY}]>").encode("utf-16"), "declares entities|not XML"),
        (export(declaration="<!DOCTYPE HealthData [" + "<!-- x -->" * 200_000), "does not end within 1 MiB"),
        ("<ClinicalDocument/>", "it holds a ClinicalDocument"),
        ("<HealthData><Record", "not XML: cut short in line 1"),
        ("<HealthData>", "not XML: cut short in line 1"),
        ("", "not XML: cut short in line 1"),
        (export("<a>" * 40 + "</a>" * 40), "more than 32 deep"),
        (export('<a b="' + "x" * (18 << 20) + '"/>'), "an element of more than 16 MiB"),
    ],
    ids=[
        "entities", "behind a false end", "in a second declaration", "from elsewhere", "not declared", "in UTF-16",
        "a declaration without end", "the clinical document", "cut short", "not closed", "empty", "very deep",
        "a very long attribute",
    ],
)  # fmt: skip
def test_what_is_no_export_or_is_made_to_harm_is_refused_by_name(tmp_path, content, why):
    path = tmp_path / "export.xml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(ValueError, match=f"export.xml: .*({why})"):
        load(path)


@pytest.mark.parametrize("name", ["export.xml", "dati esportati.xml"])
def test_the_phones_zip_file_is_read_and_what_lies_beside_is_left_out(tmp_path, name):
    path = tmp_path / "export.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(f"apple_health_export/{name}", export(record("HeartRate", 60)))
        archive.writestr("apple_health_export/export_cda.xml", '<?xml version="1.0"?><ClinicalDocument/>')
        archive.writestr("apple_health_export/workout-routes/route_2021-03-27.gpx", "<gpx/>")
    recording = load(path)
    assert [s.value for s in recording.samples] == [60]
    assert recording.unknown == {"files of routes": 1, ".xml files": 1}
    with gzip.open(tmp_path / "export.xml.gz", "wt") as file:
        file.write(export(record("HeartRate", 60)))
    assert len(load(tmp_path / "export.xml.gz").samples) == 1


# Since the program began: ru_maxrss starts with what the process had that started it.
PEAK = r"""int(re.search(r"VmHWM:\s+(\d+) kB", Path("/proc/self/status").read_text())[1]) / 1024"""
MEASURE = """
import json, re, sys
from pathlib import Path
from trackme.recordings import load
recording = load(sys.argv[1])
count = sum(1 for _ in recording.samples)
print(json.dumps([count, PEAK]))
"""


def measure(program, *arguments):
    """What a program of its own prints as JSON, the last of which is the most memory that it had, in MiB."""
    done = subprocess.run([sys.executable, "-c", program.replace("PEAK", PEAK), *arguments], capture_output=True, check=True, timeout=55)
    return json.loads(done.stdout)


def test_memory_does_not_grow_with_the_file(tmp_path):
    peaks = {}
    for megabytes in (2, 60):
        written = write_large(tmp_path / "export.xml", megabytes)
        count, peaks[megabytes] = measure(MEASURE, tmp_path / "export.xml")
        assert count == written
    # The database's cache is 8 MiB; the samples as objects would be 40, and the XML as a tree some 500.
    assert peaks[60] - peaks[2] < 20, peaks


FILL = """
import json, re, sys
from pathlib import Path
from trackme.recordings.sample_store import SampleStore
store = SampleStore()
for number in range(int(sys.argv[1])):
    store.add(1_600_000_000_000_000 + number * 1_000_000, "heart_rate", 60.5, "")
count = sum(1 for _ in store)
print(json.dumps([count, PEAK]))
"""


def test_samples_that_are_more_than_the_cache_are_on_disk():
    (_, small), (count, large) = measure(FILL, "1000"), measure(FILL, "1200000")
    assert count == 1_200_000
    # 8 MiB of cache, and 5,000 samples on their way there; as rows in memory they would be more than 30.
    assert large - small < 18, (small, large)
