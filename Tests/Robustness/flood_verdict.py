"""What was seen beside floods of HTTP/2 frames, one after the other, and what it proves."""

from __future__ import annotations

from dataclasses import dataclass, field

import findings
from hostile_verdict import CALL_S, SLOW_S, HostileRun, Probe, Sample, share

MEMORY_BYTES = 400 << 20
"""Of the server, at most, whoever floods it."""
MORE_BYTES = 64 << 20
"""That it may keep of a flood: what it had before differs from minute to minute, and grows by some 4 MiB in each without any
flood, while caches of what is stored fill."""
GIVEN_BACK_S = 30.0
"""So long after a flood it has given back what is more."""
OTHERS_S = 0.5
"""Of the calls of others 99 in 100 take no longer; of fewer than 100, all but one."""
OVER_S = 5.0
"""So long after a flood everything is over: no call of it runs, and nobody waits."""
MORE_CALLS = 50
"""That may run more than before: the others' come and go."""
MAX_CALLS = 100_000
"""ServerConfiguration.maxConcurrentCalls."""
STOP_S = 3.0
"""From SIGTERM to the end."""
COSTLY = {"LogIn"}
"""Of the others' calls those that take long by themselves: a password is hashed slowly on purpose, one after the other."""


@dataclass
class Turn:
    """One flood, or none for comparison, and the time until the next one. Times are seconds of time.time()."""

    name: str
    connections: int
    begin_s: float
    end_s: float
    calm_s: float
    """When the next one begins."""

    @property
    def title(self) -> str:
        return f"{self.name}, {self.connections} connections" if self.connections else self.name


