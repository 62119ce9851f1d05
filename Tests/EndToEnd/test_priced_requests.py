"""B-2.2.5: requests for access with a price. It is reserved before the person is asked, and taken when the person accepts;
what is refused, withdrawn or not answered costs nothing."""

from __future__ import annotations

import subprocess
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest

from trackme.protocol import access, notifications, payments

from accounts import Accounts, whole
from failures import fails
from fiscal_codes import random_identity
from payment_provider import PayingServer
from server_process import SERVING, binary, wait_until

pytestmark = pytest.mark.strict

AWAITING, PENDING = access.ACCESS_STATE_AWAITING_PAYMENT, access.ACCESS_STATE_PENDING
ACCEPTED, REFUSED = access.ACCESS_STATE_ACCEPTED, access.ACCESS_STATE_REFUSED
WITHDRAWN, EXPIRED = access.ACCESS_STATE_WITHDRAWN, access.ACCESS_STATE_EXPIRED
PRICE = payments.Price(currency_code="EUR", minor_units=1_500)


@pytest.fixture(scope="module")
def paying(tmp_path_factory):
    pair = PayingServer(tmp_path_factory.mktemp("payments"), prices={"TRACKME_REQUEST_PRICE": "1500 EUR"})
    pair.accounts = Accounts(pair.server)
    yield pair
    pair.accounts.close()
    pair.close()


@pytest.fixture
def person(paying):
    return paying.accounts.person()


@pytest.fixture
def doctor(paying):
    return paying.accounts.third_party()


def now(member, asked) -> access.AccessRequest:
    return member.ask("GetAccessRequest", access_request_id=asked.access_request_id).access_request


def inbox(member) -> list[int]:
    return [one.kind for one in member.ask("ListNotifications").notifications]


def book(paying, asked) -> dict:
    """What the provider's books say of a request's payment."""
    return next(one for one in paying.provider.payments() if one["reference"] == asked.payment.payment_id)


def is_over(paying, asked) -> bool:
    """Whether nothing is wished of the provider any more."""
    query = "SELECT count(*) FROM payment WHERE id = %s::uuid AND wish = 0"
    return paying.server.sql(query, (asked.payment.payment_id,)) == [(1,)]


def comes_to(paying, member, asked, state: int) -> access.AccessRequest:
    wait_until(lambda: now(member, asked).state == state, what=access.AccessState.Name(state))
    return now(member, asked)


def reserved(paying, doctor, person, **fields) -> access.AccessRequest:
    """A request whose price is reserved: the person is asked."""
    asked = doctor.request(person, **fields)
    assert paying.provider.pay(asked.payment.payment_url) == 200
    return comes_to(paying, doctor, asked, PENDING)


def accept(person, asked) -> access.AccessRequest:
    return person.ask("AcceptAccessRequest", access_request_id=asked.access_request_id).access_request


def costs_nothing(paying, asked) -> None:
    wait_until(lambda: book(paying, asked)["status"] == "cancelled" and is_over(paying, asked), what="the end of the payment")
    assert (book(paying, asked)["charged"], book(paying, asked)["captures"]) == (0, 0)


def test_the_person_is_asked_when_the_price_is_reserved_and_it_is_taken_when_they_accept(paying, person, doctor):
    assert doctor.ask("GetRequestPrice").price == PRICE, "told before anything is asked"
    asked = doctor.request(person)
    assert (asked.state, asked.payment.state, asked.payment.price) == (AWAITING, payments.PAYMENT_STATE_PENDING, PRICE)
    assert asked.payment.payment_url.startswith(paying.provider.url)
    assert paying.provider.pay(asked.payment.payment_url) == 200
    known = comes_to(paying, doctor, asked, PENDING)
    assert (known.payment.state, known.payment.payment_url) == (payments.PAYMENT_STATE_AUTHORIZED, "")
    assert inbox(person).count(notifications.NOTIFICATION_KIND_ACCESS_REQUESTED) == 1
    (seen,) = person.ask("ListAccessRequests").access_requests
    assert seen.state == PENDING and not seen.HasField("payment"), "what is paid is nobody else's business"
    assert (book(paying, asked)["status"], book(paying, asked)["charged"]) == ("authorized", 0)

    assert accept(person, asked).state == ACCEPTED
    wait_until(lambda: book(paying, asked)["status"] == "captured", what="the capture")
    assert (book(paying, asked)["charged"], book(paying, asked)["captures"]) == (1_500, 1)
    wait_until(lambda: now(doctor, asked).payment.state == payments.PAYMENT_STATE_CAPTURED, what="the news of it")
    # What ends later was paid for.
    person.ask("RevokeAccess", access_request_id=asked.access_request_id)
    assert is_over(paying, asked) and book(paying, asked)["charged"] == 1_500


