"""The search proposer: conforms to the protocol, and uses what the plan says."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace
from itertools import islice

import pytest

from analysis.calls import CallInput, Calls, RecordedCall
from analysis.facts import (
    Constraint,
    ConstraintKind,
    Diagnosis,
    Failure,
    FailureClass,
    FunctionId,
    Outcome,
    Phase,
    SeenError,
    Suspect,
    TestId,
)
from analysis.functions import functions_of
from analysis.trials import Trial
from repair.proposers import search
from repair.proposers.search import PAUSE_SECONDS, SearchProposer, neighbourhood
from repair.records.ports import Context, Proposer
from repair.records.task import PatchPlan, Pause
from transforms.ingredients.within_reach import ReadModule, read_module
from transforms.patch.apply import render
from transforms.tree.candidate import Rejected
from transforms.tree.proposal import EditKind, Proposal
from transforms.tree.scope import open_scope

SOURCE = b"def f(d, k):\n    print(k)\n    return d[k]\n"


def planned(*constraints: Constraint, kind: FailureClass = FailureClass.RUNTIME_SAFETY) -> PatchPlan:
    failure = Failure(TestId("t.py::test"), Phase.CALL, Outcome.FAILED, (), "")
    suspect = Suspect(FunctionId("m.py", "f", 1), 1.0, (), ((3, 1.0), (2, 0.5)))
    return PatchPlan(suspect, (Diagnosis(failure, kind, "key", constraints),), tuple(EditKind), "")


def context(seed: int = 0) -> Context:
    scope = open_scope(SOURCE, functions_of("m.py", SOURCE)[0])
    assert not isinstance(scope, Rejected)
    return Context(scope, SOURCE, (), "", seed, lambda: (), lambda: 1.0)


HERE = Constraint(ConstraintKind.MISSING_KEY, "d[k]", "1", "m.py", 3, "")


def test_conforms() -> None:
    proposer: Proposer = SearchProposer()
    assert proposer.name == "search"
    assert proposer.eager


def test_constraints_lead_the_stream() -> None:
    here = context()
    texts = []
    for proposal in islice(SearchProposer().propose(planned(HERE), here), 30):
        assert proposal.origin.proposer == "search"
        assert proposal.explanation == proposal.origin.detail
        trial = render(here.scope, proposal)
        assert isinstance(trial, Trial)
        texts.append(ast.unparse(ast.parse(trial.text)))
    assert "def f(d, k):\n    print(k)\n    return d.get(k)" in texts[:10]
    assert "def f(d, k):\n    print(k)\n    if k not in d:\n        return None\n    return d[k]" in texts


def test_constraints_of_other_files_are_left_out_unless_they_name_no_place_in_this_one() -> None:
    elsewhere = Constraint(ConstraintKind.MISSING_KEY, "d[k]", "1", "other.py", 3, "")
    awaited = Constraint(ConstraintKind.MISSING_RAISE, "f({}, 1)", "ValueError", "t.py", 9, "")
    near = neighbourhood(planned(HERE, elsewhere, awaited, HERE), context().module_source)
    assert near.constraints == (HERE, awaited)
    assert near.failure_class is FailureClass.RUNTIME_SAFETY
    assert near.subclass == "key"


def test_a_plan_without_diagnosis_is_searched_too() -> None:
    plan = PatchPlan(Suspect(FunctionId("m.py", "f", 1), 1.0, ()), (), tuple(EditKind), "")
    assert len(list(islice(SearchProposer().propose(plan, context()), 50))) == 50


def test_what_came_out_of_the_program_is_known() -> None:
    def ended(name: str, *handled: str) -> PatchPlan:
        plan = planned()
        behind = (SeenError(each, (each,), "", (), "context") for each in handled)
        failure = replace(plan.diagnoses[0].failure, exceptions=(SeenError(name, (name,), "", ()), *behind))
        return replace(plan, diagnoses=(replace(plan.diagnoses[0], failure=failure),))

    assert neighbourhood(ended("shop.errors.Unpaid"), SOURCE).raised == ("Unpaid",)
    assert neighbourhood(ended("AssertionError"), SOURCE).raised == ()
    assert neighbourhood(planned(), SOURCE).raised == ()
    assert neighbourhood(ended("NameError", "ZeroDivisionError"), SOURCE).raised == ("NameError", "ZeroDivisionError")


@pytest.mark.parametrize(
    ("args", "kwargs", "plain", "late"),
    [
        ("({1: 2}, 1)", "{}", True, True),
        ("({1: 2},)", "{'k': 1}", True, True),
        ("(<Table>, 1)", "{}", False, False),
        ("({1: 2}, 'a')", "{}", True, False),
        ("[", "{}", True, False),
        ("[{1: 2}, 1]", "{}", True, False),
    ],
)
def test_edits_that_cannot_work_on_the_arguments_seen_come_late(
    args: str, kwargs: str, plain: bool, late: bool
) -> None:
    call = RecordedCall(TestId("t.py::test"), CallInput(args, kwargs), plain)
    here = replace(context(), calls=lambda: Calls((call,)))
    every = [p.explanation for p in islice(SearchProposer().propose(planned(HERE), here), 600)]
    assert any("`k.strip()`" in e or ".strip()` on `k`" in e for e in every) is not late


def offered(source: str, calls: Calls, plan: PatchPlan | None = None) -> list[str]:
    """All edits of the last function of the source, likeliest first."""
    scope = open_scope(source.encode(), functions_of("shop/m.py", source.encode())[-1])
    assert not isinstance(scope, Rejected)
    here = replace(context(), scope=scope, module_source=source.encode(), calls=lambda: calls)
    plan = replace(plan or planned(), suspect=Suspect(scope.function, 1.0, (), ()))
    return [p.explanation for p in SearchProposer().propose(plan, here) if "+" not in p.origin.operator]


def given(*arguments: str, whole: bool = True, plain: bool = True) -> Calls:
    """Calls of one test with these arguments."""
    calls = (
        RecordedCall(TestId("t.py::test"), CallInput(args, "{}"), plain or n > 0) for n, args in enumerate(arguments)
    )
    return Calls(tuple(calls), whole)


PLAIN = "def f(value):\n    return value\n"
STRIPPED = "calls `.strip()` on `value`"


@pytest.mark.parametrize(
    ("source", "calls", "tried"),
    [
        (PLAIN, given("(1,)"), False),
        (PLAIN, given("(1,)", "(2,)"), False),
        (PLAIN, given("(1,)", "('a',)"), True),
        (PLAIN, given("(1,)", whole=False), True),
        (PLAIN, given("(<Table>,)", "(1,)", plain=False), True),
        (PLAIN, Calls(whole=True), True),
        # Somebody may catch what it raises, or ask beforehand.
        (
            "def f(value):\n    try:\n        return value\n    except AttributeError:\n        return ''\n",
            given("(1,)"),
            True,
        ),
        ("def f(value, lock):\n    with lock:\n        return value\n", given("(1, None)"), True),
        ("def f(value):\n    if hasattr(value, 'strip'):\n        return value\n", given("(1,)"), True),
    ],
)
def test_what_cannot_work_on_the_values_seen_is_never_run_where_that_is_sure(
    source: str, calls: Calls, tried: bool
) -> None:
    assert (STRIPPED in offered(source, calls)) is tried


def test_where_a_test_asks_for_an_exception_what_raises_is_tried() -> None:
    asked = replace(planned().diagnoses[0], failure_class=FailureClass.CONTRACT)
    plan = replace(planned(), diagnoses=(asked,))
    assert STRIPPED in offered(PLAIN, given("(1,)"), plan)


def test_what_the_values_seen_have_is_tried() -> None:
    """An attribute and a method that no text of the module names; what only one of the values had is not known."""
    had = (("k", ("title", "shout()", "rare")), ("k", ("title", "shout()")))
    calls = tuple(RecordedCall(TestId("t.py::test"), CallInput("(<A>,)", "{}"), False, (each,)) for each in had)
    for here, known in ((context(), False), (replace(context(), calls=lambda: Calls(calls)), True)):
        every = " ".join(p.explanation for p in islice(SearchProposer().propose(planned(HERE), here), 600))
        assert ("`k.title`" in every, "`.shout()` on `k`" in every) == (known, known)
        assert "rare" not in every


def test_what_the_values_seen_have_takes_the_place_of_what_stands_there() -> None:
    """Attributes and methods alike: those that read most like it come first."""
    had = (("who", ("age", "zeal", "first", "greet()", "shout()", "last()")),)
    calls = Calls((RecordedCall(TestId("t.py::test"), CallInput("(<A>,)", "{}"), False, had),))
    source = "def f(who):\n    return who.frist + who.shoot()\n"
    known, unknown = offered(source, calls), offered(source, Calls())
    attributes = [e.split("`")[1] for e in known if e.endswith("instead of `.frist`")]
    assert next(a for a in attributes if a in (".age", ".zeal", ".first")) == ".first"
    methods = [e.split("`")[1] for e in known if e.startswith("calls") and e.endswith("instead of `.shoot`")]
    assert next(m for m in methods if m in (".greet", ".shout", ".last")) == ".shout"
    assert not any("shout" in e or ".first" in e for e in unknown)


def test_a_name_that_had_two_types_has_none() -> None:
    calls = tuple(
        RecordedCall(TestId("t.py::test"), CallInput(f"({{1: 2}}, {key})", "{}"), True) for key in ("1", "'a'")
    )
    late = replace(context(), calls=lambda: Calls(calls[:1]))
    early = replace(context(), calls=lambda: Calls(calls))
    for here, is_early in ((late, False), (early, True)):
        every = [p.explanation for p in islice(SearchProposer().propose(planned(HERE), here), 600)]
        assert any("`k.strip()`" in e or ".strip()` on `k`" in e for e in every) is is_early


def test_what_is_imported_from_the_project_is_known() -> None:
    source = b"from .tax import rate_of\n\ndef f(d, k):\n    return rate_of(d)\n"
    scope = open_scope(source, functions_of("shop/m.py", source)[0])
    assert not isinstance(scope, Rejected)
    plan = replace(planned(), suspect=Suspect(scope.function, 1.0, (), ()))
    sources = {"shop/m.py": source, "shop/tax.py": b"def rate_of(country, reduced_rate=False):\n    return 1\n"}
    for texts, known in ((sources, True), ({}, False), ({**sources, "shop/tax.py": b"def rate_of(:\n"}, False)):
        here = replace(context(), scope=scope, module_source=source, sources=tuple(texts.items()))
        every = [p.explanation for p in islice(SearchProposer().propose(plan, here), 400)]
        assert any("`reduced_rate=True`" in e for e in every) is known


def test_the_seed_decides_among_equals() -> None:
    plan = planned()
    first, same, other = (
        [p.explanation for p in islice(SearchProposer().propose(plan, context(seed)), 60)] for seed in (3, 3, 4)
    )
    assert first == same
    assert first != other


def test_a_module_is_read_again_only_where_it_differs() -> None:
    proposer, here = SearchProposer(), context()
    other = replace(here, module_source=here.module_source.replace(b"print(k)", b"repr(k)"))
    firsts = [[p.explanation for p in islice(proposer.propose(planned(HERE), c), 40)] for c in (here, other, here)]
    assert firsts[0] == firsts[2] == [p.explanation for p in islice(SearchProposer().propose(planned(HERE), here), 40)]
    assert firsts[1] == [p.explanation for p in islice(SearchProposer().propose(planned(HERE), other), 40)]


def test_nothing_is_read_before_the_first_edit_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[bytes] = []

    def reading(source: bytes) -> ReadModule | None:
        read.append(source)
        return read_module(source)

    monkeypatch.setattr(search, "read_module", reading)
    proposals = SearchProposer().propose(planned(HERE), context())
    assert not read
    next(proposals)
    assert read == [context().module_source]


def test_it_pauses_where_an_edit_takes_long_to_make() -> None:
    times = iter(range(10**6))

    def drawn(seconds_left: Callable[[], float]) -> list[Proposal | Pause]:
        return list(islice(SearchProposer().propose(planned(HERE), replace(context(), seconds_left=seconds_left)), 60))

    slow = drawn(lambda: -PAUSE_SECONDS * next(times))
    quick = drawn(lambda: 1.0)
    assert any(isinstance(each, Pause) for each in slow)
    assert not any(isinstance(each, Pause) for each in quick)
    edits = [each for each in slow if isinstance(each, Proposal)]
    assert [e.explanation for e in edits] == [e.explanation for e in quick[: len(edits)] if isinstance(e, Proposal)]
