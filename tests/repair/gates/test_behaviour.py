"""Behaviour: the patch keeps to the old function elsewhere, and no other plausible patch differs from it."""

from dataclasses import replace

import pytest
from fakes.behaviours import behaviour, changed, comparison, differs, result
from fakes.diagnosed import diagnosis_of
from fakes.sandbox import FakeSandbox, FakeSession, run_of
from fakes.submission import FAILING, HEAD, NEW, OLD, PASSING, PATH, baseline_of, submission_of

from analysis.behaviour import CallOrigin, EndingKind, EndOfTest, EndsOfTest
from analysis.calls import AnswerPair, CallInput, Comparison, Neighbours, PlainAnswer, UnchangedNeighbours
from analysis.facts import FunctionId, InvalidRun, Limits, RunFault, TestId
from analysis.trials import TrialState
from repair.checks.weights import features_of, shipped_weights
from repair.compare.patched_server import PatchedServer
from repair.gates.behaviour import Behaviour, _find_repeated
from repair.records.ports import OUT_OF_TIME, Unsought
from repair.records.verdict import Decision

RIVAL = OLD.replace(b"int(text)", b"round(float(text))")
REACHED = differs("price('5.5')", "returns 5", "raises ValueError()")
UNREACHED = differs("price('')", "returns 1", "returns 0", reached=False)


def gate(sandbox):
    return Behaviour(sandbox, Limits(), PatchedServer(sandbox, Limits()), seed=0)


def judged(session, **given):
    evidence = gate(FakeSandbox(lambda *_: run_of({}), session=session)).judge(submission_of(**given))
    if isinstance(session, FakeSession):
        assert session.closed
    return evidence


def compared(inputs=5, reaching=5, touching=5, **witnesses):
    """A comparison in which the rivals of these places (``r0``: the old function) differ."""

    def compare(mine, rivals):
        found = {int(place[1:]): witness for place, witness in witnesses.items()}
        others = tuple((rivals[place - 1].digest, witness) for place, witness in found.items() if place)
        return comparison(inputs, others, reaching=reaching, touching=touching, first=found.get(0))

    return FakeSession(comparison=compare)


def test_a_patch_that_differs_nowhere_else_is_accepted():
    evidence = judged(compared())
    assert evidence.decision is Decision.ACCEPT
    assert dict(evidence.measurements)["inputs"] == 5


def test_a_difference_that_reaches_the_change_is_what_the_fix_is_about():
    evidence = judged(compared(r0=REACHED))
    assert evidence.decision is Decision.ACCEPT
    assert "price('5.5')" in evidence.claim


def test_a_new_statement_that_nothing_runs_is_a_doubt():
    session = FakeSession(lambda trial: b"raise NotImplementedError" in trial.text, comparison(9, touching=5))
    evidence = judged(session)
    assert evidence.decision is Decision.UNKNOWN
    assert evidence.claim == "Line 7 of the patch holds what no test and none of 9 inputs runs"
    assert evidence.witness == f"{PATH}:7"
    assert evidence.question


def test_a_difference_where_the_old_function_never_reached_the_change_is_a_doubt():
    evidence = judged(compared(r0=UNREACHED))
    assert evidence.decision is Decision.UNKNOWN
    assert "price('')" in evidence.witness
    assert evidence.question


def test_a_rival_needs_an_input_on_which_it_differs():
    assert judged(compared(r0=REACHED), rivals=[RIVAL]).decision is Decision.ACCEPT
    evidence = judged(compared(r1=REACHED), rivals=[RIVAL])
    assert evidence.decision is Decision.UNKNOWN
    assert "price('5.5')" in evidence.witness
    assert evidence.question


def with_end(other):
    """A rival that a test's own call tells apart, and how that test ends with it from there on."""
    ends = EndsOfTest(EndOfTest(EndingKind.PASSED), EndOfTest(other, line=7 * (other is not EndingKind.PASSED)))
    return lambda mine, rivals: comparison(5, [(rivals[0].digest, replace(REACHED, ends=ends))], reaching=5, touching=5)


