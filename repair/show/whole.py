"""All lines of a result: what ``-v`` shows, and what ``explain`` found."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from rich.text import Text

from repair.compare.ready_answers import write_as_test
from repair.records.result import (
    AnalysisView,
    ArmUse,
    ChangeView,
    EffectView,
    PatchView,
    PlanView,
    Result,
    RiskView,
    Status,
)
from repair.records.wording import count_noun
from repair.show.lines import OTHERS, STYLES, Line, diff_lines, headline, list_lines, place, quote, risk_in_words, wrap

DECISIONS = {"accept": ("yes", "green"), "reject": ("no", "red"), "unknown": ("unknown", "yellow")}

TIERS = {
    "batch": "several to a fork",
    "warm": "in a fork of the loaded program",
    "zygote": "in a fork that imports the project anew",
    "cold": "in a cold run",
}
"""Where candidates are run, in words, the quickest first."""

MOST_WIDE = 100
"""Columns of a paragraph."""

MOST_SHARES = 6
"""Parts of a risk that are named."""

MOST_UNRUN = 5
"""Changed statements that no test runs, and tests that notice nothing, that are named."""


def whole_lines(result: Result, verbosity: int, alternatives: int = 0) -> Iterator[Line]:
    yield Text.assemble((str(result.status), STYLES.get(result.status, "bold red")), "  ", headline(result))
    yield from result.messages
    yield from _failures(result, None if verbosity > 0 else 5)
    shown = [patch for patch in result.patches if patch.rank == 1 or verbosity > 0]
    for patch in shown:
        yield from _patch(patch, verbosity)
    others = [patch for patch in result.patches if patch not in shown]
    for patch in others[:alternatives]:
        yield from alternative_lines(patch)
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
        yield from list_lines("Suspects", found)
        if result.plan is not None and len(result.causes) < 2:
            yield from ("", Text("Plan", "bold"))
            yield from (f"  {line}" for line in _plan_lines(result.plan))
    if len(result.causes) > 1:
        yield from _causes(result)
    yield from list_lines("Findings", (f"{place(f.file, f.line)}{f.claim}" for f in result.findings))
    if result.brief:
        yield from ("", Text("Brief", "bold"), result.brief)
    yield from list_lines("Warnings", result.warnings)
    yield ""
    yield from _closing_lines(result, verbosity)


def _failures(result: Result, most: int | None) -> Iterator[Line]:
    if result.failures and result.patches:
        yield "Without the patch:"
    elif result.failures and result.messages:
        yield "What fails:"
    for failure in result.failures[:most]:
        kind = f"{failure.failure_class}/{failure.subclass}" if failure.subclass else failure.failure_class
        first = failure.message.strip().splitlines()[:1]
        yield f"  {failure.test}  [{kind}]  {failure.exception}{': ' + first[0] if first else ''}"
        told = failure.analysis.root_cause if failure.analysis is not None else ""
        yield from (f"    {c.claim}" for c in failure.constraints if not told.startswith(c.claim.rstrip(".")))
        yield from _analysis(failure.analysis)
    left = len(result.failures) - len(result.failures[:most])
    if left:
        yield f"  and {left} more (-v shows all)"
    if result.checklist and result.failures:
        yield f"  all of them, with what became of each: {result.checklist}"


def _analysis(found: AnalysisView | None) -> Iterator[Line]:
    """What the failure comes from, where a change goes and of which kind it is."""
    if found is not None:
        yield f"    cause: {found.root_cause}"
        yield f"    scope: {found.scope}"
        yield f"    edit:  {found.edit or 'none'} ({found.reason})"


def _causes(result: Result) -> Iterator[Line]:
    """All causes, with what each of those without a patch came to."""
    yield from ("", Text("Causes", "bold"))
    for cause in result.causes:
        under = f", on top of {', '.join(map(str, cause.stands_on))}" if cause.stands_on else ""
        where = f"{place(cause.file, cause.line)}{cause.function}"
        yield f"  {cause.number}. {cause.status}  {where}{under} ({cause.seconds:.1f} s)"
        yield from (f"     {test}" for test in cause.tests)
        yield from (f"     {line}" for line in cause.messages)
        yield from (f"     {line}" for line in cause.brief.splitlines())
        if cause.plan is not None and not cause.patch:
            yield from (f"     {line}" for line in _plan_lines(cause.plan))
        if cause.next_action:
            yield f"     Next: {cause.next_action}"
    yield from (
        f"  together {', '.join(map(str, stack.causes))}: {stack.status}{': ' if stack.claim else ''}{stack.claim}"
        for stack in result.stacks
    )


def _title(patch: PatchView, word: str, style: str) -> Line:
    """The line over a patch: the word on it, where it is, and how it was made."""
    how = ", ".join(filter(None, (patch.edit_kind, patch.operator, patch.proposer)))
    where = f"  {place(patch.file, patch.line)}{patch.function}"
    return Text.assemble((word, style), where, f"  ({how})" if how else "")


def _patch(patch: PatchView, verbosity: int) -> Iterator[Line]:
    yield from ("", _title(patch, str(patch.status), STYLES.get(patch.status, "bold red")))
    if patch.explanation:
        yield patch.explanation
    yield from ("", *diff_lines(patch.diff))
    if patch.effect is not None:
        yield from _effect(patch.effect, patch.file)
    else:
        yield from list_lines("What changes for callers", map(_describe_change, patch.changes))
    yield from _questions(patch)
    if patch.second_opinion:
        yield from ("", f"{patch.second_opinion[0].upper()}{patch.second_opinion[1:]}")
    yield from _evidence(patch, verbosity)
    if patch.risk is not None:
        yield from ("", *wrap(risk_in_words(patch.risk), MOST_WIDE, "", "  "))
        yield from _describe_shares(patch.risk) if verbosity > 0 else ()
    if verbosity > 0:
        yield from list_lines("Why it is ranked here", patch.reasons)
        if patch.differs:
            yield from ("", f"parts from the answer at {patch.differs}")
    yield from list_lines(OTHERS, patch.others_say)
    yield from list_lines("Not checked", patch.not_checked)


def _questions(patch: PatchView) -> Iterator[Line]:
    yield from list_lines("Questions", patch.questions)
    for evidence in patch.evidence:
        if evidence.answer:
            lines = write_as_test(evidence.answer)
            if lines:
                yield "    settle it by a test, with the value that is right:"
                yield from (f"        {line}".rstrip() for line in lines)
            yield f"    {'or' if lines else 'settle it'} by  --answer {quote(evidence.answer)}"
        if evidence.answer and evidence.otherwise:
            yield f"       or  --answer {quote(evidence.otherwise)}"


def _evidence(patch: PatchView, verbosity: int) -> Iterator[Line]:
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


def _describe_change(change: ChangeView) -> str:
    """One changed call in full, with who says so: ``f(1): returns 1 becomes returns 2 (test: t.py::test)``."""
    who = ": ".join(filter(None, (change.said_by, change.source)))
    return f"{change.call}: {change.before} becomes {change.after}{f' ({who})' if who else ''}"


def _effect(effect: EffectView, file: str) -> Iterator[Line]:
    """What a change does to callers that no failing test asks for."""
    yield from list_lines("What changes for callers", _describe_changes(effect))
    kept = f"on {count_noun(effect.kept, 'input')} of {effect.inputs} tried callers get what they got"
    yield from list_lines("What is kept", (kept,) if effect.inputs else ())
    unpinned = [f"{place(file, line)}no passing test runs the changed statement" for line in effect.unrun[:MOST_UNRUN]]
    more = len(effect.unrun) - len(unpinned)
    unpinned += [f"and {count_noun(more, 'more changed statement')}"] if more > 0 else []
    unpinned += [f"{test} makes such a call, and passes either way" for test in effect.unnoticed[:MOST_UNRUN]]
    unseen = sum(not change.tested for change in effect.changes)
    unpinned += ["no test makes the other calls above"] if unseen and effect.unnoticed else []
    unpinned += ["no test makes the calls above"] if unseen and not effect.unnoticed else []
    yield from list_lines("What no test pins", unpinned)


def _describe_changes(effect: EffectView) -> Iterator[str]:
    for change in effect.changes:
        yield _describe_change(change)
    left = effect.changed - len(effect.changes)
    if left > 0:
        yield f"and on {'at least ' if effect.bounded else ''}{count_noun(left, 'more input')}"


def _describe_shares(risk: RiskView) -> Iterator[Line]:
    """The largest parts of the risk by feature, and which of their weights nobody learned."""
    largest = sorted(risk.shares.items(), key=lambda each: -abs(each[1]))[:MOST_SHARES]
    said = (f"{name} {share:+.2f}{' (set by hand)' if name in risk.by_hand else ''}" for name, share in largest)
    yield (
        f"  made of, in log-odds: {', '.join(said)}" if largest else "  made of nothing but how often patches are wrong"
    )
    if largest:
        yield "  `repair help NAME` says what each of them is"
    if any(name in risk.by_hand for name, _ in largest):
        yield "  set by hand: no patch that the weights were learned on had it"


def alternative_lines(patch: PatchView) -> Iterator[Line]:
    """A runner-up: where it stands and why, and on what it and the answer part."""
    yield from ("", _title(patch, f"{patch.rank}. {patch.status}", "bold"))
    yield from (f"  {reason}" for reason in patch.reasons)
    yield f"  parts from the answer at {patch.differs}" if patch.differs else "  no input is known that tells it apart"
    yield from ("", *diff_lines(patch.diff))


def _plan_lines(plan: PlanView) -> Iterator[str]:
    yield f"one function may change: {plan.function} in {plan.file}"
    yield f"failure class: {plan.failure_class}"
    yield f"kinds of edit, smallest first: {', '.join(plan.kinds)}"
    yield from (f"policy: {rule}" for rule in plan.policy)
    yield f"evidence needed: {', '.join(plan.evidence)}"
    if plan.explanation and plan.explanation not in plan.policy:
        yield plan.explanation
    if plan.tier:
        yield f"edits are tried {': '.join(filter(None, (TIERS.get(plan.tier, plan.tier), plan.tier_reason)))}"


def describe_cold_starts(starts: Mapping[str, int]) -> str:
    """``4 cold starts of pytest: suite 2, regressions, trials``."""
    each = (f"{purpose or 'others'}{f' {count}' if count > 1 else ''}" for purpose, count in starts.items())
    return f"{count_noun(sum(starts.values()), 'cold start')} of pytest: {', '.join(each)}"


def _price(use: ArmUse) -> str:
    return "US dollars unknown" if use.usd is None else f"${use.usd:.4f}"


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
        spent.append(f"{count_noun(result.cost.requests, 'model request')}, {tokens} tokens")
    spent += [f"{use.arm}: {use.requests} asked, {_price(use)}" for use in result.cost.arms]
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
