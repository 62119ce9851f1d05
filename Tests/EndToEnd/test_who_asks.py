"""Who asks is who the administrator says: codes name their holders, and persons see that before they decide."""

from __future__ import annotations

import grpc
import pytest
from trackme.protocol import ReadingServiceStub, access, admin, identity, reading_service

from accounts import Accounts, Member
from failures import fails
from mails import mail_to
from server_process import wait_until
from streams import scalars

GYM, HOSPITAL = "Palestra Rossi", "Ospedale Niguarda"
CHECKED = "REA MI-1234567, called back on the number of the register"


def codes(accounts: Accounts) -> list[admin.ThirdPartyCode]:
    return list(accounts.administrator.ask("ListThirdPartyCodes", page_size=100).third_party_codes)


def of(accounts: Accounts, third_party: Member) -> admin.ThirdPartyCode:
    """The code that a third party has registered with."""
    return next(code for code in codes(accounts) if code.third_party_id == third_party.account_id)


@pytest.fixture
def gym(accounts):
    """A third party whose code says what it is."""
    code = accounts.code(GYM, kind=identity.HOLDER_KIND_COMPANY, checked=CHECKED)
    return accounts.third_party(code=code, name="", description="Weights and more")


def test_a_third_party_takes_the_name_of_its_code_and_no_other(accounts):
    code = accounts.code(GYM, kind=identity.HOLDER_KIND_COMPANY)
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "name"):
        accounts.third_party(code=code, name=HOSPITAL)
    # It was not used up, and its holder's name or none is as good.
    account = accounts.third_party(code=code, name=GYM).ask("GetAccount").account
    assert (account.third_party.name, account.third_party.kind, account.third_party.checked) == (
        GYM, identity.HOLDER_KIND_COMPANY, "",
    )  # fmt: skip
    assert accounts.third_party(code=accounts.code(GYM), name="").ask("GetAccount").account.third_party.name == GYM
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "company", "kind", "checked"):
        accounts.administrator.ask("IssueThirdPartyCode", checked="\u0001")


def test_a_person_is_shown_who_asks_and_how_that_was_checked_before_accepting(server, accounts, gym):
    person = accounts.person()
    number = gym.request(person).access_request_id

    def is_the_gym(seen: identity.ThirdPartyDetails) -> bool:
        return (seen.name, seen.kind, seen.checked, seen.description) == (
            GYM, identity.HOLDER_KIND_COMPANY, CHECKED, "Weights and more",
        )  # fmt: skip

    asked = person.ask("GetAccessRequest", access_request_id=number).access_request
    assert asked.state == access.ACCESS_STATE_PENDING and asked.third_party_name == GYM
    assert is_the_gym(asked.third_party)
    (listed,) = person.ask("ListAccessRequests").access_requests
    assert is_the_gym(listed.third_party)
    notice = person.ask("ListNotifications").notifications[0]
    mail = mail_to(server, person, GYM)
    for said in (GYM, CHECKED, "Weights and more"):
        assert said in notice.text and said in notice.text_italian and said in mail, said
    assert "company" in notice.text and "azienda" in notice.text_italian

    person.ask("AcceptAccessRequest", access_request_id=number)
    with person.device().push() as push:
        push.commit(1, scalars(person.account_id, [(1_700_000_000_000_000, 60)]))
    export = reading_service.ExportReadingsRequest(access_request_id=number)
    assert list(gym.call(ReadingServiceStub(gym.channel).ExportReadings, export))
    (delivered,) = wait_until(lambda: person.ask("ListDisclosures").disclosures, what="the ledger")
    assert delivered.third_party_name == GYM and is_the_gym(delivered.third_party)


def test_nobody_is_said_to_be_checked_who_was_not(server, accounts):
    person, stranger = accounts.person(), accounts.third_party(code=accounts.code(GYM), name="", description="A\nChecked: yes")
    stranger.request(person)
    notice, mail = person.ask("ListNotifications").notifications[0], mail_to(server, person, GYM)
    assert "Nobody has checked who this is." in notice.text and "Nessuno ha verificato chi sia." in notice.text_italian
    # Whatever it says of itself stands on one line, as its own words.
    assert "\nChecked" not in notice.text and "“A Checked: yes”" in mail


def test_an_administrator_corrects_a_holder_everywhere_with_a_reason_that_is_kept(accounts, gym):
    person, code = accounts.person(), of(accounts, gym)
    number = gym.request(person).access_request_id
    change = {"code_id": code.code_id, "company": "Palestra Verdi", "kind": identity.HOLDER_KIND_ASSOCIATION}
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "reason"):
        accounts.administrator.ask("UpdateThirdPartyCode", etag=code.etag, **change)
    now = accounts.administrator.ask("UpdateThirdPartyCode", etag=code.etag, reason="Wrong entry", **change).third_party_code
    assert (now.company, now.third_party_name, now.kind) == ("Palestra Verdi", "Palestra Verdi", change["kind"])
    asked = person.ask("GetAccessRequest", access_request_id=number).access_request
    assert asked.third_party_name == asked.third_party.name == "Palestra Verdi" and asked.third_party.checked == ""
    assert gym.ask("GetAccount").account.third_party.name == "Palestra Verdi"
    assert "Palestra Verdi" in person.ask("ListNotifications").notifications[0].text
    with fails(grpc.StatusCode.ABORTED) as failure:
        accounts.administrator.ask("UpdateThirdPartyCode", etag=code.etag, reason="Late", **change)
    assert failure.reason == "STALE_ETAG"
    (kept,) = accounts.administrator.ask("ListAccountDecisions", account_id=gym.account_id).decisions
    assert (kept.kind, kept.reason, kept.code_id) == (admin.DECISION_KIND_CODE_CHANGED, "Wrong entry", code.code_id)
    assert kept.decided_by == accounts.administrator.account_id and kept.HasField("decided")
    assert (kept.before.name, kept.before.checked, kept.after.name) == (GYM, CHECKED, "Palestra Verdi")


def test_a_code_that_was_withdrawn_is_good_for_nothing(accounts):
    code = accounts.code(GYM)
    number = codes(accounts)[0].code_id
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "reason"):
        accounts.administrator.ask("WithdrawThirdPartyCode", code_id=number)
    for _ in range(2):
        gone = accounts.administrator.ask("WithdrawThirdPartyCode", code_id=number, reason="Lost").third_party_code
        assert gone.HasField("withdrawn")
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "code"):
        accounts.third_party(code=code, name="")
    kept = [one for one in accounts.administrator.ask("ListAccountDecisions").decisions if one.code_id == number]
    assert [(one.kind, one.reason) for one in kept] == [(admin.DECISION_KIND_CODE_WITHDRAWN, "Lost")]
    with fails(grpc.StatusCode.FAILED_PRECONDITION) as failure:
        used = of(accounts, accounts.third_party()).code_id
        accounts.administrator.ask("WithdrawThirdPartyCode", code_id=used, reason="Lost")
    assert failure.reason == "CODE_USED"
    with fails(grpc.StatusCode.NOT_FOUND) as failure:
        accounts.administrator.ask("WithdrawThirdPartyCode", code_id=1 << 40, reason="Lost")
    assert failure.reason == "NO_SUCH_CODE"
