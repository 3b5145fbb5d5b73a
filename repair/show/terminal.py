"""The one guard before a terminal: whatever a project, a test or a model wrote, no command of a terminal gets through.

Texts for people pass ``make_visible`` here, whether they go to stdout (``write_text``) or to stderr (``tell``). What
programs read goes out byte for byte by ``write_out``, unless a terminal is at the other end.
"""

from __future__ import annotations

import json
import re
import sys
from typing import Any

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_OR_COLOUR = re.compile(rf"(\x1b\[[0-9;]*m)|{_CONTROL.pattern}")


def make_visible(text: str) -> str:
    """The text with control characters spelled out: test output and file names may hold terminal commands."""
    return _CONTROL.sub(lambda found: _spell(found[0]), text)


def tell(text: str) -> None:
    """Put one line for people on stderr."""
    sys.stderr.write(make_visible(text) + "\n")
    sys.stderr.flush()


def write_text(text: str, *, colour: bool = False) -> None:
    """Put text for people on stdout, in whatever encoding the terminal has; with ``colour`` our own colours stay."""
    shown = _OR_COLOUR.sub(lambda found: found[1] or _spell(found[0]), text) if colour else make_visible(text)
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(shown.encode(encoding, "backslashreplace").decode(encoding))
    sys.stdout.flush()


def write_out(text: str) -> None:
    """Put the text on stdout byte for byte: a diff carries the bytes of files in any encoding."""
    buffer = getattr(sys.stdout, "buffer", None)
    if buffer is None or sys.stdout.isatty():
        write_text(text)
        return
    sys.stdout.flush()
    buffer.write(text.encode("utf-8", "surrogateescape"))
    sys.stdout.flush()


def write_json(values: Any) -> None:
    """Put JSON on stdout."""
    write_out(json.dumps(values, indent=2) + "\n")


def _spell(character: str) -> str:
    return f"\\x{ord(character):02x}"
