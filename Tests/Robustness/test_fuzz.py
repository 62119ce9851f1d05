"""The checker of hostile requests finds what is broken, and its requests are what they are meant to be."""

import asyncio
import random

import grpc
import pytest
from google.protobuf.message import DecodeError

import fuzz_client
from calls import Method, Outcome
from random_messages import RandomMessages
from trackme.protocol import ingest, live, reading_service

METHOD = Method(
    "trackme.races.v1.LiveService", "GetLeaderboard", live.GetLeaderboardRequest, live.GetLeaderboardResponse, False,
    False,
)  # fmt: skip
TARGET = {"path": METHOD.path, "token": None, "good": "", "is_known": True}
SAID = {"target": "127.0.0.1:1", "targets": [TARGET], "key": "00" * 32, "races": [7]}


@pytest.fixture
def judged(monkeypatch):
    """What a client says of these answers, which come after so many seconds."""

    def judged(*answers: tuple[Outcome, float]) -> fuzz_client.Client:
        left = list(answers)

        async def call(*_):
            answer, seconds = left.pop(0) if len(left) > 1 else left[0]
            await asyncio.sleep(seconds)
            return answer

        monkeypatch.setattr(fuzz_client, "call", call)
        monkeypatch.setattr(fuzz_client, "SLOW_S", 0.3)
        monkeypatch.setattr(fuzz_client, "AT_ONCE", 1)
        client = fuzz_client.Client(SAID, [METHOD], 1, random.Random(1))
        asyncio.run(client.run())
        return client

    return judged


GOOD = Outcome(grpc.StatusCode.INVALID_ARGUMENT, fields=["race_id"], has_details=True)
BROKEN = {
    "INTERNAL": Outcome(grpc.StatusCode.INTERNAL, has_details=True),
    "UNKNOWN": Outcome(grpc.StatusCode.UNKNOWN),
    "UNAVAILABLE": Outcome(grpc.StatusCode.UNAVAILABLE),
    "DEADLINE_EXCEEDED": Outcome(grpc.StatusCode.DEADLINE_EXCEEDED),
    "NOT_FOUND": Outcome(grpc.StatusCode.NOT_FOUND),
    "INVALID_ARGUMENT": Outcome(grpc.StatusCode.INVALID_ARGUMENT, "no field", has_details=True),
    "'rice_id'": Outcome(grpc.StatusCode.INVALID_ARGUMENT, fields=["rice_id"], has_details=True),
}


def test_a_refusal_that_names_its_field_is_no_problem(judged):
    client = judged((GOOD, 0))
    assert client.problems == [] and client.statuses == {"INVALID_ARGUMENT": 1}


@pytest.mark.parametrize("word", BROKEN)
def test_an_answer_that_is_none_is_a_problem(judged, word):
    (problem,) = judged((BROKEN[word], 0)).problems
    assert METHOD.path in problem


def test_a_call_that_is_slow_twice_is_a_problem_and_once_is_not(judged):
    (problem,) = judged((GOOD, 0.5)).problems
    assert "twice" in problem
    client = judged((GOOD, 0.5), (GOOD, 0))
    assert client.problems == [] and client.counts["slow"] == 1


def test_callers_who_were_logged_out_are_counted(judged):
    client = judged((Outcome(grpc.StatusCode.UNAUTHENTICATED, has_details=True), 0))
    assert client.counts["unknown"] == client.counts["known"] == 1


@pytest.mark.parametrize(
    "kind", [reading_service.ListReadingsRequest, ingest.PushReadingsRequest, ingest.RecordReadingsRequest]
)
def test_random_messages_are_as_protobuf_writes_them_or_have_text_that_is_none(kind):
    messages, parsed = RandomMessages(random.Random(3), {"page_token": lambda: b"2.known"}), []
    for _ in range(300):
        for content in (messages.message(kind.DESCRIPTOR), messages.change(kind.DESCRIPTOR)):
            try:
                parsed.append(kind.FromString(content))
            except DecodeError as error:
                assert "UTF-8" in str(error) or b"\xff" in content or b"\x00" in content or b"\xc3" in content
    assert len(parsed) > 200 and len({str(message) for message in parsed}) > 100
    if kind is reading_service.ListReadingsRequest:
        assert any(message.page_token == "2.known" for message in parsed)


def test_garbage_is_seldom_a_message():
    messages = RandomMessages(random.Random(4))
    good = reading_service.ListReadingsRequest(person_id=1, page_token="2.known").SerializeToString()
    assert sum(messages.garbage(good) != good for _ in range(100)) > 95
