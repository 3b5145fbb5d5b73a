"""Pictures of values read back: Python source that makes the value which a picture shows.

An instance is made without its constructor and put into the state that was seen, by ``made``, which a file of answers
brings along. ``Cart(items={'tea': 2})`` becomes ``made(shop.Cart, items={'tea': 2})``.
"""

from __future__ import annotations

import ast
import builtins
import functools
import re
from collections.abc import Callable, Iterator, Mapping

from analysis.facts import Files

MADE, AFTER, STATE, SAME = "made", "after", "state_of", "same"
HELPERS = f'''\
import collections
import enum


def {MADE}(kind, /, *inside, **state):
    """An instance in this state, whatever its constructor would do."""
    base = next(each for each in kind.__mro__ if each.__module__ in ("builtins", "collections"))
    value = base.__new__(kind, *inside)
    if base is collections.deque and inside:
        base.__init__(value, inside[0], inside[0].maxlen)
    elif base.__init__ is not object.__init__:
        base.__init__(value, *inside)
    for name, held in state.items():
        object.__setattr__(value, name, held)
    return value


def {AFTER}(method, /, *args, **named):
    """The instance whose method was called."""
    method(*args, **named)
    return method.__self__


def same(found, expected):
    """Whether both are equal and of one type; numbers with a point are to nine digits."""
    if type(found) is not type(expected):
        return False
    if isinstance(expected, float):
        return found == expected or abs(found - expected) <= 1e-9 * max(abs(found), abs(expected))
    if isinstance(expected, (list, tuple)):
        return len(found) == len(expected) and all(map(same, found, expected))
    if isinstance(expected, dict):
        return found.keys() == expected.keys() and all(same(found[key], held) for key, held in expected.items())
    return found == expected


def state_of(value):
    """What a value is: instances by their class and attributes, not by their own idea of what is equal."""
    kind, inside = type(value), None
    if isinstance(value, (list, tuple, collections.deque)):
        inside = [state_of(each) for each in value]
    elif isinstance(value, dict):
        inside = {{key: state_of(held) for key, held in dict.items(value)}}
    elif isinstance(value, BaseException):
        inside = [state_of(each) for each in value.args]
    elif kind.__module__ == "builtins" or isinstance(value, enum.Enum):
        return value
    elif isinstance(value, (str, bytes, int, float)):
        inside = next(each for each in kind.__mro__ if each.__module__ == "builtins")(value)
    slots = [name for each in kind.__mro__ for name in getattr(each, "__slots__", ()) if hasattr(value, name)]
    if inside is None and not slots and not hasattr(value, "__dict__"):
        return value
    if isinstance(value, (collections.deque, collections.defaultdict)):
        slots += [name for name in ("maxlen", "default_factory") if hasattr(value, name)]
    own = {{**{{name: getattr(value, name) for name in slots}}, **getattr(value, "__dict__", {{}})}}
    return kind, inside, {{name: state_of(held) for name, held in own.items()}}
'''
"""What a file of answers holds where it speaks of an instance by its state. Python 3.8."""

_STANDARD = {
    "deque": "collections.deque",
    "defaultdict": "collections.defaultdict",
    "OrderedDict": "collections.OrderedDict",
    "Counter": "collections.Counter",
    "Decimal": "decimal.Decimal",
    "Fraction": "fractions.Fraction",
    "PosixPath": "pathlib.PosixPath",
    "PurePosixPath": "pathlib.PurePosixPath",
    "UUID": "uuid.UUID",
    "IPv4Address": "ipaddress.IPv4Address",
    "IPv6Address": "ipaddress.IPv6Address",
    **{f"datetime.{name}": f"datetime.{name}" for name in ("date", "datetime", "time", "timedelta")},
    "datetime.timezone.utc": "datetime.timezone.utc",
    "re.compile": "re.compile",
}
"""Classes of the standard library by the names that their pictures give them."""

_FACTORIES = frozenset(("list", "dict", "set", "int", "float", "str", "tuple", "bool"))
"""Built-in types that a picture of a ``defaultdict`` may name as that which makes a missing value."""

_BUILT_IN = frozenset(("set", "frozenset", "bytearray", "range", "slice"))
ClassNames = Callable[[str], str]
"""The dotted name, with its module, of the project's class of that qualified name; ``""`` for none."""


