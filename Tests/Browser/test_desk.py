"""People at a dispatcher's desk: calls as they come, and what becomes of them (A-R15, B-R.S3, B-UC.4)."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from accounts import Accounts
from desks import Watching, answer
from dispatchers import ACCEPTED, RESOLVED
from patients import MILAN, Patient
from server_process import ServerProcess
from trackme.protocol import emergencies

pytestmark = pytest.mark.strict

ALARM = """
window.alarms = [];
const start = AudioBufferSourceNode.prototype.start;
AudioBufferSourceNode.prototype.start = function () {
  window.alarms.push([this.context.state, this.loop]);
  return start.call(this);
};
window.silences = 0;
const stop = AudioBufferSourceNode.prototype.stop;
AudioBufferSourceNode.prototype.stop = function () {
  window.silences += 1;
  return stop.call(this);
};
"""
"""Writes down what the page lets sound, and what it stops: nobody listens to the tests' machine."""

@pytest.fixture
def centre(accounts):
    return accounts.dispatcher()


@pytest.fixture
def patient(accounts):
    patient = Patient(accounts)
    yield patient
    patient.leave()


def cards(page: Page, section: str):
    """The calls below a heading, which names how many there are."""
    return page.locator("section").filter(has=page.get_by_role("heading", level=2, name=section)).get_by_role("article")


def test_a_call_comes_with_everything_and_is_answered_to_its_end_by_keyboard_alone(window, accounts, centre, patient):
    anna = accounts.desk_operator(centre)
    patient.choose(callback_number="+393331234567")
    patient.be_at(MILAN)
    words = window.words("pages/desk")
    page = window.page
    window.context.grant_permissions(["clipboard-read", "clipboard-write"])
    window.context.add_init_script(ALARM)
    window.sign_in(anna.credentials, "/desk")
    expect(page.get_by_text(words("noneWaiting"))).to_be_visible()
    expect(page.get_by_text(words("exerciseBanner"))).to_be_visible()
    # That no sound would be heard is seen.
    expect(page.get_by_text(words("soundOff"))).to_be_visible()
    window.look("without a call")
    window.press(page.get_by_role("button", name=words("arm")))
    expect(page.get_by_text(words("soundOn"))).to_be_visible()

    # A desk that looks at something else hears it all the same.
    window.hide()
    patient.cross()
    call = cards(page, words("waiting"))
    expect(call).to_have_count(1)
    expect(page.get_by_text(words("oneWaits"), exact=True)).to_be_visible()
    expect(page).to_have_title(f"(1) {words('oneWaits')} – {words('title')} – TrackMe")
    expect(page.get_by_role("status")).to_contain_text(words("newCall", what="")[:6])
    assert page.evaluate("window.alarms") == [["running", True]]
    expect(call.get_by_text(words("exercise"))).to_be_visible()
    expect(call.get_by_role("heading")).to_contain_text("35")
    expect(call).to_contain_text("+393331234567")
    expect(call).to_contain_text(words("within", metres="12"))
    expect(page.get_by_label(words("map"), exact=True)).to_be_visible()
    expect(call).to_contain_text("41")
    window.press(call.get_by_role("button", name=window.words("parts")("copyWhat", what=words("coordinates"))))
    expect(call.get_by_text(window.words("parts")("copied"))).to_be_visible()
    assert page.evaluate("navigator.clipboard.readText()") == "45.46420, 9.19000"
    window.press(call.get_by_text(words("text")))
    expect(call.get_by_text("EXERCISE, NOT A REAL EMERGENCY")).to_be_visible()
    window.look("with a call")
    window.picture("desk")

    window.type_into(call.get_by_label(words("note")), "incident <b>4711</b>")
    window.press(call.get_by_role("button", name=words("ANSWER_KIND_ACCEPTED"), exact=True))
    mine = cards(page, words("ours"))
    expect(mine).to_contain_text(words("mine", time="").split(".")[0])
    expect(mine).to_contain_text("incident <b>4711</b>")
    # Who answers by keyboard goes on where the call is.
    expect(mine.get_by_role("heading")).to_be_focused()
    expect(cards(page, words("waiting"))).to_have_count(0)
    expect(page).to_have_title(f"{words('title')} – TrackMe")
    expect(page.locator("[data-sounding=false]")).to_be_visible()
    window.look("with an accepted call")
    window.press(mine.get_by_role("button", name=words("ANSWER_KIND_EN_ROUTE"), exact=True))
    expect(mine).to_contain_text(words("saidEnRoute"))
    window.press(mine.get_by_role("button", name=words("ANSWER_KIND_RESOLVED"), exact=True))
    dialog = page.get_by_role("dialog", name=words("closeTitle"))
    expect(dialog).to_be_visible()
    window.look("asking before a call is closed")
    window.press(dialog.get_by_role("button", name=words("ANSWER_KIND_RESOLVED"), exact=True))
    gone = cards(page, words("gone"))
    expect(gone).to_contain_text(words("overResolved"))
    expect(gone.get_by_role("button", name=words("ANSWER_KIND_ACCEPTED"))).to_have_count(0)
    window.look("with a call that is over")
    assert patient.emergency_in(emergencies.EMERGENCY_STATE_RESOLVED)


