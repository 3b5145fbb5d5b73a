"""What a run knows beside its answer, for its page (``repair.details/1``): too much for a result that hosts read.

Fields are only added within a major version.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from analysis.mutant_view import MutantView
from repair.records.json_records import from_plain, to_plain

SCHEMA: Literal["repair.details/1"] = "repair.details/1"

DETAILS = "details.json"
"""What they are called in the record of a run."""


@dataclass(frozen=True, slots=True)
class SuspectLine:
    """One line of a suspect: how suspicious it is, from 0 to 1, and how many failing and passing tests run it.

    ``tests`` are the first of them, failing ones in front. A line that no test runs has none, and ``suspiciousness`` 0.
    """

    number: int
    text: str
    suspiciousness: float = 0.0
    failing: int = 0
    passing: int = 0
    tests: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SuspectSource:
    """The text of one suspect as the tests ran it. ``left`` lines at its end are not in here."""

    file: str
    function: str
    line: int
    lines: tuple[SuspectLine, ...]
    left: int = 0


@dataclass(frozen=True, slots=True)
class PatchMutants:
    """The mutants of one patch, by its digest, and the ``text`` that they were made of, from its first ``line`` on.

    Lines are those of the patched file.
    """

    patch: str
    mutants: tuple[MutantView, ...]
    line: int = 1
    text: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RunDetails:
    """All of that."""

    suspects: tuple[SuspectSource, ...] = ()
    mutants: tuple[PatchMutants, ...] = ()
    schema: Literal["repair.details/1"] = SCHEMA

    def of_patch(self, patch: str) -> PatchMutants | None:
        """The mutants of the patch with this digest, if any are known."""
        return next((each for each in self.mutants if each.patch == patch), None)

    def to_json(self) -> dict[str, Any]:
        """The details as JSON values."""
        values: dict[str, Any] = to_plain(self)
        return values

    @classmethod
    def from_json(cls, values: Any) -> RunDetails:
        """The details that the JSON values describe; raises ``ValueError`` where they describe none."""
        found: RunDetails = from_plain(cls, values, "details")
        return found
