"""What a looser form of a candidate changes beyond it, and whether that is in the way of the fix."""

from _repair_probe.compare.nearness import kind_of


class Looser:
    """Knows how the candidate ends the tests' calls that it changes, and tells each form's differences of that way."""

    def __init__(self, send):
        self._send = send
        self._fixes, self._told = set(), set()

    def learn(self, entry, weighed):
        """A call was weighed: where a test makes it and the candidate changes it, that is the way of the fix."""
        if entry.test and weighed.moved:
            way = kind_of(weighed.old), kind_of(weighed.mine)
            if way not in self._fixes:
                self._fixes.add(way)
                self._send(fixes=[*way, entry.test])

    def tell(self, place, call, weighed, other):
        """Tell the difference; true where the form needs no further one."""
        way = kind_of(weighed.old), kind_of(other)
        if (place, way) not in self._told:
            self._told.add((place, way))
            mine, theirs = weighed.mine.beside(other)
            self._send(looser=place, way=[*way], call=call, mine=mine, other=theirs)
        return way in self._fixes
