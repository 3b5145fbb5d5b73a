"""The patch and its rivals told apart from outside: by calls of the functions above, as callers make them.

Some functions work on an object in the middle of its life. What tells two programs apart is a picture of that object
then, which few people can read. It may be a state that no caller ever brings about. A function above, which tests call
with plain arguments, has neither fault: ``calculate('2 ^ 3 * 2')`` says it in a line.

Each program is asked in a process of its own, which imports the module and no test.
"""

from __future__ import annotations

import functools
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace

from analysis.behaviour import Call, CallOrigin, Difference
from analysis.calls import CallInput, Comparison, PlainAnswer, RecordedCall
from analysis.diagnosis import is_test_path
from analysis.errors import OutOfTimeError, UnparseableError
from analysis.facts import Digest, Files, FunctionId, InvalidRun, Limits, TestId
from analysis.functions import FunctionSpan, functions_of
from analysis.trials import Trial
from repair.compare.comparing import Versions, constants
from repair.compare.inputs import generate, spliced
from repair.records.plan import covering_tests
from repair.records.ports import Sandbox, Submission, TrialSession
from repair.trials.cold import place_trial
from repair.trials.layered import lay_over

FROM_OUTSIDE = "outside"
"""The measurement that counts calls of a function above."""

MOST_ABOVE = 3
"""Functions above that are asked."""

MOST_RECORDED, MOST_GENERATED = 40, 80
"""Calls of tests that are repeated, and further ones like them."""

MOST_PROGRAMS = 5
"""Rivals that are asked."""

MOST_SECONDS = 5.0
"""What all calls in one process may take."""

MOST_SPLICED_CALLS = 200
"""Calls with texts that are put together of those that tests pass."""

AT_ONCE = 2
"""Processes that answer at the same time."""

_NAME = re.compile(r"[A-Za-z_]\w*")

Answers = Sequence[PlainAnswer | None]


@dataclass(frozen=True, slots=True)
class SeenFromOutside:
    """Calls of a function above on which the patch does not do the same as the old function, and as each rival.

    They only add to what is known: nothing that states have shown is dropped for them.
    """

    old: tuple[Difference, ...] = ()
    rivals: Mapping[Digest, tuple[Difference, ...]] = field(default_factory=dict)
    calls: int = 0
    """How many calls the patched program answered there."""

    def join(self, found: Comparison) -> Comparison:
        """What a comparison says with the calls that tell rivals apart, which come first."""
        told = [(digest, each) for digest, differences in self.rivals.items() for each in differences]
        return replace(found, rivals=replace(found.rivals, differences=(*told, *found.rivals.differences)))


@dataclass(frozen=True, slots=True)
class Outside:
    """Who asks: ``left`` says how many seconds of the whole run are left."""

    sandbox: Sandbox
    limits: Limits
    seed: int
    left: Callable[[], float]

    def look(
        self, session: TrialSession, submission: Submission, both: Versions, rivals: Sequence[Trial]
    ) -> SeenFromOutside:
        """The patch beside the old function and the first rivals, at the first function above that tells any apart."""
        programs, before = (both.before, *rivals[:MOST_PROGRAMS]), self.left()
        for above in functions_above(submission, both.new.function):
            calls = session.questions_about(above).record(above, MOST_RECORDED).seen
            made = {call.input: call for call in calls if call.plain}
            if not made or self.left() < MOST_SECONDS or before - self.left() > MOST_SECONDS:
                continue  # one function may take long, and none is begun behind it
            failing = frozenset(submission.baseline.failing)
            further = (*splice_calls(calls, failing), *generate(calls, MOST_GENERATED, self.seed, constants(both)))
            inputs = tuple(each for each in dict.fromkeys((*made, *further)) if each.values() is not None)
            mine, *others = self._answer_all(above, inputs, submission.whole, programs)
            if mine is None or others[0] is None:
                continue
            apart = [list(_differences(above, inputs, made, mine, each, others[0])) for each in others]
            if any(apart):
                known = {each.digest: tuple(found) for each, found in zip(programs[1:], apart[1:], strict=True)}
                answered = sum(each is not None for each in mine)
                return SeenFromOutside(tuple(apart[0]), known, answered)
        return SeenFromOutside()

    def _answer_all(
        self, above: FunctionId, inputs: Sequence[CallInput], whole: Files, programs: Sequence[Trial]
    ) -> list[Answers | None]:
        """What the patched program gives, and what it gives with each of these texts in place of the patch."""
        files = [whole, *(lay_over(whole, place_trial(whole, each)) for each in programs)]
        try:
            with ThreadPoolExecutor(AT_ONCE) as beside:
                return list(beside.map(functools.partial(self._answers, above, inputs), files))
        except OutOfTimeError:  # what was compared before stands
            return [None] * len(files)

    def _answers(self, above: FunctionId, inputs: Sequence[CallInput], files: Files) -> Answers | None:
        limits = replace(self.limits, wall_seconds=min(self.limits.wall_seconds, MOST_SECONDS))
        told = self.sandbox.for_purpose("calls from outside").call_apart(above, inputs, files, limits=limits)
        return None if isinstance(told, InvalidRun) else told


