"""A run in which strangers flood the server with frames of HTTP/2, in one way after the other, beside those who do no
harm."""

from __future__ import annotations

import random
import subprocess
import time

from flood_verdict import GIVEN_BACK_S, FloodedRun, Turn
from hostile_run import Run, Size, Times
from server_process import ServerProcess
from stalls import stood_still_between_s

ADDRESS = "127.0.0.66"
"""Where floods come from: of this machine as well, but no proxy that the server trusts."""


class FloodedServer(Run):
    """Starts everybody, and has the attackers come one after the other."""

    def __init__(
        self, server: ServerProcess, size: Size, floods: list[tuple[str, int]], rng: random.Random, is_long: bool
    ):  # fmt: skip
        super().__init__(server, size, [], rng, is_long)
        self._floods = floods
        self.seen: FloodedRun = FloodedRun(stood_still_s=stood_still_between_s)

    def _start_attackers(self) -> list[subprocess.Popen]:
        return [
            self._start(
                turn.title, "flood.py", self._server.target, turn.name, "--connections", turn.connections, "--address",
                ADDRESS, niceness=self._size.niceness,
            )
            for turn in self._turns(0)
        ]  # fmt: skip

    def _turns(self, begin: float) -> list[Turn]:
        size, turns = self._size, []
        for name, connections in self._floods:
            turns.append(Turn(name, connections, begin, begin + size.attack_s, begin + size.attack_s + size.calm_s))
            begin = turns[-1].calm_s
        return turns

    def _plan(self, begin: float) -> list[Times]:
        turns = self._turns(begin)
        turns[-1].calm_s = turns[-1].end_s + self._size.after_s
        self.seen.turns = [Turn("none", 0, begin - self._size.before_s, begin, begin), *turns]
        self.seen.attack_s = (begin, turns[-1].end_s)
        return [(turn.begin_s, turn.end_s) for turn in turns]

    def _watch_longer(self, pid: int) -> None:
        """Until the memory is given back, if that takes longer than anything else."""
        last = self.seen.turns[-1]
        until_s = last.end_s + GIVEN_BACK_S
        while time.time() < until_s and self._server.process.poll() is None and not self.seen.is_given_back(last):
            self._watch(pid, time.time() + 1)

    def summary(self) -> dict:
        rows = [self.seen.row(turn) for turn in self.seen.turns]
        return super().summary() | {"floods": rows, "stop_s": round(self.seen.stop_s, 2), **self.seen.each_second()}
