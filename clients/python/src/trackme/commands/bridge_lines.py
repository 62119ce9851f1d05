"""What trackme-bridge tells people: how far reading is, what is left out of a file, and what was done."""

from __future__ import annotations

import sys
import threading
import time

from ..recordings import ReadProgress, Recording

_KINDS_NAMED = 20


class ReadingLines:
    """A line on standard error every second while files are read, as a context."""

    def __init__(self, quiet: bool = False, every_s: float = 1.0):
        self.progress = ReadProgress()
        self._every_s = every_s
        self._ended = threading.Event()
        # Of its own: readers work through a file without a pause.
        self._thread = None if quiet else threading.Thread(target=self._print, daemon=True)

    def __enter__(self) -> ReadingLines:
        if self._thread:
            self._thread.start()
        return self

    def __exit__(self, *_) -> None:
        self._ended.set()
        if self._thread:
            self._thread.join()

    def _print(self) -> None:
        began = time.monotonic()
        while not self._ended.wait(self._every_s):
            progress = self.progress
            if not progress.name:
                continue
            share = progress.done_bytes * 100 // max(1, progress.total_bytes)
            print(
                f"{time.monotonic() - began:6.0f} s: reading {progress.name}: {progress.done_bytes / 1e6:.1f} of "
                f"{progress.total_bytes / 1e6:.1f} MB, {share} %",
                file=sys.stderr, flush=True,
            )  # fmt: skip


def print_left_out(recording: Recording) -> None:
    """What of the file is not sent, with examples, on standard error."""

    def say(what: str) -> None:
        print(f"{recording.name}: {what}", file=sys.stderr)

    if recording.cut_short:
        say(recording.cut_short)
    if recording.behind_end:
        say(f"{recording.behind_end:,} bytes behind its end are left out")
    if recording.no_value:
        say(f"{_named(recording.no_value)} are left out: what sensors write when they have nothing to say")
    if recording.unknown:
        total = sum(recording.unknown.values())
        say(f"{total:,} values are left out, as no metric is for them: {_named(recording.unknown)}")
    if recording.without_time:
        say(f"{recording.without_time:,} points are left out, as they say no time")
    if recording.unreadable:
        say(f"{recording.unreadable:,} values make no sense:")
        for example in recording.unreadable_examples:
            print(f"  {example}", file=sys.stderr)


def print_summary(summary: dict) -> None:
    """What was done, and what of the files was not sent, on standard output."""
    ack = summary["ack_ms"]
    latency = "" if ack["p50"] is None else f", acknowledged after {ack['p50']} ms (p50), {ack['p99']} ms (p99)"
    print(
        f"{summary['readings_sent']} readings, persons: {summary['persons']}, in {summary['batches_sent']} batches: "
        f"{summary['readings_accepted']} accepted, {summary['readings_rejected']} rejected; "
        f"{summary['batches_repeated']} batches repeated, {summary['reconnects']} reconnects{latency}"
    )
    if summary["readings_not_sent"]:
        print(f"not sent: {summary['readings_not_sent']:,} readings")
    for reason, metrics in summary["rejected_metrics"].items():
        print(f"rejected with {reason}: {_named(metrics)}")
    skipped = summary["skipped"]
    for what, counts in (
        ("the server has no metric for", skipped["unknown_metric"]),
        ("left out, without a value:", skipped["no_value"]),
        ("left out, as no metric is for them:", skipped["unknown_kind"]),
    ):
        if counts:
            print(f"{what} {_named(counts)}")
    for what, count in (
        ("points without a time", skipped["without_time"]),
        ("repeats", skipped["repeated_in_file"]),
        ("values that make no sense", skipped["unreadable"]),
        ("bytes behind the end of files", skipped["behind_end"]),
    ):
        if count:
            print(f"left out: {count:,} {what}")
    for name, where in skipped["cut_short"].items():
        print(f"{name}: {where}")


def _named(counts: dict[str, int]) -> str:
    """Kinds with how many there are of each, the most first."""
    ordered = sorted(counts.items(), key=lambda kind: -kind[1])
    rest = f" and {len(ordered) - _KINDS_NAMED} kinds more" if len(ordered) > _KINDS_NAMED else ""
    return ", ".join(f"{kind} {count:,}" for kind, count in ordered[:_KINDS_NAMED]) + rest
