"""Figures come in whole or not at all, to the cent, and are checked before anybody sees them (S-NFR10)."""

from __future__ import annotations

import csv
import io
import random
import subprocess
import time
from collections import defaultdict
from decimal import Decimal

import grpc
import openpyxl
import pytest

from trackme.protocol import ExpenditureServiceStub, figures, releases

from accounts import Accounts
from expenditure_files import accounts, import_files, pieces, publish, shipped
from failures import fails
from server_process import ROOT, ServerProcess, binary

SHIPPED = ROOT / "Sources" / "Areas" / "Expenditure" / "Figures"
REGIONAL = "conto_economico_regionale_2024.FIVE-VOICES.csv"
NATIONAL = "conto_economico_nazionale_2024.FIVE-VOICES.csv"
BODIES = "conto_economico_enti_2024.FIVE-VOICES.csv"
REASON = "The bodies are taken from another release of the publisher."


class Site:
    """A server with an administrator."""

    def __init__(self):
        self.server = ServerProcess({"TRACKME_HEARTBEAT_MS": "200"}).start()
        self.accounts = Accounts(self.server)
        self.administrator = self.accounts.administrator

    def ask(self, rpc: str, **fields):
        return self.administrator.ask(rpc, **fields)

    def drafts(self) -> list[releases.Release]:
        return list(self.ask("ListReleases", page_size=50).releases)

    def command(self, *arguments) -> subprocess.CompletedProcess:
        command = [binary(), "expenditure", *arguments, "--data-dir", self.server.data_dir / "data"]
        return subprocess.run(command, capture_output=True, text=True, env=self.server.environment, timeout=120)

    def close(self):
        self.server.remove()


@pytest.fixture(scope="module")
def site():
    made = Site()
    yield made
    made.close()


@pytest.fixture
def own_site():
    made = Site()
    yield made
    made.close()


def rows(content: bytes) -> list[list[str]]:
    return list(csv.reader(io.StringIO(content.decode()), delimiter=";"))


def written(table: list[list[str]], delimiter=";", encoding="utf-8", ending="\r\n") -> bytes:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator=ending).writerows(table)
    return text.getvalue().encode(encoding)


def workbook(table: list[list[str]], numbers: bool) -> bytes:
    book = openpyxl.Workbook()
    amount = table[0].index("Importo Totale")
    for number, row in enumerate(table):
        cells = list(row)
        if numbers and number:
            cells[amount], cells[0] = float(row[amount]), int(row[0])
        book.active.append(cells)
    content = io.BytesIO()
    book.save(content)
    return content.getvalue()


def other_year(content: bytes, year: int) -> bytes:
    """SYNTHETIC: the same amounts under another year, so that the file is a new one."""
    table = rows(content)
    return written([table[0]] + [[str(year), *row[1:]] for row in table[1:]])


def map_values(site, voice: str, release: int = 0) -> dict[int, dict[str, tuple[int, int]]]:
    """Cents and rows, by year and territory."""
    answer = site.ask("GetMap", view=figures.View(voice=voice, release=release, measure=figures.MEASURE_EUROS))
    return {
        year.year: {value.territory: (value.value.number, value.value.source.row) for value in year.values}
        for year in answer.years
    }


def cents(text: str) -> int:
    return int(Decimal(text) * 100)


def test_the_real_accounts_to_the_cent_and_to_the_row(own_site):
    """S-NFR10: every number leads to the row that it came from; a region is what its account says."""
    site = own_site
    draft = import_files(site.administrator, shipped(), note="2024")
    assert draft.number and {file.form for file in draft.files} == {1, 2, 3, 4, 5}
    counts = {count.kind: (count.made, count.failed) for count in draft.checks}
    assert counts[releases.CHECK_KIND_NATIONAL_SUM] == (5, 0)
    assert not [finding for finding in draft.findings if finding.blocks]
    with fails(grpc.StatusCode.FAILED_PRECONDITION):
        site.ask("GetMap")
    release = publish(site.administrator, draft)
    assert release.published_time.seconds and release.override_reason == "" and release.etag != draft.etag
    regional, national = rows(shipped()[REGIONAL]), rows(shipped()[NATIONAL])
    for voice in ("BA0390", "BA1350", "BA1750", "BA2080", "BZ9999"):
        want = {r[1]: (cents(r[6]), n) for n, r in enumerate(regional, 1) if r[3] == voice}
        want |= {"IT": (cents(r[4]), n) for n, r in enumerate(national, 1) if r[1] == voice}
        assert map_values(site, voice) == {2024: want}
    assert map_values(site, "BZ9999")[2024]["IT"][0] == 14_919_584_274_769


