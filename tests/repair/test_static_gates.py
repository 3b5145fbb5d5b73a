"""The three gates that judge texts alone; for each, inputs on which it must say no."""

from __future__ import annotations

from dataclasses import replace

import pytest
from fakes.sandbox import FakeSandbox, run_of
from fakes.submission import candidate_of, submission_of

from analysis.facts import (
    Diagnosis,
    Digest,
    Failure,
    FailureClass,
    Frame,
    FunctionId,
    InvalidRun,
    Limits,
    LineMap,
    Outcome,
    Phase,
    RunFault,
    SeenError,
    TestId,
    TestResult,
    TestRun,
)
from repair.gates.capability import Capability
from repair.gates.shape import Shape
from repair.gates.test_quality import TestQuality
from repair.observe.patched import PatchedRun
from repair.records.ports import Gate, Submission
from repair.records.task import Baseline
from repair.records.verdict import Decision
from transforms.tree.candidate import Candidate
from transforms.tree.proposal import EditKind, Origin

PATH, TESTS = "shop.py", "test_shop.py"
TEST = TestId("test_shop.py::test_price")
HEAD = b"import os\n\n\n"
OLD = b"def price(text):\n    if not text:\n        raise ValueError('no price')\n    return int(text)\n"
NEW = OLD.replace(b"int(text)", b"int(float(text))")
GOOD = b"from shop import price\ndef test_price():\n    assert price('5.5') == 550\n"


def diagnosis(failure_class: FailureClass = FailureClass.LOGIC, line: int = 0, path: str = PATH) -> Diagnosis:
    frame = Frame(path, True, line, None, None, None, "price", "price", 4)
    raised = SeenError("ValueError", ("ValueError",), "no price", (frame,) if line else ())
    failure = Failure(TEST, Phase.CALL, Outcome.FAILED, (raised,), "")
    return Diagnosis(failure, failure_class, "", ())


def submission(
    new: bytes = NEW,
    *,
    test: bytes = GOOD,
    failing: tuple[str, ...] = (TEST,),
    line_map: LineMap = (),
    diagnoses: tuple[Diagnosis, ...] | None = None,
    head: bytes = HEAD,
) -> Submission:
    candidate = Candidate(
        digest=Digest("d"),
        function=FunctionId(PATH, "price", 4),
        files=((PATH, head + new),),
        before=OLD,
        text=new,
        diff="",
        size=1,
        edit_kind=EditKind.UPDATE,
        origin=Origin("search", "wrap"),
    )
    traced = TestRun((), (), 1, 0.1, line_map)
    baseline = Baseline(tuple(TestId(t) for t in failing), (), (), (), traced, 2, 0.1)
    found = (diagnosis(),) if diagnoses is None else diagnoses
    return Submission(candidate, baseline, found, ((TESTS, test),), candidate.files, sources=((PATH, HEAD + OLD),))


@pytest.mark.parametrize("gate", [Shape(), Capability(), TestQuality()], ids=lambda g: g.name)
def test_a_plain_fix_is_accepted(gate: Gate) -> None:
    evidence = gate.judge(submission())
    assert (evidence.gate, evidence.decision) == (gate.name, Decision.ACCEPT)
    assert evidence.measurements
    assert not evidence.witness


@pytest.mark.parametrize(
    ("new", "decision", "fit"),
    [
        (NEW, Decision.ACCEPT, "within"),
        (OLD.replace(b"    return", b"    for c in text:\n        str(c)\n    return"), Decision.ACCEPT, "beyond"),
        (OLD.replace(b"    if not text:\n        raise ValueError('no price')\n", b""), Decision.REJECT, "refused"),
        (OLD.replace(b"text)", b"text, more=0)", 1), Decision.REJECT, "refused"),
        (b"def price(text:\n", Decision.UNKNOWN, "refused"),
    ],
)
def test_shape_tells_the_policy(new: bytes, decision: Decision, fit: str) -> None:
    evidence = Shape().judge(submission(new))
    assert evidence.decision is decision
    assert dict(evidence.measurements)["policy"] == fit
    if fit == "beyond":
        assert "beyond the policy" in evidence.claim


