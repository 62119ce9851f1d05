"""Persons who are monitored, their devices, and the server with a gateway that calls for them."""

from __future__ import annotations

import itertools
import time
from datetime import date

from trackme.protocol import emergencies, ingest, readings, sos

from accounts import Accounts, Member
from server_process import wait_until
from sms_gateway import SmsGateway
from streams import Push, fresh_client, positions, scalars

EXERCISE_NUMBER = "+390299900001"
CALLBACK = "+393331234567"
MILAN, NEW_YORK = (45.4642, 9.19), (40.7128, -74.006)
SECOND_US = 1_000_000
HOLD_S = 3
"""Of every default limit."""
BORN = date(1950, 5, 17)


def sos_environment(gateway: SmsGateway, **more: str) -> dict[str, str]:
    """What a server needs to call by that gateway."""
    return {
        "TRACKME_HEARTBEAT_MS": "200",
        "TRACKME_GATEWAY_URL": gateway.base,
        "TRACKME_GATEWAY_USERNAME": gateway.account,
        "TRACKME_GATEWAY_PASSWORD_FILE": gateway.token_file,
        "TRACKME_GATEWAY_FROM": "+390299900000",
        "TRACKME_EXERCISE_NUMBER": EXERCISE_NUMBER,
        **more,
    }


def now_us() -> int:
    return time.time_ns() // 1000


class Patient:
    """A person with a device that pushes one stream."""

    def __init__(self, accounts: Accounts, born: date | None = BORN, **registration):
        self.member: Member = accounts.person(born, **registration)
        self.number = self.member.account_id
        self.device = accounts.keep(self.member.device())
        self.client = fresh_client()
        self._stream: Push | None = None
        self._sequences = itertools.count(1)
        self._unanswered = 0

    @property
    def stream(self) -> Push:
        if self._stream is None:
            self._stream = self.device.push(self.client)
        return self._stream

    def leave(self) -> None:
        """Closes the stream without ceremony."""
        if self._stream is not None:
            self._stream.cancel()
            self._stream, self._unanswered = None, 0

    def send(self, columns: readings.ReadingColumns) -> int:
        """Sends a batch and waits for nothing; its number."""
        number = next(self._sequences)
        self.stream.batch(number, columns)
        self._unanswered += 1
        return number

    def settle(self) -> None:
        """Waits until everything that was sent is committed."""
        while self._unanswered:
            self.stream.acknowledgement()
            self._unanswered -= 1

    def push(self, columns: readings.ReadingColumns) -> ingest.BatchAcknowledgement:
        """Sends a batch and waits until it is committed."""
        number = self.send(columns)
        answer = self.stream.acknowledgement()
        self._unanswered -= 1
        assert answer.sequence == number and answer.rejected == 0, answer
        return answer

    def measure(self, value: float, metric: str = "heart_rate", ago_s: float = 0):
        return self.push(scalars(self.number, [(now_us() - int(ago_s * SECOND_US), value)], metric))

    def be_at(self, place: tuple[float, float], accuracy: float = 12) -> None:
        self.push(positions(self.number, [(now_us(), *place, accuracy)]))

    def cross(self, value: float = 35, metric: str = "heart_rate") -> None:
        """Readings that complete a crossing by their own times, if the last ones before were fine and older than the
        hold. Waits for nothing: a call needs no commit."""
        now = now_us()
        before = now - HOLD_S * SECOND_US - 100_000
        self.send(scalars(self.number, [(before, value), (now, value)], metric))

    def report(self, wear_state: int, has_low_battery: bool = False) -> None:
        report = ingest.DeviceReport(
            person_id=self.number, wear_state=wear_state, has_low_battery=has_low_battery
        )
        self.stream.send(ingest.PushReadingsRequest(device_report=report))

    # What the person asks

    def choose(self, **changes) -> None:
        """Changes settings and keeps the others; they hold for readings that are pushed after it."""
        held = self.member.ask("GetSosSettings")
        settings = sos.SosSettings()
        settings.CopyFrom(held.settings)
        for name, value in changes.items():
            field = getattr(settings, name)
            if name == "contacts":
                del field[:]
                field.extend(value)
            elif hasattr(field, "CopyFrom"):
                field.CopyFrom(value)
            else:
                setattr(settings, name, value)
        self.member.ask("UpdateSosSettings", settings=settings, etag=held.etag)

    def emergencies(self) -> list[emergencies.Emergency]:
        """Newest first."""
        return list(self.member.ask("ListEmergencies").emergencies)

    def emergency(self, seconds: float = 15) -> emergencies.Emergency:
        """The only one, as soon as it is kept."""
        found = wait_until(self.emergencies, seconds, "the emergency")
        assert len(found) == 1, found
        return found[0]

    def emergency_in(self, state: int, seconds: float = 15) -> emergencies.Emergency:
        """The only one, in that state."""
        return wait_until(lambda: next((e for e in self.emergencies() if e.state == state), None), seconds, "the state")


class Watch:
    """WatchEmergencies of a person, in its own thread's words."""

    def __init__(self, patient: Patient, cursor: str = ""):
        self.cursor = cursor
        self._call = patient.member.ask("WatchEmergencies", timeout=60, cursor=cursor)

    def next(self) -> emergencies.Emergency:
        """The next frame with an emergency."""
        for frame in self._call:
            self.cursor = frame.cursor or self.cursor
            if frame.HasField("emergency"):
                return frame.emergency
        raise AssertionError("the watch has ended")

    def until(self, state: int) -> list[emergencies.Emergency]:
        """All frames up to the first one with an emergency in that state."""
        frames = [self.next()]
        while frames[-1].state != state:
            frames.append(self.next())
        return frames

    def cancel(self) -> None:
        self._call.cancel()
