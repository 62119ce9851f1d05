"""Whatever the format: a file that is cut short gives what it has and says so; times, numbers and encodings are read alike."""

import gzip
import io
import json
import zipfile

import pytest

from trackme import Position
from trackme.recordings import load

from apple_export import export, record

# 2024-05-04T08:00:00Z
T0 = 1_714_809_600_000_000
FIT_BYTES = 127


def gpx(time="2024-05-04T08:00:0{}Z", number=str, head="", name=""):
    points = "".join(
        f'<trkpt lat="{number(45.5)}" lon="{number(9.5)}"><ele>{number(120.5)}</ele><time>{time.format(n)}</time>'
        f"<extensions><hr>{120 + n}</hr></extensions></trkpt>\n"
        for n in range(5)
    )
    return f'{head}<gpx version="1.1"><trk><name>{name}</name><trkseg>\n{points}</trkseg></trk></gpx>\n'


def tcx(time="2024-05-04T08:00:0{}Z", number=str, head="", name=""):
    points = "".join(
        f"<Trackpoint><Time>{time.format(n)}</Time><Position><LatitudeDegrees>{number(45.5)}</LatitudeDegrees>"
        f"<LongitudeDegrees>{number(9.5)}</LongitudeDegrees></Position><AltitudeMeters>{number(120.5)}</AltitudeMeters>"
        f"<HeartRateBpm><Value>{120 + n}</Value></HeartRateBpm></Trackpoint>\n"
        for n in range(5)
    )
    return (
        f'{head}<TrainingCenterDatabase xmlns="http://www.garmin.com/xmlschemas/TrainingCenterDatabase/v2"><Activities>'
        f"<Activity Sport='Running'><Notes>{name}</Notes><Lap><Track>\n{points}</Track></Lap></Activity></Activities>"
        "</TrainingCenterDatabase>\n"
    )


def apple(time="2024-05-04 08:00:0{} +0000", number=str, head="", name=""):
    records = [record("HeartRate", number(120.0 + n), time=time.format(n)) for n in range(5)]
    plain = export(*records, declaration="").replace('<?xml version="1.0" encoding="UTF-8"?>', "").replace("’", "'")
    return f"{head}{plain.strip()}\n"


def csv(time="2024-05-04T08:00:0{}Z", number=str, head="", name=""):
    return "time;metric;value;source\n" + "".join(
        f"{time.format(n)};heart_rate;{number(120.0 + n)};{name or 'strap'}\n" for n in range(5)
    )


def fitbit():
    return json.dumps([{"dateTime": f"05/04/24 08:00:0{n}", "value": {"bpm": 120 + n, "confidence": 3}} for n in range(5)])


def whole_file(fixtures, name):
    if name == "a.fit":
        return (fixtures / "reported/fit_garbage_tail.fit").read_bytes()[:FIT_BYTES]
    return {"a.gpx": gpx, "a.tcx": tcx, "a.xml": apple, "a.csv": csv, "a.json": fitbit}[name]().encode()


