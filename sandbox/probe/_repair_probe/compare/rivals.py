"""Where rivals differ from a candidate: every program runs on copies of the same arguments, or in forks on these.

The items run with the candidate in. At entries of the function, and afterwards on further inputs, each rival is run
that has not been distinguished. Each line has a ``kind``, and goes out as things happen. So a rival that ends the
process loses nothing: the last line of the kind ``trying`` names it.
"""

from __future__ import annotations

import ast
import copy
import inspect
import random
import threading
from time import monotonic

from _repair_probe.compare.calls import Entry, Listener, insert_hook
from _repair_probe.compare.evaluate import PATIENCE, RETURNED, CallableProgram, Evaluator, NotCompared, Uncopied
from _repair_probe.compare.forked_calls import ForkedCalls, HeldLines, ends_alike
from _repair_probe.compare.going_on import GoingOn
from _repair_probe.compare.isolated_call import digest_of
from _repair_probe.compare.live_base import base_of, cells_of, defaults_of
from _repair_probe.compare.nearness import Around, Looser, Ordinary, Weighed
from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.session.runner import run_items
from _repair_probe.values.call_effects import PassableOptions
from _repair_probe.values.pictures import literal

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType

    import pytest

    from _repair_probe.compare.evaluate import CallOutcome
    from _repair_probe.ground.words import Fields, Send, Telling
    from _repair_probe.session.runner import ResultRecorder
    from _repair_probe.swap.live_functions import LiveFunction

_TIME_WAS_UP = "time was up before all calls were compared"

_LOOKS = 400
"""How many calls of one test are looked at for some that reach the change."""


_MOST_ANSWERS = 300
"""How many answers to plain arguments are told."""

_MOST_INPUTS, _INPUT_SECONDS = 20, 1.0
"""Given inputs that a method gets in forks on one instance that cannot be copied, and how long."""

_MOST_HUNG = 3
"""How many calls that the patch does not answer get more time."""

_MOST_FURTHER = 60
"""Calls on which a rival is tried once it has been told from the patch."""

_MOST_DIFFERENCES = 8
"""Differences of one rival that are told, each of another kind."""


class _ToldApart:
    """What was told of a rival that is no longer like the patch: the kinds of its differences, and calls left."""

    __slots__ = ("kinds", "left")

    def __init__(self) -> None:
        self.kinds: set[tuple[object, ...]] = set()
        self.left = _MOST_FURTHER


