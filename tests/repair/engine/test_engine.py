"""The whole loop on toy programs: every word that it can end with, and what stands behind it."""

from dataclasses import replace
from itertools import count
from threading import Event

import pytest
from fakes.engines import all_gates, engine_of
from fakes.proposers import Rewrites
from fakes.sandbox import FakeSandbox
from fakes.toy import ToySandbox

from analysis.errors import ModelError, OutOfTimeError, UsageError
from analysis.facts import (
    CollectionError,
    Frame,
    InvalidRun,
    Outcome,
    Phase,
    RunFault,
    SeenError,
    TestResult,
    TestRun,
)
from repair.engine.deciding import MOST_JUDGED
from repair.engine.engine import Engine
from repair.hunt.search_result import SearchResult
from repair.observe.parsing import ParseProblem
from repair.records.result import Counts, Status
from repair.records.task import Budget, RepairTask
from repair.records.verdict import CORE_GATES, Decision, Evidence
from repair.trials.run_time import TimeIsUp

SHOP = b'''"""A shop."""


def price(count):
    if count < 0:
        raise ValueError(count)
    return count + 3


def label(text):
    return text.strip()
'''
TESTS = b"""from shop import label, price


def test_price():
    assert price(3) == 9


def test_prices():
    assert price(5) == 15
    assert price(0) == 0


def test_half():
    assert price(1.5) == 4.5


def test_negative():
    try:
        price(-1)
    except ValueError as problem:
        assert problem.args == (-1,)
    else:
        raise AssertionError("no error")


def test_label():
    assert label(" a ") == "a"
"""
FAILING = ("test_shop.py::test_price", "test_shop.py::test_prices")
GOOD = ("count + 3", "count * 3")
BAD = ("count + 3", "count - 3")
HALF = ("count + 3", "int(count) * 3")
HEAD = "def price(count):\n    if count < 0:\n        raise ValueError(count)\n"
LITERAL = f"{HEAD}    return {{3: 9, 5: 15, 0: 0, 1.5: 4.5}}[count]\n"


class Fixed:
    """A gate that says one thing."""

    def __init__(self, decision, name="fixes"):
        self.name, self._decision = name, decision

    def judge(self, submission):
        decision = self._decision if isinstance(self._decision, Decision) else self._decision(submission)
        return Evidence(self.name, decision, "it was told so")


def engine(*proposers, shop=SHOP, tests=TESTS, gates=all_gates, sandbox=None, events=None, **given):
    sandbox = sandbox or ToySandbox((("shop.py", shop), ("test_shop.py", tests)))
    given = given if events is None else {"listen": events.append, **given}
    if callable(gates):
        return engine_of(sandbox, proposers, gates(sandbox), gates_over=gates, **given)
    return engine_of(sandbox, proposers, gates, **given)


def task(*tests, **given):
    return RepairTask("/project", tests, **given)


def fixed(*edits, **given):
    return engine(Rewrites({"price": edits}), **given).fix(task())


def test_a_fix_with_all_the_evidence_is_certified():
    ending = fixed(BAD, GOOD)
    assert ending.status is Status.CERTIFIED, ending.judged
    (judged,) = ending.judged
    assert [e.gate for e in judged.verdict.evidence] == list(CORE_GATES)
    assert all(e.decision is Decision.ACCEPT for e in judged.verdict.evidence)
    assert judged.submission.candidate.files == (("shop.py", SHOP.replace(b"+ 3", b"* 3")),)
    assert judged.submission.baseline.failing == FAILING
    assert ending.plan is not None
    assert (ending.counts.candidates, ending.counts.plausible) == (2, 1)


class Shuffleless(ToySandbox):
    """A suite that dies when its order is another."""

    def run(self, tests, files=(), *, shuffle=None, **given):
        if shuffle == 1 and not files:  # seed 0 of the baseline
            return InvalidRun(RunFault.SIGNAL, "died of SIGSEGV")
        return super().run(tests, files, shuffle=shuffle, **given)


def test_a_baseline_run_without_a_result_is_told_with_the_answer():
    events = []
    ending = fixed(GOOD, sandbox=Shuffleless((("shop.py", SHOP), ("test_shop.py", TESTS))), events=events)
    (said,) = ending.warnings
    assert said == "the unpatched suite in another order gave no result: died of SIGSEGV"
    assert said in [dict(e.fields)["message"] for e in events if e.type == "warning"]
    assert any(said in e.not_checked for e in ending.judged[0].verdict.evidence)