@pytest.mark.parametrize(
    ("end", "passes", "decision"),
    [
        (EndingKind.FAILED, False, Decision.ACCEPT),
        (EndingKind.FAILED, True, Decision.UNKNOWN),
        (EndingKind.FAILED, TrialState.TIMEOUT, Decision.UNKNOWN),
        (EndingKind.PASSED, False, Decision.UNKNOWN),
    ],
)
def test_a_rival_that_a_vouching_test_fails_is_none(end, passes, decision):
    """That the test ends otherwise where the rival goes on is no proof: earlier calls were the patch's."""
    session = FakeSession(lambda trial: trial.text == RIVAL and passes, with_end(end))
    assert judged(session, rivals=[RIVAL]).decision is decision
    asked = [trial for trial in session.seen if trial.text == RIVAL]
    assert bool(asked) == (end is EndingKind.FAILED), "only where the test ends otherwise"


@pytest.mark.parametrize("deed", ["raises UnboundLocalError('cannot access')", "does not end within 1 s"])
def test_a_rival_that_ends_as_nobody_means_it_is_no_doubt_but_where_another_input_tells(deed):
    unmeant = changed(REACHED, other=deed)

    def with_further(*further):
        def compare(mine, rivals):
            found = comparison(5, tuple((rival.digest, unmeant) for rival in rivals), reaching=5, touching=5)
            more = tuple((rival.digest, each) for rival in rivals for each in further)
            return replace(found, rivals=replace(found.rivals, further=more))

        return judged(FakeSession(comparison=compare), rivals=[RIVAL])

    assert with_further().decision is Decision.ACCEPT
    evidence = with_further(REACHED)
    assert evidence.decision is Decision.UNKNOWN
    assert evidence.told == REACHED


def test_of_two_rivals_the_question_is_about_the_one_that_does_not_crash():
    crashing = changed(REACHED, other="raises IndexError('list index out of range')")
    other = OLD.replace(b"int(text)", b"int(text[1:])")
    evidence = judged(compared(r1=crashing, r2=REACHED), rivals=[RIVAL, other])
    assert evidence.told == REACHED
    assert dict(evidence.measurements)["told"] == 1


@pytest.mark.parametrize(("rivals", "decision"), [([], Decision.ACCEPT), ([RIVAL], Decision.UNKNOWN)])
def test_rivals_need_new_inputs_that_reach_the_change_to_be_presumed_equivalent(rivals, decision):
    evidence = judged(compared(inputs=200, reaching=4), rivals=rivals)
    assert evidence.decision is decision
    assert dict(evidence.measurements)["reaching"] == 4


def silent(place):
    """A comparison in which no call of that rival could be compared; the old function has the place 0."""

    def compare(mine, rivals):
        unknown = (rivals[place - 1].digest,) if place else ()
        return comparison(5, reaching=5, touching=5, unknown=unknown, is_known=place > 0)

    return FakeSession(comparison=compare)


def test_a_rival_of_which_no_call_could_be_compared_is_not_presumed_equivalent():
    evidence = judged(silent(1), rivals=[RIVAL])
    assert evidence.decision is Decision.UNKNOWN
    assert evidence.claim == "1 other patch passed the same tests, and none of its calls could be compared"


def test_an_old_function_of_which_no_call_could_be_compared_agrees_nowhere():
    evidence = judged(silent(0))
    assert evidence.decision is Decision.UNKNOWN
    assert "No call of the old function" in evidence.claim
    assert evidence.not_checked


def test_a_change_that_hardly_any_input_reaches_is_not_known():
    evidence = judged(compared(inputs=200, reaching=0, touching=4))
    assert evidence.decision is Decision.UNKNOWN
    assert "only 4 inputs" in evidence.claim
    assert evidence.question
    assert judged(compared(inputs=200, reaching=0, touching=5)).decision is Decision.ACCEPT


def test_a_search_for_rivals_that_was_cut_short_leaves_a_doubt():
    sandbox = FakeSandbox(lambda *_: run_of({}), session=compared())
    evidence = gate(sandbox).judge(replace(submission_of(), unsought=OUT_OF_TIME))
    assert evidence.decision is Decision.UNKNOWN
    assert "--max-seconds" in evidence.question


@pytest.mark.parametrize("session", [compared(), compared(inputs=0), InvalidRun(RunFault.USAGE, "none here")])
def test_that_no_rivals_were_looked_for_is_said_and_weighed_whatever_else_is_known(session):
    unsought = Unsought("the search for them failed: no server")
    sandbox = FakeSandbox(lambda *_: run_of({}), session=session)
    evidence = gate(sandbox).judge(replace(submission_of(), unsought=unsought))
    said = "other patches that pass the same tests were not looked for to the end, since the search for them failed"
    assert any(each.startswith(said) for each in evidence.not_checked)
    (doubt,) = [each for each in evidence.doubts if each.feature == "rivals_unsought"]
    assert not doubt.question
    sought = gate(sandbox).judge(submission_of())
    weights = shipped_weights()
    assert weights.risk_at(features_of([evidence])) > weights.risk_at(features_of([sought]))
    assert not any(said in each for each in sought.not_checked)


