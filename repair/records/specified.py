"""What ``repair spec`` answers: facts (``repair.facts/1``), findings (``repair.spec/1``), links (``repair.trace/1``).

Plain dataclasses, like those of ``repair/records/tests_report.py``. Fields are only added within a major version.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from repair.records.json_records import from_plain, to_plain
from repair.records.result import Cost

FACTS_SCHEMA: Literal["repair.facts/1"] = "repair.facts/1"


@dataclass(frozen=True, slots=True)
class FactView:
    """One fact with its source. ``subject`` is ``path:name``; an operation, schema or requirement has its own name."""

    id: str
    subject: str
    predicate: str
    part: str
    when: str
    value: str
    file: str
    line: int
    end_line: int
    quote: str
    sha256: str
    """The fingerprint of the quote: the first letters of its SHA-256, line breaks passed over."""
    extractor: str
    certainty: str
    """``parsed``, ``model`` or ``person``."""
    sure: bool = True
    """Whether the words name what they speak of; else they may be read otherwise."""
    requirement: str = ""


@dataclass(frozen=True, slots=True)
class UnreadSource:
    """A file, or a line of it, that states nothing since it cannot be read."""

    file: str
    line: int
    why: str


@dataclass(frozen=True, slots=True)
class RefusedReadings:
    """How many readings of a model were refused, and why."""

    why: str
    count: int


@dataclass(frozen=True, slots=True)
class ModelsPart:
    """What a model had a part in: open sentences, those that it was shown, and the facts that their words bear out."""

    model: str
    sentences: int = 0
    asked: int = 0
    facts: int = 0
    refused: tuple[RefusedReadings, ...] = ()
    problems: tuple[str, ...] = ()
    cost: Cost = field(default_factory=Cost)


@dataclass(frozen=True, slots=True)
class FactsReport:
    """All facts of a project. ``fresh`` are ids that the scan before did not have, ``gone`` facts that it had."""

    root: str = ""
    facts: tuple[FactView, ...] = ()
    fresh: tuple[str, ...] = ()
    gone: tuple[FactView, ...] = ()
    unread: tuple[UnreadSource, ...] = ()
    files: int = 0
    """Files that were read."""
    ran: bool = False
    """Whether the suite ran, so that its calls were seen."""
    by_model: ModelsPart | None = None
    """What a model read; ``None`` where none was asked."""
    warnings: tuple[str, ...] = ()
    seconds: float = 0.0
    schema: Literal["repair.facts/1"] = FACTS_SCHEMA

    @property
    def exit_code(self) -> int:
        """0 where facts were found; 1 where there is none."""
        return 0 if self.facts else 1

    def by_extractor(self) -> Mapping[str, int]:
        """How many facts each extractor read."""
        found: dict[str, int] = {}
        for fact in self.facts:
            found[fact.extractor] = found.get(fact.extractor, 0) + 1
        return found

    def to_json(self) -> dict[str, Any]:
        """The report as JSON values, ``schema`` first."""
        values = to_plain(self)
        return {"schema": values.pop("schema"), **values}

    @classmethod
    def from_json(cls, values: Any) -> FactsReport:
        """The report that the JSON values describe. Unknown fields are passed over, wrong ones raise ``ValueError``."""
        report: FactsReport = from_plain(cls, values, "report")
        return report


SPEC_SCHEMA: Literal["repair.spec/1"] = "repair.spec/1"


class SpecKind(enum.StrEnum):
    """What is wrong between what is written and what is there."""

    CONTRADICTION = "contradiction"
    """Two facts that exclude each other."""
    DRIFT = "drift"
    """A fact that the program breaks when it runs."""
    STALE = "stale"
    """Words that are no longer where somebody quoted them, or that changed since they were read last."""
    GAP = "gap"
    """A function of which nothing is stated and that no test runs; a fact that no test holds."""


class PersonSays(enum.StrEnum):
    """What a person may say of a finding."""

    ANSWERED = "answered"
    ACCEPTED = "accepted"
    DISPUTED = "disputed"


@dataclass(frozen=True, slots=True)
class PersonsWord:
    """What a person said of a finding, and when; ``day`` is a date."""

    says: PersonSays
    reason: str
    who: str
    day: str


@dataclass(frozen=True, slots=True)
class SpecFinding:
    """One finding. ``quotes`` are the words of either side, with their places; ``witness`` is a call that shows it."""

    id: str
    kind: SpecKind
    subject: str
    said: str
    file: str
    line: int
    quotes: tuple[str, ...] = ()
    witness: str = ""
    sure: bool = True
    """Whether the words name what they speak of; else they may be read otherwise."""
    word: PersonsWord | None = None
    by_model: bool = False
    """Whether it rests on a model's reading that nobody has accepted: then it does not count."""

    @property
    def is_open(self) -> bool:
        """Whether nobody has said anything of it."""
        return self.word is None


