"""Part of the demo: what the regions of Italy spend on health, by the official accounts that ship with the product."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import grpc
from consent import tell

from trackme.protocol import ExpenditureServiceStub, figures

PATIENCE_S = 60.0
FIGURES = Path(__file__).parents[3] / "Sources" / "Areas" / "Expenditure" / "Figures"
TERRITORIES = 21
SHOWN = 5
YEAR = 2024


def show(channel: grpc.Channel, trackme: Path, data: Path, web: str | None) -> bool:
    """Imports and publishes the figures, and says who spends most and least; whether all of it is there."""
    command, service = [trackme, "expenditure"], ExpenditureServiceStub(channel)
    files = sorted(FIGURES.glob("*.csv"))
    imported = subprocess.run(
        [*command, "import", *files, "--data-dir", data], capture_output=True, text=True, check=True, timeout=PATIENCE_S
    )
    [draft] = re.findall(r"^draft (\d+)$", imported.stdout, re.MULTILINE)
    tell("keeper", f"imports {len(files)} official files, whose accounts agree to the cent, and publishes release {draft}")
    subprocess.run(
        [*command, "publish", draft, "--data-dir", data], stdout=subprocess.DEVNULL, check=True, timeout=PATIENCE_S
    )
    names = {
        territory.code: territory.name
        for territory in service.ListTerritories(figures.ListTerritoriesRequest(), timeout=PATIENCE_S).territories
    }
    view = figures.View(year=YEAR, measure=figures.MEASURE_PER_RESIDENT)
    told = service.GetMap(figures.GetMapRequest(view=view), timeout=PATIENCE_S)
    [shown] = [year for year in told.years if year.year == YEAR]
    regions = [v for v in shown.values if v.territory != "IT" and v.value.WhichOneof("known") == "number"]
    regions.sort(key=lambda v: -v.value.number)
    print(f"\nTotal costs per resident, {YEAR}:\n")
    for place, region in enumerate(regions, 1):
        if SHOWN < place <= len(regions) - SHOWN:
            continue
        value = region.value
        print(
            f"  {place:2}. {names[region.territory]:22} {value.number / 100:8,.2f} €   "
            f"{value.source.file}, row {value.source.row}; {value.denominator.residents:,} residents on {value.denominator.date}"
        )
        if place == SHOWN:
            print("      …")
    print()
    for source in told.origin.sources:
        print(f"  Source: {source.name}, {source.licence}")
    if web:
        print(f"\n  The map is at http://{web}/expenditure, for as long as the server runs: KEEP=1 make demo", flush=True)
    return len(regions) == TERRITORIES
