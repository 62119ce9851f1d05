"""Traffic is encrypted where a certificate is configured, and both sides prove themselves where it asks for that
(A-3.6.3)."""

import asyncio
import time

import grpc
import pytest
import trustme

from trackme import TLS, Reading, TrackMeClient
from trackme.protocol import ReadingServiceStub, reading_service

from server_process import ServerProcess
from streams import metadata


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
