"""Exports of Apple Health as phones write them, made up: no person's readings are in them.

`python apple_export.py FILE MEGABYTES` writes a large one, to measure with.
"""

from __future__ import annotations

import sys
from pathlib import Path

# As in "HealthKit Export Version: 12" (iOS 16): an ATTLIST that does not end, and one that ends twice.
DECLARATION = """<!DOCTYPE HealthData [
<!-- HealthKit Export Version: 12 -->
<!ELEMENT HealthData (ExportDate,Me,(Record|Correlation|Workout|ActivitySummary|ClinicalRecord|VisionPrescription)*)>
<!ATTLIST HealthData
  locale CDATA #REQUIRED
>
<!ELEMENT Record ((MetadataEntry|HeartRateVariabilityMetadataList)*)>
<!-- Note: Any Records that appear as children of a correlation also appear as top-level records in this document. -->
<!ATTLIST VisionPrescription
  type             CDATA #REQUIRED
  brand            CDATA #IMPLIED
<!ELEMENT RightEye EMPTY>
<!ATTLIST RightEye
  sphere           CDATA #IMPLIED
>
>
]>
"""
WATCH = (
    "&lt;&lt;HKDevice: 0x281d99900&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch6,2, "
    "software:7.2&gt;"
)


def record(kind: str, value, unit="count/min", time="2021-03-27 16:17:11 +0100", start=None, device="", more="", inside=""):
    """One record; `kind` without the prefix of quantities."""
    device = f' device="{device}"' if device else ""
    head = f'<Record type="HKQuantityTypeIdentifier{kind}" sourceName="Maria’s Watch" sourceVersion="7.2"{device}'
    times = f'creationDate="{time}" startDate="{start or time}" endDate="{time}"'
    unit = f' unit="{unit}"' if unit is not None else ""
    value = f' value="{value}"' if value is not None else ""
    return f"{head}{unit} {times}{value}{more}" + (f">{inside}</Record>" if inside else "/>")


def export(*elements: str, declaration: str = DECLARATION) -> str:
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n{declaration}<HealthData locale="en_IT">\n'
        ' <ExportDate value="2021-03-28 09:00:00 +0100"/>\n <Me HKCharacteristicTypeIdentifierDateOfBirth=""/>\n '
        + "\n ".join(elements)
        + "\n</HealthData>\n"
    )


def write_large(path: Path, megabytes: float) -> int:
    """Three kinds, each grouped and in the order of time as Apple's are; one has no metric. The number of samples that count."""
    kinds = [("HeartRate", "count/min", 60), ("StepCount", "count", 10), ("ActiveEnergyBurned", "Cal", 1)]
    each = int(megabytes * 1e6 / len(kinds) / 430)
    with path.open("w") as file:
        file.write(export().removesuffix("</HealthData>\n"))
        for kind, unit, base in kinds:
            for i in range(each):
                time = f"20{i // 13_392_000 % 80 + 10:02}-{i // 1_116_000 % 12 + 1:02}-{i // 43_200 % 25 + 1:02} " \
                       f"{i // 1_800 % 24:02}:{i // 30 % 60:02}:{i % 30 * 2:02} +0100"  # fmt: skip
                inside = '<MetadataEntry key="HKMetadataKeyHeartRateMotionContext" value="1"/>'
                file.write(record(kind, base + i % 40, unit, time, device=WATCH, inside=inside) + "\n ")
        file.write("</HealthData>\n")
    return 2 * each


if __name__ == "__main__":
    print(write_large(Path(sys.argv[1]), float(sys.argv[2])), "samples")