def test_without_an_input_nothing_is_known():
    evidence = judged(compared(inputs=0))
    assert evidence.decision is Decision.UNKNOWN
    assert evidence.not_checked


@pytest.mark.parametrize("given", [{}, {"vouching": ()}])
def test_without_a_server_or_a_vouching_test_nothing_is_known(given):
    assert judged(InvalidRun(RunFault.USAGE, "none here"), **given).decision is Decision.UNKNOWN


def test_a_call_of_a_passing_test_that_now_gives_something_else_is_a_doubt():
    witness = differs("price('2')", "returns 3", "returns 2", made=True, test=PASSING)
    session = FakeSession(comparison=lambda mine, rivals: comparison(3, recorded=((PASSING, witness),)))
    evidence = judged(session)
    assert evidence.decision is Decision.UNKNOWN
    assert PASSING in evidence.claim
    assert "price('2')" in evidence.witness
    assert evidence.question


def test_a_call_of_the_failing_test_is_what_the_fix_is_about():
    session = FakeSession(comparison=lambda mine, rivals: comparison(3, recorded=((FAILING, REACHED),), touching=5))
    assert judged(session).decision is Decision.ACCEPT


def test_a_patch_of_another_function_that_passes_too_is_a_doubt_that_no_comparison_settles():
    submission = submission_of(rivals=[RIVAL])
    moved = replace(submission.rivals[0], function=FunctionId("other.py", "other", 1))
    sandbox = FakeSandbox(lambda *_: run_of({}), session=compared())
    evidence = gate(sandbox).judge(replace(submission, rivals=(moved,)))
    assert evidence.decision is Decision.UNKNOWN
    assert "a patch of other passes the same tests and cannot be compared" in evidence.claim
    assert dict(evidence.measurements)["rivals"] == 0


@pytest.mark.parametrize(("test", "decision"), [(PASSING, Decision.UNKNOWN), (FAILING, Decision.ACCEPT)])
def test_a_call_that_a_passing_test_makes_must_give_what_it_gave(test, decision):
    found = comparison(5, recorded=((TestId(test), REACHED),), touching=5)
    evidence = judged(FakeSession(comparison=found))
    assert evidence.decision is decision
    assert ("price('5.5')" in evidence.witness) is (decision is Decision.UNKNOWN)


MENDED = changed(REACHED, origin=CallOrigin.LIKE_TEST)
SPARED = result("price('6.6')", "raises ValueError()")
SPECIAL = OLD.replace(b"return", b"return 550 if text == '5.5' else", 1)


@pytest.mark.parametrize(
    ("new", "test", "decision"),
    [(SPECIAL, FAILING, Decision.UNKNOWN), (SPECIAL, PASSING, Decision.ACCEPT), (b"", FAILING, Decision.ACCEPT)],
)
def test_a_patch_with_its_own_constants_that_mends_the_tested_values_alone_is_a_doubt(new, test, decision):
    near = Neighbours(TestId(test), (SPARED,) * 6)
    found = comparison(20, reaching=12, touching=14, departures=(MENDED,), neighbours=(near,))
    evidence = judged(FakeSession(comparison=found), **({"new": new} if new else {}))
    assert evidence.decision is decision
    if decision is Decision.UNKNOWN:
        assert "price('6.6') raises ValueError(), as before" in evidence.witness
        assert evidence.question == "Should price('6.6') raise ValueError(), as before this patch?"


def test_a_patch_that_gives_two_answers_to_one_call_is_a_doubt():
    found = comparison(20, reaching=12, touching=14, unsteady=(differs("price('1')", "returns 1", "returns 2"),))
    evidence = judged(FakeSession(comparison=found))
    assert evidence.decision is Decision.UNKNOWN
    assert "returns 2" in evidence.witness
    assert evidence.question


def test_up_to_three_unlike_changes_are_shown():
    departures = tuple(differs(f"price('{n}')", f"returns {n}", "returns 0") for n in range(6))
    tested = differs("price('x')", "returns 1", "raises ValueError()", made=True, test=FAILING)
    found = comparison(20, reaching=12, touching=14, departures=(*departures, tested))
    claim = judged(FakeSession(comparison=found)).claim
    assert claim.count(" becomes ") == 3
    assert "price('0'): returns 0 becomes returns 0" in claim


