"""What persons choose about AutomatedSOS: on and off, contacts, limits, exertion, and the test of limits on the own
history (A-R13, A-R14, B-R.S1, B-R.S2)."""

import email
import email.policy
import time
from datetime import date, timedelta

import grpc
import pytest

from trackme.protocol import emergencies, notifications, sos

from accounts import Accounts, on_one_day, today
from caller_table import cancelled_emergency
from contact_codes import agree
from failures import fails
from server_process import wait_until
from streams import reading

INVALID, ABORTED = grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.ABORTED
NOT_FOUND, PRECONDITION = grpc.StatusCode.NOT_FOUND, grpc.StatusCode.FAILED_PRECONDITION
CONTACT = sos.EmergencyContact(name="Bea Rossi", phone_number="+393331234567", email="bea@example.org")


@pytest.fixture
def someone(accounts):
    """A person of this test's own, an adult below 60."""
    return accounts.person(born=date(1985, 5, 17))


def update(person, etag=None, **settings):
    """Changes some settings, with the others as they stand."""
    known = person.ask("GetSosSettings")
    changed = sos.SosSettings()
    changed.CopyFrom(known.settings)
    changed.MergeFrom(sos.SosSettings(**settings))
    return person.ask("UpdateSosSettings", settings=changed, etag=known.etag if etag is None else etag)


def as_set(settings: sos.SosSettings) -> sos.SosSettings:
    """Without what the server says of contacts."""
    known = sos.SosSettings()
    known.CopyFrom(settings)
    for contact in known.contacts:
        contact.ClearField("phone_state")
        contact.ClearField("email_state")
    return known


def thresholds(person) -> dict[str, sos.Threshold]:
    return {t.metric: t for t in person.ask("ListThresholds").thresholds}


def own(metric="heart_rate", **limits) -> sos.Threshold:
    return sos.Threshold(metric=metric, rest=sos.Limits(**limits))


def test_registration_turns_it_on_from_60_years_on(accounts):
    """Of dates around the sixtieth birthday, and of 29 February."""

    def enabled(born: date) -> bool:
        return accounts.person(born=born).ask("GetSosSettings").settings.enabled

    def ages_and_settings(today: date) -> list[tuple[date, int, bool]]:
        sixty = date(today.year - 60, today.month, min(today.day, 28))
        days = [sixty + timedelta(days=days) for days in (-400, -1, 0, 1, 2, 400)]
        days += [date(1964, 2, 29), date(1968, 2, 29)]
        return [(day, today.year - day.year - ((today.month, today.day) < (day.month, day.day)), enabled(day)) for day in days]

    for day, age, is_on in on_one_day(ages_and_settings):
        assert is_on == (age >= 60), day


def test_settings_come_back_as_they_were_set_also_after_a_restart(own_server):
    accounts = Accounts(own_server)
    person = accounts.person(born=date(1985, 5, 17))
    first = person.ask("GetSosSettings")
    assert not first.settings.enabled and first.dispatch_status == emergencies.DISPATCH_STATUS_EXERCISE
    wanted = sos.SosSettings(
        enabled=True, callback_number="+393339876543", contacts=[CONTACT, sos.EmergencyContact(name="B", email="b@c.de")],
        silence=sos.SilenceSettings(notify_after_minutes=5, call_after_minutes=10), uses_oxygen_scale_2=True,
        uses_supplemental_oxygen=True,
    )  # fmt: skip
    answer = person.ask("UpdateSosSettings", settings=wanted, etag=first.etag)
    assert as_set(answer.settings) == wanted and answer.etag != first.etag
    person.ask("SetThreshold", threshold=own(low=45, hold_ms=2_000, hysteresis=1))
    own_server.kill()
    own_server.start()
    again = person.ask("GetSosSettings")
    assert (as_set(again.settings), again.etag) == (wanted, answer.etag)
    assert thresholds(person)["heart_rate"].rest == sos.Limits(low=45, hold_ms=2_000, hysteresis=1)
    accounts.close()


