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

from analysis.behaviour import Raised, Returned, Witness
from analysis.calls import FOLDERS
from analysis.errors import UsageError
from analysis.facts import Files, FunctionId, TestId

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
    if raising and _expression(raising["call"]) is not None:
        return PersonsAnswer(raising["call"], raising["expected"], raises=True)
    match _expression(text):
        case ast.Compare(left=left, ops=[ast.Eq()], comparators=[right]) if any(
            isinstance(node, ast.Call | ast.Attribute) for node in ast.walk(left)
        ):
            return PersonsAnswer(ast.unparse(left), ast.unparse(right), raises=False)
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
    lines += ["import pytest"] if any(a.raises for a in answers) and "pytest" not in wanted else []
    for number, answer in enumerate(answers, 1):
        lines += ["", "", f"def test_answer_{number}():", *(f"    {line}" for line in _body(answer))]
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


def write_answer(function: FunctionId, witness: Witness, sources: Files) -> str:
    """The answer "as this patch does" to a witness, for a person to give or change; ``""`` where none can be written.

    None can be written

    - for a method: nothing says which instance is meant;
    - where an argument or the result has no text that evaluates to it;
    - where an argument or the result is a path in a folder that only the run had.

    Example: of the call ``half(3)``, which ``returns 1``, comes ``package.half(3) == 1``.
    """
    module, arguments = module_of(function.path, sources), witness.call.arguments
    call = _expression(f"f{arguments}")
    if not module or "." in function.qualname or witness.call.context or not isinstance(call, ast.Call):
        return ""
    values = [*call.args, *(keyword.value for keyword in call.keywords)]
    if not all(map(_is_literal, values)) or _names_a_folder(arguments):
        return ""
    text = f"{module}.{function.qualname}({', '.join(map(ast.unparse, [*call.args, *call.keywords]))})"
    match witness.mine:
        case Raised(name) if hasattr(builtins, name):
            return f"{text} raises {name}"
        case Returned(value, whole=True, left="") if not _names_a_folder(value):
            result = _expression(value)
            return f"{text} == {ast.unparse(result)}" if result is not None and _is_literal(result) else ""
    return ""


def _names_a_folder(text: str) -> bool:
    """Whether it speaks of a folder that has another name in each run: ``'<tmp>/a.txt'``."""
    return any(folder in text for folder in FOLDERS)


def write_as_test(answer: str) -> tuple[str, ...]:
    """The lines of a test that holds a ready answer, for a person to confirm and to keep."""
    read = read_answer(answer)
    module, _, name = read.call.partition("(")[0].rpartition(".")
    imports = [f"import {module}", *(["import pytest"] if read.raises else [])]
    return (*imports, "", f"def test_{name}():", *(f"    {line}" for line in _body(read)))


def _expression(text: str) -> ast.expr | None:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _is_literal(node: ast.expr) -> bool:
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
    for text in (answer.call, answer.expected):
        parsed = _expression(text)
        if parsed is None:
            continue
        names = [node for node in ast.walk(parsed) if isinstance(node, ast.arg | ast.Name)]
        bound = {n.arg if isinstance(n, ast.arg) else n.id for n in names if not _is_read(n)}
        for chain in _find_dotted_names(parsed):
            if chain[0] not in bound and not hasattr(builtins, chain[0]):
                yield _find_module(chain, known, str(answer))


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


def _body(answer: PersonsAnswer) -> list[str]:
    if answer.raises:
        return [f"with pytest.raises({answer.expected}):", f"    {answer.call}"]
    lines = [f"found = {answer.call}", f"assert found == {answer.expected}"]
    expected = _expression(answer.expected)
    if expected is not None and _is_literal(expected):  # True is not 1
        lines.append(f"assert type(found) is type({answer.expected})")
    return lines


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
