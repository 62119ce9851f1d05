"""Very many persons who want one place at the same moment."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections import Counter
from dataclasses import dataclass, field

import grpc
from trackme.protocol import RaceServiceStub, races
from trackme.protocol import race as race_states

import seeds
from server_process import ServerProcess
from streams import metadata

CONNECTIONS = 16
AGAIN = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.RESOURCE_EXHAUSTED)
"""With these a server asks for another try: it is too busy, or gone."""


def put_persons(server: ServerProcess, count: int, family: str) -> list[str]:
    """Persons with sessions straight in the database; their tokens. Registering them would hash as many passwords."""
    tokens = [f"tm_{family}_{number}" for number in range(count)]
    server.sql(
        """
        WITH new AS (
          SELECT nextval(pg_get_serial_sequence('account', 'id')) AS id, n, hash
          FROM unnest(%s::bytea[]) WITH ORDINALITY AS u (hash, n)
        ), made AS (
          INSERT INTO account (id, kind, username, email, display_name) OVERRIDING SYSTEM VALUE
          SELECT id, 'person', %s || n, %s || n || '@example.org', 'Runner ' || n FROM new
        ), described AS (
          INSERT INTO person (account, given_names, family_name, fiscal_code, date_of_birth, sex, weight_kg, height_cm)
          SELECT id, 'A', 'Runner', lpad(id::text, 16, 'A'), '1980-01-01', 'female', 60, 170 FROM new
        ), begun AS (
          INSERT INTO session (account, expires_at) SELECT id, now() + interval '1 day' FROM new RETURNING id, account
        )
        INSERT INTO access_token (token_sha256, kind, account, session)
        SELECT new.hash, 'session', begun.account, begun.id FROM begun JOIN new ON new.id = begun.account
        """,
        ([hashlib.sha256(token.encode()).digest() for token in tokens], family, family),
    )
    return tokens


@dataclass
class Stampede:
    """What came of it."""

    enrolments: dict[str, race_states.Enrolment] = field(default_factory=dict)
    """By token: the last answer that each had."""
    tries: Counter = field(default_factory=Counter)
    """How often the server asked for another try, by status."""
    seconds: float = 0.0

    @property
    def states(self) -> Counter:
        return Counter(race_states.EnrolmentState.Name(one.state)[16:] for one in self.enrolments.values())


def run(target: str, tokens: list[str], race: int, at_answer=None) -> Stampede:
    """Everyone calls Enrol at once, and again until there is an answer. `at_answer` is called with the number of each
    answer, from 1."""
    return asyncio.run(_run(target, tokens, race, at_answer or (lambda _: None)))


async def _run(target: str, tokens: list[str], race: int, at_answer) -> Stampede:
    came = Stampede()
    options = [("grpc.use_local_subchannel_pool", 1), ("grpc.max_reconnect_backoff_ms", 500)]
    channels = [grpc.aio.insecure_channel(target, options=options) for _ in range(CONNECTIONS)]
    stubs = [RaceServiceStub(channel) for channel in channels]
    await asyncio.gather(*(channel.channel_ready() for channel in channels))
    request = races.EnrolRequest(race_id=race)
    end = time.monotonic() + 300
    choices = seeds.rng("stampede")

    async def enrol(number: int, token: str) -> None:
        pause = 0.25
        while True:
            try:
                answer = await stubs[number % CONNECTIONS].Enrol(request, metadata=metadata(token), timeout=60)
                came.enrolments[token] = answer.enrolment
                return at_answer(len(came.enrolments))
            except grpc.aio.AioRpcError as error:
                if error.code() not in AGAIN or time.monotonic() > end:
                    raise
                came.tries[error.code().name] += 1
            await asyncio.sleep(choices.uniform(pause / 2, pause))
            pause = min(4.0, pause * 2)

    began = time.monotonic()
    try:
        await asyncio.gather(*(enrol(number, token) for number, token in enumerate(tokens)))
    finally:
        came.seconds = time.monotonic() - began
        await asyncio.gather(*(channel.close() for channel in channels))
    return came
