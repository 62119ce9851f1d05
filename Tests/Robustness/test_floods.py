"""The verdict on floods finds what is broken, and floods are what they are meant to be."""

import gzip
import json
import socket
import ssl
import subprocess
import sys
import threading
from copy import deepcopy
from itertools import count, islice
from pathlib import Path

import pytest
import trustme

from findings import NotJudged, is_late
from flood_frames import BLOCK_BYTES, FLOODS
from flood_verdict import FloodedRun, Turn, table
from hostile_verdict import Call, Crossing, Probe, Sample
from raw_http2 import (
    CONTINUATION, DATA, END_HEADERS, END_STREAM, HEADERS, PING, PREFACE, PRIORITY, RST_STREAM, SETTINGS, UNKNOWN,
    WINDOW_UPDATE,
)  # fmt: skip

MIB = 1 << 20


def good_run() -> FloodedRun:
    """No flood from 100 to 104; pings from 104 to 108, resets from 113 to 117."""
    run = FloodedRun(attack_s=(104, 117), stop_s=0.4)
    run.turns = [Turn("none", 0, 100, 104, 104), Turn("PING", 30, 104, 108, 113), Turn("rapid reset", 1, 113, 117, 130)]
    for person, at in enumerate((102, 106, 115), 1):
        run.crossings.append(Crossing(person, at))
        run.calls[person] = Call(at + 0.1, at + 0.11, at + 0.2)
        run.called.add(person)
        run.acknowledged[person] = run.stored[person] = 2
    run.probes = [Probe(at / 10, "GetAccount", 0.01, "OK") for at in range(1_000, 1_300)]
    run.lags = [(at, 0.1) for at in range(101, 130)] + [(109, 0.9)]
    run.samples = [Sample(at / 4, 90, 60 * MIB, 20) for at in range(400, 520)]
    run.attacks = {"PING, 30 connections": {"frames": 1_000}, "rapid reset, 1 connections": {"calls": 400}}
    return run


def sample(run: FloodedRun, at_s: float, **changes) -> None:
    for found in run.samples:
        if found.at_s == at_s:
            vars(found).update(changes)


def keep(run: FloodedRun, from_s: float, to_s: float, size: int) -> None:
    for found in run.samples:
        if from_s <= found.at_s < to_s:
            found.rss_bytes = size


BROKEN = {
    "PING, 30 connections: the server had 401 MiB": lambda r: sample(r, 106, rss_bytes=401 * MIB),
    "rapid reset, 1 connections: the server kept 65 MiB": lambda r: keep(r, 117, 131, 125 * MIB),
    "PING, 30 connections: 100001 calls were running": lambda r: sample(r, 107, running=100_001),
    "PING, 30 connections: it was over after 5.2 s": lambda r: (setattr(r.turns[1], "end_s", 107.3), sample(r, 112.5, running=71)),
    "rapid reset, 1 connections: it was over after 6.0 s": lambda r: sample(r, 123, running=None),
    "rapid reset, 1 connections: it was over after 5.1 s": lambda r: r.probes.append(Probe(116, "ListReadings", 6.1, "OK")),
    "PING, 30 connections: a call was accepted 5.10 s after": lambda r: setattr(r.calls[2], "accepted_s", 111.1),
    "rapid reset, 1 connections: nobody's call was accepted": lambda r: r.calls.pop(3),
    "PING, 30 connections: 2 calls of others took over 0.5 s, one of them 520 ms": lambda r: r.probes.extend(
        Probe(105, "GetAccount", seconds, "OK") for seconds in (0.51, 0.52)
    ),
    "PING, 30 connections: nobody asked anything": lambda r: setattr(r, "probes", [p for p in r.probes if p.at_s > 108]),
    "rapid reset, 1 connections: nothing was sent": lambda r: r.attacks["rapid reset, 1 connections"].update(calls=0),
    "the server took 3.1 s to end": lambda r: setattr(r, "stop_s", 3.1),
    "1 calls of GetAccount by others ended with RESOURCE_EXHAUSTED": lambda r: r.probes.append(
        Probe(105, "GetAccount", 0.01, "RESOURCE_EXHAUSTED (no)")
    ),
    "1 calls of LogIn by others ended with INTERNAL": lambda r: r.probes.append(Probe(105, "LogIn", 0.01, "INTERNAL (no)")),
    "person 2: 2 readings were acknowledged": lambda r: r.stored.pop(2),
}  # fmt: skip


