"""C-23: what is left of somebody who has left. One person puts words of their own wherever words can be put, and leaves;
then every column of every table and every file of the data directory is searched for them."""

from __future__ import annotations

import contextlib
import random
import re
from contextlib import closing
from dataclasses import dataclass, field

import pytest

from trackme.protocol import emergencies, identity, sos

import seeds
from accounts import Accounts, Credentials, Member, whole
from caller_table import plan
from contact_codes import agree, texts_to
from dispatchers import RESOLVED, Handling
from fiscal_codes import Identity, fiscal_code
from patients import BORN, MILAN, Patient, now_us
from race_rows import put_course
from server_process import ServerProcess, wait_until
from streams import Caller, scalars

pytestmark = pytest.mark.strict

HOUR_US = 3_600_000_000


@dataclass
class Words:
    """Made-up words, each for one place, and numbers that nobody else has."""

    rng: random.Random
    by_place: dict[str, str] = field(default_factory=dict)

    def new(self, place: str) -> str:
        assert place not in self.by_place
        word = "Q" + "".join(self.rng.choice("bdfghklmnprstvz") + self.rng.choice("aeiou") for _ in range(7))
        self.by_place[place] = word
        return word

    def take(self, place: str, word: str) -> str:
        self.by_place[place] = word
        return word


def columns_with(server: ServerProcess, words: list[str]) -> dict[str, set[str]]:
    """In which columns, of all tables and whatever their types are, which of the words stand: as text, or as bytes."""
    pattern = "|".join(re.escape(word) for word in words)
    in_hex = "|".join(word.encode().hex() for word in words)
    found: dict[str, set[str]] = {}
    tables = server.sql(
        "SELECT n.nspname, c.relname, array_agg(a.attname) FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid"
        " JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE c.relkind IN ('r', 'p', 'm') AND a.attnum > 0 AND NOT a.attisdropped"
        " AND n.nspname NOT LIKE 'pg\\_%%' AND n.nspname <> 'information_schema'"
        " AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.objid = c.oid AND d.deptype = 'e') GROUP BY 1, 2",
    )
    assert sum(len(columns) for _, _, columns in tables) > 100
    with closing(server.connect()) as connection:
        for schema, table, columns in tables:
            texts = ", ".join(f"('{column}', t.\"{column}\"::text)" for column in columns)
            rows = connection.execute(
                f'SELECT DISTINCT c, v FROM "{schema}"."{table}" t, LATERAL (VALUES {texts}) x (c, v)'
                " WHERE v ~* %s OR v ~* %s",
                (pattern, in_hex),
            )
            for column, value in rows:
                for word in words:
                    if word.lower() in value.lower() or word.encode().hex() in value.lower():
                        found.setdefault(f"{table}.{column}", set()).add(word)
    return found


def files_with(server: ServerProcess, words: list[str]) -> dict[str, set[str]]:
    """Which files of the server, PostgreSQL's own data left aside, hold which of the words."""
    found: dict[str, set[str]] = {}
    looked_at = 0
    for path in server.data_dir.rglob("*"):
        if not path.is_file() or "data/postgres/data" in str(path):
            continue
        looked_at += 1
        text = path.read_bytes().lower()
        hits = {word for word in words if word.lower().encode() in text or word.lower() in path.name.lower()}
        if hits:
            found[str(path.relative_to(server.data_dir))] = hits
    assert looked_at > 3
    return found


def log_with(server: ServerProcess, words: list[str]) -> set[str]:
    """Which of the words stand in files of PostgreSQL's write-ahead log, whether they are in use or kept for later."""
    found: set[str] = set()
    for path in (server.data_dir / "data/postgres/data/pg_wal").glob("[0-9A-F]" * 24):
        # PostgreSQL may remove it meanwhile.
        with contextlib.suppress(FileNotFoundError):
            content = path.read_bytes()
            found |= {word for word in words if word.encode() in content}
    return found


def push(caller: Caller, person: int, client: str, source: str, time_us: int) -> None:
    with caller.push(client) as stream:
        stream.commit(stream.welcome.last_sequence + 1, scalars(person, [(time_us, 71.5)], source=source))


