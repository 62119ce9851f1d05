"""Attacks upon accounts: passwords guessed, registrations that ask who is registered, and a stolen token."""

from __future__ import annotations

import asyncio
import itertools
import time

import grpc

from trackme.protocol import IdentityServiceStub, IngestServiceStub, identity, ingest, readings

from findings import late
from hostile_bridge import HEART_RATE, SECOND_US
from hostile_cast import STOLEN, stranger
from hostile_stage import Stage
from stalls import stood_still_s

THIEF_STREAMS = 64
"""As many calls as an account may have open."""
REVOKE_S = 5
"""To the answer of whoever revokes a device, and from there to the end of its streams, at most."""


async def random_log_ins(stage: Stage) -> None:
    """A hundred strangers guess names and passwords, those of somebody who logs in now and then too."""
    rng = stage.rng
    async with stage.channel() as channel:
        stub = IdentityServiceStub(channel)

        async def guess(number: int) -> None:
            known, *_ = stage.cast.log_ins[0]
            name = rng.choice((f"nobody-{rng.randrange(10**9)}", known, f"wearer-{rng.randrange(1, 40)}"))
            password = f"a wrong password {rng.randrange(10**9)}"
            await stage.call(stub.LogIn, identity.LogInRequest(name=name, password=password), stranger(number))

        await stage.repeat(guess, rate=stage.scale(200, 1_000), side_by_side=stage.scale(100, 400))


async def known_registrations(stage: Stage) -> None:
    """Strangers register with fiscal codes of others, to learn who is here and to keep the server at work."""
    rng = stage.rng
    async with stage.channel() as channel:
        stub = IdentityServiceStub(channel)

        async def register(number: int) -> None:
            name = f"thief-{rng.randrange(10**12)}"
            form = {**rng.choice(stage.cast.registrations), "username": name, "email": f"{name}@example.org"}
            request = identity.RegisterPersonRequest(**form)
            await stage.call(stub.RegisterPerson, request, stranger(number))

        await stage.repeat(register, rate=stage.scale(50, 500), side_by_side=stage.scale(20, 100))


async def stolen_token(stage: Stage) -> None:
    """A thief has the token of a person's device, and holds as many streams with it as it gives; the owner revokes the
    device again and again, which takes a moment whatever the thief does, and the streams end."""
    owner, person = stage.account(STOLEN), stage.person(STOLEN)
    async with stage.channel() as thief, stage.channel() as home:
        stub = IdentityServiceStub(home)
        for number in itertools.count(1):
            if stage.is_over:
                return
            made = await stage.call(stub.CreateDevice, identity.CreateDeviceRequest(name=f"watch {number}"), owner)
            if made is None:
                await asyncio.sleep(0.5)
                continue
            metadata = (("authorization", f"Bearer {made.token}"), ("x-forwarded-for", "203.0.113.200"))
            async with asyncio.TaskGroup() as tasks:
                streams = [
                    tasks.create_task(_hold(stage, thief, metadata, person, f"thief-{i}"))
                    for i in range(2 * THIEF_STREAMS)
                ]
                await asyncio.sleep(1)
                await _revoke(stage, stub, made.device.device_id, owner)
                revoked = time.monotonic()
                _, left = await asyncio.wait(streams, timeout=REVOKE_S)
                if left:
                    seconds, went_on = time.monotonic() - revoked, f"{len(left)} streams of a revoked device went on"
                    stage.problems.append(late(seconds, REVOKE_S, stood_still_s(revoked, revoked + seconds), went_on))
                for stream in left:
                    stream.cancel()


async def _revoke(stage: Stage, stub: IdentityServiceStub, device: int, owner) -> None:
    """Revokes the device as its owner, who must not be kept from it."""
    began = time.monotonic()
    request = identity.RevokeDeviceRequest(device_id=device)
    if await stage.call(stub.RevokeDevice, request, owner) is None:
        stage.problems.append("the owner of a stolen device could not revoke it")
    elif (seconds := time.monotonic() - began) > REVOKE_S:
        took = f"the owner of a stolen device revoked it in {seconds:.1f} s"
        stage.problems.append(late(seconds, REVOKE_S, stood_still_s(began, began + seconds), took))


async def _hold(stage: Stage, channel, metadata, person: int, client: str) -> None:
    """Pushes a reading now and then, until the stream ends."""
    call = IngestServiceStub(channel).PushReadings(metadata=metadata)
    try:
        await call.write(ingest.PushReadingsRequest(hello=ingest.PushHello(client_id=client)))
        for sequence in itertools.count(1):
            if await call.read() is grpc.aio.EOF:
                break
            columns = readings.ReadingColumns(
                scalars=readings.ScalarColumns(
                    person_id=[person], metric=[HEART_RATE], time_us=[int(time.time() * SECOND_US)], value=[70]
                )
            )
            batch = ingest.ReadingBatch(sequence=sequence, readings=columns)
            await call.write(ingest.PushReadingsRequest(batch=batch))
            await asyncio.sleep(0.2)
        await stage.note_end(call)
    except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
        await stage.note_end(call)
    finally:
        call.cancel()
