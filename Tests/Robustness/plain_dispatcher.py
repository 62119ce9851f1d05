"""The system of an emergency service that is as plain as can be: it accepts every call that comes and counts each as an
incident of its own, also one that it has had before. What came is in a file, a line of JSON each, written before it is
accepted. Calls for some persons it closes at once.

    python Tests/Robustness/plain_dispatcher.py --target HOST:PORT --token-file FILE --notices FILE [--close FILE]

It knows the protocol and nothing else of the product, and goes on until it is killed.
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import time
from pathlib import Path

import grpc

from trackme.protocol import DispatchServiceStub, dispatch

OPTIONS = (("grpc.use_local_subchannel_pool", 1),)
_KINDS = {
    dispatch.NOTICE_KIND_CALL: "call", dispatch.NOTICE_KIND_UPDATE: "update", dispatch.NOTICE_KIND_CANCEL: "cancel",
    dispatch.NOTICE_KIND_TAKEN: "taken",
}  # fmt: skip


class PlainDispatcher:
    def __init__(self, target: str, token: str, notices: Path, closed: frozenset[int], address: str = ""):
        self._target, self._metadata, self._closed = target, (("authorization", f"Bearer {token}"),), closed
        if address:
            self._metadata += (("x-forwarded-for", address),)
        self._file = os.open(notices, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)

    def run(self) -> None:
        while True:
            with grpc.insecure_channel(self._target, OPTIONS) as channel:
                try:
                    self._connection(DispatchServiceStub(channel))
                except grpc.RpcError as error:
                    self._note(kind="status", status=error.code().name, message=error.details())
            time.sleep(0.05)

    def _connection(self, stub: DispatchServiceStub) -> None:
        requests: queue.SimpleQueue = queue.SimpleQueue()
        requests.put(dispatch.HandleEmergenciesRequest(hello=dispatch.DispatcherHello(system="plain 1")))
        connection = f"{os.getpid()}-{time.time_ns()}"
        is_connected = False
        try:
            for notice in stub.HandleEmergencies(iter(requests.get, None), metadata=self._metadata):
                if not is_connected:
                    self._note(kind="connected", connection=connection)
                    is_connected = True
                if notice.HasField("emergency"):
                    self._take(notice, connection, requests)
        finally:
            requests.put(None)

    def _take(self, notice, connection: str, requests: queue.SimpleQueue) -> None:
        emergency, kind = notice.emergency, _KINDS[notice.kind]
        closes = kind == "call" and emergency.person_id in self._closed
        self._note(
            kind=kind, connection=connection, emergency=emergency.emergency_id, person=emergency.person_id,
            closed=closes, metrics=[crossing.metric for crossing in emergency.crossings],
        )  # fmt: skip
        if kind == "call":
            for answer in [dispatch.ANSWER_KIND_ACCEPTED] + [dispatch.ANSWER_KIND_RESOLVED] * closes:
                requests.put(
                    dispatch.HandleEmergenciesRequest(
                        answer=dispatch.DispatcherAnswer(emergency_id=emergency.emergency_id, kind=answer)
                    )
                )

    def _note(self, **fields) -> None:
        os.write(self._file, json.dumps({"at_s": time.time(), **fields}).encode() + b"\n")


def main() -> None:
    parser = argparse.ArgumentParser(description="Accepts every emergency call and counts it.")
    parser.add_argument("--target", required=True, help="HOST:PORT of the server")
    parser.add_argument("--token-file", type=Path, required=True)
    parser.add_argument("--notices", type=Path, required=True, help="file that notices are added to")
    parser.add_argument("--close", type=Path, help="file with the numbers of persons whose calls are closed at once")
    parser.add_argument("--address", default="", help="where it is, for a server behind a proxy")
    options = parser.parse_args()
    closed = frozenset(int(n) for n in options.close.read_text().split()) if options.close else frozenset()
    token = options.token_file.read_text().strip()
    PlainDispatcher(options.target, token, options.notices, closed, options.address).run()


if __name__ == "__main__":
    main()