LATE = ("it was over after", "a call was accepted", "2 calls of others took", "the server took")
"""What is said of time alone."""


def test_a_run_in_which_all_held_has_no_problems():
    assert good_run().problems() == []


@pytest.mark.parametrize("problem", BROKEN)
def test_a_broken_promise_beside_a_flood_is_seen(problem):
    run = deepcopy(good_run())
    BROKEN[problem](run)
    found = next((found for found in run.problems() if found.startswith(problem)), None)
    assert found is not None, run.problems()
    assert is_late(found) == any(words in problem for words in LATE)
    if is_late(found):
        run.stood_still_s, run.stop_still_s = (lambda began, ended: ended - began), run.stop_s
        assert [type(said) for said in run.problems() if said.startswith(found)] == [NotJudged]


def test_of_many_late_calls_those_are_judged_that_the_machine_did_not_make_late():
    """Two are late of which one may be; in one of them the machine stood still."""
    run = good_run()
    run.probes += [Probe(105, "GetAccount", 0.51, "OK"), Probe(107, "GetAccount", 0.52, "OK")]
    assert [is_late(found) for found in run.problems()] == [True]
    run.stood_still_s = lambda began, ended: 0.2 if began == 107 else 0.0
    assert [type(found) for found in run.problems()] == [NotJudged]


def test_numbers_at_the_limits_are_no_problem():
    run = good_run()
    sample(run, 106, rss_bytes=400 * MIB, running=100_000)
    keep(run, 117, 131, 124 * MIB)
    sample(run, 118, running=70)
    run.probes.append(Probe(105, "GetAccount", 0.5, "OK"))
    run.calls[2].accepted_s, run.stop_s = 110.99, 3.0
    assert run.problems() == []


def test_a_turn_that_is_too_short_to_give_memory_back_is_not_asked_for_it():
    run = good_run()
    keep(run, 104, 131, 300 * MIB)
    assert [problem for problem in run.problems() if "kept" in problem] == [
        "rapid reset, 1 connections: the server kept 240 MiB of memory more than before"
    ]
    run.turns[1].calm_s = run.turns[1].end_s + 30
    assert "PING, 30 connections: the server kept 240 MiB of memory more than before" in run.problems()


def test_after_a_flood_that_has_given_back_its_memory_the_next_one_is_compared_with_what_was_left():
    run = good_run()
    shift = 25
    for later in (run.turns[2], *run.crossings[2:]):
        for name in ("begin_s", "end_s", "calm_s", "due_s"):
            if hasattr(later, name):
                setattr(later, name, getattr(later, name) + shift)
    run.turns[1].calm_s = run.turns[2].begin_s
    run.samples = [Sample(at / 4, 90, 60 * MIB, 20) for at in range(400, 700)]
    keep(run, 133, 175, 120 * MIB)
    assert not [problem for problem in run.problems() if "kept" in problem]
    keep(run, 142, 175, 185 * MIB)
    assert "rapid reset, 1 connections: the server kept 65 MiB of memory more than before" in run.problems()


def test_a_log_in_may_take_its_time_and_be_displaced():
    run = good_run()
    run.probes += [Probe(105, "LogIn", 4, "OK"), Probe(105, "LogIn", 0.1, "RESOURCE_EXHAUSTED (newer ones)")]
    assert run.problems() == []


def test_each_turn_is_a_row():
    rows = [good_run().row(turn) for turn in good_run().turns]
    assert rows[1] == {
        "flood": "PING", "connections": 30, "sent_per_s": 250, "rss_max_mib": 60, "rss_after_mib": 60, "after_s": 5,
        "running_max": 20, "accepted": 1, "accepted_max_ms": 200.0, "delivered_max_ms": 900.0, "others": 40, "others_p99_ms": 10.0, "others_max_ms": 10.0,
        "over_s": 0.0,
    }  # fmt: skip
    assert [line.split("|")[1].strip() for line in table(rows).split("\n")] == ["flood", "none", "PING", "rapid reset"]
    seconds = good_run().each_second()
    assert seconds["rss_mib"].startswith("0:60,1:60,") and seconds["running"].startswith("0:20,1:20,")


def frames(name: str, blocks: int) -> list[tuple[int, int, int, bytes]]:
    """Kind, flags, stream and content of what a flood says first."""
    flood = FLOODS[name]
    said = flood.opening + b"".join(block for block, _ in islice(flood.blocks(), blocks))
    assert said.startswith(PREFACE)
    said, found = said[len(PREFACE) :], []
    while said:
        length = int.from_bytes(said[:3], "big")
        found.append((said[3], said[4], int.from_bytes(said[5:9], "big"), said[9 : 9 + length]))
        said = said[9 + length :]
    return found


