"""Finding races, and taking part in one (A-R16.1, A-R20, A-R21, A-R21.1, A-R22)."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from accounts import Accounts
from payment_provider import PayingServer
from race_rows import SECRET, put_race
from race_runners import Runner, present

HOSTILE = "<img src=x onerror=alert(1)><script>alert(2)</script>"


def own_list(window, words, name):
    return window.page.get_by_role("navigation", name=words("lists")).get_by_role("link", name=words(name), exact=True)


def test_a_race_is_found_by_its_name_and_by_where_it_is_with_the_keyboard_alone(window, server, accounts):
    """A-R20: races nearby, by name and by place."""
    name = accounts.credentials("Corsa").username
    race = put_race(server, accounts.person(), name=name, place_name="Milano")
    words = window.words("pages/races/list")
    page = window.page
    window.sign_in(accounts.person().credentials, "/races")
    window.look("all that are to come")
    window.type_into(page.get_by_label(words("text"), exact=True), name)
    page.keyboard.press("Enter")
    found = page.get_by_role("link", name=name, exact=True)
    expect(found).to_be_visible()
    page.wait_for_url(re.compile(r"/races\?text="))
    window.ready()
    expect(page.get_by_role("columnheader", name=words("distance"))).to_have_count(0)

    window.type_into(page.get_by_label(words("latitude"), exact=True), "45.5")
    page.keyboard.press("Enter")
    longitude = page.get_by_label(words("longitude"), exact=True)
    expect(longitude).to_be_focused()
    expect(longitude).to_have_accessible_description(re.compile(re.escape(words("both"))))
    window.look("with half of a position")
    window.type_into(longitude, "9.17")
    page.keyboard.press("Enter")
    expect(page.get_by_role("columnheader", name=words("distance"))).to_be_visible()
    # Where somebody is is sent to nobody with the address of a page.
    page.wait_for_url(re.compile(r"\?text=[^#]+#near=45\.5,9\.17,50$"))
    expect(page.get_by_role("row", name=name)).to_contain_text(re.compile(r"3[.,]3\d km"))
    window.look("nearby")
    page.reload()
    expect(page.get_by_role("row", name=name)).to_contain_text(re.compile(r"3[.,]3\d km"))
    expect(page.get_by_label(words("latitude"), exact=True)).to_have_value("45.5")
    window.press(found)
    window.heading(name)
    assert page.url.endswith(f"/races/{race.race_id}")


@pytest.mark.long
def test_the_browser_is_asked_where_it_is_by_a_button_alone(windows, server, accounts):
    person = accounts.person()
    window = windows(server, geolocation={"latitude": 45.471234, "longitude": 9.176543}, permissions=["geolocation"])
    words, page = window.words("pages/races/list"), window.page
    page.add_init_script("""
        const real = navigator.geolocation.getCurrentPosition.bind(navigator.geolocation);
        window.asked = 0;
        navigator.geolocation.getCurrentPosition = (...all) => { window.asked += 1; real(...all); };
    """)
    window.sign_in(person.credentials, "/races")
    assert page.evaluate("window.asked") == 0
    window.press(page.get_by_role("button", name=words("here")))
    expect(page.get_by_label(words("latitude"), exact=True)).to_have_value("45.471")
    expect(page.get_by_label(words("longitude"), exact=True)).to_have_value("9.177")
    window.context.clear_permissions()
    page.get_by_role("button", name=words("here")).click()
    expect(page.get_by_text(words("denied"))).to_be_visible()
    window.look("without a position")


def test_ones_own_races_are_listed_by_what_one_is_in_them(window, server, accounts):
    """A-R19, A-R21, A-R22."""
    person, other = accounts.person(), accounts.person()
    put_race(server, person, "draft", name="La mia bozza")
    put_race(server, other, runners=[other, person], name="La corro")
    observed = put_race(server, other, name="La guardo")
    person.ask("ObserveRace", race_id=observed.race_id)
    words = window.words("pages/races/list")
    window.sign_in(person.credentials, "/races")
    for name, race in [("organising", "La mia bozza"), ("running", "La corro"), ("observing", "La guardo")]:
        window.press(own_list(window, words, name))
        expect(window.page.get_by_role("link", name=race)).to_be_visible()
        expect(window.page.get_by_role("row")).to_have_count(2)
        expect(own_list(window, words, name)).to_have_attribute("aria-current", "page")
    window.open("/races?mine=running")
    expect(window.page.get_by_role("row", name="La corro")).to_contain_text(re.compile(r"2$"))
    window.look("those that one runs")


def test_without_races_each_list_says_so(window, accounts):
    words = window.words("pages/races/list")
    window.sign_in(accounts.person().credentials, "/races?mine=observing")
    expect(window.page.get_by_text(words("noneObserved"))).to_be_visible()
    window.look("without races")


def test_somebody_takes_part_and_withdraws_with_the_keyboard_alone(window, server, accounts):
    """A-R21: enrol with a name of one's own, and give the place back."""
    race = put_race(server, accounts.person(), name="Corsa del Parco", capacity=10)
    words, page = window.words("pages/races/overview"), window.page
    runner = accounts.person()
    window.sign_in(runner.credentials, f"/races/{race.race_id}")
    window.heading("Corsa del Parco")
    expect(page.get_by_role("table", name=words("stops")).get_by_role("row")).to_have_count(4)
    window.look("before")
    window.type_into(page.get_by_label(words("runnerName"), exact=True), "Lepre")
    page.keyboard.press("Enter")
    expect(page.get_by_text(words("isEnrolled", number="1", name="Lepre"))).to_be_visible()
    expect(page.get_by_role("heading", name=words("takingPart"))).to_be_focused()
    assert runner.ask("GetRace", race_id=race.race_id).race.my_enrolment.runner_name == "Lepre"
    window.look("enrolled")

    window.press(page.get_by_role("button", name=words("withdraw")))
    dialog = page.get_by_role("dialog", name=words("withdrawTitle"))
    expect(dialog).to_be_visible()
    window.look("asked whether to withdraw")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    assert runner.ask("GetRace", race_id=race.race_id).race.my_enrolment.number == 1
    window.press(page.get_by_role("button", name=words("withdraw")))
    window.press(dialog.get_by_role("button", name=words("withdraw")))
    expect(page.get_by_text(words("withdrawn"))).to_be_visible()
    # Who has given a place back can take one again.
    expect(page.get_by_role("button", name=words("enrol"))).to_be_visible()
    window.look("withdrawn")


