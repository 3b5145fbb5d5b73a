"""Which places of a function decide whether failing tests pass, and what has to stand there; what else gives that.

*Force* runs each failing test with other truths at conditions, and with the values of enumerated expressions
elsewhere. *Settle* records the same places in passing tests and enumerates expressions that give the wanted values in
the failing tests' states and the program's own in those of the passing ones: Nopol (Xuan et al., 2017), SemFix
(Nguyen et al., 2013), ACS (Xiong et al., 2017). All of it happens in forks, and only says what is worth a trial.
"""

import ast
import os
import signal
from contextlib import contextmanager

from _repair_probe.bottom_up import Bank, Column, Truths, matching_values
from _repair_probe.clock import Allowance
from _repair_probe.evaluate import Hang, quiet
from _repair_probe.forks import ask, own_folders
from _repair_probe.parameters import Parameters
from _repair_probe.runner import own_basetemp, own_capture
from _repair_probe.snapshots import MISSING, key, packed, unpacked
from _repair_probe.stages import Unsure
from _repair_probe.watch import Angel, Enough, Truth, Watch

_MOST_TESTS, _MOST_FLIPS, _MOST_FIRST, _MOST_WAYS, _MOST_LOST = 5, 24, 8, 10, 6
_MOST_ANGELS = 120
_MOST_STATES, _MOST_FOUND = 30, 4
_MOST_PLACES = 8
_CELLS, _ANGEL_CELLS = 40000, 20000
_MOST_WAY, _MOST_PACKED, _MOST_RECORDED = 60000, 600000, 600000
_SHARES = 24, 6, 2
_RUN_SECONDS, _FORK_SECONDS = 0.5, 2.0


class Place:
    """One expression of the function: its number, whether it decides, its text and how tightly that binds."""

    def __init__(self, told):
        self.number, kind, self.text, self.level = told
        self.decides = kind != "value"


class Runs:
    """Runs of single tests with an instrumented text in, each in a fork or several in one where that is sound."""

    def __init__(self, server, target, request):
        self.places = [Place(told) for told in request["places"]]
        self.names = request["names"]
        self.literals = [(text, ast.literal_eval(text)) for text in request["literals"]]
        self.allowance = Allowance(request["working_seconds"])
        self.steps = server.stages.steps
        self.count = 0
        self._server = server
        self.passed = {}
        own_folders()
        own_capture(server.config)
        own_basetemp(server.config, os.environ["TMPDIR"])
        server.stages.prepare()
        patch = target.patch(request["text"].encode("latin-1"))
        patch.apply()
        self.watch = Watch(patch.own, self.names)

    def one(self, step, *watched):
        """Whether the test passes; its hits are in the watch. ``None`` where that cannot be told."""
        server = self._server
        server.index.clear_caches()
        parameters = Parameters(server.items)
        self.watch.begin(*watched)
        try:
            with quiet(), _bounded(_RUN_SECONDS):
                return not server.stages.run(steps=[step])
        except (Unsure, Hang, Enough):
            return None
        finally:
            parameters.restore()

    def jobs(self, jobs):
        """(number, line) of each job that came to its end; ``jobs`` are functions from nothing to a line."""
        start, lost = 0, 0
        most = len(jobs) if self._server.sound.batches else 1
        while start < len(jobs) and lost < _MOST_LOST and not self.allowance.over:
            share = jobs[start : start + most]
            fork = ask(_in_turn(share, self.allowance.handed_on()), _FORK_SECONDS, list)
            done = [line for line in fork.lines if "job" in line]
            for line in done:
                yield start + line["job"], line
            self.count += len(done)
            lost += fork.state != "done"
            start += max(1, len(done)) if fork.state == "done" else len(done) + 1


def _in_turn(jobs, allowance):
    def work(send):
        mine = allowance()
        for number, job in enumerate(jobs):
            if not mine.over:
                send(job=number, **job())

    return work


@contextmanager
def _bounded(seconds):
    """Raise ``Hang`` in the body when it has used so much of a processor; who merely waits is the fork's matter."""

    def ring(_number, _frame):
        raise Hang

    kept = signal.signal(signal.SIGPROF, ring)
    signal.setitimer(signal.ITIMER_PROF, seconds, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, kept)


def force(server, target, request):
    """Work for a fork: for each place that decides all failing tests, what has to stand there in each of them."""

    def work(send):
        runs = Runs(server, target, request)
        tests = runs.steps[:_MOST_TESTS]
        seen = _recorded(runs, tests)
        reached = [p for p in runs.places if all(seen.get((n, p.number)) for n in range(len(tests)))]
        wanted = {place.number: [] for place in reached}
        for number, test in enumerate(tests):
            jobs = [
                (place.number, _forced(runs, test, place, schedule))
                for place in reached
                for schedule in _schedules(runs, place, number, seen)
            ]
            ways = {}
            for job, line in runs.jobs([job for _, job in jobs]):
                place = jobs[job][0]
                if line.get("hits") and len(ways.setdefault(place, [])) < _MOST_WAYS:
                    ways[place].append(_with_own(unpacked(line["hits"]), seen[number, place]))
            reached = [place for place in reached if ways.get(place.number)]
            for place in reached:
                wanted[place.number].append(ways[place.number])
        for place in reached:
            told = packed(wanted[place.number])
            if len(told) <= _MOST_PACKED:
                send(place=place.number, wanted=told)
        send(runs=runs.count)

    return work


