"""What a model reads in sentences: asked for, checked against the sentences, kept, and held against them again.

Kept is what the model wrote. Each scan and check reads it anew by the same strict rules against the files as they are.
So a reading goes with its words. A person's word makes it a fact like others, or puts it away.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from analysis.specified.fact_record import Fact, KnownBy
from analysis.specified.mapped_sentences import (
    MappingFault,
    OpenSentence,
    ReadMapping,
    fact_of_mapping,
    open_sentences,
)
from repair.records.read_sentences import SentenceReader
from repair.records.specified import ModelsPart, PersonSays, PersonsWord, RefusedReadings
from repair.survey.specified.fact_store import FactStore
from repair.survey.specified.scan import ScannedProject
from sandbox.workspace import Snapshot

SENTENCES_AT_ONCE = 25
MOST_HEADS = 300
"""Functions that a model is told of beside sentences of documents."""

_MALFORMED = "the line is of another form"


@dataclass(frozen=True, slots=True)
class HeldReadings:
    """Readings that the files bear out, each with its fact; ``sentences`` are all that may be read so."""

    sentences: tuple[OpenSentence, ...] = ()
    held: tuple[tuple[ReadMapping, Fact], ...] = ()

    @property
    def facts(self) -> tuple[Fact, ...]:
        """Those facts, of which nobody has said anything."""
        return tuple(fact for _, fact in self.held)


def hold_readings(
    scanned: ScannedProject, snapshot: Snapshot, readings: Sequence[ReadMapping], *, to_ask: bool = False
) -> HeldReadings:
    """The readings that fit the project as it was scanned. Without any, sentences are looked for only ``to_ask``."""
    if not readings and not to_ask:
        return HeldReadings()
    sources = {path: text.decode("utf-8", "replace") for path, text in snapshot.sources()}
    sentences = tuple(open_sentences(scanned.documents, scanned.functions, sources, scanned.facts))
    held = HeldReadings(sentences)
    for reading in readings:
        held, _ = _take(held, reading, scanned)
    return held


def _take(
    held: HeldReadings, reading: ReadMapping, scanned: ScannedProject
) -> tuple[HeldReadings, MappingFault | None]:
    """With one reading more, or why not. It is looked for by its words: lines move."""
    near = [
        each for each in held.sentences if each.path == reading.path and reading.quote and reading.quote in each.raw
    ]
    place = next((each for each in near if each.line == reading.line), next(iter(near), None))
    if place is None:
        return held, MappingFault.QUOTE
    fact = fact_of_mapping(replace(reading, line=place.line), place, scanned.functions)
    if isinstance(fact, MappingFault):
        return held, fact
    known = {_claim(each) for each in (*scanned.facts, *held.facts)}
    if _claim(fact) in known:
        return held, MappingFault.KNOWN
    return replace(held, held=(*held.held, (reading, fact))), None


def _claim(fact: Fact) -> tuple[str, str, str, str, str]:
    return fact.subject, fact.predicate.value, fact.part, fact.when, fact.value


def ask_model(
    held: HeldReadings,
    scanned: ScannedProject,
    reader: SentenceReader,
    model: str,
    wanted: Callable[[OpenSentence], bool],
    words: Mapping[str, PersonsWord],
    seconds_left: Callable[[], float],
) -> tuple[HeldReadings, ModelsPart]:
    """With what the model reads in the wanted sentences that nobody has read yet; and what was refused of it."""
    read = {fact.quote for fact in held.facts}
    open_ones = [each for each in held.sentences if wanted(each) and not any(quote in each.raw for quote in read)]
    refused: Counter[str] = Counter()
    problems: list[str] = []
    asked, before = 0, len(held.held)
    for first in range(0, len(open_ones), SENTENCES_AT_ONCE):
        batch = open_ones[first : first + SENTENCES_AT_ONCE]
        found = reader.read(batch, "\n".join(_heads(batch, scanned)), seconds_left)
        if found.problem:
            problems.append(found.problem)
        if found.is_over:
            break
        asked += len(batch)
        refused[_MALFORMED] += found.malformed
        for reading in found.mappings:
            held, fault = _take_new(held, reading, batch, scanned, words)
            if fault is not None:
                refused[fault.value] += 1
    return held, ModelsPart(
        model=model,
        sentences=len(open_ones),
        asked=asked,
        facts=len(held.held) - before,
        refused=tuple(RefusedReadings(why, count) for why, count in refused.most_common() if count),
        problems=tuple(dict.fromkeys(problems)),
        cost=reader.cost,
    )


def _take_new(
    held: HeldReadings,
    reading: ReadMapping,
    batch: Sequence[OpenSentence],
    scanned: ScannedProject,
    words: Mapping[str, PersonsWord],
) -> tuple[HeldReadings, MappingFault | None]:
    """A fresh reading has to be of the very sentence that was shown."""
    shown = next(each for each in batch if (each.path, each.line) == (reading.path, reading.line))
    same = [each for each in batch if (each.path, each.line) == (shown.path, shown.line)]
    if not any(reading.quote and reading.quote in each.raw for each in same):
        return held, MappingFault.QUOTE
    more, fault = _take(held, reading, scanned)
    if fault is None and _is_disputed(more.facts[-1], words):
        return held, MappingFault.DISPUTED
    return more, fault


def _heads(batch: Sequence[OpenSentence], scanned: ScannedProject) -> Iterator[str]:
    """The functions that the sentences stand in; all public ones where some stand in a document."""
    own = {each.subject for each in batch}
    known = scanned.functions
    names = [each for each in known if each in own or ("" in own and not known[each].node.name.startswith("_"))]
    for subject in names[:MOST_HEADS]:
        yield f"{subject}({ast.unparse(known[subject].node.args)})"


def with_words_of_people(
    facts: Sequence[Fact], words: Mapping[str, PersonsWord]
) -> tuple[tuple[Fact, ...], tuple[Fact, ...]]:
    """The facts that a person accepted, and those of which nobody has said anything; disputed ones are in neither."""
    accepted = [each for each in facts if each.id in words and not _is_disputed(each, words)]
    unsaid = [each for each in facts if each.id not in words]
    return tuple(replace(each, known_by=KnownBy.PERSON) for each in accepted), tuple(unsaid)


def with_accepted(scanned: ScannedProject, snapshot: Snapshot, store: FactStore) -> ScannedProject:
    """The project with those of a model's facts that a person accepted."""
    held = hold_readings(scanned, snapshot, store.readings())
    accepted, _ = with_words_of_people(held.facts, store.words())
    return replace(scanned, facts=(*scanned.facts, *accepted))


def _is_disputed(fact: Fact, words: Mapping[str, PersonsWord]) -> bool:
    return fact.id in words and words[fact.id].says is PersonSays.DISPUTED
