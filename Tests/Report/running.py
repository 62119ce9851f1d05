"""Runs a command whose output is seen and kept."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

LEFT_S = 5
"""How long output is waited for that somebody holds who outlived the command."""


def run_logged(command: list[str], log: Path, append: bool = False, environment: dict[str, str] | None = None) -> int:
    """Its exit status; below 0 the signal that ended it, 127 where it can't be begun."""
    with log.open("ab" if append else "wb", buffering=0) as kept:
        try:
            process = subprocess.Popen(
                command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment or dict(os.environ)
            )
        except OSError as error:
            kept.write(f"{command[0]}: {error}\n".encode())
            print(f"{command[0]}: {error}", flush=True)
            return 127
        showing = threading.Thread(target=_show, args=(process.stdout, os.dup(kept.fileno())), daemon=True)
        showing.start()
        status = process.wait()
        showing.join(LEFT_S)
        return status


def _show(source, kept: int) -> None:
    while content := source.read1(1 << 16):
        os.write(kept, content)
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
    os.close(kept)
