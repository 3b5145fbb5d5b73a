"""Facts, findings and links between requirements and tests, as people and programs read them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import groupby
from typing import Any

from analysis.errors import UsageError
from repair.records.config import Options
from repair.records.specified import FactsReport, FactView, UnreadSource
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
            yield f"  {fact.line:>4}  {fact_text(fact)}"
            if verbosity > 1:
                yield f"        {fact.id} {fact.extractor} sha256:{fact.sha256}: {' '.join(fact.quote.split())}"
    if len(listed) < len(report.facts):
        yield f"… and {len(report.facts) - len(listed)} more: -v lists all, `repair spec scan PATH` those of a file"
    if report.gone:
        yield f"gone since the last scan: {count_noun(len(report.gone), 'fact')}"
        yield from (f"  {fact.file}:{fact.line} {fact_text(fact)}" for fact in report.gone[:_MOST_SHOWN])
    if report.fresh:
        yield f"new since the last scan: {count_noun(len(report.fresh), 'fact')}"
    yield from unread_lines(report.unread)
    yield from (f"warning: {each}" for each in report.warnings)
    yield f"{report.seconds:.1f} s; none of the project's code ran"


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
    return f"{name}{part} {fact.predicate} {fact.value}".rstrip() + when + words + ("" if fact.sure else " (likely)")


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
