"""Unified diffs that ``git apply`` accepts, whatever the bytes.

Lines end at ``\\n`` only: form feeds, lone carriage returns and Unicode separators stay inside their
line. Bytes that are not UTF-8 travel as surrogate escapes; ``as_bytes`` gives them back.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence

_CONTEXT = 3
_MARKER = "\\ No newline at end of file\n"
_ESCAPES = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}


def unified_diff(path: str, before: bytes | None, after: bytes | None) -> str:
    """The change of one file, empty when there is none. ``None`` stands for a file that is not there."""
    if before == after:
        return ""
    hunks = "".join(_hunks(_lines(before or b""), _lines(after or b"")))
    head = _git_header(path, before, after)
    if not hunks:  # an empty file that comes or goes
        return head
    return f"{head}--- {_side('a/', path, before)}\n+++ {_side('b/', path, after)}\n{hunks}"


def joined(diffs: Iterable[str]) -> str:
    """One patch out of those of several files."""
    return "".join(diffs)


def as_bytes(diff: str) -> bytes:
    """The bytes to write or to hand to git."""
    return diff.encode("utf-8", "surrogateescape")


def quoted(path: str) -> str:
    """The path as git writes it: in C quotes when a byte of it is not plain."""
    raw = path.encode("utf-8", "surrogateescape")
    if not re.search(rb'[\x00-\x1f"\\\x7f-\xff]', raw):
        return path
    return '"' + "".join(_escaped(byte) for byte in raw) + '"'


def _escaped(byte: int) -> str:
    if byte in _ESCAPES:
        return f"\\{_ESCAPES[byte]}"
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"


def _git_header(path: str, before: bytes | None, after: bytes | None) -> str:
    """Plain changes need no header of git's own; a file that comes or goes does, or its mode is a guess."""
    if before is not None and after is not None:
        return ""
    word = "new" if before is None else "deleted"
    return f"diff --git {quoted('a/' + path)} {quoted('b/' + path)}\n{word} file mode 100644\n"


def _side(prefix: str, path: str, content: bytes | None) -> str:
    if content is None:
        return "/dev/null"
    name = quoted(prefix + path)
    return f"{name}\t" if " " in name and not name.startswith('"') else name


def _lines(content: bytes) -> list[str]:
    text = content.decode("utf-8", "surrogateescape")
    return [line for line in re.split(r"(?<=\n)", text) if line]


def _hunks(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    for group in difflib.SequenceMatcher(None, old, new).get_grouped_opcodes(_CONTEXT):
        first, last = group[0], group[-1]
        yield f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@\n"
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                yield from (_line(" ", line) for line in old[i1:i2])
            else:
                yield from (_line("-", line) for line in old[i1:i2])
                yield from (_line("+", line) for line in new[j1:j2])


def _line(sign: str, line: str) -> str:
    return f"{sign}{line}" if line.endswith("\n") else f"{sign}{line}\n{_MARKER}"


def _range(start: int, end: int) -> str:
    length = end - start
    if length == 1:
        return str(start + 1)
    return f"{start + 1 if length else start},{length}"
