"""docs/trackme.service: a server that ends is started again at once, and adopts the PostgreSQL that goes on. That a killed
server serves again within a second on one where PostgreSQL runs is test_process.py's. Needs no server."""

import configparser
import shutil
import subprocess
from pathlib import Path

import pytest

UNIT = Path(__file__).parents[2] / "docs/trackme.service"


@pytest.fixture(scope="module")
def unit():
    parser = configparser.ConfigParser(interpolation=None, strict=True)
    parser.optionxform = str
    parser.read_string(UNIT.read_text())
    return parser


def test_a_server_that_ends_is_started_again_at_once_and_for_ever(unit):
    service = unit["Service"]
    assert service["Restart"] == "always"
    assert service["Environment"] == "SWIFT_BACKTRACE=enable=no"
    assert service["RestartSec"].endswith("ms") and int(service["RestartSec"].removesuffix("ms")) <= 200
    # Otherwise systemd gives up after five starts in ten seconds.
    assert unit["Unit"]["StartLimitIntervalSec"] == "0"


def test_postgresql_outlives_a_crash_of_the_server(unit):
    assert unit["Service"]["KillMode"] == "process"
    assert unit["Service"]["OOMPolicy"] == "continue"


def test_it_serves_from_its_state_directory(unit):
    service = unit["Service"]
    command = service["ExecStart"].split()
    assert command[1] == "serve"
    assert command[command.index("--data-dir") + 1] == f"/var/lib/{service['StateDirectory']}"
    # Health data: in clear text on loopback alone.
    assert command[command.index("--listen") + 1].startswith("127.0.0.1:")


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="no systemd here")
def test_systemd_finds_nothing_wrong_with_it(tmp_path):
    here = tmp_path / UNIT.name
    here.write_text(UNIT.read_text().replace("/usr/local/bin/trackme", "/bin/true").replace("=trackme\n", "=root\n", 1))
    done = subprocess.run(["systemd-analyze", "verify", "--man=no", here], capture_output=True, text=True, timeout=60)
    complaints = [line for line in done.stderr.splitlines() if UNIT.name in line]
    assert done.returncode == 0 and not complaints, done.stderr
