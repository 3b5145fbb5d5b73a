"""What special methods owe to those who call them: ``NotImplemented`` for what is foreign, ``AttributeError`` for more.

An operation between two objects asks the other one only where ``NotImplemented`` is returned. Copying, pickling and
debuggers ask objects for special names that ``__getattr__`` is not meant to answer (Python's data model).
"""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from transforms.operators.operator import STATEMENT, Edit, Example, Operator, Site, clip_text, weigh_by_rank
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


OPERATORS = (
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
