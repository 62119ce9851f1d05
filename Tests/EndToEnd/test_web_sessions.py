"""Sessions of browsers (A-R4): cookies that no script reads, in place of tokens; and whoever would abuse them."""

from __future__ import annotations

import json
import time
from concurrent.futures import ThreadPoolExecutor

import grpc
import pytest

from server_process import ServerProcess, wait_until
from stalls import since
from web import VERSION, Browser, Web

ACCOUNT = "/trackme.identity.v1.IdentityService/GetAccount"
WATCH = "/trackme.notifications.v1.NotificationService/WatchNotifications"
WHO, LOG_IN, LOG_OUT = "/web/session", "/web/session/log-in", "/web/session/log-out"
SESSION, REFRESH = "__Host-trackme-session", "__Host-trackme-refresh"


@pytest.fixture
def person(accounts):
    return accounts.person()


@pytest.fixture
def signed_in(browser, person) -> Browser:
    assert browser.log_in(person.credentials).status == 204
    return browser


def username(browser: Browser) -> str:
    answer = browser.post(ACCOUNT, {})
    assert answer.status == 200, answer
    return answer.json["account"]["username"]


def test_signing_in_sets_two_cookies_that_no_script_reads_and_shows_no_token(browser, person):
    answer = browser.log_in(person.credentials)
    assert (answer.status, answer.body) == (204, b"")
    assert set(answer.cookies) == {SESSION, REFRESH}
    for cookie in answer.cookies.values():
        assert {"Path=/", "Secure", "HttpOnly", "SameSite=Strict"} <= set(cookie.split("; "))
    ages = {name: int(cookie.split("Max-Age=")[1].split(";")[0]) for name, cookie in answer.cookies.items()}
    assert 800 < ages[SESSION] < 900 and 29 * 86_400 < ages[REFRESH] <= 30 * 86_400
    assert username(browser) == person.credentials.username


def test_nobody_keeps_what_says_how_a_session_begins_or_why_it_does_not(server, browser, person):
    web = Web(server.web_port)
    answers = {
        204: browser.log_in(person.credentials), 405: web.send("GET", LOG_IN), 415: web.send("POST", LOG_IN, b"{}"),
        404: web.send("GET", "/nowhere"),
    }  # fmt: skip
    assert {status: (answer.status, answer.header("cache-control")) for status, answer in answers.items()} == {
        status: (status, "no-store") for status in answers
    }
    assert web.send("PUT", ACCOUNT).header("cache-control") == "no-store"
    assert web.send("POST", "/healthz").header("cache-control") == "no-store"


def test_a_wrong_password_is_refused_as_over_grpc_and_sets_nothing(browser, person):
    answer = browser.post(LOG_IN, {"name": person.credentials.username, "password": "wrong"})
    assert answer.failure.reason == "WRONG_NAME_OR_PASSWORD" and not answer.cookies
    assert browser.post(LOG_IN, {"name": "", "password": ""}).failure.fields == ["name", "password"]
    assert browser.post(LOG_IN, {"user": "x"}).failure.fields == ["user"]
    assert browser.post(LOG_IN, b"{" + b" " * 5_000 + b"}").failure.code == grpc.StatusCode.RESOURCE_EXHAUSTED


def test_signing_out_ends_the_session_on_the_server(server, signed_in):
    kept = dict(signed_in.cookies)
    answer = signed_in.log_out()
    assert answer.status == 204 and not signed_in.cookies
    assert set(answer.cookies) == {SESSION, REFRESH}
    for cookies in (kept, {SESSION: kept[SESSION]}, {REFRESH: kept[REFRESH]}):
        old = Browser(server.web_port)
        old.cookies = cookies
        assert old.post(ACCOUNT, {}).failure.code == grpc.StatusCode.UNAUTHENTICATED, cookies
    assert signed_in.log_out().status == 204, "twice changes nothing"


def test_a_session_goes_on_silently_when_its_token_has_ended(signed_in, person):
    before = dict(signed_in.cookies)
    del signed_in.cookies[SESSION]
    assert username(signed_in) == person.credentials.username
    assert signed_in.cookies[SESSION] != before[SESSION] and signed_in.cookies[REFRESH] != before[REFRESH]