@pytest.mark.parametrize("name", ["a.gpx", "a.tcx", "a.xml", "a.csv", "a.json", "a.fit"])
def test_a_file_that_is_cut_short_gives_what_it_has_and_says_so(fixtures, tmp_path, name):
    content, path = whole_file(fixtures, name), tmp_path / name
    path.write_bytes(content)
    whole = load(path)
    all_of_it = list(whole.samples)
    assert [s.value for s in all_of_it if s.metric == "heart_rate"] == [120, 121, 122, 123, 124] and not whole.cut_short
    given = set()
    # But for the line's end behind it.
    for length in range(len(content) - 1 - (name == "a.fit")):
        if name == "a.csv" and content[length - 1 : length] == b"\n":
            # At the end of a line nobody can tell.
            continue
        path.write_bytes(content[:length])
        try:
            recording = load(path)
        except ValueError as error:
            assert name in str(error)
            continue
        assert "cut short" in recording.cut_short, length
        samples = list(recording.samples)
        # A table's last value can be cut so that it looks like another one, which is said.
        sure = samples[:-1] if "may be" in recording.cut_short else samples
        assert sure == all_of_it[: len(sure)], length
        given.add(len(samples))
    assert {len(all_of_it) - len(all_of_it) // 5, len(all_of_it) // 5} <= given


@pytest.mark.parametrize("name", ["a.gpx", "a.tcx", "a.xml", "a.csv", "a.json", "a.fit"])
def test_what_follows_the_end_is_named_and_harms_nothing(fixtures, tmp_path, name):
    content, path = whole_file(fixtures, name), tmp_path / name
    path.write_bytes(content)
    whole = list(load(path).samples)
    path.write_bytes(content + b"\n#\x01\xff garbage")
    recording = load(path)
    assert list(recording.samples) == whole
    assert recording.behind_end or recording.cut_short


@pytest.mark.parametrize("share", [0.3, 0.6, 0.95])
def test_a_packed_file_that_is_cut_short_gives_what_can_be_unpacked(tmp_path, share):
    rows = "".join(f"{n * 1_000_000},heart_rate,{n % 97 + 50}\n" for n in range(20_000))
    packed = gzip.compress(f"time,metric,value\n{rows}".encode())
    (tmp_path / "a.csv.gz").write_bytes(packed[: int(len(packed) * share)])
    recording = load(tmp_path / "a.csv.gz")
    assert 1_000 < len(recording.samples) < 20_000
    assert "cut short" in recording.cut_short
    assert all(s.value == n % 97 + 50 for n, s in enumerate(recording.samples[:-1]))


@pytest.mark.parametrize("is_streamed", [False, True])
@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_a_zip_file_that_is_cut_short_gives_the_first_recording_as_far_as_it_is_there(tmp_path, is_streamed, method):
    rows = "".join(f"{n * 1_000_000},heart_rate,{n % 97 + 50}\n" for n in range(20_000))

    class Streamed(io.BytesIO):
        def seekable(self):
            return not is_streamed

    if is_streamed and method == zipfile.ZIP_STORED:
        pytest.skip("its length is nowhere")
    packed = Streamed()
    with zipfile.ZipFile(packed, "w", method) as archive:
        archive.writestr("notes.txt", "hello " * 50_000)
        archive.writestr("a.csv", f"time,metric,value\n{rows}")
    path = tmp_path / "a.zip"
    sizes = {}
    for share in (0.4, 0.7, 0.999):
        whole = packed.getvalue()
        start = whole.index(b"a.csv")
        path.write_bytes(whole[: start + int((len(whole) - start) * share)])
        recording = load(path)
        sizes[share] = len(recording.samples)
        assert "cut short" in recording.cut_short and recording.unknown == {".txt files": 1}
        assert all(s.value == n % 97 + 50 for n, s in enumerate(recording.samples[:-1]))
    assert 1_000 < sizes[0.4] < sizes[0.7] < sizes[0.999] <= 20_000


def test_a_packed_file_may_be_in_a_zip_file(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("activities/1.csv.gz", gzip.compress(csv().encode()))
        archive.writestr("readme.txt", "hello")
    recording = load(tmp_path / "a.zip")
    assert len(recording.samples) == 5 and recording.unknown == {".txt files": 1}


@pytest.mark.parametrize("make, name", [(gpx, "a.gpx"), (tcx, "a.tcx"), (apple, "a.xml"), (csv, "a.csv")])
@pytest.mark.parametrize(
    "time, zone",
    [
        ("2024-05-04T08:00:0{}Z", "Europe/Rome"), ("2024-05-04T10:00:0{}", "Europe/Rome"), ("2024-05-04T08:00:0{}", "UTC"),
        ("2024-05-04T04:00:0{}-04:00", "Europe/Rome"), ("2024-05-04 13:30:0{} +0530", "UTC"),
        ("2024-05-04T10:00:0{}.000", "Europe/Rome"), ("2024-05-04T08:00:0{},000Z", "Europe/Rome"),
    ],
)  # fmt: skip
def test_times_are_read_alike(tmp_path, make, name, time, zone):
    (tmp_path / name).write_text(make(time=time))
    recording = load(tmp_path / name, zone)
    assert [s.time_us - T0 for s in recording.samples if s.metric == "heart_rate"] == [n * 1_000_000 for n in range(5)]
    assert recording.left_out() == 0


@pytest.mark.parametrize("make, name", [(gpx, "a.gpx"), (tcx, "a.tcx"), (apple, "a.xml"), (csv, "a.csv")])
def test_decimal_commas_are_read_alike(tmp_path, make, name):
    (tmp_path / name).write_text(make())
    points = list(load(tmp_path / name).samples)
    (tmp_path / name).write_text(make(number=lambda number: str(number).replace(".", ",")))
    assert list(load(tmp_path / name).samples) == points


@pytest.mark.parametrize("make, name", [(gpx, "a.gpx"), (tcx, "a.tcx"), (apple, "a.xml")])
@pytest.mark.parametrize("encoding", ["UTF-8", "ISO-8859-1", "windows-1252", "ISO-8859-15", "UTF-16", "UTF-16BE", "ISO-2022-JP"])
def test_declared_encodings_are_read_alike(tmp_path, make, name, encoding):
    # In ISO 2022 the bytes of 実 are those of "<B".
    place = "実" if encoding == "ISO-2022-JP" else "Città"
    text = make(head=f'<?xml version="1.0" encoding="{encoding}"?>\n', name=place)
    (tmp_path / name).write_bytes(text.encode(encoding))
    recording = load(tmp_path / name)
    assert sum(1 for s in recording.samples if s.metric == "heart_rate") == 5 and recording.left_out() == 0


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])
def test_a_table_is_read_in_any_encoding_that_has_a_mark(tmp_path, encoding):
    mark = "\ufeff" if encoding == "utf-16-le" else ""
    (tmp_path / "a.csv").write_bytes((mark + csv(name="Città")).encode(encoding))
    assert {s.source for s in load(tmp_path / "a.csv").samples} == {"Città"}


