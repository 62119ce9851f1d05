"""A strap that is taken off writes a pulse of 0, which called an ambulance: it is no reading, and calls nobody (A-R15)."""

import json
import os
import subprocess
import sys

import pytest

from trackme.protocol import ingest

from patients import SECOND_US, Patient, now_us
from server_process import ROOT
from streams import scalars

pytestmark = pytest.mark.strict

STRAP_OFF = ROOT / "Tests" / "fixtures" / "reported" / "tcx_strap_off.tcx"


@pytest.fixture
def patient(accounts):
    """Over 60: AutomatedSOS is on."""
    return Patient(accounts)


def the_only_emergency_is_what_comes_after(patient) -> None:
    """A pulse that is really low calls, and nothing before it has."""
    patient.cross(35)
    [crossing] = patient.emergency().crossings
    assert crossing.metric == "heart_rate" and crossing.value == 35


def test_a_bridge_with_the_token_of_a_device_replays_a_strap_that_is_taken_off_and_calls_nobody(server, patient):
    done = subprocess.run(
        [sys.executable, "-m", "trackme.commands.bridge", "--server", server.target, "--start-now", "--speed", "1", "--json",
         "--client-id", f"strap-{patient.number}", "--person", f"{patient.number}={STRAP_OFF}"],
        capture_output=True, text=True, timeout=60, env={**os.environ, "TRACKME_TOKEN": patient.device.token},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    summary = json.loads(done.stdout)
    assert (summary["readings_accepted"], summary["readings_rejected"]) == (8, 0)
    assert summary["skipped"]["no_value"] == {"heart_rate": 7}
    the_only_emergency_is_what_comes_after(patient)


def test_zeros_of_a_device_that_sends_them_are_refused_by_name_and_call_nobody(patient):
    now = now_us()
    for metric in ("heart_rate", "blood_oxygen", "respiratory_rate"):
        patient.send(scalars(patient.number, [(now - (5 - n) * SECOND_US, 0) for n in range(6)], metric))
        answer = patient.stream.acknowledgement()
        assert (answer.accepted, answer.rejected) == (0, 6)
        assert {(r.reason, r.field) for r in answer.rejections} == {(ingest.REJECTION_REASON_NO_VALUE, "value")}
    the_only_emergency_is_what_comes_after(patient)
