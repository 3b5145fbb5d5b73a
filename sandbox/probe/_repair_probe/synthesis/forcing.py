"""Which places of a function decide whether failing tests pass, and what has to stand there.

Each failing test runs with other truths at conditions, and with the values of enumerated expressions elsewhere. These
are predicate switching (Zhang, Gupta and Gupta, 2006) and angelic values (Nguyen et al., SemFix, 2013). All of it
happens in forks, and only says what is worth a trial.

Expressions that give what failing tests want of a place, and what passing tests see there now.

They are enumerated over the states of both: Nopol (Xuan et al., 2017), SemFix (Nguyen et al., 2013), ACS (Xiong et
al., 2017).
"""

from __future__ import annotations

from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.synthesis.bottom_up import Bank, Column, Truths, matching_values
from _repair_probe.synthesis.forced_runs import Runs, fields_of_job
from _repair_probe.synthesis.watch import Angel, Truth
from _repair_probe.values.plain import plain_source
from _repair_probe.values.snapshots import MISSING, key, pack_values, unpack_values

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from _repair_probe.ground.words import Fields, Send, Value, Work
    from _repair_probe.session.serving import Serving
    from _repair_probe.session.staged_items import Step
    from _repair_probe.swap.live_functions import LiveFunction
    from _repair_probe.synthesis.forced_runs import ForcedPlace
    from _repair_probe.synthesis.staged_runs import Job
    from _repair_probe.synthesis.watch import Schedule, Seen

    Known = dict[tuple[int, int], list[Seen]]
    from collections.abc import Hashable, Iterable

    from _repair_probe.synthesis.watch import Seen

    Cells = list[tuple[int, Hashable]]


MOST_STATES = 30
_MOST_TESTS, _MOST_FLIPS, _MOST_FIRST, _MOST_WAYS = 5, 24, 8, 10
_MOST_ANGELS, _ANGEL_CELLS = 120, 20000
_MOST_WAY, _MOST_PACKED = 60000, 600000
_MOST_SHOWN = 200


def force(server: Serving, target: LiveFunction, request: Fields) -> Work:
    """Work for a fork: for each place that decides all failing tests, what has to stand there in each of them."""

    def work(send: Send) -> None:
        runs = Runs(server, target, request)
        tests = runs.steps[:_MOST_TESTS]
        seen = _record_hits(runs, tests)
        reached = [p for p in runs.places if all(seen.get((n, p.number)) for n in range(len(tests)))]
        wanted: dict[int, list[list[list[Seen]]]] = {place.number: [] for place in reached}
        for number, test in enumerate(tests):
            jobs = [
                (place.number, _force_job(runs, test, place, schedule))
                for place in reached
                for schedule in _schedules(runs, place, number, seen)
            ]
            ways: dict[int, list[list[Seen]]] = {}
            for job, line in runs.run_jobs([job for _, job in jobs]):
                where = jobs[job][0]
                if line.get("hits") and len(ways.setdefault(where, [])) < _MOST_WAYS:
                    ways[where].append(_with_own(unpack_values(line["hits"]), seen[number, where]))
            reached = [place for place in reached if ways.get(place.number)]
            for place in reached:
                wanted[place.number].append(ways[place.number])
        for place in reached:
            told = pack_values(wanted[place.number])
            if len(told) <= _MOST_PACKED:
                shown = [_first_change(ways[0], place.decides) for ways in wanted[place.number]]
                send(place=place.number, wanted=told, shown=shown)
        send(runs=runs.staged.count, cut=runs.staged.cut)

    return work


def _first_change(hits: Sequence[Seen], decides: bool) -> list[str]:
    """What the program has at a place by itself, and what it was given there where that first differs, as texts.

    A text is empty where the value is not plain, or was not evaluated.
    """
    for _, own, given in hits:
        if own is MISSING or (truth_of(own) != given if decides else key(own) != key(given)):
            before = "" if own is MISSING else _text(truth_of(own) if decides else own)
            return [before, _text(given)]
    return ["", ""]


