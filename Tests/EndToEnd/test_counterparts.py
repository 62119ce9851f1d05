"""The counterparts that stand for gateways and dispatchers find what is broken: else tests with them prove nothing."""

import base64
import http.client
import json
import threading
import time
import urllib.parse

import pytest

import cap
from cap_webhook import CapWebhook
from http_counterpart import CLOSE, CLOSE_AFTER_TAKING, HANG
from sms_gateway import SmsGateway
from stalls import since

GOOD = """<?xml version="1.0" encoding="UTF-8"?>
<alert xmlns="urn:oasis:names:tc:emergency:cap:1.2"><identifier>a-1</identifier><sender>trackme@example.org</sender>
<sent>2026-11-21T08:00:00-00:00</sent><status>Exercise</status><msgType>Alert</msgType><scope>Private</scope>
<addresses>dispatch</addresses><incidents>a</incidents>
<info><category>Health</category><event>Emergency</event><responseType>Execute</responseType>
<urgency>Immediate</urgency><severity>Extreme</severity><certainty>Observed</certainty>
<parameter><valueName>age</valueName><value>70</value></parameter>
<area><areaDesc>Milano</areaDesc><circle>45.464,9.19 0.02</circle></area></info></alert>"""
UPDATE = GOOD.replace("a-1", "a-2").replace("<msgType>Alert", "<msgType>Update").replace(
    "<incidents>", "<references>trackme@example.org,a-1,2026-11-21T08:00:00-00:00</references><incidents>"
)  # fmt: skip

BREAKAGES = {
    "not XML": (GOOD[:-3], "not XML"),
    "another namespace": (GOOD.replace("cap:1.2", "cap:1.1"), "namespace"),
    "an entity": (GOOD.replace("<alert", '<!DOCTYPE a [<!ENTITY x "y">]><alert'), "declared"),
    "another root": (GOOD.replace("alert", "alarm"), "the root is alarm"),
    "an attribute": (GOOD.replace("<info>", '<info kind="a">'), "attributes"),
    "no identifier": (GOOD.replace("<identifier>a-1</identifier>", ""), "identifier is missing"),
    "an identifier with a comma": (GOOD.replace("a-1", "a,1"), "identifier has a wrong form"),
    "a sender with a space": (GOOD.replace("trackme@", "track me@"), "sender has a wrong form"),
    "a time in Z": (GOOD.replace("-00:00</sent>", "Z</sent>"), "sent has a wrong form"),
    "a time with fractions": (GOOD.replace("08:00:00-", "08:00:00.5-"), "sent has a wrong form"),
    "a month too many": (GOOD.replace("2026-11", "2026-13"), "sent is no time"),
    "an unknown status": (GOOD.replace(">Exercise", ">Drill"), "status is 'Drill'"),
    "a wrong order": (GOOD.replace("<scope>Private</scope>", "").replace("<status>", "<scope>Private</scope><status>"),
                      "status is missing"),
    "two events": (GOOD.replace("<event>", "<event>A</event><event>"), "event is there 2 times"),
    "no category": (GOOD.replace("<category>Health</category>", ""), "category is missing"),
    "an unknown urgency": (GOOD.replace("Immediate", "Now"), "urgency is 'Now'"),
    "an unknown element": (GOOD.replace("<event>", "<kind>A</kind><event>"), "event is missing"),
    "half a parameter": (GOOD.replace("<value>70</value>", ""), "value is missing"),
    "an empty element": (GOOD.replace(">Emergency<", "><"), "event is empty"),
    "private without addresses": (GOOD.replace("<addresses>dispatch</addresses>", ""), "needs addresses"),
    "an area without description": (GOOD.replace("<areaDesc>Milano</areaDesc>", ""), "areaDesc is missing"),
    "a circle without radius": (GOOD.replace("9.19 0.02", "9.19"), "circle has a wrong form"),
    "a circle beyond the pole": (GOOD.replace("45.464", "95.464"), "not on earth"),
    "text beside elements": (GOOD.replace("<area>", "<area>here"), "beside its elements"),
    "an update of nothing": (GOOD.replace(">Alert<", ">Update<"), "Update needs references"),
    "a reference without time": (UPDATE.replace(",2026-11-21T08:00:00-00:00<", "<"), "references has a wrong form"),
}  # fmt: skip


def test_a_good_message_is_read():
    alert = cap.parse(GOOD.encode())
    info = alert.first("info")
    assert alert.get("status") == "Exercise" and info.pairs("parameter") == {"age": "70"}
    assert cap.circle_of(info.first("area")) == (45.464, 9.19, 0.02)
    assert cap.references_of(cap.parse(UPDATE.encode())) == [
        ("trackme@example.org", "a-1", "2026-11-21T08:00:00-00:00")
    ]


