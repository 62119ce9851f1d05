"""Answers that are everybody's (S-NFR9): kept by browsers and proxies, with a tag, and without a cookie on either way."""

from __future__ import annotations

import json
from urllib.parse import quote

import pytest

from trackme.protocol import identity

from accounts import Accounts
from expenditure_files import import_figures
from server_process import ServerProcess, wait_until
from test_web_sessions import REFRESH, SESSION
from web import Answer, Browser, Web

FORM = "/trackme.identity.v1.IdentityService/GetRegistrationForm"
PERSON = b'{"kind": "ACCOUNT_KIND_PERSON"}'
PUBLIC = "public, no-cache"


def is_kept(answer: Answer, status: int = 200) -> bool:
    """Whether it may be kept by anybody."""
    return (
        answer.status == status
        and answer.header("cache-control") == PUBLIC
        and (answer.header("etag") or "").startswith('"')
        and not answer.cookies
    )


def is_not_kept(answer: Answer) -> bool:
    return answer.header("cache-control") == "no-store" and answer.header("etag") is None


def test_who_has_an_answer_is_not_sent_it_again(web):
    first = web.get(FORM, PERSON)
    assert is_kept(first), first
    tag = first.header("etag")
    for known in (tag, f'"x", {tag}', f"W/{tag}", "*"):
        again = web.get(FORM, PERSON, If_None_Match=known)
        assert is_kept(again, 304) and again.body == b"" and again.header("etag") == tag, known
    assert web.get(FORM, PERSON, If_None_Match='"x"').body == first.body


def test_each_form_of_an_answer_has_a_tag_of_its_own(web):
    request = identity.GetRegistrationFormRequest(kind=identity.ACCOUNT_KIND_PERSON).SerializeToString()
    tags = {web.get(FORM, PERSON).header("etag"), web.get(FORM, request, encoding="proto").header("etag")}
    assert len(tags) == 2 and None not in tags


def test_no_cookie_is_read_and_none_is_set(server, accounts):
    """Not even one that would be exchanged, or would make a call of another site's page forbidden."""
    browser = Browser(server.web_port)
    assert browser.log_in(accounts.person().credentials).status == 204
    refresh = browser.cookies[REFRESH]
    wanted = Web(server.web_port).get(FORM, PERSON)
    for cookies in (browser.cookies, {REFRESH: refresh}, {SESSION: "nothing"}):
        sent = "; ".join(f"{name}={value}" for name, value in cookies.items())
        for site in ("same-origin", "cross-site"):
            answer = Web(server.web_port).get(FORM, PERSON, Cookie=sent, Sec_Fetch_Site=site)
            assert is_kept(answer) and answer.body == wanted.body
            assert answer.header("etag") == wanted.header("etag")
    # It was not exchanged: it still works, where cookies count.
    browser.cookies = {REFRESH: refresh}
    assert browser.post("/trackme.identity.v1.IdentityService/GetAccount", {}).status == 200


def test_nobody_keeps_failures_what_was_sent_and_what_is_somebodys(server, web, accounts):
    assert is_not_kept(web.get(FORM, b'{"kind": 99}')) and is_not_kept(web.get(FORM, b"{"))
    assert is_not_kept(web.post(FORM, json.loads(PERSON)))
    member = accounts.person()
    token = {"Authorization": f"Bearer {member.token}"}
    assert is_not_kept(web.get(FORM, PERSON, **token)), "a token says who asks"
    assert is_not_kept(web.get("/trackme.identity.v1.IdentityService/GetAccount", **token))
    # For administrators it has more than for others.
    assert is_not_kept(web.get("/trackme.expenditure.v1.ExpenditureService/ListReleases"))


# Figures


EXPENDITURE = "/trackme.expenditure.v1.ExpenditureService/"
TABLE = f"/web/downloads{EXPENDITURE}ExportTable"


@pytest.fixture(scope="module")
def town():
    """A server of its own, with accounts of one release."""
    server = ServerProcess(has_web=True).start()
    try:
        accounts = Accounts(server)
        import_figures(accounts.administrator)
        yield accounts
    finally:
        server.remove()


def maps(server: ServerProcess, release: int = 0) -> Answer:
    return Web(server.web_port).get(EXPENDITURE + "GetMap", json.dumps({"view": {"release": release}}).encode())


def tables(server: ServerProcess, release: int = 0, **headers) -> Answer:
    message = quote(json.dumps({"map": {"view": {"release": release}}}))
    return Web(server.web_port).send("GET", f"{TABLE}?connect=v1&encoding=json&message={message}", **headers)


@pytest.mark.parametrize("ask", [maps, tables])
def test_an_answer_of_a_release_has_one_tag_for_ever_and_a_new_release_another(town, ask):
    server = town.server
    [newest, *_] = town.administrator.ask("ListReleases").releases
    open_, named = ask(server), ask(server, newest.number)
    assert is_kept(open_) and is_kept(named) and (open_.header("etag"), open_.body) == (named.header("etag"), named.body)
    server.kill()
    server.start()
    again = ask(server, newest.number)
    assert is_kept(again) and (again.header("etag"), again.body) == (named.header("etag"), named.body)
    import_figures(town.administrator, more=newest.number)
    assert ask(server, newest.number).header("etag") == named.header("etag"), "the old one is what it was"
    wait_until(lambda: ask(server).header("etag") != named.header("etag"), 10, "the newest, which is another one")
    assert is_kept(ask(server))


def test_a_table_that_somebody_has_is_not_sent_again(town):
    first = tables(town.server)
    assert is_kept(first) and first.header("content-type") == "text/csv; charset=utf-8"
    again = tables(town.server, If_None_Match=first.header("etag"))
    assert is_kept(again, 304) and again.body == b""
    signed_in = Browser(town.server.web_port)
    assert signed_in.log_in(town.person().credentials).status == 204
    cookies = "; ".join(f"{name}={value}" for name, value in signed_in.cookies.items())
    foreign = tables(town.server, Cookie=cookies, Sec_Fetch_Site="cross-site")
    assert is_kept(foreign) and foreign.body == first.body, "no cookie is read"


def test_a_table_that_there_is_not_is_kept_by_nobody(town):
    assert is_not_kept(tables(town.server, release=1_000_000)) and tables(town.server, release=1_000_000).status == 404
    assert is_not_kept(maps(town.server, release=-1)) and maps(town.server, release=-1).status == 400
