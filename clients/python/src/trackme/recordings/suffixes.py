"""Which reader reads which file."""

from __future__ import annotations

import gzip
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from . import apple_health, fit, gpx, table, tcx
from .sample import Recording

_READERS: dict[str, Callable[[BinaryIO, Recording, ZoneInfo], None]] = {
    ".gpx": gpx.read,
    ".tcx": tcx.read,
    ".fit": fit.read,
    ".csv": table.read,
    ".xml": apple_health.read,
}


def load(path: str | Path, time_zone: str = "UTC") -> Recording:
    """Reads a recording. `time_zone` is that of times that say none.

    Raises OSError, and ValueError for a file that no reader takes or that is not what its name says.
    """
    path = Path(path)
    try:
        zone = ZoneInfo(time_zone)
    except ZoneInfoNotFoundError:
        raise ValueError(f"{time_zone!r} is no time zone") from None
    recording = Recording(str(path))
    try:
        with _opened(path, recording) as (name, file):
            reader = _READERS.get(Path(name).suffix.lower())
            if reader is None:
                raise ValueError(f"not one of {', '.join(_READERS)}, plain, .gz or .zip")
            reader(file, recording, zone)
    except (ValueError, EOFError, zlib.error, gzip.BadGzipFile, zipfile.BadZipFile) as error:
        raise ValueError(f"{path}: {error}") from error
    return recording


@contextmanager
def _opened(path: Path, recording: Recording) -> Iterator[tuple[str, BinaryIO]]:
    """What is in the file, and the name that says its format."""
    if path.suffix.lower() == ".gz":
        with gzip.open(path) as file:
            yield path.name[:-3], file
    elif path.suffix.lower() == ".zip":
        with zipfile.ZipFile(path) as archive:
            name = _recording_in(archive, recording)
            with archive.open(name) as file:
                yield name, file
    else:
        with path.open("rb") as file:
            yield path.name, file


def _recording_in(archive: zipfile.ZipFile, recording: Recording) -> str:
    """The one recording of a zip file. In Apple Health's that is the export, whatever it is called in the phone's
    language; the routes of workouts and the clinical document beside it are left out."""
    members = [m for m in archive.namelist() if Path(m).suffix.lower() in _READERS and not m.startswith("__MACOSX/")]
    exports = [m for m in members if m.lower().endswith(".xml") and _is_export(archive, m)]
    others = [m for m in members if not m.lower().endswith(".xml")]
    found = exports or others
    if len(found) != 1:
        raise ValueError(f"{len(found)} recordings in the zip file, not one")
    if exports:
        for _ in others:
            recording.add_unknown("files of routes")
    return found[0]


def _is_export(archive: zipfile.ZipFile, name: str) -> bool:
    with archive.open(name) as file:
        return apple_health.is_export(file.read(64 * 1024))
