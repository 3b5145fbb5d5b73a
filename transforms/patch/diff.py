r"""Unified diffs that ``git apply`` accepts, whatever the bytes, and the files that come out of such a diff.

Lines end at ``\n`` only: form feeds, lone carriage returns and Unicode separators stay inside their line. In a diff
that is made, bytes that are not UTF-8 travel as surrogate escapes; ``as_bytes`` gives them back. One that is applied is
read as Latin-1, one character for each byte, so that lines of any encoding survive.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator, Sequence

from unidiff.errors import UnidiffParseError
from unidiff.patch import Hunk, PatchedFile, PatchSet

from analysis.errors import UsageError
from analysis.facts import Files

_CONTEXT = 3
_MOST_LINES = 20_000
"""Lines of both texts together; where there are more no least difference is looked for, which would take minutes."""

_MARKER = "\\ No newline at end of file\n"
_ESCAPES = {7: "a", 8: "b", 9: "t", 10: "n", 11: "v", 12: "f", 13: "r", 34: '"', 92: "\\"}
_UNESCAPED = {letter: byte for byte, letter in _ESCAPES.items()}


def unified_diff(path: str, before: bytes | None, after: bytes | None) -> str:
    """The change of one file, empty when there is none. ``None`` stands for a file that is not there."""
    if before == after:
        return ""
    old, new = (_lines((content or b"").decode("utf-8", "surrogateescape")) for content in (before, after))
    hunks, head = "".join(_hunks(old, new)), ""
    if before is None or after is None:  # a plain change needs no header of git's own; without one, the mode is a guess
        word = "new" if before is None else "deleted"
        head = f"diff --git {quote_path('a/' + path)} {quote_path('b/' + path)}\n{word} file mode 100644\n"
    if not hunks:  # an empty file that comes or goes
        return head
    return f"{head}--- {_side('a/', path, before)}\n+++ {_side('b/', path, after)}\n{hunks}"


def as_bytes(diff: str) -> bytes:
    """The bytes to write or to hand to git."""
    return diff.encode("utf-8", "surrogateescape")


def quote_path(path: str) -> str:
    """The path as git writes it: in C quotes when a byte of it is not plain."""
    raw = path.encode("utf-8", "surrogateescape")
    if not re.search(rb'[\x00-\x1f"\\\x7f-\xff]', raw):
        return path
    codes = {byte: _ESCAPES.get(byte, f"{byte:03o}") for byte in raw if byte in _ESCAPES or not 32 <= byte < 127}
    return '"' + "".join(f"\\{codes[byte]}" if byte in codes else chr(byte) for byte in raw) + '"'


def _side(prefix: str, path: str, content: bytes | None) -> str:
    if content is None:
        return "/dev/null"
    name = quote_path(prefix + path)
    return f"{name}\t" if " " in name and not name.startswith('"') else name


def _lines(text: str) -> list[str]:
    return [line for line in re.split(r"(?<=\n)", text) if line]


def _hunks(old: Sequence[str], new: Sequence[str]) -> Iterator[str]:
    large = len(old) + len(new) > _MOST_LINES
    for group in (
        _one_hunk(old, new) if large else difflib.SequenceMatcher(None, old, new).get_grouped_opcodes(_CONTEXT)
    ):
        first, last = group[0], group[-1]
        yield f"@@ -{_range(first[1], last[2])} +{_range(first[3], last[4])} @@\n"
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                yield from (_line(" ", line) for line in old[i1:i2])
            else:
                yield from (_line("-", line) for line in old[i1:i2])
                yield from (_line("+", line) for line in new[j1:j2])


def _one_hunk(old: Sequence[str], new: Sequence[str]) -> Iterator[list[tuple[str, int, int, int, int]]]:
    """All between the first and the last line that differ, as one hunk: in time that grows with the lines alone."""
    most = min(len(old), len(new))
    start = next((at for at in range(most) if old[at] != new[at]), most)
    end = next((at for at in range(most - start) if old[-1 - at] != new[-1 - at]), most - start)
    above, below = min(start, _CONTEXT), min(end, _CONTEXT)
    one, other = len(old) - end, len(new) - end
    if start < one or start < other:
        yield [
            ("equal", start - above, start, start - above, start),
            ("replace", start, one, start, other),
            ("equal", one, one + below, other, other + below),
        ]


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


def parse_change(text: bytes, read: Read, *, backward: bool = False) -> tuple[Files, Files]:
    """The files that the patch touches, as they are now and after it; one that is not there has no entry.

    ``read`` gives a file's present bytes, ``None`` where there is none. Paths may carry git's ``a/`` and
    ``b/`` or stand bare. Context must match to the byte; a hunk may stand on other lines than it says
    where its text occurs just once. Raises ``UsageError`` for whatever else.
    ``backward`` takes the patch out again: the files as they are now and as they were before it.
    """
    decoded = text.decode("latin-1")
    try:
        return _change(decoded, read, backward)
    except UsageError:
        if not re.search(r"^\+\+\+ [^\n]*\r$", decoded, re.MULTILINE):
            raise
    # The patch itself was rewritten with other line ends; the files that it is for, perhaps not.
    return _change(decoded.replace("\r\n", "\n"), read, backward)


def _change(decoded: str, read: Read, backward: bool) -> tuple[Files, Files]:
    before: dict[str, bytes] = {}
    after: dict[str, bytes] = {}
    letters = _letters(decoded, read)
    for patched in _patched_files(decoded):
        path = _path(patched, read, letters)
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


_TURNED = re.compile(r"^(?:diff --git b/(\S+) a/\1|--- b/(\S+)[^\n]*\n\+\+\+ a/\2(?:\t[^\n]*)?)\r?$", re.MULTILINE)


def _letters(decoded: str, read: Read) -> tuple[str, str]:
    """What stands before old and new paths: `git diff -R` swaps the letters, in all of a patch."""
    found = _TURNED.search(decoded)
    turned = found is not None and read(f"b/{found[1] or found[2]}") is None
    return ("b/", "a/") if turned else ("a/", "b/")


def _path(patched: PatchedFile, read: Read, letters: tuple[str, str]) -> str:
    """The one path, relative to the project, that the file's two headers name, behind these letters."""
    old, new = (_unquote_path(side.rstrip("\r")) for side in (patched.source_file, patched.target_file))
    if patched.is_submodule or patched.is_symlink:
        raise UsageError("The patch changes a link or a submodule", where=new, remedy="Leave it out.")
    sides = zip((old, new), letters, strict=True)
    stripped = [side.removeprefix(prefix) for side, prefix in sides if side not in (_NOWHERE, "")]
    if not stripped:
        raise UsageError("The patch names no file", remedy="Give a unified diff, as `git diff` prints it.")
    bare = [side for side in (old, new) if side not in (_NOWHERE, "")]
    whole = len(set(bare)) == 1 and read(stripped[0]) is None and read(bare[0]) is not None
    names = set(bare if whole else stripped)
    if len(names) != 1:
        found = f"The patch renames {stripped[0]} to {stripped[1]}"
        raise UsageError(found, remedy="Give the change as a removed and an added file, under paths from the root.")
    path = names.pop()
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
    lines = _lines((before or b"").decode("latin-1"))
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
    after = "".join([*done, *lines[position:]]).encode("latin-1")
    if removed and after:
        raise UsageError("The patch removes a file whose text is another", where=path, remedy=_REMEDY)
    return None if removed else after


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
