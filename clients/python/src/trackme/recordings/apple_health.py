"""The export of Apple Health: `export.xml`, or the `export.zip` that the phone makes of it.

It can be gigabytes, so it goes through expat in pieces and into a SampleStore. Its records are grouped by kind; here
they come in the order of time. A record counts at its end (steps are those of the interval before). Records inside a
correlation (the two values of a blood pressure) stand in the file a second time, and are taken once.

What real exports get wrong: since iOS 16 the document type declaration is malformed, and texts hold control
characters that XML forbids. So the declaration is cut out before the parser (nothing in it is needed), and control
characters become blanks. An export that is cut short gives what it has.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from hashlib import blake2b
from itertools import chain
from typing import BinaryIO
from zoneinfo import ZoneInfo

from . import sample, text
from .sample import Recording, is_no_value
from .sample_store import SampleStore
from .xml_document import DEEPEST, Document, new_parser, utf8

# Units as HealthKit writes them; a value times the first number plus the second is in the unit of our registry.
_PER_MINUTE = {"count/min": (1.0, 0.0), "count/s": (60.0, 0.0)}
_PRESSURE = {"mmHg": (1.0, 0.0), "kPa": (7.500617, 0.0)}
_TEMPERATURE = {"degC": (1.0, 0.0), "degF": (5 / 9, -160 / 9), "K": (1.0, -273.15)}
_MASS = {"kg": (1.0, 0.0), "g": (0.001, 0.0), "lb": (0.45359237, 0.0), "st": (6.35029318, 0.0)}
_QUANTITIES = {
    "HeartRate": (sample.HEART_RATE, _PER_MINUTE),
    "BloodPressureSystolic": ("systolic_blood_pressure", _PRESSURE),
    "BloodPressureDiastolic": ("diastolic_blood_pressure", _PRESSURE),
    # In mmol/L the unit says the molar mass in g/mol: mmol<180.1558800000541>/L.
    "BloodGlucose": ("blood_glucose", {"mg/dL": (1.0, 0.0)}),
    "BodyTemperature": ("body_temperature", _TEMPERATURE),
    # A fraction of 1, whatever the unit says.
    "OxygenSaturation": ("blood_oxygen", {"%": (100.0, 0.0)}),
    "RespiratoryRate": ("respiratory_rate", _PER_MINUTE),
    "StepCount": (sample.STEPS, {"count": (1.0, 0.0)}),
    "BodyMass": ("weight", _MASS),
}
_TYPES = {"HKQuantityTypeIdentifier" + name: quantity for name, quantity in _QUANTITIES.items()}
_MOLAR = re.compile(r"mmol<([0-9]+(?:\.[0-9]+)?)>/L")

# Apple's own is 10 KiB.
_LONGEST_DECLARATION = 1 << 20
_BLANKS = b" \t\r\n"


def read(file: BinaryIO, recording: Recording, zone: ZoneInfo) -> None:
    """Raises ValueError for what is no export of Apple Health, has no record that is whole, or declares entities."""
    recording.samples = store = SampleStore()
    chunks = utf8(file)
    while True:
        reader = _Reader(recording, store, zone)
        document = Document(reader.parser)
        for _ in document.read(_without_declaration(chunks)):
            pass
        if document.cut_short and not reader.records:
            raise ValueError(f"not XML: {document.cut_short}")
        # Exports that were put one behind the other are read one after the other.
        if not is_export(document.behind[: 64 * 1024]):
            document.note(recording, chunks)
            break
        chunks = chain([document.behind], chunks)
    recording.repeated = store.repeated


def is_export(beginning: bytes) -> bool:
    """Whether a file that begins like this is Apple Health's, and not the clinical document that lies beside it."""
    return re.search(rb"<(!DOCTYPE\s+)?HealthData\b", beginning) is not None


class _Reader:
    def __init__(self, recording: Recording, store: SampleStore, zone: ZoneInfo):
        self._recording, self._store, self._zone = recording, store, zone
        self._depth = 0
        self.records = 0
        self.parser = parser = new_parser()
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.StartDoctypeDeclHandler = self._refuse

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if name == "Record":
            self.records += 1
            self._record(attributes)
        elif self._depth == 1 and name != "HealthData":
            raise ValueError(f"no export of Apple Health: it holds a {name}")
        elif self._depth > DEEPEST:
            raise ValueError(f"line {self.parser.CurrentLineNumber}: elements more than {DEEPEST} deep")

    def _end(self, _: str) -> None:
        self._depth -= 1

    def _refuse(self, *_) -> None:
        raise ValueError("declares entities, or a second document type")

    def _record(self, attributes: dict[str, str]) -> None:
        kind = attributes.get("type", "")
        quantity = _TYPES.get(kind)
        if quantity is None:
            self._recording.add_unknown(kind)
            return
        metric, units = quantity
        try:
            factor, offset = units.get(unit := attributes["unit"]) or _molar(metric, unit)
            value = round(text.number(attributes["value"]) * factor + offset, 6)
            time_us = text.time_us(attributes.get("endDate") or attributes["startDate"], self._zone)
            if is_no_value(metric, value):
                self._recording.no_value[metric] += 1
            else:
                self._store.add(time_us, metric, value, _source(attributes))
        except KeyError as error:
            self._unreadable(kind, f"no {error.args[0]}")
        except (ValueError, OverflowError) as error:
            self._unreadable(kind, str(error))

    def _unreadable(self, kind: str, why: str) -> None:
        self._recording.add_unreadable(f"line {self.parser.CurrentLineNumber}, {kind}: {why}"[:200])


def _molar(metric: str, unit: str) -> tuple[float, float]:
    found = _MOLAR.fullmatch(unit)
    if metric != "blood_glucose" or found is None:
        raise ValueError(f"unit {unit!r} is not known")
    return float(found[1]) / 10, 0.0


def _source(attributes: dict[str, str]) -> str:
    """What tells a watch's values from a phone's. `sourceName` is often "Maria's Watch", and other people see sources:
    so it is the device's model (`hardware:Watch6,2`), or a number that is always the same for the name."""
    device = attributes.get("device", "")
    at = device.find("hardware:")
    if at >= 0 and (model := device[at + 9 :].split(", ", 1)[0].rstrip(">").strip()):
        return model.encode()[:64].decode(errors="ignore")
    return _numbered(attributes.get("sourceName", ""))


@lru_cache(maxsize=1_024)
def _numbered(name: str) -> str:
    return "apple-health-" + blake2b(name.encode(), digest_size=4).hexdigest() if name else ""


def _without_declaration(chunks: Iterator[bytes]) -> Iterator[bytes]:
    """The pieces with blank lines where the document type declaration was."""
    head = b""
    while len(head) < _LONGEST_DECLARATION and (chunk := next(chunks, b"")):
        head += chunk
    head = head.lstrip(_BLANKS)
    start = re.search(rb"<!DOCTYPE[^\[>]*[\[>]", head)
    if start:
        end = start
        if start[0].endswith(b"["):
            end = re.compile(rb"\]\s*>").search(head, start.end())
            if end is None:
                raise ValueError("the document type declaration does not end within 1 MiB")
        declaration = head[start.start() : end.end()]
        if b"<!ENTITY" in declaration:
            raise ValueError("declares entities")
        head = head[: start.start()] + b"\n" * declaration.count(b"\n") + head[end.end() :]
    yield head
    yield from chunks
