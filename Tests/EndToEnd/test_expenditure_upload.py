"""An import over the wire and by command: its pieces, how much there may be of it, and what is left of it."""

from __future__ import annotations

import itertools
import os
import threading
from pathlib import Path

import grpc
import pytest

from trackme.protocol import ExpenditureServiceStub, figures, releases

from expenditure_files import accounts, pieces
from expenditure_site import REASON, SHIPPED, Site, bodies, body_rows, map_values, national, regional
from failures import fails
from server_process import ROOT, wait_until

PIECE = 1_000_000
"""The most bytes of a piece."""
LOCK = 0x7472_6163_6B6D_6558
"""What an import and a publication hold in the database."""
Request = releases.ImportFiguresRequest


def send(site: Site, requests, timeout: float = 60) -> releases.Release:
    stub = ExpenditureServiceStub(site.administrator.channel)
    return stub.ImportFigures(iter(requests), metadata=site.metadata, timeout=timeout).release


def file_head(name: str = "a.csv") -> Request:
    return Request(file=releases.FileHead(name=name))


def test_pieces_come_in_their_turn(site):
    def refused(field: str, *pieces: Request):
        with fails(grpc.StatusCode.INVALID_ARGUMENT, field):
            send(site, pieces)

    head, file = Request(head=releases.ImportHead()), file_head()
    refused("head")
    refused("file", file)
    refused("chunk", Request(chunk=b"x"))
    refused("chunk", head, Request())
    refused("head", head, head)
    refused("file", head)
    refused("chunk", head, Request(chunk=b"x"))
    refused("chunk", head, file)
    refused("chunk", head, file, Request(chunk=b""))
    refused("chunk", head, file, Request(chunk=b"x" * (PIECE + 1)))
    refused("chunk", head, file, file)
    refused("head.note", Request(head=releases.ImportHead(note="x" * 1_001)))
    refused("file", head, *[piece for n in range(65) for piece in (file_head(f"{n}"), Request(chunk=b"x"))])


def test_names_and_sources_have_their_lengths(site):
    head, content = Request(head=releases.ImportHead()), Request(chunk=b"a;b\r\n1;2\r\n")
    good = {"name": "n" * 200, "licence": "l" * 100, "uri": "https://example.org/" + "u" * 480}

    def violations(file: str, **changes: str) -> set[str]:
        with fails(grpc.StatusCode.INVALID_ARGUMENT) as failure:
            send(site, [head, Request(file=releases.FileHead(name=file, source=figures.Source(**good | changes))), content])
        return failure.fields

    assert violations("f" * 200) == set(), "only the form is none"
    for file in ("", "f" * 201, "a\x07b"):
        assert violations(file) == {"file.name"}
    for field, bad in (("name", "n" * 201), ("licence", ""), ("licence", "l" * 101), ("uri", good["uri"] + "u"),
                       ("uri", "javascript:alert(1)"), ("uri", "//example.org")):  # fmt: skip
        assert violations("f.csv", **{field: bad}) == {f"file.source.{field}"}, (field, bad)


