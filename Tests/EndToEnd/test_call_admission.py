"""Calls that are only held keep nobody out: those of strangers, and those of who has a stolen token."""

import asyncio
import time
import uuid
from collections import Counter

import grpc
import pytest

from trackme.protocol import IdentityServiceStub, identity

from accounts import PERSON, Accounts
from calls import outcome_of
from dispatchers import Handling
from failures import fails
from server_process import SERVING, ServerProcess, wait_until

LOG_IN = "/trackme.identity.v1.IdentityService/LogIn"
HOSTS = [f"198.51.100.{host}" for host in range(21)]
"""Strangers may have 100 calls from each address, and 2,000 in all."""
SILENT = 100 * len(HOSTS) + 10
SILENCE_S = 10
"""After so long the server ends a stranger's call that has sent nothing."""
ATTEMPTS = 10


def behind(host: str):
    """The metadata of a call that a proxy hands on."""
    return (("x-forwarded-for", host),)


@pytest.fixture(scope="module")
def guarded():
    """A server that takes us for a proxy, so that calls can come from anywhere."""
    process = ServerProcess({"TRACKME_TRUSTED_PROXIES": "127.0.0.1", "TRACKME_HEARTBEAT_MS": "200"}).start()
    yield process
    process.remove()


@pytest.fixture(scope="module")
def members(guarded):
    accounts = Accounts(guarded)
    yield accounts
    accounts.close()


def ask_for_form(channel, host: str) -> None:
    """A call that needs no token."""
    request = identity.GetRegistrationFormRequest(kind=PERSON)
    IdentityServiceStub(channel).GetRegistrationForm(request, metadata=behind(host), timeout=60)


CROWDED = "more calls without a token wait than the server has time for"
"""Why a silent call is not even held: here more come in a moment than a busy machine can look at."""


async def hold_and_check(target: str, check) -> Counter:
    """Begins calls that never send a message, as many as there may be and a hundred more; how they end, by code, or
    CROWDED. Meanwhile, in another thread, `check` runs."""
    options = [("grpc.use_local_subchannel_pool", 1)]
    channels = [grpc.aio.insecure_channel(target, options) for _ in range(3)]
    try:
        silent = [
            channels[number % 3].stream_unary(LOG_IN)(metadata=behind(HOSTS[min(number // 100, len(HOSTS) - 1)]))
            for number in range(SILENT)
        ]
        await asyncio.to_thread(check)
        codes = await asyncio.wait_for(asyncio.gather(*(call.code() for call in silent)), 90)
        details = await asyncio.gather(*(call.details() for call in silent))
        return Counter(CROWDED if said == CROWDED else code for code, said in zip(codes, details, strict=True))
    finally:
        for channel in channels:
            await channel.close()


class TooSlow(Exception):
    """The first silent calls have ended before the last have come: there were never as many as there may be."""


def ends_of_silent_calls(target: str, check) -> Counter:
    """As `hold_and_check`, on a machine that is busy in one of several attempts."""
    for attempt in range(ATTEMPTS):
        try:
            return asyncio.run(hold_and_check(target, check))
        except TooSlow:
            assert attempt < ATTEMPTS - 1, f"{SILENT} calls take longer than {SILENCE_S} s on this machine"


@pytest.mark.long
def test_silent_calls_of_strangers_keep_nobody_out_and_end(guarded, members):
    rescue, person = members.dispatcher(), members.person()
    device = person.device()

    def check():
        end = time.monotonic() + SILENCE_S
        with guarded.open_channel() as channel:

            def refused():
                """Whether the newest of these addresses has all the calls that it may have. Who asks has one of them
                meanwhile, so there are some more silent ones, and pauses."""
                time.sleep(0.05)
                if time.monotonic() > end:
                    raise TooSlow
                try:
                    ask_for_form(channel, HOSTS[-1])
                except grpc.RpcError as error:
                    return "from one address" in error.details()

            wait_until(refused, 60, "so many calls")
            if time.monotonic() > end:
                raise TooSlow
            ask_for_form(channel, "203.0.113.1")
        assert guarded.health() == SERVING
        with Handling(rescue), device.push() as push:
            assert push.welcome is not None
        assert person.ask("GetAccount").account.account_id == person.account_id

    ends = ends_of_silent_calls(guarded.target, check)
    assert sum(ends.values()) == SILENT
    assert set(ends) - {CROWDED} == {grpc.StatusCode.RESOURCE_EXHAUSTED, grpc.StatusCode.DEADLINE_EXCEEDED}, ends
    # Those that are too many, and one for each call that was let in after them.
    refused = ends[grpc.StatusCode.RESOURCE_EXHAUSTED]
    assert refused < 1_000 and refused + ends[CROWDED] >= 100, ends


def test_a_stolen_device_token_keeps_its_owner_from_nothing(guarded, members):
    owner = members.person()
    stolen, other = owner.device("stolen"), owner.device("other")
    streams = [stolen.push() for _ in range(64)]
    with pytest.raises(grpc.RpcError) as refusal:
        stolen.push()
    assert outcome_of(refusal.value).reason == "TOO_MANY_CALLS"
    with other.push() as push:
        assert push.welcome is not None
    with fails(grpc.StatusCode.NOT_FOUND) as missing:
        owner.ask("CancelEmergency", emergency_id=str(uuid.uuid4()), reason="I am well")
    assert missing.reason == "NO_EMERGENCY"
    owner.ask("RevokeDevice", device_id=stolen.device_id)
    for stream in streams:
        with fails(grpc.StatusCode.UNAUTHENTICATED):
            stream.next()
    second = owner.device("second")
    streams = [second.push() for _ in range(64)]
    owner.ask("DeactivateAccount", password=owner.credentials.password)
    for stream in streams:
        with fails(grpc.StatusCode.UNAUTHENTICATED):
            stream.next()
    for caller in (stolen, other, second):
        caller.channel.close()