@pytest.mark.long
def test_who_comes_too_late_waits_and_moves_up_while_looking(window, server, accounts):
    first, second = accounts.person(), accounts.person()
    race = put_race(server, accounts.person(), name="Un posto solo", capacity=1)
    first.ask("Enrol", race_id=race.race_id)
    words, page = window.words("pages/races/overview"), window.page
    window.sign_in(second.credentials, f"/races/{race.race_id}")
    expect(page.get_by_text(words("full"))).to_be_visible()
    page.get_by_role("button", name=words("enrol")).click()
    expect(page.get_by_text(words("isWaiting", position="1"))).to_be_visible()
    window.look("waiting")
    first.ask("Withdraw", race_id=race.race_id)
    expect(page.get_by_text(words.like("isEnrolled"))).to_be_visible()


def test_a_race_is_observed_and_not_any_more(window, server, accounts):
    """A-R22: anyone with an account can observe a race; it is kept in the observing list."""
    race = put_race(server, accounts.person(), "running")
    words, page = window.words("pages/races/overview"), window.page
    person = accounts.person()
    window.sign_in(person.credentials, f"/races/{race.race_id}")
    expect(page.get_by_text(words("tooLate"))).to_be_visible()
    window.press(page.get_by_role("button", name=words("observe")))
    expect(page.get_by_text(words("isObserved"))).to_be_visible()
    assert person.ask("GetRace", race_id=race.race_id).race.is_observed
    window.press(page.get_by_role("button", name=words("stopObserving")))
    expect(page.get_by_text(words("observeText"))).to_be_visible()
    assert not person.ask("GetRace", race_id=race.race_id).race.is_observed


def test_a_private_link_outlives_the_sign_in_and_its_secret_is_in_no_address(window, server, accounts):
    """A-R16.1: only invited persons who follow the private link can enrol."""
    organizer, invited = accounts.person(), accounts.person()
    race = put_race(server, organizer, by_invitation=True, name="Corsa privata")
    organizer.ask("InviteRunners", race_id=race.race_id, usernames=[invited.credentials.username])
    secret = SECRET.replace(" ", "%20")
    words, page = window.words("pages/races/overview"), window.page
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    window.open(f"/races/{race.race_id}#invitation={secret}")
    expect(page.get_by_text(words("invited"))).to_be_visible()
    assert page.url.endswith(f"/races/{race.race_id}")
    window.look("invited, and not signed in")
    window.press(page.get_by_role("main").get_by_role("link", name=words("signIn")))
    sign_in = window.words("pages/sign-in")
    window.type_into(page.get_by_label(sign_in("username"), exact=True), invited.credentials.username)
    window.type_into(page.get_by_label(sign_in("password"), exact=True), invited.credentials.password)
    page.keyboard.press("Enter")
    window.heading("Corsa privata")
    window.look("invited")
    window.press(page.get_by_role("button", name=words("enrol")))
    expect(page.get_by_text(words.like("isEnrolled"))).to_be_visible()
    assert asked and not any("invitation" in url or secret in url for url in asked)


