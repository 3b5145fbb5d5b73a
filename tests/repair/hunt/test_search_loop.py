"""The search: what is drawn, what is tried and how, what survives."""

import itertools
import threading
import time
from contextlib import closing
from dataclasses import replace
from itertools import count

import pytest
from fakes.diagnosed import FAILING, GOOD, KEPT, SOURCE, SOURCES, TESTS, localized_of, observed
from fakes.engines import search_parts
from fakes.proposers import Rewrites, patched
from fakes.sandbox import FakeSandbox, FakeSession, run_of
from fakes.submission import scope_in

from analysis.errors import ModelError
from analysis.facts import InvalidRun, Outcome, RunFault
from analysis.trials import TrialOutcome, TrialState
from repair.hunt import candidate_streams, search_loop
from repair.hunt.candidate_maker import CandidateMaker
from repair.hunt.candidate_streams import Cut
from repair.hunt.search_loop import MOST_EACH, SearchLoop
from repair.hunt.search_state import MOST_SURVIVORS
from repair.records.events import problems_of
from repair.records.ports import OUT_OF_TIME
from repair.records.task import Budget
from transforms.tree.candidate import Rejected, RejectReason

P, F = Outcome.PASSED, Outcome.FAILED
UPDATE = "count + RATE"
MINED = tuple((UPDATE, text) for text in ("count - RATE", "count * RATE", "count / RATE"))


def passing(*texts):
    """Trials that hold one of these pieces of text pass."""
    wanted = [text.encode() for text in texts]
    return lambda trial: any(text in trial.text for text in wanted)


def screening(*texts):
    """The same beside the function as it is, which passes the tests that passed."""
    own = passing(*texts)
    return lambda trial: trial.label == "control" or own(trial)


class World:
    """A fake world: a warm session for the failing tests, another for the screen, cold runs, a clock."""

    def __init__(
        self, warm=None, screen=None, *, cold=lambda files: False, times=None, sources=SOURCES, importable=None
    ):
        self.warm = warm if warm is not None else FakeSession(passing("count * RATE"))
        self.screen = screen if screen is not None else FakeSession(lambda trial: True)
        self.events = []
        self.listen = self.events.append
        times = times or count(0, 0.001)
        self.clock = lambda: next(times)

        def answer(tests, files, shuffle):
            return run_of(dict.fromkeys(tests, P if cold(dict(files)) else F))

        def session(tests, files):
            return self.warm if tests == (FAILING,) else self.screen

        self.sandbox = FakeSandbox(answer, sources, session)
        if importable is not None:
            self.sandbox.find_importable = lambda modules: tuple(m for m in modules if m in importable)

    def search(self, *proposers, suspects=("price",), budget=None, baseline=None, further=None, **parts):
        parts = search_parts(self.sandbox, *proposers, clock=self.clock, listen=self.listen, **parts)
        seen = baseline or observed()
        with closing(parts.open_pool(seen, SOURCES)) as pool:
            return SearchLoop(parts, seen, localized_of(*suspects), SOURCES, budget or Budget(), pool, further).run()

    @property
    def cold_runs(self):
        return len(self.sandbox.asked)


def texts(result):
    return [s.candidate.text.decode() for s in result.survivors]


def test_what_passes_survives_and_the_rest_does_not():
    result = World().search(Rewrites({"price": MINED}))
    assert [UPDATE.replace("+", "*") in text for text in texts(result)] == [True]
    assert (result.counts.candidates, result.counts.distinct, result.counts.executed, result.counts.invalid) == (
        3,
        3,
        3,
        0,
    )
    assert result.exhausted == ("shop.py:price (rewrites)",)
    assert result.cut == ()
    assert result.best == "1 of 1 failing tests pass"


def test_survivors_keep_their_order_and_place():
    warm = FakeSession(passing("count * RATE", "count / RATE"))
    result = World(warm).search(Rewrites({"price": MINED}))
    assert [s.position for s in result.survivors] == [2, 3]
    assert "*" in texts(result)[0]


def test_nothing_outside_the_function_changes():
    (survivor,) = World().search(Rewrites({"price": MINED})).survivors
    assert survivor.candidate.files == (("shop.py", GOOD),)
    assert survivor.candidate.explanation == "because"


def test_the_sessions_are_closed_in_the_end():
    world = World()
    world.search(Rewrites({"price": MINED}))
    assert world.warm.closed
    assert world.screen.closed


def test_the_sessions_are_closed_after_an_error_too():
    world = World()
    with pytest.raises(ZeroDivisionError):
        world.search(Rewrites({"price": MINED}, fails=ZeroDivisionError()))
    assert world.warm.closed
    assert world.screen.closed


