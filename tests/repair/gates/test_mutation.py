"""Mutants of the changed region: killed, or not told from the patch by any input, or a doubt with its witness."""

from dataclasses import replace

import pytest
from fakes.behaviours import changed, comparison, differs
from fakes.sandbox import FakeSandbox, FakeSession, run_of
from fakes.submission import FAILING, NEW, OLD, PASSING, PATH, baseline_of, submission_of

from analysis.calls import CallInput, RecordedCall
from analysis.facts import InvalidRun, Limits, Outcome, RunFault
from analysis.trials import TrialOutcome, TrialState
from repair.compare import patch_parts as unneeded
from repair.compare.patched_server import PatchedServer
from repair.gates import mutation
from repair.gates.mutation import Mutation
from repair.observe.patched import PatchedRun
from repair.records.verdict import Decision
from repair.trials.trial_router import TrialTier

WITNESS = differs("price('5.5')", "returns 5", "returns 6")


def judged(session, ran=None, **given):
    """The evidence; ``ran`` are the lines of the patched program that the vouching tests run, where they are known."""
    line_map = tuple((test, ((PATH, frozenset(ran or ())),)) for test in (FAILING, PASSING))
    sandbox = FakeSandbox(lambda *_: run_of({}, line_map), session=session)
    patched = None if ran is None else PatchedRun(sandbox, Limits())
    submission = submission_of(**given)
    if patched is not None:  # as another gate has done
        patched.of(submission)
    evidence = Mutation(PatchedServer(sandbox, Limits()), seed=0, patched=patched).judge(submission)
    if isinstance(session, FakeSession):
        assert session.closed
    return evidence


def is_mine(trial):
    return trial.text == NEW


def test_where_nobody_knows_yet_what_tests_run_nothing_is_started_to_find_out():
    sandbox = FakeSandbox(lambda *_: run_of({}), session=FakeSession(lambda trial: True))
    gate = Mutation(PatchedServer(sandbox, Limits()), seed=0, patched=PatchedRun(sandbox, Limits()))
    found = numbers(gate.judge(submission_of(new=FORKED)))
    assert (found["no_coverage"], sandbox.asked) == (0, [])
    assert found["survived"] > 0


def is_mine_of(new):
    return lambda trial: trial.text == new


def told(mine, rivals):
    """The first rival behaves differently, on one of five inputs."""
    return comparison(5, tuple((each.digest, WITNESS) for each in rivals[:1]), reaching=5)


def numbers(evidence):
    return dict(evidence.measurements)


def test_tests_that_kill_every_mutant_are_accepted():
    session = FakeSession(is_mine)
    evidence = judged(session)
    assert evidence.decision is Decision.ACCEPT
    assert numbers(evidence)["killed"] == len(session.seen) - 1 > 0
    assert numbers(evidence)["score"] == 1.0


@pytest.mark.parametrize("detail", ["skipped in call: Skipped: strange", "skipped", "xfailed", "xpassed in call: "])
def test_a_test_that_skips_itself_kills_nothing(detail):
    def ended(trial):
        return is_mine(trial) or TrialOutcome(trial.digest, TrialState.FAILED, FAILING[0], detail, "warm")

    evidence = judged(FakeSession(ended, told))
    assert evidence.decision is Decision.UNKNOWN
    assert numbers(evidence)["killed"] == 0 < numbers(evidence)["survived"]


def test_only_the_changed_region_is_mutated():
    session = FakeSession(is_mine)
    judged(session)
    assert all(b"if not text:\n        return 0\n" in trial.text for trial in session.seen)


def test_a_survivor_that_an_input_tells_from_the_patch_is_a_doubt_with_a_witness():
    evidence = judged(FakeSession(lambda trial: True, told))
    assert evidence.decision is Decision.UNKNOWN
    assert evidence.witness == "price('5.5') returns 5, and returns 6 otherwise"
    assert evidence.question == "Should price('5.5') return 5 (this patch) or return 6?"


def test_a_survivor_that_no_input_tells_apart_is_presumed_equivalent_and_listed():
    evidence = judged(FakeSession(lambda trial: True, comparison(5, reaching=5)))
    assert evidence.decision is Decision.ACCEPT
    assert len(evidence.not_checked) == numbers(evidence)["survived"]
    assert all("presumed equivalent" in line for line in evidence.not_checked)


