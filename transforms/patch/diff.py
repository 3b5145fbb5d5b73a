"""Unified diffs that ``git apply`` accepts, whatever the bytes.

Lines end at ``\n`` only: form feeds, lone carriage returns and Unicode separators stay inside their
line. Bytes that are not UTF-8 travel as surrogate escapes; ``as_bytes`` gives them back.

A unified diff as text, and the files that come out of it: applied exactly, or refused with the place.

The text travels as Latin-1, one character for each byte, so that lines of any encoding survive.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterable, Iterator, Sequence

from unidiff.errors import UnidiffParseError
from unidiff.patch import Hunk, PatchedFile, PatchSet

from analysis.errors import UsageError
from analysis.facts import Files

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


def join_diffs(diffs: Iterable[str]) -> str:
    """One patch out of those of several files."""
    return "".join(diffs)


def as_bytes(diff: str) -> bytes:
    """The bytes to write or to hand to git."""
    return diff.encode("utf-8", "surrogateescape")


def quote_path(path: str) -> str:
    """The path as git writes it: in C quotes when a byte of it is not plain."""
    raw = path.encode("utf-8", "surrogateescape")
    if not re.search(rb'[\x00-\x1f"\\\x7f-\xff]', raw):
        return path
    return '"' + "".join(_escape_byte(byte) for byte in raw) + '"'


def _escape_byte(byte: int) -> str:
    if byte in _ESCAPES:
        return f"\\{_ESCAPES[byte]}"
    return chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}"


def _git_header(path: str, before: bytes | None, after: bytes | None) -> str:
    """Plain changes need no header of git's own; a file that comes or goes does, or its mode is a guess."""
    if before is not None and after is not None:
        return ""
    word = "new" if before is None else "deleted"
    return f"diff --git {quote_path('a/' + path)} {quote_path('b/' + path)}\n{word} file mode 100644\n"


def _side(prefix: str, path: str, content: bytes | None) -> str:
    if content is None:
        return "/dev/null"
    name = quote_path(prefix + path)
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


Read = Callable[[str], bytes | None]

_NOWHERE = "/dev/null"
_REMEDY = "Make the patch against the files as they are now."
_UNESCAPED = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}


def parse_patch(text: bytes, read: Read) -> Files:
    """The files that the patch touches, as they are after it; one that it removes has no entry.

    ``read`` gives a file's present bytes, ``None`` where there is none. Paths may carry git's ``a/`` and
    ``b/`` or stand bare. Context must match to the byte; a hunk may stand on other lines than it says
    where its text occurs just once. Raises ``UsageError`` for whatever else.
    """
    return parse_change(text, read)[1]


def parse_change(text: bytes, read: Read, *, backward: bool = False) -> tuple[Files, Files]:
    """The files that the patch touches as they are now and after it; see ``parse_patch``.

    ``backward`` takes the patch out again: the files as they are now and as they were before it.
    """
    decoded = text.decode("latin-1")
    if re.search(r"^\+\+\+ [^\n]*\r$", decoded, re.MULTILINE):
        # The patch itself was rewritten with other line ends; the files that it is for, perhaps not.
        try:
            return _change(decoded, read, backward)
        except UsageError:
            return _change(decoded.replace("\r\n", "\n"), read, backward)
    return _change(decoded, read, backward)


def _change(decoded: str, read: Read, backward: bool) -> tuple[Files, Files]:
    before: dict[str, bytes] = {}
    after: dict[str, bytes] = {}
    for patched in _patched_files(decoded):
        path = _path(patched, read)
        if path in before or path in after:
            raise UsageError("The patch changes a file twice", where=path, remedy="Merge the two parts into one.")
        old = read(path)
        new = _after(patched, path, old, backward)
        if old is not None:
            before[path] = old
        if new is not None:
            after[path] = new
    if not before and not after:
        raise UsageError("The patch changes no file", remedy="Give a unified diff, as `git diff` prints it.")
    return tuple(sorted(before.items())), tuple(sorted(after.items()))


def _patched_files(decoded: str) -> PatchSet:
    refused = re.search(r"^(rename|copy) from (.*)$", decoded, re.MULTILINE)
    if refused:
        remedy = "Give the change as a removed and an added file (`git diff --no-renames`)."
        raise UsageError(f"The patch contains a {refused[1]}", where=refused[2].strip(), remedy=remedy)
    if re.search(r"^(GIT binary patch|Binary files? .* differ)\r?$", decoded, re.MULTILINE):
        raise UsageError("The patch changes a binary file", remedy="Only text can be judged: leave that file out.")
    try:
        return PatchSet(decoded)
    except UnidiffParseError as problem:
        remedy = "Give a unified diff, as `git diff` prints it."
        raise UsageError(f"The patch cannot be read: {str(problem).strip()}", remedy=remedy) from problem


