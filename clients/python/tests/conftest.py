import sys
from pathlib import Path

import pytest

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[3] / "Tests")]

# First: what the others import is watched too.
from collection_clock import pytest_collection  # noqa: E402, F401
from trackme import Backoff, TrackMeClient  # noqa: E402

from fake_server import FakeServer  # noqa: E402


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
