"""The people of Tests/fixtures/before on a server, and what it answers them: the version that wrote the fixture was
asked the same when it was made."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import grpc
from google.protobuf import text_format
from trackme.protocol import emergencies, sharing
from trackme.protocol import reading_service as readings

from accounts import Credentials, Member, Party
from calls import outcome_of
from server_process import ServerProcess
from streams import METRIC_IDS, Caller, Subscribe

FIXTURE = Path(__file__).parents[1] / "fixtures" / "before"
DATABASE, JOURNAL, STORY = FIXTURE / "database.sql.gz", FIXTURE / "emergencies", FIXTURE / "cursors.json"
HOUR_US = 3_600_000_000
START_US = 1_700_000_000_000_000 // HOUR_US * HOUR_US
"""Of the first readings of the walker."""
LAST_US = START_US + 100 * HOUR_US
"""Of the walker's last heart rate, the end of the log that is compared."""
OLDEST_FIRST, BY_HOURS = readings.READING_ORDER_OLDEST_FIRST, readings.RESOLUTION_HOUR


NEW_FIELDS = {
    "trackme.notifications.v1.Notification": ("subject_italian", "text_italian"),
    "trackme.sharing.v1.AccessRequest": ("third_party",), "trackme.sharing.v1.Disclosure": ("third_party",),
    "trackme.groups.v1.GroupDisclosure": ("third_party",),
}  # fmt: skip
"""That there were not when the story was told."""
NEW_WORDS = "\n\nNobody has checked who this is.\nIn its own words: “Cardiology”"
"""Of third parties that registered before codes named their holders: nobody is told that these were checked."""


def text(message) -> str:
    for name in NEW_FIELDS.get(message.DESCRIPTOR.full_name, ()):
        message.ClearField(name)
    if "text" in message.DESCRIPTOR.fields_by_name:
        message.text = message.text.replace(NEW_WORDS, "")
    return text_format.MessageToString(message, as_one_line=True)


def ageless(rows) -> str:
    """Rows of a leaderboard by number, without how old positions are: they go on growing older."""
    for row in rows:
        row.ClearField("fix_age_ms")
    return " ".join(text(row) for row in sorted(rows, key=lambda row: row.number))


