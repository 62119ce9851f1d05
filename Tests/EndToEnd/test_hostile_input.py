"""What strangers send: random, huge, broken and malicious input on every request type of every RPC, as every kind of
caller who may call it. It is answered with a status that says which field is wrong; it breaks nothing and changes
nothing.

Each request comes from one of the callers; in `make test-long`, and with TRACKME_HYPOTHESIS=thorough, more of them, and each
from all. The fuzzer of `Tests/Robustness` sends the same kinds of requests, far more of them.
"""

import os

import grpc
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from trackme.protocol import identity

from accounts import whole
from caller_table import ROWS, Town
from failures import fails
from hostile_messages import SQL_TEXTS, changes, garbage, messages, number_fields, text_fields
from hostile_targets import BROKEN, LATER_FRAMES, NUMBERS, Target, check_answer, make_targets
from race_rows import everybody_is_told
from sealed import key_of, well_formed
from server_process import SERVING, wait_until

# A new seed for each run; see Tests/conftest.py.
_COMMON = {"database": None, "deadline": None, "suppress_health_check": list(HealthCheck)}
settings.register_profile("quick", max_examples=10, **_COMMON)
settings.register_profile("long", max_examples=50, **_COMMON)
settings.register_profile("thorough", max_examples=3_000, **_COMMON)
PROFILE = settings.get_profile(os.environ.get("TRACKME_HYPOTHESIS", "quick"))


@pytest.fixture(scope="module")
def town(server, accounts):
    return Town(accounts, server.operator_token)


@pytest.fixture(scope="module")
def targets(server, accounts, town):
    return make_targets(server, accounts, town)


PATHS = sorted({row.path for row in ROWS})


def rpc(path: str) -> str:
    return path.removeprefix("/trackme.").rpartition("/")[2] if "trackme" in path else path


def finish_erasures(server):
    """Accounts that tests have ended are gone, so that rows are counted in quiet."""
    server.sql("UPDATE erasure SET requested_at = requested_at - interval '10 minutes' WHERE erased_at IS NULL")
    wait_until(lambda: server.sql("SELECT count(*) FROM erasure WHERE erased_at IS NULL") == [(0,)], 60, "the erasures")


@pytest.fixture(autouse=True)
def the_server_lives(server):
    """The same process serves before and after."""
    pid = server.process.pid
    yield
    assert server.process.poll() is None and server.process.pid == pid, server.log_tail()
    assert server.health() == SERVING


@pytest.fixture(scope="module")
def known(server, targets):
    """Cursors and page tokens as this server makes them, of the races that good requests are about."""
    races = [race for (race,) in server.sql("SELECT id FROM race ORDER BY id")]
    tokens = well_formed(key_of(server), races)
    return {"cursor": tokens, "page_token": tokens}


@pytest.mark.parametrize("path", PATHS, ids=rpc)
def test_no_request_breaks_the_server_and_what_is_refused_names_its_fields(targets, known, path):
    descriptor = targets[path][0].method.request.DESCRIPTOR
    asked = targets[path]
    if not asked[0].must_be_known:
        # Where nobody looks at who asks, two of fourteen kinds are enough.
        asked = [asked[0], asked[-1]] if len(asked) > 1 else asked
    goods = [target.good for target in asked]
    change = changes(descriptor, known)
    strategy = st.one_of(
        st.tuples(st.just("random"), messages(descriptor, known=known)),
        st.tuples(st.just("changed"), change),
        st.tuples(st.just("changed"), st.tuples(change, change).map(b"".join)),
        st.tuples(st.just("bytes"), garbage(goods[0])),
    )

    # All of them, or one at a time.
    callers = st.just(asked) if PROFILE.max_examples > 30 else st.sampled_from(asked).map(lambda target: [target])

    @settings(PROFILE)
    @given(strategy, callers)
    def check(example, some):
        how, content = example
        for target in some:
            frames = [target.good + content if how == "changed" else content]
            check_answer(target.method, target.send(*frames))
            if (later := LATER_FRAMES.get(target.method.name)) is not None:
                first = later.SerializeToString() + content if how == "changed" else content
                check_answer(target.method, target.send(target.good, first))

    check()


