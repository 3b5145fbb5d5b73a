"""Expressions that give what failing tests want of a place, and what passing tests see there now.

They are enumerated over the states of both: Nopol (Xuan et al., 2017), SemFix (Nguyen et al., 2013), ACS (Xiong et
al., 2017).
"""

from __future__ import annotations

from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.synthesis.bottom_up import Bank, Column, Truths, matching_values
from _repair_probe.synthesis.forced_runs import Runs, fields_of_job
from _repair_probe.synthesis.forcing import MOST_STATES, truth_of
from _repair_probe.values.snapshots import MISSING, key, unpack_values

if TYPE_CHECKING:
    from collections.abc import Hashable, Iterable, Sequence

    from _repair_probe.ground.words import Fields, Send, Value, Work
    from _repair_probe.session.serving import Serving
    from _repair_probe.session.staged_items import Step
    from _repair_probe.swap.live_functions import LiveFunction
    from _repair_probe.synthesis.forced_runs import ForcedPlace, Job
    from _repair_probe.synthesis.watch import Seen

    Cells = list[tuple[int, Hashable]]

_MOST_PLACES, _MOST_FOUND = 8, 4
_CELLS = 40000


def settle(server: Serving, target: LiveFunction, request: Fields) -> Work:
    """Work for a fork: expressions that give what is wanted, and in these tests what the program gives."""

    def work(send: Send) -> None:
        runs = Runs(server, target, request)
        wanted = {int(number): unpack_values(told) for number, told in request["wanted"]}
        kept = _hits_to_keep(runs, list(wanted)) if request["record"] else {}
        places = sorted((place for place in runs.places if place.number in wanted), key=lambda place: place.new)
        for place in places[:_MOST_PLACES]:
            demand = Demand(wanted[place.number], kept.get(place.number, ()), place.decides)
            send(place=place.number, found=demand.expressions(runs, place)[:_MOST_FOUND])

    return work


def _hits_to_keep(runs: Runs, numbers: list[int]) -> dict[int, list[Seen]]:
    """The hits of places while passing tests run."""

    def job(test: Step) -> Job:
        def run() -> Fields:
            passed = runs.run_one(test, numbers)
            return {"hits": fields_of_job(runs.watch.hits)} if passed else {}

        return run

    found: dict[int, list[Seen]] = {}
    for _, line in runs.run_jobs([job(test) for test in runs.steps]):
        for place, hits in unpack_values(line["hits"]).items() if "hits" in line else ():
            found.setdefault(place, []).extend(hits)
    return found


class Demand:
    """What an expression has to give: in each failing test one of several ways, in passing states always the same."""

    states: list[dict[str, Value]]
    own: list[Value]
    _known: dict[Hashable, int]

    def __init__(self, wanted: Sequence[Sequence[Sequence[Seen]]], kept: Sequence[Seen], decides: bool) -> None:
        self._decides = decides
        self.states, self.own, self._known = [], [], {}
        self._tests = [[self._cells(way, 2) for way in ways] for ways in wanted]
        self._same = self._cells([hit for hit in kept if hit[1] is not MISSING], 1)

    def _cells(self, hits: Iterable[Seen], field: int) -> Cells:
        """(place of a state, wanted value) of each hit, equal states once."""
        found: dict[tuple[int, Hashable], bool] = {}
        for hit in hits:
            value = truth_of(hit[field]) if self._decides else key(hit[field])
            name = key(hit[0]), key(hit[1])
            if name not in self._known and len(self.states) < MOST_STATES:
                self._known[name] = len(self.states)
                self.states.append(hit[0])
                self.own.append(hit[1])
            if name in self._known:
                found[self._known[name], value] = True
        return list(found)

    def expressions(self, runs: Runs, place: ForcedPlace) -> list[str]:
        """Texts, nearest first; none where one value is wanted everywhere, which too many expressions have."""
        rows = [way for ways in self._tests for way in ways] + [[c for ways in self._tests for c in ways[0]]]
        if all(len({value for _, value in (*self._same, *row)}) < 2 for row in rows):
            return []
        bank = Bank(self.states, self._decides, _CELLS, runs.allowance)
        bank.fill(runs.names, runs.literals, Column(place.text, self.own, 0.5, place.level))
        if self._decides:
            return [c.text for c in Truths(bank, place.text).nearest_matching(self._accepts, _MOST_FOUND)]
        return [c.text for c in matching_values(bank, self._fits, place.text, _MOST_FOUND)]

    def _accepts(self, mask: int) -> bool:
        """Whether a vector of truths is one that is asked for."""
        return _agree(mask, self._same) and all(any(_agree(mask, way) for way in ways) for ways in self._tests)

    def _fits(self, values: Sequence[Value]) -> bool:
        def agrees(cells: Cells) -> bool:
            return all(key(values[place]) == value for place, value in cells)

        return agrees(self._same) and all(any(agrees(way) for way in ways) for ways in self._tests)


def _agree(mask: int, cells: Cells) -> bool:
    return all(bool(mask >> place & 1) == value for place, value in cells)
