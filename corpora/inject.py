"""Faults put into a sound project: drawn with a seed, and kept only where tests notice them each time.

The operators are those of the mutation gate. A fault that makes a test fail which passed before is no equivalent
program. Being noticed is all the proof that is needed; one that nobody notices is dropped. The order in which faults
are tried is a function of the project and the seed. They are kept in that order, however many run at once. They are
written as a flat corpus: one tree that all share, and for each bug the one file that differs.
"""

from __future__ import annotations

import fnmatch
import json
import random
import re
import shutil
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from pathlib import Path

from analysis.diagnosis import files_of_tests, is_test_path
from analysis.errors import TargetError, UsageError
from analysis.facts import (
    BROKEN,
    Digest,
    Failure,
    Files,
    FunctionId,
    InvalidRun,
    Limits,
    LineMap,
    Outcome,
    TestId,
    TestRun,
    digest,
)
from analysis.failure import failure_of, same_failure
from analysis.functions import FunctionSpan, functions_of, span_of
from corpora.loaders.flat import LITTER, SETTINGS, SHARED
from corpora.os_errors import explained
from repair.observe.complete_runs import complete_run
from repair.observe.parsing import check_sources
from repair.records.plan import covering_tests
from repair.records.ports import Sandbox
from transforms.mutants.made import Mutant, mutants
from transforms.mutants.operator_sets import MUTATING
from transforms.tree.scope import EditScope, open_scope

KINDS = tuple(operator.name.removeprefix("mutmut_") for operator in MUTATING)
BASE = "__base"
MOST_TRIED = 20
"""Faults tried for each that is wanted, before we give up."""


@dataclass(frozen=True, slots=True)
class Wish:
    """Which faults, and how many. ``kind`` and ``function`` are patterns; ``depth`` is how many edits a fault has."""

    count: int = 10
    kind: str = "*"
    depth: int = 1
    seed: int = 0
    function: str = "*"


@dataclass(frozen=True, slots=True)
class InjectedFault:
    """One fault: the function, the whole file with it, and what was done, one phrase for each edit.

    ``parts`` are the file with each of several edits alone. ``failing`` are the tests that notice the fault, each time
    in the same way; they are empty as long as it has not run.
    """

    digest: Digest
    function: FunctionId
    content: bytes
    kinds: tuple[str, ...]
    label: str
    parts: tuple[bytes, ...] = ()
    failing: tuple[TestId, ...] = ()


Tried = InjectedFault | str
"""A fault that tests notice, or a word for why it is dropped."""


@dataclass(frozen=True, slots=True)
class Injection:
    """Faults in the order in which they were drawn, and what became of the others."""

    bugs: tuple[InjectedFault, ...]
    dropped: tuple[tuple[str, int], ...]

    @property
    def tried_count(self) -> int:
        """How many faults ran."""
        return len(self.bugs) + sum(count for _, count in self.dropped)


def inject(sandbox: Sandbox, wish: Wish, limits: Limits, jobs: int, listen: Callable[[str], None]) -> Injection:
    """The faults that were wished for, as many as could be found.

    Raises ``UsageError`` for a pattern that nothing matches and ``TargetError`` where no test passes.
    """
    if not fnmatch.filter(KINDS, wish.kind):
        raise UsageError(f"No kind of fault is like {wish.kind!r}", remedy=f"Known are: {', '.join(KINDS)}.")
    suite = complete_run(sandbox, (), limits, trace=True)
    sound = [result.test for result in suite.results if result.outcome is Outcome.PASSED]
    if not sound:
        raise TargetError("No test passes here", remedy="Faults are put into projects whose tests pass.")
    listen(f"{len(sound)} of {len(suite.results)} tests pass; drawing faults")
    places = dict(_places(sandbox.sources(), suite.line_map, sound, wish.function))
    if not places:
        raise UsageError(f"No passing test runs a function like {wish.function!r}", remedy="Give --function a pattern.")
    run = partial(_run, sandbox, limits, wish.seed, {span.function: tests for span, tests in places.items()})
    drawn = islice(faults_of(tuple(places), dict(sandbox.sources()), wish), MOST_TRIED * wish.count)
    bugs: list[InjectedFault] = []
    dropped: Counter[str] = Counter()
    with ThreadPoolExecutor(jobs) as pool:
        for found in _in_order(pool, run, drawn, jobs):
            if isinstance(found, str):
                dropped[found] += 1
                continue
            bugs.append(found)
            listen(f"{len(bugs)}: {found.function.path}: {found.function.qualname}: {found.label}")
            if len(bugs) == wish.count:
                break
    return Injection(tuple(bugs), tuple(sorted(dropped.items())))


