"""A folder in memory for what tests keep only while they run."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

MEMORY = Path("/dev/shm")
PREFIX = "trackme-tests-"
ROOM, LEFT = 6 << 30, 12 << 30
"""Bytes that must be free in that file system, and in the machine. The Swift tests take 1.5 GiB, all that run side by side,
and the tests from outside up to 2."""


@contextmanager
def folder_in_memory() -> Iterator[Path | None]:
    """A folder of this process's own, removed in the end; None where memory is short, or TMPDIR names another place.

    Tests make, copy and remove hundreds of PostgreSQLs. On a disk that takes a quarter more of their time.
    """
    _remove_abandoned()
    if os.environ.get("TMPDIR") or not has_room():
        yield None
        return
    # PostgreSQL runs as another user where we are root.
    folder = Path(tempfile.mkdtemp(prefix=f"{PREFIX}{os.getpid()}-", dir=MEMORY))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def has_room(memory: Path = MEMORY) -> bool:
    try:
        room = os.statvfs(memory)
        lines = Path("/proc/meminfo").read_text().splitlines()
        available = next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable:"))
        return os.access(memory, os.W_OK) and room.f_bavail * room.f_frsize >= ROOM and available >= LEFT
    except (OSError, StopIteration):
        return False


def _remove_abandoned() -> None:
    """Those of processes that were killed."""
    for folder in MEMORY.glob(f"{PREFIX}*"):
        owner = folder.name.removeprefix(PREFIX).partition("-")[0]
        if owner.isdigit() and not Path("/proc", owner).exists():
            shutil.rmtree(folder, ignore_errors=True)
