"""Whose turn it is: one function to its end, then what is said to be at fault, and what was denied never again."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence

import pytest
from fakes.diagnosed import diagnosis_of

from analysis.facts import FunctionId, Suspect
from analysis.functions import FunctionSpan, find_function, functions_of
from repair.hunt.candidate_streams import (
    AROUND,
    CandidateStream,
    Opening,
    PatientTurns,
    open_streams,
    reachable_suspects,
)
from repair.records.plan import Localized
from repair.records.ports import Context
from repair.records.task import PatchPlan, Pause, Strategy
from transforms.patch.apply import apply_update
from transforms.tree.proposal import Proposal
from transforms.tree.scope import EditScope

PATH = "box.py"
SOURCE = b"""\
def first(n):
    return n + 1


def second(n):
    return n + 2


def outer(n):
    class Held:
        def inner(self, n):
            return n + 3

    return Held().inner(n)


def beyond(n):
    return n + 4
"""
SPANS = functions_of(PATH, SOURCE)


def named(name: str) -> FunctionId:
    span = find_function(SPANS, name)
    assert span is not None
    return span.function


def localized(*names: str) -> Localized:
    suspects = tuple(Suspect(named(name), 1.0 / n, ("ran",)) for n, name in enumerate(names, 1))
    return Localized((diagnosis_of(),), suspects, (), {PATH: SPANS})


class Teller:
    """Says of each function what is written down: a number makes an edit of it, a name sends elsewhere."""

    name = "teller"
    eager = False

    def __init__(self, **said: Sequence[int | str]) -> None:
        self._said = said

    def propose(self, plan: PatchPlan, context: Context) -> Iterator[Proposal | Pause]:
        for each in self._said.get(plan.function.qualname.rpartition(".")[2], ()):
            if isinstance(each, str):
                yield Pause(elsewhere=named(each))
            else:
                (old,) = [f"n + {k}" for k in range(5) if f"n + {k}".encode() in context.scope.text]
                made = apply_update(context.scope, old, f"n - {each}")
                assert isinstance(made, Proposal)
                yield made


def turns(found: Localized, *tellers: Teller, at_once: int = 1) -> tuple[list[str], list[FunctionId]]:
    """The functions in the order in which edits of them came, and those that were denied.

    So many are asked ``at_once``; each has one turn after the other.
    """

    def context(scope: EditScope, span: FunctionSpan) -> Context:
        return Context(scope, SOURCE, (), "", 0, tuple, lambda: 60.0)

    opening = Opening(found, {PATH: SOURCE}, context)
    streams, refused = open_streams(opening, opening.localized.suspects, tellers)
    assert refused == []

    def another(stream: CandidateStream, suspect: Suspect) -> CandidateStream:
        (opened,) = opening.open_streams(suspect, (stream.proposer,))
        assert isinstance(opened, CandidateStream)
        return opened

    denied: list[FunctionId] = []
    asked = PatientTurns(streams, found, another, denied)
    lanes = [asked.draw(lambda: False, streams) for _ in range(at_once)]
    drawn = [each for row in itertools.zip_longest(*lanes) for each in row if each is not None]
    return [stream.span.name for stream, proposal in drawn if proposal is not None], denied


def test_one_function_is_asked_about_to_its_end_and_then_the_next():
    assert turns(localized("first", "second"), Teller(first=(1, 2, 3), second=(1,)))[0] == [*["first"] * 3, "second"]


def test_the_function_that_is_said_to_be_at_fault_comes_next():
    found = localized("first", "second", "outer")
    order, denied = turns(found, Teller(first=("outer", 1), second=(1,), outer=(1,)))
    assert order == ["outer", "second"]
    assert denied == [named("first")]


def test_nobody_goes_back_to_what_was_denied():
    found = localized("first", "second")
    order, denied = turns(found, Teller(first=(1, "second", 2), second=("first", 1)))
    assert order == ["first"]
    assert denied == [named("first"), named("second")]


def test_a_suspect_far_down_gets_a_stream_when_it_is_named():
    names = ("first", "second", "beyond")
    far = localized(*names)
    near = Localized(far.diagnoses, far.suspects, (), far.index)
    order, _ = turns(near, Teller(first=("beyond",), beyond=(1,), second=(1,)))
    assert order == ["beyond", "second"]


def test_a_function_around_a_suspect_may_be_edited_though_no_test_runs_it():
    found = localized("outer.Held.inner", "second")
    reachable = reachable_suspects(found, named("outer.Held.inner"))
    assert [s.function.qualname for s in reachable] == ["outer.Held.inner", "outer", "second"]
    assert reachable[1].reasons == (AROUND,)
    assert [s.function.qualname for s in reachable_suspects(found, named("second"))] == ["outer.Held.inner", "second"]
    order, _ = turns(found, Teller(inner=("outer",), outer=(1,)))
    assert order == ["outer"], "the scope is the whole of it"


def test_a_function_that_nothing_speaks_for_is_not_opened():
    order, denied = turns(localized("first", "second"), Teller(first=("beyond",), beyond=(1,), second=(2,)))
    assert order == ["second"]
    assert denied == [named("first")]


def test_a_proposer_has_the_share_that_earlier_runs_give_it_and_else_its_own():
    found, plain = localized("first"), Teller()

    def context(scope: EditScope, span: FunctionSpan) -> Context:
        return Context(scope, SOURCE, (), "", 0, tuple, lambda: 60.0)

    def weight(strategy: Strategy) -> float:
        opening = Opening(found, {PATH: SOURCE}, context, lambda plan, sources: strategy)
        ((stream,), _) = open_streams(opening, found.suspects, (plain,))
        return stream.weight

    assert weight(Strategy({"teller": 0.25})) == weight(Strategy()) / 4
    assert weight(Strategy({"another": 0.25})) == weight(Strategy())


def test_two_at_once_are_about_two_functions_each_to_its_end():
    found = localized("first", "second", "beyond")
    order, _ = turns(found, Teller(first=(1, 2, 3), second=(1,), beyond=(1,)), at_once=2)
    assert order == ["first", "second", "first", "first", "beyond"]


def test_a_function_that_is_being_asked_about_is_not_asked_twice_when_it_is_named():
    found = localized("first", "second", "beyond")
    order, denied = turns(found, Teller(first=("second",), second=(1, 2, 3), beyond=(1,)), at_once=2)
    assert sorted(order) == ["beyond", "second", "second", "second"]
    assert denied == [named("first")]


@pytest.mark.parametrize("at_once", [1, 2, 3])
def test_who_is_asked_behind_another_is_not_asked_beside_it(at_once: int) -> None:
    order: list[str] = []

    class Noting(Teller):
        def propose(self, plan: PatchPlan, context: Context) -> Iterator[Proposal | Pause]:
            for each in super().propose(plan, context):
                order.append(self.name)
                yield each

    class Agent(Noting):
        name = "agent"

    turns(localized("first"), Noting(first=(1, 2)), Agent(first=(3,)), at_once=at_once)
    assert order == ["teller", "teller", "agent"]
