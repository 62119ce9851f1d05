"""Who may call what: a row for each RPC, a column for each kind of caller.

+ allowed; u UNAUTHENTICATED; d PERMISSION_DENIED NOT_PERMITTED; e PERMISSION_DENIED ACCESS_ENDED; o PERMISSION_DENIED
NOT_ORGANIZER; n NOT_FOUND and p FAILED_PRECONDITION with the row's reason for it; i INVALID_ARGUMENT; r answered, and
the reading refused as NOT_YOURS.
"""

from __future__ import annotations

import json
import secrets
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

from google.protobuf.message import Message
from grpc_health.v1 import health_pb2
from grpc_reflection.v1alpha import reflection_pb2

from trackme.protocol import (
    access,
    admin,
    callers,
    dispatch,
    emergencies,
    figures,
    groups,
    identity,
    ingest,
    live,
    notifications,
    race,
    races,
    reading_service,
    releases,
    sharing,
    sos,
    texts,
)

from accounts import Accounts, Member, Party, whole
from expenditure_files import import_figures
from race_rows import put_course, put_race
from server_process import ServerProcess
from streams import Caller, fresh_client, reading

CALLERS = (
    "nobody", "wrong_token", "person", "other_person", "stranger", "doctor", "former_doctor", "device", "bridge",
    "dispatcher", "desk_operator", "administrator", "operator",
)  # fmt: skip
KINDS = {
    "nobody": callers.CALLER_ANYONE, "wrong_token": callers.CALLER_ANYONE,
    "person": callers.CALLER_PERSON, "other_person": callers.CALLER_PERSON,
    "stranger": callers.CALLER_THIRD_PARTY, "doctor": callers.CALLER_THIRD_PARTY,
    "former_doctor": callers.CALLER_THIRD_PARTY, "device": callers.CALLER_DEVICE, "bridge": callers.CALLER_BRIDGE,
    "dispatcher": callers.CALLER_DISPATCHER, "desk_operator": callers.CALLER_DESK_OPERATOR,
    "administrator": callers.CALLER_ADMINISTRATOR, "operator": callers.CALLER_OPERATOR,
    "disabled_person": callers.CALLER_DISABLED_PERSON,
}  # fmt: skip
"""The kind of each caller; whoever has no valid token is let in where everyone is."""
COLUMNS = (*CALLERS, "disabled_person")
WAY_OUT = {
    "LogOut", "GetAccount", "ChangePassword", "DeactivateAccount", "GetAnonymousSharing", "UpdateAnonymousSharing",
    "ListGroupDisclosures", "ListNotifications", "WatchNotifications", "MarkRead", "ListMetrics", "ExportReadings",
    "GetAccessRequest", "ListAccessRequests", "RevokeAccess", "WatchAccessRequests", "ListDisclosures", "ListEmergencies",
    "GetEmergency", "CancelEmergency", "WatchEmergencies",
}  # fmt: skip
"""What a person whose account is disabled can do as every other person can. What else persons can do is x: PERMISSION_DENIED
ACCOUNT_DISABLED."""
PERSONS = ("person", "other_person", "disabled_person")
T0 = 1_700_000_000_000_000