def test_a_request_that_awaits_its_payment_is_not_seen_by_the_person(paying, person, doctor):
    """Neither in a list, nor by its number, nor in a stream, nor in the inbox; and nobody can decide on it."""
    watch = person.ask("WatchAccessRequests")
    assert next(watch).cursor
    asked = doctor.request(person)
    assert now(doctor, asked).state == AWAITING
    assert [one.state for one in doctor.ask("ListAccessRequests", states=[AWAITING]).access_requests] == [AWAITING]
    assert not person.ask("ListAccessRequests").access_requests
    assert notifications.NOTIFICATION_KIND_ACCESS_REQUESTED not in inbox(person)
    for method in ("GetAccessRequest", "AcceptAccessRequest", "RefuseAccessRequest", "RevokeAccess"):
        told = []
        for number in (asked.access_request_id, 2**60):
            with fails(grpc.StatusCode.NOT_FOUND) as failure:
                person.ask(method, access_request_id=number)
            told.append((failure.reason, failure.message))
        assert told[0] == told[1] and told[0][0] == "NO_ACCESS_REQUEST", "as one that does not exist"
    assert now(doctor, asked).state == AWAITING
    with fails(grpc.StatusCode.FAILED_PRECONDITION):
        doctor.subscription(asked.access_request_id)

    assert paying.provider.pay(asked.payment.payment_url) == 200
    change = next(frame.change for frame in watch if frame.HasField("change"))
    assert (change.access_request_id, change.state) == (asked.access_request_id, PENDING), "the first that they hear"
    watch.cancel()


def test_what_is_withdrawn_before_it_is_paid_is_never_heard_of(paying, person, doctor):
    asked = doctor.request(person)
    doctor.ask("RevokeAccess", access_request_id=asked.access_request_id)
    assert now(doctor, asked).state == WITHDRAWN
    costs_nothing(paying, asked)
    assert paying.provider.pay(asked.payment.payment_url) == 409, "too late"
    assert not person.ask("ListAccessRequests").access_requests
    told = {notifications.NOTIFICATION_KIND_ACCESS_REQUESTED, notifications.NOTIFICATION_KIND_ACCESS_WITHDRAWN}
    assert not told & set(inbox(person))


@pytest.mark.parametrize("who", ["person", "doctor"])
def test_what_is_refused_or_withdrawn_costs_nothing(paying, person, doctor, who):
    asked = reserved(paying, doctor, person)
    if who == "person":
        person.ask("RefuseAccessRequest", access_request_id=asked.access_request_id)
    else:
        doctor.ask("RevokeAccess", access_request_id=asked.access_request_id)
    assert now(doctor, asked).state == (REFUSED if who == "person" else WITHDRAWN)
    costs_nothing(paying, asked)
    with fails(grpc.StatusCode.FAILED_PRECONDITION):
        accept(person, asked)
    assert book(paying, asked)["charged"] == 0