def test_calls_at_once_with_one_refresh_token_exchange_it_once(server, signed_in, person):
    """And so does a call whose answer is lost: within a minute the same cookie leads to the same session."""
    kept = {REFRESH: signed_in.cookies[REFRESH]}
    browsers = [Browser(server.web_port) for _ in range(16)]
    for one in browsers:
        one.cookies = dict(kept)
    with ThreadPoolExecutor(16) as pool:
        assert set(pool.map(username, browsers)) == {person.credentials.username}
    assert len({tuple(one.cookies.items()) for one in browsers}) == 1
    late = Browser(server.web_port)
    late.cookies = dict(kept)
    assert username(late) == person.credentials.username and late.cookies == browsers[0].cookies


def test_a_refresh_token_that_is_good_no_more_takes_its_cookies_away(server, browser):
    browser.cookies = {REFRESH: "nothing"}
    answer = browser.post(ACCOUNT, {})
    assert answer.failure.code == grpc.StatusCode.UNAUTHENTICATED
    assert set(answer.cookies) == {SESSION, REFRESH} and not browser.cookies


def test_a_page_that_opens_hears_whose_session_it_is_and_nobodys_is_no_failure(server, browser, person):
    def who(one: Browser):
        answer = one.send("GET", WHO, **VERSION)
        assert (answer.status, answer.header("content-type")) == (200, "application/json")
        assert answer.header("cache-control") == "no-store"
        return answer.json

    assert who(browser) == {}
    assert browser.log_in(person.credentials).status == 204
    assert who(browser) == browser.post(ACCOUNT, {}).json and who(browser)["account"]["username"] == person.credentials.username
    kept = dict(browser.cookies)
    del browser.cookies[SESSION]
    assert who(browser)["account"]["username"] == person.credentials.username, "it goes on silently"
    assert browser.cookies[SESSION] != kept[SESSION] and browser.cookies[REFRESH] != kept[REFRESH]
    kept = dict(browser.cookies)
    assert browser.log_out().status == 204
    for cookies in (kept, {REFRESH: kept[REFRESH]}):
        old = Browser(server.web_port)
        old.cookies = dict(cookies)
        assert who(old) == {}, "what has ended is nobody's"
    assert not old.cookies
    assert browser.post(WHO, {}).status == 405


def test_a_refresh_token_that_comes_again_when_its_exchange_is_forgotten_ends_the_session():
    """A thief has it, or its owner: after a minute, and here after a restart, nobody can tell who came second."""
    from accounts import Accounts

    server = ServerProcess(has_web=True).start()
    accounts = Accounts(server)
    try:
        person, browser, thief = accounts.person(), Browser(server.web_port), Browser(server.web_port)
        assert browser.log_in(person.credentials).status == 204
        thief.cookies = {REFRESH: browser.cookies[REFRESH]}
        del browser.cookies[SESSION]
        assert username(browser) == person.credentials.username
        assert server.stop() == 0
        server.start()
        assert username(browser) == person.credentials.username
        assert thief.post(ACCOUNT, {}).failure.code == grpc.StatusCode.UNAUTHENTICATED and not thief.cookies
        assert browser.post(ACCOUNT, {}).failure.code == grpc.StatusCode.UNAUTHENTICATED
        del browser.cookies[SESSION]
        assert browser.post(ACCOUNT, {}).failure.code == grpc.StatusCode.UNAUTHENTICATED, "nor does it go on"
    finally:
        accounts.close()
        server.remove()


FOREIGN = [
    {"Sec_Fetch_Site": "cross-site", "Origin": "https://evil.example"}, {"Sec_Fetch_Site": "cross-site", "Origin": None},
    {"Sec_Fetch_Site": "same-site", "Origin": None}, {"Sec_Fetch_Site": "none", "Origin": None},
    {"Sec_Fetch_Site": None, "Origin": "https://evil.example"}, {"Sec_Fetch_Site": None, "Origin": None},
    {"Sec_Fetch_Site": None, "Origin": "null"}, {"Sec_Fetch_Site": "same-origin", "Origin": "https://evil.example"},
    {"Connect_Protocol_Version": None},
]  # fmt: skip


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_a_cookie_from_elsewhere_is_refused_by_name(signed_in, headers):
    """Another site's form, image and fetch: the browser says where they come from."""
    answer = signed_in.post(ACCOUNT, {}, **headers)
    assert answer.status == 403 and answer.failure.reason == "FOREIGN_PAGE"
    connection, response = signed_in.begin(
        "POST", WATCH, b"\0\0\0\0\2{}", **{"Content-Type": "application/connect+json", **VERSION, **headers}
    )
    assert response.status == 403 and b"FOREIGN_PAGE" in response.read()
    connection.close()
    assert signed_in.send("GET", WHO, **{**VERSION, **headers}).failure.reason == "FOREIGN_PAGE"
    if "Connect_Protocol_Version" not in headers:
        assert signed_in.get(ACCOUNT, **headers).failure.reason == "FOREIGN_PAGE"