class Unsteady(ToySandbox):
    """These tests pass in another order."""

    passing = FAILING[1:]

    def run(self, tests, files=(), *, shuffle=None, **given):
        run = super().run(tests, files, shuffle=shuffle, **given)
        if shuffle != 1 or files:
            return run
        changed = (replace(r, outcome=Outcome.PASSED) if r.test in self.passing else r for r in run.results)
        return replace(run, results=tuple(changed))


def test_what_fails_no_more_in_a_later_run_is_not_searched_for():
    events = []
    ending = fixed(BAD, GOOD, sandbox=Unsteady((("shop.py", SHOP), ("test_shop.py", TESTS))), events=events)
    (judged,) = ending.judged
    assert judged.submission.baseline.failing == FAILING[:1]
    (told,) = [dict(e.fields) for e in events if e.type == "baseline"]
    assert (told["failing"], told["flaky"]) == (1, 1)


def test_where_all_that_failed_is_flaky_nothing_is_judged():
    class Flaky(Unsteady):
        passing = FAILING

    ending = fixed(GOOD, sandbox=Flaky((("shop.py", SHOP), ("test_shop.py", TESTS))))
    assert (ending.status, ending.judged) == (Status.FLAKY, ())


@pytest.mark.parametrize(("eager", "runs"), [(True, 1), (False, 3)])
def test_a_search_begins_after_the_first_run_and_who_is_paid_is_asked_after_all_of_them(eager, runs):
    held = Event()

    class Slow(ToySandbox):
        ended = 0

        def run(self, tests, files=(), *, shuffle=None, **given):
            if self.runs and eager and not files:
                assert held.wait(60), "nobody searches meanwhile"
            run = super().run(tests, files, shuffle=shuffle, **given)
            self.ended += 1
            return run

    sandbox = Slow((("shop.py", SHOP), ("test_shop.py", TESTS)))
    seen = []

    def before():
        seen.append(sandbox.ended)
        held.set()

    proposer = Rewrites({"price": [GOOD]}, eager=eager, before=before)
    ending = engine(proposer, sandbox=sandbox).fix(task())
    assert ending.status is Status.CERTIFIED or not eager
    (judged,) = ending.judged  # where nobody but who is paid proposes, no rivals are looked for, and that is a doubt
    doubts = [doubt.feature for each in judged.verdict.evidence for doubt in each.doubts]
    assert doubts == ([] if eager else ["rivals_unsought"])
    assert seen[0] == runs


ELSEWHERE = b"""from shop import price


def test_half():
    assert price(1.5) == 4.5
"""


@pytest.mark.parametrize("edits", [(HALF, GOOD), (HALF,)])
def test_what_the_tests_of_other_files_say_is_known_when_the_whole_suite_is(edits, monkeypatch):
    """Their run ends when the search, which began with the files of the failing test, has found a wrong patch."""
    found, events = Event(), []

    class Slow(ToySandbox):
        def run(self, tests, files=(), *, shuffle=None, **given):
            assert tests or files or found.wait(60), "nobody searches meanwhile"
            return super().run(tests, files, shuffle=shuffle, **given)

    def heard(told):
        events.append(told)
        if told.type == "found":
            found.set()

    monkeypatch.setattr("repair.engine.engine.PATIENCE", 0.0)
    near = TESTS.replace(
        b"""def test_half():
    assert price(1.5) == 4.5


""",
        b"",
    )
    sandbox = Slow((("shop.py", SHOP), ("test_other.py", ELSEWHERE), ("test_shop.py", near)))
    ending = engine(Rewrites({"price": edits}), sandbox=sandbox, listen=heard).fix(task(*FAILING))
    assert ending.status is (Status.CERTIFIED if GOOD in edits else Status.UNREPAIRED)
    (told,) = [dict(e.fields) for e in events if e.type == "baseline"]
    assert (told["tests"], told["failing"]) == (5, 2)
    if ending.judged:
        assert b"count * 3" in ending.judged[0].submission.candidate.text
        assert not ending.judged[0].submission.baseline.partial