@pytest.mark.parametrize(
    ("new", "witness"),
    [
        (OLD.replace(b"    return", b"    return 0\n    return"), "can never run any more"),
        (OLD.replace(b"not text", b"text == text"), "the condition `text == text` compares a thing with itself"),
    ],
)
def test_shape_doubts_an_edit_that_leaves_dead_code(new: bytes, witness: str) -> None:
    assert new != OLD
    evidence = Shape().judge(submission(new))
    assert evidence.decision is Decision.UNKNOWN
    assert witness in evidence.witness
    assert evidence.question


def test_shape_asks_about_a_statement_that_stands_twice_in_a_row() -> None:
    """The second run may do what a function that is called was meant to: the first is where the fault is."""
    old = OLD.replace(b"    return", b"    text = str(text)\n    return", 1)
    evidence = Shape().judge(
        submission_of(old.replace(b"    return int", b"    text = str(text)\n    return int"), old)
    )
    assert (evidence.decision, evidence.witness) == (Decision.UNKNOWN, "text = str(text)")
    assert evidence.question == "Is `text = str(text)` meant to run twice in a row?"


WALK = b"""def reach(node, goal, edges):
    def search(name):
        return name == goal or any(search(each) for each in edges[name])
    return search(node)
"""


@pytest.mark.parametrize(("subclass", "doubts"), [("timeout", ["only_reorders"]), ("value", [])])
def test_shape_doubts_another_order_of_walking_where_no_end_is_reached(subclass: str, doubts: list[str]) -> None:
    made = submission_of(WALK.replace(b"in edges[name]", b"in reversed(edges[name])"), WALK, qualname="reach")
    made = replace(made, diagnoses=(replace(diagnosis(), subclass=subclass),))
    assert [each.feature for each in Shape().judge(made).doubts] == doubts
    guarded = WALK.replace(b"return name ==", b"return name in edges and name ==")
    assert not Shape().judge(replace(made, candidate=candidate_of(guarded, WALK, qualname="reach"))).doubts


def test_shape_asks_what_is_visited_where_a_copy_is_walked_and_its_elements_are_called() -> None:
    old = b"def emit(calls):\n    for call in calls:\n        call()\n"
    made = submission_of(old.replace(b"in calls", b"in list(calls)"), old, qualname="emit")
    doubt = next(each for each in Shape().judge(made).doubts if each.feature == "walks_copy")
    assert doubt.question == "Is what a call takes out of `calls` meant to be visited all the same?"


def test_shape_asks_whether_the_alphabet_is_meant_to_decide() -> None:
    old = b"def may(names, rules):\n    for name in names:\n        if name in rules:\n            return rules[name]\n"
    made = submission_of(old.replace(b"in names", b"in sorted(names)"), old, qualname="may")
    doubt = next(each for each in Shape().judge(made).doubts if each.feature == "sorted_choice")
    assert (
        doubt.question
        == "Which of `names` is meant to decide: the first one, the first by the alphabet, or all of them?"
    )


def test_shape_doubts_an_edit_after_which_a_parameter_is_read_nowhere() -> None:
    old = OLD.replace(b"(text)", b"(text, rate=1)", 1).replace(b"return int", b"return rate * int")
    assert Shape().judge(submission_of(old.replace(b"rate *", b"rate +"), old)).decision is Decision.ACCEPT
    evidence = Shape().judge(submission_of(old.replace(b"rate *", b"2 *"), old))
    assert (evidence.decision, evidence.witness) == (Decision.UNKNOWN, "rate")
    assert evidence.question == "Is price meant to give the same whatever rate is?"


def test_shape_sees_dead_code_in_a_file_of_another_encoding() -> None:
    head = b"# coding: latin-1\n" + HEAD
    new = OLD.replace(b"    return", b"    text = '\xe9'\n    return 0\n    return")
    assert Shape().judge(submission(new, head=head)).decision is Decision.UNKNOWN


def test_shape_excuses_the_guard_at_which_the_failure_ends() -> None:
    new = OLD.replace(b"    if not text:\n        raise ValueError('no price')\n", b"")
    contract = FailureClass.CONTRACT
    assert Shape().judge(submission(new, diagnoses=(diagnosis(contract, 6),))).decision is Decision.ACCEPT
    assert Shape().judge(submission(new, diagnoses=(diagnosis(contract, 7),))).decision is Decision.REJECT
    assert Shape().judge(submission(new, diagnoses=(diagnosis(contract, 6, "other.py"),))).decision is Decision.REJECT


