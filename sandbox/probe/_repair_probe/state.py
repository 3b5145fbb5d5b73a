"""What a run of the tests leaves behind in the process: a digest of the project's module-level data.

Two runs that leave the same digest have at least not grown a registry, counted something up, changed a
test's own parameters or moved the process to another directory. It is read, never written.
"""

import os
import sys
import threading
import types

_PLAIN = (int, float, complex, str, bytes, bool, type(None))
_BOXES = (list, tuple, set, frozenset, dict)
_LEAVES = (types.FunctionType, types.BuiltinFunctionType, types.ModuleType, types.CodeType, property)
_DEEPEST = 5
_MOST = 30000


class TooLarge(Exception):
    """There is more data than can be looked at before each decision."""


def digest_of(roots, names):
    """A value that differs where the data below the roots does. Objects of classes from other modules are leaves."""
    return hash(_Walk(names).read(roots, 0))


def modules_below(root):
    """The modules whose files lie below the root, by name."""
    found = {}
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None)
        if isinstance(path, str) and path.startswith(root + os.sep) and isinstance(module, types.ModuleType):
            found[name] = module
    return found


def data_of(modules):
    """The data of modules: what they define, without what Python itself puts there."""
    return [{k: v for k, v in vars(module).items() if not k.startswith("__")} for module in modules]


def process_data():
    """What a test may change of the process itself."""
    return [os.getcwd(), dict(os.environ), list(sys.path), threading.active_count(), len(sys.modules)]


class _Walk:
    def __init__(self, names):
        self._left = _MOST
        self._seen = {}
        self._names = names

    def read(self, thing, depth):
        """A hashable picture of the thing, down to some depth; what was met before is named by its number."""
        self._left -= 1
        if self._left < 0:
            raise TooLarge
        kind = type(thing)
        if kind in _PLAIN:
            return (kind.__name__, thing) if thing == thing else (kind.__name__, "nan")
        if id(thing) in self._seen:
            return ("again", self._seen[id(thing)])
        self._seen[id(thing)] = len(self._seen)
        if depth >= _DEEPEST or isinstance(thing, _LEAVES):
            return (kind.__name__,)
        if kind is dict:
            return (kind.__name__, tuple((self.read(k, depth + 1), self.read(v, depth + 1)) for k, v in thing.items()))
        if kind in (set, frozenset):
            return (kind.__name__, len(thing), hash(thing) if kind is frozenset else _of_set(thing))
        if isinstance(thing, _BOXES):
            inner = thing.items() if isinstance(thing, dict) else tuple(thing)
            return (kind.__name__, tuple(self.read(each, depth + 1) for each in inner))
        return (kind.__name__, self._attributes(thing, depth))

    def _attributes(self, thing, depth):
        is_type = isinstance(thing, type)
        home = getattr(thing if is_type else type(thing), "__module__", None)
        if not isinstance(home, str) or home not in self._names:
            own = None
        else:
            own = type.__dict__["__dict__"].__get__(thing) if is_type else _own_attributes(thing)
        if own is None:
            try:
                return len(thing)
            except Exception:
                return None
        return tuple((name, self.read(value, depth + 1)) for name, value in list(own.items()) if name != "__doc__")


def _own_attributes(thing):
    try:
        own = object.__getattribute__(thing, "__dict__")
    except Exception:
        return None
    return own if type(own) is dict else None


def _of_set(thing):
    try:
        return hash(frozenset(thing))
    except TypeError:
        return None
