"""What administrators decide, in a browser: codes, forms, dispatchers and their people, bridges, kinds of readings,
maintenance, dispatch status, races (A-R3, A-D1, A-admin, A-3.1.4, B-R.S3)."""

from __future__ import annotations

import re
import time

import grpc
import pytest
from playwright.sync_api import expect

from accounts import Accounts
from caller_table import disabled
from desks import Watching, answer
from dispatchers import RESOLVED
from failures import fails
from patients import Patient
from race_rows import put_race
from server_process import ServerProcess
from trackme.protocol import admin, emergencies, identity, race, readings

HOSTILE = "Studio <img src=x onerror=alert(1)><script>alert(2)</script>"


@pytest.fixture(scope="module")
def city():
    """A server of this file: what administrators decide concerns everybody on it."""
    process = ServerProcess({"TRACKME_HEARTBEAT_MS": "500"}, has_web=True).start()
    yield process
    process.remove()


@pytest.fixture(scope="module")
def accounts(city):
    accounts = Accounts(city)
    yield accounts
    accounts.close()


@pytest.fixture
def window(city, windows):
    return windows(city)


@pytest.fixture
def desk(window, accounts):
    """The window of an administrator."""
    window.sign_in(accounts.administrator.credentials, "/admin")
    window.heading(window.words("pages/admin")("title"))
    return window


def go(window, name: str) -> None:
    """To a page of the administration, by its link."""
    words = window.words("pages/admin")
    navigation = window.page.get_by_role("main").get_by_role("link", name=words(name), exact=True)
    window.press(navigation)
    window.heading(words(name))


def done(window, text: str):
    return window.page.get_by_role("main").get_by_text(text, exact=True)


def secret(window, what: str) -> str:
    """What is shown once under that name."""
    box = window.page.get_by_role("group", name=what, exact=True)
    expect(box).to_be_focused()
    expect(box.get_by_text(window.words("parts")("shownOnce"))).to_be_visible()
    return box.locator("code").inner_text()


def test_a_code_is_shown_once_listed_and_good_to_register_with(desk, accounts):
    words = desk.words("pages/admin")
    page = desk.page
    # Of its own: with --every-look the test comes here more than once.
    company = f"{HOSTILE} {accounts.credentials('company').username}"
    desk.look("what there is to do")
    go(desk, "codes")
    desk.press(page.get_by_role("button", name=words("issue")))
    expect(page.get_by_label(words("company"))).to_have_accessible_description(desk.words("parts")("required"))
    desk.type_into(page.get_by_label(words("company")), company)
    kind = page.get_by_label(words("holderKind"))
    desk.tab_to(kind)
    kind.select_option("HOLDER_KIND_COMPANY")
    desk.type_into(page.get_by_label(words("checkedField")), "The register")
    desk.press(page.get_by_role("button", name=words("issue")))
    code = secret(desk, words("codeFor", company=company))
    desk.look("with a code")
    row = page.get_by_role("row").filter(has_text=company)
    expect(row).to_contain_text(words("codeOpen"))
    accounts.anonymous().ask("RegisterThirdParty", **accounts.third_party_form(code=code, name=""))
    page.reload()
    expect(row).to_contain_text(words("codeUsed", time="").strip())
    assert code not in page.content()