def test_where_time_is_up_while_finds_are_screened_again_they_stay(monkeypatch):
    found = Event()

    class Slow(ToySandbox):
        def run(self, tests, files=(), *, shuffle=None, **given):
            assert tests or files or found.wait(60), "nobody searches meanwhile"
            return super().run(tests, files, shuffle=shuffle, **given)

    def breaks(screen, trial, span):
        raise OutOfTimeError("The time for the whole run is up")

    monkeypatch.setattr("repair.engine.engine.PATIENCE", 0.0)
    monkeypatch.setattr("repair.trials.screening.Screen.breaks", breaks)
    sandbox = Slow((("shop.py", SHOP), ("test_other.py", ELSEWHERE), ("test_shop.py", TESTS)))
    made = engine(Rewrites({"price": (GOOD,)}, before=found.set), sandbox=sandbox)
    assert made.fix(task(*FAILING)).judged


def test_a_run_that_is_broken_off_does_not_wait_for_what_goes_on_beside_it():
    stopped = Event()

    class Slow(ToySandbox):
        def run(self, tests, files=(), *, shuffle=None, **given):
            assert shuffle is None or stopped.wait(60), "it is waited for"
            return super().run(tests, files, shuffle=shuffle, **given)

    sandbox = Slow((("shop.py", SHOP), ("test_shop.py", TESTS)))
    broken = Rewrites({"price": [BAD]}, fails=ZeroDivisionError())
    with pytest.raises(ZeroDivisionError):
        engine(broken, sandbox=sandbox, stop=stopped.set).fix(task())
    assert stopped.is_set()


@pytest.mark.parametrize("ask", [Engine.fix, Engine.explain])
def test_what_goes_on_beside_ends_where_one_of_the_further_runs_breaks(ask):
    stopped = []

    class Broken(ToySandbox):
        def run(self, tests, files=(), *, shuffle=None, **given):
            if shuffle is not None:
                raise ZeroDivisionError
            return super().run(tests, files, shuffle=shuffle, **given)

    sandbox = Broken((("shop.py", SHOP), ("test_shop.py", TESTS)))
    made = engine(Rewrites({}), sandbox=sandbox, stop=lambda: stopped.append(True))
    assert made.judging.stop is made.stop
    with pytest.raises(ZeroDivisionError):
        ask(made, task())
    assert stopped == [True]


def test_nothing_stays_open():
    sandbox = ToySandbox((("shop.py", SHOP), ("test_shop.py", TESTS)))
    engine(Rewrites({"price": [BAD, GOOD]}), sandbox=sandbox).fix(task())
    assert sandbox.open == 0


@pytest.mark.parametrize("gate", CORE_GATES)
def test_nothing_is_certified_without_every_core_gate(gate):
    others = tuple(Fixed(Decision.ACCEPT, name) for name in CORE_GATES if name != gate)
    assert fixed(GOOD, gates=others).status in (Status.PLAUSIBLE, Status.REJECTED)
    assert fixed(GOOD, gates=(*others, Fixed(Decision.ACCEPT, gate))).status is Status.CERTIFIED


def test_a_patch_that_answers_the_tests_is_not_certified():
    ending = fixed(LITERAL)
    assert ending.status in (Status.PLAUSIBLE, Status.REJECTED)
    assert {e.gate for e in ending.judged[0].verdict.evidence if e.decision is not Decision.ACCEPT}


def test_weak_tests_leave_a_doubt_with_its_input_that_is_asked_about_or_listed():
    weak = b"from shop import label, price\n\n\ndef test_price():\n    assert price(0) == 0\n\n\n"
    weak += b"def test_label():\n    assert label(' a ') == 'a'\n"
    ending = fixed(GOOD, tests=weak)
    evidence = ending.judged[0].verdict.evidence
    asked = any("price(" in e.witness and e.question for e in evidence if e.decision is Decision.UNKNOWN)
    listed = any("an input tells" in line and "price(" in line for e in evidence for line in e.not_checked)
    assert asked or listed


def test_a_rival_that_an_input_tells_apart_is_a_doubt():
    weak = b"from shop import price\n\n\ndef test_price():\n    assert price(3) == 9\n\n\n"
    weak += b"def test_negative():\n    try:\n        price(-1)\n    except ValueError:\n        pass\n"
    ending = fixed(GOOD, ("count + 3", "count + 6"), tests=weak)
    assert ending.status is Status.PLAUSIBLE
    (judged,) = ending.judged  # the other one would be no better
    assert len(judged.submission.rivals) == 1


