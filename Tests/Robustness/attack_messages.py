"""Messages that are none: too long, damaged, or beyond all sense, to every RPC."""

from __future__ import annotations

import asyncio

import grpc

from calls import reflected_methods
from hostile_stage import Stage
from random_messages import RandomMessages

MEBI = 1 << 20
TOO_LONG = (MEBI + 1, 5 * MEBI)
LEFT_OUT = {"LogOut"}
"""Even an empty message ends the caller's session, and with it what the other attacks of the account test."""


async def damaged_messages(stage: Stage) -> None:
    """Random bytes, damaged messages and such as are too long, of accounts and of strangers."""
    rng = stage.rng
    messages = RandomMessages(rng)
    with grpc.insecure_channel(stage.cast.target) as channel:
        methods = [m for m in await asyncio.to_thread(reflected_methods, channel) if m.name not in LEFT_OUT]
    huge = [bytes(size) for size in TOO_LONG]
    async with stage.channel() as channel:

        async def send(number: int) -> None:
            method = rng.choice(methods)
            metadata = rng.choice((stage.account(stage.place(number)), stage.account(number, "device"), stage.stranger()))
            random = messages.message(method.request.DESCRIPTOR)
            content = rng.choice(huge) if number % 50 == 0 else rng.choice((messages.garbage(random), random))
            if not method.server_streams:
                await stage.call(channel.unary_unary(method.path), content, metadata)
                return
            if method.client_streams:
                call = channel.stream_stream(method.path)(metadata=metadata, timeout=5)
            else:
                call = channel.unary_stream(method.path)(content, metadata=metadata, timeout=5)
            try:
                if method.client_streams:
                    await call.write(content)
                if await call.read() is not grpc.aio.EOF:
                    stage.statuses["OK"] += 1
                    return
                await stage.note_end(call)
            except (grpc.aio.AioRpcError, asyncio.InvalidStateError):
                await stage.note_end(call)
            finally:
                call.cancel()

        await stage.repeat(send, rate=stage.scale(150, 1_500), side_by_side=16)
