"""Runs of tests that fail in every way, by `Tests/timed`, with real pytest and make."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from memory import MEMORY, PREFIX, has_room

TESTS = Path(__file__).parents[1]
STRICT = "from strict import pytest_itemcollected\n"
FAILS = "def test_it():\n    assert 1 == 2, 'one is not two'\n"
PASSES_ALONE = """
from pathlib import Path
def test_it():
    mark = Path(__file__).with_suffix(".mark")
    if not mark.exists():
        mark.touch()
        assert False, {reason!r}
"""


class Project:
    """A folder with a Makefile and tests of its own."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.rules: dict[str, str] = {}
        (folder / "pytest.ini").write_text("[pytest]\nmarkers =\n    strict\n")
        (folder / "conftest.py").write_text(f"import sys; sys.path.insert(0, {str(TESTS)!r})\n{STRICT}")

    def test(self, name: str, content: str) -> None:
        """A part that is one file of tests."""
        (self.folder / f"test_{name}.py").write_text(content)
        self.rules[name] = (
            f"{TESTS}/kept pytest {name} {sys.executable} -m pytest -q -c pytest.ini test_{name}.py"
        )

    def checker(self, name: str, *problems: tuple[str, bool], then: tuple = ()) -> None:
        """A part that is a checker, which finds these at first, and others when it is asked again."""
        first, again = ([{"text": text, "is_late": late} for text, late in some] for some in (problems, then))
        (self.folder / f"{name}.py").write_text(
            "import json, os, sys\nfrom pathlib import Path\nmark = Path(__file__).with_suffix('.mark')\n"
            f"found = {again!r} if mark.exists() else {first!r}\nmark.touch()\n"
            "Path(os.environ['TRACKME_TEST_PROBLEMS']).write_text(json.dumps({'seed': 7, 'problems': found}))\n"
            "sys.exit(bool(found))\n"
        )
        self.rules[name] = f"{TESTS}/kept checker {name} {sys.executable} {name}.py"

    def swift(self, name: str, *goes: list[dict | str], statuses: tuple[int, ...]) -> None:
        """A part that is a process of Swift tests, as far as `Tests/kept` sees it: it writes these event streams, one in each
        of its runs, ends with these statuses, and notes what it was told."""
        (self.folder / f"{name}.py").write_text(
            "import json, sys\nfrom pathlib import Path\nhere = Path(__file__)\ncount = here.with_suffix('.count')\n"
            "turn = int(count.read_text()) if count.exists() else 0\ncount.write_text(str(turn + 1))\n"
            "with here.with_suffix('.told').open('a') as told: told.write(json.dumps(sys.argv[1:]) + '\\n')\n"
            f"goes, statuses = {goes!r}, {statuses!r}\n"
            "lines = [one if isinstance(one, str) else json.dumps(one) for one in goes[turn]]\n"
            "Path(sys.argv[sys.argv.index('--event-stream-output-path') + 1]).write_text('\\n'.join(lines))\n"
            "sys.exit(statuses[turn])\n"
        )
        self.rules[name] = f"{TESTS}/kept swift {name} {sys.executable} {name}.py"

    def told(self, name: str) -> list[list[str]]:
        """What a process of Swift tests was told, run by run."""
        return [json.loads(line) for line in (self.folder / f"{name}.told").read_text().splitlines()]

    def run(self, *parts: str, **environment: str) -> tuple[int, str]:
        """The status of `Tests/timed`, and its report."""
        makefile = "".join(f"{name}:\n\t@{rule}\n" for name, rule in self.rules.items())
        (self.folder / "Makefile").write_text(f".PHONY: {' '.join(self.rules)}\n{makefile}")
        kept = {n: v for n, v in os.environ.items() if not n.startswith(("TRACKME_TEST_", "MAKE", "MFLAGS", "PYTEST_"))}
        self.output = subprocess.run(
            [TESTS / "timed", *(parts or self.rules)], cwd=self.folder, capture_output=True, text=True, timeout=120,
            # Its tests need no plugins, which take a second to load.
            env={**kept, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "TRACKME_TEST_RESULTS": str(self.folder / "results"), **environment},
        )  # fmt: skip
        if not (self.folder / "test-report.txt").exists():
            return self.output.returncode, self.output.stderr
        report = (self.folder / "test-report.txt").read_text()
        assert self.output.stdout.endswith(f"\n{report}")
        return self.output.returncode, report


