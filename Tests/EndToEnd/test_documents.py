"""README.md and docs/ say what is there: links lead somewhere, settings are documented. Needs no server."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
CLIENTS = [ROOT / "clients/python/README.md", ROOT / "clients/web/README.md"]
PAGES = [ROOT / "README.md", *CLIENTS, *sorted((ROOT / "docs").glob("*.md"))]
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


def test_every_variable_of_the_environment_is_documented():
    documented = (ROOT / "docs/configuration.md").read_text()
    named = {
        name
        for folder in ("trackme", "Kernel/AreaKit", "Areas")
        for file in (ROOT / "Sources" / folder).rglob("*.swift")
        for name in re.findall(r'"(TRACKME_[A-Z_]+)"', file.read_text())
    }
    assert len(named) > 20
    assert sorted(name for name in named if f"`{name}`" not in documented) == []
