"""Whom hostile requests go to: of each RPC, one caller of each kind that may call it, with a good request; and what is no
answer, whatever the request was."""

from __future__ import annotations

from dataclasses import dataclass

import grpc

from trackme.protocol import dispatch, ingest, sharing

from accounts import Accounts, Member
from caller_table import COLUMNS, ROWS, Row, Town
from calls import Method, Outcome, outcome, reflected_methods
from hostile_messages import names_a_field
from sealed import END_US, EXTREMES, FIRST_US
from server_process import ServerProcess
from streams import scalars

# One caller of each kind; the others of the kind may do the same.
KINDS = {
    "nobody": "nobody", "wrong_token": "nobody", "person": "person", "other_person": "person",
    "stranger": "third party", "doctor": "third party", "former_doctor": "third party", "device": "device",
    "bridge": "bridge", "dispatcher": "dispatcher", "desk_operator": "desk operator",
    "administrator": "administrator", "operator": "operator", "disabled_person": "disabled person",
}  # fmt: skip
# Never answers: the server broke, or cannot be reached, or took too long.
BROKEN = {
    grpc.StatusCode.INTERNAL, grpc.StatusCode.UNKNOWN, grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DATA_LOSS,
    grpc.StatusCode.UNIMPLEMENTED, grpc.StatusCode.DEADLINE_EXCEEDED, grpc.StatusCode.CANCELLED,
}  # fmt: skip
# Their good requests end the caller's account or its password.
FATAL = {"DeactivateAccount", "ChangePassword"}
# They end what the caller has.
ENDING = {
    "RevokeDevice", "RevokeAccess", "RevokeBridge", "CancelSubscription", "DisallowBridge", "RefreshSession", "LogIn",
    "RevokeDispatcher", "RevokeDeskOperator",
}  # fmt: skip
# What follows the first frame of a stream.
LATER_FRAMES = {
    "PushReadings": ingest.PushReadingsRequest(
        batch=ingest.ReadingBatch(sequence=1, readings=scalars(1, [(1, 1)], source="cuff"))
    ),
    "Subscribe": sharing.SubscribeRequest(acknowledgement=sharing.SubscribeAcknowledgement(cursor="x")),
    "HandleEmergencies": dispatch.HandleEmergenciesRequest(
        answer=dispatch.DispatcherAnswer(
            emergency_id="018bcfe5-6800-8001-8000-0000003b9aca", kind=dispatch.ANSWER_KIND_ACCEPTED
        )
    ),
}


@dataclass
class Target:
    """An RPC, who calls it, and what a good request of that caller is."""

    method: Method
    who: str
    caller: object
    good: bytes
    must_be_known: bool
    """The caller is logged in, and stays so: an answer that says otherwise tests nothing."""
    is_let_in: bool
    """The good request is answered, so that what follows it in a stream is looked at."""

    def send(self, *frames: bytes) -> Outcome:
        """Calls, as somebody who is logged in."""
        if isinstance(self.caller, Member) and self.must_be_known:
            self.caller.log_in() if self.method.name == "LogOut" else self.caller.stay_logged_in()
        responses = 1 if len(frames) == 1 else 2
        got = outcome(self.method, self.caller.channel, self.caller.token, frames, responses)
        assert not (self.must_be_known and got.code == grpc.StatusCode.UNAUTHENTICATED), self.who
        return got


def make_targets(server: ServerProcess, accounts: Accounts, town: Town) -> dict[str, list[Target]]:
    """By the path of the RPC."""
    with grpc.insecure_channel(server.target) as channel:
        methods = {m.path: m for m in reflected_methods(channel)}
    found: dict[str, list[Target]] = {}
    victims = Town(accounts, server.operator_token)
    for row in ROWS:
        name = row.path.rpartition("/")[2]
        callers = victims if name in ENDING else town
        for who in [*guests_of(row), *callers_of(row)]:
            is_guest = who == "guest"
            caller = (callers.new_guest() if is_guest else callers.fresh(who)) if row.is_fresh else callers.caller(who)
            asks_as = GUEST_ASKS_AS if is_guest else who
            request = row.request(callers, asks_as, caller)
            if name in FATAL:
                request.Clear()
            content = request.SerializeToString()
            must_be_known = row.expected()["nobody"] == "u" and name not in FATAL and not (is_guest and row.is_fresh)
            is_let_in = row.expected()[asks_as] != "d"
            found.setdefault(row.path, []).append(
                Target(methods[row.path], who, caller, content, must_be_known, is_let_in)
            )
    return found


# A guest's good request is that of a person who has nothing to do with what it is about.
GUEST_ASKS_AS = "other_person"


def guests_of(row: Row) -> list[str]:
    """The guest, where persons are let in and nobody else is."""
    expected = row.expected()
    return ["guest"] if expected["person"] not in "ud" and expected["nobody"] == "u" else []


def callers_of(row: Row) -> list[str]:
    """One of each kind, the one that is answered best."""
    best = {}
    for letter in "pneri+":
        best |= {KINDS[who]: who for who, cell in row.expected().items() if cell == letter}
    return [who for who in COLUMNS if who in best.values()]


# The ends of types and of times, in seconds too.
NUMBERS = (*EXTREMES, 2**31 - 1, -(2**31), 2**53, FIRST_US // 1_000_000, END_US // 1_000_000 - 1, END_US // 1_000_000)


def check_answer(method: Method, got: Outcome) -> None:
    assert got.code not in BROKEN, f"{got}: {got.message}"
    if got.code == grpc.StatusCode.OK:
        return
    # What gRPC itself refuses, such as a message too long, has no details.
    assert got.has_details or got.code == grpc.StatusCode.RESOURCE_EXHAUSTED, f"{got}: {got.message}"
    if got.code != grpc.StatusCode.INVALID_ARGUMENT:
        return
    assert got.fields or got.reason == "NO_MESSAGE", got.message
    for field in got.fields:
        # Bytes that are no message may have no field to name.
        if not (field == "" and got.reason == "INVALID_MESSAGE"):
            assert names_a_field(method.request.DESCRIPTOR, field), f"{field!r}: {got.message}"
