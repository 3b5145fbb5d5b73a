"""What ``repair make`` answers (``repair.made/1``): a program, its tests, and who says what they claim.

Plain dataclasses, like those of ``repair/records/tests_report.py``. Fields are only added within a major version.
Nothing here is ever certified: before the program was made nothing failed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from repair.records.grown import SaidBy
from repair.records.json_records import from_plain, to_plain
from repair.records.result import Cost

MADE_SCHEMA: Literal["repair.made/1"] = "repair.made/1"
PASSED = "passed"
"""The outcome of a test all of whose cases passed."""


@dataclass(frozen=True, slots=True)
class MakeRequest:
    """The text of a task, under the name that it gets in the new folder; ``out`` is the absolute path of that."""

    name: str
    text: str
    out: str


@dataclass(frozen=True, slots=True)
class MadeFile:
    """A file of the new folder. ``part`` is ``implementation``, ``tests``, or ``ours`` for what no model wrote."""

    path: str
    part: str
    sha256: str
    size: int


@dataclass(frozen=True, slots=True)
class TaskQuote:
    """Words of the task, and the line in which they begin."""

    line: int
    quote: str


@dataclass(frozen=True, slots=True)
class MadeTest:
    """One test: who says what it claims, and how it ended: ``passed``, ``failed``, ``error``, ``skipped``, ``missing``.

    ``why`` says why it is not required; ``anew`` that it was written in place of one that failed.
    """

    name: str
    standing: SaidBy
    outcome: str
    quotes: tuple[TaskQuote, ...] = ()
    claims: tuple[str, ...] = ()
    why: str = ""
    message: str = ""
    anew: bool = False


@dataclass(frozen=True, slots=True)
class MadeFact:
    """A sentence of the task: what the extractors read in it, and the required tests that quote it."""

    line: int
    quote: str
    requirement: str = ""
    claims: tuple[str, ...] = ()
    tests: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MadePatch:
    """A patch that ``repair fix`` found for the program: plausible by these tests, and no more."""

    file: str
    function: str
    failure_class: str
    diff: str
    question: str = ""


@dataclass(frozen=True, slots=True)
class MadeStep:
    """One step: what was done, and what came of it."""

    what: str
    came: str
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class MadeArtifact:
    """The identity of what was made: it changes with a byte of a file, a signature, a mark, or a test that passes."""

    digest: str = ""
    sections: tuple[str, ...] = ()
    signatures: tuple[str, ...] = ()
    passing: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class MadeReport:
    """All that came of a task. ``written`` says whether the folder is there."""

    out: str = ""
    task: str = ""
    written: bool = False
    files: tuple[MadeFile, ...] = ()
    artifact: MadeArtifact = field(default_factory=MadeArtifact)
    tests: tuple[MadeTest, ...] = ()
    facts: tuple[MadeFact, ...] = ()
    unbacked: tuple[str, ...] = ()
    """What nobody says: sentences without a required test that passes, pinned tests, functions no such test calls."""
    replaced: tuple[str, ...] = ()
    """Tests that failed, and in whose place others were written."""
    patches: tuple[MadePatch, ...] = ()
    steps: tuple[MadeStep, ...] = ()
    ended: str = ""
    """Why it ended before all tests passed."""
    cost: Cost = field(default_factory=Cost)
    versions: Mapping[str, str] = field(default_factory=dict)
    seed: int = 0
    warnings: tuple[str, ...] = ()
    seconds: float = 0.0
    isolation: str = ""
    isolation_opens: tuple[str, ...] = ()
    schema: Literal["repair.made/1"] = MADE_SCHEMA

    @property
    def required(self) -> tuple[MadeTest, ...]:
        """The tests that words of the task require."""
        return tuple(test for test in self.tests if test.standing is SaidBy.REQUIRED)

    @property
    def exit_code(self) -> int:
        """0 where there are required tests, and all of them pass; else 1."""
        return 0 if self.written and self.required and all(t.outcome == PASSED for t in self.required) else 1

    def to_json(self) -> dict[str, Any]:
        """The report as JSON values, ``schema`` first."""
        values = to_plain(self)
        return {"schema": values.pop("schema"), **values}

    @classmethod
    def from_json(cls, values: Any) -> MadeReport:
        """The report that the JSON values describe. Unknown fields are passed over, wrong ones raise ``ValueError``."""
        report: MadeReport = from_plain(cls, values, "report")
        return report