@pytest.fixture
def project(tmp_path):
    return Project(tmp_path)


def test_all_parts_run_whatever_fails_and_each_failure_is_told_with_its_place_and_its_command(project):
    project.test("first", FAILS)
    project.rules["second"] = "echo nothing fits; exit 3"
    project.test("third", "def test_it(): pass\n")
    project.checker("fourth", ("2 readings are lost", False))
    status, report = project.run()
    assert status == 1
    lines = report.splitlines()
    assert [line.split()[0] for line in lines[:4]] == ["first", "second", "third", "fourth"]
    assert [line.split()[-1] for line in lines[:4]] == ["FAILED", "FAILED", "ok", "FAILED"]
    assert "test_first.py:1" in report and "AssertionError: one is not two" in report
    assert "test_first.py::test_it\n" in report and "nothing fits" in report and "make second" in report
    assert "fourth: 2 readings are lost" in report and "--seed 7" in report
    assert lines[-1] == "1 passed, 3 failed"


def test_nothing_runs_after_a_preparation_that_failed(project):
    project.rules |= {"prepare": "exit 1", "next": "touch ran"}
    status, report = project.run()
    assert status == 1 and not (project.folder / "ran").exists()
    assert "prepare" in report and "next" not in report


def test_what_fails_beside_others_and_passes_alone_is_unsteady_and_the_run_is_green(project):
    project.test("first", PASSES_ALONE.format(reason="too slow"))
    project.test("second", "def test_it(): pass\n")
    status, report = project.run()
    assert status == 0
    assert "unsteady: " in report and "too slow" in report and report.endswith("2 passed, 0 failed\n")


def test_a_run_says_which_tests_it_was_told_to_leave_out(project):
    project.test("first", "def test_it(): pass\n")
    _, whole = project.run()
    _, part = project.run(MAKEFLAGS="w -j4 -- TESTS=-m\\ slow KILLS=3")
    assert "by make" not in whole and part.splitlines()[-2] == "by make TESTS=-m\\ slow KILLS=3"


def test_more_than_three_unsteady_ones_are_red(project):
    for number in range(4):
        project.test(f"t{number}", PASSES_ALONE.format(reason="too slow"))
    status, report = project.run("t0", "t1", "t2")
    assert status == 0 and report.count("unsteady: ") == 3
    for mark in project.folder.glob("*.mark"):
        mark.unlink()
    status, report = project.run()
    assert status == 1 and report.count("unsteady: ") == 4 and "more than 3 are red" in report


@pytest.mark.parametrize(("reason", "status"), [("the answer did not come within 15 s", 0), ("a reading was lost", 1)])
def test_a_strict_test_is_forgiven_lateness_alone(project, reason, status):
    strict = PASSES_ALONE.format(reason=reason).replace("def test", "import pytest\n@pytest.mark.strict\ndef test")
    project.test("first", strict)
    project.test("second", PASSES_ALONE.format(reason=reason))
    found, report = project.run()
    assert found == status, report
    assert report.count("unsteady: ") == 2 - status


def test_a_checker_is_asked_again_after_delays_and_not_after_a_loss(project):
    project.checker("late", ("the call came 6.00 s after", True))
    assert project.run()[0] == 0
    project.checker("lost", ("the call came 6.00 s after", True), ("2 readings are lost", False))
    status, report = project.run("lost")
    assert status == 1 and "2 readings are lost" in report and "again, alone: what failed in lost" not in project.output.stdout


def test_what_fails_again_and_what_fails_only_in_the_second_go_are_red(project):
    project.checker("late", ("the call came 6.00 s after", True), then=(("an answer was INTERNAL", False),))
    status, report = project.run()
    assert status == 1 and "red: late: an answer was INTERNAL" in report


def test_a_process_that_dies_without_a_word_is_red(project):
    project.test("first", "import os\ndef test_it(): os._exit(9)\n")
    project.test("second", "def test_it(): pass\n")
    status, report = project.run()
    assert status == 1 and "ended with status 9" in report


def test_a_part_without_a_record_runs_once_more(project):
    project.rules["web"] = "test -e mark || { touch mark; echo not yet; exit 1; }"
    status, report = project.run()
    assert status == 0 and "unsteady: web" in report and "not yet" in report


