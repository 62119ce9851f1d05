"""Files of devices become samples; what devices get wrong does not stop us."""

import gzip
import io
import zipfile
from collections import Counter

import pytest

from trackme import Position
from trackme.recordings import load


def write(tmp_path, name, text):
    path = tmp_path / name
    path.write_text(text)
    return path


def kinds(recording):
    return dict(Counter(s.metric for s in recording.samples))


GPX = """<?xml version="1.0"?>
<gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"
  xmlns:tpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v1"><trk>{}</trk></gpx>"""


def point(time, hr=None, lat=45.0, ele=None):
    inside = f"<ele>{ele}</ele>" if ele is not None else ""
    inside += f"<time>{time}</time>" if time else ""
    if hr is not None:
        inside += f"<extensions><tpx:TrackPointExtension><tpx:hr>{hr}</tpx:hr></tpx:TrackPointExtension></extensions>"
    return f'<trkpt lat="{lat}" lon="9">{inside}</trkpt>'


@pytest.mark.parametrize(
    "name, expected",
    [
        ("run-2020-07-13.gpx.gz", {"position": 544, "heart_rate": 318}),
        ("run-2020-08-21.gpx.gz", {"position": 711, "heart_rate": 504}),
        ("run-2020-11-22.gpx.gz", {"position": 892, "heart_rate": 656}),
        ("run-2020-07-13.tcx.gz", {"position": 544, "heart_rate": 318}),
        ("run-2020-08-21.fit", {"position": 711, "heart_rate": 504}),
        ("fitbit-heart-rate.csv.zip", {"heart_rate": 1433}),
    ],
)
def test_the_shipped_recordings_are_read(fixtures, name, expected):
    assert kinds(load(fixtures / "recordings" / name)) == expected


def test_tcx_says_the_same_as_the_gpx_it_was_made_from(fixtures):
    gpx = load(fixtures / "recordings/run-2020-07-13.gpx.gz")
    tcx = load(fixtures / "recordings/run-2020-07-13.tcx.gz")
    assert tcx.samples == gpx.samples
    assert tcx.repeated > 0, "the laps share a point"


def test_fit_says_the_same_as_the_gpx_it_was_made_from_but_for_its_precision(fixtures):
    gpx = load(fixtures / "recordings/run-2020-08-21.gpx.gz")
    fit = load(fixtures / "recordings/run-2020-08-21.fit")
    for ours, theirs in zip(fit.samples, gpx.samples, strict=True):
        assert ours.metric == theirs.metric and ours.time_us == theirs.time_us // 1_000_000 * 1_000_000
        if isinstance(ours.value, Position):
            assert ours.value.latitude == pytest.approx(theirs.value.latitude, abs=1e-7)
            assert ours.value.longitude == pytest.approx(theirs.value.longitude, abs=1e-7)
            assert (ours.value.altitude is None) == (theirs.value.altitude is None)
        else:
            assert ours.value == theirs.value


def test_sources_of_a_table_are_kept(fixtures):
    recording = load(fixtures / "recordings/icu-vitals.csv")
    assert {s.source for s in recording.samples if s.metric == "systolic_blood_pressure"} == {"cuff", "arterial_line"}


def test_points_may_lack_pulse_elevation_and_time(tmp_path):
    body = "<trkseg>" + point("2020-01-01T00:00:00Z", 61, ele=12.5) + point("2020-01-01T00:00:01Z") + point(None, 62)
    recording = load(write(tmp_path, "a.gpx", GPX.format(body + "</trkseg>")))
    assert kinds(recording) == {"position": 2, "heart_rate": 1}
    assert [s.value.altitude for s in recording.samples if s.metric == "position"] == [12.5, None]
    assert recording.without_time == 2


