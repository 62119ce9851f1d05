"""Races are planned on the map: with a mouse, with the keyboard alone, from a file; and changed (A-R15 to A-R17)."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import expect

from server_process import ServerProcess, wait_until
from test_routes import MILAN, roads_import
from accounts import Accounts
from web import Web

START, STAGE, ARRIVAL = "45.458900, 9.194000", "45.459500, 9.198000", "45.461800, 9.197000"


@pytest.fixture(scope="module")
def town():
    """A server that has the streets of Milan's centre."""
    process = ServerProcess({"TRACKME_HEARTBEAT_MS": "500"}, has_web=True).start()
    done = roads_import(process, MILAN)
    assert done.returncode == 0, done.stderr
    web = Web(process.web_port)
    wait_until(lambda: "box" in web.send("GET", "/map").json, what="the import")
    yield process
    process.remove()


@pytest.fixture(scope="module")
def citizens(town):
    accounts = Accounts(town)
    yield accounts
    accounts.close()


@pytest.fixture
def editor(windows, town, citizens):
    """A window with the editor of a new race, and whose race it will be."""
    person = citizens.person()
    window = windows(town)
    window.sign_in(person.credentials, "/races/new")
    return window, person


def moment(days: int) -> str:
    """As a field for a day and a time takes it."""
    return (datetime.now() + timedelta(days=days)).strftime("%Y-%m-%dT%H:%M")


def place(window, name: str, **values):
    """The field of a place's coordinates, by the name of the place."""
    words = window.words("pages/races/edit")
    return window.page.get_by_role("group", name=words(name, **values), exact=True).get_by_label(
        words("coordinates"), exact=True)  # fmt: skip


def fill_details(window, name: str) -> None:
    words = window.words("pages/races/edit")
    form = window.page.get_by_role("form", name=words("details"), exact=True)
    form.get_by_label(words("name"), exact=True).fill(name)
    form.get_by_label(words("placeNameOfRace"), exact=True).fill("Milano")
    form.get_by_label(words("starts"), exact=True).fill(moment(9))
    form.get_by_label(words("enrolmentEnds"), exact=True).fill(moment(7))


def click_on_map(window, x: float, y: float) -> None:
    """Clicks on the map at a share of its width and height."""
    frame = window.page.locator(".map-frame")
    frame.scroll_into_view_if_needed()
    box = frame.bounding_box()
    window.page.mouse.click(box["x"] + x * box["width"], box["y"] + y * box["height"])


@pytest.mark.long
def test_a_r15_a_race_is_planned_with_clicks_on_the_map(editor):
    """A-R15, A-R16: start, stage and arrival on the map, routes along streets to choose from."""
    window, person = editor
    words = window.words("pages/races/edit")
    expect(window.page.get_by_role("link", name="OpenStreetMap")).to_be_visible()
    window.look("empty")
    click_on_map(window, 0.45, 0.55)
    expect(place(window, "start")).to_have_value(re.compile(r"45\.\d{6}, 9\.\d{6}"))
    click_on_map(window, 0.55, 0.45)
    expect(place(window, "arrival")).to_have_value(re.compile(r"45\.\d{6}, 9\.\d{6}"))
    window.page.get_by_role("button", name=words("addStage")).click()
    click_on_map(window, 0.5, 0.4)
    expect(place(window, "stage", number="1")).not_to_have_value("")
    window.page.get_by_role("button", name=words("find")).click()
    routes = window.page.get_by_role("group", name=words("routes"), exact=True).get_by_role("radio")
    expect(routes.first).to_be_checked()
    assert 1 <= routes.count() <= 3
    expect(window.page.get_by_text("© OpenStreetMap contributors, ODbL 1.0").last).to_be_visible()
    window.look("with routes")
    window.picture("editor")
    fill_details(window, "Corsa del Duomo")
    window.page.get_by_role("button", name=words("create")).click()
    window.heading(window.words("pages/races/manage")("title", race="Corsa del Duomo"))
    (race,) = person.ask("ListRaces").races
    race = person.ask("GetRace", race_id=race.race_id).race
    assert (race.name, race.place_name, len(race.course.stages)) == ("Corsa del Duomo", "Milano", 1)
    assert 0 < race.course.length_m < 50_000


