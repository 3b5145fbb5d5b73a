"""Collects where rivals differ from a candidate, over forks that may end early."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from analysis.calls import (
    MOST_DEPARTURES,
    CallInput,
    CallPair,
    CallResult,
    Comparison,
    DigitTried,
    Neighbours,
    UnchangedNeighbours,
    Witness,
)
from analysis.facts import TestId
from analysis.trials import Trial

GROUP = 8
"""Rivals that are compared in one fork."""

RECORDED = 40
"""Calls of the tests that are repeated."""

CALL_SECONDS = 1.0
"""What one call may take."""

_COMPARING_SECONDS = 20.0
"""What all calls in one fork may take."""

_MOST_FAILURES = 20
"""Reasons that are kept why calls were not compared."""

Group = tuple[int, ...]
"""Indices of the rivals that one fork compares."""


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

    def request(self, group: Group, rivals: Sequence[Trial]) -> dict[str, object]:
        """What the server is told."""
        texts = [rivals[place].text.decode("latin-1") for place in group]
        old = [n for n, place in enumerate(group) if rivals[place].text == self.old.text]
        return {
            "mine": self.mine.text.decode("latin-1"),
            "old": self.old.text.decode("latin-1"),
            "rivals": texts,
            "old_place": old[0] if old else -1,
            "inputs": [[i.args, i.kwargs] for i in self.inputs],
            "changed_lines": list(self.changed_lines),
            "looser": self.looser,
            "most": RECORDED,
            "share": self.share,
            "call_seconds": CALL_SECONDS,
            "comparing_seconds": _COMPARING_SECONDS,
            "seconds": self.test_seconds + _COMPARING_SECONDS + 5.0,
        }


class Differences:
    """State of one comparison: what is known of each rival, and which still have to be compared.

    A looser form counts as another program only where it changes what candidate and old function have in common. Both
    ends, before and after, must be of the kinds that a test's call has on which the candidate changes something.
    """

    def __init__(self, ask: Ask, rivals: Sequence[Trial]) -> None:
        self._ask = ask
        self.rivals = tuple(rivals)
        self._open = [n for n, rival in enumerate(rivals) if rival.text != ask.mine.text]
        self._witnesses: dict[int, Witness] = {}
        self._recorded: dict[TestId, Witness] = {}
        self._departures: dict[str, Witness] = {}
        self._near: list[tuple[TestId, Witness, bool]] = []
        self._beside: dict[str, UnchangedNeighbours] = {}
        self._digits: list[DigitTried] = []
        self._unsteady: dict[str, Witness] = {}
        self._steady = True
        self._alone: dict[TestId, Witness] = {}
        self._answers: dict[CallInput, CallPair] = {}
        self._ways: set[tuple[str, str]] = set()
        self._looser: list[tuple[int, tuple[str, str], Witness]] = []
        self._failures: dict[str, None] = {}
        self._counts: list[tuple[bool, tuple[int, int, int]]] = []
        self._ended: set[int] = set()

    def groups(self) -> list[Group]:
        """Groups to send next; none when everything is known."""
        return [tuple(self._open[n : n + GROUP]) for n in range(0, len(self._open), GROUP)]

    def take(self, group: Group, state: str, ending: str, lines: Iterable[dict[str, Any]]) -> None:
        """Take the lines of one fork. A rival that ended it is told apart by that; the others go again."""
        inputs, reaching, touching, trying, entry = 0, 0, 0, -1, {"call": "", "mine": ""}
        for line in lines:
            if "differs" in line:
                self._differs(group, line)
            elif "looser" in line or "fixes" in line:
                self._loosened(group, line)
            elif "entry" in line:
                inputs, entry, reached = inputs + 1, line, line.get("reached") is True
                reaching += reached and line.get("fresh") is True
                touching += reached
            elif "near" in line:
                same = Witness(str(line.get("call")), str(line.get("mine")), str(line.get("mine")))
                self._near.append((TestId(str(line["near"])), same, line.get("moved") is True))
            elif "beside" in line:
                self._surrounded(line)
            elif "digit" in line:
                self._digit(line)
            elif "alone" in line:
                same = Witness(str(line.get("call")), str(line.get("mine")), str(line.get("mine")))
                self._alone.setdefault(TestId(str(line["alone"])), same)
            elif "answered" in line:
                self._answered(line["answered"])
            elif "unsteady" in line:
                self._differing(line)
            elif isinstance(line.get("trying"), int):
                if 0 <= trying < len(group):
                    self._ended.add(group[trying])
                trying = line["trying"]
            elif line.get("unanswered") == trying:
                trying = -1
            elif "failed" in line or "problem" in line or "invalid" in line:
                self._note(str(next(iter(line.values()))))
        known = set(group)
        if state != "done":
            if self._ask.looser and 0 <= trying < len(group):
                known = {group[trying]}
            elif 0 <= trying < len(group):
                witness = Witness(str(entry["call"]), str(entry["mine"]), f"ends otherwise: {ending}")
                self._witnesses.setdefault(group[trying], witness)
                known = {group[trying]} | (self._witnesses.keys() & known)
            else:
                self._note(f"comparing ended early: {ending}")
        if known == set(group):
            lasting = any(n not in self._witnesses or self._is_old(n) for n in group)
            self._counts.append((lasting, (inputs, reaching, touching)))
        self._open = [n for n in self._open if n not in known]

    def comparison(self) -> Comparison:
        """The result."""
        told = dict(self._witnesses)
        for place, way, witness in self._looser:
            if way in self._ways:
                told.setdefault(place, witness)
        found = tuple((self.rivals[n].digest, witness) for n, witness in sorted(told.items()))
        failures = tuple(self._failures)[:_MOST_FAILURES]
        recorded = tuple(sorted(self._recorded.items()))
        inputs, reaching, touching = self._tried()
        return Comparison(
            inputs,
            found,
            failures,
            recorded,
            reaching,
            touching,
            departures=tuple(self._departures.values()),
            neighbours=self._neighbours(),
            surroundings=tuple(self._beside.values()),
            unsteady=tuple(self._unsteady.values()) if self._steady else (),
            alone=tuple(sorted(self._alone.items())),
            digits=tuple(dict.fromkeys(self._digits)),
            answers=tuple(self._answers.values()),
            unanswered=tuple(rival.digest for n, rival in enumerate(self.rivals) if self._is_unknown(n, told)),
        )

    def _is_unknown(self, place: int, told: Mapping[int, Witness]) -> bool:
        """Whether no call of a rival could be held against the candidate's."""
        return self.rivals[place].text != self._ask.mine.text and place not in self._ended and place not in told

    def _tried(self) -> tuple[int, int, int]:
        """How many inputs were tried, reached the change afresh, and reached it at all.

        A group whose rivals were all told apart ended early and says nothing; of the others the least counts.
        """
        lasting = [counts for lasts, counts in self._counts if lasts and counts[0]]
        every = lasting or [max((counts for _, counts in self._counts), default=(0, 0, 0))]
        inputs, reaching, touching = (min(column) for column in zip(*every, strict=True))
        return inputs, reaching, touching

    def _is_old(self, place: int) -> bool:
        return self.rivals[place].text == self._ask.old.text

    def _differs(self, group: Group, line: dict[str, Any]) -> None:
        place = line["differs"]
        if not isinstance(place, int) or not 0 <= place < len(group):
            return
        reached = line.get("reached") is not False
        accident = line.get("accident") is True
        witness = Witness(*_parse_line(line), reached, accident, line.get("tested") is True, bool(line.get("test")))
        earlier = self._witnesses.get(group[place])
        if earlier is None or (earlier.reached and not reached):
            self._witnesses[group[place]] = witness
        if not self._is_old(group[place]):
            return
        if line.get("test") and line.get("noticed") is True:
            self._recorded.setdefault(TestId(str(line["test"])), witness)
        known = self._departures.get(witness.call)
        if known is not None:
            tested, made = known.tested or witness.tested, known.made or witness.made
            self._departures[witness.call] = replace(known, tested=tested, made=made)
        if len(self._departures) < MOST_DEPARTURES:
            self._departures.setdefault(witness.call, witness)

    def _digit(self, line: dict[str, Any]) -> None:
        match line:
            case {"digit": [str(place), int(own), int(other)], "test": str(test), "moved": bool(moved)}:
                same = Witness(str(line.get("call")), str(line.get("mine")), str(line.get("mine")))
                self._digits.append(DigitTried(TestId(test), place, own, other, moved, same))

    def _loosened(self, group: Group, line: dict[str, Any]) -> None:
        match line:
            case {"fixes": [str(old), str(new), str()]}:
                self._ways.add((old, new))
            case {"looser": int(place), "way": [str(old), str(new)]} if 0 <= place < len(group):
                self._looser.append((group[place], (old, new), Witness(*_parse_line(line))))

    def _neighbours(self) -> tuple[Neighbours, ...]:
        """What became of the neighbours of each test's changed calls; what another test calls itself is none."""
        made = {call for call, departure in self._departures.items() if departure.tested}
        kept = [each for each in self._near if each[1].call not in made]
        return tuple(
            Neighbours(
                test,
                tuple(witness for owner, witness, moved in kept if owner == test and not moved),
                tuple(witness for owner, witness, moved in kept if owner == test and moved),
            )
            for test in sorted({owner for owner, _, _ in kept})
        )

    def _surrounded(self, line: dict[str, Any]) -> None:
        """The neighbours of one call; a call that several tests make counts once."""
        match line:
            case {"beside": str(test), "of": str(of), "tried": int(tried), "moved": int(moved), "call": str(call)} if (
                0 <= moved <= tried
            ):
                self._beside.setdefault(of, UnchangedNeighbours(TestId(test), tried, moved, call))

    def _answered(self, line: object) -> None:
        match line:
            case [str(args), str(kwargs), [str(), str()] as mine, [str(), str()] as old]:
                given = CallInput(args, kwargs)
                if given.values() is not None:
                    self._answers.setdefault(given, CallPair(given, CallResult(*mine), CallResult(*old)))

    def _differing(self, line: dict[str, Any]) -> None:
        """A call that is answered in two ways: by the candidate, or (without a name) by the old function too."""
        if not line["unsteady"]:
            self._steady = False
        elif len(self._unsteady) < MOST_DEPARTURES:
            witness = Witness(str(line["unsteady"]), str(line.get("mine")), str(line.get("other")))
            self._unsteady.setdefault(witness.call, witness)

    def _note(self, text: str) -> None:
        self._failures.setdefault(text)


def _parse_line(line: dict[str, Any]) -> tuple[str, str, str]:
    return str(line.get("call")), str(line.get("mine")), str(line.get("other"))
