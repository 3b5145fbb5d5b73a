"""Findings as records, and what people said of them."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from repair.records.specified import PersonsWord, SpecFinding, SpecKind, SpecRequest
from repair.survey.specified.fact_store import FactStore

_ORDER = tuple(SpecKind)
_LETTERS = {SpecKind.CONTRADICTION: "C", SpecKind.DRIFT: "D", SpecKind.STALE: "S", SpecKind.GAP: "G"}


@dataclass(frozen=True, slots=True)
class LookedAt:
    """What one part of a check has found, what it looked at, and what it did not."""

    findings: tuple[SpecFinding, ...] = ()
    checked: tuple[str, ...] = ()
    not_checked: tuple[str, ...] = ()


def finding_of(
    kind: SpecKind,
    subject: str,
    said: str,
    file: str,
    line: int,
    quotes: Sequence[str] = (),
    witness: str = "",
    *,
    words: Sequence[str] = (),
    sure: bool = True,
    by_model: bool = False,
) -> SpecFinding:
    """A finding. Its id stays as long as its kind, subject and words do; ``words`` stand for quotes with lines."""
    key = "|".join((kind.value, subject, *sorted(words or quotes or (said,)), *(("model",) if by_model else ())))
    name = f"{_LETTERS[kind]}-{hashlib.sha256(key.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
    return SpecFinding(name, kind, subject, said, file, line, tuple(quotes), witness, sure, by_model=by_model)


def with_words(
    findings: Iterable[SpecFinding], words: Mapping[str, PersonsWord], scores: Mapping[str, float]
) -> tuple[SpecFinding, ...]:
    """The findings, each once, with what people said of them: open ones first, by kind, then by the priorities of their
    functions, file and line."""
    found = {each.id: replace(each, word=words.get(each.id)) for each in findings}

    def place(each: SpecFinding) -> tuple[bool, int, float, str, int]:
        return not each.is_open, _ORDER.index(each.kind), -scores.get(each.subject, 0.0), each.file, each.line

    return tuple(sorted(found.values(), key=place))


def keep_words_of(asked: SpecRequest, store: FactStore) -> None:
    """Keep what a person says, with who and when. That all of it is of something that is there was asked before."""
    for name, says, reason in asked.words:
        store.say(name, PersonsWord(says, reason, asked.who, datetime.date.today().isoformat()))
