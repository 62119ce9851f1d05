"""README.md and docs/ say what is there: links lead somewhere, limits are those of the code. Needs no server."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "clients/python/README.md", *sorted((ROOT / "docs").glob("*.md"))]
LINK = re.compile(r"\[([^\]]*)\]\(([^)\s]+)\)")
README_LINES_MAX = 170


def prose(page: Path) -> str:
    """A page without its code blocks."""
    return re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    found: dict[str, int] = {}
    for heading in re.findall(r"^#+ (.+)$", prose(page), re.MULTILINE):
        text = re.sub(r"[^\w\- ]", "", LINK.sub(r"\1", heading).lower()).replace(" ", "-")
        found[text] = found.get(text, -1) + 1
    return {text if number == 0 else f"{text}-{number}" for text, last in found.items() for number in range(last + 1)}


def test_there_are_pages():
    assert len(PAGES) > 10


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_every_link_leads_somewhere(page):
    broken = []
    for _, target in LINK.findall(prose(page)):
        if re.match(r"https?://", target):
            continue
        path, _, anchor = target.partition("#")
        file = (page.parent / path).resolve() if path else page
        if not file.exists() or not file.is_relative_to(ROOT):
            broken.append(target)
        elif anchor and (file.suffix != ".md" or anchor not in anchors(file)):
            broken.append(target)
    assert not broken


def test_every_page_is_reached_from_the_readme():
    reached, ahead = set(), [ROOT / "README.md"]
    while ahead:
        page = ahead.pop()
        reached.add(page)
        for _, target in LINK.findall(prose(page)):
            file = (page.parent / target.partition("#")[0]).resolve()
            if file.suffix == ".md" and file.exists() and file not in reached:
                ahead.append(file)
    assert [page for page in PAGES if page not in reached] == []


def test_the_readme_stays_a_front_door():
    assert len((ROOT / "README.md").read_text().splitlines()) <= README_LINES_MAX


def limits() -> list[tuple[str, str, str, Path]]:
    """What, how many, and the constants of the code, of every row of docs/limits.md."""
    page = ROOT / "docs/limits.md"
    rows = []
    for line in page.read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split(" | ")]
        if line.startswith("|") and len(cells) == 4 and "](" in cells[3]:
            for name, target in LINK.findall(cells[3]):
                rows.append((cells[0], cells[1], name, (page.parent / target).resolve()))
    return rows


def numbers(text: str) -> set[int]:
    """The numbers of a text; of those with a unit also what they are in the code's unit: metres, microseconds."""
    units = {"km": 1_000, "minutes": 60_000_000}
    found = {(int(number.replace(",", "")), unit) for number, unit in re.findall(r"(\d[\d,]*)(?: (\w+))?", text)}
    return {number * factor for number, unit in found for factor in (1, units.get(unit, 1))}


def test_limits_are_those_of_the_code():
    """Each constant is in the file that is named for it, and a plain number there is a number of the row."""
    wrong, compared = [], 0
    for what, how_many, name, file in limits():
        constant = name.split(".")[-1]
        code = file.read_text()
        if not re.search(rf"\b{constant}\b", code) and file.stem != constant:
            wrong.append(f"{what}: {name} is not in {file.name}")
            continue
        if value := re.search(rf"\b(?:let|var) {constant}\b[^=\n]*= ([\d_]+)(?:\.0)?$", code, re.MULTILINE):
            compared += 1
            if int(value[1].replace("_", "")) not in numbers(how_many):
                wrong.append(f"{what}: {how_many}, and {name} is {value[1]}")
    assert not wrong
    assert compared > 40


def test_every_variable_of_the_environment_is_documented():
    documented = (ROOT / "docs/configuration.md").read_text()
    named = {
        name
        for file in (ROOT / "Sources/trackme").glob("*.swift")
        for name in re.findall(r'"(TRACKME_[A-Z_]+)"', file.read_text())
    }
    assert len(named) > 20
    assert sorted(name for name in named if f"`{name}`" not in documented) == []