@dataclass(frozen=True, slots=True)
class SpecReport:
    """What was found between facts, tests and the program. ``checked`` says what each layer looked at."""

    root: str = ""
    facts: int = 0
    findings: tuple[SpecFinding, ...] = ()
    unread: tuple[UnreadSource, ...] = ()
    checked: tuple[str, ...] = ()
    not_checked: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    seconds: float = 0.0
    isolation: str = ""
    isolation_opens: tuple[str, ...] = ()
    schema: Literal["repair.spec/1"] = SPEC_SCHEMA

    @property
    def counting(self) -> tuple[SpecFinding, ...]:
        """The open findings that lead to exit status 1; a gap is only told, and so is what a model alone says."""
        return tuple(
            each for each in self.findings if each.is_open and each.kind is not SpecKind.GAP and not each.by_model
        )

    @property
    def exit_code(self) -> int:
        """1 where a contradiction, a drift or stale words are open."""
        return 1 if self.counting else 0

    def to_json(self) -> dict[str, Any]:
        """The report as JSON values, ``schema`` first."""
        values = to_plain(self)
        return {"schema": values.pop("schema"), **values}

    @classmethod
    def from_json(cls, values: Any) -> SpecReport:
        """The report that the JSON values describe. Unknown fields are passed over, wrong ones raise ``ValueError``."""
        report: SpecReport = from_plain(cls, values, "report")
        return report


TRACE_SCHEMA: Literal["repair.trace/1"] = "repair.trace/1"


class LinkState(enum.StrEnum):
    """What a link from a requirement to a test is worth."""

    PROVED = "proved"
    """The test runs the function and kills a mutant of it."""
    CLAIMED = "claimed"
    """Somebody wrote that the test is for the requirement; ``why`` says what is missing."""


@dataclass(frozen=True, slots=True)
class TraceLink:
    """A requirement, a test that names it, and a function that it speaks of."""

    requirement: str
    test: str
    function: str
    state: LinkState
    killed: int = 0
    mutants: int = 0
    why: str = ""


@dataclass(frozen=True, slots=True)
class RequirementView:
    """A requirement with its words, and their place and fingerprint."""

    id: str
    quote: str
    file: str
    line: int
    end_line: int
    sha256: str


@dataclass(frozen=True, slots=True)
class TraceReport:
    """Which tests are for which requirements, and what that is worth."""

    root: str = ""
    requirements: tuple[RequirementView, ...] = ()
    links: tuple[TraceLink, ...] = ()
    not_checked: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    seconds: float = 0.0
    isolation: str = ""
    isolation_opens: tuple[str, ...] = field(default=())
    schema: Literal["repair.trace/1"] = TRACE_SCHEMA

    def links_of(self, requirement: str) -> tuple[TraceLink, ...]:
        """The links of one requirement."""
        return tuple(each for each in self.links if each.requirement == requirement)

    @property
    def exit_code(self) -> int:
        """0 where each requirement has a proved link."""
        proved = {each.requirement for each in self.links if each.state is LinkState.PROVED}
        return 0 if all(each.id in proved for each in self.requirements) else 1

    def to_json(self) -> dict[str, Any]:
        """The report as JSON values, ``schema`` first."""
        values = to_plain(self)
        return {"schema": values.pop("schema"), **values}

    @classmethod
    def from_json(cls, values: Any) -> TraceReport:
        """The report that the JSON values describe. Unknown fields are passed over, wrong ones raise ``ValueError``."""
        report: TraceReport = from_plain(cls, values, "report")
        return report


@dataclass(frozen=True, slots=True)
class SpecRequest:
    """What is asked: paths that restrict what is told, and what a person says of findings."""

    paths: tuple[str, ...] = ()
    seen: bool = False
    """Whether the suite is run, and what its calls come to is recorded."""
    by_model: bool = False
    """Whether the model that the options name is asked what open sentences state."""
    words: tuple[tuple[str, PersonSays, str], ...] = ()
    """Ids of findings, or of a model's facts, with what a person says of each, and why."""
    who: str = ""