def functions_above(submission: Submission, function: FunctionId) -> tuple[FunctionId, ...]:
    """Functions of modules from which names lead to the function, in tests that run it; those first that most run.

    They are named as in the patched program.
    """
    line_map, sources = submission.baseline.traced.line_map, dict(submission.sources)
    patched = sources | dict(submission.whole)
    below = submission.candidate.function
    own = next((s for s in _functions_in(below.path, sources) if s.function == below), None)
    if own is None:
        return ()
    wanted = covering_tests(line_map, (*submission.vouching, *submission.baseline.failing), own)
    ran = {path for test, files in line_map if test in wanted for path, _ in files if not is_test_path(path)}
    spans = [span for path in sorted(ran) for span in _functions_in(path, sources)]
    found = [span.function for path in ran for span in _functions_in(path, patched)]
    now = {(each.path, each.qualname): each for each in found}
    runs: Counter[FunctionId] = Counter()
    for span in _leading_to(own, spans, sources):
        known = now.get((span.function.path, span.function.qualname))
        if known is not None and known != function and _is_callable_by_name(span):
            runs[known] = len(covering_tests(line_map, wanted, span))
    return tuple(each for each, count in runs.most_common(MOST_ABOVE) if count)


def _functions_in(path: str, texts: Mapping[str, bytes]) -> tuple[FunctionSpan, ...]:
    """The functions of a file; none where there is no such file, or this Python cannot read it."""
    try:
        return functions_of(path, texts[path]) if path in texts else ()
    except UnparseableError:
        return ()


def _leading_to(own: FunctionSpan, spans: Sequence[FunctionSpan], sources: Mapping[str, bytes]) -> list[FunctionSpan]:
    """The functions that name the function, or its class, or one that does."""
    naming: dict[str, list[int]] = {}
    for number, span in enumerate(spans):
        for name in _names_in(sources[span.function.path][span.start : span.end]):
            naming.setdefault(name, []).append(number)
    waiting, seen, found = [*_names_of(own)], set(_names_of(own)), dict[int, None]()
    while waiting:
        for number in naming.get(waiting.pop(), ()):
            if number not in found:
                found[number] = None
                waiting += [name for name in _names_of(spans[number]) if name not in seen]
                seen.update(_names_of(spans[number]))
    return [spans[number] for number in sorted(found)]


def _names_of(span: FunctionSpan) -> frozenset[str]:
    """Its own name, and that of its class, where it is a method."""
    return frozenset((span.name, span.parent.rpartition(".")[2]) if span.in_class else (span.name,))


def _names_in(text: bytes) -> frozenset[str]:
    return frozenset(_NAME.findall(text.decode("utf-8", "replace")))


def splice_calls(calls: Sequence[RecordedCall], failing: Collection[TestId]) -> tuple[CallInput, ...]:
    """The calls of failing tests with pieces of the texts that other tests pass in their own texts' places."""
    plain = [(call, values) for call in calls if call.plain and (values := call.input.values()) is not None]
    texts = list(dict.fromkeys(each for _, (args, _) in plain for each in args if isinstance(each, str)))
    found: dict[CallInput, None] = {}
    for call, (args, named) in plain:
        for place, own in enumerate(args if call.test in failing else ()):
            if isinstance(own, str):
                changed = (each for other in texts for each in spliced((own, other)))
                found |= dict.fromkeys(
                    CallInput(repr((*args[:place], each, *args[place + 1 :])), repr(named)) for each in changed
                )
    step = max(1, -(-len(found) // MOST_SPLICED_CALLS))
    return tuple(found)[::step]


def _is_callable_by_name(span: FunctionSpan) -> bool:
    """Whether it is a module's own function, for anybody to call."""
    return not (span.in_class or span.is_async or span.parent or span.name.startswith("_"))


def _differences(
    above: FunctionId,
    inputs: Sequence[CallInput],
    made: Mapping[CallInput, RecordedCall],
    mine: Answers,
    other: Answers | None,
    old: Answers,
) -> Iterator[Difference]:
    """The calls that two programs answer otherwise; where one of them gives no answer in time nothing is said."""
    for given, own, theirs, before in zip(inputs, mine, other or (), old, strict=False):
        if own is not None and theirs is not None and own.digest != theirs.digest:
            ends = before.behaviour if before is not None else None
            call, ordinary = _call(above, given, made.get(given))
            yield Difference(call, own.behaviour, theirs.behaviour, old=ends, ordinary=ordinary)


def _call(above: FunctionId, given: CallInput, made: RecordedCall | None) -> tuple[Call, bool]:
    """The call, and whether nothing sets it apart: a test makes it, or nothing in it is empty, a flag or nought."""
    values = given.values()
    assert values is not None, "what is asked apart is plain"
    args, named = values
    text = ", ".join([*map(repr, args), *(f"{name}={value!r}" for name, value in named.items())])
    origin = CallOrigin.MADE if made is not None else CallOrigin.GENERATED
    test = made.test if made is not None else None
    ordinary = made is not None or all(each and each is not True for each in (*args, *named.values()))
    return Call(above.qualname, f"({text})", origin=origin, test=test, of=above), ordinary