class Comparer:
    """One candidate and its rivals. ``old`` is the index of the old function among the rivals, or -1."""

    evaluator: Evaluator
    _share: int
    _listener: Listener

    def __init__(self, target: LiveFunction, request: Fields, send: Send) -> None:
        self.send = HeldLines(send)
        self._target = target
        base = base_of(target)
        mine = request["mine"].encode("latin-1")
        self._mine_patch = target.patch(mine)
        self._hooked = target.patch(mine, insert_hook)
        self._mine = CallableProgram(self._mine_patch, base)
        self._old = CallableProgram(target.patch(request["old"].encode("latin-1")), base)
        mine_signature, old_signature = (inspect.signature(each.function({})) for each in (self._mine, self._old))
        self._old_signature = old_signature if old_signature != mine_signature else None
        self.rivals: dict[int, CallableProgram] = {}
        for place, text in enumerate(request["rivals"]):
            try:
                self.rivals[place] = CallableProgram(target.patch(text.encode("latin-1")), base)
            except Exception as problem:  # a default of its own may raise anything
                send(kind="note", text="a rival cannot be run here: %s" % str(problem)[:200])
        self._old_place = request["old_place"]
        self._lines = request["changed_lines"]
        self._seconds = request["call_seconds"]
        self.until = monotonic() + request["comparing_seconds"]
        self.name = self._target.names[-1] if target.method else ".".join(target.names)
        defaults = defaults_of(base, target.node)
        self._ordinary = Ordinary(self._old.codes, base.__globals__, defaults.values())
        self._around = Around(self, self._ordinary, PassableOptions(target.node), defaults)
        self._known: list[tuple[str, str, Weighed]] = []
        self._left = _MOST_ANSWERS
        self._hung = 0
        self._first: Entry | None = None
        self._looser = Looser(self.send) if request.get("looser") else None
        self.namespace = base.__globals__
        self._count = 0
        self._noted: set[str] = set()
        self._idle: dict[str, int] = {}
        self._inputs: list[list[str]] = request["inputs"]
        self._inputs_of_live = self._inputs[:_MOST_INPUTS]
        self._restored: dict[int, CallableProgram] = {}
        self._apart: dict[int, _ToldApart] = {}
        self._old_hangs = False
        self._going_on: GoingOn | None = None

    def run(self, items: Sequence[pytest.Item], recorder: ResultRecorder, request: Fields) -> None:
        """Compare at the entries that the items make, then on the given inputs."""
        most, share = request["most"], request["share"]
        listener = Listener(self._target, self._hooked, self._mine_patch, most, share, self._take, _LOOKS, self._follow)
        listener.homes = frozenset(str(getattr(item, "path", None) or item.fspath) for item in items)
        listener.asked = frozenset(request["asked"])
        self._share = share
        self._listener = listener
        self._mine_patch.apply()
        self._forked = ForkedCalls(self.namespace, self._seconds, [self._mine, self._old, *self.rivals.values()])
        self.evaluator = Evaluator(self.namespace, self._seconds, self._hooked.apply, self._forked)
        if most > 0:
            by_name = {item.nodeid: item for item in items}
            if request["ends"]:
                own = self._forked.surroundings, self._forked.folder
                self._going_on = GoingOn(self._mine, by_name, recorder, *own, self.until, self._note)

            def begin(test: str) -> None:
                self._settle(by_name, recorder)
                if self._going_on is not None:
                    self._going_on.begin()
                listener.begin(test)

            run_items(items, recorder, stop_early=False, before=begin)
            self._settle(by_name, recorder)
        self.evaluator = Evaluator(self.namespace, self._seconds, self._mine_patch.apply)
        for args, kwargs in self._inputs:
            if not self.rivals:
                break
            if monotonic() > self.until:
                self._note(_TIME_WAS_UP)
                break
            self._input(args, kwargs)
        self._again()

    def _settle(self, items: dict[str, pytest.Item], recorder: ResultRecorder) -> None:
        """The last test has ended: what was seen of its live calls counts where it ended as it does without forks."""
        ends = list(self._going_on.settle()) if self._going_on is not None else []
        kept = True
        if self.send:
            test = self._forked.test
            kept = ends_alike(items[test], recorder, self._mine_patch.apply, max(1.0, self.until - monotonic()))
            self.send.settle(kept)
            if not kept:
                self.rivals.update(self._restored)
                self._apart.clear()
                self._note("calls of %s were left out: it ends otherwise where they run in forks" % test)
        for each in ends if kept else ():
            self.send(kind="goes_on", **each)
        self._restored = dict(self.rivals)

    def _follow(self, frame: FrameType) -> None:
        if self._going_on is not None:
            self._going_on.follow(frame)

    def _input(self, args: str, kwargs: str) -> None:
        entry = self._made(args, kwargs)
        if entry is not None:
            given = [*entry.args[entry.skip :], *entry.kwargs.values()]
            weighed = self.weigh(entry, plain=all(self._ordinary(each) for each in given))
            if weighed and weighed.old:
                self._known.append((args, kwargs, weighed))

    def _made(self, args: str, kwargs: str) -> Entry | None:
        """The call with these literals; ``None`` where there is nothing to call it on."""
        given, named = list(ast.literal_eval(args)), dict(ast.literal_eval(kwargs))
        cells = self._first.cells if self._first else cells_of(self._target)
        if self._listener.skip:
            if self._first is None or not self._first.args:
                if not self._forked.reaching:
                    self._note("inputs were left out: no instance to call the method on was seen")
                return None
            given.insert(0, self._first.args[0])
        return Entry(given, named, cells, self._listener.skip)

    def _again(self) -> None:
        """All inputs once more, in another order: what a call gives must not hang on the calls before it."""
        random.Random(len(self._known)).shuffle(self._known)
        for args, kwargs, weighed in self._known:
            if monotonic() > self.until:
                return
            entry = self._made(args, kwargs)
            if entry is not None and self._differs_from_before(entry, weighed):
                return

    def _differs_from_before(self, entry: Entry, weighed: Weighed) -> bool:
        """Tell where the patch gives something else now, and the old function the same."""
        try:
            mine = self.evaluator.outcome(self._mine, entry)
            if (
                mine == weighed.mine
                or not mine.came_to_an_end
                or self.evaluator.outcome(self._old, entry) != weighed.old
            ):
                return False
        except NotCompared as problem:
            self._note(str(problem))
            return False
        self._unsteady(entry, weighed.mine, mine)
        return True

    def _take(self, entry: Entry) -> bool:
        if threading.current_thread() is not threading.main_thread():
            self._note("calls from other threads were left out")
        elif monotonic() > self.until:
            self._note(_TIME_WAS_UP)
        elif self.rivals:
            return self._compared(entry)
        return True

    def _compared(self, entry: Entry) -> bool:
        """Whether the call counts: of those that do not reach the change, few of each test are compared."""
        try:
            reached = self._reached_somehow(entry)
            idle = self._idle.get(entry.test, 0)
            if not reached:
                self._idle[entry.test] = idle + 1
            if reached or idle < self._share:
                self._weigh_around(entry, reached)
        except NotCompared as problem:
            self._note(str(problem))
            return True
        finally:
            self.send.holding = False
        return reached

    def _reached_somehow(self, entry: Entry) -> bool:
        """The same of copies and, where there are none, of the arguments themselves in a fork."""
        try:
            return self._reached(entry)
        except Uncopied:
            self._forked.take(entry)
            self.send.holding = True
            reached = self._reached(entry)
            self._forked.reaching += reached
            return reached

    def _weigh_around(self, entry: Entry, reached: bool) -> None:
        weighed = self.weigh(entry, reached)
        if weighed:
            self._around.tell_neighbours(entry, weighed, further_too=self._looser is not None)
            if entry.direct and reached and weighed.old is not None and not self._looser:
                self._around.tell_digits(entry, weighed)
            if entry.live and reached:
                self._give_inputs(entry)

    def _give_inputs(self, entry: Entry) -> None:
        """The given inputs on an instance that is there only now."""
        until = min(self.until, monotonic() + _INPUT_SECONDS)
        while entry.skip and self._inputs_of_live and monotonic() < until and self.may_vary(entry):
            args, kwargs = map(ast.literal_eval, self._inputs_of_live.pop(0))
            near = Entry([entry.args[0], *args], kwargs, entry.cells, entry.skip)
            near.live = True
            self.weigh(near, plain=all(map(self._ordinary, [*args, *kwargs.values()])))

    def may_vary(self, entry: Entry) -> bool:
        """Whether there is something left to compare with, and to spend on more than the tests' own calls."""
        return bool(self.rivals) and (not entry.live or self._forked.has_spare)

    def _reached(self, entry: Entry) -> bool:
        """Whether the old function executes a changed line; a call that does not fit it reaches its signature."""
        if self._lines and self._fits_old(entry):
            return self.evaluator.reaches(self._old, entry, self._lines)
        self.evaluator.check_copies(entry)
        return True

    def _fits_old(self, entry: Entry) -> bool:
        if self._old_signature is not None:
            try:
                self._old_signature.bind(*entry.args, **entry.kwargs)
            except TypeError:
                return False
        return True

    def weigh(self, entry: Entry, reached: bool | None = None, plain: bool = True) -> Weighed | None:
        """What was seen where the patch gives the same on copies of the arguments, so that rivals were compared.

        ``reached`` is ``None`` where the call is none of a test's; ``plain`` says that nothing sets it apart.
        """
        try:
            mine = self.evaluator.outcome(self._mine, entry)
            again = self.evaluator.outcome(self._mine, entry)
            if self._first is None and not entry.live:
                self._first = _keep_copy(entry)
            if mine == again and mine.came_to_an_end:
                return self._weigh(
                    entry, mine, self._reached(entry) if reached is None else reached, plain, reached is None
                )
            self._differing(entry, mine, again)
            if plain and not (mine.came_to_an_end or again.came_to_an_end):
                self._hangs(entry, reached is not False)
        except NotCompared as problem:
            self._note(str(problem))
        return None

    def _weigh(self, entry: Entry, mine: CallOutcome, reached: bool, plain: bool, fresh: bool) -> Weighed:
        """Hold every program against what the patch gives."""
        weighed = Weighed(mine, reached)
        if self._looser:
            weighed.old = self.evaluator.outcome(self._old, entry)
            weighed.moved = weighed.old != mine
        self._count += 1
        call = entry.wire(self.name)
        self.send(kind="entry", fresh=fresh, reached=reached, call=call, mine=mine.wire())
        if self._looser:
            self._looser.learn(entry, weighed)
        for place in list(self.rivals):
            self.send(kind="trying", rival=place)
            try:
                if self._looser and plain:
                    self._loosely(self._looser, place, entry, weighed)
                elif not self._looser:
                    self._against(place, entry, weighed, plain)
            except NotCompared as problem:  # what this program does in a fork would have lasted
                self._note(str(problem))
                self.send(kind="unanswered", rival=place)
        self.send(kind="trying", rival=-1)
        self._answered(entry, weighed)
        return weighed

    def _answered(self, entry: Entry, weighed: Weighed) -> None:
        """Tell what both versions gave to plain arguments, for a process of its own to give again."""
        old = weighed.old
        if self._left <= 0 or entry.live or entry.skip or entry.cells or old is None or not old.came_to_an_end:
            return
        args, kwargs = literal(tuple(entry.args)), literal(entry.kwargs)
        if args is not None and kwargs is not None:
            self._left -= 1
            mine, other = ([digest_of(each), each.wire()] for each in (weighed.mine, old))
            self.send(kind="answered", input=[args, kwargs], mine=mine, old=other)

    def _differing(self, entry: Entry, mine: CallOutcome, again: CallOutcome) -> None:
        """Two runs of the patch differ, which counts where those of the old function return the same."""
        self._note("%s was left out: two runs of the patch differ, or it does not end" % entry.source(self.name))
        if self._old_place in self.rivals and mine.came_to_an_end and again.came_to_an_end:
            runs = [self.evaluator.outcome(self._old, entry) for _ in range(3)]
            if runs[0] == runs[1] == runs[2] and runs[0].kind == mine.kind == RETURNED:
                self._unsteady(entry, mine, again)
            elif runs[0] != runs[1] or runs[1] != runs[2]:
                self.send(kind="unsteady_old")

    def _hangs(self, entry: Entry, reached: bool) -> None:
        """Tell of a call that the patch does not answer with more time either, where the old function returns."""
        if self._hung >= _MOST_HUNG or self._old_place not in self.rivals or self._looser:
            return
        old = self.evaluator.outcome(self._old, entry)
        if old.kind != RETURNED:
            return
        self._hung += 1
        mine = self.evaluator.outcome(self._mine, entry, patience=PATIENCE)
        if not mine.came_to_an_end:
            self._differs(self._old_place, entry, mine, old, reached=reached)

    def _unsteady(self, entry: Entry, mine: CallOutcome, again: CallOutcome) -> None:
        first, second = mine.wires_beside(again)
        self.send(kind="unsteady", call=entry.wire(self.name), mine=first, other=second)

    def _differs(
        self, place: int, entry: Entry, mine: CallOutcome, other: CallOutcome, old: Fields | None = None, **told: bool
    ) -> None:
        first, second = mine.wires_beside(other)
        call = entry.wire(self.name)
        self.send(kind="difference", rival=place, call=call, mine=first, other=second, old=old, **told)

    def _against(self, place: int, entry: Entry, weighed: Weighed, plain: bool) -> None:
        rival, mine, is_old = self.rivals[place], weighed.mine, place == self._old_place
        other = self.evaluator.outcome(rival, entry)
        if is_old:
            weighed.old, weighed.moved = other, False
        if other == mine:
            self._tire(place)
            return
        if self.evaluator.outcome(self._mine, entry) != mine:
            self.send(kind="unanswered", rival=place)
            return
        if self.evaluator.outcome(rival, entry) != other:
            self._note("a rival gives different results for the same call")
            self.send(kind="unanswered", rival=place)
            return
        weighed.moved = is_old or weighed.moved
        if not is_old:
            self._told_apart(place, entry, weighed, other, plain)
            return
        noticed = entry.direct and self._is_visible(rival, entry)
        self._differs(place, entry, mine, other, reached=weighed.reached, noticed=noticed, ordinary=plain)
        if not weighed.reached:
            del self.rivals[place]

    def _told_apart(self, place: int, entry: Entry, weighed: Weighed, other: CallOutcome, plain: bool) -> None:
        """Tell a rival's difference, unless one of its kind was told; it is tried on some further calls."""
        old = self._before(entry, weighed)
        mine = weighed.mine
        sides = (mine == old, other == old) if old is not None else ()
        kind = (sides, mine.ending, other.ending, plain, entry.tested)
        apart = self._apart.setdefault(place, _ToldApart())
        if kind not in apart.kinds:
            apart.kinds.add(kind)
            before = old.wire() if old is not None else None
            self._differs(place, entry, mine, other, before, reached=weighed.reached, noticed=False, ordinary=plain)
            if self._going_on is not None:
                self._going_on.want(place, self.rivals[place], entry, entry.wire(self.name))
        if len(apart.kinds) >= _MOST_DIFFERENCES:
            del self.rivals[place]
        else:
            self._tire(place)

    def _tire(self, place: int) -> None:
        """A rival that was told apart is tried on so many calls more, and not on all."""
        apart = self._apart.get(place)
        if apart is not None:
            apart.left -= 1
            if apart.left <= 0:
                self.rivals.pop(place, None)

    def _before(self, entry: Entry, weighed: Weighed) -> CallOutcome | None:
        """What the old function does with the call; ``None`` where it does not end, here or in a call before."""
        if weighed.old is None and weighed.before is None and not self._old_hangs:
            try:
                weighed.before = self.evaluator.outcome(self._old, entry)
                self._old_hangs = not weighed.before.came_to_an_end
            except NotCompared:  # in a fork it would leave something outside
                self._old_hangs = True
        old = weighed.old or weighed.before
        return old if old is not None and old.came_to_an_end else None

    def _is_visible(self, other: CallableProgram, entry: Entry) -> bool:
        """Whether the patch and another program differ in more than what objects keep to themselves."""
        first, second = (self.evaluator.outcome(each, entry, private=False) for each in (self._mine, other))
        return first != second

    def _loosely(self, looser: Looser, place: int, entry: Entry, weighed: Weighed) -> None:
        """Tell where a looser form changes, in the way of the fix, what the candidate leaves as it was."""
        old = weighed.old
        if weighed.moved or not weighed.reached or old is None or not old.came_to_an_end:
            return
        other = self.evaluator.outcome(self.rivals[place], entry)
        if other == weighed.mine or not other.came_to_an_end or self.evaluator.outcome(self._old, entry) != old:
            return
        if looser.tell(place, entry.wire(self.name), old, weighed.mine, other):
            del self.rivals[place]

    def _note(self, text: str) -> None:
        if text not in self._noted and len(self._noted) < 20:
            self._noted.add(text)
            self.send(kind="note", text=text)


def _keep_copy(entry: Entry) -> Entry:
    """The entry with copies of its arguments, as they were before the test goes on."""
    args = [copy.deepcopy(entry.args[0])] if entry.args else []
    return Entry(args, {}, entry.cells, entry.skip, entry.test)


def compare(target: LiveFunction, items: Sequence[pytest.Item], recorder: ResultRecorder, request: Fields) -> Telling:
    """Work for a fork: see the module."""

    def work(send: Send) -> None:
        Comparer(target, request, send).run(items, recorder, request)

    return work