def test_an_edit_beyond_the_policy_of_its_class_is_measured_as_such():
    """A loop around the function's result is more than any class allows."""
    new = OLD.replace(
        b"    return int(text)\n", b"    while text == '5.5':\n        text = text[:-2]\n    return int(text)\n"
    )
    beyond = judged(FakeSession(lambda trial: trial.text == new), new=new)
    assert dict(beyond.features)["beyond_policy"] == 1.0
    assert dict(judged(FakeSession(is_mine)).features)["beyond_policy"] == 0.0


@pytest.mark.parametrize(
    ("reaching", "said"), [(5, "of 1 of them no call could be compared"), (4, "only 4 new inputs")]
)
def test_a_survivor_of_which_no_call_could_be_compared_is_not_presumed_equivalent(reaching, said):
    def one_is_silent(mine, rivals):
        return comparison(40, reaching=reaching, unknown=(rivals[0].digest,))

    evidence = judged(FakeSession(lambda trial: True, one_is_silent))
    assert evidence.decision is Decision.UNKNOWN
    assert said in evidence.claim
    assert len(evidence.not_checked) == numbers(evidence)["survived"] > 1
    assert ["nothing is known of it" in line for line in evidence.not_checked].count(True) == 1
    assert "nothing is known of it" in evidence.not_checked[0]


def test_inputs_that_do_not_reach_the_change_tell_nothing_of_a_survivor():
    evidence = judged(FakeSession(lambda trial: True, comparison(200, reaching=4)))
    assert evidence.decision is Decision.UNKNOWN
    assert numbers(evidence)["reaching"] == 4


def test_a_survivor_without_any_input_to_search_is_unknown():
    evidence = judged(FakeSession(lambda trial: True, comparison(0, (), ("no plain argument",))))
    assert evidence.decision is Decision.UNKNOWN
    assert "no plain argument" in evidence.not_checked
    assert not any("equivalent" in line for line in evidence.not_checked), "nothing was searched"


@pytest.mark.parametrize("state", [TrialState.CRASHED, TrialState.INVALID])
def test_a_crash_is_no_kill(state):
    evidence = judged(FakeSession(lambda trial: True if is_mine(trial) else state))
    assert evidence.decision is Decision.UNKNOWN
    assert numbers(evidence)["killed"] == 0


def test_a_report_that_names_no_failed_test_is_no_kill():
    evidence = judged(FakeSession(is_mine, failed=None))
    assert evidence.decision is Decision.UNKNOWN
    assert numbers(evidence)["killed"] == 0


def lost_but(kept, lost=TrialState.CRASHED):
    """A session in which so many mutants are killed, and the others lost."""
    killed = []

    def ended(trial):
        if not is_mine(trial) and len(killed) < kept:
            killed.append(trial)
            return False
        return is_mine(trial) or (TrialOutcome(trial.digest, TrialState.FAILED) if lost is None else lost)

    return FakeSession(ended)


@pytest.mark.parametrize("lost", [TrialState.CRASHED, TrialState.FLOOD, None])
def test_where_most_mutants_give_no_answer_the_kills_of_the_others_are_not_enough(lost):
    evidence = judged(lost_but(1, lost))
    assert evidence.decision is Decision.UNKNOWN
    assert "gave no answer" in evidence.claim


def test_where_no_test_passed_before_the_whole_function_is_mutated():
    changed = numbers(judged(FakeSession(is_mine)))["killed"]
    evidence = judged(FakeSession(is_mine), baseline=baseline_of({FAILING: Outcome.FAILED}), vouching=(FAILING,))
    assert evidence.decision is Decision.ACCEPT
    assert numbers(evidence)["killed"] > changed
    assert "whole function" in evidence.claim


@pytest.mark.parametrize(
    ("survives", "feature"),
    [(b"return 1\n", "told_by_kept"), (b"float(None)", "told_by_mutant")],
)
def test_a_mutant_of_what_the_patch_left_alone_is_counted_apart_from_one_of_what_it_wrote(survives, feature):
    session = FakeSession(lambda trial: is_mine(trial) or survives in trial.text, told)
    evidence = judged(session, baseline=baseline_of({FAILING: Outcome.FAILED}), vouching=(FAILING,))
    assert feature in [doubt.feature for doubt in evidence.doubts]


