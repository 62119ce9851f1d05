"""Races from planning to result, as their organisers, runners and observers meet them over the wire (A-R16 … A-R22,
A-R26)."""

import threading
import time
from datetime import datetime, timezone

import grpc
import pytest

from trackme.protocol import notifications, race, races

from accounts import Accounts
from caller_table import plan
from calls import outcome_of
from failures import fails
from mails import mail_to
from race_rows import SECRET, everybody_is_told, put_course, put_race
from server_process import wait_until

INVALID, ABORTED = grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.ABORTED
NOT_FOUND, PRECONDITION = grpc.StatusCode.NOT_FOUND, grpc.StatusCode.FAILED_PRECONDITION
STATES = {
    "draft": "DRAFT", "open": "ENROLMENT_OPEN", "closed": "ENROLMENT_CLOSED", "running": "RUNNING",
    "finished": "FINISHED", "cancelled": "CANCELLED",
}  # fmt: skip


@pytest.fixture
def organizer(accounts):
    return accounts.person()


def create(server, person, request_id="one", **changes) -> race.Race:
    return person.ask("CreateRace", request_id=request_id, plan=plan(put_course(server, person), **changes)).race


def news(person, race_id: int) -> list[int]:
    """The kinds of what somebody was told about a race, oldest first."""
    told = person.ask("ListNotifications", page_size=100).notifications
    return [n.kind for n in reversed(told) if n.race_id == race_id]


def test_a_race_is_planned_changed_opened_and_found(server, accounts, organizer):
    """A-R16, A-R17, A-R19, A-R20."""
    made = create(server, organizer, name="Giro delle Mura", place_name="Lucca", capacity=30)
    assert made.state == race.RACE_STATE_DRAFT and made.etag and not made.by_invitation
    assert len(made.course.latitudes) == 2 and made.course.stages[0].place.name == "Arena"
    assert [o.username for o in made.organizers] == [organizer.credentials.username]
    again = organizer.ask("CreateRace", request_id="one", plan=races.RacePlan()).race
    assert again == made

    visitor = accounts.person()
    with fails(NOT_FOUND) as failure:
        visitor.ask("GetRace", race_id=made.race_id)
    assert failure.reason == "NO_RACE"
    assert not visitor.ask("SearchRaces", text="Giro delle Mura").races

    changed = organizer.ask(
        "UpdateRace", race_id=made.race_id, etag=made.etag, plan=plan("", name="Giro delle Mura", place_name="Lucca")
    ).race
    assert changed.capacity == 20_000 and changed.course == made.course
    with fails(ABORTED) as failure:
        organizer.ask("UpdateRace", race_id=made.race_id, etag=made.etag, plan=plan("", name="Too late"))
    assert failure.reason == "STALE_ETAG"

    assert organizer.ask("OpenEnrolment", race_id=made.race_id).race.state == race.RACE_STATE_ENROLMENT_OPEN
    (found,) = visitor.ask("SearchRaces", text="giro dele mura lucca", page_size=1).races
    assert found.race.race_id == made.race_id and not found.race.course.latitudes and found.race.course.length_m > 1_000
    shown = visitor.ask("GetRace", race_id=made.race_id).race
    assert len(shown.course.latitudes) == 2 and not shown.HasField("my_enrolment")


@pytest.mark.parametrize(
    "changes, field",
    [
        ({"name": ""}, "plan.name"), ({"name": "x" * 101}, "plan.name"), ({"place_name": " "}, "plan.place_name"),
        ({"description": "x" * 4_001}, "plan.description"), ({"capacity": 20_001}, "plan.capacity"),
        ({"fee": race.Money(currency_code="EURO", minor_units=1)}, "plan.fee.currency_code"),
        ({"fee": race.Money(currency_code="EUR")}, "plan.fee.minor_units"),
        ({"route_id": "no route"}, "plan.route_id"),
    ],
)  # fmt: skip
def test_a_wrong_plan_is_named(server, organizer, changes, field):
    """A-R16."""
    route = changes.pop("route_id", None) or put_course(server, organizer)
    with fails(INVALID, field):
        organizer.ask("CreateRace", request_id="wrong", plan=plan(route, **changes))
    assert not organizer.ask("ListRaces").races