def test_a_stale_etag_changes_nothing(someone):
    etag = someone.ask("GetSosSettings").etag
    update(someone, enabled=True)
    with fails(ABORTED) as failure:
        update(someone, etag=etag, enabled=False)
    assert failure.reason == "STALE_ETAG"
    assert someone.ask("GetSosSettings").settings.enabled
    with fails(INVALID, "etag"):
        update(someone, etag="")


@pytest.mark.parametrize(
    "settings, field",
    [
        ({"callback_number": "118"}, "settings.callback_number"),
        ({"callback_number": "+0123456789"}, "settings.callback_number"),
        ({"contacts": [sos.EmergencyContact(name="Bea")]}, "settings.contacts[0]"),
        ({"contacts": [sos.EmergencyContact(name="Bea", email="bea")]}, "settings.contacts[0].email"),
        ({"contacts": [CONTACT, sos.EmergencyContact(email="a@b.de")]}, "settings.contacts[1].name"),
        ({"contacts": [CONTACT] * 6}, "settings.contacts"),
        ({"silence": sos.SilenceSettings(notify_after_minutes=1_441)}, "settings.silence.notify_after_minutes"),
        ({"silence": sos.SilenceSettings(call_after_minutes=3)}, "settings.silence.call_after_minutes"),
    ],
)
def test_wrong_settings_are_named(someone, settings, field):
    with fails(INVALID, field):
        update(someone, **settings)
    assert someone.ask("GetSosSettings").etag == "1"


def test_limits_by_age_and_the_persons_own(accounts, someone):
    listed = someone.ask("ListThresholds")
    assert (listed.rule_version, listed.score_limit) == ("news2-2017.2", 7)
    heart = thresholds(someone)["heart_rate"]
    assert heart.is_default and (heart.rest.low, heart.rest.high, heart.rest.hold_ms) == (41, 131, 3_000)
    assert heart.exertion.high > heart.rest.high
    child = accounts.person(born=today() - timedelta(days=15 * 365))
    listed = child.ask("ListThresholds")
    assert [t.metric for t in listed.thresholds] == ["blood_glucose"] and listed.score_limit == 0
    assert listed.rule_version == "glucose-2025.1"
    assert listed.thresholds[0] == thresholds(someone)["blood_glucose"]

    answer = someone.ask("SetThreshold", threshold=own(low=45, high=120, hold_ms=600_000, hysteresis=3))
    assert answer.rule_version == "news2-2017.2+own.1" and not answer.threshold.is_default
    assert thresholds(someone)["heart_rate"] == answer.threshold
    back = someone.ask("ResetThreshold", metric="heart_rate")
    assert back.rule_version == "news2-2017.2+own.2" and back.threshold == heart


@pytest.mark.parametrize(
    "threshold, field",
    [
        (own("no_such_metric", low=1), "threshold.metric"),
        (own("position", low=1), "threshold.metric"),
        (own(low=100, high=100), "threshold.rest.high"),
        (own(low=float("nan")), "threshold.rest.low"),
        (own(high=1_000), "threshold.rest.high"),
        (own(low=40, hold_ms=600_001), "threshold.rest.hold_ms"),
        (own(low=40, high=100, hysteresis=-0.1), "threshold.rest.hysteresis"),
        (own(low=40, high=100, hysteresis=60), "threshold.rest.hysteresis"),
        (sos.Threshold(metric="heart_rate", exertion=sos.Limits()), "threshold.exertion"),
    ],
)
def test_wrong_limits_are_named(someone, threshold, field):
    with fails(INVALID, field):
        someone.ask("SetThreshold", threshold=threshold)


