"""Accounts of the health service: those that ship, and such as are made up for tests in the official form, which say
SYNTHETIC and agree to the cent."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from pathlib import Path

from trackme.protocol import ExpenditureServiceStub, releases

from streams import PATIENCE_S, Caller

ACCOUNTS = {
    10: "Piemonte", 20: "Valle d'Aosta", 30: "Lombardia", 41: "Bolzano", 42: "Trento", 50: "Veneto",
    60: "Friuli-Venezia Giulia", 70: "Liguria", 80: "Emilia-Romagna", 90: "Toscana", 100: "Umbria", 110: "Marche",
    120: "Lazio", 130: "Abruzzo", 140: "Molise", 150: "Campania", 160: "Puglia", 170: "Basilicata", 180: "Calabria",
    190: "Sicilia", 200: "Sardegna",
}  # fmt: skip
VOICES = {"BZ9999": "Totale sintetico di prova (B)", "BA0390": "B.2) Voce SYNTHETIC"}
"""Not all parts of the total are there: nothing can be said of its sum."""
_VOICE_HEADINGS = "Codice Voce Contabile;Descrizione Voce Contabile;Importo Totale"
_CHUNK_BYTES = 100_000


def shipped() -> dict[str, bytes]:
    """The real figures that ship with the product."""
    folder = Path(__file__).parents[2] / "Sources/Areas/Expenditure/Figures"
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.csv"))}


def amount(account: int, voice: str, year: int) -> int:
    """Cents that a territory spends, unless told otherwise."""
    return (account * 1_000_003 + year * 97) * (100 if voice == "BZ9999" else 40) + 1


def accounts(year: int = 2024, more: int = 0) -> dict[str, bytes]:
    """The national and the regional account of a year; each territory spends so many cents more."""
    regional = [f"Anno di Riferimento;Codice Regione;Descrizione Regione;{_VOICE_HEADINGS}"]
    national = [f"Anno di Riferimento;{_VOICE_HEADINGS}"]
    for voice, description in VOICES.items():
        cents = {account: amount(account, voice, year) + more for account in ACCOUNTS}
        regional += [
            f"{year};{account:03};{ACCOUNTS[account]};{voice};{description};{_euros(value)}" for account, value in cents.items()
        ]
        national.append(f"{year};{voice};{description};{_euros(sum(cents.values()))}")
    tables = {f"regional-{year}.SYNTHETIC.csv": regional, f"national-{year}.SYNTHETIC.csv": national}
    return {name: "".join(f"{line}\r\n" for line in lines).encode() for name, lines in tables.items()}


def _euros(cents: int) -> str:
    return f"{cents // 100}.{cents % 100:02}"


def pieces(files: Mapping[str, bytes], **head) -> Iterator[releases.ImportFiguresRequest]:
    """An import as it is sent."""
    yield releases.ImportFiguresRequest(head=releases.ImportHead(**head))
    for name, content in files.items():
        yield releases.ImportFiguresRequest(file=releases.FileHead(name=name))
        for start in itertools.count(0, _CHUNK_BYTES):
            if start >= len(content):
                break
            yield releases.ImportFiguresRequest(chunk=content[start:start + _CHUNK_BYTES])  # fmt: skip


def import_files(administrator: Caller, files: Mapping[str, bytes], **head) -> releases.Release:
    """A draft."""
    stub = ExpenditureServiceStub(administrator.channel)
    metadata = [("authorization", f"Bearer {administrator.token}")]
    return stub.ImportFigures(pieces(files, **head), metadata=metadata, timeout=PATIENCE_S).release


def publish(administrator: Caller, draft: releases.Release, override_reason: str = "") -> releases.Release:
    stub = ExpenditureServiceStub(administrator.channel)
    request = releases.PublishReleaseRequest(number=draft.number, etag=draft.etag, override_reason=override_reason)
    return administrator.call(stub.PublishRelease, request).release


def import_figures(administrator: Caller, year: int = 2024, more: int = 0, publishes: bool = True) -> releases.Release:
    """Made-up accounts of a year, as a draft or for everybody; number 0 where they had been imported before."""
    draft = import_files(administrator, accounts(year, more))
    return publish(administrator, draft) if publishes and draft.number else draft
