"""Figures for summaries."""

from __future__ import annotations

import math
from collections.abc import Iterable


def percentiles_ms(seconds: Iterable[float]) -> dict[str, float | int | None]:
    """Count, p50, p99 and maximum of durations in milliseconds, by nearest rank; None where there are none."""
    ordered = sorted(seconds)

    def rank(share: float) -> float | None:
        return round(ordered[max(0, math.ceil(share * len(ordered)) - 1)] * 1e3, 3) if ordered else None

    return {"count": len(ordered), "p50": rank(0.5), "p99": rank(0.99), "max": rank(1.0)}