@pytest.mark.parametrize("content", ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"])
def test_what_a_form_can_send_is_no_call(signed_in, content):
    for path in (ACCOUNT, LOG_OUT, LOG_IN):
        assert signed_in.post(path, {}, **{"Content-Type": content}).status == 415, path
    assert username(signed_in), "and nobody was signed out"


@pytest.mark.parametrize("headers", FOREIGN[:-1], ids=str)
def test_nobody_is_signed_in_or_out_by_another_site(signed_in, person, headers):
    """Whoever signs somebody in as themselves reads what is done then."""
    form = {"name": person.credentials.username, "password": person.credentials.password}
    assert signed_in.post(LOG_IN, form, **headers).failure.reason == "FOREIGN_PAGE"
    assert signed_in.post(LOG_OUT, {}, **headers).failure.reason == "FOREIGN_PAGE"
    assert username(signed_in) == person.credentials.username


def test_a_token_in_the_header_counts_and_cookies_beside_it_do_not(server, signed_in, accounts):
    other = accounts.person()
    answer = signed_in.post(
        ACCOUNT, {}, Authorization=f"Bearer {other.token}", Origin="https://evil.example", Sec_Fetch_Site="cross-site"
    )
    assert answer.json["account"]["username"] == other.credentials.username
    assert signed_in.post(ACCOUNT, {}, Authorization="Bearer nothing").status == 401


def test_a_stream_of_a_page_ends_when_its_session_does(server, signed_in, person):
    with signed_in.stream(WATCH, {}) as stream:
        assert stream.next() is not None
        person.ask("LogOut", all_sessions=True)
        began = time.monotonic()
        for _ in stream.frames():
            pass
        assert stream.failure.reason == "SESSION_ENDED" and since(began) < 1


def test_every_answer_forbids_pages_of_others(server, browser, signed_in):
    answers = [
        signed_in.post(ACCOUNT, {}), signed_in.post("/trackme.x.Y/Z", {}), browser.send("GET", "/"),
        browser.send("GET", "/nothing/here"), browser.send("GET", "/healthz"), signed_in.log_out(),
        browser.post(ACCOUNT, {}, Origin="https://evil.example"),
    ]  # fmt: skip
    for answer in answers:
        policy = answer.header("content-security-policy")
        assert policy.startswith("default-src 'none'; ") and "unsafe" not in policy and "*" not in policy
        assert "frame-ancestors 'none'" in policy and "://" not in policy
        assert answer.header("x-content-type-options") == "nosniff" and answer.header("referrer-policy") == "no-referrer"
    assert {a.header("cache-control") for a in answers if "__Host" in str(a.headers) or a.status in (200, 401, 403)
            if a.header("content-type") == "application/json"} == {"no-store"}  # fmt: skip


def test_no_cookie_reaches_a_log(server, signed_in):
    username(signed_in)
    log = server.log.read_text(errors="replace")
    assert not any(value in log for value in signed_in.cookies.values())


def test_sessions_go_on_after_a_restart_and_with_the_database_gone():
    server = ServerProcess(has_web=True).start()
    from accounts import Accounts

    accounts = Accounts(server)
    try:
        person, browser = accounts.person(), Browser(server.web_port)
        assert browser.log_in(person.credentials).status == 204
        assert server.stop() == 0
        server.start()
        assert username(browser) == person.credentials.username
        del browser.cookies[SESSION]
        assert username(browser) == person.credentials.username
    finally:
        accounts.close()
        server.remove()
