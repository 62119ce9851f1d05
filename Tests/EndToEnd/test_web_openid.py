"""Sign-in at an OpenID Connect issuer in a browser (A-R4): the way there and back, and whoever would abuse it."""

from __future__ import annotations

import http.client
import subprocess
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import pytest

from openid_issuer import CLIENT
from openid_site import RETURN, SECRET, Site, subjects
from server_process import binary
from test_web_sessions import FOREIGN, REFRESH, SESSION, username
from web import Answer, Browser, Web

BEGIN, LINK = "/web/session/openid", "/web/session/openid/link"
COOKIE = "__Host-trackme-openid"


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    made = Site(tmp_path_factory.mktemp("openid"))
    yield made
    made.remove()


@pytest.fixture(autouse=True)
def well_behaved(request):
    """The issuer is as before after each test."""
    yield
    if "site" in request.fixturenames:
        issuer = request.getfixturevalue("site").issuer
        issuer.changes, issuer.takes_codes_twice, issuer.token_status, issuer.subject = {}, False, None, None


@pytest.fixture
def person(site):
    """Somebody whose account is linked, and who is signed in at the issuer."""
    member, site.issuer.subject = site.linked()
    return member


def location(answer: Answer) -> str:
    assert answer.status == 303 and answer.header("cache-control") == "no-store", answer
    return answer.header("location")


def begin(browser: Browser, next: str | None = "/status") -> str:
    """Where the browser is sent."""
    query = "" if next is None else "?" + urlencode({"next": next})
    return location(browser.send("GET", BEGIN + query, Origin=None))


def at_issuer(address: str) -> str:
    """What the issuer answers a browser with: the address that it is sent back to."""
    url = urlsplit(address)
    connection = http.client.HTTPConnection(url.hostname, url.port, timeout=60)
    connection.request("GET", f"{url.path}?{url.query}")
    response = connection.getresponse()
    assert response.status == 303, response.read()
    connection.close()
    return response.getheader("Location")


def come_back(browser: Browser, address: str, cookie: str | None = "kept") -> Answer:
    """The issuer's page leads there: a browser sends no cookie along that is strict."""
    url = urlsplit(address)
    kept = browser.cookies.get(COOKIE) if cookie == "kept" else cookie
    return browser.send(
        "GET", f"{url.path}?{url.query}", Sec_Fetch_Site="cross-site", Origin=None, Cookie=kept and f"{COOKIE}={kept}"
    )


def sign_in(browser: Browser, next: str | None = "/status") -> Answer:
    return come_back(browser, at_issuer(begin(browser, next)))


def problem(answer: Answer) -> str:
    """What the sign-in page is told; nobody is signed in."""
    url = urlsplit(location(answer))
    assert url.path == "/sign-in" and not url.netloc
    assert not {SESSION, REFRESH} & set(answer.cookies)
    return parse_qs(url.query)["problem"][0]


def exchanges(site: Site) -> int:
    return site.issuer.requests.count("/token")


def test_a_person_signs_in_at_the_issuer_and_goes_on_to_where_they_wanted(site, person):
    browser = site.browser()
    there = begin(browser, "/status?metric=heart_rate")
    asked = dict(parse_qsl(urlsplit(there).query))
    assert there.startswith(f"{site.issuer.url}/authorize?") and asked["redirect_uri"] == site.origin + RETURN
    assert set(asked) == {
        "response_type", "scope", "client_id", "redirect_uri", "state", "nonce", "code_challenge",
        "code_challenge_method",
    }  # fmt: skip
    answer = come_back(browser, at_issuer(there))
    assert location(answer) == "/status?metric=heart_rate"
    for name in (SESSION, REFRESH):
        assert {"Path=/", "Secure", "HttpOnly", "SameSite=Strict"} <= set(answer.cookies[name].split("; "))
    assert COOKIE not in browser.cookies and username(browser) == person.credentials.username
    assert browser.log_out().status == 204, "as every session ends"
    assert browser.post("/trackme.identity.v1.IdentityService/GetAccount", {}).status == 401


