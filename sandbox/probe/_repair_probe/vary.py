"""Further inputs near a recorded call: the same objects with one plain part of them changed.

Generated literals never reach code that only runs for an iterator, an instance or a callback; a call
that a test made does, and so do its neighbours. Each variant changes one argument, or one number,
text or flag that an argument holds as attribute; what is shared stays shared.
"""

import copy

from _repair_probe.values import attributes

_MOST = 14
_MOST_FIELDS = 6
_MOST_ITEMS = 200
_ITERATORS = (type(iter([])), type(iter(())), type(iter(range(0))), type(iter("")))
_SEQUENCES = (list, tuple)
_TEXTS = (str, bytes)
_SCALARS = (bool, int, float, str, bytes)


def variants(copies):
    """Changed arguments, few for each place. ``copies()`` gives fresh ``(args, kwargs, cells)``."""
    args, kwargs, _ = copies()
    places = [(0, n) for n in range(len(args))] + [(1, name) for name in sorted(kwargs)]
    streams = [_at(copies, place) for place in places]
    given = 0
    while streams and given < _MOST:
        for stream in list(streams):
            variant = next(stream, None)
            if variant is None:
                streams.remove(stream)
            elif given < _MOST:
                given += 1
                yield variant


def _at(copies, place):
    """Variants of one argument: of the value where it is plain or holds others, else of its attributes."""
    side, key = place
    value = copies()[side][key]
    own = list(_near(value))
    for number in range(len(own)):
        changed = copies()
        # Made anew from this copy, so that what the argument shares with others is still shared.
        changed[side][key] = list(_near(changed[side][key]))[number]
        yield changed
    if own or copies()[side][key] is value:  # a member of an enumeration, say, is its own copy: it is the program's
        return
    for name, field in attributes(value, type(value))[:_MOST_FIELDS]:
        for other in _near(field) if type(field) in _SCALARS else ():
            changed = copies()
            try:
                object.__setattr__(changed[side][key], name, other)
            except (AttributeError, TypeError):
                break
            yield changed


def _near(value):
    """Values of the same kind that a slip by one would tell apart; none where the kind is not known."""
    kind = type(value)
    if kind is bool:
        yield not value
    elif kind is int or kind is float:
        yield from _distinct(value, (value + 1, value - 1, -value, value * 2 + 1, kind(0)))
    elif kind in _TEXTS:
        yield from _distinct(value, (value[:-1], value + value[-1:], value[1:], value.swapcase(), value[:0]))
    elif kind in _SEQUENCES:
        yield from _rows(value, kind)
    elif kind in (set, frozenset):
        yield from _distinct(value, (kind(sorted(value, key=repr)[1:]), kind()))
    elif kind is dict:
        yield from _mappings(value)
    elif kind in _ITERATORS:
        items = list(copy.copy(value))
        if len(items) <= _MOST_ITEMS:
            for row in _rows(items, list):
                yield iter(row)


def _rows(value, kind):
    yield from _distinct(value, (value[:-1], value + value[:1], value[1:], value[::-1], kind()))
    for place in sorted({0, len(value) - 1}) if value else ():
        if type(value[place]) in _SCALARS:
            for other in _near(value[place]):
                yield value[:place] + kind([other]) + value[place + 1 :]


def _mappings(value):
    items = list(value.items())
    yield from _distinct(value, (dict(items[1:]), dict(items[::-1]) if len(items) > 1 else value, {}))
    for key, held in items[:1]:
        for other in _near(held):
            yield dict(value, **{key: other}) if type(key) is str else {**value, key: other}


def _distinct(value, others):
    """Those that differ from the value and from each other, by identity where they cannot be compared."""
    known = [value]
    for other in others:
        try:
            new = all(other is not k and other != k for k in known)
        except Exception:  # the target's own ``__eq__``
            new = False
        if new:
            known.append(other)
            yield other
