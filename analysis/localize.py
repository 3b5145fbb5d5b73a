"""Fault localization: tracebacks and coverage spectra combined into a ranked tuple of suspects.

A crash leaves frames, so the raising function leads and its callers follow. A wrong value leaves none in its
culprit: then the spectrum ranks whatever the failing tests ran, however many calls away. Without passing tests
the spectrum has no contrast, and it counts whether a test names the function. It does so in its own name, or in what
its failed assertion says it called.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from analysis.errors import UsageError
from analysis.evidence import Index, Spectrum, Trace, spectra, traces
from analysis.facts import Diagnosis, FunctionId, LineMap, Suspect, TestId
from analysis.frames import IsTest, telling_exception
from analysis.functions import FunctionSpan
from analysis.spectrum import line_counts

_CALLED = re.compile(
    r"where .*? = (?:[\w.\[\]'\"<>() ]*?\.)?<?(?:bound method |function )?([A-Za-z_][\w.]*)(?: at 0x\w+>)?\("
)


@dataclass(frozen=True, slots=True)
class TestWords:
    """What failing tests say, in lower case: (file, names) of each, and the functions that assertions called."""

    tests: tuple[tuple[str, str], ...]
    called: frozenset[str]


def words_of(failing: Collection[TestId], diagnoses: Sequence[Diagnosis]) -> TestWords:
    """The words of these tests and of their assertions."""
    tests = []
    for test in failing:
        path, *names = test.lower().split("[", 1)[0].split("::")
        tests.append((_module(path), "_".join(names)))
    messages = [e.message for d in diagnoses if (e := telling_exception(d.failure)) is not None]
    called = {name.rsplit(".", 1)[-1] for message in messages for name in _CALLED.findall(message)}
    return TestWords(tuple(sorted(set(tests))), frozenset(called))


def namedness(function: FunctionId, words: TestWords) -> float:
    """How plainly the words speak of the function, 0 to 1; 0.6 and more names it."""
    *owners, own = function.qualname.split(".")
    name, module = own.strip("_").lower(), _module(function.path.lower())
    owner = owners[-1].lower() if owners else ""
    scores = [
        0.6 * _mentions(said, name) + 0.2 * _mentions(said, owner) + 0.2 * _mentions(file, module)
        for file, said in words.tests
    ]
    return max([0.6 if own in words.called else 0.0, *scores])


def _module(path: str) -> str:
    return path.rsplit("/", 1)[-1].removesuffix(".py").strip("_")


def _mentions(text: str, name: str) -> bool:
    if not name:
        return False
    if re.search(rf"(?:^|_)(?:test)?{re.escape(name)}(?:_|$)", text):
        return True
    return len(name) > 3 and name.replace("_", "") in text.replace("_", "")


_TRACE_WEIGHT = 0.85
_SPECTRUM_WEIGHT = 0.6
"""With frames at hand coverage comes second: the raising function leads even where it is widely used."""

_EARLIER_FACTOR = 0.5
"""What made a value may have run before a check that passed: it is less suspect, not free of suspicion."""

_NAMED_WEIGHT = 0.05
_NAMED_WEIGHT_WITHOUT_CONTRAST = 0.35


_Ran = Mapping[TestId, Mapping[str, Collection[int]]]
"""Lines of each file that tests ran."""


def rank(
    diagnoses: Sequence[Diagnosis],
    line_map: LineMap,
    failing: Collection[TestId],
    passing: Collection[TestId],
    functions: Index,
    is_test: IsTest,
    override: str = "",
    since_check: LineMap = (),
) -> tuple[Suspect, ...]:
    """The functions outside the tests that may hold the fault, most suspicious first.

    ``since_check`` has the first lines of functions that failing tests called after the last of their checks that
    passed. Where they are known it has the lines that ran in these functions too. Tests of which it says nothing may
    have no such check. What only ran before is less suspect (Xuan and Monperrus, "Test Case Purification for Improving
    Fault Localization", FSE 2014). Ties are broken by the number of executed lines, then by path and line, so that the
    order never depends on chance. ``override`` (``qualname``, ``path.py:qualname`` or ``path.py::qualname``) puts one
    function first; raises ``UsageError`` where it names none, or several.
    """
    # Counting every line of a large suite takes seconds: files that hold no suspect are left out.
    kept = {path for path in functions if not is_test(path)}
    line_map = tuple((test, tuple((p, lines) for p, lines in files if p in kept)) for test, files in line_map)
    counts = line_counts(line_map, failing, passing)
    covered = spectra(functions, counts, line_map, failing, passing, is_test)
    traced = traces(diagnoses, functions, is_test)
    contrast = any(s.counts.ep + s.counts.np for s in covered.values())
    words = words_of(failing, diagnoses)
    since = {test: dict(files) for test, files in since_check if test in failing and files}
    ran = {test: dict(files) for test, files in line_map if test in failing}
    earlier = _only_earlier(since, ran, functions)
    weighed = []
    for function in covered.keys() | traced.keys():
        spectrum, trace = covered.get(function), traced.get(function)
        late = _late_lines(spectrum, function.path, since, ran)
        suspect = _weigh(function, spectrum, trace, bool(traced), contrast, words, function in earlier, late)
        size = len(spectrum.lines) if spectrum else 0
        weighed.append((-suspect.suspiciousness, -size, _place(function), suspect))
    suspects = tuple(suspect for *_, suspect in sorted(weighed, key=lambda each: each[:3]))
    if not override:
        return suspects
    named = _find_named(override, functions, is_test, suspects)
    known = next((s for s in suspects if s.function == named), None)
    reasons = ("named by the user", *(known.reasons if known else ()))
    first = Suspect(named, 1.0, reasons, known.line_scores if known else ())
    return (first, *(s for s in suspects if s.function != named))


def _only_earlier(since: _Ran, ran: _Ran, functions: Index) -> frozenset[FunctionId]:
    """Functions that failing tests run, and none of them after the last of its checks that passed."""
    spans = [span for found in functions.values() for span in found]

    def body_is_run(test: TestId, span: FunctionSpan) -> bool:
        lines = ran.get(test, {}).get(span.function.path, frozenset())
        return any(line in lines for line in range(span.def_line + 1, span.end_line + 1))

    def is_called(test: TestId, span: FunctionSpan) -> bool:
        # What is made within a function (a lambda, a generator) tells its own line.
        inside = range(span.function.first_line, span.end_line + 1)
        return any(line in inside for line in since[test].get(span.function.path, ()))

    told = ((span, [test for test in since if body_is_run(test, span)]) for span in spans)
    return frozenset(s.function for s, tests in told if tests and not any(is_called(test, s) for test in tests))


def _late_lines(spectrum: Spectrum | None, path: str, since: _Ran, ran: _Ran) -> frozenset[int]:
    """The lines of a function that ran in some failing test after its last check that passed.

    All of its lines where that is not known of every failing test that runs it.
    """
    body = frozenset(line for line, _ in spectrum.lines) if spectrum else frozenset()
    running = [test for test, files in ran.items() if not body.isdisjoint(files.get(path, ()))]
    late = [body.intersection(since.get(test, {}).get(path, ())) for test in running]
    return frozenset().union(*late) if all(late) else body


def _weigh(
    function: FunctionId,
    spectrum: Spectrum | None,
    trace: Trace | None,
    any_trace: bool,
    contrast: bool,
    words: TestWords,
    earlier: bool,
    late: frozenset[int],
) -> Suspect:
    named = namedness(function, words)
    covered = spectrum.score if spectrum else 0.0
    # Lines that are run before a crash say little about it by themselves.
    base = 1 - (1 - _TRACE_WEIGHT * (trace.weight if trace else 0.0)) * (1 - _SPECTRUM_WEIGHT * covered)
    base = (base if any_trace else covered) * (_EARLIER_FACTOR if earlier else 1.0)
    weight = _NAMED_WEIGHT if contrast or any_trace else _NAMED_WEIGHT_WITHOUT_CONTRAST
    score = round((1 - weight) * base + weight * named, 6)
    reasons = _reasons(spectrum, trace, contrast, named)
    if earlier:
        reasons.append("not called since the last check that passed")
    return Suspect(function, score, tuple(reasons), _line_scores(spectrum, trace, late))


def _reasons(spectrum: Spectrum | None, trace: Trace | None, contrast: bool, named: float) -> list[str]:
    reasons = [trace.reason] if trace else []
    if spectrum is not None:
        c = spectrum.counts
        reasons.append(f"run by {c.ef} of {c.ef + c.nf} failing and {c.ep} of {c.ep + c.np} passing tests")
        only = len([line for line, score in spectrum.lines if score == spectrum.top])
        told = f"suspiciousness {spectrum.top:.2f} (Ochiai and D*) on {only} of its lines"
        reasons.append(told if contrast else "no passing test to compare with")
    if named >= 0.6:
        reasons.append("a failing test names it")
    return reasons


def _line_scores(spectrum: Spectrum | None, trace: Trace | None, late: frozenset[int]) -> tuple[tuple[int, float], ...]:
    """Scores from 0 to 1: lines of a traceback lead, executed lines follow in the order of the spectrum."""
    scores: dict[int, float] = {}
    if spectrum is not None and spectrum.score:
        weighed = [(line, score * (1.0 if line in late else _EARLIER_FACTOR)) for line, score in spectrum.lines]
        top = (0.75 if trace else 1.0) / max(score for _, score in weighed)
        scores.update((line, round(top * score, 6)) for line, score in weighed)
    for line, score in trace.lines if trace else ():
        scores[line] = max(score, scores.get(line, 0.0))
    return tuple(sorted(scores.items()))


def _place(function: FunctionId) -> tuple[str, int, str]:
    return function.path, function.first_line, function.qualname


def _find_named(override: str, functions: Index, is_test: IsTest, suspects: Sequence[Suspect]) -> FunctionId:
    """The function that the user means: of several, the only one that is suspect.

    Of those of one name, such as the getter and the setter of a property, it is the most suspicious one. Where none is
    suspect, it is the last: a module that defines a name twice ends up with that.
    """
    found = named_functions(override, functions, is_test)
    suspected = [s.function for s in suspects if s.function in found]
    known = suspected or found
    if len({(f.path, f.qualname) for f in known}) == 1:
        return suspected[0] if suspected else found[-1]
    places = dict.fromkeys(f"{f.path}:{f.qualname}" for f in known)
    raise UsageError(
        f"{override!r} names {len(places)} functions: {', '.join(places)}",
        remedy="Name one of them as PATH:QUALNAME.",
    )


def named_functions(override: str, functions: Index, is_test: IsTest) -> list[FunctionId]:
    """All functions outside the tests that the user may mean, in the order of their places.

    A name without its class stands for the methods of that name, where no function is called just so. A path without
    its folders stands for files of that name in the same way. Raises ``UsageError`` where there is none.
    """
    path, _, qualname = override.replace("::", ":").rpartition(":")
    path = path.removeprefix("./")
    every = [s.function for p, spans in functions.items() if not is_test(p) for s in spans]
    end = f"/{path}"
    found = [f for f in every if f.qualname == qualname and (path in ("", f.path) or f.path.endswith(end))]
    found = found or [
        f for f in every if f.qualname.endswith(f".{qualname}") and (path in ("", f.path) or f.path.endswith(end))
    ]
    if not found:
        raise UsageError(f"No function {override!r} in the project", remedy=_nearest_name(qualname, every))
    return sorted([f for f in found if f.path == path] or found, key=_place)


def _nearest_name(qualname: str, every: Sequence[FunctionId]) -> str:
    names: Mapping[str, str] = {f.qualname: f"{f.path}:{f.qualname}" for f in every}
    tails = {f.qualname.rsplit(".", 1)[-1]: f.qualname for f in every}
    last = qualname.rsplit(".", 1)[-1]
    close = [*difflib.get_close_matches(qualname, names, 3, 0.6)]
    close += [tails[t] for t in difflib.get_close_matches(last, tails, 3, 0.8)]
    offered = list(dict.fromkeys(names[name] for name in close))[:3]
    return f"Did you mean {' or '.join(offered)}?" if offered else "Give its qualified name, such as Class.method."
