"""The search proposer: conforms to the protocol, and uses what the plan says."""

from __future__ import annotations

import ast
from dataclasses import replace
from itertools import islice

import pytest

from analysis.calls import CallInput, RecordedCall
from analysis.facts import (
    Constraint,
    ConstraintKind,
    Diagnosis,
    Failure,
    FailureClass,
    FunctionId,
    Outcome,
    Phase,
    Raised,
    Suspect,
    TestId,
)
from analysis.functions import functions_of
from analysis.trials import Trial
from repair.ports import MOST_CALLS, Context, Proposer
from repair.proposers import search
from repair.proposers.search import SearchProposer, neighbourhood
from repair.task import PatchPlan
from transforms.apply import render
from transforms.candidate import Rejected
from transforms.ingredients import ReadModule, read_module
from transforms.proposal import EditKind
from transforms.scope import open_scope

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
    def ended(name: str) -> PatchPlan:
        plan = planned()
        failure = replace(plan.diagnoses[0].failure, exceptions=(Raised(name, (name,), "", ()),))
        return replace(plan, diagnoses=(replace(plan.diagnoses[0], failure=failure),))

    assert neighbourhood(ended("shop.errors.Unpaid"), SOURCE).raised == ("Unpaid",)
    assert neighbourhood(ended("AssertionError"), SOURCE).raised == ()
    assert neighbourhood(planned(), SOURCE).raised == ()


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
    here = replace(context(), calls=lambda: (call,))
    every = [p.explanation for p in islice(SearchProposer().propose(planned(HERE), here), 600)]
    assert any("`k.strip()`" in e or ".strip()` on `k`" in e for e in every) is not late


@pytest.mark.parametrize(
    ("number", "plain", "tried"),
    [(1, True, False), (MOST_CALLS - 1, True, False), (MOST_CALLS, True, True), (1, False, True)],
)
def test_what_cannot_work_on_the_values_seen_is_never_run_where_all_calls_were_seen(
    number: int, plain: bool, tried: bool
) -> None:
    calls = [RecordedCall(TestId("t.py::test"), CallInput(f"({{1: 2}}, {n})", "{}"), True) for n in range(number)]
    calls += [] if plain else [RecordedCall(TestId("t.py::test"), CallInput("(<Table>, 1)", "{}"), False)]
    here = replace(context(), calls=lambda: tuple(calls))
    every = [p.explanation for p in SearchProposer().propose(planned(HERE), here)]
    assert any(".strip()` on `k`" in e for e in every) is tried


def test_what_the_values_seen_have_is_tried() -> None:
    """An attribute and a method that no text of the module names; what only one of the values had is not known."""
    had = (("k", ("title", "shout()", "rare")), ("k", ("title", "shout()")))
    calls = tuple(RecordedCall(TestId("t.py::test"), CallInput("(<A>,)", "{}"), False, (each,)) for each in had)
    for here, known in ((context(), False), (replace(context(), calls=lambda: calls), True)):
        every = " ".join(p.explanation for p in islice(SearchProposer().propose(planned(HERE), here), 600))
        assert ("`k.title`" in every, "`.shout()` on `k`" in every) == (known, known)
        assert "rare" not in every


def test_a_name_that_had_two_types_has_none() -> None:
    calls = tuple(
        RecordedCall(TestId("t.py::test"), CallInput(f"({{1: 2}}, {key})", "{}"), True) for key in ("1", "'a'")
    )
    late = replace(context(), calls=lambda: calls[:1])
    early = replace(context(), calls=lambda: calls)
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