@pytest.mark.long
def test_who_holds_a_code_is_corrected_and_an_account_is_taken_out_of_use(desk, accounts):
    words, page = desk.words("pages/admin"), desk.page
    name = f"Palestra Rossi {accounts.credentials('company').username}"
    gym = accounts.third_party(code=accounts.code(name), name="")
    go(desk, "codes")
    row = page.get_by_role("row").filter(has_text=name)
    expect(row).to_contain_text(words("codeAccount", number=str(gym.account_id)))
    desk.press(row.get_by_role("button", name=words("changeCode", name=name)))
    dialog = page.get_by_role("dialog")
    dialog.get_by_label(words("company")).fill(f"{name} & Figli")
    dialog.get_by_label(words("checkedField")).fill("Called back")
    dialog.get_by_role("button", name=words("change")).click()
    expect(dialog.get_by_role("alert")).to_have_text(words("fillIn"))
    desk.type_into(dialog.get_by_label(words("reason")), "A wrong entry")
    desk.look("a code that is changed")
    desk.press(dialog.get_by_role("button", name=words("change")))
    row = page.get_by_role("row").filter(has_text=f"{name} & Figli")
    expect(row).to_contain_text("Called back")
    expect(row.get_by_role("button", name=words("changeCode", name=f"{name} & Figli"))).to_be_focused()
    assert gym.ask("GetAccount").account.third_party.name == f"{name} & Figli"

    desk.press(row.get_by_role("link"))
    desk.heading(words("outOfUse"))
    expect(page.get_by_label(words("accountName"))).to_have_value(str(gym.account_id))
    desk.type_into(page.get_by_label(words("accountName")), gym.credentials.username)
    desk.type_into(page.get_by_label(words("accountReason")), "It is somebody else")
    desk.press(page.get_by_role("button", name=words("doRace")))
    expect(done(desk, words("accountDisabled", number=str(gym.account_id)))).to_be_visible()
    row = page.get_by_role("row").filter(has_text="It is somebody else").filter(has_text=str(gym.account_id))
    expect(row).to_contain_text(words("aboutAccount", number=str(gym.account_id)))
    expect(row).to_contain_text(words("DECISION_KIND_ACCOUNT_DISABLED"))
    changed = page.get_by_role("row").filter(has_text="A wrong entry").filter(has_text=name)
    for said in (words("before"), words("after"), f"{name} & Figli"):
        expect(changed).to_contain_text(said)
    desk.look("an account that is disabled")
    with fails(grpc.StatusCode.UNAUTHENTICATED):
        gym.ask("GetAccount")


def test_a_person_whose_account_is_disabled_sees_the_way_out(window, accounts):
    words, page = window.words("pages/home"), window.page
    window.sign_in(disabled(accounts).credentials)
    expect(page.get_by_text(words("isDisabled"))).to_be_visible()
    places = page.get_by_role("list", name=words("places"))
    expect(places.get_by_role("link")).to_have_text([words(name) for name in ("requests", "ledger", "export", "leave")])
    window.look("a disabled account")
    for name in ("requests", "ledger", "export", "leave"):
        window.press(places.get_by_role("link", name=words(name)))
        expect(page.get_by_role("heading", level=1)).not_to_have_text(words("title"))
        expect(page.get_by_role("alert")).to_have_count(0)
        window.open("/")


@pytest.mark.long
def test_the_registration_form_is_changed_by_keyboard_alone(desk, accounts):
    words = desk.words("pages/admin")
    page = desk.page
    kind = identity.ACCOUNT_KIND_THIRD_PARTY
    before = accounts.administrator.ask("GetRegistrationForm", kind=kind)
    go(desk, "forms")
    desk.press(page.get_by_role("link", name=words("ofThirdParties"), exact=True))
    expect(page.get_by_role("link", name=words("ofThirdParties"), exact=True)).to_have_attribute("aria-current", "true")
    count = len(before.fields)
    desk.look("as it is")
    try:
        for _ in range(2):
            desk.press(page.get_by_role("button", name=words("addField")))
            count += 1
            field = page.get_by_role("group", name=words("field", number=str(count)), exact=True)
            expect(field.get_by_label(words("fieldName"))).to_be_focused()
            page.keyboard.type("licence" if count == len(before.fields) + 1 else "Licence!")
            desk.type_into(field.get_by_label(words("fieldLabel")), HOSTILE)
        desk.allow("400")
        page.keyboard.press("Enter")
        expect(field.get_by_label(words("fieldName"))).to_have_accessible_description(re.compile(re.escape(words("fieldNameRefused"))))
        desk.look("with a name that is none")
        desk.type_into(field.get_by_label(words("fieldName")), "speciality")
        select = field.get_by_label(words("fieldType"))
        desk.tab_to(select)
        select.select_option("FIELD_TYPE_CHOICE")
        desk.type_into(field.get_by_label(words("fieldChoices")), "cardiology\nsport")
        desk.press(page.get_by_role("button", name=words("moveUp", number=str(count))))
        desk.press(page.get_by_role("button", name=words("save"), exact=True))
        expect(done(desk, words("formSaved"))).to_be_visible()
        now = accounts.administrator.ask("GetRegistrationForm", kind=kind)
        assert [(f.name, f.label, list(f.choices)) for f in now.fields][-2:] == [
            ("speciality", HOSTILE, ["cardiology", "sport"]), ("licence", HOSTILE, []),
        ]  # fmt: skip
        # What somebody else has changed meanwhile is not overwritten.
        accounts.administrator.ask("UpdateRegistrationForm", kind=kind, etag=now.etag, fields=before.fields)
        desk.allow("409")
        page.get_by_role("button", name=words("save"), exact=True).click()
        expect(page.get_by_role("alert")).to_have_text(words("formStale"))
    finally:
        now = accounts.administrator.ask("GetRegistrationForm", kind=kind)
        if now.fields != before.fields:
            accounts.administrator.ask("UpdateRegistrationForm", kind=kind, etag=now.etag, fields=before.fields)