@pytest.mark.long
def test_files_have_at_most_512_mib_together(site):
    """In pieces that are as long as they may be."""
    whole, rest = divmod(512 << 20, PIECE)

    def sent():
        yield Request(head=releases.ImportHead())
        for name, count in (("a.csv", whole // 2), ("b.csv", whole - whole // 2)):
            yield file_head(name)
            yield from itertools.repeat(Request(chunk=b"x" * PIECE), count)
        yield from (Request(chunk=b"x" * rest), Request(chunk=b"x"))

    with fails(grpc.StatusCode.RESOURCE_EXHAUSTED) as failure:
        send(site, sent(), timeout=150)
    assert failure.reason == "IMPORT_TOO_LARGE"


def test_an_import_brings_at_most_5000_new_codes(site):
    def table(count: int) -> bytes:
        return body_rows((2001, "201", "SYNTHETIC", f"ZX{n:05}", "Voce SYNTHETIC", "1.00") for n in range(count))

    assert site.draft({"codes.csv": table(5_000)}, dry_run=True).files[0].rows == 5_000
    said, place = site.refusal({"codes.csv": table(5_001)})
    assert "at most 5000" in said and place == {"file": "codes.csv", "row": "5002"}


@pytest.mark.long
def test_an_import_brings_at_most_200000_names(site):
    """Each is kept in memory until all files are read."""
    heading = body_rows([]).decode()
    names = itertools.product((("010", "Piemonte"), ("020", "Valle d'Aosta")), range(1990, 2091), range(1000))
    table = heading + "".join(
        f"{year};{code};{region};{body:03};SYNTHETIC;ZX0001;Voce SYNTHETIC;1.00\r\n"
        for (code, region), year, body in itertools.islice(names, 200_001)
    )
    said, place = site.refusal({"names.csv": table.encode()})
    assert "is one name too many: at most 200000" in said and place == {"file": "names.csv", "row": "200002"}


def test_nothing_of_an_import_has_a_name_on_disk_and_nothing_stays_open(tmp_path):
    """Whoever gives up leaves nothing behind, neither a file nor a draft."""
    tmp_path.chmod(0o777)
    with Site(TMPDIR=str(tmp_path)) as site:
        descriptors = Path(f"/proc/{site.server.process.pid}/fd")

        def spooled() -> list[str]:
            links = []
            for path in descriptors.iterdir():
                try:
                    links.append(os.readlink(path))
                except FileNotFoundError:
                    pass
            return [link for link in links if "trackme-figures" in link]

        def nameless() -> int:
            """A file has a name until it has been opened."""
            return sum(link.endswith("(deleted)") for link in spooled())

        *begin, last = pieces(accounts(2024))
        goes_on = threading.Event()

        def slow():
            yield from begin
            goes_on.wait(60)
            yield last

        stub = ExpenditureServiceStub(site.administrator.channel)
        running = stub.ImportFigures.future(slow(), metadata=site.metadata, timeout=120)
        try:
            wait_until(lambda: nameless() == 2, what="both files are coming in, and have no names")
            assert all(link.startswith(str(tmp_path)) for link in spooled())
            assert not list(tmp_path.iterdir())
            with fails(grpc.StatusCode.RESOURCE_EXHAUSTED) as failure:
                site.draft(accounts(2023))
            assert failure.reason == "IMPORT_RUNNING"
        finally:
            running.cancel()
            goes_on.set()
        wait_until(lambda: not spooled(), what="the files are closed")
        assert not site.drafts() and not list(tmp_path.iterdir())

        def taken() -> int:
            try:
                return site.draft(accounts(2023)).number
            except grpc.RpcError as error:
                assert error.code() == grpc.StatusCode.RESOURCE_EXHAUSTED
                return 0

        assert wait_until(taken, what="another import is taken")
        assert len(site.drafts()) == 1


def test_imports_and_publications_of_all_processes_come_one_after_the_other(own_site, tmp_path):
    """Their numbers are in the order of their ends: what is published never changes by another that ends later."""
    site = own_site
    draft = site.draft(accounts(2023))
    path = tmp_path / "body.csv"
    path.write_bytes(bodies())
    with site.server.connect() as other:
        other.execute("SELECT pg_advisory_lock(%s)", [LOCK])
        for attempt in (
            lambda: site.draft(accounts(2022)),
            lambda: site.ask("PublishRelease", number=draft.number, etag=draft.etag),
        ):
            with fails(grpc.StatusCode.RESOURCE_EXHAUSTED) as failure:
                attempt()
            assert failure.reason == "IMPORT_RUNNING"
        for arguments in (["import", path], ["publish", str(draft.number)]):
            done = site.command(*arguments)
            assert done.returncode != 0 and "another import is running" in done.stderr
    assert site.command("publish", str(draft.number)).returncode == 0


def test_the_two_commands_bring_figures_in(own_site):
    site = own_site
    files = sorted(SHIPPED.glob("*.csv"))
    done = site.command("import", *files, "--dry-run")
    assert done.returncode == 0 and "nothing was kept" in done.stdout, done.stderr
    assert not site.drafts()
    done = site.command("import", *files, "--note", "2024")
    assert done.returncode == 0 and "draft " in done.stdout, done.stderr
    # How far it is, on standard error.
    assert f"reading {files[0].name}, 1 of {len(files)}\n" in done.stderr and "checking the figures\n" in done.stderr
    number = done.stdout.rsplit("draft ", 1)[1].strip()
    assert [release.note for release in site.drafts()] == ["2024"]
    done = site.command("import", *files)
    assert done.returncode == 0 and "nothing changed" in done.stdout
    done = site.command("publish", number)
    assert done.returncode == 0 and "is published" in done.stdout, done.stderr
    assert map_values(site, "BZ9999")[2024]["IT"][0] == 14_919_584_274_769
    assert site.command("publish", number).returncode != 0
    assert site.command("publish", "1000").returncode != 0


def test_a_command_that_is_refused_says_why_and_keeps_nothing(own_site, tmp_path):
    site = own_site
    folder = tmp_path / "folder"
    folder.mkdir()
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    good, bad, long = tmp_path / "good.csv", tmp_path / "bad.csv", tmp_path / ("x" * 201)
    good.write_bytes(bodies())
    bad.write_bytes(bodies({"BA0390": "1.234"}, body="202"))
    long.write_bytes(bodies())
    for arguments, said in (
        ([good, bad], 'bad.csv, row 6, column "Importo Totale": '), ([ROOT / "README.md"], "README.md"),
        (["/nothing.csv"], "nothing.csv: cannot be read: No such file"), ([folder], "folder: is no regular file"),
        ([good, pipe], "pipe: is no regular file"), ([good, "--note", "x" * 1_001], "--note must be 0 to 1000 characters"),
        ([long], "the name of"), ([good] * 65, "at most 64 files"), ([], "file"),
    ):  # fmt: skip
        done = site.command("import", *arguments)
        assert done.returncode != 0 and said in done.stderr, (arguments, done.stderr)
    assert not site.drafts()


def test_the_reason_of_a_command_is_what_visitors_see(own_site, tmp_path):
    site = own_site
    voices = {"BZ9999": ("Totale costi della produzione (B)", "1.00")}
    for name, content in (("r.csv", regional(2024, voices)), ("n.csv", national(2024, voices, {"BZ9999": "21.01"}))):
        (tmp_path / name).write_bytes(content)
    done = site.command("import", tmp_path / "r.csv", tmp_path / "n.csv")
    assert "national account against the sum of regions: 1 of 1" in done.stdout
    assert "2024 IT BZ9999 is 21.01, expected 21.00 (n.csv, row 2)" in done.stdout
    done = site.command("publish", "1")
    assert done.returncode != 0 and "national account against the sum of regions 1 of 1" in done.stderr
    done = site.command("publish", "1", "--reason", "short")
    assert done.returncode != 0 and "--reason must be 20 to 1000 characters" in done.stderr
    assert site.command("publish", "1", "--reason", REASON).returncode == 0
    assert site.ask("GetMap").origin.override_reason == REASON