def test_the_budget_of_candidates_holds():
    world = World()
    result = world.search(Rewrites({"price": MINED}), budget=Budget(max_candidates=1))
    assert (result.counts.candidates, len(world.warm.seen)) == (1, 1)
    assert result.survivors == ()
    assert result.cut == (Cut("shop.py:price (rewrites)", 1),)


def test_the_budget_of_time_holds():
    now = [0.0]

    class Slow(FakeSession):
        def trials(self, trials):
            for outcome in super().trials(trials):
                now[0] += 6
                yield outcome

    world = World(Slow())
    world.clock = lambda: now[0]
    endless = [(UPDATE, f"count + {n}") for n in range(1000)]
    result = world.search(Rewrites({"price": endless}), budget=Budget(max_seconds=20))
    assert result.counts.candidates == 4
    assert result.cut


def test_trials_that_hang_are_not_waited_for_beyond_the_end():
    now, left = [0.0], []

    class Hanging(FakeSession):
        """Draws everything at once, as a server does; each outcome takes its time."""

        def trials(self, trials):
            drawn = list(trials)
            try:
                for outcome in super().trials(drawn):
                    now[0] += 6
                    left.append(outcome)
                    yield outcome
            finally:
                left.append("closed")

    world = World(Hanging())
    world.clock = lambda: now[0]
    edits = [(UPDATE, f"count + {n}") for n in range(100)]
    result = world.search(Rewrites({"price": edits}), budget=Budget(max_seconds=20))
    assert (result.counts.candidates, len(left), left[-1]) == (100, 5, "closed")


def stopped_soon(passes, *slow, hasty=True):
    """Trials that hold one of these texts are stopped soon; with patience some of them pass."""

    def outcome(trial):
        if any(text.encode() in trial.text for text in slow) and not trial.patient:
            return TrialOutcome(trial.digest, TrialState.TIMEOUT, tier="warm", hasty=hasty)
        return passes(trial)

    return FakeSession(outcome)


@pytest.mark.parametrize("hasty", [True, False])
def test_what_was_stopped_soon_is_tried_again_with_patience_where_nothing_else_was_found(hasty):
    world = World(stopped_soon(passing("count * RATE"), "count * RATE", "count - RATE", hasty=hasty))
    result = world.search(Rewrites({"price": MINED}))
    assert ["count * RATE" in text for text in texts(result)] == [True]
    assert [trial.patient for trial in world.warm.seen] == [False, False, False, True, True]
    assert result.survivors[0].position == 2


def test_where_something_was_found_nobody_waits_for_what_was_stopped_soon():
    world = World(stopped_soon(passing("count * RATE", "count / RATE"), "count * RATE"))
    result = world.search(Rewrites({"price": MINED}))
    assert ["count / RATE" in text for text in texts(result)] == [True]
    assert not any(trial.patient for trial in world.warm.seen)


def test_time_is_kept_for_what_was_stopped_soon_more_of_it_where_the_program_hangs():
    def drawn(outcome):
        now = [0.0]

        def passes(trial):
            now[0] += 1
            return TrialOutcome(trial.digest, TrialState.TIMEOUT, hasty=not trial.patient)

        seen = observed()
        outcomes = tuple(replace(r, outcome=outcome) if r.test == FAILING else r for r in seen.outcomes)
        world = World(FakeSession(passes))
        world.clock = lambda: now[0]
        edits = [(UPDATE, f"count + {n}") for n in range(200)]
        proposer = Rewrites({"price": edits})
        world.search(proposer, budget=Budget(max_seconds=100), baseline=replace(seen, outcomes=outcomes))
        return [sum(trial.patient is patient for trial in world.warm.seen) for patient in (False, True)]

    assert drawn(F) == [95, 5]
    assert drawn(Outcome.HANG) == [80, 20]


def test_a_patient_proposers_trials_are_patient_too():
    world = World()
    world.search(Rewrites({"price": MINED}, eager=False))
    assert world.warm.seen
    assert all(trial.patient for trial in world.warm.seen)


def test_enough_survivors_are_enough():
    edits = [(UPDATE, f"count * RATE + {n}") for n in range(50)]
    assert len(World().search(Rewrites({"price": edits})).survivors) == MOST_SURVIVORS


def test_after_the_first_survivor_there_is_some_time_for_others():
    world = World(times=count(0, 1.0))
    edits = [(UPDATE, "count * RATE"), *((UPDATE, f"count + {n}") for n in range(1000))]
    assert world.search(Rewrites({"price": edits}), budget=Budget(max_seconds=10000)).counts.candidates < 30


