"""Collects where rivals differ from a candidate, over forks that may end early."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from analysis.behaviour import CallOrigin, CallResult, Difference, Ended
from analysis.calls import (
    MOST_DEPARTURES,
    AgainstOld,
    AgainstRivals,
    AnswerPair,
    CallInput,
    Comparison,
    DigitTried,
    Neighbours,
    Tried,
    UnchangedNeighbours,
)
from analysis.facts import TestId
from analysis.trials import Trial
from sandbox.behaviour_lines import call_of, difference_of, ends_of, plain_answer_of, plain_input_of, result_of

GROUP, MOST_GROUP = 8, 12
"""Rivals that are compared in one fork; of more than these two forks take half each, up to so many."""

RECORDED = 40
"""Calls of the tests that are repeated."""

CALL_SECONDS = 1.0
"""What one call may take."""

_COMPARING_SECONDS = 6.0
"""What all calls in one fork may take."""

_MOST_FURTHER = 1000
"""Differences of rivals beyond the first of each that are kept."""

_MOST_FAILURES = 20
"""Reasons that are kept why calls were not compared."""

Group = tuple[int, ...]
"""Indices of the programs that one fork compares."""

Way = tuple[tuple[str, str], tuple[str, str]]
"""How a call ends under one program and under another: a kind, and the type of an exception."""

_NEAREST = tuple(CallOrigin)


@dataclass(frozen=True, slots=True)
class Ask:
    """One question: the candidate, the old function, further inputs, and the lines that count as changed."""

    mine: Trial
    old: Trial
    inputs: tuple[CallInput, ...]
    changed_lines: tuple[int, ...]
    test_seconds: float
    share: int
    """How many calls of one test are compared."""
    looser: bool = False
    """Whether the rivals are looser forms of the candidate: see ``Differences``."""

    against_old: bool = True
    """Whether the old function is one of the programs that the candidate is held against."""

    ends: bool = False
    """Whether it is asked how tests go on with a rival that their call tells apart."""

    asked: tuple[TestId, ...] = ()
    """The tests of which more calls are compared: those that fail with the old function."""

    def request(self, group: Group, programs: Sequence[Trial]) -> dict[str, object]:
        """What the server is told."""
        texts = [programs[place].text.decode("latin-1") for place in group]
        old = [n for n, place in enumerate(group) if programs[place].text == self.old.text]
        return {
            "mine": self.mine.text.decode("latin-1"),
            "old": self.old.text.decode("latin-1"),
            "rivals": texts,
            "old_place": old[0] if old else -1,
            "inputs": [[i.args, i.kwargs] for i in self.inputs],
            "changed_lines": list(self.changed_lines),
            "looser": self.looser,
            "ends": self.ends,
            "asked": list(self.asked),
            "most": RECORDED,
            "share": self.share,
            "call_seconds": CALL_SECONDS,
            "comparing_seconds": _COMPARING_SECONDS,
            "seconds": self.test_seconds + _COMPARING_SECONDS + 5.0,
        }


@dataclass(slots=True)
class _Fork:
    """What the lines of one fork came to so far: the programs that it compares, and how far it is."""

    group: Group
    inputs: int = 0
    reaching: int = 0
    touching: int = 0
    trying: int = -1
    entry: CallResult | None = None
    is_misshapen: bool = False
    """Whether a line could not be read, so that a difference may be missing."""

    @property
    def tried(self) -> int | None:
        """The program that runs just now."""
        return self.group[self.trying] if 0 <= self.trying < len(self.group) else None


class Differences:
    """State of one comparison: what is known of each program, and which still have to be compared.

    A looser form counts as another program only where it changes what candidate and old function have in common. Both
    ends, before and after, must be of the kinds that a test's call has on which the candidate changes something.
    """

    def __init__(self, ask: Ask, rivals: Sequence[Trial]) -> None:
        self._ask = ask
        self.programs = (*((ask.old,) if ask.against_old else ()), *rivals)
        self._rivals_from = len(self.programs) - len(rivals)
        self._open = [n for n, program in enumerate(self.programs) if program.text != ask.mine.text]
        self._first: dict[int, Difference] = {}
        self._further: list[tuple[int, Difference]] = []
        self._recorded: dict[TestId, Difference] = {}
        self._departures: dict[str, Difference] = {}
        self._near: list[tuple[TestId, CallResult, bool]] = []
        self._beside: dict[str, UnchangedNeighbours] = {}
        self._digits: dict[DigitTried, None] = {}
        self._unsteady: dict[str, Difference] = {}
        self._steady = True
        self._alone: dict[TestId, CallResult] = {}
        self._answers: dict[CallInput, AnswerPair] = {}
        self._ways: set[Way] = set()
        self._looser: list[tuple[int, Way, Difference]] = []
        self._failures: dict[str, None] = {}
        self._counts: list[tuple[bool, tuple[int, int, int]]] = []
        self._ended: set[int] = set()
        self._takes: dict[str, Callable[[_Fork, dict[str, Any]], None]] = {
            "entry": self._take_entry,
            "trying": self._take_trying,
            "unanswered": self._take_unanswered,
            "difference": self._take_difference,
            "goes_on": self._take_goes_on,
            "near": self._take_near,
            "beside": self._take_beside,
            "digit": self._take_digit,
            "alone": self._take_alone,
            "answered": self._take_answer,
            "unsteady": self._take_unsteady,
            "unsteady_old": self._take_unsteady_old,
            "fixes": self._take_fix,
            "looser": self._take_looser,
            "note": self._take_note,
        }

    def groups(self) -> list[Group]:
        """Groups to send next; none when everything is known."""
        count = len(self._open)
        forks = 1 if count <= GROUP else max(2, -(-count // MOST_GROUP))
        size = max(1, -(-count // forks))
        return [tuple(self._open[n : n + size]) for n in range(0, count, size)]

    def take(self, group: Group, state: str, ending: str, lines: Iterable[dict[str, Any]]) -> None:
        """Take the lines of one fork. A program that ended it is told apart by that; the others go again.

        Where the lines were too many, a difference that was told stands; of the other programs nothing is known.
        """
        fork = _Fork(group)
        for line in lines:
            take = self._takes.get(str(line.get("kind")))
            if take is not None:
                take(fork, line)
            elif "problem" in line or "invalid" in line:
                self._note(str(next(iter(line.values()))))
        known = set(group)
        if fork.is_misshapen:
            self._note("a line of the comparison could not be read")
        if fork.is_misshapen or state == "flood":  # a difference may be missing, so that agreeing says nothing
            self._ended -= known
        if state != "done":
            if fork.tried is None or state == "flood":
                self._note(f"comparing ended early: {ending}")
            elif self._ask.looser or fork.entry is None:
                known = {fork.tried}
            else:
                self._first.setdefault(fork.tried, Difference(fork.entry.call, fork.entry.mine, Ended(ending)))
                known = {fork.tried} | (self._first.keys() & known)
        if known == set(group):
            lasting = any(n not in self._first or self._is_old(n) for n in group)
            self._counts.append((lasting, (fork.inputs, fork.reaching, fork.touching)))
        self._open = [n for n in self._open if n not in known]

    def comparison(self) -> Comparison:
        """The result."""
        found = dict(self._first)
        for place, way, difference in self._looser:
            if way in self._ways:
                found.setdefault(place, difference)
        old = 0 if self._ask.against_old else None
        unknown = {n for n in range(len(self.programs)) if self._is_unknown(n) and n not in found}
        rivals = range(self._rivals_from, len(self.programs))
        return Comparison(
            Tried(*self._count_tried(), tuple(self._failures)[:_MOST_FAILURES]),
            AgainstOld(
                first=found.get(old) if old is not None else None,
                recorded=tuple(sorted(self._recorded.items(), key=lambda each: each[0])),
                departures=tuple(self._departures.values()),
                neighbours=self._neighbours(),
                surroundings=tuple(self._beside.values()),
                unsteady=tuple(self._unsteady.values()) if self._steady else (),
                alone=tuple(sorted(self._alone.items(), key=lambda each: each[0])),
                digits=tuple(self._digits),
                answers=tuple(self._answers.values()),
                is_known=old is None or old not in unknown,
            ),
            AgainstRivals(
                tuple((self.programs[n].digest, found[n]) for n in rivals if n in found),
                frozenset(self.programs[n].digest for n in rivals if n in unknown),
                tuple((self.programs[n].digest, each) for n, each in self._further if n in rivals),
            ),
        )

    def _is_unknown(self, place: int) -> bool:
        """Whether no call of a program could be held against the candidate's."""
        return self.programs[place].text != self._ask.mine.text and place not in self._ended

    def _count_tried(self) -> tuple[int, int, int]:
        """How many inputs were tried, reached the change afresh, and reached it at all.

        A group whose programs were all told apart ended early and says nothing; of the others the least counts.
        """
        lasting = [counts for lasts, counts in self._counts if lasts and counts[0]]
        every = lasting or [max((counts for _, counts in self._counts), default=(0, 0, 0))]
        inputs, reaching, touching = (min(column) for column in zip(*every, strict=True))
        return inputs, reaching, touching

    def _is_old(self, place: int) -> bool:
        return bool(self.programs[place].text == self._ask.old.text)

    def _take_entry(self, fork: _Fork, line: dict[str, Any]) -> None:
        fork.entry = result_of(line)
        fork.is_misshapen |= fork.entry is None
        reached = line.get("reached") is True
        fork.inputs += 1
        fork.reaching += reached and line.get("fresh") is True
        fork.touching += reached

    def _take_trying(self, fork: _Fork, line: dict[str, Any]) -> None:
        if isinstance(line.get("rival"), int):
            if fork.tried is not None:
                self._ended.add(fork.tried)
            fork.trying = line["rival"]

    def _take_unanswered(self, fork: _Fork, line: dict[str, Any]) -> None:
        if line.get("rival") == fork.trying:
            fork.trying = -1

    def _take_difference(self, fork: _Fork, line: dict[str, Any]) -> None:
        number, found = line.get("rival"), difference_of(line)
        if not isinstance(number, int) or not 0 <= number < len(fork.group) or found is None:
            fork.is_misshapen = True
            return
        place = fork.group[number]
        earlier = self._first.get(place)
        if not self._is_old(place):
            if earlier is None:
                self._first[place] = found
            elif len(self._further) < _MOST_FURTHER:
                self._further.append((place, found))
            return
        if earlier is None or (earlier.reached and not found.reached):
            self._first[place] = found
        if found.call.test and line.get("noticed") is True:
            self._recorded.setdefault(found.call.test, found)
        known = self._departures.get(found.call.given)
        if known is not None:
            nearest = min(known.call, found.call, key=lambda call: _NEAREST.index(call.origin))
            self._departures[found.call.given] = replace(known, call=nearest)
        elif len(self._departures) < MOST_DEPARTURES:
            self._departures[found.call.given] = found

    def _take_goes_on(self, fork: _Fork, line: dict[str, Any]) -> None:
        """How a test ended with a rival; it belongs to the difference that was told of that rival on this call."""
        number, call, ends = line.get("rival"), call_of(line.get("call")), ends_of(line)
        if not isinstance(number, int) or not 0 <= number < len(fork.group) or call is None or ends is None:
            return
        place = fork.group[number]
        first = self._first.get(place)
        if first is not None and first.call == call:
            self._first[place] = replace(first, ends=ends)
        self._further = [
            (n, replace(each, ends=ends) if n == place and each.call == call else each) for n, each in self._further
        ]

    def _take_near(self, fork: _Fork, line: dict[str, Any]) -> None:
        found = result_of(line)
        fork.is_misshapen |= found is None
        if found is not None:
            self._near.append((TestId(str(line.get("test"))), found, line.get("moved") is True))

    def _take_alone(self, fork: _Fork, line: dict[str, Any]) -> None:
        found = result_of(line)
        fork.is_misshapen |= found is None
        if found is not None:
            self._alone.setdefault(TestId(str(line.get("test"))), found)

    def _take_digit(self, fork: _Fork, line: dict[str, Any]) -> None:
        found = result_of(line)
        match line:
            case {"digit": [str(place), int(own), int(other)], "test": str(test), "moved": bool(moved)} if found:
                self._digits.setdefault(DigitTried(TestId(test), place, own, other, moved, found))
            case _:
                fork.is_misshapen = True

    def _take_fix(self, fork: _Fork, line: dict[str, Any]) -> None:
        way = _way_of(line)
        fork.is_misshapen |= way is None
        if way is not None:
            self._ways.add(way)

    def _take_looser(self, fork: _Fork, line: dict[str, Any]) -> None:
        number, way, found = line.get("rival"), _way_of(line), difference_of(line)
        if isinstance(number, int) and 0 <= number < len(fork.group) and way is not None and found is not None:
            self._looser.append((fork.group[number], way, replace(found, old=found.mine)))
        else:
            fork.is_misshapen = True

    def _take_beside(self, fork: _Fork, line: dict[str, Any]) -> None:
        """The neighbours of one call; a call that several tests make counts once."""
        of, call, tried, moved = (
            call_of(line.get("of")),
            call_of(line.get("call")),
            line.get("tried"),
            line.get("moved"),
        )
        if of is not None and of.test and isinstance(tried, int) and isinstance(moved, int) and 0 <= moved <= tried:
            given = call.given if call is not None else ""
            self._beside.setdefault(of.given, UnchangedNeighbours(of.test, tried, moved, given))
        else:
            fork.is_misshapen = True

    def _take_answer(self, fork: _Fork, line: dict[str, Any]) -> None:
        given = plain_input_of(line.get("input"))
        mine, old = plain_answer_of(line.get("mine")), plain_answer_of(line.get("old"))
        if given is not None and mine is not None and old is not None:
            self._answers.setdefault(given, AnswerPair(given, mine, old))

    def _take_unsteady(self, fork: _Fork, line: dict[str, Any]) -> None:
        """A call that the candidate answers in two ways."""
        found = difference_of(line)
        fork.is_misshapen |= found is None
        if found is not None and len(self._unsteady) < MOST_DEPARTURES:
            self._unsteady.setdefault(found.call.given, found)

    def _take_unsteady_old(self, fork: _Fork, line: dict[str, Any]) -> None:
        """The old function answers a call in two ways, too."""
        self._steady = False

    def _take_note(self, fork: _Fork, line: dict[str, Any]) -> None:
        self._note(str(line.get("text")))

    def _neighbours(self) -> tuple[Neighbours, ...]:
        """What became of the neighbours of each test's changed calls; what another test calls itself is none."""
        made = {given for given, departure in self._departures.items() if departure.call.is_tested}
        kept = [each for each in self._near if each[1].call.given not in made]
        return tuple(
            Neighbours(
                test,
                tuple(result for owner, result, moved in kept if owner == test and not moved),
                tuple(result for owner, result, moved in kept if owner == test and moved),
            )
            for test in sorted({owner for owner, _, _ in kept})
        )

    def _note(self, text: str) -> None:
        self._failures.setdefault(text)


def _way_of(line: dict[str, Any]) -> Way | None:
    match line.get("way"):
        case [[str(a), str(b)], [str(c), str(d)]]:
            return (a, b), (c, d)
    return None
