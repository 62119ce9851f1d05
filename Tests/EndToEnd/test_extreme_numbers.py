"""Numbers at the ends of their types and beyond all sense, where a stranger can put them: in cursors, in page tokens and
in every number of every request. None of them ends the server, and what is refused names its field."""

import grpc
import pytest

from trackme.protocol import notifications

from accounts import Accounts
from calls import Outcome, outcome, reflected_methods
from caller_table import T0, cancelled_emergency
from race_rows import put_race
from sealed import (
    EMERGENCIES,
    END_US,
    EXTREMES,
    KINDS,
    LOG,
    MAX,
    MIN,
    NOTIFICATIONS,
    OUT_OF_BOUNDS,
    PAGE,
    RACE,
    key_of,
    number,
    sealed,
    unsealed,
)
from server_process import SERVING
from streams import reading

INVALID, OK = grpc.StatusCode.INVALID_ARGUMENT, grpc.StatusCode.OK
# The streams that go on after a cursor, what else their requests hold, and the kind of the cursor.
STREAMS = {
    "WatchReadings": ({}, LOG), "WatchAccessRequests": ({}, LOG), "WatchNotifications": ({}, NOTIFICATIONS),
    "WatchEmergencies": ({}, EMERGENCIES),
}  # fmt: skip


@pytest.fixture(autouse=True)
def the_server_lives(server):
    """The same process serves before and after."""
    pid = server.process.pid
    yield
    assert server.process.poll() is None and server.process.pid == pid, server.log_tail()
    assert server.health() == SERVING


@pytest.fixture(scope="module")
def key(server):
    return key_of(server)


@pytest.fixture(scope="module")
def member(accounts):
    return accounts.person()


@pytest.fixture(scope="module")
def methods(server):
    with grpc.insecure_channel(server.target) as channel:
        return {m.name: m for m in reflected_methods(channel)}


@pytest.fixture
def call(methods, member):
    """Calls an RPC as the person, with these fields; what became of it."""

    def call(name: str, **fields) -> Outcome:
        method = methods[name]
        frames = [method.request(**fields).SerializeToString()]
        return outcome(method, member.channel, member.token, frames)

    return call


def refused(got: Outcome, field: str) -> bool:
    return got.code == INVALID and got.fields == [field]


@pytest.mark.parametrize("state", ["draft", "open", "running", "finished"])
@pytest.mark.parametrize("rpc", ["GetLeaderboard", "WatchRace"])
def test_a_cursor_of_a_race_with_extreme_times_is_refused(server, member, call, key, rpc, state):
    race = put_race(server, member, state).race_id
    for extreme in OUT_OF_BOUNDS:
        for numbers in ((race, 0, 1, extreme), (race, 0, extreme, 1), (race, 0, extreme, extreme)):
            for cursor in (unsealed("r1", *numbers), sealed(key, RACE, *numbers)):
                assert refused(call(rpc, race_id=race, cursor=cursor), "cursor"), numbers
    for numbers in ((race, MAX, 1, 1), (race, -1, 1, 1), (MIN, 0, 1, 1), (0, 0, 1, 1), (race, 0, END_US - 1, 1)):
        assert refused(call(rpc, race_id=race, cursor=sealed(key, RACE, *numbers)), "cursor"), numbers
    for starts in (number for number in EXTREMES if number not in OUT_OF_BOUNDS):
        for cursor in (unsealed("r1", race, 0, 1, starts), sealed(key, RACE, race, 0, 1, starts)):
            assert call(rpc, race_id=race, cursor=cursor).code == OK, starts