def _in_order(
    pool: ThreadPoolExecutor, run: Callable[[InjectedFault], Tried], faults: Iterator[InjectedFault], jobs: int
) -> Iterator[Tried]:
    """What became of each fault, in their order; no more run ahead than there are jobs."""
    while batch := list(islice(faults, jobs)):
        yield from pool.map(run, batch)


def _places(
    sources: Files, line_map: LineMap, sound: Sequence[TestId], pattern: str
) -> Iterator[tuple[FunctionSpan, tuple[TestId, ...]]]:
    """Functions of that name which passing tests run, with the tests; no test's own code."""
    held = files_of_tests(sound)
    passing = set(sound)
    run = {path for test, files in line_map if test in passing for path, _ in files}
    texts = [(path, text) for path, text in sources if path in run and not is_test_path(path) and path not in held]
    broken = {problem.path for problem in check_sources(texts)}
    for path, text in texts:
        for span in () if path in broken else functions_of(path, text):
            names = (span.function.qualname, f"{path}:{span.function.qualname}")
            tests = covering_tests(line_map, sound, span) if any(fnmatch.fnmatchcase(n, pattern) for n in names) else ()
            if tests:
                yield span, tests


def faults_of(spans: Sequence[FunctionSpan], sources: Mapping[str, bytes], wish: Wish) -> Iterator[InjectedFault]:
    """Distinct faults, one of each function in turn, in an order that the seed decides."""
    draws = random.Random(wish.seed)
    order = draws.sample(spans, len(spans))
    streams = [
        _faults_of_function(span, sources[span.function.path], wish, random.Random(draws.random())) for span in order
    ]
    seen: set[Digest] = set()
    while streams:
        for stream in tuple(streams):
            fault = next(stream, None)
            if fault is None:
                streams.remove(stream)
            elif fault.digest not in seen:
                seen.add(fault.digest)
                yield fault


def _faults_of_function(span: FunctionSpan, source: bytes, wish: Wish, draws: random.Random) -> Iterator[InjectedFault]:
    """Faults of one function in random order; with a depth of two each first edit meets one second edit elsewhere."""
    singles = _draw_mutants(span, source, wish.kind, draws)
    if wish.depth == 1:
        yield from (_fault(span, source, mutant) for mutant in singles)
        return
    alone = {(mutant.operator, mutant.label, mutant.line): mutant for mutant in singles}
    for first in singles:
        content = _with(span, source, first)
        moved = span_of(functions_of(span.function.path, content), span.function)
        assert moved is not None, "an edit within a function leaves the function there"
        for second in _draw_mutants(moved, content, wish.kind, draws):
            same = alone.get((second.operator, second.label, second.line))
            if same is not None and second.line != first.line:
                both = _fault(moved, content, second, before=(first,))
                yield replace(both, parts=(content, _with(span, source, same)))
                break


def _draw_mutants(span: FunctionSpan, source: bytes, kind: str, draws: random.Random) -> list[Mutant]:
    """Mutants of that kind in random order."""
    scope = open_scope(source, span)
    found = mutants(scope, defaults=False) if isinstance(scope, EditScope) else ()
    chosen = [mutant for mutant in found if fnmatch.fnmatchcase(_kind(mutant), kind)]
    return draws.sample(chosen, len(chosen))


