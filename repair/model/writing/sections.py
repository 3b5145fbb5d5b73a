"""A reply that holds files, as untrusted text, to a safe set of files; or one sentence on why it is none.

    # === IMPLEMENTATION ===
    # FILE: shop/total.py
    …
    # === TESTS ===
    # FILE: tests/test_total.py
    …
    # === END ===

The last mark ends the reply, so there is no byte at which a reply could be cut and be read as something else. What
stands in front of the first mark, and behind the last one, is talk.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from analysis.facts import Files
from analysis.function_text import Unreadable, parse_module
from analysis.specified.test_functions import tests_in
from repair.model.read_reply import refuse_characters, whole_answer
from repair.model.reply import ModelReply, Unusable, UnusableKind, make_plain
from repair.model.writing.file_names import refuse_path, refuse_together
from repair.model.writing.made_code import imported_tests, is_empty, watched_runner, without_runners
from repair.records.written import ReplyPart, WrittenFiles

MOST_FILES, MOST_BYTES = 40, 400_000
"""Of one reply, and of the program with its tests."""

_MOST_CHARACTERS = MOST_BYTES + 50_000
"""An answer with so much talk around its files is read no further."""

_MARK = re.compile(r"#[ \t]*=+[ \t]*(?P<name>IMPLEMENTATION|TESTS|END)[ \t]*=+[ \t]*")
_FILE = re.compile(r"#[ \t]*FILE:[ \t]*(?P<path>.*?)[ \t]*")
_FENCE = re.compile(r"[ \t]*(?:```+|~~~+)[ \t]*\w*[ \t]*")

Check = Callable[[Files], str]
"""Says which of these files cannot be parsed, and why, without harm to this process; empty where all can."""


END = "END"
"""The mark that ends a reply."""


def read_sections(answer: ModelReply, wanted: frozenset[ReplyPart], check: Check) -> WrittenFiles | Unusable:
    """The files in an answer: those of the ``wanted`` sections, all of them and no other.

    Refuses what is cut, of another form, outside the folder, empty, oversized or cannot be parsed; and an
    implementation that imports tests. Fences around files are dropped, and so are statements that run tests.
    """
    whole = whole_answer(answer, _MOST_CHARACTERS)
    if isinstance(whole, Unusable):
        return whole
    unfit = refuse_characters(whole.text)
    if unfit is not None:
        return unfit
    parts = _split(whole.text.replace("\r\n", "\n").replace("\r", "\n"), wanted)
    if isinstance(parts, Unusable):
        return parts
    problem = _refuse_names(parts)
    return problem or _read_files(parts, check)


@dataclass(frozen=True, slots=True)
class _Part:
    """One file as it came."""

    section: ReplyPart
    path: str
    text: str


def _split(text: str, wanted: frozenset[ReplyPart]) -> tuple[_Part, ...] | Unusable:
    """The files of a whole reply with their sections."""
    lines = text.split("\n")
    marks = [(number, found["name"]) for number, line in enumerate(lines) if (found := _MARK.fullmatch(line))]
    end = next((number for number, name in marks if name == END), None)
    if end is None:
        return Unusable(f"the answer is cut off: # === {END} === is not there", UnusableKind.CUT)
    begun = [(number, name) for number, name in marks if number < end]
    named = [name for _, name in begun]
    for name in named:
        if name not in wanted:
            return _form(f"the answer has a section {name} that was not asked for")
        if named.count(name) > 1:
            return _form(f"the section {name} stands twice")
    missing = next((name for name in ReplyPart if name in wanted and name not in named), None)
    if missing is not None:
        return _form(f"the answer has no section # === {missing} ===")
    parts: list[_Part] = []
    ends = [number for number, _ in begun[1:]] + [end]
    for (first, name), last in zip(begun, ends, strict=True):
        files = _split_files(ReplyPart(name), lines[first + 1 : last])
        if isinstance(files, Unusable):
            return files
        parts += files
    return tuple(parts)


def _split_files(section: ReplyPart, lines: Sequence[str]) -> list[_Part] | Unusable:
    """The files of a section; each begins with its path."""
    heads = [(number, found["path"]) for number, line in enumerate(lines) if (found := _FILE.fullmatch(line))]
    before = lines[: heads[0][0]] if heads else lines
    code = [line for line in before if line.strip() and not line.startswith("#") and not _FENCE.fullmatch(line)]
    if code:
        return _form(f"{section} holds code in front of its first line # FILE: path.py")
    if not heads:
        kind = UnusableKind.EMPTY
        return Unusable(f"the {section.lower()} section is empty: it names no file", kind)
    ends = [number for number, _ in heads[1:]] + [len(lines)]
    return [
        _Part(section, path.strip("`"), _unfenced(lines[number + 1 : end]))
        for (number, path), end in zip(heads, ends, strict=True)
    ]


def _unfenced(lines: Sequence[str]) -> str:
    """The text of a file without blank lines and fences around it: neither begins or ends a file of Python."""
    kept = list(lines)
    while kept and (not kept[0].strip() or _FENCE.fullmatch(kept[0])):
        del kept[0]
    while kept and (not kept[-1].strip() or _FENCE.fullmatch(kept[-1])):
        del kept[-1]
    return "\n".join(kept) + "\n" if kept else ""


def _refuse_names(parts: Sequence[_Part]) -> Unusable | None:
    """Why these files may not be written where they want to lie."""
    if len(parts) > MOST_FILES:
        return Unusable(f"the answer has {len(parts)} files, more than {MOST_FILES}", UnusableKind.OVER_LONG)
    size = sum(len(part.text.encode()) for part in parts)
    if size > MOST_BYTES:
        return Unusable(f"the files have {size} bytes, more than {MOST_BYTES}", UnusableKind.OVER_LONG)
    said = next(filter(None, (refuse_path(p.path, is_test=p.section is ReplyPart.TESTS) for p in parts)), "")
    said = said or refuse_together([part.path for part in parts])
    return Unusable(said, UnusableKind.OUTSIDE) if said else None


def _read_files(parts: Sequence[_Part], check: Check) -> WrittenFiles | Unusable:
    """The files with their runners taken out, once all of them can be parsed."""
    problem = check(tuple((part.path, part.text.encode()) for part in parts))
    if problem:
        return Unusable(make_plain(problem, 400), _SYNTAX)
    kept: dict[ReplyPart, list[tuple[str, bytes]]] = {section: [] for section in ReplyPart}
    trees: dict[str, ast.Module] = {}
    for part in parts:
        read = _strip(part)
        if isinstance(read, Unusable):
            return read
        trees[part.path], text = read
        kept[part.section].append((part.path, text.encode()))
    files = WrittenFiles(*(tuple(sorted(kept[section])) for section in ReplyPart))
    return _refuse_code(files, trees) or files


def _strip(part: _Part) -> tuple[ast.Module, str] | Unusable:
    tree = parse_module(part.text)
    if isinstance(tree, Unreadable):
        return Unusable(make_plain(f"{part.path}: {tree.detail}", 400), _SYNTAX)
    text = without_runners(part.text, tree)
    if text is None:
        return _form(f"{part.path}: a call that runs the tests shares its line with other code")
    stripped = parse_module(text)
    if isinstance(stripped, Unreadable):
        return Unusable(make_plain(f"{part.path}: {stripped.detail}", 400), _SYNTAX)
    return stripped, text


def _refuse_code(files: WrittenFiles, trees: dict[str, ast.Module]) -> Unusable | None:
    """Why the code of a section is none: it does nothing, holds no test, or reaches from the program into tests."""
    for path, _ in files.implementation:
        name = imported_tests(trees[path])
        if name:
            return Unusable(f"{path} imports {make_plain(name, 80)}: a program knows nothing of its tests", _IMPORT)
        word = watched_runner(trees[path])
        if word:
            return Unusable(f"{path} asks by {make_plain(word, 80)} whether tests are running", UnusableKind.HOSTILE)
    own = [trees[path] for path, _ in files.implementation]
    if own and is_empty(own, [text.decode() for _, text in files.implementation]):
        return Unusable("the implementation is empty: no function of it does anything", UnusableKind.EMPTY)
    if files.tests and not tests_in({path: trees[path] for path, _ in files.tests}):
        return Unusable("the tests are empty: no function in them is a test", UnusableKind.EMPTY)
    return None


_SYNTAX, _IMPORT = UnusableKind.SYNTAX, UnusableKind.IMPORT


def _form(said: str) -> Unusable:
    return Unusable(said, UnusableKind.FORM)


def section_marks(wanted: frozenset[ReplyPart]) -> Iterator[str]:
    """The lines of the form, as a model is told them."""
    places = {ReplyPart.IMPLEMENTATION: "package/module.py", ReplyPart.TESTS: "tests/test_module.py"}
    for section in ReplyPart:
        if section in wanted:
            yield f"# === {section} ==="
            yield f"# FILE: {places[section]}"
            yield "the whole text of the file"
    yield f"# === {END} ==="
