"""From the engine's records to the published result, field by field as its schema says."""

import json
from dataclasses import replace

import pytest
from fakes.diagnosed import diagnosis_of, localized_of
from fakes.submission import HEAD, NEW, OLD, PATH, submission_of

from analysis.behaviour import (
    Call,
    CallOrigin,
    CallResult,
    Difference,
    EndingKind,
    EndOfTest,
    EndsOfTest,
    Raised,
    Returned,
)
from analysis.facts import Suspect, TestId
from analysis.root_cause import RootCause
from repair.compare.examples import find_example
from repair.records.change import Change
from repair.records.outcome import Cause, Judged, RunOutcome, Stack
from repair.records.plan import plan
from repair.records.result import FindingView, RegionView, Result, Status
from repair.records.verdict import CORE_GATES, EXTRA_GATES, TIME_WAS_UP, Decision, Doubt, Evidence, Risk, Verdict
from repair.show.changed_words import changed_region
from repair.show.output import result_text, schema_named
from repair.show.publish import result_of
from transforms.tree.proposal import Origin

BLANK = Result(
    Status.INTERRUPTED,
    "r1",
    "/project",
    {"pytest": "8"},
    3,
    isolation="none",
    isolation_opens=("the network",),
    warnings=("isolation is limited",),
)
FOUND = localized_of("price", "label")


def verdict(**changed):
    decisions = {**dict.fromkeys(CORE_GATES, Decision.ACCEPT), **changed}
    return Verdict(
        tuple(
            Evidence(gate, d, "claim", (("n", 1),), question="why?" if d is Decision.UNKNOWN else "", seconds=0.5)
            for gate, d in decisions.items()
        )
    )


def judged(found=None, proposer="search"):
    submission = submission_of()
    candidate = replace(submission.candidate, origin=Origin(proposer, "wrap"))
    return Judged(replace(submission, candidate=candidate), found or verdict())


def full(**changed):
    values = {
        "status": Status.CERTIFIED,
        "diagnoses": FOUND.diagnoses,
        "suspects": FOUND.suspects,
        "judged": (judged(), judged(verdict(mutation=Decision.UNKNOWN))),
        "plan": plan(FOUND.suspects[0], FOUND.diagnoses),
        "findings": (FindingView("layout", "comments", "a.py", 1),),
        "warnings": ("mind this",),
    }
    return result_of(RunOutcome(**{**values, **changed}), BLANK, 1.23456)


def conforms(value, schema, defs):
    """Whether the value has the shape; as much of JSON Schema as ours uses."""
    if "$ref" in schema:
        return conforms(value, defs[schema["$ref"].rsplit("/", 1)[-1]], defs)
    if "anyOf" in schema:
        return any(conforms(value, each, defs) for each in schema["anyOf"])
    if "const" in schema or "enum" in schema:
        return value in schema.get("enum", [schema.get("const")])
    match schema.get("type"):
        case "object" if isinstance(value, dict):
            known = schema.get("properties", {})
            named = all(conforms(value[k], known[k], defs) for k in known if k in value)
            others = schema.get("additionalProperties", True)
            rest = [v for k, v in value.items() if k not in known]
            loose = all(conforms(v, others, defs) for v in rest) if isinstance(others, dict) else True
            strange = bool(known) and bool(rest)
            return set(schema.get("required", ())) <= set(value) and named and loose and not strange
        case "array":
            return isinstance(value, list) and all(conforms(each, schema["items"], defs) for each in value)
        case "integer":
            return isinstance(value, int) and not isinstance(value, bool)
        case "number":
            return isinstance(value, (int, float)) and not isinstance(value, bool)
        case "string":
            return isinstance(value, str)
        case "boolean":
            return isinstance(value, bool)
        case "null":
            return value is None
    return False


@pytest.mark.parametrize(
    "result",
    [
        full(),
        full(judged=(), plan=None, status=Status.UNREPAIRED),
        result_of(RunOutcome(Status.NOTHING_FAILS), BLANK, 0),
    ],
)
def test_the_answer_has_the_shape_of_the_schema(result):
    values = json.loads(json.dumps(result.to_json()))
    schema = schema_named("result")
    assert conforms(values, schema, schema["$defs"])
    assert not conforms({**values, "status": "superb"}, schema, schema["$defs"])
    assert Result.from_json(values) == result


