"""Which reader reads which file."""

from __future__ import annotations

import gzip
import io
import zipfile
from collections.abc import Callable
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from . import fit, gpx, table, tcx
from .sample import Recording

_READERS: dict[str, Callable[[io.BytesIO, Recording, ZoneInfo], None]] = {
    ".gpx": gpx.read,
    ".tcx": tcx.read,
    ".fit": fit.read,
    ".csv": table.read,
}


def load(path: str | Path, time_zone: str = "UTC") -> Recording:
    """Reads a recording. `time_zone` is that of times that say none.

    Raises OSError, and ValueError for a file that no reader takes or that is not what its name says.
    """
    path = Path(path)
    name, content = path.name, path.read_bytes()
    if name.lower().endswith(".gz"):
        name, content = name[:-3], gzip.decompress(content)
    elif name.lower().endswith(".zip"):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            members = [m for m in archive.namelist() if Path(m).suffix.lower() in _READERS]
            if len(members) != 1:
                raise ValueError(f"{path}: {len(members)} recordings in the zip file, not one")
            name, content = members[0], archive.read(members[0])
    reader = _READERS.get(Path(name).suffix.lower())
    if reader is None:
        raise ValueError(f"{path}: not one of {', '.join(_READERS)}, plain, .gz or .zip")
    try:
        zone = ZoneInfo(time_zone)
    except ZoneInfoNotFoundError:
        raise ValueError(f"{time_zone!r} is no time zone") from None
    recording = Recording(str(path))
    try:
        reader(io.BytesIO(content), recording, zone)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from error
    return recording