@pytest.mark.long
def test_a_dispatcher_gets_people_whose_answers_are_seen_and_is_revoked(desk, accounts):
    words = desk.words("pages/admin")
    page = desk.page
    credentials = accounts.credentials("desk")
    go(desk, "dispatch")
    name = accounts.credentials("rescue").username
    desk.type_into(page.get_by_label(words("name"), exact=True), "no name!")
    desk.allow("400")
    page.keyboard.press("Enter")
    expect(page.get_by_label(words("name"), exact=True)).to_have_accessible_description(re.compile(re.escape(words("nameRefused"))))
    desk.type_into(page.get_by_label(words("name"), exact=True), name)
    page.keyboard.press("Enter")
    box = page.locator(".once")
    expect(box).to_be_visible()
    number = re.search(r"\d+$", box.get_attribute("aria-label"))[0]
    assert len(secret(desk, words("dispatcherToken", name=name, number=number))) > 20
    desk.look("with a token")

    go(desk, "operators")
    who = f"Anna <img src=x onerror=alert(1)> {credentials.username}"
    form = page.get_by_role("form", name=words("newOperator"))
    desk.type_into(form.get_by_label(words("dispatcherNumber")), "999999")
    desk.type_into(form.get_by_label(words("fullName")), who)
    desk.type_into(form.get_by_label(words("username")), credentials.username)
    desk.type_into(form.get_by_label(words("email")), credentials.email)
    desk.type_into(form.get_by_label(words("initialPassword")), credentials.password)
    desk.allow("404")
    page.keyboard.press("Enter")
    expect(form.get_by_label(words("dispatcherNumber"))).to_have_accessible_description(words("numberRefused"))
    desk.type_into(form.get_by_label(words("dispatcherNumber")), number)
    page.keyboard.press("Enter")
    expect(done(desk, words("operatorCreated", name=who))).to_be_visible()
    row = page.get_by_role("row").filter(has_text=credentials.username)
    expect(row).to_contain_text(words("operatorDue"))
    desk.look("with an account")

    anna = accounts.keep(type(accounts.administrator)(accounts.server.target, credentials)).log_in()
    anna.ask("ChangePassword", old_password=credentials.password, new_password="another password 8")
    patient = Patient(accounts)
    with Watching(anna) as sees:
        patient.cross()
        call = sees.call_for(patient.number).emergency.emergency_id
        answer(anna, call, RESOLVED)
    patient.leave()
    go(desk, "answers")
    answered = page.get_by_role("row").filter(has_text=call)
    expect(answered).to_contain_text(who)
    expect(answered).to_contain_text(words("ANSWER_KIND_RESOLVED"))
    desk.look("with an answer")

    go(desk, "operators")
    desk.press(row.get_by_role("button", name=words("revokeNamed", name=who)))
    dialog = page.get_by_role("dialog", name=words("revokeOperator", name=who))
    expect(dialog).to_be_visible()
    desk.look("asking before an account ends")
    desk.press(dialog.get_by_role("button", name=words("revoke"), exact=True))
    expect(page.get_by_role("row").filter(has_text=words("operatorRevoked", time="").strip()).filter(has_text=who)).to_be_visible()
    with fails(grpc.StatusCode.UNAUTHENTICATED):
        anna.ask("GetAccount")

    go(desk, "dispatch")
    row = page.get_by_role("row").filter(has_text=number)
    expect(row).to_contain_text(name)
    revoke(desk, row, name, "revokeDispatcher")
    assert accounts.administrator.ask("ListPrograms", kind=admin.PROGRAM_KIND_DISPATCHER).programs[0].HasField("revoked")