@pytest.mark.parametrize("name", BREAKAGES)
def test_a_message_that_breaks_the_standard_is_refused(name):
    document, problem = BREAKAGES[name]
    assert document not in (GOOD, UPDATE), "the breakage breaks something"
    with pytest.raises(cap.CapError, match=problem):
        cap.parse(document.encode())


def post(counterpart, path, body, timeout=5, **headers):
    """Status and body; raises where there is no answer."""
    connection = http.client.HTTPConnection("127.0.0.1", counterpart.port, timeout=timeout)
    try:
        connection.request("POST", path, body, {name.replace("_", "-"): value for name, value in headers.items()})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()


def test_the_webhook_takes_a_message_once_and_refuses_what_refers_to_none():
    with CapWebhook() as webhook:
        def send(document):
            return post(webhook, "/cap", document.encode(), Content_Type="application/cap+xml")[0]

        assert send(UPDATE) == 422 and "never came" in webhook.problems[0]
        assert [send(GOOD), send(GOOD), send(UPDATE)] == [200, 200, 200]
        assert [a.get("identifier") for a in webhook.alerts] == ["a-1", "a-2"]
        assert post(webhook, "/cap", GOOD.encode(), Content_Type="text/plain")[0] == 415


def ask(gateway, kind="Messages", key="k", credentials=None, timeout=5, **fields):
    fields = {"To": "+390212345678", "From": "+3902999999", "Body": "EXERCISE", **fields}
    user = credentials or f"{gateway.account}:{gateway.token}"
    return post(
        gateway, f"/2010-04-01/Accounts/{gateway.account}/{kind}.json", urllib.parse.urlencode(fields), timeout,
        Authorization="Basic " + base64.b64encode(user.encode()).decode(), Idempotency_Key=key,
        Content_Type="application/x-www-form-urlencoded",
    )  # fmt: skip


def test_the_gateway_takes_an_sms_and_a_call_once_each_by_their_keys():
    with SmsGateway() as gateway:
        status, first = ask(gateway)
        assert status == 201 and json.loads(first)["sid"].startswith("SM")
        assert ask(gateway)[1] == first, "the same key is the same message"
        assert ask(gateway, key="other")[1] != first
        said = "<Response><Say>EXERCISE</Say><Say>help</Say></Response>"
        assert ask(gateway, "Calls", Twiml=said)[0] == 201
        assert [t.channel for t in gateway.taken] == ["sms", "sms", "voice"]
        assert gateway.of("voice", "+390212345678")[0].text == "EXERCISE help"


@pytest.mark.parametrize(
    ("status", "change"),
    [
        (401, {"credentials": "AC:wrong"}), (400, {"To": "12"}), (400, {"Body": ""}), (400, {"key": ""}),
        (400, {"kind": "Calls"}), (400, {"kind": "Calls", "Twiml": "<Say>"}), (404, {"kind": "Faxes"}),
        (400, {"Body": "x" * 1601}),
    ],
    ids=str,
)  # fmt: skip
def test_the_gateway_refuses_what_twilio_would(status, change):
    with SmsGateway() as gateway:
        assert ask(gateway, **change)[0] == status
        assert not gateway.taken and len(gateway.refusals) == 1


def test_a_counterpart_misbehaves_as_it_is_told_and_then_works():
    with SmsGateway(script=[500, 429, CLOSE, CLOSE_AFTER_TAKING, HANG]) as gateway:
        assert [ask(gateway)[0], ask(gateway)[0]] == [500, 429]
        for taken in (0, 1):
            with pytest.raises((ConnectionError, http.client.HTTPException)):
                ask(gateway)
            assert len(gateway.taken) == taken
        with pytest.raises(TimeoutError):
            ask(gateway, timeout=0.3)
        assert ask(gateway)[0] == 201 and len(gateway.taken) == 1, "what was taken before is not taken again"
        assert [r.outcome for r in gateway.requests] == [500, 429, CLOSE, CLOSE_AFTER_TAKING, HANG, 201]


def test_a_counterpart_can_go_and_come_back_on_its_port():
    gateway = SmsGateway()
    gateway.close()
    with pytest.raises(ConnectionError):
        ask(gateway)
    with SmsGateway(port=gateway.port) as again:
        assert ask(again)[0] == 201


def test_many_at_once():
    with SmsGateway() as gateway:
        threads = [threading.Thread(target=ask, args=(gateway,), kwargs={"key": str(n)}) for n in range(50)]
        started = time.monotonic()
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len({t.sid for t in gateway.taken}) == 50 and since(started) < 10