def test_what_was_asked_and_seen_is_handed_on():
    result = full()
    assert (result.run, result.root, result.seed, result.isolation) == ("r1", "/project", 3, "none")
    assert result.seconds.total == 1.235
    assert result.isolation_opens == ("the network",)
    assert result.warnings == ("isolation is limited", "mind this")
    assert result.failures[0].failure_class == "logic"
    assert [s.function for s in result.suspects] == ["price", "label"]
    assert result.plan is not None
    assert result.plan.evidence == CORE_GATES


def test_candidates_of_a_hunt_are_ranked_and_functions_of_one_change_are_not():
    assert [p.rank for p in full().patches] == [1, 2]
    assert [p.rank for p in full(judged=(judged(proposer="foreign"),) * 2).patches] == [1, 1]


def test_a_patch_says_what_was_not_asked():
    early = Verdict((Evidence("shape", Decision.REJECT, "no", not_checked=("this",)),))
    patch = full(judged=(judged(early),), status=Status.REJECTED).patches[0]
    assert patch.status is Status.REJECTED
    assert patch.not_checked == (
        "this",
        *(f"{gate}: not asked" for gate in (*CORE_GATES, *EXTRA_GATES) if gate != "shape"),
    )


def test_questions_are_gathered():
    assert full().patches[1].questions == ("why?",)


def test_a_question_that_two_gates_ask_is_put_once():
    doubts = tuple(Evidence(gate, Decision.UNKNOWN, "doubt", question="why?") for gate in ("mutation", "behaviour"))
    assert full(judged=(judged(Verdict(doubts)),)).patches[0].questions == ("why?",)


def test_a_hunts_patch_names_its_own_file_before_and_after():
    (change,) = full().patches[0].files
    assert change.path == PATH
    assert change.before
    assert change.before != change.after


def test_a_checked_change_names_all_of_its_files_since_they_were_judged_together():
    change = Change(((PATH, HEAD + OLD), ("gone.py", b"x")), ((PATH, HEAD + NEW), ("new.md", b"y")))
    files = full(judged=(judged(proposer="foreign"),), change=change).patches[0].files
    assert [(f.path, bool(f.before), bool(f.after)) for f in files] == [
        ("gone.py", True, False),
        ("new.md", False, True),
        (PATH, True, True),
    ]


def test_long_lists_and_messages_are_cut():
    many = tuple(Suspect(s.function, 0.123456, s.reasons) for s in FOUND.suspects * 10)
    assert len(full(suspects=many).suspects) == 10
    assert full(suspects=many).suspects[0].suspiciousness == 0.1235


def test_a_failure_without_exception_shows_its_outcome():
    diagnosis = diagnosis_of()
    bare = replace(diagnosis, failure=replace(diagnosis.failure, exceptions=(), message="text"))
    view = full(diagnoses=(bare,)).failures[0]
    assert (view.exception, view.message, view.function) == ("failed", "text", "")


@pytest.mark.parametrize("status", list(Status))
def test_every_word_of_a_verdict_on_the_work_names_what_comes_next(status):
    said = result_of(RunOutcome(status), BLANK, 0).next_action
    assert said or status in (
        Status.UNREPAIRED, Status.DIAGNOSED, Status.INTERRUPTED, Status.MODEL_ERROR, Status.USAGE, Status.CONFLICT,
        Status.FOREIGN, Status.ERROR,
    )  # fmt: skip


def test_nobody_is_sent_to_a_brief_where_a_change_touches_no_function():
    finding = FindingView("test_support", "a helper of the tests is changed", "tests/tools.py", 1)
    said = result_of(RunOutcome(Status.OUT_OF_SCOPE, findings=(finding,)), BLANK, 0).next_action
    assert "findings" in said
    assert "--function" not in said


def test_what_the_run_says_to_do_next_wins():
    assert full(next_action="commit it").next_action == "commit it"


