"""Files that pages link to (B-R.D2/3, A-R5, A-R9): what an RPC streams, with a name and a type, for pages of this
server alone. A file that is not whole ends in an error."""

from __future__ import annotations

import csv
import http.client
import io
import json
import socket
from urllib.parse import quote

import grpc
import pytest

from trackme.protocol import groups, payments, reading_service, readings

from accounts import whole
from group_town import HOUR_US, Town, day, midnight_us
from payment_provider import PaymentProvider
from race_rows import put_race
from server_process import wait_until
from streams import fresh_client, positions, reading, scalars
from test_web_sessions import FOREIGN, REFRESH, SESSION
from web import Answer, Browser, Web

READINGS = "/web/downloads/trackme.readings.v1.ReadingService/ExportReadings"
RUN = "/web/downloads/trackme.races.v1.RaceService/ExportRun"
GROUP = "/web/downloads/trackme.groups.v1.GroupService/ExportGroup"
T0, SECOND_US = 1_700_000_000_000_000, 1_000_000
FHIR = "EXPORT_FORMAT_FHIR_R4_NDJSON"
HEAD = "time metric source value latitude longitude altitude accuracy speed course rate_hz samples".split()


def address(path: str, **request) -> str:
    return f"{path}?connect=v1&encoding=json&message={quote(json.dumps(request))}"


def load(web: Web, path: str, **request) -> Answer:
    """What a browser gets that follows a link: it tells no origin."""
    return web.send("GET", address(path, **request), **({"Origin": None} if isinstance(web, Browser) else {}))


def file_of(answer: Answer, name: str, kind: str) -> str:
    assert answer.status == 200, answer
    assert answer.header("content-disposition") == f'attachment; filename="{name}"'
    assert answer.header("content-type") == kind
    assert answer.header("cache-control") == "no-store" and answer.header("x-content-type-options") == "nosniff"
    assert answer.header("content-security-policy").startswith("default-src 'none'; ")
    return answer.body.decode()


def rows_of(answer: Answer, name: str = "trackme-readings.csv") -> list[list[str]]:
    head, *rows = csv.reader(io.StringIO(file_of(answer, name, "text/csv; charset=utf-8"), newline=""))
    assert head == HEAD
    return rows


@pytest.fixture
def person(accounts):
    return accounts.person()


@pytest.fixture
def signed_in(browser, person) -> Browser:
    assert browser.log_in(person.credentials).status == 204
    return browser


def signed_in_as(server, member) -> Browser:
    browser = Browser(server.web_port)
    assert browser.log_in(member.credentials).status == 204
    return browser


def push(operator, person, count: int, metric: str = "heart_rate") -> None:
    with operator.push() as pushing:
        for sequence, start in enumerate(range(0, count, 5_000), 1):
            some = range(start, min(count, start + 5_000))
            rows = [(T0 + i * SECOND_US, 60 + i % 40) for i in some]
            pushing.commit(sequence, scalars(person.account_id, rows, metric=metric))


def test_the_own_history_is_a_table_with_every_reading_once(signed_in, person, operator):
    push(operator, person, 25_000)
    rows = rows_of(load(signed_in, READINGS))
    assert len(rows) == 25_000
    assert [row[0] for row in rows[:2]] == ["2023-11-14T22:13:20Z", "2023-11-14T22:13:21Z"]
    assert {row[1] for row in rows} == {"heart_rate"}
    assert [float(row[3]) for row in rows] == [60 + i % 40 for i in range(25_000)]
    asked = {"fromUs": str(T0 + 10 * SECOND_US), "toUs": str(T0 + 13 * SECOND_US), "metrics": ["heart_rate"]}
    assert [row[3] for row in rows_of(load(signed_in, READINGS, **asked))] == ["70.0", "71.0", "72.0"]
    assert rows_of(load(signed_in, READINGS, metrics=["weight"])) == [], "the head alone, where there is nothing"


def test_a_table_has_places_and_samples_and_no_source_becomes_a_formula(signed_in, person, operator):
    number = person.account_id
    with operator.push() as pushing:
        pushing.commit(1, positions(number, [(T0 + 1, 45.5, 9.25, 5)]))
    ecg = readings.Reading(
        person_id=number, metric="ecg", time_us=T0 + 2, source='a "lead", II',
        waveform=readings.Waveform(rate_hz=250, samples=[0.5, -1, 2]),
    )  # fmt: skip
    assert operator.record([ecg, reading(number, T0 + 3, 61, source='＝HYPERLINK("x")')]).accepted == 2
    place, wave, pulse = rows_of(load(signed_in, READINGS))
    assert place[:2] == ["2023-11-14T22:13:20.000001Z", "position"] and place[3:6] == ["", "45.5", "9.25"]
    assert wave[1:4] == ["ecg", 'a "lead", II', ""] and wave[10:] == ["250.0", "0.5 -1.0 2.0"]
    assert pulse[2:5] == ["'＝HYPERLINK(\"x\")", "61.0", ""]


