"""What persons choose about AutomatedSOS: on and off, contacts, limits, exertion, and the test of limits on the own
history (A-R13, A-R14, B-R.S1, B-R.S2)."""

import time
from datetime import date, datetime, timedelta, timezone

import grpc
import pytest

from trackme.protocol import emergencies, notifications, sos

from accounts import Accounts
from caller_table import cancelled_emergency
from failures import fails
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


def thresholds(person) -> dict[str, sos.Threshold]:
    return {t.metric: t for t in person.ask("ListThresholds").thresholds}


def own(metric="heart_rate", **limits) -> sos.Threshold:
    return sos.Threshold(metric=metric, rest=sos.Limits(**limits))


def test_registration_turns_it_on_from_60_years_on(accounts):
    """Of dates around the sixtieth birthday, and of 29 February."""
    today = datetime.now(timezone.utc).date()
    if (datetime.now(timezone.utc) + timedelta(minutes=1)).date() != today:
        time.sleep(61)
        today = datetime.now(timezone.utc).date()

    def born(days: int) -> date:
        return date(today.year - 60, today.month, min(today.day, 28)) + timedelta(days=days)

    for day in [born(-400), born(-1), born(0), born(1), born(2), born(400), date(1964, 2, 29), date(1968, 2, 29)]:
        age = today.year - day.year - ((today.month, today.day) < (day.month, day.day))
        settings = accounts.person(born=day).ask("GetSosSettings").settings
        assert settings.enabled == (age >= 60), day


def test_settings_come_back_as_they_were_set_also_after_a_restart(own_server):
    accounts = Accounts(own_server, 7)
    person = accounts.person(born=date(1985, 5, 17))
    first = person.ask("GetSosSettings")
    assert not first.settings.enabled and first.dispatch_status == emergencies.DISPATCH_STATUS_EXERCISE
    wanted = sos.SosSettings(
        enabled=True, callback_number="+393339876543", contacts=[CONTACT, sos.EmergencyContact(name="B", email="b@c.de")],
        silence=sos.SilenceSettings(notify_after_minutes=5, call_after_minutes=10), uses_oxygen_scale_2=True,
        uses_supplemental_oxygen=True,
    )  # fmt: skip
    answer = person.ask("UpdateSosSettings", settings=wanted, etag=first.etag)
    assert answer.settings == wanted and answer.etag != first.etag
    person.ask("SetThreshold", threshold=own(low=45, hold_ms=2_000, hysteresis=1))
    own_server.kill()
    own_server.start()
    again = person.ask("GetSosSettings")
    assert (again.settings, again.etag) == (wanted, answer.etag)
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
    assert (listed.rule_version, listed.score_limit) == ("news2-2017.1", 7)
    heart = thresholds(someone)["heart_rate"]
    assert heart.is_default and (heart.rest.low, heart.rest.high, heart.rest.hold_ms) == (41, 131, 3_000)
    assert heart.exertion.high > heart.rest.high
    child = accounts.person(born=date.today() - timedelta(days=15 * 365))
    listed = child.ask("ListThresholds")
    assert not listed.thresholds and listed.score_limit == 0

    answer = someone.ask("SetThreshold", threshold=own(low=45, high=120, hold_ms=600_000, hysteresis=3))
    assert answer.rule_version == "news2-2017.1+own.1" and not answer.threshold.is_default
    assert thresholds(someone)["heart_rate"] == answer.threshold
    back = someone.ask("ResetThreshold", metric="heart_rate")
    assert back.rule_version == "news2-2017.1+own.2" and back.threshold == heart


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
    watch = someone.ask("WatchEmergencies", timeout=30)
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