SUM = b"""def price(text):
    total = []
    for part in text:
        if part:
            total.append(part)
    return sorted(total)
"""


@pytest.mark.parametrize(
    ("survives", "features"),
    [(lambda text: False, set()), (lambda text: b"total = None" in text, {"told_by_kept"})],
)
def test_where_a_change_only_takes_something_away_the_whole_function_is_mutated(survives, features):
    old = SUM.replace(b"part in text", b"place, part in enumerate(text)")
    old = old.replace(b"append(part)\n", b"append(part)\n            total.append(place)\n")
    session = FakeSession(lambda trial: trial.text == SUM or survives(trial.text), told)
    evidence = judged(session, new=SUM, old=old)
    assert {doubt.feature for doubt in evidence.doubts} == features
    if not features:
        assert "of the whole function, since what the change leaves has none of its own" in evidence.claim


@pytest.mark.parametrize(("begun", "decision"), [(1, Decision.UNKNOWN), (3, Decision.ACCEPT)])
def test_mutants_are_begun_for_a_time_and_the_others_are_named(monkeypatch, begun, decision):
    every = numbers(judged(FakeSession(is_mine)))["killed"]
    clock = iter([0.0] * (begun + 1))
    monkeypatch.setattr(mutation, "monotonic", lambda: next(clock, 1000.0))
    evidence = judged(FakeSession(is_mine))
    assert evidence.decision is decision
    assert numbers(evidence)["killed"] == begun
    assert evidence.not_checked == (f"{every - begun} of {every} mutants were not begun in time",)


def test_a_few_mutants_without_an_answer_are_listed():
    every = numbers(judged(FakeSession(is_mine)))["killed"]
    evidence = judged(lost_but(every - 1))
    assert evidence.decision is Decision.ACCEPT
    assert evidence.not_checked == (f"1 of {every} mutants gave no answer",)
    none = judged(lost_but(every - 1, TrialState.INVALID))
    assert (none.decision, none.not_checked) == (Decision.ACCEPT, ()), "no program, no question"


def test_an_outcome_that_never_came_is_no_kill():
    class Silent(FakeSession):
        def trials(self, trials):
            return (outcome for outcome in super().trials(trials) if outcome.state is TrialState.PASSED)

    evidence = judged(Silent(is_mine))
    assert evidence.decision is Decision.UNKNOWN
    assert numbers(evidence)["invalid"] > 0


def test_a_mutant_that_does_not_end_counts_as_noticed():
    evidence = judged(FakeSession(lambda trial: True if is_mine(trial) else TrialState.TIMEOUT))
    assert evidence.decision is Decision.ACCEPT
    assert numbers(evidence)["timeout"] > 0


@pytest.mark.parametrize(
    "session",
    [
        FakeSession(lambda trial: False),
        FakeSession(is_mine, swaps=False),
        FakeSession(lambda trial: TrialOutcome(trial.digest, TrialState.INVALID, None, "needs a cold run")),
    ],
)
def test_a_server_in_which_the_patch_does_not_pass_or_does_not_run_says_nothing(session):
    evidence = judged(session)
    assert evidence.decision is Decision.UNKNOWN
    assert evidence.not_checked


def test_mutants_of_a_function_that_runs_at_import_import_the_project_anew():
    warm, fresh = FakeSession(lambda trial: True, swaps=False), FakeSession(is_mine)
    sandbox = FakeSandbox(lambda *_: run_of({}), session=warm, fresh=fresh)
    evidence = Mutation(PatchedServer(sandbox, Limits()), seed=0).judge(submission_of())
    assert evidence.decision is Decision.ACCEPT
    assert not warm.seen
    assert numbers(evidence)["killed"] > 0
    assert fresh.closed


def test_without_a_server_nothing_is_known():
    evidence = judged(InvalidRun(RunFault.USAGE, "no warm server here"))
    assert evidence.decision is Decision.UNKNOWN
    assert "no warm server here" in evidence.claim


