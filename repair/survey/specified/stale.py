"""Words that are no longer where somebody quoted them, and requirements that changed since they were read last."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from analysis.specified.citations import QuotedWords
from analysis.specified.fact_record import Extractor, shortened
from analysis.stated.sentence import plain_text
from repair.records.specified import FactView, SpecFinding, SpecKind
from repair.survey.specified.findings import finding_of
from repair.survey.specified.links import Requirements
from repair.survey.specified.scan import ScannedProject

_DOCUMENTS = (Extractor.MARKDOWN.value, Extractor.GHERKIN.value, Extractor.OPENAPI.value)


def find_stale(
    scanned: ScannedProject,
    sources: Mapping[str, bytes],
    known: Requirements,
    before: Sequence[FactView],
    exists: Mapping[str, bool],
) -> Iterator[SpecFinding]:
    """What tests quote and name that is not there, and documents whose words are not those of the last scan."""
    texts = {path: source.decode("utf-8", "replace") for path, source in sources.items()} | dict(scanned.documents)
    digests: dict[str, set[str]] = {}
    for fact in scanned.facts:
        digests.setdefault(fact.place.path, set()).add(fact.digest)
    for test in known.tests:
        for quoted in test.quotes:
            why = _why_stale(quoted, texts, digests)
            if why:
                place = f"{quoted.path} {quoted.digest or shortened(quoted.quote)}"
                said = f"{test.name} quotes {quoted.path}: {why}"
                yield finding_of(SpecKind.STALE, test.name, said, test.path, quoted.line, (place,))
        for path, line in dict(test.files).items():
            if not exists.get(path, True) and not any(quoted.path == path for quoted in test.quotes):
                said = f"{test.name} names {path}, and no such file is there"
                yield finding_of(SpecKind.STALE, test.name, said, test.path, line, (path,))
    for test, name in known.unknown:
        said = f"{test.name} names {name}, which nothing states"
        yield finding_of(SpecKind.STALE, test.name, said, test.path, test.line, (name,))
    yield from _changed(scanned, before)


def _why_stale(quoted: QuotedWords, texts: Mapping[str, str], digests: Mapping[str, set[str]]) -> str:
    text = texts.get(quoted.path)
    if text is None:
        return "no such file is there"
    if quoted.digest:
        same = any(digest.startswith(quoted.digest[:12]) for digest in digests.get(quoted.path, ()))
        return "" if same else f"no words there have the fingerprint {quoted.digest}"
    words = " ".join(plain_text(text).split())
    return "" if " ".join(quoted.quote.split()) in words else "the words are no longer there"


def _changed(scanned: ScannedProject, before: Sequence[FactView]) -> Iterator[SpecFinding]:
    """One finding for each quote of a document that the last scan read and that is gone."""
    now: dict[str, list[str]] = {}
    places: dict[str, str] = {}
    for fact in scanned.facts:
        places.setdefault(fact.digest, fact.place.path)
        if fact.requirement:
            now.setdefault(fact.requirement, []).append(fact.cite())
    read = set(scanned.documents)
    told = set()
    for old in before:
        key = (old.file, old.sha256)
        if old.extractor not in _DOCUMENTS or key in told or places.get(old.sha256) == old.file:
            continue
        told.add(key)
        name = old.requirement or old.subject
        quote = f'{old.file}:{old.line} said "{shortened(old.quote)}"'
        moved = places.get(old.sha256)
        quotes: tuple[str, ...] = (quote,)
        if moved is not None:
            said = f"the words of {name} moved from {old.file} to {moved}"
        elif old.requirement and old.requirement in now:
            said, quotes = f"{name} says something else than at the last scan", (quote, now[old.requirement][0])
        else:
            gone = "" if old.file in read else f", and so is {old.file}"
            said = f"{name} is gone since the last scan{gone}"
        yield finding_of(SpecKind.STALE, name, said, old.file, old.line, quotes)
