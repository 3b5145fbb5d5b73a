"""Known trials are answered from memory, and from nothing but what was seen for certain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice

import pytest
from fakes.sandbox import FakeSandbox, FakeSession, run_of

from analysis.facts import Digest, FunctionId, TestId
from analysis.line_counts import WorkReport
from analysis.trials import Trial, TrialOutcome, TrialState
from repair.trials.cold import NEEDS_COLD, NEEDS_IMPORT
from repair.trials.layered import LayeredSandbox
from repair.trials.remembered import MOST_READY, PROBE_EVERY, RememberedSession, Remembering
from repair.trials.trial_memory import TrialMemory

F = FunctionId("m.py", "f", 1)


def trials(*names: object, function: FunctionId = F) -> list[Trial]:
    return [Trial(Digest(str(name)), function, str(name).encode(), "") for name in names]


def asked(session: FakeSession, memory: TrialMemory, given: Iterable[Trial], world: bytes = b"w") -> list[TrialOutcome]:
    return list(RememberedSession(session, memory, world).trials(given))


def test_a_known_trial_is_not_run_again():
    memory, session = TrialMemory(None), FakeSession(lambda trial: trial.text == b"good")
    first = asked(session, memory, trials("bad", "good"))
    again = asked(session, memory, trials("good", "new", "bad"))
    assert [t.text for t in session.seen] == [b"bad", b"good", b"new"]
    assert not any(o.remembered for o in first)
    assert {(o.digest, o.state, o.remembered) for o in again} == {
        ("good", TrialState.PASSED, True),
        ("bad", TrialState.FAILED, True),
        ("new", TrialState.FAILED, False),
    }
    assert {o.failed for o in again if o.digest == "bad"} == {o.failed for o in first if o.digest == "bad"}


def test_trials_that_share_a_digest_each_have_an_outcome():
    assert [o.digest for o in asked(FakeSession(), TrialMemory(None), trials("a", "a"))] == ["a", "a"]


def test_another_world_and_another_place_of_the_function_know_nothing():
    memory, session = TrialMemory(None), FakeSession()
    asked(session, memory, trials("a"))
    asked(session, memory, trials("a"), b"another")
    asked(session, memory, trials("a", function=FunctionId("m.py", "f", 9)))
    asked(session, memory, [replace(trials("a")[0], only=("t.py::test_it",))])
    assert len(session.seen) == 4


@pytest.mark.parametrize(
    "outcome",
    [
        TrialOutcome(Digest("a"), TrialState.TIMEOUT),
        TrialOutcome(Digest("a"), TrialState.CRASHED, None, "the warm server ended"),
        TrialOutcome(Digest("a"), TrialState.INVALID, None, f"the warm server is gone: {NEEDS_COLD}"),
        TrialOutcome(Digest("a"), TrialState.INVALID, None, f"no live function of a: {NEEDS_IMPORT}"),
        TrialOutcome(Digest("a"), TrialState.FAILED, None, "not all tests were reported as passed"),
    ],
)
def test_what_is_not_certain_is_run_again(outcome: TrialOutcome):
    memory, session = TrialMemory(None), FakeSession(lambda trial: outcome)
    assert asked(session, memory, trials("a")) == asked(session, memory, trials("a")) == [outcome]
    assert len(session.seen) == 2


def test_outcomes_are_known_to_the_next_process(tmp_path):
    session = FakeSession()
    for _ in range(2):
        memory = TrialMemory(tmp_path / "trials.sqlite")
        remembering = RememberedSession(session, memory, b"w")
        assert len(list(remembering.trials(trials(*range(20))))) == 20
        remembering.close()
        memory.close()
    assert len(session.seen) == 20
    assert session.closed


def test_known_outcomes_come_while_trials_are_drawn():
    memory, drawn = TrialMemory(None), []
    asked(FakeSession(), memory, trials(*range(40)))

    def endless() -> Iterator[Trial]:
        for number in range(10**6):
            drawn.append(number)
            yield from trials(number % 40)

    outcomes = RememberedSession(FakeSession(), memory, b"w").trials(endless())
    assert [o.digest for o in islice(outcomes, 3)] == ["0", "1", "2"]
    assert len(drawn) <= 4


def test_behind_an_unknown_trial_only_so_many_known_ones_are_drawn():
    memory, drawn = TrialMemory(None), []
    asked(FakeSession(), memory, trials(*range(10)))

    class Slow(FakeSession):
        """Looks for a second trial before it answers the first, as a server with two forks does."""

        def trials(self, trials: Iterable[Trial]) -> Iterator[TrialOutcome]:
            return super().trials(list(trials))

    def endless() -> Iterator[Trial]:
        yield from trials("new")
        for number in range(10**6):
            drawn.append(number)
            yield from trials(number % 10)

    outcomes = RememberedSession(Slow(), memory, b"w").trials(endless())
    assert {o.digest for o in islice(outcomes, 8)} <= {"new", *map(str, range(10))}
    assert len(drawn) <= MOST_READY + 1


def test_some_known_failures_are_run_again_and_a_changed_one_ends_the_trust():
    memory, every = TrialMemory(None), trials(*range(2 * PROBE_EVERY))
    asked(FakeSession(), memory, every)
    steady = FakeSession()
    asked(steady, memory, every)
    assert len(steady.seen) == 2
    changed = FakeSession(lambda trial: True)
    states = [o.state for o in asked(changed, memory, every)]
    assert len(changed.seen) == 1 + PROBE_EVERY
    assert states.count(TrialState.PASSED) == 1 + PROBE_EVERY
    assert memory.page(b"w") == {}


def test_a_short_search_is_probed_too_and_not_always_at_the_same_trial():
    memory, session, every = TrialMemory(None), FakeSession(), trials(*range(10))
    sandbox = FakeSandbox(lambda *_: run_of({}), session=session)
    asked(session, memory, every, b"w")
    starts = [PROBE_EVERY - 1, PROBE_EVERY - 10, 0]
    remembering = LayeredSandbox(sandbox, (), Remembering(memory, lambda *_: b"w", lambda below: starts.pop(0)))
    probed = []
    while starts:
        session.seen.clear()
        list(remembering.warm(["t.py::test_it"]).trials(every))
        probed.append([trial.text for trial in session.seen])
    assert probed == [[b"0"], [b"9"], []]


def test_a_remembered_pass_is_a_rank_and_the_rest_is_asked_below():
    session = FakeSession(swaps=False, work=WorkReport(failures=("below",)))
    remembering = RememberedSession(session, TrialMemory(None), b"w")
    assert remembering.hindrance(F)
    assert "fresh import" in remembering.hindrance(F)
    assert remembering.questions_about(F).record(F, 3).seen == ()
    assert remembering.questions_about(F).compare(*trials("a"), [], [], *trials("b"), []).tried.inputs == 0
    assert remembering.questions_about(F).work(*trials("a"), *trials("b")).failures == ("below",)
    remembering.close()
    assert session.closed


def test_a_poisoned_failure_hides_a_candidate_and_no_more():
    """What an entry can do at worst: the trial is not run, and nothing is accepted for it."""
    memory, session = TrialMemory(None), FakeSession(lambda trial: True)
    name = next(iter(_names_of(memory, trials("good"))))
    memory.keep(b"w", name, TrialOutcome(Digest(""), TrialState.FAILED, TestId("t.py::test_it")))
    (outcome,) = asked(session, memory, trials("good"))
    assert (outcome.state, outcome.remembered, session.seen) == (TrialState.FAILED, True, [])


def _names_of(memory: TrialMemory, given: Iterable[Trial]) -> list[bytes]:
    asked(FakeSession(), memory, given, b"elsewhere")
    return list(memory.page(b"elsewhere"))