@pytest.mark.parametrize(
    ("before", "seconds", "hurried"), [(40, 60, True), (20, 60, False), (1, 60, False), (1, 4, True)]
)
def test_a_search_that_the_budget_ends_before_it_looked_as_long_again_was_hurried(before, seconds, hurried):
    world = World(times=count(0, 0.25))
    others = [(UPDATE, f"count + {n}") for n in range(1000)]
    edits = [*others[:before], (UPDATE, "count * RATE"), *others[before:]]
    result = world.search(Rewrites({"price": edits}), budget=Budget(max_seconds=seconds))
    assert len(result.survivors) == 1
    assert result.unsought == (OUT_OF_TIME if hurried else None)


def test_a_search_that_tried_everything_was_not_hurried():
    assert World().search(Rewrites({"price": MINED})).unsought is None
    assert World().search(Rewrites({"price": MINED}), budget=Budget(max_candidates=2)).unsought == OUT_OF_TIME


def test_finds_with_an_anti_pattern_do_not_end_a_search():
    others = [(UPDATE, f"count + {n}") for n in range(1000)]
    drawn = {}
    for name, first in (("sound", (UPDATE, "count * RATE")), ("suspect", (UPDATE, "6"))):
        warm = FakeSession(passing("count * RATE", "= 6", "return 6"))
        budget = Budget(max_seconds=60)
        result = World(warm, times=count(0, 0.25)).search(Rewrites({"price": [first, *others]}), budget=budget)
        assert [s.sound for s in result.survivors] == [name == "sound"]
        assert result.unsought is None
        drawn[name] = result.counts.candidates
    assert drawn["suspect"] > 3 * drawn["sound"]


def test_one_functions_finds_do_not_keep_others_from_their_turn():
    many = [(UPDATE, f"count * RATE + {n}") for n in range(50)]
    world = World(FakeSession(passing("count * RATE", "text.strip(None)")))
    label = [*(("text.strip()", f"text.strip('{c}')") for c in "abcdefgh"), ("text.strip()", "text.strip(None)")]
    result = world.search(Rewrites({"price": many, "label": label}), suspects=("price", "label"))
    found = [s.candidate.function.qualname for s in result.survivors]
    assert found.count("label") == 1
    assert found[:MOST_EACH] == ["price"] * MOST_EACH
    assert len(found) == MOST_SURVIVORS


def test_tiers_take_turns():
    now = [0.0]

    class Timed(FakeSession):
        def __init__(self, seconds, **given):
            super().__init__(**given)
            self.seconds = seconds

        def trials(self, trials):
            for outcome in super().trials(trials):
                now[0] += self.seconds
                yield outcome

    warm = Timed(0.01, swaps=lambda function: function.qualname == "label")
    fresh = Timed(0.4)
    world = World(warm)
    world.clock = lambda: now[0]
    world.sandbox._fresh = fresh
    price = [(UPDATE, f"count + {n}") for n in range(5000)]
    label = [("text.strip()", f"text.strip('{n}')") for n in range(5000)]
    proposer = Rewrites({"price": price, "label": label})
    result = world.search(proposer, suspects=("price", "label"), budget=Budget(max_seconds=20))
    seconds = {"warm": 0.01 * len(warm.seen), "fresh": 0.4 * len(fresh.seen)}
    assert min(seconds.values()) > 3, seconds
    assert {t.function.qualname for t in warm.seen} == {"label"}
    assert {t.function.qualname for t in fresh.seen} == {"price"}
    said = [dict(e.fields) for e in world.events if e.type == "tier"]
    assert [(s["function"], s["left"]) for s in said] == [("price", "warm")]
    assert [(left.tier, left.functions, left.candidates) for left in result.counts.left] == [("warm", ("price",), 0)]
    assert result.counts.left[0].reason == said[0]["reason"] != ""


def test_a_trial_that_only_a_fresh_import_can_tell_is_imported_anew():
    warm = FakeSession(lambda trial: TrialOutcome(trial.digest, TrialState.INVALID, None, "x: needs a fresh import"))
    world = World(warm)
    world.sandbox._fresh = FakeSession(passing("count * RATE"))
    result = world.search(Rewrites({"price": MINED}))
    assert len(result.survivors) == 1
    assert (result.counts.executed, world.cold_runs) == (3, 0)
    assert [(left.tier, left.reason, left.candidates) for left in result.counts.left] == [
        ("warm", "x: needs a fresh import", 3)
    ]


def test_a_text_is_never_tried_twice_whoever_proposes_it():
    world = World()
    result = world.search(Rewrites({"price": MINED}), Rewrites({"price": MINED}))
    assert (result.counts.candidates, result.counts.distinct, len(world.warm.seen)) == (6, 3, 3)


