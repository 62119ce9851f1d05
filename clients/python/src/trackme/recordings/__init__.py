"""Recordings of devices, as files: GPX, TCX, FIT, CSV, Fitbit's JSON and the export of Apple Health (XML), also compressed
with gzip or in a zip file.

`load` gives the samples in the order of the file, times as recorded: devices repeat points, step back in time and
lose the position or the pulse, and all of that is for the server to see. Left out, and counted, are an exact repeat of a
sample, a point that has no time, a value that says nothing or makes no sense, and what no metric is for. A file that is cut
short gives what it has. An export of Apple Health, which can be gigabytes, comes in the order of time and is kept on disk
(see `apple_health`).
"""

from __future__ import annotations

from .sample import Recording, Sample
from .source import ReadProgress
from .suffixes import load

__all__ = ["ReadProgress", "Recording", "Sample", "load"]
