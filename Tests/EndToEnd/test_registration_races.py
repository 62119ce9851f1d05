"""Many who register at once for one username, e-mail, fiscal code or code: one gets it (A-R1, A-R3, B-R.A4)."""

import threading
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest

from trackme.protocol import identity, notifications

from accounts import Accounts, Credentials, Member
from calls import Outcome, outcome_of
from failures import fails
from fiscal_codes import random_identity

pytestmark = pytest.mark.strict

ATTEMPTS = 100


def race(accounts: Accounts, rpc: str, forms: list[dict]) -> tuple[dict, list[Outcome]]:
    """Sends all forms at the same moment: the one that won, and what the others heard."""
    callers = [accounts.anonymous() for _ in range(10)]
    start = threading.Barrier(len(forms))

    def attempt(number: int, form: dict):
        start.wait(30)
        try:
            callers[number % len(callers)].ask(rpc, timeout=60, **form)
            return form
        except grpc.RpcError as error:
            return outcome_of(error)

    with ThreadPoolExecutor(len(forms)) as pool:
        answers = list(pool.map(attempt, range(len(forms)), forms))
    winners = [a for a in answers if isinstance(a, dict)]
    assert len(winners) == 1, [str(a) for a in answers if isinstance(a, Outcome)][:5]
    return winners[0], [a for a in answers if isinstance(a, Outcome)]


def check(accounts: Accounts, kind: int, winner: dict, losers: list[Outcome], forms: list[dict], field: str):
    """The losers heard which field it was, and are not there; the winner is, and logs in."""
    assert {(o.code, tuple(o.fields)) for o in losers} == {(grpc.StatusCode.ALREADY_EXISTS, (field,))}
    target = accounts.server.target
    member = Member(target, Credentials(winner["username"], winner["email"], winner["password"])).log_in()
    with member:
        found = member.ask("GetAccount").account
        assert (found.username, found.email, found.kind) == (winner["username"], winner["email"], kind)
    loser = next(form for form in forms if form is not winner)
    with Member(target, Credentials(loser["username"], loser["email"], loser["password"])) as other:
        with fails(grpc.StatusCode.UNAUTHENTICATED):
            other.log_in()


@pytest.mark.long
def test_of_a_hundred_persons_with_one_name_one_is_registered(accounts):
    name = accounts.person_form()["username"]
    # Case does not tell names apart.
    forms = [accounts.person_form() | {"username": name.swapcase() if i % 2 else name} for i in range(ATTEMPTS)]
    winner, losers = race(accounts, "RegisterPerson", forms)
    check(accounts, identity.ACCOUNT_KIND_PERSON, winner, losers, forms, "username")


@pytest.mark.parametrize("field", ["email", "fiscal_code"])
def test_persons_with_one_address_or_one_fiscal_code_hear_the_same_and_one_has_it(accounts, field):
    who = random_identity(accounts.rng)
    forms = [accounts.person_form(who if field == "fiscal_code" else None) for _ in range(20)]
    if field == "email":
        forms = [form | {"email": forms[0]["email"].upper() if i % 2 else forms[0]["email"]}
                 for i, form in enumerate(forms)]  # fmt: skip
    with ThreadPoolExecutor(len(forms)) as pool:
        made = list(pool.map(lambda form: accounts.anonymous().ask("RegisterPerson", timeout=60, **form).account, forms))
    assert len({account.account_id for account in made}) == len(forms)
    members = [Member(accounts.server.target, Credentials(f["username"], f["email"], f["password"])) for f in forms]
    told = []
    for member, account in zip(members, made, strict=True):
        with member.log_in():
            assert member.ask("GetAccount").account == account
            kinds = [news.kind for news in member.ask("ListNotifications").notifications]
            assert kinds[-1] == notifications.NOTIFICATION_KIND_REGISTERED
            told.append(kinds[:-1])
    assert sorted(told) == [[]] * (len(forms) - 1) + [[notifications.NOTIFICATION_KIND_REGISTERED_AGAIN]]


@pytest.mark.long
def test_of_a_hundred_third_parties_with_one_code_one_is_registered(accounts):
    code = accounts.code()
    forms = [accounts.third_party_form(code=code) for _ in range(ATTEMPTS)]
    winner, losers = race(accounts, "RegisterThirdParty", forms)
    check(accounts, identity.ACCOUNT_KIND_THIRD_PARTY, winner, losers, forms, "code")


def test_a_person_and_a_third_party_cannot_share_a_name(accounts):
    """A-R1: unique over persons and third parties alike."""
    form = accounts.third_party_form() | {"username": accounts.person().credentials.username}
    with fails(grpc.StatusCode.ALREADY_EXISTS, "username"):
        accounts.anonymous().ask("RegisterThirdParty", **form)
