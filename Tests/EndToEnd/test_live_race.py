"""A race as its spectators see it over the wire: real processes, positions pushed by the runners' own devices."""

from __future__ import annotations

import grpc
import pytest
from trackme.protocol import LiveServiceStub, live, race

from accounts import Accounts
from caller_table import plan
from race_rows import put_race
from race_runners import Runner, present
from streams import PATIENCE_S, metadata

NUMBERS = (1, 2, 3)


@pytest.fixture
def accounts(own_server):
    accounts = Accounts(own_server)
    yield accounts
    accounts.close()


class Spectator:
    """What somebody who watches knows, out of frames alone."""

    def __init__(self, member, race_id: int, cursor: str = ""):
        request = live.WatchRaceRequest(race_id=race_id, cursor=cursor)
        self.call = LiveServiceStub(member.channel).WatchRace(
            request, metadata=metadata(member.token), timeout=PATIENCE_S * 4
        )
        self.rows: dict[int, live.LeaderboardRow] = {}
        self.state, self.cursor, self.kinds = 0, "", []

    def take(self) -> live.WatchRaceResponse:
        frame = next(self.call)
        self.cursor = frame.cursor
        self.kinds.append(frame.WhichOneof("frame"))
        if frame.HasField("snapshot"):
            self.state = frame.snapshot.leaderboard.state
            self.rows = {row.number: row for row in frame.snapshot.leaderboard.rows}
        elif frame.HasField("delta"):
            delta = frame.delta
            self.state = delta.state
            self.rows.update({row.number: row for row in (*delta.changed, *delta.leaders)})
            for number, marker, age in zip(delta.numbers, delta.marker_m, delta.fix_age_ms, strict=True):
                self.rows[number].marker_m, self.rows[number].fix_age_ms = marker, age
        return frame

    def until(self, condition) -> None:
        """Takes frames until something holds."""
        while not condition(self.rows):
            self.take()


def leaderboard(member, race_id: int, **moment) -> live.Leaderboard:
    request = live.GetLeaderboardRequest(race_id=race_id, **moment)
    return LiveServiceStub(member.channel).GetLeaderboard(
        request, metadata=metadata(member.token), timeout=PATIENCE_S
    ).leaderboard


def test_a_race_is_watched_and_outlives_its_server(own_server, accounts):
    """A-R23, A-R24: fixes by device tokens move markers; the server is killed in the midst of it, and the board is the
    same; what was shown is shown again byte for byte; the finish is seen."""
    organizer, spectator = accounts.person(), accounts.person()
    runners = {number: Runner(accounts) for number in NUMBERS}
    row = put_race(own_server, organizer, "running", [runner.member for runner in runners.values()])
    started = row.starts + 60
    present(own_server, row, [runners[1].member, runners[2].member])

    watching = Spectator(spectator, row.race_id)
    watching.until(lambda rows: len(rows) == 3)
    assert watching.state == race.RACE_STATE_RUNNING
    runners[1].run(started, 0, 60, speed=4)
    runners[2].run(started, 0, 60, speed=5)
    runners[3].run(started, 0, 60, speed=5)
    watching.until(lambda rows: rows[1].marker_m > 200 and rows[2].marker_m > 250)
    assert watching.rows[2].rank == 1 and watching.rows[1].rank == 2
    assert not watching.rows[3].has_marker, "who is not present has no marker"
    assert watching.rows[3].status == live.RUNNER_STATUS_ABSENT
    assert watching.kinds[0] == "snapshot" and set(watching.kinds[1:]) <= {"delta", "heartbeat", "snapshot"}

    shown = leaderboard(spectator, row.race_id)
    for runner in runners.values():
        runner.leave()
    own_server.kill()
    own_server.start()
    with pytest.raises(grpc.RpcError):
        while True:
            watching.take()
    again = leaderboard(spectator, row.race_id, cursor=shown.cursor)
    assert again.SerializeToString(deterministic=True) == shown.SerializeToString(deterministic=True)

    watching = Spectator(spectator, row.race_id, watching.cursor)
    watching.until(lambda rows: len(rows) == 3 and rows[2].marker_m > 250)
    runners[2].run(started, 61, 230, speed=5, since=305)
    watching.until(lambda rows: rows[2].status == live.RUNNER_STATUS_FINISHED)
    assert 215_000 < watching.rows[2].finish_time_ms - 60_000 < 230_000
    assert [split.point for split in watching.rows[2].splits] == [0, 1, 2]
    watching.call.cancel()
    for runner in runners.values():
        runner.leave()


@pytest.mark.long
def test_the_board_follows_a_course_that_changes_before_the_deadline(own_server, accounts):
    """A-R17, A-R23: who watches sees the new course at once, and a server that starts later measures along it."""
    organizer, spectator = accounts.person(), accounts.person()
    runner = Runner(accounts)
    row = put_race(own_server, organizer, "open", [runner.member])
    watching = Spectator(spectator, row.race_id)
    first = watching.take().snapshot.race
    assert first.course.arrival.name == "Arco"

    # Half as long, so that the old course's middle is the new one's arrival.
    ((route,),) = own_server.sql(
        """
        INSERT INTO course (planned_by, source, latitudes, longitudes, altitudes, start_name, start_at, arrival_name,
          arrival_at, stage_names, stage_latitudes, stage_longitudes, stage_distances, length_m, attribution)
        SELECT planned_by, source, ARRAY[45.47, 45.475], longitudes, '{}', start_name, start_at, 'Arena',
          ST_MakePoint(9.17, 45.475)::geography, '{}', '{}', '{}', '{}', 555.75, '' FROM course
        RETURNING id::text
        """
    )
    before = organizer.ask("GetRace", race_id=row.race_id).race
    wanted = plan(route, name=before.name, place_name=before.place_name)
    wanted.starts.CopyFrom(before.starts)
    wanted.enrolment_ends.CopyFrom(before.enrolment_ends)
    organizer.ask("UpdateRace", race_id=row.race_id, etag=before.etag, plan=wanted)
    while True:
        frame = watching.take()
        if frame.HasField("snapshot") and frame.snapshot.race.course.arrival.name == "Arena":
            break
    watching.call.cancel()

    # The race begins, by its dates in the database.
    own_server.sql(
        "UPDATE race SET starts_at = now() - interval '10 minutes', enrolment_ends_at = now() - interval '1 hour',"
        " changed_in = pg_current_xact_id() WHERE id = %s",
        (row.race_id,),
    )
    ((started,),) = own_server.sql("SELECT extract(epoch FROM starts_at)::float8 FROM race")
    present(own_server, row, [runner.member])
    own_server.kill()
    own_server.start()
    watching = Spectator(spectator, row.race_id)
    watching.until(lambda rows: len(rows) == 1)
    runner.run(started, 0, 200, speed=3)
    watching.until(lambda rows: rows[1].status == live.RUNNER_STATUS_FINISHED)
    assert 180_000 < watching.rows[1].finish_time_ms < 190_000, "555.75 m at 3 m/s"
    watching.call.cancel()
    runner.leave()


def test_strangers_see_no_race_by_invitation(own_server, accounts):
    organizer, stranger, runner = accounts.person(), accounts.person(), accounts.person()
    row = put_race(own_server, organizer, "running", [runner], by_invitation=True)
    with pytest.raises(grpc.RpcError) as refused:
        Spectator(stranger, row.race_id).take()
    assert refused.value.code() == grpc.StatusCode.NOT_FOUND
    for member in (organizer, runner):
        watching = Spectator(member, row.race_id)
        watching.until(lambda rows: len(rows) == 1)
        watching.call.cancel()
