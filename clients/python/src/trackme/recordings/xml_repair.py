"""What exporters get wrong in XML, put right before a parser sees it.

Strava writes blanks before the XML declaration. Several apps use a prefix of Garmin's extensions (`gpxtpx:`, `ns3:`) that
they never declare. Some write numbers with a comma, or times without a zone. An empty battery cuts a file short. Each makes a
parser refuse the whole file, or misread it.

So the points of a document are written anew, some thousand at a time, with what their reader needs: in UTF-8, numbers with a
point, times in UTC. A point that is not whole is left out; every value that is left out is counted.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import BinaryIO
from xml.sax.saxutils import quoteattr
from zoneinfo import ZoneInfo

from . import text
from .sample import Recording
from .xml_document import DEEPEST, Document, new_parser, utf8

_POINTS_AT_ONCE = 5_000
_LONGEST_VALUE = 200
_EPOCH = datetime(1970, 1, 1, tzinfo=timezone.utc)


@dataclass(frozen=True)
class Shape:
    """What of a format is read. Names are without prefixes."""

    root: str
    home: str
    """The element that points must be in to count."""
    point: str
    coordinates: tuple[str, ...]
    """Attributes that a point must have: numbers."""
    numbers: frozenset[str]
    """Elements in a point that hold a number."""
    time: str
    """The element in a point that holds its time."""
    needs_time: bool
    """Whether a point without a time is none for the reader."""
    before: str
    """What stands before the points in a document, and behind them."""
    behind: str
    extensions: str
    """The namespace of prefixes that nobody declares; `x:` in `before`."""
    knows_namespaces: bool
    """Whether only elements in the root's namespace and in that of the extensions count."""
    extended: frozenset[str] = frozenset()
    """Of the numbers, those that the reader finds among the point's extensions alone, wherever exporters put them."""
    others: frozenset[str] = frozenset()
    """Elements outside of `home` that hold points of another kind."""


def repaired(file: BinaryIO, shape: Shape, recording: Recording, zone: ZoneInfo) -> Iterator[bytes]:
    """Documents that hold the points of the file, as their parser likes them.

    Raises ValueError for a file without a point that can't be read to its end, and for one that declares entities.
    """
    points = _Points(shape, recording, zone)
    document, chunks = Document(points.parser), utf8(file)
    for _ in document.read(chunks):
        if len(points.whole) >= _POINTS_AT_ONCE:
            yield points.take()
    if document.cut_short and not points.count:
        raise ValueError(f"no {shape.root} with a {shape.point}: {document.cut_short}")
    if points.whole:
        yield points.take()
    document.note(recording, chunks)


@dataclass
class _Element:
    """An element of a point that is open."""

    name: str
    written: str
    """Its name for the reader; empty where it is nothing to the reader."""
    spaces: dict[str, str]
    parts: list[str]
    characters: list[str]
    has_children: bool = False


