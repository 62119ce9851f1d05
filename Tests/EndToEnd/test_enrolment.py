"""A-R16.1, A-R21, A-R21.1, A-D5: enrolling, invitations by private link, and fees through an external provider."""

import json

import grpc
import pytest
from trackme.protocol import race as race_states

from accounts import Accounts
from caller_table import plan
from calls import outcome_of
from mails import mail_to
from payment_provider import PayingServer, news, post, signed
from race_rows import put_race
from server_process import wait_until

pytestmark = pytest.mark.strict

FEE = {"fee_minor_units": 1_500, "fee_currency": "EUR"}
WAITING, AWAITING = race_states.ENROLMENT_STATE_WAITING, race_states.ENROLMENT_STATE_AWAITING_PAYMENT
ENROLLED, WITHDRAWN = race_states.ENROLMENT_STATE_ENROLLED, race_states.ENROLMENT_STATE_WITHDRAWN
EXPIRED = race_states.ENROLMENT_STATE_EXPIRED


def refused(call, *arguments, **fields):
    """What a call that has to fail fails with."""
    with pytest.raises(grpc.RpcError) as caught:
        call(*arguments, **fields)
    return outcome_of(caught.value)


def enrol(member, race, **fields):
    return member.ask("Enrol", race_id=race.race_id, **fields).enrolment


def mine(member, race):
    return member.ask("GetRace", race_id=race.race_id).race.my_enrolment


# Places


def test_who_enrols_has_a_place_and_withdraws_in_favour_of_the_next(server, accounts):
    race = put_race(server, accounts.person(), capacity=1)
    first, second = accounts.person(), accounts.person()
    assert enrol(first, race, runner_name="Anna").state == ENROLLED
    waiting = enrol(second, race)
    assert (waiting.state, waiting.waiting_position) == (WAITING, 1)
    assert mine(first, race).number == 1 and mine(first, race).runner_name == "Anna"
    assert first.ask("Withdraw", race_id=race.race_id).enrolment.state == WITHDRAWN
    assert (mine(second, race).state, mine(second, race).number) == (ENROLLED, 2)
    listed = race.organizer.ask("ListEnrolments", race_id=race.race_id).enrolments
    assert [(one.number, one.username) for one in listed] == [
        (2, second.credentials.username), (0, first.credentials.username)
    ]  # fmt: skip
    assert refused(first.ask, "ListEnrolments", race_id=race.race_id).reason == "NOT_ORGANIZER"


def test_enrolment_depends_on_the_state_of_the_race(server, accounts):
    organizer, runner = accounts.person(), accounts.person()
    for state in ("closed", "running", "finished", "cancelled"):
        race = put_race(server, organizer, state)
        got = refused(enrol, runner, race)
        assert (got.code, got.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "RACE_STATE")
        assert got.facts["action"] == "ENROL"
    assert refused(enrol, runner, put_race(server, organizer, "draft")).reason == "NO_RACE"
    assert refused(enrol, organizer, put_race(server, organizer, "draft")).reason == "RACE_STATE"
    assert refused(enrol, runner, put_race(server, organizer), runner_name="x" * 61).fields == ["runner_name"]


def test_who_withdraws_late_leaves_the_leaderboard_and_who_runs_retires(server, accounts):
    organizer, runner = accounts.person(), accounts.person()
    race = put_race(server, organizer, "closed", [runner])
    assert runner.ask("Withdraw", race_id=race.race_id).enrolment.state == WITHDRAWN
    assert server.sql("SELECT kind FROM race_change WHERE race = %s", (race.race_id,)) == [(9,)]
    race = put_race(server, organizer, "running", [runner])
    for _ in range(2):
        assert runner.ask("Withdraw", race_id=race.race_id).enrolment.state == ENROLLED
    assert server.sql("SELECT kind FROM race_change WHERE race = %s", (race.race_id,)) == [(5,)]


# A-R16.1: invitations