def test_bodies_are_never_added_up_to_a_region(own_site):
    """S-NFR10: the sum over bodies of 2024 is 176.4 bn where the account says 149.2."""
    site = own_site
    publish(site.administrator, import_files(site.administrator, shipped()))
    sums = defaultdict(int)
    for row in rows(shipped()[BODIES])[1:]:
        if row[7] == "BZ9999":
            sums[row[1]] += cents(row[10])
    assert round(sum(sums.values()) / 1e11, 1) == 176.4
    shown = map_values(site, "BZ9999")[2024]
    assert round(shown["IT"][0] / 1e11, 1) == 149.2
    assert round(100 * sums["030"] / shown["030"][0] - 100, 1) == 27.9
    for region, added in sums.items():
        assert shown[region][0] < added or region in ("041", "042", "140"), region  # what these buy is from others
        answer = site.ask("GetReport", view=figures.View(voice="BZ9999"), territory=region)
        assert answer.whole.value.number == shown[region][0]


def test_the_same_file_twice_changes_nothing(own_site):
    site = own_site
    first = import_files(site.administrator, accounts(2024))
    again = import_files(site.administrator, accounts(2024))
    assert first.number and again.number == 0 and len(again.files) == 2
    assert all(file.imported_before for file in again.files)
    assert [(f.sha256, f.rows, f.form) for f in again.files] == [(f.sha256, f.rows, f.form) for f in first.files]
    mixed = import_files(site.administrator, accounts(2024) | accounts(2023))
    assert sorted(file.imported_before for file in mixed.files) == [False, False, True, True]
    assert [release.number for release in site.drafts()] == [mixed.number, first.number]


def test_a_dry_run_says_the_same_and_keeps_nothing(own_site):
    site = own_site
    dry = import_files(site.administrator, shipped(), dry_run=True, note="dry")
    assert dry.number == 0 and dry.etag == "" and not site.drafts()
    draft = import_files(site.administrator, shipped(), note="dry")
    assert draft.number and dry.checks == draft.checks and len(dry.findings) == len(draft.findings)
    assert [f.sha256 for f in dry.files] == [f.sha256 for f in draft.files]


def forms(table: list[list[str]]) -> dict[str, bytes]:
    """The same account as it may be written."""
    heading, body = table[0], table[1:]
    chance = random.Random(15)
    order = chance.sample(range(len(heading)), len(heading))
    shuffled = chance.sample(body, len(body))
    amount = heading.index("Importo Totale")

    def with_amounts(change) -> list[list[str]]:
        return [heading] + [[change(c) if n == amount else c for n, c in enumerate(row)] for row in body]

    apart = with_amounts(lambda text: f"{Decimal(text):,.2f}")
    return {
        "columns": written([[row[n] for n in order] for row in table]),
        "rows": written([heading, *shuffled]),
        "more-columns": written([[*row, more] for row, more in zip(table, ["Oneri Finanziari"] + ["x"] * len(body))]),
        "capitals": written([[text.upper() for text in heading], *body]),
        "stage": written([["Tipo Rilevazione", *heading], *(["CONSUNTIVO", *row] for row in body)]),
        "bom": written(table, encoding="utf-8-sig", ending="\n"),
        "windows": written(table, encoding="cp1252"),
        "comma": written(with_amounts(lambda text: text.replace(".", ",")), delimiter=","),
        "italian": written(with_amounts(lambda text: text.replace(".", ","))),
        "thousands": written(apart),
        "italian-thousands": written(
            [apart[0], *([c.translate(str.maketrans(",.", ".,")) if n == amount else c for n, c in enumerate(row)]
                         for row in apart[1:])]),
        "quoted": "".join(";".join(f'"{cell}"' for cell in row) + "\r\n" for row in table).encode(),
        "text.xlsx": workbook(table, numbers=False),
        "numbers.xlsx": workbook(table, numbers=True),
    }  # fmt: skip