def test_a_r15_a_race_is_planned_with_the_keyboard_alone(editor):
    """The map's middle is where Enter puts a place; coordinates can be typed too."""
    window, person = editor
    words, map_words = window.words("pages/races/edit"), window.words("map")
    page = window.page
    frame = page.get_by_role("application", name=words("map"))
    window.tab_to(frame)
    page.keyboard.press("Enter")
    first = place(window, "start")
    expect(first).to_have_value(re.compile(r"45\.\d{6}, 9\.\d{6}"))
    # Two hundred pixels to the east, without an animation for who wants none.
    for key in ["ArrowRight", "ArrowRight", *["Shift+ArrowRight"] * 5, "Enter"]:
        page.keyboard.press(key)
    second = place(window, "arrival")
    expect(second).not_to_have_value("")
    west, east = (float(field.input_value().split(", ")[1]) for field in (first, second))
    assert east > west
    # The buttons below the map do the same.
    window.press(page.get_by_role("button", name=map_words("zoomIn")))
    window.press(page.get_by_role("button", name=map_words("showAll")))
    window.press(page.get_by_role("button", name=words("addStage")))
    field = place(window, "stage", number="1")
    expect(field).to_be_focused()
    page.keyboard.type("nowhere")
    window.press(page.get_by_role("button", name=words("find")))
    expect(page.get_by_text(words("notCoordinates"))).to_be_visible()
    expect(field).to_be_focused()
    window.look("with a place that is none")
    for name, text, values in [("stage", STAGE, {"number": "1"}), ("arrival", ARRIVAL, {})]:
        window.type_into(place(window, name, **values), text)
    window.tab_to(place(window, "start"), key="Shift+Tab")
    page.keyboard.press("Control+A")
    page.keyboard.type(START)
    window.press(page.get_by_role("button", name=words("find")))
    routes = page.get_by_role("group", name=words("routes"), exact=True).get_by_role("radio")
    # Whoever has found routes is brought to them.
    expect(routes.first).to_be_focused()
    form = page.get_by_role("form", name=words("details"), exact=True)
    window.type_into(form.get_by_label(words("name"), exact=True), "A mano")
    window.press(page.get_by_role("button", name=words("create")))
    # What is missing is said at its field, and the first of them has the focus.
    expect(form.get_by_label(words("placeNameOfRace"), exact=True)).to_be_focused()
    window.look("with fields that are missing")
    fill_details(window, "A mano")
    window.press(page.get_by_role("button", name=words("create")))
    window.heading(window.words("pages/races/manage")("title", race="A mano"))
    (race,) = person.ask("ListRaces").races
    course = person.ask("GetRace", race_id=race.race_id).race.course
    assert course.start.latitude == pytest.approx(45.4589, abs=1e-3)
    assert [stage.place.longitude for stage in course.stages] == pytest.approx([9.198], abs=1e-3)


def test_a_r16_what_is_wrong_with_places_is_said_at_them(editor):
    """A-R16.3: too long a course is refused with its length."""
    window, _ = editor
    words = window.words("pages/races/edit")
    page = window.page
    page.get_by_role("button", name=words("find")).click()
    expect(place(window, "start")).to_be_focused()
    expect(page.get_by_text(words("notCoordinates"))).to_have_count(0)
    place(window, "start").fill(START)
    place(window, "arrival").fill(START)
    window.allow("400")
    page.get_by_role("button", name=words("find")).click()
    expect(place(window, "arrival")).to_have_attribute("aria-invalid", "true")
    expect(page.get_by_text(words("refusedPlace"))).to_be_visible()
    window.look("with a place that is refused")
    place(window, "arrival").fill("46.4, 9.2")
    place(window, "arrival").press("Tab")
    expect(page.get_by_text(words.like("straight"))).to_contain_text("104")
    page.get_by_role("button", name=words("find")).click()
    expect(page.get_by_text(words.like("tooLong"))).to_contain_text("50")
    page.get_by_label(words("isLoop")).check()
    page.get_by_role("button", name=words("find")).click()
    expect(page.get_by_text(words("loopNeedsStage"))).to_be_visible()
    # Without a route nothing is saved.
    fill_details(window, "Senza percorso")
    page.get_by_role("button", name=words("create")).click()
    expect(page.get_by_text(words("noRoute"))).to_be_visible()


