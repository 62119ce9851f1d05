"""The story of one person and one doctor, over the wire: asked, accepted, followed, revoked, accounted for, erased."""

import email
import email.policy
import itertools
import statistics
import time
from datetime import date, timedelta

import grpc
import pytest

from trackme.protocol import SubscriptionServiceStub, access, notifications, readings, sharing

from accounts import Accounts, Member, today, whole
from calls import outcome_of
from failures import fails
from fiscal_codes import random_identity
from server_process import ServerProcess, wait_until
from stalls import since
from streams import METRIC_IDS, Caller, Subscribe, metadata, scalars

pytestmark = pytest.mark.strict

MINUTE_US = 60_000_000
HOUR_US = 60 * MINUTE_US
T0 = 1_700_000_000_000_000 // HOUR_US * HOUR_US


@pytest.fixture
def person(accounts):
    return accounts.person()


@pytest.fixture
def doctor(accounts):
    return accounts.third_party()


def mails_to(server: ServerProcess, address: str) -> list[email.message.EmailMessage]:
    """What the server has written for an address, where no mail server is configured."""
    found = []
    for path in sorted((server.data_dir / "data" / "mail").glob("*.eml")):
        mail = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
        if mail["To"] and address in mail["To"]:
            found.append(mail)
    return found


def push(device: Caller, person: Member, rows, client: str | None = None, metric="heart_rate"):
    """Pushes (time, value) pairs as the next batch of a client."""
    with device.push(client) as stream:
        return stream.commit(stream.welcome.last_sequence + 1, scalars(person.account_id, rows, metric))


def follow(doctor: Member, subscription: int, **start) -> Subscribe:
    return Subscribe(doctor.channel, doctor.token, subscription_id=subscription, **start)


def end_of(stream: Subscribe) -> tuple[list[sharing.SubscribeResponse], grpc.RpcError]:
    """All frames that are still to come, and the error behind them."""
    frames = []
    with pytest.raises(grpc.RpcError) as caught:
        while True:
            frames.append(stream.next())
    return frames, caught.value