def test_any_order_encoding_ending_and_number_form_gives_the_same(own_site):
    """Each form under a year of its own, all of them published: every year shows the same amounts."""
    site = own_site
    table = rows((SHIPPED / REGIONAL).read_bytes())
    files = {}
    for number, name in enumerate(forms(table)):
        changed = [table[0]] + [[str(2001 + number), *row[1:]] for row in table[1:]]
        files[f"{name}.SYNTHETIC"] = forms(changed)[name]
    release = publish(site.administrator, import_files(site.administrator, files))
    assert all(file.rows == 105 for file in release.files)
    for voice in ("BA0390", "BZ9999"):
        want = {row[1]: cents(row[6]) for row in table[1:] if row[3] == voice}
        shown = map_values(site, voice)
        assert len(shown) == len(files)
        for year, values in shown.items():
            assert {t: v for t, (v, _) in values.items() if t != "IT"} == want, list(files)[year - 2001]


def bad_files() -> dict[str, tuple[bytes, str]]:
    """Files that are wrong, and what the error says."""
    content = (SHIPPED / REGIONAL).read_bytes()
    table = rows(content)

    def with_cell(row: int, column: int, text: str) -> bytes:
        changed = [list(cells) for cells in table]
        changed[row][column] = text
        return written(changed)

    return {
        "empty.csv": (b"", "empty"),
        "heading.csv": (written(table[:1]), "no rows"),
        "no-amount.csv": (written([row[:-1] for row in table]), '"Importo Totale"'),
        "no-region.csv": (written([[row[0], *row[2:]] for row in table]), '"Codice Regione"'),
        "other.csv": (b"a;b\r\n1;2\r\n", "form"),
        "twice.csv": (written([*table, table[7]]), 'row 107, column "Codice Voce Contabile": is there twice'),
        "doubled-heading.csv": (written([[*row, row[6]] for row in table]), 'column "Importo Totale"'),
        "istat-21.csv": (with_cell(18, 1, "021"), 'row 19, column "Codice Regione"'),
        "swapped.csv": (with_cell(18, 1, "042"), 'row 19, column "Descrizione Regione"'),
        "year.csv": (with_cell(3, 0, "20244"), 'row 4, column "Anno di Riferimento"'),
        "thousand.csv": (with_cell(5, 6, "1.234"), 'row 6, column "Importo Totale"'),
        "three-decimals.csv": (with_cell(5, 6, "12345.678"), 'row 6, column "Importo Totale"'),
        "huge.csv": (with_cell(5, 6, "9" * 30), 'row 6, column "Importo Totale"'),
        "nan.csv": (with_cell(5, 6, "NaN"), 'row 6, column "Importo Totale"'),
        "formula.csv": (with_cell(5, 6, "=1+1"), 'row 6, column "Importo Totale"'),
        "none.csv": (with_cell(5, 6, ""), 'row 6, column "Importo Totale": is empty'),
        "code.csv": (with_cell(5, 3, "BA'; DROP"), 'row 6, column "Codice Voce Contabile"'),
        "forecast.csv": (
            written([["Tipo Rilevazione", *table[0]], *(["PREVENTIVO", *row] for row in table[1:])]),
            'row 2, column "Tipo Rilevazione"'),
        "20-accounts.csv": (written([row for row in table if row[1] != "042"]), "042 P.A. Trento"),
        "unfinished.csv": (content.rstrip(), "end of line"),
        "zip.xlsx": (b"PK\x03\x04" + b"\x00" * 400, ""),
        "cut.xlsx": (workbook(table, numbers=True)[:-3000], ""),
        "noise.csv": (random.Random(1).randbytes(5_000), ""),
    }  # fmt: skip


