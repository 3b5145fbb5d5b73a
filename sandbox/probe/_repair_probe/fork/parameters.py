"""The tests' own parameters, put back after each run: a test may change the very lists that it is given.

Pytest hands the same objects to each run of a parametrized test. A candidate that gets further than the unpatched
program may let its test change them, and whoever runs next in that process is given something else. What is put
back are the contents of plain lists, dicts and sets, the same objects in the same order; nothing is compared by the
project's own code. What cannot be put back, the batch's digests still see.
"""

_MOST = 2000


class Parameters:
    """What the parameters of some items hold now. With too much of it nothing is kept, and nothing put back."""

    def __init__(self, items):
        self._kept = []
        waiting = [item.callspec.params for item in items if getattr(item, "callspec", None) is not None]
        seen, left = set(), _MOST
        while waiting:
            thing = waiting.pop()
            if type(thing) not in _INSIDE or id(thing) in seen:
                continue
            seen.add(id(thing))
            held = _INSIDE[type(thing)](thing)
            left -= 1 + len(held)
            if left < 0:
                self._kept = []
                return
            if type(thing) in _BACK:
                self._kept.append((thing, held))
            waiting.extend(held)

    def restore(self):
        """Put back what has changed."""
        for thing, held in self._kept:
            now = _INSIDE[type(thing)](thing)
            if len(now) != len(held) or any(a is not b for a, b in zip(now, held)):
                _BACK[type(thing)](thing, held)


def _list_back(thing, held):
    thing[:] = held


def _dict_back(thing, held):
    thing.clear()
    thing.update(zip(held[::2], held[1::2]))


def _set_back(thing, held):
    thing.clear()
    thing.update(held)


def _pairs(thing):
    return [each for pair in thing.items() for each in pair]


_INSIDE = {list: list, tuple: list, frozenset: list, set: list, dict: _pairs}
_BACK = {list: _list_back, dict: _dict_back, set: _set_back}
