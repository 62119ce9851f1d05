"""Where the tests' random choices come from: a new seed for each run, which is printed, so that it can be repeated."""

from __future__ import annotations

import os
import random
import secrets

_seed = int(os.environ.get("TRACKME_TEST_SEED") or secrets.randbits(32))


def seed() -> int:
    """That of this run."""
    return _seed


def use(seed: int) -> None:
    """Makes the choices of the run that had this seed."""
    global _seed
    _seed = seed


def rng(purpose: str) -> random.Random:
    """Random choices of this run for one purpose: what others draw changes nothing."""
    return random.Random(f"{_seed} {purpose}")
