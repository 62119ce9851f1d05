"""What organisers do with a race: publish, invite, mark present, disqualify, correct, postpone, cancel (A-R15 to A-R24)."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

import pytest
from playwright.sync_api import expect

from trackme.protocol import live, race

from race_rows import put_race


def manage(window, organizer, row, name: str = "Corsa del Parco"):
    """Signs in and opens the page of a race."""
    words = window.words("pages/races/manage")
    window.sign_in(organizer.credentials, f"/races/{row.race_id}/manage")
    window.heading(words("title", race=name))
    return words


def state_of(organizer, row) -> int:
    return organizer.ask("GetRace", race_id=row.race_id).race.state


def runners(organizer, row) -> dict[int, race.Enrolment]:
    return {e.number: e for e in organizer.ask("ListEnrolments", race_id=row.race_id).enrolments}


def press_in_dialog(window, title: str) -> None:
    """Presses the button of a dialog that does what it asks about."""
    dialog = window.page.get_by_role("dialog", name=title)
    window.press(dialog.get_by_role("button", name=title, exact=True))
    expect(dialog).to_have_count(0)


def confirm(window, title: str) -> None:
    """The same for what changes the race, which is drawn anew then."""
    press_in_dialog(window, title)
    # The button that asked is gone with what was drawn before, and the focus goes to the beginning of what is new.
    expect(window.page.get_by_role("heading", level=2).first).to_be_focused()


def test_a_draft_is_published_with_the_keyboard_alone(window, server, accounts):
    organizer = accounts.person()
    row = put_race(server, organizer, "draft")
    words = manage(window, organizer, row)
    page = window.page
    window.look("a draft")
    window.press(page.get_by_role("button", name=words("publish")))
    window.look("the question")
    # Who thinks better of it has done nothing.
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert state_of(organizer, row) == race.RACE_STATE_DRAFT
    expect(page.get_by_role("button", name=words("publish"))).to_be_focused()
    page.keyboard.press("Enter")
    confirm(window, words("publish"))
    expect(page.get_by_text(words.like("enrolmentOpen"))).to_be_visible()
    expect(page.get_by_role("button", name=words("publish"))).to_have_count(0)
    assert state_of(organizer, row) == race.RACE_STATE_ENROLMENT_OPEN


def test_a_race_is_postponed_and_cancelled(window, server, accounts):
    organizer = accounts.person()
    row = put_race(server, organizer, "open")
    words = manage(window, organizer, row)
    page = window.page
    before = organizer.ask("GetRace", race_id=row.race_id).race.starts.seconds
    window.press(page.get_by_role("button", name=words("postpone")))
    dialog = page.get_by_role("dialog", name=words("postpone"))
    start = dialog.get_by_label(words("newStart"))
    start.fill("2020-01-01T10:00")
    window.press(dialog.get_by_role("button", name=words("postpone")))
    expect(dialog.get_by_text(words("laterOnly"))).to_be_visible()
    window.look("too early a start")
    later = datetime.fromtimestamp(before) + timedelta(days=3)
    start.fill(later.strftime("%Y-%m-%dT%H:%M"))
    confirm(window, words("postpone"))
    expect(page.get_by_text(words("done"))).to_be_visible()
    assert organizer.ask("GetRace", race_id=row.race_id).race.starts.seconds > before + 2 * 86_400
    window.press(page.get_by_role("button", name=words("cancel")))
    page.get_by_label(words("cancelReason")).fill("Neve")
    confirm(window, words("cancel"))
    expect(page.get_by_text(words("cancelled"))).to_be_visible()
    expect(page.get_by_role("button", name=words("postpone"))).to_have_count(0)
    window.look("cancelled")
    assert state_of(organizer, row) == race.RACE_STATE_CANCELLED


def test_a_running_race_is_ended(window, server, accounts):
    organizer = accounts.person()
    row = put_race(server, organizer, "running")
    words = manage(window, organizer, row)
    window.press(window.page.get_by_role("button", name=words("finish")))
    confirm(window, words("finish"))
    expect(window.page.get_by_text(words("finished"))).to_be_visible()
    assert state_of(organizer, row) == race.RACE_STATE_FINISHED


def test_runners_are_marked_present_many_at_once_and_one_by_one(window, server, accounts):
    organizer = accounts.person()
    row = put_race(server, organizer, "closed", [accounts.person() for _ in range(4)])
    words = manage(window, organizer, row)
    page = window.page
    numbers = page.get_by_label(words("numbers"), exact=True)
    submit = page.get_by_role("button", name=words("markThem"))
    numbers.fill("all")
    submit.click()
    expect(page.get_by_text(words("notNumbers"))).to_be_visible()
    numbers.fill("1-9")
    window.allow("400")
    submit.click()
    expect(page.get_by_text(words("noSuchNumbers"))).to_be_visible()
    assert not any(runner.is_present for runner in runners(organizer, row).values())
    window.look("with numbers that nobody has")
    numbers.fill("1-3")
    window.press(submit)
    expect(page.get_by_text(words("marked", count="3"))).to_be_visible()
    boxes = [page.get_by_role("checkbox", name=words("presentOf", name=f"{n} Runner {n}")) for n in range(1, 5)]
    for box, is_present in zip(boxes, [True, True, True, False], strict=True):
        expect(box).to_be_checked(checked=is_present)
    window.press(boxes[3], "Space")
    expect(boxes[3]).to_be_enabled()
    expect(boxes[3]).to_be_focused()
    boxes[0].uncheck()
    expect(boxes[0]).to_be_enabled()
    assert [runner.is_present for runner in runners(organizer, row).values()] == [False, True, True, True]


def test_a_runner_is_disqualified_and_reinstated_with_the_keyboard_alone(window, server, accounts):
    organizer = accounts.person()
    row = put_race(server, organizer, "running", [accounts.person(), accounts.person()], present=True)
    words = manage(window, organizer, row)
    page = window.page
    title = words("disqualify", runner="2 Runner 2")
    window.press(page.get_by_role("button", name=title))
    dialog = page.get_by_role("dialog", name=title)
    # Not without a reason, which the page need not ask the server.
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    window.press(dialog.get_by_role("button", name=title))
    expect(dialog.get_by_label(words("reason"))).to_be_focused()
    window.look("without a reason")
    assert not any(url.endswith("/Disqualify") for url in asked)
    page.keyboard.type("Ha tagliato il percorso")
    confirm(window, title)
    expect(page.get_by_role("row", name=re.compile("Runner 2"))).to_contain_text(words("disqualified"))
    assert runners(organizer, row)[2].is_disqualified
    back = words("reinstate", runner="2 Runner 2")
    window.press(page.get_by_role("button", name=back))
    confirm(window, back)
    expect(page.get_by_role("button", name=title)).to_be_visible()
    assert not runners(organizer, row)[2].is_disqualified


def test_a_result_is_corrected(window, server, accounts):
    organizer = accounts.person()
    row = put_race(server, organizer, "finished", [accounts.person()], present=True)
    words = manage(window, organizer, row)
    page = window.page
    title = words("correct", runner="1 Runner 1")
    page.get_by_role("button", name=title).click()
    dialog = page.get_by_role("dialog", name=title)
    dialog.get_by_label(words("time"), exact=True).fill("48")
    dialog.get_by_role("button", name=title).click()
    expect(dialog.get_by_text(words("notATime"))).to_be_visible()
    window.look("with a time that is none")
    dialog.get_by_label(words("time"), exact=True).fill("0:48:31.5")
    dialog.get_by_label(words("reason")).fill("Cronometro")
    confirm(window, title)
    (change,) = organizer.ask("GetResults", race_id=row.race_id).changes
    assert change.kind == live.RESULT_CHANGE_KIND_FINISH_TIME and change.reason == "Cronometro"
    assert (change.finish_time.seconds, change.finish_time.nanos) == (2_911, 500_000_000)
    window.press(page.get_by_role("button", name=title))
    dialog.get_by_label(words("didNotFinish")).check()
    expect(dialog.get_by_label(words("time"), exact=True)).to_be_hidden()
    dialog.get_by_label(words("reason")).fill("Errore")
    confirm(window, title)
    assert [c.kind for c in organizer.ask("GetResults", race_id=row.race_id).changes] == [
        live.RESULT_CHANGE_KIND_FINISH_TIME, live.RESULT_CHANGE_KIND_DID_NOT_FINISH]  # fmt: skip


def test_invitations_give_a_link_whose_secret_no_server_sees(window, server, accounts):
    organizer, invited = accounts.person(), accounts.person()
    row = put_race(server, organizer, "open", by_invitation=True, invitation_sha256=None)
    words = manage(window, organizer, row)
    page = window.page
    window.look("by invitation")
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.get_by_label(words("invitees"), exact=True).fill(f"{invited.credentials.username}\nnobody-of-this-name")
    page.get_by_role("button", name=words("invite"), exact=True).click()
    link = page.get_by_label(words("link"), exact=True)
    expect(link).to_have_value(re.compile(rf"{window.origin}/races/{row.race_id}#invitation=[\w-]{{43}}$"))
    expect(page.get_by_text(words("invited", count="2"))).to_be_visible()
    window.look("with a link")
    secret = link.input_value().split("invitation=")[1]
    assert not any(secret in url for url in asked)
    assert invited.ask("GetRace", race_id=row.race_id, invitation=secret).race.name == "Corsa del Parco"
    # A new link ends the one before.
    window.press(page.get_by_role("button", name=words("newLink")))
    press_in_dialog(window, words("newLink"))
    expect(link).not_to_have_value(re.compile(re.escape(secret)))
    page.get_by_label(words("revokees"), exact=True).fill(invited.credentials.username)
    page.get_by_role("button", name=words("revoke"), exact=True).click()
    expect(page.get_by_text(words("revoked", count="1"))).to_be_visible()
    # Whoever opens the page again sees no link any more.
    window.open(f"/races/{row.race_id}/manage")
    expect(page.get_by_label(words("link"), exact=True)).to_have_count(0)


def test_organisers_are_added_and_removed_but_not_the_last(window, server, accounts):
    organizer, other = accounts.person(), accounts.person()
    row = put_race(server, organizer, "open")
    words = manage(window, organizer, row)
    page = window.page
    expect(page.get_by_text(words("lastOrganizer"))).to_be_visible()
    username = page.get_by_label(words("organizerUsername"), exact=True)
    username.fill("nobody-of-this-name")
    window.allow("400")
    page.get_by_role("button", name=words("addOrganizer"), exact=True).click()
    expect(page.get_by_text(words("noPerson"))).to_be_visible()
    username.fill(other.credentials.username)
    page.get_by_role("button", name=words("addOrganizer"), exact=True).click()
    remove = words("removeOrganizer", username=other.credentials.username)
    expect(page.get_by_role("button", name=remove)).to_be_visible()
    window.look("with two organisers")
    window.press(page.get_by_role("button", name=remove))
    confirm(window, remove)
    expect(page.get_by_text(words("lastOrganizer"))).to_be_visible()
    names = [o.username for o in organizer.ask("GetRace", race_id=row.race_id).race.organizers]
    assert names == [organizer.credentials.username]


def test_who_does_not_organise_a_race_cannot_manage_it(window, server, accounts):
    organizer, stranger = accounts.person(), accounts.person()
    row = put_race(server, organizer, "open", [accounts.person()])
    words = window.words("pages/races/manage")
    window.sign_in(stranger.credentials, f"/races/{row.race_id}/manage")
    expect(window.page.get_by_text(words("notOrganizer"))).to_be_visible()
    expect(window.page.get_by_role("button", name=words("cancel"))).to_have_count(0)
    window.look("not an organiser")


@pytest.mark.parametrize("script", ['<img src=x onerror="alert(1)">'])
def test_what_others_have_typed_stays_text(window, server, accounts, script):
    organizer, runner = accounts.person(), accounts.person()
    row = put_race(server, organizer, "closed", [runner], name=script)
    server.sql("UPDATE race_enrolment SET runner_name = %s WHERE race = %s", (script, row.race_id))
    manage(window, organizer, row, name=script)
    expect(window.page.get_by_role("rowheader", name=script)).to_be_visible()
    expect(window.page.locator("main img")).to_have_count(0)