def test_an_exertion_is_declared_listed_and_ended(accounts, someone):
    def declare(seconds: int, **fields) -> sos.Exertion:
        request = sos.DeclareExertionRequest(**fields)
        request.to.FromSeconds(int(time.time()) + seconds)
        return someone.ask("DeclareExertion", to=request.to, **fields).exertion

    run = declare(3_600, request_id="run")
    assert declare(60, request_id="run") == run
    assert list(someone.ask("ListExertions").exertions) == [run]
    with fails(NOT_FOUND) as failure:
        accounts.person().ask("EndExertion", exertion_id=run.exertion_id)
    assert failure.reason == "NO_EXERTION"
    someone.ask("EndExertion", exertion_id=run.exertion_id)
    someone.ask("EndExertion", exertion_id=run.exertion_id)
    assert not someone.ask("ListExertions").exertions
    with fails(INVALID, "to"):
        declare(86_401)


def test_a_backtest_tells_when_limits_would_have_called(someone):
    begin = int(time.time()) - 40 * 86_400
    # Three times ten seconds, a quarter of an hour apart; fine between.
    rows = []
    for part in range(3):
        start = begin + part * 1_800
        rows += [(start + second, 150) for second in range(10)] + [(start + 10 + second, 70) for second in range(10)]
    someone.record([reading(someone.account_id, at * 1_000_000, value, source="strap") for at, value in rows])

    def backtest(*tried: sos.Threshold, days: float = 1.0) -> sos.BacktestThresholdsResponse:
        request = sos.BacktestThresholdsRequest()
        getattr(request, "from").FromSeconds(begin)
        request.to.FromSeconds(begin + int(days * 86_400))
        return someone.ask("BacktestThresholds", thresholds=tried, to=request.to, **{"from": getattr(request, "from")})

    found = backtest()
    assert found.evaluated_readings == len(rows) and not found.is_truncated
    crossings = [episode.crossings[0] for episode in found.episodes]
    assert [c.began_us for c in crossings] == [(begin + part * 1_800) * 1_000_000 for part in range(3)]
    assert {(c.kind, c.metric, c.limit) for c in crossings} == {(emergencies.CROSSING_KIND_HIGH, "heart_rate", 131)}
    assert all(c.completed_us - c.began_us == 3_000_000 for c in crossings)
    assert crossings[0].readings[0].source == "strap"
    assert not backtest(own(high=160)).episodes
    assert not backtest(own(high=131, hold_ms=60_000)).episodes
    assert thresholds(someone)["heart_rate"].is_default
    with fails(INVALID, "to"):
        backtest(days=31.1)


def test_emergencies_are_shown_to_their_person_alone(server, accounts, someone):
    number = cancelled_emergency(server, someone.account_id)
    shown = someone.ask("GetEmergency", emergency_id=number).emergency
    assert shown.state == emergencies.EMERGENCY_STATE_CANCELLED and shown.person_id == someone.account_id
    assert shown.age == -1 and not shown.HasField("position")
    assert [e.emergency_id for e in someone.ask("ListEmergencies").emergencies] == [number]
    # Cancelling again changes nothing.
    assert someone.ask("CancelEmergency", emergency_id=number).emergency == shown
    other = accounts.person()
    assert not other.ask("ListEmergencies").emergencies
    for rpc in ("GetEmergency", "CancelEmergency"):
        with fails(NOT_FOUND) as failure:
            other.ask(rpc, emergency_id=number)
        assert failure.reason == "NO_EMERGENCY"
        with fails(INVALID, "emergency_id"):
            other.ask(rpc, emergency_id="1")
    with fails(INVALID, "cursor"):
        next(someone.ask("WatchEmergencies", cursor="nonsense"))


def test_a_watch_without_emergencies_says_where_it_stands_and_ends_with_the_session(someone):
    watch = someone.ask("WatchEmergencies", timeout=60)
    first = next(watch)
    assert first.cursor and not first.HasField("emergency")
    # A heartbeat.
    assert next(watch) == first
    someone.ask("LogOut")
    with fails(grpc.StatusCode.UNAUTHENTICATED) as failure:
        for _ in watch:
            pass
    assert failure.reason == "SESSION_ENDED"