@pytest.mark.long
def test_of_two_who_answer_one_wins_and_the_other_sees_who(windows, server, accounts, centre, patient):
    anna, bruno = accounts.desk_operator(centre), accounts.desk_operator(centre, "Bruno <img src=x onerror=alert(1)>")
    ours, theirs = windows(server), windows(server)
    words = ours.words("pages/desk")
    ours.sign_in(anna.credentials, "/desk")
    # Bruno's page is behind: it does not hear yet that the call has an owner.
    theirs.sign_in(bruno.credentials, "/desk")
    patient.cross()
    first, second = cards(ours.page, words("waiting")), cards(theirs.page, words("waiting"))
    expect(first).to_have_count(1)
    expect(second).to_have_count(1)
    accept = second.get_by_role("button", name=words("ANSWER_KIND_ACCEPTED"), exact=True)
    expect(accept).to_be_visible()
    with Watching(bruno) as sees:
        number = sees.call_for(patient.number).emergency.emergency_id
    # The answer comes between what Anna sees and what she presses.
    late = "**/trackme.sos.v1.DispatchService/AnswerCall"
    ours.page.route(late, lambda route: (answer(bruno, number, ACCEPTED), route.continue_()))
    ours.allow("400")
    first.get_by_role("button", name=words("ANSWER_KIND_ACCEPTED"), exact=True).click()
    expect(ours.page.get_by_role("article").get_by_role("alert")).to_have_text(
        words("heldBy", name="Bruno <img src=x onerror=alert(1)>"))
    held = cards(ours.page, words("ours"))
    expect(held).to_contain_text("Bruno <img src=x onerror=alert(1)>")
    expect(held.get_by_role("button", name=words("giveBack"))).to_have_count(0)
    ours.look("with a colleague's call")
    expect(cards(theirs.page, words("ours")).get_by_role("button", name=words("giveBack"))).to_be_visible()
    # Given back, it waits for others, and is not lost to who sees it.
    cards(theirs.page, words("ours")).get_by_role("button", name=words("giveBack")).click()
    back = cards(ours.page, words("waiting"))
    expect(back).to_contain_text(words("givenBack", time="").split(".")[0])
    ours.look("with a call that was given back")
    ours.page.unroute(late)
    back.get_by_role("button", name=words("ANSWER_KIND_ACCEPTED"), exact=True).click()
    held.get_by_role("button", name=words("ANSWER_KIND_FALSE_ALARM"), exact=True).click()
    ours.page.get_by_role("dialog").get_by_role("button", name=words("ANSWER_KIND_FALSE_ALARM"), exact=True).click()
    for page in (ours.page, theirs.page):
        expect(cards(page, words("gone"))).to_contain_text(words("overCancelled"))


def test_the_administrators_password_is_changed_before_any_call_is_seen(window, accounts, centre):
    operator = accounts.new_desk_operator(centre)
    words = window.words("pages/desk")
    page = window.page
    window.allow("400")
    window.sign_in(operator.credentials, "/desk")
    expect(page.get_by_role("heading", name=words("passwordTitle"))).to_be_visible()
    window.look("with the administrator's password")
    old, new = page.get_by_label(words("oldPassword")), page.get_by_label(words("newPassword"), exact=True)
    window.type_into(old, "something else")
    window.type_into(new, "a password of my own 7")
    window.allow("403")
    page.keyboard.press("Enter")
    expect(old).to_have_accessible_description(words("wrongPassword"))
    window.type_into(old, operator.credentials.password)
    page.keyboard.press("Enter")
    expect(page.get_by_text(words("noneWaiting"))).to_be_visible()
    operator.credentials.password = "a password of my own 7"
    assert operator.log_in().account_id == operator.account_id


