"""Callers: what a change that no failing test asks for changes for them, what it keeps, and what no test pins."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace

from analysis.behaviour import (
    Call,
    CallOrigin,
    Difference,
    Raised,
    Returned,
    are_labels_apart,
    are_numbers_near,
    ends_pathologically,
    is_unfit,
)
from analysis.calls import MOST_DEPARTURES, AnswerPair, CallInput, Comparison
from analysis.facts import InvalidRun, Limits, TestRun
from repair.compare.comparing import (
    GENERATED,
    MOST_SECONDS,
    RECORDED,
    Versions,
    constants,
    open_versions,
    signature,
)
from repair.compare.inputs import generate
from repair.compare.patched_server import PatchedServer
from repair.observe.patched import PatchedRun, lines_of
from repair.records.effect import LEAST_KEPT, Effect
from repair.records.functions import edit_scope
from repair.records.ports import Sandbox, Submission, TrialSession
from repair.records.verdict import Decision, Evidence, Measurement
from repair.records.witness_text import ask_which, describe_witness, is_odd, pick_unlike
from repair.records.wording import count_noun
from repair.trials.trial_router import TrialTier
from transforms.mutants.changed_lines import changed_lines

MOST_EXAMPLES = 4
"""Inputs on which callers get something else that are shown."""

LONGEST_CALL = 80
"""Characters of a call that a person is asked about."""

LONGEST_QUESTION = 240
"""Characters of what a person is asked."""

_NEAREST = tuple(CallOrigin)


class Callers:
    """Accepts a change under which callers get what they got, on enough inputs, each changed line run by a test.

    Else it is unknown whether the change is meant: nothing asked for it. An input that a person reads at a glance is
    the question. This gate never rejects.

    Of a wider change the whole program before is held against the whole program after it, where arguments are plain.
    The old function alone, beside changed others, may fail in ways in which no program ever failed.
    """

    name = "callers"

    def __init__(
        self,
        sandbox: Sandbox,
        limits: Limits,
        server: PatchedServer,
        patched: PatchedRun,
        seed: int,
        effort: int = 1,
    ) -> None:
        self._sandbox = sandbox.for_purpose(self.name)
        self._limits = limits
        self._server = server
        self._patched = patched
        self._seed = seed
        self._effort = effort

    def judge(self, submission: Submission) -> Evidence:
        """Compare on recorded calls and on generated ones like them, and look at the lines that tests run."""
        lines = self._add_lines(submission, Effect())
        if not submission.vouching:
            return _evidence(
                replace(lines, gap="no passing test calls this function, so no input is known to compare on")
            )
        with self._server.lend(submission) as sessions:
            session = sessions.session(TrialTier.WARM)
            if isinstance(session, InvalidRun):
                return _evidence(replace(lines, gap=f"no inputs were compared: {session.detail}"))
            return _evidence(self._compare(submission, session, lines))

    def _add_lines(self, submission: Submission, effect: Effect) -> Effect:
        """The effect with the changed lines, and those that no passing test runs."""
        candidate = submission.candidate
        old = edit_scope(submission.sources, candidate.function)
        new = edit_scope(submission.whole, candidate.function, candidate.text)
        units = changed_lines(old, new).changed
        run = self._patched.of(submission) if submission.vouching else None
        if not isinstance(run, TestRun):
            return replace(effect, lines=len(units), unrun=tuple(unit.first for unit in units))
        ran = frozenset[int]().union(*(lines_of(run, t, candidate.function.path) for t in submission.vouching))
        return replace(effect, lines=len(units), unrun=tuple(unit.first for unit in units if not unit.has_run(ran)))

    def _compare(self, submission: Submission, session: TrialSession, effect: Effect) -> Effect:
        both = open_versions(submission)
        questions = session.questions_about(both.new.function)
        calls = questions.record(both.new.function, RECORDED * self._effort).seen
        known = {param.name.value for param in (*both.old.node.params.params, *both.old.node.params.kwonly_params)}
        hints = tuple(hint for hint in signature(both) if not hint.named or hint.name in known)
        inputs = generate(calls, GENERATED * self._effort, self._seed, constants(both), hints)
        found = questions.compare(both.mine, [], inputs, both.before, both.old_lines, asked=both.asked)
        touching = found.tried.touching
        if found.old.first is not None and not found.old.first.reached:  # it went no further
            found = questions.compare(both.mine, [], inputs, both.before, (), asked=both.asked)
            touching = found.tried.inputs
        wide = dict(submission.whole) != dict(submission.candidate.files)
        departures = tuple(self._find_notable(submission, both, found, wide=wide))
        changed = {each.call.identity for each in departures}
        gap = ""
        if not found.tried.inputs:
            why = found.tried.failures[:1]
            gap = f"no call of the function could be repeated outside its test{': ' if why else ''}{''.join(why)}"
        elif not found.old.is_known:
            gap = "no call of the old function came to an answer that could be compared"
        return replace(
            effect,
            inputs=found.tried.inputs,
            touching=max(touching, len(departures)),
            changed=len(departures),
            bounded=len(found.old.departures) >= MOST_DEPARTURES,
            examples=pick_unlike(tuple(sorted(departures, key=_rank)), MOST_EXAMPLES),
            noticed_by_none=tuple(test for test, each in found.old.recorded if each.call.identity in changed),
            gap=gap,
        )

    def _find_notable(
        self, submission: Submission, both: Versions, found: Comparison, *, wide: bool
    ) -> Sequence[Difference]:
        """Differences that a caller could see: not rounding, and no two slips on one call."""
        departures = found.old.departures or ((found.old.first,) if found.old.first is not None else ())
        if wide:
            departures = self._hold_whole_programs(submission, both, departures, found.old.answers)
        return [each for each in departures if _is_notable(each)]

    def _hold_whole_programs(
        self,
        submission: Submission,
        both: Versions,
        departures: Sequence[Difference],
        answers: Sequence[AnswerPair],
    ) -> tuple[Difference, ...]:
        """The differences between the whole programs, where arguments are plain, and else those of the function alone.

        Of the latter some may come of the old function among new ones, and count for nothing. A name is gone, or a
        call no longer fits.
        """
        inputs = [answer.input for answer in answers]
        limits = replace(self._limits, wall_seconds=min(self._limits.wall_seconds, MOST_SECONDS))
        before = self._sandbox.call_apart(submission.candidate.function, inputs, (), limits=limits)
        after = self._sandbox.call_apart(both.new.function, inputs, submission.whole, limits=limits)
        if isinstance(before, InvalidRun) or isinstance(after, InvalidRun):
            return tuple(each for each in departures if not _is_mixed(each))
        known = {each.call.given.strip(): each.call for each in departures}
        asked: set[str] = set()
        found: list[Difference] = []
        for given, mine, old in zip(inputs, after, before, strict=True):
            call = _call_of(both.new.function.qualname, given)
            asked.add(call.given.strip())
            if mine and old and mine.digest != old.digest:
                found.append(Difference(known.get(call.given.strip(), call), mine.behaviour, old.behaviour))
        alone = (each for each in departures if each.call.given.strip() not in asked and not _is_mixed(each))
        return (*found, *alone)


def _call_of(name: str, given: CallInput) -> Call:
    """A call with plain arguments, shown as others are: ``price(5, unit='EUR')``."""
    values = given.values()
    assert values is not None, "what is asked apart is plain"
    args, named = values
    return Call(name, f"({', '.join([*map(repr, args), *(f'{key}={value!r}' for key, value in named.items())])})")


def _is_notable(difference: Difference) -> bool:
    """Whether a caller may count on what was before: not rounding, names, two slips, and what no call could pass."""
    ends = difference.mine, difference.other
    both_slip = all(isinstance(each, Raised) and each.incidental for each in ends)
    return not (are_numbers_near(*ends) or are_labels_apart(*ends) or both_slip or is_unfit(difference.other))


def _is_mixed(difference: Difference) -> bool:
    """Whether the old function may end so since it stands among new ones: a name is lacking that the change took."""
    return ends_pathologically(difference.other) or is_unfit(difference.other)


def _rank(difference: Difference) -> tuple[bool, bool, bool, bool, int, int]:
    """What is told first: a call that is read at a glance, on usual values, another result, a test's own, a short one.

    What became of the arguments alone, and calls that crashed before, come later.
    """
    call = difference.call
    slip = isinstance(difference.other, Raised) and difference.other.incidental
    odd, near = not call.is_tested and is_odd(call.source), _NEAREST.index(call.origin)
    return not _is_readable(difference), odd, _is_hidden(difference), slip, near, len(call.source)


def _is_hidden(difference: Difference) -> bool:
    """Whether both return or raise the same, and leave their arguments otherwise."""
    match difference.mine, difference.other:
        case (Returned() as mine, Returned() as other) | (Raised() as mine, Raised() as other):
            return replace(mine, left="") == replace(other, left="")
    return False


def _is_readable(difference: Difference) -> bool:
    """Whether a person reads the input in a few seconds: plain values, and not many."""
    call = difference.call
    short = len(call.source) <= LONGEST_CALL and len(ask_which(difference)) <= LONGEST_QUESTION
    return short and not call.context and _has_plain_values(call.arguments)


def _has_plain_values(arguments: str) -> bool:
    """Whether all arguments are literals: ``(5, unit='EUR')``."""
    try:
        made = ast.parse(f"called{arguments}", mode="eval").body
        if not isinstance(made, ast.Call):
            return False
        for value in (*made.args, *(each.value for each in made.keywords)):
            ast.literal_eval(value)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _evidence(effect: Effect) -> Evidence:
    numbers: tuple[Measurement, ...] = (
        ("inputs", effect.inputs),
        ("touching", effect.touching),
        ("changed", effect.changed),
        ("lines", effect.lines),
        ("unrun", len(effect.unrun)),
    )
    decision = Decision.ACCEPT if effect.is_refactoring else Decision.UNKNOWN
    found = Evidence(Callers.name, decision, describe_effect(effect), numbers, effect=effect)
    if not effect.examples:
        return found
    first = effect.examples[0]
    asked = ask_which(first) if _is_readable(first) else ""
    return replace(found, witness=describe_witness(first), question=asked, told=first if asked else None)


def describe_effect(effect: Effect) -> str:
    """What the change does to callers, in a sentence: ``callers get what they got on all 220 inputs``."""
    if effect.gap:
        return effect.gap
    if not effect.lines and not effect.changed:
        return "no code differs, only what says something about it"
    if effect.changed:
        more = "at least " if effect.bounded else ""
        return f"callers get something else on {more}{effect.changed} of {count_noun(effect.inputs, 'input')}"
    said = f"callers get what they got on all {count_noun(effect.inputs, 'input')} tried"
    if effect.touching < LEAST_KEPT:
        return f"{said}, and only {effect.touching} of them reach the change"
    if effect.unrun:
        return f"{said}; no passing test runs {count_noun(len(effect.unrun), 'changed statement')} of {effect.lines}"
    return f"{said}, and tests run each changed line"
