"""What can go wrong, with the details that the server sends."""

from __future__ import annotations

from dataclasses import dataclass, field

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

# After these the same call may succeed: the server or the way to it was not there, or not able.
RETRIABLE = frozenset(
    {
        grpc.StatusCode.UNAVAILABLE,
        grpc.StatusCode.UNKNOWN,
        grpc.StatusCode.INTERNAL,
        grpc.StatusCode.CANCELLED,
        grpc.StatusCode.DEADLINE_EXCEEDED,
        grpc.StatusCode.RESOURCE_EXHAUSTED,
    }
)


class TrackMeError(Exception):
    """Base of the errors this package raises itself."""


class ClientSuperseded(TrackMeError):
    """Another stream of the same client_id began; the server takes readings from that one."""


class BatchTooLarge(TrackMeError):
    """A batch has more readings or bytes than the server takes."""


class UnknownMetric(TrackMeError):
    """The server's registry has no metric of that name or number."""


@dataclass(frozen=True)
class ErrorDetails:
    """What a failed call says about itself."""

    code: grpc.StatusCode
    message: str
    reason: str = ""
    """Upper-case reason of ErrorInfo, such as "PERMISSION_DENIED"."""
    domain: str = ""
    violations: dict[str, str] = field(default_factory=dict)
    """What is wrong with each field of the request."""

    @property
    def is_retriable(self) -> bool:
        return self.code in RETRIABLE


def details_of(error: grpc.RpcError) -> ErrorDetails:
    """The details of a failed call; reason, domain and violations are empty where the server sent none."""
    reason, domain, violations = "", "", {}
    try:
        status = rpc_status.from_call(error) if error.trailing_metadata() else None
    except ValueError:  # the details contradict the status: then only the status counts
        status = None
    for any_detail in status.details if status is not None else ():
        info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
        if any_detail.Unpack(info):
            reason, domain = info.reason, info.domain
        elif any_detail.Unpack(bad):
            violations = {v.field: v.description for v in bad.field_violations}
    return ErrorDetails(error.code(), error.details() or "", reason, domain, violations)


async def raise_status(call: grpc.aio.Call) -> None:
    """Raises the status that a call ended with, unless it is OK."""
    code = await call.code()
    if code != grpc.StatusCode.OK:
        raise grpc.aio.AioRpcError(
            code, await call.initial_metadata(), await call.trailing_metadata(), await call.details()
        )
