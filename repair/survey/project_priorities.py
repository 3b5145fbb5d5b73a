"""The priorities of a project's functions, by what earlier runs left behind: no test runs for them.

Which tests run which lines is known from the latest runs. Of a file that has changed since, only the tests are known.
"""

from __future__ import annotations

from collections.abc import Mapping, Set
from dataclasses import dataclass, replace
from pathlib import Path

from analysis.diagnosis import files_of_tests
from analysis.errors import RepairError
from analysis.facts import Files, LineMap, TestId
from analysis.mutation_score import MutationScore
from analysis.priority import Priority
from analysis.quality.vouching import find_vouching_tests
from analysis.statement_lines import Share
from repair.observe.parsing import check_sources
from repair.observe.program import read_program
from repair.observe.statements import KnownStatements, read_settings
from repair.store.git_history import histories
from repair.store.line_maps import LineMaps, known_lines
from repair.survey.survey_report import list_owned, weigh_function
from sandbox.scratch import scratch_folder
from sandbox.workspace import take_snapshot

MOST_BYTES = 4 << 20
"""Bytes of all Python files of a project; a larger one is not looked at."""


@dataclass(frozen=True, slots=True)
class KnownPriorities:
    """The functions, those first that deserve a test most; ``gap`` says why there are none."""

    found: tuple[Priority, ...] = ()
    gap: str = ""


def find_priorities(root: str, maps: LineMaps, failing: Set[str] = frozenset(), before: Files = ()) -> KnownPriorities:
    """The priorities of the functions of the project at ``root``, with the files ``before`` in place of its own.

    Tests that run a function and are not ``failing`` count; nobody has looked at how good they are.
    """
    if not Path(root).is_dir():
        return KnownPriorities(gap="the project is not here any more")
    try:
        with scratch_folder() as scratch:
            snapshot = take_snapshot(root, scratch / "project")
            texts = {**dict(snapshot.sources()), **dict(before)}
            settings = read_settings(snapshot.read)
        if sum(map(len, texts.values())) > MOST_BYTES:
            return KnownPriorities(gap="the project is too large to be read for a page; ask `repair tests`")
        sources = tuple(sorted(texts.items()))
        line_map = known_lines(maps, sources)
        if not line_map:
            return KnownPriorities(gap="it is not known which lines the tests run")
        return KnownPriorities(_prioritize(Path(root), sources, line_map, failing, KnownStatements(settings)))
    except RepairError as problem:
        return KnownPriorities(gap=str(problem))


def _prioritize(
    root: Path, sources: Files, line_map: LineMap, failing: Set[str], statements: KnownStatements
) -> tuple[Priority, ...]:
    ran = {path for _, files in line_map for path, lines in files if lines}
    holding = files_of_tests(TestId(test) for test, _ in line_map)
    program = read_program(sources, holding, ran, check_sources, statements.measure)
    able = frozenset(test for test, _ in line_map if test not in failing)
    found = find_vouching_tests(program.functions, line_map, able)
    changed = _changed_since(dict(sources), line_map)
    known = histories(root, list_owned(program.functions))
    views = [replace(each, share=Share()) if each.function.path in changed else each for each in found]
    every = (weigh_function(each, program.users, known, MutationScore()) for each in views)
    return tuple(sorted(every, key=lambda each: (-each.score, each.file, each.line)))


def _changed_since(texts: Mapping[str, bytes], line_map: LineMap) -> frozenset[str]:
    """The files that have another text than when their lines were seen: of these all lines are said to have run."""
    return frozenset(path for _, files in line_map for path, lines in files if len(lines) > texts[path].count(b"\n"))