def test_what_runs_side_by_side_is_named_if_it_fails_and_its_output_comes_last(project):
    failing = f"{TESTS}/side-by-side 'echo this failed; exit 4' 'sleep 0.2; echo 9 passed'"
    project.rules["both"] = failing
    assert project.run()[0] == 1
    said = project.output.stdout
    assert said.rindex("this failed") > said.index("9 passed")
    assert "side-by-side: failed with status 4: echo this failed; exit 4" in said


def test_a_report_has_at_most_sixty_lines(project):
    project.test("first", "import pytest\n@pytest.mark.parametrize('n', range(90))\ndef test_it(n):\n    assert n == 100\n")
    status, report = project.run()
    assert status == 1 and len(report.splitlines()) <= 60 and report.endswith("0 passed, 90 failed\n")


def event(kind: str, test: str = "", **more) -> dict:
    """As Swift 6.3 writes them, without what nobody reads."""
    payload = {"kind": kind, "instant": {"absolute": 1.0, "since1970": 2.0}, **more}
    return {"kind": "event", "payload": payload | ({"testID": test} if test else {}), "version": 0}


def swift_test(test: str, folder: str = "Tests/DomainTests/Readings", line: int = 12) -> dict:
    """As the stream describes a test, or a suite."""
    is_suite = "/" not in test
    place = {"_filePath": f"{TESTS.parent}/{folder}/UnitTests.swift", "line": line, "column": 4, "fileID": "x"}
    payload = {"id": test, "kind": "suite" if is_suite else "function", "name": "a test", "sourceLocation": place}
    return {"kind": "test", "payload": payload, "version": 0}


def issue(test: str, said: str, line: int = 20, folder: str = "Tests/DomainTests/Readings") -> dict:
    place = {"_filePath": f"{TESTS.parent}/{folder}/UnitTests.swift", "line": line, "column": 7}
    return event(
        "issueRecorded", test, issue={"isKnown": False, "sourceLocation": place}, messages=[{"symbol": "fail", "text": said}]
    )


SUITE = "DomainTests.UnitTests"
FIRST, SECOND, THIRD = (f"{SUITE}/{name}()/UnitTests.swift:{line}:4" for name, line in (("a", 12), ("b", 30), ("c", 40)))
KNOWN = [swift_test(SUITE), swift_test(FIRST, line=12), swift_test(SECOND, line=30), swift_test(THIRD, line=40)]


def passes(test: str) -> list[dict]:
    return [event("testStarted", test), event("testEnded", test)]


def fails(test: str, said: str, **more) -> list[dict]:
    return [event("testStarted", test), issue(test, said, **more), event("testEnded", test)]


def test_a_swift_test_that_fails_is_told_with_the_place_of_its_issue_and_runs_again_alone(project):
    begin, end = [*KNOWN, event("testStarted", SUITE)], [event("testEnded", SUITE), event("runEnded")]
    project.swift(
        "swift", [*begin, *passes(FIRST), *fails(SECOND, "Expectation failed: 1 == 2"), *passes(THIRD), *end],
        [*begin, *fails(SECOND, "Expectation failed: 1 == 2"), *end], statuses=(1, 1),
    )  # fmt: skip
    status, report = project.run()
    assert status == 1 and report.endswith("2 passed, 1 failed\n")
    assert "red: DomainTests.UnitTests/b()  Tests/DomainTests/Readings/UnitTests.swift:20" in report
    assert "Expectation failed: 1 == 2" in report and "swift test -c release --no-parallel --filter" in report
    again = project.told("swift")[1]
    assert again[again.index("--filter") + 1] == r"^DomainTests\.UnitTests\/b\(\)(\/|$)"


@pytest.mark.parametrize(("folder", "said", "status"), [
    ("Tests/DomainTests/Readings", "Expectation failed: 1 == 2", 0), ("Tests/LogTests", "Expectation failed: 1 == 2", 1),
    ("Tests/LogTests", "Caught error: WaitedInVain()", 0),
])  # fmt: skip
def test_swift_tests_of_storage_are_forgiven_lateness_alone(project, folder, said, status):
    known = [swift_test(SUITE, folder), swift_test(FIRST, folder)]
    project.swift(
        "swift", [*known, *fails(FIRST, said, folder=folder), event("runEnded")],
        [*known, *passes(FIRST), event("runEnded")], statuses=(1, 0),
    )  # fmt: skip
    found, report = project.run()
    assert found == status, report


