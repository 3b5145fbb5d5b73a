"""The router of tiers: where a trial begins, why it goes on, and what is said of it."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from fakes.sandbox import FakeSandbox, FakeSession, run_of

from analysis.errors import TargetError
from analysis.facts import FunctionId, InvalidRun, Limits, Outcome, RunFault, TestId, digest
from analysis.trials import Trial, TrialOutcome, TrialState
from repair.records.ports import TrialSession
from repair.trials.cold import NEEDS_COLD, NEEDS_IMPORT
from repair.trials.trial_router import Selection, TrialRouter, TrialTier

TEST = TestId("t.py::test_it")
SOURCES = (("m.py", b"def f():\n    return 1\n\n\ndef g():\n    return 1\n"),)
F, G = FunctionId("m.py", "f", 1), FunctionId("m.py", "g", 5)
WARM, ZYGOTE, COLD = TrialTier


class Session(FakeSession):
    """Answers with a tier, and refuses functions with a reason."""

    def __init__(self, tier: str, refuses: dict[FunctionId, str] | None = None, why: str = "", passes: bool = True):
        super().__init__(lambda trial: self.outcome(trial))
        self.tier, self.refuses, self.why, self.passing = tier, refuses or {}, why, passes

    def outcome(self, trial: Trial) -> TrialOutcome:
        if self.why and b"odd" in trial.text:
            return TrialOutcome(trial.digest, TrialState.INVALID, None, self.why, self.tier)
        state = TrialState.PASSED if self.passing else TrialState.FAILED
        return TrialOutcome(trial.digest, state, tier=self.tier)

    def hindrance(self, function: FunctionId) -> str:
        return self.refuses.get(function, "")


def trials(*functions: FunctionId, text: str = "text") -> list[Trial]:
    made = []
    for number, function in enumerate(functions):
        body = f"def {function.qualname}():\n    return {number}  # {text}\n".encode()
        made.append(Trial(digest(body), function, body, ""))
    return made


def router(warm: TrialSession | InvalidRun, fresh: TrialSession | InvalidRun, passes: bool = True) -> TrialRouter:
    sandbox = FakeSandbox(lambda *_: run_of({TEST: Outcome.PASSED}), SOURCES, warm, fresh=fresh)
    return TrialRouter(sandbox, Selection((TEST,), SOURCES, Limits(), Limits(), passes=passes))


def tiers(made: TrialRouter, given: Sequence[Trial]) -> list[str]:
    outcomes = {outcome.digest: outcome.tier for outcome in made.trials(given)}
    assert len(outcomes) == len(given)
    return [outcomes[trial.digest] for trial in given]


def test_what_nothing_speaks_against_is_tried_warm():
    fresh = Session("zygote")
    assert tiers(router(Session("warm"), fresh), trials(F, G, F)) == ["warm", "warm", "warm"]
    assert not fresh.seen


@pytest.mark.parametrize(("reason", "tier"), [(NEEDS_IMPORT, "zygote"), ("odd", "zygote"), (NEEDS_COLD, "cold")])
def test_a_function_that_is_refused_begins_in_another_tier(reason: str, tier: str):
    made = router(Session("warm", {F: reason}), Session("zygote"))
    assert tiers(made, trials(F, G, F, G)) == [tier, "warm", tier, "warm"]
    assert made.why(F) == reason
    assert made.why(G) == ""


@pytest.mark.parametrize(("reason", "tier"), [(NEEDS_IMPORT, "zygote"), (NEEDS_COLD, "cold")])
def test_a_text_that_is_refused_goes_on_alone(reason: str, tier: str):
    made = router(Session("warm", why=reason), Session("zygote"))
    odd, plain = trials(F, text="odd"), trials(F)
    assert tiers(made, [*odd, *plain]) == [tier, "warm"]


def test_what_the_zygote_refuses_too_is_run_cold():
    made = router(Session("warm", why=NEEDS_IMPORT), Session("zygote", {F: "nobody notices"}))
    assert tiers(made, trials(F, text="odd")) == ["cold"]


def test_other_invalid_texts_are_invalid():
    made = router(Session("warm", why="SyntaxError"), Session("zygote"))
    (outcome,) = made.trials(trials(F, text="odd"))
    assert (outcome.state, outcome.tier) == (TrialState.INVALID, "warm")


def test_a_zygote_in_which_the_unpatched_program_does_something_else_is_left():
    for passes, tier in ((True, "zygote"), (False, "cold")):
        made = router(Session("warm", {F: NEEDS_IMPORT}), Session("zygote", passes=True), passes=passes)
        assert tiers(made, trials(F)) == [tier]


def test_without_servers_everything_is_cold_and_said():
    gone = InvalidRun(RunFault.INCONSISTENT, "threads are alive")
    made = router(gone, gone)
    assert tiers(made, trials(F, G)) == ["cold", "cold"]
    assert made.problems == ("no warm trials: threads are alive", "no zygote trials: threads are alive")
    assert made.why(F) == "threads are alive"


def test_a_zygote_serves_where_the_warm_server_cannot():
    made = router(InvalidRun(RunFault.INCONSISTENT, "threads are alive"), Session("zygote"))
    assert tiers(made, trials(F, G)) == ["zygote", "zygote"]


def test_no_second_server_is_tried_where_there_is_no_pytest():
    made = router(InvalidRun(RunFault.NO_PYTEST, "no pytest"), Session("zygote"))
    assert made.tier_of(F) is COLD


def test_trials_that_share_a_digest_each_have_an_outcome():
    twice = [trials(F)[0]] * 2
    for made in (router(Session("warm"), Session("zygote")), router(Session("warm", why="odd"), Session("zygote"))):
        assert [outcome.digest for outcome in made.trials(twice)] == [twice[0].digest] * 2


def test_calls_are_compared_in_a_warm_server_or_not_at_all():
    made = router(Session("warm", {F: NEEDS_IMPORT}), Session("zygote"))
    (one,) = trials(F)
    found = made.questions_about(F).compare(one, [one], (), one, (1,))
    assert (found.tried.inputs, made.questions_about(F).record(F, 3).seen) == (0, ())
    assert NEEDS_IMPORT in found.tried.failures[0]
    assert NEEDS_IMPORT in made.questions_about(F).work(one, one).failures[0]


def test_servers_are_started_when_they_are_needed_and_all_closed():
    warm, fresh = Session("warm", {F: NEEDS_IMPORT}), Session("zygote")
    made = router(warm, fresh)
    assert made.tier_of(G) is WARM
    assert not fresh.seen
    assert made.tier_of(F) is ZYGOTE
    made.close()
    assert warm.closed
    assert fresh.closed


def test_a_server_that_was_begun_is_the_one_that_serves_and_it_is_closed():
    session, opened = Session("warm"), []
    made = router(session, Session("zygote"))
    sandbox = made._sandbox
    sandbox.warm = lambda *_, **__: opened.append(1) or session
    made.begin()
    made.begin()
    assert tiers(made, trials(F, G)) == ["warm", "warm"]
    made.close()
    assert (opened, session.closed) == ([1], True)


def test_a_server_that_was_begun_and_never_needed_is_closed_too():
    session = Session("warm")
    made = router(session, Session("zygote"))
    made.begin()
    made.close()
    assert session.closed


def test_a_server_that_cannot_be_begun_is_an_error_for_who_needs_it_alone():
    def fails(*_, **__):
        raise TargetError("no room for a copy")

    for needed in (False, True):
        made = router(Session("warm"), Session("zygote"))
        made._sandbox.warm = fails
        made.begin()
        if needed:
            with pytest.raises(TargetError):
                made.session(WARM)
        made.close()