@pytest.mark.parametrize("name", FLOODS)
def test_a_flood_is_whole_frames_in_blocks_that_count_them(name):
    flood = FLOODS[name]
    found = frames(name, 3)
    counted = sum(number for _, number in islice(flood.blocks(), 3))
    in_opening = len(frames(name, 0))
    per_call = {"silent calls": 1, "compressed": 5}.get(name, 2)
    assert counted == {"calls": (len(found) - in_opening) // per_call}.get(flood.unit, counted)
    assert counted > 1_000 or not flood.stays or name in ("compressed", "endless messages"), "of large ones few"
    assert all(len(content) <= 1 << 14 for *_, content in found), "longer than a frame may be"
    assert all(len(block) <= BLOCK_BYTES + 200 for block, _ in islice(flood.blocks(), 3))


def test_floods_send_what_they_are_named_after():
    def kinds(name: str) -> list[tuple[int, int]]:
        return [(kind, flags) for kind, flags, *_ in frames(name, 2)][1:]

    resets, log_ins = kinds("rapid reset"), kinds("log-ins")
    assert resets == [(HEADERS, END_HEADERS), (RST_STREAM, 0)] * (len(resets) // 2)
    assert log_ins == [(HEADERS, END_HEADERS), (DATA, END_STREAM)] * (len(log_ins) // 2)
    assert set(kinds("silent calls")) == {(HEADERS, END_HEADERS)}
    assert {kind for kind, _ in kinds("SETTINGS")} == {SETTINGS}
    assert {kind for kind, _ in kinds("PING")} == {PING}
    assert {kind for kind, _ in kinds("other frames")} == {PRIORITY, WINDOW_UPDATE, UNKNOWN}
    assert set(kinds("CONTINUATION")[1:]) == {(CONTINUATION, 0)} and kinds("CONTINUATION")[0] == (HEADERS, 0)
    assert {content for kind, *_, content in frames("empty DATA", 2) if kind == DATA} == {b""}
    assert frames("zero windows", 0)[0][3] == b"\0\4\0\0\0\0"
    bomb = b"".join(content for kind, *_, content in frames("compressed", 1) if kind == DATA)
    assert len(gzip.decompress(bomb[5:])) == 60 << 20
    prefix, *parts = [content for kind, _, stream, content in frames("endless messages", 3) if (kind, stream) == (DATA, 3)]
    assert prefix == b"\0\xff\xff\xff\xff" and len(parts) == 4
    for name in ("rapid reset", "log-ins", "zero windows"):
        streams = [stream for kind, _, stream, _ in frames(name, 3) if kind == HEADERS]
        assert streams == list(range(1, 2 * len(streams), 2))


@pytest.mark.parametrize("options", [[], ["--tls"]])
def test_who_is_sent_away_comes_again_at_once_and_who_is_not_read_does_too(tmp_path, options):
    """A server that takes a little and closes the first connections, and then reads nothing."""
    listener = socket.create_server(("127.0.0.1", 0))
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    trustme.CA().issue_cert("localhost").configure_cert(tls)
    tls.set_alpn_protocols(["h2"])
    came, first = [], []

    def serve(connection: socket.socket, number: int) -> None:
        try:
            if options:
                connection = tls.wrap_socket(connection, server_side=True)
            came.append(connection)
            if number < 20:
                first.append(connection.recv(len(PREFACE)))
                connection.close()
        except OSError:
            pass  # The flood was over before.

    def accept() -> None:
        for number in count():
            try:
                connection, _ = listener.accept()
            except OSError:
                return
            threading.Thread(target=serve, args=(connection, number), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    target = "127.0.0.1:%d" % listener.getsockname()[1]
    command = [sys.executable, Path(__file__).parent / "flood.py", target, "PING", "--connections", "3", "--seconds", "2.1"]
    answer = json.loads(subprocess.run([*command, *options], check=True, capture_output=True, text=True, timeout=30).stdout)
    listener.close()
    statuses = answer["statuses"]
    assert not answer["failure"] and set(first) == {PREFACE}
    assert statuses["ended"] >= 20 and statuses["given up"] >= 3 and statuses["left open"] == 3
    assert statuses["frames"] > 1_000 and statuses["connections"] == len(came)
