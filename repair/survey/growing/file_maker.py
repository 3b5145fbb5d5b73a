"""From cases to files of tests: where they lie, in which style, and what of them held when it was run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from analysis.diagnosis import files_of_tests
from analysis.errors import OutOfTimeError, UsageError
from repair.compare.answers import PersonsAnswer, dotted_names_in, module_of, modules_of
from repair.records.grown import GrownFile, SaidBy
from repair.survey.constructors import Constructor
from repair.survey.growing.asked import asked_case
from repair.survey.growing.claim import CallCase
from repair.survey.growing.new_files import free_path, marked
from repair.survey.growing.oracle import constructors_of
from repair.survey.growing.printing import FilePrinter
from repair.survey.growing.style import read_style
from repair.survey.growing.verified import Verifier
from repair.survey.survey_report import SurveySeen
from repair.trials.run_time import TimeIsUp

Placed = tuple[str, CallCase]
"""A case, behind the file of the program that it is about."""


@dataclass(frozen=True, slots=True)
class MadeFiles:
    """The files, the test of each case that held, and why others were dropped."""

    files: tuple[GrownFile, ...] = ()
    tests: Mapping[CallCase, str] = field(default_factory=dict)
    dropped: Mapping[CallCase, str] = field(default_factory=dict)
    runs: int = 0
    """Cold runs that they took."""
    late: int = 0
    """Cases that were not run as they would lie in the project: the time was over."""


@dataclass(frozen=True, slots=True)
class FileMaker:
    """Makes the files of one project. ``failing`` says whether tests that the program fails are among them."""

    seen: SurveySeen
    folder: str
    printer: FilePrinter
    constructors: tuple[tuple[str, Constructor], ...]
    failing: bool = False

    @classmethod
    def of(cls, seen: SurveySeen, folder: str, *, failing: bool) -> FileMaker:
        """The maker of files in that folder; without one, in the folder that holds most test files."""
        tests = files_of_tests(result.test for result in seen.baseline.outcomes)
        style = read_style(text for path, text in seen.sources if path in tests)
        modules = {path: module_of(path, seen.sources) for path, _ in seen.sources}
        folders = Counter(PurePosixPath(path).parent.as_posix() for path in tests)
        place = folder or max(sorted(folders), key=folders.__getitem__, default=".")
        printer = FilePrinter(style, modules_of(seen.sources))
        return cls(seen, place, printer, constructors_of(seen.sources, modules), failing)

    def path(self, program: str, *, failing: bool = False) -> str:
        """Where the tests of a file of the program will lie."""
        module = module_of(program, self.seen.sources)
        return free_path(self.folder, module, dict(self.seen.sources), failing=failing)

    def asked_case(self, answer: str, said: str, standing: SaidBy = SaidBy.ASKED) -> Placed:
        """The test that holds an answer. Raises ``UsageError`` where none can be made of it."""
        case = asked_case(answer, said, dict(self.constructors).get, standing)
        if case is None:
            raise UsageError(
                f"No test can be made of {answer!r}: no constructor makes its instance from plain values",
                where="--answer",
                remedy="Write that test by hand.",
            )
        homes = {module_of(path, self.seen.sources): path for path, _ in self.seen.sources}
        chains = dotted_names_in(PersonsAnswer(case.call, case.claim.value or "None", raises=False))
        names = [".".join(chain[:end]) for chain in chains for end in range(len(chain), 0, -1)]
        program = next((homes[name] for name in names if name and name in homes), None)
        if program is None:
            raise UsageError(
                f"{answer!r} names no module of this project",
                where="--answer",
                remedy="Begin what is called with its module: shop.total([]) == 0.",
            )
        return program, case

    def make(
        self, verifier: Verifier, answers: Sequence[Placed], cases: Sequence[Placed], broken: Sequence[Placed]
    ) -> MadeFiles:
        """A file for each file of the program: what people answered comes first. ``broken`` are tests that fail.

        What is verified when the time is over is kept.
        """
        files: list[GrownFile] = []
        tests: dict[CallCase, str] = {}
        dropped: dict[CallCase, str] = {}
        runs = late = 0
        for program, own in _by_program((*answers, *cases)):
            path = self.path(program)
            try:
                verified = verifier.verify(path, own)
            except (OutOfTimeError, TimeIsUp):
                late += len(own)
                continue
            dropped |= dict(verified.dropped)
            runs += verified.runs
            if verified.printed is not None:
                files.append(GrownFile(path, marked(verified.printed.text)))
                for name, held in verified.printed.tests:
                    tests |= dict.fromkeys(held, f"{path}::{name}")
        denied = [each for each in answers if each[1] in dropped]
        for program, own in _by_program((*denied, *broken) if self.failing else ()):
            text = self.printer.print_tests(own, grouped=False).text
            files.append(GrownFile(self.path(program, failing=True), marked(text), failing=True))
        return MadeFiles(tuple(files), tests, dropped, runs, late)


def _by_program(placed: Sequence[Placed]) -> Iterator[tuple[str, list[CallCase]]]:
    for program in dict.fromkeys(program for program, _ in placed):
        yield program, [case for own, case in placed if own == program]