@pytest.mark.parametrize(
    "restarts",
    [pytest.param(False, id="without restarts"), pytest.param(True, id="with a restart between all steps", marks=pytest.mark.long)],
)  # fmt: skip
def test_asked_accepted_followed_revoked_accounted_for_and_erased(own_server, restarts):
    """A-R2, A-R5, A-R6, A-R7, A-R11, C-23; and nothing of it lives in memory alone."""
    accounts = Accounts(own_server)

    def later():
        if restarts:
            assert own_server.stop() == 0
            own_server.start()
            for caller in accounts.opened:
                grpc.channel_ready_future(caller.channel).result(20)

    person, doctor = accounts.person(), accounts.third_party()
    for member in (person, doctor):
        mails = wait_until(lambda: mails_to(own_server, member.credentials.email), what="the confirmation")
        assert len(mails) == 1 and member.credentials.username in str(mails[0]), "an e-mail confirms each registration"
        assert member.credentials.password not in str(mails[0])
    later()
    device = accounts.keep(person.device())
    assert push(device, person, [(T0 + i, 60 + i) for i in range(3)], "watch").accepted == 3
    later()

    with grpc.insecure_channel(own_server.target):
        told = person.ask("WatchNotifications")
        next(told)
        asked = doctor.request(person, whole())
        assert (asked.state, asked.person_id) == (access.ACCESS_STATE_PENDING, 0), "an answer names nobody"
        notice = next(frame.notification for frame in told if frame.HasField("notification"))
        told.cancel()
    assert notice.kind == notifications.NOTIFICATION_KIND_ACCESS_REQUESTED
    assert notice.access_request_id == asked.access_request_id and "Studio Bianchi" in notice.text
    later()

    accepted = person.ask("AcceptAccessRequest", access_request_id=asked.access_request_id).access_request
    assert accepted.state == access.ACCESS_STATE_ACCEPTED and accepted.position > asked.position
    assert accepted.scope == asked.scope
    later()
    kinds = {n.kind for n in doctor.ask("ListNotifications").notifications}
    assert notifications.NOTIFICATION_KIND_ACCESS_ACCEPTED in kinds
    subscription = doctor.subscription(asked.access_request_id)
    later()

    with follow(doctor, subscription, start_at=sharing.START_AT_BEGINNING) as stream:
        got = stream.times(1)
        assert got == [T0], "what was before, at whole seconds"
        cursor = stream.cursor
    later()
    second = 1_000_000
    with follow(doctor, subscription, cursor=cursor) as stream:
        assert push(device, person, [(T0 + second, 70), (T0 + 2 * second, 71)], "watch").accepted == 2
        assert stream.times(2) == [T0 + second, T0 + 2 * second]
        cursor = stream.cursor
        if not restarts:
            revoked = person.ask("RevokeAccess", access_request_id=asked.access_request_id).access_request
            frames, error = end_of(stream)
            change = frames[-1].access_change
            assert (change.state, change.position) == (access.ACCESS_STATE_REVOKED, revoked.position)
            assert str(outcome_of(error)) == "PERMISSION_DENIED ACCESS_ENDED"
    later()
    if restarts:
        revoked = person.ask("RevokeAccess", access_request_id=asked.access_request_id).access_request
    assert revoked.state == access.ACCESS_STATE_REVOKED
    assert push(device, person, [(T0 + 3 * second, 72)], "watch").accepted == 1
    later()
    with follow(doctor, subscription, cursor=cursor) as stream:
        frames, error = end_of(stream)
    assert not any(frame.HasField("delivery") for frame in frames)
    ended = outcome_of(error)
    assert str(ended) == "PERMISSION_DENIED ACCESS_ENDED" and ended.facts["position"] == str(revoked.position)

    disclosures = wait_until(
        lambda: [d for d in person.ask("ListDisclosures").disclosures if d.HasField("ended")], 10, "the ledger"
    )
    assert {(d.access_request_id, d.third_party_id, d.third_party_name) for d in disclosures} == {
        (asked.access_request_id, doctor.account_id, "Studio Bianchi")
    }
    assert all(list(d.metrics) == ["heart_rate"] and d.kind == access.DISCLOSURE_KIND_STREAM for d in disclosures)
    assert sum(d.reading_count for d in disclosures) >= 3
    later()

    receipt = person.ask("DeactivateAccount", password=person.credentials.password).receipt
    assert receipt.receipt_id and receipt.due.seconds - receipt.requested.seconds == 48 * 3600
    assert list(receipt.recipients) == ["Studio Bianchi"] and "third part" in receipt.statement.lower()
    later()
    with fails(grpc.StatusCode.UNAUTHENTICATED):
        person.ask("GetAccount")
    with fails(grpc.StatusCode.UNAUTHENTICATED):
        person.log_in()
    with fails(grpc.StatusCode.UNAUTHENTICATED):
        push(device, person, [(T0 + 9, 60)], "watch")
    stranger = accounts.anonymous()

    def erased():
        now = stranger.ask("GetErasureReceipt", receipt_id=receipt.receipt_id).receipt
        return now if now.HasField("erased") else None

    # Nobody pushes any more, so the erasure need not wait for those who might.
    own_server.sql("UPDATE erasure SET requested_at = requested_at - interval '2 minutes'")
    done = wait_until(erased, 60, "the erasure")
    assert done.erased_readings == 6 and done.statement
    assert own_server.sql("SELECT count(*) FROM reading WHERE person = %s", (person.account_id,)) == [(0,)]
    assert own_server.sql("SELECT count(*) FROM person WHERE account = %s", (person.account_id,)) == [(0,)]
    accounts.close()


def test_a_stream_hears_of_the_revocation_in_the_order_of_the_log(person, doctor):
    """A-R7: consent changes are entries on the same cursor as the readings."""
    grant = doctor.granted(person)
    device = person.device()
    with follow(doctor, doctor.subscription(grant)) as stream, device.push() as pushes:
        stream.standing()
        position = pushes.commit(1, scalars(person.account_id, [(T0, 60)])).position
        assert stream.times(1) == [T0]
        revoked = person.ask("RevokeAccess", access_request_id=grant).access_request
        after = pushes.commit(2, scalars(person.account_id, [(T0 + MINUTE_US, 61)])).position
        frames, error = end_of(stream)
    assert position < revoked.position < after
    assert [f.WhichOneof("frame") for f in frames if not f.HasField("heartbeat")] == ["access_change"]
    assert outcome_of(error).facts["position"] == str(revoked.position)


