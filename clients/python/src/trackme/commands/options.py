"""The options that say where the server is, shared by the commands."""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from ..client import TrackMeClient
from ..endpoint import TLS

_LOOPBACK = ("localhost", "127.", "[::1]", "unix:")


def add_server_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("server")
    group.add_argument(
        "--server",
        default=os.environ.get("TRACKME_SERVER", "127.0.0.1:50051"),
        metavar="HOST:PORT",
        help="where the server listens (TRACKME_SERVER; %(default)s)",
    )
    group.add_argument("--token", default=os.environ.get("TRACKME_TOKEN", ""), help="bearer token (TRACKME_TOKEN)")
    group.add_argument("--token-file", type=Path, metavar="FILE", help="file that holds the token")
    group.add_argument("--tls", action="store_true", help="encrypt; implied by the options below")
    group.add_argument("--ca-file", type=Path, metavar="FILE", help="PEM roots to trust instead of the system's")
    group.add_argument("--cert-file", type=Path, metavar="FILE", help="PEM certificate of our own, for mutual TLS")
    group.add_argument("--key-file", type=Path, metavar="FILE", help="PEM key of --cert-file")
    group.add_argument("--server-name", metavar="NAME", help="name in the server's certificate")


def client_from(options: argparse.Namespace) -> TrackMeClient:
    """The client that the options describe. Raises OSError where a file cannot be read."""
    token = options.token_file.read_text().strip() if options.token_file else options.token
    tls = None
    if options.tls or options.ca_file or options.cert_file or options.server_name:
        tls = TLS(options.ca_file, options.cert_file, options.key_file, options.server_name)
    elif token and not options.server.startswith(_LOOPBACK):
        print(f"warning: the token goes to {options.server} unencrypted; see --tls", file=sys.stderr)
    return TrackMeClient(options.server, token, tls)
