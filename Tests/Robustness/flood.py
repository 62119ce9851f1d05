"""One flood of HTTP/2 frames from one process: as many connections as are asked for, each as fast as the server takes it.
A connection that the server ends, or reads no more of, is begun anew at once. It answers with one JSON object.

    python Tests/Robustness/flood.py HOST:PORT NAME [--connections N] [--seconds S] [--address A] [--tls]

Without --seconds it says READY, and reads when to begin and to end, in seconds of time.time().
"""

from __future__ import annotations

import argparse
import json
import resource
import selectors
import socket
import ssl
import struct
import sys
import time
import traceback
from collections import Counter
from collections.abc import Iterator

from flood_frames import FLOODS, Block, Flood

PATIENCE_S = 1.0
"""A connection of which the server has taken nothing for so long is given up for a new one."""
PAUSE_S = 0.01
"""Before a connection that could not be made is tried again."""
WAITS = (BlockingIOError, ssl.SSLWantReadError, ssl.SSLWantWriteError)
"""What says that a connection does not go on just now."""
RESET = struct.pack("ii", 1, 0)
"""Of SO_LINGER: a connection that ends leaves nothing behind here that would use up the ports. What is under way is lost."""


class FloodedConnection:
    """One connection and what is left of what it says."""

    def __init__(self, connection: socket.socket, flood: Flood, counts: Counter[str]):
        self._connection, self._counts, self._unit = connection, counts, flood.unit
        self._blocks: Iterator[Block] = iter(flood.blocks())
        self._left, self._units = memoryview(flood.opening), 0
        self.moved_s = time.monotonic()

    def send(self) -> bool:
        """Sends as much as goes at once, up to a block; False at the end."""
        try:
            sent = self._connection.send(self._left)
        except WAITS:
            return True
        self.moved_s = time.monotonic()
        self._counts["bytes"] += sent
        self._left = self._left[sent:]
        if not self._left:
            self._counts[self._unit] += self._units
            block, self._units = next(self._blocks, (b"", 0))
            self._left = memoryview(block)
        return bool(self._left)

    def take(self, buffer: bytearray) -> bool:
        """Takes what the server says; False when it has ended the connection."""
        try:
            return self._connection.recv_into(buffer) > 0
        except WAITS:
            return True


class Attacker:
    """All connections of a flood."""

    def __init__(self, target: str, flood: Flood, connections: int, address: str, is_encrypted: bool):
        host, _, port = target.rpartition(":")
        self._tls = _trusting() if is_encrypted else None
        self._server, self._flood, self._wanted, self._address = (host, int(port)), flood, connections, address
        self._selector = selectors.DefaultSelector()
        self.counts: Counter[str] = Counter()

    def run(self, until_s: float) -> None:
        """Floods until then, and closes everything."""
        buffer, looked_s = bytearray(256 << 10), time.monotonic()
        while (now := time.time()) < until_s:
            missing = self._wanted - len(self._selector.get_map())
            if missing and not all(self._open() for _ in range(missing)):
                time.sleep(PAUSE_S)
            for key, events in self._selector.select(min(0.1, until_s - now)):
                flooded: FloodedConnection = key.data
                try:
                    goes_on = not events & selectors.EVENT_READ or flooded.take(buffer)
                    if not goes_on:
                        self._close(key.fileobj, "ended")
                    elif not events & selectors.EVENT_WRITE or flooded.send():
                        continue
                    elif self._flood.stays:
                        self._selector.modify(key.fileobj, selectors.EVENT_READ, flooded)  # What is under way may arrive.
                    else:
                        self._close(key.fileobj, "finished")
                except OSError:
                    self._close(key.fileobj, "ended")
            if time.monotonic() > looked_s + PATIENCE_S / 4:
                looked_s = time.monotonic()
                for key in [k for k in self._selector.get_map().values() if k.data.moved_s < looked_s - PATIENCE_S]:
                    self._close(key.fileobj, "given up")
        for key in list(self._selector.get_map().values()):
            self._close(key.fileobj, "left open")

    def _open(self) -> bool:
        connection = socket.socket()
        connection.setblocking(False)
        if self._flood.stays:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)
        try:
            if self._address:
                connection.bind((self._address, 0))
            if self._tls is not None:
                connection.settimeout(PATIENCE_S)
            connection.connect(self._server)
            if self._tls is not None:
                connection = self._tls.wrap_socket(connection)
                connection.setblocking(False)
        except BlockingIOError:
            pass
        except OSError:
            self.counts["refused"] += 1
            connection.close()
            return False
        self.counts["connections"] += 1
        events = selectors.EVENT_WRITE | (selectors.EVENT_READ if self._flood.reads else 0)
        self._selector.register(connection, events, FloodedConnection(connection, self._flood, self.counts))
        return True

    def _close(self, connection: socket.socket, how: str) -> None:
        self._selector.unregister(connection)
        connection.close()
        self.counts[how] += 1


def _trusting() -> ssl.SSLContext:
    """Who attacks asks for no proof."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(["h2"])
    return context


def main() -> None:
    parser = argparse.ArgumentParser(description="Floods a server with frames of HTTP/2.")
    parser.add_argument("target", metavar="HOST:PORT")
    parser.add_argument("name", choices=FLOODS)
    parser.add_argument("--connections", type=int, default=1)
    parser.add_argument("--seconds", type=float, help="from now on")
    parser.add_argument("--address", default="", help="of this machine, to come from")
    parser.add_argument("--tls", action="store_true", help="encrypted")
    options = parser.parse_args()
    flood = FLOODS[options.name]
    for _ in zip(flood.blocks(), range(1)):
        pass  # What takes long to write is written now.
    begin_s, end_s = time.time(), time.time() + (options.seconds or 0)
    if options.seconds is None:
        print("READY", flush=True)
        begin_s, end_s = map(float, sys.stdin.readline().split())
    time.sleep(max(0.0, begin_s - time.time()))
    attacker, failure = Attacker(options.target, flood, options.connections, options.address, options.tls), ""
    try:
        attacker.run(end_s)
    except Exception:  # What the harness itself did wrong; the verdict shows it.
        failure = traceback.format_exc()
    used = resource.getrusage(resource.RUSAGE_SELF)
    print(json.dumps({"statuses": attacker.counts, "cpu_s": used.ru_utime + used.ru_stime, "failure": failure}))


if __name__ == "__main__":
    main()
