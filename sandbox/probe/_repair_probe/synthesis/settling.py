"""Expressions that give what failing tests want of a place, and what passing tests see there now.

They are enumerated over the states of both: Nopol (Xuan et al., 2017), SemFix (Nguyen et al., 2013), ACS (Xiong et
al., 2017).
"""

from _repair_probe.synthesis.bottom_up import Bank, Column, Truths, matching_values
from _repair_probe.synthesis.forced_runs import Runs, told_of
from _repair_probe.synthesis.forcing import MOST_STATES, truth_of
from _repair_probe.values.snapshots import MISSING, key, unpacked

_MOST_PLACES, _MOST_FOUND = 8, 4
_CELLS = 40000


def settle(server, target, request):
    """Work for a fork: expressions that give what is wanted, and in these tests what the program gives."""

    def work(send):
        runs = Runs(server, target, request)
        wanted = {int(number): unpacked(told) for number, told in request["wanted"]}
        kept = _kept(runs, list(wanted)) if request["record"] else {}
        places = sorted((place for place in runs.places if place.number in wanted), key=lambda place: place.new)
        for place in places[:_MOST_PLACES]:
            demand = Demand(wanted[place.number], kept.get(place.number, ()), place.decides)
            send(place=place.number, found=demand.expressions(runs, place)[:_MOST_FOUND])

    return work


def _kept(runs, numbers):
    """The hits of places while passing tests run."""

    def job(test):
        def run():
            passed = runs.one(test, numbers)
            return {"hits": told_of(runs.watch.hits)} if passed else {}

        return run

    found = {}
    for _, line in runs.jobs([job(test) for test in runs.steps]):
        for place, hits in unpacked(line["hits"]).items() if "hits" in line else ():
            found.setdefault(place, []).extend(hits)
    return found


class Demand:
    """What an expression has to give: in each failing test one of several ways, in passing states always the same."""

    def __init__(self, wanted, kept, decides):
        self._decides = decides
        self.states, self.own, self._known = [], [], {}
        self._tests = [[self._cells(way, 2) for way in ways] for ways in wanted]
        self._same = self._cells([hit for hit in kept if hit[1] is not MISSING], 1)

    def _cells(self, hits, field):
        """(place of a state, wanted value) of each hit, equal states once."""
        found = {}
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

    def expressions(self, runs, place):
        """Texts, nearest first; none where one value is wanted everywhere, which too many expressions have."""
        rows = [way for ways in self._tests for way in ways] + [[c for ways in self._tests for c in ways[0]]]
        if all(len({value for _, value in (*self._same, *row)}) < 2 for row in rows):
            return []
        bank = Bank(self.states, self._decides, _CELLS, runs.allowance)
        bank.fill(runs.names, runs.literals, Column(place.text, self.own, 0.5, place.level))
        if self._decides:
            return [c.text for c in Truths(bank, place.text).matching(self._accepts, _MOST_FOUND)]
        return [c.text for c in matching_values(bank, self._fits, place.text, _MOST_FOUND)]

    def _accepts(self, mask):
        """Whether a vector of truths is one that is asked for."""
        return _agree(mask, self._same) and all(any(_agree(mask, way) for way in ways) for ways in self._tests)

    def _fits(self, values):
        def agrees(cells):
            return all(key(values[place]) == value for place, value in cells)

        return agrees(self._same) and all(any(agrees(way) for way in ways) for ways in self._tests)


def _agree(mask, cells):
    return all(bool(mask >> place & 1) == value for place, value in cells)