@pytest.mark.parametrize("name", bad_files())
def test_a_bad_file_has_an_error_with_a_place_and_nothing_is_kept(site, name):
    content, said = bad_files()[name]
    good = {NATIONAL: (SHIPPED / NATIONAL).read_bytes()}
    before = [release.number for release in site.drafts()]
    if content:
        with fails(grpc.StatusCode.INVALID_ARGUMENT) as failure:
            import_files(site.administrator, {**good, name: content})
        assert failure.reason == "BAD_FILE" and name in failure.message and said in failure.message
    else:
        with fails(grpc.StatusCode.INVALID_ARGUMENT):
            import_files(site.administrator, {**good, name: content})
    assert [release.number for release in site.drafts()] == before
    assert import_files(site.administrator, good, dry_run=True).files[0].imported_before is False


def test_a_cut_file_is_never_half_a_release(site):
    """Cut anywhere: an error, or a draft that is blocked because it is not what Italy's account says."""
    whole, chance = other_year((SHIPPED / REGIONAL).read_bytes(), 2031), random.Random(3)
    national = other_year((SHIPPED / NATIONAL).read_bytes(), 2031)
    for length in [1, 10, 130, len(whole) - 2, *chance.sample(range(1, len(whole) - 1), 25)]:
        try:
            draft = import_files(
                site.administrator, {"whole.csv": national, "cut.csv": whole[:length]}, dry_run=True)  # fmt: skip
        except grpc.RpcError as error:
            assert error.code() == grpc.StatusCode.INVALID_ARGUMENT and "cut.csv" in error.details(), length
        else:
            assert [finding for finding in draft.findings if finding.blocks], length


def test_a_check_that_fails_blocks_until_somebody_gives_a_reason(own_site):
    site = own_site
    files = accounts(2024)
    name = next(name for name in files if name.startswith("national"))
    table = rows(files[name])
    table[1][-1] = str(Decimal(table[1][-1]) + Decimal("0.01"))
    draft = import_files(site.administrator, files | {name: written(table)})
    (finding,) = [finding for finding in draft.findings if finding.blocks]
    assert finding.kind == releases.CHECK_KIND_NATIONAL_SUM and finding.territory == "IT"
    assert finding.found_cents - finding.expected_cents == 1
    assert finding.source.file == name and finding.source.row == 2 and finding.source.release == draft.number
    with fails(grpc.StatusCode.FAILED_PRECONDITION) as failure:
        publish(site.administrator, draft)
    assert failure.reason == "CHECKS_FAILED" and "1 of 2" in failure.message
    with fails(grpc.StatusCode.INVALID_ARGUMENT, "override_reason"):
        publish(site.administrator, draft, "too short")
    stale = releases.Release(number=draft.number, etag="x")
    with fails(grpc.StatusCode.ABORTED) as failure:
        publish(site.administrator, stale, REASON)
    assert failure.reason == "STALE_ETAG"
    release = publish(site.administrator, draft, REASON)
    assert release.override_reason == REASON
    assert site.ask("GetMap").origin.override_reason == REASON
    with fails(grpc.StatusCode.FAILED_PRECONDITION) as failure:
        publish(site.administrator, release, REASON)
    assert failure.reason == "RELEASE_PUBLISHED"
    with fails(grpc.StatusCode.NOT_FOUND) as failure:
        publish(site.administrator, releases.Release(number=10_000, etag="x"))
    assert failure.reason == "NO_SUCH_RELEASE"


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


def bodies(changes: dict[str, str], body: str = "201", year: int = 2019) -> bytes:
    """SYNTHETIC: the account of one body."""
    heading = ["Anno di Riferimento", "Codice Regione", "Descrizione Regione", "Codice Ente SSN", "Descrizione Ente",
               "Codice Voce Contabile", "Descrizione Voce Contabile", "Importo Totale"]  # fmt: skip
    form = {code: (text, changes.get(code, amount)) for code, (text, amount) in FORM.items()}
    table = [[str(year), "010", "Piemonte", body, "SYNTHETIC", code, text, amount] for code, (text, amount) in form.items()]
    return written([heading, *(row for row in table if row[-1])])


def checked(site, content: bytes) -> tuple[dict[int, tuple[int, int]], list[releases.Finding]]:
    draft = import_files(site.administrator, {"bodies.SYNTHETIC.csv": content}, dry_run=True)
    return {c.kind: (c.made, c.failed) for c in draft.checks}, [f for f in draft.findings if f.blocks]


