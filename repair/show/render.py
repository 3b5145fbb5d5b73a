"""A result for people: the diff, the reasons to trust it, what was not checked, the questions, the next command."""

from __future__ import annotations

import io
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TextIO

from rich.console import Console
from rich.table import Table
from rich.text import Text

from repair.compare.answers import write_as_test
from repair.records.change import PROGRAM
from repair.records.result import Accept, EffectView, PatchView, PlanView, Result, RiskView, Status
from repair.records.wording import count_noun
from repair.show.terminal import make_visible
from repair.store.run_index import RunRow
from repair.store.run_stats import RunStats, WordStats

STYLES = {
    Status.CERTIFIED: "bold green",
    Status.DIAGNOSED: "bold",
    Status.UNCHANGED: "bold",
    Status.PLAUSIBLE: "bold yellow",
    Status.OUT_OF_SCOPE: "bold yellow",
}
DECISIONS = {"accept": ("yes", "green"), "reject": ("no", "red"), "unknown": ("unknown", "yellow")}

HEADLINES = {
    Status.CERTIFIED: "The failing tests pass, nothing else broke, and every gate accepts.",
    Status.PLAUSIBLE: "The failing tests pass and nothing else broke, but a doubt is left.",
    Status.REJECTED: "A gate said no.",
    Status.UNREPAIRED: "No plausible patch was found.",
    Status.OUT_OF_SCOPE: "The fault cannot lie in one function.",
    Status.NOT_REPRODUCED: "The tests pass here: there is nothing to mend.",
    Status.FLAKY: "The tests do not give the same outcome twice.",
    Status.ENVIRONMENT: "The tests cannot be run here.",
    Status.TEST_DEFECT: "The test itself is at fault.",
    Status.UNPARSEABLE: "A file cannot be parsed, so there is nothing to patch.",
    Status.NOTHING_FAILS: "No test fails.",
    Status.UNCHANGED: "There is no change to judge, and no test was run.",
    Status.DIAGNOSED: "What fails, why, and where a fix may go.",
    Status.FOREIGN: "Your repair did not record this run: nothing that it says is known to be true.",
}

TIERS = {
    "batch": "several to a fork",
    "warm": "in a fork of the loaded program",
    "zygote": "in a fork that imports the project anew",
    "cold": "in a cold run",
}
"""Where candidates are run, in words, the quickest first."""

MOST_UNRUN = 5
"""Changed statements that no test runs, and tests that notice nothing, that are named."""

MOST_SHOWN = 140
"""Characters of a call, or of what it gives, in a list of what changes."""

STATS_HEADINGS = ("word", "runs", "applied", "undone", "answered", "approved", "rejected", "precision")

Line = Text | str


def result_text(
    result: Result,
    accept: Accept = "certified",
    verbosity: int = 0,
    alternatives: int = 0,
    *,
    colour: bool = False,
    width: int = 100,
) -> str:
    """The whole answer as text, with so many runners-up; with a negative verbosity the accepted diff alone."""
    shown = Result.from_json(clean(result.to_json()))
    if verbosity < 0:
        return print_lines(_diff(shown.accepted_diff(accept)), colour=colour, width=width)
    return print_lines(_lines(shown, verbosity, alternatives), colour=colour, width=width)


def runs_text(rows: Sequence[RunRow]) -> str:
    """Runs as a table."""
    if not rows:
        return "No runs yet.\n"
    table = Table(box=None, pad_edge=False)
    for heading in ("run", "started", "status", "function", "seconds", ""):
        table.add_column(heading, no_wrap=True)
    for row in rows:
        mark = "applied" if row.applied else ""
        table.add_row(row.id, row.started, row.status, make_visible(row.function), f"{row.seconds:.1f}", mark)
    stream = io.StringIO()
    plain_console(stream, 200, colour=False, terminal=False).print(table)
    return "".join(line.rstrip() + "\n" for line in stream.getvalue().splitlines())


def stats_text(stats: RunStats) -> str:
    """One row a word, and below it the runs that say nothing of any."""
    table = Table(box=None, pad_edge=False)
    for heading in STATS_HEADINGS:
        table.add_column(heading, no_wrap=True, justify="left" if heading == "word" else "right")
    for word in stats.words:
        counts = (word.runs, word.applied, word.undone, word.answered, word.approved, word.refused)
        table.add_row(word.word, *map(str, counts), _describe_precision(word))
    stream = io.StringIO()
    plain_console(stream, 200, colour=False, terminal=False).print(table)
    lines = [line.rstrip() for line in stream.getvalue().splitlines()]
    left = [count_noun(stats.others, "run") + " without such a word"] if stats.others else []
    left += [count_noun(stats.damaged, "damaged record")] if stats.damaged else []
    left += [count_noun(stats.foreign, "foreign run")] if stats.foreign else []
    if left:
        lines.append(f"not counted: {', '.join(left)}")
    if any(word.runs and word.precision is None for word in stats.words):
        lines.append(
            "Where nobody applied a patch nothing is known: `repair review RUN --approve` or `--reject` says it."
        )
    return "".join(f"{line}\n" for line in lines)


