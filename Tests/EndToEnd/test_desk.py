"""People at a dispatcher's desk, who see calls and answer them in a browser: WatchCalls, AnswerCall, and how administrators
make and revoke them."""

import threading
import time

import grpc
import pytest

from trackme.protocol import dispatch, emergencies

from accounts import Accounts
from desks import GIVEN_BACK, OURS, OVER, TAKEN, WAITING, Watching, answer
from dispatchers import ACCEPTED, CANCEL, EN_ROUTE, FALSE_ALARM, REFUSED, RESOLVED, Handling
from dispatchers import TAKEN as TAKEN_NOTICE
from failures import fails
from outages import hung, refused
from patients import MILAN, Patient, sos_environment
from server_process import ServerProcess, wait_until
from sms_gateway import SmsGateway
from stalls import between

pytestmark = pytest.mark.strict

EXERCISE, ACTUAL = emergencies.DISPATCH_STATUS_EXERCISE, emergencies.DISPATCH_STATUS_ACTUAL
CALL_S = 5
"""From the completed crossing to the desk, at most."""
ROUNDS = 20


@pytest.fixture(scope="module")
def city():
    with SmsGateway() as gateway:
        process = ServerProcess(sos_environment(gateway)).start()
        yield process
        process.remove()


@pytest.fixture(scope="module")
def people(city):
    accounts = Accounts(city)
    yield accounts
    accounts.close()


@pytest.fixture
def patient(people):
    patient = Patient(people)
    yield patient
    patient.leave()


@pytest.fixture
def centre(people):
    """A dispatcher."""
    return people.dispatcher()


@pytest.fixture
def anna(people, centre):
    return people.desk_operator(centre, "Anna Bianchi")


@pytest.fixture
def bruno(people, centre):
    return people.desk_operator(centre, "Bruno Verdi")


def shown(call: dispatch.DeskCall) -> tuple:
    """What people see of a call, without what the gateway says of its SMS and voice calls."""
    return call.emergency.emergency_id, call.place, list(call.answers), list(call.left), call.text


def finished(number: int):
    """Answers that end a call, so that no later test hears of it."""
    return RESOLVED if number % 2 else FALSE_ALARM


# What people see, and what is recorded


def test_a_call_comes_to_the_desk_with_everything_and_is_answered_to_its_end(people, patient, centre, anna, bruno):
    patient.choose(callback_number="+393331234567")
    patient.be_at(MILAN)
    with Watching(anna) as anna_sees, Watching(bruno) as bruno_sees:
        crossed = time.time()
        patient.cross()
        call = anna_sees.call_for(patient.number)
        assert between(crossed, time.time()) < CALL_S
        emergency = call.emergency
        assert (emergency.position.latitude, emergency.position.accuracy_m) == (MILAN[0], 12)
        assert emergency.crossings[0].metric == "heart_rate" and emergency.callback_number == "+393331234567"
        assert "+393331234567" in call.text and list(call.left) == [ACCEPTED, REFUSED]
        assert not call.HasField("holder") and not call.answers

        accepted = answer(anna, emergency.emergency_id, ACCEPTED, "incident 4711")
        assert accepted.place == OURS and accepted.holder.name == "Anna Bianchi"
        assert list(accepted.left) == [EN_ROUTE, RESOLVED, FALSE_ALARM]
        seen = bruno_sees.call_for(patient.number, OURS)
        assert (seen.holder.account_id, seen.holder.name) == (anna.account_id, "Anna Bianchi")
        assert [(a.kind, a.name, a.note) for a in seen.answers] == [(ACCEPTED, "Anna Bianchi", "incident 4711")]
        on_its_way = answer(anna, emergency.emergency_id, EN_ROUTE)
        assert list(on_its_way.left) == [RESOLVED, FALSE_ALARM]
        answer(anna, emergency.emergency_id, RESOLVED)
        over = bruno_sees.call_for(patient.number, OVER)
        assert [a.kind for a in over.answers] == [ACCEPTED, EN_ROUTE, RESOLVED] and not over.left
        # All see the same.
        assert shown(anna_sees.call_for(patient.number, OVER)) == shown(over)

    def recorded():
        listed = people.administrator.ask("ListDeskAnswers", account_id=anna.account_id).answers
        return listed if len(listed) == 3 else None

    listed = wait_until(recorded, what="the record")
    assert [(a.kind, a.name, a.emergency_id, a.dispatcher_id) for a in listed] == [
        (kind, "Anna Bianchi", emergency.emergency_id, centre.dispatcher_id) for kind in (RESOLVED, EN_ROUTE, ACCEPTED)
    ]
    assert [a.at_us for a in reversed(listed)] == [a.at_us for a in over.answers]
    kept = patient.emergency()
    assert kept.state == emergencies.EMERGENCY_STATE_RESOLVED
    assert f"dispatcher {centre.dispatcher_id}" in {t.actor for t in kept.transitions}
    assert "Anna" not in str(kept), "the person is not told who at the desk it was"


