"""trackme-watch: prints readings as a TrackMe server delivers them."""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import json
import os
import signal
import sys
import time
from datetime import datetime, timedelta, timezone
from pathlib import Path

import grpc

from ..client import TrackMeClient
from ..errors import TrackMeError, details_of
from ..metrics import KnownMetrics
from ..statistics import percentiles_ms
from ..subscribe import Frame
from ..values import Position, Reading, Waveform
from .options import add_server_options, client_from


def main(arguments: list[str] | None = None) -> int:
    parser = _parser()
    options = parser.parse_args(arguments)
    if bool(options.person) == options.all:
        parser.error("name persons, or --all")
    try:
        watcher = Watcher(client_from(options), options)
    except OSError as error:
        print(f"trackme-watch: {error}", file=sys.stderr)
        return 2
    status = 0
    try:
        asyncio.run(watcher.run())
    except grpc.aio.AioRpcError as error:
        details = details_of(error)
        print(f"trackme-watch: {details.code.name} {details.reason}: {details.message}", file=sys.stderr)
        status = 1
    except BrokenPipeError:  # whoever read our lines has had enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except (TrackMeError, OSError) as error:
        print(f"trackme-watch: {error}", file=sys.stderr)
        status = 1
    if options.summary:
        text = json.dumps(watcher.summary())
        if options.summary == "-":
            print(text)
        else:
            Path(options.summary).write_text(text + "\n")
    elif options.latency:
        print(f"latency in ms: {watcher.summary()['latency_ms']}", file=sys.stderr)
    return status


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="trackme-watch", description="Prints readings as they are committed.")
    parser.add_argument("--person", action="append", type=int, default=[], metavar="ID", help="may be repeated")
    parser.add_argument("--all", action="store_true", help="everyone; for operators")
    parser.add_argument("--metric", action="append", default=[], metavar="NAME", help="may be repeated (all metrics)")
    parser.add_argument("--from-beginning", action="store_true", help="begin with the oldest reading (with the next)")
    parser.add_argument("--cursor-file", type=Path, metavar="FILE", help="resume after the cursor in it, and keep it")
    parser.add_argument("--max-outstanding", type=int, default=0, help="most deliveries not acknowledged (no limit)")
    parser.add_argument("--count", type=int, metavar="N", help="end after the delivery with the Nth reading")
    parser.add_argument("--until-idle", type=float, metavar="SECONDS", help="end when so long no reading came")
    parser.add_argument(
        "--give-up-after", type=float, metavar="SECONDS", help="fail when so long no frame came (never)"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object per reading")
    parser.add_argument("--quiet", action="store_true", help="no readings, only what else is asked for")
    parser.add_argument("--latency", action="store_true", help="measure from the readings' times to now")
    parser.add_argument("--summary", metavar="FILE", help='write a summary as JSON at the end; "-" is standard output')
    parser.add_argument(
        "--ready-file", type=Path, metavar="FILE", help="create it once the subscription stands, at the first frame"
    )
    add_server_options(parser)
    return parser


class Watcher:
    """One run: follows the subscription and prints it."""

    def __init__(self, client: TrackMeClient, options: argparse.Namespace):
        self._client, self._options = client, options
        self._readings = self._deliveries = self._heartbeats = self._reconnects = 0
        self._per_person: dict[int, int] = {}
        self._latencies_s: list[float] = []
        self._cursor = ""

    async def run(self) -> None:
        task = asyncio.current_task()
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, task.cancel)
        try:
            await self._follow()
        except asyncio.CancelledError:
            pass

    async def _follow(self) -> None:
        options = self._options
        file = options.cursor_file
        self._cursor = file.read_text().strip() if file is not None and file.exists() else ""
        async with (
            self._client,
            self._client.subscribe(
                options.person,
                metrics=options.metric,
                cursor=self._cursor,
                from_beginning=options.from_beginning,
                max_outstanding=options.max_outstanding,
                give_up_after_s=options.give_up_after,
            ) as stream,
        ):
            try:
                while options.count is None or self._readings < options.count:
                    frame = await asyncio.wait_for(self._next_delivery(stream), options.until_idle)
                    await self._take(frame)
                    await stream.acknowledge(frame)
            except TimeoutError:
                pass
            finally:
                self._reconnects = stream.reconnects

    async def _next_delivery(self, stream) -> Frame:
        async for frame in stream:
            if self._options.ready_file is not None:
                self._options.ready_file.touch()
            if not frame.is_heartbeat:
                return frame
            self._heartbeats += 1
            self._keep_cursor(frame)
        raise AssertionError("a subscription has no end")

    async def _take(self, frame: Frame) -> None:
        now_us = time.time_ns() // 1000
        self._deliveries += 1
        self._readings += len(frame.readings)
        for reading in frame.readings:
            self._per_person[reading.person_id] = self._per_person.get(reading.person_id, 0) + 1
            if self._options.latency:
                self._latencies_s.append((now_us - reading.time_us) / 1e6)
        if not self._options.quiet:
            known = await self._client.metrics.resolve({r.metric for r in frame.readings})
            line = as_json if self._options.json else as_text
            print("\n".join(line(reading, known) for reading in frame.readings), flush=True)
        self._keep_cursor(frame)

    def _keep_cursor(self, frame: Frame) -> None:
        """After the readings are out: a crash in between prints them again, and never leaves one out."""
        self._cursor = frame.cursor
        file = self._options.cursor_file
        if file is not None:
            fresh = file.with_name(file.name + ".new")
            fresh.write_text(frame.cursor + "\n")
            fresh.replace(file)

    def summary(self) -> dict:
        return {
            "readings": self._readings,
            "deliveries": self._deliveries,
            "heartbeats": self._heartbeats,
            "reconnects": self._reconnects,
            "readings_per_person": {str(person): count for person, count in sorted(self._per_person.items())},
            "cursor": self._cursor,
            "latency_ms": percentiles_ms(self._latencies_s) if self._options.latency else None,
        }


def as_json(reading: Reading, _: KnownMetrics) -> str:
    """One line: the reading's fields; a position or waveform is an object."""
    value = reading.value
    shape = dataclasses.asdict(value) if dataclasses.is_dataclass(value) else value
    return json.dumps(
        {
            "person_id": reading.person_id,
            "metric": reading.metric,
            "source": reading.source,
            "time_us": reading.time_us,
            "value": shape,
        }
    )


def as_text(reading: Reading, known: KnownMetrics) -> str:
    """One line for people."""
    when = datetime(1970, 1, 1, tzinfo=timezone.utc) + timedelta(microseconds=reading.time_us)
    unit = known.named(reading.metric).unit if reading.metric in known else ""
    match reading.value:
        case Position() as p:
            value = f"{p.latitude:.6f} {p.longitude:.6f}" + ("" if p.altitude is None else f" {p.altitude:.1f} m")
        case Waveform() as w:
            value = f"{len(w.samples)} samples at {w.rate_hz:g} Hz"
        case number:
            value = f"{number:g} {unit}".rstrip()
    return (
        f"{when:%Y-%m-%d %H:%M:%S}.{when.microsecond // 1000:03d}  person {reading.person_id:<6} "
        f"{reading.metric:<26} {value:<32} {reading.source}".rstrip()
    )


if __name__ == "__main__":
    sys.exit(main())