def erase(server: ServerProcess, accounts: Accounts, member: Member) -> identity.ErasureReceipt:
    """The receipt, when everything is said to be gone."""
    receipt = member.ask("DeactivateAccount", password=member.credentials.password).receipt
    # Nobody pushes any more, so the erasure need not wait for those who might.
    server.sql("UPDATE erasure SET requested_at = requested_at - interval '2 minutes'")
    stranger = accounts.anonymous()

    def done():
        now = stranger.ask("GetErasureReceipt", receipt_id=receipt.receipt_id).receipt
        return now if now.HasField("erased") else None

    return wait_until(done, 60, "the erasure")


@pytest.fixture(scope="module")
def town():
    process = ServerProcess(
        {"TRACKME_HEARTBEAT_MS": "200", "TRACKME_LOG_LEVEL": "debug", "TRACKME_COMPACTION_SECONDS": "1"}
    ).start()
    yield process
    process.remove()


@pytest.fixture(scope="module")
def people(town):
    accounts = Accounts(town)
    yield accounts
    accounts.close()


def worded_patient(people: Accounts, words: Words) -> Patient:
    """A person who wears a device and is called by words of this test."""
    credentials = Credentials(words.new("username"), f"{words.new('email')}@example.org", "correct horse battery")
    given, family = words.new("given names"), words.new("family name")
    code = words.take("fiscal code", fiscal_code(family, given, BORN, True, "F205"))
    people.credentials = lambda kind: credentials
    try:
        patient = Patient(
            people, given_names=given, family_name=family, fiscal_code=code, sex=identity.SEX_FEMALE,
            request_id=words.new("registration"), fields=[
                identity.FieldValue(name="address", value=words.new("address")),
                identity.FieldValue(name="social_status", value=words.new("social status")),
            ],
        )  # fmt: skip
    finally:
        del people.credentials
    patient.member.who = Identity(given, family, BORN, True, code)
    return patient


def push_from_everywhere(people: Accounts, patient: Patient, other: Member, words: Words, kept: Words) -> None:
    """By a device, by a bridge that serves another person too, and from a source that another person has too."""
    person, number, base = patient.member, patient.number, now_us() - HOUR_US
    answer = person.ask("CreateDevice", name=words.new("device"), request_id=words.new("device's request"))
    device = people.keep(Caller(people.server.target, answer.token))
    push(device, number, words.new("client"), words.new("source"), base)
    with people.bridge(person, other).push(words.new("bridge's client")) as stream:
        stream.commit(1, scalars(number, [(base + 1, 70)], source=words.new("source by bridge")))
        stream.commit(2, scalars(number, [(base + 2, 70)]))
    shared = kept.new("a source that others have too")
    # Its readings all name their source: no reading tells whose the client is.
    with people.bridge(person, other).push(words.new("bridge's client of another source")) as stream:
        stream.commit(1, scalars(number, [(base + 4, 70)], source=shared))
    with people.bridge(person, other).push(kept.new("bridge's client that serves others too")) as stream:
        stream.commit(1, scalars(number, [(base + 5, 70)], source=shared))
        stream.commit(2, scalars(other.account_id, [(base + 5, 70)], source=shared))
    push(device, number, words.new("second client"), shared, base + 3)
    push(people.keep(other.device()), other.account_id, "others-client", shared, base + 3)


def be_asked(people: Accounts, person: Member, words: Words) -> None:
    """A third party asks, is let, subscribes, and asks again."""
    doctor = people.third_party()
    asked = doctor.request(person, purpose=words.new("purpose"), request_id=words.new("access request"))
    person.ask("AcceptAccessRequest", access_request_id=asked.access_request_id)
    doctor.subscription(asked.access_request_id, request_id=words.new("subscription"))
    doctor.request(person, whole(metrics=("steps",)), purpose=words.new("pending purpose"))


def race(server: ServerProcess, person: Member, other: Member, words: Words, kept: Words) -> None:
    """A draft, a route that nothing came of, a race that another runs, and a place in another's race."""

    def course(column: str, word: str) -> str:
        route = put_course(server, person)
        server.sql(f"UPDATE course SET {column} = %s WHERE id = %s::uuid", (word, route))
        return route

    draft = plan(
        course("start_name", words.new("draft's start")), name=words.new("draft"), description=words.new("draft's text")
    )
    person.ask("CreateRace", request_id=words.new("draft's request"), plan=draft)
    course("arrival_name", words.new("unused route"))
    open_plan = plan(course("start_name", kept.new("start")), name=kept.new("race"), description=kept.new("text"))
    opened = person.ask("CreateRace", request_id=words.new("race's request"), plan=open_plan).race
    person.ask("OpenEnrolment", race_id=opened.race_id)
    other.ask("Enrol", race_id=opened.race_id)
    others = other.ask("CreateRace", request_id="run", plan=plan(put_course(server, other))).race
    other.ask("OpenEnrolment", race_id=others.race_id)
    person.ask("Enrol", race_id=others.race_id, runner_name=words.new("runner"))