def test_parts_add_up_to_totals_and_to_the_result(site):
    counts, findings = checked(site, bodies({}))
    assert counts[releases.CHECK_KIND_PARTS] == (4, 0) and counts[releases.CHECK_KIND_RESULT] == (1, 0)
    counts, (finding,) = checked(site, bodies({"BA0390": "499.91"}))
    assert counts[releases.CHECK_KIND_PARTS] == (4, 1)
    assert (finding.voice, finding.territory) == ("BZ9999", "010201")
    assert (finding.expected_cents, finding.found_cents) == (80_001, 80_000)
    counts, (finding,) = checked(site, bodies({"XA0000": "85.49"}))
    assert counts[releases.CHECK_KIND_RESULT] == (1, 1) and finding.voice == "XA0000"
    # What is missing is no zero: of a total whose parts are not all there nothing is said.
    counts, findings = checked(site, bodies({"BA0390": ""}))
    assert counts[releases.CHECK_KIND_PARTS] == (3, 0) and not findings


def test_accounts_of_whole_thousands_may_be_off_by_rounding(site):
    whole = {code: str(round(Decimal(amount)) * 1_000) for code, (_, amount) in FORM.items()}
    counts, findings = checked(site, bodies(whole | {"BA0390": "501000"}, year=2018))
    assert counts[releases.CHECK_KIND_PARTS][0] == 4 and not findings
    counts, findings = checked(site, bodies(whole | {"BA0390": "503000"}, year=2018))
    assert [finding.voice for finding in findings] == ["BZ9999"]


def test_a_region_is_what_its_body_999_says(site):
    files = accounts(2024)
    regional = rows(next(content for name, content in files.items() if name.startswith("regional")))
    heading = [*regional[0], "Codice Ente SSN", "Descrizione Ente"]
    table = [heading, *([*row, "999", "CONSOLIDATO SYNTHETIC"] for row in regional[1:])]
    draft = import_files(site.administrator, files | {"bodies.csv": written(table)}, dry_run=True)
    counts = {c.kind: (c.made, c.failed) for c in draft.checks}
    assert counts[releases.CHECK_KIND_CONSOLIDATED] == (42, 0)
    table[5][5] = "1.00"
    draft = import_files(site.administrator, files | {"bodies.csv": written(table)}, dry_run=True)
    (finding,) = [finding for finding in draft.findings if finding.blocks]
    assert finding.kind == releases.CHECK_KIND_CONSOLIDATED and finding.expected_cents == 100


def test_jumps_and_unknown_codes_are_listed_and_do_not_block(own_site):
    site = own_site
    publish(site.administrator, import_files(site.administrator, accounts(2023)))
    files = accounts(2024, more=10_000_000_000)
    name = next(name for name in files if name.startswith("regional"))
    extra = b"2024;010;Piemonte;BA9998;Voce SYNTHETIC;5.00\r\n"
    draft = import_files(site.administrator, files | {name: files[name] + extra})
    kinds = {c.kind: c.failed for c in draft.checks}
    assert kinds[releases.CHECK_KIND_JUMP] > 0 and kinds[releases.CHECK_KIND_UNKNOWN_VOICE] == 1
    assert not any(finding.blocks for finding in draft.findings) and len(draft.findings) <= 200
    assert publish(site.administrator, draft).override_reason == ""


def test_addresses_that_name_an_old_release_still_show_it(own_site):
    site = own_site
    first = publish(site.administrator, import_files(site.administrator, accounts(2024)))
    before = map_values(site, "BZ9999", first.number)
    left = import_files(site.administrator, accounts(2022))
    correction = import_files(site.administrator, accounts(2024, more=5))
    second = publish(site.administrator, correction)
    assert map_values(site, "BZ9999", first.number) == before
    time.sleep(1.1)
    now = map_values(site, "BZ9999")
    assert now == map_values(site, "BZ9999", second.number) != before
    # The draft that was left could change what the second release shows: it is no more, and its files can come again.
    assert left.number not in {release.number for release in site.drafts()}
    again = import_files(site.administrator, accounts(2022))
    assert again.number > second.number and not again.files[0].imported_before
    publish(site.administrator, again)
    assert map_values(site, "BZ9999", second.number) == now


