"""Who is there in a run of hostile.py: persons who are monitored, bridges, a dispatcher, and ten accounts that attack.
They are made by SQL; their tokens follow from one secret."""

from __future__ import annotations

import json
import secrets
from dataclasses import asdict, dataclass, field
from pathlib import Path

from server_process import ServerProcess

ATTACKERS, STRANGERS = 10, 100
"""Accounts that attack, and addresses of those who have none."""
STOLEN = 7
"""The place of the account whose device is stolen."""
BRIDGES, PROBERS = 4, 10
READINGS_PER_PERSON = 10
"""A second."""

Metadata = tuple[tuple[str, str], ...]


@dataclass
class Cast:
    """Numbers of accounts. All persons of `bulk` have readings from bridges; the first ones follow theirs."""

    target: str
    secret: str
    bulk: list[int]
    subscribers: int
    wearers: list[int]
    probers: list[int]
    attackers: list[int]
    bridges: list[int]
    dispatcher: int
    log_ins: list[tuple[str, str, str | None]] = field(default_factory=list)
    """Names and passwords of persons who log in; the name of the first is known to all, so a token of theirs is shown
    with it."""
    registrations: tuple[dict, ...] = ()
    """The forms of persons who are registered, which strangers know."""
    cursor_key: str = ""
    """What cursors are signed with, in hexadecimal digits: who has it makes extreme ones that are well-formed."""
    races: tuple[int, ...] = ()
    web: tuple[str, int] = ("", 0)
    """Where HTTP is served."""

    @property
    def web_address(self) -> tuple[str, int]:
        host, port = self.web
        return host, port

    def token(self, kind: str, account: int) -> str:
        return f"{self.secret}-{kind}-{account}"

    def caller(self, kind: str, account: int) -> Metadata:
        """Somebody with a token, who comes from an address of their own."""
        return said(self.token(kind, account), f"10.{account >> 16 & 255}.{account >> 8 & 255}.{account & 255}")

    def write(self, path: Path) -> None:
        path.write_text(json.dumps(asdict(self)))

    @staticmethod
    def read(path: Path) -> Cast:
        return Cast(**json.loads(path.read_text()))


def said(token: str | None, address: str) -> Metadata:
    """The headers of a call through the proxy that the server trusts."""
    return ((("authorization", f"Bearer {token}"),) if token else ()) + (("x-forwarded-for", address),)


def stranger(number: int) -> Metadata:
    """Somebody without a token; there are `STRANGERS` of them, in ten networks."""
    return said(None, f"198.18.{number % 10}.{number % STRANGERS // 10 + 1}")


def populate(server: ServerProcess, readings_per_s: int, subscribers: int, wearers: int) -> Cast:
    """Makes everybody. The server takes them up at its next start."""
    secret = secrets.token_hex(16)
    persons = readings_per_s // READINGS_PER_PERSON
    bulk = _persons(server, "bulk", persons)
    crossing = _persons(server, "wearer", wearers)
    probers = _persons(server, "prober", PROBERS)
    attackers = _persons(server, "attacker", ATTACKERS)
    ((administrator,),) = server.sql(
        "INSERT INTO account (kind, username) VALUES ('administrator', 'staff') RETURNING id"
    )
    bridges = _accounts(server, "bridge", "bridge", BRIDGES)
    server.sql("INSERT INTO bridge (account, created_by) SELECT unnest(%s::bigint[]), %s", (bridges, administrator))
    server.sql(
        "INSERT INTO bridge_permission (person, bridge) SELECT p, (%s::bigint[])[1 + n %% %s]"
        " FROM unnest(%s::bigint[]) WITH ORDINALITY AS o (p, n)",
        (bridges, BRIDGES, bulk),
    )
    (dispatcher,) = _accounts(server, "dispatcher", "rescue", 1)
    server.sql(
        "INSERT INTO dispatcher (account, created_by, priority) VALUES (%s, %s, 0)", (dispatcher, administrator)
    )
    for kind, accounts in (("bridge", bridges), ("dispatcher", [dispatcher])):
        server.sql(
            "INSERT INTO access_token (token_sha256, kind, account)"
            " SELECT sha256(convert_to(%s || '-' || %s || '-' || a, 'UTF8')), %s, a FROM unnest(%s::bigint[]) a",
            (secret, kind, kind, accounts),
        )
    _sessions(server, secret, bulk[:subscribers] + probers + attackers)
    _devices(server, secret, crossing + probers + attackers)
    ((key,),) = server.sql("SELECT key FROM cursor_key")
    return Cast(
        server.target, secret, bulk, subscribers, crossing, probers, attackers, bridges, dispatcher,
        cursor_key=bytes(key).hex(), web=("127.0.0.1", server.web_port),
    )  # fmt: skip


def persons_of(cast: Cast, bridge: int) -> list[int]:
    """The persons who let the bridge at that place push for them."""
    return [p for n, p in enumerate(cast.bulk, 1) if n % BRIDGES == bridge]


def _accounts(server: ServerProcess, kind: str, name: str, count: int) -> list[int]:
    rows = server.sql(
        "INSERT INTO account (kind, username) SELECT %s, %s || '-' || n FROM generate_series(1, %s) n RETURNING id",
        (kind, name, count),
    )
    return [row[0] for row in rows]


def _persons(server: ServerProcess, name: str, count: int) -> list[int]:
    """Monitored from the beginning."""
    accounts = _accounts(server, "person", name, count)
    server.sql(
        "INSERT INTO person (account, given_names, family_name, fiscal_code, date_of_birth, sex, weight_kg, height_cm)"
        " SELECT a, 'A', 'Person', 'PERSON' || lpad(a::text, 10, '0'), '1950-05-17', 'female', 70, 170"
        " FROM unnest(%s::bigint[]) a",
        (accounts,),
    )
    server.sql(
        "UPDATE sos_settings SET enabled = true, changed_in = pg_current_xact_id() WHERE person = ANY (%s)", (accounts,)
    )
    return accounts


def _sessions(server: ServerProcess, secret: str, accounts: list[int]) -> None:
    server.sql(
        "WITH made AS (INSERT INTO session (account, expires_at) SELECT unnest(%s::bigint[]), now() + interval '1 day'"
        "   RETURNING id, account)"
        " INSERT INTO access_token (token_sha256, kind, account, session, expires_at)"
        " SELECT sha256(convert_to(%s || '-session-' || account, 'UTF8')), 'session', account, id,"
        "   now() + interval '1 day' FROM made",
        (accounts, secret),
    )


def _devices(server: ServerProcess, secret: str, accounts: list[int]) -> None:
    server.sql(
        "WITH made AS (INSERT INTO device (person, name) SELECT unnest(%s::bigint[]), 'watch' RETURNING id, person)"
        " INSERT INTO access_token (token_sha256, kind, account, device)"
        " SELECT sha256(convert_to(%s || '-device-' || person, 'UTF8')), 'device', person, id FROM made",
        (accounts, secret),
    )