def test_many_watch_at_once_and_all_see_the_same(people, patient, centre, anna):
    watching = [Watching(anna) for _ in range(20)]
    try:
        patient.cross()
        number = watching[0].call_for(patient.number).emergency.emergency_id
        answer(anna, number, RESOLVED)
        last = [shown(w.call_for(patient.number, OVER)) for w in watching]
        assert last == last[:1] * len(watching) and last[0][0] == number
    finally:
        for watch in watching:
            watch.cancel()


# Who has a call


def test_of_two_who_answer_at_once_one_wins_every_time(people, centre, anna, bruno):
    patients = [Patient(people) for _ in range(ROUNDS)]
    won = []
    with Watching(anna) as anna_sees, Watching(bruno) as bruno_sees:
        for number, patient in enumerate(patients):
            patient.cross()
            call = anna_sees.call_for(patient.number)
            emergency_id, results = call.emergency.emergency_id, {}
            barrier = threading.Barrier(2)

            def give(operator, emergency_id=emergency_id, results=results, barrier=barrier):
                barrier.wait()
                try:
                    results[operator] = answer(operator, emergency_id, ACCEPTED)
                except grpc.RpcError as error:
                    results[operator] = error

            threads = [threading.Thread(target=give, args=(operator,)) for operator in (anna, bruno)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            winners = [o for o, result in results.items() if isinstance(result, dispatch.DeskCall)]
            assert len(winners) == 1, results
            winner, loser = winners[0], bruno if winners[0] is anna else anna
            error = results[loser]
            name = "Anna Bianchi" if winner is anna else "Bruno Verdi"
            assert error.code() == grpc.StatusCode.FAILED_PRECONDITION and error.details() == f"{name} has this call"
            for sees in (anna_sees, bruno_sees):
                assert sees.call_for(patient.number, OURS).holder.account_id == winner.account_id
            # Nor does the other one close it, and the winner's word again is answered as before.
            with fails(grpc.StatusCode.FAILED_PRECONDITION) as failure:
                answer(loser, emergency_id, RESOLVED)
            assert failure.reason == "CALL_TAKEN"
            again = answer(winner, emergency_id, ACCEPTED)
            assert [a.kind for a in again.answers] == [ACCEPTED]
            answer(winner, emergency_id, finished(number))
            won.append(winner)
            patient.leave()
    assert len(won) == ROUNDS


def test_no_answer_changes_how_a_call_has_ended(people, patient, anna, bruno):
    with Watching(anna) as sees:
        patient.cross()
        number = sees.call_for(patient.number).emergency.emergency_id
        first = answer(anna, number, RESOLVED, "all well")
        assert first.place == OVER
        again = answer(anna, number, RESOLVED, "all well")
        assert shown(again) == shown(first), "the same again is answered as before"
        for operator, kind in ((anna, FALSE_ALARM), (anna, ACCEPTED), (bruno, RESOLVED), (bruno, REFUSED)):
            with fails(grpc.StatusCode.FAILED_PRECONDITION) as failure:
                answer(operator, number, kind)
            assert failure.reason == "CALL_OVER" and "Anna Bianchi" in failure.message
        assert shown(sees.call_for(patient.number, OVER)) == shown(first)


def test_what_is_no_answer_and_no_call_is_refused(people, anna):
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "emergency_id", "kind", "note"):
        answer(anna, "that one", dispatch.ANSWER_KIND_UNSPECIFIED, "x" * 501)
    with fails(grpc.StatusCode.NOT_FOUND) as failure:
        answer(anna, "018bcfe5-6800-8001-8000-0000003b9aca", ACCEPTED)
    assert failure.reason == "NO_CALL"
    with Watching(anna, "2.1.2.AAAAAAAAAAAAAAAAAAAAAA") as sees:
        assert sees.until(lambda: sees.end).code() == grpc.StatusCode.INVALID_ARGUMENT


