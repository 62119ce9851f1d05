"""A race through the streets near Milan's cathedral: planned over a map, enrolled for, run and watched live. The runners
run as real ones did, at several times their pace; one of them takes a tram and is disqualified.

Called by show.py on a server that is running. It imports the map with `trackme roads import`.
"""

from __future__ import annotations

import bisect
import math
import random
import secrets
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import grpc
from consent import Caller, log_in, new_password, tell
from google.protobuf.duration_pb2 import Duration
from google.protobuf.timestamp_pb2 import Timestamp

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

MAP = Path(__file__).parents[3] / "Maps" / "milan-duomo.osm.gz"
START = race.Place(latitude=45.4600, longitude=9.1985, name="Guastalla, north")
STAGES = [race.Place(latitude=45.4595, longitude=9.1990, name="Guastalla")]
ARRIVAL = race.Place(latitude=45.4590, longitude=9.1992, name="Guastalla, south")
# Username, given and family name, sex, fiscal code; the recording that the runner follows, and from which second of it.
ORGANIZER = ("giulia", "Giulia", "Neri", True, "NREGLI85C54F205A", 1985)
RUNNERS = [
    (("ada", "Ada", "Alfieri", True, "LFRDAA90C54F205G", 1990), "run-2020-07-13.gpx.gz", 60),
    (("bruno", "Bruno", "Bruni", False, "BRNBRN88C14F205U", 1988), "run-2020-08-21.gpx.gz", 120),
    (("carla", "Carla", "Conti", True, "CNTCRL79C54F205R", 1979), "run-2020-11-22.gpx.gz", 60),
    (("dario", "Dario", "Donati", False, "DNTDRA93C14F205D", 1993), "run-2020-11-22.gpx.gz", 1020),
    (("elena", "Elena", "Esposito", True, "SPSLNE82C54F205H", 1982), "run-2020-08-21.gpx.gz", 900),
]
TIME_LAPSE = 2.5
FIX_EVERY_S, SHOW_EVERY_S, GPS_ERROR_M = 1.0, 3.0, 3.0
ENROLMENT_LASTS_S, WARM_UP_S, GIVE_UP_AFTER_S = 1.0, 1.0, 90.0
STATUS = {
    live.RUNNER_STATUS_RUNNING: "", live.RUNNER_STATUS_STANDING: "stands", live.RUNNER_STATUS_FINISHED: "FINISHED",
    live.RUNNER_STATUS_DISQUALIFIED: "DISQUALIFIED", live.RUNNER_STATUS_NO_SIGNAL: "no signal",
}  # fmt: skip


@dataclass
class Prepared:
    """What a race needs and takes its time: streets, accounts, and the recorded paces."""

    imported: str
    organizer: Caller
    runners: list[tuple[Caller, int, str, Pace]]
    """Caller, person, name, pace."""


def prepare(channel: grpc.Channel, trackme: Path, data: Path, recordings: Path) -> Prepared:
    """Before the race, while something else is shown."""
    imported = subprocess.run(
        [trackme, "roads", "import", MAP, "--data-dir", data], capture_output=True, text=True, timeout=120
    )
    if imported.returncode:
        raise RuntimeError(f"the import of {MAP.name}: {imported.stderr or imported.stdout}")
    runners = [(*register(channel, who), who[1], Pace(recordings / name, second)) for who, name, second in RUNNERS]
    return Prepared(imported.stdout.strip().splitlines()[-1], register(channel, ORGANIZER)[0], runners)


def show(channel: grpc.Channel, prepared: Prepared) -> bool:
    """Tells the story; true if every step came out as it must."""
    tell("operator", f"imports the streets of {MAP.name}: {prepared.imported}")
    service, giulia = RaceServiceStub(channel), prepared.organizer
    routes = giulia.call(service.PlanRoutes, races.PlanRoutesRequest(start=START, stages=STAGES, arrival=ARRIVAL)).routes
    tell("giulia", f"plans a race: {len(routes)} routes of {', '.join(f'{r.course.length_m:.0f}' for r in routes)} m")
    route = min(routes, key=lambda r: r.course.length_m)
    race_id, starts, enrolment_ends = open_race(giulia, service, "Quattro passi in centro", route, time_limit_s=600)
    runners = [Runner.enrolled(channel, service, race_id, *runner) for runner in prepared.runners]
    tell("runners", f"{', '.join(r.name for r in runners)} find it and enrol: numbers {', '.join(str(r.number) for r in runners)}")
    close_enrolment(giulia, service, race_id, enrolment_ends, [r.number for r in runners])
    tell("giulia", f"closes the enrolment and marks them present; the gun in a second, over {route.course.length_m:.0f} m")

    board = Board(LiveServiceStub(channel), giulia, race_id)
    time.sleep(max(0.0, starts - time.time()))
    ok = run(runners, Way(route.course), starts, board, lambda number: disqualify(giulia, service, race_id, number))
    giulia.call(service.FinishRace, races.FinishRaceRequest(race_id=race_id))
    results = giulia.call(LiveServiceStub(channel).GetResults, live.GetResultsRequest(race_id=race_id))
    tell("results", "; ".join(f"{row.rank}. {row.name} {row.finish_time_ms / 1000:.1f} s" for row in results.leaderboard.rows if row.rank))
    for change in results.changes:
        tell("results", f"number {change.number} disqualified by {change.author.name}: {change.reason}")
    board.close()
    ranked = [row for row in results.leaderboard.rows if row.rank]
    return (
        ok
        and len(ranked) == len(runners) - 1
        and all(row.status == live.RUNNER_STATUS_FINISHED for row in ranked)
        and len(results.changes) == 1
        and board.frames > 5
    )


