"""A document of XML as expat reads it, in pieces: to its end, or as far as it is one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO
from xml.parsers import expat

from . import text
from .sample import Recording

DEEPEST = 32
_LONGEST_ELEMENT = 16 << 20
_BLANKS = " \t\r\n\0\ufeff"
# XML forbids control characters, and texts hold them all the same.
_NO_CONTROLS = bytes(b if b >= 32 or b in b"\t\n\r" else 32 for b in range(256))
# expat's errors for a file that ends within the document, within a token, and within a character.
_CUT = {3, 5, 6}
# Something else, and another declaration, behind the document.
_JUNK_BEHIND = {9, 17}


def utf8(file: BinaryIO) -> Iterator[bytes]:
    """The file in pieces of UTF-8, whatever it declares, without blanks before it and without control characters."""
    begun = False
    for piece in text.pieces(file):
        if not begun:
            piece = piece.lstrip(_BLANKS)
            begun = bool(piece)
        if piece:
            yield piece.encode(errors="replace").translate(_NO_CONTROLS)


def new_parser() -> expat.XMLParserType:
    """For UTF-8. Refuses entities with ValueError: no recording has a use for them, and a few lines of them expand to
    gigabytes."""
    parser = expat.ParserCreate("utf-8")
    parser.EntityDeclHandler = _refuse
    return parser


def _refuse(*_) -> None:
    raise ValueError("declares entities")


class Document:
    """One document of a file, read by a parser whose handlers do what is to be done."""

    def __init__(self, parser: expat.XMLParserType):
        self._parser = parser
        self.cut_short = ""
        """Why and where it could not be read any further; empty for a whole one."""
        self.behind = b""
        """What of the last piece is behind the document's end."""

    def read(self, chunks: Iterator[bytes]) -> Iterator[None]:
        """Stops after each piece. Raises ValueError for an element that is too long."""
        parser, given = self._parser, 0
        try:
            for chunk in chunks:
                try:
                    parser.Parse(chunk, False)
                except expat.ExpatError as error:
                    if error.code not in _JUNK_BEHIND:
                        raise
                    self.behind = chunk[max(0, parser.ErrorByteIndex - given) :]
                    return
                given += len(chunk)
                # expat keeps what is not complete.
                if given - max(0, parser.CurrentByteIndex) > _LONGEST_ELEMENT:
                    raise ValueError(f"line {parser.CurrentLineNumber}: an element of more than 16 MiB")
                yield
            parser.Parse(b"", True)
        except expat.ExpatError as error:
            if error.code in _CUT:
                self.cut_short = f"cut short in line {error.lineno}"
            else:
                self.cut_short = f"{expat.ErrorString(error.code)}: not read any further than line {error.lineno}"

    def note(self, recording: Recording, chunks: Iterator[bytes]) -> None:
        """Says in the recording how it ended; reads on to count what is left out."""
        recording.cut_short = recording.cut_short or self.cut_short
        if self.behind:
            recording.behind_end += len(self.behind) + sum(len(chunk) for chunk in chunks)