def answer(text, mine, old):
    return AnswerPair(
        CallInput(f"('{text}',)", "{}"),
        PlainAnswer(mine, behaviour(f"returns {mine}")),
        PlainAnswer(old, behaviour(f"returns {old}")),
    )


ANSWERS = (answer("1", "100", "100"), answer("5.5", "550", "old"))
STEADY = {"mine": ("100", "550"), "old": ("100", "old"), "tests": ("550",)}


def judged_apart(told, answers=ANSWERS):
    """The evidence, where the versions give these away from the tests; and how often they were asked."""

    def apart(calls, files, like_tests):
        said = told["tests" if like_tests else "mine" if dict(files)[PATH] == HEAD + NEW else "old"]
        if said is None:
            return InvalidRun(RunFault.EXITED, "gone")
        return tuple(PlainAnswer(each, behaviour(f"returns {each}")) if each else None for each in said[: len(calls)])

    found = comparison(20, reaching=12, touching=14, answers=answers)
    sandbox = FakeSandbox(lambda *_: run_of({}), session=FakeSession(comparison=found), apart=apart)
    return gate(sandbox).judge(submission_of()), len(sandbox.apart_asked)


def test_answers_are_compared_with_those_of_a_process_without_tests():
    evidence, asked = judged_apart(STEADY)
    numbers = dict(evidence.measurements)
    assert (evidence.decision, numbers["channel"], numbers["apart"], asked) == (Decision.ACCEPT, "values", 2, 2)


@pytest.mark.parametrize(
    ("mine", "tests", "witness"),
    [
        (("100", "7"), ("550",), "price('5.5') returns 550 under the tests, and returns 7 where"),
        (("100", None), ("550",), "price('5.5') returns 550 under the tests, and gives no answer where"),
        (None, ("100", "550"), "price('1') returns 100 under the tests, and gives no answer where"),
    ],
)
def test_a_patch_that_behaves_under_the_tests_alone_is_a_doubt(mine, tests, witness):
    evidence, asked = judged_apart({**STEADY, "mine": mine, "tests": tests})
    assert (evidence.decision, asked) == (Decision.UNKNOWN, 3)
    assert witness in evidence.witness
    assert evidence.question


@pytest.mark.parametrize(
    ("changes", "left"),
    [
        ({"mine": ("100", "7"), "old": ("100", "8")}, 0),
        ({"mine": ("100", "7"), "tests": ("7",)}, 1),
        ({"mine": ("100", "7"), "tests": None}, 1),
    ],
)
def test_what_tests_set_up_or_the_old_function_does_too_is_no_doubt(changes, left):
    evidence, _ = judged_apart({**STEADY, **changes})
    assert evidence.decision is Decision.ACCEPT
    assert len([each for each in evidence.not_checked if "set up" in each]) == left


@pytest.mark.parametrize(("told", "answers"), [({**STEADY, "old": None}, ANSWERS), (STEADY, ())])
def test_where_no_value_can_be_sent_the_evidence_says_in_process(told, answers):
    evidence, _ = judged_apart(told, answers)
    assert evidence.decision is Decision.ACCEPT
    assert dict(evidence.measurements)["channel"] == "in-process"


def test_a_number_refused_alone_is_a_doubt():
    refused = differs("price('0')", "raises ValueError('zero')", "returns 0", tested=True)
    taken = result("price('-1')", "returns -1")
    found = comparison(20, reaching=12, touching=14, departures=(refused,), alone=((FAILING, taken),))
    evidence = judged(FakeSession(comparison=found))
    assert evidence.decision is Decision.UNKNOWN
    assert evidence.question == "Should price('-1') return -1, as before this patch?"


@pytest.mark.parametrize(
    ("passes", "old", "features"),
    [
        (True, "returns 31", {"told_by_number", "narrower_rival"}),
        (True, "returns 7", {"told_by_number"}),
        (False, "returns 31", set()),
    ],
)
def test_a_number_that_could_be_another_is_a_doubt_and_more_so_where_less_changes(passes, old, features):
    departed = replace(differs("price('31')", "returns 11", "returns 31"), old=behaviour(old))

    def compare(mine, rivals):
        others = [rival for rival in rivals if b"% 100\n" in rival.text]
        told = tuple((other.digest, departed) for other in others)
        return comparison(20, told, reaching=12, touching=14)

    session = FakeSession(lambda trial: passes and b"% 100\n" in trial.text, compare)
    evidence = judged(session, new=OLD.replace(b"int(text)", b"int(text) % 20"))
    assert {doubt.feature for doubt in evidence.doubts} == features
    assert len([trial for trial in session.seen if b"% 100\n" in trial.text]) == 1
    if features:
        number = next(doubt for doubt in evidence.doubts if doubt.feature == "told_by_number")
        assert "100 in place of 20" in number.claim
        assert number.question == "Should price('31') return 11 (this patch) or return 31?"
        assert "told" not in dict(evidence.measurements)


