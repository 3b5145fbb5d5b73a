"""Of many passing tests those that failed last are asked first, where they can be asked alone."""

from dataclasses import replace

from fakes.sandbox import FakeSandbox, FakeSession, run_of

from analysis.facts import Limits, digest
from analysis.functions import functions_of
from analysis.trials import Trial, TrialOutcome, TrialState
from repair.trials.screening import MOST, Breakers
from repair.trials.trial_router import Selection, TrialRouter

SOURCE = b"def price(count):\n    return count * 3\n"
(PRICE,) = functions_of("shop.py", SOURCE)
TESTS = tuple(f"test_shop.py::test_{letter}" for letter in "abcde")
A, B, C, D, E = TESTS


class Served(FakeSession):
    """A session in which each trial fails the tests that its label names; some of them fail alone in any case."""

    def __init__(self, needs_others=(), hangs=()):
        super().__init__(lambda trial: True)
        self.needs_others, self.hangs, self.asked = needs_others, hangs, []

    def trials(self, trials):
        for trial in trials:
            self.asked.append((trial.label, trial.only))
            alone = [t for t in trial.only if t in self.needs_others and trial.label not in ("control", t)]
            failing = alone + [t for t in trial.only or TESTS if t in trial.label]
            state = TrialState.FAILED if failing else TrialState.PASSED
            if failing and failing[0] in self.hangs:
                state = TrialState.TIMEOUT
            yield TrialOutcome(trial.digest, state, next(iter(failing), None), tier="warm")


def ladder_of(session, why=""):
    session.hindrance = lambda function: why
    sandbox = FakeSandbox(lambda tests, *_: run_of({}), (("shop.py", SOURCE),), lambda tests, files: session)
    return TrialRouter(sandbox, Selection(TESTS, (("shop.py", SOURCE),), Limits(), Limits(), passes=True))


def trial_of(*broken):
    label = " ".join(broken)
    return Trial(digest(label), PRICE.function, SOURCE, label)


CONTROL = replace(trial_of(), label="control")


def tried(breakers, router, *broken):
    return breakers.outcome(router, trial_of(*broken), CONTROL)


def test_what_failed_before_is_asked_alone_once_a_full_run_has_agreed():
    session = Served()
    breakers, router = Breakers(), ladder_of(session)
    assert tried(breakers, router, B).failed == B
    assert session.asked == [(B, ()), ("control", (B,))]
    session.asked.clear()
    assert tried(breakers, router, B, C).failed == B, "the first time all are asked as well"
    assert session.asked == [(f"{B} {C}", (B,)), (f"{B} {C}", ())]
    session.asked.clear()
    assert tried(breakers, router, A, B).failed == B
    assert session.asked == [(f"{A} {B}", (B,))]


def test_a_full_run_that_fails_elsewhere_confirms_nothing():
    session = Served(needs_others=(B,))
    breakers, router = Breakers(), ladder_of(session)
    tried(breakers, router, B)
    assert tried(breakers, router, A).failed == A, "B fails alone for want of others, and the full run never came to it"
    assert tried(breakers, router, C).failed == C, "so B alone rejects nothing"
    assert tried(breakers, router).state is TrialState.PASSED


def test_a_full_run_that_hangs_says_nothing_of_a_test():
    session = Served(hangs=(A,))
    breakers, router = Breakers(), ladder_of(session)
    tried(breakers, router, B)
    assert tried(breakers, router, A, B).state is TrialState.TIMEOUT
    session.asked.clear()
    assert tried(breakers, router, B).failed == B
    assert session.asked == [(B, (B,)), (B, ())], "it is asked alone as before"


def test_what_passes_there_is_asked_all():
    session = Served()
    breakers, router = Breakers(), ladder_of(session)
    tried(breakers, router, B)
    session.asked.clear()
    assert tried(breakers, router).state is TrialState.PASSED
    assert session.asked == [("", (B,)), ("", ())]


def test_the_last_ones_come_first_and_there_are_few():
    session = Served()
    breakers, router = Breakers(), ladder_of(session)
    for test in (*TESTS, C):
        tried(breakers, router, test)
    session.asked.clear()
    tried(breakers, router)
    assert [only for _, only in session.asked] == [(C,), (E,), (D,), ()]
    assert len(session.asked) == MOST + 1
    tried(breakers, router, D)
    tried(breakers, router, D)
    session.asked.clear()
    tried(breakers, router, D)
    assert session.asked == [(D, (D,))]


def test_a_test_that_fails_alone_as_things_are_is_never_asked_alone():
    session = Served(needs_others=(B,))
    session.trials = lambda trials, real=session.trials: (
        replace(o, state=TrialState.FAILED, failed=B) if session.asked[-1] == ("control", (B,)) else o
        for o in real(trials)
    )
    breakers, router = Breakers(), ladder_of(session)
    tried(breakers, router, B)
    tried(breakers, router, B)
    assert session.asked == [(B, ()), ("control", (B,)), (B, ())]


def test_a_test_that_rejects_alone_what_passes_all_is_asked_alone_no_more():
    session = Served(needs_others=(B,))
    breakers, router = Breakers(), ladder_of(session)
    tried(breakers, router, B)
    session.asked.clear()
    assert tried(breakers, router).state is TrialState.PASSED
    assert session.asked == [("", (B,)), ("", ())]
    session.asked.clear()
    assert tried(breakers, router).state is TrialState.PASSED
    assert tried(breakers, router, B).failed == B
    assert session.asked == [("", ()), (B, ())]


def test_each_function_and_server_has_its_own():
    session, other = Served(), Served()
    breakers, router, wider = Breakers(), ladder_of(session), ladder_of(other)
    tried(breakers, router, B)
    session.asked.clear()
    tried(breakers, wider)
    breakers.outcome(router, replace(trial_of(), function=replace(PRICE.function, qualname="label")), CONTROL)
    assert [only for _, only in (*other.asked, *session.asked)] == [(), ()]


def test_what_hangs_is_no_failure():
    session = Served(hangs=(B,))
    breakers, router = Breakers(), ladder_of(session)
    assert tried(breakers, router, B).state is TrialState.TIMEOUT
    assert session.asked == [(B, ())]


def test_where_no_warm_server_runs_the_function_all_is_asked():
    session = Served()
    breakers, router = Breakers(), ladder_of(session, "it spawns: needs a cold run")
    tried(breakers, router, B)
    tried(breakers, router, B)
    assert session.asked == []
