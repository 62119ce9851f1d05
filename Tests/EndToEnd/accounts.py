"""Those who use the product, as they come to it over the wire: an administrator made on the command line, persons and
third parties who register, their devices and bridges, and what persons let third parties see."""

from __future__ import annotations

import itertools
import random
import subprocess
import time
from dataclasses import dataclass
from datetime import date, datetime, timezone

from trackme.protocol import (
    AccessServiceStub,
    AdminServiceStub,
    DispatchServiceStub,
    ExpenditureServiceStub,
    GroupServiceStub,
    IdentityServiceStub,
    LiveServiceStub,
    NotificationServiceStub,
    RaceServiceStub,
    SosServiceStub,
    SubscriptionServiceStub,
    access,
    admin,
    dispatch,
    figures,
    groups,
    identity,
    live,
    notifications,
    races,
    releases,
    sharing,
    sos,
    texts,
)

import seeds
from fiscal_codes import Identity, random_identity
from server_process import ServerProcess, binary
from streams import PATIENCE_S, Caller

_FAMILIES = (
    (IdentityServiceStub, identity),
    (AccessServiceStub, access),
    (SubscriptionServiceStub, sharing),
    (NotificationServiceStub, notifications),
    (SosServiceStub, sos),
    (DispatchServiceStub, dispatch),
    (RaceServiceStub, races),
    (LiveServiceStub, live),
    (GroupServiceStub, groups),
    (ExpenditureServiceStub, figures),
    (ExpenditureServiceStub, releases),
    (ExpenditureServiceStub, texts),
    (AdminServiceStub, admin),
)
SESSION_S = 300
"""A session is used for so long; that of an administrator ends after 900 s."""
PERSON, THIRD_PARTY = identity.ACCOUNT_KIND_PERSON, identity.ACCOUNT_KIND_THIRD_PARTY


class Party(Caller):
    """A caller who knows the RPCs of accounts and sharing by name: `doctor.ask("RequestAccess", purpose=…)`."""

    def ask(self, rpc: str, timeout: float = PATIENCE_S, **fields):
        """Calls an RPC that takes one request: its response, or the iterator over them."""
        for stub, module in _FAMILIES:
            if request := getattr(module, f"{rpc}Request", None):
                return self.call(getattr(stub(self.channel), rpc), request(**fields), timeout)
        raise LookupError(rpc)


@dataclass
class Credentials:
    """With what somebody logs in."""

    username: str
    email: str
    password: str


class Member(Party):
    """An account in a session."""

    def __init__(self, target: str, credentials: Credentials, who: Identity | None = None):
        super().__init__(target, None)
        self.target, self.credentials, self.who = target, credentials, who
        self.account_id, self.refresh_token = 0, ""
        self._logged_in_s = 0.0

    def log_in(self) -> Member:
        session = self.ask("LogIn", name=self.credentials.username, password=self.credentials.password).session
        self.account_id, self.token, self.refresh_token = session.account_id, session.token, session.refresh_token
        self._logged_in_s = time.monotonic()
        return self

    def stay_logged_in(self) -> Member:
        """Begins a new session where the last one may end soon."""
        return self.log_in() if time.monotonic() > self._logged_in_s + SESSION_S else self

    def another_session(self) -> Member:
        """The same account, logged in once more."""
        return Member(self.target, self.credentials, self.who).log_in()

    # A person

    def device(self, name: str = "watch") -> Party:
        """A new device: it can push for its person."""
        answer = self.ask("CreateDevice", name=name)
        device = Party(self.target, answer.token)
        device.device_id = answer.device.device_id
        return device

    # A third party

    def request(self, person: Member, scope: access.AccessScope | None = None, **fields) -> access.AccessRequest:
        fields = {"fiscal_code": person.who.fiscal_code, "purpose": "A test of the heart", **fields}
        return self.ask("RequestAccess", scope=scope or whole(), **fields).access_request

    def granted(self, person: Member, scope: access.AccessScope | None = None) -> int:
        """A request that the person has accepted: its number."""
        number = self.request(person, scope).access_request_id
        person.ask("AcceptAccessRequest", access_request_id=number)
        return number

    def subscription(self, grant: int, cadence: int = sharing.CADENCE_AS_PRODUCED, **fields) -> int:
        answer = self.ask("CreateSubscription", access_request_id=grant, cadence=cadence, **fields)
        return answer.subscription.subscription_id


def whole(granularity: int = access.GRANULARITY_SECOND, metrics=("heart_rate",), **ends) -> access.AccessScope:
    """A scope without ends, or with those."""
    return access.AccessScope(metrics=metrics, granularity=granularity, **ends)


def today() -> date:
    """The server's day: that of UTC, wherever the tests run."""
    return datetime.now(timezone.utc).date()


def on_one_day(what):
    """What `what` answers to a day that is still today when it has answered."""
    while True:
        day = today()
        answer = what(day)
        if today() == day:
            return answer


