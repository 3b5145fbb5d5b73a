"""What the statements and exclusions of files are, as coverage.py's own parser and the project's settings say.

Both belong to others: a file may bring a compiler down, and a pattern of the settings may search for ever. So a
short-lived child of the engine's interpreter reads them, under limits and with an empty environment. It sees the
settings alone, in a folder of its own. Plugins that they name are never loaded.
"""

from __future__ import annotations

import base64
import io
import json
import os
import subprocess
import sys
import tokenize
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from analysis.facts import Arcs, digest
from analysis.lines import Lines
from analysis.statement_lines import Branch, FileStatements
from repair.observe.parsing import MOST_BYTES, MOST_LINES, Sources
from repair.records.change import Change, files_before
from sandbox.scratch import passing_folder

SETTINGS = (".coveragerc", ".coveragerc.toml", "setup.cfg", "tox.ini", "pyproject.toml")
"""Files in which a project configures coverage.py, in the order in which it looks."""

NEEDED = ("LD_LIBRARY_PATH",)
"""Variables without which some interpreters do not start; of the others the child sees none."""

NOT_USED = "the project's coverage settings were not used: reading files by them takes too long, or fails"

PART_BYTES = 1 << 20
"""Sources of about this size are read by one child, in some seconds."""

SECONDS = 15.0
MOST_SETTINGS_BYTES = 1 << 20


@dataclass(frozen=True, slots=True)
class MeasuredFiles:
    """Statements of each file by its path. ``omitted`` are files that the settings leave out: they have none.

    ``settings`` names the file with the settings, ``""`` where there is none. ``said`` are sentences on what of them is
    not used, ``problems`` why a file has no statements, by its path.
    """

    files: Mapping[str, FileStatements]
    omitted: frozenset[str] = frozenset()
    settings: str = ""
    branch: bool = False
    """Whether the project measures branches: then its files have theirs."""
    said: tuple[str, ...] = ()
    problems: Mapping[str, str] = field(default_factory=dict)

    def of(self, path: str) -> FileStatements:
        """Those of one file; none where they are not known."""
        return self.files.get(path, FileStatements())


Measure = Callable[[Sources], MeasuredFiles]
"""Says what the statements of sources are."""

RanArcs = Mapping[str, Arcs]
"""The arcs that ran in each file."""


MeasureBranches = Callable[[Sources, RanArcs], MeasuredFiles]
"""Says what the branches of sources are, and which of them are among the arcs that ran."""


def measure_statements(
    sources: Sources,
    settings: Mapping[str, bytes] | None = None,
    seconds: float = SECONDS,
    ran: RanArcs | None = None,
) -> MeasuredFiles:
    """The statements of these files by these settings (texts by their names in ``SETTINGS``). Never raises for them.

    Where the settings ask for branches the files have these, and those among the arcs that ``ran`` count as taken.
    Settings with which the child is lost, or that coverage.py refuses, are not used, and that is said.
    """
    texts = dict(sources)
    large = {path for path, text in sources if text.count(b"\n") > MOST_LINES or len(text) > MOST_BYTES}
    problems = dict.fromkeys(sorted(large), "it is too large")
    usable = {name: text for name, text in (settings or {}).items() if len(text) <= MOST_SETTINGS_BYTES}
    found: dict[str, FileStatements] = {}
    head: dict[str, Any] = {}
    for part in _parts([each for each in sources if each[0] not in large]):
        waiting = part
        while waiting:
            said_first, answers = _ask(list(texts), waiting, usable, seconds, ran or {})
            if usable and len(answers) < len(waiting):
                plain = measure_statements(sources, None, seconds)
                return replace(plain, said=(*plain.said, NOT_USED))
            head = head or said_first or {}
            for (path, _), answer in zip(waiting, answers, strict=False):
                if isinstance(answer, FileStatements):
                    found[path] = answer
                else:
                    problems[path] = answer
            if said_first is None:  # the child does not even begin
                problems.update((path, "coverage's parser does not run") for path, _ in waiting)
                break
            lost = waiting[len(answers) :]
            problems.update((path, "coverage's parser is lost in it") for path, _ in lost[:1])
            waiting = lost[1:]
    omitted = frozenset(map(str, head.get("omitted", ()))) & found.keys()
    found.update({path: FileStatements(excluded=_all_lines(texts[path])) for path in omitted})
    return MeasuredFiles(
        found,
        omitted,
        str(head.get("settings", "")),
        head.get("branch") is True,
        tuple(map(str, head.get("said", ()))),
        problems,
    )