def test_a_patient_proposer_sees_why_the_last_one_failed():
    proposer = Rewrites({"price": MINED}, eager=False)
    result = World(FakeSession(failed=FAILING)).search(proposer)
    assert [len(attempts) for attempts in proposer.seen] == [0, 1, 2]
    assert "failed" in proposer.seen[1][0].reason
    assert FAILING in proposer.seen[1][0].reason
    assert "count - RATE" in proposer.seen[1][0].text
    assert result.best == "0 of 1 failing tests pass"


def test_a_patient_proposer_is_told_of_repetition_and_of_what_cannot_be():
    again = (MINED[0], MINED[0], (UPDATE, UPDATE), "def price(count, more):\n    return 6\n")
    proposer = Rewrites({"price": (*again, MINED[2])}, eager=False)
    result = World(FakeSession(failed=FAILING)).search(proposer)
    reasons = [attempt.reason for attempt in proposer.seen[-1]]
    assert "tried before" in reasons[1]
    assert reasons[2].startswith("no_change")
    assert result.counts.invalid >= 1


class Answering(Rewrites):
    """A patient proposer whose edits take so long to come that others are tried meanwhile."""

    def __init__(self, edits, world, after):
        super().__init__(edits, eager=False, before=self._wait)
        self.waited_for, self._world, self._after = [], world, after

    def _wait(self):
        until = len(self._world.warm.seen) + self._after
        deadline = time.monotonic() + 20
        while len(self._world.warm.seen) < until and time.monotonic() < deadline:
            time.sleep(0.001)
        self.waited_for.append(len(self._world.warm.seen))


def slow_session(now, passes=lambda trial: False):
    class Slow(FakeSession):
        def trials(self, trials):
            for outcome in super().trials(trials):
                now[0] += 1
                time.sleep(0.002)
                yield outcome

    return Slow(passes)


def test_while_a_reply_is_awaited_the_search_goes_on_and_both_share_one_budget():
    now = [0.0]
    world = World(slow_session(now))
    world.clock = lambda: now[0]
    eager = Rewrites({"price": [(UPDATE, f"count + {n}") for n in range(1000)]}, where_it_fits=True)
    patient = Answering({"price": MINED}, world, 5)
    result = world.search(patient, eager, budget=Budget(max_seconds=60))
    tried = [number for number, trial in enumerate(world.warm.seen) if trial.patient]
    assert [len(attempts) for attempts in patient.seen] == [0, 1, 2]
    assert tried[0] >= 5
    assert tried[0] <= patient.waited_for[0] + 2, "what came was tried before the search went on"
    assert all(later - earlier > 5 for earlier, later in itertools.pairwise(tried))
    assert len(world.warm.seen) == result.counts.executed == 60


def test_what_a_model_finds_ends_its_asking_and_the_search_looks_for_rivals():
    now = [0.0]
    world = World(slow_session(now, passing("count * RATE")))
    world.clock = lambda: now[0]
    eager = Rewrites({"price": [(UPDATE, f"count + {n}") for n in range(1000)]}, where_it_fits=True)
    patient = Answering({"price": [MINED[1], MINED[0]]}, world, 3)
    result = world.search(patient, eager, budget=Budget(max_seconds=500))
    assert [s.candidate.origin.proposer for s in result.survivors] == ["rewrites"]
    assert len(patient.seen) == 1
    found = next(n for n, trial in enumerate(world.warm.seen) if trial.patient)
    assert len(world.warm.seen) > found + 3


def test_a_reply_that_is_there_when_the_search_is_over_is_tried_and_none_is_asked_for():
    """The reply comes while the search's own edit runs, which passes."""
    begun, asked = threading.Event(), threading.Event()

    class UntilAsked(FakeSession):
        def trials(self, trials):
            for outcome in super().trials(trials):
                begun.set()
                asked.wait(20)
                time.sleep(0.5)  # the edit is made behind the event
                yield outcome

    def wait():
        """Let a search begin its own edit first."""
        begun.wait(20)
        asked.set()

    world = World(UntilAsked(passing("count * RATE")))
    patient = Rewrites({"price": [(UPDATE, "RATE + count * RATE"), MINED[0]]}, eager=False, before=wait)
    result = world.search(patient, Rewrites({"price": [MINED[1]]}))
    assert [trial.text.count(b"RATE + count * RATE") for trial in world.warm.seen].count(1) == 1
    assert len(patient.seen) == 1
    assert result.attempts[-1].state == "passed"


def test_a_request_that_is_on_its_way_when_the_search_is_over_is_not_waited_for():
    never = threading.Event()
    patient = Rewrites({"price": [MINED[0]]}, eager=False, before=never.wait)
    result = World().search(patient, Rewrites({"price": [MINED[1]]}), budget=Budget(max_candidates=1))
    never.set()
    assert len(result.survivors) == 1
    assert result.cut