def test_the_cookie_of_the_way_is_lax_and_short_and_holds_what_only_this_browser_knows(site):
    browsers = [site.browser(), site.browser()]
    for browser in browsers:
        answer = browser.send("GET", BEGIN, Origin=None)
        assert list(answer.cookies) == [COOKIE]
        attributes = {"Path=/", "Secure", "HttpOnly", "SameSite=Lax", "Max-Age=600"}
        assert attributes <= set(answer.cookies[COOKIE].split("; "))
    secrets = [set(browser.cookies[COOKIE].split(":")[:3]) for browser in browsers]
    assert all(len(secret) >= 22 for one in secrets for secret in one) and not secrets[0] & secrets[1]


@pytest.mark.parametrize("change", ["missing", "wrong", "of another sign-in"])
def test_an_answer_without_the_right_state_is_of_no_sign_in(site, person, change):
    browser, before = site.browser(), exchanges(site)
    back = urlsplit(at_issuer(begin(browser)))
    asked = dict(parse_qsl(back.query))
    if change == "missing":
        del asked["state"]
    else:
        other = dict(parse_qsl(urlsplit(begin(site.browser())).query))["state"]
        asked["state"] = "x" * 22 if change == "wrong" else other
    assert problem(come_back(browser, f"{RETURN}?{urlencode(asked)}")) == "notBegun"
    assert exchanges(site) == before, "the issuer is not even asked"


def test_whoever_leads_a_browser_back_with_an_answer_of_his_own_signs_nobody_in(site, person):
    """Login CSRF: what the victim does then would be read by the attacker."""
    attacker, victim = site.browser(), site.browser()
    answer = at_issuer(begin(attacker))
    assert problem(come_back(victim, answer)) == "notBegun"
    begin(victim)
    assert problem(come_back(victim, answer)) == "notBegun"
    assert COOKIE in victim.cookies, "nor is the victim's own sign-in ended"


def test_an_answer_works_once(site, person):
    browser = site.browser()
    answer = at_issuer(begin(browser))
    kept = browser.cookies[COOKIE]
    assert location(come_back(browser, answer)) == "/status"
    assert problem(come_back(site.browser(), answer, cookie=None)) == "notBegun"
    assert problem(come_back(site.browser(), answer, cookie=kept)) == "invalid", "the issuer takes no code twice"
    site.issuer.takes_codes_twice = True
    assert problem(come_back(site.browser(), answer, cookie=kept)) == "invalid", "nor the server a nonce"


def test_a_token_with_the_nonce_of_another_sign_in_is_none_of_this_one(site, person):
    other = dict(parse_qsl(urlsplit(begin(site.browser())).query))["nonce"]
    site.issuer.changes = {"nonce": other}
    assert problem(sign_in(site.browser())) == "invalid"


@pytest.mark.parametrize(
    "changes",
    [
        {"iss": "https://issuer.example"}, {"aud": "another client"}, {"aud": [CLIENT, "another"]},
        {"exp": 1_000_000_000}, {"iat": 1_000_000_000},
        {"nonce": "made up"}, {"nonce": None}, {"sub": ""}, {"header": {"alg": "none"}},
    ],
    ids=str,
)  # fmt: skip
def test_a_token_that_is_not_for_this_server_here_and_now_signs_nobody_in(site, person, changes):
    site.issuer.changes = changes
    assert problem(sign_in(site.browser())) == "invalid"


def test_a_code_without_its_verifier_is_worth_nothing(site, person):
    """PKCE: whoever has seen an answer on its way, and has a cookie of another sign-in, gets no further."""
    thief, browser = site.browser(), site.browser()
    answer = at_issuer(begin(browser))
    state, _, nonce, purpose, next = browser.cookies[COOKIE].split(":")
    begin(thief)
    own = thief.cookies[COOKIE].split(":")[1]
    assert problem(come_back(thief, answer, cookie=f"{state}:{own}:{nonce}:{purpose}:{next}")) == "invalid"
    for cut in (f"{state}::{nonce}:{purpose}:{next}", f"{state}:{nonce}:{next}", state, "::::"):
        assert problem(come_back(thief, answer, cookie=cut)) == "notBegun", cut
    assert location(come_back(browser, answer)) == "/status", "the code itself was good"