@pytest.mark.long
def test_stages_are_added_moved_and_removed_up_to_ten(editor):
    window, _ = editor
    words = window.words("pages/races/edit")
    page = window.page
    add = page.get_by_role("button", name=words("addStage"))
    for number in range(1, 11):
        add.click()
        place(window, "stage", number=str(number)).fill(f"45.46{number:02}, 9.19")
    expect(add).to_be_disabled()
    earlier = page.get_by_role("button", name=words("earlier", place=words("stage", number="2")), exact=True)
    earlier.click()
    expect(place(window, "stage", number="1")).to_have_value("45.4602, 9.19")
    expect(place(window, "stage", number="2")).to_have_value("45.4601, 9.19")
    # The focus stays with the stage that has moved; it is the first now, and can go no further.
    first = page.get_by_role("button", name=words("place", place=words("stage", number="1")), exact=True)
    expect(first).to_be_focused()
    page.get_by_role("button", name=words("remove", place=words("stage", number="1")), exact=True).click()
    expect(place(window, "stage", number="1")).to_have_value("45.4601, 9.19")
    expect(add).to_be_enabled()
    window.look("with many stages")


GPX = """<gpx version="1.1" creator="test" xmlns="http://www.topografix.com/GPX/1/1"><trk><trkseg>{}</trkseg></trk></gpx>"""


@pytest.mark.long
def test_a_r17_a_course_is_uploaded_as_gpx(editor):
    """A-R17."""
    window, person = editor
    words = window.words("pages/races/edit")
    page = window.page
    page.get_by_role("button", name=words("upload")).click()
    expect(page.get_by_text(words("gpxMissing"))).to_be_visible()
    upload = page.get_by_label(words("gpx"), exact=True)
    upload.set_input_files({"name": "a.gpx", "mimeType": "application/gpx+xml", "buffer": b"<gpx>"})
    window.allow("400")
    page.get_by_role("button", name=words("upload")).click()
    expect(page.get_by_text(words("gpxRefused"))).to_be_visible()
    points = "".join(f'<trkpt lat="{45.46 + i / 2000}" lon="9.19"><ele>{120 + i}</ele></trkpt>' for i in range(20))
    # What the server takes of a file, to the last byte, comes through a page too.
    most = GPX.format(points).encode().ljust(4 << 20)
    upload.set_input_files({"name": "a.gpx", "mimeType": "", "buffer": most + b" "})
    page.get_by_role("button", name=words("upload")).click()
    expect(page.get_by_text(words("gpxTooLarge"))).to_be_visible()
    upload.set_input_files({"name": "a.gpx", "mimeType": "", "buffer": most})
    page.get_by_role("button", name=words("upload")).click()
    expect(page.get_by_text(words("sourceGpx"))).to_be_visible()
    expect(place(window, "start")).to_have_value("45.460000, 9.190000")
    expect(place(window, "arrival")).to_have_value("45.469500, 9.190000")
    window.look("with a file's course")
    fill_details(window, "Dal file")
    page.get_by_role("button", name=words("create")).click()
    window.heading(window.words("pages/races/manage")("title", race="Dal file"))
    (race,) = person.ask("ListRaces").races
    assert len(person.ask("GetRace", race_id=race.race_id).race.course.latitudes) == 20


