"""The committed stubs are those of Protos/."""

import os
import subprocess
import sys
from pathlib import Path


def test_the_stubs_are_fresh():
    script = Path(__file__).parents[1] / "generate.sh"
    done = subprocess.run(
        [script, "--check"], capture_output=True, text=True, timeout=60, env={**os.environ, "PYTHON": sys.executable}
    )
    assert done.returncode == 0, done.stdout + done.stderr