def test_only_invited_persons_who_follow_the_link_can_enrol(server, accounts):
    """A-R16.1: a race by invitation gives a private link; only invited persons following it can enrol."""
    organizer, invited, stranger = accounts.person(), accounts.person(), accounts.person()
    race = put_race(server, organizer, by_invitation=True, invitation_sha256=None)
    answer = organizer.ask(
        "InviteRunners", race_id=race.race_id, usernames=[invited.credentials.username, "nobody-of-this-name"]
    )
    assert len(answer.invitation) == 43
    kept = server.sql("SELECT race::text FROM race WHERE id = %s", (race.race_id,))[0][0]
    assert answer.invitation not in kept

    def kinds():
        return [one.kind for one in invited.ask("ListNotifications").notifications]

    wait_until(lambda: 16 in kinds(), what="the invitation")
    # Neither inviting nor revoking tells which names there are.
    for method in ("InviteRunners", "RevokeInvitations"):
        known, unknown = (
            organizer.ask(method, race_id=race.race_id, usernames=[name])
            for name in (stranger.credentials.username, "nobody-of-this-name")
        )
        assert known == unknown

    # Whoever lacks one of the two learns nothing: the answers are those for a race that does not exist.
    nothing = refused(enrol, stranger, race).__dict__ | {"responses": []}
    for who, token in [
        (stranger, answer.invitation), (invited, ""), (invited, "x" * 43), (invited, "x" * 5_000),
        (invited, answer.invitation[:-1]),
    ]:  # fmt: skip
        got = refused(enrol, who, race, invitation=token)
        assert got.__dict__ == nothing and got.reason == "NO_RACE"
    missing = refused(stranger.ask, "Enrol", race_id=2**60)
    assert (missing.code, missing.reason, missing.message) == (nothing["code"], nothing["reason"], nothing["message"])

    assert enrol(invited, race, invitation=answer.invitation).state == ENROLLED
    # The organisers know of it, and are not invited for that.
    assert refused(enrol, organizer, race, invitation=answer.invitation).reason == "NOT_INVITED"


def test_links_and_invitations_can_be_revoked(server, accounts):
    """A-R16.1: the link is shown when it is made, and ends when another one takes its place."""
    organizer, first, second = (accounts.person() for _ in range(3))
    race = put_race(server, organizer, by_invitation=True, invitation_sha256=None)
    names = [first.credentials.username.upper(), second.credentials.username]
    old = organizer.ask("InviteRunners", race_id=race.race_id, usernames=names).invitation
    assert organizer.ask("InviteRunners", race_id=race.race_id, usernames=names).invitation == ""
    new = organizer.ask("RevokeInvitations", race_id=race.race_id).invitation
    assert len(new) == 43 and new != old
    assert refused(enrol, first, race, invitation=old).reason == "NO_RACE"
    assert enrol(first, race, invitation=new).state == ENROLLED
    assert organizer.ask("RevokeInvitations", race_id=race.race_id, usernames=names).revoked_count == 2
    assert refused(enrol, second, race, invitation=new).reason == "NO_RACE"
    assert mine(first, race).state == ENROLLED, "who has enrolled stays"
    everyone = put_race(server, organizer)
    assert refused(organizer.ask, "InviteRunners", race_id=everyone.race_id).reason == "NOT_BY_INVITATION"
    assert refused(first.ask, "InviteRunners", race_id=everyone.race_id).reason == "NOT_ORGANIZER"


# A-R21.1, A-D5: fees


def test_without_a_payment_provider_nobody_enrols_for_a_fee(server, accounts):
    race = put_race(server, accounts.person(), **FEE)
    assert refused(enrol, accounts.person(), race).reason == "NO_PAYMENT_PROVIDER"
    draft = put_race(server, race.organizer, "draft", **FEE)
    got = refused(race.organizer.ask, "OpenEnrolment", race_id=draft.race_id)
    assert (got.code, got.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "NO_PAYMENT_PROVIDER")


@pytest.fixture(scope="module")
def paying(tmp_path_factory):
    pair = PayingServer(tmp_path_factory.mktemp("payments"))
    pair.accounts = Accounts(pair.server)
    yield pair
    pair.accounts.close()
    pair.close()


