"""The program of a project as its files tell: functions, public classes, and what could not be read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field

from analysis.diagnosis import is_test_path
from analysis.facts import Files
from analysis.function_text import Unreadable, parse_module
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
from analysis.users import Place, find_users
from repair.observe.parsing import ParseProblem, Sources
from repair.observe.statements import Measure, MeasuredFiles
from repair.records.wording import list_names


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
    measures_branches: bool = False
    users: Mapping[Place, Set[Place]] = field(default_factory=dict)
    """Who uses each function."""


MOST_NAMED = 3
"""Files that a sentence names."""

Check = Callable[[Sources], Sequence[ParseProblem]]
"""Says which sources cannot be parsed safely."""


def read_program(sources: Files, holding: Set[str], run: Set[str], check: Check, measure: Measure) -> Program:
    """The program among the sources. ``holding`` are files that hold tests, ``run`` those of which tests ran a line.

    ``measure`` says what the statements of files are.
    """
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
    measured = measure([(path, texts[path]) for path in trees])
    exported, called = exported_names(trees), called_at_import(trees.values())
    functions: list[ProgramFunction] = []
    classes: list[ProgramClass] = []
    for path, tree in trees.items():
        found = functions_in(path, tree, measured.of(path), exported[path], called)
        functions += (function for function in found if function.statements)
        classes += classes_in(path, tree, exported[path])
    beside = tuple(p for p, _ in sources if not (p in texts or p in holding or is_test_path(p)))
    said = "The file cannot be parsed, so its functions are not looked at"
    unread = (
        Finding("unparseable", Weight.ERROR, "not parsed", f"{said}: {detail}", path)
        for path, detail in problems.items()
    )
    findings = (*unread, *_left_out(measured))
    users = find_users(trees)
    return Program(paths, tuple(functions), tuple(classes), beside, findings, measured.branch, users)


def _left_out(measured: MeasuredFiles) -> Iterator[Finding]:
    """What the coverage settings leave out, and what of them is not used."""
    title, place = "coverage settings", measured.settings
    if measured.omitted:
        names = list_names(sorted(measured.omitted), "file", MOST_NAMED)
        yield Finding("omitted", Weight.NOTE, title, f"They leave out {names}: nothing is asked of it", place)
    for said in measured.said:
        yield Finding("settings", Weight.WARNING, title, f"{said[:1].upper()}{said[1:]}", place)
    for path, said in measured.problems.items():
        claim = f"The file's statements are not known, so nothing is asked of it: {said}"
        yield Finding("statements", Weight.WARNING, "not measured", claim, path)