def test_a_plausible_patch_for_which_time_was_short_is_given_more():
    doubt = Evidence("behaviour", Decision.UNKNOWN, TIME_WAS_UP)
    other = Evidence("behaviour", Decision.UNKNOWN, "an input tells", question="Should f(1) give 2?")
    first, second = (judged(Verdict((*verdict().evidence[:-1], each))) for each in (doubt, other))
    said = full(status=Status.PLAUSIBLE, judged=(first, second)).next_action
    assert "--max-seconds" in said, "the question is that of a patch that nobody sees"
    assert "answer" not in said


@pytest.mark.parametrize(
    ("question", "word"), [("Should f(1) give 2?", "answer"), ("", "write a test for what is in doubt")]
)
def test_a_plausible_patch_sends_nobody_to_a_question_that_is_not_there(question, word):
    doubt = Evidence("behaviour", Decision.UNKNOWN, "no call could be repeated", question=question)
    said = full(status=Status.PLAUSIBLE, judged=(judged(Verdict((*verdict().evidence[:-1], doubt))),)).next_action
    assert word in said
    assert "r1" in said


def asked(told=None):
    doubt = Evidence("behaviour", Decision.UNKNOWN, "an input tells", question="Should f(1) give 2?", told=told)
    return judged(Verdict((*verdict().evidence[:-1], doubt)))


def test_a_question_that_has_an_answer_is_answered_by_it_and_any_other_by_a_test():
    ready = Difference(Call("price", "(3,)"), Returned("6"), Returned("5"))
    method = Difference(Call("price", "(3,)", "on Shop()"), Returned("6"), Returned("5"))
    said = full(status=Status.PLAUSIBLE, judged=(asked(ready),)).next_action
    assert said == "run again with the --answer that is right; if you trust it as it is: `repair apply r1`"
    assert "write a test" in full(status=Status.PLAUSIBLE, judged=(asked(method),)).next_action
    assert "write a test" in full(status=Status.PLAUSIBLE, judged=(asked(),)).next_action


def test_a_question_says_how_the_test_goes_on_that_makes_its_call():
    made = Call("price", "(3,)", origin=CallOrigin.MADE, test=TestId("t.py::test_it"))
    ends = EndsOfTest(EndOfTest(EndingKind.PASSED), EndOfTest(EndingKind.PASSED))
    result = full(status=Status.PLAUSIBLE, judged=(asked(Difference(made, Returned("6"), Returned("5"), ends=ends)),))
    (said,) = [each.asked.goes_on for each in result.patches[0].evidence if each.asked is not None]
    assert said == "t.py::test_it passes either way"
    assert f"Its test: {said}" in result_text(result, verbosity=0, width=120)
    (silent,) = [each.asked for each in full(judged=(asked(),)).patches[0].evidence if each.asked is not None]
    assert silent.goes_on == ""


@pytest.mark.parametrize(
    ("features", "of_model"),
    [(("told_by_model", "told_by_part"), True), (("told_by_part", "told_by_model"), False), ((), False)],
)
def test_a_question_is_a_models_where_the_doubt_that_asks_it_is(features, of_model):
    """The first doubt is the one that is asked about."""
    told = Difference(Call("price", "(3,)"), Returned("6"), Returned("5"))
    doubts = tuple(Doubt(feature, "an input tells", told=told) for feature in features)
    found = Evidence("behaviour", Decision.UNKNOWN, "an input tells", question="Which?", told=told, doubts=doubts)
    result = full(status=Status.PLAUSIBLE, judged=(judged(Verdict((*verdict().evidence[:-1], found))),))
    (asked_of,) = [each.asked for each in result.patches[0].evidence if each.asked is not None and each.asked.call]
    assert asked_of.of_model is of_model


def test_the_whole_answer_says_which_weights_were_set_by_hand():
    shares = (("told_by_model", 3.5), ("size", 1.25))
    found = replace(verdict(), risk=Risk(0.5, 0.6, 341, 45, 0.02, shares, by_hand=("told_by_model",)))
    result = full(status=Status.PLAUSIBLE, judged=(judged(found),))
    assert result.patches[0].risk.by_hand == ("told_by_model",)
    whole = result_text(result, verbosity=1, width=120)
    assert "  made of, in log-odds: told_by_model +3.50 (set by hand), size +1.25\n" in whole
    assert "set by hand: no patch that the weights were learned on had it" in whole
    learned = replace(found, risk=replace(found.risk, by_hand=()))
    assert "by hand" not in result_text(full(judged=(judged(learned),)), verbosity=1, width=120)


