"""A-R21, A-R21.1: thousands of attempts for one place, ten thousand in `make test-long`. One winner, and nobody is charged who has no place."""

import os

import pytest

import stampede
from accounts import Accounts
from payment_provider import PayingServer
from race_rows import put_race
from server_process import wait_until

pytestmark = pytest.mark.strict
ATTEMPTS = int(os.environ.get("TRACKME_ATTEMPTS", "1000"))
FEE = 1_500


def places(server, race):
    """Of each state how many, and how many numbers and places in the queue there are."""
    rows = server.sql("SELECT state, count(*) FROM race_enrolment WHERE race = %s GROUP BY state", (race,))
    ((numbers, queue, taken, waiting),) = server.sql(
        "SELECT count(e.number), count(DISTINCT e.queue_place) FILTER (WHERE e.state = 1), r.taken_count,"
        " r.waiting_count FROM race r JOIN race_enrolment e ON e.race = r.id WHERE r.id = %s GROUP BY r.id",
        (race,),
    )
    return dict(rows), numbers, queue, (taken, waiting)


def test_thousands_of_attempts_for_one_place_have_one_winner(own_server):
    accounts = Accounts(own_server)
    race = put_race(own_server, accounts.person(), capacity=1)
    tokens = stampede.put_persons(own_server, ATTEMPTS, "free")
    came = stampede.run(own_server.target, tokens, race.race_id)
    print(f"\n{ATTEMPTS} attempts: {came.seconds:.1f} s, tried again {dict(came.tries)}")
    assert came.states == {"ENROLLED": 1, "WAITING": ATTEMPTS - 1}
    assert places(own_server, race.race_id) == ({3: 1, 1: ATTEMPTS - 1}, 1, ATTEMPTS - 1, (1, ATTEMPTS - 1))
    # Everyone was told a place of their own on the list.
    waiting = sorted(one.waiting_position for one in came.enrolments.values() if one.waiting_position)
    assert waiting == list(range(1, ATTEMPTS))
    accounts.close()


@pytest.mark.parametrize(("automatic", "attempts"), [("authorize", ATTEMPTS), pytest.param("decline", 1_000, marks=pytest.mark.long)])
def test_thousands_of_attempts_for_one_place_with_a_fee_charge_nobody_without_a_place(tmp_path, automatic, attempts):
    """With a provider that says everything twice and in another order, that loses answers, and a server that is killed
    in the middle; a provider that declines gives the place to one after the other of those who wait."""
    pair = PayingServer(
        tmp_path, "--auto", automatic, "--delay-ms", "300", "--duplicate-webhooks", "--shuffle-webhooks",
        "--fail-first", "4",
    )  # fmt: skip
    server, provider = pair.server, pair.provider
    accounts = Accounts(server)
    try:
        race = put_race(server, accounts.person(), capacity=1, fee_minor_units=FEE, fee_currency="EUR")
        tokens = stampede.put_persons(server, attempts, "paid")

        def kill(answers):
            if answers == attempts // 3:
                server.kill()
                server.start(wait=False)

        came = stampede.run(server.target, tokens, race.race_id, at_answer=kill)
        print(f"\n{attempts} attempts with a fee: {came.seconds:.1f} s, tried again {dict(came.tries)}")
        assert sum(came.states.values()) == attempts
        server.wait_serving()

        if automatic == "authorize":
            wait_until(lambda: provider.charged() == FEE, 60, "the capture")
            wait_until(lambda: settled(server), 60, "the end of wishes")
            assert places(server, race.race_id) == ({3: 1, 1: attempts - 1}, 1, attempts - 1, (1, attempts - 1))
            [payment] = provider.payments()
            assert (payment["status"], payment["captures"], payment["refunds"]) == ("captured", 1, 0)
            ((reference,),) = server.sql("SELECT payment::text FROM race_enrolment WHERE state = 3")
            assert payment["reference"] == reference
            assert server.sql("SELECT count(*) FROM notification WHERE kind = 21") == [(1,)]
        else:
            wait_until(lambda: len(provider.payments()) >= 8, 60, "payments of those who waited")
            found, _, _, (taken, _) = places(server, race.race_id)
            assert taken <= 1 and 3 not in found
            assert provider.charged() == 0 and all(one["captures"] == 0 for one in provider.payments())
            # One place: one payment after the other.
            assert sum(one["status"] in ("pending", "authorized") for one in provider.payments()) <= 2
    finally:
        accounts.close()
        pair.close()


def settled(server):
    return server.sql("SELECT count(*) FROM payment WHERE wish <> 0 OR state = 2") == [(0,)]


def test_places_that_come_free_while_thousands_ask_are_given_once(tmp_path):
    """Twenty places, paid for: whoever has one is charged once, whoever has none is not, also if the server is killed
    while captures are under way."""
    pair = PayingServer(tmp_path, "--auto", "authorize", "--duplicate-webhooks", "--shuffle-webhooks")
    server, provider = pair.server, pair.provider
    accounts = Accounts(server)
    try:
        race = put_race(server, accounts.person(), capacity=20, fee_minor_units=FEE, fee_currency="EUR")
        tokens = stampede.put_persons(server, 1_000, "twenty")

        def kill(answers):
            if answers == 100:
                server.kill()
                server.start(wait=False)

        came = stampede.run(server.target, tokens, race.race_id, at_answer=kill)
        assert len(came.enrolments) == 1_000
        server.wait_serving()
        wait_until(lambda: provider.charged() == 20 * FEE, 60, "all captures")
        wait_until(lambda: settled(server), 60, "the end of wishes")
        assert places(server, race.race_id) == ({3: 20, 1: 980}, 20, 980, (20, 980))
        captured = {one["reference"] for one in provider.payments() if one["charged"]}
        enrolled = {payment for (payment,) in server.sql("SELECT payment::text FROM race_enrolment WHERE state = 3")}
        assert captured == enrolled
        assert all(one["captures"] <= 1 for one in provider.payments())
    finally:
        accounts.close()
        pair.close()
