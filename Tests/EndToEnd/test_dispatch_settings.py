"""Where calls for help go, as the environment says it: what is wrong is refused at the start, by its name (A-R15)."""

import os
import subprocess

import pytest

from server_process import binary

GATEWAY = {
    "TRACKME_GATEWAY_URL": "https://gateway.example/2010-04-01/Accounts/AC1",
    "TRACKME_GATEWAY_USERNAME": "AC1",
    "TRACKME_GATEWAY_PASSWORD_FILE": "/dev/null",
    "TRACKME_GATEWAY_FROM": "+390299900000",
    "TRACKME_EXERCISE_NUMBER": "+390299900001",
}


def problem(tmp_path, environment: dict[str, str]) -> str:
    """What a server that is started so says before it ends."""
    secret = tmp_path / "secret"
    secret.write_text("a-secret\n")
    environment = {k: str(secret) if v == "/dev/null" else v for k, v in environment.items()}
    ended = subprocess.run(
        [binary(), "serve", "--listen", "127.0.0.1:0", "--data-dir", tmp_path / "data"],
        env={**os.environ, **environment}, capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    assert ended.returncode != 0
    assert "a-secret" not in ended.stderr
    return ended.stderr


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("TRACKME_DISPATCH_WEBHOOKS", "http://dispatch.example/cap"),
        ("TRACKME_DISPATCH_WEBHOOKS", "https://dispatch.example/cap,ftp://dispatch.example"),
        ("TRACKME_DISPATCH_WEBHOOKS", "https://user:word@dispatch.example/cap"),
        ("TRACKME_DISPATCH_WEBHOOK_TOKEN_FILE", "/does/not/exist"),
        ("TRACKME_EMERGENCY_NUMBER", "one one two"),
        ("TRACKME_EMERGENCY_NUMBERS", "CA=911,Japan=119"),
        ("TRACKME_EMERGENCY_NUMBERS", "CA"),
        ("TRACKME_GATEWAY_URL", "http://gateway.example/AC1"),
        ("TRACKME_GATEWAY_URL", "https://gateway.example/AC1?x=y"),
        ("TRACKME_GATEWAY_PASSWORD_FILE", "/does/not/exist"),
        ("TRACKME_EXERCISE_NUMBER", "112"),
        ("TRACKME_GATEWAY_PATIENCE_S", "4"),
        ("TRACKME_GATEWAY_PATIENCE_S", "soon"),
    ],
)
def test_a_wrong_value_is_refused_by_its_name(tmp_path, name, value):
    environment = {**GATEWAY, name: value} if "GATEWAY" in name or "EXERCISE" in name else {name: value}
    assert name in problem(tmp_path, environment)


@pytest.mark.parametrize("missing", [name for name in GATEWAY if name != "TRACKME_GATEWAY_URL"])
def test_a_gateway_needs_all_that_belongs_to_it(tmp_path, missing):
    assert missing in problem(tmp_path, {name: value for name, value in GATEWAY.items() if name != missing})
