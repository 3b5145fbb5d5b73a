"""The program of a project as its files tell: functions, public classes, and what could not be read."""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass

from analysis.diagnosis import is_test_path
from analysis.facts import Files
from analysis.function_text import Unreadable, parse_module
from analysis.functions import source_encoding
from analysis.project_files import program_files
from analysis.public_names import (
    ProgramClass,
    ProgramFunction,
    called_at_import,
    classes_in,
    exported_names,
    functions_in,
)
from analysis.quality.findings import Finding, Weight
from repair.observe.parsing import ParseProblem, Sources


@dataclass(frozen=True, slots=True)
class Program:
    """Functions with something to run, in source order, and public classes.

    ``left_out`` are the Python files that are neither program nor tests; ``findings`` tell of files of the program that
    cannot be parsed.
    """

    files: tuple[str, ...]
    functions: tuple[ProgramFunction, ...]
    classes: tuple[ProgramClass, ...]
    left_out: tuple[str, ...]
    findings: tuple[Finding, ...]


Check = Callable[[Sources], Sequence[ParseProblem]]
"""Says which sources cannot be parsed safely."""


def read_program(sources: Files, holding: Set[str], run: Set[str], check: Check) -> Program:
    """The program among the sources. ``holding`` are files that hold tests, ``run`` those of which tests ran a line."""
    paths = program_files((path for path, _ in sources), holding, run)
    own = frozenset(paths)
    texts = {path: source for path, source in sources if path in own}
    problems = {problem.path: problem.detail for problem in check(tuple(texts.items()))}
    trees = {}
    for path in (path for path in texts if path not in problems):
        parsed = parse_module(texts[path])
        if isinstance(parsed, Unreadable):
            problems[path] = parsed.detail
        else:
            trees[path] = parsed
    exported, called = exported_names(trees), called_at_import(trees.values())
    functions: list[ProgramFunction] = []
    classes: list[ProgramClass] = []
    for path, tree in trees.items():
        text = texts[path].decode(source_encoding(texts[path]), "replace")
        functions += (f for f in functions_in(path, tree, text, exported[path], called) if f.statements)
        classes += classes_in(path, tree, exported[path])
    beside = tuple(p for p, _ in sources if not (p in texts or p in holding or is_test_path(p)))
    said = "The file cannot be parsed, so its functions are not looked at"
    unread = (
        Finding("unparseable", Weight.ERROR, "not parsed", f"{said}: {detail}", path)
        for path, detail in problems.items()
    )
    return Program(paths, tuple(functions), tuple(classes), beside, tuple(unread))