def _parts(sources: Sources) -> Iterator[Sources]:
    """The sources in parts of about the same size, each for one child: its time is bounded."""
    part: list[tuple[str, bytes]] = []
    size = 0
    for each in sources:
        part.append(each)
        size += len(each[1])
        if size >= PART_BYTES:
            yield part
            part, size = [], 0
    if part:
        yield part


def _all_lines(source: bytes) -> Lines:
    return Lines.from_ranges(((1, source.count(b"\n") + 1),))


def _ask(
    paths: Sequence[str], sources: Sources, settings: Mapping[str, bytes], seconds: float, ran: RanArcs
) -> tuple[dict[str, Any] | None, list[FileStatements | str]]:
    """What the child says of the settings, and of each source that it got through; ``None`` where it said nothing.

    ``paths`` are those of all sources: by these it tells what the settings leave out.
    """
    texts = [base64.b64encode(source).decode("ascii") for _, source in sources]
    request = json.dumps([paths, texts, [sorted(ran.get(path, ())) for path, _ in sources]])
    command = [sys.executable, "-E", "-P", "-W", "ignore", "-X", "utf8", "-m", "repair.observe.statements_child"]
    with passing_folder() as folder:
        for name in SETTINGS:
            if name in settings:
                Path(folder, name).write_bytes(settings[name])
        try:
            done = subprocess.run(
                command,
                input=request.encode(),
                capture_output=True,
                timeout=seconds,
                check=False,
                cwd=folder,
                env={name: os.environ[name] for name in NEEDED if name in os.environ},
            )
            output = done.stdout
        except subprocess.TimeoutExpired as late:
            output = late.stdout or b""
    lines = output.split(b"\n")[:-1]
    try:
        head = json.loads(lines[0]) if lines else None
        answers = [_answer(json.loads(line)) for line in lines[1 : len(sources) + 1]]
    except (ValueError, TypeError, RecursionError):
        return None, []
    return (head if isinstance(head, dict) else None), answers


def _answer(values: Any) -> FileStatements | str:
    if isinstance(values, str):
        return values
    spans, excluded, branches = values
    pairs = tuple((int(first), int(last)) for first, last in spans)
    ways = tuple(Branch(int(start), int(end), taken is True) for start, end, taken in branches)
    return FileStatements(pairs, Lines(map(int, excluded)), ways)


def without_new_comments(old: bytes | None, new: bytes) -> bytes:
    """The new text without the comments on lines that the old one does not have: a change cannot exclude itself.

    A text that Python's tokenizer cannot read is given back as it is.
    """
    known = set((old or b"").splitlines())
    lines = new.splitlines(keepends=True)
    try:
        comments = [t for t in tokenize.tokenize(io.BytesIO(new).readline) if t.type == tokenize.COMMENT]
    except (tokenize.TokenError, SyntaxError, UnicodeError):
        return new
    for token in comments:
        row, column = token.start
        line = lines[row - 1]
        if line.rstrip(b"\r\n") not in known and b"coding" not in line:
            at = len(token.line[:column].encode("utf-8"))
            lines[row - 1] = line[:at].rstrip() + line[len(line.rstrip(b"\r\n")) :]
    return b"".join(lines)


def read_settings(
    read: Callable[[Iterable[str]], Mapping[str, bytes]], change: Change | None = None
) -> dict[str, bytes]:
    """The texts of those files of settings that are there, as they were before the change.

    ``read`` gives files of the project, which may have the change.
    """
    now = read(SETTINGS)
    before = files_before(change, now) if change is not None else now
    return {name: before[name] for name in SETTINGS if name in before}


class KnownStatements:
    """Statements by one project's settings; each set of sources is read once."""

    def __init__(self, settings: Mapping[str, bytes]) -> None:
        self._settings = settings
        self._known: dict[str, MeasuredFiles] = {}

    @property
    def are_measured(self) -> bool:
        """Whether the settings ask for branches; where no file of them speaks of any, nobody is asked."""
        if not any(b"branch" in text for text in self._settings.values()):
            return False
        return self.measure((("any.py", b"pass\n"),)).branch

    def branches(self, sources: Sources, ran: RanArcs) -> MeasuredFiles:
        """As ``measure_statements`` says, with the branches that are among the arcs that ran."""
        return measure_statements(sources, self._settings, ran=ran)

    def measure(self, sources: Sources) -> MeasuredFiles:
        """As ``measure_statements`` says."""
        key = digest(*(part for path, source in sources for part in (path, source)))
        if key not in self._known:
            self._known[key] = measure_statements(sources, self._settings)
        return self._known[key]