def test_shape_lets_an_edit_suit_one_of_several_classes() -> None:
    loop = OLD.replace(b"not text", b"not text or text is None")
    both = (diagnosis(FailureClass.ENVIRONMENT), diagnosis(FailureClass.CONTRACT))
    assert Shape().judge(submission(loop, diagnoses=both)).decision is Decision.ACCEPT
    assert Shape().judge(submission(loop, diagnoses=both[:1])).decision is Decision.REJECT
    assert Shape().judge(submission(loop, diagnoses=())).decision is Decision.ACCEPT


@pytest.mark.parametrize(
    ("new", "decision"),
    [
        (OLD.replace(b"    return", b"    if text == '5.5':\n        return 550\n    return"), Decision.REJECT),
        (OLD.replace(b"    return", b"    os._exit(0)\n    return"), Decision.REJECT),
        (OLD.replace(b"int(text)", b"int(os.environ.get('X', text))"), Decision.UNKNOWN),
        (OLD.replace(b"int(text)", b"convert(text)"), Decision.UNKNOWN),
        (b"def price(text:\n", Decision.UNKNOWN),
    ],
)
def test_capability_says_no_and_asks(new: bytes, decision: Decision) -> None:
    evidence = Capability().judge(submission(new))
    assert evidence.decision is decision
    assert evidence.witness.startswith("shop.py:")
    assert bool(evidence.question) is (decision is Decision.UNKNOWN)


def test_capability_knows_what_the_same_patch_adds_to_the_module() -> None:
    new = OLD.replace(b"int(text)", b"convert(text)")
    added = HEAD + b"def convert(text):\n    return 0\n"
    assert Capability().judge(submission(new, head=added)).decision is Decision.ACCEPT


def test_capability_frees_no_literal_that_the_patch_itself_adds_to_the_module() -> None:
    new = OLD.replace(b"    return", b"    if text == '5.5':\n        return 550\n    return")
    assert Capability().judge(submission(new, head=HEAD + b"A = ('5.5', 550)\n")).decision is Decision.REJECT


@pytest.mark.parametrize(
    ("body", "decision"),
    [
        (b"import posix\n    return posix.getcwd()", Decision.UNKNOWN),
        (b"from shop import other\n    return other(text)", Decision.ACCEPT),
        (b"global CALLS\n    CALLS = 1\n    return int(text)", Decision.REJECT),
        (b"return int('test_shop' in text)", Decision.REJECT),
        (b"return int('-of-' in text)", Decision.UNKNOWN),
        (b"return int(text.find('price ') > 0)", Decision.UNKNOWN),
        (b"return int('no price' in text)", Decision.ACCEPT),
        (b"return int('shop' in text)", Decision.ACCEPT),
        (b"return int(text.removeprefix('by hand') == 'shop')", Decision.ACCEPT),
        (b"return int(text in ('shop', 'by hand'))", Decision.UNKNOWN),
    ],
)
def test_capability_asks_where_names_and_texts_come_from(body: bytes, decision: Decision) -> None:
    new = OLD.replace(b"return int(text)", body)
    test = b"NAME = 'a shop'\n" + GOOD
    assert Capability().judge(submission(new, test=test)).decision is decision


def test_capability_lets_a_function_end_the_run_where_the_test_waits_for_it() -> None:
    new = OLD.replace(b"raise ValueError('no price')", b"raise SystemExit(2)")
    waiting = b"def test_price():\n    with pytest.raises(SystemExit):\n        price('')\n"
    assert Capability().judge(submission(new)).decision is Decision.REJECT
    assert Capability().judge(submission(new, test=waiting)).decision is Decision.ACCEPT


@pytest.mark.parametrize(
    "test",
    [
        b"def test_price():\n    pass\n",
        b"def test_price():\n    price('5.5')\n    assert True\n",
        b"def test_price():\n    try:\n        assert price('5.5') == 550\n    except Exception:\n        pass\n",
        b"def test_price():\n    with patch('shop.price', return_value=550):\n        assert price('5.5') == 550\n",
        b"def test_price():\n    assert price('5.5') == price('5.5')\n",
    ],
)
def test_fake_tests_do_not_vouch(test: bytes) -> None:
    evidence = TestQuality().judge(submission(test=test))
    assert evidence.decision is Decision.UNKNOWN
    assert "test_price" in evidence.witness
    assert "price" in evidence.question
    assert dict(evidence.measurements)["vouching"] == 0