class Accounts:
    """Makes accounts on one server. Everyone in it is new, and different from all others."""

    def __init__(self, server: ServerProcess, seed: int | None = None):
        """The same seed makes the same ones, so one of these a server; by default it is that of the run."""
        self.server = server
        self.rng = seeds.rng("accounts") if seed is None else random.Random(seed)
        self._numbers = itertools.count(1)
        self._administrator: Member | None = None
        self.opened: list[Caller] = []

    def close(self) -> None:
        for caller in self.opened:
            caller.channel.close()

    def credentials(self, kind: str) -> Credentials:
        name = f"{kind}-{self.rng.randrange(10**9):09}-{next(self._numbers)}"
        return Credentials(name, f"{name}@example.org", f"correct horse {self.rng.randrange(10**9)}")

    def anonymous(self) -> Party:
        return self.keep(Party(self.server.target, None))

    @property
    def administrator(self) -> Member:
        """In a session of the last minutes."""
        if self._administrator is None:
            self._administrator = self.new_administrator()
        return self._administrator.stay_logged_in()

    def new_administrator(self) -> Member:
        credentials = self.credentials("admin")
        done = create_administrator(self.server, credentials)
        assert done.returncode == 0, done.stderr
        return self.keep(Member(self.server.target, credentials)).log_in()

    def person_form(self, who: Identity | None = None, credentials: Credentials | None = None, **changes) -> dict:
        """The fields of a good RegisterPersonRequest, with these changed."""
        who = who or random_identity(self.rng)
        credentials = credentials or self.credentials("person")
        return {
            "username": credentials.username,
            "email": credentials.email,
            "password": credentials.password,
            "given_names": who.given_names,
            "family_name": who.family_name,
            "fiscal_code": who.fiscal_code,
            "date_of_birth": who.born.isoformat(),
            "sex": identity.SEX_FEMALE if who.is_female else identity.SEX_MALE,
            "weight_kg": 70.5,
            "height_cm": 172.0,
            **changes,
        }

    def third_party_form(self, credentials: Credentials | None = None, **changes) -> dict:
        """The fields of a good RegisterThirdPartyRequest with a new code for who it is, with these changed."""
        credentials = credentials or self.credentials("doctor")
        name = changes.get("name", "Studio Bianchi")
        return {
            "username": credentials.username,
            "email": credentials.email,
            "password": credentials.password,
            "name": name,
            "description": "Cardiology",
            "code": changes.pop("code", None) or self.code(name),
            **changes,
        }

    def person(self, born: date | None = None, **changes) -> Member:
        """A person who has registered, with these fields of the form changed, and logged in."""
        who, credentials = random_identity(self.rng, born), self.credentials("person")
        member = self.keep(Member(self.server.target, credentials, who))
        member.ask("RegisterPerson", **self.person_form(who, credentials, **changes))
        return member.log_in()

    def third_party(self, **changes) -> Member:
        """A third party that has registered with a code of its own, with these fields of the form changed, and logged in."""
        credentials = self.credentials("doctor")
        member = self.keep(Member(self.server.target, credentials))
        member.ask("RegisterThirdParty", **self.third_party_form(credentials, **changes))
        return member.log_in()

    def code(self, company: str = "Studio Bianchi", **holder) -> str:
        """A code with which one third party can register, who is called so."""
        holder = {"kind": identity.HOLDER_KIND_HEALTH_CARE, **holder}
        return self.administrator.ask("IssueThirdPartyCode", company=company, **holder).code

    def bridge(self, *persons: Member) -> Party:
        """A bridge that may push for these persons."""
        answer = self.administrator.ask("CreateBridge", name=self.credentials("bridge").username)
        bridge = self.keep(Party(self.server.target, answer.token))
        bridge.bridge_id = answer.bridge_id
        for person in persons:
            person.ask("AllowBridge", bridge_id=answer.bridge_id)
        return bridge

    def dispatcher(self, priority: int = 0) -> Party:
        """The system of an emergency service; those with smaller numbers are called first."""
        answer = self.administrator.ask("CreateDispatcher", name=self.credentials("rescue").username, priority=priority)
        dispatcher = self.keep(Party(self.server.target, answer.token))
        dispatcher.dispatcher_id = answer.dispatcher_id
        return dispatcher

    def new_desk_operator(self, dispatcher: Party, name: str = "Anna Bianchi") -> Member:
        """Somebody at a dispatcher's desk who has not logged in yet, with the administrator's password."""
        credentials = self.credentials("desk")
        made = self.administrator.ask(
            "CreateDeskOperator", dispatcher_id=dispatcher.dispatcher_id, username=credentials.username,
            email=credentials.email, name=name, initial_password=credentials.password,
        )  # fmt: skip
        member = self.keep(Member(self.server.target, credentials))
        member.account_id = made.desk_operator.account_id
        return member

    def desk_operator(self, dispatcher: Party, name: str = "Anna Bianchi") -> Member:
        """Somebody at a dispatcher's desk, in a session, with a password of their own."""
        member = self.new_desk_operator(dispatcher, name).log_in()
        initial = member.credentials.password
        member.credentials.password = f"{initial} of my own"
        member.ask("ChangePassword", old_password=initial, new_password=member.credentials.password)
        return member

    def keep(self, caller):
        """Closes the caller's channel with the others."""
        self.opened.append(caller)
        return caller


def create_administrator(server: ServerProcess, credentials: Credentials) -> subprocess.CompletedProcess:
    """What an operator does on the server's machine."""
    command = [
        binary(), "admin", "create", "--data-dir", server.data_dir / "data",
        "--username", credentials.username, "--email", credentials.email,
    ]  # fmt: skip
    environment = {**server.environment, "TRACKME_ADMIN_PASSWORD": credentials.password}
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=60)