class Town:
    """Everyone who calls. The doctor may see the person's heart rate, the former doctor could once, the stranger is a
    third party that never asked. The device is the person's, and the bridge may push for the person. The guest is a person
    without an account, who has a token: in no column, for it calls what persons may."""

    def __init__(self, accounts: Accounts, operator_token: str):
        self.accounts = accounts
        target = accounts.server.target
        self.person, self.other_person = accounts.person(), accounts.person()
        self.doctor, self.former_doctor, self.stranger = (accounts.third_party() for _ in range(3))
        self.administrator = accounts.administrator
        self.device, self.bridge = self.person.device(), accounts.bridge(self.person)
        self.dispatcher = accounts.dispatcher()
        self.desk_operator = accounts.desk_operator(self.dispatcher)
        self.nobody, self.operator = accounts.anonymous(), Party(target, operator_token)
        self.wrong_token = Party(target, "tm_" + secrets.token_hex(24))
        self.guest = self.new_guest()
        self.grant = self.doctor.granted(self.person)
        self.ended = self.former_doctor.granted(self.person)
        self.subscription = self.doctor.subscription(self.grant)
        self.ended_subscription = self.former_doctor.subscription(self.ended)
        self.person.ask("RevokeAccess", access_request_id=self.ended)
        self.receipt = ""
        self._pending = 0
        self._emergency = ""
        self._has_figures = False
        self._gone: Member | None = None
        self.disabled_person = disabled(accounts)

    def caller(self, name: str) -> Caller:
        return getattr(self, name)

    def fresh(self, name: str) -> Caller:
        """A caller of the same kind with an account of its own, where the kind has accounts."""
        match name:
            case "person" | "other_person":
                return self.accounts.person()
            case "stranger" | "doctor" | "former_doctor":
                return self.accounts.third_party()
            case "administrator":
                return self.accounts.new_administrator()
            case "disabled_person":
                return disabled(self.accounts)
            case "desk_operator":
                return self.accounts.desk_operator(self.dispatcher)
            case _:
                return self.caller(name)

    # What requests need

    def own_grant(self, who: str) -> int:
        return self.ended if who == "former_doctor" else self.grant

    def own_subscription(self, who: str) -> int:
        return self.ended_subscription if who == "former_doctor" else self.subscription

    def pending(self) -> int:
        """The doctor's request that waits for the person's word."""
        if self._pending:
            waiting = self.person.ask("GetAccessRequest", access_request_id=self._pending).access_request
            if waiting.state == access.ACCESS_STATE_PENDING:
                return self._pending
        self._pending = self.doctor.request(self.person).access_request_id
        return self._pending

    def another_grant(self, who: str) -> int:
        return self.ended if who == "former_doctor" else self.doctor.granted(self.person)

    def another_subscription(self, who: str) -> int:
        return self.ended_subscription if who == "former_doctor" else self.doctor.subscription(self.grant)

    def etag(self, who: str) -> str:
        caller = self.caller(who)
        return caller.ask("GetAccount").account.etag if isinstance(caller, Member) else "1"

    def subscription_etag(self, who: str) -> str:
        doctor = self.former_doctor if who == "former_doctor" else self.doctor
        wanted = self.own_subscription(who)
        found = doctor.ask("ListSubscriptions", page_size=100).subscriptions
        return next(s.etag for s in found if s.subscription_id == wanted)

    def form_etag(self) -> str:
        return self.nobody.ask("GetRegistrationForm", kind=identity.ACCOUNT_KIND_PERSON).etag

    def form_fields(self) -> list[identity.FormField]:
        return list(self.nobody.ask("GetRegistrationForm", kind=identity.ACCOUNT_KIND_PERSON).fields)

    def receipt_id(self) -> str:
        """The receipt of somebody who is gone."""
        if not self.receipt:
            gone = self.accounts.person()
            answer = gone.ask("DeactivateAccount", password=gone.credentials.password)
            self.receipt = answer.receipt.receipt_id
        return self.receipt

    def new_guest(self) -> Party:
        """A person without an account, for whom an operator has made a token."""
        server = self.accounts.server
        return Party(server.target, server.person_token(500_000_000 + secrets.randbelow(500_000_000)))

    def new_code(self) -> int:
        """The number of a code that nobody has used."""
        self.accounts.code()
        return self.administrator.ask("ListThirdPartyCodes", page_size=1).third_party_codes[0].code_id

    def gone(self) -> Member:
        """A person of whom nothing else is asked."""
        if self._gone is None:
            self._gone = self.accounts.person()
        return self._gone

    def new_device(self) -> int:
        return self.person.device().device_id

    def new_bridge(self) -> int:
        return self.accounts.bridge().bridge_id

    def new_dispatcher(self) -> int:
        return self.accounts.dispatcher().dispatcher_id

    def new_desk_operator(self) -> int:
        return self.accounts.desk_operator(self.dispatcher).account_id

    def sos_etag(self, who: str) -> str:
        caller = self.caller(who)
        return caller.ask("GetSosSettings").etag if who in ("person", "other_person") else "1"

    def sharing_etag(self, who: str) -> str:
        """The etag of what a caller shares anonymously."""
        caller = self.caller(who)
        return caller.ask("GetAnonymousSharing").sharing.etag if who in PERSONS else "0"

    def group_question(self) -> groups.GroupQuestion:
        """A question about a group in which nobody is."""
        return groups.GroupQuestion(
            metrics=["heart_rate"], from_date="2020-01-01", to_date="2020-01-01", precision=groups.GROUP_PRECISION_LOW
        )

    def figures(self) -> None:
        """Figures of 2024 that everybody sees: brought in once."""
        if not self._has_figures:
            import_figures(self.administrator)
            self._has_figures = True

    def draft(self) -> releases.Release:
        """A release that nobody sees yet."""
        return import_figures(self.administrator, year=2000, more=secrets.randbelow(1 << 40), publishes=False)

    def tutorial(self) -> texts.TutorialStep:
        """The first step of the tutorial."""
        return self.nobody.ask("GetTutorial").steps[0]

    def exertion(self) -> int:
        """An exertion of the person."""
        return self.person.ask("DeclareExertion", **exertion()).exertion.exertion_id

    def emergency(self) -> str:
        """An emergency of the person that is over: it was cancelled."""
        if not self._emergency:
            self._emergency = cancelled_emergency(self.accounts.server, self.person.account_id)
        return self._emergency


    def race(self, state: str = "open", **more) -> int:
        """A new race that the person organises, in this state."""
        return put_race(self.accounts.server, self.person, state, **more).race_id

    def run(self, state: str, **more) -> int:
        """A new race of the person, who runs in it with number 1."""
        return self.race(state, runners=[self.person], **more)

    def disqualified(self) -> int:
        """The same, where the person was disqualified."""
        race = self.run("running")
        self.accounts.server.sql("UPDATE race_enrolment SET is_disqualified = true WHERE race = %s", (race,))
        return race

    def organized_by_two(self) -> int:
        """A race that the person and the other person organise."""
        race = self.race()
        sql = "INSERT INTO race_organizer (race, account) VALUES (%s, %s)"
        self.accounts.server.sql(sql, (race, self.other_person.account_id))
        return race

    def route(self, who: str) -> str:
        """A route that the caller planned, or the person if the caller can plan none."""
        planner = self.caller(who) if who in PERSONS else self.person
        return put_course(self.accounts.server, planner)


