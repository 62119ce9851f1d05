"""Races for whoever opens the pages while the demo stays: one after the other round the same streets, with the runners
of the demo. They run as real ones did, and their hearts beat as theirs did; nothing is sped up.

Started by demo.py with KEEP=1, and ended by it.
"""

from __future__ import annotations

import argparse
import bisect
import os
import random
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import grpc
from consent import Caller
from race import ARRIVAL, FIX_EVERY_S, ORGANIZER, RUNNERS, START, Pace, Way, close_enrolment, open_race, position

from trackme.protocol import (
    IdentityServiceStub,
    IngestServiceStub,
    LiveServiceStub,
    RaceServiceStub,
    identity,
    ingest,
    live,
    race,
    races,
    readings,
)
from trackme.recordings.suffixes import load

# Round the part of the town that is on the map: 2.4 km, a quarter of an hour.
STAGES = [
    race.Place(latitude=45.4620, longitude=9.1980, name="North-east"),
    race.Place(latitude=45.4615, longitude=9.1935, name="North-west"),
    race.Place(latitude=45.4585, longitude=9.1930, name="South-west"),
    race.Place(latitude=45.4605, longitude=9.1955, name="Missori"),
]
NAME, FROM_SECOND, TIME_LIMIT_S, RENEWAL_S = "Il giro del centro", 60, 3_600, 300
LOOK_EVERY_S = 10
OVER = {live.RUNNER_STATUS_FINISHED, live.RUNNER_STATUS_DISQUALIFIED, live.RUNNER_STATUS_RETIRED}


class Member:
    """An account in one session, for as long as the demo stays."""

    def __init__(self, channel: grpc.Channel, username: str, password: str):
        self.channel, self.accounts = channel, IdentityServiceStub(channel)
        request = identity.LogInRequest(name=username, password=password)
        self.session = Caller(channel).call(self.accounts.LogIn, request).session
        self.renewed = time.monotonic()

    def call(self, method, request):
        # The session's token ends after a quarter of an hour.
        if time.monotonic() - self.renewed > RENEWAL_S:
            renewal = identity.RefreshSessionRequest(refresh_token=self.session.refresh_token)
            self.session = Caller(self.channel).call(self.accounts.RefreshSession, renewal).session
            self.renewed = time.monotonic()
        return Caller(self.channel, self.session.token).call(method, request)


class Pulse:
    """A recorded pulse, by the time since a second of the recording."""

    def __init__(self, recording: Path):
        samples = [s for s in load(recording).samples if s.metric == "heart_rate"]
        self.times = [(s.time_us - samples[0].time_us) / 1e6 for s in samples]
        self.values = [s.value for s in samples]

    def at(self, elapsed: float) -> float:
        after = bisect.bisect_right(self.times, FROM_SECOND + elapsed)
        return self.values[max(0, min(after, len(self.values)) - 1)]


@dataclass
class Runner:
    """One of the demo's, with a watch that sends pulse and position."""

    member: Member
    person: int
    watch: Caller
    pace: Pace
    pulse: Pulse
    noise: random.Random

    @classmethod
    def of_demo(cls, channel: grpc.Channel, username: str, password: str, recording: Path) -> Runner:
        member = Member(channel, username, password)
        device = member.call(member.accounts.CreateDevice, identity.CreateDeviceRequest(name="watch"))
        person, watch = member.session.account_id, Caller(channel, device.token)
        return cls(member, person, watch, Pace(recording, FROM_SECOND), Pulse(recording), random.Random(person))

    def push(self, way: Way, elapsed: float) -> None:
        now_us = time.time_ns() // 1_000
        rows = [
            readings.Reading(person_id=self.person, metric="heart_rate", time_us=now_us, scalar=self.pulse.at(elapsed)),
            readings.Reading(
                person_id=self.person, metric="position", time_us=now_us,
                position=position(way, self.pace.distance(elapsed), self.noise),
            ),
        ]  # fmt: skip
        self.watch.call(IngestServiceStub(self.watch.channel).RecordReadings, ingest.RecordReadingsRequest(readings=rows))


def hold(channel: grpc.Channel, organizer: Member, runners: list[Runner], begun) -> None:
    """One race, from its plan to its end.

    :param begun: called when it has begun.
    """
    service, live_service = RaceServiceStub(channel), LiveServiceStub(channel)
    planned = organizer.call(service.PlanRoutes, races.PlanRoutesRequest(start=START, stages=STAGES, arrival=ARRIVAL))
    route = min(planned.routes, key=lambda r: r.course.length_m)
    race_id, starts, enrolment_ends = open_race(organizer, service, NAME, route, TIME_LIMIT_S)
    enrolments = [r.member.call(service.Enrol, races.EnrolRequest(race_id=race_id)).enrolment for r in runners]
    close_enrolment(organizer, service, race_id, enrolment_ends, [e.number for e in enrolments])
    time.sleep(max(0.0, starts - time.time()))
    way, is_over, looked = Way(route.course), False, 0.0
    while not is_over and time.time() - starts < TIME_LIMIT_S:
        elapsed = time.time() - starts
        for runner in runners:
            runner.push(way, elapsed)
        begun()
        if elapsed - looked > LOOK_EVERY_S:
            looked = elapsed
            board = organizer.call(live_service.GetLeaderboard, live.GetLeaderboardRequest(race_id=race_id)).leaderboard
            is_over = bool(board.rows) and all(row.status in OVER for row in board.rows)
        time.sleep(max(0.0, FIX_EVERY_S - (time.time() - starts - elapsed)))
    organizer.call(service.FinishRace, races.FinishRaceRequest(race_id=race_id))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", required=True, help="host:port, without TLS")
    parser.add_argument("--recordings", type=Path, required=True)
    parser.add_argument("--ready-file", type=Path, required=True, help="made when the first race has begun")
    options = parser.parse_args()
    password = os.environ["DEMO_PASSWORD"]
    try:
        with grpc.insecure_channel(options.server) as channel:
            runners = [
                Runner.of_demo(channel, who[0], password, options.recordings / recording) for who, recording, _ in RUNNERS
            ]
            organizer = Member(channel, ORGANIZER[0], password)
            while True:
                hold(channel, organizer, runners, options.ready_file.touch)
    except grpc.RpcError as error:
        print(f"\nThe race ended: {error.code().name}: {error.details()}", flush=True)
    return 1


if __name__ == "__main__":
    sys.exit(main())