def open_race(
    organizer: Caller, service: RaceServiceStub, name: str, route: races.Route, time_limit_s: int
) -> tuple[int, float, float]:
    """A race that is open for a moment: its number, and when it starts and the enrolment ends, in seconds since the epoch."""
    now = time.time()
    starts, enrolment_ends = now + ENROLMENT_LASTS_S + WARM_UP_S, now + ENROLMENT_LASTS_S
    plan = races.RacePlan(
        name=name, place_name="Milano", starts=moment(starts), enrolment_ends=moment(enrolment_ends),
        time_limit=Duration(seconds=time_limit_s), route_id=route.route_id,
    )  # fmt: skip
    made = organizer.call(service.CreateRace, races.CreateRaceRequest(request_id=secrets.token_hex(8), plan=plan)).race
    organizer.call(service.OpenEnrolment, races.OpenEnrolmentRequest(race_id=made.race_id))
    return made.race_id, starts, enrolment_ends


def close_enrolment(
    organizer: Caller, service: RaceServiceStub, race_id: int, enrolment_ends: float, numbers: list[int]
) -> None:
    """The clock ends the enrolment; whoever has enrolled is marked present."""
    time.sleep(max(0.0, enrolment_ends + 0.1 - time.time()))
    organizer.call(service.MarkPresent, races.MarkPresentRequest(race_id=race_id, numbers=numbers))


def disqualify(giulia: Caller, service: RaceServiceStub, race_id: int, number: int) -> None:
    giulia.call(service.Disqualify, races.DisqualifyRequest(race_id=race_id, number=number, reason="took the tram"))
    tell("giulia", f"disqualifies number {number}: took the tram")


def run(runners: list[Runner], way: Way, starts: float, board: Board, disqualify) -> bool:
    """Pushes everybody's positions until all have passed the arrival; true if the board has seen it."""
    shown, out = 0.0, None
    while not board.is_over(out) and time.time() - starts < GIVE_UP_AFTER_S:
        elapsed = time.time() - starts
        for runner in runners:
            runner.push(way, elapsed)
        if elapsed - shown > SHOW_EVERY_S:
            shown = elapsed
            board.show(elapsed)
        leader = board.leader()
        if out is None and leader and leader.distance_m > way.length * 0.4:
            out = leader.number
            disqualify(out)
        time.sleep(max(0.0, FIX_EVERY_S - (time.time() - starts - elapsed)))
    board.show(time.time() - starts)
    return out is not None and board.is_over(out)


@dataclass
class Runner:
    name: str
    person: int
    number: int
    watch: Caller
    pace: Pace
    noise: random.Random

    @classmethod
    def enrolled(cls, channel, service, race_id: int, caller: Caller, person: int, name: str, pace: Pace) -> Runner:
        enrolment = caller.call(service.Enrol, races.EnrolRequest(race_id=race_id)).enrolment
        device = caller.call(IdentityServiceStub(channel).CreateDevice, identity.CreateDeviceRequest(name="watch"))
        noise = random.Random(enrolment.number)
        return cls(name, person, enrolment.number, Caller(channel, device.token), pace, noise)

    def push(self, way: Way, elapsed: float) -> None:
        """Where the watch believes to be, that long after the gun."""
        reading = readings.Reading(
            person_id=self.person, metric="position", time_us=time.time_ns() // 1000,
            position=position(way, self.pace.distance(elapsed * TIME_LAPSE), self.noise),
        )  # fmt: skip
        self.watch.call(IngestServiceStub(self.watch.channel).RecordReadings, ingest.RecordReadingsRequest(readings=[reading]))


METRES_PER_DEGREE = 111_200


def position(way: Way, distance: float, noise: random.Random) -> readings.Position:
    """Where a watch believes to be that is so far along the way."""
    latitude, longitude = way.point(distance)
    latitude += noise.gauss(0, GPS_ERROR_M / 1.5) / METRES_PER_DEGREE
    longitude += noise.gauss(0, GPS_ERROR_M / 1.5) / (METRES_PER_DEGREE * math.cos(math.radians(latitude)))
    return readings.Position(latitude=latitude, longitude=longitude, accuracy=GPS_ERROR_M)


def metres(a: tuple[float, float], b: tuple[float, float]) -> float:
    east = (b[1] - a[1]) * math.cos(math.radians(a[0]))
    return math.hypot(b[0] - a[0], east) * METRES_PER_DEGREE


