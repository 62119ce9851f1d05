"""A database of the version before opens, and everything that its clients have kept goes on: Tests/fixtures/before."""

import contextlib
import gzip
import shutil
import subprocess

import psycopg
import pytest

from trackme.protocol import identity

from database_before import DATABASE, HOUR_US, JOURNAL, LAST_US, People, story
from dispatchers import ACCEPTED, CALL, Handling
from server_process import SERVING, ServerProcess, wait_until
from streams import scalars

STORY = story()
MIGRATIONS = "SELECT number FROM schema_migration ORDER BY 1"


@pytest.fixture(scope="module")
def server():
    """The server of today on what the version before has left."""
    server = ServerProcess({"TRACKME_HEARTBEAT_MS": "200"}).start()
    try:
        server.migrations = server.sql(MIGRATIONS)
        # Without the server PostgreSQL goes on.
        server.kill()
        _, host, _, port = server.psql_arguments[:4]
        with psycopg.connect(host=host, port=port, user="trackme", dbname="postgres", autocommit=True) as connection:
            connection.execute("DROP DATABASE trackme WITH (FORCE)")
            connection.execute("CREATE DATABASE trackme")
        subprocess.run(
            ["psql", *server.psql_arguments, "-q", "-v", "ON_ERROR_STOP=1", "-o", "/dev/null"],
            input=gzip.decompress(DATABASE.read_bytes()), check=True, timeout=60,
        )  # fmt: skip
        # Set forward, because each hour that has passed would have an empty digest. Nothing else ends by the clock:
        # tokens of devices and dispatchers and the grants have no end, and sessions are begun anew.
        server.sql("UPDATE subscription SET period_end = now() + interval '1 day' WHERE period_end IS NOT NULL")
        # As if the database had been away when somebody needed help: the journal alone knows of it.
        server.sql("DELETE FROM emergency WHERE id = %s::uuid", (STORY["numbers"]["open emergency"],))
        journal = server.data_dir / "data" / "emergencies"
        shutil.rmtree(journal)
        shutil.copytree(JOURNAL, journal)
        server.start()
        yield server
        assert server.stop() == 0, server.log_tail()
    finally:
        server.remove()


@pytest.fixture(scope="module")
def people(server):
    people = People(server, STORY)
    yield people
    people.close()


@pytest.fixture(scope="module")
def answers(people):
    return people.answers()


def test_the_server_serves_with_all_migrations(server):
    assert server.health() == SERVING
    assert server.sql(MIGRATIONS) == server.migrations, "those of a new database"


@pytest.mark.parametrize("question", STORY["answers"])
def test_every_question_has_the_answer_that_it_had_before(answers, question):
    """Cursors of both kinds and page tokens lead to the same; exports and boards are the same byte for byte."""
    assert answers[question] == STORY["answers"][question]


def test_a_third_party_of_before_is_called_as_it_called_itself_and_was_not_checked(people):
    (asked, *_) = people["walker"].ask("ListAccessRequests").access_requests
    seen = asked.third_party
    assert (seen.name, seen.description, seen.checked) == (asked.third_party_name, "Cardiology", "") != ("", "", "")
    assert seen.kind == identity.HOLDER_KIND_UNSPECIFIED


def test_what_is_pushed_now_comes_after_what_was_there_and_once(people, answers):
    """With the token of a device of before, which goes on with its stream."""
    person, device = people.numbers["walker"], people.by_token("walker")
    cursors = {name: cursor for name, cursor in STORY["cursors"].items() if name.startswith("log")}
    new_us = [LAST_US + n * HOUR_US for n in (1, 2)]
    with contextlib.ExitStack() as streams, device.push("watch") as push:
        following = {name: streams.enter_context(people.follow(cursor)) for name, cursor in cursors.items()}
        assert push.welcome.last_sequence > 0
        for sequence, time_us in enumerate(new_us, push.welcome.last_sequence + 1):
            push.commit(sequence, scalars(person, [(time_us, 60)]))
        for name, stream in following.items():
            before = answers[f"Subscribe {name}"]
            now = people.delivered(stream, new_us[-1])
            assert [row[2] for row in now["scalars"]] == [row[2] for row in before["scalars"]] + new_us, name
            assert (now["positions"], now["waveforms"]) == (before["positions"], before["waveforms"]), name
    device.channel.close()


def test_an_open_emergency_is_called_again_as_the_same_incident(people):
    number, dispatcher = STORY["numbers"]["open emergency"], people.by_token("dispatcher")
    with Handling(dispatcher) as rescue:
        emergency = rescue.call_for(people["waiting"].account_id)
        assert emergency.emergency_id == number
        rescue.answer(number, ACCEPTED)

        def accepted():
            (found,) = people["waiting"].ask("ListEmergencies").emergencies
            return found if any("dispatcher" in t.actor for t in found.transitions) else None

        assert wait_until(accepted, what="the acceptance").emergency_id == number
        assert [frame.kind for _, frame in rescue.notices].count(CALL) == 1, "what is over is not called for"
    dispatcher.channel.close()
