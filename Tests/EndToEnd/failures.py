"""What a failed call must say."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass, field

import grpc
import pytest
from google.rpc import error_details_pb2
from grpc_status import rpc_status


@dataclass
class Failure:
    """A failed call, as the official library reads it."""

    code: grpc.StatusCode | None = None
    message: str = ""
    reason: str = ""
    fields: set[str] = field(default_factory=set)


@contextmanager
def fails(code: grpc.StatusCode, *fields: str):
    """The block ends with that status, ErrorInfo of our domain, and BadRequest that names these fields at least."""
    failure = Failure()
    with pytest.raises(grpc.RpcError) as caught:
        yield failure
    error = caught.value
    failure.code, failure.message = error.code(), error.details()
    assert failure.code == code, f"{failure.code}: {failure.message}"
    status = rpc_status.from_call(error)
    assert status is not None, f"no details beside {failure.message!r}"
    for detail in status.details:
        info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
        if detail.Unpack(info):
            assert info.domain == "trackme"
            failure.reason = info.reason
        elif detail.Unpack(bad):
            assert all(v.description for v in bad.field_violations)
            failure.fields |= {v.field for v in bad.field_violations}
    assert failure.reason and failure.reason == failure.reason.upper()
    assert set(fields) <= failure.fields, f"violations name {failure.fields}"
