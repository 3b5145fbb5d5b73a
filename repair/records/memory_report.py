"""What ``repair memory`` answers (``repair.memory/1``): what is known of failures by class. No verdict rests on it.

Fields are only added within a major version.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from repair.records.json_records import from_plain, to_plain

SCHEMA: Literal["repair.memory/1"] = "repair.memory/1"
SIBLINGS_SCHEMA: Literal["repair.siblings/1"] = "repair.siblings/1"


@dataclass(frozen=True, slots=True)
class KnownClass:
    """What is known of one class of failures: how many were worked on, how many mended, and what mended them.

    ``families`` count fixes by family of edits.
    """

    failure_class: str
    tried: int = 0
    mended: int = 0
    families: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class TriedBefore:
    """One cause of one run: what the failure was like, by which way it was worked on, and how that ended."""

    run: str
    cause: int
    signature: str
    proposer: str
    family: str
    outcome: str
    candidates: int
    seconds: float


@dataclass(frozen=True, slots=True)
class WhyThisOrder:
    """Why the edits of one function stood in their order, in one run."""

    function: str
    message: str


@dataclass(frozen=True, slots=True)
class AnswerKept:
    """What a person said that a function should do; it ``holds`` while the function's text is what it was then."""

    text: str
    file: str
    function: str
    run: str
    holds: bool


@dataclass(frozen=True, slots=True)
class PatchRejected:
    """A patch that a person rejected: what it puts in, on one line, and why (``note``), if that was said."""

    run: str
    file: str
    function: str
    change: str = ""
    note: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True)
class HistoryLearned:
    """What ``memory learn`` has made of the project's commits: so many ``words`` and ``templates``.

    ``files`` counts the changed files that were read, ``fixes`` those edits that templates are made of, ``unread``
    files that could not be read.
    """

    words: int = 0
    templates: int = 0
    files: int = 0
    fixes: int = 0
    unread: int = 0


@dataclass(frozen=True, slots=True)
class MemoryReport:
    """What is remembered. ``scope`` is ``project`` or ``all``; ``run`` is the one that was asked about, if any."""

    scope: str = "project"
    file: str = ""
    known: tuple[KnownClass, ...] = ()
    attempts: tuple[TriedBefore, ...] = ()
    """Those of this project, the oldest first."""
    answers: tuple[AnswerKept, ...] = ()
    run: str = ""
    why: tuple[WhyThisOrder, ...] = ()
    learned: HistoryLearned | None = None
    """What its history has taught, where somebody had it learned."""
    rejections: tuple[PatchRejected, ...] = ()
    """What people rejected, the newest last; what was said of a run is kept when the run is deleted."""
    schema: Literal["repair.memory/1"] = SCHEMA

    def to_json(self) -> dict[str, Any]:
        """The report as JSON values, ``schema`` first."""
        values = to_plain(self)
        return {"schema": values.pop("schema"), **values}

    @classmethod
    def from_json(cls, values: Any) -> MemoryReport:
        """The report that the JSON values describe; wrong ones raise ``ValueError``."""
        report: MemoryReport = from_plain(cls, values, "report")
        return report


@dataclass(frozen=True, slots=True)
class PlaceAlike:
    """A place that has the flaw still; ``text`` is its code on one line."""

    file: str
    line: int
    function: str
    text: str


@dataclass(frozen=True, slots=True)
class SiblingsReport:
    """Other places of the program with the flaw that a run's patch takes away (``repair siblings``).

    ``flaw`` is its code on one line; it is empty where the patch takes away nothing that can be looked for.
    """

    run: str
    file: str
    function: str
    flaw: str = ""
    places: tuple[PlaceAlike, ...] = ()
    files: int = 0
    """How many files of the program were looked at."""
    schema: Literal["repair.siblings/1"] = SIBLINGS_SCHEMA

    def to_json(self) -> dict[str, Any]:
        """The report as JSON values, ``schema`` first."""
        values = to_plain(self)
        return {"schema": values.pop("schema"), **values}

    @classmethod
    def from_json(cls, values: Any) -> SiblingsReport:
        """The report that the JSON values describe; wrong ones raise ``ValueError``."""
        report: SiblingsReport = from_plain(cls, values, "report")
        return report
