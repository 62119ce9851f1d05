"""A grant whose time is over ends within a second: streams, subscriptions and reads under it (A-R7)."""

from __future__ import annotations

import time

import grpc
import pytest
from trackme.protocol import ReadingServiceStub, access, reading_service

from calls import outcome_of
from failures import fails
from stalls import since
from streams import Subscribe

pytestmark = pytest.mark.strict


def test_a_grant_ends_within_a_second_of_its_end(server, accounts):
    person, doctor = accounts.person(), accounts.third_party()
    grant = doctor.granted(person)
    subscription = doctor.subscription(grant)
    with Subscribe(doctor.channel, doctor.token, subscription_id=subscription).standing() as stream:
        # No grant that can be asked for ends so soon: at some moment between these two.
        earliest = time.monotonic() + 0.3
        server.sql("UPDATE access_request SET expires_at = now() + interval '300 ms' WHERE id = %s", (grant,))
        latest = time.monotonic() + 0.3
        with pytest.raises(grpc.RpcError) as caught:
            while True:
                stream.next()
        assert time.monotonic() > earliest and since(latest) < 1.0
        assert str(outcome_of(caught.value)) == "PERMISSION_DENIED ACCESS_ENDED"
    with fails(grpc.StatusCode.PERMISSION_DENIED) as failure:
        request = reading_service.ExportReadingsRequest(access_request_id=grant)
        list(doctor.call(ReadingServiceStub(doctor.channel).ExportReadings, request))
    assert failure.reason == "ACCESS_ENDED"
    with fails(grpc.StatusCode.FAILED_PRECONDITION):
        doctor.subscription(grant)
    ended = person.ask("GetAccessRequest", access_request_id=grant).access_request
    assert ended.state == access.ACCESS_STATE_EXPIRED