def test_drafts_are_for_administrators(own_site):
    site = own_site
    draft = import_files(site.administrator, accounts(2024))
    stub = ExpenditureServiceStub(site.administrator.channel)
    assert not stub.ListReleases(releases.ListReleasesRequest(), timeout=10).releases
    assert [release.number for release in site.drafts()] == [draft.number]
    for call, request in (
        (stub.PublishRelease, releases.PublishReleaseRequest(number=draft.number, etag=draft.etag)),
        (stub.ImportFigures, pieces(accounts(2023))),
    ):
        with fails(grpc.StatusCode.UNAUTHENTICATED):
            call(request, timeout=10)
    with fails(grpc.StatusCode.PERMISSION_DENIED):
        import_files(site.accounts.person(), accounts(2023))


def test_pieces_come_in_their_turn(site):
    def refused(field: str, *pieces: releases.ImportFiguresRequest):
        stub = ExpenditureServiceStub(site.administrator.channel)
        with fails(grpc.StatusCode.INVALID_ARGUMENT, field):
            stub.ImportFigures(
                iter(pieces), metadata=[("authorization", f"Bearer {site.administrator.token}")], timeout=20)  # fmt: skip

    request = releases.ImportFiguresRequest
    head, file = request(head=releases.ImportHead()), request(file=releases.FileHead(name="a.csv"))
    refused("head")
    refused("file", file)
    refused("chunk", request(chunk=b"x"))
    refused("chunk", head, request())
    refused("head", head, head)
    refused("file", head)
    refused("chunk", head, request(chunk=b"x"))
    refused("chunk", head, file)
    refused("chunk", head, file, request(chunk=b""))
    refused("chunk", head, file, file)
    refused("file.name", head, request(file=releases.FileHead(name="")))
    refused("file.source.licence", head, request(
        file=releases.FileHead(name="a", source=figures.Source(name="x", uri="javascript:x"))))  # fmt: skip
    refused("head.note", request(head=releases.ImportHead(note="x" * 1_001)))
    refused("file", head, *[piece for n in range(65) for piece in (
        request(file=releases.FileHead(name=f"{n}")), request(chunk=b"x"))])  # fmt: skip


def test_one_import_at_a_time_and_who_gives_up_leaves_nothing(own_site):
    site = own_site
    stub = ExpenditureServiceStub(site.administrator.channel)
    metadata = [("authorization", f"Bearer {site.administrator.token}")]

    def slow():
        yield from list(pieces(accounts(2024)))[:-1]
        time.sleep(3)

    running = stub.ImportFigures.future(slow(), metadata=metadata, timeout=30)
    time.sleep(1)
    with fails(grpc.StatusCode.RESOURCE_EXHAUSTED) as failure:
        import_files(site.administrator, accounts(2023))
    assert failure.reason == "IMPORT_RUNNING"
    running.cancel()
    until = time.monotonic() + 10
    while True:
        try:
            assert import_files(site.administrator, accounts(2023)).number
            break
        except grpc.RpcError:
            assert time.monotonic() < until
            time.sleep(0.2)
    assert len(site.drafts()) == 1


def test_the_two_commands_bring_figures_in(own_site):
    site = own_site
    files = sorted(SHIPPED.glob("*.csv"))
    done = site.command("import", *files, "--dry-run")
    assert done.returncode == 0 and "nothing was kept" in done.stdout, done.stderr
    done = site.command("import", *files, "--note", "2024")
    assert done.returncode == 0 and "draft " in done.stdout, done.stderr
    number = done.stdout.rsplit("draft ", 1)[1].strip()
    done = site.command("import", *files)
    assert done.returncode == 0 and "nothing changed" in done.stdout
    done = site.command("publish", number)
    assert done.returncode == 0 and "is published" in done.stdout, done.stderr
    assert map_values(site, "BZ9999")[2024]["IT"][0] == 14_919_584_274_769
    assert site.command("publish", number).returncode != 0
    assert site.command("import", ROOT / "README.md").returncode != 0
    assert site.command("import", "/nothing.csv").returncode != 0
