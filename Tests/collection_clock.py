"""No test module reads the clock while tests are collected.

A test may have its turn half an hour after it was collected. A time that is taken when its module is imported, or for
a list of parameters, is of the past then: "from the future" has come true. Whoever imports this has the clock watched
from then on until the collection ends. Of several processes that collect the same tests, one watches: it takes twice the
time.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from types import FrameType

import pytest

_CLOCKS = {
    "time": {"time", "time_ns", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "localtime", "gmtime", "ctime"},
    "datetime": {"datetime.now", "datetime.utcnow", "datetime.today", "date.today"},
}  # fmt: skip
_LIBRARIES = tuple({sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib")})


class CollectionClock:
    """Notes who reads the clock, but for libraries."""

    def __init__(self) -> None:
        self.readers: list[str] = []

    def watch(self) -> None:
        sys.setprofile(self._note)

    def end(self) -> None:
        sys.setprofile(None)

    def _note(self, frame: FrameType, event: str, function) -> None:
        if event != "c_call":
            return
        module = getattr(function, "__module__", None)
        if module is None:  # a method of a class, such as datetime.now
            module = getattr(getattr(function, "__self__", None), "__module__", None)
        if module in _CLOCKS and function.__qualname__ in _CLOCKS[module]:
            file = frame.f_code.co_filename
            if not file.startswith((*_LIBRARIES, "<")):
                self.readers.append(f"{file}:{frame.f_lineno}: {function.__qualname__}()")


_clock = CollectionClock()
if os.environ.get("PYTEST_XDIST_WORKER", "gw0") == "gw0":
    _clock.watch()


@pytest.hookimpl(wrapper=True)
def pytest_collection(session):
    try:
        return (yield)
    finally:
        _clock.end()
        if _clock.readers:
            raise pytest.UsageError("the clock is read while tests are collected:", *_clock.readers)