def test_a_trial_that_cannot_be_swapped_in_is_run_cold():
    warm = FakeSession(lambda trial: TrialOutcome(trial.digest, TrialState.INVALID, None, "x: needs a cold run"))
    world = World(warm, cold=lambda files: b"count * RATE" in files["shop.py"])
    result = world.search(Rewrites({"price": MINED}))
    assert len(result.survivors) == 1
    assert (result.counts.executed, result.counts.invalid, world.cold_runs) == (3, 0, 3)


def test_a_patient_proposer_learns_at_once_of_a_trial_that_was_run_cold():
    warm = FakeSession(lambda trial: TrialOutcome(trial.digest, TrialState.INVALID, None, "x: needs a cold run"))
    patient = Rewrites({"price": MINED}, eager=False)
    World(warm).search(patient)
    assert [len(attempts) for attempts in patient.seen] == [0, 1, 2]


def test_what_is_invalid_otherwise_is_invalid():
    warm = FakeSession(lambda trial: TrialOutcome(trial.digest, TrialState.INVALID, None, "SyntaxError"))
    world = World(warm)
    result = world.search(Rewrites({"price": MINED}))
    assert (result.counts.invalid, world.cold_runs) == (3, 0)


def test_a_function_whose_swap_the_canary_does_not_notice_is_tried_cold():
    world = World(FakeSession(lambda trial: True, swaps=False), cold=lambda files: files["shop.py"] == GOOD)
    result = world.search(Rewrites({"price": MINED}))
    assert [s.candidate.files for s in result.survivors] == [(("shop.py", GOOD),)]
    assert not world.warm.seen


def test_only_the_function_that_cannot_be_swapped_is_tried_cold():
    warm = FakeSession(swaps=lambda function: function.qualname == "label")
    world = World(warm)
    world.search(Rewrites({"price": MINED, "label": [("text.strip()", "text")]}), suspects=("price", "label"))
    assert len(warm.seen) == 1
    assert world.cold_runs == 3


def test_without_a_warm_server_everything_is_tried_cold_and_that_is_said():
    world = World(InvalidRun(RunFault.USAGE, "no fork here"), cold=lambda files: files["shop.py"] == GOOD)
    result = world.search(Rewrites({"price": MINED}))
    assert len(result.survivors) == 1
    assert result.warnings == ("no warm trials: no fork here", "no zygote trials: nothing is imported anew here")
    assert result.counts.tiers == {"cold": 3}


def test_a_cold_trial_does_not_wait_longer_for_a_hanging_test_than_a_warm_one():
    given = []

    class Noting(FakeSandbox):
        def run(self, tests, files=(), *, limits=None, trace=False, shuffle=None):
            given.append(limits)
            return super().run(tests, files, limits=limits)

    world = World(InvalidRun(RunFault.USAGE, "no fork here"))
    world.sandbox = Noting(lambda tests, *_: run_of(dict.fromkeys(tests, F)), SOURCES)
    world.search(Rewrites({"price": MINED}))
    assert all(limits.test_seconds < 3 for limits in given)


def test_a_candidate_that_breaks_a_passing_test_does_not_survive():
    world = World(screen=FakeSession(screening(), failed=KEPT))
    result = world.search(Rewrites({"price": MINED}))
    assert result.survivors == ()
    assert result.best == "1 of 1 failing tests pass, but another test breaks"


def test_the_screen_runs_only_passing_tests_that_run_the_function():
    asked = []
    world = World()
    first = world.sandbox._session

    def noting(tests, files):
        asked.append(tests)
        return first(tests, files)

    world.sandbox._session = noting
    world.search(Rewrites({"price": MINED}))
    assert asked == [(FAILING,), (KEPT,)]


@pytest.mark.parametrize("lost", ["needs a cold run", "silent"])
def test_a_screen_that_cannot_tell_is_asked_cold(lost):
    class Silent(FakeSession):
        def trials(self, trials):
            return iter(())

    unable = FakeSession(lambda trial: TrialOutcome(trial.digest, TrialState.INVALID, None, lost))
    for cold, survive in ((True, 1), (False, 0)):
        world = World(
            screen=Silent() if lost == "silent" else unable,
            cold=lambda files, cold=cold: cold or files["shop.py"] == dict(SOURCES)["shop.py"],
        )
        assert len(world.search(Rewrites({"price": MINED})).survivors) == survive