def test_the_search_for_rivals_is_counted_by_itself(monkeypatch):
    def around(*_, **__):
        return SearchResult((), Counts(candidates=9, distinct=9, executed=7, remembered=2))

    monkeypatch.setattr("repair.engine.choosing.search_rivals", around)
    counts = fixed(GOOD).counts
    assert (counts.executed, counts.remembered, counts.rivals) == (1, 0, 7)


def test_what_an_input_tells_of_one_is_not_asked_of_its_rivals():
    weak = b"from shop import price\n\n\ndef test_price():\n    assert price(3) == 9\n"
    (judged,) = fixed(GOOD, ("count + 3", "count + 6"), tests=weak).judged
    assert [e.gate for e in judged.verdict.evidence] == list(CORE_GATES)
    # Which doubt is the heaviest hangs on the numbers that Hypothesis draws.
    (told,) = [each for each in judged.verdict.evidence[-1].doubts if each.feature == "told_by_candidate"]
    assert told.witness.startswith("price(")


def test_what_its_text_rejects_is_no_rival():
    def decide(submission):
        return Decision.REJECT if b"+ 6" in submission.candidate.text else Decision.ACCEPT

    weak = b"from shop import price\n\n\ndef test_price():\n    assert price(3) == 9\n"
    others = tuple(Fixed(Decision.ACCEPT, name) for name in CORE_GATES if name != "capability")
    ending = fixed(GOOD, ("count + 3", "count + 6"), tests=weak, gates=(Fixed(decide, "capability"), *others))
    assert ending.status is Status.CERTIFIED
    assert ending.judged[0].submission.rivals == ()


def test_the_best_verdict_comes_first():
    def decide(submission):
        return Decision.ACCEPT if b"3 * count" in submission.candidate.text else Decision.REJECT

    ending = fixed(GOOD, ("count + 3", "3 * count"), gates=(Fixed(decide),))
    assert ending.status is Status.PLAUSIBLE
    assert [j.verdict.status.value for j in ending.judged] == ["plausible", "rejected"]


def test_rejected_when_a_gate_says_no():
    ending = fixed(GOOD, gates=(Fixed(Decision.REJECT),))
    assert ending.status is Status.REJECTED
    assert ending.judged[0].verdict.evidence[0].claim == "it was told so"


def test_rejected_candidates_do_not_end_the_search_for_a_better_one():
    def decide(submission):
        return Decision.ACCEPT if b"* 3.0" in submission.candidate.text else Decision.REJECT

    others = [("count + 3", f"count * 3 {'+ 0 ' * n}") for n in range(1, MOST_JUDGED + 2)]
    ending = fixed(*others, ("count + 3", "count * 3.0"), gates=(Fixed(decide),))
    assert ending.status is Status.PLAUSIBLE
    assert len(ending.judged) == MOST_JUDGED + 2


def test_not_all_doubtful_candidates_are_judged():
    many = [("count + 3", f"count * 3 + {n} * count * (count - 3) * (count - 5) * (count - 1.5)") for n in range(7)]
    assert len(fixed(*many, gates=(Fixed(Decision.UNKNOWN),)).judged) == MOST_JUDGED


def test_when_time_is_up_one_candidate_is_judged_all_the_same():
    now = count(0, 1.0)
    edits = [GOOD, ("count + 3", "3 * count")]
    made = engine(Rewrites({"price": edits}), gates=(Fixed(Decision.UNKNOWN),), clock=lambda: next(now))
    assert len(made.fix(task(budget=Budget(max_seconds=25))).judged) == 1


def test_unrepaired_says_what_was_tried():
    ending = fixed(BAD)
    assert ending.status is Status.UNREPAIRED
    assert ending.judged == ()
    assert "1 candidates were tried" in ending.messages[0]
    assert any("exhausted" in line for line in ending.messages)
    assert "--function" in ending.next_action


@pytest.mark.parametrize(("budget", "said"), [(Budget(max_candidates=0), True), (Budget(), False)])
def test_a_search_that_was_over_before_it_began_says_so(budget, said):
    ending = engine(Rewrites({"price": [BAD]})).fix(task(budget=budget))
    assert ending.status is Status.UNREPAIRED
    assert any("before the search began" in line for line in ending.messages) is said


def test_nobody_is_told_to_name_the_function_who_has():
    ending = engine(Rewrites({"price": [BAD]})).fix(task(function="price"))
    assert ending.status is Status.UNREPAIRED
    assert "ask a model with --model" in ending.next_action
    assert "--function" not in ending.next_action