class People:
    """Who is in the fixture, on a server that has its database."""

    def __init__(self, server: ServerProcess, story: dict):
        self.server, self.numbers, self.tokens, self.cursors = (
            server, story["numbers"], story["tokens"], story["cursors"]
        )  # fmt: skip
        self.members = {
            name: Member(server.target, Credentials(**credentials)).log_in()
            for name, credentials in story["credentials"].items()
        }
        self.operator = Caller(server.target, server.operator_token)

    def __getitem__(self, name: str) -> Member:
        return self.members[name]

    def by_token(self, name: str) -> Party:
        """A device or a dispatcher, with the token that it was given by the version before."""
        return Party(self.server.target, self.tokens[name])

    def close(self) -> None:
        for caller in (*self.members.values(), self.operator):
            caller.channel.close()

    # The log

    def follow(self, cursor: str) -> Subscribe:
        return self.operator.subscribe([self.numbers["walker"]], cursor=cursor)

    def delivered(self, stream: Subscribe, last_us: int = LAST_US) -> dict[str, list]:
        """All readings up to the heart rate of a time, by their form: in a frame the forms have no common order."""
        found = {"scalars": [], "positions": [], "waveforms": []}
        while not any(row[1:3] == [METRIC_IDS["heart_rate"], last_us] for row in found["scalars"]):
            rows_of(stream.delivery().delivery.readings, found)
        return found

    def logged(self, cursor: str) -> dict[str, list]:
        """What Subscribe delivers after a cursor."""
        with self.follow(cursor) as stream:
            return self.delivered(stream)

    def watched(self, cursor: str) -> list[str]:
        """The same by WatchReadings, in the one order that its frames have."""
        stream, found = self.operator.watch(self.numbers["walker"], timeout=60, cursor=cursor), []
        while not any(reading.time_us == LAST_US for reading in found):
            found += next(stream).readings
        stream.cancel()
        return [text(reading) for reading in found]

    def subscribed(self, cursor: str) -> list[str]:
        """What a doctor is delivered, in whole seconds."""
        with Subscribe(
            self["doctor"].channel, self["doctor"].token, subscription_id=self.numbers["seconds"], cursor=cursor
        ) as stream:
            rows = self.delivered(stream)
        return rows["scalars"]

    def digests(self, cursor: str, last: int) -> list[str]:
        """The digests up to one of a number, from a cursor or from the first one on."""
        start = {"cursor": cursor} if cursor else {"start_at": sharing.START_AT_BEGINNING}
        found = []
        clinic = self["clinic"]
        with Subscribe(clinic.channel, clinic.token, subscription_id=self.numbers["digests"], **start) as stream:
            while not found or found[-1].digest_id != last:
                frame = stream.frame()
                if frame.HasField("digest"):
                    found.append(frame.digest)
        return [text(digest) for digest in found]

    def end_of_revoked(self, cursor: str) -> list[str]:
        """What becomes of the stream of a grant that was revoked."""
        doctor, frames = self["doctor"], []
        with Subscribe(
            doctor.channel, doctor.token, subscription_id=self.numbers["revoked"], cursor=cursor
        ) as stream:
            try:
                while True:
                    frame = stream.next()
                    if not frame.HasField("heartbeat"):
                        frames.append(frame.WhichOneof("frame"))
            except grpc.RpcError as error:
                return [*frames, str(outcome_of(error)), outcome_of(error).facts.get("position", "")]

    # Histories

    def export(self, who: str, grant: str) -> str:
        """A hash of all bytes of an export: the readings as they were sent."""
        parts = self[who].export(0, access_request_id=self.numbers[grant])
        digest = hashlib.sha256()
        for part in parts:
            for reading in part.readings:
                digest.update(reading.SerializeToString(deterministic=True))
        return digest.hexdigest()

    def pages(self, rpc: str, who: str, rows: str) -> list[str]:
        """All rows of a list, of one a page, after the page token that was kept."""
        found, token = [], self.cursors[f"page of {rows}"]
        while token:
            page = self[who].ask(rpc, page_size=1, page_token=token)
            found += getattr(page, rows)
            token = page.next_page_token
        return [text(row) for row in found]

    def history(self) -> list[str]:
        found, token = [], self.cursors["page of readings"]
        while token:
            page = self.operator.list(self.numbers["walker"], page_size=100, order=OLDEST_FIRST, page_token=token)
            found += page.readings
            token = page.next_page_token
        return [text(reading) for reading in found]

    def summaries(self) -> list[str]:
        found, token = [], self.cursors["page of summaries"]
        while token:
            page = self.operator.summarize(**self.summary(page_token=token))
            found += page.summaries
            token = page.next_page_token
        return [text(summary) for summary in found]

    def summary(self, **more) -> dict:
        """The fields of a question for the summary of hours."""
        return {
            "person_id": self.numbers["walker"], "metric": "heart_rate", "from_us": START_US,
            "to_us": LAST_US + 1, "resolution": BY_HOURS, "page_size": 1, **more,
        }  # fmt: skip

    # Inbox, emergencies, races

    def inbox(self, who: str) -> list[str]:
        return [text(entry) for entry in self[who].ask("ListNotifications", page_size=100).notifications]

    def notified(self, cursor: str, count: int) -> list[str]:
        """So many notifications of the walker after a cursor."""
        stream, found = self["walker"].ask("WatchNotifications", timeout=60, cursor=cursor), []
        while len(found) < count:
            frame = next(stream)
            if frame.HasField("notification"):
                found.append(text(frame.notification))
        stream.cancel()
        return found

    def emergency_after(self, cursor: str) -> str:
        """The emergency that is over, as a stream after a cursor shows it in the end."""
        stream = self["rescued"].ask("WatchEmergencies", timeout=60, cursor=cursor)
        for frame in stream:
            if frame.emergency.state == emergencies.EMERGENCY_STATE_RESOLVED:
                stream.cancel()
                return text(frame.emergency)
        raise AssertionError("the stream has ended")

    def board(self, cursor: str) -> str:
        """A leaderboard as it was shown, byte for byte."""
        board = self["organizer"].ask("GetLeaderboard", race_id=self.numbers["race"], cursor=cursor).leaderboard
        return board.SerializeToString(deterministic=True).hex()

    def leaderboard(self) -> str:
        """As it is now."""
        board = self["organizer"].ask("GetLeaderboard", race_id=self.numbers["race"]).leaderboard
        return f"{board.state} {ageless(board.rows)}"

    def spectated(self, cursor: str) -> str:
        """The rows of the race as a spectator knows them who goes on after a cursor."""
        stream = self["organizer"].ask("WatchRace", timeout=60, race_id=self.numbers["race"], cursor=cursor)
        for frame in stream:
            if frame.HasField("snapshot"):
                rows = frame.snapshot.leaderboard.rows
            elif frame.HasField("delta"):
                rows = frame.delta.changed
            else:
                continue
            stream.cancel()
            return ageless(rows)
        raise AssertionError("the stream has ended")

    def race(self) -> str:
        race = self["organizer"].ask("GetRace", race_id=self.numbers["race"]).race
        return text(race)

    def results(self) -> str:
        return text(self["organizer"].ask("GetResults", race_id=self.numbers["race"]))

    # All of it

    def questions(self) -> Iterator[tuple[str, Callable[[], object]]]:
        """Every question by its name."""
        last_digest, told = self.numbers["last digest"], self.numbers["notifications"]
        asked = {
            "log": {"Subscribe": self.logged, "WatchReadings": self.watched},
            "doctor": {"Subscribe": self.subscribed},
            "digest": {"Subscribe": partial(self.digests, last=last_digest)},
            "revoked": {"Subscribe": self.end_of_revoked},
            "notification": {"WatchNotifications": partial(self.notified, count=told)},
            "emergency": {"WatchEmergencies": self.emergency_after},
            "race": {"GetLeaderboard": self.board, "WatchRace": self.spectated},
            "page": {},
        }
        for name, cursor in self.cursors.items():
            for rpc, ask in asked[re.match("[a-z]+", name)[0]].items():
                yield f"{rpc} {name}", partial(ask, cursor)
        yield "ListReadings", self.history
        yield "SummarizeReadings", self.summaries
        yield "ListNotifications", partial(self.pages, "ListNotifications", "walker", "notifications")
        yield "ListAccessRequests", partial(self.pages, "ListAccessRequests", "doctor", "access_requests")
        yield "ExportReadings of doctor", partial(self.export, "doctor", "grant of seconds")
        yield "ExportReadings of clinic", partial(self.export, "clinic", "grant of minutes")
        for who in ("walker", "doctor", "clinic", "runner 1", "runner 2"):
            yield f"inbox of {who}", partial(self.inbox, who)
        yield "all digests", partial(self.digests, "", last=last_digest)
        yield "GetLeaderboard", self.leaderboard
        yield "GetRace", self.race
        yield "GetResults", self.results

    def answers(self) -> dict:
        """What the server answers to each question, or how it refuses."""
        found = {}
        for name, ask in self.questions():
            try:
                found[name] = ask()
            except grpc.RpcError as error:
                found[name] = str(outcome_of(error))
        return found


def rows_of(columns, found: dict[str, list]) -> None:
    """Adds the readings of columns: person, metric, time, source and values."""
    sources = list(columns.sources)
    for form, values in (("scalars", ("value",)), ("positions", ("latitude", "longitude", "accuracy"))):
        rows = getattr(columns, form)
        for place, time_us in enumerate(rows.time_us):
            source = sources[_at(rows.source, place)] if rows.source else ""
            found[form].append([
                _at(rows.person_id, place), _at(rows.metric, place), time_us, source,
                *(getattr(rows, name)[place] for name in values),
            ])  # fmt: skip
    rows, begin = columns.waveforms, 0
    for place, time_us in enumerate(rows.time_us):
        count = _at(rows.sample_count, place)
        found["waveforms"].append([
            _at(rows.person_id, place), _at(rows.metric, place), time_us, _at(rows.rate_hz, place),
            *rows.samples[begin:begin + count],
        ])  # fmt: skip
        begin += count


def _at(column, place: int):
    """A column of one entry holds for all."""
    return column[place] if len(column) > 1 else column[0]


def story() -> dict:
    """What the fixture says of itself: who is in it, its cursors, and what followed them."""
    return json.loads(STORY.read_text())