def payment_of(paying, race, member):
    ((reference,),) = paying.server.sql(
        "SELECT payment::text FROM race_enrolment WHERE race = %s AND person = %s", (race.race_id, member.account_id)
    )
    return next(one for one in paying.provider.payments() if one["reference"] == reference)


def test_a_fee_is_captured_for_a_place_and_paid_back_for_none(paying):
    """A-R21.1, A-D5, B-2.2.5: payment at an external service, a receipt by e-mail, no payment details kept."""
    race = put_race(paying.server, paying.accounts.person(), capacity=1, name="Corsa a pagamento", **FEE)
    first, second = paying.accounts.person(), paying.accounts.person()
    held = enrol(first, race)
    assert (held.state, held.payment_state) == (AWAITING, race_states.PAYMENT_STATE_PENDING)
    assert held.payment_url.startswith(paying.provider.url) and held.held_until.seconds > 0
    assert enrol(second, race).state == WAITING
    assert paying.provider.charged() == 0
    assert paying.provider.pay(held.payment_url) == 200
    wait_until(lambda: mine(first, race).payment_state == race_states.PAYMENT_STATE_CAPTURED, what="the capture")
    assert (mine(first, race).state, mine(first, race).number, mine(first, race).payment_url) == (ENROLLED, 1, "")
    payment = payment_of(paying, race, first)
    assert (payment["charged"], payment["captures"], payment["currency"]) == (1_500, 1, "EUR")
    receipt = mail_to(paying.server, first, "Receipt")
    for part in ("15.00 EUR", "Corsa a pagamento", payment["reference"]):
        assert part in receipt

    assert first.ask("Withdraw", race_id=race.race_id).enrolment.state == WITHDRAWN
    wait_until(lambda: payment_of(paying, race, first)["status"] == "refunded", what="the refund")
    assert payment_of(paying, race, first)["charged"] == 0
    wait_until(lambda: mine(second, race).payment_url, what="the page to pay on")
    assert mine(second, race).state == AWAITING
    assert mail_to(paying.server, second, "Corsa a pagamento")


def test_who_enrols_hears_where_to_pay_also_if_somebody_else_is_asking_the_provider(paying):
    """A-R21.1: the server asks for what is due all the time, and may have begun with this payment just before."""
    race = put_race(paying.server, paying.accounts.person(), capacity=1, **FEE)
    # As if it had been taken at that moment, by somebody who will not carry it out.
    paying.server.sql("""
        CREATE FUNCTION taken() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN NEW.next_attempt_at = clock_timestamp() + interval '1 s'; RETURN NEW; END $$;
        CREATE TRIGGER taken BEFORE INSERT ON payment FOR EACH ROW EXECUTE FUNCTION taken();
    """)
    try:
        assert enrol(paying.accounts.person(), race).payment_url.startswith(paying.provider.url)
    finally:
        paying.server.sql("DROP FUNCTION taken CASCADE")


def test_who_leaves_after_a_change_of_dates_is_paid_back_also_after_the_deadline(paying):
    """A-R21.1: those enrolled are free to leave when dates change; without a change the fee stays paid."""
    organizer = paying.accounts.person()
    for is_changed in (True, False):
        race = put_race(paying.server, organizer, capacity=3, name="Corsa che cambia", **FEE)
        runner, other = paying.accounts.person(), paying.accounts.person()
        # One after the other: numbers follow the payments.
        for person in (runner, other):
            paying.provider.pay(enrol(person, race).payment_url)
            wait_until(lambda: payment_of(paying, race, person)["status"] == "captured", what="the capture")
        if is_changed:
            before = organizer.ask("GetRace", race_id=race.race_id).race
            wanted = plan("", name=before.name, place_name=before.place_name, capacity=3, fee=before.fee)
            wanted.starts.FromSeconds(before.starts.seconds + 60)
            wanted.enrolment_ends.CopyFrom(before.enrolment_ends)
            organizer.ask("UpdateRace", race_id=race.race_id, etag=before.etag, plan=wanted)
            assert "whole fee back" in mail_to(paying.server, runner, "has changed")
        paying.server.sql("UPDATE race SET enrolment_ends_at = now() WHERE id = %s", (race.race_id,))
        assert runner.ask("Withdraw", race_id=race.race_id).enrolment.state == WITHDRAWN
        if is_changed:
            wait_until(lambda: payment_of(paying, race, runner)["status"] == "refunded", what="the refund")
            assert "15.00 EUR" in mail_to(paying.server, runner, "paid back")
        sql = "SELECT state, wish FROM payment WHERE subject = %s AND payer = %s"
        wait_until(
            lambda: paying.server.sql(sql, (race.race_id, runner.account_id)) == [(5 if is_changed else 3, 0)],
            what="the end of the payment",
        )
        # Who stays keeps place and number, and has paid.
        assert (mine(other, race).state, mine(other, race).number) == (ENROLLED, 2)
        assert payment_of(paying, race, other)["charged"] == 1_500