def revoke(window, row, name: str, title: str) -> None:
    """A program, by the button in its row of the list."""
    words = window.words("pages/admin")
    window.press(row.get_by_role("button", name=words("revokeNamed", name=name)))
    dialog = window.page.get_by_role("dialog", name=words(title, name=name))
    expect(dialog).to_be_visible()
    window.look("asking before a program ends")
    window.press(dialog.get_by_role("button", name=words("revoke"), exact=True))
    expect(row).to_contain_text(words("programRevoked", time="").strip())
    expect(row.get_by_role("button")).to_have_count(0)


@pytest.mark.long
def test_a_bridge_is_made_and_revoked(desk, accounts):
    words = desk.words("pages/admin")
    page = desk.page
    go(desk, "bridges")
    name = accounts.credentials("bridge").username
    desk.type_into(page.get_by_label(words("name"), exact=True), name)
    page.keyboard.press("Enter")
    box = page.locator(".once")
    expect(box).to_be_visible()
    number = re.search(r"\d+$", box.get_attribute("aria-label"))[0]
    token = secret(desk, words("bridgeToken", name=name, number=number))
    person = accounts.person()
    person.ask("AllowBridge", bridge_id=int(number))
    bridge = accounts.anonymous()
    bridge.token = token
    now = time.time_ns() // 1000
    reading = readings.Reading(person_id=person.account_id, metric="heart_rate", time_us=now, scalar=70)
    assert bridge.record([reading]).accepted == 1
    # The same name again is said at the field.
    desk.type_into(page.get_by_label(words("name"), exact=True), name)
    desk.allow("409")
    page.keyboard.press("Enter")
    expect(page.get_by_label(words("name"), exact=True)).to_have_accessible_description(re.compile(re.escape(words("nameRefused"))))
    desk.look("with a name that is taken")
    row = page.get_by_role("row").filter(has_text=number)
    expect(row).to_contain_text(name)
    page.reload()
    revoke(desk, row, name, "revokeBridge")
    with fails(grpc.StatusCode.UNAUTHENTICATED):
        bridge.record([reading])


@pytest.mark.long
def test_a_kind_of_reading_is_added_and_keeps_its_unit(desk, accounts):
    words = desk.words("pages/admin")
    page = desk.page
    go(desk, "metrics")
    expect(page.get_by_role("row").filter(has_text="heart_rate")).to_be_visible()
    desk.look("the registry")
    for name, value in (
        ("metricName", "lactate"), ("displayName", HOSTILE), ("unit", "mmol/L"), ("minimum", "50"), ("maximum", "1"),
    ):  # fmt: skip
        desk.type_into(page.get_by_label(words(name)), value)
    desk.allow("400")
    page.keyboard.press("Enter")
    expect(page.get_by_label(words("maximum"))).to_have_accessible_description(words("maximumRefused"))
    desk.type_into(page.get_by_label(words("minimum")), "0")
    desk.type_into(page.get_by_label(words("maximum")), "50")
    page.get_by_label(words("zeroIsNoValue")).check()
    desk.press(page.get_by_role("button", name=words("save"), exact=True))
    expect(done(desk, words("metricSaved", name=HOSTILE))).to_be_visible()
    put = {metric.name: metric for metric in accounts.person().metrics()}["lactate"]
    assert (put.unit, put.maximum, put.display_name, put.zero_is_no_value) == ("mmol/L", 50, HOSTILE, True)
    desk.press(page.get_by_role("link", name=words("changeNamed", name="lactate")))
    # The form that was sent has the same values.
    expect(done(desk, words("metricSaved", name=HOSTILE))).to_have_count(0)
    expect(page.get_by_label(words("unit"))).to_have_value("mmol/L")
    expect(page.get_by_label(words("zeroIsNoValue"))).to_be_checked()
    desk.type_into(page.get_by_label(words("unit")), "mg/dL")
    desk.allow("400")
    page.keyboard.press("Enter")
    expect(page.get_by_label(words("unit"))).to_have_accessible_description(re.compile(re.escape(words("metricFixed"))))
    desk.look("with a unit that is fixed")