def test_a_third_party_that_does_not_read_is_cut_off_within_a_second_and_can_learn_why(person, doctor):
    """A-R7: nobody keeps a stream open by not reading it."""
    grant = doctor.granted(person)
    with person.device().push() as pushes:
        for sequence in range(1, 41):
            rows = [(T0 + (sequence * 5_000 + i) * 1_000_000, 60 + i % 60) for i in range(5_000)]
            pushes.commit(sequence, scalars(person.account_id, rows))
    start = sharing.SubscribeStart(subscription_id=doctor.subscription(grant), start_at=sharing.START_AT_BEGINNING)
    # Little fits into what the transport takes by itself.
    narrow = (("grpc.http2.bdp_probe", 0), ("grpc.http2.lookahead_bytes", 16_384))
    stub = SubscriptionServiceStub(grpc.insecure_channel(doctor.target, narrow))
    call = stub.Subscribe(iter([sharing.SubscribeRequest(start=start)]), metadata=metadata(doctor.token), timeout=60)
    next(call)
    time.sleep(1)  # Until nothing more goes into the transport, which nobody can see from here.
    began = time.monotonic()
    revoked = person.ask("RevokeAccess", access_request_id=grant).access_request
    wait_until(lambda: not call.is_active() or time.monotonic() > began + 1, what="the end")
    with pytest.raises(grpc.RpcError) as caught:
        for _ in call:
            pass
    assert since(began) < 2
    assert caught.value.code() == grpc.StatusCode.PERMISSION_DENIED, caught.value
    assert str(revoked.position) in caught.value.details()


def test_the_watch_of_requests_tells_both_sides_each_change_once(person, doctor):
    """A-R6, A-R7."""
    watches = [who.ask("WatchAccessRequests") for who in (person, doctor)]
    cursors = [next(watch).cursor for watch in watches]
    grant = doctor.granted(person)
    person.ask("RevokeAccess", access_request_id=grant)
    states = [access.ACCESS_STATE_PENDING, access.ACCESS_STATE_ACCEPTED, access.ACCESS_STATE_REVOKED]
    for who, watch, cursor in zip((person, doctor), watches, cursors):
        changes = list(itertools.islice((f.change for f in watch if f.HasField("change")), 3))
        assert [c.state for c in changes] == states and len({c.position for c in changes}) == 3
        watch.cancel()
        again = who.ask("WatchAccessRequests", cursor=cursor)
        assert list(itertools.islice((f.change for f in again if f.HasField("change")), 3)) == changes
        again.cancel()


def test_a_later_request_changes_nothing_that_was_granted(person, doctor):
    """A-R7."""
    grant = doctor.granted(person)
    device = person.device()
    with follow(doctor, doctor.subscription(grant)) as stream, device.push() as pushes:
        stream.standing()
        more = doctor.request(person, whole(metrics=["heart_rate", "steps"]))
        person.ask("RefuseAccessRequest", access_request_id=more.access_request_id)
        pushes.commit(1, scalars(person.account_id, [(T0, 60)]))
        pushes.commit(2, scalars(person.account_id, [(T0, 61)], "steps"))
        pushes.commit(3, scalars(person.account_id, [(T0 + MINUTE_US, 62)]))
        assert stream.times(2) == [T0, T0 + MINUTE_US]
    kept = doctor.ask("GetAccessRequest", access_request_id=grant).access_request
    assert kept.state == access.ACCESS_STATE_ACCEPTED and list(kept.scope.metrics) == ["heart_rate"]


def export(doctor: Member, grant: int, **fields) -> list[readings.Reading]:
    return [r for part in doctor.export(0, access_request_id=grant, **fields) for r in part.readings]