def test_without_a_vouching_test_nothing_can_be_killed():
    assert judged(InvalidRun(RunFault.USAGE, ""), vouching=()).decision is Decision.UNKNOWN


def test_mutants_beyond_the_bound_are_said(monkeypatch):
    monkeypatch.setattr(mutation, "MOST", dict.fromkeys(TrialTier, 1))
    session = FakeSession(is_mine)
    evidence = judged(session)
    assert len(session.seen) == 2
    assert "further mutants" in evidence.not_checked[-1]


@pytest.mark.parametrize(("seconds", "decision"), [(0.01, Decision.ACCEPT), (2.0, Decision.UNKNOWN)])
def test_where_only_cold_runs_can_tell_a_few_mutants_are_run_by_quick_tests(seconds, decision):
    def answer(tests, files, shuffle):
        passed = NEW in dict(files)[PATH]
        return run_of(dict.fromkeys(tests, Outcome.PASSED if passed else Outcome.FAILED))

    none = InvalidRun(RunFault.USAGE, "the tests change files of the project: needs a cold run")
    sandbox = FakeSandbox(answer, session=none)
    evidence = Mutation(PatchedServer(sandbox, Limits()), seed=0).judge(
        submission_of(baseline=baseline_of(seconds=seconds))
    )
    assert evidence.decision is decision
    if decision is Decision.ACCEPT:
        assert 0 < numbers(evidence)["killed"] <= 12
    else:
        assert evidence.claim == (
            "Mutants were not run: each would need a process of its own (the tests change files of the project: needs "
            "a cold run), and the vouching tests take 4.0 s"
        )


def test_trials_get_as_much_time_as_the_tests_need():
    given = []

    class Noting(FakeSandbox):
        def warm(self, tests, files=(), *, limits=None, fresh_import=False):
            given.append(limits)
            return super().warm(tests, files, limits=limits, fresh_import=fresh_import)

    sandbox = Noting(lambda *_: run_of({}), session=FakeSession(is_mine))
    Mutation(PatchedServer(sandbox, Limits()), seed=0).judge(submission_of(baseline=baseline_of(seconds=0.5)))
    assert given[0].wall_seconds == pytest.approx(2.0 + 5.0 * 2 * 0.5)


def test_constants_of_the_code_are_among_the_inputs():
    session = FakeSession(
        lambda trial: True, comparison(5), calls=(RecordedCall(PASSING, CallInput("(7,)", "{}"), True),)
    )
    judged(session, new=NEW.replace(b"return 0", b"return 4321"))
    assert CallInput("(4321,)", "{}") in session.inputs


def test_inputs_are_generated_near_the_recorded_calls():
    call = RecordedCall(PASSING, CallInput("('7',)", "{}"), plain=True)
    session = FakeSession(lambda trial: True, comparison(5), calls=(call,))
    judged(session, vouching=[FAILING])
    assert CallInput("('77',)", "{}") in session.inputs


FORKED = OLD.replace(
    b"    return int(text)\n", b"    if '.' in text:\n        return int(float(text))\n    return int(text)\n"
)
"""The patch is in lines 7 and 8 of the file."""


def test_what_no_vouching_test_runs_survives_without_a_run_and_is_counted_apart():
    session = FakeSession(is_mine_of(FORKED), told)
    evidence = judged(session, ran={5, 7, 9}, new=FORKED)
    found = numbers(evidence)
    assert found["no_coverage"] > 0 < found["killed"]
    assert found["survived"] == 0
    assert found["score"] < 1.0
    unrun = [trial for trial in session.seen if b"float(text)" not in trial.text and b"'.' in text" in trial.text]
    assert len(unrun) < found["no_coverage"], "what cannot be noticed is not run"
    assert evidence.decision is Decision.UNKNOWN
    assert "line 8, which no vouching test runs: " in evidence.claim
    assert evidence.witness


def test_without_a_witness_what_no_test_runs_is_listed_as_such():
    new = NEW.replace(b"return 0", b"return int('0')")
    evidence = judged(FakeSession(is_mine_of(new), comparison(5, reaching=5)), ran={5, 7}, new=new)
    assert evidence.decision is Decision.ACCEPT
    assert len(evidence.not_checked) == numbers(evidence)["no_coverage"] > 0
    assert all("line 6, which no vouching test runs: " in line for line in evidence.not_checked)