@dataclass
class FloodedRun(HostileRun):
    """A run in which floods come one after the other."""

    turns: list[Turn] = field(default_factory=list)
    """The first one is without a flood."""

    def problems(self) -> list[str]:
        found = [problem for turn in self.turns for problem in self._of(turn)]
        if self.stop_s > STOP_S:
            ended = f"the server took {self.stop_s:.1f} s to end on SIGTERM"
            found.append(findings.late(self.stop_s, STOP_S, self.stop_still_s, ended))
        return found + super().problems()

    def _of(self, turn: Turn):
        if (most := max((s.rss_bytes for s in self._samples(turn)), default=0)) > MEMORY_BYTES:
            yield f"{turn.title}: the server had {most >> 20} MiB of memory"
        if (kept := self._kept_bytes(turn)) > MORE_BYTES:
            yield f"{turn.title}: the server kept {kept >> 20} MiB of memory more than before"
        if (most := max((s.running or 0 for s in self._samples(turn)), default=0)) > MAX_CALLS:
            yield f"{turn.title}: {most} calls were running"
        for due, accepted in self._accepted(turn):
            if (late := accepted - due) > CALL_S:
                said = f"{turn.title}: a call was accepted {late:.2f} s after its crossing"
                yield findings.late(late, CALL_S, self.stood_still_s(due, accepted), said)
        if not self._accepted(turn):
            yield f"{turn.title}: nobody's call was accepted"
        late = [p for p in self._others(turn) if p.seconds > OTHERS_S]
        if len(late) > max(1, len(self._others(turn)) // 100):
            # Of these, the one that would be the last to be many: if that one is not the server's doing, so are fewer.
            by_server = sorted(late, key=lambda probe: probe.seconds - self.still_s(probe), reverse=True)
            last = by_server[max(1, len(self._others(turn)) // 100)]
            worst_ms = 1_000 * max(p.seconds for p in late)
            took = f"{len(late)} calls of others took over {OTHERS_S} s, one of them {worst_ms:.0f} ms"
            yield findings.late(last.seconds, OTHERS_S, self.still_s(last), f"{turn.title}: {took}")
        if not self._others(turn):
            yield f"{turn.title}: nobody asked anything"
        if (over := self.over_s(turn)) > OVER_S:
            still = self.stood_still_s(turn.end_s, turn.end_s + over)
            yield findings.late(over, OVER_S, still, f"{turn.title}: it was over after {over:.1f} s")
        if turn.connections and not self._sent(turn):
            yield f"{turn.title}: nothing was sent"

    def _is_fine(self, probe: Probe) -> bool:
        """Who logs in is a stranger as well, of whose calls the newest are kept: a flood from this machine, whose addresses
        have no limit of their own, displaces them."""
        return super()._is_fine(probe) or probe.rpc in COSTLY and probe.status.startswith("RESOURCE_EXHAUSTED")

    def _samples(self, turn: Turn) -> list[Sample]:
        return [s for s in self.samples if turn.begin_s <= s.at_s < turn.calm_s]

    def _before(self) -> list[Sample]:
        return self._samples(self.turns[0])

    def _others(self, turn: Turn) -> list[Probe]:
        return [p for p in self.probes if turn.begin_s <= p.at_s < turn.end_s and p.rpc not in COSTLY]

    def _accepted(self, turn: Turn) -> list[tuple[float, float]]:
        """When each crossing was due whose call was accepted, and when that was."""
        return [
            (c.due_s, call.accepted_s) for c in self.crossings
            if turn.begin_s <= c.due_s < turn.calm_s and (call := self.calls.get(c.person)) is not None
            and call.accepted_s is not None
        ]  # fmt: skip

    def _sent(self, turn: Turn) -> int:
        counts = self.attacks.get(turn.title, {})
        return counts.get("calls", 0) + counts.get("frames", 0)

    def is_given_back(self, turn: Turn) -> bool:
        return self._kept_bytes(turn) <= MORE_BYTES

    def _kept_bytes(self, turn: Turn) -> int:
        """What the server has had more than before, in the end of a turn that is as long as it may take to give it back; the
        last one is."""
        if turn is not self.turns[-1] and turn.calm_s < turn.end_s + GIVEN_BACK_S:
            return 0
        after = [s.rss_bytes for s in self.samples if turn.end_s < s.at_s < max(turn.calm_s, turn.end_s + GIVEN_BACK_S)]
        return min(after, default=0) - max((s.rss_bytes for s in self._calm_before(turn)), default=0)

    def _calm_before(self, turn: Turn) -> list[Sample]:
        """From the end of the turn before, if that was long enough to give memory back; or from before all floods."""
        last = self.turns[max(0, self.turns.index(turn) - 1)]
        if last.connections and last.calm_s >= last.end_s + GIVEN_BACK_S:
            return [s for s in self._samples(last) if s.at_s >= last.calm_s - OVER_S]
        return self._before()

    def over_s(self, turn: Turn) -> float:
        """How long after the flood its last call ended, and the last one of others came to its end that was slow."""
        level = max((s.running or 0 for s in self._before()), default=0) + MORE_CALLS
        busy = [s.at_s for s in self._samples(turn) if s.at_s > turn.end_s and (s.running is None or s.running > level)]
        slow = [
            p.at_s + p.seconds for p in self.probes
            if turn.begin_s <= p.at_s < turn.calm_s and p.seconds > SLOW_S and p.rpc not in COSTLY
        ]  # fmt: skip
        return max([0.0, *(at - turn.end_s for at in busy + slow)])

    def row(self, turn: Turn) -> dict:
        """What is shown of a turn."""
        samples = self._samples(turn)
        accepted = [at - due for due, at in self._accepted(turn)]
        delivered = [lag for at, lag in self.lags if turn.begin_s <= at < turn.calm_s]
        others = [probe.seconds for probe in self._others(turn)]
        return {
            "flood": turn.name,
            "connections": turn.connections,
            "sent_per_s": round(self._sent(turn) / (turn.end_s - turn.begin_s)),
            "rss_max_mib": max((s.rss_bytes for s in samples), default=0) >> 20,
            "rss_after_mib": samples[-1].rss_bytes >> 20 if samples else 0,
            "after_s": round(turn.calm_s - turn.end_s),
            "running_max": max((s.running or 0 for s in samples), default=0),
            "accepted": len(accepted),
            "accepted_max_ms": share(accepted, 1) if accepted else None,
            "delivered_max_ms": share(delivered, 1) if delivered else None,
            "others": len(others),
            "others_p99_ms": share(others, 0.99) if others else None,
            "others_max_ms": share(others, 1) if others else None,
            "over_s": round(self.over_s(turn), 1),
        }

    def each_second(self) -> dict[str, str]:
        """The server's memory, and how many calls ran, in each second since the first turn began."""
        begin = self.turns[0].begin_s
        samples = {int(s.at_s - begin): s for s in self.samples if s.at_s >= begin}
        return {
            "rss_mib": ",".join(f"{second}:{s.rss_bytes >> 20}" for second, s in samples.items()),
            "running": ",".join(f"{second}:{'-' if s.running is None else s.running}" for second, s in samples.items()),
        }


def table(rows: list[dict]) -> str:
    """Rows of one kind, with their names above."""
    cells = [list(rows[0]), *(["-" if cell is None else str(cell) for cell in row.values()] for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(cells[0]))]
    return "\n".join("| " + " | ".join(cell.rjust(width) for cell, width in zip(row, widths)) + " |" for row in cells)