def test_a_race_that_somebody_may_not_see_is_like_none(window, server, accounts):
    organizer, invited = accounts.person(), accounts.person()
    race = put_race(server, organizer, by_invitation=True, name="Corsa privata")
    errors = window.words("errors/reasons")
    window.allow("404 ")
    window.sign_in(invited.credentials, f"/races/{race.race_id}")
    expect(window.page.get_by_text(errors("NO_RACE"))).to_be_visible()
    window.look("not for everyone")
    window.open("/races/999999999")
    expect(window.page.get_by_text(errors("NO_RACE"))).to_be_visible()
    window.open("/races/none")
    expect(window.page.get_by_text(window.words("errors")("notFound"))).to_be_visible()
    # The private link of a race that is open already in this tab.
    window.open(f"/races/{race.race_id}")
    organizer.ask("InviteRunners", race_id=race.race_id, usernames=[invited.credentials.username])
    window.page.evaluate("secret => { location.hash = `invitation=${encodeURIComponent(secret)}`; }", SECRET)
    window.heading("Corsa privata")
    assert window.page.url.endswith(f"/races/{race.race_id}")


@pytest.fixture
def paying(tmp_path):
    pair = PayingServer(tmp_path, has_web=True)
    accounts = Accounts(pair.server)
    yield pair, accounts
    accounts.close()
    pair.close()


def test_a_fee_is_paid_on_the_providers_page_and_the_place_appears(paying, windows):
    """A-R21.1, A-D5: the fee goes through an external service; the page sees by itself that it is paid."""
    pair, accounts = paying
    race = put_race(pair.server, accounts.person(), name="Corsa a pagamento", fee_minor_units=1_500, fee_currency="EUR")
    window = windows(pair.server)
    words, page = window.words("pages/races/overview"), window.page
    window.sign_in(accounts.person().credentials, f"/races/{race.race_id}")
    fee = "€15.00" if window.language == "en" else "15,00\u00a0€"
    window.press(page.get_by_role("button", name=words("enrolFee", fee=fee)))
    link = page.get_by_role("link", name=words("pay", fee=fee))
    expect(link).to_have_attribute("href", re.compile(re.escape(pair.provider.url)))
    expect(link).to_have_attribute("rel", "noopener noreferrer")
    expect(page.get_by_text(words.like("awaitingPayment"))).to_be_visible()
    window.look("to be paid")
    assert pair.provider.pay(link.get_attribute("href")) == 200
    expect(page.get_by_text(words.like("isEnrolled"))).to_be_visible()
    expect(page.get_by_text(words("PAYMENT_STATE_CAPTURED"))).to_be_visible()
    window.look("paid")


def test_what_others_have_typed_is_shown_as_text(window, server, accounts):
    """Names of races, places and runners, and descriptions."""
    runner = accounts.person()
    race = put_race(
        server, accounts.person(), "running", [runner], name=HOSTILE, place_name=HOSTILE, description=HOSTILE
    )
    server.sql("UPDATE race_enrolment SET runner_name = %s WHERE race = %s", (HOSTILE, race.race_id))
    page = window.page
    window.sign_in(runner.credentials, "/races?mine=running")
    expect(page.get_by_role("link", name=HOSTILE)).to_be_visible()
    window.open(f"/races/{race.race_id}")
    window.heading(HOSTILE)
    # The heading, the description, the place, and under what name one runs.
    expect(page.get_by_role("main").get_by_text(HOSTILE)).to_have_count(4)
    assert page.locator("img, main script").count() == 0


def test_the_own_run_is_loaded_as_a_file(window, server, accounts):
    runner = Runner(accounts)
    race = put_race(server, accounts.person(), "running", [runner.member])
    present(server, race, [runner.member])
    runner.run(race.starts, 1, 60, speed=4)
    runner.leave()
    words, page = window.words("pages/races/overview"), window.page
    window.sign_in(runner.member.credentials, f"/races/{race.race_id}")
    link = page.get_by_role("link", name=words("download"))
    window.tab_to(link)
    with page.expect_download() as loaded:
        page.keyboard.press("Enter")
    assert loaded.value.suggested_filename == f"trackme-run-{race.race_id}.gpx"
    assert Path(loaded.value.path()).read_text().count("<trkpt ") == 60
    window.look("under way")


def test_who_runs_retires_from_the_race(window, server, accounts):
    runner = accounts.person()
    race = put_race(server, accounts.person(), "running", [runner])
    words, page = window.words("pages/races/overview"), window.page
    window.sign_in(runner.credentials, f"/races/{race.race_id}")
    window.press(page.get_by_role("button", name=words("retire")))
    dialog = page.get_by_role("dialog", name=words("retireTitle"))
    window.press(dialog.get_by_role("button", name=words("retire")))
    expect(dialog).to_be_hidden()
    assert server.sql("SELECT is_retired FROM race_enrolment WHERE race = %s", (race.race_id,)) == [(True,)]