def test_the_leaderboard_of_any_moment_of_the_past_can_be_had_again(server, member, call):
    race = put_race(server, member, "finished").race_id
    for seconds in (-62_135_596_800, -1, 0, T0 // 1_000_000):
        fields = {"time": {"seconds": seconds}}
        (shown,) = call("GetLeaderboard", race_id=race, **fields).responses
        (again,) = call("GetLeaderboard", race_id=race, cursor=shown.leaderboard.cursor).responses
        assert again == shown


@pytest.mark.parametrize("rpc", STREAMS)
def test_a_stream_takes_cursors_that_a_server_made_and_old_ones_within_bounds(call, key, rpc):
    fields, kind = STREAMS[rpc]
    (first,) = call(rpc, **fields).responses
    assert first.cursor.startswith("2.")
    for cursor in (first.cursor, sealed(key, kind, 0), unsealed("1", 0)):
        assert call(rpc, cursor=cursor, **fields).code == OK, cursor
    for extreme in (*OUT_OF_BOUNDS, -1, END_US - 1):
        for cursor in (unsealed("1", extreme), sealed(key, kind, extreme)):
            assert refused(call(rpc, cursor=cursor, **fields), "cursor"), cursor
    for other in set(KINDS) - {kind}:
        assert refused(call(rpc, cursor=sealed(key, other, 0), **fields), "cursor"), other
    assert refused(call(rpc, cursor=sealed(bytes(32), kind, 0), **fields), "cursor")
    for forged in (first.cursor + "A", first.cursor[:-1], "2.0", unsealed("2", 0) + ".", "1.0.0"):
        assert refused(call(rpc, cursor=forged, **fields), "cursor"), forged


def test_subscribe_takes_and_acknowledges_cursors_that_a_server_made(methods, member, key):
    method = methods["Subscribe"]

    def subscribe(*frames: dict) -> Outcome:
        contents = [method.request(**frame).SerializeToString() for frame in frames]
        return outcome(method, member.channel, member.token, contents, responses=len(frames))

    def start(cursor: str) -> dict:
        return {"start": {"person_ids": [member.account_id], "cursor": cursor}}

    (first,) = subscribe(start("")).responses
    for cursor in (first.cursor, sealed(key, LOG, 0), unsealed("1", 0)):
        assert subscribe(start(cursor)).code == OK
        assert subscribe(start(""), {"acknowledgement": {"cursor": cursor}}).code == OK
    for extreme in (*OUT_OF_BOUNDS, -1, END_US - 1):
        for cursor in (unsealed("1", extreme), sealed(key, LOG, extreme)):
            assert refused(subscribe(start(cursor)), "start.cursor"), cursor
            got = subscribe(start(""), {"acknowledgement": {"cursor": cursor}})
            assert refused(got, "acknowledgement.cursor"), cursor


@pytest.fixture(scope="module")
def lists(server, accounts, member):
    """RPCs that list something of the person's, with fields that make two pages at least."""
    for name in ("scales", "watch"):
        member.device(name)
    device = member.device()
    device.record([reading(member.account_id, T0 + i * 3_600_000_000, 60) for i in range(3)])
    race = put_race(server, member, "open", runners=[member, accounts.person()]).race_id
    put_race(server, member, "open")
    for _ in range(2):
        cancelled_emergency(server, member.account_id)
    doctor = accounts.third_party()
    for _ in range(2):
        doctor.request(member)
    span = {"from_us": T0, "to_us": T0 + 86_400_000_000}
    return {
        "ListDevices": {}, "ListNotifications": {}, "ListAccessRequests": {}, "ListEmergencies": {}, "ListRaces": {},
        "SearchRaces": {"text": "Corsa"}, "ListEnrolments": {"race_id": race}, "ListReadings": {},
        "SummarizeReadings": {"metric": "heart_rate", "resolution": "RESOLUTION_HOUR", **span},
    }  # fmt: skip


LISTS = ("ListDevices", "ListNotifications", "ListAccessRequests", "ListEmergencies", "ListRaces", "SearchRaces",
         "ListEnrolments", "ListReadings", "SummarizeReadings")  # fmt: skip


@pytest.mark.parametrize("rpc", LISTS)
def test_a_list_takes_page_tokens_that_a_server_made(call, key, lists, rpc):
    fields = {**lists[rpc], "page_size": 1}
    (page,) = call(rpc, **fields).responses
    token = page.next_page_token
    *numbers, tag = token.removeprefix("2.").split(".")
    arguments, *made = map(number, numbers)
    assert token == sealed(key, PAGE, arguments, *made)
    (second,) = call(rpc, page_token=token, **fields).responses
    assert second != page
    assert refused(call(rpc, page_token=unsealed("1", arguments, *made), **fields), "page_token")
    for extreme in EXTREMES:
        for place in ((extreme, 0, 0), (0, extreme, 0), (0, 0, extreme), (extreme, 2**31 - 1, -(2**31))):
            got = call(rpc, page_token=sealed(key, PAGE, arguments, *place), **fields)
            # What no page can begin with may be refused, and is never a fault of the server.
            assert got.code == OK or refused(got, "page_token"), f"{place}: {got}"
            if not -(2**31) <= place[1] < 2**31 or extreme in OUT_OF_BOUNDS and extreme in place:
                assert refused(got, "page_token"), place
            if list(place) != made:
                forged = unsealed("2", arguments, *place) + "." + tag
                assert refused(call(rpc, page_token=forged, **fields), "page_token"), place


def test_cursors_and_page_tokens_outlive_the_server(own_server):
    accounts = Accounts(own_server)
    try:
        person = accounts.person()
        for name in ("scales", "watch"):
            person.device(name)
        race = put_race(own_server, person, "open").race_id
        board = person.ask("GetLeaderboard", race_id=race).leaderboard
        token = person.ask("ListDevices", page_size=1).next_page_token
        key = key_of(own_server)
        own_server.kill()
        own_server.start()
        assert key_of(own_server) == key
        assert person.ask("GetLeaderboard", race_id=race, cursor=board.cursor).leaderboard == board
        assert len(person.ask("ListDevices", page_size=1, page_token=token).devices) == 1
    finally:
        accounts.close()