class Way:
    """A course as a function of the distance along it."""

    def __init__(self, course: race.Course):
        self.points = list(zip(course.latitudes, course.longitudes, strict=True))
        self.distances = [0.0]
        for a, b in zip(self.points, self.points[1:], strict=False):
            self.distances.append(self.distances[-1] + metres(a, b))
        self.length = self.distances[-1]

    def point(self, distance: float) -> tuple[float, float]:
        after = min(max(bisect.bisect_right(self.distances, distance), 1), len(self.points) - 1)
        a, b = self.points[after - 1], self.points[after]
        # Beyond the arrival it goes straight on.
        share = (distance - self.distances[after - 1]) / max(1e-9, self.distances[after] - self.distances[after - 1])
        return a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share


class Pace:
    """How far a recorded runner had come, by the time since a second of the recording."""

    SMOOTHED_S = 20.0

    def __init__(self, recording: Path, second: float):
        fixes = [s for s in load(recording).samples if s.metric == "position"]
        self.times, self.metres = [0.0], [0.0]
        for a, b in zip(fixes, fixes[1:], strict=False):
            step = metres((a.value.latitude, a.value.longitude), (b.value.latitude, b.value.longitude))
            self.times.append((b.time_us - fixes[0].time_us) / 1e6)
            self.metres.append(self.metres[-1] + step)
        self.second, self.before = second, self._at(second)

    def distance(self, elapsed: float) -> float:
        return self._at(self.second + elapsed) - self.before

    def _at(self, second: float) -> float:
        """The mean over the seconds around, as recorded positions jump."""
        around = [self._raw(second + self.SMOOTHED_S * (i / 10 - 0.5)) for i in range(11)]
        return sum(around) / len(around)

    def _raw(self, second: float) -> float:
        after = min(max(bisect.bisect_right(self.times, second), 1), len(self.times) - 1)
        span = max(1e-9, self.times[after] - self.times[after - 1])
        share = min(1.0, max(0.0, (second - self.times[after - 1]) / span))
        return self.metres[after - 1] + (self.metres[after] - self.metres[after - 1]) * share


class Board:
    """The leaderboard as a spectator has it: a snapshot, then deltas."""

    def __init__(self, stub: LiveServiceStub, caller: Caller, race_id: int):
        self.rows: dict[int, live.LeaderboardRow] = {}
        self.leaders: list[live.LeaderboardRow] = []
        self.frames = 0
        self.lock = threading.Lock()
        self.call = stub.WatchRace(live.WatchRaceRequest(race_id=race_id), metadata=caller.metadata, timeout=300)
        self.thread = threading.Thread(target=self.read, daemon=True)
        self.thread.start()

    def read(self) -> None:
        try:
            for frame in self.call:
                with self.lock:
                    self.frames += 1
                    if frame.HasField("snapshot"):
                        self.leaders = list(frame.snapshot.leaderboard.rows)
                        self.rows = {row.number: row for row in self.leaders}
                    elif frame.HasField("delta"):
                        self.leaders = list(frame.delta.leaders)
                        for row in [*frame.delta.leaders, *frame.delta.changed]:
                            self.rows[row.number] = row
        except grpc.RpcError:
            pass

    def leader(self) -> live.LeaderboardRow | None:
        with self.lock:
            return next((row for row in self.leaders if row.rank == 1), None)

    def is_over(self, disqualified: int | None) -> bool:
        with self.lock:
            running = [row for row in self.rows.values() if row.number != disqualified]
            return bool(running) and all(row.status == live.RUNNER_STATUS_FINISHED for row in running)

    def show(self, elapsed: float) -> None:
        with self.lock:
            rows = sorted(self.rows.values(), key=lambda row: (row.rank == 0, row.rank, row.number))
        line = "  ".join(f"{row.rank or '-'} {row.name.split()[0]} {place(row)}" for row in rows)
        print(f"      │ {elapsed:5.1f} s  {line}", flush=True)

    def close(self) -> None:
        self.call.cancel()
        self.thread.join(timeout=10)


def place(row: live.LeaderboardRow) -> str:
    if row.HasField("finish_time_ms"):
        return f"FINISHED {row.finish_time_ms / 1000:.1f} s"
    return f"{row.distance_m:.0f} m {STATUS.get(row.status, '')}".strip()


def register(channel: grpc.Channel, who: tuple) -> tuple[Caller, int]:
    username, given, family, is_female, fiscal_code, year = who
    password = new_password()
    Caller(channel).call(
        IdentityServiceStub(channel).RegisterPerson,
        identity.RegisterPersonRequest(
            username=username, email=f"{username}@example.org", password=password, given_names=given, family_name=family,
            fiscal_code=fiscal_code, date_of_birth=f"{year}-03-14",
            sex=identity.SEX_FEMALE if is_female else identity.SEX_MALE, weight_kg=64, height_cm=170,
        ),
    )  # fmt: skip
    return log_in(channel, username, password)


def moment(seconds: float) -> Timestamp:
    return Timestamp(seconds=int(seconds), nanos=int(seconds % 1 * 1e9))