@pytest.mark.parametrize("is_paid", [False, True], ids=["not paid", "not answered"])
def test_what_is_not_paid_or_not_answered_in_time_ends_and_costs_nothing(paying, person, doctor, is_paid):
    asked = reserved(paying, doctor, person) if is_paid else doctor.request(person)
    query = "SELECT extract(epoch FROM lapses_at - changed_at)::bigint FROM access_request WHERE id = %s"
    assert paying.server.sql(query, (asked.access_request_id,)) == [((6 if is_paid else 1) * 86_400,)]
    paying.server.sql("UPDATE access_request SET lapses_at = now() WHERE id = %s", (asked.access_request_id,))
    comes_to(paying, doctor, asked, EXPIRED)
    costs_nothing(paying, asked)
    (told,) = [
        one.text for one in doctor.ask("ListNotifications").notifications
        if one.kind == notifications.NOTIFICATION_KIND_ACCESS_EXPIRED
    ]  # fmt: skip
    assert "not paid or not answered in time" in told
    assert (notifications.NOTIFICATION_KIND_ACCESS_EXPIRED in inbox(person)) == is_paid
    if is_paid:
        with fails(grpc.StatusCode.FAILED_PRECONDITION):
            accept(person, asked)


def test_a_payment_that_is_declined_ends_the_request(paying, person, doctor):
    asked = doctor.request(person)
    assert paying.provider.pay(asked.payment.payment_url, "decline") == 200
    assert comes_to(paying, doctor, asked, EXPIRED).payment.state == payments.PAYMENT_STATE_FAILED
    assert not person.ask("ListAccessRequests").access_requests and book(paying, asked)["charged"] == 0


def test_a_repeat_of_the_request_id_starts_no_second_payment(paying, person, doctor):
    asked = doctor.request(person, request_id="once")
    assert doctor.request(person, request_id="once").payment == asked.payment
    assert paying.provider.pay(asked.payment.payment_url) == 200
    comes_to(paying, doctor, asked, PENDING)
    assert doctor.request(person, request_id="once").payment.payment_id == asked.payment.payment_id
    accept(person, asked)
    wait_until(lambda: is_over(paying, asked) and book(paying, asked)["captures"] == 1, what="the capture")
    again = doctor.request(person, request_id="once")
    assert (again.state, again.payment.payment_id) == (ACCEPTED, asked.payment.payment_id)
    query = "SELECT count(*) FROM payment WHERE payer = %s"
    assert paying.server.sql(query, (doctor.account_id,)) == [(1,)]


def test_accepting_and_withdrawing_at_once_takes_the_price_once_or_not_at_all(paying, person, doctor):
    """However often and in whatever order it is decided: who has the grant has paid once, who has not has paid nothing."""
    for _ in range(5):
        asked = reserved(paying, doctor, person)

        def decide(caller, method):
            try:
                caller.ask(method, access_request_id=asked.access_request_id)
            except grpc.RpcError as error:
                assert error.code() == grpc.StatusCode.FAILED_PRECONDITION

        with ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda turn: decide(*turn), [
                (person, "AcceptAccessRequest"), (doctor, "RevokeAccess"), (person, "AcceptAccessRequest"),
                (person, "RefuseAccessRequest")]))  # fmt: skip
        wait_until(lambda: is_over(paying, asked), what="the end of the payment")
        sql = "SELECT count(*) FROM access_change WHERE access_request = %s AND state = %s"
        ((granted,),) = paying.server.sql(sql, (asked.access_request_id, ACCEPTED))
        assert (book(paying, asked)["captures"], book(paying, asked)["charged"]) == (granted, granted * 1_500)


def test_what_is_captured_is_in_the_transaction_of_the_grant(paying, person, doctor):
    """A grant whose capture can't be put down is no grant: nobody has what is not paid for."""
    asked = reserved(paying, doctor, person)
    paying.server.sql("ALTER FUNCTION capture_payment(uuid, timestamptz) RENAME TO capture_payment_away")
    try:
        with pytest.raises(grpc.RpcError):
            # It is tried again until it goes, which it does not here.
            person.ask("AcceptAccessRequest", access_request_id=asked.access_request_id, timeout=2)
        assert now(doctor, asked).state == PENDING
    finally:
        paying.server.sql("ALTER FUNCTION capture_payment_away(uuid, timestamptz) RENAME TO capture_payment")
    wait_until(lambda: paying.server.health() == SERVING, 30, "SERVING")
    # The commit that failed is tried again, with both in it.
    wait_until(lambda: now(doctor, asked).state == ACCEPTED, what="the grant")
    wait_until(lambda: book(paying, asked)["captures"] == 1, what="the capture")