def test_several_segments_duplicates_and_backward_times_keep_the_order_of_the_file(tmp_path):
    one = "<trkseg>" + point("2020-01-01T00:00:05Z") + point("2020-01-01T00:00:03Z") + "</trkseg>"
    two = "<trkseg>" + point("2020-01-01T00:00:03Z") + point("2020-01-01T00:00:03Z", lat=46) + "</trkseg>"
    recording = load(write(tmp_path, "a.gpx", GPX.format(one + two)))
    seconds = [s.time_us // 1_000_000 % 60 for s in recording.samples]
    assert seconds == [5, 3, 3], "an exact repeat is left out, another place at the same time is not"
    assert recording.repeated == 1


def test_a_table_takes_iso_times_microseconds_and_a_zone(tmp_path):
    path = write(
        tmp_path,
        "a.csv",
        "time,metric,value\n2020-01-01T01:00:00+01:00,heart_rate,60\n1577836800000001,heart_rate,61\n"
        "2020-01-01 01:00:01,heart_rate,62\n2020-01-01T00:00:02Z,heart_rate,\n",
    )
    assert [(s.time_us - 1577836800000000, s.value) for s in load(path, "Europe/Rome").samples] == [
        (0, 60.0),
        (1, 61.0),
        (1_000_000, 62.0),
    ]


def test_a_zipped_fitbit_export_is_in_local_time(tmp_path):
    path = tmp_path / "hr.csv.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("hr.csv", ",user,datetime,heartrate\n0,A,2020-07-01 02:00:00,74\n")
    (sample,) = load(path, "Europe/Rome").samples
    assert (sample.metric, sample.value, sample.time_us) == ("heart_rate", 74.0, 1593561600000000)


@pytest.mark.parametrize(
    "name, content",
    [
        ("a.gpx", b"not xml"),
        ("a.tcx", b"<a"),
        ("a.fit", b"not fit at all"),
        ("a.csv", b"a,b\n1,2\n"),
        ("a.txt", b""),
    ],
)
def test_a_file_that_is_not_what_its_name_says_is_refused_by_name(tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=name):
        load(tmp_path / name)


def test_a_fit_file_that_was_cut_short_gives_what_it_has(fixtures, tmp_path):
    content = (fixtures / "recordings/run-2020-08-21.fit").read_bytes()
    (tmp_path / "cut.fit").write_bytes(content[: len(content) // 2])
    assert 100 < len(load(tmp_path / "cut.fit").samples) < 1215


def test_gzip_may_wrap_any_format(tmp_path):
    buffer = io.BytesIO(gzip.compress(b"time,metric,value\n2020-01-01T00:00:00Z,weight,70\n"))
    (tmp_path / "a.csv.gz").write_bytes(buffer.getvalue())
    assert kinds(load(tmp_path / "a.csv.gz")) == {"weight": 1}


def test_a_time_zone_that_is_none_is_refused(fixtures):
    with pytest.raises(ValueError, match="Middle/Earth"):
        load(fixtures / "recordings/icu-vitals.csv", "Middle/Earth")


def tcx(inside):
    """As Strava writes it."""
    return (
        '          <?xml version="1.0" encoding="UTF-8"?>\n<TrainingCenterDatabase '
        'xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities><Activity Sport="Running">'
        f"<Id>2020-01-01T00:00:00Z</Id><Lap StartTime=\"2020-01-01T00:00:00Z\"><TotalTimeSeconds>1</TotalTimeSeconds>"
        f"<Calories>1</Calories><Track>{inside}</Track></Lap></Activity></Activities></TrainingCenterDatabase>"
    )


TRACKPOINT = (
    "<Trackpoint><Time>2020-01-01T00:00:00Z</Time><Position><LatitudeDegrees>45</LatitudeDegrees>"
    "<LongitudeDegrees>9</LongitudeDegrees></Position><HeartRateBpm><Value>61</Value></HeartRateBpm>{}</Trackpoint>"
)


@pytest.mark.parametrize("blanks", ["", "          ", "\n\n", "\ufeff", "\ufeff \r\n\t"])
def test_blanks_before_the_xml_declaration_do_no_harm(fixtures, tmp_path, blanks):
    path = write(tmp_path, "a.tcx", blanks + tcx(TRACKPOINT.format("")).lstrip())
    assert kinds(load(path)) == {"position": 1, "heart_rate": 1}
    for name in ("run-2020-07-13.gpx", "run-2020-07-13.tcx"):
        content = gzip.decompress((fixtures / "recordings" / f"{name}.gz").read_bytes())
        (tmp_path / name).write_bytes(blanks.encode() + content)
        assert load(tmp_path / name).samples == load(fixtures / "recordings" / f"{name}.gz").samples


@pytest.mark.parametrize("prefix", ["gpxtpx", "ns3", "x-1.y"])
def test_a_prefix_that_nobody_declares_is_read_as_garmins(tmp_path, prefix):
    def undeclared(text):
        return text.replace("tpx:", f"{prefix}:").replace(f"xmlns:{prefix}:", "").replace("xmlns:tpx", "xmlns:other")

    body = undeclared(f"<trkseg>{point('2020-01-01T00:00:00Z', 61)}</trkseg>")
    header = '<?xml version="1.0"?>\n<!-- a <b c="d"> --><gpx version="1.1" creator="a > b" xsi:schemaLocation="a b">'
    recording = load(write(tmp_path, "a.gpx", f"{header}<trk>{body}</trk></gpx>"))
    assert kinds(recording) == {"position": 1, "heart_rate": 1}
    extensions = f"<Extensions><{prefix}:TPX><{prefix}:Speed>3.5</{prefix}:Speed></{prefix}:TPX></Extensions>"
    recording = load(write(tmp_path, "a.tcx", tcx(TRACKPOINT.format(extensions))))
    assert [s.value.speed for s in recording.samples if s.metric == "position"] == [3.5]


def test_a_prefix_that_is_declared_further_in_keeps_its_meaning(tmp_path):
    extensions = (
        '<Extensions><a:TPX xmlns:a="http://www.garmin.com/xmlschemas/ActivityExtension/v2"><a:Speed>3.5</a:Speed></a:TPX>'
        '<b:TPX xmlns:b="http://example.org/"><b:Speed>99</b:Speed></b:TPX></Extensions>'
    )
    recording = load(write(tmp_path, "a.tcx", tcx(TRACKPOINT.format(extensions))))
    assert [s.value.speed for s in recording.samples if s.metric == "position"] == [3.5]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
@pytest.mark.parametrize("name", ["a.gpx", "a.tcx"])
def test_a_document_that_declares_entities_is_refused(tmp_path, name, encoding):
    (tmp_path / name).write_bytes('<!DOCTYPE gpx [<!ENTITY a "aaa">]><gpx>&a;</gpx>'.encode(encoding))
    with pytest.raises(ValueError, match=f"{name}: declares entities"):
        load(tmp_path / name)


@pytest.mark.parametrize("name", ["a.gpx.gz", "a.zip"])
def test_a_broken_archive_is_refused_by_name(fixtures, tmp_path, name):
    content = (fixtures / "recordings/run-2020-07-13.gpx.gz").read_bytes()
    for broken in (b"", b"neither", content[:60], content[:100] + b"\xff" * 100):
        (tmp_path / name).write_bytes(broken)
        with pytest.raises(ValueError, match=name):
            load(tmp_path / name)