@pytest.mark.parametrize(
    "dates, expected",
    [
        (("04-05-2024 08:00", "04-05-2024 08:15"), 4),
        (("04/05/2024 8:00 AM", "04/05/2024 8:15 AM"), 5),
        (("04/05/2024 08:00", "04/13/2024 08:00"), 5),
        (("04/05/2024 8:00 AM", "13/05/2024 8:00 AM"), 4),
        (("2024-05-04 08:00", "2024-05-04 08:15"), 4),
    ],
)
def test_other_rows_tell_whether_the_day_or_the_month_comes_first(tmp_path, dates, expected):
    rows = "".join(f'"{date}",61\n' for date in dates)
    (tmp_path / "a.csv").write_text(f"Date,Heart rate\n{rows}")
    day = 24 * 3_600 * 1_000_000
    first = load(tmp_path / "a.csv").samples[0].time_us
    # The 4th of May, or the 5th of April.
    assert first == (T0 if expected == 4 else T0 - 29 * day)


@pytest.mark.parametrize("value", ["0", "255", "0.0"])
@pytest.mark.parametrize("make, name", [(gpx, "a.gpx"), (tcx, "a.tcx")])
def test_a_strap_that_is_taken_off_says_nothing(tmp_path, make, name, value):
    (tmp_path / name).write_text(make().replace(">122<", f">{value}<"))
    recording = load(tmp_path / name)
    assert [s.value for s in recording.samples if s.metric == "heart_rate"] == [120, 121, 123, 124]
    assert recording.no_value == {"heart_rate": 1}


def test_a_receiver_without_a_fix_says_nothing(tmp_path):
    (tmp_path / "a.gpx").write_text(gpx().replace('lat="45.5" lon="9.5"', 'lat="0.0" lon="0"', 2))
    recording = load(tmp_path / "a.gpx")
    assert sum(isinstance(s.value, Position) for s in recording.samples) == 3
    assert recording.no_value == {"position": 2}


def test_values_that_make_no_sense_are_named_and_the_others_of_the_point_are_taken(tmp_path):
    (tmp_path / "a.gpx").write_text(gpx().replace(">120.5<", ">high<", 1).replace('lat="45.5"', 'lat="north"', 1))
    recording = load(tmp_path / "a.gpx")
    assert sum(isinstance(s.value, Position) for s in recording.samples) == 4
    assert recording.unreadable_examples == ["line 2, trkpt: 'north' is no number", "line 2, ele: 'high' is no number"]
