"""HumanEvalPack (HumanEvalFix), its Python part: one function a line, with a fault in it and a ``check`` of assertions.

A line of ``humanevalpack.jsonl`` becomes ``solution.py`` (prompt and faulty body) and ``test_solution.py``, which has
one test for each assertion of ``check``. Tests that draw random numbers are seeded, so that a failure can come back.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from analysis.errors import UnparseableError
from analysis.functions import syntax_tree
from corpora.bug import Bug, Environment, Oracle, Provenance, SetAside
from corpora.loaders.checks import bound_names, split, used_names
from corpora.loaders.layout import CorpusLine, Layout, lay_out, read_rows, single_fault

FILE = "humanevalpack.jsonl"
PUBLISHED = f"evaluation/create/humaneval-x/data/python/data/{FILE}"
SOURCE = "https://github.com/bigcode-project/octopack"
LAYOUT = Layout(
    "HumanEvalPack",
    f"{FILE} of its Python part, or a checkout that holds it: an object a line with task_id, prompt,"
    " buggy_solution, canonical_solution, test and entry_point",
    f"git clone --depth 1 {SOURCE}",
)
TEXTS = ("prompt", "buggy_solution", "canonical_solution", "test", "entry_point")
PROGRAM = "solution.py"
TESTS = "test_solution.py"
SEEDED = ("import random as _random", "_random.seed(0)")
PROVENANCE = Provenance(project="HumanEvalPack", kind="published", date="2023-08-14", licence="MIT", source=SOURCE)


class HumanEval:
    """The lines of one file."""

    def __init__(self, place: Path) -> None:
        self.name = f"humaneval:{place}"
        files = [path for path in (place, place / FILE, place / PUBLISHED) if path.is_file()]
        if not files:
            raise LAYOUT.refusal(f"there is no {FILE}", place)
        self._rows = read_rows(files[0], "task_id", TEXTS, LAYOUT)
        self._by_id = {row.id: row.values for row in self._rows if isinstance(row, CorpusLine)}

    def bugs(self) -> Iterator[Bug | SetAside]:
        """The lines in their order; one that is no program, or has no ``check``, is set aside."""
        for row in self._rows:
            yield _bug(row) if isinstance(row, CorpusLine) else row

    def write_tree(self, bug: Bug, root: Path) -> None:
        """The faulty program and its tests."""
        values = self._by_id[bug.id]
        lay_out(((PROGRAM, _program(values, "buggy_solution")), (TESTS, _tests(values).encode())), root)

    def oracle(self, bug: Bug) -> Oracle:
        """The program with the canonical body."""
        return Oracle(((PROGRAM, _program(self._by_id[bug.id], "canonical_solution")),))


def test_module(test: str, function: str, program: ast.Module) -> str:
    """A test module with one test for each assertion of the ``check`` in this text, over the functions of the program.

    Raises ``ValueError`` where there is no such function.
    """
    check = next((s for s in syntax_tree(test.encode()).body if isinstance(s, ast.FunctionDef)), None)
    if check is None or check.name != "check" or len(check.args.args) != 1:
        raise ValueError("its test has no check(function)")
    parameter = check.args.args[0].arg
    body = [s for s in check.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Name | ast.Constant))]
    foreign = used_names(body) - bound_names(body) - {parameter}
    parts = [f"from solution import {', '.join(sorted(foreign & bound_names(program.body) | {function}))}"]
    for number, statements in enumerate(split(body), 1):
        start = [f"{parameter} = {function}"] if parameter != function else []
        start += SEEDED if _draws(statements) else []
        (test_function,) = ast.parse(f"def test_{number}():\n    pass").body
        assert isinstance(test_function, ast.FunctionDef)
        test_function.body = [*ast.parse("\n".join(start)).body, *statements]
        parts.append(ast.unparse(test_function))
    return "\n\n\n".join(parts) + "\n"


def _draws(statements: Sequence[ast.stmt]) -> bool:
    nodes = [node for statement in statements for node in ast.walk(statement)]
    modules = {node.module for node in nodes if isinstance(node, ast.ImportFrom)}
    return "random" in modules | {alias.name for n in nodes if isinstance(n, ast.Import) for alias in n.names}


def _bug(row: CorpusLine) -> Bug | SetAside:
    before, after = (_program(row.values, key) for key in ("buggy_solution", "canonical_solution"))
    try:
        _tests(row.values)
        fault = single_fault(((PROGRAM, before),), ((PROGRAM, after),))
    except (SyntaxError, ValueError, UnparseableError) as problem:
        return SetAside(row.id, f"Line {row.number} cannot be used: {problem}")
    description = str(row.values.get("docstring", ""))
    return Bug(row.id, (), PROVENANCE, fault=fault, environment=Environment(tests=(TESTS,)), description=description)


def _program(values: Mapping[str, Any], body: str) -> bytes:
    return f"{values['prompt']}{values[body]}".lstrip("\n").encode()


def _tests(values: Mapping[str, Any]) -> str:
    return test_module(values["test"], values["entry_point"], syntax_tree(_program(values, "buggy_solution")))
