"""What a person says that the program should do, as a test: the answer to the question that a doubt leaves.

An answer is written ``CALL == VALUE`` or ``CALL raises EXCEPTION``, with names by their modules
(``humanize.naturalsize(1.0) == '1 Byte'``). It becomes a test that lies under both programs, the old and the new one,
and counts like any other test of the project.
"""

from __future__ import annotations

import ast
import builtins
import itertools
import re
import sys
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from analysis.errors import UsageError
from analysis.facts import Files, TestId
from repair.compare.made_values import AFTER, HELPERS, MADE, SAME, STATE

NAME = "test_repair_answers{}.py"
"""The file of a run's answers, with a number where the project has such a file: what lies there nobody said now."""
FORMS = "Write it as MODULE.FUNCTION(ARGUMENTS) == VALUE, or MODULE.FUNCTION(ARGUMENTS) raises EXCEPTION."
_RAISES = re.compile(r"(?s)\s*(?P<call>.+?)\s+raises\s+(?P<expected>[A-Za-z_][\w.]*)\s*\Z")


@dataclass(frozen=True, slots=True)
class PersonsAnswer:
    """One expression of the program, and the value or (with ``raises``) the exception that it should give."""

    call: str
    expected: str
    raises: bool

    def __str__(self) -> str:
        return f"{self.call} {'raises' if self.raises else '=='} {self.expected}"


def read_answer(text: str) -> PersonsAnswer:
    """The answer that a person wrote. Raises ``UsageError`` for what is none."""
    raising = _RAISES.match(text)
    if raising and parsed_expression(raising["call"]) is not None:
        return PersonsAnswer(raising["call"], raising["expected"], raises=True)
    match parsed_expression(text):
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]) if any(
            isinstance(node, ast.Call | ast.Attribute) for node in ast.walk(left)
        ):
            if (call := unparsed(left)) and (expected := unparsed(right)):
                return PersonsAnswer(call, expected, raises=False)
    raise UsageError(f"{text!r} is no answer", where="--answer", remedy=FORMS)


def answer_file(answers: Sequence[PersonsAnswer], sources: Files, tests: Collection[str]) -> tuple[str, bytes]:
    """A test module of the answers, and its path: beside the project's tests, where pytest looks for them.

    ``sources`` are the project's Python files, ``tests`` node ids or paths of tests that are known. Raises
    ``UsageError`` for a name that no module of the project, or of the standard library, has.
    """
    known = modules_of(sources)
    wanted = sorted({name for answer in answers for name in _imports(answer, known)})
    lines = ['"""What a person said that the program should do; made from --answer."""', ""]
    lines += [f"import {name}" for name in wanted]
    lines += (
        ["import pytest"]
        if any("pytest." in line for a in answers for line in lines_of(a)) and "pytest" not in wanted
        else []
    )
    lines += ["", "", *HELPERS.splitlines()] if any(map(needs_helpers, answers)) else []
    for number, answer in enumerate(answers, 1):
        lines += ["", "", f"def test_answer_{number}():", *(f"    {line}" for line in lines_of(answer))]
    return _free_path(_folder(sources, tests), sources), ("\n".join(lines) + "\n").encode()


def ids_of_answers(path: str, answers: Sequence[PersonsAnswer]) -> tuple[TestId, ...]:
    """The node ids of the answers' tests in that file."""
    return tuple(TestId(f"{path}::test_answer_{number}") for number in range(1, len(answers) + 1))


def modules_of(sources: Files) -> frozenset[str]:
    """Dotted names under which the project's files are imported: from the first folder that is no package."""
    paths = {path for path, _ in sources}
    return frozenset(filter(None, (_module(path, paths) for path in paths)))


def module_of(path: str, sources: Files) -> str:
    """The dotted name under which one of the project's files is imported; ``""`` where none can be."""
    return _module(path, {each for each, _ in sources})


def parsed_expression(text: str) -> ast.expr | None:
    """The expression; ``None`` where the text is none."""
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def unparsed(node: ast.AST) -> str:
    """The source of a node; ``""`` where Python cannot print it: it is nested too deep, or a number is too long."""
    try:
        return ast.unparse(node)
    except (ValueError, RecursionError, MemoryError):
        return ""


def is_literal(node: ast.expr) -> bool:
    """Whether it evaluates, by itself, to a value that equals itself: ``[1, 2]``, not ``f(1)``."""
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return False
    return bool(value == value)