def test_program_and_people_of_one_dispatcher_share_its_calls_and_who_answers_first_has_it(people, centre, anna):
    mine, its_own = Patient(people), Patient(people)
    with Handling(centre) as program, Watching(anna) as sees:
        mine.cross()
        number = program.call_for(mine.number).emergency_id
        assert sees.call_for(mine.number).emergency.emergency_id == number
        answer(anna, number, ACCEPTED)
        program.notice(mine.number, TAKEN_NOTICE)
        # The program's word comes too late.
        before = len(program.notices)
        program.answer(number, RESOLVED)
        program.notice(mine.number, TAKEN_NOTICE, after=before)
        assert sees.call_for(mine.number, OURS).holder.name == "Anna Bianchi"
        answer(anna, number, FALSE_ALARM)
        program.notice(mine.number, CANCEL)

        its_own.cross()
        number = sees.call_for(its_own.number).emergency.emergency_id
        program.accept(its_own.number)
        assert sees.call_for(its_own.number, OURS).holder.account_id == 0
        with fails(grpc.StatusCode.FAILED_PRECONDITION) as failure:
            answer(anna, number, ACCEPTED)
        assert failure.reason == "CALL_TAKEN" and "program" in failure.message
    # Where the program is away, its calls are not left alone.
    with Watching(anna) as sees:
        assert answer(anna, number, RESOLVED).place == OVER
    for patient in (mine, its_own):
        patient.leave()


def test_who_has_a_call_can_give_it_back_and_a_colleague_takes_it(people, patient, anna, bruno):
    with Watching(anna) as sees:
        patient.cross()
        number = sees.call_for(patient.number).emergency.emergency_id
        answer(anna, number, ACCEPTED)
        answer(anna, number, REFUSED, "another call")
        assert answer(bruno, number, ACCEPTED).holder.name == "Bruno Verdi"
        answer(bruno, number, RESOLVED)
        last = sees.call_for(patient.number, OVER)
        names = [(a.kind, a.name.split()[0]) for a in last.answers]
        assert names == [(ACCEPTED, "Anna"), (REFUSED, "Anna"), (ACCEPTED, "Bruno"), (RESOLVED, "Bruno")]


# Which dispatcher is asked


@pytest.mark.parametrize("goes", ["refuses", "does not answer", "goes away"])
def test_the_next_dispatcher_is_asked_when_the_desk(people, patient, goes):
    first, second = people.dispatcher(priority=0), people.dispatcher(priority=1)
    anna, carla = people.desk_operator(first), people.desk_operator(second, "Carla Neri")
    with Watching(anna) as sees, Watching(carla) as next_sees:
        patient.cross()
        number = sees.call_for(patient.number).emergency.emergency_id
        at = time.time()
        assert not next_sees.of(patient.number)
        if goes == "refuses":
            assert answer(anna, number, REFUSED, "not our district").place == GIVEN_BACK
        elif goes == "goes away":
            sees.cancel()
        next_sees.call_for(patient.number)
        taken_over = time.time()
        if goes == "does not answer":
            assert taken_over - at > 1.5 and between(at, taken_over) < 3.5
        else:
            assert between(at, taken_over) < 1.5
        answer(carla, number, ACCEPTED)
        if goes != "goes away":
            gone = sees.call_for(patient.number, TAKEN)
            assert not gone.left and "Carla" not in str(gone), "the other desk does not see who it was"
        with fails(grpc.StatusCode.FAILED_PRECONDITION) as failure:
            answer(anna, number, ACCEPTED)
        assert failure.reason == "CALL_TAKEN" and "another dispatcher" in failure.message
        count = len(sees.of(patient.number))
        answer(carla, number, RESOLVED)
        next_sees.call_for(patient.number, OVER)
        if goes != "goes away":
            sees.call_for(patient.number, OVER)
            assert len(sees.of(patient.number)) == count + 1


def test_somebody_who_begins_to_watch_is_called_at_once_for_what_nobody_has(people, patient, anna):
    patient.cross()
    number = patient.emergency().emergency_id
    began = time.time()
    with Watching(anna) as sees:
        call = sees.call_for(patient.number)
        assert between(began, time.time()) < 2 and call.emergency.emergency_id == number
        answer(anna, number, RESOLVED)


# Exercise, heartbeats, cursors