def test_a_model_that_fails_ends_the_run_with_all_that_was_seen():
    ending = engine(Rewrites({}, eager=False, fails=ModelError("no credit"))).fix(task())
    assert ending.status is Status.MODEL_ERROR
    assert ending.messages[0] == "no credit."
    assert ending.diagnoses
    assert ending.suspects


def test_a_function_that_is_not_there_is_a_usage_error_before_any_test_is_run():
    heard = []
    with pytest.raises(UsageError, match="nowhere"):
        engine(Rewrites({}), events=heard).fix(task(function="nowhere"))
    assert not heard


def test_a_named_function_is_the_only_one_that_is_tried():
    proposer = Rewrites({"price": [GOOD], "label": [("text.strip()", "text")]})
    ending = engine(proposer).fix(task(function="label"))
    assert {function.qualname for function in proposer.asked} == {"label"}
    assert ending.status is not Status.CERTIFIED


TWO = SHOP.replace(b"text.strip()", b"text.lower()")


def test_each_cause_is_mended_or_said_to_be_left():
    ending = fixed(GOOD, shop=TWO)
    assert ending.status is Status.UNREPAIRED
    price, label = ending.causes
    assert (price.tests, price.ending.status) == (FAILING, Status.CERTIFIED)
    assert (label.tests, label.ending.status) == (("test_shop.py::test_label",), Status.UNREPAIRED)
    assert ending.messages[0] == "1 of 2 causes has a patch: 1 certified"
    assert any("test_label" in line and "none is plausible" in line for line in ending.messages)
    assert not ending.warnings


STOCK = b"""def price(count):
    if count < 0:
        return 0
    return count + 3


def dearest(count):
    return price(count)
"""
STOCK_TESTS = b"""from shop import dearest, price


def test_dearest():
    assert dearest(3) == 9


def test_five():
    assert price(5) == 15
    assert price(0) == 0
""" + b"".join(b"\n\ndef test_same_%d():\n    assert price(1.5) == 4.5\n" % n for n in range(20))


def test_what_mends_the_tests_of_another_function_too_comes_first_and_is_no_rival_to_less():
    edits = {"dearest": [("price(count)", "price(count) + 3")], "price": [GOOD]}
    ending = engine(Rewrites(edits), shop=STOCK, tests=STOCK_TESTS).fix(task())
    assert ending.counts.plausible == 2
    assert ending.status is Status.CERTIFIED, ending.judged
    submission = ending.judged[0].submission
    assert submission.candidate.function.qualname == "price"
    assert submission.baseline.failing == ("test_shop.py::test_dearest", "test_shop.py::test_five")
    assert not ending.warnings


@pytest.mark.parametrize("named", [(), (*FAILING, "test_shop.py::test_label")])
def test_where_the_first_cause_cannot_be_mended_the_next_one_is(named):
    edits = {"price": [BAD], "label": [("text.lower()", "text.strip()")]}
    ending = engine(Rewrites(edits), shop=TWO).fix(task(*named))
    words = {cause.tests: cause.ending.status for cause in ending.causes}
    assert words[FAILING] is Status.UNREPAIRED
    assert words[("test_shop.py::test_label",)] in (Status.CERTIFIED, Status.PLAUSIBLE)
    assert ending.status is Status.UNREPAIRED
    assert ending.judged[0].submission.candidate.function.qualname == "label"


def test_where_nothing_can_be_mended_all_of_it_is_said():
    ending = engine(Rewrites({"price": [BAD]}), shop=TWO).fix(task())
    assert ending.status is Status.UNREPAIRED
    assert ending.messages[0] == "0 of 2 causes have a patch"
    assert any("test_label" in line and "plausible" in line for line in ending.messages)
    assert "--function" in ending.next_action


PART = b"""def price(count):
    low, high = count + 3, count + 3
    return [low, high]
"""
PART_TESTS = b"""from shop import price


def test_first():
    assert price(5)[0] == 15


def test_second():
    assert price(5)[1] == 25


def test_kept():
    assert price(0) is not None
"""