def test_a_grant_covers_its_kinds_and_its_interval_and_nothing_else(person, doctor):
    """A-R5."""
    scope = whole()
    getattr(scope, "from").FromMicroseconds(T0 + MINUTE_US)
    scope.to.FromMicroseconds(T0 + 3 * MINUTE_US)
    grant = doctor.granted(person, scope)
    device = person.device()
    minutes = [(T0 + i * MINUTE_US, 60 + i) for i in range(5)]
    push(device, person, minutes)
    push(device, person, minutes, metric="steps")
    assert [r.time_us for r in export(doctor, grant)] == [T0 + MINUTE_US, T0 + 2 * MINUTE_US]
    with follow(doctor, doctor.subscription(grant), start_at=sharing.START_AT_BEGINNING) as stream:
        assert stream.times(2) == [T0 + MINUTE_US, T0 + 2 * MINUTE_US]
        push(device, person, [(T0, 99), (T0 + 2 * MINUTE_US + 1_000_000, 98), (T0 + 3 * MINUTE_US, 97)])
        assert stream.times(1) == [T0 + 2 * MINUTE_US + 1_000_000]


@pytest.mark.parametrize(
    "granularity, unit_us", [(access.GRANULARITY_MINUTE, MINUTE_US), (access.GRANULARITY_HOUR, HOUR_US)]
)
def test_a_coarse_grant_never_shows_a_seconds_value(server, person, doctor, granularity, unit_us):
    """A-R5: the mean of each minute or hour, at its start; whatever interval the third party asks for."""
    grant = doctor.granted(person, whole(granularity, ["heart_rate", "ecg"]))
    subscription = doctor.subscription(grant)
    device = person.device()
    rows = [(T0 + i * unit_us // 4 + 1, 61.0 + 7 * i) for i in range(8)]
    means = {T0: statistics.fmean(v for _, v in rows[:4]), T0 + unit_us: statistics.fmean(v for _, v in rows[4:])}
    push(device, person, rows)
    wave = readings.WaveformColumns(
        person_id=[person.account_id], metric=[METRIC_IDS["ecg"]], time_us=[T0], rate_hz=[250], sample_count=[2],
        samples=[0.1, 0.2],
    )  # fmt: skip
    with device.push() as stream:
        assert stream.commit(1, readings.ReadingColumns(waveforms=wave)).accepted == 1
    for asked in ({}, {"from_us": rows[1][0], "to_us": rows[1][0] + 1}, {"from_us": rows[1][0], "to_us": rows[5][0]}):
        shown = {r.time_us: r.scalar for r in export(doctor, grant, **asked)}
        assert shown.items() <= means.items() and shown, asked
    # The period that runs ends, once the readings are where digests are read from.
    held = "SELECT sum(reading_count) FROM reading_chunk WHERE person = %s"
    wait_until(lambda: server.sql(held, (person.account_id,)) == [(len(rows) + 1,)], 60, "the compaction")
    server.sql(
        "UPDATE subscription SET period_start = now() - interval '2 hours', period_end = now() - interval '1 hour' "
        "WHERE id = %s", (subscription,),
    )  # fmt: skip
    with follow(doctor, subscription, start_at=sharing.START_AT_BEGINNING) as stream:
        frame = wait_until(lambda: next_digest(stream), 60, "a digest")
    assert not frame.digest.readings.waveforms.time_us
    columns = frame.digest.readings.scalars
    assert dict(zip(columns.time_us, columns.value)) == means
    seconds_values = {v for _, v in rows}
    assert not {s.min for s in frame.digest.summaries} & seconds_values
    assert not {s.max for s in frame.digest.summaries} & seconds_values


def next_digest(stream: Subscribe) -> sharing.SubscribeResponse | None:
    frame = stream.frame()
    assert not frame.HasField("delivery"), "no readings beside digests"
    return frame if frame.HasField("digest") else None


def test_persons_under_18_and_codes_that_nobody_has_get_one_answer_in_one_time(accounts, doctor):
    """A-R8."""
    young = accounts.person(born=today() - timedelta(days=17 * 365))
    codes = {
        "a minor": young.who.fiscal_code,
        "nobody": random_identity(accounts.rng).fiscal_code,
        "an unborn minor": random_identity(accounts.rng, today() - timedelta(days=15 * 365)).fiscal_code,
    }
    seconds = {who: [] for who in codes}
    answers = set()
    for _ in range(12):
        for who, code in codes.items():
            began = time.perf_counter()
            with pytest.raises(grpc.RpcError) as caught:
                doctor.ask("RequestAccess", fiscal_code=code, scope=whole(), purpose="To be tested")
            seconds[who].append(time.perf_counter() - began)
            got = outcome_of(caught.value)
            answers.add((str(got), got.message, str(got.facts), str(got.fields), str(caught.value.initial_metadata())))
    assert len(answers) == 1 and {a[0] for a in answers} == {"NOT_FOUND NO_SUCH_PERSON"}, answers
    # By turns, and of each the quickest: what the machine does beside them makes answers slower, and none quicker.
    quickest = {who: min(times) for who, times in seconds.items()}
    assert max(quickest.values()) - min(quickest.values()) < max(0.020, 0.25 * min(quickest.values())), quickest
    assert young.ask("ListNotifications").notifications[0].kind != notifications.NOTIFICATION_KIND_ACCESS_REQUESTED
    assert not young.ask("ListAccessRequests").access_requests


def test_who_is_18_today_can_be_asked(accounts, doctor):
    """A-R8. Two days to either side: the day begins at other moments in other places."""
    day = today()
    grown = accounts.person(born=date(day.year - 18, day.month, min(day.day, 28)) - timedelta(days=2))
    assert doctor.request(grown).state == access.ACCESS_STATE_PENDING
    minor = accounts.person(born=date(day.year - 18, day.month, min(day.day, 28)) + timedelta(days=5))
    with fails(grpc.StatusCode.NOT_FOUND):
        doctor.request(minor)


def test_what_ends_ends_its_open_streams_within_a_second(person, accounts):
    """A-R4: a session dies with its log-out, a device with its revocation."""
    device, other = person.device(), person.another_session()
    with device.push() as pushes:
        watch = other.ask("WatchNotifications")
        next(watch)
        began = time.monotonic()
        person.ask("RevokeDevice", device_id=device.device_id)
        with fails(grpc.StatusCode.UNAUTHENTICATED):
            while True:
                pushes.next()
        other.ask("LogOut")
        with fails(grpc.StatusCode.UNAUTHENTICATED):
            while True:
                next(watch)
        assert since(began) < 2
    with fails(grpc.StatusCode.UNAUTHENTICATED):
        other.ask("GetAccount")
    assert person.ask("GetAccount").account.account_id == person.account_id


def test_wrong_passwords_lock_a_name_whether_or_not_it_exists(accounts, person):
    """A-3.6.3."""
    for name in (person.credentials.username, person.credentials.email, "nobody-has-this-name"):
        heard = []
        for _ in range(7):
            with pytest.raises(grpc.RpcError) as caught:
                accounts.anonymous().ask("LogIn", name=name, password="not the password")
            heard.append(str(outcome_of(caught.value)))
        assert heard[-1] == "RESOURCE_EXHAUSTED LOG_IN_LOCKED", heard
        assert set(heard) <= {"UNAUTHENTICATED WRONG_NAME_OR_PASSWORD", "RESOURCE_EXHAUSTED LOG_IN_LOCKED"}, heard


def test_a_bridge_pushes_for_those_who_let_it_and_only_while_they_do(accounts, person):
    """B-R.D1."""
    other = accounts.person()
    bridge = accounts.bridge(person)
    with bridge.push() as pushes:
        assert pushes.commit(1, scalars(person.account_id, [(T0, 60)])).accepted == 1
        assert pushes.commit(2, scalars(other.account_id, [(T0, 60)])).rejected == 1
        person.ask("DisallowBridge", bridge_id=bridge.bridge_id)
        assert pushes.commit(3, scalars(person.account_id, [(T0 + 1, 60)])).rejected == 1
    assert [r.time_us for r in person.history(0)] == [T0]


def test_no_secret_is_in_the_log_or_in_the_database_as_it_is(server, accounts, person):
    """A-3.6.3."""
    device = person.device()
    secrets = [person.credentials.password, person.token, person.refresh_token, device.token]
    log = server.log.read_text(errors="replace")
    assert not any(secret in log for secret in [*secrets, person.who.fiscal_code, person.credentials.email])
    for table in ("account", "session", "access_token", "device"):
        rows = str(server.sql(f"SELECT t::text FROM {table} t"))
        assert not any(secret in rows for secret in secrets), table
