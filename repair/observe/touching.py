"""Which tests can be touched by a change of some functions, as lines that are known from earlier tell."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from analysis.errors import UnparseableError
from analysis.facts import BROKEN, Files, LineMap, TestId, TestRun
from analysis.failure import failure_of
from analysis.functions import FunctionSpan, functions_of
from analysis.lines import Lines, bits_of

KnownLines = Callable[[], LineMap]
"""Gives the lines of tests that are known from earlier runs; asked once, and only where the suite is slow."""

MOST_TOUCHING = 500
"""So many tests are run first."""

MOST_FILES = 20
"""They lie in so many files at most: each has to be collected as a whole."""


def touching_tests(line_map: LineMap, functions: Sequence[FunctionSpan]) -> tuple[TestId, ...]:
    """The tests that ran a line of one of the functions, those first whose functions few others run.

    So the hundreds that pass through something that all of them need do not come before the few that share a function.
    """
    masks = [(f.function.path, Lines.from_ranges(((f.def_line, f.end_line),)).bits) for f in functions]
    found: dict[TestId, set[int]] = {}
    for test, files in line_map:
        bits = {path: bits_of(lines) for path, lines in files}
        runs = {number for number, (path, mask) in enumerate(masks) if bits.get(path, 0) & mask}
        if runs:
            found[test] = runs
    common = Counter(number for runs in found.values() for number in runs)
    return tuple(sorted(found, key=lambda test: (-sum(1 / common[number] for number in found[test]), test)))


def pick_first(tests: Iterable[TestId]) -> tuple[TestId, ...]:
    """The first of the tests, as many and in as many files as are run before all others."""
    picked: list[TestId] = []
    files: set[str] = set()
    for test in tests:
        file = test.partition("::")[0]
        if len(picked) < MOST_TOUCHING and (file in files or len(files) < MOST_FILES):
            files.add(file)
            picked.append(test)
    return tuple(picked)


def lines_of_failures(run: TestRun, known: LineMap) -> LineMap:
    """Lines of the failing tests of a run: those of its map, those of their tracebacks, and what is known of them."""
    failing = {r.test: r for r in run.results if r.outcome in BROKEN}
    frames = (
        (test, tuple((frame.path, Lines([frame.line])) for frame in failure_of(result).frames))
        for test, result in failing.items()
    )
    return (*run.line_map, *frames, *(each for each in known if each[0] in failing))


def functions_called(line_map: LineMap, sources: Files) -> tuple[FunctionSpan, ...]:
    """The functions of these files of which some line is in the map, be it their first line alone."""
    return tuple(_functions_called(line_map, dict(sources)))


def _functions_called(line_map: LineMap, texts: Mapping[str, bytes]) -> Iterator[FunctionSpan]:
    ran: dict[str, int] = {}
    for _, files in line_map:
        for path, lines in files:
            ran[path] = ran.get(path, 0) | bits_of(lines)
    for path, bits in sorted(ran.items()):
        try:
            functions = functions_of(path, texts.get(path, b""))
        except UnparseableError:
            continue
        for function in functions:
            first = min(function.function.first_line, function.def_line)
            if bits & Lines.from_ranges(((first, function.end_line),)).bits:
                yield function