def _fault(span: FunctionSpan, source: bytes, edit: Mutant, before: tuple[Mutant, ...] = ()) -> InjectedFault:
    """The fault that the edit makes of the source; those ``before`` are in there already."""
    content = _with(span, source, edit)
    every = (*before, edit)
    label = "; ".join(f"line {mutant.line}: {mutant.label}" for mutant in every)
    return InjectedFault(digest(span.function.path, content), span.function, content, tuple(map(_kind, every)), label)


def _with(span: FunctionSpan, source: bytes, mutant: Mutant) -> bytes:
    return source[: span.start] + mutant.text + source[span.end :]


def _kind(mutant: Mutant) -> str:
    return mutant.operator.removeprefix("mutmut_")


def _run(
    sandbox: Sandbox, limits: Limits, seed: int, places: Mapping[FunctionId, tuple[TestId, ...]], fault: InjectedFault
) -> Tried:
    """Run the fault against the tests that run its function: twice, and each of its edits alone."""
    tests, path = places[fault.function], fault.function.path
    first = sandbox.run(tests, ((path, fault.content),), limits=limits)
    if isinstance(first, InvalidRun):
        return "no result"
    failing = _failures(first)
    if not failing:
        return "not noticed" if len(first.results) == len(tests) else "no result"
    again = sandbox.run(tests, ((path, fault.content),), limits=limits, shuffle=seed + 1)
    if isinstance(again, InvalidRun):
        return "no result"
    other = _failures(again)
    if failing.keys() != other.keys() or not all(same_failure(failing[test], other[test]) for test in failing):
        return "unsteady"
    for part in fault.parts:
        alone = sandbox.run(tests, ((path, part),), limits=limits)
        if isinstance(alone, InvalidRun) or not _failures(alone):
            return "one edit is enough"
    return replace(fault, failing=tuple(sorted(failing)))


def _failures(run: TestRun) -> dict[TestId, Failure]:
    return {result.test: failure_of(result) for result in run.results if result.outcome in BROKEN}


def refuse_taken(out: Path, source: Path) -> None:
    """Raise where the corpus would lie among other files, or in the project itself."""
    if out.resolve().is_relative_to(source.resolve()):
        raise UsageError(
            "The corpus would lie in the project", where=str(out), remedy="Name another folder with --out."
        )
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise UsageError("There is something already", where=str(out), remedy="Name a new folder with --out.")


def write_injected(out: Path, source: Path, bugs: Sequence[InjectedFault], tests: Sequence[str]) -> tuple[str, ...]:
    """Write the corpus; gives the ids of its bugs. ``tests`` is the selection that counts as the suite."""
    with explained("The corpus cannot be written", out, "Make room, and delete it."):
        out.mkdir(parents=True, exist_ok=True)
        shutil.copytree(source, out / BASE, symlinks=True, ignore=shutil.ignore_patterns(*LITTER, ".venv", "venv"))
        shared = [f"base = {json.dumps(BASE)}", "", "[provenance]", f"project = {json.dumps(source.name)}"]
        shared += ['kind = "injected"', "", "[environment]", f"tests = {json.dumps(list(tests))}"]
        (out / SHARED).write_text("\n".join(shared) + "\n", encoding="utf-8")
        return tuple(_write(out, source, bug) for bug in bugs)


def _write(out: Path, source: Path, fault: InjectedFault) -> str:
    path, qualname = fault.function.path, fault.function.qualname
    name = f"{re.sub(r'[^a-z0-9]+', '-', qualname.lower()).strip('-')[:40]}-{fault.digest[:8]}"
    for folder, content in (("tree", fault.content), ("reference", (source / path).read_bytes())):
        place = out / name / folder / path
        place.parent.mkdir(parents=True)
        place.write_bytes(content)
    function = json.dumps(f"{path}:{qualname}")
    done = json.dumps(f"{'+'.join(fault.kinds)}: {fault.label}")
    lines = [f"failing = {json.dumps(list(fault.failing))}", f"function = {function}", f"group = {function}"]
    lines += ["", "[provenance]", f"source = {done}"]
    (out / name / SETTINGS).write_text("\n".join(lines) + "\n", encoding="utf-8")
    return name
