"""A server with figures of health expenditure, for the tests of its pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from accounts import Accounts, Member
from expenditure_files import ACCOUNTS, import_files, publish, shipped
from expenditure_files import accounts as made_up_accounts
from server_process import ServerProcess

MOBILITY = b"year,region_code,region,paid_to_public_eur,paid_to_private_eur\r\n" + b"".join(
    f"{year},{code:03},{name},{1000 + year}.50,{code}.25\r\n".encode()
    for year in (2022, 2023) for code, name in ACCOUNTS.items()
)  # fmt: skip
"""Made up, as the file's name says."""


@dataclass
class Spending:
    """Release 1 is what ships; release 2 has made-up accounts of 2023 and what is paid for patients treated elsewhere too."""

    server: ServerProcess
    administrator: Member


@contextmanager
def spending_server() -> Iterator[Spending]:
    server = ServerProcess({"TRACKME_HEARTBEAT_MS": "500"}, has_web=True)
    try:
        accounts = Accounts(server.start())
        try:
            administrator = accounts.administrator
            for files in (shipped(), {**made_up_accounts(2023), "mobility.SYNTHETIC.csv": MOBILITY}):
                publish(administrator, import_files(administrator, files))
            yield Spending(server, administrator)
        finally:
            accounts.close()
        status, tail = server.stop(), server.log_tail()
        assert status == 0, tail
    finally:
        server.remove()
