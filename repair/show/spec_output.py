"""Facts, findings and links between requirements and tests, as people and programs read them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from analysis.errors import UsageError
from repair.records.config import Options
from repair.records.specified import (
    FactsReport,
    FactView,
    LinkState,
    ModelsPart,
    SpecFinding,
    SpecReport,
    TraceLink,
    TraceReport,
    UnreadSource,
)
from repair.records.wording import count_noun
from repair.show.lines import clean
from repair.show.terminal import write_out

_MOST_SHOWN = 40
"""Facts that are listed without ``-v``."""


def refuse_format(output_format: str) -> None:
    """Raise for a format that facts have none of."""
    if output_format not in ("text", "json", "jsonl"):
        raise UsageError(
            f"What a project states cannot be shown as {output_format}",
            remedy="Choose text, json or jsonl for --output-format.",
        )


def write_json_report(values: dict[str, Any], output_format: str) -> None:
    """The report as JSON, on one line for a stream of lines."""
    write_out(json.dumps(values, indent=2 if output_format == "json" else None) + "\n")


def write_facts(report: FactsReport, options: Options) -> None:
    """Put the facts on stdout."""
    if options.output_format != "text":
        write_json_report(report.to_json(), options.output_format)
        return
    shown = FactsReport.from_json(clean(report.to_json()))
    write_out("\n".join(_fact_lines(shown, options.verbosity)) + "\n")


def _fact_lines(report: FactsReport, verbosity: int) -> Iterator[str]:
    counts = ", ".join(f"{count} {name}" for name, count in report.by_extractor().items())
    said = count_noun(len(report.facts), "fact")
    yield f"{said} in {count_noun(report.files, 'file')}{f': {counts}' if counts else ''}"
    listed = report.facts if verbosity > 0 else report.facts[:_MOST_SHOWN]
    for file, facts in groupby(listed, key=lambda fact: fact.file):
        yield file
        for fact in facts:
            yield f"  {fact.line:>4}  {fact_text(fact)}{f' [{fact.id}]' if fact.certainty == 'model' else ''}"
            if verbosity > 1:
                yield f"        {fact.id} {fact.extractor} sha256:{fact.sha256}: {' '.join(fact.quote.split())}"
    if len(listed) < len(report.facts):
        yield f"… and {len(report.facts) - len(listed)} more: -v lists all, `repair spec scan PATH` those of a file"
    if report.gone:
        yield f"gone since the last scan: {count_noun(len(report.gone), 'fact')}"
        yield from (f"  {fact.file}:{fact.line} {fact_text(fact)}" for fact in report.gone[:_MOST_SHOWN])
    if report.fresh:
        yield f"new since the last scan: {count_noun(len(report.fresh), 'fact')}"
    if report.by_model is not None:
        yield from _models_lines(report.by_model, next((f.id for f in report.facts if f.certainty == "model"), ""))
    yield from unread_lines(report.unread)
    yield from (f"warning: {each}" for each in report.warnings)
    ran = "its suite ran, to see calls" if report.ran else "none of the project's code ran"
    yield f"{report.seconds:.1f} s; {ran}"


def _models_lines(part: ModelsPart, first: str) -> Iterator[str]:
    """What a model was asked, what its words came to, and how a person makes facts of them."""
    cost = part.cost
    used = f"{count_noun(cost.requests, 'request')}, {cost.input_tokens} + {cost.output_tokens} tokens"
    shown = f"was shown {part.asked} of {count_noun(part.sentences, 'open sentence')}"
    yield f"{part.model} {shown} ({used}), and read {count_noun(part.facts, 'new fact')} in them"
    yield from (f"refused: {count_noun(each.count, 'reading')}: {each.why}" for each in part.refused)
    yield from (f"model: {each}" for each in part.problems)
    if first:
        yield "what a model reads counts once a person agrees"
        yield f"next: `repair spec scan --accept {first}` or `--dispute {first} REASON`"


def unread_lines(unread: tuple[UnreadSource, ...]) -> Iterator[str]:
    """The files and lines that state nothing since they cannot be read."""
    for each in unread:
        yield f"not read: {each.file}{f':{each.line}' if each.line else ''}: {each.why}"


def fact_text(fact: FactView) -> str:
    """A fact on one line: ``shop.total returns 0 when prices == []``; of what may be read otherwise it says so."""
    name = fact.subject.rpartition(":")[2]
    part = f".{fact.part}" if fact.part else ""
    when = f" when {fact.when}" if fact.when else ""
    words = f": {_first_words(fact.quote)}" if fact.predicate == "states" else ""
    return (
        f"{name}{part} {fact.predicate} {fact.value}".rstrip()
        + when
        + words
        + _DOUBTS.get(fact.certainty, "" if fact.sure else " (likely)")
    )


_DOUBTS = {"model": " (a model reads it so)", "person": " (a person agreed)"}


_MOST_LETTERS = 100


def _first_words(quote: str) -> str:
    line = " ".join(quote.split())
    return line if len(line) <= _MOST_LETTERS else f"{line[: _MOST_LETTERS - 1]}…"


def facts_toml(report: FactsReport, first: str) -> str:
    """The facts as TOML, an array of tables, under a first line that says whose file it is."""
    lines = [f"{first}; a next scan replaces it", 'schema = "repair.facts/1"', ""]
    for fact in report.facts:
        lines.append("[[facts]]")
        for name in FactView.__slots__:
            value = getattr(fact, name)
            if value != "":
                lines.append(f"{name} = {_toml(value)}")
        lines.append("")
    return "\n".join(lines)


def _toml(value: str | int | bool) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, int) else json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def write_findings(report: SpecReport, options: Options) -> None:
    """Put the findings on stdout."""
    if options.output_format != "text":
        write_json_report(report.to_json(), options.output_format)
        return
    shown = SpecReport.from_json(clean(report.to_json()))
    write_out("\n".join(_finding_lines(shown, options.verbosity)) + "\n")


def _finding_lines(report: SpecReport, verbosity: int) -> Iterator[str]:
    open_ones = [each for each in report.findings if each.is_open]
    counts = {kind: sum(each.kind is kind for each in open_ones) for kind in dict.fromkeys(f.kind for f in open_ones)}
    said = ", ".join(f"{count} {kind.value}" for kind, count in counts.items())
    counted = f"{count_noun(len(open_ones), 'open finding')} on {count_noun(report.facts, 'fact')}"
    yield f"{counted}: {said}" if said else counted
    for kind, own in groupby(open_ones, key=lambda each: each.kind):
        listed = list(own)
        shown = listed if verbosity > 0 else listed[:_MOST_SHOWN]
        for each in shown:
            yield from _one_finding(each)
        if len(shown) < len(listed):
            yield f"… and {len(listed) - len(shown)} more of {kind.value}: -v lists all"
    closed = [each for each in report.findings if not each.is_open]
    for each in closed:
        assert each.word is not None
        reason = f": {each.word.reason}" if each.word.reason else ""
        yield f"{each.id} {each.word.says.value} by {each.word.who} on {each.word.day}{reason} ({each.said})"
    if verbosity >= 0:
        yield from (f"checked: {each}" for each in report.checked)
    yield from (f"not checked: {each}" for each in report.not_checked)
    yield from unread_lines(report.unread)
    yield from (f"warning: {each}" for each in report.warnings)
    if report.counting:
        first = report.counting[0].id
        yield f"next: `repair spec check --answer {first} TEXT`, `--accept {first}` or `--dispute {first} REASON`"
    yield f"{report.seconds:.1f} s; isolation {report.isolation}"


def _one_finding(each: SpecFinding) -> Iterator[str]:
    doubt = " (a model reads it so: it does not count)" if each.by_model else "" if each.sure else " (likely)"
    yield f"{each.id} {each.kind.value}{doubt} {each.file}:{each.line} {each.said}"
    yield from (f"    {quote}" for quote in each.quotes)


def write_trace(report: TraceReport, options: Options) -> None:
    """Put requirements and their links on stdout."""
    if options.output_format != "text":
        write_json_report(report.to_json(), options.output_format)
        return
    shown = TraceReport.from_json(clean(report.to_json()))
    write_out("\n".join(_trace_lines(shown)) + "\n")


def _trace_lines(report: TraceReport) -> Iterator[str]:
    links = {each.id: report.links_of(each.id) for each in report.requirements}
    proved = sum(any(link.state is LinkState.PROVED for link in own) for own in links.values())
    tested = sum(bool(own) for own in links.values())
    yield f"{count_noun(len(links), 'requirement')}: {tested} with a test, {proved} proved by one"
    for each in report.requirements:
        yield f"{each.id} {each.file}:{each.line} sha256:{each.sha256} {_first_words(each.quote)}"
        if not links[each.id]:
            yield "    no test"
        yield from (f"    {_link_text(link)}" for link in links[each.id])
    yield from (f"not checked: {each}" for each in report.not_checked)
    yield from (f"warning: {each}" for each in report.warnings)
    yield f"{report.seconds:.1f} s; isolation {report.isolation or 'not needed'}"


def _link_text(link: TraceLink) -> str:
    where = f" runs {link.function}" if link.function else ""
    kills = f", kills {link.killed} of {count_noun(link.mutants, 'mutant')}" if link.mutants else ""
    why = f": {link.why}" if link.why else ""
    return f"{link.state.value} {link.test}{where if link.mutants else ''}{kills}{why}"