def _describe_precision(word: WordStats) -> str:
    """``75 % of 4``: the share of the runs that people are known to have agreed with."""
    if word.precision is None:
        return "unknown" if word.runs else "–"
    return f"{word.precision:.0%} of {word.right + word.wrong}".replace("%", " %")


def clean(values: Any) -> Any:
    """JSON values whose texts may be shown on a terminal."""
    if isinstance(values, str):
        return make_visible(values.replace("\r\n", "\n"))
    if isinstance(values, dict):
        return {name: clean(value) for name, value in values.items()}
    return [clean(value) for value in values] if isinstance(values, list) else values


def plain_console(stream: TextIO, width: int, *, colour: bool, terminal: bool) -> Console:
    """A console that takes texts as they are: nothing in them is read as markup."""
    return Console(
        file=stream,
        width=width,
        color_system="standard" if colour else None,
        force_terminal=terminal,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
    )


def print_lines(lines: Iterable[Line], *, colour: bool, width: int) -> str:
    """The lines as one text. A wrapped line of a diff could not be copied, so nothing is wrapped."""
    stream = io.StringIO()
    console = plain_console(stream, width, colour=colour, terminal=colour)
    for line in lines:
        console.print(line if isinstance(line, Text) else Text(line), soft_wrap=True)
    return stream.getvalue()


def _lines(result: Result, verbosity: int, alternatives: int = 0) -> Iterator[Line]:
    yield Text.assemble((str(result.status), STYLES.get(result.status, "bold red")), "  ", _headline(result))
    yield from result.messages
    yield from _failures(result, None if verbosity > 0 else 5)
    shown = [patch for patch in result.patches if patch.rank == 1 or verbosity > 0]
    for patch in shown:
        yield from _patch(patch, verbosity)
    others = [patch for patch in result.patches if patch not in shown]
    for patch in others[:alternatives]:
        yield from _alternative(patch)
    if alternatives > len(others) and not verbosity > 0 and result.patches:
        left = result.counts.plausible - len(result.patches)
        why = f"time was up for {left} more" if left > 0 else "no more were found"
        yield from ("", f"{count_noun(len(others), 'runner-up', 'runners-up')} of {alternatives} asked for: {why}")
    if len(others) > alternatives:
        more = count_noun(len(others) - alternatives, "more alternative" if alternatives else "alternative")
        yield from ("", f"{more}: `repair show {result.run} -v`")
    if verbosity > 0 or not result.patches:
        found = (
            f"{s.suspiciousness:.2f}  {place(s.file, s.line)}{s.function}  {'; '.join(s.reasons)}".rstrip()
            for s in result.suspects
        )
        yield from _list_lines("Suspects", found)
        if result.plan is not None:
            yield from _plan(result.plan)
    yield from _list_lines("Findings", (f"{place(f.file, f.line)}{f.claim}" for f in result.findings))
    if result.brief:
        yield from ("", Text("Brief", "bold"), result.brief)
    yield from _list_lines("Warnings", result.warnings)
    yield ""
    yield from _closing_lines(result, verbosity)


def _headline(result: Result) -> str:
    if result.status is Status.REJECTED and not result.patches:
        broken = any(finding.kind in PROGRAM for finding in result.findings)
        return "A test that passed fails with it." if broken else "There is no fix to judge."
    if result.status is Status.ENVIRONMENT and result.patches:
        return "The patch could not be written."
    if result.status is Status.OUT_OF_SCOPE and result.findings:
        return "There is no changed function to judge."
    if result.status is Status.PLAUSIBLE and not result.failures:
        return "Nothing broke, and no failing test asked for it."
    return HEADLINES.get(result.status, "")


def _failures(result: Result, most: int | None) -> Iterator[Line]:
    if result.failures and result.patches:
        yield "Without the patch:"
    elif result.failures and result.messages:
        yield "What fails:"
    for failure in result.failures[:most]:
        kind = f"{failure.failure_class}/{failure.subclass}" if failure.subclass else failure.failure_class
        first = failure.message.strip().splitlines()[:1]
        yield f"  {failure.test}  [{kind}]  {failure.exception}{': ' + first[0] if first else ''}"
        yield from (f"    {constraint.claim}" for constraint in failure.constraints)
    left = len(result.failures) - len(result.failures[:most])
    if left:
        yield f"  and {left} more (-v shows all)"