def test_one_vouching_test_is_enough() -> None:
    test = GOOD + b"def test_fake():\n    pass\n"
    evidence = TestQuality().judge(submission(test=test, failing=(TEST, "test_shop.py::test_fake")))
    assert evidence.decision is Decision.ACCEPT
    assert dict(evidence.measurements) == {
        "failing": 2,
        "vouching": 1,
        "T01": "test_shop.py::test_fake, line 4: The test has an empty body.",
    }


@pytest.mark.parametrize(
    ("line_map", "decision"),
    [
        ((), Decision.ACCEPT),
        (((TEST, ((PATH, frozenset({4, 5, 7})),)),), Decision.ACCEPT),
        (((TEST, ((PATH, frozenset({1, 4})),)),), Decision.UNKNOWN),
        (((TEST, ()),), Decision.UNKNOWN),
        (((TestId("test_shop.py::test_other"), ()),), Decision.ACCEPT),
    ],
)
def test_a_test_that_does_not_run_the_function_does_not_vouch(line_map: LineMap, decision: Decision) -> None:
    evidence = TestQuality().judge(submission(line_map=line_map))
    assert evidence.decision is decision
    assert ("T16" in dict(evidence.measurements)) is (decision is Decision.UNKNOWN)


@pytest.mark.parametrize(("held", "decision"), [("check_price", Decision.UNKNOWN), ("shop.price", Decision.ACCEPT)])
def test_a_change_of_a_file_that_holds_tests_is_no_evidence(held: str, decision: Decision) -> None:
    asked = submission()
    beside = TestResult(TestId(f"{PATH}::{held}"), Outcome.PASSED, Phase.CALL, 0.0)
    evidence = TestQuality().judge(replace(asked, baseline=replace(asked.baseline, outcomes=(beside,))))
    assert evidence.decision is decision
    assert ("holds tests itself" in evidence.claim) is (decision is Decision.UNKNOWN)


def test_a_doctest_whose_examples_the_patch_rewrites_does_not_vouch() -> None:
    doctest = f"{PATH}::shop.price"
    new = NEW.replace(b"    if not", b'    """\n    >>> price("5")\n    5\n    """\n    if not')
    evidence = TestQuality().judge(submission(new=new, failing=(doctest,)))
    assert evidence.decision is Decision.UNKNOWN
    assert "examples" in evidence.witness
    assert TestQuality().judge(submission(failing=(doctest,))).decision is Decision.ACCEPT
    assert TestQuality().judge(submission(new=new, failing=(doctest, TEST))).decision is Decision.ACCEPT


def test_a_test_without_text_vouches_and_that_is_said() -> None:
    evidence = TestQuality().judge(submission(failing=("test_shop.py::TestMade::test_x", "elsewhere.py::test_y")))
    assert evidence.decision is Decision.ACCEPT
    (said,) = evidence.not_checked
    assert said.startswith("smells of test_shop.py::TestMade::test_x, elsewhere.py::test_y (no text of their own")


def test_without_a_failing_test_nothing_vouches() -> None:
    assert TestQuality().judge(submission(failing=())).decision is Decision.UNKNOWN


@pytest.mark.parametrize(("ran", "decision"), [({3, 4}, Decision.ACCEPT), ({3}, Decision.UNKNOWN)])
def test_a_failing_test_whose_assertions_never_run_does_not_vouch(ran: set[int], decision: Decision) -> None:
    test = b"from shop import price\ndef test_price():\n    for each in price('5.5'):\n        assert each == 550\n"
    lines: LineMap = ((TEST, ((TESTS, frozenset(ran)),)),)
    sandbox = FakeSandbox(lambda *_: run_of({TEST: Outcome.PASSED}, lines))
    evidence = TestQuality(PatchedRun(sandbox, Limits())).judge(submission(test=test))
    assert evidence.decision is decision
    assert ("T28" in dict(evidence.measurements)) is (decision is Decision.UNKNOWN)


def test_assertions_of_a_test_that_does_not_pass_say_nothing() -> None:
    for run in (run_of({TEST: Outcome.FAILED}), InvalidRun(RunFault.TIMEOUT, "time is up")):
        sandbox = FakeSandbox(lambda *_, run=run: run)
        assert TestQuality(PatchedRun(sandbox, Limits())).judge(submission()).decision is Decision.ACCEPT
