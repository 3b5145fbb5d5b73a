"""What ``repair tests grow`` answers (``repair.grown/1``): tests, who says so in each, and what no test was made of.

Plain dataclasses, like those of ``repair/records/tests_report.py``. Fields are only added within a major version.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from analysis.priority import Priority
from repair.records.json_records import from_plain, to_plain

GROWN_SCHEMA: Literal["repair.grown/1"] = "repair.grown/1"


class SaidBy(enum.StrEnum):
    """Who says what a test claims. Only the first two are evidence."""

    REQUIRED = "required"
    """A sentence of the project, which is quoted."""
    ASKED = "asked"
    """A person, who was asked."""
    PINNED = "pinned"
    """Nobody: the program behaves so now."""


@dataclass(frozen=True, slots=True)
class GrownTest:
    """One test: what it calls, what it claims, and who says so. ``kills`` are mutants that no test noticed before."""

    name: str
    standing: SaidBy
    call: str
    claim: str
    """``== 5``, or ``raises ValueError``."""
    said: str = ""
    """The quote with its place, or the person's answer; ``""`` where nobody says so."""
    kills: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A call on which the program breaks a sentence of the project: code or fact, one of them is wrong."""

    file: str
    function: str
    line: int
    call: str
    does: str
    said: str
    certain: bool = True
    """Whether the sentence names what it speaks of; else it may be read otherwise."""


@dataclass(frozen=True, slots=True)
class GrownFunction:
    """One function. Of its ``open`` mutants, which no test notices, inputs told ``apart`` so many; tests kill some.

    ``dropped`` counts by filter what was not good enough. ``questions`` tell inputs of which no test could be made.
    """

    file: str
    function: str
    line: int
    open: int = 0
    apart: int = 0
    killed: int = 0
    rewritings: int = 0
    """Other texts of the function that do the same, and that its tests pass on."""
    tests: tuple[GrownTest, ...] = ()
    dropped: Mapping[str, int] = field(default_factory=dict)
    questions: tuple[str, ...] = ()
    not_checked: str = ""
    seconds: float = 0.0
    proposed: int = 0
    """Calls that a model proposed, which did not see the body."""
    not_proposed: str = ""
    """Why a model that was named proposed none."""
    priority: Priority | None = None
    """How much it deserves a test, as far as that was known before its mutants ran."""


@dataclass(frozen=True, slots=True)
class UnansweredQuestion:
    """A question of a recorded run that nobody has answered, with what ``--answer`` takes for either reading."""

    question: str
    mine: str = ""
    other: str = ""

    @property
    def forms(self) -> tuple[str, str]:
        """Both answers."""
        return self.mine, self.other


@dataclass(frozen=True, slots=True)
class GrowRequest:
    """What is to be grown: for paths of the program, names of functions, runs; and the folder for files, if any."""

    paths: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    runs: tuple[str, ...] = ()
    """Recorded runs, of which people's answers are taken."""
    folder: str = ""
    failing: bool = False
    """Whether tests that the program fails are written, too: what a sentence says, and the program does not do."""
    cwd: str = "."


@dataclass(frozen=True, slots=True)
class GrownFile:
    """A file of tests: its path in the project, and its text. ``failing`` are those that the program fails."""

    path: str
    text: str
    written: bool = False
    failing: bool = False


@dataclass(frozen=True, slots=True)
class GrownReport:
    """All that was grown in a project."""

    root: str = ""
    versions: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    functions: tuple[GrownFunction, ...] = ()
    asked: tuple[GrownTest, ...] = ()
    """Tests that hold what people answered, and what a sentence of the project says to a question of a run."""
    questions: tuple[UnansweredQuestion, ...] = ()
    files: tuple[GrownFile, ...] = ()
    findings: tuple[Contradiction, ...] = ()
    checked: tuple[str, ...] = ()
    """What each layer looked at."""
    not_checked: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    seconds: float = 0.0
    isolation: str = ""
    isolation_opens: tuple[str, ...] = ()
    schema: Literal["repair.grown/1"] = GROWN_SCHEMA

    @property
    def tests(self) -> tuple[GrownTest, ...]:
        """The tests of all functions."""
        return (*self.asked, *(test for each in self.functions for test in each.tests))

    @property
    def exit_code(self) -> int:
        """0 where tests were grown and nothing contradicts; 1 where a fact does, or nothing was grown."""
        return 0 if self.tests and not self.findings else 1

    def to_json(self) -> dict[str, Any]:
        """The report as JSON values, ``schema`` first."""
        values = to_plain(self)
        return {"schema": values.pop("schema"), **values}

    @classmethod
    def from_json(cls, values: Any) -> GrownReport:
        """The report that the JSON values describe. Unknown fields are passed over, wrong ones raise ``ValueError``."""
        report: GrownReport = from_plain(cls, values, "report")
        return report
