"""Where the server is and how to prove who we are."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import grpc

# A dead peer is noticed within half a minute; the server accepts pings this frequent.
_OPTIONS = (
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.min_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    ("grpc.max_receive_message_length", 16 << 20),
    # Channels of one process do not share a connection, nor its back-off.
    ("grpc.use_local_subchannel_pool", 1),
)


@dataclass(frozen=True)
class TLS:
    """Encryption. Without a CA file the system's roots count."""

    ca_file: Path | None = None
    certificate_file: Path | None = None
    """With key_file: our own certificate, where the server asks for one."""
    key_file: Path | None = None
    server_name: str | None = None
    """The name in the server's certificate, where it is not that of the target."""


@dataclass(frozen=True)
class Endpoint:
    """A server, and the token that it knows us by."""

    target: str
    """HOST:PORT."""
    token: str = ""
    tls: TLS | None = None

    def open_channel(self) -> grpc.aio.Channel:
        """A new channel; the caller closes it."""
        if self.tls is None:
            return grpc.aio.insecure_channel(self.target, options=_OPTIONS)
        tls, options = self.tls, list(_OPTIONS)
        if tls.server_name:
            options.append(("grpc.ssl_target_name_override", tls.server_name))
        credentials = grpc.ssl_channel_credentials(
            root_certificates=_read(tls.ca_file),
            private_key=_read(tls.key_file),
            certificate_chain=_read(tls.certificate_file),
        )
        return grpc.aio.secure_channel(self.target, credentials, options=options)

    @property
    def metadata(self) -> tuple[tuple[str, str], ...]:
        """What every call carries."""
        return (("authorization", f"Bearer {self.token}"),) if self.token else ()


def _read(path: Path | None) -> bytes | None:
    return None if path is None else path.read_bytes()
