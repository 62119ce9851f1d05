"""Who may see which reading: a doctor asks, a person accepts, the doctor's stream starts; the person revokes, it ends.

Called by show.py on a server that is running; or by itself, with an administrator's password in the environment:
`python consent.py --server 127.0.0.1:50051 --administrator admin` (TRACKME_ADMIN_PASSWORD).
"""

from __future__ import annotations

import argparse
import os
import secrets
import sys
import threading
import time
from dataclasses import dataclass
from datetime import UTC, datetime

import grpc
from google.protobuf.timestamp_pb2 import Timestamp

from trackme.protocol import (
    AccessServiceStub,
    AdminServiceStub,
    IdentityServiceStub,
    IngestServiceStub,
    NotificationServiceStub,
    SubscriptionServiceStub,
    access,
    admin,
    identity,
    ingest,
    notifications,
    readings,
    sharing,
)

FISCAL_CODE = "RSSMRA80A01H501U"
READINGS_BEFORE, READINGS_AFTER = 8, 5
STATES = {
    access.ACCESS_STATE_PENDING: "PENDING",
    access.ACCESS_STATE_ACCEPTED: "ACCEPTED",
    access.ACCESS_STATE_REVOKED: "REVOKED",
}


@dataclass
class Caller:
    """A channel and a token."""

    channel: grpc.Channel
    token: str = ""

    @property
    def metadata(self) -> list[tuple[str, str]]:
        return [("authorization", f"Bearer {self.token}")] if self.token else []

    def call(self, method, request):
        return method(request, metadata=self.metadata, timeout=10)


def log_in(channel: grpc.Channel, name: str, password: str) -> tuple[Caller, int]:
    session = Caller(channel).call(IdentityServiceStub(channel).LogIn, identity.LogInRequest(name=name, password=password)).session
    return Caller(channel, session.token), session.account_id


def new_password() -> str:
    """Of an account of the show: DEMO_PASSWORD where it is set, for who signs in with it afterwards."""
    return os.environ.get("DEMO_PASSWORD") or secrets.token_urlsafe(12)


def tell(who: str, what: str) -> None:
    print(f"  {who:<8} {what}")


def show(channel: grpc.Channel, administrator: str, administrator_password: str) -> bool:
    """Tells the story; true if every step came out as it must."""
    accounts, requests = IdentityServiceStub(channel), AccessServiceStub(channel)
    subscriptions, inbox = SubscriptionServiceStub(channel), NotificationServiceStub(channel)

    keeper, _ = log_in(channel, administrator, administrator_password)
    code = keeper.call(
        AdminServiceStub(channel).IssueThirdPartyCode,
        admin.IssueThirdPartyCodeRequest(
            company="Studio Bianchi", kind=identity.HOLDER_KIND_HEALTH_CARE,
            checked="Called back on the number of the medical register",
        ),
    ).code  # fmt: skip
    tell("admin", "issues a one-time code for Studio Bianchi, and says what was checked of it")

    anyone, password = Caller(channel), new_password()
    anyone.call(
        accounts.RegisterPerson,
        identity.RegisterPersonRequest(
            username="mario", email="mario@example.org", password=password, given_names="Mario", family_name="Rossi",
            fiscal_code=FISCAL_CODE, date_of_birth="1980-01-01", sex=identity.SEX_MALE, weight_kg=74, height_cm=178,
        ),
    )  # fmt: skip
    anyone.call(
        accounts.RegisterThirdParty,
        identity.RegisterThirdPartyRequest(
            username="bianchi", email="studio@example.org", password=password, description="Cardiology",
            code=code,
        ),
    )  # fmt: skip
    mario, person = log_in(channel, "mario", password)
    doctor, _ = log_in(channel, "bianchi", password)
    watch = Caller(channel, mario.call(accounts.CreateDevice, identity.CreateDeviceRequest(name="watch")).token)
    tell("mario", "registers, and adds a watch: its token can push his readings and nothing else")

    asked = doctor.call(
        requests.RequestAccess,
        access.RequestAccessRequest(
            fiscal_code=FISCAL_CODE, purpose="Follow-up after surgery",
            scope=access.AccessScope(metrics=["heart_rate"], granularity=access.GRANULARITY_SECOND),
        ),
    ).access_request  # fmt: skip
    tell("doctor", f"asks for his pulse (request {asked.access_request_id}, position {asked.position} of the log)")
    newest = mario.call(inbox.ListNotifications, notifications.ListNotificationsRequest(page_size=1)).notifications[0]
    tell("mario", f"is told: {newest.subject}")
    granted = mario.call(
        requests.AcceptAccessRequest, access.AcceptAccessRequestRequest(access_request_id=asked.access_request_id)
    ).access_request
    tell("mario", f"accepts: from position {granted.position} on")

    subscription = doctor.call(
        subscriptions.CreateSubscription,
        sharing.CreateSubscriptionRequest(
            access_request_id=asked.access_request_id, cadence=sharing.CADENCE_AS_PRODUCED
        ),
    ).subscription
    stream = DoctorsStream(subscriptions, doctor, subscription.subscription_id)
    stream.stands.wait(10)
    for pulse in range(READINGS_BEFORE):
        push(watch, person, 70 + pulse)
    stream.wait_for(READINGS_BEFORE)
    tell("doctor", f"sees {len(stream.pulses)} readings as they come: {', '.join(f'{p:.0f}' for p in stream.pulses)} /min")

    began = time.monotonic()
    revoked = mario.call(
        requests.RevokeAccess, access.RevokeAccessRequest(access_request_id=asked.access_request_id)
    ).access_request
    stream.thread.join(10)
    took = (stream.ended - began) * 1000 if stream.ended else float("nan")
    tell("mario", f"revokes: position {revoked.position}")
    tell("doctor", f"last frame: {STATES.get(stream.last_state, '?')} at position {stream.last_position}; the stream ends with "
         f"{stream.status} {took:.0f} ms after the revocation")  # fmt: skip
    for pulse in range(READINGS_AFTER):
        push(watch, person, 90 + pulse)
    tell("watch", f"pushes {READINGS_AFTER} more, which the doctor never sees")
    ledger = mario.call(requests.ListDisclosures, access.ListDisclosuresRequest()).disclosures
    for entry in ledger:
        tell("mario", f"finds in his ledger: {entry.third_party_name} was shown {entry.reading_count} readings of "
             f"{', '.join(entry.metrics)}, {clock(entry.began)} to {clock(entry.ended)} UTC")  # fmt: skip
    return (
        stream.pulses == [70 + pulse for pulse in range(READINGS_BEFORE)]
        and stream.last_position == revoked.position
        and stream.status == "PERMISSION_DENIED"
        and took < 1000
        and sum(entry.reading_count for entry in ledger) == READINGS_BEFORE
    )


