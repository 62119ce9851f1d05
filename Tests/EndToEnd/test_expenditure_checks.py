"""What is compared before a release is shown (S-NFR10): what fails blocks, unless the administrator says why not."""

from __future__ import annotations

from decimal import Decimal

import grpc
import pytest

from trackme.protocol import releases

from expenditure_files import accounts, import_files, publish
from expenditure_site import FORM, REASON, Site, bodies, facts, national, regional, rows, written
from failures import fails


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
    with pytest.raises(grpc.RpcError) as caught:
        publish(site.administrator, draft)
    assert facts(caught.value, "CHECKS_FAILED") == {"national_sum": "1"}
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
    # Nor of a result of which the revenues or the costs are not there.
    counts, findings = checked(site, bodies({"AZ9999": ""}))
    assert counts[releases.CHECK_KIND_RESULT] == (0, 0) and not findings


@pytest.mark.parametrize(("first", "total"), [("CA0010", "CZ9999"), ("DA0010", "DZ9999"), ("EA0010", "EZ9999")])
def test_finance_adjustments_and_extraordinary_items_are_in_the_result(site, first, total):
    """Where the account has them: each changes it by what it changes."""
    adjusted = {"DA0010": ("D.1) Rivalutazioni", "3.00"), "DA0020": ("D.2) Svalutazioni", "1.00"),
                "DZ9999": ("Totale rettifiche (D)", "2.00")}  # fmt: skip
    form = FORM | adjusted | {"XA0000": (FORM["XA0000"][0], "87.50")}

    def result(**changes: str) -> list[tuple[str, int]]:
        lines = [[*rows(bodies())[1][:5], code, text, changes.get(code, amount)] for code, (text, amount) in form.items()]
        _, findings = checked(site, written([rows(bodies())[0], *lines]))
        return [(finding.voice, finding.found_cents - finding.expected_cents) for finding in findings]

    assert result() == []
    more = {code: str(Decimal(form[code][1]) + 1) for code in (first, total)}
    assert result(**more) == [("XA0000", -100)]


def test_accounts_of_whole_thousands_may_be_off_by_rounding(site):
    whole = {code: str(round(Decimal(amount)) * 1_000) for code, (_, amount) in FORM.items()}
    counts, findings = checked(site, bodies(whole | {"BA0390": "501000"}, year=2018))
    assert counts[releases.CHECK_KIND_PARTS][0] == 4 and not findings
    counts, findings = checked(site, bodies(whole | {"BA0390": "503000"}, year=2018))
    assert [finding.voice for finding in findings] == ["BZ9999"]


def test_a_region_is_what_its_body_999_says(site):
    files = accounts(2024)
    region = rows(next(content for name, content in files.items() if name.startswith("regional")))
    heading = [*region[0], "Codice Ente SSN", "Descrizione Ente"]
    table = [heading, *([*row, "999", "CONSOLIDATO SYNTHETIC"] for row in region[1:])]
    # Its hospitals and authorities have accounts of their own, which say nothing of it.
    table += [[*row[:5], "7.00", "201", "SYNTHETIC"] for row in region[1:3]]
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


def codes(draft: releases.Release, kind: int) -> list[tuple[str, str]]:
    return [(finding.territory, finding.voice) for finding in draft.findings if finding.kind == kind]


def made(draft: releases.Release) -> dict[int, tuple[int, int]]:
    return {count.kind: (count.made, count.failed) for count in draft.checks}


def test_a_correction_is_compared_with_what_is_published(own_site):
    """Of the regions alone: what Italy's account said before is no more their sum. Drafts are nothing to compare with,
    and years that do not change are not compared again."""
    site = own_site
    voices = {"BZ9999": FORM["BZ9999"]}
    both = {"r.csv": regional(2024, voices), "n.csv": national(2024, voices), "r0.csv": regional(2020, voices),
            "n0.csv": national(2020, voices)}  # fmt: skip
    publish(site.administrator, site.draft(both))
    left = site.draft({"left.csv": national(2024, voices, {"BZ9999": "1.00"})})
    assert made(left)[releases.CHECK_KIND_NATIONAL_SUM] == (1, 1)
    draft = site.draft({"corrected.csv": regional(2024, voices, {(10, "BZ9999"): "800.01"})})
    assert made(draft)[releases.CHECK_KIND_NATIONAL_SUM] == (1, 1)
    (finding,) = [finding for finding in draft.findings if finding.kind == releases.CHECK_KIND_NATIONAL_SUM]
    assert (finding.found_cents, finding.expected_cents) == (21 * 80_000, 21 * 80_000 + 1)
    assert (finding.source.file, finding.source.release) == ("n.csv", 1)