def _title(patch: PatchView, word: str, style: str) -> Line:
    """The line over a patch: the word on it, where it is, and how it was made."""
    how = ", ".join(filter(None, (patch.edit_kind, patch.operator, patch.proposer)))
    where = f"  {place(patch.file, patch.line)}{patch.function}"
    return Text.assemble((word, style), where, f"  ({how})" if how else "")


def _patch(patch: PatchView, verbosity: int) -> Iterator[Line]:
    yield from ("", _title(patch, str(patch.status), STYLES.get(patch.status, "bold red")))
    if patch.explanation:
        yield patch.explanation
    yield from ("", *_diff(patch.diff))
    if patch.effect is not None:
        yield from _effect(patch.effect, patch.file)
    if patch.evidence:
        yield from ("", Text("Why to trust it" if patch.status is Status.CERTIFIED else "Evidence", "bold"))
    width = max((len(evidence.gate) for evidence in patch.evidence), default=0)
    for evidence in patch.evidence:
        word, style = DECISIONS.get(evidence.decision, (evidence.decision, ""))
        yield Text.assemble(f"  {evidence.gate:<{width}}  ", (f"{word:<7}", style), f"  {evidence.claim}")
        if evidence.witness:
            yield f"  {'':<{width}}           witness: {evidence.witness}"
        if verbosity > 0 and evidence.measurements:
            numbers = ", ".join(f"{name} {value}" for name, value in evidence.measurements.items())
            yield f"  {'':<{width}}           {numbers} ({evidence.seconds:.1f} s)"
    if patch.risk is not None:
        yield from ("", _describe_risk(patch.risk))
    if verbosity > 0:
        yield from _list_lines("Why it is ranked here", patch.reasons)
        if patch.differs:
            yield from ("", f"parts from the answer at {patch.differs}")
    yield from _list_lines("Not checked", patch.not_checked)
    yield from _list_lines("Questions", patch.questions)
    for evidence in patch.evidence:
        if evidence.answer:
            yield "    settle it by a test, with the value that is right:"
            yield from (f"        {line}".rstrip() for line in write_as_test(evidence.answer))
            yield f"    or by  --answer {shlex.quote(evidence.answer)}"
        if evidence.answer and evidence.otherwise:
            yield f"       or  --answer {shlex.quote(evidence.otherwise)}"


def _effect(effect: EffectView, file: str) -> Iterator[Line]:
    """What a change does to callers that no failing test asks for."""
    yield from _list_lines("What changes for callers", _describe_changes(effect))
    kept = f"on {count_noun(effect.kept, 'input')} of {effect.inputs} tried callers get what they got"
    yield from _list_lines("What is kept", (kept,) if effect.inputs else ())
    unpinned = [f"{place(file, line)}no test runs the changed statement" for line in effect.unrun[:MOST_UNRUN]]
    more = len(effect.unrun) - len(unpinned)
    unpinned += [f"and {count_noun(more, 'more changed statement')}"] if more > 0 else []
    unpinned += [f"{test} makes such a call, and passes either way" for test in effect.unnoticed[:MOST_UNRUN]]
    unseen = sum(not change.tested for change in effect.changes)
    unpinned += ["no test makes the other calls above"] if unseen and effect.unnoticed else []
    unpinned += ["no test makes the calls above"] if unseen and not effect.unnoticed else []
    yield from _list_lines("What no test pins", unpinned)


def _describe_changes(effect: EffectView) -> Iterator[str]:
    for change in effect.changes:
        call, before, after = (shorten(text) for text in (change.call, change.before, change.after))
        yield f"{call}: {before} becomes {after}"
    left = effect.changed - len(effect.changes)
    if left > 0:
        yield f"and on {'at least ' if effect.bounded else ''}{count_noun(left, 'more input')}"


def shorten(text: str) -> str:
    """The text as far as it fits into a list."""
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"


def _describe_risk(risk: RiskView) -> str:
    """``risk 1.4 % (calibrated on 812 patches of 31 projects; upper bound 3.1 %)``."""
    rests = f"calibrated on {count_noun(risk.patches, 'patch', 'patches')} of {count_noun(risk.projects, 'project')}"
    return f"risk {risk.value:.1%} ({rests}; upper bound {risk.upper:.1%}), of {risk.limit:.1%} for a certificate"