def test_the_own_history_as_fhir_is_what_the_rpc_streams(signed_in, person, operator):
    push(operator, person, 3_000)
    text = file_of(load(signed_in, READINGS, format=FHIR), "trackme-readings.ndjson", "application/fhir+ndjson")

    def observations(lines):
        return [line for line in lines if json.loads(line)["resourceType"] == "Observation"]

    parts = person.export(0, format=reading_service.EXPORT_FORMAT_FHIR_R4_NDJSON)
    streamed = b"".join(part.ndjson for part in parts).decode()
    assert len(observations(text.splitlines())) == 3_000
    assert observations(text.splitlines()) == observations(streamed.splitlines())


def test_a_third_party_gets_what_it_was_granted_as_a_file(server, accounts, person, operator):
    push(operator, person, 50)
    push(operator, person, 50, metric="blood_oxygen")
    doctor = accounts.third_party()
    grant = doctor.granted(person)
    answer = load(signed_in_as(server, doctor), READINGS, accessRequestId=str(grant))
    rows = rows_of(answer, f"trackme-readings-grant-{grant}.csv")
    assert len(rows) == 50 and {row[1] for row in rows} == {"heart_rate"}
    other = signed_in_as(server, accounts.third_party())
    assert load(other, READINGS, accessRequestId=str(grant)).failure.reason == "NO_ACCESS_REQUEST"
    person.ask("RevokeAccess", access_request_id=grant)
    answer = load(signed_in_as(server, doctor), READINGS, accessRequestId=str(grant))
    assert answer.status == 403 and answer.failure.reason == "ACCESS_ENDED"


def test_a_file_that_does_not_become_whole_ends_in_an_error(server, accounts, person, operator):
    """A grant that ends while a third party loads: the browser must not take the part for the whole."""
    push(operator, person, 100_000)
    doctor = accounts.third_party()
    grant = doctor.granted(person)
    browser = signed_in_as(server, doctor)
    with socket.socket() as connection:
        # So that little is on its way while nobody reads.
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4_096)
        connection.connect(("127.0.0.1", server.web_port))
        cookies = "; ".join(f"{name}={value}" for name, value in browser.cookies.items())
        where = address(READINGS, accessRequestId=str(grant), format=FHIR)
        connection.sendall(
            f"GET {where} HTTP/1.1\r\nHost: 127.0.0.1:{server.web_port}\r\nSec-Fetch-Site: same-origin\r\n"
            f"Cookie: {cookies}\r\n\r\n".encode()
        )
        response = http.client.HTTPResponse(connection)
        response.begin()
        assert response.status == 200 and response.read(100).startswith(b'{"category"')
        person.ask("RevokeAccess", access_request_id=grant)
        loaded = 0
        with pytest.raises((http.client.IncompleteRead, ConnectionResetError)):
            while part := response.read(1 << 20):
                loaded += len(part)
        assert loaded < 20 << 20, "it stopped soon"


def test_a_run_is_a_file_of_its_own(server, accounts, operator):
    organizer, runner = accounts.person(), accounts.person()
    run = put_race(server, organizer, "finished", [runner], present=True)
    start_us = int(run.starts * 1_000_000) + 5
    with operator.push(fresh_client()) as pushing:
        rows = [(start_us + i * SECOND_US, 45.47 + i * 1e-6, 9.17, 5) for i in range(100)]
        pushing.commit(1, positions(runner.account_id, rows))
    browser = signed_in_as(server, runner)
    text = file_of(load(browser, RUN, raceId=str(run.race_id)), f"trackme-run-{run.race_id}.gpx", "application/gpx+xml")
    assert text == b"".join(piece.gpx for piece in runner.ask("ExportRun", race_id=run.race_id)).decode()
    assert text.count("<trkpt") == 100
    assert load(signed_in_as(server, organizer), RUN, raceId=str(run.race_id)).failure.reason == "NOT_ENROLLED"
    early = put_race(server, organizer, "closed", [runner])
    answer = load(browser, RUN, raceId=str(early.race_id))
    assert answer.status == 400 and answer.failure.reason == "RACE_STATE" and not answer.header("content-disposition")