def _text(value: Value) -> str:
    text = plain_source(value) or ""
    return text if len(text) <= _MOST_SHOWN else ""


def _record_hits(runs: Runs, tests: Sequence[Step]) -> Known:
    """The hits of each place in each test, on the program as it is: (number of the test, place) to hits."""
    numbers = [place.number for place in runs.places]

    def job(test: Step) -> Job:
        def run() -> Fields:
            passed = runs.run_one(test, numbers, None, _MOST_FLIPS, _MOST_FIRST)
            return {"passed": passed, "hits": fields_of_job(runs.watch.hits)}

        return run

    seen = {}
    for number, line in runs.run_jobs([job(test) for test in tests]):
        if line["passed"] is not True:  # one that passes here fails for another reason than these places
            for place, hits in unpack_values(line["hits"]).items():
                seen[number, place] = hits
    return seen


def _force_job(runs: Runs, test: Step, place: ForcedPlace, schedule: Schedule) -> Job:
    def run() -> Fields:
        known = test.id, place.number
        forced = test, (place.number,), schedule
        if runs.passed.get(known, 0) >= _MOST_WAYS or not runs.run_one(*forced, 0) or not runs.run_one(*forced):
            return {}  # what is in scope is written down only where that is of use: it takes longer than the test
        hits = [hit.as_fields() for hit in runs.watch.hits.get(place.number, ())]
        told = pack_values(hits)
        if not hits or len(told) > _MOST_WAY:
            return {}
        runs.passed[known] = runs.passed.get(known, 0) + 1
        return {"hits": told}

    return run


def _with_own(hits: list[Seen], before: list[Seen]) -> list[Seen]:
    """The hits with what the program has there by itself, where it was not evaluated in a forced run."""
    found = []
    for (state, own, given), (known, value, _) in zip(hits, [*before, *hits[len(before) :]]):
        found.append((state, value if own is MISSING and key(state) == key(known) else own, given))
    return found


def _schedules(runs: Runs, place: ForcedPlace, number: int, seen: Known) -> list[Schedule]:
    hits = seen[number, place.number]
    if place.decides:
        return list(_switches(hits))
    every = [hit for (_, where), known in sorted(seen.items()) if where == place.number for hit in known if hit[0]]
    return list(_angels(runs, place, every))


def _switches(hits: list[Seen]) -> Iterator[Schedule]:
    """Other truths for a condition, those that need least first."""
    if any(own is MISSING for _, own, _ in hits):
        yield Truth(False, skip=True)
        yield Truth(True, skip=True)
        return
    truths = [truth_of(own) for _, own, _ in hits]
    if set(truths) != {True}:
        yield Truth(True)
    if set(truths) != {False}:
        yield Truth(False)
    if len(truths) > 1:
        if len(set(truths)) > 1:
            yield Truth(None)
        order = [len(truths), *range(1, len(truths))]
        for count in order[:_MOST_FLIPS]:
            yield Truth(None, count)


def truth_of(value: Value) -> bool:
    """The truth of a recorded value; that of an object is taken for true."""
    return bool(value) if value is None or type(value).__name__ != "Opaque" else True


def _angels(runs: Runs, place: ForcedPlace, hits: list[Seen]) -> Iterator[Schedule]:
    """The values of the smallest expressions, one for each vector of values in the failing tests."""
    bank = Bank([state for state, _, _ in hits[:MOST_STATES]], False, _ANGEL_CELLS, runs.allowance)
    own = [value for _, value, _ in hits[:MOST_STATES]]
    bank.fill(runs.names, runs.literals, Column(place.text, own, 0.5, place.level))
    same = tuple(key(value) for value in own)
    columns = sorted((c for c in bank.columns if c.is_whole), key=lambda c: c.size)
    for column in columns[:_MOST_ANGELS]:
        if tuple(key(value) for value in column.values) != same:
            try:
                yield Angel(compile(column.text.strip(), "<angel>", "eval"))
            except (SyntaxError, ValueError):
                continue


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
