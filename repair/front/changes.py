"""The change that ``check`` is asked about, and the answer where it changes nothing: no test has to run for that.

What is imported here is light: whoever asks about nothing has the answer at once. Trees and tokens are compared in
a child process, since hostile source can crash a parser. It loads nothing but the standard library. Where it gives no
answer, the sources count as different.

Here it is also said where else the program has what a recorded change takes away.
"""

from __future__ import annotations

import base64
import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from analysis.diagnosis import is_test_path
from analysis.errors import ConflictError, UsageError
from analysis.same_flaw import find_siblings
from repair.records.change import Change
from repair.records.memory_report import PlaceAlike, SiblingsReport
from repair.records.result import FileChange, FindingView, Result, Status
from repair.records.wording import count_noun
from repair.store.atomic import read_plain, sha256
from repair.store.git import change_since
from repair.store.stored_run import StoredRun
from transforms.patch.diff import parse_change

NOTHING_TO_DO = "nothing to do"

MOST_NAMED = 3
"""So many files are named in a sentence."""

MOST_COMPARED = 1 << 20
"""Of all sources together; more are not compared."""

_SECONDS = 5.0

_CHILD = """
import ast, base64, io, itertools, json, resource, sys, tokenize
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

def alike(one, other):
    waiting = [(one, other)]
    while waiting:
        one, other = waiting.pop()
        if type(one) is not type(other):
            return False
        if isinstance(one, ast.AST):
            waiting += [(getattr(one, name, None), getattr(other, name, None)) for name in one._fields]
        elif isinstance(one, list):
            if len(one) != len(other):
                return False
            waiting += zip(one, other)
        elif repr(one) != repr(other):
            return False
    return True

def words(source):
    source = source.replace(b"\\r\\n", b"\\n").replace(b"\\r", b"\\n")  # as each parser reads it
    row, opened = 0, []
    for token in tokenize.tokenize(io.BytesIO(source).readline):
        name = tokenize.tok_name[token.type]
        if name == "ERRORTOKEN":
            raise ValueError(token)
        if token.start[0] > row:
            yield "joined by a backslash"
        row = token.end[0] + (name in ("ENCODING", "NEWLINE", "NL"))
        if name in ("FSTRING_START", "TSTRING_START"):
            opened.append(token.start)
        if opened:  # an older engine reads the whole of it as one token, blanks and all
            down, right = token.start[0] - opened[0][0], token.start[1]
            yield name, token.string, down, right if down else right - opened[0][1]
        elif name not in ("COMMENT", "NL"):
            yield name, "" if name in ("INDENT", "NEWLINE") else token.string
        if name in ("FSTRING_END", "TSTRING_END"):
            opened.pop()

def are_same(one, other):
    return alike(ast.parse(one), ast.parse(other)) and all(
        here == there for here, there in itertools.zip_longest(words(one), words(other))
    )

pairs = [[base64.b64decode(text) for text in pair] for pair in json.load(sys.stdin)]
print(all(are_same(one, other) for one, other in pairs))
"""


def change_asked_about(root: Path, patch: bytes | None, since: str | None) -> Change:
    """The change that a unified diff makes, or what the working tree changed since a revision."""
    return change_since(root, since) if since is not None else change_of(patch or b"", reader(root))


def change_of(patch: bytes, read: Callable[[str], bytes | None]) -> Change:
    """The change that a unified diff makes to the working tree, or has made to it where it is applied already.

    At the end of a file both can be read into it: lines that were added there stand behind the same lines as before.
    Then it is the lines that are there that tell: more of those that it adds, or of those that it removes.
    """
    try:
        made = Change(*parse_change(patch, read))
    except UsageError as refused:
        try:
            return _change_in_place(patch, read)
        except UsageError:
            raise refused from None
    try:
        in_place = _change_in_place(patch, read)
    except UsageError:
        return made
    added, removed = (sum(line.startswith(sign) for line in patch.split(b"\n")) for sign in (b"+", b"-"))
    return in_place if added > removed else made


def _change_in_place(patch: bytes, read: Callable[[str], bytes | None]) -> Change:
    now, before = parse_change(patch, read, backward=True)
    return Change(before, now)


def is_in_place(change: Change, read: Callable[[str], bytes | None]) -> bool:
    """Whether the working tree is as it is after the change."""
    after = dict(change.after)
    return all(read(path) == after.get(path) for path, _ in (*change.before, *change.after))


def reader(root: Path) -> Callable[[str], bytes | None]:
    """Reads files below the root; ``None`` for what is not there."""

    def read(path: str) -> bytes | None:
        found = root / path
        return found.read_bytes() if found.is_file() and not found.is_symlink() else None

    return read