def test_a_change_that_is_in_place_is_committed_and_not_applied():
    change = Change(((PATH, b"x"),), ((PATH, b"y"),))
    assert full(in_place=True, change=change).next_action.startswith("commit it")
    said = full(status=Status.PLAUSIBLE, judged=(asked(),), in_place=True, change=change).next_action
    assert "if you trust it as it is: commit it" in said
    assert "apply" not in full(status=Status.PLAUSIBLE, judged=(asked(),), change=change).next_action


def test_what_was_rejected_is_to_be_mended_as_the_gate_says():
    no = judged(Verdict((Evidence("fixes", Decision.ACCEPT, "c"), Evidence("regressions", Decision.REJECT, "t fails"))))
    said = full(status=Status.REJECTED, judged=(no,)).next_action
    assert said == "mend what the gate regressions names, and check again; `repair help regressions` says what it asks"


def changed(*differences):
    seen = Evidence("behaviour", Decision.ACCEPT, "c", (("inputs", 9),), changes=differences)
    return full(judged=(judged(Verdict((*verdict().evidence[:-1], seen))),)).patches[0]


def test_who_says_that_a_call_changes_is_a_failing_test_a_person_or_nobody():
    failing = submission_of().baseline.failing[0]
    told = changed(
        Difference(Call("price", "(1,)", origin=CallOrigin.MADE, test=failing), Returned("2"), Returned("1")),
        Difference(
            Call("price", "(2,)", origin=CallOrigin.MADE, test=TestId("t.py::passes")), Returned("2"), Returned("1")
        ),
        Difference(Call("price", "(3,)"), Returned("2"), Raised("KeyError", "'a'")),
    ).changes
    assert [(each.call, each.before, each.after, each.said_by, each.source) for each in told] == [
        ("price(1,)", "returns 1", "returns 2", "test", str(failing)),
        ("price(2,)", "returns 1", "returns 2", "nobody", "t.py::passes"),
        ("price(3,)", "raises KeyError('a')", "returns 2", "nobody", ""),
    ]
    assert changed().changes_gap == ""
    assert full().patches[0].changes_gap == "old and new were not compared"


def test_a_sentence_of_the_docstring_says_what_a_call_gives():
    old = b'def price(text):\n    """What it costs.\n\n    Returns 0 if text is empty.\n    """\n    return int(text)\n'
    new = old.replace(b"int(text)", b"int(text or 0)")
    seen = Difference(Call("price", "('')"), Returned("0"), Raised("ValueError", "'no'"))
    told = Evidence(
        "behaviour", Decision.ACCEPT, "c", (("inputs", 9),), changes=(seen, replace(seen, mine=Returned("1")))
    )
    found = Judged(submission_of(new, old), Verdict((*verdict().evidence[:-1], told)))
    kept, other = full(judged=(found,)).patches[0].changes
    assert (kept.said_by, other.said_by) == ("docstring", "nobody")
    assert "Returns 0 if text is empty" in kept.source


def test_an_example_of_the_docstring_says_what_a_call_gives():
    text = "Twice.\n\n>>> twice(3)\n6\n>>> twice(n=4)\n8\n"
    call = Call("twice", "(3)")
    assert find_example(text, CallResult(call, Returned("6"))) == "twice(3) gives 6"
    assert find_example(text, CallResult(Call("twice", "(n=4)"), Returned("8"))) == "twice(n=4) gives 8"
    assert find_example(text, CallResult(call, Returned("7"))) == ""
    assert find_example(text, CallResult(call, Raised("KeyError"))) == ""
    assert find_example(text, CallResult(replace(call, context="on Shop()"), Returned("6"))) == ""
    assert find_example("", CallResult(call, Returned("6"))) == ""


def test_the_changed_lines_are_those_of_the_file_as_it_lies_in_the_project():
    patch = full().patches[0]
    first = changed_region(patch.diff)
    assert patch.region == RegionView(*first)
    moved = dict(submission_of().candidate.files)[PATH]
    change = Change(((PATH, b""),), ((PATH, b"# one\n# two\n" + moved),))
    in_place = full(in_place=True, change=change).patches[0].region
    after = changed_region(patch.diff, after=True)
    assert in_place == RegionView(after[0] + 2, after[1] + 2)