def test_an_edit_that_mends_a_part_of_the_tests_is_the_patch_of_a_cause_of_its_own():
    half = Rewrites({"price": [("[low, high]", "[low * 2 - 1, high]")]}, where_it_fits=True)
    ending = engine(half, shop=PART, tests=PART_TESTS).fix(task())
    words = {cause.tests: cause.ending.status for cause in ending.causes}
    assert words == {
        ("test_shop.py::test_first",): Status.PLAUSIBLE,
        ("test_shop.py::test_second",): Status.UNREPAIRED,
    }
    assert ending.status is Status.UNREPAIRED


def test_only_the_wanted_tests_are_mended():
    ending = engine(Rewrites({"price": [GOOD]}), shop=TWO).fix(task("test_shop.py::test_price"))
    assert ending.judged[0].submission.baseline.failing == ("test_shop.py::test_price",)
    assert ending.warnings == ()


def test_explain_names_suspects_and_plan_and_tries_nothing():
    proposer = Rewrites({"price": [GOOD]})
    ending = engine(proposer).explain(task())
    assert ending.status is Status.DIAGNOSED
    assert ending.suspects[0].function.qualname == "price"
    assert ending.plan is not None
    assert (ending.tier, ending.tier_reason) == ("warm", "")
    assert len(ending.diagnoses) == 2
    assert proposer.asked == []


def test_a_suite_that_passes_has_nothing_to_mend():
    good = SHOP.replace(b"+ 3", b"* 3")
    assert engine(shop=good).fix(task()).status is Status.NOTHING_FAILS
    assert engine(shop=good).fix(task("test_shop.py::test_price")).status is Status.NOT_REPRODUCED


def test_a_test_whose_file_cannot_be_parsed_is_said():
    ending = engine(tests=b"def test_a(:\n").fix(task())
    assert ending.status is Status.UNPARSEABLE


@pytest.mark.parametrize(
    ("raised", "status"),
    [
        (SeenError("ConnectionRefusedError", ("ConnectionRefusedError", "ConnectionError", "OSError", "Exception"),
                "[Errno 111] Connection refused", ()), Status.ENVIRONMENT),
        (SeenError("SystemExit", ("SystemExit", "BaseException"), "the test gives up", ()), Status.TEST_DEFECT),
        (SeenError("SyntaxError", ("SyntaxError", "Exception"), "invalid syntax (shop.py, line 3)", ()),
                Status.UNPARSEABLE),
    ],
)  # fmt: skip
def test_failures_that_no_patch_can_answer(raised, status):
    result = TestResult("test_shop.py::test_a", Outcome.FAILED, Phase.CALL, 0.1, (raised,), raised.message)
    sandbox = FakeSandbox(lambda *_: TestRun((result,), (), 1, 0.1), (("shop.py", SHOP), ("test_shop.py", TESTS)))
    ending = engine(sandbox=sandbox, gates=()).fix(task())
    assert ending.status is status
    assert raised.message in ending.messages[0]
    assert [(cause.ending.status, cause.ending.suspects) for cause in ending.causes] == [(status, ())]


def test_a_module_that_cannot_be_imported_is_the_environments_or_the_syntaxs_fault():
    raised = SeenError("ModuleNotFoundError", ("ModuleNotFoundError", "ImportError"), "No module named 'numpy'", ())
    broken = TestRun((), (CollectionError("test_shop.py", (raised,), ""),), 2, 0.1)
    ending = engine(sandbox=FakeSandbox(lambda *_: broken), gates=()).fix(task())
    assert ending.status is Status.ENVIRONMENT
    assert "numpy" in ending.messages[0]


def test_a_test_that_runs_no_function_of_the_project_is_out_of_scope():
    ending = engine(tests=b"LIMIT = 3\n\n\ndef test_limit():\n    assert LIMIT == 4\n").fix(task())
    assert ending.status in (Status.OUT_OF_SCOPE, Status.TEST_DEFECT)
    assert ending.messages


def test_a_hang_that_does_not_say_what_it_runs_is_not_out_of_scope():
    hang = TestResult("test_shop.py::test_price", Outcome.HANG, Phase.CALL, 5.0)
    sandbox = FakeSandbox(lambda *_: TestRun((hang,), (), 1, 5.0), (("shop.py", SHOP), ("test_shop.py", TESTS)))
    ending = engine(sandbox=sandbox, gates=()).fix(task())
    assert ending.status is Status.UNREPAIRED
    assert "--function" in ending.messages[0]


