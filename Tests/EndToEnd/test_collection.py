"""The tests' own promises: no module reads the clock too early, and random choices can be repeated."""

import os
import subprocess
import sys

import pytest

from server_process import ROOT


def collected(tmp_path, module, *arguments, **environment):
    """What pytest makes of a module that lies beside the conftest of all tests."""
    (tmp_path / "conftest.py").write_text(f'import sys; sys.path.insert(0, {str(ROOT / "Tests")!r})\n'
                                          + (ROOT / "Tests" / "conftest.py").read_text())  # fmt: skip
    (tmp_path / "test_it.py").write_text(module)
    ours = {"TRACKME_TEST_SEED", "PYTEST_XDIST_WORKER"}
    inherited = {name: value for name, value in os.environ.items() if name not in ours}
    # To load all plugins takes seconds.
    inherited["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"
    plugins = ["-p", "_hypothesis_pytestplugin", "-p", "no:cacheprovider"]
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", *plugins, "--rootdir", tmp_path, *arguments, tmp_path],
        capture_output=True, text=True, timeout=100, cwd=tmp_path, env={**inherited, **environment},
    )  # fmt: skip


@pytest.mark.parametrize(
    "module, reader",
    [
        ("import time\nNOW = time.time()\ndef test(): pass", "2: time()"),
        ("from time import time_ns as n\nclass A:\n  at = n()\ndef test(): pass", "3: time_ns()"),
        ("import time\nBEGAN = time.monotonic()\ndef test(): pass", "2: monotonic()"),
        ("from datetime import datetime, UTC\nNOW = datetime.now(UTC)\ndef test(): pass", "2: datetime.now()"),
        ("from datetime import date\ndef test(day=date.today()): pass", "2: date.today()"),
        (
            "import pytest, time\ndef times():\n  yield int(time.time()) + 600\n"
            "@pytest.mark.parametrize('iat', list(times()))\ndef test(iat): pass",
            "3: time()",
        ),
    ],
)
def test_a_module_that_reads_the_clock_when_it_is_collected_is_an_error(tmp_path, module, reader):
    done = collected(tmp_path, module)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR, done.stdout + done.stderr
    assert "the clock is read while tests are collected" in done.stderr and f"test_it.py:{reader}" in done.stderr


def test_the_clock_may_be_read_when_a_test_has_its_turn(tmp_path):
    done = collected(
        tmp_path,
        "import time\nfrom datetime import date\nimport pytest\nAT = time.gmtime\n"
        "@pytest.fixture\ndef now(): return time.time()\ndef test(now): assert date.today() and time.time_ns() and now",
    )
    assert done.returncode == 0, done.stdout + done.stderr


RANDOM = """
import seeds
from hypothesis import given, settings, strategies as st
seen = []
@settings(max_examples=20, database=None)
@given(st.integers())
def test_hypothesis(number): seen.append(number)
def test_shown():
    print("CHOICES", seen, seeds.rng("a").random())
    assert False
"""


@pytest.mark.long
def test_random_choices_are_new_in_each_run_and_those_of_a_printed_seed_come_again(tmp_path):
    def run(*arguments, **environment):
        lines = collected(tmp_path, RANDOM, *arguments, **environment).stdout.splitlines()
        [seed] = [line.split()[1].rstrip(":") for line in lines if line.startswith("seed ")]
        [choices] = [line for line in lines if line.startswith("CHOICES")]
        return seed, choices

    first, second = run(), run()
    assert first[0] != second[0] and first[1] != second[1]
    assert run(f"--hypothesis-seed={first[0]}") == first
    assert run(TRACKME_TEST_SEED=second[0]) == second
