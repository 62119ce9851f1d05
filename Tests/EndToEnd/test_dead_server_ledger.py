"""What a server delivered until it was killed is in the ledger when it is back, and does not hold an erasure up."""

import time

import pytest
from accounts import Accounts, access
from server_process import wait_until
from stalls import since
from streams import scalars

from test_consent import follow

pytestmark = pytest.mark.strict

T0 = 1_700_000_000_000_000
SECOND_US = 1_000_000


@pytest.fixture
def people(own_server):
    people = Accounts(own_server, seed=610)
    yield people
    people.close()


def killed_while_it_delivers(own_server, people):
    """A person, a third party and their grant, of a server that was killed in the middle of a stream: with what had
    arrived by then."""
    person, doctor = people.person(), people.third_party()
    grant = doctor.granted(person)
    device = person.device()
    subscription = doctor.subscription(grant)
    seen = []
    with follow(doctor, subscription) as stream, device.push() as pushes:
        stream.standing()
        for index in range(1, 31):
            pushes.commit(index, scalars(person.account_id, [(T0 + index * SECOND_US, 60 + index)]))
            seen += stream.times(1)
        own_server.kill()
    return person, doctor, grant, seen


def rows_of(person):
    return list(person.ask("ListDisclosures").disclosures)


def test_what_a_killed_server_delivered_is_completed_and_marked_after_a_restart(own_server, people):
    """A-R9: the ledger says no less than was sent, whatever becomes of the server."""
    person, doctor, grant, seen = killed_while_it_delivers(own_server, people)
    assert len(seen) == 30
    # What the dead server left: a row without an end.
    own_server.start()
    person.log_in()

    def completed():
        rows = rows_of(person)
        return rows if rows and all(row.HasField("ended") for row in rows) else None

    rows = wait_until(completed, 30, "the dead server's row")
    assert {(row.access_request_id, row.third_party_id, row.kind) for row in rows} == {
        (grant, doctor.account_id, access.DISCLOSURE_KIND_STREAM)
    }
    assert all(row.at_most for row in rows), "it may have sent more than it wrote down"
    assert sum(row.reading_count for row in rows) == len(seen), "nothing else could have been sent"
    assert all(list(row.metrics) == ["heart_rate"] for row in rows)


def test_an_erasure_does_not_wait_for_a_server_that_was_killed(own_server, people):
    """C-23: within the term, whatever was open."""
    person, _, _, _ = killed_while_it_delivers(own_server, people)
    own_server.start()
    person.log_in()
    receipt = person.ask("DeactivateAccount", password=person.credentials.password).receipt
    # Nobody pushes any more, so the erasure need not wait for those who might.
    own_server.sql("UPDATE erasure SET requested_at = requested_at - interval '2 minutes'")
    stranger = people.anonymous()
    began = time.monotonic()
    wait_until(
        lambda: stranger.ask("GetErasureReceipt", receipt_id=receipt.receipt_id).receipt.HasField("erased"),
        60,
        "the erasure",
    )
    assert since(began) < 60
    assert own_server.sql("SELECT count(*) FROM disclosure WHERE ended_at IS NULL") == [(0,)]
    assert own_server.sql("SELECT count(*) FROM reading WHERE person = %s", (person.account_id,)) == [(0,)]