def test_calls_are_made_real_and_exercises_again(desk, accounts):
    words = desk.words("pages/admin")
    page = desk.page
    administrator = accounts.administrator
    go(desk, "status")
    expect(page.get_by_text(words("statusExercise"))).to_be_visible()
    desk.look("an exercise")
    try:
        desk.press(page.get_by_role("button", name=words("makeActual")))
        dialog = page.get_by_role("dialog", name=words("makeActualTitle"))
        reason = dialog.get_by_label(words("reason"))
        desk.press(dialog.get_by_role("button", name=words("makeActual")))
        expect(reason).to_have_accessible_description(desk.words("parts")("required"))
        desk.look("asking for the reason")
        desk.type_into(reason, "the centre is <b>ready</b>")
        page.keyboard.press("Enter")
        expect(page.get_by_text(words("statusActual"))).to_be_focused()
        expect(page.get_by_text("the centre is <b>ready</b>")).to_be_visible()
        desk.look("calls are real")
        assert administrator.ask("GetDispatchStatus").status == emergencies.DISPATCH_STATUS_ACTUAL
        desk.press(page.get_by_role("button", name=words("makeExercise")))
        desk.type_into(page.get_by_role("dialog").get_by_label(words("reason")), "the test is over")
        page.keyboard.press("Enter")
        expect(page.get_by_text(words("statusExercise"))).to_be_focused()
    finally:
        administrator.ask("SetDispatchStatus", status=emergencies.DISPATCH_STATUS_EXERCISE, reason="the test is over")


@pytest.mark.long
def test_a_maintenance_is_announced_and_a_race_taken_out_of_use(desk, accounts, city):
    words = desk.words("pages/admin")
    page = desk.page
    person = accounts.person()
    go(desk, "maintenance")
    begins, ends = page.get_by_label(words("begins")), page.get_by_label(words("ends"))
    ends.fill("2099-01-01T12:00")
    begins.fill("2020-01-01T10:00")
    desk.type_into(page.get_by_label(words("message")), HOSTILE)
    announce = page.get_by_role("button", name=words("announce"))
    desk.allow("400")
    desk.press(announce)
    dialog = page.get_by_role("dialog", name=words("announceTitle"))
    expect(dialog).to_contain_text(HOSTILE)
    desk.look("asking before everybody is told")
    desk.press(dialog.get_by_role("button", name=words("announce")))
    expect(begins).to_have_accessible_description(words("beginsRefused"))
    begins.fill("2099-01-01T10:00")
    desk.press(announce)
    desk.press(page.get_by_role("dialog").get_by_role("button", name=words("announce")))
    expect(page.get_by_role("main").get_by_text(words.like("announced"))).to_be_visible()
    assert any(HOSTILE in str(n) for n in person.ask("ListNotifications").notifications)

    go(desk, "races")
    desk.look("races")
    desk.type_into(page.get_by_label(words("raceNumber")), "999999")
    desk.type_into(page.get_by_label(words("raceReason")), "a reason")
    desk.allow("404")
    desk.press(page.get_by_role("button", name=words("doRace")))
    expect(page.get_by_label(words("raceNumber"))).to_have_accessible_description(re.compile(re.escape(words("raceRefused"))))
    number = put_race(city, person).race_id
    desk.type_into(page.get_by_label(words("raceNumber")), str(number))
    desk.press(page.get_by_role("button", name=words("doRace")))
    expect(done(desk, words("raceDisabled", number=str(number)))).to_be_visible()
    assert person.ask("GetRace", race_id=number).race.state == race.RACE_STATE_DISABLED
    desk.press(page.get_by_label(words("disable"), exact=True), "ArrowDown")
    desk.type_into(page.get_by_label(words("raceReason")), "all is well")
    desk.press(page.get_by_role("button", name=words("doRace")))
    expect(done(desk, words("raceEnabled", number=str(number)))).to_be_visible()
    assert person.ask("GetRace", race_id=number).race.state != race.RACE_STATE_DISABLED


def test_the_pages_are_of_administrators_alone(window, accounts):
    window.sign_in(accounts.person().credentials, "/admin/status")
    window.heading(window.words("shell")("otherKind"))

