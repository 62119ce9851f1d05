"""What the pages of others can make a signed-in browser do here: nothing. A browser of today keeps the cookies for itself;
that the server refuses such calls by name when one comes with them is in Tests/EndToEnd/test_web_sessions.py."""

from __future__ import annotations

from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from accounts import Accounts

DEVICES = "/trackme.identity.v1.IdentityService/ListDevices"
STATUS = "/trackme.readings.v1.ReadingService/GetCurrentStatus"


@contextmanager
def foreign_site(host: str, body: str):
    """A site of somebody else, whose first page is this one; its address."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self):
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(f"<!doctype html><title>Prizes</title>{body}".encode())

        def log_message(self, *_):
            pass

    site = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    Thread(target=site.serve_forever, args=(0.02,), daemon=True).start()
    yield f"http://{host}:{site.server_address[1]}/"
    site.shutdown()
    site.server_close()


FORM = '<form method="post" action="{origin}/web/session/log-out"><button>Win</button></form>'
TEXT_FORM = (
    '<form method="post" action="{origin}' + DEVICES + '" enctype="text/plain">'
    '<input name=\'{{"a":"\' value=\'"}}\'><button>Win</button></form>'
)
FETCH = '<button onclick="fetch(\'{origin}' + DEVICES + "', {{method: 'POST', mode: 'no-cors', credentials: 'include', body: '{{}}'}})\">Win</button>"
PREFLIGHT = (
    "<button onclick=\"fetch('{origin}" + DEVICES + "', {{method: 'POST', credentials: 'include', body: '{{}}', headers: "
    "{{'Content-Type': 'application/json', 'Connect-Protocol-Version': '1'}}}}).catch(() => 0)\">Win</button>"
)
IMAGE = (
    "<button onclick=\"document.body.append(Object.assign(new Image, {{src: '{origin}" + STATUS + "?connect=v1&encoding=json&message={{}}'}}))\">Win</button>"
)  # fmt: skip
ATTACKS = {"form": FORM, "text form": TEXT_FORM, "fetch": FETCH, "fetch with headers": PREFLIGHT, "image": IMAGE}


@pytest.fixture
def victim(window, accounts: Accounts):
    """A person who is signed in, in a browser that now comes to another site."""
    window.sign_in(accounts.person().credentials)
    return window


@pytest.mark.parametrize("host", ["127.0.0.1", pytest.param("localhost", marks=pytest.mark.long)], ids=["same host, other port", "other host"])
@pytest.mark.parametrize("attack", ATTACKS)
def test_another_sites_form_fetch_and_image_are_refused(victim, attack, host):
    victim.is_elsewhere = True
    page = victim.context.new_page()
    with foreign_site(host, ATTACKS[attack].format(origin=victim.origin)) as address:
        page.goto(address)
        with page.expect_request(lambda request: request.url.startswith(victim.origin)) as made:
            page.get_by_role("button", name="Win").click()
        # None where the browser asks first whether this may be sent, or gives no page of others what was answered.
        answer = made.value.response()
        assert answer is None or answer.status in (401, 403, 415), answer.status
    page.close()
    victim.is_elsewhere = False
    victim.open("/status")
    victim.heading(victim.words("pages/status")("title"))
