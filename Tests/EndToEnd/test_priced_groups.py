"""B-2.2.5: questions about groups with a price. It is reserved before a question is answered, and taken with the answer; what
is refused, below the threshold or asked once more costs nothing."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import timedelta

import grpc
import pytest

from trackme.protocol import groups, payments, sharing

from accounts import Accounts
from failures import fails
from group_town import HOUR_US, Town, day, midnight_us
from payment_provider import PaymentProvider
from server_process import ServerProcess, wait_until

pytestmark = pytest.mark.strict

PRICE = payments.Price(currency_code="EUR", minor_units=1_500)
PENDING, AUTHORIZED = payments.PAYMENT_STATE_PENDING, payments.PAYMENT_STATE_AUTHORIZED
NO_PAYMENT = "00000000-0000-4000-8000-000000000000"


@contextmanager
def priced_town(directory, *arguments: str):
    """1,400 persons with a pulse, of whom 900 have their oxygen taken; an answer costs 15 euros. They are 14 standard deviations
    above the threshold: 1,200 would be 4, and be too few by chance in one run of some hundreds.

    :param arguments: of the payment provider.
    """
    provider = PaymentProvider(directory, *arguments)
    made = Town(
        TRACKME_GROUP_BUDGET="10000000", TRACKME_GROUP_BUDGET_OF_ALL="10000000",
        TRACKME_GROUP_QUESTION_PRICE="1500 EUR", **provider.environment,
    )  # fmt: skip
    made.provider = provider
    made.persons = made.seed(1_400, "heart_rate", "blood_oxygen")
    made.push("heart_rate", ((p, midnight_us() + HOUR_US, 60 + n % 21) for n, p in enumerate(made.persons)))
    made.push("blood_oxygen", ((p, midnight_us() + HOUR_US, 97) for p in made.persons[:900]))
    made.gathered()
    try:
        yield made
    finally:
        made.close()
        provider.close()


@pytest.fixture(scope="module")
def town(tmp_path_factory):
    with priced_town(tmp_path_factory.mktemp("payments")) as made:
        yield made


@pytest.fixture
def institute(town):
    return town.accounts.third_party()


def question(ago: int = 1, **changes) -> groups.GroupQuestion:
    """Of the days since then: always about the same persons, and another question each time."""
    fields = {
        "metrics": ["heart_rate"], "from_date": day(ago).isoformat(), "to_date": day().isoformat(),
        "statistics": [groups.GROUP_STATISTIC_MEAN], "precision": groups.GROUP_PRECISION_HIGH, **changes,
    }  # fmt: skip
    return groups.GroupQuestion(**fields)


def ask(party, payment: str = "", dry_run: bool = False, **changes) -> groups.QueryGroupResponse:
    return party.ask("QueryGroup", question=question(**changes), payment_id=payment, dry_run=dry_run)


def export(party, payment: str = "", dry_run: bool = False, format: int = groups.GROUP_EXPORT_FORMAT_CSV, **changes):
    """The first message, and the file."""
    rows = question(statistics=[], **changes)
    first, *parts = party.ask("ExportGroup", question=rows, payment_id=payment, dry_run=dry_run, format=format)
    return first, b"".join(part.data for part in parts)


def reserved(town, party, asked=ask, **changes) -> str:
    """The payment that is reserved for a question."""
    due = asked(party, **changes).payment
    assert town.provider.pay(due.payment_url) == 200
    wait_until(lambda: asked(party, **changes).payment.state == AUTHORIZED, what="the news that it is reserved")
    return due.payment_id


def asked_for_rows(party, **changes):
    first, data = export(party, **changes)
    assert not data and not first.HasField("records")
    return first


def book(town, payment: str) -> dict:
    return next(one for one in town.provider.payments() if one["reference"] == payment)


def payments_of(town, party) -> int:
    ((count,),) = town.server.sql("SELECT count(*) FROM payment WHERE payer = %s", (party.account_id,))
    return count


def charges_of(town, party) -> int:
    ((count,),) = town.server.sql("SELECT count(*) FROM group_charge WHERE third_party = %s", (party.account_id,))
    return count


def is_over(town, payment: str) -> bool:
    return town.server.sql("SELECT wish FROM payment WHERE id = %s::uuid", (payment,)) == [(0,)]


def is_taken_once(town, payment: str) -> None:
    wait_until(lambda: book(town, payment)["status"] == "captured" and is_over(town, payment), what="the capture")
    assert (book(town, payment)["captures"], book(town, payment)["charged"]) == (1, 1_500)


def costs_nothing(town, payment: str) -> None:
    wait_until(lambda: book(town, payment)["status"] == "cancelled" and is_over(town, payment), what="the end of it")
    assert (book(town, payment)["captures"], book(town, payment)["charged"]) == (0, 0)


@contextmanager
def refuses(reason: str, code: grpc.StatusCode = grpc.StatusCode.FAILED_PRECONDITION):
    with fails(code) as failure:
        yield failure
    assert failure.reason == reason


def test_a_question_is_answered_when_the_price_is_reserved_and_it_is_taken_with_the_answer(town, institute):
    due = ask(institute)
    assert not due.HasField("answer") and not due.HasField("gathered")
    assert (due.payment.state, due.payment.price, due.price) == (PENDING, PRICE, PRICE)
    assert due.payment.payment_url.startswith(town.provider.url)
    payment = due.payment.payment_id
    for named in ("", payment):
        again = ask(institute, named)
        assert not again.HasField("answer") and again.payment == due.payment, "the same payment, as long as it is not reserved"
    assert charges_of(town, institute) == 0 and due.budget.spent.rho == again.budget.spent.rho == 0

    assert town.provider.pay(due.payment.payment_url) == 200
    wait_until(lambda: ask(institute).payment.state == AUTHORIZED, what="the news that it is reserved")
    told = ask(institute)
    assert not told.HasField("answer") and told.payment.payment_id == payment, "what is not named is not taken"
    assert (book(town, payment)["status"], charges_of(town, institute)) == ("authorized", 0)

    answer = ask(institute, payment)
    assert answer.answer.results[0].mean.value and not answer.HasField("payment") and answer.price == PRICE
    assert answer.budget.spent == answer.cost
    is_taken_once(town, payment)


def test_rows_are_given_when_the_price_is_reserved_and_it_is_taken_with_them(town, institute):
    told, _ = export(institute, dry_run=True)
    assert told.price == PRICE and not told.HasField("payment") and payments_of(town, institute) == 0
    payment = reserved(town, institute, asked_for_rows, ago=28)
    assert (book(town, payment)["status"], charges_of(town, institute)) == ("authorized", 0)
    assert not export(institute, payment, dry_run=True, ago=28)[1]
    with refuses("PAYMENT_NOT_USABLE"):
        ask(institute, payment, ago=28)  # a mean is another answer

    first, data = export(institute, payment, ago=28)
    assert data.count(b"\n") == 1 + sum(first.records.tables[0].counts) > 1_000
    assert first.price == PRICE and not first.HasField("payment") and first.budget.spent == first.cost
    for named in ("", payment):
        again, same = export(institute, named, ago=28)
        assert (again.records, same) == (first.records, data), "once more is free"
    again, other_form = export(institute, format=groups.GROUP_EXPORT_FORMAT_NDJSON, ago=28)
    assert again.records == first.records and other_form.startswith(b"{") and not again.HasField("price")
    is_taken_once(town, payment)
    assert (payments_of(town, institute), charges_of(town, institute)) == (1, 1)


def test_rows_below_the_threshold_cost_nothing(town, institute):
    payment = reserved(town, institute, asked_for_rows, metrics=["blood_oxygen"])
    with refuses("GROUP_TOO_SMALL"):
        export(institute, payment, metrics=["blood_oxygen"])
    costs_nothing(town, payment)


def test_the_same_answer_once_more_is_free(town, institute):
    payment = reserved(town, institute, ago=70)
    first = ask(institute, payment, ago=70)
    for named in ("", payment, ""):
        again = ask(institute, named, ago=70)
        assert (again.answer, again.gathered, again.budget) == (first.answer, first.gathered, first.budget)
    assert not again.HasField("price") and not again.HasField("payment")
    is_taken_once(town, payment)
    assert (payments_of(town, institute), charges_of(town, institute)) == (1, 1)
    # Somebody else pays for it as well.
    other = town.accounts.third_party()
    assert ask(other, ago=70).payment.state == PENDING and payments_of(town, other) == 1


def test_a_dry_run_is_free(town, institute):
    told = ask(institute, dry_run=True)
    assert told.price == PRICE and told.cost.rho and not told.HasField("payment") and not told.HasField("answer")
    assert (payments_of(town, institute), charges_of(town, institute)) == (0, 0)
    payment = reserved(town, institute)
    assert not ask(institute, payment, dry_run=True).HasField("answer")
    assert (book(town, payment)["status"], charges_of(town, institute)) == ("authorized", 0)
    ask(institute, payment)
    assert not ask(institute, dry_run=True).HasField("price"), "what was given costs nothing once more"


def test_a_group_below_the_threshold_costs_nothing(town, institute):
    payment = reserved(town, institute, metrics=["blood_oxygen"])
    with refuses("GROUP_TOO_SMALL"):
        ask(institute, payment, metrics=["blood_oxygen"])
    costs_nothing(town, payment)
    with refuses("GROUP_TOO_SMALL"):
        ask(institute, metrics=["blood_oxygen"])
    with refuses("PAYMENT_NOT_USABLE"):
        ask(institute, payment, metrics=["blood_oxygen"])
    assert payments_of(town, institute) == 1, "and no payment is started for what is known to be refused"


def test_what_the_privacy_budget_refuses_costs_nothing(town, institute):
    payment = reserved(town, institute, ago=20)
    town.server.sql(
        "INSERT INTO group_budget (third_party, year, spent) VALUES (%s, extract(year FROM now() AT TIME ZONE 'UTC'), 10^10)",
        (institute.account_id,),
    )
    with refuses("PRIVACY_BUDGET_SPENT", grpc.StatusCode.RESOURCE_EXHAUSTED):
        ask(institute, payment, ago=20)
    costs_nothing(town, payment)
    assert charges_of(town, institute) == 0


def test_a_question_that_nobody_can_answer_starts_no_payment(town, institute):
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "question.time_zone"):
        ask(institute, time_zone="Europe/Atlantis")
    assert payments_of(town, institute) == 0


def test_a_payment_pays_for_its_own_question_of_its_own_third_party_alone(town, institute):
    """What is not theirs is refused like a payment that does not exist."""
    payment, other = reserved(town, institute, ago=25), town.accounts.third_party()
    theirs = reserved(town, other, ago=25)
    told = set()
    for party, named, changes in [
        (institute, payment, {"ago": 30}), (institute, theirs, {"ago": 25}), (other, payment, {"ago": 25}),
        (institute, NO_PAYMENT, {"ago": 25}),
    ]:  # fmt: skip
        with refuses("PAYMENT_NOT_USABLE") as failure:
            ask(party, named, **changes)
        told.add(failure.message)
    assert len(told) == 1
    for bad in ("x", NO_PAYMENT[:-1], NO_PAYMENT + "0", "' OR true"):
        with fails(grpc.StatusCode.INVALID_ARGUMENT, "payment_id"):
            ask(institute, bad, ago=25)
    assert charges_of(town, institute) == charges_of(town, other) == 0
    for one in (payment, theirs):
        assert (book(town, one)["status"], book(town, one)["charged"]) == ("authorized", 0)
    assert ask(institute, payment, ago=25).HasField("answer"), "its own question is still paid for"
    is_taken_once(town, payment)


def test_answers_at_once_with_one_payment_take_it_once(town, institute):
    for ago in range(35, 60, 5):
        payment = reserved(town, institute, ago=ago)
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(lambda _: ask(institute, payment, ago=ago), range(8)))
        assert all(one.answer == answers[0].answer and one.HasField("answer") for one in answers)
        is_taken_once(town, payment)
    assert (payments_of(town, institute), charges_of(town, institute)) == (5, 5)
    assert ask(institute, dry_run=True).budget.spent.rho == pytest.approx(5 * answers[0].cost.rho)


def test_questions_at_once_start_one_payment(town, institute):
    with ThreadPoolExecutor(8) as pool:
        due = list(pool.map(lambda _: ask(institute, ago=40).payment.payment_id, range(8)))
    assert len(set(due)) == 1 and payments_of(town, institute) == 1


def test_a_response_that_was_lost_can_be_had_again_after_the_data_was_renewed(town, institute):
    """Nobody pays twice for one answer, nor once for none."""
    payment = reserved(town, institute, ago=19)
    paid = ask(institute, payment, ago=19)
    town.push("heart_rate", [(town.persons[0], midnight_us() + 2 * HOUR_US, 61)])
    town.gathered()
    assert charges_of(town, institute) == 0, "the end of what was answered before"
    for _ in range(2):
        again = ask(institute, payment, ago=19)
        assert (again.answer, again.gathered, again.cost) == (paid.answer, paid.gathered, paid.cost)
        assert again.budget == paid.budget and again.price == PRICE
    is_taken_once(town, payment)
    assert payments_of(town, institute) == 1
    anew = ask(institute, ago=19)
    assert anew.payment.payment_id not in ("", payment), "what is asked of new data is a new answer"

    town.server.sql("UPDATE group_purchase SET lapses_at = now() WHERE payment = %s::uuid", (payment,))
    query = "SELECT state FROM group_purchase WHERE payment = %s::uuid AND answer IS NULL"
    wait_until(lambda: town.server.sql(query, (payment,)) == [(2,)], what="the day after")
    with refuses("PAYMENT_NOT_USABLE"):
        ask(institute, payment, ago=19)
    is_taken_once(town, payment)


@pytest.mark.parametrize("is_paid", [pytest.param(False, marks=pytest.mark.long), True], ids=["not paid", "not asked again"])
def test_what_is_not_used_in_a_day_ends_and_costs_nothing(town, institute, is_paid):
    payment = reserved(town, institute, ago=65) if is_paid else ask(institute, ago=65).payment.payment_id
    query = "SELECT lapses_at - p.created_at FROM group_purchase JOIN payment p ON p.id = payment WHERE p.id = %s::uuid"
    assert town.server.sql(query, (payment,)) == [(timedelta(days=1),)]
    town.server.sql("UPDATE group_purchase SET lapses_at = now() WHERE payment = %s::uuid", (payment,))
    costs_nothing(town, payment)
    with refuses("PAYMENT_NOT_USABLE"):
        ask(institute, payment, ago=65)
    assert ask(institute, ago=65).payment.payment_id not in ("", payment)
    assert charges_of(town, institute) == 0


def test_a_payment_that_is_declined_pays_for_nothing(town, institute):
    due = ask(institute).payment
    assert town.provider.pay(due.payment_url, "decline") == 200
    wait_until(lambda: ask(institute).payment.payment_id != due.payment_id, what="the news of it")
    with refuses("PAYMENT_NOT_USABLE"):
        ask(institute, due.payment_id)
    assert book(town, due.payment_id)["charged"] == charges_of(town, institute) == 0


def test_the_price_is_taken_in_the_transaction_of_the_answer(town, institute):
    """Where it can't be put down that the price is to be taken, nobody is answered."""
    payment = reserved(town, institute, ago=45)
    town.server.sql("ALTER FUNCTION capture_payment(uuid, timestamptz) RENAME TO capture_payment_away")
    try:
        with pytest.raises(grpc.RpcError):
            ask(institute, payment, ago=45)
    finally:
        town.server.sql("ALTER FUNCTION capture_payment_away(uuid, timestamptz) RENAME TO capture_payment")
    query = "SELECT count(*) FROM group_disclosure WHERE third_party = %s"
    assert charges_of(town, institute) == 0 and town.server.sql(query, (institute.account_id,)) == [(0,)]
    assert book(town, payment)["status"] == "authorized"
    assert ask(institute, payment, ago=45).HasField("answer")
    is_taken_once(town, payment)


