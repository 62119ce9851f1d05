"""Recordings of devices, as files: GPX, TCX, FIT, CSV and the export of Apple Health (XML), also compressed with gzip or
in a zip file.

`load` gives the samples in the order of the file, times as recorded: devices repeat points, step back in time and
lose the position or the pulse, and all of that is for the server to see. Only an exact repeat of a sample is left
out, and a point that has no time. An export of Apple Health, which can be gigabytes, comes in the order of time and
is kept on disk (see `apple_health`).
"""

from __future__ import annotations

from .sample import Recording, Sample
from .suffixes import load

__all__ = ["Recording", "Sample", "load"]