@pytest.mark.parametrize("ran", [None, {5, 7, 8}, set(), {1}])
def test_every_mutant_is_run_where_its_line_is_or_nothing_is_known_of_lines(ran):
    evidence = judged(FakeSession(is_mine_of(FORKED)), ran=ran, new=FORKED)
    assert evidence.decision is Decision.ACCEPT
    assert numbers(evidence)["no_coverage"] == 0


def test_where_the_project_is_imported_anew_lines_of_tests_are_not_all_that_runs():
    warm, fresh = FakeSession(lambda trial: True, swaps=False), FakeSession(is_mine_of(FORKED))
    line_map = ((FAILING, ((PATH, frozenset({5, 7, 9})),)),)
    sandbox = FakeSandbox(lambda *_: run_of({}, line_map), session=warm, fresh=fresh)
    gate = Mutation(PatchedServer(sandbox, Limits()), seed=0, patched=PatchedRun(sandbox, Limits()))
    assert numbers(gate.judge(submission_of(new=FORKED)))["no_coverage"] == 0


BOTH = NEW.replace(b"return 0", b"return 0.0")
HALF = NEW


def test_a_part_that_no_test_asks_for_is_a_doubt_where_an_input_tells():
    session = FakeSession(lambda trial: trial.text in (BOTH, HALF), told)
    evidence = judged(session, new=BOTH)
    assert evidence.decision is Decision.UNKNOWN
    assert "No test asks for the part of the patch in line 6" in evidence.claim
    assert evidence.told == WITNESS


@pytest.mark.parametrize(
    "torn",
    [
        "raises NameError(\"name 'x' is not defined\")",
        "raises UnboundLocalError('x')",
        "raises RecursionError('maximum')",
    ],
)
def test_a_part_that_another_reads_a_name_of_is_no_doubt_and_has_its_mutants(torn):
    def breaks(mine, rivals):
        return comparison(5, tuple((r.digest, changed(WITNESS, other=torn)) for r in rivals[:1]), reaching=5)

    session = FakeSession(lambda trial: trial.text in (BOTH, HALF), breaks)
    evidence = judged(session, new=BOTH)
    assert "No test asks" not in evidence.claim
    assert [trial for trial in session.seen if b"return 1" in trial.text], "the part has mutants"


def test_a_part_that_nothing_tells_apart_has_no_mutants():
    session = FakeSession(lambda trial: trial.text in (BOTH, HALF), comparison(40, reaching=30))
    assert judged(session, new=BOTH).decision is Decision.ACCEPT
    assert not [trial.text for trial in session.seen if b"return 1.0" in trial.text]
    whole = FakeSession(lambda trial: trial.text == BOTH, comparison(40, reaching=30))
    judged(whole, new=BOTH)
    assert [trial.text for trial in whole.seen if b"return 1.0" in trial.text], "a part that a test asks for has some"


def test_a_turned_comparison_beside_the_fix_is_one_part():
    old = OLD.replace(b"if not text:", b"if limit < len(text):")
    new = old.replace(b"limit < len(text)", b"len(text) > limit").replace(b"int(text)", b"int(float(text))")
    fix = old.replace(b"int(text)", b"int(float(text))")
    session = FakeSession(lambda trial: trial.text in (new, fix), comparison(40, reaching=30))
    evidence = judged(session, new=new, old=old)
    assert evidence.decision is Decision.ACCEPT
    assert not [trial.text for trial in session.seen if b">= limit" in trial.text]


@pytest.mark.parametrize("found", [comparison(40, reaching=2), comparison(40, reaching=30, unknown=("it",))])
def test_a_part_is_not_left_aside_where_nothing_was_searched(found):
    session = FakeSession(lambda trial: trial.text in (BOTH, HALF), found)
    judged(session, new=BOTH)
    assert [trial.text for trial in session.seen if b"return 1.0" in trial.text]


MENDED = differs("price('5.5')", "returns 5", "raises ValueError()", made=True)
BACK = differs("price('7')", "returns 5", "raises ValueError()")