class _Points:
    """Takes what expat tells of, and keeps the points that are whole."""

    def __init__(self, shape: Shape, recording: Recording, zone: ZoneInfo):
        self.whole: list[str] = []
        self.count = 0
        self._shape, self._recording, self._zone = shape, recording, zone
        self.parser = parser = new_parser()
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.CharacterDataHandler = self._take_characters
        # Of the elements around points: name and namespaces by prefix.
        self._around: list[tuple[str, dict[str, str]]] = []
        self._base = ""
        self._open: list[_Element] = []
        self._attributes = ""
        self._has_time = False
        self._extended: list[str] = []

    def take(self) -> bytes:
        """A document with the points that are whole, which are forgotten here."""
        points, self.whole = self.whole, []
        return "".join((self._shape.before, *points, self._shape.behind)).encode()

    def _start(self, qualified: str, attributes: dict[str, str]) -> None:
        if len(self._around) + len(self._open) >= DEEPEST:
            raise ValueError(f"line {self.parser.CurrentLineNumber}: elements more than {DEEPEST} deep")
        shape = self._shape
        prefix, _, name = qualified.rpartition(":")
        spaces = self._open[-1].spaces if self._open else self._around[-1][1] if self._around else {}
        if declared := {k[6:]: v for k, v in attributes.items() if k == "xmlns" or k.startswith("xmlns:")}:
            spaces = {**spaces, **declared}
        if self._open:
            self._open[-1].has_children = True
            self._open.append(_Element(name, self._written(prefix, name, spaces), spaces, [], []))
            return
        if not self._around:
            if name != shape.root:
                raise ValueError(f"it holds a {name}, no {shape.root}")
            self._base = spaces.get(prefix, "")
        if name == shape.point and any(around == shape.home for around, _ in self._around):
            self._attributes, self._has_time, self._extended = self._coordinates(attributes), False, []
            self._open.append(_Element(name, name, spaces, [], []))
        else:
            if name in shape.others or name == shape.point:
                self._recording.add_unknown(name)
            self._around.append((name, spaces))

    def _written(self, prefix: str, name: str, spaces: dict[str, str]) -> str:
        if not self._shape.knows_namespaces:
            return name
        space = spaces.get(prefix, self._shape.extensions if prefix else "")
        return name if space == self._base else f"x:{name}" if space == self._shape.extensions else ""

    def _take_characters(self, characters: str) -> None:
        if self._open:
            self._open[-1].characters.append(characters)

    def _end(self, _: str) -> None:
        if not self._open:
            self._around.pop()
            return
        element = self._open.pop()
        if not self._open:
            self._end_point(element)
            return
        inside = "".join(element.parts) if element.has_children else self._value(element)
        if inside and element.name in self._shape.extended:
            self._extended.append(f"<{element.written}>{inside}</{element.written}>")
        elif inside and element.written:
            self._open[-1].parts.append(f"<{element.written}>{inside}</{element.written}>")

    def _end_point(self, element: _Element) -> None:
        self.count += 1
        if self._shape.coordinates and not self._attributes:
            return
        if self._shape.needs_time and not self._has_time:
            self._recording.without_time += 1
            return
        inside = "".join(element.parts)
        if self._extended:
            inside += f"<extensions>{''.join(self._extended)}</extensions>"
        self.whole.append(f"<{element.name}{self._attributes}>{inside}</{element.name}>")

    def _coordinates(self, attributes: dict[str, str]) -> str:
        """The attributes of a point; empty where it has none that are right."""
        written = ""
        for name in self._shape.coordinates:
            try:
                written += f" {name}={quoteattr(_number(attributes[name]))}"
            except (KeyError, ValueError) as error:
                self._unreadable(self._shape.point, f"no {name}" if isinstance(error, KeyError) else str(error))
                return ""
        return written

    def _value(self, element: _Element) -> str:
        """What an element says that holds no others, for the reader."""
        said = "".join(element.characters).strip()
        if not said:
            return ""
        shape, name = self._shape, element.name
        try:
            if element.written and name == shape.time and len(self._open) == 1:
                time = _EPOCH + timedelta(microseconds=text.time_us(said, self._zone))
                self._has_time = True
                return time.strftime("%Y-%m-%dT%H:%M:%S.%fZ").rjust(27, "0")
            if element.written and name in shape.numbers:
                return _number(said)
        except (ValueError, OverflowError) as error:
            self._unreadable(name, str(error))
            return ""
        self._recording.add_unknown(name)
        return ""

    def _unreadable(self, name: str, why: str) -> None:
        self._recording.add_unreadable(f"line {self.parser.CurrentLineNumber}, {name}: {why}"[:_LONGEST_VALUE])


def _number(said: str) -> str:
    """The number as it was written where that is plain, with a point and a decimal otherwise."""
    value = text.number(said)
    plain = said.strip()
    return plain if plain.replace(".", "", 1).lstrip("+-").isdigit() and "." in plain else f"{value:.9f}"