def push(watch: Caller, person: int, pulse: float) -> None:
    """One reading, a second after the one before, so that each is a second of its own."""
    push.second = getattr(push, "second", int(time.time()) - 60) + 1
    reading = readings.Reading(person_id=person, metric="heart_rate", time_us=push.second * 1_000_000, scalar=pulse)
    watch.call(IngestServiceStub(watch.channel).RecordReadings, ingest.RecordReadingsRequest(readings=[reading]))


def clock(moment: Timestamp) -> str:
    return datetime.fromtimestamp(moment.seconds, UTC).strftime("%H:%M:%S")


class DoctorsStream:
    """A subscription that is read until it ends."""

    def __init__(self, stub: SubscriptionServiceStub, doctor: Caller, subscription: int):
        self.pulses: list[float] = []
        self.last_state, self.last_position, self.status = 0, 0, ""
        self.ended: float | None = None
        self.stands = threading.Event()
        self.changed = threading.Condition()
        start = sharing.SubscribeRequest(start=sharing.SubscribeStart(subscription_id=subscription))
        self.call = stub.Subscribe(iter([start]), metadata=doctor.metadata, timeout=60)
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self) -> None:
        try:
            for frame in self.call:
                with self.changed:
                    if frame.HasField("delivery"):
                        self.pulses.extend(frame.delivery.readings.scalars.value)
                    if frame.HasField("access_change"):
                        self.last_state, self.last_position = frame.access_change.state, frame.access_change.position
                    self.changed.notify_all()
                self.stands.set()
        except grpc.RpcError as error:
            self.status = error.code().name
        self.ended = time.monotonic()

    def wait_for(self, count: int) -> None:
        with self.changed:
            self.changed.wait_for(lambda: len(self.pulses) >= count, timeout=10)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", default="127.0.0.1:50051", help="host:port, without TLS")
    parser.add_argument("--administrator", default="admin", help="username; the password is in TRACKME_ADMIN_PASSWORD")
    options = parser.parse_args()
    with grpc.insecure_channel(options.server) as channel:
        return 0 if show(channel, options.administrator, os.environ["TRACKME_ADMIN_PASSWORD"]) else 1


if __name__ == "__main__":
    sys.exit(main())
