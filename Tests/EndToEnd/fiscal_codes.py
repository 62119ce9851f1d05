"""Fiscal codes (codice fiscale) computed from scratch, as the decree of 23 December 1976 says: for tests, so that they
share nothing with the server's reading of them."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import date

_MONTHS = "ABCDEHLMPRST"
_VOWELS = "AEIOU"
# What each character counts in the odd places (the first is odd); in the even ones it counts its own rank.
_ODD = dict(zip(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10,
     22, 25, 24, 23],
))  # fmt: skip
_CONSONANTS = "BCDFGHLMNPQRSTVZ"


@dataclass(frozen=True)
class Identity:
    """Who somebody is, as the registration form asks for it."""

    given_names: str
    family_name: str
    born: date
    is_female: bool
    fiscal_code: str


def fiscal_code(family_name: str, given_names: str, born: date, is_female: bool, place: str) -> str:
    """The code of somebody who was born in the municipality with that Belfiore code."""
    day = born.day + (40 if is_female else 0)
    head = f"{_family(family_name)}{_given(given_names)}{born.year % 100:02}{_MONTHS[born.month - 1]}{day:02}{place}"
    return head + check_character(head)


def check_character(head: str) -> str:
    """The sixteenth character, from the first fifteen."""
    total = sum(_ODD[c] if i % 2 == 0 else _rank(c) for i, c in enumerate(head))
    return chr(ord("A") + total % 26)


def random_identity(rng: random.Random, born: date | None = None) -> Identity:
    """Somebody new: an adult, unless a date of birth is given."""
    family, given = _name(rng, 3), _name(rng, rng.choice([2, 3, 4]))
    born = born or date(rng.randrange(1945, 2000), rng.randrange(1, 13), rng.randrange(1, 29))
    is_female = rng.random() < 0.5
    place = f"{rng.choice('ABCDEFGHIL')}{rng.randrange(1, 1000):03}"
    return Identity(given, family, born, is_female, fiscal_code(family, given, born, is_female, place))


def _rank(character: str) -> int:
    return int(character) if character.isdigit() else ord(character) - ord("A")


def _family(name: str) -> str:
    return _three(name, [c for c in name.upper() if c.isalpha() and c not in _VOWELS])


def _given(names: str) -> str:
    consonants = [c for c in names.upper() if c.isalpha() and c not in _VOWELS]
    return _three(names, consonants if len(consonants) < 4 else [consonants[0], *consonants[2:]])


def _three(name: str, consonants: list[str]) -> str:
    return ("".join(consonants) + "".join(c for c in name.upper() if c in _VOWELS) + "XXX")[:3]


def _name(rng: random.Random, syllables: int) -> str:
    return "".join(rng.choice(_CONSONANTS) + rng.choice(_VOWELS) for _ in range(syllables)).capitalize()
