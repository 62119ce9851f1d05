"""Samples on disk, for recordings that are longer than memory."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from .sample import Sample

_ROWS_AT_ONCE = 5_000
_CACHE_KIB = 8 * 1024


class SampleStore:
    """Samples of numbers in the order of time, each once; millions of them take some 10 MB of memory.

    They are in a temporary database of SQLite, which has no name and is gone with this object. Belongs to one thread.
    """

    def __init__(self) -> None:
        # The empty name: a private file that SQLite removes.
        self._database = sqlite3.connect("")
        self._database.executescript(
            f"""
            PRAGMA cache_size = -{_CACHE_KIB};
            PRAGMA journal_mode = OFF;
            PRAGMA temp_store = FILE;
            CREATE TABLE sample (
              time_us INTEGER, metric INTEGER, source INTEGER, value REAL,
              PRIMARY KEY (time_us, metric, source, value)
            ) WITHOUT ROWID;
            """
        )
        self._numbers: dict[str, int] = {}
        self._waiting: list[tuple[int, int, int, float]] = []
        self._taken = self._kept = 0

    def add(self, time_us: int, metric: str, value: float, source: str) -> None:
        """Takes a sample; one that is there already is kept once."""
        self._waiting.append((time_us, self._number(metric), self._number(source), value))
        if len(self._waiting) == _ROWS_AT_ONCE:
            self._flush()

    @property
    def repeated(self) -> int:
        """How many were there already."""
        self._flush()
        return self._taken - self._kept

    def interval_us(self) -> tuple[int, int]:
        """The first and the last time. Raises ValueError where there is no sample."""
        self._flush()
        first, last = self._database.execute("SELECT min(time_us), max(time_us) FROM sample").fetchone()
        if first is None:
            raise ValueError("no sample")
        return first, last

    def __len__(self) -> int:
        self._flush()
        return self._kept

    def __iter__(self) -> Iterator[Sample]:
        self._flush()
        names = list(self._numbers)
        rows = self._database.execute("SELECT time_us, metric, value, source FROM sample ORDER BY 1, metric, source, value")
        for time_us, metric, value, source in rows:
            yield Sample(time_us, names[metric], value, names[source])

    def _number(self, name: str) -> int:
        return self._numbers.setdefault(name, len(self._numbers))

    def _flush(self) -> None:
        if not self._waiting:
            return
        cursor = self._database.executemany("INSERT OR IGNORE INTO sample VALUES (?, ?, ?, ?)", self._waiting)
        self._taken += len(self._waiting)
        self._kept += cursor.rowcount
        self._waiting.clear()