def test_a_stop_is_dragged_and_the_map_does_not_move(editor):
    window, _ = editor
    page = window.page
    click_on_map(window, 0.5, 0.5)
    start = place(window, "start")
    expect(start).not_to_have_value("")
    before = start.input_value()
    box = page.locator(".map-frame").bounding_box()
    middle = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.move(*middle)
    page.mouse.down()
    page.mouse.move(middle[0] + 40, middle[1], steps=4)
    page.mouse.up()
    expect(start).not_to_have_value(before)
    (north, west), (same, east) = ([float(part) for part in text.split(", ")] for text in (before, start.input_value()))
    assert east > west and same == pytest.approx(north, abs=1e-5)
    # Nothing else was put anywhere: the click that ends a drag is none.
    expect(place(window, "arrival")).to_have_value("")
    # The map has not moved: the arrival goes where the start was.
    click_on_map(window, 0.5, 0.6)
    assert float(place(window, "arrival").input_value().split(", ")[1]) == pytest.approx(west, abs=2e-5)


def test_a_draft_is_changed_and_what_is_not_touched_stays(editor, town):
    """To the second, which the fields do not show: else everybody would be told of new dates."""
    window, person = editor
    words, manage = window.words("pages/races/edit"), window.words("pages/races/manage")
    page = window.page
    for name, text in [("start", START), ("arrival", ARRIVAL)]:
        place(window, name).fill(text)
    page.get_by_role("button", name=words("find")).click()
    expect(page.get_by_role("radio").first).to_be_checked()
    fill_details(window, "Prima")
    form = page.get_by_role("form", name=words("details"), exact=True)
    form.get_by_label(words("fee"), exact=True).fill("12.5")
    page.get_by_role("button", name=words("create")).click()
    window.heading(manage("title", race="Prima"))
    (race,) = person.ask("ListRaces").races
    seconds = "UPDATE race SET starts_at = starts_at + '17 s', enrolment_ends_at = enrolment_ends_at + '23 s' WHERE id = %s"
    town.sql(seconds, (race.race_id,))
    before = person.ask("GetRace", race_id=race.race_id).race
    assert (before.fee.currency_code, before.fee.minor_units) == ("EUR", 1_250)
    page.get_by_role("link", name=manage("change")).click()
    window.heading(words("editTitle", race="Prima"))
    window.look("a race that there is")
    expect(page.get_by_text(words.like("kept"))).to_be_visible()
    # Where the street is that is nearest to what was entered.
    start = before.course.start
    expect(place(window, "start")).to_have_value(f"{start.latitude:.6f}, {start.longitude:.6f}")
    form.get_by_label(words("name"), exact=True).fill("Dopo")
    page.get_by_role("button", name=words("save")).click()
    window.heading(manage("title", race="Dopo"))
    after = person.ask("GetRace", race_id=race.race_id).race
    assert after.name == "Dopo" and after.course == before.course
    assert (after.starts, after.enrolment_ends, after.fee) == (before.starts, before.enrolment_ends, before.fee)


def test_of_two_who_change_a_race_the_second_is_told(editor):
    window, person = editor
    words = window.words("pages/races/edit")
    page = window.page
    for name, text in [("start", START), ("arrival", ARRIVAL)]:
        place(window, name).fill(text)
    page.get_by_role("button", name=words("find")).click()
    expect(page.get_by_role("radio").first).to_be_checked()
    fill_details(window, "Contesa")
    page.get_by_role("button", name=words("create")).click()
    window.heading(window.words("pages/races/manage")("title", race="Contesa"))
    (race,) = person.ask("ListRaces").races
    window.open(f"/races/{race.race_id}/edit")
    other = change_elsewhere(window, race.race_id)
    form = page.get_by_role("form", name=words("details"), exact=True)
    form.get_by_label(words("name"), exact=True).fill("Mia")
    window.allow("409")
    page.get_by_role("button", name=words("save")).click()
    expect(page.get_by_text(words("stale"))).to_be_visible()
    other.close()


def change_elsewhere(window, race_id: int):
    """Changes the race's name in a second page of the same browser."""
    words = window.words("pages/races/edit")
    page = window.context.new_page()
    page.goto(f"{window.origin}/races/{race_id}/edit")
    page.get_by_role("form", name=words("details"), exact=True).get_by_label(words("name"), exact=True).fill("Altra")
    page.get_by_role("button", name=words("save")).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Altra")
    return page