def test_what_a_search_has_seen_is_kept_where_the_model_fails():
    eager = Rewrites({"price": [(UPDATE, "count + 1")]})
    result = World().search(eager, Rewrites({}, eager=False, fails=ModelError("no credit")))
    assert result.failure == "no credit."
    assert result.warnings == ("no credit.",)
    assert (result.counts.executed, result.survivors) == (1, ())


def test_a_model_is_not_asked_again_once_something_was_found():
    patient = Rewrites({"price": [MINED[1]]}, eager=False, fails=ModelError("no credit"))
    result = World().search(patient)
    assert len(result.survivors) == 1
    assert result.warnings == ()


def test_a_model_that_failed_is_not_asked_again():
    warm = FakeSession(swaps=lambda function: function.qualname == "price")
    patient = Rewrites({}, eager=False, fails=ModelError("no credit"))
    assert World(warm).search(patient, suspects=("price", "label")).failure == "no credit."
    assert [function.qualname for function in patient.asked] == ["price"]


LONG = """def price(count):
    total = count * RATE
    spare = total
    return total
"""


def test_an_edit_of_several_places_is_minimized():
    scope = scope_in(SOURCE)
    both = patched(scope, ("total = count + RATE", "total = count * RATE"), ("return total", "return total + 0"))
    world = World(cold=lambda files: b"count * RATE" in files["shop.py"])
    (survivor,) = world.search(Rewrites({"price": [both]})).survivors
    assert survivor.candidate.files == (("shop.py", GOOD),)
    assert survivor.candidate.size < 8


def test_what_no_test_asks_for_stays_in_an_authors_text():
    world = World(cold=lambda files: b"count * RATE" in files["shop.py"])
    (survivor,) = world.search(Rewrites({"price": [LONG]}, eager=False)).survivors
    assert b"spare = total" in survivor.candidate.text


def test_a_minimized_edit_has_to_pass_the_screen_too():
    scope = scope_in(SOURCE)
    both = patched(scope, ("total = count + RATE", "total = count * RATE"), ("return total", "return total + 0"))
    world = World(screen=FakeSession(screening("total + 0")), cold=lambda files: b"count * RATE" in files["shop.py"])
    (survivor,) = world.search(Rewrites({"price": [both]})).survivors
    assert b"total + 0" in survivor.candidate.text


def test_minimizing_ends_with_the_time():
    now = [0.0]
    world = World(cold=lambda files: True)
    world.clock = lambda: now[0]
    scope = scope_in(SOURCE)
    both = patched(scope, ("total = count + RATE", "total = count * RATE"), ("return total", "return total + 0"))

    class Slow(FakeSandbox):
        def run(self, tests, files=(), **given):
            now[0] += 5
            return super().run(tests, files, **given)

    world.sandbox = Slow(
        lambda tests, files, _: run_of(dict.fromkeys(tests, F)), SOURCES, lambda tests, files: world.warm
    )
    result = world.search(Rewrites({"price": [both]}), budget=Budget(max_seconds=20))
    assert len(result.survivors) == 1
    assert now[0] <= 25


def test_two_edits_with_the_same_core_are_one_survivor():
    world = World(cold=lambda files: b"count * RATE" in files["shop.py"])
    scope, right = scope_in(SOURCE), ("total = count + RATE", "total = count * RATE")
    edits = [patched(scope, right, ("return total", f"return total + {n}")) for n in (0, 1)]
    result = world.search(Rewrites({"price": edits}))
    assert len(result.survivors) == 1


def test_imports_that_the_target_does_not_have_are_refused_before_a_trial():
    world = World(importable=("json",))
    result = world.search(Rewrites({"price": [MINED[1]]}, imports=("import numpy",)))
    assert (result.survivors, result.counts.invalid, world.warm.seen) == ((), 1, [])


def test_an_import_goes_inside_the_function_or_where_allowed_to_module_level():
    given = {"imports": ("import json",)}
    (inside,) = World().search(Rewrites({"price": [MINED[1]]}, **given)).survivors
    assert b"import json" in inside.candidate.text
    (above,) = World().search(Rewrites({"price": [MINED[1]]}, **given), module_imports=True).survivors
    assert above.candidate.imports == ("import json",)
    assert b"import json" not in above.candidate.text
    assert b"import json" in above.candidate.files[0][1]


def test_with_an_import_at_module_level_the_target_has_to_compile_what_was_not_tried():
    world = World()
    world.sandbox._problem = "invalid syntax"
    proposer = Rewrites({"price": MINED}, imports=("import json",))
    assert world.search(proposer, module_imports=True).survivors == ()
    assert len(World().search(proposer, module_imports=True).survivors) == 1


