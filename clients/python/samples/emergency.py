"""From a reading to an ambulance: a pulse goes beyond its limit and stays there; the emergency service has the call, with
the position, before five seconds are over; then the person says that it was a false alarm.

Called by show.py on a server that is running. It starts `trackme dispatcher` and shows what that prints, indented.
"""

from __future__ import annotations

import signal
import subprocess
import threading
import time
from pathlib import Path

import grpc
from consent import Caller, log_in, new_password, tell

from trackme.protocol import (
    AdminServiceStub,
    IdentityServiceStub,
    IngestServiceStub,
    SosServiceStub,
    admin,
    emergencies,
    identity,
    ingest,
    readings,
    sos,
)

# A person of over 60; the Piazza del Duomo in Milan.
FISCAL_CODE, DATE_OF_BIRTH = "VRDNNA50A41H501B", "1950-01-01"
LATITUDE, LONGITUDE = 45.46419, 9.18951
CALLBACK_NUMBER = "+390212345678"
# 131 and more for 3 seconds is an emergency: NEWS2.
PULSES_BEFORE, PULSE_BEYOND = (74, 76, 75, 88, 117), 142
READING_EVERY_S = 0.25
MUST_BE_ACCEPTED_WITHIN_S = 5.0
GIVE_UP_AFTER_S = 20.0
STATUSES = {emergencies.DISPATCH_STATUS_EXERCISE: "EXERCISE", emergencies.DISPATCH_STATUS_ACTUAL: "ACTUAL"}


def show(channel: grpc.Channel, trackme: Path, target: str, folder: Path, administrator: str, password: str) -> bool:
    """Tells the story; true if the call came in time and every step came out as it must."""
    keeper, _ = log_in(channel, administrator, password)
    made = keeper.call(AdminServiceStub(channel).CreateDispatcher, admin.CreateDispatcherRequest(name="control-room"))
    token_file = folder / "dispatcher.token"
    token_file.touch(mode=0o600)
    token_file.write_text(made.token)
    tell("admin", "makes a dispatcher; its screen is shown to the right of the │:")
    window = Window([trackme, "dispatcher", "--server", target, "--token-file", token_file])
    try:
        return window.wait_for("connected") and tell_the_story(channel, window)
    finally:
        window.close()


def tell_the_story(channel: grpc.Channel, window: Window) -> bool:
    accounts, service = IdentityServiceStub(channel), SosServiceStub(channel)
    anna_password = new_password()
    Caller(channel).call(
        accounts.RegisterPerson,
        identity.RegisterPersonRequest(
            username="anna", email="anna@example.org", password=anna_password, given_names="Anna", family_name="Verdi",
            fiscal_code=FISCAL_CODE, date_of_birth=DATE_OF_BIRTH, sex=identity.SEX_FEMALE, weight_kg=61, height_cm=164,
        ),
    )  # fmt: skip
    anna, person = log_in(channel, "anna", anna_password)
    watch = Caller(channel, anna.call(accounts.CreateDevice, identity.CreateDeviceRequest(name="watch")).token)
    found = anna.call(service.GetSosSettings, sos.GetSosSettingsRequest())
    status = STATUSES.get(found.dispatch_status, "?")
    tell("anna", f"is over 60 and registers: AutomatedSOS is {'on' if found.settings.enabled else 'OFF'} by default; dispatch status: {status}")
    found.settings.callback_number = CALLBACK_NUMBER
    anna.call(service.UpdateSosSettings, sos.UpdateSosSettingsRequest(settings=found.settings, etag=found.etag))

    story = Story(anna.call, service)
    for pulse in PULSES_BEFORE:
        push(watch, person, pulse)
        time.sleep(READING_EVERY_S)
    tell("watch", f"her pulse: {', '.join(map(str, PULSES_BEFORE))}; then {PULSE_BEYOND}, and it stays there")
    began = time.monotonic()
    while not story.is_accepted() and time.monotonic() - began < GIVE_UP_AFTER_S:
        push(watch, person, PULSE_BEYOND)
        time.sleep(READING_EVERY_S)
    if not story.is_accepted() or not window.wait_for("ACCEPTED"):
        tell("anna", f"nobody has taken the call after {GIVE_UP_AFTER_S:.0f} s")
        return False
    from_first, from_completion = story.seconds()
    tell("anna", f"her call has been accepted {from_first:.2f} s after the first value beyond the limit, {from_completion:.3f} s after the "
         f"crossing was complete")  # fmt: skip

    cancel = sos.CancelEmergencyRequest(emergency_id=story.emergency.emergency_id, reason="I ran for the tram")
    cancelled = anna.call(service.CancelEmergency, cancel).emergency
    tell("anna", "cancels it: a false alarm")
    return (
        found.settings.enabled
        and window.wait_for("CANCEL")
        and cancelled.state == emergencies.EMERGENCY_STATE_CANCELLED
        and from_completion < MUST_BE_ACCEPTED_WITHIN_S
        and from_first < MUST_BE_ACCEPTED_WITHIN_S
        and all(word in window.text() for word in (status, "112 in IT", f"{LATITUDE}, {LONGITUDE}", CALLBACK_NUMBER))
    )


def push(watch: Caller, person: int, pulse: float) -> None:
    """The pulse, and where it was taken."""
    now = time.time_ns() // 1000
    place = readings.Position(latitude=LATITUDE, longitude=LONGITUDE, accuracy=8)
    both = [
        readings.Reading(person_id=person, metric="position", time_us=now, position=place),
        readings.Reading(person_id=person, metric="heart_rate", time_us=now, scalar=pulse),
    ]
    watch.call(IngestServiceStub(watch.channel).RecordReadings, ingest.RecordReadingsRequest(readings=both))


class Story:
    """The person's one emergency, as SosService tells it."""

    def __init__(self, call, service: SosServiceStub):
        self.call, self.service = call, service
        self.emergency: emergencies.Emergency | None = None

    def is_accepted(self) -> bool:
        found = self.call(self.service.ListEmergencies, sos.ListEmergenciesRequest()).emergencies
        self.emergency = found[0] if found else None
        return self.acceptance() is not None

    def acceptance(self) -> emergencies.EmergencyTransition | None:
        """How a dispatcher took the call."""
        steps = self.emergency.transitions if self.emergency else []
        taken = emergencies.EMERGENCY_STATE_ACCEPTED
        return next((step for step in steps if step.state == taken and step.actor.startswith("dispatcher")), None)

    def seconds(self) -> tuple[float, float]:
        """To the acceptance, from the first value beyond the limit and from the end of the hold time."""
        crossing, accepted = self.emergency.crossings[0], self.acceptance()
        return (accepted.at_us - crossing.began_us) / 1e6, (accepted.at_us - crossing.completed_us) / 1e6


class Window:
    """A program beside this one, whose lines are shown indented as they come."""

    def __init__(self, command: list):
        self.lines: list[str] = []
        self.changed = threading.Condition()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self) -> None:
        for line in self.process.stdout:
            print("      │ " + line, end="", flush=True)
            with self.changed:
                self.lines.append(line)
                self.changed.notify_all()

    def text(self) -> str:
        return "".join(self.lines)

    def wait_for(self, word: str) -> bool:
        """Whether a line with the word is there within ten seconds."""
        with self.changed:
            return self.changed.wait_for(lambda: word in self.text(), timeout=10)

    def close(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(timeout=10)
        self.thread.join(timeout=10)
