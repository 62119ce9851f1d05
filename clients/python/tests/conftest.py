import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from trackme import Backoff, TrackMeClient

from fake_server import FakeServer


@pytest.fixture
async def server():
    fake = FakeServer()
    await fake.start()
    yield fake
    await fake.stop()


@pytest.fixture
async def client(server):
    async with TrackMeClient(server.target, "secret") as client:
        yield client


@pytest.fixture
def quick():
    """Waits too short to be noticed, where a test breaks connections on purpose."""
    return Backoff(first=0.01, last=0.05)


@pytest.fixture
def fixtures() -> Path:
    """The recordings that the project ships."""
    return Path(__file__).parents[3] / "Tests" / "fixtures"
