"""What exporters get wrong in XML, put right before a parser sees it.

Strava writes blanks before the XML declaration. Several apps use a prefix of Garmin's extensions (`gpxtpx:`, `ns3:`)
that they never declare. Both make a parser refuse the whole file.
"""

from __future__ import annotations

import re

_BLANKS = b"\xef\xbb\xbf \t\r\n"
_PREFIX = rb"[A-Za-z_][A-Za-z0-9_.-]*"
_OF_ELEMENT = re.compile(rb"</?(" + _PREFIX + rb"):")
_OF_ATTRIBUTE = re.compile(rb"\s(" + _PREFIX + rb"):" + _PREFIX + rb"\s*=\s*[\"']")
_BEFORE_ROOT = re.compile(rb"(?:\s+|<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>)*", re.DOTALL)
_ROOT = re.compile(rb"<[^\s<>/]+((?:\s+[^\s=<>]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*)\s*/?>")
_DECLARED = re.compile(rb"\sxmlns:(" + _PREFIX + rb")\s*=")
_RESERVED = {b"xml", b"xmlns"}
_ENTITY = re.compile(b"<!ENTITY|" + re.escape("<!ENTITY".encode("utf-16-le")) + b"|" + re.escape("<!ENTITY".encode("utf-16-be")))


def repaired(content: bytes, extensions: str) -> bytes:
    """The document without blanks before it, in which prefixes that nobody declares stand for the namespace
    `extensions`. Raises ValueError for one that declares entities: no recording has a use for them, and a few lines of
    them expand to gigabytes."""
    if _ENTITY.search(content):
        raise ValueError("declares entities")
    content = content.lstrip(_BLANKS)
    root = _ROOT.match(content, _BEFORE_ROOT.match(content).end())
    if root is None:
        return content
    used = {*_OF_ELEMENT.findall(content), *_OF_ATTRIBUTE.findall(content)} - _RESERVED
    missing = sorted(used - set(_DECLARED.findall(root[1])))
    if not missing:
        return content
    # Behind the root's name. A prefix that is declared further in keeps its meaning there.
    at = root.start(1)
    declarations = b"".join(b' xmlns:%s="%s"' % (prefix, extensions.encode()) for prefix in missing)
    return content[:at] + declarations + content[at:]
