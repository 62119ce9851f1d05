"""A server with an administrator of the figures, and files in the official forms to try on it: all that they say is
SYNTHETIC."""

from __future__ import annotations

import csv
import io
import subprocess
from collections.abc import Iterable, Mapping
from decimal import Decimal

import grpc
from google.rpc import error_details_pb2
from grpc_status import rpc_status

from trackme.protocol import ExpenditureServiceStub, figures, releases

from accounts import Accounts
from expenditure_files import ACCOUNTS, import_files, pieces, publish
from server_process import ROOT, ServerProcess, binary, wait_until

SHIPPED = ROOT / "Sources" / "Areas" / "Expenditure" / "Figures"
REGIONAL = "conto_economico_regionale_2024.FIVE-VOICES.csv"
NATIONAL = "conto_economico_nazionale_2024.FIVE-VOICES.csv"
BODIES = "conto_economico_enti_2024.FIVE-VOICES.csv"
REASON = "The bodies are taken from another release of the publisher."
BODY_HEADINGS = ["Anno di Riferimento", "Codice Regione", "Descrizione Regione", "Codice Ente SSN", "Descrizione Ente",
                  "Codice Voce Contabile", "Descrizione Voce Contabile", "Importo Totale"]  # fmt: skip

FORM = {
    "AA0010": ("A.1) Contributi SYNTHETIC", "1000.00"), "AA0240": ("A.2) Rettifica SYNTHETIC", "-100.00"),
    "AZ9999": ("Totale valore della produzione (A)", "900.00"), "BA0010": ("B.1) Beni SYNTHETIC", "300.10"),
    "BA0390": ("B.2) Servizi SYNTHETIC", "499.90"), "BZ9999": ("Totale costi della produzione (B)", "800.00"),
    "CA0010": ("C.1) Interessi attivi", "5.00"), "CA0050": ("C.2) Altri proventi", "1.00"),
    "CA0110": ("C.3) Interessi passivi", "10.00"), "CA0150": ("C.4) Altri oneri", "0.50"),
    "CZ9999": ("Totale proventi e oneri finanziari (C)", "-4.50"), "EA0010": ("E.1) Proventi straordinari", "20.00"),
    "EA0260": ("E.2) Oneri straordinari", "30.00"), "EZ9999": ("Totale proventi e oneri straordinari (E)", "-10.00"),
    "XA0000": ("Risultato prima delle imposte (A - B +/- C +/- D +/- E)", "85.50"),
}  # fmt: skip
"""A whole account whose parts add up."""


class Site:
    """A server with an administrator."""

    def __init__(self, has_web: bool = False, **environment: str):
        self.server = ServerProcess({"TRACKME_HEARTBEAT_MS": "200", **environment}, has_web=has_web).start()
        self.accounts = Accounts(self.server)
        self.administrator = self.accounts.administrator

    def ask(self, rpc: str, **fields):
        return self.administrator.ask(rpc, **fields)

    def drafts(self) -> list[releases.Release]:
        return list(self.ask("ListReleases", page_size=50).releases)

    def draft(self, files: Mapping[str, bytes], **head) -> releases.Release:
        return import_files(self.administrator, files, **head)

    def draft_of(self, files: Mapping[str, bytes], sources: Mapping[str, figures.Source]) -> releases.Release:
        """A draft of files that have these sources instead of their publishers."""
        request = releases.ImportFiguresRequest
        sent = [request(head=releases.ImportHead())]
        for name, content in files.items():
            sent += [request(file=releases.FileHead(name=name, source=sources.get(name))), request(chunk=content)]
        stub = ExpenditureServiceStub(self.administrator.channel)
        return stub.ImportFigures(iter(sent), metadata=self.metadata, timeout=60).release

    @property
    def metadata(self) -> list[tuple[str, str]]:
        return [("authorization", f"Bearer {self.administrator.token}")]

    def published(self, files: Mapping[str, bytes], reason: str = "") -> releases.Release:
        """Seen by everybody, also by those who ask for the newest."""
        release = publish(self.administrator, self.draft(files), reason)
        wait_until(lambda: self.newest() == release.number, what="the release is the newest")
        return release

    def newest(self) -> int:
        return self.ask("ListVoices").origin.release

    def refusal(self, files: Mapping[str, bytes]) -> tuple[str, dict[str, str]]:
        """What an import that is refused for a bad file says, and the place in its details."""
        stub = ExpenditureServiceStub(self.administrator.channel)
        try:
            stub.ImportFigures(pieces(files), metadata=self.metadata, timeout=120)
        except grpc.RpcError as error:
            assert error.code() == grpc.StatusCode.INVALID_ARGUMENT, error
            return error.details(), facts(error, "BAD_FILE")
        raise AssertionError("it was taken")

    def command(self, *arguments) -> subprocess.CompletedProcess:
        command = [binary(), "expenditure", *arguments, "--data-dir", self.server.data_dir / "data"]
        return subprocess.run(command, capture_output=True, text=True, env=self.server.environment, timeout=120)

    def close(self):
        self.accounts.close()
        self.server.remove()

    def __enter__(self) -> Site:
        return self

    def __exit__(self, *_):
        self.close()


