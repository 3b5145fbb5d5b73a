"""What a looser form of a candidate changes beyond it, and whether that is in the way of the fix."""

from __future__ import annotations

from _repair_probe.compare.nearness import kind_of
from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from _repair_probe.compare.calls import Entry
    from _repair_probe.compare.evaluate import CallOutcome
    from _repair_probe.compare.nearness import Weighed
    from _repair_probe.ground.words import Send

    Way = tuple[str, str]


class Looser:
    """Knows how the candidate ends the tests' calls that it changes, and tells each form's differences of that way."""

    _fixes: set[Way]
    _told: set[tuple[int, Way]]

    def __init__(self, send: Send) -> None:
        self._send = send
        self._fixes, self._told = set(), set()

    def learn(self, entry: Entry, weighed: Weighed) -> None:
        """A call was weighed: where a test makes it and the candidate changes it, that is the way of the fix."""
        if entry.test and weighed.moved and weighed.old is not None:
            way = kind_of(weighed.old), kind_of(weighed.mine)
            if way not in self._fixes:
                self._fixes.add(way)
                self._send(fixes=[*way, entry.test])

    def tell(self, place: int, call: str, old: CallOutcome, mine: CallOutcome, other: CallOutcome) -> bool:
        """Tell the difference; true where the form needs no further one."""
        way = kind_of(old), kind_of(other)
        if (place, way) not in self._told:
            self._told.add((place, way))
            ours, theirs = mine.excerpts_beside(other)
            self._send(looser=place, way=[*way], call=call, mine=ours, other=theirs)
        return way in self._fixes
