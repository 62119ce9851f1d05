"""Where the bytes of a recording come from."""

from __future__ import annotations

import gzip
import io
import struct
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from .sample import Recording


@dataclass
class ReadProgress:
    """How far reading of files is; another thread may look at it."""

    name: str = ""
    """The file that is being read."""
    done_bytes: int = 0
    total_bytes: int = 0


class CountedFile(io.BufferedReader):
    """A file that says how far it has been read."""

    def __init__(self, path: Path, progress: ReadProgress):
        raw = _CountedRaw(path)
        raw.progress = progress
        progress.name, progress.done_bytes, progress.total_bytes = str(path), 0, path.stat().st_size
        super().__init__(raw, buffer_size=256 * 1024)


class _CountedRaw(io.FileIO):
    progress: ReadProgress

    def readinto(self, buffer) -> int:
        count = super().readinto(buffer)
        self.progress.done_bytes = self.tell()
        return count

    def readall(self) -> bytes:
        content = super().readall()
        self.progress.done_bytes = self.tell()
        return content


class WhatIsThere:
    """Reads what can be unpacked. Where a packed file ends early or is broken, the recording says so, once something of it has
    been read."""

    def __init__(self, packed: BinaryIO, recording: Recording):
        # read1 gives what is there before it meets what is not.
        self._read, self._recording = getattr(packed, "read1", packed.read), recording
        self._given = 0

    def read(self, size: int = -1) -> bytes:
        wanted = size if size >= 0 else None
        parts: list[bytes] = []
        while wanted is None or wanted > 0:
            part = self._piece(1 << 16 if wanted is None else min(wanted, 1 << 16))
            if not part:
                break
            parts.append(part)
            wanted = None if wanted is None else wanted - len(part)
        return b"".join(parts)

    def _piece(self, size: int) -> bytes:
        try:
            piece = self._read(size)
        except (EOFError, zlib.error, gzip.BadGzipFile, zipfile.BadZipFile) as error:
            if not self._given:
                raise
            self._recording.cut_short = self._recording.cut_short or f"cut short, or broken, where it is packed: {error}"
            return b""
        self._given += len(piece)
        return piece


def members_in_order(file: BinaryIO) -> Iterator[tuple[str, BinaryIO]]:
    """The files in a zip file that has lost its end, where the list of them is. Each is to be read to its end before the next."""
    file.seek(0)
    while (head := file.read(_LOCAL.size)).startswith(b"PK\3\4") and len(head) == _LOCAL.size:
        _, _, flags, method, _, _, _, packed_bytes, _, name_bytes, extra_bytes = _LOCAL.unpack(head)
        name = file.read(name_bytes).decode("utf-8" if flags & 0x800 else "cp437", errors="replace")
        file.read(extra_bytes)
        if method not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) or (method == zipfile.ZIP_STORED and flags & 8):
            return
        yield name, _Member(file, method, None if flags & 8 else packed_bytes)
        if flags & 8:
            # Checksum and sizes come behind the file.
            file.read(12 if file.read(4) == b"PK\7\x08" else 8)


_LOCAL = struct.Struct("<4sHHHHHIIIHH")


class _Member:
    """A file in a zip file, as far as it is there."""

    def __init__(self, file: BinaryIO, method: int, packed_bytes: int | None):
        self._file, self._left = file, packed_bytes
        self._inflater = zlib.decompressobj(-15) if method == zipfile.ZIP_DEFLATED else None
        self._waiting = b""

    def read(self, size: int) -> bytes:
        while True:
            if self._waiting or (self._inflater and self._inflater.unconsumed_tail):
                given = self._given(size)
                if given:
                    return given
            if (self._inflater and self._inflater.eof) or self._left == 0:
                return b""
            packed = self._file.read(1 << 16 if self._left is None else min(self._left, 1 << 16))
            if not packed:
                raise EOFError("the archive ends within it")
            if self._left is not None:
                self._left -= len(packed)
            self._waiting += packed

    def _given(self, size: int) -> bytes:
        if self._inflater is None:
            given, self._waiting = self._waiting[:size], self._waiting[size:]
            return given
        given = self._inflater.decompress(self._inflater.unconsumed_tail + self._waiting, size)
        self._waiting = b""
        if self._inflater.eof and self._left is None:
            # What was read too far belongs to what follows.
            self._file.seek(-len(self._inflater.unused_data), io.SEEK_CUR)
        return given
