"""Systems of emergency services, as they take calls: HandleEmergencies in the words of the tests."""

from __future__ import annotations

import time

from trackme.protocol import DispatchServiceStub, dispatch, emergencies

from patients import Patient
from streams import PATIENCE_S, Caller, Stream

CALL, UPDATE = dispatch.NOTICE_KIND_CALL, dispatch.NOTICE_KIND_UPDATE
CANCEL, TAKEN = dispatch.NOTICE_KIND_CANCEL, dispatch.NOTICE_KIND_TAKEN
ACCEPTED, REFUSED = dispatch.ANSWER_KIND_ACCEPTED, dispatch.ANSWER_KIND_REFUSED
EN_ROUTE, RESOLVED = dispatch.ANSWER_KIND_EN_ROUTE, dispatch.ANSWER_KIND_RESOLVED
FALSE_ALARM = dispatch.ANSWER_KIND_FALSE_ALARM


class Handling(Stream):
    """An open HandleEmergencies stream, past the frame that answers its hello."""

    def __init__(self, caller: Caller, system: str = "tests"):
        super().__init__(DispatchServiceStub(caller.channel).HandleEmergencies, caller.token)
        self.send(dispatch.HandleEmergenciesRequest(hello=dispatch.DispatcherHello(system=system)))
        self.notices: list[tuple[float, dispatch.HandleEmergenciesResponse]] = []
        """Every frame with an emergency so far, and when it came, in seconds of time.time()."""
        first = self.next()
        if first.HasField("emergency"):
            self.notices.append((time.time(), first))

    def notice(self, person: int, kind: int | None = CALL, seconds: float = PATIENCE_S, after: int = 0):
        """When the first notice of that kind (None: of any) about a person came, and the notice; those of others are
        passed over. Notices before the place `after` in `notices` don't count.

        Raises TimeoutError where none comes."""
        end = time.monotonic() + seconds
        place = after
        while True:
            while place >= len(self.notices):
                frame = self.next(max(0.001, end - time.monotonic()))
                if frame.HasField("emergency"):
                    self.notices.append((time.time(), frame))
            at, frame = self.notices[place]
            if frame.emergency.person_id == person and kind in (None, frame.kind):
                return at, frame
            place += 1

    def call_for(self, person: int, seconds: float = PATIENCE_S) -> emergencies.Emergency:
        """The emergency of the first call for a person."""
        return self.notice(person, CALL, seconds)[1].emergency

    def kinds(self, patient: Patient, other: Patient) -> list[int]:
        """The kinds of all notices about a patient that came before a call for somebody else, who crosses a limit when all that
        the patient has sent is judged."""
        patient.settle()
        other.cross()
        self.accept(other.number)
        other.leave()
        return [frame.kind for _, frame in self.notices if frame.emergency.person_id == patient.number]

    def answer(self, emergency_id: str, kind: int, note: str = "") -> None:
        answer = dispatch.DispatcherAnswer(emergency_id=emergency_id, kind=kind, note=note)
        self.send(dispatch.HandleEmergenciesRequest(answer=answer))

    def accept(self, person: int, seconds: float = PATIENCE_S) -> emergencies.Emergency:
        """Waits for a call for a person, and accepts it."""
        emergency = self.call_for(person, seconds)
        self.answer(emergency.emergency_id, ACCEPTED, "incident 4711")
        return emergency
