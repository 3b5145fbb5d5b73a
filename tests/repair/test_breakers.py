"""Of many passing tests those that failed last are asked first, where they can be asked alone."""

from dataclasses import replace

from fakes.sandbox import FakeSandbox, FakeSession, run_of

from analysis.facts import Limits, digest
from analysis.functions import functions_of
from analysis.trials import Trial, TrialOutcome, TrialState
from repair.breakers import MOST, Breakers
from repair.ladder import Ladder, Selection

SOURCE = b"def price(count):\n    return count * 3\n"
(PRICE,) = functions_of("shop.py", SOURCE)
TESTS = tuple(f"test_shop.py::test_{letter}" for letter in "abcde")
A, B, C, D, E = TESTS


class Served(FakeSession):
    """A session in which each text fails the tests that it names, all tests in one fork or a few of them alone."""

    def __init__(self, needs_others=(), stopped=()):
        super().__init__(lambda trial: True)
        self.needs_others, self.stopped, self.asked = needs_others, stopped, []

    def trials(self, trials):
        for trial in trials:
            self.asked.append((trial.label, trial.only))
            failing = [t for t in trial.only or TESTS if t in trial.label or (trial.only and t in self.needs_others)]
            state = TrialState.FAILED if failing else TrialState.PASSED
            hasty = bool(failing) and failing[0] in self.stopped
            yield TrialOutcome(trial.digest, state, next(iter(failing), None), tier="warm", hasty=hasty)


def ladder_of(session, why=""):
    session.hindrance = lambda function: why
    sandbox = FakeSandbox(lambda tests, *_: run_of({}), (("shop.py", SOURCE),), lambda tests, files: session)
    return Ladder(sandbox, Selection(TESTS, (("shop.py", SOURCE),), Limits(), Limits(), passes=True))


def trial_of(*broken):
    label = " ".join(broken)
    return Trial(digest(label), PRICE.function, SOURCE, label)


CONTROL = replace(trial_of(), label="control")


def noted(breakers, ladder, *broken):
    """A trial has broken these: the first one is told."""
    breakers.note(ladder, TrialOutcome("", TrialState.FAILED, broken[0]), CONTROL)


def test_what_failed_before_is_asked_alone():
    session = Served()
    breakers, ladder = Breakers(), ladder_of(session)
    assert breakers.broken(ladder, trial_of(B)) is None
    assert session.asked == []
    noted(breakers, ladder, B)
    found = breakers.broken(ladder, trial_of(A, B))
    assert found is not None
    assert (found.state, found.failed) == (TrialState.FAILED, B)
    assert session.asked == [("control", (B,)), (f"{A} {B}", (B,))]
    assert breakers.broken(ladder, trial_of(A)) is None, "what passes there has to be asked all"


def test_the_last_ones_come_first_and_there_are_few():
    session = Served()
    breakers, ladder = Breakers(), ladder_of(session)
    for test in TESTS:
        noted(breakers, ladder, test)
    noted(breakers, ladder, C)
    session.asked.clear()
    assert breakers.broken(ladder, trial_of(A)) is None
    assert [only for _, only in session.asked] == [(C,), (E,), (D,)]
    assert len(session.asked) == MOST
    assert breakers.broken(ladder, trial_of(D)) is not None
    session.asked.clear()
    breakers.broken(ladder, trial_of(D))
    assert session.asked == [(D, (D,))]


def test_a_test_that_needs_those_before_it_is_never_asked_alone():
    session = Served(needs_others=(B,))
    breakers, ladder = Breakers(), ladder_of(session)
    noted(breakers, ladder, B)
    noted(breakers, ladder, B)
    assert session.asked == [("control", (B,))]
    assert breakers.broken(ladder, trial_of(A)) is None
    assert len(session.asked) == 1


def test_each_function_and_server_has_its_own():
    session, other = Served(), Served()
    breakers, ladder, wider = Breakers(), ladder_of(session), ladder_of(other)
    noted(breakers, ladder, B)
    assert breakers.broken(wider, trial_of(B)) is None
    elsewhere = replace(trial_of(B), function=replace(PRICE.function, qualname="label"))
    assert breakers.broken(ladder, elsewhere) is None
    assert other.asked == []


def test_what_was_stopped_early_or_is_not_known_is_no_failure():
    session = Served(stopped=(B,))
    breakers, ladder = Breakers(), ladder_of(session)
    breakers.note(ladder, TrialOutcome("", TrialState.FAILED, B, hasty=True), CONTROL)
    breakers.note(ladder, TrialOutcome("", TrialState.TIMEOUT, B), CONTROL)
    breakers.note(ladder, TrialOutcome("", TrialState.FAILED), CONTROL)
    assert session.asked == []
    noted(breakers, ladder, B)
    assert breakers.broken(ladder, trial_of(B)) is None


def test_where_no_warm_server_runs_the_function_all_is_asked():
    session = Served()
    breakers, ladder = Breakers(), ladder_of(session, "it spawns: needs a cold run")
    noted(breakers, ladder, B)
    assert breakers.broken(ladder, trial_of(B)) is None
    assert session.asked == []