def facts(error: grpc.RpcError, reason: str) -> dict[str, str]:
    """What the details of a failed call with this reason say."""
    for detail in rpc_status.from_call(error).details:
        info = error_details_pb2.ErrorInfo()
        if detail.Unpack(info):
            assert info.reason == reason, info
            return dict(info.metadata)
    raise AssertionError("no ErrorInfo")


def rows(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode()), delimiter=";"))


def written(table: Iterable[list[str]], delimiter=";", encoding="utf-8", ending="\r\n") -> bytes:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator=ending).writerows(table)
    return text.getvalue().encode(encoding)


def cents(text: str) -> int:
    return int(Decimal(text) * 100)


def map_values(site: Site, voice: str, release: int = 0) -> dict[int, dict[str, tuple[int, int]]]:
    """Cents and rows, by year and territory."""
    answer = site.ask("GetMap", view=figures.View(voice=voice, release=release, measure=figures.MEASURE_EUROS))
    return {
        year.year: {value.territory: (value.value.number, value.value.source.row) for value in year.values}
        for year in answer.years
    }


def bodies(changes: Mapping[str, str] | None = None, body: str = "201", year: int = 2019, name: str = "SYNTHETIC") -> bytes:
    """The account of one body with the whole form; an amount that is changed to "" is not there."""
    form = {code: (text, (changes or {}).get(code, amount)) for code, (text, amount) in FORM.items()}
    table = [[str(year), "010", "Piemonte", body, name, code, text, amount] for code, (text, amount) in form.items()]
    return written([BODY_HEADINGS, *(row for row in table if row[-1])])


def body_rows(table: Iterable[tuple[int, str, str, str, str, str]]) -> bytes:
    """Bodies of Piemonte: year, body, its name, voice, description and amount."""
    return written([BODY_HEADINGS, *([str(year), "010", "Piemonte", *rest] for year, *rest in table)])


def regional(year: int, voices: Mapping[str, tuple[str, str]], changes: Mapping[tuple[int, str], str] | None = None) -> bytes:
    """Accounts of all 21, of descriptions and amounts by voice; those of (account, voice) are changed."""
    heading = ["Anno di Riferimento", "Codice Regione", "Descrizione Regione", "Codice Voce Contabile",
               "Descrizione Voce Contabile", "Importo Totale"]  # fmt: skip
    return written([heading, *(
        [str(year), f"{account:03}", name, code, text, (changes or {}).get((account, code), amount)]
        for account, name in ACCOUNTS.items() for code, (text, amount) in voices.items()
        if (changes or {}).get((account, code), amount)
    )])  # fmt: skip


def national(year: int, voices: Mapping[str, tuple[str, str]], changes: Mapping[str, str] | None = None) -> bytes:
    """The account of Italy that fits `regional`, with the amounts of some voices changed."""
    heading = ["Anno di Riferimento", "Codice Voce Contabile", "Descrizione Voce Contabile", "Importo Totale"]
    return written([heading, *(
        [str(year), code, text, (changes or {}).get(code, str(len(ACCOUNTS) * Decimal(amount)))]
        for code, (text, amount) in voices.items()
    )])  # fmt: skip


def residents(years: Iterable[int], without: int = 0) -> bytes:
    """A thousand in each territory, and one for each of its number."""
    return written(
        [["date", "region_code", "region", "residents"], *(
            [f"{year}-01-01", f"{account:03}", name, str(1_000 + account)]
            for year in years for account, name in ACCOUNTS.items() if account != without
        )], delimiter=",")  # fmt: skip


def mobility(years: Iterable[int], without: int = 0) -> bytes:
    """What each territory pays: its number in euros to public bodies, the year in cents to private ones."""
    return written(
        [["year", "region_code", "region", "paid_to_public_eur", "paid_to_private_eur"], *(
            [str(year), f"{account:03}", name, f"{account}.00", f"{year / 100:.2f}"]
            for year in years for account, name in ACCOUNTS.items() if account != without
        )], delimiter=",")  # fmt: skip
