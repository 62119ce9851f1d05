"""The commands in README.md and docs/ work as they are printed: each page's shell blocks are run, in order, against a real server.

A block ```sh is run as it stands. ```sh follow is a stream that Ctrl-C ends: it must print something, and no error;
```sh quiet is one that may have nothing to print yet. ```sh end comes after the pages that go on in the same shell.
"""

import json
import os
import re
import signal
import subprocess
from pathlib import Path

import pytest

from server_process import ROOT, ServerProcess, binary

FENCE = re.compile(r"^```sh ?(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHOWN = ("", "follow", "quiet")
ASSIGNED = re.compile(r"^([A-Z]+)=\$\(", re.MULTILINE)

FOLLOW = """
followed=$(mktemp); ( {block} ) > "$followed" 2>&1 & follower=$!
for _ in $(seq {tenths}); do [ -s "$followed" ] && break; sleep 0.1; done
sleep 0.2; kill -- -$follower; wait $follower || true
cat "$followed"
{may_be_empty} [ -s "$followed" ] || {{ echo "the stream printed nothing"; exit 1; }}
if grep '"code":' "$followed" | grep -v canceled; then exit 1; fi
rm "$followed"
"""


def blocks(page: str, kinds: tuple[str, ...]) -> list[str]:
    """The shell blocks of a page as a script that stops at the first failure, or at the first empty variable."""
    script = []
    for match in FENCE.finditer((ROOT / page).read_text()):
        kind, block = match.groups()
        if kind not in kinds:
            continue
        line = (ROOT / page).read_text()[: match.start()].count("\n") + 1
        script.append(f"echo '#### {page}:{line}'")
        if kind in ("follow", "quiet"):
            tenths, may_be_empty = ("100", "") if kind == "follow" else ("10", "true ||")
            block = FOLLOW.format(block=block, tenths=tenths, may_be_empty=may_be_empty)
        script.append(block)
        script += [f'[ -n "${name}" ] || {{ echo "{name} is empty"; exit 1; }}' for name in ASSIGNED.findall(block)]
    return script


def run(server: ServerProcess, tmp_path, script: list[str], seconds: float) -> str:
    """Runs a script in the project's folder with the server, and the folders, of the test; returns what it printed."""
    text = "\n".join(script)
    for printed, here in {
        "$PWD/var/data": str(server.data_dir / "data"),
        "var/data": str(server.data_dir / "data"),
        "127.0.0.1:50051": server.target,
        ".build/release/trackme": str(binary()),
        "var/dispatcher.token": str(tmp_path / "dispatcher.token"),
        # A race that begins sooner, with its dates in the same order, and a shorter replay.
        "'1 minute'": "'20 seconds'",
        "'2 minutes'": "'40 seconds'",
        "sleep 60\ncall": "sleep 20\ncall",
        "--duration 10 ": "--duration 2 ",
    }.items():
        text = text.replace(printed, here)
    path = tmp_path / "tutorial.sh"
    path.write_text("set -em -o pipefail\nexec < /dev/null\n" + text + "\necho '#### done'\n")
    log = tmp_path / "tutorial.log"
    with log.open("wb") as output:
        shell = subprocess.Popen(
            ["bash", path], cwd=ROOT, stdout=output, stderr=output, start_new_session=True,
            env={**os.environ, "SERVER": f"http://{server.target}", "TRACKME_SERVER": server.target},
        )  # fmt: skip
        try:
            status = shell.wait(seconds)
        except subprocess.TimeoutExpired:
            status = None
        finally:
            end_session(shell.pid)
    printed = log.read_text(errors="replace")
    assert status == 0 and printed.rstrip().endswith("#### done"), f"status {status}:\n{printed[-4000:]}"
    return printed


def end_session(leader: int) -> None:
    """Ends what the script left in the background: its jobs have process groups of their own, and one session."""
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            # After the name, which may hold blanks: state, parent, group, session.
            session = int(status.read_text().rpartition(")")[2].split()[3])
            if session == leader:
                os.kill(int(status.parent.name), signal.SIGKILL)
        except (FileNotFoundError, ProcessLookupError):
            pass


def test_the_readme_and_the_tour_work_as_printed(own_server, tmp_path):
    printed = run(own_server, tmp_path, blocks("README.md", SHOWN) + blocks("docs/tour.md", SHOWN), 90)
    assert "trackme.ingest.v1.IngestService/PushReadings" in printed
    assert "REJECTION_REASON_OUT_OF_RANGE" in printed


def test_the_page_about_fhir_works_as_printed(own_server, tmp_path):
    """And its example is what the server answers, but for the id."""
    printed = run(own_server, tmp_path, blocks("docs/fhir.md", SHOWN), 60)
    (line,) = [line for line in printed.splitlines() if line.startswith("{") and '"component"' in line]
    example = re.search(r"^```json\n(.*?)^```$", (ROOT / "docs/fhir.md").read_text(), re.MULTILINE | re.DOTALL)[1]
    assert {**json.loads(line), "id": ""} == {**json.loads(example), "id": ""}


@pytest.mark.long
def test_sharing_calling_for_help_and_racing_work_as_printed(own_server, tmp_path):
    """One shell for the three pages, as they say; then the end of the first."""
    pages = ("docs/sharing.md", "docs/sos.md", "docs/races.md")
    script = [line for page in pages for line in blocks(page, SHOWN)] + blocks("docs/sharing.md", ("end",))
    printed = run(own_server, tmp_path, script, 240)
    assert "EXERCISE" in printed
    assert "permission_denied" in printed