def making(picture: str, classes: ClassNames) -> str:
    """The source that makes the pictured value; ``""`` where the picture does not say enough.

    Examples: ``[1, 'a']`` is its own, ``<itself>`` has none.
    """
    try:
        parsed = ast.parse(picture.strip(), mode="eval").body
        return ast.unparse(_made(parsed, classes))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""


def class_names(path: str, sources: Files, module_of: Callable[[str], str]) -> ClassNames:
    """Names of the project's classes as a function of the file at ``path`` meets them: its own module's come first."""

    @functools.cache
    def find(qualname: str) -> str:
        own = re.compile(rb"^\s*class\s+" + re.escape(qualname.rpartition(".")[2].encode()) + rb"\b", re.MULTILINE)
        holding = [each for each, text in sources if own.search(text) and qualname in _classes_of(text)]
        places = [path] if path in holding else holding
        module = module_of(places[0]) if len(places) == 1 else ""
        return f"{module}.{qualname}" if module else ""

    return find


def _classes_of(text: bytes) -> frozenset[str]:
    try:
        return frozenset(_qualnames(ast.parse(text).body, ""))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()


def _qualnames(body: list[ast.stmt], around: str) -> Iterator[str]:
    for statement in body:
        if isinstance(statement, ast.ClassDef):
            yield around + statement.name
            yield from _qualnames(statement.body, f"{around}{statement.name}.")


def _made(node: ast.expr, classes: ClassNames) -> ast.expr:
    """The expression that makes what this one pictures. Raises ``ValueError`` where there is none."""
    match node:
        case ast.Constant():
            return node
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float())):
            return ast.UnaryOp(ast.USub(), _made(node.operand, classes))
        case ast.List(elts=items):
            return ast.List([_made(each, classes) for each in items], ast.Load())
        case ast.Tuple(elts=items):
            return ast.Tuple([_made(each, classes) for each in items], ast.Load())
        case ast.Set(elts=items):
            return ast.Set([_made(each, classes) for each in items])
        case ast.Dict(keys=keys, values=values):
            made: list[ast.expr | None] = [_made(each, classes) for each in keys if each is not None]
            return ast.Dict(made, [_made(each, classes) for each in values])
        case ast.Call(func=func, args=args, keywords=named):
            return _called(_dotted(func), args, {each.arg or "": each.value for each in named}, classes)
        case ast.Name(id=name):
            return _name(_class_named(name, classes))
        case ast.Attribute():
            return _name(_enum_member(_dotted(node), classes))
    raise ValueError("a picture of something else")


def _called(name: str, args: list[ast.expr], named: Mapping[str, ast.expr], classes: ClassNames) -> ast.expr:
    inside = [_made(each, classes) for each in args]
    state = [ast.keyword(key, _made(each, classes)) for key, each in named.items()]
    if "" in named:
        raise ValueError("no picture names nothing")
    if found := classes(name):
        return ast.Call(_name(MADE), [_name(found), *inside], state)
    known = getattr(builtins, name, None)
    if name in _BUILT_IN or (isinstance(known, type) and issubclass(known, BaseException) and not state):
        return ast.Call(_name(name), inside, state)
    if name in _STANDARD:
        return ast.Call(_name(_STANDARD[name]), inside, state)
    raise ValueError(f"{name} is no class that is known")


def _enum_member(dotted: str, classes: ClassNames) -> str:
    kind, _, member = dotted.rpartition(".")
    if dotted in _STANDARD:
        return _STANDARD[dotted]
    if found := classes(kind):
        return f"{found}.{member}"
    raise ValueError(f"{dotted} is nothing that is known")


def _class_named(name: str, classes: ClassNames) -> str:
    if found := classes(name) or (name if name in _FACTORIES else _STANDARD.get(name, "")):
        return found
    raise ValueError(f"{name} is no class that is known")


def _dotted(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name):
            return name
        case ast.Attribute(value=value, attr=name):
            return f"{_dotted(value)}.{name}"
    raise ValueError("no dotted name")


def _name(dotted: str) -> ast.expr:
    return ast.parse(dotted, mode="eval").body
