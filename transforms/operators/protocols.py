"""What special methods owe to those who call them, and methods to what they override.

An operation between two objects asks the other one only where ``NotImplemented`` is returned. Copying, pickling and
debuggers ask objects for special names that ``__getattr__`` is not meant to answer (Python's data model). A method that
overrides another one usually calls it.
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from transforms.operators.operator import STATEMENT, Edit, Example, NodeChange, Operator, Site, clip_text, weigh_by_rank
from transforms.operators.parts import function_of

_COMPARED = ("__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__")
_SIGNS = ("add", "sub", "mul", "truediv", "floordiv", "mod", "divmod", "pow", "matmul", "and", "or", "xor")
_SHIFTS = ("lshift", "rshift")
_BETWEEN_TWO = frozenset(
    (*_COMPARED, *(f"__{side}{sign}__" for side in ("", "r", "i") for sign in (*_SIGNS, *_SHIFTS)))
)


def _foreign_operand(site: Site) -> Iterator[Edit]:
    """``NotImplemented`` for another object of a kind that the operation does not know."""
    other = _other_operand(site)
    if other and site.is_first:
        kinds = [site.words.owner] if site.words.owner else []
        forms = [f"not isinstance({other}, {kind})" for kind in (*kinds, "type(self)")]
        for form, weight in weigh_by_rank(forms, 2.0):
            text = f"if {form}:\n    return NotImplemented\n"
            yield site.lines((text, site.node), weight, f"leaves it to `{other}` when `{form}`")
    elif other and isinstance(site.small_statement, (cst.Return, cst.Raise)) and "NotImplemented" not in site.code:
        own = clip_text(site.code.strip())
        yield site.lines(("return NotImplemented",), 0.5, f"leaves it to `{other}` instead of `{own}`")


def _other_operand(site: Site) -> str:
    """The other one of an operation between two objects; ``""`` in any other function."""
    between = site.words.is_method and function_of(site).name.value in _BETWEEN_TWO
    return site.words.parameters[0] if between and len(site.words.parameters) == 1 else ""


def _special_name(site: Site) -> Iterator[Edit]:
    """``AttributeError`` for a special name, which ``__getattr__`` would answer like any other."""
    if not (site.is_first and site.words.is_method and len(site.words.parameters) == 1):
        return
    if function_of(site).name.value not in ("__getattr__", "__getattribute__"):
        return
    name = site.words.parameters[0]
    special = (f"{name}.startswith('__')", f"{name}.startswith('__') and {name}.endswith('__')")
    for form, weight in weigh_by_rank((*special, f"{name}.startswith('_')"), 2.0):
        text = f"if {form}:\n    raise AttributeError({name})\n"
        yield site.lines((text, site.node), weight, f"knows no attribute when `{form}`")


def _ask_base(site: Site) -> Iterator[Edit]:
    """``super().m(…)`` in a method that overrides another one: as it stands, or for attributes that it sets itself.

    Example: ``self.name = 'x'`` to ``super().__init__('x')`` where the base sets ``name`` of its first parameter.
    """
    base = site.words.overridden
    if base is None or not site.is_first:
        return
    function = function_of(site)
    name = function.name.value
    if f"super().{name}(" in site.print(function):
        return
    own, held = site.words.parameters, _attributes_set(site)
    given = [each if each in own else held[each][1] for each in base.parameters if each in own or each in held]
    set_here = [each for each in base.parameters if each not in own and each in held]
    if base.rest in held:
        named = _as_keywords(site, held[base.rest][2])
        given += named
        set_here += [base.rest] if named else []
    if set_here:
        call = f"super().{name}({', '.join(given)})"
        gone = {held[each][0] for each in set_here}
        here = (call,) if 0 in gone else (call, site.node)
        others = tuple(NodeChange(site.beside(place), ()) for place in sorted(gone - {0}))
        yield Edit((NodeChange(site.path, here), *others), 2.0, f"calls `{clip_text(call)}` for what it sets itself")
    taken = ", ".join(each for each in base.parameters if each in own)
    for form, weight in weigh_by_rank((f"super().{name}({taken})", f"super().{name}()"), 2.0):
        yield site.lines((form, site.node), weight, f"calls `{clip_text(form)}` first")


def _attributes_set(site: Site) -> dict[str, tuple[int, str, cst.BaseExpression]]:
    """Attributes of the object that are set from here on in this block: the place, the value as text and as node."""
    found: dict[str, tuple[int, str, cst.BaseExpression]] = {}
    first = site.place[1] if site.place is not None else 0
    for place, line in enumerate(site.siblings[first:]):
        small = line.body[0] if isinstance(line, cst.SimpleStatementLine) and len(line.body) == 1 else None
        match small:
            case cst.Assign(targets=[cst.AssignTarget(target=cst.Attribute(value=cst.Name("self"), attr=attribute))]):
                found.setdefault(attribute.value, (place, site.print(small.value), small.value))
    return found


def _as_keywords(site: Site, value: cst.BaseExpression) -> list[str]:
    """``{'radius': r}`` as ``radius=r``; nothing where a key is no name."""
    found = []
    for each in value.elements if isinstance(value, cst.Dict) else ():
        key = (
            each.key.evaluated_value
            if isinstance(each, cst.DictElement) and isinstance(each.key, cst.SimpleString)
            else None
        )
        if not isinstance(key, str) or not key.isidentifier():
            return []
        found.append(f"{key}={site.print(each.value)}")
    return found


_SHAPE = (
    "class Shape:\n    def __init__(self, name, **sizes):\n        self.name, self.sizes = check(name, sizes)\n"
    "class Circle(Shape):\n    def __init__(self, r):\n"
)
_NODE = (
    "class Node:\n    def __init__(self, name):\n        self.name, self.kids = name, []\n"
    "class Leaf(Node):\n    def __init__(self, name, value):\n"
)
_BOX = "class Box:\n    def clear(self):\n        self.items = []\nclass Counted(Box):\n"
"""Heads of the examples: the last method is the one that is edited."""

OPERATORS = (
    Operator("ask_base", "call", (cst.BaseStatement,), _ask_base, roles=STATEMENT, choosy=True).with_examples(
        Example(
            _SHAPE + "        self.name = 'circle'\n        self.sizes = {'r': r}\n",
            _SHAPE + "        super().__init__('circle', r=r)\n",
        ),
        Example(
            _NODE + "        self.value = value\n",
            _NODE + "        super().__init__(name)\n        self.value = value\n",
        ),
        Example(
            _BOX + "    def clear(self):\n        self.count = 0\n",
            _BOX + "    def clear(self):\n        super().clear()\n        self.count = 0\n",
        ),
        Example(_BOX + "    def size(self):\n        return self.n\n"),
        Example(_BOX + "    def clear(self):\n        super().clear()\n"),
    ),
    Operator(
        "foreign_operand", "guard", (cst.BaseStatement,), _foreign_operand, roles=STATEMENT, choosy=True
    ).with_examples(
        Example(
            "class Money:\n    def __add__(self, other):\n        return Money(self.sum + other.sum)\n",
            "class Money:\n    def __add__(self, other):\n        if not isinstance(other, Money):\n"
            "            return NotImplemented\n        return Money(self.sum + other.sum)\n",
        ),
        Example(
            "class Version:\n    def __lt__(self, other):\n        '''Older.'''\n        return self.n < other.n\n",
            "class Version:\n    def __lt__(self, other):\n        '''Older.'''\n"
            "        if not isinstance(other, type(self)):\n            return NotImplemented\n"
            "        return self.n < other.n\n",
        ),
        Example(
            "class Unit:\n    def __eq__(self, other):\n        if isinstance(other, Unit):\n"
            "            return self.u == other.u\n        return False\n",
            "class Unit:\n    def __eq__(self, other):\n        if isinstance(other, Unit):\n"
            "            return self.u == other.u\n        return NotImplemented\n",
        ),
        Example("class Money:\n    def plus(self, other):\n        return Money(self.sum + other.sum)\n"),
    ),
    Operator("special_name", "guard", (cst.BaseStatement,), _special_name, roles=STATEMENT, choosy=True).with_examples(
        Example(
            "class Proxy:\n    def __getattr__(self, name):\n        return getattr(self.held, name)\n",
            "class Proxy:\n    def __getattr__(self, name):\n        if name.startswith('__'):\n"
            "            raise AttributeError(name)\n        return getattr(self.held, name)\n",
        ),
        Example(
            "class Path:\n    def __getattr__(self, key):\n        part = key\n        return Path(part)\n",
            "class Path:\n    def __getattr__(self, key):\n        if key.startswith('_'):\n"
            "            raise AttributeError(key)\n        part = key\n        return Path(part)\n",
        ),
        Example(
            "class Any:\n    def __getattr__(self, n):\n        '''Everything.'''\n        return self\n",
            "class Any:\n    def __getattr__(self, n):\n        '''Everything.'''\n"
            "        if n.startswith('__') and n.endswith('__'):\n            raise AttributeError(n)\n"
            "        return self\n",
        ),
        Example("class Any:\n    def get(self, n):\n        return self\n"),
    ),
)