def cancelled_emergency(server: ServerProcess, person: int) -> str:
    """Puts an emergency of a while ago into the database; its number."""
    number, at = str(uuid.uuid4()), (time.time_ns() // 1_000) - 7_200_000_000
    transitions = [{"state": state, "at": at + state, "actor": "person", "note": ""} for state in (1, 2, 6)]
    facts = {
        "id": number, "person": person, "status": 1, "detected": at, "crossings": [], "vitals": [], "contacts": [],
        "number": "112", "country": "", "transitions": transitions, "delivered": [],
    }  # fmt: skip
    server.sql(
        "INSERT INTO emergency (id, person, state, detected_at, changed, facts, told)"
        " VALUES (%s, %s, 6, to_timestamp(%s / 1e6), %s, %s::jsonb, 2)",
        (number, person, at, at + 6, json.dumps(facts)),
    )
    return number


@dataclass(frozen=True)
class Row:
    """What each caller gets when it sends this request."""

    path: str
    cells: str
    request: Callable[[Town, str, Caller], Message]
    what: str = ""
    reason: str = ""
    """Of NOT_FOUND."""
    precondition: str = ""
    """The reason of FAILED_PRECONDITION."""
    is_fresh: bool = False
    """Every caller is an account of its own, since the call ends it or its sessions."""

    @property
    def name(self) -> str:
        return f"{self.path.rpartition('/')[2]}{' ' + self.what if self.what else ''}"

    def expected(self) -> dict[str, str]:
        cells = self.cells.split()
        assert len(cells) == len(CALLERS), self.name
        row = dict(zip(CALLERS, cells))
        return row | {"disabled_person": self._of_disabled_persons(row)}

    def _of_disabled_persons(self, row: dict[str, str]) -> str:
        """What somebody gets whose account is disabled: what another person would, where that is the way out."""
        if row["nobody"] != "u" or self.path.rpartition("/")[2] in WAY_OUT:
            return row["other_person"]
        return "x" if self.path in for_persons() else "d"


@cache
def for_persons() -> set[str]:
    """The RPCs that persons may call, with some request."""
    return {row.path for row in ROWS if any(cell != "d" for cell in row.cells.split()[2:4])}


def disabled(accounts: Accounts) -> Member:
    """A person whose account was disabled, in a session that began after that."""
    person = accounts.person()
    accounts.administrator.ask("DisableAccount", account_id=person.account_id, reason="Who may call")
    return person.log_in()


def credentials_of(caller: Caller) -> str:
    """The password of an account; of others any."""
    return caller.credentials.password if isinstance(caller, Member) else "no password at all"


def _row(rpc: str, cells: str, request: Callable[[Town, str, Caller], Message], **more):
    return lambda service: Row(f"/{service}/{rpc}", cells, request, **more)


def _service(name: str, *rows) -> list[Row]:
    return [row(name) for row in rows]


def _log_in(w: Town, who: str, caller: Caller) -> Message:
    credentials = w.person.credentials
    return identity.LogInRequest(name=credentials.email, password=credentials.password)


def _admin_metric(w: Town, who: str, caller: Caller) -> Message:
    return admin.PutMetricRequest(
        metric=reading_service.Metric(
            name="grip_strength", kind=reading_service.METRIC_KIND_SCALAR, unit="kg", minimum=0, maximum=200,
            display_name="Grip strength",
        )
    )  # fmt: skip


def _desk_operator(w: Town, who: str, caller: Caller) -> Message:
    credentials = w.accounts.credentials("desk")
    return admin.CreateDeskOperatorRequest(
        dispatcher_id=w.dispatcher.dispatcher_id, username=credentials.username, email=credentials.email,
        name="Anna Bianchi", initial_password=credentials.password,
    )  # fmt: skip


def _maintenance(w: Town, who: str, caller: Caller) -> Message:
    request = admin.AnnounceMaintenanceRequest(request_id="callers", message="New disks")
    request.begins.FromSeconds(int(time.time()) + 3 * 86_400)
    request.ends.FromSeconds(int(time.time()) + 3 * 86_400 + 600)
    return request


def exertion() -> dict:
    """The fields of a good DeclareExertionRequest, always of the same exertion."""
    request = sos.DeclareExertionRequest(request_id="callers")
    request.to.FromSeconds(int(time.time()) + 60)
    return {"request_id": request.request_id, "to": request.to}


def _backtest(w: Town, who: str, caller: Caller) -> Message:
    request = sos.BacktestThresholdsRequest()
    getattr(request, "from").FromSeconds(T0 // 1_000_000)
    request.to.FromSeconds(T0 // 1_000_000 + 3_600)
    return request


def _subscribe(**start) -> Message:
    return sharing.SubscribeRequest(start=sharing.SubscribeStart(**start))


# nobody, wrong token, person, other person, stranger, doctor, former doctor, device, bridge, dispatcher, desk operator,
# administrator, operator
IDENTITY = _service("trackme.identity.v1.IdentityService",
    _row("GetRegistrationForm",       "+ + + + + + + + + + + + +",
     lambda w, who, c: identity.GetRegistrationFormRequest(kind=identity.ACCOUNT_KIND_PERSON)),
    _row("RegisterPerson",            "+ + + + + + + + + + + + +",
     lambda w, who, c: identity.RegisterPersonRequest(**w.accounts.person_form())),
    _row("RegisterThirdParty",        "+ + + + + + + + + + + + +",
     lambda w, who, c: identity.RegisterThirdPartyRequest(**w.accounts.third_party_form())),
    _row("LogIn",                     "+ + + + + + + + + + + + +", _log_in),
    _row("RefreshSession",            "+ + + + + + + + + + + + +",
     lambda w, who, c: identity.RefreshSessionRequest(refresh_token=w.person.another_session().refresh_token)),
    _row("GetErasureReceipt",         "+ + + + + + + + + + + + +",
     lambda w, who, c: identity.GetErasureReceiptRequest(receipt_id=w.receipt_id())),
    _row("StartOpenIDLogIn",          "p p p p p p p p p p p p p",
     lambda w, who, c: identity.StartOpenIDLogInRequest(), precondition="OPENID_NOT_CONFIGURED"),
    _row("LogInWithOpenID",           "p p p p p p p p p p p p p",
     lambda w, who, c: identity.LogInWithOpenIDRequest(id_token="a.b.c"), precondition="OPENID_NOT_CONFIGURED"),
    _row("LinkOpenID",                "u u p p p p p d d d d p d",
     lambda w, who, c: identity.LinkOpenIDRequest(id_token="a.b.c"), precondition="OPENID_NOT_CONFIGURED"),
    _row("UnlinkOpenID",              "u u + + + + + d d d d + d", lambda w, who, c: identity.UnlinkOpenIDRequest()),
    _row("LogOut",                    "u u + + + + + d d d + + d",
     lambda w, who, c: identity.LogOutRequest(), is_fresh=True),
    _row("GetAccount",                "u u + + + + + d d d + + d", lambda w, who, c: identity.GetAccountRequest()),
    _row("UpdateAccount",             "u u + + + + + d d d d + d",
     lambda w, who, c: identity.UpdateAccountRequest(etag=w.etag(who))),
    _row("ChangePassword",            "u u + + + + + d d d + + d",
     lambda w, who, c: identity.ChangePasswordRequest(old_password=credentials_of(c), new_password="another 12 horses"),
     is_fresh=True),
    _row("DeactivateAccount",         "u u + + + + + d d d d + d",
     lambda w, who, c: identity.DeactivateAccountRequest(password=credentials_of(c)), is_fresh=True),
    _row("CreateDevice",              "u u + + d d d d d d d d d",
     lambda w, who, c: identity.CreateDeviceRequest(name="scales")),
    _row("ListDevices",               "u u + + d d d d d d d d d", lambda w, who, c: identity.ListDevicesRequest()),
    _row("RevokeDevice",              "u u + n d d d d d d d d d",
     lambda w, who, c: identity.RevokeDeviceRequest(device_id=w.new_device()), reason="UNKNOWN_DEVICE"),
    _row("AllowBridge",               "u u + + d d d d d d d d d",
     lambda w, who, c: identity.AllowBridgeRequest(bridge_id=w.new_bridge())),
    _row("ListBridges",               "u u + + d d d d d d d d d", lambda w, who, c: identity.ListBridgesRequest()),
    _row("DisallowBridge",            "u u + + d d d d d d d d d",
     lambda w, who, c: identity.DisallowBridgeRequest(bridge_id=w.new_bridge())),
)  # fmt: skip

# nobody, wrong token, person, other person, stranger, doctor, former doctor, device, bridge, dispatcher, desk operator,
# administrator, operator
ACCESS = _service("trackme.sharing.v1.AccessService",
    _row("RequestAccess",             "u u d d + + + d d d d d d",
     lambda w, who, c: access.RequestAccessRequest(
         fiscal_code=w.person.who.fiscal_code, scope=whole(), purpose="To be tested")),
    _row("GetRequestPrice",           "u u d d + + + d d d d d d", lambda w, who, c: access.GetRequestPriceRequest()),
    _row("GetAccessRequest",          "u u + n n + + d d d d d d",
     lambda w, who, c: access.GetAccessRequestRequest(access_request_id=w.own_grant(who)),
     reason="NO_ACCESS_REQUEST"),
    _row("ListAccessRequests",        "u u + + + + + d d d d d d", lambda w, who, c: access.ListAccessRequestsRequest()),
    _row("AcceptAccessRequest",       "u u + n d d d d d d d d d",
     lambda w, who, c: access.AcceptAccessRequestRequest(access_request_id=w.pending()),
     reason="NO_ACCESS_REQUEST"),
    _row("RefuseAccessRequest",       "u u + n d d d d d d d d d",
     lambda w, who, c: access.RefuseAccessRequestRequest(access_request_id=w.pending()),
     reason="NO_ACCESS_REQUEST"),
    _row("RevokeAccess",              "u u + n n + + d d d d d d",
     lambda w, who, c: access.RevokeAccessRequest(access_request_id=w.another_grant(who)),
     reason="NO_ACCESS_REQUEST"),
    _row("WatchAccessRequests",       "u u + + + + + d d d d d d", lambda w, who, c: access.WatchAccessRequestsRequest()),
    _row("ListDisclosures",           "u u + + d d d d d d d d d", lambda w, who, c: access.ListDisclosuresRequest()),
)  # fmt: skip

# nobody, wrong token, person, other person, stranger, doctor, former doctor, device, bridge, dispatcher, desk operator,
# administrator, operator
SUBSCRIPTIONS = _service("trackme.sharing.v1.SubscriptionService",
    _row("CreateSubscription",        "u u d d n + p d d d d d d",
     lambda w, who, c: sharing.CreateSubscriptionRequest(
         access_request_id=w.own_grant(who), cadence=sharing.CADENCE_DAILY), reason="NO_ACCESS_REQUEST",
     precondition="ACCESS_STATE"),
    _row("ListSubscriptions",         "u u d d + + + d d d d d d", lambda w, who, c: sharing.ListSubscriptionsRequest()),
    _row("UpdateSubscription",        "u u d d n + p d d d d d d",
     lambda w, who, c: sharing.UpdateSubscriptionRequest(
         subscription_id=w.own_subscription(who), etag=w.subscription_etag(who)), reason="NO_SUBSCRIPTION",
     precondition="SUBSCRIPTION_ENDED"),
    _row("CancelSubscription",        "u u d d n + + d d d d d d",
     lambda w, who, c: sharing.CancelSubscriptionRequest(subscription_id=w.another_subscription(who)),
     reason="NO_SUBSCRIPTION"),
    _row("Subscribe",                 "u u d d n + e d d d d d d",
     lambda w, who, c: _subscribe(subscription_id=w.own_subscription(who)),
     what="under a grant", reason="NO_SUBSCRIPTION"),
    _row("Subscribe",                 "u u + d d d d d d d d d +",
     lambda w, who, c: _subscribe(person_ids=[w.person.account_id]), what="to the person"),
    _row("Subscribe",                 "u u d d d d d d d d d d +", lambda w, who, c: _subscribe(), what="to everyone"),
)  # fmt: skip

# nobody, wrong token, person, other person, stranger, doctor, former doctor, device, bridge, dispatcher, desk operator,
# administrator, operator
NOTIFICATIONS = _service("trackme.notifications.v1.NotificationService",
    _row("ListNotifications",         "u u + + + + + d d d + + d",
     lambda w, who, c: notifications.ListNotificationsRequest()),
    _row("WatchNotifications",        "u u + + + + + d d d + + d",
     lambda w, who, c: notifications.WatchNotificationsRequest()),
    _row("MarkRead",                  "u u + + + + + d d d + + d",
     lambda w, who, c: notifications.MarkReadRequest(notification_ids=[1])),
)  # fmt: skip

# nobody, wrong token, person, other person, stranger, doctor, former doctor, device, bridge, dispatcher, desk operator,
# administrator, operator
READINGS = _service("trackme.readings.v1.ReadingService",
    _row("ListMetrics",               "u u + + + + + + + d d + +", lambda w, who, c: reading_service.ListMetricsRequest()),
    _row("GetCurrentStatus",          "u u + d d d d d d d d d +",
     lambda w, who, c: reading_service.GetCurrentStatusRequest(person_id=w.person.account_id)),
    _row("ListReadings",              "u u + d d d d d d d d d +",
     lambda w, who, c: reading_service.ListReadingsRequest(person_id=w.person.account_id)),
    _row("SummarizeReadings",         "u u + d d d d d d d d d +",
     lambda w, who, c: reading_service.SummarizeReadingsRequest(
         person_id=w.person.account_id, metric="heart_rate", from_us=T0, to_us=T0 + 1, resolution=4)),
    _row("WatchReadings",             "u u + d d d d d d d d d +",
     lambda w, who, c: reading_service.WatchReadingsRequest(person_id=w.person.account_id)),
    _row("ExportReadings",            "u u + d n n n d d d d d +",
     lambda w, who, c: reading_service.ExportReadingsRequest(person_id=w.person.account_id),
     what="without a grant", reason="NO_ACCESS_REQUEST"),
    _row("ExportReadings",            "u u i i n + e d d d d i i",
     lambda w, who, c: reading_service.ExportReadingsRequest(access_request_id=w.own_grant(who)),
     what="under a grant", reason="NO_ACCESS_REQUEST"),
)  # fmt: skip

# nobody, wrong token, person, other person, stranger, doctor, former doctor, device, bridge, dispatcher, desk operator,
# administrator, operator
INGEST = _service("trackme.ingest.v1.IngestService",
    _row("PushReadings",              "u u + + d d d + + d d d +",
     lambda w, who, c: ingest.PushReadingsRequest(hello=ingest.PushHello(client_id=fresh_client())), what="hello"),
    _row("RecordReadings",            "u u + r d d d + + d d d +",
     lambda w, who, c: ingest.RecordReadingsRequest(readings=[reading(w.person.account_id, T0, 60)]),
     what="of the person"),
    _row("RecordReadings",            "u u r + d d d r r d d d +",
     lambda w, who, c: ingest.RecordReadingsRequest(readings=[reading(w.other_person.account_id, T0, 60)]),
     what="of another person"),
)  # fmt: skip

# nobody, wrong token, person, other person, stranger, doctor, former doctor, device, bridge, dispatcher, desk operator,
# administrator, operator
ADMIN = _service("trackme.admin.v1.AdminService",
    _row("IssueThirdPartyCode",       "u u d d d d d d d d d + d",
     lambda w, who, c: admin.IssueThirdPartyCodeRequest(
         company="Studio Bianchi", kind=identity.HOLDER_KIND_HEALTH_CARE)),
    _row("ListThirdPartyCodes",       "u u d d d d d d d d d + d", lambda w, who, c: admin.ListThirdPartyCodesRequest()),
    _row("UpdateThirdPartyCode",      "u u d d d d d d d d d + d",
     lambda w, who, c: admin.UpdateThirdPartyCodeRequest(
         code_id=w.new_code(), etag="1", company="Studio Bianchi", kind=identity.HOLDER_KIND_HEALTH_CARE,
         reason="Who may call")),
    _row("WithdrawThirdPartyCode",    "u u d d d d d d d d d + d",
     lambda w, who, c: admin.WithdrawThirdPartyCodeRequest(code_id=w.new_code(), reason="Who may call")),
    _row("DisableAccount",            "u u d d d d d d d d d + d",
     lambda w, who, c: admin.DisableAccountRequest(account_id=w.gone().account_id, reason="Who may call")),
    _row("EnableAccount",             "u u d d d d d d d d d + d",
     lambda w, who, c: admin.EnableAccountRequest(account_id=w.gone().account_id, reason="Who may call")),
    _row("ListAccountDecisions",      "u u d d d d d d d d d + d",
     lambda w, who, c: admin.ListAccountDecisionsRequest()),
    _row("UpdateRegistrationForm",    "u u d d d d d d d d d + d",
     lambda w, who, c: admin.UpdateRegistrationFormRequest(
         kind=identity.ACCOUNT_KIND_PERSON, etag=w.form_etag(), fields=w.form_fields())),
    _row("PutMetric",                 "u u d d d d d d d d d + d", _admin_metric),
    _row("CreateBridge",              "u u d d d d d d d d d + d",
     lambda w, who, c: admin.CreateBridgeRequest(name=w.accounts.credentials("bridge").username)),
    _row("RevokeBridge",              "u u d d d d d d d d d + d",
     lambda w, who, c: admin.RevokeBridgeRequest(bridge_id=w.new_bridge())),
    _row("AnnounceMaintenance",       "u u d d d d d d d d d + d", _maintenance),
    _row("CreateDispatcher",          "u u d d d d d d d d d + d",
     lambda w, who, c: admin.CreateDispatcherRequest(name=w.accounts.credentials("rescue").username)),
    _row("RevokeDispatcher",          "u u d d d d d d d d d + d",
     lambda w, who, c: admin.RevokeDispatcherRequest(dispatcher_id=w.new_dispatcher())),
    _row("ListPrograms",              "u u d d d d d d d d d + d",
     lambda w, who, c: admin.ListProgramsRequest(kind=admin.PROGRAM_KIND_BRIDGE)),
    _row("CreateDeskOperator",        "u u d d d d d d d d d + d", _desk_operator),
    _row("ListDeskOperators",         "u u d d d d d d d d d + d", lambda w, who, c: admin.ListDeskOperatorsRequest()),
    _row("RevokeDeskOperator",        "u u d d d d d d d d d + d",
     lambda w, who, c: admin.RevokeDeskOperatorRequest(account_id=w.new_desk_operator())),
    _row("ListDeskAnswers",           "u u d d d d d d d d d + d", lambda w, who, c: admin.ListDeskAnswersRequest()),
    _row("GetDispatchStatus",         "u u d d d d d d d d d + d", lambda w, who, c: admin.GetDispatchStatusRequest()),
    _row("SetDispatchStatus",         "u u d d d d d d d d d + d",
     lambda w, who, c: admin.SetDispatchStatusRequest(
         status=emergencies.DISPATCH_STATUS_EXERCISE, reason="Who may call")),
    _row("DisableRace",               "u u d d d d d d d d d + d",
     lambda w, who, c: admin.DisableRaceRequest(race_id=w.race(), reason="Who may call")),
    _row("EnableRace",                "u u d d d d d d d d d + d",
     lambda w, who, c: admin.EnableRaceRequest(race_id=w.race(), reason="Who may call")),
)  # fmt: skip

# nobody, wrong token, person, other person, stranger, doctor, former doctor, device, bridge, dispatcher, desk operator,
# administrator, operator
SOS = _service("trackme.sos.v1.SosService",
    _row("GetSosSettings",            "u u + + d d d d d d d d d", lambda w, who, c: sos.GetSosSettingsRequest()),
    _row("UpdateSosSettings",         "u u + + d d d d d d d d d",
     lambda w, who, c: sos.UpdateSosSettingsRequest(
         settings=sos.SosSettings(callback_number="+393331234567"), etag=w.sos_etag(who))),
    _row("ConfirmContact",            "n n n n n n n n n n n n n",
     lambda w, who, c: sos.ConfirmContactRequest(code="0" * 32), reason="NO_CONTACT_CODE"),
    _row("RefuseContact",             "n n n n n n n n n n n n n",
     lambda w, who, c: sos.RefuseContactRequest(code="0" * 32), reason="NO_CONTACT_CODE"),
    _row("ListThresholds",            "u u + + d d d d d d d d d", lambda w, who, c: sos.ListThresholdsRequest()),
    _row("SetThreshold",              "u u + + d d d d d d d d d",
     lambda w, who, c: sos.SetThresholdRequest(
         threshold=sos.Threshold(metric="blood_oxygen", rest=sos.Limits(low=88, hold_ms=3_000)))),
    _row("ResetThreshold",            "u u + + d d d d d d d d d",
     lambda w, who, c: sos.ResetThresholdRequest(metric="blood_oxygen")),
    _row("DeclareExertion",           "u u + + d d d d d d d d d",
     lambda w, who, c: sos.DeclareExertionRequest(**exertion())),
    _row("ListExertions",             "u u + + d d d d d d d d d", lambda w, who, c: sos.ListExertionsRequest()),
    _row("EndExertion",               "u u + n d d d d d d d d d",
     lambda w, who, c: sos.EndExertionRequest(exertion_id=w.exertion()), reason="NO_EXERTION"),
    _row("BacktestThresholds",        "u u + + d d d d d d d d d", _backtest),
    _row("ListEmergencies",           "u u + + d d d d d d d d d", lambda w, who, c: sos.ListEmergenciesRequest()),
    _row("GetEmergency",              "u u + n d d d d d d d d d",
     lambda w, who, c: sos.GetEmergencyRequest(emergency_id=w.emergency()), reason="NO_EMERGENCY"),
    _row("CancelEmergency",           "u u + n d d d d d d d d d",
     lambda w, who, c: sos.CancelEmergencyRequest(emergency_id=w.emergency()), reason="NO_EMERGENCY"),
    _row("WatchEmergencies",          "u u + + d d d d d d d d d", lambda w, who, c: sos.WatchEmergenciesRequest()),
)  # fmt: skip

# nobody, wrong token, person, other person, stranger, doctor, former doctor, device, bridge, dispatcher, desk operator,
# administrator, operator
DISPATCH = _service("trackme.sos.v1.DispatchService",
    _row("HandleEmergencies",         "u u d d d d d d d + d d d",
     lambda w, who, c: dispatch.HandleEmergenciesRequest(hello=dispatch.DispatcherHello(system="callers"))),
    _row("WatchCalls",                "u u d d d d d d d d + d d", lambda w, who, c: dispatch.WatchCallsRequest()),
    _row("AnswerCall",                "u u d d d d d d d d n d d",
     lambda w, who, c: dispatch.AnswerCallRequest(emergency_id=w.emergency(), kind=dispatch.ANSWER_KIND_ACCEPTED),
     reason="NO_CALL"),
)  # fmt: skip


def plan(route: str, **changes) -> races.RacePlan:
    """A good plan of a race in a week."""
    fields = {"name": "Stramilano", "place_name": "Milano", "route_id": route, **changes}
    wanted = races.RacePlan(**fields)
    if "starts" not in changes:
        wanted.starts.FromSeconds(int(time.time()) + 7 * 86_400)
    if "enrolment_ends" not in changes:
        wanted.enrolment_ends.FromSeconds(wanted.starts.seconds - 86_400)
    return wanted


def _postpone(w: Town, who: str, caller: Caller) -> Message:
    request = races.PostponeRaceRequest(race_id=w.race())
    request.starts.FromSeconds(int(time.time()) + 30 * 86_400)
    return request


# nobody, wrong token, person, other person, stranger, doctor, former doctor, device, bridge, dispatcher, desk operator,
# administrator, operator
RACES = _service("trackme.races.v1.RaceService",
    _row("PlanRoutes",                "u u + + d d d d d d d d d",
     lambda w, who, c: races.PlanRoutesRequest(
         start=race.Place(latitude=45.47, longitude=9.17), arrival=race.Place(latitude=45.48, longitude=9.17))),
    _row("CreateRace",                "u u + + d d d d d d d d d",
     lambda w, who, c: races.CreateRaceRequest(request_id="callers", plan=plan(w.route(who)))),
    _row("GetRace",                   "u u + + d d d d d d d d d",
     lambda w, who, c: races.GetRaceRequest(race_id=w.race())),
    _row("GetRace",                   "u u + n d d d d d d d d d",
     lambda w, who, c: races.GetRaceRequest(race_id=w.race("draft")), what="draft", reason="NO_RACE"),
    _row("GetRace",                   "u u + n d d d d d d d d d",
     lambda w, who, c: races.GetRaceRequest(race_id=w.race(by_invitation=True), invitation="guessed"),
     what="by invitation", reason="NO_RACE"),
    _row("UpdateRace",                "u u + n d d d d d d d d d",
     lambda w, who, c: races.UpdateRaceRequest(race_id=w.race("draft"), plan=plan(""), etag="1"),
     reason="NO_RACE"),
    _row("OpenEnrolment",             "u u + n d d d d d d d d d",
     lambda w, who, c: races.OpenEnrolmentRequest(race_id=w.race("draft")), reason="NO_RACE"),
    _row("PostponeRace",              "u u + o d d d d d d d d d", _postpone),
    _row("CancelRace",                "u u + o d d d d d d d d d",
     lambda w, who, c: races.CancelRaceRequest(race_id=w.race(), reason="Storm")),
    _row("FinishRace",                "u u + o d d d d d d d d d",
     lambda w, who, c: races.FinishRaceRequest(race_id=w.race("running"))),
    _row("ListRaces",                 "u u + + d d d d d d d d d", lambda w, who, c: races.ListRacesRequest()),
    _row("SearchRaces",               "u u + + d d d d d d d d d",
     lambda w, who, c: races.SearchRacesRequest(text="Milano")),
    _row("Enrol",                     "u u + + d d d d d d d d d",
     lambda w, who, c: races.EnrolRequest(race_id=w.race())),
    _row("Withdraw",                  "u u + n d d d d d d d d d",
     lambda w, who, c: races.WithdrawRequest(race_id=w.run("open")), reason="NOT_ENROLLED"),
    _row("ListEnrolments",            "u u + o d d d d d d d d d",
     lambda w, who, c: races.ListEnrolmentsRequest(race_id=w.run("open"))),
    _row("InviteRunners",             "u u + n d d d d d d d d d",
     lambda w, who, c: races.InviteRunnersRequest(
         race_id=w.race(by_invitation=True), usernames=[w.other_person.credentials.username]), reason="NO_RACE"),
    _row("RevokeInvitations",         "u u + n d d d d d d d d d",
     lambda w, who, c: races.RevokeInvitationsRequest(race_id=w.race(by_invitation=True)), reason="NO_RACE"),
    _row("ObserveRace",               "u u + + d d d d d d d d d",
     lambda w, who, c: races.ObserveRaceRequest(race_id=w.race())),
    _row("StopObserving",             "u u + + d d d d d d d d d",
     lambda w, who, c: races.StopObservingRequest(race_id=w.race())),
    _row("AddOrganizer",              "u u + o d d d d d d d d d",
     lambda w, who, c: races.AddOrganizerRequest(
         race_id=w.race(), username=w.other_person.credentials.username)),
    _row("RemoveOrganizer",           "u u + + d d d d d d d d d",
     lambda w, who, c: races.RemoveOrganizerRequest(
         race_id=w.organized_by_two(), username=w.other_person.credentials.username), what="of two"),
    _row("RemoveOrganizer",           "u u p o d d d d d d d d d",
     lambda w, who, c: races.RemoveOrganizerRequest(
         race_id=w.race(), username=w.person.credentials.username), what="the last", precondition="LAST_ORGANIZER"),
    _row("MarkPresent",               "u u + o d d d d d d d d d",
     lambda w, who, c: races.MarkPresentRequest(race_id=w.run("closed"), numbers=[1])),
    _row("Disqualify",                "u u + o d d d d d d d d d",
     lambda w, who, c: races.DisqualifyRequest(race_id=w.run("running"), number=1, reason="Took a bus")),
    _row("Reinstate",                 "u u + o d d d d d d d d d",
     lambda w, who, c: races.ReinstateRequest(race_id=w.disqualified(), number=1, reason="It was no bus")),
    _row("CorrectResult",             "u u + o d d d d d d d d d",
     lambda w, who, c: races.CorrectResultRequest(
         race_id=w.run("finished"), number=1, did_not_finish=True, reason="Took a bus")),
    _row("ExportRun",                 "u u + n d d d d d d d d d",
     lambda w, who, c: races.ExportRunRequest(race_id=w.run("finished", present=True)), reason="NOT_ENROLLED"),
)  # fmt: skip

# nobody, wrong token, person, other person, stranger, doctor, former doctor, device, bridge, dispatcher, desk operator,
# administrator, operator
LIVE = _service("trackme.races.v1.LiveService",
    _row("WatchRace",                 "u u + + d d d d d d d d d",
     lambda w, who, c: live.WatchRaceRequest(race_id=w.run("running", present=True))),
    _row("WatchRace",                 "u u + n d d d d d d d d d",
     lambda w, who, c: live.WatchRaceRequest(race_id=w.run("running", by_invitation=True)), what="by invitation",
     reason="NO_RACE"),
    _row("GetLeaderboard",            "u u + + d d d d d d d d d",
     lambda w, who, c: live.GetLeaderboardRequest(race_id=w.run("running", present=True))),
    _row("GetLeaderboard",            "u u + n d d d d d d d d d",
     lambda w, who, c: live.GetLeaderboardRequest(race_id=w.run("running", by_invitation=True)), what="by invitation",
     reason="NO_RACE"),
    _row("GetResults",                "u u + + d d d d d d d d d",
     lambda w, who, c: live.GetResultsRequest(race_id=w.run("finished", present=True))),
    _row("GetResults",                "u u + n d d d d d d d d d",
     lambda w, who, c: live.GetResultsRequest(race_id=w.run("finished", by_invitation=True)), what="by invitation",
     reason="NO_RACE"),
)  # fmt: skip


# nobody, wrong token, person, other person, stranger, doctor, former doctor, device, bridge, dispatcher, desk operator,
# administrator, operator
GROUPS = _service("trackme.groups.v1.GroupService",
    _row("GetAnonymousSharing",       "u u + + d d d d d d d d d", lambda w, who, c: groups.GetAnonymousSharingRequest()),
    _row("UpdateAnonymousSharing",    "u u + + d d d d d d d d d",
     lambda w, who, c: groups.UpdateAnonymousSharingRequest(etag=w.sharing_etag(who))),
    _row("QueryGroup",                "u u d d + + + d d d d d d",
     lambda w, who, c: groups.QueryGroupRequest(question=w.group_question(), dry_run=True), what="a dry run"),
    _row("QueryGroup",                "u u d d p p p d d d d d d",
     lambda w, who, c: groups.QueryGroupRequest(question=w.group_question()), precondition="GROUP_TOO_SMALL"),
    _row("ExportGroup",               "u u d d + + + d d d d d d",
     lambda w, who, c: groups.ExportGroupRequest(question=w.group_question(), dry_run=True), what="a dry run"),
    _row("ExportGroup",               "u u d d p p p d d d d d d",
     lambda w, who, c: groups.ExportGroupRequest(question=w.group_question()), precondition="GROUP_TOO_SMALL"),
    _row("ListGroupDisclosures",      "u u + + d d d d d d d d d", lambda w, who, c: groups.ListGroupDisclosuresRequest()),
    _row("GetGroupBudget",            "u u d d + + + d d d d d d", lambda w, who, c: groups.GetGroupBudgetRequest()),
    _row("ListGroupAreas",            "u u d d + + + d d d d d d", lambda w, who, c: groups.ListGroupAreasRequest()),
)  # fmt: skip


VIEW = figures.View(voice="BZ9999", year=2024)


def _shown(request: Callable[[], Message]) -> Callable[[Town, str, Caller], Message]:
    """A request that is about figures which are there."""

    def of(w: Town, who: str, caller: Caller) -> Message:
        w.figures()
        return request()

    return of


def _publish(w: Town, who: str, caller: Caller) -> Message:
    if who != "administrator":
        return releases.PublishReleaseRequest(number=1)
    draft = w.draft()
    return releases.PublishReleaseRequest(number=draft.number, etag=draft.etag)


def _tutorial_text(w: Town, who: str, caller: Caller) -> Message:
    step = w.tutorial()
    return texts.UpdateDefinitionRequest(step=1, text=step.text, etag=step.etag)


# nobody, wrong token, person, other person, stranger, doctor, former doctor, device, bridge, dispatcher, desk operator,
# administrator, operator
EXPENDITURE = _service("trackme.expenditure.v1.ExpenditureService",
    _row("ListTerritories",           "+ + + + + + + + + + + + +", _shown(figures.ListTerritoriesRequest)),
    _row("ListVoices",                "+ + + + + + + + + + + + +", _shown(figures.ListVoicesRequest)),
    _row("GetMap",                    "+ + + + + + + + + + + + +", _shown(lambda: figures.GetMapRequest(view=VIEW))),
    _row("GetReport",                 "+ + + + + + + + + + + + +",
     _shown(lambda: figures.GetReportRequest(view=VIEW, territory="010"))),
    _row("GetVoiceReport",            "+ + + + + + + + + + + + +",
     _shown(lambda: figures.GetVoiceReportRequest(view=VIEW, territory="010"))),
    _row("CompareTerritories",        "+ + + + + + + + + + + + +",
     _shown(lambda: figures.CompareTerritoriesRequest(view=VIEW, territories=["010", "020"]))),
    _row("GetMobility",               "+ + + + + + + + + + + + +", _shown(figures.GetMobilityRequest)),
    _row("ListReleases",              "+ + + + + + + + + + + + +", _shown(releases.ListReleasesRequest)),
    _row("ImportFigures",             "u u d d d d d d d d d i d",
     lambda w, who, c: releases.ImportFiguresRequest(chunk=b"of no file")),
    _row("PublishRelease",            "u u d d d d d d d d d + d", _publish),
    _row("GetDictionary",             "+ + + + + + + + + + + + +", _shown(texts.GetDictionaryRequest)),
    _row("UpdateDefinition",          "u u d d d d d d d d d + d", _tutorial_text),
    _row("GetTutorial",               "+ + + + + + + + + + + + +", lambda w, who, c: texts.GetTutorialRequest()),
    _row("ExportTable",               "+ + + + + + + + + + + + +",
     _shown(lambda: figures.ExportTableRequest(map=figures.GetMapRequest(view=VIEW)))),
)  # fmt: skip


def _reflect(w: Town, who: str, c: Caller) -> Message:
    return reflection_pb2.ServerReflectionRequest(list_services="")


# nobody, wrong token, person, other person, stranger, doctor, former doctor, device, bridge, dispatcher, desk operator,
# administrator, operator
OPEN = [
    *_service("grpc.health.v1.Health",
        _row("Check",                     "+ + + + + + + + + + + + +", lambda w, who, c: health_pb2.HealthCheckRequest()),
        _row("Watch",                     "+ + + + + + + + + + + + +", lambda w, who, c: health_pb2.HealthCheckRequest()),
    ),
    *_service("grpc.reflection.v1.ServerReflection",
              _row("ServerReflectionInfo",      "+ + + + + + + + + + + + +", _reflect)),
    *_service("grpc.reflection.v1alpha.ServerReflection",
              _row("ServerReflectionInfo",      "+ + + + + + + + + + + + +", _reflect, what="v1alpha")),
]  # fmt: skip

ROWS = [*IDENTITY, *ACCESS, *SUBSCRIPTIONS, *NOTIFICATIONS, *READINGS, *INGEST, *ADMIN, *SOS, *DISPATCH, *RACES, *LIVE,
        *GROUPS, *EXPENDITURE, *OPEN]  # fmt: skip
