"""How somebody whom a person has named as a contact answers: with the code of the SMS or e-mail that asked."""

from __future__ import annotations

import email
import email.policy
import re
from collections.abc import Iterable

from trackme.protocol import SosServiceStub, sos

from accounts import Party
from server_process import ServerProcess, wait_until

_CODE = re.compile(r"\b(?:[0-9a-f]{4}-){7}[0-9a-f]{4}\b")


def texts_to(server: ServerProcess, address: str) -> list[str]:
    """What a server without gateway and mail server has written to a number or an address."""
    folder = server.data_dir / "data"
    if "@" not in address:
        files = (folder / "gateway").glob("*.txt")
        return [text for text in (file.read_text() for file in files) if text.startswith(f"sms to {address}\n")]
    mails = (email.message_from_bytes(file.read_bytes(), policy=email.policy.default) for file in (folder / "mail").glob("*.eml"))
    return [mail["Subject"] + "\n" + mail.get_content() for mail in mails if mail["To"].lower() == address.lower()]


def codes_in(texts: Iterable[str]) -> list[str]:
    return [found.group() for text in texts if (found := _CODE.search(text))]


def code_for(server: ServerProcess, address: str) -> str:
    """The code in the only question to a number or an address, as soon as it is there."""
    [code] = wait_until(lambda: codes_in(texts_to(server, address)), what=f"the question to {address}")
    return code


def agree(server: ServerProcess, contacts: Iterable[sos.EmergencyContact]) -> None:
    """Each contact confirms every number and address."""
    stranger = Party(server.target, None)
    for contact in contacts:
        for address in filter(None, (contact.phone_number, contact.email)):
            stranger.ask("ConfirmContact", code=code_for(server, address))
    stranger.channel.close()


def answer_from(caller: Party, client: str, code: str, rpc: str = "ConfirmContact"):
    """An answer of a client behind a trusted proxy."""
    call = getattr(SosServiceStub(caller.channel), rpc)
    return call(getattr(sos, f"{rpc}Request")(code=code), metadata=[("x-forwarded-for", client)], timeout=60)
