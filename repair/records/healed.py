"""What ``repair tests heal`` answers (``repair.healed/1``): generated tests that were mended, and why others were not.

Plain dataclasses, like those of ``repair/records/grown.py``. Fields are only added within a major version.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Any, Literal

from repair.records.grown import SaidBy
from repair.records.json_records import from_plain, to_plain

HEALED_SCHEMA: Literal["repair.healed/1"] = "repair.healed/1"


class HealState(enum.StrEnum):
    """What came of one test."""

    FINE = "fine"
    """It passes, and fits the program."""
    HEALED = "healed"
    """It was mended: it passes, and kills all that it killed."""
    FINDING = "finding"
    """The program does otherwise, and who says so has not changed his words: code or fact, one is wrong."""
    OTHERWISE = "otherwise"
    """The program does otherwise, and nobody ever said what it should do."""
    LEFT = "left"
    """It was not mended, or a run gave no outcome: ``why`` says so."""


class HealKind(enum.StrEnum):
    """How a test was mended, the smallest kind first."""

    UPDATE = "update"
    """Names, calls and quotes follow the program."""
    PATCH = "patch"
    """A value or an exception that it expects follows its changed words."""
    REWRITE = "rewrite"
    """Its claim has another form."""


@dataclass(frozen=True, slots=True)
class HealedTest:
    """One test: what came of it, and by what. ``kills_before`` are those in the program of ``commit``."""

    name: str
    standing: SaidBy
    state: HealState
    kinds: tuple[HealKind, ...] = ()
    changes: tuple[str, ...] = ()
    """What was changed in it, a sentence each."""
    why: str = ""
    """Why it was not healed, or what the program does instead."""
    said: str = ""
    """Who says so, as the test quotes it."""
    says_now: str = ""
    """The words that stand there now."""
    commit: str = ""
    """The latest version in git that the test fits, and passes on."""
    kills_before: int = 0
    kills_after: int = 0
    not_comparable: int = 0
    """Mutants that it killed, and that the program of today does not have."""


@dataclass(frozen=True, slots=True)
class HealedFile:
    """A file of generated tests: what is changed in it, and whether that is written."""

    path: str
    diff: str = ""
    written: bool = False
    left: str = ""
    """Why none of its tests was looked at: a person edited it, say."""


@dataclass(frozen=True, slots=True)
class HealRequest:
    """Which files are to be healed, by path of them or their folder (none: all), and whether they are written."""

    paths: tuple[str, ...] = ()
    write: bool = False


@dataclass(frozen=True, slots=True)
class HealReport:
    """All generated tests of a project."""

    root: str = ""
    files: tuple[HealedFile, ...] = ()
    tests: tuple[HealedTest, ...] = ()
    not_checked: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()
    seconds: float = 0.0
    isolation: str = ""
    isolation_opens: tuple[str, ...] = ()
    schema: Literal["repair.healed/1"] = HEALED_SCHEMA

    @property
    def exit_code(self) -> int:
        """0 where each test is fine or healed; 1 where one is not, or was not looked at."""
        open_ones = [each for each in self.tests if each.state not in (HealState.FINE, HealState.HEALED)]
        return 1 if open_ones or self.not_checked else 0

    def to_json(self) -> dict[str, Any]:
        """The report as JSON values, ``schema`` first."""
        values = to_plain(self)
        return {"schema": values.pop("schema"), **values}

    @classmethod
    def from_json(cls, values: Any) -> HealReport:
        """The report that the JSON values describe. Unknown fields are passed over, wrong ones raise ``ValueError``."""
        report: HealReport = from_plain(cls, values, "report")
        return report
