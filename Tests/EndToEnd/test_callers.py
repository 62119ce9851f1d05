"""Every RPC × every kind of caller: allowed, or the exact status (A-R3, A-R4, A-R8, B-R.A4, B-R.D4, B-R.R1)."""

import grpc
import pytest

from trackme.protocol import callers, ingest

from caller_table import COLUMNS, KINDS, ROWS, Row, Town
from calls import Outcome, outcome, reflected_methods
from hostile_targets import BROKEN, GUEST_ASKS_AS, guests_of

DENIALS = {"u": "UNAUTHENTICATED UNAUTHENTICATED", "d": "PERMISSION_DENIED NOT_PERMITTED",
           "e": "PERMISSION_DENIED ACCESS_ENDED", "o": "PERMISSION_DENIED NOT_ORGANIZER",
           "x": "PERMISSION_DENIED ACCOUNT_DISABLED", "i": "INVALID_ARGUMENT INVALID_ARGUMENT"}  # fmt: skip

# A caller that is not of a kind for which the RPC is gets one of these for every request. One that is may get them for
# requests about others; every other cell means that the request itself was looked at.
REFUSALS_OF_KINDS = "udx"


@pytest.fixture(scope="module")
def methods(server):
    with grpc.insecure_channel(server.target) as channel:
        return {m.path: m for m in reflected_methods(channel)}


@pytest.fixture(scope="module")
def town(server, accounts):
    return Town(accounts, server.operator_token)


def test_every_rpc_that_reflection_lists_has_a_row_and_every_row_an_rpc(methods):
    assert set(methods) == {row.path for row in ROWS}


@pytest.mark.parametrize("path", sorted({row.path for row in ROWS}))
def test_each_rpc_names_in_its_option_exactly_the_kinds_of_callers_that_the_table_lets_in(methods, path):
    kinds = set(KINDS.values())
    rows = [row.expected() for row in ROWS if row.path == path]
    let_in = {KINDS[who] for row in rows for who in COLUMNS if row[who] not in REFUSALS_OF_KINDS}
    # The files of others name no callers: everyone may call.
    named = {callers.CALLER_ANYONE} if path.startswith("/grpc.") else methods[path].callers
    assert let_in == (kinds if callers.CALLER_ANYONE in named else named)


@pytest.mark.parametrize("who", COLUMNS)
@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
def test_each_caller_gets_what_the_table_says(town, methods, row, who):
    caller = town.fresh(who) if row.is_fresh else town.caller(who)
    request = row.request(town, who, caller)
    got = outcome(methods[row.path], caller.channel, caller.token, [request.SerializeToString()])
    assert as_cell(got, row) == row.expected()[who], f"{got}: {got.message}"


# What is kept of its caller, or is the account's own.
FOR_ACCOUNTS = {
    "GetAccount", "UpdateAccount", "CreateDevice", "AllowBridge", "GetSosSettings", "UpdateSosSettings", "SetThreshold",
    "ResetThreshold", "DeclareExertion", "PlanRoutes", "CreateRace", "Enrol", "ObserveRace", "ListThresholds", "BacktestThresholds",
    "GetAnonymousSharing", "UpdateAnonymousSharing",
}  # fmt: skip


@pytest.mark.parametrize("row", [row for row in ROWS if guests_of(row)], ids=lambda row: row.name)
def test_who_has_a_token_and_no_account_is_told_so_where_one_is_needed(town, methods, row):
    """What a row keeps of its caller refers to the account: there is none."""
    guest = town.new_guest() if row.is_fresh else town.guest
    request = row.request(town, GUEST_ASKS_AS, guest)
    got = outcome(methods[row.path], guest.channel, guest.token, [request.SerializeToString()])
    assert got.code not in BROKEN, f"{got}: {got.message}"
    is_refused = str(got) == "FAILED_PRECONDITION NO_ACCOUNT"
    assert is_refused == (row.path.rpartition("/")[2] in FOR_ACCOUNTS and row.expected()[GUEST_ASKS_AS] == "+"), f"{got}: {got.message}"


def as_cell(got: Outcome, row: Row) -> str:
    """The letter of the table for what came, or the status."""
    status = str(got)
    if status == "OK":
        return "r" if any(is_refusal(r) for r in got.responses) else "+"
    if row.reason and status == f"NOT_FOUND {row.reason}":
        return "n"
    if row.precondition and status == f"FAILED_PRECONDITION {row.precondition}":
        return "p"
    return next((letter for letter, denial in DENIALS.items() if status == denial), status)


def is_refusal(response) -> bool:
    acknowledgement = getattr(response, "acknowledgement", None)
    return acknowledgement is not None and any(
        r.reason == ingest.REJECTION_REASON_NOT_YOURS for r in acknowledgement.rejections
    )