def test_nothing_is_granted_while_nothing_is_reserved(paying, person, doctor):
    """What the provider has let go of in the meantime pays for nothing."""
    asked = reserved(paying, doctor, person)
    paying.server.sql("UPDATE payment SET state = 4 WHERE id = %s::uuid", (asked.payment.payment_id,))
    with fails(grpc.StatusCode.FAILED_PRECONDITION):
        accept(person, asked)
    assert now(doctor, asked).state == PENDING


@pytest.mark.parametrize("who", ["person", "doctor"])
def test_who_leaves_ends_the_requests_that_await_a_payment(paying, person, doctor, who):
    asked = doctor.request(person)
    leaving = person if who == "person" else doctor
    leaving.ask("DeactivateAccount", password=leaving.credentials.password)
    query = "SELECT state FROM access_request WHERE id = %s"
    ends = {"person": REFUSED, "doctor": WITHDRAWN}
    wait_until(lambda: paying.server.sql(query, (asked.access_request_id,)) == [(ends[who],)], what="the end")
    costs_nothing(paying, asked)


def test_who_is_not_found_starts_no_payment(paying, doctor):
    code = random_identity(paying.accounts.rng).fiscal_code
    with fails(grpc.StatusCode.NOT_FOUND) as failure:
        doctor.ask("RequestAccess", fiscal_code=code, purpose="A test of the heart", scope=whole())
    assert failure.reason == "NO_SUCH_PERSON"
    assert paying.server.sql("SELECT count(*) FROM payment WHERE payer = %s", (doctor.account_id,)) == [(0,)]


def test_a_capture_that_is_refused_for_good_ends_the_grant(tmp_path):
    """Nobody reads for nothing what others pay for."""
    pair = PayingServer(tmp_path, "--refuse", "capture", prices={"TRACKME_REQUEST_PRICE": "1500 EUR"})
    accounts = Accounts(pair.server)
    try:
        person, doctor = accounts.person(), accounts.third_party()
        asked = reserved(pair, doctor, person)
        accept(person, asked)
        assert comes_to(pair, doctor, asked, EXPIRED).payment.state == payments.PAYMENT_STATE_FAILED
        wait_until(lambda: is_over(pair, asked), what="the end of the payment")
        assert pair.provider.charged() == 0
    finally:
        accounts.close()
        pair.close()


def test_without_a_price_nobody_pays(server, accounts):
    """Nothing set: nothing changes."""
    person, doctor = accounts.person(), accounts.third_party()
    asked = doctor.request(person)
    assert asked.state == PENDING and not asked.HasField("payment")
    assert inbox(person).count(notifications.NOTIFICATION_KIND_ACCESS_REQUESTED) == 1
    assert accept(person, asked).state == ACCEPTED
    query = "SELECT count(*) FROM payment WHERE payer = %s"
    assert server.sql(query, (doctor.account_id,)) == [(0,)]


@pytest.mark.parametrize("name", ["TRACKME_REQUEST_PRICE", "TRACKME_GROUP_QUESTION_PRICE"])
@pytest.mark.parametrize(
    "price, problem",
    [("1500 EUR", "{} needs TRACKME_PAYMENT_URL"), *((bad, "{}: " + bad + " must be a number") for bad in (
        "1500", "EUR 1500", "0 EUR", "-1 EUR", "100000001 EUR", "1500 eur", "1500 EURO", "15.00 EUR", "1500  EUR", "free"))],
)  # fmt: skip
def test_a_price_that_nobody_can_be_charged_keeps_the_server_from_starting(tmp_path, name, price, problem):
    done = subprocess.run(
        [binary(), "serve", "--listen", "127.0.0.1:0", "--data-dir", tmp_path / "data"],
        env={name: price}, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert done.returncode != 0 and problem.format(name) in done.stderr, done.stderr
