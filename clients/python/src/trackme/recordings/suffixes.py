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

from . import apple_health, fit, fitbit, gpx, table, tcx
from .sample import Recording
from .source import CountedFile, ReadProgress, WhatIsThere, members_in_order

_READERS: dict[str, Callable[[BinaryIO, Recording, ZoneInfo], None]] = {
    ".gpx": gpx.read,
    ".tcx": tcx.read,
    ".fit": fit.read,
    ".csv": table.read,
    ".xml": apple_health.read,
    ".json": fitbit.read,
}


def load(path: str | Path, time_zone: str = "UTC", progress: ReadProgress | None = None) -> Recording:
    """Reads a recording. `time_zone` is that of times that say none; `progress` is told how far reading is.

    What can be read of a file counts: the recording, which may be empty, says what of it could not.

    Raises OSError, and ValueError for a file that no reader takes or that is not what its name says.
    """
    path = Path(path)
    try:
        zone = ZoneInfo(time_zone)
    except (ZoneInfoNotFoundError, ValueError):
        raise ValueError(f"{time_zone!r} is no time zone") from None
    recording = Recording(str(path))
    try:
        with CountedFile(path, progress or ReadProgress()) as file, _opened(path.name, file, recording) as (name, content):
            reader = _READERS.get(Path(name).suffix.lower())
            if reader is None:
                raise ValueError(f"not one of {', '.join(_READERS)}, plain, .gz or .zip")
            reader(content, recording, zone)
    except (ValueError, EOFError, zlib.error, gzip.BadGzipFile, zipfile.BadZipFile, NotImplementedError) as error:
        raise ValueError(f"{path}: {error}") from error
    return recording


@contextmanager
def _opened(name: str, file: BinaryIO, recording: Recording) -> Iterator[tuple[str, BinaryIO]]:
    """What is in the file, and the name that says its format."""
    suffix = Path(name).suffix.lower()
    if suffix == ".gz":
        with gzip.GzipFile(fileobj=file) as unpacked:
            yield name[:-3], WhatIsThere(unpacked, recording)
    elif suffix == ".zip":
        try:
            archive = zipfile.ZipFile(file)
        except zipfile.BadZipFile as error:
            with _opened_without_list(file, recording, error) as inside:
                yield inside
            return
        with archive:
            member = _recording_in(archive, recording)
            with archive.open(member) as packed, _opened(member, WhatIsThere(packed, recording), recording) as inside:
                yield inside
    else:
        yield name, file


@contextmanager
def _opened_without_list(
    file: BinaryIO, recording: Recording, error: zipfile.BadZipFile
) -> Iterator[tuple[str, BinaryIO]]:
    """The first recording of a zip file that has been cut short, with the list of its files."""
    for member, packed in members_in_order(file):
        content = WhatIsThere(packed, recording)
        if _format(member) in _READERS and not member.startswith("__MACOSX/"):
            recording.cut_short = "cut short: the list of files of the zip file is missing, and the first recording in it is read"
            with _opened(member, content, recording) as inside:
                yield inside
            return
        recording.add_unknown(f"{_format(member) or 'other'} files")
        while content.read(1 << 20):
            pass
    raise error


def _recording_in(archive: zipfile.ZipFile, recording: Recording) -> str:
    """The one recording of a zip file. In Apple Health's that is the export, whatever it is called in the phone's
    language; the routes of workouts and the clinical document beside it are left out."""
    files = [m for m in archive.namelist() if not m.endswith("/") and not m.startswith("__MACOSX/")]
    members = [m for m in files if _format(m) in _READERS]
    exports = [m for m in members if _format(m) == ".xml" and _is_export(archive, m)]
    others = [m for m in members if _format(m) != ".xml"]
    found = exports or others
    if len(found) != 1:
        raise ValueError(f"{len(found)} recordings in the zip file, not one")
    for member in files:
        if member != found[0]:
            recording.add_unknown("files of routes" if exports and member in others else f"{_format(member) or 'other'} files")
    return found[0]


def _format(name: str) -> str:
    """The suffix that says the format of a file, which may be packed."""
    return Path(name[:-3] if name.lower().endswith(".gz") else name).suffix.lower()


def _is_export(archive: zipfile.ZipFile, name: str) -> bool:
    with archive.open(name) as file, _opened(name, file, Recording(name)) as (_, content):
        return apple_health.is_export(content.read(64 * 1024))