def _alternative(patch: PatchView) -> Iterator[Line]:
    """A runner-up: where it stands and why, and on what it and the answer part."""
    yield from ("", _title(patch, f"{patch.rank}. {patch.status}", "bold"))
    yield from (f"  {reason}" for reason in patch.reasons)
    yield f"  parts from the answer at {patch.differs}" if patch.differs else "  no input is known that tells it apart"
    yield from ("", *_diff(patch.diff))


def _diff(diff: str) -> Iterator[Line]:
    styles = {"+": "green", "-": "red", "@": "cyan"}
    for line in diff.removesuffix("\n").split("\n") if diff else []:
        bold = line.startswith(("+++", "---"))
        yield Text(line, "bold" if bold else styles.get(line[:1], ""))


def _plan(plan: PlanView) -> Iterator[Line]:
    yield from ("", Text("Plan", "bold"), f"  one function may change: {plan.function} in {plan.file}")
    yield f"  failure class: {plan.failure_class}"
    yield f"  kinds of edit, smallest first: {', '.join(plan.kinds)}"
    yield from (f"  policy: {rule}" for rule in plan.policy)
    yield f"  evidence needed: {', '.join(plan.evidence)}"
    if plan.explanation and plan.explanation not in plan.policy:
        yield f"  {plan.explanation}"
    if plan.tier:
        yield f"  edits are tried {': '.join(filter(None, (TIERS.get(plan.tier, plan.tier), plan.tier_reason)))}"


def _list_lines(heading: str, entries: Iterable[str]) -> Iterator[Line]:
    found = list(entries)
    if found:
        yield from ("", Text(heading, "bold"))
        yield from (f"  - {entry}" for entry in found)


def place(file: str, line: int) -> str:
    """What a line about a file begins with: ``a.py:3: ``."""
    return f"{file}:{line}: " if file and line else f"{file}: " if file else ""


def describe_cold_starts(starts: Mapping[str, int]) -> str:
    """``4 cold starts of pytest: suite 2, regressions, trials``."""
    each = (f"{purpose or 'others'}{f' {count}' if count > 1 else ''}" for purpose, count in starts.items())
    return f"{count_noun(sum(starts.values()), 'cold start')} of pytest: {', '.join(each)}"


def _closing_lines(result: Result, verbosity: int) -> Iterator[Line]:
    """Time, counts, cost and isolation; how candidates were run; and what to do next."""
    counts, seconds = result.counts, result.seconds
    spent = [f"{seconds.total:.1f} s"] if seconds.total else []
    if counts.executed + counts.remembered > len(result.patches):  # a search; ``check`` runs what it was given
        drawn = count_noun(counts.candidates, "candidate")
        known = f", {counts.remembered} known from before" if counts.remembered else ""
        spent.append(f"{drawn}, {counts.executed} run{known}, {counts.plausible} plausible")
    if result.cost.requests:
        tokens = result.cost.input_tokens + result.cost.output_tokens
        price = f" (${result.cost.usd:.4f})" if result.cost.usd else ""  # without prices nobody knows
        spent.append(f"{count_noun(result.cost.requests, 'model request')}, {tokens} tokens{price}")
    if result.isolation:
        spent.append(f"isolation {result.isolation}")
    if result.run:
        spent.append(f"run {result.run}")
    if spent:
        yield Text("; ".join(spent), "dim")
    if counts.tiers:  # the quickest way first, and why not all went that way
        ways = (f"{counts.tiers[tier]} {way}" for tier, way in TIERS.items() if counts.tiers.get(tier))
        slower = [f" ({', '.join(e.functions)}{': ' if e.functions else ''}{e.reason})" for e in counts.left]
        if len(slower) > 1:
            slower = [f" ({len(slower)} reasons for slower ones: -v)"]
        yield Text(f"run {', '.join(ways)}{''.join(slower)}", "dim")
    for each in counts.left if verbosity > 0 else ():
        whose = ", ".join(each.functions) or count_noun(each.candidates, "candidate")
        why = ": ".join(filter(None, (TIERS.get(each.tier, each.tier), whose, each.reason)))
        yield Text(f"  not {why}", "dim")
    if result.cold_starts and verbosity > 0:
        yield Text(describe_cold_starts(result.cold_starts), "dim")
    if result.isolation_opens and verbosity > 0:
        yield Text(f"isolation {result.isolation} leaves open: {'; '.join(result.isolation_opens)}", "dim")
    if result.next_action:
        yield Text.assemble(("Next: ", "bold"), result.next_action)