@pytest.mark.long
def test_an_answer_stays_given_where_its_price_is_refused_for_good(tmp_path):
    """It can't be unsaid."""
    with priced_town(tmp_path, "--refuse", "capture") as town:
        party = town.accounts.third_party()
        payment = reserved(town, party)
        given = ask(party, payment).answer
        wait_until(lambda: is_over(town, payment), what="the end of the payment")
        assert given.results[0].mean.value and book(town, payment)["charged"] == 0
        assert ask(party, payment).answer == given and charges_of(town, party) == 1


def test_nothing_is_answered_while_nothing_is_reserved(town, institute):
    """What the provider has let go of in the meantime pays for nothing, and what was drawn is told to nobody."""
    payment = reserved(town, institute, ago=50)
    town.server.sql("UPDATE payment SET wish = 3, next_attempt_at = now() + interval '1 day' WHERE id = %s::uuid", (payment,))
    with refuses("PAYMENT_NOT_USABLE"):
        ask(institute, payment, ago=50)
    assert charges_of(town, institute) == 0
    assert ask(institute, dry_run=True).budget.spent.rho == 0, "and costs nobody's privacy"


def test_a_hundred_payments_of_a_third_party_may_be_open(town, institute):
    town.server.sql(
        """
        INSERT INTO group_purchase (third_party, question_sha256, payment)
        SELECT %s, sha256(n::text::bytea), open_payment(3::smallint, 0, %s, '', 1, 'EUR', now())
        FROM generate_series(1, 99) n
        """, (institute.account_id, institute.account_id),
    )  # fmt: skip
    assert ask(institute, ago=75).HasField("payment")
    with refuses("TOO_MANY_PAYMENTS", grpc.StatusCode.RESOURCE_EXHAUSTED):
        ask(institute, ago=80)
    assert ask(institute, ago=75).HasField("payment"), "one that is open is found"


