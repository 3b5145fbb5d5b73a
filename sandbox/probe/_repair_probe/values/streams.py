"""Streams of the language's own: where they are, and what they hold, as far as that is seen without changing them."""

from __future__ import annotations

import io

from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from _repair_probe.ground.words import Value

_HELD: tuple[type, ...] = (io.StringIO, io.BytesIO)
_RAW: tuple[type, ...] = (io.FileIO, io.BufferedReader, io.BufferedRandom, io.BufferedWriter)


def stream_text(value: Value) -> str:
    """How a stream stands, as text: what it holds and how far it was read; empty for any other value."""
    kind = type(value)
    if kind in _HELD:
        return "closed" if value.closed else "%r, at %d" % (value.getvalue(), value.tell())
    if kind is io.TextIOWrapper:
        return _text_position(value)
    return _position(value) if kind in _RAW else ""


def _text_position(stream: io.TextIOWrapper) -> str:
    """Of text that is being written the position would write out what is held, so that of its file is told."""
    buffer = stream.buffer
    if type(buffer) is io.BufferedReader and not stream.closed:
        try:
            return "at %d" % stream.tell()
        except (OSError, ValueError):  # in the middle of a loop over its lines
            pass
    return _position(buffer) if type(buffer) in _RAW else ""


def _position(stream: Value) -> str:
    if getattr(stream, "raw", stream) is not stream and type(stream.raw) is not io.FileIO:
        return ""
    try:
        return "closed" if stream.closed else "at %d" % stream.tell()
    except (OSError, ValueError):  # a console has no position
        return ""
