"""Reads what failed out of what test runners write: JUnit XML, Swift Testing's event stream, a checker's problems."""

from __future__ import annotations

import json
import re
import shlex
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field
from pathlib import Path

from records import CHECKER, PYTEST, ROOT, SWIFT, Failure, Record

REASON_LINES = 4
"""Of a reason, at most."""
LINE_LENGTH = 160
LOG_LINES = 6
"""Shown of the output where nothing else tells what failed."""
LATE = re.compile(
    r"Timeout|timed out|did not come within|did not end within|WaitedInVain|DEADLINE_EXCEEDED|TimeLimitExceeded"
    r"|[Tt]ime limit was exceeded",
)
"""What somebody says who has waited in vain, or for too long."""
STRICT = re.compile(
    r"^Tests/(LogTests/|DomainTests/Access/|Areas/(Sos|Groups|Payments)/|ServicesTests/(Sos|Sharing|Payments|Readings)/)"
)
"""Swift tests of emergencies, consent, privacy of groups, storage and money. Python tests have the marker `strict`."""


@dataclass
class Outcome:
    """What a command's tests came to."""

    passed: int = 0
    failures: list[Failure] = field(default_factory=list)


def outcome(record: Record) -> Outcome:
    """Of a command that has ended, or was ended: without a test that says so, a status other than 0 is a failure too."""
    read = {PYTEST: _junit, SWIFT: _events, CHECKER: _problems}[record.kind]
    found = read(record)
    if record.status != 0 and not found.failures:
        ending = "was ended" if record.status is None else f"ended with status {record.status}"
        found.failures.append(
            Failure(record.name, "\n".join([ending, *log_tail(record.file("log"))]), rerun=shlex.join(record.command))
        )
    return found


def log_tail(path: Path, lines: int = LOG_LINES) -> list[str]:
    """The last lines of an output that say something."""
    try:
        said = path.read_text(errors="replace").splitlines()
    except OSError:
        return []
    return [line.rstrip()[:LINE_LENGTH] for line in said if line.strip()][-lines:]


def reason(text: str) -> str:
    """The first lines that say something, none of them too long."""
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    return "\n".join(line[:LINE_LENGTH] for line in lines[:REASON_LINES])


def _from_root(path: str) -> str:
    return str(Path(path).relative_to(ROOT)) if Path(path).is_relative_to(ROOT) else path


# pytest


def _junit(record: Record) -> Outcome:
    try:
        cases = list(ElementTree.parse(record.file("xml")).iter("testcase"))
    except (OSError, ElementTree.ParseError):
        return Outcome()  # It could not even begin, or was killed: its output tells.
    options = record.command[: record.command.index("pytest") + 1]
    config = _option_values(record.command, "-c")
    base = ROOT / (Path(config[0]).parent if config else "clients/python")
    found = Outcome()
    for case in cases:
        failed = next((tag for kind in ("failure", "error") for tag in case.findall(kind)), None)
        if failed is None:
            found.passed += case.find("skipped") is None
            continue
        file = _from_root(str((base / case.get("file", "")).resolve()))
        node = f"{file}::{case.get('name')}"
        said = failed.get("message") or failed.text or ""
        found.failures.append(
            Failure(
                node, reason(said), file, int(case.get("line", -1)) + 1, bool(LATE.search(said)),
                any(p.get("name") == "strict" for p in case.iter("property")),
                shlex.join([*options, *(["-c", config[0]] if config else []), node]),
            )
        )  # fmt: skip
    return found


def _option_values(command: list[str], option: str) -> list[str]:
    return [after for before, after in zip(command, command[1:]) if before == option]


# Swift Testing


@dataclass
class SwiftRun:
    """What an event stream tells, as far as it goes."""

    files: dict[str, tuple[str, int]] = field(default_factory=dict)
    """Where each test stands, by its id."""
    suites: set[str] = field(default_factory=set)
    ended: set[str] = field(default_factory=set)
    """Tests and suites that have come to their end."""
    at: str = ""
    """The test that had begun and not ended when the stream broke off."""
    issues: dict[str, tuple[str, str, int]] = field(default_factory=dict)
    """Of each test that failed what was said first, and where."""
    is_over: bool = False


def swift_run(path: Path) -> SwiftRun:
    found, begun = SwiftRun(), []
    try:
        lines = path.read_text(errors="replace").splitlines()
    except OSError:
        return found
    for line in lines:
        try:
            record = json.loads(line)
        except ValueError:
            continue  # The last one, of a process that crashed.
        payload = record["payload"]
        if record["kind"] == "test":
            place = payload["sourceLocation"]
            found.files[payload["id"]] = (_from_root(place.get("_filePath") or place["filePath"]), place["line"])
            if payload["kind"] == "suite":
                found.suites.add(payload["id"])
            continue
        test = payload.get("testID", "")
        match payload["kind"]:
            case "testStarted" if test not in found.suites:
                begun.append(test)
            case "testEnded" | "testSkipped":
                found.ended.add(test)
            case "runEnded":
                found.is_over = True
            case "issueRecorded" if _is_failure(payload.get("issue", {})):
                said = "\n".join(m["text"] for m in payload.get("messages", ()))
                place = payload.get("issue", {}).get("sourceLocation") or {}
                file, at = found.files.get(test, ("", 0))
                if path_of_issue := place.get("_filePath") or place.get("filePath"):
                    file, at = _from_root(path_of_issue), place["line"]
                found.issues.setdefault(test, (said, file, at))
    found.at = next((test for test in reversed(begun) if test not in found.ended), "")
    return found


def _is_failure(issue: dict) -> bool:
    return not issue.get("isKnown") and issue.get("isFailure", True)


def swift_name(test: str) -> str:
    """A test's id without the place of its source: what `--filter` takes."""
    return re.sub(r"/[^/]+\.swift:\d+:\d+$", "", test)


def swift_filter(test: str) -> str:
    """An expression for `--filter` or `--skip` that means this test, or all of this suite."""
    return "^" + re.escape(swift_name(test)).replace("/", r"\/") + r"(\/|$)"


def _events(record: Record) -> Outcome:
    found, index = Outcome(), 0
    while (path := record.file(f"events{index or ''}")).exists():
        run = swift_run(path)
        ended = run.ended - run.suites
        found.passed += len(ended - run.issues.keys())
        failed = dict(run.issues)
        if run.at and not run.is_over:
            failed[run.at] = ("the process ended in this test: see its output", *run.files.get(run.at, ("", 0)))
        for test, (said, file, line) in failed.items():
            found.failures.append(
                Failure(
                    swift_name(test) or record.name, reason(said), file, line, bool(LATE.search(said)),
                    bool(STRICT.match(run.files.get(test, (file, 0))[0])),
                    f"swift test --no-parallel --filter {shlex.quote(swift_filter(test))}",
                )
            )  # fmt: skip
        index += 1
    return found


# Checkers


def _problems(record: Record) -> Outcome:
    try:
        said = json.loads(record.file("problems").read_text())
    except (OSError, ValueError):
        return Outcome()
    command = shlex.join([*record.command, *(["--seed", str(said["seed"])] if "--seed" not in record.command else [])])
    script = next((part for part in record.command if part.endswith(".py")), record.name)
    failures = [
        Failure(f"{record.name}: {reason(one['text'])}", "", script, 0, one["is_late"], True, command)
        for one in said["problems"]
    ]
    return Outcome(int(not failures), failures)
