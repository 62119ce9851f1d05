"""One attack, as a process of its own. It says READY, reads when to begin and to end, and answers with one JSON object:
how its calls ended.

    python Tests/Robustness/hostile_attacker.py CAST ATTACK --seed N [--long]
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import resource
import sys
import time
import traceback
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "EndToEnd")]

import attack_accounts  # noqa: E402
import attack_connections  # noqa: E402
import attack_http  # noqa: E402
import attack_messages  # noqa: E402
import attack_questions  # noqa: E402
import attack_readings  # noqa: E402
from findings import packed  # noqa: E402
from hostile_cast import Cast  # noqa: E402
from hostile_stage import Stage  # noqa: E402

ATTACKS = {
    "extreme cursors": attack_questions.extreme_cursors,
    "heavy questions": attack_questions.heavy_questions,
    "tracks": attack_questions.tracks,
    "evidence out of order": attack_readings.evidence_out_of_order,
    "hours since 1970": attack_readings.hours_since_1970,
    "unread streams": attack_connections.unread_streams,
    "streams without a message": attack_connections.streams_without_a_message,
    "idle connections": attack_connections.idle_connections,
    "headers without a message": attack_connections.headers_without_a_message,
    "damaged messages": attack_messages.damaged_messages,
    "random log-ins": attack_accounts.random_log_ins,
    "stolen token": attack_accounts.stolen_token,
    "known registrations": attack_accounts.known_registrations,
    "spectators": attack_connections.spectators,
    "slow heads": attack_http.slow_heads,
    "slow bodies": attack_http.slow_bodies,
    "endless bodies": attack_http.endless_bodies,
    "huge heads": attack_http.huge_heads,
    "untaken answers": attack_http.untaken_answers,
    "smuggling": attack_http.smuggling,
}
WITH_VICTIMS = {"stolen token"}
"""Attacks in which somebody who is attacked acts as well: the owner, who revokes the device."""
LAST_S = 2
"""An attack that is still busy so long after its end is broken off."""


async def attack(stage: Stage, name: str, begin_s: float) -> None:
    await asyncio.sleep(max(0.0, begin_s - time.time()))
    task = asyncio.create_task(ATTACKS[name](stage))
    while not task.done() and not stage.is_over:
        await asyncio.sleep(0.2)
    await asyncio.wait([task], timeout=LAST_S)
    if not task.done():
        task.cancel()
    elif error := task.exception():
        raise error


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("cast", type=Path)
    parser.add_argument("attack", choices=ATTACKS)
    parser.add_argument("--seed", type=int, required=True)
    parser.add_argument("--long", action="store_true")
    options = parser.parse_args()
    cast, failure = Cast.read(options.cast), ""
    print("READY", flush=True)
    begin_s, end_s = map(float, sys.stdin.readline().split())
    stage = Stage(cast, random.Random(options.seed), end_s, options.long)
    try:
        asyncio.run(attack(stage, options.attack, begin_s))
    except Exception:  # What the harness itself did wrong; the verdict shows it.
        failure = traceback.format_exc()
    used = resource.getrusage(resource.RUSAGE_SELF)
    cpu_s = used.ru_utime + used.ru_stime
    print(json.dumps({"statuses": stage.statuses, "problems": packed(stage.problems), "cpu_s": cpu_s, "failure": failure}))


if __name__ == "__main__":
    main()
