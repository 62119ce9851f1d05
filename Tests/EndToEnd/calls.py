"""Every RPC by its name: as the server's reflection lists them, and what became of a call."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from dataclasses import dataclass, field

import grpc
from google.protobuf import descriptor_pb2, descriptor_pool, message_factory
from google.rpc import error_details_pb2
from grpc_reflection.v1alpha.proto_reflection_descriptor_database import ProtoReflectionDescriptorDatabase
from grpc_status import rpc_status

from trackme.protocol import callers

from streams import PATIENCE_S, metadata


@dataclass(frozen=True)
class Method:
    """An RPC as reflection describes it."""

    service: str
    name: str
    request: type
    response: type
    client_streams: bool
    server_streams: bool
    callers: frozenset[int] = frozenset()
    """Numbers of trackme.options.v1.Caller: who may make the call, as its option says."""
    has_no_side_effects: bool = False

    @property
    def path(self) -> str:
        return f"/{self.service}/{self.name}"

    def start(self, channel: grpc.Channel, token: str | None, requests: Iterable[bytes], timeout: float = PATIENCE_S):
        """Calls with these bytes; the responses, parsed one by one."""
        parse = self.response.FromString
        options = {"metadata": metadata(token), "timeout": timeout}
        if not self.client_streams:
            (request,) = requests
            if not self.server_streams:
                return iter([channel.unary_unary(self.path, None, parse)(request, **options)])
            return channel.unary_stream(self.path, None, parse)(request, **options)
        return channel.stream_stream(self.path, None, parse)(iter(requests), **options)


@dataclass
class Outcome:
    """What became of a call: its status, the reason and the fields at fault, or its first response."""

    code: grpc.StatusCode
    message: str = ""
    reason: str = ""
    facts: dict[str, str] = field(default_factory=dict)
    fields: list[str] = field(default_factory=list)
    has_details: bool = False
    responses: list = field(default_factory=list)

    def __str__(self) -> str:
        return " ".join(filter(None, [self.code.name, self.reason]))


def outcome_of(error: grpc.RpcError) -> Outcome:
    """A failed call, as the official library reads it."""
    outcome = Outcome(error.code(), error.details() or "")
    status = rpc_status.from_call(error)
    for detail in status.details if status is not None else ():
        outcome.has_details = True
        info, bad = error_details_pb2.ErrorInfo(), error_details_pb2.BadRequest()
        if detail.Unpack(info):
            assert info.domain == "trackme"
            outcome.reason, outcome.facts = info.reason, dict(info.metadata)
        elif detail.Unpack(bad):
            outcome.fields += [v.field for v in bad.field_violations]
    return outcome


def outcome(
    method: Method, channel: grpc.Channel, token: str | None, requests: Iterable[bytes], responses: int = 1,
    timeout: float = PATIENCE_S,
) -> Outcome:  # fmt: skip
    """Calls, and waits for the first `responses` responses, or the end if that comes before."""
    call = None
    try:
        call = method.start(channel, token, requests, timeout)
        return Outcome(grpc.StatusCode.OK, responses=list(itertools.islice(call, responses)))
    except grpc.RpcError as error:
        return outcome_of(error)
    finally:
        if method.server_streams and call is not None:
            call.cancel()


def reflected_methods(channel: grpc.Channel) -> list[Method]:
    """Every RPC of every service that the server says it has, in the order of their names."""
    database = ProtoReflectionDescriptorDatabase(channel)
    pool = descriptor_pool.DescriptorPool(database)
    methods = []
    for name in sorted(database.get_services()):
        service = pool.FindServiceByName(name)
        for method in service.methods:
            methods.append(
                Method(
                    name,
                    method.name,
                    message_factory.GetMessageClass(method.input_type),
                    message_factory.GetMessageClass(method.output_type),
                    method.client_streaming,
                    method.server_streaming,
                    frozenset(method.GetOptions().Extensions[callers.callers]),
                    method.GetOptions().idempotency_level == descriptor_pb2.MethodOptions.NO_SIDE_EFFECTS,
                )
            )
    return methods
