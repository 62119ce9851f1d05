"""Accounts in whole euros, or in whole thousands, need not add up to the cent (S-NFR10)."""

from __future__ import annotations

import pytest

from expenditure_files import import_files
from expenditure_site import Site, body_rows
from trackme.protocol import releases

@pytest.fixture(scope="module")
def administrator():
    with Site() as made:
        yield made.administrator


def account(first: str, second: str, total: str) -> bytes:
    """SYNTHETIC: a body whose staff is of two kinds."""
    voices = {"B.5) Personale": total, "B.5.A) Dirigenza": first, "B.5.B) Comparto": second}
    return body_rows(
        (2024, "203", "SYNTHETIC", f"T{number:04}", voice, amount)
        for number, (voice, amount) in enumerate(voices.items())
    )


@pytest.mark.parametrize(
    ("parts", "total", "failures"),
    [
        # To the cent.
        (("1000000.50", "2000000.00"), "3000000.50", 0), (("1000000.50", "2000000.00"), "3000000.51", 1),
        # A euro for each of the two parts.
        (("1000001.00", "2000000.00"), "3000003.00", 0), (("1000001.00", "2000000.00"), "2999999.00", 0),
        (("1000001.00", "2000000.00"), "3000004.00", 1), (("1000001.00", "2000000.00"), "3000001.01", 1),
        # A thousand euros for each.
        (("1001000.00", "2000000.00"), "3003000.00", 0), (("1001000.00", "2000000.00"), "2999000.00", 0),
        (("1001000.00", "2000000.00"), "3004000.00", 1), (("1001000.00", "2000000.00"), "3001003.00", 1),
    ],
)  # fmt: skip
def test_a_total_may_be_off_by_one_unit_of_its_account_for_each_part(administrator, parts, total, failures):
    draft = import_files(administrator, {"body.csv": account(*parts, total)}, dry_run=True)
    checks = {check.kind: (check.made, check.failed) for check in draft.checks}
    assert checks[releases.CHECK_KIND_PARTS] == (1, failures)
    assert [finding.kind for finding in draft.findings if finding.blocks] == [releases.CHECK_KIND_PARTS] * failures
