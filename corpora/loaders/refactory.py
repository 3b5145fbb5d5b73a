"""Refactory: wrong answers of students to a few questions, with pairs of a call and its result as tests.

The layout is that of the archive in https://github.com/githubhuyang/refactory::

    question_N/description.txt
    question_N/ans/input_*.txt         a call; output_*.txt has the result
    question_N/code/wrong/NAME.py      one bug each
    question_N/code/global.py          optional: what stands in front of every answer (global_append.py: behind)
    question_N/code/reference/*.py     held out: the teacher's answer
    question_N/code/correct/           not read

A submission becomes ``submission.py``. Of every three different pairs the last is held out; the others are the tests.
All bugs of a question are answers to one task: ``group`` names it, and they are no independent samples.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import TargetError, UnparseableError
from analysis.functions import functions_of, syntax_tree
from corpora.bug import Bug, Environment, Fault, Oracle, Provenance, SetAside
from corpora.loaders.checks import bound_names, used_names
from corpora.loaders.layout import Layout, lay_out

SOURCE = "https://github.com/githubhuyang/refactory"
LAYOUT = Layout(
    "Refactory",
    "a folder with question_N/ans/ and question_N/code/wrong/, or one that holds it as data/ (data.zip unpacked)",
    f"git clone --depth 1 {SOURCE} && unzip refactory/data.zip -d refactory",
)
PROGRAM = "submission.py"
TESTS = "test_submission.py"
HELD_OUT = "test_held_out.py"
PROVENANCE = Provenance(project="Refactory", kind="published", date="2019-11-11", licence="LGPL-3.0", source=SOURCE)
EVERY = 3
"""Of so many pairs the last is held out."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A call and the result that it should have, as Python expressions. ``name`` is the number that its files have."""

    name: str
    call: str
    result: str
    function: str


class Refactory:
    """The folder of all questions."""

    def __init__(self, place: Path) -> None:
        self.name = f"refactory:{place}"
        self._folder = place / "data" if (place / "data").is_dir() else place
        self._questions = sorted(path for path in self._folder.glob("question_*") if (path / "code/wrong").is_dir())
        if not self._questions:
            raise LAYOUT.refusal("it has no question_N/code/wrong", place)

    def bugs(self) -> Iterator[Bug | SetAside]:
        """The wrong submissions, question by question, in the order of their names."""
        for question in self._questions:
            try:
                pairs = read_pairs(question)
            except TargetError as problem:
                yield SetAside(question.name, str(problem))
                continue
            for file in sorted((question / "code/wrong").glob("*.py")):
                yield _bug(question, file, pairs)

    def write_tree(self, bug: Bug, root: Path) -> None:
        """The submission with what stands around it, and the pairs that are not held out."""
        question, program = self._question(bug)
        shown = [pair for number, pair in enumerate(read_pairs(question), 1) if number % EVERY]
        lay_out(((PROGRAM, program), (TESTS, tests_of(shown, program))), root)

    def oracle(self, bug: Bug) -> Oracle:
        """The teacher's answer in the same place, and the other pairs."""
        question, wrong = self._question(bug)
        references = sorted((question / "code/reference").glob("*.py"))[:1]
        held_out = read_pairs(question)[EVERY - 1 :: EVERY]
        return Oracle(
            reference=tuple((PROGRAM, _program(question, file)) for file in references),
            held_out=((HELD_OUT, tests_of(held_out, wrong)),) if held_out else (),
            held_out_tests=tuple(f"{HELD_OUT}::test_{pair.name}" for pair in held_out),
        )

    def _question(self, bug: Bug) -> tuple[Path, bytes]:
        """The folder of the bug's question, and its wrong program."""
        question = self._folder / bug.group
        return question, _program(question, question / "code/wrong" / f"{bug.id.removeprefix(f'{bug.group}-')}.py")


def read_pairs(question: Path) -> tuple[Pair, ...]:
    """The different pairs of a question; raises ``TargetError`` for one that is not a call and a result."""
    found: dict[str, Pair] = {}
    for file in sorted((question / "ans").glob("input_*.txt")):
        name = file.stem.removeprefix("input_")
        try:
            call = ast.parse(file.read_text("utf-8").strip(), mode="eval").body
            result = ast.parse((file.parent / f"output_{name}.txt").read_text("utf-8").strip(), mode="eval").body
        except (OSError, SyntaxError, ValueError) as problem:
            raise TargetError(f"Not a call and a result: {problem}", where=str(file)) from problem
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Name):
            raise TargetError("Not a call of a function", where=str(file))
        text = ast.unparse(call)
        found.setdefault(text, Pair(name, text, ast.unparse(result), call.func.id))
    if not found:
        raise TargetError("There are no pairs of input and output", where=str(question / "ans"))
    return tuple(found.values())


def tests_of(pairs: Sequence[Pair], program: bytes) -> bytes:
    """A test module with one test for each pair, and of the program what they name."""
    calls = [ast.parse(text).body[0] for pair in pairs for text in (pair.call, pair.result)]
    names = sorted(used_names(calls) & bound_names(syntax_tree(program).body))
    parts = [f"from submission import {', '.join(names)}"]
    parts += [f"def test_{pair.name}():\n    assert {pair.call} == {pair.result}" for pair in pairs]
    return "\n\n\n".join(parts).encode() + b"\n"


def _bug(question: Path, file: Path, pairs: Sequence[Pair]) -> Bug | SetAside:
    id = f"{question.name}-{file.stem}"
    program = _program(question, file)
    try:
        lost = {pair.function for pair in pairs} - bound_names(syntax_tree(program).body)
        if lost:
            return SetAside(id, f"It does not define {min(lost)}.")
        functions = functions_of(PROGRAM, file.read_bytes())
    except (SyntaxError, ValueError, UnparseableError) as problem:
        return SetAside(id, f"It cannot be parsed: {problem}")
    description = question / "description.txt"
    return Bug(
        id=id,
        failing=(),
        provenance=PROVENANCE,
        fault=Fault(PROGRAM, functions[0].function.qualname) if len(functions) == 1 else None,
        environment=Environment(tests=(TESTS,)),
        description=description.read_text("utf-8", "replace").strip() if description.is_file() else "",
        group=question.name,
    )


def _program(question: Path, file: Path) -> bytes:
    around = [question / "code/global.py", file, question / "code/global_append.py"]
    return b"\n\n".join(path.read_bytes() for path in around if path.is_file())