def test_a_draft_is_checked_again_when_another_release_was_published_since(own_site):
    """It was right beside what there was before, and is not beside what there is now."""
    site = own_site
    voices = {"BZ9999": FORM["BZ9999"]}
    first = site.draft({"n.csv": national(2024, voices)})
    second = site.draft({"r.csv": regional(2024, voices, {(10, "BZ9999"): "800.01"})})
    assert made(second)[releases.CHECK_KIND_NATIONAL_SUM] == (0, 0) and not second.findings
    publish(site.administrator, first)
    with fails(grpc.StatusCode.FAILED_PRECONDITION) as failure:
        publish(site.administrator, second)
    assert failure.reason == "CHECKS_FAILED"
    shown = next(release for release in site.drafts() if release.number == second.number)
    assert made(shown)[releases.CHECK_KIND_NATIONAL_SUM] == (1, 1) and shown.findings[0].blocks
    assert [file.name for file in shown.files] == ["r.csv"], "what it is made of is still told"


def test_of_many_findings_200_are_kept_those_that_block_first(site):
    voices = {f"ZB{number:04}": ("Voce SYNTHETIC", "10.00") for number in range(1_000, 1_210)}
    wrong = {code: "210.01" for code in voices}
    files = {"r.csv": regional(2016, voices) + b"2016;010;Piemonte;AA0001;Voce SYNTHETIC;5.00\r\n",
             "n.csv": national(2016, voices, wrong)}  # fmt: skip
    draft = site.draft(files, dry_run=True)
    assert made(draft)[releases.CHECK_KIND_NATIONAL_SUM] == (210, 210)
    assert made(draft)[releases.CHECK_KIND_UNKNOWN_VOICE][1] == 1
    assert len(draft.findings) == 200 and all(finding.blocks for finding in draft.findings)
    # Where there is room the code that nobody else has stands behind them.
    few = {code: amount for code, amount in wrong.items() if code < "ZB1005"}
    draft = site.draft(files | {"n.csv": national(2016, voices, few)}, dry_run=True)
    assert [finding.blocks for finding in draft.findings] == 5 * [True] + [False]
    assert codes(draft, releases.CHECK_KIND_UNKNOWN_VOICE) == [("010", "AA0001")]


def test_one_account_alone_has_no_unknown_codes(site):
    """There is no other that could have them."""
    draft = site.draft({"body.csv": bodies(year=2009)}, dry_run=True)
    assert made(draft)[releases.CHECK_KIND_UNKNOWN_VOICE] == (len(FORM), 0)


def test_a_large_change_is_more_than_a_quarter_and_more_than_a_million():
    """Of Italy and the regions, of whichever of the two years is brought in."""
    before = {
        "ZA0001": ("A quarter", "8000000.00"), "ZA0002": ("More", "8000000.00"), "ZA0003": ("A million", "2000000.00"),
        "ZA0004": ("Less by more", "8000000.00"), "ZA0005": ("Above zero", "-8000000.00"),
    }  # fmt: skip
    after = {
        "ZA0001": "10000000.00", "ZA0002": "10000000.01", "ZA0003": "3000000.00", "ZA0004": "5999999.99",
        "ZA0005": "8000000.00",
    }  # fmt: skip
    now = {code: (text, after[code]) for code, (text, _) in before.items()}
    jumps = [("020", "ZA0002"), ("020", "ZA0004"), ("020", "ZA0005")]
    others = {(account, code): amount for code, (_, amount) in before.items() for account in range(10, 201) if account != 20}
    files = {2022: regional(2022, before), 2023: regional(2023, now, others)}
    for first, second in ((2022, 2023), (2023, 2022)):
        with Site() as fresh:
            publish(fresh.administrator, fresh.draft({"first.csv": files[first]}))
            draft = fresh.draft({"second.csv": files[second]})
            assert codes(draft, releases.CHECK_KIND_JUMP) == jumps
            assert made(draft)[releases.CHECK_KIND_JUMP] == (21 * 5, 3)
            assert publish(fresh.administrator, draft).override_reason == "", "it is listed, and does not block"