@pytest.fixture(scope="module")
def town(tmp_path_factory):
    """1,400 persons with a pulse; rows about them cost 15 euros."""
    provider = PaymentProvider(tmp_path_factory.mktemp("payments"))
    made = Town(
        has_web=True, TRACKME_GROUP_BUDGET="10000000", TRACKME_GROUP_BUDGET_OF_ALL="10000000",
        TRACKME_GROUP_QUESTION_PRICE="1500 EUR", **provider.environment,
    )  # fmt: skip
    made.provider = provider
    persons = made.seed(1_400, "heart_rate")
    made.push("heart_rate", ((p, midnight_us() + HOUR_US, 60 + n % 21) for n, p in enumerate(persons)))
    made.gathered()
    yield made
    made.close()
    provider.close()


def test_rows_about_a_group_are_a_file_when_they_are_paid(town):
    institute = town.accounts.third_party()
    browser = signed_in_as(town.server, institute)
    asked = {"metrics": ["heart_rate"], "fromDate": day().isoformat(), "toDate": day().isoformat(),
             "precision": "GROUP_PRECISION_HIGH"}  # fmt: skip
    due = load(browser, GROUP, question=asked)
    assert due.status == 400 and due.failure.reason == "PAYMENT_DUE"
    payment = due.failure.facts["payment_id"]
    question = groups.GroupQuestion(
        metrics=["heart_rate"], from_date=day().isoformat(), to_date=day().isoformat(),
        precision=groups.GROUP_PRECISION_HIGH,
    )  # fmt: skip

    def first(**fields):
        return next(institute.ask("ExportGroup", question=question, **fields))

    assert first().payment.payment_id == payment, "the same as over the RPC"
    assert town.provider.pay(first().payment.payment_url) == 200
    wait_until(lambda: first().payment.state == payments.PAYMENT_STATE_AUTHORIZED, what="the news that it is reserved")
    answer = load(browser, GROUP, question=asked, paymentId=payment)
    text = file_of(answer, "trackme-group.csv", "text/csv; charset=utf-8")
    parts = institute.ask("ExportGroup", question=question, payment_id=payment)
    assert text == b"".join(part.data for part in parts).decode() and text.count("\n") > 1_000
    lines = load(browser, GROUP, question=asked, paymentId=payment, format="GROUP_EXPORT_FORMAT_NDJSON")
    text = file_of(lines, "trackme-group.ndjson", "application/x-ndjson")
    assert {json.loads(line)["metric"] for line in text.splitlines()} == {"heart_rate"}
    assert load(browser, GROUP, question=asked, dryRun=True).failure.fields == ["dry_run"]


@pytest.mark.parametrize("headers", FOREIGN[:-1], ids=str)
def test_a_link_on_another_site_loads_nothing(signed_in, headers):
    """Nor does a script, an image or a frame there, or an address that somebody was told to type."""
    answer = signed_in.send("GET", address(READINGS), **{"Origin": None, **headers})
    assert answer.status == 403 and answer.failure.reason == "FOREIGN_PAGE"


def test_nobody_loads_anything_without_a_session_or_as_somebody_else(server, browser, signed_in, person, accounts, web):
    assert load(Browser(server.web_port), READINGS).status == 401
    assert load(signed_in, GROUP, question={}).status == 403, "persons ask nothing about groups"
    other = accounts.person()
    assert load(signed_in, READINGS, personId=str(other.account_id)).failure.code == grpc.StatusCode.PERMISSION_DENIED
    token = {"Authorization": f"Bearer {person.token}", "Cookie": None, "Origin": None, "Sec-Fetch-Site": None}
    assert rows_of(web.send("GET", address(READINGS), **token)) == [], "programs have tokens"
    assert signed_in.log_out().status == 204
    assert load(signed_in, READINGS).status == 401


def test_a_session_goes_on_silently_with_a_file(signed_in, person):
    del signed_in.cookies[SESSION]
    answer = load(signed_in, READINGS)
    assert rows_of(answer) == [] and set(answer.cookies) == {SESSION, REFRESH}


def test_what_asks_for_no_file_is_told_why(signed_in):
    for path in ("/web/downloads/", "/web/downloads/trackme.readings.v1.ReadingService/WatchReadings"):
        assert signed_in.send("GET", path).status == 404
    for method in ("POST", "HEAD"):
        answer = signed_in.send(method, address(READINGS))
        assert answer.status == 405 and answer.header("allow") == "GET"
    assert signed_in.send("GET", READINGS).failure.fields == ["connect"]
    assert load(signed_in, READINGS, metric="x").failure.fields == ["metric"]
    assert load(signed_in, READINGS, metrics=["nothing"]).failure.fields == ["metrics[0]"]
    assert load(signed_in, READINGS, format=9).failure.fields == ["format"]
    assert load(signed_in, READINGS, metrics=["position"], format=FHIR).failure.fields == ["metrics[0]"]
    bad = signed_in.send("GET", f"{READINGS}?connect=v1&encoding=proto&message=%ff")
    assert bad.failure.code == grpc.StatusCode.INVALID_ARGUMENT
