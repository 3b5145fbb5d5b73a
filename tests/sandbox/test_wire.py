"""A report is believed only when all of it agrees; every cut and every contradiction is refused."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from analysis.facts import InvalidRun, Outcome, RunFault, TestId, TestRun
from sandbox.process import Finished
from sandbox.wire import read_answer, read_run

NONCE = "n0"
FRAME = {
    "path": "mod.py",
    "in_project": True,
    "line": 2,
    "end_line": 2,
    "column": 4,
    "end_column": 9,
    "qualname": "f",
    "name": "f",
    "first_line": 1,
    "locals": [["x", "int", "1"], ["y", "mod.Y", None]],
}
RAISED = {"type": "ValueError", "bases": ["ValueError"], "message": "no", "frames": [FRAME], "link": ""}


def report(phase="call", outcome="passed", test="t.py::a", **more):
    event = {"test": test, "phase": phase, "outcome": outcome, "wasxfail": False, "seconds": 0.1}
    return {**event, "raised": [], "message": "", "event": "test", **more}


def one_test(test, **call):
    yield {"test": test, "event": "begin"}
    yield report("setup", test=test)
    yield report(test=test, **call)
    yield report("teardown", test=test)
    yield {"test": test, "seconds": 0.2, "lines": {"mod.py": [[1, 3], [5, 5]]}, "event": "done"}


def good(status=1):
    return [
        {"python": "3.11.7", "flags": {}, "event": "start"},
        {"tests": ["t.py::a", "t.py::b"], "deselected": 0, "event": "collected"},
        *one_test("t.py::a"),
        *one_test("t.py::b", outcome="failed", raised=[RAISED], message="ValueError: no"),
        {"status": status, "counts": {}, "leaked": [], "nonce": NONCE, "event": "end"},
    ]


def encode(events):
    return b"".join(json.dumps(e, separators=(",", ":")).encode() + b"\n" for e in events)


def finished(events, returncode=1, stopped=None, output=b""):
    content = events if isinstance(events, bytes) else encode(events)
    return Finished(returncode, output, content, 1.0, stopped)


def test_a_good_report_is_read_whole():
    run = read_run(finished(good()), [], NONCE)
    assert isinstance(run, TestRun)
    assert [(r.test, r.outcome) for r in run.results] == [("t.py::a", Outcome.PASSED), ("t.py::b", Outcome.FAILED)]
    frame = run.results[1].exceptions[0].frames[0]
    assert (frame.path, frame.column, frame.locals[1].value) == ("mod.py", 4, None)
    assert dict(run.line_map)["t.py::a"] == (("mod.py", frozenset({1, 2, 3, 5})),)


def test_a_test_that_was_stopped_in_a_run_that_went_on_hangs_whatever_is_said_of_its_call():
    hang = {"test": "t.py::a", "frames": [FRAME], "event": "hang"}
    events = good()
    run = read_run(finished([*events[:4], hang, *events[4:]]), [], NONCE)
    assert isinstance(run, TestRun), run
    assert [r.outcome for r in run.results] == [Outcome.HANG, Outcome.FAILED]
    assert run.results[0].exceptions[0].frames[0].path == "mod.py"


def test_ids_are_kept_whole_however_long():
    first, second = (f"t.py::a[{'x' * 20_000}-{n}]" for n in (1, 2))
    events = [good()[0], {"tests": [first, second], "event": "collected"}, *one_test(first), *one_test(second)]
    run = read_run(finished([*events, {**good()[-1], "status": 0}], 0), [], NONCE)
    assert isinstance(run, TestRun), run
    assert [r.test for r in run.results] == [first, second]
    assert dict(run.line_map).keys() == {first, second}


@pytest.mark.parametrize(
    "lines", [{"mod.py": [[1, 3_000_000]]}, {f"m{n}.py": [[1, 999_999]] for n in range(3)}, {"mod.py": 7}]
)
def test_a_report_cannot_ask_for_more_lines_than_can_be_kept(lines):
    events = [{**e, "lines": lines} if "lines" in e else e for e in good()]
    run = read_run(finished(events), [], NONCE)
    assert isinstance(run, InvalidRun)
    assert "lines" in run.detail


WHOLE = encode(good())


@settings(deadline=None)
@given(st.integers(0, len(WHOLE) - 1))
def test_every_truncation_is_refused(length):
    for code in (0, 1, -9):
        assert isinstance(read_run(finished(WHOLE[:length], code), [], NONCE), InvalidRun)


@settings(deadline=None)
@given(st.integers(0, len(good()) - 1))
def test_every_missing_line_but_the_greeting_is_refused(index):
    events = good()
    dropped = events.pop(index)
    run = read_run(finished(events), [], NONCE)
    # The lines of an earlier phase carry no outcome of their own, so only their absence tells.
    assert isinstance(run, InvalidRun) or dropped["event"] == "start", dropped


@settings(deadline=None)
@given(st.binary(max_size=200), st.integers(0, len(WHOLE)))
def test_noise_never_crashes_the_reader(noise, at):
    read_run(finished(WHOLE[:at] + noise + WHOLE[at:]), [], NONCE)
    read_answer(finished(noise), NONCE)


def changed(index, **fields):
    events = good()
    events[index] = {**events[index], **fields}
    return events


@pytest.mark.parametrize(
    ("events", "returncode", "said"),
    [
        (changed(-1, nonce="other"), 1, "end mark"),
        ([*good(), good()[2]], 1, "after its end mark"),
        ([*good(), good()[-1]], 1, "after its end mark"),
        (good(), 0, "its process ended with 0"),
        (good(), -11, "SIGSEGV"),
        (good(), 139, "SIGSEGV"),
        (good(status=0), 0, "exit status 0, though not all passed"),
        (good(status=5), 5, "exit status 5"),
        (changed(4, outcome="failed")[:7] + good()[-1:], 1, "not run to their end"),
        (changed(1, tests=["t.py::a"]), 1, "not collected"),
        (changed(1, tests=["t.py::a", "t.py::b", "t.py::c"]), 1, "not run to their end"),
        (changed(9, outcome="passed"), 1, "exit status 1, though nothing failed"),
        ([*good()[:7], *good()[2:7], *good()[7:]], 1, "run twice"),
        (changed(-1, leaked=["mod (/home/u/p/mod.py)"]), 1, "original project"),
        (good(status=2), 2, "exit status 2"),
        (changed(4, outcome="great"), 1, "unknown outcome"),
        (changed(4, outcome=1), 1, "wrong type"),
        (changed(4, seconds=True), 1, "wrong type"),
        (changed(4, seconds=10**400), 1, "out of all bounds"),
        (changed(4, seconds=float("nan")), 1, "out of all bounds"),
        (changed(4, phase="coffee"), 1, "unknown phase"),
        (changed(6, lines={"mod.py": [[3, 1]]}), 1, "range of lines"),
        (changed(6, lines={"mod.py": [[1, 10**12]]}), 1, "range of lines"),
        (changed(9, raised=[{**RAISED, "frames": [{**FRAME, "locals": [1]}]}]), 1, "local variable"),
        (changed(0, event="surprise"), 1, "unknown event"),
        ([[]], 1, "no object"),
        (b"{\n", 1, "no JSON"),
        (b"[" * 100_000 + b"\n", 1, "no JSON"),
    ],
)
def test_contradictions_are_refused_and_named(events, returncode, said):
    run = read_run(finished(events, returncode), [], NONCE)
    assert isinstance(run, InvalidRun)
    assert said in run.detail


def test_a_test_that_passed_only_on_a_rerun_did_not_pass():
    events = good()
    events.insert(4, report(outcome="rerun"))
    run = read_run(finished(events), [], NONCE)
    assert run.outcome("t.py::a") is Outcome.FAILED


def test_long_names_of_tests_that_are_not_there_are_cut():
    names = [TestId(f"t.py::test_no[{letter * 5000}]") for letter in "abcdefg"]
    usage = {"event": "usage", "messages": [f"not found: {name}" for name in names]}
    end = {"event": "end", "status": 4, "nonce": NONCE, "leaked": []}
    run = read_run(finished([good()[0], usage, end], returncode=4), names, NONCE)
    assert isinstance(run, InvalidRun)
    assert run.fault is RunFault.NO_SUCH_TEST
    assert "t.py::test_no[aaa" in run.detail
    assert run.detail.endswith("… and 2 more")
    assert len(run.detail) < 2000


@pytest.mark.parametrize(
    ("reports", "outcome"),
    [
        ([report("setup", "skipped"), report("teardown")], Outcome.SKIPPED),
        ([report("setup", "skipped", wasxfail=True), report("teardown")], Outcome.XFAILED),
        ([report("setup", "failed"), report("teardown")], Outcome.ERROR),
        ([report("setup"), report(), report("teardown", "failed")], Outcome.ERROR),
        ([report("setup"), report("call", "failed"), report("teardown", "failed")], Outcome.FAILED),
        ([report("setup"), report(wasxfail=True), report("teardown")], Outcome.XPASSED),
        ([report("setup"), report(), report("call", "failed"), report(), report("teardown")], Outcome.FAILED),
    ],
)
def test_the_worst_report_of_a_test_is_its_outcome(reports, outcome):
    begin, done = {"test": "t.py::a", "event": "begin"}, {"test": "t.py::a", "seconds": 0.2, "event": "done"}
    bad = outcome in (Outcome.FAILED, Outcome.ERROR)
    end = {**good()[-1], "status": int(bad)}
    events = [good()[0], {"tests": ["t.py::a"], "event": "collected"}, begin, *reports, done, end]
    run = read_run(finished(events, int(bad)), [], NONCE)
    assert [r.outcome for r in run.results] == [outcome]


@pytest.mark.parametrize(
    ("stopped", "fault"),
    [
        (RunFault.TIMEOUT, RunFault.TIMEOUT),
        (RunFault.OUTPUT, RunFault.OUTPUT),
        (RunFault.INCONSISTENT, RunFault.INCONSISTENT),
    ],
)
def test_a_stopped_run_keeps_what_was_seen(stopped, fault):
    hang = {"test": "t.py::b", "frames": [FRAME], "event": "hang"}
    run = read_run(finished(encode([*good()[:8], hang]) + b'{"half":', -9, stopped), [], NONCE)
    assert (run.fault, run.running) == (fault, "t.py::b")
    assert run.collected == ("t.py::a", "t.py::b")
    hanging = [Outcome.HANG] if fault is RunFault.TIMEOUT else []
    assert [r.outcome for r in run.partial] == [Outcome.PASSED, *hanging]


@pytest.mark.parametrize(
    ("returncode", "fault"),
    [
        (-9, RunFault.MEMORY),
        (137, RunFault.MEMORY),
        (-24, RunFault.TIMEOUT),
        (-25, RunFault.OUTPUT),
        (-6, RunFault.SIGNAL),
        (0, RunFault.EXITED),
        (7, RunFault.EXITED),
    ],
)
def test_a_process_that_died_is_told_by_how(returncode, fault):
    run = read_run(finished(good()[:3], returncode), [], NONCE)
    assert (run.fault, run.running) == (fault, "t.py::a")


def test_no_interpreter_and_no_pytest():
    assert read_run(finished([], 127), [], NONCE).fault is RunFault.NO_INTERPRETER
    lacking = {"message": "No module named 'pytest'", "event": "no_pytest"}
    assert read_run(finished([lacking], 3), [], NONCE).fault is RunFault.NO_PYTEST


def test_an_answer_needs_its_nonce():
    event = {"message": "", "nonce": NONCE, "event": "answer"}
    assert read_answer(finished([event], 0), NONCE) == event
    assert isinstance(read_answer(finished([{**event, "nonce": "x"}], 0), NONCE), InvalidRun)
    assert read_answer(finished([], -9, RunFault.TIMEOUT), NONCE).fault is RunFault.TIMEOUT


def test_what_held_much_memory_when_its_time_was_up_is_told_so():
    stopped = finished(good()[:-3], -9, RunFault.TIMEOUT)
    plain, large = read_run(stopped, [], NONCE), read_run(replace(stopped, held=3 << 30), [], NONCE)
    assert "memory" not in plain.detail
    assert large.detail == f"{plain.detail}, and held 3.0 GB of memory"
    assert large.fault is plain.fault is RunFault.TIMEOUT


@pytest.mark.parametrize(("kind", "fault"), [("MemoryError", RunFault.MEMORY), ("OSError", RunFault.EXITED)])
def test_a_run_that_memory_ended_is_named_so(kind, fault):
    events = [*good()[:-1], {"raised": [{**RAISED, "type": kind, "message": ""}], "event": "internal"}]
    found = read_run(finished(events, 3), [], NONCE)
    assert found.fault is fault
    assert ("memory allowed" in found.detail) is (fault is RunFault.MEMORY)
