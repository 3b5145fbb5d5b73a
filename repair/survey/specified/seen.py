"""What functions were seen to take, give and raise while the suite ran, and where that is not what is said of them.

Values are recorded at the entry and the return of each function, in one cold run. Where a test entered the
function and saw no return, the call is repeated in a process of its own: so its exception is known.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from analysis.behaviour import Raised
from analysis.calls import CallInput
from analysis.diagnosis import is_test_path
from analysis.facts import Files, FunctionId, InvalidRun, Limits, Point, PointKind, RecordedValue, Sighting, TestId
from analysis.function_text import first_line_of
from analysis.specified.fact_record import Extractor, Fact, Predicate, QuotePlace
from analysis.specified.kinds_text import KNOWN, kinds_from_text, kinds_text, widened
from analysis.stated.function import StatedFunction
from repair.records.ports import Sandbox
from repair.records.wording import count_noun
from repair.survey.safety import find_far_reach

MOST_FUNCTIONS = 1_000
"""Functions of which values are recorded."""

MOST_REPEATED = 20
"""Calls of one function that are repeated to see what they raise."""


@dataclass(frozen=True, slots=True)
class SeenBehaviour:
    """Facts of what was seen; results of a kind that nothing allows, each with the test; or why nothing was seen."""

    facts: tuple[Fact, ...] = ()
    strange: tuple[StrangeResult, ...] = ()
    functions: int = 0
    problem: str = ""


@dataclass(frozen=True, slots=True)
class StrangeResult:
    """A result of another kind than a fact says."""

    fact: Fact
    kind: str
    text: str
    test: TestId


def look_at_calls(
    sandbox: Sandbox,
    functions: Mapping[str, StatedFunction],
    facts: Sequence[Fact],
    sources: Files,
    limits: Limits,
) -> SeenBehaviour:
    """What the suite's calls of these functions were given and came to."""
    chosen = [subject for subject in functions if not is_test_path(subject.partition(":")[0])][:MOST_FUNCTIONS]
    points: dict[Point, str] = {}
    for subject in chosen:
        line = first_line_of(functions[subject].node)
        for kind in (PointKind.ENTRY, PointKind.RETURN):
            points[Point(subject.partition(":")[0], line, (), kind)] = subject
    if not points:
        return SeenBehaviour(problem="the project has no functions")
    recording = sandbox.record_points((), tuple(points), limits=limits)
    if isinstance(recording, InvalidRun):
        return SeenBehaviour(problem=recording.detail)
    entries: dict[str, list[Sighting]] = defaultdict(list)
    returns: dict[str, list[Sighting]] = defaultdict(list)
    for sighting in recording.sightings:
        if subject := points.get(sighting.point, ""):
            (entries if sighting.point.kind is PointKind.ENTRY else returns)[subject].append(sighting)
    found: list[Fact] = []
    for subject, seen in entries.items():
        function = functions[subject]
        found += _seen_facts(subject, function, seen, returns[subject])
        found += _raised(sandbox, subject, function, sources, seen, returns[subject], limits)
    strange = tuple(_strange(facts, returns, functions))
    return SeenBehaviour(tuple(found), strange, len(entries))


def _seen_facts(
    subject: str, function: StatedFunction, entries: Sequence[Sighting], returns: Sequence[Sighting]
) -> Iterator[Fact]:
    place = QuotePlace(subject.partition(":")[0], function.node.lineno)
    tests = {each.test for each in entries}
    quote = f"{count_noun(len(entries), 'different call')} in {count_noun(len(tests), 'test')}"
    kinds: dict[str, list[str]] = defaultdict(list)
    for each in entries:
        for value in each.values:
            if value.name in function.stated.taken.names:
                kinds[value.name].append(_kind(value))
    for name, own in kinds.items():
        yield Fact(subject, Predicate.SEEN, kinds_text(own), place, quote, Extractor.SEEN, name)
    results = [_kind(value) for each in returns for value in each.values]
    if results:
        yield Fact(subject, Predicate.SEEN, f"gives {kinds_text(results)}", place, quote, Extractor.SEEN)


def _raised(
    sandbox: Sandbox,
    subject: str,
    function: StatedFunction,
    sources: Files,
    entries: Sequence[Sighting],
    returns: Sequence[Sighting],
    limits: Limits,
) -> Iterator[Fact]:
    """The exceptions of calls of tests that saw no return, repeated with the same plain arguments."""
    path, _, qualname = subject.partition(":")
    names = function.stated.taken.names
    returned = {each.test for each in returns}
    asked = list(dict.fromkeys(_inputs(names, (each for each in entries if each.test not in returned))))
    if function.is_method or not asked or find_far_reach(path, sources, qualname):
        return
    own = FunctionId(path, qualname, first_line_of(function.node))
    answers = sandbox.call_apart(own, asked[:MOST_REPEATED], limits=limits)
    if isinstance(answers, InvalidRun):
        return
    raised = {a.behaviour.type for a in answers if a is not None and isinstance(a.behaviour, Raised)}
    if raised:
        place = QuotePlace(path, function.node.lineno)
        quote = f"{count_noun(len(asked), 'call')} of tests that saw no return"
        yield Fact(subject, Predicate.SEEN, f"raises {kinds_text(raised)}", place, quote, Extractor.SEEN)


def _inputs(names: Sequence[str], entries: Iterator[Sighting]) -> Iterator[CallInput]:
    for each in entries:
        values = {value.name: value for value in each.values}
        if all(name in values and values[name].plain for name in names):
            given = ", ".join(f"{name!r}: {values[name].text}" for name in names)
            yield CallInput("()", f"{{{given}}}")


def _strange(
    facts: Sequence[Fact], returns: Mapping[str, Sequence[Sighting]], functions: Mapping[str, StatedFunction]
) -> Iterator[StrangeResult]:
    """Results of the language's own kinds that what is said of the function leaves out; the first of each fact."""
    for fact in facts:
        allowed = kinds_from_text(fact.value) if fact.predicate is Predicate.TYPE and not fact.part else None
        function = functions.get(fact.subject)
        if allowed is None or function is None or fact.extractor is Extractor.SEEN or _is_async(function):
            continue
        for each in returns.get(fact.subject, ()):
            value = next(iter(each.values), None)
            if value is not None and _kind(value) in KNOWN and _kind(value) not in widened(allowed):
                yield StrangeResult(fact, _kind(value), value.text, each.test)
                break


def _kind(value: RecordedValue) -> str:
    return value.type_name.removeprefix("builtins.")


def _is_async(function: StatedFunction) -> bool:
    return type(function.node).__name__ == "AsyncFunctionDef"