@pytest.mark.parametrize(
    "next",
    [
        "//evil.example", "https://evil.example/", "/\\evil.example", "\\\\evil.example", "/\t/evil.example",
        "/status\r\nSet-Cookie: a=b", "javascript:alert(1)", "evil.example", "/" + "x" * 300, "/no/page", "", None,
        "/web/session/log-out",
    ],
)  # fmt: skip
def test_nobody_is_led_anywhere_but_to_a_page(site, person, next):
    browser = site.browser()
    assert location(sign_in(browser, next)) == "/" and username(browser)


def test_a_cookie_that_was_changed_leads_nowhere_else(site, person):
    browser = site.browser()
    answer = at_issuer(begin(browser))
    cookie = browser.cookies[COOKIE].rsplit(":", 1)[0] + "://evil.example"
    assert problem(come_back(browser, answer, cookie=cookie)) == "notBegun"


@pytest.mark.parametrize("headers", FOREIGN[:-1], ids=str)
def test_another_site_begins_no_sign_in(site, headers):
    answer = site.browser().send("GET", BEGIN, **{"Origin": None, **headers})
    assert answer.status == 403 and answer.failure.reason == "FOREIGN_PAGE" and not answer.cookies


def test_an_answer_in_another_issuers_name_is_not_exchanged(site, person):
    browser, before = site.browser(), exchanges(site)
    own, other = (urlencode({"iss": issuer}) for issuer in (site.issuer.url, "https://other.example"))
    back = at_issuer(begin(browser)).replace(own, other)
    assert problem(come_back(browser, back)) == "invalid" and exchanges(site) == before


def test_people_are_told_what_has_become_of_it(site):
    browser = site.browser()
    answer = sign_in(browser, "/status?a=1&b=2")
    assert problem(answer) == "refused"
    assert parse_qs(urlsplit(location(answer)).query)["next"] == ["/status?a=1&b=2"], "to try again"
    assert COOKIE not in browser.cookies
    site.issuer.subject = "nobody's subject"
    answer = sign_in(browser)
    assert problem(answer) == "notLinked"
    assert parse_qs(urlsplit(location(answer)).query)["next"] == ["/linked-sign-in"], "with the password, to link it"
    for status in (500, 401, 302):
        site.issuer.token_status = status
        assert problem(sign_in(browser)) == "unavailable", status
    site.issuer.token_status = None
    for code in ("", "x" * 2_049):
        browser = site.browser()
        state = dict(parse_qsl(urlsplit(begin(browser)).query))["state"]
        assert problem(come_back(browser, f"{RETURN}?{urlencode({'state': state, 'code': code})}")) == "invalid"


def linking(browser: Browser) -> str:
    """What the page that asks for the password has of the issuer's answer."""
    back = location(come_back(browser, at_issuer(location(browser.send("GET", LINK, Origin=None)))))
    page, answer = back.split("#")
    assert page == "/linked-sign-in"
    return answer


def link(browser: Browser, answer: str, password: str, **headers) -> Answer:
    return browser.post(f"{LINK}?{answer}", {"password": password}, **headers)


def test_an_account_is_linked_by_a_sign_in_and_its_password_together(site):
    site.issuer.subject = next(subjects)
    member, browser = site.accounts.person(), site.browser()
    assert browser.log_in(member.credentials).status == 204
    answer = linking(browser)
    assert COOKIE in browser.cookies and problem(sign_in(site.browser())) == "notLinked", "so far nothing is"
    assert link(browser, answer, member.credentials.password).status == 204
    assert COOKIE not in browser.cookies and location(sign_in(site.browser())) == "/status"
    twice = link(browser, answer, member.credentials.password)
    assert twice.failure.reason == "OPENID_TOKEN_INVALID", "an answer works once"
    again = linking(browser)
    other = site.accounts.person()
    assert browser.log_in(other.credentials).status == 204
    assert link(browser, again, other.credentials.password).failure.reason == "OPENID_ALREADY_LINKED"


