"""A unified diff as text, and the files that come out of it: applied exactly, or refused with the place.

The text travels as Latin-1, one character for each byte, so that lines of any encoding survive.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from unidiff.errors import UnidiffParseError
from unidiff.patch import Hunk, PatchedFile, PatchSet

from analysis.errors import UsageError
from analysis.facts import Files

Read = Callable[[str], bytes | None]

_NOWHERE = "/dev/null"
_REMEDY = "Make the patch against the files as they are now."
_ESCAPES = {"a": 7, "b": 8, "t": 9, "n": 10, "v": 11, "f": 12, "r": 13, '"': 34, "\\": 92}


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
    old, new = (_unquoted(side.rstrip("\r")) for side in (patched.source_file, patched.target_file))
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


def _unquoted(side: str) -> str:
    if len(side) >= 2 and side[0] == side[-1] == '"':
        side = re.sub(r"\\([0-7]{3}|.)", _unescaped, side[1:-1])
    return side.encode("latin-1").decode("utf-8", "surrogateescape")


def _unescaped(escape: re.Match[str]) -> str:
    code = escape[1]
    return chr(int(code, 8) & 255) if len(code) == 3 else chr(_ESCAPES.get(code, ord(code)))


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
    after = _applied(patched, path, before or b"", backward)
    if removed and after:
        raise UsageError("The patch removes a file whose text is another", where=path, remedy=_REMEDY)
    return None if removed else after


def _applied(patched: PatchedFile, path: str, before: bytes, backward: bool) -> bytes:
    lines = _lines(before.decode("latin-1"))
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


def _lines(text: str) -> list[str]:
    return [line for line in re.split(r"(?<=\n)", text) if line]
