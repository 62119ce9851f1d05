"""Asks about a group, and draws the answer: the mean of each day or week, with bars as long as its error.

    python clients/python/samples/group_chart.py --token … --from 2026-11-01 --to 2026-11-30 > pulse.svg
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys

import grpc

from trackme import GroupAnswer, TrackMeClient
from trackme.groups import question

WIDTH, HEIGHT, MARGIN = 800, 400, 60
ERRORS = 1.96
"""Bars reach as far to both sides as 95 of 100 means are from the truth."""


def draw(answer: GroupAnswer, metric: str) -> str:
    """The means of an answer as SVG; a bucket that is withheld is left out."""
    table = answer.buckets()
    rows = [
        (day, mean, ERRORS * error)
        for day, mean, error in zip(table["from_date"], table["mean"], table["mean_error"])
        if mean is not None
    ]
    low, high = min(m - e for _, m, e in rows), max(m + e for _, m, e in rows)
    step = (WIDTH - 2 * MARGIN) / len(rows)

    def y(value: float) -> float:
        return HEIGHT - MARGIN - (value - low) / ((high - low) or 1) * (HEIGHT - 2 * MARGIN)

    shapes = [f'<text x="{MARGIN}" y="{MARGIN / 2}">{metric}: mean ± {ERRORS} standard deviations of the noise</text>']
    shapes += [f'<text x="4" y="{y(v):.1f}">{v:.1f}</text>' for v in (low, high)]
    for number, (day, mean, error) in enumerate(rows):
        x = MARGIN + (number + 0.5) * step
        shapes.append(f'<line class="error" x1="{x:.1f}" x2="{x:.1f}" y1="{y(mean - error):.1f}" y2="{y(mean + error):.1f}"/>')
        shapes.append(f'<circle cx="{x:.1f}" cy="{y(mean):.1f}" r="3"><title>{day}: {mean:.1f} ± {error:.1f}</title></circle>')
        if number % max(1, len(rows) // 8) == 0:
            shapes.append(f'<text x="{x - step / 2:.1f}" y="{HEIGHT - MARGIN / 2}">{day}</text>')
    style = "<style>text { font: 12px sans-serif } line { stroke: #888; stroke-width: 2 }</style>"
    return "\n".join(
        [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">', style, *shapes, "</svg>"]
    )


async def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--server", default=os.environ.get("TRACKME_SERVER", "localhost:50051"))
    parser.add_argument("--token", default=os.environ.get("TRACKME_TOKEN", ""), help="of a third party; TRACKME_TOKEN")
    parser.add_argument("--metric", default="heart_rate")
    parser.add_argument("--from", dest="first", required=True, help="the first day: 2026-11-01")
    parser.add_argument("--to", dest="last", required=True, help="the last day")
    parser.add_argument("--buckets", choices=("day", "week", "month"), default="day")
    parser.add_argument("--precision", choices=("low", "medium", "high"), default="medium")
    given = parser.parse_args()
    asked = question(
        [given.metric], given.first, given.last, buckets=given.buckets, precision=given.precision
    )
    async with TrackMeClient(given.server, given.token) as client:
        try:
            told = await client.ask_group(asked, dry_run=True)
            print(f"costs ρ = {told.response.cost.rho:.4f}, and {told.response.budget.left.rho:.4f} is left", file=sys.stderr)
            answer = await client.ask_group(asked)
        except grpc.aio.AioRpcError as error:
            print(error.details(), file=sys.stderr)
            return 1
    print(draw(answer, given.metric))
    return 0


if __name__ == "__main__":
    raise SystemExit(asyncio.run(main()))