def test_what_is_told_of_an_emergency_names_it(server, someone):
    number = cancelled_emergency(server, someone.account_id)
    server.sql(
        "SELECT add_notification(%s, 11::smallint, facts => jsonb_build_object('emergency', %s::text, 'exercise', true))",
        (someone.account_id, number),
    )
    [told] = [
        n for n in someone.ask("ListNotifications").notifications
        if n.kind == notifications.NOTIFICATION_KIND_EMERGENCY
    ]  # fmt: skip
    assert told.emergency_id == number
    assert told.subject.startswith("EXERCISE, NOT A REAL EMERGENCY: ")
    assert told.subject_italian.startswith("ESERCITAZIONE, NON È UN’EMERGENZA REALE: ")
    assert told.text.startswith("EXERCISE") and told.text_italian.startswith("ESERCITAZIONE")


# Emergencies


def now_us() -> int:
    return time.time_ns() // 1_000


def turn_on(person, **settings) -> None:
    """On, with a low limit of 40 that one reading crosses."""
    update(person, enabled=True, **settings)
    person.ask("SetThreshold", threshold=own(low=40))


def faint(person) -> None:
    person.record([reading(person.account_id, now_us(), 20, source="strap")])


def the_emergency(person) -> emergencies.Emergency:
    """The only one, when it is there."""
    [found] = wait_until(lambda: person.ask("ListEmergencies").emergencies, 5, "the emergency")
    return found


def test_readings_are_checked_while_it_is_on(accounts, someone):
    """A-R13, B-R.S1: by each change from its answer on."""
    other = accounts.person(born=date(1985, 5, 17))
    someone.ask("SetThreshold", threshold=own(low=40))
    faint(someone)
    turn_on(other)
    faint(other)
    the_emergency(other)
    assert not someone.ask("ListEmergencies").emergencies
    turn_on(someone)
    faint(someone)
    emergency = the_emergency(someone)
    [crossing] = emergency.crossings
    assert (crossing.metric, crossing.kind, crossing.limit) == ("heart_rate", emergencies.CROSSING_KIND_LOW, 40)
    assert crossing.readings[-1].value == 20 and crossing.readings[-1].source == "strap"
    assert crossing.rule_version == "news2-2017.2+own.1"
    assert emergency.status == emergencies.DISPATCH_STATUS_EXERCISE
    someone.ask("CancelEmergency", emergency_id=emergency.emergency_id)
    known = someone.ask("GetSosSettings")
    known.settings.enabled = False
    someone.ask("UpdateSosSettings", settings=known.settings, etag=known.etag)
    someone.record([reading(someone.account_id, now_us(), 80)])
    someone.record([reading(someone.account_id, now_us(), 10)])
    third = accounts.person(born=date(1985, 5, 17))
    turn_on(third)
    faint(third)
    the_emergency(third)
    assert [e.emergency_id for e in someone.ask("ListEmergencies").emergencies] == [emergency.emergency_id]