def _recorded(runs, tests):
    """The hits of each place in each test, on the program as it is: (number of the test, place) to hits."""
    numbers = [place.number for place in runs.places]

    def job(test):
        def run():
            passed = runs.one(test, numbers, None, _MOST_FLIPS, _MOST_FIRST)
            return {"passed": passed, "hits": _told(runs.watch.hits)}

        return run

    seen = {}
    for number, line in runs.jobs([job(test) for test in tests]):
        if line["passed"] is not True:  # one that passes here fails for another reason than these places
            for place, hits in unpacked(line["hits"]).items():
                seen[number, place] = hits
    return seen


def _told(hits):
    """All hits packed, fewer of each place where that is too much."""
    for most in _SHARES:
        told = packed({place: [hit.told() for hit in known[:most]] for place, known in hits.items()})
        if len(told) <= _MOST_RECORDED:
            return told
    return packed({})


def _forced(runs, test, place, schedule):
    def run():
        known = test.id, place.number
        forced = test, (place.number,), schedule
        if runs.passed.get(known, 0) >= _MOST_WAYS or not runs.one(*forced, 0) or not runs.one(*forced):
            return {}  # what is in scope is written down only where that is of use: it takes longer than the test
        hits = [hit.told() for hit in runs.watch.hits.get(place.number, ())]
        told = packed(hits)
        if not hits or len(told) > _MOST_WAY:
            return {}
        runs.passed[known] = runs.passed.get(known, 0) + 1
        return {"hits": told}

    return run


def _with_own(hits, before):
    """The hits with what the program has there by itself, where it was not evaluated in a forced run."""
    found = []
    for (state, own, given), (known, value, _) in zip(hits, [*before, *hits[len(before) :]]):
        found.append((state, value if own is MISSING and key(state) == key(known) else own, given))
    return found


def _schedules(runs, place, number, seen):
    hits = seen[number, place.number]
    if place.decides:
        return list(_switches(hits))
    every = [hit for (_, where), known in sorted(seen.items()) if where == place.number for hit in known if hit[0]]
    return list(_angels(runs, place, every))


def _switches(hits):
    """Other truths for a condition, those that need least first."""
    if any(own is MISSING for _, own, _ in hits):
        yield Truth(False, skip=True)
        yield Truth(True, skip=True)
        return
    truths = [_truth(own) for _, own, _ in hits]
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


def _truth(value):
    """The truth of a recorded value; that of an object is taken for true."""
    return bool(value) if value is None or type(value).__name__ != "Opaque" else True


def _angels(runs, place, hits):
    """The values of the smallest expressions, one for each vector of values in the failing tests."""
    bank = Bank([state for state, _, _ in hits[:_MOST_STATES]], False, _ANGEL_CELLS, runs.allowance)
    own = [value for _, value, _ in hits[:_MOST_STATES]]
    bank.fill(runs.names, runs.literals, Column(place.text, own, 0.5, place.level))
    same = tuple(key(value) for value in own)
    columns = sorted((c for c in bank.columns if c.is_whole), key=lambda c: c.size)
    for column in columns[:_MOST_ANGELS]:
        if tuple(key(value) for value in column.values) != same:
            try:
                yield Angel(compile(column.text.strip(), "<angel>", "eval"))
            except (SyntaxError, ValueError):
                continue


def settle(server, target, request):
    """Work for a fork: expressions that give what is wanted, and in these tests what the program gives."""

    def work(send):
        runs = Runs(server, target, request)
        wanted = {int(number): unpacked(told) for number, told in request["wanted"]}
        kept = _kept(runs, list(wanted)) if request["record"] else {}
        places = [place for place in runs.places if place.number in wanted]
        for place in places[:_MOST_PLACES]:
            demand = Demand(wanted[place.number], kept.get(place.number, ()), place.decides)
            send(place=place.number, found=demand.expressions(runs, place)[:_MOST_FOUND])

    return work


def _kept(runs, numbers):
    """The hits of places while passing tests run."""

    def job(test):
        def run():
            passed = runs.one(test, numbers)
            return {"hits": _told(runs.watch.hits)} if passed else {}

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
            value = _truth(hit[field]) if self._decides else key(hit[field])
            name = key(hit[0]), key(hit[1])
            if name not in self._known and len(self.states) < _MOST_STATES:
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