@pytest.mark.parametrize("path", PATHS, ids=rpc)
def test_no_number_of_any_request_is_too_great_or_too_small(targets, path):
    target = targets[path][-1]
    later = LATER_FRAMES.get(target.method.name)
    for field, put in number_fields(target.method.request.DESCRIPTOR):
        for value in NUMBERS:
            frames = [target.good + put(value)]
            if later is not None and field.startswith(later.WhichOneof("frame")):
                frames = [target.good, later.SerializeToString() + put(value)]
            got = target.send(*frames)
            assert got.code not in BROKEN, f"{field} = {value}: {got} {got.message}"
            check_answer(target.method, got)


def test_a_status_with_very_many_violations_fits_into_what_clients_take(town):
    """gRPC's own limit is 8 KiB of trailers, and a status that is longer is lost."""
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "notification_ids[0]"):
        town.person.ask("MarkRead", notification_ids=[-1] * 1_000)
    fields = [identity.FieldValue(name=f"field_{i}", value="x" * 5_000) for i in range(200)]
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "email", "password"):
        town.nobody.ask("RegisterPerson", fields=fields)
    names = ["é" * 2_000 for _ in range(100)]
    with fails(grpc.StatusCode.INVALID_ARGUMENT):
        town.doctor.request(town.person, whole(metrics=names))


BROKEN_TEXTS = {"a NUL": b"heart\x00rate", "no UTF-8": b"heart\xff\xfe", "half a character": b"\xc3"}


@pytest.mark.parametrize("path", PATHS, ids=rpc)
def test_text_with_nul_or_broken_utf8_is_refused_by_its_field(targets, path):
    for target, frames, field, content in injections(targets[path], BROKEN_TEXTS.values()):
        got = target.send(*frames)
        if path.startswith("/grpc.health"):  # Names of services that are none.
            assert got.code not in BROKEN
            continue
        assert got.code == grpc.StatusCode.INVALID_ARGUMENT, f"{field} = {content!r}: {got}"
        assert [strip_indices(f) for f in got.fields] == [field], content


# Tables that move by themselves, with what happened before or whenever somebody calls.
RESTLESS = {
    "reading_log", "reading_chunk", "log_state", "merge_queue", "email_queue", "log_in_attempt", "session",
    "access_token", "token_change", "disclosure", "erasure", "watermark", "group_stale",
}  # fmt: skip
# What a call adds to where it takes the text for a name.
GROWING = {
    "RegisterPerson": {"account", "person", "sos_settings", "notification"},
    "RegisterThirdParty": {"account", "notification", "third_party_code"},
    "CreateDevice": {"device", "notification"},
    "CreateDeskOperator": {"account", "desk_operator"},
    "UpdateDefinition": {"expenditure_text"},
    "RequestAccess": {"access_request", "access_change", "notification"},
    "CreateSubscription": {"subscription"},
    "IssueThirdPartyCode": {"third_party_code"},
    "UpdateThirdPartyCode": {"account_decision"},
    "WithdrawThirdPartyCode": {"account_decision"},
    "DisableAccount": {"account_decision", "notification"},
    "EnableAccount": {"account_decision", "notification"},
    "CreateBridge": {"account", "bridge"},
    "CreateDispatcher": {"account", "dispatcher"},
    "SetDispatchStatus": {"dispatch_status"},
    "DisableRace": {"race_disabling", "notification"},
    "EnableRace": {"race_disabling", "notification"},
    "DeclareExertion": {"sos_exertion"},
    "AnnounceMaintenance": {"maintenance", "notification"},
    "PutMetric": {"metric"},
    "QueryGroup": {"group_answer", "group_budget", "group_charge"},
    "ExportGroup": {"group_answer", "group_budget", "group_charge"},
    "UpdateRegistrationForm": {"registration_form_field"},
    "PushReadings": {"reading_source", "ingest_client"},
    "RecordReadings": {"reading_source", "ingest_client"},
    "PlanRoutes": {"course"},
    "CreateRace": {"race", "race_organizer"},
    "CancelRace": {"race_change", "race_notice", "notification"},
    "Enrol": {"race_enrolment", "payment", "notification"},
    "ObserveRace": {"race_observer"},
    "InviteRunners": {"race_invitation", "race_invitation_told", "race_notice", "notification"},
    "AddOrganizer": {"race_organizer", "notification"},
    "Disqualify": {"race_change", "notification"},
    "Reinstate": {"race_change", "notification"},
    "CorrectResult": {"race_change", "notification"},
}