def test_an_emergency_is_watched_told_and_cancelled(server, accounts, someone):
    address = f"bea-{someone.account_id}@example.org"
    bea = sos.EmergencyContact(name="Bea Rossi", email=address)
    turn_on(someone, contacts=[bea])
    agree(server, [bea])
    watch = someone.ask("WatchEmergencies", timeout=60)
    frames = (frame for frame in watch if frame.HasField("emergency"))
    standing = next(watch).cursor
    faint(someone)
    first = next(frames)
    number = first.emergency.emergency_id
    assert first.emergency.transitions[0].actor == "evaluator"
    with fails(NOT_FOUND):
        accounts.person().ask("CancelEmergency", emergency_id=number, reason="not mine")
    cancelled = someone.ask("CancelEmergency", emergency_id=number, reason="I was dancing").emergency
    assert cancelled.state == emergencies.EMERGENCY_STATE_CANCELLED
    step = cancelled.transitions[-1]
    assert (step.actor, step.note) == ("person", "I was dancing")
    last = first
    while last.emergency.state != emergencies.EMERGENCY_STATE_CANCELLED:
        last = next(frames)
    # Cancelling again changes nothing.
    again = someone.ask("CancelEmergency", emergency_id=number).emergency
    assert [t.note for t in again.transitions if t.state == step.state and t.actor == "person"] == ["I was dancing"]
    # Whoever comes back gets what was missed, and the same end.
    for cursor in (standing, first.cursor):
        resumed = next(f for f in someone.ask("WatchEmergencies", cursor=cursor, timeout=60) if f.HasField("emergency"))
        assert resumed.emergency.state == emergencies.EMERGENCY_STATE_CANCELLED
        assert [t.at_us for t in resumed.emergency.transitions] == sorted(t.at_us for t in resumed.emergency.transitions)

    def told() -> list[int]:
        return sorted(n.kind for n in someone.ask("ListNotifications").notifications if n.emergency_id == number)

    expected = [notifications.NOTIFICATION_KIND_EMERGENCY, notifications.NOTIFICATION_KIND_EMERGENCY_OVER]
    wait_until(lambda: told() == expected, what="what is told")
    # After the question.
    mails = wait_until(lambda: len(mails := mails_to(server, address)) > 1 and mails, what="the contact's mail")
    [mail] = [mail for mail in mails if "named you" not in mail["Subject"]]
    assert mail["Subject"].startswith("EXERCISE, NOT A REAL EMERGENCY: Emergency of ")
    text = mail.get_content()
    assert all(someone.who.family_name in part for part in text.split("— Italiano —"))
    assert " / ESERCITAZIONE, NON È UN’EMERGENZA REALE: Emergenza di " in mail["Subject"]
    assert not any(word in text for word in ("heart", "cardiaca", "strap", "/min"))


def mails_to(server, address: str) -> list:
    """The mails that are in the folder of a server without a mail server."""
    files = (server.data_dir / "data" / "mail").glob("*.eml")
    mails = [email.message_from_bytes(file.read_bytes(), policy=email.policy.default) for file in files]
    return [mail for mail in mails if mail["To"] == address]


def test_during_a_declared_exertion_the_limits_for_it_hold(someone):
    update(someone, enabled=True)
    limits = sos.Threshold(metric="heart_rate", rest=sos.Limits(high=120), exertion=sos.Limits(high=190))
    someone.ask("SetThreshold", threshold=limits)
    request = sos.DeclareExertionRequest()
    request.to.FromSeconds(int(time.time()) + 60)
    someone.ask("DeclareExertion", to=request.to)
    someone.record([reading(someone.account_id, now_us(), 178)])
    someone.record([reading(someone.account_id, now_us(), 195)])
    [crossing] = the_emergency(someone).crossings
    assert (crossing.limit, crossing.value, crossing.during_exertion) == (190, 195, True)


def test_emergencies_outlive_the_server(own_server):
    accounts = Accounts(own_server)
    person = accounts.person(born=date(1985, 5, 17))
    turn_on(person)
    watch = person.ask("WatchEmergencies", timeout=60)
    standing = next(watch).cursor
    faint(person)
    number = the_emergency(person).emergency_id
    own_server.kill()
    own_server.start()
    assert [e.emergency_id for e in person.ask("ListEmergencies").emergencies] == [number]
    frames = person.ask("WatchEmergencies", cursor=standing, timeout=60)
    assert next(f for f in frames if f.HasField("emergency")).emergency.emergency_id == number
    # The settings hold after it, too: the same episode goes on, and it is still one emergency.
    faint(person)
    assert the_emergency(person).emergency_id == number
    accounts.close()
