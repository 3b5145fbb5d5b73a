"""What was made of a task, for people: which tests pass, who says what they claim, and what nobody says."""

from __future__ import annotations

import json
from collections.abc import Iterator

from analysis.errors import UsageError
from repair.records.config import Options
from repair.records.grown import SaidBy
from repair.records.made import PASSED, MadeReport, MadeTest
from repair.records.wording import count_noun
from repair.show.lines import clean
from repair.show.terminal import write_out

_SHOWN = 8
"""So many lines of a kind are shown where nobody asks for more."""


def write_made(report: MadeReport, options: Options) -> None:
    """Put the report on stdout."""
    if options.output_format != "text":
        indent = 2 if options.output_format == "json" else None
        write_out(json.dumps(report.to_json(), indent=indent) + "\n")
        return
    shown = MadeReport.from_json(clean(report.to_json()))
    write_out("\n".join(_lines(shown, options.verbosity)) + "\n")


def refuse_format(output_format: str) -> None:
    """Raise for a format that a made program has none of."""
    if output_format not in ("text", "json", "jsonl"):
        raise UsageError(
            f"What was made cannot be shown as {output_format}",
            remedy="Choose text, json or jsonl for --output-format.",
        )


def _lines(report: MadeReport, verbosity: int) -> Iterator[str]:
    yield _headline(report)
    if verbosity >= 0:
        yield from (f"  {_test_line(test)}" for test in report.tests if test.outcome != PASSED or verbosity > 0)
        for patch in report.patches:
            asked = f"; {patch.question}" if patch.question else ""
            yield f"  patched {patch.file}:{patch.function} ({patch.failure_class}): plausible by these tests{asked}"
        yield from (f"  written anew, since it failed: {name}" for name in report.replaced)
        most = None if verbosity > 0 else _SHOWN
        yield from (f"  not backed: {each}" for each in report.unbacked[:most])
        if most is not None and len(report.unbacked) > most:
            yield f"  not backed: {len(report.unbacked) - most} more, with -v"
    if verbosity > 0:
        yield from (f"  {step.what}: {step.came} ({step.seconds:.1f} s)" for step in report.steps)
        yield f"  artifact {report.artifact.digest}"
    elif not report.written:
        yield from (f"  {step.what}: {step.came}" for step in report.steps)
    if report.ended:
        yield f"ended early: {report.ended}"
    yield from (f"warning: {each}" for each in report.warnings)
    cost = report.cost
    asked = f"{count_noun(cost.requests, 'question')}, {cost.input_tokens} + {cost.output_tokens} tokens"
    yield f"{asked}; {report.seconds:.1f} s; isolation {report.isolation}"


def _headline(report: MadeReport) -> str:
    if not report.written:
        return "nothing was made: no whole program with tests came about"
    counts = []
    for standing in (SaidBy.REQUIRED, SaidBy.PINNED):
        own = [test for test in report.tests if test.standing is standing]
        passing = sum(test.outcome == PASSED for test in own)
        counts.append(f"{passing} of {len(own)} {standing.value} tests pass")
    none = "" if report.required else "; no test is required, so nothing is shown by them"
    return f"wrote {report.out}: {', '.join(counts)}{none}"


def _test_line(test: MadeTest) -> str:
    said = f' {test.quotes[0].line}: "{test.quotes[0].quote}"' if test.quotes else ""
    seen = f": {' '.join(test.message.split())[:160]}" if test.message else ""
    return f"{test.outcome} {test.name} ({test.standing.value}{said}){seen}"
