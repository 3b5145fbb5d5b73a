"""``repair tests grow``: the suite is observed once, functions are grown one by one, and each new file is verified."""

from __future__ import annotations

import contextlib
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from analysis.diagnosis import files_of_tests
from analysis.errors import OutOfTimeError, UsageError
from analysis.facts import Limits
from analysis.mutation_score import MutationScore
from analysis.quality.vouching import VouchedFunction
from repair.compare.answers import module_of, modules_of
from repair.front.opening import versions_of
from repair.records.config import Options
from repair.records.events import Listener, phase
from repair.records.grown import GrownFile, GrownFunction, GrownReport, GrownTest, GrowRequest
from repair.records.ports import Sandbox
from repair.records.wording import list_names
from repair.survey.growing.claim import CallCase
from repair.survey.growing.function_growth import FunctionGrower, Grown
from repair.survey.growing.new_files import folder_below, free_path, marked, write_new
from repair.survey.growing.oracle import constructors_of
from repair.survey.growing.printing import FilePrinter
from repair.survey.growing.style import read_style
from repair.survey.growing.verified import Verifier
from repair.survey.survey import changed_meanwhile, open_surveyor
from repair.survey.survey_report import SurveyRequest, SurveySeen, prioritize_function
from repair.trials.run_time import RunTime, TimeIsUp
from sandbox.sandbox import LocalSandbox

MOST_FUNCTION_SECONDS, LEAST_FUNCTION_SECONDS = 60.0, 5.0
"""What a function may take, and what it gets at least while there is time."""

VERIFYING_SHARE = 0.15
"""The share of the time that is kept for the last runs of the new files."""


def grow(
    asked: GrowRequest, options: Options, listen: Listener, env: Mapping[str, str], timing: RunTime | None = None
) -> GrownReport:
    """Grow tests; nothing is written but new files, and these only where a folder is named."""
    started = (timing or RunTime(time.monotonic())).started
    folder = folder_below(options.root, asked.folder, Path(asked.cwd)) if asked.folder else ""
    with open_surveyor(options, listen, env, started) as (sandbox, surveyor, warnings):
        look = SurveyRequest(asked.paths, mutants=0, seconds=options.max_seconds, seed=options.seed)
        seen = surveyor.look(look)
        end = started + options.max_seconds
        wanted = choose_functions(seen, asked.functions)
        garden = _Garden.of(sandbox, seen, options, folder, failing=asked.failing)
        left = max(0.0, end - time.monotonic())
        detail = f"growing tests of {list_names([v.function.qualname for v in wanted], 'function')}"
        listen(phase("growing", detail, left))
        grown, report = [], GrownReport()
        with contextlib.suppress(OutOfTimeError, TimeIsUp):
            until = time.monotonic() + (1 - VERIFYING_SHARE) * left
            for number, vouched in enumerate(wanted):
                now = time.monotonic()
                if now >= until:
                    break
                share = max(LEAST_FUNCTION_SECONDS, (until - now) / (len(wanted) - number))
                grown.append(garden.grower(surveyor.limits).grow(vouched, now + min(MOST_FUNCTION_SECONDS, share)))
        with contextlib.suppress(OutOfTimeError, TimeIsUp):
            report = garden.verify(grown, Verifier(sandbox, surveyor.limits, garden.printer))
        files = report.files
        if asked.folder:
            for each in files:
                write_new(options.root, each.path, each.text)
            files = tuple(replace(each, written=True) for each in files)
        late = len(wanted) - len(grown)
        not_checked = (f"{late} of {len(wanted)} functions had no turn: the time was over",) if late else ()
        return replace(
            report,
            root=options.root,
            versions=versions_of(sandbox.target),
            seed=options.seed,
            files=files,
            not_checked=not_checked,
            warnings=(*warnings, *changed_meanwhile(sandbox)),
            seconds=round(time.monotonic() - started, 3),
            isolation=sandbox.jail.kind,
            isolation_opens=sandbox.jail.opens,
        )


def choose_functions(seen: SurveySeen, names: Sequence[str]) -> tuple[VouchedFunction, ...]:
    """The named functions; without names all public ones, those first that deserve a test most.

    Raises ``UsageError`` for a name that is none, or several.
    """
    if not names:
        scores = {each: prioritize_function(each, seen, MutationScore()).score for each in seen.public}
        return tuple(sorted(seen.public, key=lambda each: -scores[each]))
    return tuple(dict.fromkeys(_named(seen, name) for name in names))