@pytest.mark.parametrize(("further", "light"), [((), True), ((WITNESS,), False)])
def test_a_mutant_that_brings_the_failure_back_is_next_to_no_doubt(further, light):
    back = replace(BACK, old=BACK.mine)

    def compared(mine, rivals):
        found = comparison(40, ((rivals[0].digest, back),), reaching=30, departures=(MENDED,))
        more = tuple((rivals[0].digest, each) for each in further)
        return replace(found, rivals=replace(found.rivals, further=more))

    (doubt,) = judged(FakeSession(lambda trial: True, compared)).doubts
    assert (doubt.strength < 0.2) is light
    assert (doubt.told == WITNESS) is bool(further)


def test_a_mutant_that_differs_where_the_function_crashes_anyway_is_next_to_no_doubt():
    crash = differs("price('x')", "raises TypeError()", "returns 0", accident=True)

    def compared(mine, rivals):
        found = tuple((rival.digest, crash) for rival in rivals[:1])
        return comparison(40, found, reaching=30, departures=(MENDED,))

    (doubt,) = judged(FakeSession(lambda trial: True, compared)).doubts
    assert doubt.strength < 0.2


def test_a_mutant_that_never_ends_speaks_against_itself():
    endless = changed(WITNESS, other="does not end within 1 s")
    session = FakeSession(
        lambda trial: True,
        lambda mine, rivals: comparison(40, tuple((r.digest, endless) for r in rivals[:1]), reaching=30),
    )
    evidence = judged(session)
    assert evidence.decision is Decision.ACCEPT
    assert any("ends as no program is meant to" in line for line in evidence.not_checked)


LETTERED = OLD.replace(b"not text", b"text in '+-'")


@pytest.mark.parametrize(("call", "decision"), [("price('X')", Decision.ACCEPT), ("price('+-')", Decision.UNKNOWN)])
def test_the_letters_that_a_mutant_puts_into_a_text_tell_nothing_where_they_stand_in_the_call(call, decision):
    witness = differs(call, "returns 5", "returns 0")

    def compared(mine, rivals):
        found = tuple((rival.digest, witness) for rival in rivals if b"'XX+-XX'" in rival.text)
        return comparison(40, found, reaching=30)

    evidence = judged(FakeSession(lambda trial: True, compared), new=LETTERED)
    assert evidence.decision is decision
    if decision is Decision.ACCEPT:
        assert any("letters that it puts into a text" in line for line in evidence.not_checked)


TWICE = NEW.replace(
    b"    return int(float", b"    if text == '7':\n        return 3\n    text == '7'\n    return int(float"
)


def test_parts_that_each_do_the_others_work_are_left_out_together():
    parts = (b"    if text == '7':\n        return 3\n", b"    text == '7'\n")
    passing = (TWICE, NEW, *(TWICE.replace(part, b"") for part in parts))

    def compared(mine, rivals):
        return comparison(40, tuple((r.digest, WITNESS) for r in rivals if r.text == NEW), reaching=30)

    evidence = judged(FakeSession(lambda trial: trial.text in passing, compared), new=TWICE)
    assert evidence.decision is Decision.UNKNOWN
    assert "No test asks for the part of the patch in line 7" in evidence.claim
    alone = FakeSession(lambda trial: trial.text in passing and trial.text != NEW, compared)
    assert "No test asks" not in judged(alone, new=TWICE).claim, "without both the tests fail"
    assert len([trial for trial in alone.seen if b"return 3" in trial.text]) > 2, "so that both have mutants"


FIX = b"def price(text):\n    cost = len(text)\n    if not text.strip():\n        return 0\n    return cost\n"
COUNTS = FIX.replace(b"text.strip()", b"text")
SHIFTED = FIX.replace(b"len(text)", b"len(text) + 1").replace(b"return cost", b"return cost - 1")


def test_parts_far_apart_that_undo_each_other_are_left_out_together():
    session = FakeSession(lambda trial: trial.text in (SHIFTED, FIX), told)
    evidence = judged(session, new=SHIFTED, old=COUNTS)
    assert evidence.decision is Decision.UNKNOWN
    assert "No test asks for the part of the patch in line 5" in evidence.claim
    needed = FakeSession(lambda trial: trial.text == SHIFTED, told)
    assert judged(needed, new=SHIFTED, old=COUNTS).decision is Decision.ACCEPT
    assert FIX in [trial.text for trial in needed.seen]


