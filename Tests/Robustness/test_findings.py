"""What came late is told apart from what is broken whatever the time."""

import argparse
import json

import pytest

import findings
from findings import Late, is_late, judged, of, packed, unpacked

LOST, LATE = "a reading is lost", Late("a call came late")


def options(*arguments):
    parser = argparse.ArgumentParser()
    findings.add_option(parser)
    return parser.parse_args(arguments)


def test_what_came_late_breaks_a_promise_only_where_times_are_judged():
    assert judged([LATE], options(), 1) == {
        "ok": True, "late_and_not_judged": [LATE], "problem_count": 0, "problems": []
    }  # fmt: skip
    assert judged([LATE], options("--judge-times"), 1) == {
        "ok": False, "late_and_not_judged": [], "problem_count": 1, "problems": [LATE]
    }  # fmt: skip


@pytest.mark.parametrize("arguments", [[], ["--judge-times"]], ids=["not judged", "judged"])
def test_a_loss_is_broken_whatever_the_time_and_stands_before_all_delays(arguments):
    found = judged([LATE] * 60 + [LOST], options(*arguments), 1)
    assert not found["ok"] and found["problems"][0] == LOST


def test_whoever_keeps_the_results_is_told_the_first_five_and_which_are_late(tmp_path, monkeypatch):
    file = tmp_path / "problems"
    monkeypatch.setenv("TRACKME_TEST_PROBLEMS", str(file))
    judged([LATE] * 9 + [LOST], options("--judge-times"), 7)
    said = json.loads(file.read_text())
    assert said["seed"] == 7
    assert [one["is_late"] for one in said["problems"]] == [False, True, True, True, True]
    judged([LATE], options(), 7)
    assert json.loads(file.read_text())["problems"] == []


def test_what_is_late_stays_so_under_another_name_and_in_another_process():
    assert is_late(of("a run", LATE)) and of("a run", LATE) == "a run: a call came late"
    assert not is_late(of("a run", LOST))
    assert [is_late(one) for one in unpacked(json.loads(json.dumps(packed([LATE, LOST]))))] == [True, False]
