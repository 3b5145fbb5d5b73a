"""What somebody reads in sentences that no extractor understands, and who is asked."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from analysis.specified.mapped_sentences import OpenSentence, ReadMapping
from repair.records.result import Cost


@dataclass(frozen=True, slots=True)
class SentencesRead:
    """Readings that nobody has checked, lines of an answer that are of no form, and why there is nothing.

    ``is_over`` where nothing more can be asked.
    """

    mappings: tuple[ReadMapping, ...] = ()
    malformed: int = 0
    problem: str = ""
    is_over: bool = False


class SentenceReader(Protocol):
    """Reads some sentences at a time."""

    def read(self, sentences: Sequence[OpenSentence], heads: str, seconds_left: Callable[[], float]) -> SentencesRead:
        """What it reads in them; ``heads`` are the functions that they may speak of, one a line."""

    @property
    def cost(self) -> Cost:
        """What was used so far."""