def _path(patched: PatchedFile, read: Read) -> str:
    """The one path, relative to the project, that the file's two headers name."""
    old, new = (_unquote_path(side.rstrip("\r")) for side in (patched.source_file, patched.target_file))
    if patched.is_submodule or patched.is_symlink:
        raise UsageError("The patch changes a link or a submodule", where=new, remedy="Leave it out.")
    stripped = [side.removeprefix(prefix) for side, prefix in ((old, "a/"), (new, "b/")) if side not in (_NOWHERE, "")]
    if not stripped:
        raise UsageError("The patch names no file", remedy="Give a unified diff, as `git diff` prints it.")
    bare = [side for side in (old, new) if side not in (_NOWHERE, "")]
    whole = len(set(bare)) == 1 and read(stripped[0]) is None and read(bare[0]) is not None
    names = set(bare if whole else stripped)
    if len(names) != 1:
        found = f"The patch renames {stripped[0]} to {stripped[1]}"
        raise UsageError(found, remedy="Give the change as a removed and an added file, under paths from the root.")
    return _safe(names.pop())


def _safe(path: str) -> str:
    parts = path.split("/")
    if path.startswith(("/", "~")) or "\\" in path or ".." in parts or "\0" in path or parts[0] == ".git":
        raise UsageError(
            "The patch reaches out of the project", where=path, remedy="Paths start at the project's root."
        )
    return "/".join(part for part in parts if part not in ("", "."))


def _unquote_path(side: str) -> str:
    if len(side) >= 2 and side[0] == side[-1] == '"':
        side = re.sub(r"\\([0-7]{3}|.)", _unescape, side[1:-1])
    return side.encode("latin-1").decode("utf-8", "surrogateescape")


def _unescape(escape: re.Match[str]) -> str:
    code = escape[1]
    return chr(int(code, 8) & 255) if len(code) == 3 else chr(_UNESCAPED.get(code, ord(code)))


def _after(patched: PatchedFile, path: str, before: bytes | None, backward: bool) -> bytes | None:
    source, target = patched.source_file.rstrip("\r"), patched.target_file.rstrip("\r")
    if backward:
        source, target = target, source
    removed = target == _NOWHERE
    if source == _NOWHERE:
        if before is not None:
            raise UsageError("The patch adds a file that is there already", where=path, remedy=_REMEDY)
    elif before is None:
        raise UsageError("The patch changes a file that is not there", where=path, remedy=_REMEDY)
    after = _apply_hunks(patched, path, before or b"", backward)
    if removed and after:
        raise UsageError("The patch removes a file whose text is another", where=path, remedy=_REMEDY)
    return None if removed else after


def _apply_hunks(patched: PatchedFile, path: str, before: bytes, backward: bool) -> bytes:
    lines = _lines_of_text(before.decode("latin-1"))
    done: list[str] = []
    position = 0
    for number, hunk in enumerate(patched, 1):
        old, new = reversed(_sides(hunk)) if backward else _sides(hunk)
        start = hunk.target_start if backward else hunk.source_start
        at = _where(lines, old, position, start)
        if at is None:
            found = f"Hunk {number} of {path} (line {start}) does not apply"
            raise UsageError(found, where=f"{path}:{start}", remedy=_REMEDY)
        done += [*lines[position:at], *new]
        position = at + len(old)
    return "".join([*done, *lines[position:]]).encode("latin-1")


def _where(lines: Sequence[str], old: Sequence[str], position: int, start: int) -> int | None:
    """The index at which a hunk's old lines stand: where it says, else at the only place further down the file."""
    stated = start - 1 if old else start
    if not old:
        return stated if position <= stated <= len(lines) else None
    size = len(old)
    if stated >= position and list(lines[stated : stated + size]) == list(old):
        return stated
    places = [
        at for at in range(position, len(lines) - size + 1) if lines[at] == old[0] and lines[at : at + size] == old
    ]
    return places[0] if len(places) == 1 else None


def _sides(hunk: Hunk) -> tuple[list[str], list[str]]:
    """The old and the new lines of a hunk, without line end where a marker says so."""
    old: list[str] = []
    new: list[str] = []
    last: tuple[list[str], ...] = ()
    for line in hunk:
        if line.line_type == "\\":
            for side in last:
                side[-1] = side[-1].removesuffix("\n")
            continue
        last = {" ": (old, new), "-": (old,), "+": (new,)}.get(line.line_type, ())
        for side in last:
            side.append(line.value)
    return old, new


def _lines_of_text(text: str) -> list[str]:
    return [line for line in re.split(r"(?<=\n)", text) if line]