def be_rescued(people: Accounts, patient: Patient, words: Words) -> None:
    """An emergency that is over, of which contacts were told in every way."""
    contact = sos.EmergencyContact(
        name=words.new("contact"), phone_number="+" + words.take("contact's number", "393474445556"),
        email=f"{words.new('contact email')}@example.org",
    )  # fmt: skip
    patient.choose(enabled=True, callback_number="+" + words.take("callback number", "393471112223"), contacts=[contact])
    agree(people.server, [contact])
    exertion = sos.DeclareExertionRequest(request_id=words.new("exertion"))
    exertion.to.FromSeconds(now_us() // 1_000_000 + 2)
    number = patient.member.ask("DeclareExertion", request_id=exertion.request_id, to=exertion.to).exertion.exertion_id
    patient.member.ask("EndExertion", exertion_id=number)
    patient.be_at((float(words.take("latitude", "45.464217")), MILAN[1]))
    with Handling(people.dispatcher()) as rescue:
        patient.cross(31.0625)
        words.take("pulse", "31.0625")
        call = rescue.call_for(patient.number)
        # The gateway's files, and the contact's SMS and mail.
        folder = people.server.data_dir / "data"
        wait_until(lambda: len(list((folder / "gateway").glob("*.txt"))) >= 4, what="the question and the messages")
        wait_until(lambda: len(texts_to(people.server, contact.email)) == 2, what="the question and the contact's mail")
        rescue.answer(call.emergency_id, RESOLVED, words.new("dispatcher's note"))
        patient.emergency_in(emergencies.EMERGENCY_STATE_RESOLVED)
    patient.leave()


# Where the words must be found before: so that not finding them afterwards says something.
HELD_BEFORE = {
    "access_request.purpose", "access_request.request_id", "account.display_name", "account.email",
    "account.form_values", "account.request_id", "account.username", "course.arrival_name", "course.start_name",
    "device.name", "device.request_id", "email_queue.address", "emergency.facts", "ingest_client.name",
    "notification.facts", "person.family_name", "person.fiscal_code", "person.given_names", "race.description",
    "race.name", "race.request_id", "race_enrolment.runner_name", "reading_source.name", "sos_contact.email",
    "sos_contact.name", "sos_contact.phone_number", "sos_contact_address.address", "sos_exertion.request_id", "sos_settings.callback_number",
    "subscription.request_id",
}  # fmt: skip


def test_no_word_of_who_has_left_is_in_any_table_or_file(town, people):
    rng = seeds.rng("erasure")
    words, kept = Words(rng), Words(rng)
    patient, other = worded_patient(people, words), people.person()
    be_rescued(people, patient, words)
    push_from_everywhere(people, patient, other, words, kept)
    be_asked(people, patient.member, words)
    race(town, patient.member, other, words, kept)

    every = list(words.by_place.values())
    before = columns_with(town, every)
    assert HELD_BEFORE - before.keys() == set()
    assert set(every) - set().union(*before.values()) == set(), "a word that is nowhere shows nothing"
    assert len(log_with(town, every)) > 10
    folders = {path.split("/")[1] for path in files_with(town, every)}
    assert {"emergencies", "gateway", "mail"} <= folders

    receipt = erase(town, people, patient.member)
    assert receipt.erased_readings > 0
    assert columns_with(town, every) == {}
    assert files_with(town, every) == {}
    wait_until(lambda: log_with(town, every) == set(), 30, "the end of the words in the write-ahead log")

    # What is not the person's alone stays: a race that others run, with its course, and a source that others have.
    assert columns_with(town, list(kept.by_place.values())).keys() >= {
        "race.name", "race.description", "course.start_name", "reading_source.name", "ingest_client.name",
    }  # fmt: skip
    shown = other.history(other.account_id)[0]
    assert shown.source == kept.by_place["a source that others have too"]
    # Neither does it come back with a restart.
    town.kill()
    town.start()
    assert columns_with(town, every) == {} and files_with(town, every) == {}
