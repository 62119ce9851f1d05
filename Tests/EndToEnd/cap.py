"""Reads messages of the Common Alerting Protocol, version 1.2 (OASIS, 1 July 2010), strictly: the order and number of
elements and the enumerations of its schema, and the rules of its text that a schema can't say. Shares nothing with the
server that writes them."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from datetime import datetime
from xml.parsers import expat

NAMESPACE = "urn:oasis:names:tc:emergency:cap:1.2"
_SEPARATOR = "|"


class CapError(ValueError):
    """What is wrong with a message."""


@dataclass
class Element:
    """An element with its children in their order."""

    name: str
    text: str = ""
    children: list[Element] = field(default_factory=list)

    def all(self, name: str) -> list[Element]:
        return [child for child in self.children if child.name == name]

    def first(self, name: str) -> Element | None:
        return next(iter(self.all(name)), None)

    def get(self, name: str) -> str:
        """The text of the first child of that name, or nothing."""
        child = self.first(name)
        return child.text if child is not None else ""

    def pairs(self, name: str) -> dict[str, str]:
        """Children such as parameter, eventCode and geocode: by their valueName."""
        return {child.get("valueName"): child.get("value") for child in self.all(name)}


@dataclass(frozen=True)
class Rule:
    """How often a child may come, and what its text may be: a set of words, a pattern, or nothing for any text."""

    least: int
    most: int | None
    values: frozenset[str] | re.Pattern | None = None
    children: tuple[tuple[str, Rule], ...] = ()


def _one(values=None, children=()) -> Rule:
    return Rule(1, 1, values, tuple(children))


def _maybe(values=None, children=()) -> Rule:
    return Rule(0, 1, values, tuple(children))


def _any(values=None, children=(), least=0) -> Rule:
    return Rule(least, None, values, tuple(children))


def _words(words: str) -> frozenset[str]:
    return frozenset(words.split())


# "Alphabetic timezone designators such as Z must not be used": 3.2.1 of the standard; UTC is -00:00.
_TIME = re.compile(r"\d\d\d\d-\d\d-\d\dT\d\d:\d\d:\d\d[-+]\d\d:\d\d")
# No spaces, commas, < or &.
_NAME = re.compile(r"[^\s,<&]+")
_LANGUAGE = re.compile(r"[a-zA-Z]{1,8}(-[a-zA-Z0-9]{1,8})*")
_DECIMAL = re.compile(r"[-+]?(\d+(\.\d*)?|\.\d+)")
_INTEGER = re.compile(r"[-+]?\d+")
_URI = re.compile(r"[^\s<>]+")
_MIME = re.compile(r"[a-z0-9.+-]+/[a-z0-9.+-]+")
_PAIR = (("valueName", _one()), ("value", _one()))

_RESOURCE = (
    ("resourceDesc", _one()), ("mimeType", _one(_MIME)), ("size", _maybe(_INTEGER)), ("uri", _maybe(_URI)),
    ("derefUri", _maybe()), ("digest", _maybe()),
)  # fmt: skip
_AREA = (
    ("areaDesc", _one()), ("polygon", _any()), ("circle", _any()), ("geocode", _any(children=_PAIR)),
    ("altitude", _maybe(_DECIMAL)), ("ceiling", _maybe(_DECIMAL)),
)  # fmt: skip
_INFO = (
    ("language", _maybe(_LANGUAGE)),
    ("category", _any(_words("Geo Met Safety Security Rescue Fire Health Env Transport Infra CBRNE Other"), least=1)),
    ("event", _one()),
    ("responseType", _any(_words("Shelter Evacuate Prepare Execute Avoid Monitor Assess AllClear None"))),
    ("urgency", _one(_words("Immediate Expected Future Past Unknown"))),
    ("severity", _one(_words("Extreme Severe Moderate Minor Unknown"))),
    ("certainty", _one(_words("Observed Likely Possible Unlikely Unknown"))),
    ("audience", _maybe()),
    ("eventCode", _any(children=_PAIR)),
    ("effective", _maybe(_TIME)),
    ("onset", _maybe(_TIME)),
    ("expires", _maybe(_TIME)),
    ("senderName", _maybe()),
    ("headline", _maybe()),
    ("description", _maybe()),
    ("instruction", _maybe()),
    ("web", _maybe(_URI)),
    ("contact", _maybe()),
    ("parameter", _any(children=_PAIR)),
    ("resource", _any(children=_RESOURCE)),
    ("area", _any(children=_AREA)),
)
_ALERT = (
    ("identifier", _one(_NAME)),
    ("sender", _one(_NAME)),
    ("sent", _one(_TIME)),
    ("status", _one(_words("Actual Exercise System Test Draft"))),
    ("msgType", _one(_words("Alert Update Cancel Ack Error"))),
    ("source", _maybe()),
    ("scope", _one(_words("Public Restricted Private"))),
    ("restriction", _maybe()),
    ("addresses", _maybe()),
    ("code", _any()),
    ("note", _maybe()),
    ("references", _maybe()),
    ("incidents", _maybe()),
    ("info", _any(children=_INFO)),
)


def parse(document: bytes) -> Element:
    """The alert of a document.

    Raises CapError where it is not what the standard asks for."""
    alert = _tree(document)
    if alert.name != "alert":
        raise CapError(f"the root is {alert.name}")
    _check_children(alert, _ALERT, "alert")
    _check_words(alert)
    return alert


def _tree(document: bytes) -> Element:
    parser = expat.ParserCreate(namespace_separator=_SEPARATOR)
    root = Element("")
    open_elements = [root]

    def start(name, attributes):
        namespace, _, local = name.rpartition(_SEPARATOR)
        if namespace != NAMESPACE:
            raise CapError(f"{local} is of namespace {namespace!r}")
        if attributes:
            raise CapError(f"{local} has attributes")
        element = Element(local)
        open_elements[-1].children.append(element)
        open_elements.append(element)

    def refuse(*_):
        raise CapError("a document type or an entity is declared")

    def data(text):
        open_elements[-1].text += text

    parser.StartElementHandler, parser.EndElementHandler = start, lambda _: open_elements.pop()
    parser.CharacterDataHandler = data
    parser.StartDoctypeDeclHandler = parser.EntityDeclHandler = parser.ProcessingInstructionHandler = refuse
    try:
        parser.Parse(document, True)
    except expat.ExpatError as error:
        raise CapError(f"not XML: {error}") from None
    return root.children[0]


def _check_children(element: Element, rules: tuple[tuple[str, Rule], ...], where: str) -> None:
    """The children are those of the rules, in their order and number, with texts that are allowed."""
    if element.text.strip():
        raise CapError(f"{where} holds text beside its elements")
    place = 0
    for name, rule in rules:
        count = 0
        while place < len(element.children) and element.children[place].name == name:
            _check_element(element.children[place], rule, f"{where}/{name}")
            place, count = place + 1, count + 1
        if count < rule.least:
            raise CapError(f"{where}/{name} is missing")
        if rule.most is not None and count > rule.most:
            raise CapError(f"{where}/{name} is there {count} times")
    if place < len(element.children):
        raise CapError(f"{where}/{element.children[place].name} is unknown or out of order")


def _check_element(element: Element, rule: Rule, where: str) -> None:
    if rule.children:
        _check_children(element, rule.children, where)
        return
    if element.children:
        raise CapError(f"{where} has elements within")
    if not element.text.strip():
        raise CapError(f"{where} is empty")
    if rule.values is None:
        return
    if isinstance(rule.values, frozenset):
        if element.text not in rule.values:
            raise CapError(f"{where} is {element.text!r}")
    elif not rule.values.fullmatch(element.text):
        raise CapError(f"{where} has a wrong form: {element.text!r}")


def _check_words(alert: Element) -> None:
    """What the text of the standard asks for beside the schema."""
    scope, kind = alert.get("scope"), alert.get("msgType")
    if scope == "Restricted" and alert.first("restriction") is None:
        raise CapError("a restricted alert needs a restriction")
    if scope == "Private" and alert.first("addresses") is None:
        raise CapError("a private alert needs addresses")
    if kind in ("Update", "Cancel", "Ack", "Error") and alert.first("references") is None:
        raise CapError(f"{kind} needs references")
    references_of(alert)
    for element in _descendants(alert):
        if element.name in ("sent", "effective", "onset", "expires"):
            try:
                datetime.fromisoformat(element.text)
            except ValueError:
                raise CapError(f"{element.name} is no time: {element.text}") from None
    for info in alert.all("info"):
        for area in info.all("area"):
            _check_area(area)


def references_of(alert: Element) -> list[tuple[str, str, str]]:
    """Sender, identifier and time of the earlier messages that this one is about."""
    references = []
    for group in alert.get("references").split():
        parts = group.split(",")
        if len(parts) != 3 or not all(_NAME.fullmatch(part) for part in parts) or not _TIME.fullmatch(parts[2]):
            raise CapError(f"references has a wrong form: {group!r}")
        references.append((parts[0], parts[1], parts[2]))
    return references


def circle_of(area: Element) -> tuple[float, float, float] | None:
    """Latitude, longitude and the radius in kilometres of an area's first circle."""
    text = area.get("circle")
    return _circle(text) if text else None


