"""Traffic is encrypted where a certificate is configured, and both sides prove themselves where it asks for that
(A-3.6.3)."""

import asyncio
import json
import os
import subprocess
import sys
import time
from pathlib import Path

import grpc
import pytest
import trustme

from trackme import TLS, Reading, TrackMeClient
from trackme.protocol import ReadingServiceStub, reading_service

from metrics_page import scrape
from server_process import SERVING, ServerProcess, binary, free_port, wait_until
from streams import metadata

FLOOD = Path(__file__).parents[1] / "Robustness" / "flood.py"


@pytest.fixture(scope="module")
def authority():
    return trustme.CA()


@pytest.fixture(scope="module")
def files(authority, tmp_path_factory):
    """PEM files of the authority, the server and a client."""
    folder = tmp_path_factory.mktemp("tls")
    authority.cert_pem.write_to_path(folder / "ca.pem")
    for name, certificate in (
        ("server", authority.issue_cert("127.0.0.1", "localhost")),
        ("client", authority.issue_cert("gateway@example.org")),
        ("stranger", trustme.CA().issue_cert("gateway@example.org")),
    ):
        certificate.private_key_pem.write_to_path(folder / f"{name}.key")
        for pem in certificate.cert_chain_pems:
            pem.write_to_path(folder / f"{name}.pem", append=True)
    return folder


def credentials(files, name=None):
    pair = ((files / f"{name}.key").read_bytes(), (files / f"{name}.pem").read_bytes()) if name else (None, None)
    return grpc.ssl_channel_credentials((files / "ca.pem").read_bytes(), *pair)


def serve(files, name=None, **environment):
    return ServerProcess(
        {
            "TRACKME_TLS_CERTIFICATE": str(files / "server.pem"),
            "TRACKME_TLS_KEY": str(files / "server.key"),
            **environment,
        },
        credentials(files, name),
    )


@pytest.fixture(scope="module")
def encrypted(files):
    server = serve(files).start()
    yield server
    server.remove()


@pytest.fixture(scope="module")
def mutual(files):
    server = serve(files, "client", TRACKME_TLS_CLIENT_CA=str(files / "ca.pem")).start()
    yield server
    server.remove()


def list_metrics(channel, token):
    with channel:
        return ReadingServiceStub(channel).ListMetrics(
            reading_service.ListMetricsRequest(), metadata=metadata(token), timeout=5
        )


def refused(channel, token):
    with pytest.raises(grpc.RpcError) as caught:
        list_metrics(channel, token)
    return caught.value.code() == grpc.StatusCode.UNAVAILABLE


def test_a_client_that_trusts_the_authority_is_served(encrypted):
    assert list_metrics(encrypted.open_channel(), encrypted.operator_token).metrics


def test_plain_text_and_unknown_authorities_are_not_served(encrypted):
    assert refused(grpc.insecure_channel(encrypted.target), encrypted.operator_token)
    strange = grpc.ssl_channel_credentials(trustme.CA().cert_pem.bytes())
    assert refused(grpc.secure_channel(encrypted.target, strange), encrypted.operator_token)