def test_where_a_swift_test_brings_the_process_down_it_is_named_and_the_rest_runs(project):
    crash = [*KNOWN, event("testStarted", SUITE), *passes(FIRST), event("testStarted", SECOND), '{"kind": "ev']
    rest = [*KNOWN, event("testStarted", SUITE), *fails(THIRD, "Expectation failed"), event("testEnded", SUITE), event("runEnded")]
    project.swift("swift", crash, rest, crash, rest, statuses=(-11, 1, -11, 1))
    status, report = project.run()
    assert status == 1 and "1 passed, 2 failed" in report
    assert "red: DomainTests.UnitTests/b()  Tests/DomainTests/Readings/UnitTests.swift:30" in report
    assert "the process ended in this test" in report and "red: DomainTests.UnitTests/c()" in report
    told = project.told("swift")[1]
    skipped = [after for before, after in zip(told, told[1:]) if before == "--skip"]
    assert skipped == [r"^DomainTests\.UnitTests\/a\(\)(\/|$)", r"^DomainTests\.UnitTests\/b\(\)(\/|$)"]


# What must not be taken for green


ONCE = """
from pathlib import Path
def is_first(mark=Path(__file__).with_suffix(".mark")):
    if mark.exists(): return False
    mark.touch()
    return True
"""


@pytest.mark.parametrize("ending", ["raise KeyboardInterrupt", "import pytest; pytest.exit('no more')"])
def test_a_run_of_pytest_that_ends_before_its_time_is_red_whatever_its_failures_do_alone(project, ending):
    project.test(
        "first", f"{ONCE}FIRST = is_first()\ndef test_a(): assert not FIRST\ndef test_b():\n    {ending}\n"
        "def test_c(): assert False\n",
    )  # fmt: skip
    status, report = project.run()
    assert status == 1 and "was cut short" in report, report


def test_a_module_that_could_not_be_collected_once_is_red(project):
    project.test("first", f"{ONCE}if is_first(): raise OSError('no room')\ndef test_it(): pass\n")
    assert project.run()[0] == 1


def test_what_is_skipped_in_the_second_go_has_not_passed(project):
    project.test("first", f"{ONCE}import pytest\ndef test_it():\n    if is_first(): assert False\n    pytest.skip('not now')\n")
    status, report = project.run()
    assert status == 1 and "red: " in report


def test_what_fails_at_the_end_of_a_file_is_not_forgiven(project):
    fixture = "import pytest\n@pytest.fixture(scope='module', autouse=True)\ndef server():\n    yield\n    assert not is_first(), 'lost'\n"
    project.test("first", f"{ONCE}{fixture}def test_it(): pass\n")
    assert project.run()[0] == 1


def test_a_comparison_that_shows_a_word_of_lateness_is_not_late(project):
    body = "    got = 'DEADLINE_EXCEEDED' if is_first() else 'x'\n    assert got == 'x'\n"
    project.test("first", f"{ONCE}import pytest\n@pytest.mark.strict\ndef test_it():\n{body}")
    assert project.run()[0] == 1


def test_a_process_that_ends_well_and_has_run_nothing_is_red(project):
    project.test("first", "import os\ndef test_it(): os._exit(0)\n")
    project.swift("second", [*KNOWN, event("testStarted", SUITE)], statuses=(0,))
    (project.folder / "third.py").write_text("")
    project.rules["third"] = f"{TESTS}/kept checker third {sys.executable} third.py"
    status, report = project.run()
    assert status == 1 and report.endswith("0 passed, 3 failed\n"), report


def test_a_checker_that_comes_to_no_verdict_is_not_asked_again(project):
    (project.folder / "first.py").write_text(f"{ONCE}assert not is_first(), 'the server died'\n")
    project.rules["first"] = f"{TESTS}/kept checker first {sys.executable} first.py"
    status, report = project.run()
    assert status == 1 and "came to no verdict" in report and "the server died" in report


def test_a_swift_process_that_dies_between_its_tests_is_red_whatever_else_failed(project):
    begin = [*KNOWN, event("testStarted", SUITE)]
    project.swift(
        "swift", [*begin, *fails(FIRST, "Expectation failed")], [*begin, *passes(FIRST), event("runEnded")], statuses=(-6, 0)
    )
    status, report = project.run()
    assert status == 1 and "was cut short" in report


