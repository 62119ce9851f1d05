"""Numbers that areas choose for themselves, and that two must not share. Needs no server."""

import re
from collections import Counter
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "Sources"


def test_what_one_area_seals_is_none_of_another():
    """A cursor, a page token or a nonce of one kind is refused as any other, because each kind has a number of its own."""
    kinds = [
        (int(number), f"{path.relative_to(SOURCES)}: {name}")
        for path in SOURCES.rglob("*.swift")
        for name, number in re.findall(r"static let (\w+) = (?:Seal\.)?Kind\((\d+)\)", path.read_text())
    ]
    assert len(kinds) >= 6
    shared = [number for number, count in Counter(number for number, _ in kinds).items() if count > 1]
    assert not shared, [kind for kind in kinds if kind[0] in shared]
    made = sum(len(re.findall(r"(?<![.\w])(?:Seal\.)?Kind\(\d", path.read_text())) for path in SOURCES.rglob("*.swift"))
    assert made == len(kinds), "every kind is a static constant"


def test_what_is_paid_for_in_one_area_is_paid_for_in_no_other():
    """B-2.2.5: a payment names what it is for by the number of a PaymentSubject."""
    kinds = [
        (int(number), str(path.relative_to(SOURCES)))
        for path in SOURCES.rglob("*.swift")
        for number in re.findall(r"PaymentSubject\(\s*kind: (\d+)", path.read_text())
    ]
    shared = [number for number, count in Counter(number for number, _ in kinds).items() if count > 1]
    assert len(kinds) >= 2 and not shared, kinds
    made = sum(len(re.findall(r"PaymentSubject\(", path.read_text())) for path in SOURCES.rglob("*.swift"))
    assert made == len(kinds), "every kind is a number where it is made"
