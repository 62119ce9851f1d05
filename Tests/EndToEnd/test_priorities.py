"""Where the processors have too much to do, what takes long gives way to what somebody's safety waits for."""

from pathlib import Path

from trackme.protocol import ReadingServiceStub, reading_service

from accounts import Accounts
from server_process import ServerProcess
from streams import metadata

GIVE_WAY = {"tracks", "map tiles", "pg-heavy", "passwords", "memory", "rpc-strangers"}
LOW = 10
"""What is added to the niceness of threads that give way."""


def niceness(pid: int) -> dict[str, int]:
    """Of the process's threads, by their names without numbers."""
    found = {}
    for thread in Path(f"/proc/{pid}/task").iterdir():
        name = (thread / "comm").read_text().strip().rstrip("0123456789").rstrip("-")
        found[name] = int((thread / "stat").read_text().rpartition(")")[2].split()[16])
    return found


def test_what_takes_long_gives_way_to_ingest_and_emergencies():
    server = ServerProcess().start()
    accounts = Accounts(server)
    try:
        person = accounts.person()
        said = {"metadata": metadata(person.token), "timeout": 30}
        ReadingServiceStub(person.channel).ListReadings(reading_service.ListReadingsRequest(), **said)
        found = niceness(server.process.pid)
        usual = found["rpc-loop"]
        # The first thread only waits for the others.
        assert {name for name, value in found.items() if value != usual and name != "trackme"} == GIVE_WAY
        assert {found[name] for name in GIVE_WAY} == {min(19, usual + LOW)}
        assert {"rpc-accept", "pg-urgent", "pg-general", "pg-upkeep"} <= found.keys()
    finally:
        accounts.close()
        server.remove()
