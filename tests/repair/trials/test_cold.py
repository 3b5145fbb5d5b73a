"""Trials without a warm server: only a test that is reported as passed has passed."""

import pytest
from fakes.sandbox import FakeSandbox, hang_of, run_of
from fakes.submission import HEAD, NEW, OLD, PATH, scope_in

from analysis.calls import Calls
from analysis.facts import InvalidRun, Limits, Outcome, RunFault, digest
from analysis.trials import Trial, TrialState
from repair.trials.cold import ColdSession, cold_outcome, place_trial

SOURCES = ((PATH, HEAD + OLD + b"\n\nlast = 1\n"),)
SCOPE = scope_in(SOURCES[0][1])
TESTS = ("t.py::a", "t.py::b")
P, F = Outcome.PASSED, Outcome.FAILED


def trial(text=NEW):
    return Trial(digest(text), SCOPE.function, text, "wrap")


def session(answers, jobs=2):
    return ColdSession(FakeSandbox(answers), TESTS, SOURCES, Limits(), jobs)


def test_nothing_outside_the_function_changes():
    assert place_trial(SOURCES, trial()) == ((PATH, HEAD + NEW + b"\n\nlast = 1\n"),)


@pytest.mark.parametrize(
    ("run", "state", "failed"),
    [
        (run_of({"t.py::a": P, "t.py::b": P}), TrialState.PASSED, None),
        (run_of({"t.py::a": P, "t.py::b": F}), TrialState.FAILED, "t.py::b"),
        (run_of({"t.py::a": P, "t.py::b": Outcome.SKIPPED}), TrialState.FAILED, "t.py::b"),
        (run_of({"t.py::a": P}), TrialState.FAILED, None),
        (run_of({}), TrialState.FAILED, None),
        (hang_of("t.py::b", TESTS), TrialState.TIMEOUT, "t.py::b"),
        (InvalidRun(RunFault.USAGE, "refused"), TrialState.INVALID, None),
        (InvalidRun(RunFault.SIGNAL, "died"), TrialState.CRASHED, None),
        (InvalidRun(RunFault.INCONSISTENT, "forged"), TrialState.CRASHED, None),
    ],
)
def test_what_a_run_says_of_a_trial(run, state, failed):
    outcome = cold_outcome(trial(), run, TESTS)
    assert (outcome.state, outcome.failed) == (state, failed)


@pytest.mark.parametrize("jobs", [1, 3])
def test_every_trial_has_its_own_run_and_its_outcome(jobs):
    texts = [OLD.replace(b"return 0", b"return %d" % n) for n in range(2, 9)]

    def answer(tests, files, shuffle):
        good = b"return 5\n" in dict(files)[PATH]
        return run_of(dict.fromkeys(tests, P if good else F))

    outcomes = {o.digest: o.state for o in session(answer, jobs).trials(map(trial, texts))}
    assert {text: outcomes[digest(text)] is TrialState.PASSED for text in texts} == {
        text: b"return 5" in text for text in texts
    }


def test_trials_are_drawn_as_they_are_run():
    drawn = []

    def stream():
        for number in range(50):
            drawn.append(number)
            yield trial(OLD.replace(b"return 0", b"return %d" % (number + 1)))

    outcomes = session(lambda tests, *_: run_of(dict.fromkeys(tests, F)), jobs=2).trials(stream())
    next(outcomes)
    outcomes.close()
    assert len(drawn) <= 4


def test_it_records_and_compares_nothing_and_says_so():
    cold = session(lambda *_: run_of({}))
    assert not cold.hindrance(SCOPE.function)
    assert cold.questions_about(SCOPE.function).record(SCOPE.function, 5) == Calls()
    found = cold.questions_about(SCOPE.function).compare(trial(), [trial(OLD)], [], trial(OLD), [])
    assert (found.tried.inputs, found.rivals.differences, found.old.first) == (0, (), None)
    assert found.tried.failures
    counted = cold.questions_about(SCOPE.function).work(trial(), trial(OLD))
    assert (counted.calls, len(counted.failures)) == ((), 1)
    cold.close()
