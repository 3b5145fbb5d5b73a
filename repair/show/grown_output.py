"""What was grown or healed: tests as text that Python reads, or their difference, and for people what each came to."""

from __future__ import annotations

import json
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator

from analysis.errors import UsageError
from repair.records.config import Options
from repair.records.grown import GrownFile, GrownFunction, GrownReport, SaidBy
from repair.records.healed import HealedFile, HealedTest, HealReport, HealState
from repair.records.wording import count_noun
from repair.show.lines import clean
from repair.show.terminal import tell, write_out


def write_grown(report: GrownReport, options: Options) -> None:
    """Put the tests, or the report, on stdout; what people read beside tests goes to stderr."""
    shown = GrownReport.from_json(clean(report.to_json()))
    tests = "\n\n".join(_headed(report))
    _write(report.to_json(), _lines(shown, options.verbosity), tests, shown.files, options)


def _write(
    plain: object, lines: Iterable[str], material: str, files: Iterable[GrownFile | HealedFile], options: Options
) -> None:
    """The report for a program; or what people read, beside the material where no file was written with it."""
    if options.output_format != "text":
        indent = 2 if options.output_format == "json" else None
        write_out(json.dumps(plain, indent=indent) + "\n")
        return
    said = "\n".join(lines) + "\n"
    if any(file.written for file in files):
        write_out(said)
        return
    if material:
        write_out(material)
    tell(said.rstrip("\n"))


def refuse_format(output_format: str) -> None:
    """Raise for a format that tests have none of."""
    if output_format not in ("text", "json", "jsonl"):
        raise UsageError(
            f"Grown tests cannot be shown as {output_format}", remedy="Choose text, json or jsonl for --output-format."
        )


def _headed(report: GrownReport) -> Iterator[str]:
    """The files; of several each begins with its path."""
    for file in report.files:
        yield f"# FILE: {file.path}\n{file.text}" if len(report.files) > 1 else file.text


def _lines(report: GrownReport, verbosity: int) -> Iterator[str]:
    tests = report.tests
    counts = Counter(test.standing for test in tests)
    said = ", ".join(f"{counts[standing]} {standing.value}" for standing in SaidBy if counts[standing])
    killed, apart = (sum(getattr(each, name) for each in report.functions) for name in ("killed", "apart"))
    opened = sum(each.open for each in report.functions)
    yield f"{count_noun(len(tests), 'test')} grown{f' ({said})' if said else ''}"
    yield f"{count_noun(opened, 'mutant')} that no test noticed: inputs tell {apart} apart, the new tests kill {killed}"
    yield from (f"{'wrote' if file.written else 'would lie in'} {file.path}" for file in report.files)
    for each in report.functions:
        if each.open or each.not_checked or verbosity > 0:
            yield from _function_lines(each, verbosity)
    for question in report.questions:
        yield f"open: {question.question}"
        yield from (f"      --answer {shlex.quote(form)}" for form in question.forms if form)
    for finding in report.findings:
        yield f"code or fact? {finding.file}:{finding.line} {finding.call} {finding.does}, and {finding.said}"
    if verbosity > 0:
        yield from (f"checked: {each}" for each in report.checked)
    yield from (f"not checked: {each}" for each in report.not_checked)
    yield from (f"warning: {each}" for each in report.warnings)
    yield f"{report.seconds:.1f} s; isolation {report.isolation}"


def _function_lines(each: GrownFunction, verbosity: int) -> Iterator[str]:
    killed = f"{each.killed} of {each.apart} told apart, of {each.open} open" if each.open else "no open mutant"
    yield f"  {each.file}:{each.line} {each.function}: {count_noun(len(each.tests), 'test')}; {killed}"
    if each.not_checked:
        yield f"      not checked: {each.not_checked}"
    if each.not_proposed:
        yield f"      {each.not_proposed}"
    dropped = ", ".join(f"{count} {why}" for why, count in each.dropped.items())
    if dropped and verbosity >= 0:
        yield f"      dropped: {dropped}"
    if verbosity >= 0:
        yield from (f"      open: {question}" for question in each.questions)
    if verbosity > 0:
        if each.priority is not None:
            yield f"      priority {each.priority}"
        if each.proposed:
            yield f"      {count_noun(each.proposed, 'call')} proposed by the model"
        yield f"      held on {count_noun(each.rewritings, 'rewriting')} of the function that do the same"
        yield from (f"      {test.standing.value}: {test.call} {test.claim}" for test in each.tests)


def write_healed(report: HealReport, options: Options) -> None:
    """Put the difference, or the report, on stdout; what people read beside a difference goes to stderr."""
    shown = HealReport.from_json(clean(report.to_json()))
    difference = "".join(file.diff for file in report.files)
    _write(report.to_json(), _healed_lines(shown, options.verbosity), difference, shown.files, options)


def _healed_lines(report: HealReport, verbosity: int) -> Iterator[str]:
    counts = Counter(test.state for test in report.tests)
    said = ", ".join(f"{counts[state]} {state.value}" for state in HealState if counts[state])
    yield f"{count_noun(len(report.tests), 'generated test')}{f': {said}' if said else ''}"
    for file in report.files:
        if file.left:
            yield f"left {file.path}: {file.left}"
        elif file.diff:
            yield f"{'wrote' if file.written else 'would change'} {file.path}"
    for test in report.tests:
        if test.state is not HealState.FINE or verbosity > 0:
            yield from _test_lines(test)
    yield from (f"not checked: {each}" for each in report.not_checked)
    yield from (f"warning: {each}" for each in report.warnings)
    yield f"{report.seconds:.1f} s; isolation {report.isolation}"


def _test_lines(test: HealedTest) -> Iterator[str]:
    match test.state:
        case HealState.HEALED:
            kinds = ", ".join(test.kinds)
            yield f"  healed ({kinds}) {test.name}: {'; '.join(test.changes)}"
            gone = f", {test.not_comparable} of them gone with the old text" if test.not_comparable else ""
            yield f"      kills {test.kills_after} mutants; {test.kills_before} at {test.commit}{gone}"
        case HealState.FINDING:
            yield f"  code or fact? {test.name}: {test.why}"
            yield f"      it quotes {test.said}" if test.standing == "required" else f"      {test.said}"
            if test.says_now and test.says_now != test.said:
                yield f"      and now {test.says_now}"
        case HealState.OTHERWISE:
            yield f"  otherwise {test.name}: {test.why}"
            yield "      it is pinned: nobody said what the program should do"
        case HealState.LEFT:
            yield f"  left {test.name}: {test.why}"
        case _:
            yield f"  fine {test.name}"