def test_a_hang_that_was_interrupted_in_the_test_itself_is_out_of_scope():
    raised = SeenError(
        "repair.Hang", (), "", (Frame("test_shop.py", True, 2, None, None, None, "test_price", "test_price", 1),)
    )
    hang = TestResult("test_shop.py::test_price", Outcome.HANG, Phase.CALL, 5.0, (raised,))
    sandbox = FakeSandbox(lambda *_: TestRun((hang,), (), 1, 5.0), (("shop.py", SHOP), ("test_shop.py", TESTS)))
    assert engine(sandbox=sandbox, gates=()).fix(task()).status is Status.OUT_OF_SCOPE


def test_a_file_that_cannot_be_parsed_safely_is_unparseable():
    def problems(sources):
        return [ParseProblem(path, "makes the parser crash") for path, _ in sources]

    ending = fixed(GOOD, parse_problems=problems)
    assert ending.status is Status.UNPARSEABLE
    assert "shop.py" in ending.messages[0]


def test_a_suspect_in_another_file_is_still_tried():
    more = SHOP.replace(b"return count + 3", b"import tax\n    return tax.with_tax(count)")
    tax = b"def with_tax(count):\n    return count + 3\n"
    sandbox = ToySandbox((("shop.py", more), ("tax.py", tax), ("test_shop.py", TESTS)))

    def problems(sources):
        return [ParseProblem(path, "crashes") for path, _ in sources if path == "shop.py"]

    events = []
    made = engine(Rewrites({"with_tax": [GOOD]}), sandbox=sandbox, parse_problems=problems, events=events)
    ending = made.fix(task())
    assert ending.judged[0].submission.candidate.function.path == "tax.py"
    assert any("shop.py" in str(dict(e.fields)) for e in events if e.type == "warning")


def test_events_come_in_the_order_of_the_work():
    events = []
    fixed(GOOD, events=events)
    phases = [dict(e.fields)["name"] for e in events if e.type == "phase"]
    assert phases == ["baseline", "localize", "search", "gates"]
    assert [e.type for e in events if e.type in ("plan", "patch")] == ["plan", "patch"]
    assert len([e for e in events if e.type == "evidence"]) == len(CORE_GATES)


def broken_off(problem, gate="mutation"):
    """What is told of a run in which this gate raises what ends it."""

    class Late:
        name = gate

        def judge(self, submission):
            raise problem

    def gates(sandbox):
        return tuple(Late() if each.name == gate else each for each in all_gates(sandbox))

    made = engine(Rewrites({"price": (GOOD,)}), gates=gates)
    with pytest.raises(type(problem)):
        made.fix(task(*FAILING))
    return made.judging.reached.make_ending()


def test_a_candidate_that_was_shown_to_pass_is_plausible_where_the_run_is_broken_off():
    ending = broken_off(TimeIsUp())
    assert ending.status is Status.PLAUSIBLE
    (judged,) = ending.judged
    assert b"count * 3" in judged.submission.candidate.text
    unknown = [e.gate for e in judged.verdict.evidence if e.decision is Decision.UNKNOWN]
    assert unknown == ["mutation", "behaviour"]
    assert ending.counts.plausible == 1
    assert "time of the run was up" in ending.messages[-1]


@pytest.mark.parametrize("gate", ["test_quality", "fixes", "regressions"])
def test_one_that_was_not_is_no_answer_and_is_told(gate):
    ending = broken_off(TimeIsUp(), gate)
    assert ending.status is Status.UNREPAIRED
    assert not ending.judged
    assert ending.messages[0].startswith("1 plausible candidate passed the failing tests")


def test_a_search_that_is_broken_off_tells_how_far_it_came():
    made = engine(Rewrites({"price": (BAD,)}, fails=TimeIsUp()))
    with pytest.raises(TimeIsUp):
        made.fix(task(*FAILING))
    ending = made.judging.reached.make_ending()
    assert ending.status is Status.UNREPAIRED
    assert ending.counts.candidates == 1
    assert any(said.startswith("cut by the budget") for said in ending.messages)
    assert ending.suspects


def test_a_diagnosis_that_is_broken_off_behind_its_plan_stands(monkeypatch):
    def late(pool, function):
        raise TimeIsUp

    monkeypatch.setattr("repair.trials.trial_router.TrialRouter.tier_of", late)
    made = engine()
    with pytest.raises(TimeIsUp):
        made.explain(task(*FAILING))
    ending = made.judging.reached.make_ending()
    assert ending.status is Status.DIAGNOSED
    assert ending.plan is not None