def test_the_package_pushes_encrypted(encrypted, files):
    async def push():
        tls = TLS(ca_file=files / "ca.pem")
        async with TrackMeClient(encrypted.target, encrypted.operator_token, tls) as client:
            async with client.push("tls") as session:
                ticket = await session.send([Reading(7, "heart_rate", time.time_ns() // 1000, 60.0)])
                return await ticket

    assert asyncio.run(push()).accepted == 1


def test_with_mutual_tls_a_client_needs_a_certificate_of_the_authority(mutual, files):
    token = mutual.operator_token
    assert list_metrics(mutual.open_channel(), token).metrics
    assert refused(grpc.secure_channel(mutual.target, credentials(files)), token)
    assert refused(grpc.secure_channel(mutual.target, credentials(files, "stranger")), token)


def test_a_certificate_does_not_replace_the_token(mutual):
    with pytest.raises(grpc.RpcError) as caught:
        list_metrics(mutual.open_channel(), None)
    assert caught.value.code() == grpc.StatusCode.UNAUTHENTICATED


def refusal(tmp_path, listen, environment, *options) -> str:
    """What a server says that does not start; it has made nothing."""
    ended = subprocess.run(
        [binary(), "serve", "--listen", listen, "--data-dir", tmp_path / "data", *options],
        env={**os.environ, **environment}, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert ended.returncode != 0
    return ended.stderr


# 192.0.2.1 is nobody's (RFC 5737).
@pytest.mark.parametrize("listen", ["0.0.0.0:0", "[::]:0", "192.0.2.1:50051", "trackme.example:50051", ":50051"])
def test_where_others_can_connect_nothing_starts_without_encryption(tmp_path, listen):
    said = refusal(tmp_path, listen, {"TRACKME_TLS_CERTIFICATE": ""})
    assert listen in said and "--insecure" in said and "TRACKME_TLS_CERTIFICATE" in said
    assert not (tmp_path / "data").exists()


def started(server, host, *options):
    server.listen, server.options = f"{host}:{server.port}", options
    try:
        server.start()
        assert server.health() == SERVING
        assert server.stop() == 0
    finally:
        server.remove()


def test_where_others_can_connect_a_server_with_a_certificate_starts(files):
    started(serve(files), "0.0.0.0")


def test_where_others_can_connect_insecure_says_that_a_proxy_encrypts():
    started(ServerProcess({"TRACKME_TLS_CERTIFICATE": ""}), "0.0.0.0", "--insecure")


def test_a_name_of_this_machine_needs_no_encryption():
    started(ServerProcess({"TRACKME_TLS_CERTIFICATE": ""}), "localhost")


@pytest.fixture
def payments(tmp_path):
    """The environment of a server that takes news of payments where others can connect."""
    for name in ("key", "secret"):
        (tmp_path / name).write_text("a-secret-of-the-provider\n")
    return {
        "TRACKME_PAYMENT_URL": "http://127.0.0.1:9", "TRACKME_PAYMENT_KEY_FILE": str(tmp_path / "key"),
        "TRACKME_PAYMENT_WEBHOOK_SECRET_FILE": str(tmp_path / "secret"), "TRACKME_WEBHOOK_LISTEN": "0.0.0.0:0",
    }  # fmt: skip


def test_news_of_payments_come_from_elsewhere_only_through_a_proxy_that_encrypts(tmp_path, files, payments):
    # The server's certificate is not used there.
    certificate = {"TRACKME_TLS_CERTIFICATE": str(files / "server.pem"), "TRACKME_TLS_KEY": str(files / "server.key")}
    said = refusal(tmp_path, "127.0.0.1:0", payments | certificate)
    assert "TRACKME_WEBHOOK_LISTEN" in said and "--insecure" in said
    started(ServerProcess(payments), "127.0.0.1", "--insecure")


def test_floods_are_bounded_as_in_clear_text(files):
    """Of a rapid reset (CVE-2023-44487). A record of TLS holds some 600 calls, which nobody can tell before it is whole: so
    few strangers are read at once."""
    connections, seconds = 100, 3
    port = free_port()
    server = serve(files, TRACKME_METRICS_LISTEN=f"127.0.0.1:{port}").start()
    command = [
        sys.executable, FLOOD, server.target, "rapid reset", "--connections", str(connections), "--seconds", str(seconds),
        "--tls",
    ]  # fmt: skip
    most_running = 0
    try:
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            while process.poll() is None:
                most_running = max(most_running, scrape(port)("trackme_calls_running"))
                time.sleep(0.02)
            flood = json.loads(process.stdout.read())
        wait_until(lambda: scrape(port)("trackme_calls_running") == 0, 30, "the end of all calls")
        taken = scrape(port)("trackme_calls_total")
    finally:
        server.remove()
    assert not flood["failure"] and flood["statuses"]["bytes"] > connections * (16 << 10)
    # How many are taken depends on how fast the machine is, and is some 30,000 of 10,000,000; at once there were 2,000.
    assert 0 < taken < flood["statuses"]["calls"] / 20
    assert most_running < 10_000
