"""The probe's report, parsed as untrusted input.

A run counts only when everything agrees. Every line is whole and well formed, and the end mark is the last one and
carries the nonce. Every collected test was begun and finished. The exit status fits the outcomes, and the process ended
with that very status. Anything less is an ``InvalidRun`` that says what is amiss.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from analysis.calls import PlainAnswer
from analysis.facts import InvalidRun, Outcome, Point, Ran, RunFault, TestId, TestRun
from sandbox.behaviour_lines import plain_answer_of
from sandbox.limits import breach, signal_of
from sandbox.outcomes import Malformed, ReportSeen, read_events
from sandbox.process import Finished, never_began

MUCH_MEMORY = 512 << 20
"""What a run holds that is told when its time is up: it may be what took the time."""

_MOST_OUTPUT = 4000
_MOST_NAMES, _MOST_NAME = 5, 300
_AT_LIMIT = {RunFault.OUTPUT: "It wrote more output than is allowed"}

Doubt = tuple[RunFault, str]
"""Why a run gives no verdict, in kind and in words."""


def read_run(
    finished: Finished, tests: Sequence[TestId], nonce: str, points: Sequence[Point] = ()
) -> TestRun | InvalidRun:
    """What the run says, if it can be believed."""
    *lines, rest = finished.report.split(b"\n")
    whole = finished.stopped is None and b'"event":"end"}' in finished.report[-_MOST_OUTPUT:]
    try:
        if rest and whole:  # where the run was cut short the last line is as well
            raise Malformed("its last line is not finished")
        seen = read_events(lines, points)
    except Malformed as problem:
        return _invalid(finished, ReportSeen(), RunFault.INCONSISTENT, f"The report of the run is malformed: {problem}")
    doubt = _check_stopped(finished, seen) or _not_started(finished, seen) or _cut_short(finished, seen)
    if doubt := doubt or _check_agreement(finished, seen, nonce):
        return _no_such_test(finished, seen, tests) or _invalid(finished, seen, *doubt)
    return TestRun(
        results=seen.results(),
        collection_errors=tuple(seen.collection_errors),
        exit_status=finished.returncode,
        seconds=finished.seconds,
        line_map=tuple((TestId(test), seen.lines[test]) for test in sorted(seen.lines)),
        sightings=tuple(seen.sightings),
        arcs=tuple((TestId(test), seen.arcs[test]) for test in sorted(seen.arcs)),
        collected_lines=tuple((TestId(file), seen.collected_lines[file]) for file in sorted(seen.collected_lines)),
    )


def read_answer(finished: Finished, nonce: str) -> dict[str, Any] | InvalidRun:
    """The one ``answer`` event of a question to the probe."""
    for line in finished.report.split(b"\n"):
        try:
            event = json.loads(line) if line else None
        except (ValueError, RecursionError):
            break
        if isinstance(event, dict) and event.get("event") == "answer" and event.get("nonce") == nonce:
            return event
    doubt = _check_stopped(finished, ReportSeen()) or _check_begun(finished)
    return _invalid(finished, ReportSeen(), *doubt or breach(finished.returncode, ran_out=finished.ran_out))


def read_ran(finished: Finished) -> Ran | InvalidRun:
    """How a program without a report ended, and what it printed; one that we or a signal ended gives no answer."""
    if finished.stopped is not None:
        return _invalid(finished, ReportSeen(), finished.stopped, _AT_LIMIT.get(finished.stopped, "It took too long"))
    if signal_of(finished.returncode) is not None:
        return _invalid(finished, ReportSeen(), *breach(finished.returncode, ran_out=finished.ran_out))
    return Ran(finished.returncode, finished.output.decode("utf-8", "replace"))


def read_results(finished: Finished, nonce: str, count: int) -> tuple[PlainAnswer | None, ...] | InvalidRun:
    """What a function gave to so many calls in a process of its own; ``None`` for those that did not end."""
    answer = read_answer(finished, nonce)
    if isinstance(answer, InvalidRun):
        return answer
    entries = answer.get("told")
    if answer.get("why") or not isinstance(entries, list) or len(entries) != count:
        why = str(answer.get("why") or "the list of what it gave is misshapen")
        detail = f"the function cannot be called by itself: {why}"
        return _invalid(finished, ReportSeen(), RunFault.INCONSISTENT, detail)
    return tuple(plain_answer_of(entry) for entry in entries)


def _check_stopped(finished: Finished, seen: ReportSeen) -> Doubt | None:
    """The run was ended by us, at a limit."""
    match finished.stopped:
        case None:
            return None
        case RunFault.OUTPUT:
            return RunFault.OUTPUT, "The tests wrote more output than is allowed"
        case RunFault.INCONSISTENT:
            return RunFault.INCONSISTENT, "The report of the run is too large"
    what = f"{seen.running} was still running when its time was up" if seen.running else "The run took too long"
    if finished.held >= MUCH_MEMORY:
        what += f", and held {finished.held / (1 << 30):.1f} GB of memory"
    return RunFault.TIMEOUT, what


def _not_started(finished: Finished, seen: ReportSeen) -> Doubt | None:
    """pytest never got to its work."""
    if seen.no_pytest:
        return RunFault.NO_PYTEST, f"The target has no working pytest: {seen.no_pytest}"
    if not seen.python and finished.returncode in (126, 127):
        return RunFault.NO_INTERPRETER, "The target's interpreter cannot be started"
    if doubt := _check_begun(finished):
        return doubt
    if seen.status == 4 or (seen.usage and seen.status is None):
        return RunFault.USAGE, f"pytest refused to run: {'; '.join(seen.usage) or _tail(finished.output, 600)}"
    return None


def _check_begun(finished: Finished) -> Doubt | None:
    """Nothing of the target ran: its tests are not to blame."""
    if not never_began(finished):
        return None
    how = f"ended with {finished.returncode} before it began a test"
    return RunFault.SANDBOX, f"The sandbox, or the interpreter in it, {how}"


def _cut_short(finished: Finished, seen: ReportSeen) -> Doubt | None:
    """pytest ended before its work was done, or the process did."""
    by = f" in {seen.running}" if seen.running else ""
    if seen.broken_off.startswith("MemoryError"):
        return RunFault.MEMORY, f"The memory allowed to the tests was used up{by}"
    if seen.broken_off:
        return RunFault.EXITED, f"pytest was ended by {seen.broken_off}{by}"
    if seen.status is None:
        fault, detail = breach(finished.returncode, ran_out=finished.ran_out)
        return fault, detail + (f", while {seen.running} was running" if seen.running else "")
    if seen.status not in (0, 1, 5):
        return RunFault.EXITED, f"pytest ended with exit status {seen.status}"
    return None


def _check_agreement(finished: Finished, seen: ReportSeen, nonce: str) -> Doubt | None:
    """The report contradicts itself or the process."""
    doubt = seen.contradiction(nonce)
    if not doubt and finished.returncode != seen.status:
        died = signal_of(finished.returncode)
        how = f"died of {died.name}" if died else f"ended with {finished.returncode}"
        doubt = f"pytest reported exit status {seen.status}, but its process {how}"
    if not doubt and seen.leaked:
        doubt = f"the tests loaded code of the original project instead of the copy: {', '.join(seen.leaked[:3])}"
    return (RunFault.INCONSISTENT, f"The run cannot be believed: {doubt}") if doubt else None


def _no_such_test(finished: Finished, seen: ReportSeen, tests: Sequence[TestId]) -> TestRun | InvalidRun | None:
    """pytest did not find a named test: its module or a ``conftest.py`` does not import (an observation), or it is
    not there."""
    if seen.status != 4:
        return None
    nothing = TestRun((), tuple(seen.collection_errors), finished.returncode, finished.seconds)
    if not seen.usage:
        return nothing if seen.collected is None and seen.collection_errors else None
    missing = [test for test in tests if any(test in message for message in seen.usage)]
    broken = {error.node for error in seen.collection_errors}
    if broken and all(any(test.startswith(node) for node in broken) for test in missing):
        return nothing
    more = f" and {len(missing) - _MOST_NAMES} more" if len(missing) > _MOST_NAMES else ""
    named = [name if len(name) <= _MOST_NAME else f"{name[: _MOST_NAME - 1]}…" for name in missing[:_MOST_NAMES]]
    names = ", ".join(named) + more or "; ".join(seen.usage)[:600]
    return _invalid(finished, seen, RunFault.NO_SUCH_TEST, f"pytest finds no such test: {names}")


def _invalid(finished: Finished, seen: ReportSeen, fault: RunFault, detail: str) -> InvalidRun:
    timed_out = fault is RunFault.TIMEOUT
    partial = seen.results()
    if timed_out and seen.hang is not None and seen.running is not None:
        partial += (replace(seen.hang, test=seen.running, outcome=Outcome.HANG),)
    return InvalidRun(
        fault,
        detail,
        _tail(finished.output, _MOST_OUTPUT),
        partial,
        seen.running,
        tuple(map(TestId, seen.collected or ())),
        late=timed_out and finished.late,
    )


def _tail(output: bytes, most: int) -> str:
    return output.decode("utf-8", "replace")[-most:].strip()