def test_dates_must_lie_in_the_future_and_in_order(server, organizer):
    wanted = plan(put_course(server, organizer))
    wanted.starts.FromSeconds(int(time.time()) - 1)
    with fails(INVALID, "plan.starts", "plan.enrolment_ends"):
        organizer.ask("CreateRace", request_id="past", plan=wanted)
    wanted.starts.FromSeconds(int(time.time()) + 10)
    wanted.enrolment_ends.CopyFrom(wanted.starts)
    with fails(INVALID, "plan.enrolment_ends"):
        organizer.ask("CreateRace", request_id="past", plan=wanted)
    wanted.ClearField("starts")
    with fails(INVALID, "plan.starts"):
        organizer.ask("CreateRace", request_id="past", plan=wanted)


def test_of_the_same_request_sent_many_times_at_once_one_race_comes(server, organizer):
    """A-R16."""
    wanted, found = plan(put_course(server, organizer)), []

    def send():
        found.append(organizer.ask("CreateRace", request_id="same", plan=wanted).race.race_id)

    threads = [threading.Thread(target=send) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 12 and len(set(found)) == 1


ACTIONS = {
    "OpenEnrolment": ("OPEN_ENROLMENT", {"draft"}, {}),
    "CancelRace": ("CANCEL", {"draft", "open", "closed", "running"}, {}),
    "FinishRace": ("FINISH", {"running"}, {}),
    "ObserveRace": ("OBSERVE", {"open", "closed", "running", "finished"}, {}),
    "MarkPresent": ("MARK_PRESENT", {"closed", "running"}, {"numbers": [1]}),
    "Disqualify": ("DISQUALIFY", {"closed", "running", "finished"}, {"number": 1, "reason": "Took a bus"}),
    "Reinstate": ("REINSTATE", {"closed", "running", "finished"}, {"number": 1}),
    "CorrectResult": (
        "CORRECT_RESULT", {"running", "finished"}, {"number": 1, "did_not_finish": True, "reason": "Took a bus"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("rpc", ACTIONS)
def test_what_the_state_does_not_allow_is_refused_and_names_the_state(server, accounts, rpc, state):
    """A-R18, A-R19."""
    person = accounts.person()
    action, possible, fields = ACTIONS[rpc]
    row = put_race(server, person, state, runners=[person])
    if state in possible:
        person.ask(rpc, race_id=row.race_id, **fields)
        return
    with pytest.raises(grpc.RpcError) as caught:
        person.ask(rpc, race_id=row.race_id, **fields)
    got = outcome_of(caught.value)
    assert str(got) == "FAILED_PRECONDITION RACE_STATE"
    assert got.facts == {"state": STATES[state], "action": action}


def test_postponing_moves_every_date_and_everyone_is_told_once(server, accounts, organizer):
    """A-R19, A-R19.1."""
    runner, observer = accounts.person(), accounts.person()
    row = put_race(server, organizer, "open", runners=[runner, organizer])
    for person in (observer, runner):
        person.ask("ObserveRace", race_id=row.race_id)
    before = organizer.ask("GetRace", race_id=row.race_id).race
    request = races.PostponeRaceRequest(race_id=row.race_id)
    request.starts.FromSeconds(before.starts.seconds - 1)
    with fails(INVALID, "starts"):
        organizer.ask("PostponeRace", race_id=row.race_id, starts=request.starts)
    request.starts.FromSeconds(before.starts.seconds + 86_400)
    after = organizer.ask("PostponeRace", race_id=row.race_id, starts=request.starts).race
    assert after.starts.ToMicroseconds() == (before.starts.seconds + 86_400) * 1_000_000
    moved = after.starts.ToMicroseconds() - before.starts.ToMicroseconds()
    assert after.enrolment_ends.ToMicroseconds() - before.enrolment_ends.ToMicroseconds() == moved
    everybody_is_told(server)
    for person in (organizer, runner, observer):
        assert news(person, row.race_id) == [notifications.NOTIFICATION_KIND_RACE_POSTPONED]
    (told,) = [n for n in observer.ask("ListNotifications").notifications if n.race_id == row.race_id]
    for date in (before.starts, after.starts):
        day = datetime.fromtimestamp(date.seconds, timezone.utc)
        assert day.strftime("%Y-%m-%d %H:%M UTC") in told.text
    mails = "SELECT count(*) FROM email_queue WHERE kind = 14 AND facts ->> 'race' = %s"
    assert server.sql(mails, (str(row.race_id),)) == [(3,)]


def test_dates_and_course_change_until_the_deadline_and_everyone_is_told_by_mail_too(server, accounts, organizer):
    """A-R16, A-R17, A-R19.1."""
    runner, waiting, invited, observer = (accounts.person() for _ in range(4))
    row = put_race(server, organizer, "open", [runner], "Corsa che cambia", by_invitation=True, capacity=1)
    server.sql(
        "INSERT INTO race_enrolment (race, person, state, runner_name) VALUES (%s, %s, 1, 'Waits')",
        (row.race_id, waiting.account_id),
    )
    server.sql(
        "INSERT INTO race_invitation (race, person, invited_by) VALUES (%s, %s, %s)",
        (row.race_id, invited.account_id, organizer.account_id),
    )
    server.sql("INSERT INTO race_observer (race, account) VALUES (%s, %s)", (row.race_id, observer.account_id))
    before = organizer.ask("GetRace", race_id=row.race_id).race
    route = put_longer_course(server, organizer)
    wanted = plan(route, name=before.name, place_name=before.place_name, by_invitation=True, capacity=1)
    wanted.starts.FromSeconds(before.starts.seconds + 7_200)
    wanted.enrolment_ends.FromSeconds(before.enrolment_ends.seconds + 3_600)

    past = races.RacePlan()
    past.CopyFrom(wanted)
    past.enrolment_ends.FromSeconds(int(time.time()) - 1)
    with fails(INVALID, "plan.enrolment_ends"):
        organizer.ask("UpdateRace", race_id=row.race_id, etag=before.etag, plan=past)
    with fails(grpc.StatusCode.PERMISSION_DENIED) as failure:
        runner.ask("UpdateRace", race_id=row.race_id, etag=before.etag, plan=wanted)
    assert failure.reason == "NOT_ORGANIZER"

    changed = organizer.ask("UpdateRace", race_id=row.race_id, etag=before.etag, plan=wanted).race
    assert changed.starts == wanted.starts and changed.enrolment_ends == wanted.enrolment_ends
    assert changed.course.arrival.name == "Ghisolfa" and changed.enrolled_count == 1 and changed.waiting_count == 1
    shown = runner.ask("GetRace", race_id=row.race_id).race
    assert shown.my_enrolment.number == 1 and shown.course == changed.course
    with fails(ABORTED) as failure:
        organizer.ask("UpdateRace", race_id=row.race_id, etag=before.etag, plan=wanted)
    assert failure.reason == "STALE_ETAG"
    everybody_is_told(server)
    for person in (organizer, runner, waiting, invited, observer):
        assert news(person, row.race_id) == [notifications.NOTIFICATION_KIND_RACE_CHANGED]
        text = mail_to(server, person, "Corsa che cambia has changed")
        for date in (before.starts, changed.starts, before.enrolment_ends, changed.enrolment_ends):
            assert datetime.fromtimestamp(date.seconds, timezone.utc).strftime("%Y-%m-%d %H:%M UTC") in text
        assert "2.2 km from Castello to Ghisolfa" in text and "1.1 km from Castello to Arco" in text
        assert "2,2 km da Castello fino a Ghisolfa" in text and "1,1 km da Castello fino a Arco" in text
    sql = "SELECT kind, author FROM race_change WHERE race = %s"
    assert server.sql(sql, (row.race_id,)) == [(12, organizer.account_id)]

    server.sql("UPDATE race SET enrolment_ends_at = now() WHERE id = %s", (row.race_id,))
    wanted.route_id = ""
    wanted.starts.seconds += 60
    with fails(PRECONDITION) as failure:
        organizer.ask("UpdateRace", race_id=row.race_id, etag=changed.etag, plan=wanted)
    assert failure.reason == "RACE_STATE"


def put_longer_course(server, planner) -> str:
    """Twice as long as the one of `put_course`, to another arrival: its route_id."""
    ((route,),) = server.sql(
        """
        INSERT INTO course (planned_by, source, latitudes, longitudes, altitudes, start_name, start_at, arrival_name,
          arrival_at, stage_names, stage_latitudes, stage_longitudes, stage_distances, length_m, attribution)
        SELECT planned_by, source, ARRAY[45.47, 45.49], longitudes, '{}', start_name, start_at, 'Ghisolfa',
          ST_MakePoint(9.17, 45.49)::geography, '{}', '{}', '{}', '{}', 2223, '' FROM course WHERE id = %s::uuid
        RETURNING id::text
        """,
        (put_course(server, planner),),
    )
    return route


def test_a_cancelled_race_tells_why_and_is_found_no_more(server, accounts, organizer):
    """A-R19, A-R19.1."""
    runner, observer = accounts.person(), accounts.person()
    row = put_race(server, organizer, "running", runners=[runner], name="Corsa di Ognissanti")
    observer.ask("ObserveRace", race_id=row.race_id)
    assert organizer.ask("CancelRace", race_id=row.race_id, reason="Storm").race.state == race.RACE_STATE_CANCELLED
    everybody_is_told(server)
    for person in (organizer, runner, observer):
        assert news(person, row.race_id) == [notifications.NOTIFICATION_KIND_RACE_CANCELLED]
    assert "Storm" in runner.ask("ListNotifications").notifications[0].text
    assert observer.ask("GetRace", race_id=row.race_id).race.state == race.RACE_STATE_CANCELLED
    long_ago = races.SearchRacesRequest(text="Corsa di Ognissanti")
    getattr(long_ago, "from").FromSeconds(0)
    assert not observer.ask("SearchRaces", text=long_ago.text, **{"from": getattr(long_ago, "from")}).races


def test_organisers_come_and_go_and_one_stays(server, accounts, organizer):
    """A-R16."""
    other, stranger = accounts.person(), accounts.person()
    made = create(server, organizer)
    answer = organizer.ask("AddOrganizer", race_id=made.race_id, username=other.credentials.username)
    assert len(answer.race.organizers) == 2
    assert news(other, made.race_id) == [notifications.NOTIFICATION_KIND_RACE_ORGANIZER_ADDED]
    assert other.ask("OpenEnrolment", race_id=made.race_id).race.state == race.RACE_STATE_ENROLMENT_OPEN
    with fails(grpc.StatusCode.PERMISSION_DENIED) as failure:
        stranger.ask("CancelRace", race_id=made.race_id)
    assert failure.reason == "NOT_ORGANIZER"
    with fails(INVALID, "username"):
        organizer.ask("AddOrganizer", race_id=made.race_id, username="nobody-at-all")
    other.ask("RemoveOrganizer", race_id=made.race_id, username=organizer.credentials.username)
    with fails(PRECONDITION) as failure:
        other.ask("RemoveOrganizer", race_id=made.race_id, username=other.credentials.username)
    assert failure.reason == "LAST_ORGANIZER"


def test_two_organisers_who_remove_each_other_at_once_leave_one(server, accounts):
    """A-R16."""
    for _ in range(5):
        pair = [accounts.person(), accounts.person()]
        row = put_race(server, pair[0])
        sql = "INSERT INTO race_organizer (race, account) VALUES (%s, %s)"
        server.sql(sql, (row.race_id, pair[1].account_id))
        barrier = threading.Barrier(2)

        def remove(me, them):
            barrier.wait()
            try:
                me.ask("RemoveOrganizer", race_id=row.race_id, username=them.credentials.username)
            except grpc.RpcError:
                pass

        threads = [threading.Thread(target=remove, args=p) for p in (pair, reversed(pair))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert server.sql("SELECT count(*) FROM race_organizer WHERE race = %s", (row.race_id,)) == [(1,)]


def test_a_race_by_invitation_is_shown_to_its_people_and_to_the_invited_with_the_link(server, accounts, organizer):
    """A-R16.1."""
    runner, invited, stranger = accounts.person(), accounts.person(), accounts.person()
    row = put_race(server, organizer, runners=[runner], by_invitation=True, name="Gara privata di Brera")
    server.sql(
        "INSERT INTO race_invitation (race, person, invited_by) VALUES (%s, %s, %s)",
        (row.race_id, invited.account_id, organizer.account_id),
    )
    for person, secret, sees in [
        (organizer, "", True), (runner, "", True), (invited, "", False), (invited, SECRET, True),
        (invited, SECRET[:-1], False), (stranger, SECRET, False),
    ]:  # fmt: skip
        if sees:
            assert person.ask("GetRace", race_id=row.race_id, invitation=secret).race.by_invitation
            continue
        for rpc in ("GetRace", "ObserveRace"):
            with fails(NOT_FOUND) as failure:
                person.ask(rpc, race_id=row.race_id, invitation=secret)
            assert failure.reason == "NO_RACE"
    assert not stranger.ask("SearchRaces", text="Gara privata di Brera").races


def test_observed_races_are_kept_in_a_list(server, accounts, organizer):
    """A-R22."""
    observer = accounts.person()
    rows = [put_race(server, organizer) for _ in range(3)]
    for row in rows:
        observer.ask("ObserveRace", race_id=row.race_id)
        observer.ask("ObserveRace", race_id=row.race_id)
    observer.ask("StopObserving", race_id=rows[1].race_id)
    observer.ask("StopObserving", race_id=rows[1].race_id)
    listed = observer.ask("ListRaces", role=races.RACE_ROLE_OBSERVER).races
    assert [r.race_id for r in listed] == [rows[2].race_id, rows[0].race_id]
    assert all(r.is_observed for r in listed)
    assert not observer.ask("ListRaces", role=races.RACE_ROLE_RUNNER).races
    assert len(organizer.ask("ListRaces", role=races.RACE_ROLE_ORGANIZER).races) == 3


def test_pages_of_what_is_found_hold_every_race_once(server, accounts):
    """A-R20."""
    person = accounts.person()
    wanted = [put_race(server, person, name=f"Cento passi {i}").race_id for i in range(7)]
    for near in (None, race.Place(latitude=45.47, longitude=9.17)):
        found, token = [], ""
        while True:
            fields = {"near": near, "radius_m": 10} if near else {}
            page = person.ask("SearchRaces", text="Cento passi", page_size=3, page_token=token, **fields)
            found += [f.race.race_id for f in page.races if f.race.name.startswith("Cento passi")]
            token = page.next_page_token
            if not token:
                break
        assert sorted(found) == sorted(wanted)
    with fails(INVALID, "page_token"):
        first = person.ask("SearchRaces", text="Cento passi", page_size=3)
        person.ask("SearchRaces", text="Cento", page_size=3, page_token=first.next_page_token)


def test_runners_are_marked_all_or_none_and_results_corrected(server, accounts, organizer):
    """A-R18, A-R26."""
    runners = [accounts.person() for _ in range(3)]
    row = put_race(server, organizer, "running", runners=runners)
    with fails(INVALID, "numbers[1]"):
        organizer.ask("MarkPresent", race_id=row.race_id, numbers=[1, 9])
    assert organizer.ask("MarkPresent", race_id=row.race_id, numbers=[1, 2, 3]).changed_count == 3
    assert organizer.ask("MarkPresent", race_id=row.race_id, numbers=[1, 2, 3]).changed_count == 0
    assert organizer.ask("MarkPresent", race_id=row.race_id, numbers=[3], absent=True).changed_count == 1
    with fails(NOT_FOUND) as failure:
        organizer.ask("Disqualify", race_id=row.race_id, number=4, reason="x")
    assert failure.reason == "NO_RUNNER"
    for _ in range(2):
        organizer.ask("Disqualify", race_id=row.race_id, number=2, reason="Took a bus")
    assert news(runners[1], row.race_id) == [notifications.NOTIFICATION_KIND_RACE_DISQUALIFIED]
    assert not news(runners[0], row.race_id)
    with fails(INVALID, "finish_time"):
        organizer.ask("CorrectResult", race_id=row.race_id, number=1, reason="x")
    for _ in range(2):
        request = races.CorrectResultRequest()
        request.finish_time.FromSeconds(1_800)
        organizer.ask(
            "CorrectResult", race_id=row.race_id, number=1, finish_time=request.finish_time, reason="Watch failed"
        )
    sql = "SELECT kind, author FROM race_change WHERE race = %s ORDER BY position"
    assert server.sql(sql, (row.race_id,)) == [(k, organizer.account_id) for k in (1, 2, 3, 6)]
    assert organizer.ask("FinishRace", race_id=row.race_id).race.state == race.RACE_STATE_FINISHED


def test_races_and_what_was_decided_outlive_a_crash(own_server):
    accounts = Accounts(own_server)
    organizer, runner = accounts.person(), accounts.person()
    row = put_race(own_server, organizer, "running", runners=[runner])
    organizer.ask("MarkPresent", race_id=row.race_id, numbers=[1])
    organizer.ask("FinishRace", race_id=row.race_id)
    own_server.kill()
    own_server.start()
    assert organizer.ask("GetRace", race_id=row.race_id).race.state == race.RACE_STATE_FINISHED
    assert own_server.sql("SELECT kind FROM race_change ORDER BY position") == [(1,), (10,)]
    accounts.close()


def test_who_leaves_takes_own_races_along(server, accounts):
    """C-23: a race that nobody else organises is cancelled, and its runners are told."""
    organizer, runner = accounts.person(), accounts.person()
    row = put_race(server, organizer, runners=[runner])
    organizer.ask("DeactivateAccount", password=organizer.credentials.password)
    wait_until(
        lambda: news(runner, row.race_id) == [notifications.NOTIFICATION_KIND_RACE_CANCELLED], what="the news"
    )
    shown = runner.ask("GetRace", race_id=row.race_id).race
    assert shown.state == race.RACE_STATE_CANCELLED and not shown.organizers
