"""trackme-bridge: replays recordings of devices into a TrackMe server."""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import signal
import socket
import sys
import time
from collections import Counter

import grpc

from ..client import TrackMeClient
from ..errors import TrackMeError, details_of
from ..push import PushSession
from ..recordings import Recording, load
from ..replay import Rebase, Replay
from ..statistics import percentiles_ms
from ..values import Reading
from .bridge_lines import ReadingLines, print_left_out, print_summary
from .options import add_server_options, client_from


def main(arguments: list[str] | None = None) -> int:
    options = _parser().parse_args(arguments)
    try:
        with ReadingLines(options.quiet) as lines:
            recordings = [(person, load(path, options.time_zone, lines.progress)) for person, path in options.person]
        for _, recording in recordings:
            print_left_out(recording)
        if empty := next((recording.name for _, recording in recordings if not recording.samples), None):
            raise ValueError(f"{empty}: there is no reading in it")
        replay = Replay(recordings, options.speed, options.rebase, options.duration)
        client = client_from(options)
    except (OSError, ValueError) as error:
        is_of_file = isinstance(error, OSError) and error.filename
        what = f"{error.filename}: {error.strerror}" if is_of_file else error
        print(f"trackme-bridge: {what}", file=sys.stderr)
        return 2
    bridge = Bridge(client, replay, options)
    try:
        asyncio.run(bridge.run())
        status = 130 if bridge.interrupted else 1 if bridge.has_been_refused else 0
    except grpc.aio.AioRpcError as error:
        details = details_of(error)
        # Some reasons are called like their codes.
        names = " ".join(dict.fromkeys(filter(None, (details.code.name, details.reason))))
        print(f"trackme-bridge: {names}: {details.message}", file=sys.stderr)
        status = 1
    except (TrackMeError, OSError) as error:
        print(f"trackme-bridge: {error}", file=sys.stderr)
        status = 1
    summary = bridge.summary(recordings)
    if options.json:
        print(json.dumps(summary))
    else:
        print_summary(summary)
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="trackme-bridge",
        description="Replays recordings (GPX, TCX, FIT, CSV, Apple Health's export; also .gz and .zip) of one or several persons.",
    )
    parser.add_argument(
        "--person",
        action="append",
        required=True,
        type=_person,
        metavar="ID=FILE",
        help="a person and a recording; may be repeated, also for one person",
    )
    pace = parser.add_mutually_exclusive_group()
    pace.add_argument("--speed", type=_speed, default=1.0, help='recorded seconds per second, or "max" (1)')
    pace.add_argument(
        "--duration", type=float, metavar="SECONDS", help="each recording in this time, at a speed of its own"
    )
    rebase = parser.add_mutually_exclusive_group()
    rebase.add_argument(
        "--start-now",
        dest="rebase",
        action="store_const",
        const=Rebase.START_NOW,
        default=Rebase.NONE,
        help="the readings' times are those at which they are due here, the first one now",
    )
    rebase.add_argument(
        "--end-now",
        dest="rebase",
        action="store_const",
        const=Rebase.END_NOW,
        help="shift the readings' times so that the last one of each recording is the moment at which it is sent",
    )
    parser.add_argument("--batch-size", type=int, default=1000, help="most readings in a batch (%(default)s)")
    parser.add_argument(
        "--batch-age", type=float, default=0.05, metavar="SECONDS", help="longest wait of a reading (%(default)s)"
    )
    parser.add_argument("--window", type=int, default=32, help="most unacknowledged batches (%(default)s)")
    parser.add_argument(
        "--client-id", default=f"bridge-{socket.gethostname()}"[:64], help="permanent name of this client (%(default)s)"
    )
    parser.add_argument("--time-zone", default="UTC", metavar="NAME", help="zone of times that say none (%(default)s)")
    parser.add_argument("--give-up-after", type=float, metavar="SECONDS", help="longest time without server (forever)")
    parser.add_argument("--json", action="store_true", help="summary on standard output as one JSON object")
    parser.add_argument("--quiet", action="store_true", help="no progress on standard error")
    add_server_options(parser)
    return parser


def _person(text: str) -> tuple[int, str]:
    person, separator, path = text.partition("=")
    if not separator or not person.isdigit() or int(person) < 1 or not path:
        raise argparse.ArgumentTypeError(f"{text!r} is not ID=FILE")
    return int(person), path


def _speed(text: str) -> float:
    speed = math.inf if text == "max" else float(text)
    if not speed > 0:
        raise argparse.ArgumentTypeError("more than 0")
    return speed


