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
LOG_LINES = 2
"""Shown of the output where nothing else tells what failed."""
LATE = re.compile(r"Timeout(?! \(>)|timed out|did not come within|did not end within|WaitedInVain|DEADLINE_EXCEEDED")
"""What somebody says who has waited in vain, or for too long; but not what ends a test that hangs."""
NOTABLE = re.compile(r"\berror:|^not ok|✖|✘|FAILED|^stale|Error [0-9]")
"""Lines of an output that say what is wrong."""
STRICT = re.compile(
    r"^Tests/(LogTests/|DomainTests/Access/|Areas/(Sos|Groups|Payments)/|ServicesTests/(Sos|Sharing|Payments|Readings)/)"
)
"""Swift tests of emergencies, consent, privacy of groups, storage and money. Python tests have the marker `strict`."""


@dataclass
class Outcome:
    """What a command's tests came to."""

    passed: int = 0
    failures: list[Failure] = field(default_factory=list)
    ran: set[str] = field(default_factory=set)
    """The names of those that passed, as failures would name them: what was skipped or never begun has not."""


def outcome(record: Record) -> Outcome:
    """Of a command that has ended, or was ended. Whether all of it ran is a promise of its own: a process that ended before
    its time, in whatever way, is a failure that is not forgiven, beside those of its tests."""
    read = {PYTEST: _junit, SWIFT: _events, CHECKER: _problems}[record.kind]
    try:
        found, complaint = read(record)
    except (ElementTree.ParseError, KeyError, TypeError, ValueError) as error:
        found, complaint = Outcome(), f"left results that can't be read ({error!r})"
    if not complaint and record.status != 0 and not found.failures:
        complaint = "failed without a test that did"
    if not complaint and not found.passed and not found.failures:
        complaint = "ran nothing"
    if complaint:
        ending = "was ended" if record.status is None else f"ended with status {record.status}"
        said = "\n".join([f"{complaint}; {ending}", *log_tail(record.file("log"))])
        found.failures.append(Failure(record.name, said, is_strict=True, rerun=shlex.join(record.command)))
    return found


