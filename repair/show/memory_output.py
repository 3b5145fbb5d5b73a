"""What is remembered, as people read it."""

from __future__ import annotations

from collections.abc import Iterator

from repair.records.memory_report import HistoryLearned, MemoryReport, SiblingsReport
from repair.records.wording import count_noun
from repair.show.lines import clean

_MOST_FAMILIES = 5
_MOST_ATTEMPTS = 20


def memory_text(report: MemoryReport, verbosity: int = 0) -> str:
    """The report as lines; with ``verbosity`` above 0 the latest attempts, too."""
    shown = MemoryReport.from_json(clean(report.to_json()))
    return "\n".join(_of_run(shown) if shown.run else _of_project(shown, verbosity)) + "\n"


def _of_project(report: MemoryReport, verbosity: int) -> Iterator[str]:
    yield from _answers_of(report)
    yield from _rejections_of(report)
    if report.learned is not None:
        yield learned_text(report.learned)
    if not report.known:
        yield "Nothing is remembered yet: `repair fix` adds what it tried, and how that ended."
        return
    whose = "this project" if report.scope == "project" else "all of your projects"
    yield f"What {whose} has shown (it orders the search, and has no say in a verdict)"
    for each in report.known:
        mended = [f"{family} {count}" for family, count in list(each.families.items())[:_MOST_FAMILIES]]
        yield f"  {each.failure_class}: {each.mended} of {each.tried} mended{': ' if mended else ''}{', '.join(mended)}"
    for tried in report.attempts[-_MOST_ATTEMPTS:] if verbosity > 0 else ():
        way = " ".join(filter(None, (tried.proposer, tried.family))) or "nobody"
        ended = f"{tried.outcome} after {count_noun(tried.candidates, 'candidate')}"
        yield f"  {tried.run} {tried.signature}: {way}: {ended}"


def learned_text(learned: HistoryLearned) -> str:
    """What the project's history has taught, as a sentence."""
    words, templates = count_noun(learned.words, "word"), count_noun(learned.templates, "template")
    files, fixes = count_noun(learned.files, "changed file"), count_noun(learned.fixes, "small fix", "small fixes")
    unread = f"; {count_noun(learned.unread, 'file')} could not be read" if learned.unread else ""
    return f"Learned from {files} of the history: {words}, and {templates} from {fixes}{unread}."


def _answers_of(report: MemoryReport) -> Iterator[str]:
    if report.answers:
        yield "What people said (laid under later runs that meet the function, while its text stays)"
    for each in report.answers:
        outdated = "" if each.holds else f" (no more: {each.function} has another text by now)"
        yield f"  {each.file}: {each.text}{outdated}"


def _rejections_of(report: MemoryReport) -> Iterator[str]:
    if report.rejections:
        yield "What people rejected (models are told; no word of a run changes)"
    for each in report.rejections[-_MOST_ATTEMPTS:]:
        why = f": {each.note}" if each.note else ""
        yield f"  {each.run} {each.file}: {each.function}: {each.change}{f' (by {each.by}{why})' if each.by else why}"


def _of_run(report: MemoryReport) -> Iterator[str]:
    if not report.why:
        yield f"Run {report.run} took nothing from the memory: its order is that of a first run."
        return
    yield f"Run {report.run}: why the edits of a function stood in this order"
    for each in report.why:
        yield f"  {each.function}: {each.message}"


def siblings_text(report: SiblingsReport) -> str:
    """The report as lines: the flaw that the patch takes away, and where the program has it still."""
    shown = SiblingsReport.from_json(clean(report.to_json()))
    files = count_noun(shown.files, "file")
    if not shown.flaw:
        return (
            f"The patch of {shown.function} takes away nothing that can be looked for: it adds code, or too little.\n"
        )
    if not shown.places:
        return f"No other place has `{shown.flaw}` but for local names ({files} looked at).\n"
    lines = [f"{count_noun(len(shown.places), 'other place')} with `{shown.flaw}` but for local names, in {files}"]
    lines += [f"  {each.file}:{each.line}: {each.function}: {each.text}" for each in shown.places]
    return "\n".join(
        [*lines, "Nothing was tried there: write a test for each that is wrong, and run `repair fix`.", ""]
    )
