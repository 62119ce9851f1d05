"""What holds for all Python tests: nobody reads the clock too early, and random choices can be repeated.

`--hypothesis-seed=N`, or TRACKME_TEST_SEED=N in the environment, makes the choices of the run that printed N: those of
Hypothesis and all others.
"""

import signal
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

# First: what the others import is watched too.
from collection_clock import pytest_collection  # noqa: E402, F401

import seeds  # noqa: E402
from strict import pytest_itemcollected  # noqa: E402, F401


@pytest.hookimpl(tryfirst=True)
def pytest_configure(config):
    # A shell lets what it starts in the background ignore this, and so would the servers that are started here.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    if given := config.option.hypothesis_seed:
        try:
            seeds.use(int(given))
        except ValueError:
            raise pytest.UsageError(f"--hypothesis-seed={given}: not a whole number") from None
    # Hypothesis takes it in its own hook, after this one.
    config.option.hypothesis_seed = str(seeds.seed())


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session):
    # Headers are not shown with -q; this is.
    if (reporter := session.config.pluginmanager.get_plugin("terminalreporter")) is not None:
        reporter.write_line(f"seed {seeds.seed()}: --hypothesis-seed={seeds.seed()} makes the same random choices again")