@pytest.fixture(scope="module")
def schema(server):
    """As it is before any of these requests."""
    return schema_of(server)


@pytest.mark.parametrize("path", PATHS, ids=rpc)
def test_sql_in_any_text_changes_nothing(server, targets, schema, path):
    finish_erasures(server)
    everybody_is_told(server)
    counts = counts_of(server)
    texts = [text.encode() for text in SQL_TEXTS]
    for target, frames, field, content in injections(targets[path][-1:], texts):
        got = target.send(*frames)
        assert got.code not in BROKEN, f"{field} = {content!r}: {got}"
    assert schema_of(server) == schema
    after = counts_of(server)
    changed = {table: (counts.get(table), after.get(table)) for table in counts | after
               if counts.get(table) != after.get(table)}  # fmt: skip
    assert set(changed) <= GROWING.get(rpc(path), set()), changed
    assert all(now > before for before, now in changed.values()), changed


def injections(targets: list[Target], contents):
    """Good requests in which one text is another: (target, frames, path of the text, text)."""
    for target in targets:
        for field, put in text_fields(target.method.request.DESCRIPTOR):
            later = LATER_FRAMES.get(target.method.name)
            in_later = later is not None and field.startswith(later.WhichOneof("frame"))
            if in_later and not target.is_let_in:
                continue
            for content in contents:
                if in_later:
                    yield target, [target.good, later.SerializeToString() + put(content)], field, content
                else:
                    yield target, [target.good + put(content)], field, content


def strip_indices(path: str) -> str:
    return ".".join(part.partition("[")[0] for part in path.split("."))


def counts_of(server) -> dict[str, int]:
    """How many rows each table has that does not move by itself."""
    tables = server.sql(
        "SELECT tablename FROM pg_tables WHERE schemaname = 'public' AND tablename <> ALL (%s) ORDER BY 1", (list(RESTLESS),)
    )
    union = " UNION ALL ".join(f"SELECT '{name}', count(*) FROM \"{name}\"" for (name,) in tables)
    return dict(server.sql(union))


def schema_of(server) -> list[tuple]:
    """Everything that makes up the schema."""
    return server.sql(
        """
        SELECT 'column', table_name || '.' || column_name, concat_ws(' ', data_type, is_nullable, column_default)
        FROM information_schema.columns WHERE table_schema = 'public'
        UNION ALL SELECT 'index', indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'
        UNION ALL SELECT 'constraint', conname, pg_get_constraintdef(oid) FROM pg_constraint
          WHERE connamespace = 'public'::regnamespace
        UNION ALL SELECT 'function', proname, prosrc FROM pg_proc WHERE pronamespace = 'public'::regnamespace
        UNION ALL SELECT 'trigger', tgname, tgrelid::regclass::text FROM pg_trigger WHERE NOT tgisinternal
        UNION ALL SELECT 'role', rolname, rolsuper::text FROM pg_roles
        ORDER BY 1, 2, 3
        """
    )