def test_a_search_goes_on_where_no_candidate_can_be_made_of_what_passed(monkeypatch):
    refused = []

    def make_candidate(self, edit):
        refused.append(edit)
        return made(self, edit) if len(refused) > MOST_SURVIVORS else Rejected(RejectReason.UNPARSEABLE, "odd")

    made = CandidateMaker.make_candidate
    monkeypatch.setattr(CandidateMaker, "make_candidate", make_candidate)
    edits = [(UPDATE, f"count * RATE + {n}") for n in range(50)]
    result = World().search(Rewrites({"price": edits}))
    assert len(result.survivors) == MOST_SURVIVORS
    assert result.survivors[0].position == MOST_SURVIVORS + 1


def test_what_carries_an_anti_pattern_is_made_a_candidate_only_where_there_is_nothing_else():
    warm = FakeSession(passing("count * RATE", "= 6", "return 6"))
    result = World(warm).search(Rewrites({"price": [(UPDATE, "6"), (UPDATE, "count * RATE")]}))
    assert [s.sound for s in result.survivors] == [True]


def test_an_edit_of_which_a_part_passes_by_itself_is_no_find():
    scope = scope_in(SOURCE)
    both = patched(scope, ("total = count + RATE", "total = count * RATE"), ("return total", "return total + 0"))
    world = World()
    one = patched(scope, ("total = count + RATE", "total = count * RATE"))
    (survivor,) = world.search(Rewrites({"price": [one, both]})).survivors
    assert survivor.position == 1
    assert world.cold_runs == 0


def test_a_part_of_an_edit_that_failed_by_itself_is_not_run_again():
    scope = scope_in(SOURCE)
    both = patched(scope, ("total = count + RATE", "total = count * RATE"), ("return total", "return total + 1"))
    world = World(FakeSession(passing("return total + 1")), cold=lambda files: False)
    parts = [(UPDATE, "count * RATE"), both]
    assert len(world.search(Rewrites({"price": parts})).survivors) == 1
    tried = [dict(files)["shop.py"] for _, files, _ in world.sandbox.asked]
    assert all(b"total + 1" in text for text in tried)


def test_a_function_that_cannot_be_edited_is_left_out_with_a_sentence():
    deep = SOURCE.replace(b"count + RATE", b"count" + b" + 1" * 400)
    world = World(sources=(("shop.py", deep), ("test_shop.py", TESTS)))
    edits = {"price": MINED, "label": [("text.strip()", "text")]}
    parts = search_parts(world.sandbox, Rewrites(edits), clock=world.clock)
    localized = localized_of("price", "label", source=deep)
    pool = parts.open_pool(observed(), world.sandbox.sources())
    result = SearchLoop(parts, observed(), localized, world.sandbox.sources(), Budget(), pool).run()
    assert result.counts.candidates == 1
    assert "price cannot be edited" in result.warnings[0]


@pytest.mark.parametrize(("most", "tried"), [(None, 5), (3, 3)])
def test_further_suspects_are_tried_where_nothing_is_found_and_never_beyond_the_budget(monkeypatch, most, tried):
    for module in (search_loop, candidate_streams):
        monkeypatch.setattr(module, "MOST_SUSPECTS", 1)
    world = World(FakeSession(lambda trial: False))
    edits = {"price": MINED, "label": [("text.strip()", "text"), ("text.strip()", "text.lower()")]}
    result = world.search(Rewrites(edits), suspects=("price", "label"), budget=Budget(max_candidates=most))
    assert len(world.warm.seen) == result.counts.candidates == tried


def test_the_suspects_share_the_draws_by_their_suspiciousness():
    edits = {name: [(old, f"{old} + {n}") for n in range(100)] for name, old in (("price", UPDATE), ("label", "text"))}
    edits["label"] = [("text.strip()", f"text + str({n})") for n in range(100)]
    world = World()
    world.search(Rewrites(edits), suspects=("price", "label"), budget=Budget(max_candidates=50))
    drawn = [trial.function.qualname for trial in world.warm.seen]
    assert drawn[0] == "price"
    assert 35 < drawn.count("price") < 45


def test_a_find_is_told_at_once_and_candidates_when_the_search_is_over():
    told = []
    world = World(FakeSession(passing("count * RATE", "count / RATE")))
    world.listen = lambda e: told.append((e.type, len(world.warm.seen))) if e.type in ("found", "candidate") else None
    edits = [(UPDATE, text) for text in ("count * RATE", "count / RATE", *"123456789")]
    world.search(Rewrites({"price": edits}))
    assert told == [("found", 1), ("found", 2), ("candidate", 11), ("candidate", 11)]