def _named(seen: SurveySeen, name: str) -> VouchedFunction:
    path, _, qualname = name.replace("::", ":").rpartition(":")
    found = [
        each
        for each in seen.functions
        if (not path or each.function.path == path) and f".{_dotted(each, seen)}".endswith(f".{qualname}")
    ]
    if len(found) > 1:
        exact = [each for each in found if each.function.qualname == qualname]
        found = exact if len(exact) == 1 else found
    if len(found) == 1:
        return found[0]
    places = list_names([f"{each.function.path}:{each.function.qualname}" for each in found], "function", 5)
    said = f"Several functions are called {name!r}: {places}" if found else f"There is no path and no function {name!r}"
    raise UsageError(said, remedy="Name a path, or a function as NAME or PATH:NAME.")


def _dotted(each: VouchedFunction, seen: SurveySeen) -> str:
    return f"{module_of(each.function.path, seen.sources)}.{each.function.qualname}"


@dataclass(frozen=True, slots=True)
class _Garden:
    """What all functions of a run have in common."""

    sandbox: Sandbox
    seen: SurveySeen
    options: Options
    folder: str
    printer: FilePrinter
    failing: bool
    constructors: tuple[tuple[str, tuple[tuple[str, bool], ...]], ...]

    @classmethod
    def of(cls, sandbox: LocalSandbox, seen: SurveySeen, options: Options, folder: str, *, failing: bool) -> _Garden:
        tests = files_of_tests(result.test for result in seen.baseline.outcomes)
        style = read_style(text for path, text in seen.sources if path in tests)
        modules = {path: module_of(path, seen.sources) for path, _ in seen.sources}
        folders = Counter(PurePosixPath(path).parent.as_posix() for path in tests)
        place = folder or max(sorted(folders), key=folders.__getitem__, default=".")
        printer = FilePrinter(style, modules_of(seen.sources))
        return cls(sandbox, seen, options, place, printer, failing, constructors_of(seen.sources, modules))

    def path(self, program: str) -> str:
        """Where the tests of a file of the program will lie."""
        return free_path(self.folder, module_of(program, self.seen.sources), dict(self.seen.sources))

    def grower(self, limits: Limits) -> FunctionGrower:
        """Who grows the tests of one function."""
        return FunctionGrower(
            self.sandbox,
            self.seen,
            limits,
            self.printer,
            self.constructors,
            self.path,
            self.options.seed,
            self.options.mutants,
            time.monotonic,
        )

    def verify(self, grown: Sequence[Grown], verifier: Verifier) -> GrownReport:
        """The files of what was grown, with what held when they were run."""
        files: list[GrownFile] = []
        tests: dict[CallCase, str] = {}
        dropped: dict[CallCase, str] = {}
        for program in dict.fromkeys(each.function.file for each in grown if each.cases):
            cases = [case for each in grown if each.function.file == program for case in each.cases]
            path = self.path(program)
            verified = verifier.verify(path, cases)
            dropped |= dict(verified.dropped)
            if verified.printed is not None:
                files.append(GrownFile(path, marked(verified.printed.text)))
                for name, held in verified.printed.tests:
                    tests |= dict.fromkeys(held, f"{path}::{name}")
        failing = self._failing(grown) if self.failing else ()
        return GrownReport(
            functions=tuple(_told(each, tests, dropped) for each in grown),
            files=(*files, *failing),
            findings=tuple(broken.finding for each in grown for broken in each.broken),
        )

    def _failing(self, grown: Sequence[Grown]) -> Iterator[GrownFile]:
        """Files of tests that the program fails: each claims what a sentence says."""
        for program in dict.fromkeys(each.function.file for each in grown):
            own = [each for each in grown if each.function.file == program]
            cases = [each.test for one in own for each in one.broken if each.test is not None]
            if cases:
                module = module_of(program, self.seen.sources)
                path = free_path(self.folder, module, dict(self.seen.sources), failing=True)
                text = self.printer.print_tests(cases, grouped=False).text
                yield GrownFile(path, marked(text), failing=True)


def _told(each: Grown, tests: Mapping[CallCase, str], dropped: Mapping[CallCase, str]) -> GrownFunction:
    kept = [case for case in each.cases if case in tests]
    counts = Counter(each.function.dropped)
    counts.update(dropped[case] for case in each.cases if case in dropped)
    return replace(
        each.function,
        killed=len({kill for case in kept for kill in case.kills}),
        dropped=dict(counts),
        tests=tuple(
            GrownTest(tests[case], case.standing, case.call, str(case.claim), case.said, case.kills) for case in kept
        ),
    )