def test_numbers_that_had_no_time_are_said():
    sandbox = FakeSandbox(lambda *_: run_of({}), session=compared())
    new = OLD.replace(b"int(text)", b"int(text) % 20")
    for left in (0.0, 60.0):
        gate = Behaviour(sandbox, Limits(), PatchedServer(sandbox, Limits()), 0, left=lambda left=left: left)
        said = [line for line in gate.judge(submission_of(new=new)).not_checked if "with another number" in line]
        assert bool(said) == (not left)


MOVED = differs("price('7')", "raises ValueError()", "returns 7")


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ({"departures": (changed(MOVED, mine="does not end within 1 s"),)}, "a call that was fine now does not end"),
        (
            {"departures": (changed(MENDED, origin=CallOrigin.MADE), MOVED)},
            "ends with this patch as the failing tests' calls ended",
        ),
        (
            {
                "departures": (MOVED,),
                "surroundings": (UnchangedNeighbours(TestId(PASSING), 9, 8, MOVED.call.given),) * 9,
            },
            "pass by chance",
        ),
    ],
)
def test_a_patch_that_reaches_too_far_is_a_doubt_that_an_answer_settles(found, said):
    evidence = judged(FakeSession(comparison=comparison(20, reaching=12, touching=14, **found)))
    assert evidence.decision is Decision.UNKNOWN
    assert said in evidence.claim
    assert evidence.told is not None
    assert evidence.told.call == MOVED.call
    assert evidence.question.startswith("Should price('7') ")
    assert evidence.question.endswith(" (this patch) or return 7?")


@pytest.mark.parametrize(
    ("seconds", "left", "tried"), [(0.01, 60.0, True), (0.01, 0.5, False), (2.0, 60.0, False), (4.0, 600.0, True)]
)
def test_programs_beside_are_tried_where_the_tests_leave_time_for_some(seconds, left, tried):
    asked = []

    class Proposer:
        name = "search"

        def propose(self, plan, context):
            asked.append(plan)
            return iter(())

    sandbox = FakeSandbox(lambda *_: run_of({}), session=compared())
    gate = Behaviour(sandbox, Limits(), PatchedServer(sandbox, Limits()), 0, proposer=Proposer(), left=lambda: left)
    given = submission_of(baseline=baseline_of(seconds=seconds))
    evidence = gate.judge(replace(given, diagnoses=(diagnosis_of(),)))
    assert bool(asked) == tried
    assert any("take long" in line for line in evidence.not_checked) != tried
    doubts = [doubt for doubt in evidence.doubts if doubt.feature == "rivals_unsought"]
    assert bool(doubts) != tried, "less looking is no reason to trust a patch more"
    assert not any(doubt.question for doubt in doubts)


TOLD, ANSWER = TestId("test_it.py::test_told"), TestId("test_repair_answers.py::test_answer_1")
ONE_CALL, OTHER_CALL = CallInput("('1',)", "{}"), CallInput("('2',)", "{}")


@pytest.mark.parametrize(
    ("made", "repeated"),
    [
        (((TOLD, ONE_CALL), (ANSWER, ONE_CALL)), (ANSWER,)),
        (((TOLD, ONE_CALL), (ANSWER, OTHER_CALL)), ()),
        (((TOLD, ONE_CALL), (ANSWER, ONE_CALL), (ANSWER, OTHER_CALL)), ()),
        (((TOLD, ONE_CALL),), ()),
    ],
)
def test_an_answer_that_another_test_gives_too_says_nothing_new(made, repeated):
    submission = replace(submission_of(), answers=(ANSWER,))
    assert _find_repeated(Comparison(made=made), submission) == repeated
    method = FunctionId(PATH, "Shop.price", 1)
    of_method = replace(submission, candidate=replace(submission.candidate, function=method))
    assert _find_repeated(Comparison(made=made), of_method) == ()