def test_a_find_whose_shape_speaks_against_it_is_not_told_before_the_end():
    told = []
    world = World(FakeSession(passing("= 6")))
    world.listen = lambda e: told.append(e.type) if e.type in ("found", "candidate") else None
    assert len(world.search(Rewrites({"price": [(UPDATE, "6")]})).survivors) == 1
    assert told == ["candidate"]


def test_what_came_near_is_recorded_with_what_it_failed_at():
    world = World(screen=FakeSession(screening(), failed=KEPT))
    world.search(Rewrites({"price": MINED}))
    (told,) = [dict(each.fields) for each in world.events if each.type == "near"]
    assert (told["function"], told["passed"], told["failing"]) == ("price", 1, 1)
    assert "count * RATE" in told["text"]
    assert told["reason"].startswith("failed ")


class Asking(Rewrites):
    """Keeps the context that it was given for the first suspect."""

    context = None

    def propose(self, plan, context):
        self.context = self.context or context
        yield from super().propose(plan, context)


def test_a_proposer_sees_what_came_near_the_tests_that_pass_and_all_suspects():
    asking = Asking({"price": MINED})
    World(screen=FakeSession(screening(), failed=KEPT)).search(asking, suspects=("price", "label"))
    (near,) = asking.context.near()
    assert (near.function.qualname, near.passed, near.failing) == ("price", 1, 1)
    assert "count * RATE" in near.text
    assert near.reason.startswith("failed ")
    assert asking.context.passing() == (KEPT,)
    assert [suspect.function.qualname for suspect in asking.context.suspects] == ["price", "label"]


def test_events_tell_of_candidates_and_attempts():
    world = World()
    world.search(Rewrites({"price": MINED}, eager=False))
    told = [dict(e.fields) | {"type": e.type} for e in world.events if e.type != "progress"]
    kinds = ["program", "attempt", "found", "candidate", "attempt"]
    assert [each["type"] for each in told] == kinds
    assert [each["state"] for each in told if each["type"] == "attempt"] == ["failed", "passed"]
    assert len({each["text"] for each in told if "text" in each}) == 3
    assert [problem for happened in world.events for problem in problems_of(happened)] == []


def test_progress_tells_rate_position_and_kinds_of_edit():
    world = World(FakeSession(), times=count(0.0, 1.0))
    world.search(Rewrites({"price": MINED}))
    told = [dict(e.fields) for e in world.events if e.type == "progress"]
    assert [each["position"] for each in told] == [1, 2, 3]
    assert all(each["rate"] > 0 for each in told)
    assert told[0]["families"] == ["rewrites"]


class Later:
    """Further runs that end after so many questions."""

    def __init__(self, after):
        self.after = after

    def is_contradicted(self):
        return False

    def wider_baseline(self):
        self.after -= 1
        return observed() if self.after < 0 else None


@pytest.mark.parametrize("after", [0, 1, 2, 9])
def test_what_is_found_before_the_whole_suite_is_known_is_screened_again_when_it_is(after):
    """The file of the failing test has no other test that runs the function; another one, seen later, has one."""
    near = replace(observed(), passing=(), partial=True)
    world = World(FakeSession(passing("count * RATE", "count / RATE")), FakeSession(screening("count / RATE")))
    result = world.search(Rewrites({"price": MINED}), baseline=near, further=Later(after))
    assert ["/" in text for text in texts(result)] == ([False, True] if after == 9 else [True])
    assert len([t for t in world.screen.seen if not t.only]) == {0: 3, 1: 3, 2: 3, 9: 0}[after]


@pytest.mark.parametrize("state", [TrialState.TIMEOUT, TrialState.CRASHED])
def test_a_find_that_only_runs_out_of_time_when_it_is_screened_again_stays(state):
    screens = iter([TrialState.PASSED, state])

    class Busy(FakeSession):
        def trials(self, trials):
            for outcome in super().trials(trials):
                yield replace(outcome, state=next(screens))

    world = World(FakeSession(passing("count * RATE")), Busy(lambda trial: True))
    near = replace(observed(), partial=True)
    result = world.search(Rewrites({"price": MINED}), baseline=near, further=Later(1))
    assert len(result.survivors) == 1
    assert next(screens, None) is None


def test_a_part_that_only_the_whole_suite_refuses_is_no_find():
    scope = scope_in(SOURCE)
    both = patched(scope, ("total = count + RATE", "total = count * RATE"), ("return total", "return total + 0"))
    one = patched(scope, ("total = count + RATE", "total = count * RATE"))
    near = replace(observed(), passing=(), partial=True)
    world = World(FakeSession(passing("count * RATE")), FakeSession(screening("total + 0")))
    result = world.search(Rewrites({"price": [one, both]}), baseline=near, further=Later(1))
    assert ["total + 0" in text for text in texts(result)] == [True]