def test_every_frame_of_an_exercise_says_that_it_is_one(people, anna):
    trained, real = Patient(people), Patient(people)
    with Watching(anna) as sees:
        trained.cross()
        call = sees.call_for(trained.number)
        assert call.text.startswith("EXERCISE") and call.emergency.status == EXERCISE
        number = call.emergency.emergency_id
        sees.heartbeat()
        assert {frame.status for _, frame in sees.frames} == {EXERCISE}
        people.administrator.ask("SetDispatchStatus", status=ACTUAL, reason="The desk is meant")
        try:
            wait_until(lambda: sees.heartbeat().status == ACTUAL, what="the status in a heartbeat")
            real.cross()
            call = sees.call_for(real.number)
            assert not call.text.startswith("EXERCISE")
            assert next(f.status for _, f in sees.frames if f.call.emergency.person_id == real.number) == ACTUAL
            answer(anna, call.emergency.emergency_id, RESOLVED)
            answer(anna, number, RESOLVED)
            last = sees.call_for(trained.number, OVER)
            assert last.text.startswith("EXERCISE"), "as it was when it was detected"
            of_trained = [f.status for _, f in sees.frames if f.call.emergency.person_id == trained.number]
            assert set(of_trained) == {EXERCISE}
        finally:
            people.administrator.ask("SetDispatchStatus", status=EXERCISE, reason="The desk is done")
    for patient in (trained, real):
        patient.leave()


def test_a_stream_beats_when_nothing_happens(anna):
    with Watching(anna) as sees:
        first, second = sees.heartbeat(), sees.heartbeat()
        assert first.cursor and first.cursor == second.cursor and not second.begins_anew


def test_a_cursor_resumes_after_its_frame_with_nothing_missing_and_nothing_twice(people, anna, bruno):
    patients = [Patient(people) for _ in range(3)]
    with Watching(anna) as sees:
        assert sees.frames[0][1].begins_anew
        patients[0].cross()
        sees.call_for(patients[0].number)
        cursor = sees.cursor
    with Watching(bruno) as other:
        for patient in patients[1:]:
            patient.cross()
        numbers = [other.call_for(p.number).emergency.emergency_id for p in patients]
        for number in numbers:
            answer(bruno, number, ACCEPTED)
        answer(bruno, numbers[0], RESOLVED)
        other.call_for(patients[0].number, OVER)
    with Watching(anna, cursor) as sees:
        assert sees.call_for(patients[0].number, OVER)
        for patient in patients[1:]:
            assert sees.call_for(patient.number, OURS).holder.name == "Bruno Verdi"
        sees.heartbeat()
        assert not any(frame.begins_anew for _, frame in sees.frames)
        seen = sees.calls
        assert {c.emergency.emergency_id for c in seen} == set(numbers)
        cursor = sees.cursor
    with Watching(anna, cursor) as sees:
        sees.heartbeat()
        assert not sees.frames[0][1].begins_anew
        # What the gateway says of SMS and voice calls meanwhile is news as well.
        versions = [(c.emergency.emergency_id, c.place, len(c.emergency.transitions)) for c in [*seen, *sees.calls]]
        assert len(versions) == len(set(versions)), "nothing twice"
    with Watching(anna) as sees:
        sees.heartbeat()
        assert {c.emergency.person_id for c in sees.calls} == {p.number for p in patients[1:]}, "what is open"
    for number, patient in zip(numbers[1:], patients[1:]):
        answer(bruno, number, RESOLVED)
        patient.leave()


# Accounts


def test_a_password_that_the_administrator_has_chosen_logs_in_and_does_nothing_else(people, centre):
    operator = people.new_desk_operator(centre).log_in()
    session = operator.ask("LogIn", name=operator.credentials.email, password=operator.credentials.password).session
    assert session.password_change_due and session.kind == 6
    with Watching(operator) as sees:
        assert sees.until(lambda: sees.end).code() == grpc.StatusCode.FAILED_PRECONDITION
    with fails(grpc.StatusCode.FAILED_PRECONDITION) as failure:
        answer(operator, "018bcfe5-6800-8001-8000-0000003b9aca", ACCEPTED)
    assert failure.reason == "PASSWORD_CHANGE_DUE"
    initial = operator.credentials.password
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "new_password"):
        operator.ask("ChangePassword", old_password=initial, new_password=initial)
    operator.ask("ChangePassword", old_password=initial, new_password=f"{initial} of my own")
    with Watching(operator) as sees:
        sees.heartbeat()
    assert not operator.ask("RefreshSession", refresh_token=operator.refresh_token).session.password_change_due
    assert operator.ask("GetAccount").account.desk_operator.name == "Anna Bianchi"
    assert people.administrator.ask("ListDeskOperators").desk_operators[0].password_change_due is False


