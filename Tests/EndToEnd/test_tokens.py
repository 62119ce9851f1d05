"""Tokens that an operator makes for persons on the command line: they end, by themselves and at a word."""

import subprocess
from datetime import datetime, timedelta, timezone

import grpc
import pytest

from trackme.protocol import ReadingServiceStub, reading_service

from failures import fails
from server_process import binary
from streams import Caller


def trackme(server, *arguments):
    command = [binary(), "token", arguments[0], "--data-dir", server.data_dir / "data", *map(str, arguments[1:])]
    return subprocess.run(command, capture_output=True, text=True, env=server.environment, timeout=60)


def listed(server, person):
    done = trackme(server, "list", "--person", person)
    assert done.returncode == 0, done.stderr
    return [line.split("\t") for line in done.stdout.splitlines()]


def watch(caller, person):
    """A stream of the person's own readings, begun."""
    stream = ReadingServiceStub(caller.channel).WatchReadings(
        reading_service.WatchReadingsRequest(person_id=person),
        metadata=[("authorization", f"Bearer {caller.token}")], timeout=60,
    )  # fmt: skip
    next(stream)
    return stream


def test_a_token_is_listed_without_its_secret_and_ends_at_a_word(server, person):
    ended, kept = (
        trackme(server, "create", "--person", person, *more).stdout.strip()
        for more in [("--expires", 7, "--label", "the kitchen's tablet"), ()]
    )
    rows = listed(server, person)
    today = datetime.now(timezone.utc).date()
    assert [row[3] for row in rows] == ["the kitchen's tablet", ""]
    for row, days in zip(rows, [7, 90]):
        # The day may change while the test runs.
        assert abs(datetime.fromisoformat(row[2]).date() - today - timedelta(days=days)) <= timedelta(days=1)
    assert not any(ended[3:] in cell or kept[3:] in cell for row in rows for cell in row)
    with Caller(server.target, ended) as caller, Caller(server.target, kept) as other:
        stream, goes_on = watch(caller, person), watch(other, person)
        assert trackme(server, "revoke", rows[0][0]).returncode == 0
        with fails(grpc.StatusCode.UNAUTHENTICATED) as failure:
            for _ in stream:
                pass
        assert failure.reason == "SESSION_ENDED"
        with fails(grpc.StatusCode.UNAUTHENTICATED):
            caller.status(person)
        assert other.status(person) == []
        next(goes_on)  # a heartbeat
        goes_on.cancel()
    assert [row[0] for row in listed(server, person)] == [rows[1][0]]
    again = trackme(server, "revoke", rows[0][0])
    assert again.returncode != 0 and "there is no token" in again.stderr


def test_another_password_ends_the_tokens_that_were_made_for_an_account(server, accounts):
    member = accounts.person()
    with Caller(server.target, server.person_token(member.account_id)) as caller:
        stream = watch(caller, member.account_id)
        member.ask("ChangePassword", old_password=member.credentials.password, new_password="another 12 horses")
        with fails(grpc.StatusCode.UNAUTHENTICATED) as failure:
            for _ in stream:
                pass
        assert failure.reason == "SESSION_ENDED"
        with fails(grpc.StatusCode.UNAUTHENTICATED):
            caller.status(member.account_id)
    member.ask("GetAccount")
    assert listed(server, member.account_id) == []


@pytest.mark.parametrize(
    "arguments", [("--expires", 0), ("--expires", 1_096), ("--expires", "never"), ("--label", "a\tb"), ("--person", -1)]
)
def test_what_can_be_no_token_is_refused(server, arguments):
    done = trackme(server, "create", "--person", 7, *arguments)
    assert done.returncode != 0 and done.stdout == "" and arguments[0] in done.stderr
