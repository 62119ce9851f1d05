"""Mails as a server without a mail server leaves them in its folder."""

from __future__ import annotations

import email
import email.policy

from accounts import Member
from server_process import ServerProcess, wait_until


def mail_to(server: ServerProcess, member: Member, words: str) -> str:
    """Subject and text of a mail to somebody whose subject has these words, as soon as it is there."""

    def find():
        for path in (server.data_dir / "data" / "mail").glob("*.eml"):
            message = email.message_from_bytes(path.read_bytes(), policy=email.policy.default)
            if message["To"] == member.credentials.email and words in message["Subject"]:
                return message["Subject"] + "\n" + message.get_content()
        return None

    return wait_until(find, what=f"a mail about {words}")
