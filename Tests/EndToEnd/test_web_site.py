"""What whoever runs a server says on its pages: settings that are taken, and such that mean nothing."""

from __future__ import annotations

import subprocess

import pytest

from server_process import ServerProcess, binary
from web import Web

STATEMENT, FEEDBACK = "TRACKME_ACCESSIBILITY_STATEMENT_", "TRACKME_ACCESSIBILITY_FEEDBACK"


def test_without_settings_there_is_no_statement_and_no_feedback_address(web):
    answer = web.send("GET", "/web/accessibility")
    assert answer.json == {"statements": {}} and answer.header("content-type") == "application/json"
    assert web.send("GET", "/web/site").json == {}
    for path in ("/web/accessibility", "/web/site"):
        assert web.send("POST", path).status == 405


def test_a_statement_is_an_address_or_a_text_in_either_language(tmp_path):
    file = tmp_path / "statement.txt"
    file.write_text('Né "più" né meno\n')
    server = ServerProcess(
        {f"{STATEMENT}EN": "https://trackme.example/a?b=1", f"{STATEMENT}IT": str(file), FEEDBACK: "a.b+c@trackme.example"},
        has_web=True,
    ).start()  # fmt: skip
    try:
        assert Web(server.web_port).send("GET", "/web/accessibility").json == {
            "statements": {"en": {"address": "https://trackme.example/a?b=1"}, "it": {"text": 'Né "più" né meno\n'}},
            "feedback": "mailto:a.b+c@trackme.example",
        }
    finally:
        server.remove()


@pytest.mark.parametrize(
    "variable, value",
    [
        (f"{STATEMENT}EN", "/nowhere"), (f"{STATEMENT}IT", "http://trackme.example"), (f"{STATEMENT}IT", "too long"),
        (f"{STATEMENT}EN", "blank"), (f"{STATEMENT}EN", "not text"), (FEEDBACK, "javascript:alert(1)"),
        (FEEDBACK, "a@b@c.example"), (FEEDBACK, "a@b.example?cc=c@d.example"), (FEEDBACK, "trackme.example"),
        (FEEDBACK, "http://trackme.example"),
    ],
)  # fmt: skip
def test_settings_that_mean_nothing_are_refused_by_name(tmp_path, variable, value):
    files = {"too long": b"x" * (64 * 1024 + 1), "blank": b" \n\t\n", "not text": b"\xff\xfe"}
    if value in files:
        (tmp_path / "file").write_bytes(files[value])
    environment = {variable: str(tmp_path / "file") if value in files else value, "PATH": "/usr/bin:/bin"}
    command = [binary(), "serve", "--listen", "127.0.0.1:1", "--data-dir", tmp_path / "data"]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    assert done.returncode != 0 and variable in done.stderr
