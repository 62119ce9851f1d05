"""Starts a real server; the tests speak to it with official gRPC libraries and the generated messages alone."""

import faulthandler
import gc
import itertools
import sys
from pathlib import Path

import grpc
import pytest

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1])]

from accounts import Accounts  # noqa: E402
from expenditure_files import shipped  # noqa: E402
from expenditure_site import Site  # noqa: E402
from patience import FACTOR  # noqa: E402
from server_process import ServerProcess, binary  # noqa: E402
from streams import Caller  # noqa: E402
from web import Browser, Web  # noqa: E402

_persons = itertools.count(1000)


def pytest_collection_finish(session):
    if session.items and not session.config.option.collectonly and not binary().exists():
        pytest.exit(f"no server at {binary()}: swift build -c release", returncode=2)
    # Six thousand tests stay until the end: whoever collects garbage need not look through them again and again.
    gc.collect()
    gc.freeze()


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    """A thread left behind would keep the interpreter from ending, unseen: that is a failure, and shows which."""
    faulthandler.dump_traceback_later(15 * FACTOR, exit=True, file=sys.__stderr__)


@pytest.fixture(scope="session")
def server():
    """The server that most tests share. It must end with status 0 on SIGTERM."""
    # Some wait until what they have sent is compacted.
    environment = {"TRACKME_HEARTBEAT_MS": "200", "TRACKME_COMPACTION_SECONDS": "3"}
    process = ServerProcess(environment, has_web=True).start()
    yield process
    status, tail = process.stop(), process.log_tail()
    process.remove()
    assert status == 0, tail


@pytest.fixture
def own_server():
    """A server of the test's own: to be killed, stopped and mistreated."""
    process = ServerProcess({"TRACKME_HEARTBEAT_MS": "200"}).start()
    yield process
    process.remove()


@pytest.fixture
def operator(server):
    """Calls with the operator's token."""
    with Caller(server.target, server.operator_token) as caller:
        yield caller


@pytest.fixture
def person():
    """The number of a person that no other test uses."""
    return next(_persons)


@pytest.fixture
def as_person(server, person):
    """Calls with the token of `person`."""
    with Caller(server.target, server.person_token(person)) as caller:
        yield caller


@pytest.fixture
def anonymous(server):
    """Calls without a token."""
    with Caller(server.target, None) as caller:
        yield caller


@pytest.fixture(scope="session")
def accounts(server):
    """Makes those who have accounts."""
    accounts = Accounts(server)
    yield accounts
    accounts.close()


@pytest.fixture
def web(server):
    """A program that asks over HTTP, without a token."""
    return Web(server.web_port)


@pytest.fixture
def browser(server):
    """A browser that nobody has signed in with."""
    return Browser(server.web_port)


@pytest.fixture
def channel(server):
    with grpc.insecure_channel(server.target) as channel:
        yield channel


@pytest.fixture(scope="module")
def site():
    """A server with an administrator of the figures, and none of them."""
    with Site() as made:
        yield made


@pytest.fixture
def own_site():
    """The same for one test alone."""
    with Site() as made:
        yield made


@pytest.fixture(scope="module")
def shipped_site():
    """A server with the shipped figures."""
    with Site() as made:
        made.published(shipped())
        yield made


@pytest.fixture(scope="module")
def visitor(shipped_site):
    """Whoever asks there."""
    return shipped_site.accounts.anonymous()
