"""A-R19.1: what many people of a race are told reaches each of them once, also if the server dies meanwhile."""

from accounts import Accounts
from race_rows import everybody_is_told, put_race
from server_process import ServerProcess, wait_until

RUNNERS = 2_000


def test_a_server_that_is_killed_while_it_tells_of_a_cancelled_race_tells_everybody_once():
    server = ServerProcess({}).start()
    accounts = Accounts(server)
    try:
        race = put_race(server, accounts.person())
        server.sql(
            """
            WITH made AS (
              INSERT INTO account (kind, username, email, display_name)
              SELECT 'person', 'runner-' || n, 'runner-' || n || '@example.org', 'Runner'
              FROM generate_series(1, %s) n RETURNING id
            )
            INSERT INTO race_enrolment (race, person, state, number, runner_name)
            SELECT %s, id, 3, row_number() OVER (), 'Runner' FROM made
            """,
            (RUNNERS, race.race_id),
        )
        # Each piece takes a while, so that one can be hit.
        server.sql("""
            CREATE FUNCTION linger() RETURNS trigger LANGUAGE plpgsql AS $$
            BEGIN PERFORM pg_sleep(0.5); RETURN NULL; END $$;
            CREATE TRIGGER linger AFTER INSERT ON notification FOR EACH STATEMENT EXECUTE FUNCTION linger();
        """)

        def told() -> int:
            return server.sql("SELECT count(*) FROM notification WHERE kind = 15")[0][0]

        race.organizer.ask("CancelRace", race_id=race.race_id, reason="Storm")
        wait_until(lambda: told() > 0, what="the first piece")
        server.kill()
        assert told() < RUNNERS
        server.sql("DROP FUNCTION linger CASCADE")
        server.start()
        wait_until(lambda: told() >= RUNNERS + 1, what="the last one who is told")
        everybody_is_told(server)
        for table in ("notification", "email_queue"):
            assert server.sql(f"SELECT count(*), count(DISTINCT account) FROM {table} WHERE kind = 15") == [
                (RUNNERS + 1, RUNNERS + 1)
            ]
    finally:
        accounts.close()
        server.remove()