def test_a_desk_goes_on_when_the_token_of_its_stream_ends(window, accounts, centre, patient):
    anna = accounts.desk_operator(centre)
    words = window.words("pages/desk")
    page = window.page
    window.sign_in(anna.credentials)
    opened = []

    def end(route):
        """The first stream ends as the server ends it after 15 minutes, and the browser has dropped the cookie by then."""
        opened.append(route.request.post_data_buffer)
        if len(opened) > 1:
            return route.continue_()
        window.context.clear_cookies(name="__Host-trackme-session")
        body = frame(0, {"beginsAnew": True, "status": "DISPATCH_STATUS_EXERCISE"})
        body += frame(2, {"error": {"code": "unauthenticated"}})
        return route.fulfill(status=200, content_type="application/connect+json", body=body)

    page.route("**/trackme.sos.v1.DispatchService/WatchCalls", end)
    window.open("/desk")
    expect(page.get_by_text(window.words("parts")("live"))).to_be_visible()
    patient.cross()
    call = cards(page, words("waiting"))
    expect(call).to_have_count(1)
    # More than once where the machine is slow: a stream of which nothing has come for long is opened anew.
    assert len(opened) >= 2
    call.get_by_role("button", name=words("ANSWER_KIND_ACCEPTED"), exact=True).click()
    expect(cards(page, words("ours"))).to_have_count(1)
    with Watching(anna) as sees:
        answer(anna, sees.call_for(patient.number, None).emergency.emergency_id, RESOLVED)


def frame(flags: int, message: dict) -> bytes:
    """An envelope of Connect."""
    data = json.dumps(message).encode()
    return bytes([flags]) + len(data).to_bytes(4, "big") + data


@pytest.fixture
def city():
    """A server of the test's own, to be ended under an open page."""
    process = ServerProcess({"TRACKME_HEARTBEAT_MS": "200"}, has_web=True).start()
    yield process
    process.remove()


def test_an_alarm_that_was_silenced_sounds_again_with_the_next_call(city, windows):
    people, window = Accounts(city), windows(city)
    anna = people.desk_operator(people.dispatcher())
    patients = [Patient(people) for _ in range(2)]
    page, words = window.page, window.words("pages/desk")
    window.context.add_init_script(ALARM)
    window.sign_in(anna.credentials, "/desk")
    window.press(page.get_by_role("button", name=words("arm")))
    calls, silence = cards(page, words("waiting")), page.get_by_role("button", name=words("silence"))
    for number, patient in enumerate(patients, 1):
        expect(silence).to_be_hidden()
        patient.cross()
        expect(calls).to_have_count(number)
        assert page.evaluate("window.silences") == number - 1
        window.press(silence)
        expect(silence).to_be_hidden()
        # The calls stay.
        expect(calls).to_have_count(number)
        assert page.evaluate("[window.alarms.length, window.silences]") == [number, number]
        patient.leave()
    people.close()


def test_reloads_and_restarts_double_nothing_and_a_call_stays_until_somebody_has_it(city, windows):
    people = Accounts(city)
    window = windows(city)
    words = window.words("pages/desk")
    page = window.page
    people.administrator.ask("SetDispatchStatus", status=emergencies.DISPATCH_STATUS_ACTUAL, reason="a test")
    anna = people.desk_operator(people.dispatcher())
    waits, mine, closed = (Patient(people) for _ in range(3))
    window.sign_in(anna.credentials, "/desk")
    expect(page.get_by_text(words("actualBanner"))).to_be_visible()
    with Watching(anna) as sees:
        for patient in (waits, mine, closed):
            patient.cross()
        numbers = {p: sees.call_for(p.number, None).emergency.emergency_id for p in (waits, mine, closed)}
    answer(anna, numbers[mine], ACCEPTED)
    answer(anna, numbers[closed], RESOLVED)
    expect(cards(page, words("waiting"))).to_have_count(1)
    expect(cards(page, words("ours"))).to_have_count(1)
    expect(cards(page, words("gone"))).to_have_count(1)
    assert words("exercise") not in cards(page, words("waiting")).inner_text()
    page.reload()
    window.ready()
    expect(cards(page, words("waiting"))).to_have_count(1)
    expect(page.get_by_role("article")).to_have_count(2)
    note = cards(page, words("waiting")).get_by_label(words("note"))
    note.fill("the neighbour has a key")
    for patient in (waits, mine, closed):
        patient.leave()
    window.allow("ERR_|50[0-9]")
    city.kill()
    expect(page.get_by_text(words("lost"))).to_be_visible()
    expect(page).to_have_title(lost(words))
    # What was there stays there.
    expect(cards(page, words("waiting"))).to_have_count(1)
    window.look("without its server")
    city.start()
    expect(page.get_by_text(words("lost"))).to_be_hidden()
    expect(cards(page, words("waiting"))).to_have_count(1)
    expect(cards(page, words("ours"))).to_have_count(1)
    expect(page.get_by_role("article")).to_have_count(2)
    # What was being typed is still there.
    expect(note).to_have_value("the neighbour has a key")
    cards(page, words("waiting")).get_by_role("button", name=words("ANSWER_KIND_ACCEPTED"), exact=True).click()
    expect(cards(page, words("ours"))).to_have_count(2)
    people.close()


def lost(words) -> str:
    return f"⚠ {words('lostShort')} – (1) {words('oneWaits')} – {words('title')} – TrackMe"