def _check_area(area: Element) -> None:
    if area.first("ceiling") is not None and area.first("altitude") is None:
        raise CapError("a ceiling needs an altitude")
    for circle in area.all("circle"):
        _circle(circle.text)
    for polygon in area.all("polygon"):
        points = [_point(pair) for pair in polygon.text.split()]
        if len(points) < 4 or points[0] != points[-1]:
            raise CapError("a polygon needs four points, and ends where it begins")


def _circle(text: str) -> tuple[float, float, float]:
    parts = text.split(" ")
    if len(parts) != 2 or not _DECIMAL.fullmatch(parts[1]) or float(parts[1]) < 0:
        raise CapError(f"circle has a wrong form: {text!r}")
    return (*_point(parts[0]), float(parts[1]))


def _point(text: str) -> tuple[float, float]:
    parts = text.split(",")
    if len(parts) != 2 or not all(_DECIMAL.fullmatch(part) for part in parts):
        raise CapError(f"not a point: {text!r}")
    latitude, longitude = map(float, parts)
    if not (-90 <= latitude <= 90 and -180 <= longitude <= 180):
        raise CapError(f"not on earth: {text!r}")
    return latitude, longitude


def _descendants(element: Element):
    for child in element.children:
        yield child
        yield from _descendants(child)
