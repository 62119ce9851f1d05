"""The export of Apple Health: `export.xml`, or the `export.zip` that the phone makes of it.

It can be gigabytes, so it goes through expat in pieces and into a SampleStore. Its records are grouped by kind; here
they come in the order of time. A record counts at its end (steps are those of the interval before). Records inside a
correlation (the two values of a blood pressure) stand in the file a second time, and are taken once.

What real exports get wrong: since iOS 16 the document type declaration is malformed, and texts hold control
characters that XML forbids. So the declaration is cut out before the parser (nothing in it is needed), and control
characters become blanks.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from hashlib import blake2b
from typing import BinaryIO
from xml.parsers import expat
from zoneinfo import ZoneInfo

from . import sample
from .sample import Recording, microseconds
from .sample_store import SampleStore

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

_CHUNK = 1 << 20
# Apple's own is 10 KiB.
_LONGEST_DECLARATION = 1 << 20
_LONGEST_ELEMENT = 16 << 20
_DEEPEST = 32
_NO_CONTROLS = bytes(b if b >= 32 or b in b"\t\n\r" else 32 for b in range(256))
_BLANKS = b"\xef\xbb\xbf \t\r\n"


def read(file: BinaryIO, recording: Recording, zone: ZoneInfo) -> None:
    """Raises ValueError for what is no export of Apple Health, is cut short, or declares entities."""
    recording.samples = store = SampleStore()
    reader = _Reader(recording, store)
    try:
        reader.parse(_without_declaration(file))
    except expat.ExpatError as error:
        raise ValueError(f"not XML: {error}") from error
    recording.repeated = store.repeated


def is_export(beginning: bytes) -> bool:
    """Whether a file that begins like this is Apple Health's, and not the clinical document that lies beside it."""
    return re.search(rb"<(!DOCTYPE\s+)?HealthData\b", beginning) is not None


class _Reader:
    def __init__(self, recording: Recording, store: SampleStore):
        self._recording, self._store = recording, store
        self._depth = 0
        self._parser = parser = expat.ParserCreate()
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = self._refuse

    def parse(self, chunks: Iterator[bytes]) -> None:
        given = 0
        for chunk in chunks:
            self._parser.Parse(chunk, False)
            given += len(chunk)
            # expat keeps what is not complete.
            if given - max(0, self._parser.CurrentByteIndex) > _LONGEST_ELEMENT:
                raise ValueError(f"line {self._parser.CurrentLineNumber}: an element of more than 16 MiB")
        self._parser.Parse(b"", True)

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._depth += 1
        if name == "Record":
            self._record(attributes)
        elif self._depth == 1 and name != "HealthData":
            raise ValueError(f"no export of Apple Health: it holds a {name}")
        elif self._depth > _DEEPEST:
            raise ValueError(f"line {self._parser.CurrentLineNumber}: elements more than {_DEEPEST} deep")

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
            value = round(float(attributes["value"]) * factor + offset, 6)
            if not math.isfinite(value):
                raise ValueError(f"{attributes['value']!r} is no number")
            time = attributes.get("endDate") or attributes["startDate"]
            self._store.add(_time_us(time), metric, value, _source(attributes))
        except KeyError as error:
            self._unreadable(kind, f"no {error.args[0]}")
        except (ValueError, OverflowError) as error:
            self._unreadable(kind, str(error))

    def _unreadable(self, kind: str, why: str) -> None:
        self._recording.add_unreadable(f"line {self._parser.CurrentLineNumber}, {kind}: {why}"[:200])


def _molar(metric: str, unit: str) -> tuple[float, float]:
    found = _MOLAR.fullmatch(unit)
    if metric != "blood_glucose" or found is None:
        raise ValueError(f"unit {unit!r} is not known")
    return float(found[1]) / 10, 0.0


def _time_us(text: str) -> int:
    """Of `2021-03-27 16:17:11 +1100`."""
    date, _, offset = text.rpartition(" ")
    if len(date) != 19 or len(offset) != 5:
        raise ValueError(f"{text!r} is no time with a zone")
    return microseconds(datetime.fromisoformat(date + offset))


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


def _without_declaration(file: BinaryIO) -> Iterator[bytes]:
    """The file in pieces, without control characters, and blank lines where its document type declaration was."""
    head = file.read(_LONGEST_DECLARATION).translate(_NO_CONTROLS).lstrip(_BLANKS)
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
    while chunk := file.read(_CHUNK):
        yield chunk.translate(_NO_CONTROLS)
