"""What ``repair tests`` answers (``repair.tests/1``): the record that is printed.

Plain dataclasses, like those of ``repair/records/result.py``. The published JSON Schema is derived from them
(``repair/show/output.py``). Fields are only added within a major version.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from analysis.mutant_view import MutantView
from analysis.mutation_score import MutationScore
from analysis.priority import Priority
from analysis.quality.findings import Finding, Weight
from analysis.statement_lines import Share
from repair.records.json_records import from_plain, to_plain

SCHEMA: Literal["repair.tests/1"] = "repair.tests/1"

MOST_TESTS = 50
"""Tests that are named for each function; those that run few other functions come first."""


class TestsStatus(enum.StrEnum):
    """The word of a survey: whether a finding counts."""

    __test__ = False

    CLEAN = "clean"
    FINDINGS = "findings"


@dataclass(frozen=True, slots=True)
class TestCounts:
    """Cases of the suite: parametrized ones count each. ``fake`` are those that passed and cannot vouch."""

    __test__ = False

    cases: int = 0
    passed: int = 0
    failing: int = 0
    flaky: int = 0
    skipped: int = 0
    fake: int = 0
    vouching: int = 0
    unread: int = 0
    """Those whose text is not at hand: doctests, tests that other files hold or that are made at run time."""


@dataclass(frozen=True, slots=True)
class SurvivingMutant:
    """A mutant that no test noticed; it may be equivalent."""

    line: int
    label: str


@dataclass(frozen=True, slots=True)
class CoverageView:
    """Statements in the bodies of functions, and where the lines that ran are known from: ``measured`` or a file."""

    source: str = "measured"
    threshold: float = 0.0
    total: Share = field(default_factory=Share)
    branches: Share = field(default_factory=Share)
    """Branches of the same functions, where the project measures them: how many of them tests take."""


@dataclass(frozen=True, slots=True)
class FunctionView:
    """One public function or method.

    So many ``cases`` vouch for it, of the tests ``vouching``; so many ``unfit`` ones run it and cannot. ``not_run`` are
    mutants that were made and had no turn, ``not_checked`` says why.
    """

    file: str
    function: str
    line: int
    end_line: int
    cases: int
    unfit: int
    coverage: Share
    vouching: tuple[str, ...] = ()
    mutants: MutationScore = field(default_factory=MutationScore)
    not_run: int = 0
    survivors: tuple[SurvivingMutant, ...] = ()
    not_checked: str = ""
    branches: Share = field(default_factory=Share)
    priority: Priority | None = None
    """How much the function deserves a further test, with what that comes from."""
    mutants_by_line: tuple[MutantView, ...] = ()
    """Each mutant that is in the score, with its place, what it puts there, and the test that noticed it."""


@dataclass(frozen=True, slots=True)
class TestsSeconds:
    """Where the time went."""

    __test__ = False

    total: float = 0.0
    suite: float = 0.0
    mutants: float = 0.0


@dataclass(frozen=True, slots=True)
class TestsReport:
    """The state of a project's tests. ``left_out`` are Python files that were not looked at, as being no program."""

    __test__ = False

    status: TestsStatus
    root: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    tests: TestCounts = TestCounts()
    functions: tuple[FunctionView, ...] = ()
    classes: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    coverage: CoverageView = CoverageView()
    mutants: MutationScore = field(default_factory=MutationScore)
    left_out: tuple[str, ...] = ()
    not_checked: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    seconds: TestsSeconds = TestsSeconds()
    isolation: str = ""
    isolation_opens: tuple[str, ...] = ()
    schema: Literal["repair.tests/1"] = SCHEMA

    @property
    def exit_code(self) -> int:
        """The process status that it leads to."""
        return 0 if self.status is TestsStatus.CLEAN else 1

    def by_priority(self) -> tuple[FunctionView, ...]:
        """The functions, those first that deserve a test most."""
        return tuple(sorted(self.functions, key=lambda each: -each.priority.score if each.priority else 0.0))

    def of_weight(self, weight: Weight) -> tuple[Finding, ...]:
        """The findings of that weight."""
        return tuple(finding for finding in self.findings if finding.weight is weight)

    def to_json(self) -> dict[str, Any]:
        """The report as JSON values, ``schema`` first."""
        values = to_plain(self)
        return {"schema": values.pop("schema"), **values}

    @classmethod
    def from_json(cls, values: Any) -> TestsReport:
        """The report that the JSON values describe. Unknown fields are passed over, wrong ones raise ``ValueError``."""
        report: TestsReport = from_plain(cls, values, "report")
        return report
