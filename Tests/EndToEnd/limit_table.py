"""The rows of docs/limits.md, and the numbers that the server's sources name. For test_limit_table.py."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/limits.md"
SOURCES = ROOT / "Sources"


class Quantity(NamedTuple):
    """How much of what: seconds of "time", bytes of "size", or a plain "number", metres among them."""

    kind: str
    amount: float


UNITS = {
    "bytes": ("size", 1), "KiB": ("size", 1 << 10), "MiB": ("size", 1 << 20),
    "ms": ("time", 0.001), "s": ("time", 1), "seconds": ("time", 1),
    "minute": ("time", 60), "minutes": ("time", 60), "hour": ("time", 3_600), "hours": ("time", 3_600),
    "days": ("time", 86_400), "m": ("number", 1), "km": ("number", 1_000),
}  # fmt: skip


# MARK: the page


@dataclass
class Row:
    """A limit of the page."""

    what: str
    how_many: str
    places: list[tuple[str, Path]]
    """Names of constants, or pieces of code in backticks, each with the file in which it stands."""

    def __str__(self) -> str:
        return f"{self.what}: {self.how_many}"


def rows(text: str) -> list[Row]:
    """The rows of a page: they end in a cell that leads to the sources."""
    found = []
    for line in text.splitlines():
        if line.startswith("|") and "](../Sources/" in line:
            cells = [cell.strip() for cell in line.strip("|").split(" | ")]
            assert len(cells) == 4, f"what | how many | at the limit | where: {line}"
            assert all(cells), f"an empty cell: {line}"
            links = re.findall(r"\[([^\]]*)\]\(([^)\s]+)\)", cells[3])
            found.append(Row(cells[0], cells[1], [(name, (PAGE.parent / file).resolve()) for name, file in links]))
    return found


def quantities(text: str) -> set[Quantity]:
    """What people read: "1 MiB", "10 minutes", "50 km", "1,000"; "4 MiB + 64 KiB" is one, "per hour" is an hour."""
    number = r"(?<![\w,.:/`-])(\d[\d,]*(?:\.\d+)?)(?: ([A-Za-z]+)\b)?"
    found = {Quantity(*UNITS[unit]) for unit in re.findall(r"\bper (minute|hour)\b", text)}
    for match in re.finditer(rf"{number}(?: \+ {number})*", text):
        terms = [
            (float(digits.replace(",", "")), *UNITS.get(unit, ("number", 1)))
            for digits, unit in re.findall(number, match[0])
        ]
        found.add(Quantity(terms[0][1], sum(amount * factor for amount, _, factor in terms)))
    return found


def code_quantities(code: str) -> set[Quantity]:
    """What a piece of code says: numbers but 0 and 1, seconds, and shifts by 10 as KiB."""
    text = re.sub(r"(?<=\d)_(?=\d)", "", code).replace("...", " ")
    text = re.sub(r"\.seconds\((\d+)\)", r" \1 s", text)
    text = re.sub(r"(\d+) << 10", r"\1 KiB", text)
    return quantities(re.sub(r"[()]", " ", text)) - {Quantity("number", 0), Quantity("number", 1)}


# MARK: the sources


@dataclass
class Constant:
    """A number that the sources name, or both ends of a range, without 0."""

    file: Path
    line: int
    name: str
    values: list[Quantity]
    code: str

    @property
    def key(self) -> str:
        return f"{self.file.stem}.{self.name}"

    @property
    def words(self) -> set[str]:
        return {word.lower() for word in re.findall(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])", self.name)}

    def __str__(self) -> str:
        return f"{self.file.name}:{self.line}: {self.code}"


# `static let`, with or without a modifier; other members and globals; defaults of parameters. No locals.
MEMBER = re.compile(
    r"^ *(?:(?:(?:public|private|fileprivate|package|internal) )+(?:static )?|static |(?<! {3}))(?:let|var) (\w+)"
    r"(?:: ([\w.<>]+))? = (.+)$",
    re.MULTILINE,
)
PARAMETER = re.compile(r"(?<!let )(?<!var )\b(\w+): (U?Int\d*|Double|Duration|Microseconds) = ([^,()\n]+(?:\([^()\n]*\))?)")
DURATION = re.compile(r"(?:Duration)?\.(seconds|milliseconds|microseconds)\((.+)\)")
SECONDS = {"seconds": 1, "milliseconds": 0.001, "microseconds": 0.000_001}


def constants(files: list[Path]) -> Iterator[Constant]:
    """The constants, and the defaults of members and parameters, that are numbers other than 0."""
    named = {file.stem: file for file in files}

    def amount(expression: str) -> float | None:
        """Of a sum of products of numbers, shifted numbers and constants of the type that a file is named after."""
        total = 0.0
        for term in expression.split(" + "):
            product = 1.0
            for factor in term.split(" * "):
                if number := re.fullmatch(r"([\d_]+(?:\.[\d_]+)?)(?: << (\d+))?", factor):
                    product *= float(number[1].replace("_", "")) * (1 << int(number[2] or 0))
                    continue
                reference = re.fullmatch(r"([A-Z]\w+)\.(\w+)", factor)
                file = named.get(reference[1]) if reference else None
                other = file and re.search(rf"\blet {reference[2]}\b[^=\n]*= (.+)$", file.read_text(), re.MULTILINE)
                value = amount(other[1]) if other else None
                if value is None:
                    return None
                product *= value
            total += product
        return total

    for file in files:
        code = file.read_text()
        for match in [*MEMBER.finditer(code), *PARAMETER.finditer(code)]:
            name, type_, value = match.groups()
            duration = DURATION.fullmatch(value)
            amounts = [amount(part) for part in (duration[2] if duration else value).split("...")]
            if None in amounts or not any(amounts):
                continue
            kind, unit = "number", 1.0
            if duration:
                kind, unit = "time", SECONDS[duration[1]]
            elif type_ == "Microseconds":
                kind, unit = "time", 0.000_001
            elif "Seconds" in name:
                kind = "time"
            elif "bytes" in name.lower():
                kind = "size"
            elif "MiB" in name:
                kind, unit = "size", 1 << 20
            line = code.count("\n", 0, match.start()) + 1
            values = [Quantity(kind, round(number * unit, 6)) for number in amounts if number]
            yield Constant(file, line, name, values, match[0].strip())
