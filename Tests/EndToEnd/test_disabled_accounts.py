"""Administrators take accounts out of use, and back: everything of theirs ends within a second, but for a person's way out."""

from __future__ import annotations

import time

import grpc
import pytest
from trackme.protocol import ReadingServiceStub, access, admin, notifications, reading_service

from accounts import Member
from calls import outcome_of
from failures import fails
from mails import mail_to
from stalls import since
from streams import Subscribe, reading, scalars

pytestmark = pytest.mark.strict

T0 = 1_700_000_000_000_000
WITHIN_S = 1.0


def disable(accounts, member: Member, reason: str = "It is somebody else") -> float:
    """When it was answered."""
    accounts.administrator.ask("DisableAccount", account_id=member.account_id, reason=reason)
    return time.monotonic()


def ended(stream: Subscribe, disabled: float) -> str:
    """How a stream ends, within a second."""
    with pytest.raises(grpc.RpcError) as caught:
        while True:
            stream.next()
    assert since(disabled) < WITHIN_S
    return str(outcome_of(caught.value))


def state(member: Member, number: int) -> int:
    return member.ask("GetAccessRequest", access_request_id=number).access_request.state


def withdrawals(person: Member) -> list[str]:
    """What a person was told of those who give up or lose their access, the newest first, in both languages."""
    told = person.ask("ListNotifications").notifications
    gone = [one for one in told if one.kind == notifications.NOTIFICATION_KIND_ACCESS_WITHDRAWN]
    return [f"{one.subject} / {one.text} / {one.subject_italian} / {one.text_italian}" for one in gone]


def test_a_disabled_third_party_has_nothing_within_a_second(server, accounts):
    person, other, doctor = accounts.person(), accounts.person(), accounts.third_party()
    grant, pending = doctor.granted(person), doctor.request(other).access_request_id
    subscription = doctor.subscription(grant)
    session = doctor.refresh_token
    with Subscribe(doctor.channel, doctor.token, subscription_id=subscription).standing() as stream:
        disabled = disable(accounts, doctor)
        assert ended(stream, disabled) in ("UNAUTHENTICATED SESSION_ENDED", "PERMISSION_DENIED ACCESS_ENDED")
    with fails(grpc.StatusCode.UNAUTHENTICATED):
        doctor.ask("GetAccount")
    assert since(disabled) < WITHIN_S
    assert (state(person, grant), state(other, pending)) == (access.ACCESS_STATE_WITHDRAWN,) * 2
    with fails(grpc.StatusCode.UNAUTHENTICATED):
        accounts.anonymous().ask("RefreshSession", refresh_token=session)
    with fails(grpc.StatusCode.PERMISSION_DENIED) as failure:
        doctor.log_in()
    assert failure.reason == "ACCOUNT_DISABLED"
    told = mail_to(server, doctor, "disabled")
    assert "It is somebody else" in told and "Nobody can log in" in told and "export" not in told
    for told in (person, other):
        (words,) = withdrawals(told)
        assert "disabled by an administrator" in words and "disattivato da un amministratore" in words
        assert "gave up" not in words and "has withdrawn" not in words and "rinunciato" not in words

    # Back in use: what has ended stays so.
    accounts.administrator.ask("EnableAccount", name=doctor.credentials.username, reason="Cleared up")
    doctor.log_in()
    back = doctor.ask("ListNotifications").notifications[0]
    assert "ask persons for access again" in back.text and "alle persone" in back.text_italian
    assert doctor.ask("GetAccount").account.kind and state(doctor, grant) == access.ACCESS_STATE_WITHDRAWN
    doctor.ask("RevokeAccess", access_request_id=doctor.granted(person))
    own, before = withdrawals(person)
    assert "gave up its access" in own and "disabled" not in own and "disabled by an administrator" in before
    kept = accounts.administrator.ask("ListAccountDecisions", account_id=doctor.account_id).decisions
    assert [(one.kind, one.reason) for one in kept] == [
        (admin.DECISION_KIND_ACCOUNT_ENABLED, "Cleared up"),
        (admin.DECISION_KIND_ACCOUNT_DISABLED, "It is somebody else"),
    ]


