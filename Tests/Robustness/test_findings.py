"""What came late is told apart from what is broken whatever the time, and from what can't be judged."""

import json

import pytest

from findings import HANG_S, STILL_S, Late, NotJudged, is_late, judged, late, of, packed, unpacked

LOST, LATE, STOOD_STILL = "a reading is lost", Late("a call came late"), NotJudged("the machine stood still")


@pytest.mark.parametrize(
    "seconds, still_s, kind",
    [(5.1, 0, Late), (5.1, 0.05, Late), (5.1, 0.2, NotJudged), (9.9, STILL_S, Late), (9.9, STILL_S + 0.1, NotJudged),
     (HANG_S, 0, str), (HANG_S + 3, 1, str), (HANG_S, 1, Late)],
)  # fmt: skip
def test_what_the_machine_stood_still_is_no_part_of_how_long_something_took(seconds, still_s, kind):
    found = late(seconds, 5, still_s, "a call came late")
    assert type(found) is kind and found.startswith("a call came late")
    assert found.endswith(f"the machine stood still for {still_s:.2f} s") == (kind is NotJudged)


def test_what_can_not_be_judged_breaks_nothing_and_is_printed():
    assert judged([STOOD_STILL], 1) == {
        "ok": True, "not_judged": [STOOD_STILL], "problem_count": 0, "problems": []
    }  # fmt: skip
    assert judged([LATE, STOOD_STILL], 1) == {
        "ok": False, "not_judged": [STOOD_STILL], "problem_count": 1, "problems": [LATE]
    }  # fmt: skip


def test_a_loss_stands_before_all_delays():
    found = judged([LATE] * 60 + [LOST], 1)
    assert not found["ok"] and found["problems"][0] == LOST


def test_whoever_keeps_the_results_is_told_the_first_five_and_which_are_late(tmp_path, monkeypatch):
    file = tmp_path / "problems"
    monkeypatch.setenv("TRACKME_TEST_PROBLEMS", str(file))
    judged([LATE] * 9 + [LOST], 7)
    said = json.loads(file.read_text())
    assert said["seed"] == 7
    assert [one["is_late"] for one in said["problems"]] == [False, True, True, True, True]
    judged([STOOD_STILL], 7)
    assert json.loads(file.read_text())["problems"] == []


def test_a_kind_stays_what_it_is_under_another_name_and_in_another_process():
    assert is_late(of("a run", LATE)) and of("a run", LATE) == "a run: a call came late"
    assert not is_late(of("a run", LOST))
    told = unpacked(json.loads(json.dumps(packed([LATE, LOST, STOOD_STILL]))))
    assert [type(one) for one in told] == [Late, str, NotJudged]
