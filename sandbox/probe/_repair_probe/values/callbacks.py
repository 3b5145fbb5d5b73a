"""Parameters and free variables that no test gives: callables that note their calls, and values of the kinds named.

Tests often leave an option at its default. What the function does with it is behaviour all the same: it is passed here
by name, as what its annotation or its default says; where the body calls or awaits it, as a callable whose calls are
part of what was observed.
"""

import ast
import itertools

from _repair_probe.values.pictures import picture

_MOST_CALLS = 100
_MOST_SAMPLES = 4
_SAMPLES = {
    "bool": (True, False),
    "int": (1, 0, -1, 7),
    "float": (0.5, 0.0, -1.5),
    "str": ("a", "", "b c"),
    "bytes": (b"a", b""),
    "list": ([], ["a"]),
    "dict": ({}, {"a": 1}),
    "set": (set(), {1}),
    "tuple": ((), (1,)),
}
_ALIASES = {
    "List": "list",
    "Sequence": "list",
    "Iterable": "list",
    "Collection": "list",
    "Dict": "dict",
    "Mapping": "dict",
    "Set": "set",
    "Tuple": "tuple",
}


class Recorder:
    """A callable that notes what it is called with. It gives its first argument back, or nothing."""

    def __init__(self, echoes):
        self.echoes, self.calls = echoes, []

    def __call__(self, *args, **kwargs):
        self._note(args, kwargs)
        return args[0] if self.echoes and args else None

    def _note(self, args, kwargs):
        if len(self.calls) < _MOST_CALLS:
            self.calls.append(picture((args, kwargs) if kwargs else args))


class AwaitedRecorder(Recorder):
    """The same for what is awaited."""

    async def __call__(self, *args, **kwargs):
        self._note(args, kwargs)
        return args[0] if self.echoes and args else None


class Options:
    """What can be passed to one function besides what its tests pass. ``node`` is its tree."""

    def __init__(self, node):
        self._called, self._awaited = _called(node)
        self.attributes = frozenset(part.attr.strip("_") for part in ast.walk(node) if isinstance(part, ast.Attribute))
        self._asked = list(_asked(node))
        arguments = node.args
        self._hints = {a.arg: a.annotation for a in [*arguments.args, *arguments.kwonlyargs] if a.annotation}
        self._names = [a.arg for a in [*arguments.args, *arguments.kwonlyargs]]
        self._before = [a.arg for a in getattr(arguments, "posonlyargs", [])]

    def left_out(self, args, kwargs):
        """Names of the parameters that a call leaves at their defaults."""
        return [
            name for name in (self._before + self._names)[len(args) :] if name in self._names and name not in kwargs
        ]

    def values(self, name, default, near):
        """Values for a parameter that has this default; ``near`` gives those like a plain one."""
        if name in self._called and (default is None or callable(default)):
            return self.recorders(name)
        found = [] if default is None else [*self._asked_for(name, default), *near(default)]
        return (found or _samples(self._hints.get(name)))[:_MOST_SAMPLES]

    def _asked_for(self, name, default):
        """Other texts that the body holds the parameter against: hardly another one means anything to it."""
        texts = dict.fromkeys(text for asked, text in self._asked if asked == name and text != default)
        return list(texts) if isinstance(default, str) else []

    def recorders(self, name):
        """Callables for a name that the body calls; none for others."""
        if name not in self._called:
            return []
        kind = AwaitedRecorder if name in self._awaited else Recorder
        return [kind(False), kind(True)]


def _asked(node):
    """Names with the texts that they are compared with."""
    for part in ast.walk(node):
        if isinstance(part, ast.Compare):
            inside = list(ast.walk(part))
            names = [each.id for each in inside if isinstance(each, ast.Name)]
            texts = [each.value for each in inside if isinstance(each, ast.Constant) and isinstance(each.value, str)]
            yield from itertools.product(names, texts)


def _called(node):
    """Names that the body calls, and those of them whose result it awaits."""
    called, awaited = set(), set()
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name):
            called.add(part.func.id)
        if isinstance(part, ast.Await) and isinstance(part.value, ast.Call) and isinstance(part.value.func, ast.Name):
            awaited.add(part.value.func.id)
    return called, awaited


def _samples(hint):
    """Values of the plain kinds that an annotation names at its top or as a member of a union."""
    if isinstance(hint, ast.Constant) and isinstance(hint.value, str):
        try:
            return _samples(ast.parse(hint.value, mode="eval").body)
        except (SyntaxError, ValueError):
            return []
    if isinstance(hint, ast.BinOp):
        return _samples(hint.left) + _samples(hint.right)
    if isinstance(hint, ast.Subscript):
        inside = hint.slice.value if type(hint.slice).__name__ == "Index" else hint.slice  # before Python 3.9
        parts = inside.elts if isinstance(inside, ast.Tuple) else [inside]
        if _last(hint.value) == "Literal":
            return [part.value for part in parts if isinstance(part, ast.Constant)]
        if _last(hint.value) in ("Optional", "Union"):
            return [value for part in parts for value in _samples(part)]
        hint = hint.value
    name = _last(hint)
    return list(_SAMPLES.get(_ALIASES.get(name, name), ()))


def _last(node):
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