def test_what_two_gates_did_not_check_is_said_once():
    told = tuple(replace(e, not_checked=(e.gate, "a call that cannot be copied")) for e in verdict().evidence)
    lines = full(judged=(judged(Verdict(told)),)).patches[0].not_checked
    assert lines.count("a call that cannot be copied") == 1
    assert set(CORE_GATES) < set(lines)


def test_each_cause_has_its_patch_its_word_and_what_it_stands_on():
    first = RunOutcome(Status.CERTIFIED, FOUND.diagnoses, FOUND.suspects, (judged(), judged()))
    other = RunOutcome(Status.OUT_OF_SCOPE, FOUND.diagnoses, FOUND.suspects[1:], messages=("a signature",), brief="b")
    causes = (Cause(1, ("t.py::a",), first, seconds=1.5), Cause(2, ("t.py::b",), other, (1,)))
    result = full(status=Status.UNREPAIRED, judged=(), causes=causes)
    assert [(p.cause, p.rank) for p in result.patches] == [(1, 1), (1, 2)]
    mended, left = result.causes
    assert (mended.tests, mended.status, mended.patch) == (("t.py::a",), Status.CERTIFIED, result.patches[0].digest)
    assert (mended.file, mended.function) == (result.patches[0].file, result.patches[0].function)
    assert (left.status, left.patch, left.stands_on, left.messages) == (
        Status.OUT_OF_SCOPE, "", (1,), ("a signature",),
    )  # fmt: skip
    assert (left.function, left.brief) == (FOUND.suspects[1].function.qualname, "b")
    assert left.next_action == "read the brief, or name the function with --function"


def test_a_stack_is_one_diff_from_the_project_as_it_is_to_all_its_patches():
    change = Change((("a.py", b"x = 1\n"), ("b.py", b"y = 1\n")), (("a.py", b"x = 2\n"), ("b.py", b"y = 2\n")))
    stack = full(stacks=(Stack((1, 2), Status.CERTIFIED, change, "run together"),)).stacks[0]
    assert (stack.causes, stack.status, stack.claim) == ((1, 2), Status.CERTIFIED, "run together")
    assert stack.diff.count("+++ b/") == 2
    assert [each.path for each in stack.files] == ["a.py", "b.py"]


def stack(*causes, status=Status.PLAUSIBLE):
    return Stack(causes, status, Change((), ()))


@pytest.mark.parametrize(
    ("stacks", "command"),
    [
        ((stack(1), stack(2)), "repair apply r1 --cause 1"),
        ((stack(1), stack(2), stack(1, 2)), "repair apply r1"),
        ((stack(1), stack(2, status=Status.CERTIFIED)), "repair apply r1 --cause 2"),
        ((stack(1), stack(2), stack(3), stack(1, 2)), "repair apply r1"),
        ((stack(1), stack(2, status=Status.CERTIFIED), stack(1, 2)), "repair apply r1 --cause 2"),
    ],
)
def test_patches_beside_causes_that_have_none_are_named_with_what_applies_them(stacks, command):
    assert f"{command}`" in f"{full(status=Status.UNREPAIRED, stacks=stacks).next_action}`"


def test_a_cause_is_named_with_those_below_it():
    causes = tuple(
        Cause(n, (), RunOutcome(Status.PLAUSIBLE), stands_on=below) for n, below in ((1, ()), (2, (1,)), (3, ()))
    )
    stacks = (stack(1), stack(3), stack(1, 2))
    assert "repair apply r1 --cause 2`" in full(status=Status.UNREPAIRED, causes=causes, stacks=stacks).next_action


def test_a_cause_without_a_patch_has_a_brief_of_its_own():
    root = RootCause(TestId("t"), "AssertionError; likeliest in price (shop.py:3)", scope="", reason="")
    ending = RunOutcome(Status.UNREPAIRED, root_causes=(root, root))
    [cause] = full(causes=(Cause(1, (TestId("t"),), ending),)).causes
    assert cause.brief == root.claim
