"""Salute Trasparente: the dictionary and the tutorial, which administrators edit in both languages (S-UC5, S-UC6, S-NFR1,
S-NFR7)."""

from __future__ import annotations

import grpc
import pytest

from trackme.protocol import texts

from failures import fails

VOICES = ["BA0390", "BA1350", "BA1750", "BA2080", "BZ9999"]
NOT_FOUND, INVALID = grpc.StatusCode.NOT_FOUND, grpc.StatusCode.INVALID_ARGUMENT


def test_the_dictionary_explains_every_code(visitor):
    """S-UC6, S-NFR7."""
    entries = visitor.ask("GetDictionary").entries
    assert [entry.code for entry in entries] == VOICES
    for entry in entries:
        assert entry.definition.italian and entry.definition.english and entry.descriptions and entry.etag
        assert list(entry.years) == [2024]


def definition(visitor, code: str) -> texts.DictionaryEntry:
    return next(entry for entry in visitor.ask("GetDictionary").entries if entry.code == code)


def test_administrators_edit_definitions(shipped_site, visitor):
    administrator = shipped_site.administrator
    before = definition(visitor, "BA0390")
    text = texts.Text(italian="Una riga\ne un'altra: però…", english="=1+1")
    etag = administrator.ask("UpdateDefinition", code="BA0390", text=text, etag=before.etag).etag
    now = definition(visitor, "BA0390")
    assert now.definition == text and now.etag == etag != before.etag
    with fails(grpc.StatusCode.ABORTED) as failure:
        administrator.ask("UpdateDefinition", code="BA0390", text=text, etag=before.etag)
    assert failure.reason == "STALE_ETAG"
    with fails(grpc.StatusCode.ABORTED):
        administrator.ask("UpdateDefinition", code="BA0390", text=text, etag="nonsense")
    etag = administrator.ask("UpdateDefinition", code="BA0390", text=texts.Text(), etag=etag).etag
    again = definition(visitor, "BA0390")
    assert again.definition == before.definition and again.etag == etag != before.etag


def test_the_tutorial_points_at_controls(shipped_site, visitor):
    """S-UC5, S-NFR1."""
    steps = visitor.ask("GetTutorial").steps
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    controls = {"map", "legend", "year", "measure", "list", "report", "menu", "download"}
    assert {step.control for step in steps} == controls
    assert all(step.text.italian and step.text.english for step in steps)
    text = texts.Text(italian="Ecco la mappa.", english="")
    shipped_site.administrator.ask("UpdateDefinition", step=1, text=text, etag=steps[0].etag)
    first = visitor.ask("GetTutorial").steps[0]
    assert first.text.italian == "Ecco la mappa." and first.text.english == steps[0].text.english
    shipped_site.administrator.ask("UpdateDefinition", step=1, text=texts.Text(), etag=first.etag)
    assert visitor.ask("GetTutorial").steps[0].text == steps[0].text


def test_bad_texts_name_their_field(shipped_site, visitor):
    administrator = shipped_site.administrator
    for fields, field in (
        ({"etag": "0"}, "code"), ({"code": "", "etag": "0"}, "code"), ({"code": "step 1", "etag": "0"}, "code"),
        ({"step": 0, "etag": "0"}, "step"), ({"step": 9, "etag": "0"}, "step"), ({"step": 1}, "etag"),
        ({"code": "BA0390", "etag": "0", "text": texts.Text(italian="a" * 4_001)}, "text.italian"),
        ({"code": "BA0390", "etag": "0", "text": texts.Text(english="\x07")}, "text.english"),
        ({"code": "BA0390", "etag": "0", "text": texts.Text(english=" \n ")}, "text.english"),
    ):  # fmt: skip
        with fails(INVALID, field):
            administrator.ask("UpdateDefinition", **fields)
    with fails(NOT_FOUND) as failure:
        administrator.ask("UpdateDefinition", code="ZZ0001", etag="0", text=texts.Text(italian="a"))
    assert failure.reason == "NO_SUCH_VOICE"
    for who in (visitor, shipped_site.accounts.person()):
        with pytest.raises(grpc.RpcError) as caught:
            who.ask("UpdateDefinition", code="BA0390", etag="0", text=texts.Text(italian="a"))
        assert caught.value.code() in (grpc.StatusCode.UNAUTHENTICATED, grpc.StatusCode.PERMISSION_DENIED)


@pytest.mark.parametrize("written", ["italian", "english"])
def test_a_language_that_nobody_has_written_has_what_ships(shipped_site, visitor, written):
    """S-NFR7: a definition in one language takes nothing from the other."""
    before = definition(visitor, "BA2080")
    etag = shipped_site.ask("UpdateDefinition", code="BA2080", text=texts.Text(**{written: "Other."}), etag=before.etag).etag
    now, other = definition(visitor, "BA2080").definition, "english" if written == "italian" else "italian"
    assert getattr(now, written) == "Other." and getattr(now, other) == getattr(before.definition, other)
    shipped_site.ask("UpdateDefinition", code="BA2080", text=texts.Text(), etag=etag)
    assert definition(visitor, "BA2080").definition == before.definition


def test_texts_have_4000_characters(shipped_site, visitor):
    long = texts.Text(italian="è" * 4_000, english="e\n" * 2_000)
    before = definition(visitor, "BA1350")
    etag = shipped_site.ask("UpdateDefinition", code="BA1350", text=long, etag=before.etag).etag
    assert definition(visitor, "BA1350").definition == long
    for field in ("italian", "english"):
        with fails(INVALID, f"text.{field}"):
            shipped_site.ask("UpdateDefinition", code="BA1350", text=texts.Text(**{field: "x" * 4_001}), etag=etag)
    shipped_site.ask("UpdateDefinition", code="BA1350", text=texts.Text(), etag=etag)
