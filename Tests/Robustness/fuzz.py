"""The checker of hostile requests: very many random, extreme, damaged and well-formed ones, of every type, as every kind
of caller who may send them. Whatever comes, the server lives, answers neither INTERNAL nor UNKNOWN, names the field that
is at fault, and keeps nobody waiting.

    python Tests/Robustness/fuzz.py [--requests 20000] [--connect] [--seed N] [--json]

With --connect they come over HTTP by the Connect protocol, in JSON and in bytes, and the JSON is damaged as well.

Exit status 0: all promises held. 1: some did not; the data folder is kept.
"""

from __future__ import annotations

import argparse
import json
import random
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "EndToEnd")]

import findings  # noqa: E402
import seeds  # noqa: E402
from accounts import Accounts  # noqa: E402
from caller_table import Town  # noqa: E402
from hostile_targets import make_targets  # noqa: E402
from sealed import key_of  # noqa: E402
from server_process import SERVING, ServerProcess  # noqa: E402
from statuses import status_problems  # noqa: E402

CLIENTS = 2
ROUND = 50_000
"""So many requests later the callers are others: sessions end, and requests end what callers have."""
ROUND_S = 600
STRANGERS_SHARE = 0.2
"""Callers who were logged out test nothing: no more of the answers may say so."""


def main() -> int:
    parser = argparse.ArgumentParser(description="Sends hostile requests, and checks every answer.")
    parser.add_argument("--requests", type=int, default=20_000, help="how many (%(default)s)")
    parser.add_argument("--connect", action="store_true", help="over HTTP instead of gRPC")
    parser.add_argument("--seed", type=int, default=None, help="of the random numbers; printed")
    parser.add_argument("--json", action="store_true", help="summary as one JSON object, on one line")
    options = parser.parse_args()
    seed = options.seed if options.seed is not None else random.SystemRandom().randrange(2**32)
    print(f"seed {seed}", file=sys.stderr)
    seeds.use(seed)
    started = time.monotonic()
    server = ServerProcess({"TRACKME_HEARTBEAT_MS": "200"}, has_web=options.connect).start()
    fuzz = Fuzz(server, random.Random(seed))
    try:
        fuzz.run(options.requests)
        problems = fuzz.problems()
    except BaseException:
        server.end()
        print(f"the server's log and data are in {server.data_dir}", file=sys.stderr)
        raise
    summary = {"seed": seed, "duration_s": round(time.monotonic() - started, 1), **fuzz.summary(),
               **findings.judged(problems, seed)}  # fmt: skip
    if not summary["ok"]:
        server.end()
        print(f"the server's log and data are in {server.data_dir}", file=sys.stderr)
    else:
        server.remove()
    print(json.dumps(summary, indent=None if options.json else 2))
    return 0 if summary["ok"] else 1


class Fuzz:
    """Rounds of requests, each of callers of its own."""

    def __init__(self, server: ServerProcess, rng: random.Random):
        self._server, self._rng = server, rng
        self._pid = server.process.pid
        self._found: list[str] = []
        self.statuses: Counter[str] = Counter()
        self.counts: Counter[str] = Counter()
        self._cpu_s = 0.0

    def run(self, requests: int) -> None:
        accounts = Accounts(self._server)
        while requests > 0 and self._is_alive:
            count = min(requests, ROUND)
            requests -= count
            self._write_targets(accounts)
            self._round(count)
        accounts.close()

    @property
    def _is_alive(self) -> bool:
        return self._server.process.poll() is None

    @property
    def _file(self) -> Path:
        return self._server.data_dir / "targets.json"

    def _write_targets(self, accounts: Accounts) -> None:
        """What the clients need to know, for they are processes of their own."""
        server = self._server
        town = Town(accounts, server.operator_token)
        targets = [
            {"path": path, "token": target.caller.token, "good": target.good.hex(), "is_known": target.must_be_known}
            for path, some in make_targets(server, accounts, town).items() for target in some
        ]  # fmt: skip
        races = [race for (race,) in server.sql("SELECT id FROM race ORDER BY id")]
        web = {"web": f"127.0.0.1:{server.web_port}"} if server.web_port else {}
        known = {**web, "key": key_of(server).hex(), "races": races}
        self._file.write_text(json.dumps({"target": server.target, "targets": targets, **known}))

    def _round(self, count: int) -> None:
        share = -(-count // CLIENTS)
        clients = []
        for number in range(CLIENTS):
            command = [
                sys.executable, HERE / "fuzz_client.py", self._file, "--requests",
                str(min(share, count - number * share)), "--seed", str(self._rng.randrange(2**32)),
            ]  # fmt: skip
            clients.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True))
        for client in clients:
            try:
                output, _ = client.communicate(timeout=ROUND_S)
                self._take(json.loads(output.splitlines()[-1]))
            except (subprocess.TimeoutExpired, IndexError, ValueError):
                client.kill()
                client.wait()
                self._found.append("a client ended without a word")

    def _take(self, answer: dict) -> None:
        self._found += findings.unpacked(answer["problems"])
        self.statuses.update(answer["statuses"])
        self.counts.update(answer["counts"])
        self._cpu_s += answer["cpu_s"]

    def problems(self) -> list[str]:
        server, found = self._server, list(self._found)
        if not self._is_alive or server.process.pid != self._pid:
            return [f"the server ended with {server.process.returncode}", *found]
        if server.health() != SERVING:
            found.append("the server does not serve in the end")
        found += status_problems({}, server.log.read_text(errors="replace"))
        if self.counts["unknown"] > STRANGERS_SHARE * self.counts["known"]:
            found.append(f"{self.counts['unknown']} of {self.counts['known']} calls were of callers logged out")
        if (status := server.stop()) != 0:
            found.append(f"the server ended with status {status} on SIGTERM")
        return found

    def summary(self) -> dict:
        return {
            "requests": sum(self.statuses.values()), "statuses": dict(self.statuses), "counts": dict(self.counts),
            "clients_cpu_s": round(self._cpu_s, 1),
        }  # fmt: skip


if __name__ == "__main__":
    sys.exit(main())