def test_a_refused_payment_gives_the_place_to_the_next_one(paying):
    race = put_race(paying.server, paying.accounts.person(), capacity=1, **FEE)
    first, second = paying.accounts.person(), paying.accounts.person()
    url = enrol(first, race).payment_url
    enrol(second, race)
    assert paying.provider.pay(url, "decline") == 200
    wait_until(lambda: mine(second, race).state == AWAITING, what="the next one's turn")
    assert mine(first, race).state == EXPIRED
    assert enrol(first, race).state == WAITING


def test_what_is_paid_too_late_is_not_taken(paying):
    race = put_race(paying.server, paying.accounts.person(), capacity=1, **FEE)
    first, second = paying.accounts.person(), paying.accounts.person()
    url = enrol(first, race).payment_url
    enrol(second, race)
    paying.server.sql(
        "UPDATE race_enrolment SET held_until = now() WHERE race = %s AND state = 2 AND person = %s",
        (race.race_id, first.account_id),
    )
    wait_until(lambda: mine(first, race).state == EXPIRED, what="the end of the hold")
    wait_until(lambda: payment_of(paying, race, first)["status"] == "cancelled", what="the end of the payment")
    assert paying.provider.pay(url) == 409
    assert payment_of(paying, race, first)["charged"] == 0


def test_a_cancelled_race_pays_every_fee_back(paying):
    race = put_race(paying.server, paying.accounts.person(), capacity=3, **FEE)
    paid, unpaid = paying.accounts.person(), paying.accounts.person()
    paying.provider.pay(enrol(paid, race).payment_url)
    enrol(unpaid, race)
    wait_until(lambda: payment_of(paying, race, paid)["status"] == "captured", what="the capture")
    race.organizer.ask("CancelRace", race_id=race.race_id, reason="Storm")
    wait_until(lambda: payment_of(paying, race, paid)["status"] == "refunded", what="the refund")
    wait_until(lambda: payment_of(paying, race, unpaid)["status"] == "cancelled", what="the end of the other payment")
    assert "15.00 EUR" in mail_to(paying.server, paid, "paid back")


def test_a_webhook_is_believed_only_with_a_fresh_signature_of_the_provider(paying):
    """A-D5: what strangers post changes nothing, and what the provider repeats changes nothing more."""
    race = put_race(paying.server, paying.accounts.person(), capacity=1, **FEE)
    runner = paying.accounts.person()
    enrol(runner, race)
    payment, url = payment_of(paying, race, runner), paying.provider.webhook
    body = news(paying.provider, payment, "authorized")
    old = signed(body, at=payment.get("created", 0) or 1_600_000_000)
    for headers in ({}, signed(body, "another secret 0123456789"), signed(b"{}"), old, {"TrackMe-Signature": "v1=0"}):
        assert post(url, body, headers) == 401
    assert post(url, b"x" * 70_000, signed(b"x" * 70_000)) == 413
    assert post(url + "/x", body, signed(body)) == 404
    assert post(url, b"[]", signed(b"[]")) == 400
    for other in (
        news(paying.provider, payment, "authorized", reference="00000000-0000-4000-8000-000000000000"),
        news(paying.provider, payment, "authorized", reference="none of ours"),
        json.dumps({"id": "evt_1", "type": "customer.created"}).encode(),
    ):
        assert post(url, other, signed(other)) == 200
    assert mine(runner, race).state == AWAITING
    # With the right secret, but not in the books of the provider: it takes nothing.
    for _ in range(3):
        assert post(url, body, signed(body)) == 200
    assert paying.provider.charged() == sum(one["charged"] for one in paying.provider.payments())
    assert payment_of(paying, race, runner)["charged"] == 0