def test_a_part_that_no_test_asks_for_is_in_no_pair():
    """One that may go by itself needs no other to go with it."""
    alone = SHIFTED.replace(b"len(text) + 1", b"len(text)")
    session = FakeSession(lambda trial: trial.text in (SHIFTED, alone), comparison(40, reaching=30))
    judged(session, new=SHIFTED, old=COUNTS)
    assert FIX not in [trial.text for trial in session.seen]


def test_parts_beyond_the_bound_are_said(monkeypatch):
    monkeypatch.setattr(unneeded, "MOST_TRIED", 1)
    session = FakeSession(lambda trial: trial.text == SHIFTED)
    evidence = judged(session, new=SHIFTED, old=COUNTS)
    assert evidence.decision is Decision.ACCEPT
    assert "2 further parts of the patch" in evidence.not_checked[-1]
    monkeypatch.setattr(unneeded, "MOST_TRIED", 3)
    assert not judged(FakeSession(lambda trial: trial.text == SHIFTED), new=SHIFTED, old=COUNTS).not_checked


def test_where_no_calls_are_compared_no_part_is_run():
    new = NEW.replace(b"not text", b"not text.strip()")
    seen = []

    def answer(tests, files, shuffle):
        seen.append(dict(files).get(PATH, b""))
        return run_of(dict.fromkeys(tests, Outcome.PASSED if new in seen[-1] else Outcome.FAILED))

    none = InvalidRun(RunFault.USAGE, "the tests change files of the project: needs a cold run")
    evidence = Mutation(PatchedServer(FakeSandbox(answer, session=none), Limits()), seed=0).judge(
        submission_of(new=new)
    )
    assert evidence.decision is Decision.ACCEPT
    assert seen
    assert not [text for text in seen if HALF in text]


NARROW = OLD.replace(b"int(text)", b"int(float(text)) if len(text) == 3 else int(text)")


def passes_without_its_condition(trial):
    return trial.text == NARROW or b"if True else" in trial.text


def test_a_patch_is_a_doubt_where_the_tests_pass_without_its_restriction_and_more_is_mended():
    evidence = judged(FakeSession(passes_without_its_condition, told), new=NARROW)
    assert evidence.decision is Decision.UNKNOWN
    assert evidence.witness == "price('5.5') returns 5, and returns 6 otherwise"
    assert "takes `True` for `len(text) == 3`" in evidence.claim
    assert (numbers(evidence)["looser"], numbers(evidence)["looser_passing"]) == (4, 1)


@pytest.mark.parametrize(("passes", "passing"), [(passes_without_its_condition, 1), (is_mine_of(NARROW), 0)])
def test_a_restriction_that_the_tests_need_or_that_no_input_shows_is_no_doubt(passes, passing):
    evidence = judged(FakeSession(passes, comparison(5, reaching=5)), new=NARROW)
    assert evidence.decision is Decision.ACCEPT
    assert numbers(evidence)["looser_passing"] == passing


ORDER = NEW.replace(b"if not text", b"if -1 < len(text) < 1")


@pytest.mark.parametrize(
    ("had", "departures", "decision"),
    [
        (
            b"0 <= len(text) < 1",
            (),
            Decision.ACCEPT,
        ),  # the old function has the boundary, and answers as the patch does
        (b"0 <= len(text) < 1", (WITNESS,), Decision.UNKNOWN),
        (b"0 <= len(text) < 5", (), Decision.UNKNOWN),
    ],
)
def test_a_boundary_that_no_test_pins_is_no_doubt_where_the_patch_keeps_it(had, departures, decision):
    def tells(mine, rivals):
        mutants = [rival for rival in rivals if b"<= 1" in rival.text]
        witnesses = tuple((rival.digest, WITNESS) for rival in mutants)
        return comparison(40, witnesses, reaching=30, departures=departures)

    session = FakeSession(lambda trial: trial.text == ORDER or b"<= 1" in trial.text, tells)
    evidence = judged(session, new=ORDER, old=OLD.replace(b"not text", had))
    assert evidence.decision is decision
    if decision is Decision.ACCEPT:
        assert any("only moves a boundary" in line for line in evidence.not_checked)
