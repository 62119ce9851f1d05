"""The proxy of docs/configuration.md, with the settings that stand there: it tells the server who its clients are, and
keeps out those who only connect."""

import os
import re
import shutil
import socket
import ssl
import subprocess
from contextlib import ExitStack

import grpc
import pytest
import trustme

from trackme.protocol import IdentityServiceStub, identity

from calls import outcome_of
from server_process import ROOT, ServerProcess, free_port, wait_until
from streams import Subscribe

UNPACKED = ROOT / ".build/haproxy"
PER_ADDRESS = 256


class Proxy:
    """HAProxy in front of a server. The server sees it at an address that no client has."""

    def __init__(self, folder):
        self.authority = trustme.CA()
        self.authority.issue_cert("127.0.0.1").private_key_and_cert_chain_pem.write_to_path(folder / "trackme.pem")
        self.server = ServerProcess({"TRACKME_TRUSTED_PROXIES": "127.0.0.3", "TRACKME_HEARTBEAT_MS": "200"})
        self.port = free_port()
        page = (ROOT / "docs/configuration.md").read_text()
        text = re.search(r"^```haproxy\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)[1]
        for printed, here in {
            ":443": f"127.0.0.1:{self.port}",
            "/etc/haproxy/trackme.pem": str(folder / "trackme.pem"),
            "127.0.0.1:50051": f"{self.server.target} source 127.0.0.3",
            " 10s\n": " 1s\n",
            " 1m\n": " 2s\n",
        }.items():
            assert printed in text
            text = text.replace(printed, here)
        (folder / "haproxy.cfg").write_text(text)
        libraries = [*UNPACKED.glob("usr/lib/*-linux-gnu")]
        self.command = [shutil.which("haproxy") or UNPACKED / "usr/sbin/haproxy", "-db", "-f", folder / "haproxy.cfg"]
        self.environment = {**os.environ, "LD_LIBRARY_PATH": ":".join(map(str, libraries))}
        self.log = folder / "haproxy.log"

    def __enter__(self):
        self.server.start()
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(self.command, env=self.environment, stdout=log, stderr=log)
        wait_until(self._accepts, what=f"HAProxy ({self.log})")
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.server.remove()

    def _accepts(self):
        assert self.process.poll() is None, self.log.read_text()
        try:
            self.connect("127.0.0.1").close()
            return True
        except OSError:
            return False

    def connect(self, source: str) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=60, source_address=(source, 0))

    def channel(self) -> grpc.Channel:
        options = [("grpc.use_local_subchannel_pool", 1)]
        credentials = grpc.ssl_channel_credentials(self.authority.cert_pem.bytes())
        return grpc.secure_channel(f"127.0.0.1:{self.port}", credentials, options)


@pytest.fixture(scope="module")
def proxy(tmp_path_factory):
    if not (shutil.which("haproxy") or (UNPACKED / "usr/sbin/haproxy").exists()):
        pytest.skip("no HAProxy: make .build/haproxy/.ready")
    with Proxy(tmp_path_factory.mktemp("proxy")) as proxy:
        yield proxy


def ended(connection: socket.socket) -> bool:
    """Whether the proxy has closed it; a connection that does not block is asked for now, others are waited for."""
    try:
        while connection.recv(4096):
            pass
    except ConnectionResetError:
        pass
    except (TimeoutError, BlockingIOError):
        return False
    return True


def test_streams_stay_open_and_the_silent_are_closed(proxy):
    context = ssl.create_default_context(cadata=proxy.authority.cert_pem.bytes().decode())
    context.set_alpn_protocols(["h2"])
    with ExitStack() as stack:
        channel = stack.enter_context(proxy.channel())
        token = proxy.server.person_token(1)
        stream = stack.enter_context(Subscribe(channel, token, person_ids=[1])).standing()
        silent = stack.enter_context(proxy.connect("127.0.0.1"))
        shaken = stack.enter_context(
            context.wrap_socket(proxy.connect("127.0.0.1"), server_hostname="127.0.0.1")
        )
        shaken.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + bytes([0, 0, 0, 4, 0, 0, 0, 0, 0]))
        assert ended(shaken)
        silent.setblocking(False)
        assert not ended(silent), "it has as long as a stream has"
        silent.settimeout(10)
        assert ended(silent)
        # Longer than any of the proxy's times for those that are silent.
        for _ in range(15):
            stream.frame()


def test_the_server_hears_who_the_client_is_whatever_it_says_itself(proxy):
    with proxy.channel() as channel:
        register = IdentityServiceStub(channel).RegisterPerson
        reasons = []
        for number in range(11):
            with pytest.raises(grpc.RpcError) as refused:
                said = (("x-forwarded-for", f"192.0.2.{number}"),)
                register(identity.RegisterPersonRequest(), metadata=said, timeout=60)
            reasons.append(outcome_of(refused.value).reason)
    assert reasons.index("TOO_MANY_REGISTRATIONS") == 10


def test_one_address_has_so_many_connections_and_others_are_not_held_up(proxy):
    with ExitStack() as stack:
        crowd = [stack.enter_context(proxy.connect("127.0.0.2")) for _ in range(PER_ADDRESS + 44)]
        for connection in crowd:
            connection.setblocking(False)
        left = len(crowd) - PER_ADDRESS
        wait_until(lambda: sum(map(ended, crowd)) == left, what="the end of those beyond the limit")
        with proxy.channel() as channel:
            request = identity.GetRegistrationFormRequest(kind=identity.ACCOUNT_KIND_PERSON)
            assert IdentityServiceStub(channel).GetRegistrationForm(request, timeout=60).etag