def test_an_administrator_lists_people_and_names_that_are_taken_are_refused(people, centre, anna, bruno):
    listed = people.administrator.ask("ListDeskOperators", dispatcher_id=centre.dispatcher_id).desk_operators
    assert [(o.account_id, o.name) for o in listed] == [
        (bruno.account_id, "Bruno Verdi"), (anna.account_id, "Anna Bianchi")
    ]  # fmt: skip
    assert listed[1].username == anna.credentials.username and not listed[1].HasField("revoked")
    first = people.administrator.ask("ListDeskOperators", dispatcher_id=centre.dispatcher_id, page_size=1)
    rest = people.administrator.ask(
        "ListDeskOperators", dispatcher_id=centre.dispatcher_id, page_size=1, page_token=first.next_page_token
    )
    assert [*first.desk_operators, *rest.desk_operators] == list(listed) and not rest.next_page_token
    good = {
        "dispatcher_id": centre.dispatcher_id, "username": people.credentials("desk").username,
        "email": people.credentials("desk").email, "name": "Dora", "initial_password": "correct horse battery",
        "request_id": "dora",
    }  # fmt: skip
    for field, value, reason in (
        ("username", anna.credentials.username, "USERNAME_TAKEN"), ("email", anna.credentials.email, "EMAIL_TAKEN"),
    ):  # fmt: skip
        with fails(grpc.StatusCode.ALREADY_EXISTS) as failure:
            people.administrator.ask("CreateDeskOperator", **{**good, field: value})
        assert failure.reason == reason
    with fails(grpc.StatusCode.NOT_FOUND) as failure:
        people.administrator.ask("CreateDeskOperator", **{**good, "dispatcher_id": anna.account_id})
    assert failure.reason == "NO_SUCH_DISPATCHER"
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "initial_password", "name"):
        people.administrator.ask("CreateDeskOperator", **{**good, "initial_password": "short", "name": ""})
    people.administrator.ask("CreateDeskOperator", **good)
    with fails(grpc.StatusCode.ALREADY_EXISTS) as failure:
        people.administrator.ask("CreateDeskOperator", **good)
    assert failure.reason == "REQUEST_ID_USED"


def test_who_is_revoked_is_gone_within_a_second_and_colleagues_go_on_with_the_call(city, people, patient, centre, anna, bruno):
    with Watching(anna) as anna_sees, Watching(bruno) as sees:
        patient.cross()
        number = anna_sees.call_for(patient.number).emergency.emergency_id
        answer(anna, number, ACCEPTED)
        revoked = time.time()
        people.administrator.ask("RevokeDeskOperator", account_id=anna.account_id)
        assert anna_sees.until(lambda: anna_sees.end).code() == grpc.StatusCode.UNAUTHENTICATED
        assert between(revoked, anna_sees.ended_at) < 1
        with fails(grpc.StatusCode.UNAUTHENTICATED):
            answer(anna, number, RESOLVED)
        with fails(grpc.StatusCode.UNAUTHENTICATED):
            anna.log_in()
        with fails(grpc.StatusCode.UNAUTHENTICATED):
            anna.ask("RefreshSession", refresh_token=anna.refresh_token)

        def taken_over():
            try:
                return answer(bruno, number, EN_ROUTE)
            except grpc.RpcError as error:
                assert error.details() == "Anna Bianchi has this call"

        assert wait_until(taken_over, 5, "the call in a colleague's hands").holder.name == "Bruno Verdi"
        answer(bruno, number, RESOLVED)
        over = sees.call_for(patient.number, OVER)
        assert [a.name.split()[0] for a in over.answers] == ["Anna", "Bruno", "Bruno"], "what was answered stays"
    people.administrator.ask("RevokeDeskOperator", account_id=anna.account_id)
    listed = people.administrator.ask("ListDeskOperators", dispatcher_id=centre.dispatcher_id).desk_operators
    gone = next(o for o in listed if o.account_id == anna.account_id)
    assert gone.HasField("revoked") and (gone.username, gone.email, gone.name) == ("", "", "Anna Bianchi")
    rows = city.sql(
        "SELECT username, email, password_hash, display_name FROM account WHERE id = %s", (anna.account_id,)
    )
    assert rows == [(None, None, None, "Anna Bianchi")]
    with fails(grpc.StatusCode.NOT_FOUND) as failure:
        people.administrator.ask("RevokeDeskOperator", account_id=patient.number)
    assert failure.reason == "NO_SUCH_DESK_OPERATOR"