def test_who_leaves_pays_for_nothing_more(town):
    leaving = town.accounts.third_party()
    payment = reserved(town, leaving)
    leaving.ask("DeactivateAccount", password=leaving.credentials.password)
    costs_nothing(town, payment)


def test_what_has_a_price_cannot_be_subscribed_to(town, institute):
    order = groups.GroupQuestion(metrics=["heart_rate"], statistics=[groups.GROUP_STATISTIC_MEAN])
    with refuses("QUESTIONS_HAVE_PRICE"):
        institute.ask("CreateSubscription", cadence=sharing.CADENCE_DAILY, group=order)
    assert not institute.ask("ListSubscriptions").subscriptions


@pytest.mark.long
def test_a_subscription_of_before_there_was_a_price_says_nothing_while_there_is_one(tmp_path):
    provider, server = PaymentProvider(tmp_path), ServerProcess({"TRACKME_GROUP_EPOCH_SECONDS": "1"}).start()
    accounts = Accounts(server)
    try:
        party = accounts.third_party()
        order = groups.GroupQuestion(metrics=["heart_rate"], statistics=[groups.GROUP_STATISTIC_MEAN])
        made = party.ask("CreateSubscription", cadence=sharing.CADENCE_DAILY, group=order).subscription
        assert server.stop() == 0
        server.environment |= {**provider.environment, "TRACKME_GROUP_QUESTION_PRICE": "1500 EUR"}
        server.start()
        grpc.channel_ready_future(party.channel).result(20)
        server.sql(
            "UPDATE group_subscription SET period_start = %s::timestamptz, period_end = %s::timestamptz WHERE id = %s",
            (f"{day(2)} 00:00+00", f"{day(1)} 00:00+00", made.subscription_id),
        )

        def shown():
            (found,) = party.ask("ListSubscriptions").subscriptions
            return found

        wait_until(lambda: shown().pause == sharing.GROUP_PAUSE_PRICE, what="the release")
        query = "SELECT count(*) FROM group_charge"
        assert server.sql(query) == [(0,)] and party.ask("GetGroupBudget").budget.spent.rho == 0
    finally:
        accounts.close()
        server.remove()
        provider.close()


def test_without_a_price_nobody_pays(own_server):
    """Nothing set: nothing changes. Nobody is there, so that every group is too small; and nobody else asks, so that the budget
    of all is not spent."""
    accounts = Accounts(own_server)
    party = accounts.third_party()
    assert not ask(party, dry_run=True).HasField("price")
    with refuses("GROUP_TOO_SMALL"):
        ask(party)
    with refuses("PAYMENT_NOT_USABLE"):
        ask(party, NO_PAYMENT)
    assert own_server.sql("SELECT count(*) FROM payment WHERE payer = %s", (party.account_id,)) == [(0,)]
    accounts.close()