def test_signed_news_that_disagree_with_the_payment_are_refused_and_told_to_the_log(paying):
    """A-D5: what the provider tells is compared before anything is taken, and the operator hears of what does not agree."""
    race = put_race(paying.server, paying.accounts.person(), capacity=1, **FEE)
    runner = paying.accounts.person()
    enrol(runner, race)
    payment, url = payment_of(paying, race, runner), paying.provider.webhook
    for status, changes, disagrees_in in (
        ("authorized", {"amount": 1}, "amount"),
        ("authorized", {"currency": "USD"}, "currency"),
        ("authorized", {"id": "pay_of_somebody_else"}, "id"),
        ("captured", {}, "state"),
        ("refunded", {}, "state"),
    ):
        body = news(paying.provider, payment, status, **changes)
        before = len(paying.server.log.read_text())
        assert post(url, body, signed(body)) == 409, changes
        lines = [line for line in paying.server.log.read_text()[before:].splitlines() if "disagree" in line]
        assert len(lines) == 1 and payment["reference"] in lines[0] and f"disagrees_in={disagrees_in}" in lines[0]
        assert f"told={status}" in lines[0]
        assert not any(word in lines[0] for word in (runner.credentials.username, runner.credentials.email, "Corsa"))
    assert mine(runner, race).state == AWAITING
    assert mine(runner, race).payment_state == race_states.PAYMENT_STATE_PENDING
    # Paid as it should be.
    assert paying.provider.pay(payment["url"]) == 200
    wait_until(lambda: payment_of(paying, race, runner)["status"] == "captured", what="the capture")


def test_a_capture_that_is_refused_for_good_ends(tmp_path):
    """A-R21.1: the place goes, nothing is taken, and the runner is told, once."""
    pair = PayingServer(tmp_path, "--refuse", "capture")
    accounts = Accounts(pair.server)
    try:
        race = put_race(pair.server, accounts.person(), capacity=1, name="Corsa rifiutata", **FEE)
        first, second = accounts.person(), accounts.person()
        url = enrol(first, race).payment_url
        assert enrol(second, race).state == WAITING
        assert pair.provider.pay(url) == 200
        wait_until(lambda: mine(second, race).state == AWAITING, what="the next one's turn")
        assert (mine(first, race).state, mine(first, race).payment_state) == (EXPIRED, race_states.PAYMENT_STATE_FAILED)
        wait_until(lambda: pair.provider.payments()[0]["status"] == "cancelled", what="the end of the payment")
        assert pair.provider.charged() == 0
        told = mail_to(pair.server, first, "could not be taken")
        assert "15.00 EUR" in told and "no place in the race" in told
    finally:
        accounts.close()
        pair.close()


def test_a_provider_repeats_its_news_until_the_database_is_back(tmp_path):
    """5xx while nothing can be put down, so that nothing is lost."""
    pair = PayingServer(tmp_path)
    accounts = Accounts(pair.server)
    try:
        race = put_race(pair.server, accounts.person(), capacity=1, **FEE)
        runner = accounts.person()
        url = enrol(runner, race).payment_url
        payment = pair.provider.payments()[0]
        pair.server.sql("ALTER TABLE payment RENAME TO payment_away")
        body = news(pair.provider, payment, "authorized")
        assert post(pair.provider.webhook, body, signed(body)) == 503
        assert pair.provider.pay(url) == 200
        pair.server.sql("ALTER TABLE payment_away RENAME TO payment")
        wait_until(lambda: pair.provider.charged() == 1_500, 30, "the capture")
        assert mine(runner, race).state == ENROLLED
    finally:
        accounts.close()
        pair.close()