def test_with_its_dispatcher_everybody_at_a_desk_is_revoked(people, centre, anna, bruno):
    with Watching(anna) as anna_sees, Watching(bruno) as bruno_sees:
        revoked = time.time()
        people.administrator.ask("RevokeDispatcher", dispatcher_id=centre.dispatcher_id)
        for sees in (anna_sees, bruno_sees):
            assert sees.until(lambda sees=sees: sees.end).code() == grpc.StatusCode.UNAUTHENTICATED
            assert between(revoked, sees.ended_at) < 1
    for operator in (anna, bruno):
        with fails(grpc.StatusCode.UNAUTHENTICATED):
            operator.log_in()
    credentials = people.credentials("desk")
    with fails(grpc.StatusCode.NOT_FOUND):
        people.administrator.ask(
            "CreateDeskOperator", dispatcher_id=centre.dispatcher_id, username=credentials.username,
            email=credentials.email, name="Late", initial_password=credentials.password,
        )  # fmt: skip


# What fails beside it


@pytest.mark.parametrize("out", [hung, refused], ids=["hangs", "is gone"])
def test_calls_come_and_are_answered_while_postgresql(city, people, patient, anna, out):
    patient.measure(70, ago_s=30)
    with Watching(anna) as sees:
        with out(city):
            crossed = time.time()
            patient.cross()
            call = sees.call_for(patient.number)
            assert between(crossed, time.time()) < CALL_S
            number = call.emergency.emergency_id
            asked = time.time()
            answer(anna, number, ACCEPTED, "taken without a database")
            assert between(asked, time.time()) < 1
            # A page that comes back sees it too.
            with Watching(anna) as again:
                assert again.call_for(patient.number, OURS).holder.name == "Anna Bianchi"
            answer(anna, number, RESOLVED)

        def recorded():
            try:
                listed = people.administrator.ask("ListDeskAnswers", account_id=anna.account_id).answers
            except grpc.RpcError:
                return None
            return listed if len(listed) == 2 else None

        listed = wait_until(recorded, 30, "the record")
        assert {a.emergency_id for a in listed} == {number}


def test_after_a_kill_everybody_sees_the_same_calls_and_what_was_answered_holds(city, people):
    centre = people.dispatcher()
    anna, bruno = people.desk_operator(centre), people.desk_operator(centre, "Bruno Verdi")
    mine, closed, waits = (Patient(people) for _ in range(3))
    with Watching(anna) as sees:
        for patient in (mine, closed, waits):
            patient.cross()
        mine_id, closed_id, waits_id = (
            sees.call_for(p.number).emergency.emergency_id for p in (mine, closed, waits)
        )
        answer(anna, mine_id, ACCEPTED)
        answer(anna, closed_id, RESOLVED)
        cursor = sees.cursor
        city.kill()
    for patient in (mine, closed, waits):
        patient.leave()
    city.start()
    with Watching(anna, cursor) as sees:
        assert sees.frames[0][1].begins_anew
        assert sees.call_for(mine.number, OURS).holder.name == "Anna Bianchi"
        assert sees.call_for(waits.number, WAITING).emergency.emergency_id == waits_id
        sees.heartbeat()
        assert not sees.of(closed.number)
        assert [len(sees.of(p.number)) for p in (mine, waits)] == [1, 1], "nothing twice"
        with fails(grpc.StatusCode.FAILED_PRECONDITION) as failure:
            answer(bruno, mine_id, ACCEPTED)
        assert failure.reason == "CALL_TAKEN" and "Anna Bianchi" in failure.message
        answer(bruno, waits_id, RESOLVED)
        assert [a.kind for a in answer(anna, mine_id, RESOLVED).answers] == [ACCEPTED, RESOLVED]
    for patient, number in ((mine, mine_id), (closed, closed_id), (waits, waits_id)):
        assert [e.emergency_id for e in patient.emergencies()] == [number]

    def recorded():
        listed = people.administrator.ask("ListDeskAnswers", account_id=anna.account_id).answers
        return sorted(a.kind for a in listed) == [ACCEPTED, RESOLVED, RESOLVED]

    wait_until(recorded, 15, "the record")