def test_nothing_is_linked_without_the_password_or_a_session_or_in_another_browser(site):
    site.issuer.subject = next(subjects)
    member, browser, other = site.accounts.person(), site.browser(), site.browser()
    password = member.credentials.password
    for one in (browser, other):
        assert one.log_in(member.credentials).status == 204
    before = exchanges(site)
    assert link(other, linking(browser), password).failure.reason == "OPENID_TOKEN_INVALID"
    assert link(browser, "state=x&code=y", password).failure.reason == "OPENID_TOKEN_INVALID"
    kept = linking(browser)
    for headers in FOREIGN[:-1]:
        assert link(browser, kept, password, **headers).failure.reason == "FOREIGN_PAGE"
    assert link(browser, kept, password, **{"Content-Type": "text/plain"}).status == 415
    nobody = site.browser()
    nobody.cookies[COOKIE] = browser.cookies[COOKIE]
    assert link(nobody, kept, password).failure.reason == "UNAUTHENTICATED"
    answer = dict(parse_qsl(urlsplit(at_issuer(begin(other))).query))
    theirs = urlencode({"state": answer["state"], "code": answer["code"]})
    assert link(other, theirs, password).failure.reason == "OPENID_TOKEN_INVALID", "a sign-in is no link"
    assert exchanges(site) == before, "none of these was even asked of the issuer"
    assert link(browser, linking(browser), "wrong").failure.reason == "WRONG_PASSWORD"
    assert link(browser, linking(browser), "").failure.fields == ["password"]
    assert problem(sign_in(site.browser())) == "notLinked"


def test_a_link_that_is_refused_at_the_issuer_leads_back_to_its_page(site):
    browser = site.browser()
    answer = come_back(browser, at_issuer(location(browser.send("GET", LINK, Origin=None))))
    assert location(answer) == "/linked-sign-in?problem=refused" and COOKIE not in browser.cookies


def test_an_issuer_that_is_down_is_told_of_and_the_password_works(tmp_path):
    site = Site(tmp_path)
    try:
        site.issuer.close()
        browser = site.browser()
        assert problem(browser.send("GET", BEGIN, Origin=None)) == "unavailable"
        member = site.accounts.person()
        assert browser.log_in(member.credentials).status == 204
    finally:
        site.remove()


def test_pages_know_by_which_name_to_call_the_issuer(site, web):
    answer = site.browser().send("GET", "/web/site")
    assert answer.header("content-type") == "application/json" and answer.json["openIdName"] == "Clinica <b>Uno</b>"
    assert "openIdName" not in web.send("GET", "/web/site").json, "a server without an issuer"
    for path in (BEGIN, RETURN):
        assert web.send("GET", path).status == 404
        assert Web(site.server.web_port).send("POST", path).status == 405


def test_no_secret_of_a_sign_in_reaches_a_log(site, person):
    browser = site.browser()
    answer = at_issuer(begin(browser))
    code = dict(parse_qsl(urlsplit(answer).query))["code"]
    secrets = {*browser.cookies[COOKIE].split(":")[:3], code, SECRET}
    come_back(browser, answer)
    log = site.server.log.read_text(errors="replace")
    assert not [secret for secret in secrets | set(browser.cookies.values()) if secret in log]


@pytest.mark.parametrize(
    "variable, value",
    [
        ("TRACKME_WEB_ORIGIN", "trackme.example"), ("TRACKME_WEB_ORIGIN", "http://trackme.example"),
        ("TRACKME_WEB_ORIGIN", "https://trackme.example/"), ("TRACKME_WEB_ORIGIN", "https://a@trackme.example"),
        ("TRACKME_WEB_ORIGIN", "https://trackme.example:0"), ("TRACKME_OIDC_NAME", "x" * 41),
        ("TRACKME_OIDC_CLIENT_SECRET_FILE", "/nowhere"),
    ],
)  # fmt: skip
def test_settings_that_mean_nothing_are_refused_by_name(tmp_path, variable, value):
    environment = {
        "TRACKME_OIDC_ISSUER": "https://issuer.example", "TRACKME_OIDC_CLIENT_ID": CLIENT,
        "TRACKME_WEB_ORIGIN": "https://trackme.example", variable: value, "PATH": "/usr/bin:/bin",
    }  # fmt: skip
    command = [binary(), "serve", "--listen", "127.0.0.1:1", "--data-dir", tmp_path]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode != 0 and variable in done.stderr
