"""What is in scope at a place of a program, kept as plain copies that later runs cannot change.

Values of exact builtin types are copied, as deep as they are small; everything else is an ``Opaque``, which is
equal to itself alone. Attributes of such an object are read where it keeps them, so that none of its code runs.
"""

import base64
import marshal
import types

SCALARS = (bool, int, float, complex, str, bytes)
_SEQUENCES = (list, tuple, set, frozenset)
_MOST_ITEMS, _MOST_TEXT, _MOST_BITS = 40, 400, 256
_MOST_FIELDS, _MOST_NAMES = 8, 24
_MARK = "\0opaque"


class Missing:
    """Stands for a value that there is not."""

    def __repr__(self):
        return "<missing>"


MISSING = Missing()


class Opaque:
    """A value of which only its type is known, and which one it is."""

    __slots__ = ("kept", "kind", "number")

    def __init__(self, kind, number, kept=None):
        self.kind, self.number, self.kept = kind, number, kept

    def __eq__(self, other):
        return type(other) is Opaque and (self.kind, self.number) == (other.kind, other.number)

    def __hash__(self):
        return hash((self.kind, self.number))


def copied(value, depth=2):
    """The value as plain data, as far as it is that, and small."""
    kind = type(value)
    if value is None:
        return None
    if kind in SCALARS:
        return value if _is_small(value, kind) else _opaque(value)
    if depth and kind in _SEQUENCES and len(value) <= _MOST_ITEMS:
        return kind([copied(item, depth - 1) for item in value])
    if depth and kind is dict and len(value) <= _MOST_ITEMS:
        return {copied(k, depth - 1): copied(v, depth - 1) for k, v in dict.items(value)}
    return _opaque(value)


def _is_small(value, kind):
    if kind is int:
        return value.bit_length() <= _MOST_BITS
    return kind not in (str, bytes) or len(value) <= _MOST_TEXT


def _opaque(value):
    kind = type(value)
    return Opaque(type.__getattribute__(kind, "__name__"), id(value), value)


def key(value):
    """What two values share that are the same for every program: ``1``, ``1.0`` and ``True`` do not."""
    kind = type(value)
    if kind in (list, tuple):
        return kind.__name__, tuple([key(item) for item in value])
    if kind in (set, frozenset):
        return kind.__name__, frozenset([key(item) for item in value])
    if kind is dict:
        return "dict", tuple([(key(k), key(v)) for k, v in value.items()])
    return kind.__name__, repr(value) if kind in (float, complex) else value


def snapshot(frame, code, wanted):
    """Copies by the text that names them: locals, ``wanted`` globals and attributes, fields of objects in scope."""
    known = {}
    for each in _frames(frame, code):
        for name, value in each.f_locals.items():
            if name.isidentifier() and len(known) < _MOST_NAMES:
                known.setdefault(name, value)
    state = {name: copied(value) for name, value in known.items()}
    for text in wanted:
        if text not in state:
            value = _reached(text.split("."), known, frame.f_globals)
            if value is not MISSING:
                state[text] = copied(value)
    for name, value in known.items():
        if type(state[name]) is Opaque and not isinstance(value, types.ModuleType):
            for field, held in _fields(value):
                state.setdefault("%s.%s" % (name, field), copied(held, 1))
    return state


def _frames(frame, code):
    """The frame, and that of the function where this one is of a comprehension in it."""
    yield frame
    own = frame.f_code
    steps = 0
    while own is not code and steps < 3 and frame.f_back is not None:
        frame, steps = frame.f_back, steps + 1
        if frame.f_code is code:
            yield frame
            return


def _reached(names, known, namespace):
    value = known.get(names[0], namespace.get(names[0], MISSING))
    for name in names[1:]:
        value = field_of(value, name)
    return value


def field_of(value, name):
    """The value of an attribute that the object or one of its classes simply holds."""
    if value is MISSING or type(value) in SCALARS:
        return MISSING
    held = _held(value)
    if name in held:
        return held[name]
    for base in type.__getattribute__(type(value), "__mro__"):
        found = type.__getattribute__(base, "__dict__").get(name, MISSING)
        if isinstance(found, types.MemberDescriptorType):
            return _slot(found, value)
        if found is not MISSING:
            plain = type(found) in SCALARS or type(found) in _SEQUENCES or type(found) is dict or found is None
            return found if plain else MISSING
    return MISSING


def _slot(found, value):
    try:
        return types.MemberDescriptorType.__get__(found, value)
    except AttributeError:
        return MISSING


def _held(value):
    try:
        held = object.__getattribute__(value, "__dict__")
    except (AttributeError, TypeError):
        return {}
    return held if type(held) is dict else {}


def _fields(value):
    names = [name for name in _held(value) if type(name) is str and name.isidentifier()]
    if not names:
        for base in type.__getattribute__(type(value), "__mro__"):
            for name, found in type.__getattribute__(base, "__dict__").items():
                if isinstance(found, types.MemberDescriptorType):
                    names.append(name)
    for name in names[:_MOST_FIELDS]:
        held = field_of(value, name)
        if held is not MISSING and not name.startswith("__"):
            yield name, held


def packed(value):
    """Snapshots, or anything made of plain data and these, as text for another process of this interpreter.

    Opaque values are numbered in their order, so that the text says nothing of where they lay.
    """
    numbers = {}

    def mark(value):
        if type(value) is not Opaque:
            return (_MARK,)
        return _MARK, value.kind, numbers.setdefault(value, len(numbers) + 1)

    return base64.b64encode(marshal.dumps(_mapped(value, mark))).decode("ascii")


def unpacked(text):
    """What ``packed`` gave; raises ``ValueError`` for anything else."""
    try:
        return _unmarked(marshal.loads(base64.b64decode(text)))
    except (EOFError, TypeError) as problem:
        raise ValueError(str(problem)) from problem


def _unmarked(value):
    if type(value) is tuple and value[:1] == (_MARK,):
        return Opaque(*value[1:]) if len(value) == 3 else MISSING
    return _mapped(value, None, _unmarked)


def _mapped(value, leaf, again=None):
    again = again or (lambda each: _mapped(each, leaf))
    kind = type(value)
    if kind in _SEQUENCES:
        return kind([again(item) for item in value])
    if kind is dict:
        return {again(k): again(v) for k, v in value.items()}
    return leaf(value) if kind in (Opaque, Missing) else value