def test_a_disabled_person_keeps_the_way_out_and_nothing_else(accounts):
    person, doctor = accounts.person(), accounts.third_party()
    device, bridge, grant = person.device(), accounts.bridge(person), doctor.granted(person)
    with device.push() as push:
        push.commit(1, scalars(person.account_id, [(T0, 60)]))
        with Subscribe(person.channel, person.token, person_ids=[person.account_id]).standing() as own:
            disabled = disable(accounts, person)
            assert ended(own, disabled) == "UNAUTHENTICATED SESSION_ENDED"
            assert ended(push, disabled) == "UNAUTHENTICATED SESSION_ENDED"
    assert state(doctor, grant) == access.ACCESS_STATE_REVOKED
    with fails(grpc.StatusCode.UNAUTHENTICATED):
        person.ask("GetAccount")
    assert bridge.record([reading(person.account_id, T0 + 1, 60)]).rejections, "the bridge may not push any more"
    with fails(grpc.StatusCode.NOT_FOUND):
        doctor.request(person)

    person.log_in()
    assert person.ask("GetAccount").account.HasField("disabled")
    assert "You can still log in" in person.ask("ListNotifications").notifications[0].text
    for rpc, fields in (("CreateDevice", {"name": "watch"}), ("AcceptAccessRequest", {"access_request_id": grant}),
                        ("UpdateAccount", {"etag": "1"}), ("SearchRaces", {})):  # fmt: skip
        with fails(grpc.StatusCode.PERMISSION_DENIED) as failure:
            person.ask(rpc, **fields)
        assert failure.reason == "ACCOUNT_DISABLED", rpc
    # To see, to take along, and to leave.
    assert person.ask("ListAccessRequests").access_requests[0].state == access.ACCESS_STATE_REVOKED
    assert person.ask("ListDisclosures") is not None and person.ask("ListNotifications").notifications
    export = ReadingServiceStub(person.channel).ExportReadings
    parts = list(person.call(export, reading_service.ExportReadingsRequest(person_id=person.account_id)))
    assert [reading.time_us for part in parts for reading in part.readings] == [T0]
    assert person.ask("DeactivateAccount", password=person.credentials.password).receipt.receipt_id
    with fails(grpc.StatusCode.UNAUTHENTICATED):
        person.log_in()


def test_a_disabled_person_who_is_enabled_again_is_as_before(accounts):
    person = accounts.person()
    disable(accounts, person)
    person.log_in()
    accounts.administrator.ask("EnableAccount", account_id=person.account_id, reason="Cleared up")
    enabled = time.monotonic()
    while True:
        try:
            device = person.device()
            break
        except grpc.RpcError:
            assert since(enabled) < WITHIN_S
    with device.push() as push:
        assert push.commit(1, scalars(person.account_id, [(T0, 60)])).accepted == 1
    assert not person.ask("GetAccount").account.HasField("disabled")


def test_only_persons_and_third_parties_are_disabled_and_once(accounts):
    person = accounts.person()
    for _ in range(2):
        disable(accounts, person)
    assert len(accounts.administrator.ask("ListAccountDecisions", account_id=person.account_id).decisions) == 1
    for fields in ({"account_id": accounts.administrator.account_id}, {"account_id": 1 << 40}, {"name": "nobody.at.all"}):
        with fails(grpc.StatusCode.NOT_FOUND) as failure:
            accounts.administrator.ask("DisableAccount", reason="Why not", **fields)
        assert failure.reason == "NO_SUCH_ACCOUNT"
    for fields in ({}, {"account_id": 1, "name": "both"}):
        with fails(grpc.StatusCode.INVALID_ARGUMENT, "account_id", "reason"):
            accounts.administrator.ask("DisableAccount", **fields)