class Bridge:
    """One run: reads the schedule, batches by age and count, and pushes."""

    def __init__(self, client: TrackMeClient, replay: Replay, options: argparse.Namespace):
        self.interrupted = False
        self._client, self._replay, self._options = client, replay, options
        self._session: PushSession | None = None
        self._skipped: Counter[str] = Counter()
        self._no_value: Counter[str] = Counter()
        self._persons: set[int] = set()
        self._started = self._ended = time.monotonic()

    async def run(self) -> None:
        task = asyncio.current_task()
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, task.cancel)
        options = self._options
        self._session = self._client.push(
            options.client_id, window=options.window, give_up_after_s=options.give_up_after
        )
        progress = None
        try:
            async with self._client, self._session:
                if not options.quiet:
                    progress = asyncio.create_task(self._report())
                await self._push_all()
        except asyncio.CancelledError:
            self.interrupted = True
        finally:
            self._ended = time.monotonic()
            if progress is not None:
                progress.cancel()

    async def _push_all(self) -> None:
        loop = asyncio.get_running_loop()
        options, batch, batch_due = self._options, [], 0.0
        self._started = start = loop.time()

        async def flush_at(moment: float) -> None:
            """Sends the batch when it is as old as it may get, if that is before `moment`, and waits for that."""
            nonlocal batch
            if batch and batch_due <= moment:
                await _sleep_until(batch_due)
                batch = await self._send(batch)
            await _sleep_until(moment)

        for due in self._replay.schedule(time.time_ns() // 1000):
            if due.after_s > 0:
                await flush_at(start + due.after_s)
            if not batch:
                batch_due = max(loop.time(), start + due.after_s) + options.batch_age
            batch.append(due.reading)
            if len(batch) >= min(options.batch_size, self._session.max_batch_readings):
                batch = await self._send(batch)
        await self._send(batch)

    async def _send(self, batch: list[Reading]) -> list[Reading]:
        """Pushes what the server knows the metric of, and what says something; returns an empty batch."""
        known = await self._client.metrics.resolve({r.metric for r in batch})
        self._skipped.update(r.metric for r in batch if r.metric not in known)
        batch = [r for r in batch if r.metric in known]
        self._no_value.update(r.metric for r in batch if known.named(r.metric).is_no_value(r.value))
        if batch := [r for r in batch if not known.named(r.metric).is_no_value(r.value)]:
            self._persons.update(r.person_id for r in batch)
            await self._session.send(batch)
        return []

    async def _report(self) -> None:
        """A line of progress every second. At full speed there is no time to be over: readings are counted."""
        statistics, total = self._session.statistics, self._replay.readings
        pace = f" of {self._replay.duration_s:.0f}" if self._replay.duration_s else ""
        while True:
            await asyncio.sleep(1)
            print(
                f"{asyncio.get_running_loop().time() - self._started:6.0f} s{pace}: "
                f"{statistics.readings_sent} of {total} readings sent, {statistics.readings_accepted} accepted, "
                f"{statistics.readings_rejected} rejected, {statistics.reconnects} reconnects",
                file=sys.stderr, flush=True,
            )  # fmt: skip

    @property
    def has_been_refused(self) -> bool:
        """The server has not taken all readings that it got."""
        return self._session.statistics.readings_rejected > 0

    def summary(self, recordings: list[tuple[int, Recording]]) -> dict:
        """What was done, for people and programs."""
        statistics = self._session.statistics
        return {
            "client_id": self._options.client_id,
            "persons": len(self._persons),
            "duration_s": round(self._ended - self._started, 3),
            "readings_sent": statistics.readings_sent,
            "readings_not_sent": self._replay.readings
            - statistics.readings_sent
            - self._skipped.total()
            - self._no_value.total(),
            "readings_accepted": statistics.readings_accepted,
            "readings_rejected": statistics.readings_rejected,
            "readings_in_repeated_batches": statistics.readings_repeated,
            "rejections": dict(sorted(statistics.rejections.items())),
            "rejected_metrics": {
                reason: dict(sorted(metrics.items())) for reason, metrics in sorted(statistics.rejected_metrics.items())
            },
            "batches_sent": statistics.batches_sent,
            "batches_acknowledged": statistics.batches_acknowledged,
            "batches_resent": statistics.batches_resent,
            "batches_repeated": statistics.batches_repeated,
            "reconnects": statistics.reconnects,
            "ack_ms": percentiles_ms(statistics.acknowledgement_latencies_s),
            "skipped": {
                "unknown_metric": dict(sorted(self._skipped.items())),
                "no_value": dict(sorted(sum((r.no_value for _, r in recordings), self._no_value.copy()).items())),
                "without_time": sum(r.without_time for _, r in recordings),
                "repeated_in_file": sum(r.repeated for _, r in recordings),
                "unknown_kind": dict(sum((r.unknown for _, r in recordings), Counter()).most_common()),
                "unreadable": sum(r.unreadable for _, r in recordings),
                "behind_end": sum(r.behind_end for _, r in recordings),
                "cut_short": {r.name: r.cut_short for _, r in recordings if r.cut_short},
            },
            "interrupted": self.interrupted,
        }


async def _sleep_until(moment: float) -> None:
    delay = moment - asyncio.get_running_loop().time()
    if delay > 0:
        await asyncio.sleep(delay)


if __name__ == "__main__":
    sys.exit(main())