def test_one_late_issue_of_a_swift_test_does_not_make_the_others_late(project):
    known = [swift_test(SUITE, "Tests/LogTests"), swift_test(FIRST, "Tests/LogTests")]
    issues = [issue(FIRST, said, folder="Tests/LogTests") for said in ("Caught error: WaitedInVain()", "2 readings are lost")]
    project.swift(
        "swift", [*known, event("testStarted", FIRST), *issues, event("testEnded", FIRST), event("runEnded")],
        [*known, *passes(FIRST), event("runEnded")], statuses=(1, 0),
    )  # fmt: skip
    assert project.run()[0] == 1


def test_an_issue_is_read_whatever_its_text_holds(project):
    project.swift("swift", [*KNOWN, *fails(FIRST, "a\u2028b"), *passes(SECOND), event("runEnded")], [*KNOWN], statuses=(1, 1))
    assert "red: DomainTests.UnitTests/a()" in project.run()[1]


def test_the_second_go_of_swift_tests_has_no_filters_of_the_first(project):
    goes = [[*KNOWN, *fails(FIRST, "Expectation failed"), event("runEnded")], [*KNOWN, *passes(FIRST), event("runEnded")]]
    project.swift("swift", *goes, statuses=(1, 0))
    project.rules["swift"] += " --filter '^DomainTests' --skip '^Log'"
    assert project.run()[0] == 0
    first, again = project.told("swift")
    assert "^DomainTests" in first and "^DomainTests" not in again and "--skip" not in again and again.count("--filter") == 1


def test_the_second_go_makes_the_same_random_choices(project):
    project.test("first", "import os\ndef test_it():\n    assert False, os.environ['TRACKME_TEST_SEED']\n")
    assert project.run()[0] == 1
    logs = [(project.folder / "results" / f"first{go}.xml").read_text() for go in ("", ".again")]
    seeds = [log.partition("AssertionError: ")[2].split()[0] for log in logs]
    assert seeds[0] == seeds[1] != ""


def test_flags_of_make_that_let_errors_pass_do_not_reach_the_parts(project):
    project.test("first", FAILS)
    assert project.run(MAKEFLAGS="ik -- A=b")[0] == 1


def test_a_folder_that_holds_something_else_is_left_alone(project):
    project.test("first", "def test_it(): pass\n")
    status, said = project.run(TRACKME_TEST_RESULTS=str(project.folder))
    assert status == 1 and "something else" in said and (project.folder / "Makefile").exists()


def test_a_part_that_comes_farther_the_second_time_tells_what_failed_then(project):
    project.test("first", FAILS)
    project.rules["first"] = f"test -e mark || {{ touch mark; echo no network; exit 1; }}; {project.rules['first']}"
    status, report = project.run()
    assert status == 1 and "no network" in report and "one is not two" in report


def test_somebody_who_outlives_a_command_keeps_nobody_waiting(project):
    project.rules["first"] = "sleep 60 & exit 3"
    began = time.monotonic()
    assert project.run()[0] == 1
    assert time.monotonic() - began < 50


def test_what_tests_keep_is_in_memory_where_there_is_room_and_gone_after_them(project):
    said = "import tempfile; from pathlib import Path; Path({!r}).write_text(tempfile.mkdtemp())\n"
    project.test("first", "def test_it():\n    " + said.format("tests"))
    project.checker("second")
    program = project.folder / "second.py"
    program.write_text(said.format("checker") + program.read_text())
    ended = subprocess.Popen(["true"])
    ended.wait()
    abandoned = MEMORY / f"{PREFIX}{ended.pid}-x"
    if has_room():
        abandoned.mkdir()
    status, _ = project.run(TMPDIR="")
    assert status == 0 and not abandoned.exists()
    tests, checker = (Path((project.folder / name).read_text()) for name in ("tests", "checker"))
    assert tests.is_relative_to(MEMORY) == has_room() and tests.exists() != has_room()
    assert checker.is_dir() and not checker.is_relative_to(MEMORY)
    checker.rmdir()

    project.run(TMPDIR=str(project.folder))
    assert Path((project.folder / "tests").read_text()).parent == project.folder
