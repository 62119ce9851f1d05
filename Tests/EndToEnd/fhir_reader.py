"""Reads an export as FHIR: with the model of fhir.resources, and with the rules of R4's vital signs beside it, which
that does not check. Knows nothing of the server but what docs/fhir.md says."""

from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import NamedTuple

from fhir.resources.R4B.observation import Observation
from fhir.resources.R4B.provenance import Provenance

from trackme.protocol import reading_service

FHIR = reading_service.EXPORT_FORMAT_FHIR_R4_NDJSON
LOINC, UCUM = "http://loinc.org", "http://unitsofmeasure.org"
PROFILES = "http://hl7.org/fhir/StructureDefinition/"
PRESSURES = {"8480-6": "systolic_blood_pressure", "8462-4": "diastolic_blood_pressure"}
METRICS = {
    "8867-4": "heart_rate", "2339-0": "blood_glucose", "8310-5": "body_temperature", "59408-5": "blood_oxygen",
    "9279-1": "respiratory_rate", "11524-6": "ecg", "55423-8": "steps", "29463-7": "weight", **PRESSURES,
}  # fmt: skip
# hl7.org/fhir/R4/observation-vitalsigns.html: the code and the units of each profile.
VITAL_SIGNS = {
    "heartrate": ("8867-4", {"/min"}), "resprate": ("9279-1", {"/min"}), "bodytemp": ("8310-5", {"Cel", "[degF]"}),
    "bodyweight": ("29463-7", {"g", "kg", "[lb_av]"}), "oxygensat": ("2708-6", {"%"}), "bp": ("85354-9", set()),
}  # fmt: skip


class Row(NamedTuple):
    """A reading, as it is found in a resource."""

    metric: str
    source: str
    time_us: int
    value: float | tuple[float, ...]


class Export(NamedTuple):
    """An export that is valid."""

    observations: list[Observation]
    provenances: list[Provenance]
    lines: list[dict]
    """All resources, numbers as they are written."""
    sizes: list[int]
    """Bytes of each message."""

    def rows(self) -> list[Row]:
        return [row for o in self.observations for row in rows_of(o)]

    def ids(self) -> list[str]:
        return [o.id for o in self.observations]


def read(parts) -> Export:
    """The messages of an export; fails where anything in them is no FHIR."""
    export = Export([], [], [], [])
    for part in parts:
        assert not part.readings and part.ndjson.endswith(b"\n")
        *observations, provenance = part.ndjson[:-1].split(b"\n")
        read_part = [Observation.model_validate_json(line) for line in observations]
        for observation in read_part:
            check(observation)
        last = Provenance.model_validate_json(provenance)
        assert [t.reference for t in last.target] == [f"Observation/{o.id}" for o in read_part] != []
        export.observations.extend(read_part)
        export.provenances.append(last)
        export.lines.extend(json.loads(line, parse_float=Decimal) for line in [*observations, provenance])
        export.sizes.append(part.ByteSize())
    assert len(set(export.ids())) == len(export.observations), "ids are unique"
    return export


def check(o: Observation) -> None:
    """What the profiles of vital signs ask for, and what every observation here has."""
    assert o.status == "final" and o.subject.type == "Patient" and o.subject.identifier.value
    assert (o.effectiveDateTime is None) != (o.effectivePeriod is None)
    assert [o.valueQuantity, o.valueSampledData, o.component].count(None) == 2
    for quantity in quantities(o):
        assert quantity.system == UCUM and quantity.code == quantity.unit and quantity.value is not None
    for component in o.component or ():
        assert (component.valueQuantity is None) != (component.dataAbsentReason is None)
    if not o.meta:
        return
    (profile,) = o.meta.profile
    assert profile.startswith(PROFILES)
    assert ("http://terminology.hl7.org/CodeSystem/observation-category", "vital-signs") in codes(o.category[0])
    name = profile.removeprefix(PROFILES)
    if name == "vitalsigns":
        assert loinc(o.code) in PRESSURES and [q.code for q in quantities(o)] == ["mm[Hg]"]
        return
    code, units = VITAL_SIGNS[name]
    assert (LOINC, code) in codes(o.code)
    if name != "bp":
        assert o.valueQuantity.code in units
        return
    assert [loinc(c.code) for c in o.component] == ["8480-6", "8462-4"]
    assert {q.code for q in quantities(o)} == {"mm[Hg]"}


def quantities(o: Observation):
    origin = o.valueSampledData and o.valueSampledData.origin
    values = [o.valueQuantity, origin, *(c.valueQuantity for c in o.component or ())]
    return [value for value in values if value is not None]


def codes(concept) -> list[tuple[str, str]]:
    return [(c.system, c.code) for c in concept.coding]


def loinc(concept) -> str:
    """Its first code."""
    return concept.coding[0].code


def rows_of(o: Observation) -> list[Row]:
    """The readings that an observation is made of: one or two."""
    source = o.device.identifier.value if o.device else ""
    at = microseconds(o.effectiveDateTime or o.effectivePeriod.start)
    if o.component:
        return [
            Row(PRESSURES[loinc(c.code)], source, at, float(c.valueQuantity.value))
            for c in o.component if c.valueQuantity
        ]  # fmt: skip
    metric = METRICS.get(loinc(o.code), loinc(o.code))
    if o.valueSampledData:
        return [Row(metric, source, at, tuple(float(s) for s in o.valueSampledData.data.split(" ")))]
    return [Row(metric, source, at, float(o.valueQuantity.value))]


def row_of(reading) -> Row:
    """A reading as it is exported as a row; no position."""
    value = tuple(reading.waveform.samples) if reading.WhichOneof("value") == "waveform" else reading.scalar
    return Row(reading.metric, reading.source, reading.time_us, value)


def microseconds(time: datetime) -> int:
    assert time.utcoffset() == timedelta(0)
    return (time - datetime(1970, 1, 1, tzinfo=timezone.utc)) // timedelta(microseconds=1)