def _module(path: str, paths: Collection[str]) -> str:
    place = PurePosixPath(path)
    if place.suffix != ".py":
        return ""
    names = [] if place.stem == "__init__" else [place.stem]
    folder = place.parent
    while str(folder / "__init__.py") in paths and folder.name:
        names.insert(0, folder.name)
        folder = folder.parent
    return ".".join(names) if all(name.isidentifier() for name in names) else ""


def _imports(answer: PersonsAnswer, known: Collection[str]) -> Iterator[str]:
    """The modules that an answer speaks of."""
    for names in dotted_names_in(answer):
        yield _find_module(names, known, str(answer))


def dotted_names_in(answer: PersonsAnswer) -> Iterator[list[str]]:
    """The names that it takes from modules, each in its parts: ``['shop', 'Cart']``."""
    for text in (answer.call, answer.expected):
        parsed = parsed_expression(text)
        if parsed is None:
            continue
        names = [node for node in ast.walk(parsed) if isinstance(node, ast.arg | ast.Name)]
        bound = {n.arg if isinstance(n, ast.arg) else n.id for n in names if not _is_read(n)} | {MADE, AFTER}
        for chain in _find_dotted_names(parsed):
            if chain[0] not in bound and not hasattr(builtins, chain[0]):
                yield chain


def _is_read(node: ast.arg | ast.Name) -> bool:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)


def _find_module(chain: Sequence[str], known: Collection[str], answer: str) -> str:
    """The module that the longest beginning of a dotted name stands for."""
    for end in range(len(chain), 0, -1):
        name = ".".join(chain[:end])
        if name in known or (end == 1 and name in sys.stdlib_module_names):
            return name
    raise UsageError(f"{chain[0]} in {answer!r} is no module of this project", where="--answer", remedy=FORMS)


def _find_dotted_names(node: ast.AST) -> Iterator[list[str]]:
    """Each dotted name, as long as it is one."""
    names: list[str] = []
    inner = node
    while isinstance(inner, ast.Attribute):
        names.insert(0, inner.attr)
        inner = inner.value
    if isinstance(inner, ast.Name):
        yield [inner.id, *names]
        return
    for child in ast.iter_child_nodes(node):
        yield from _find_dotted_names(child)


def needs_helpers(answer: PersonsAnswer) -> bool:
    """Whether its test calls what a file of answers brings along: it speaks of an instance by its state, say."""
    parsed = ast.parse("\n".join(lines_of(answer)))
    return any(_calls(parsed, name) for name in (MADE, AFTER, SAME))


def lines_of(answer: PersonsAnswer) -> list[str]:
    """The statements of its test. Numbers with a point are compared to nine digits: pictures give twelve."""
    if answer.raises:
        return [f"with pytest.raises({answer.expected}):", f"    {answer.call}"]
    expected = parsed_expression(answer.expected)
    if expected is not None and _calls(expected, MADE):
        return [f"assert {SAME}({STATE}({answer.call}), {STATE}({answer.expected}))"]
    if expected is None or not is_literal(expected):
        return [f"found = {answer.call}", f"assert found == {answer.expected}"]
    told = answer.expected
    if any(isinstance(node, ast.Constant) and isinstance(node.value, float) for node in ast.walk(expected)):
        if not isinstance(ast.literal_eval(expected), float):
            return [f"found = {answer.call}", f"assert {SAME}(found, {told})"]
        told = f"pytest.approx({told}, rel=1e-9)"
    return [f"found = {answer.call}", f"assert found == {told}", f"assert type(found) is type({answer.expected})"]


def _calls(node: ast.AST, name: str) -> bool:
    """Whether a function of that plain name is called in it."""
    called = (each.func for each in ast.walk(node) if isinstance(each, ast.Call))
    return any(isinstance(func, ast.Name) and func.id == name for func in called)


def _free_path(folder: PurePosixPath, sources: Files) -> str:
    """Where no file of the project lies, nor of a change that is judged."""
    taken = {path for path, _ in sources}
    numbers = itertools.chain(("",), (f"_{number}" for number in itertools.count(2)))
    names = (str(folder / NAME.format(number)) for number in numbers)
    return next(path for path in names if path not in taken)


def _folder(sources: Files, tests: Collection[str]) -> PurePosixPath:
    """Where such a file or the first known test lies; else the folder with most test modules; else the root."""
    own = NAME.format("")
    named = sorted((str(test).split("::")[0] for test in tests), key=lambda path: (not path.endswith(own), path))
    if named:
        place = PurePosixPath(named[0])
        return place.parent if place.suffix == ".py" else place
    found = [str(p.parent) for p in (PurePosixPath(path) for path, _ in sources) if p.name.startswith("test_")]
    return PurePosixPath(max(sorted(set(found)), key=found.count, default=""))
