"""The proposer of synthesized values: what it asks, when, and what it says where there is nothing to propose."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest
from fakes.places import PAGES, scope_of

from analysis.facts import FunctionId, Suspect
from analysis.synthesis import Forced, Query, Settled, WantedValue
from repair.proposers.synthesis import FORCING, LEAST_RUNS, SETTLING, SynthesisProposer
from repair.records.ports import Context, Proposer, Values
from repair.records.task import PatchPlan, Pause
from transforms.tree.proposal import EditKind, Proposal


class Told:
    """Answers from a table: which places are wanted, by their text, and what is found for them."""

    def __init__(
        self, found: dict[str, tuple[str, ...]] | None = None, said: str = "", late: str = "", runs: int = 42
    ) -> None:
        self._found, self._said, self._late, self._runs = found or {}, said, late, runs
        self.asked: list[str] = []

    def force(self, ask: Query) -> Callable[[], Forced]:
        self.asked.append("force")
        wanted = tuple(WantedValue(place.number, place.text) for place in ask.places if place.text in self._found)
        return lambda: Forced(wanted, self._runs, self._said)

    def settle(self, ask: Query, wanted: Sequence[WantedValue]) -> Callable[[], Settled]:
        self.asked.append("settle")
        return lambda: Settled(tuple((each.place, self._found[each.told]) for each in wanted), self._late)


def drawn(values: Values | None, source: str = PAGES, seconds: float = 60.0) -> list[Proposal | Pause]:
    scope = scope_of(source)
    plan = PatchPlan(Suspect(scope.function, 1.0, ()), (), tuple(EditKind), "")
    context = Context(scope, source.encode(), (), "", 0, lambda: (), lambda: seconds, values)
    return list(SynthesisProposer().propose(plan, context))


def test_conforms() -> None:
    proposer: Proposer = SynthesisProposer()
    values: Values = Told()
    assert (proposer.name, proposer.eager) == ("synthesis", True)
    assert values is not None


def test_others_are_tried_while_it_waits() -> None:
    told = Told({"size < 1": ("size <= start",)})
    first, second, proposal = drawn(told)
    assert (first, second) == (Pause(FORCING), Pause(SETTLING, decides=True))
    assert isinstance(proposal, Proposal)
    assert (proposal.origin.proposer, proposal.origin.operator) == ("synthesis", "synthesized_condition")
    assert told.asked == ["force", "settle"]


@pytest.mark.parametrize(
    ("told", "said", "decides"),
    [
        (Told(), "no value at one place mends the failing tests, after 42 runs", False),
        (Told(runs=LEAST_RUNS - 1), "no value at one place mends the failing tests, after 19 runs", None),
        (Told(said="needs a fresh import"), "needs a fresh import", None),
        (Told({"size < 1": ()}), "nothing in scope gives what the failing tests want of `size < 1`", True),
        (Told({"size < 1": ("exec('1')",)}), "nothing in scope gives what the failing tests want of `size < 1`", True),
        (Told({"size < 1": ()}, late="it ended early: time is up"), "it ended early: time is up", True),
    ],
)
def test_it_says_why_there_is_nothing(told: Told, said: str, decides: bool | None) -> None:
    *_, last = given = drawn(told)
    assert isinstance(last, Pause)
    assert last.said == said
    assert [pause.decides for pause in given if isinstance(pause, Pause) and pause.decides is not None] == (
        [] if decides is None else [decides]
    )


@pytest.mark.parametrize(
    ("values", "source", "seconds", "said"),
    [
        (None, PAGES, 60.0, "there was no time to ask"),
        (Told(), PAGES, 1.0, "there was no time to ask"),
        (Told(), "def f():\n    pass\n", 60.0, "the failing tests run no condition or value of it"),
    ],
)
def test_nothing_is_asked_in_vain(values: Told | None, source: str, seconds: float, said: str) -> None:
    assert drawn(values, source, seconds) == [Pause(said=said)]
    assert values is None or values.asked == []


def test_a_function_is_named_by_its_place() -> None:
    proposal = drawn(Told({"full": ("full + 1",)}))[-1]
    assert isinstance(proposal, Proposal)
    assert proposal.function == FunctionId("m.py", "pages", 4)
    assert "full + 1" in proposal.explanation
