"""Starts a real server and a real Chromium. Each test has a window of its own; what it may never do is checked at its end."""

import sys
import zlib
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[1] / "EndToEnd"), str(Path(__file__).parents[1])]

from accounts import Accounts  # noqa: E402
from server_process import ServerProcess  # noqa: E402
from window import PICTURES_WANTED, Window  # noqa: E402

LOOKS = [("en", "light"), ("it", "dark"), ("en", "dark"), ("it", "light")]
"""Language and theme. A test has one of the first two unless `--every-look` is given, always the same one."""


def pytest_addoption(parser):
    parser.addoption("--every-look", action="store_true", help="each test in both languages and both themes")


def pytest_generate_tests(metafunc):
    if "look" in metafunc.fixturenames:
        every = metafunc.config.getoption("--every-look")
        # Pictures for the documents are all alike.
        looks = LOOKS if every else LOOKS[:1] if PICTURES_WANTED else [LOOKS[zlib.crc32(metafunc.function.__name__.encode()) % 2]]
        metafunc.parametrize("look", looks, ids=["-".join(look) for look in looks])


@pytest.fixture(scope="session")
def server():
    """The server that most tests share. It must end with status 0 on SIGTERM."""
    process = ServerProcess({"TRACKME_HEARTBEAT_MS": "500"}, has_web=True).start()
    yield process
    status, tail = process.stop(), process.log_tail()
    process.remove()
    assert status == 0, tail


@pytest.fixture(scope="session")
def accounts(server):
    """Makes those who have accounts."""
    accounts = Accounts(server)
    yield accounts
    accounts.close()


@pytest.fixture(scope="session")
def chromium():
    """Debian's Chromium without windows, which takes a third less of the processor than the whole one, and without its
    sandbox, which needs rights that neither root nor a container has. It sees our own pages alone."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium-headless-shell", chromium_sandbox=False)
        yield browser
        browser.close()


@pytest.fixture
def windows(chromium, look, request):
    """Opens windows: `windows(server)`, each with cookies of its own, for several people in one test."""
    opened = []

    def open_window(server, **context) -> Window:
        language, theme = look
        made = chromium.new_context(
            **{"locale": "en-GB" if language == "en" else "it-IT", "color_scheme": theme, "timezone_id": "Europe/Rome",
               "reduced_motion": "reduce", "viewport": {"width": 1280, "height": 800}, "accept_downloads": True, **context},
        )  # fmt: skip
        opened.append(Window(made, f"http://127.0.0.1:{server.web_port}", language, theme, request.node.name))
        return opened[-1]

    yield open_window
    for window in reversed(opened):
        window.close()


@pytest.fixture
def window(windows, server):
    """A window before the server that most tests share."""
    return windows(server)