def log_tail(path: Path, lines: int = LOG_LINES) -> list[str]:
    """The lines of an output that say what is wrong, as far as any do, and its last ones; not make's own."""
    try:
        said = path.read_text(errors="replace").splitlines()
    except OSError:
        return []
    said = [line.rstrip()[:LINE_LENGTH] for line in said if line.strip() and not re.match(r"make(\[\d+\])?: ", line)]
    notable = [line for line in said if NOTABLE.search(line)][: lines // 2]
    return [*notable, *(line for line in said[-(lines - len(notable)) :] if line not in notable)]


def is_late(said: str) -> bool:
    """Whether a reason is of time alone: by its first line, for a comparison may show such a word as well. A call that ended
    tells its status in the second."""
    first, *rest = [line for line in said.splitlines() if line.strip()] or [""]
    if re.match(r"(AssertionError: )?assert ", first):
        return False
    return bool(LATE.search(first) or rest and "RpcError" in first and LATE.search(rest[0]))


def reason(text: str) -> str:
    """The first lines that say something, none of them too long."""
    lines = [line.rstrip() for line in text.splitlines() if line.strip()]
    return "\n".join(line[:LINE_LENGTH] for line in lines[:REASON_LINES])


def _from_root(path: str) -> str:
    return str(Path(path).relative_to(ROOT)) if Path(path).is_relative_to(ROOT) else path


# pytest


def _junit(record: Record) -> tuple[Outcome, str]:
    try:
        cases = list(ElementTree.parse(record.file("xml")).iter("testcase"))
    except (OSError, ElementTree.ParseError):
        return Outcome(), "left no results"
    options = record.command[: record.command.index("pytest") + 1]
    config = _option_values(record.command, "-c")
    base = ROOT / (Path(config[0]).parent if config else "clients/python")
    found = Outcome()
    for case in cases:
        if not case.get("name"):
            continue  # It had begun when the process ended.
        file = _from_root(str((base / case.get("file")).resolve())) if case.get("file") else ""
        suite = case.get("classname", "").rpartition(Path(file).stem)[2].strip(".").replace(".", "::") if file else ""
        node = "::".join(part for part in (file, suite, case.get("name")) if part)
        failed = next((tag for kind in ("failure", "error") for tag in case.findall(kind)), None)
        if failed is None:
            if case.find("skipped") is None:
                found.passed += 1
                found.ran.add(node)
            continue
        said = failed.get("message") or failed.text or ""
        # What ends with a whole file or process is put down to its last test.
        is_of_more = said.startswith("failed on teardown") or "crashed while running" in said
        found.failures.append(
            Failure(
                node, reason(said), file, int(case.get("line", -1)) + 1, is_late(said),
                is_of_more or any(p.get("name") == "strict" for p in case.iter("property")),
                shlex.join([*options, *(["-c", config[0]] if config else []), node]),
            )
        )  # fmt: skip
    found.ran -= {failure.name for failure in found.failures}
    return found, "" if record.status in (0, 1) else "was cut short"


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
    skipped: set[str] = field(default_factory=set)
    issues: dict[str, list[tuple[str, str, int]]] = field(default_factory=dict)
    """Of each test that failed what was said, and where."""
    is_over: bool = False


def swift_run(path: Path) -> SwiftRun:
    found, begun = SwiftRun(), []
    try:
        # Not by splitlines, for which a line ends at more characters than for JSON.
        lines = path.read_text(errors="replace").split("\n")
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
            case "testEnded":
                found.ended.add(test)
            case "testSkipped":
                found.ended.add(test)
                found.skipped.add(test)
            case "runEnded":
                found.is_over = True
            case "issueRecorded" if _is_failure(payload.get("issue", {})):
                said = "\n".join(m["text"] for m in payload.get("messages", ()))
                place = payload.get("issue", {}).get("sourceLocation") or {}
                file, at = found.files.get(test, ("", 0))
                if path_of_issue := place.get("_filePath") or place.get("filePath"):
                    file, at = _from_root(path_of_issue), place["line"]
                found.issues.setdefault(test, []).append((said, file, at))
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


def _events(record: Record) -> tuple[Outcome, str]:
    found, index, is_over = Outcome(), 0, False
    while (path := record.file(f"events{index or ''}")).exists():
        run = swift_run(path)
        passed = run.ended - run.suites - run.skipped - run.issues.keys()
        found.passed += len(passed)
        found.ran |= {swift_name(test) for test in passed}
        failed, is_over = dict(run.issues), run.is_over
        if run.at and not run.is_over:
            place = run.files.get(run.at, ("", 0))
            failed.setdefault(run.at, []).insert(0, ("the process ended in this test: see its output", *place))
        for test, said in failed.items():
            text, file, line = said[0]
            found.failures.append(
                Failure(
                    swift_name(test) or record.name, reason(text), file, line, all(is_late(one) for one, _, _ in said),
                    not test or bool(STRICT.match(run.files.get(test, (file, 0))[0])),
                    f"swift test -c release --no-parallel --filter {shlex.quote(swift_filter(test))}",
                )
            )  # fmt: skip
        index += 1
    return found, "" if is_over else "was cut short"


# Checkers


def _problems(record: Record) -> tuple[Outcome, str]:
    try:
        said = json.loads(record.file("problems").read_text())
    except (OSError, ValueError):
        return Outcome(), "came to no verdict"
    seed = ["--seed", str(said["seed"])] if "--seed" not in record.command else []
    command = shlex.join([*record.command, *seed])
    script = next((part for part in record.command if part.endswith(".py")), record.name)
    failures = [
        Failure(f"{record.name}: {reason(one['text'])}", "", script, 0, one["is_late"], True, command)
        for one in said["problems"]
    ]
    if failures:
        return Outcome(0, failures), ""
    return Outcome(1), "" if record.status == 0 else "found nothing, and failed"