def answer_unchanged(root: str, change: Change, since: str | None) -> Result | None:
    """The answer where the program and its tests are as they were; ``None`` where there is something to judge.

    So it is where no file differs, and where all that differs is comments and layout of Python files. Documents are
    judged as ever: tests may read them, or run their examples.
    """
    old, new = dict(change.before), dict(change.after)
    changed = sorted(path for path in {*old, *new} if old.get(path) != new.get(path))
    if change.others:
        return None
    if not changed:
        said = f"Nothing differs from {since}." if since is not None else "The patch changes no byte of any file."
        return Result(Status.UNCHANGED, root=root, messages=(said,), next_action=NOTHING_TO_DO)
    pairs = [(old[path], new[path]) for path in changed if path in old and path in new and path.endswith(".py")]
    if len(pairs) < len(changed) or not are_same_programs(pairs):
        return None
    named = ", ".join(changed[:MOST_NAMED]) + (" and others" if len(changed) > MOST_NAMED else "")
    said = (
        f"Only comments and layout differ, in {count_noun(len(changed), 'file')} ({named}): each has the same tokens."
    )
    findings = tuple(FindingView("layout", "only comments and layout differ", path, 1) for path in changed)
    return Result(Status.UNCHANGED, root=root, messages=(said,), findings=findings, next_action=NOTHING_TO_DO)


def are_same_programs(pairs: Sequence[tuple[bytes, bytes]]) -> bool:
    """Whether in each pair both sources have one syntax tree and the same tokens: only comments and layout differ.

    ``x=1`` and ``x = 1  # one`` are alike. Another docstring is another program, since programs can read it. So are
    brackets that our Python does not need: an older one may refuse ``with (a as b):``, which has the tree of
    ``with a as b:``. Other quotes and a line joined by a backslash are judged for the same reason.
    """
    if sum(len(one) + len(other) for one, other in pairs) > MOST_COMPARED:
        return False
    asked = json.dumps([[base64.b64encode(text).decode("ascii") for text in pair] for pair in pairs])
    command = [sys.executable, "-I", "-S", "-W", "ignore", "-c", _CHILD]
    try:
        done = subprocess.run(command, input=asked.encode(), capture_output=True, timeout=_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0 and done.stdout.strip() == b"True"


LARGEST_FILE, MOST_FILES = 1 << 20, 10_000
"""Bytes of a file, and how many files, that are looked at."""

NOT_THE_PROGRAM = frozenset(("node_modules", "site-packages", "build", "dist", "venv", "__pycache__"))


def report_siblings(run: StoredRun, root: Path) -> SiblingsReport:
    """The other places with the flaw of the run's first patch, in the program as it is now.

    Raises ``UsageError`` where the run has no patch or is foreign, ``ConflictError`` where its file has changed since.
    """
    result = None if run.is_foreign else run.result()
    patch = next((each for each in result.patches if each.files), None) if result is not None else None
    if patch is None:
        raise UsageError(f"Run {run.id} has no patch of yours", remedy="`repair runs` lists the runs.")
    change = next((each for each in patch.files if each.path == patch.file), patch.files[0])
    sources = dict(_program(root))
    before, after = _before(run, change, root), run.content(change.after)
    flaw, places = find_siblings(before, after, patch.function, sources, patch.file)
    alike = tuple(PlaceAlike(each.file, each.line, each.function, each.text) for each in places)
    return SiblingsReport(run.id, patch.file, patch.function, flaw, alike, len(sources))


def _before(run: StoredRun, change: FileChange, root: Path) -> bytes:
    """The file as the run read it: as it lies there, or as it was kept when the patch was applied."""
    found = reader(root)(change.path) or b""
    if sha256(found) == change.before:
        return found
    try:
        return run.content(change.before)
    except UsageError as problem:
        raise ConflictError(
            f"{change.path} is no longer as run {run.id} read it",
            remedy="Take the change back, or run `repair fix` again.",
        ) from problem


def _program(root: Path) -> Iterator[tuple[str, bytes]]:
    """The Python files below the root that are no tests; links, pipes and hidden folders are left out."""
    count = 0
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(each for each in folders if each not in NOT_THE_PROGRAM and not each.startswith("."))
        for name in sorted(names):
            path = Path(folder, name)
            relative = path.relative_to(root).as_posix()
            content = None
            if name.endswith(".py") and not is_test_path(relative) and count < MOST_FILES:
                with contextlib.suppress(OSError):  # it may be gone, or closed to this user
                    content = read_plain(path, LARGEST_FILE)
            if content is not None:
                count += 1
                yield relative, content
