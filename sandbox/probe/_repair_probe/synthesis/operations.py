"""Operations that enumerated expressions are made of: free of side effects, on values of exact builtin types."""

from __future__ import annotations

import operator

from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.values.snapshots import Opaque

if TYPE_CHECKING:
    from collections.abc import Callable

    from _repair_probe.ground.words import Value

OR, AND, NOT, COMPARED, ADDED, TIMES, MINUS, PRIMARY = 1, 2, 3, 4, 6, 7, 8, 9
_NUMBERS = (int, float)
_ORDERED = (list, tuple)
_SIZED = (str, bytes, list, tuple, dict, set, frozenset)
_LARGEST = 1 << 64


class Operation:
    """``form`` makes the text of its operands, which stand at ``levels``. ``any`` operands may be opaque.

    ``one_way`` says that operands are not to change places: that gives nothing new. ``cost`` is what it adds in size.
    """

    def __init__(
        self,
        form: str,
        level: int,
        levels: tuple[int, ...],
        takes: Callable[..., bool],
        run: Callable[..., Value],
        any: bool = False,
        one_way: bool = False,
        cost: float = 1,
    ) -> None:
        self._form = form
        self.level, self.levels, self.takes, self.run, self.any = level, levels, takes, run, any
        self.one_way, self.cost = one_way, cost

    def text(self, *operands: str) -> str:
        """The expression."""
        return self._form.format(*operands)


def _number(value: Value) -> bool:
    return type(value) in _NUMBERS and abs(value) < _LARGEST


def _numbers(one: Value, other: Value) -> bool:
    return _number(one) and _number(other)


def _has_size(value: Value) -> bool:
    return type(value) in _SIZED


def _sequence(value: Value) -> bool:
    return type(value) in (str, list, tuple)


def _text(value: Value) -> bool:
    return type(value) is str


def _items(value: Value) -> bool:
    return type(value) in (list, tuple, set, frozenset)


def _anything(*_values: Value) -> bool:
    return True


def _texts(one: Value, other: Value) -> bool:
    return type(one) is str and type(other) is str


def _can_join(one: Value, other: Value) -> bool:
    return type(one) is type(other) and type(one) in (str, bytes, tuple, list)


def _container(one: Value, other: Value) -> bool:
    return _texts(one, other) or type(other) in (list, tuple, dict, set, frozenset)


def _can_index(one: Value, other: Value) -> bool:
    return _sequence(one) and type(other) is int


def _are_alike(one: Value, other: Value) -> bool:
    return (type(one) is type(other) and type(one) is not bool) or _numbers(one, other)


def _are_same(one: Value, other: Value) -> bool:
    return one == other if type(one) is Opaque or type(other) is Opaque else one is other


def _takes_kind(kind: type) -> Callable[[Value], bool]:
    return lambda value: isinstance(value, kind) or (type(value) is Opaque and value.kind == kind.__name__)


def _call(name: str, takes: Callable[..., bool], run: Callable[..., Value]) -> Operation:
    return Operation(name + "({})", PRIMARY, (0,), takes, run)


def _method(name: str, run: Callable[..., Value], takes: Callable[..., bool] = _text) -> Operation:
    return Operation("{}.%s()" % name, PRIMARY, (PRIMARY,), takes, run)


def _comparison(
    sign: str,
    takes: Callable[..., bool],
    run: Callable[..., Value],
    any: bool = False,
    one_way: bool = True,
    cost: float = 1,
) -> Operation:
    return Operation("{} %s {}" % sign, COMPARED, (ADDED, ADDED), takes, run, any, one_way, cost)


def _addition(sign: str, takes: Callable[..., bool], run: Callable[..., Value], one_way: bool = False) -> Operation:
    return Operation("{} %s {}" % sign, ADDED, (ADDED, TIMES), takes, run, one_way=one_way)


def _multiplication(sign: str, run: Callable[..., Value], one_way: bool = False, cost: float = 1.5) -> Operation:
    return Operation("{} %s {}" % sign, TIMES, (TIMES, MINUS), _numbers, run, one_way=one_way, cost=cost)


UNARY = (
    _call("len", _has_size, len),
    Operation("{} is None", COMPARED, (ADDED,), _anything, lambda v: v is None, True),
    Operation("{} is not None", COMPARED, (ADDED,), _anything, lambda v: v is not None, True),
    Operation("{} - 1", ADDED, (ADDED,), _number, lambda v: v - 1),
    Operation("{} + 1", ADDED, (ADDED,), _number, lambda v: v + 1),
    Operation("{}[0]", PRIMARY, (PRIMARY,), _sequence, lambda v: v[0]),
    Operation("{}[-1]", PRIMARY, (PRIMARY,), _sequence, lambda v: v[-1]),
    Operation("{}[1:]", PRIMARY, (PRIMARY,), _sequence, lambda v: v[1:]),
    Operation("{}[:-1]", PRIMARY, (PRIMARY,), _sequence, lambda v: v[:-1]),
    Operation("{}[::-1]", PRIMARY, (PRIMARY,), _sequence, lambda v: v[::-1]),
    Operation("-{}", MINUS, (MINUS,), _number, operator.neg),
    _call("abs", _number, abs),
    _method("strip", str.strip),
    _method("lower", str.lower),
    _method("upper", str.upper),
    _method("isdigit", str.isdigit),
    _method("isalnum", str.isalnum),
    _method("isspace", str.isspace),
    _method("split", str.split),
    _call("str", lambda v: type(v) in _NUMBERS, str),
    _call("int", lambda v: type(v) in (str, float), int),
    _call("sum", lambda v: _items(v) and all(map(_number, v)), sum),
    _call("max", _items, max),
    _call("min", _items, min),
    _call("sorted", _items, sorted),
    _call("list", lambda v: type(v) in (tuple, dict, str), list),
    _call("tuple", lambda v: type(v) is list, tuple),
    *(
        Operation("isinstance({}, %s)" % kind.__name__, PRIMARY, (0,), _anything, _takes_kind(kind), True)
        for kind in (str, int, float, list, tuple, dict, bytes)
    ),
)

DECIDING = (
    _comparison("<", _numbers, operator.lt),
    _comparison("<=", _numbers, operator.le),
    _comparison(">", _numbers, operator.gt),
    _comparison(">=", _numbers, operator.ge),
    _comparison("<", _can_join, operator.lt, cost=3),
    _comparison(">", _can_join, operator.gt, cost=3),
    _comparison("==", _are_alike, operator.eq),
    _comparison("!=", _are_alike, operator.ne),
    _comparison("in", _container, lambda a, b: a in b, one_way=False),
    _comparison("not in", _container, lambda a, b: a not in b, one_way=False),
    _comparison("is", lambda a, b: type(a) is Opaque or type(b) is Opaque, _are_same, True),
    _comparison("is not", lambda a, b: type(a) is Opaque or type(b) is Opaque, lambda a, b: not _are_same(a, b), True),
    Operation("{}.startswith({})", PRIMARY, (PRIMARY, 0), _texts, str.startswith),
    Operation("{}.endswith({})", PRIMARY, (PRIMARY, 0), _texts, str.endswith),
)
"""Operations of two operands that give a truth."""

ADDING = (
    _addition("+", _numbers, operator.add, one_way=True),
    _addition("-", _numbers, operator.sub),
    _multiplication("*", operator.mul, one_way=True),
    _multiplication("//", operator.floordiv, cost=3),
    _multiplication("%", operator.mod, cost=3),
)
"""Operations of two numbers that a condition may rest on."""

MAKING = (
    *ADDING,
    _multiplication("/", operator.truediv),
    _addition("+", _can_join, operator.add),
    Operation("max({}, {})", PRIMARY, (0, 0), _numbers, max, one_way=True),
    Operation("min({}, {})", PRIMARY, (0, 0), _numbers, min, one_way=True),
    Operation("{}[{}]", PRIMARY, (PRIMARY, 0), _can_index, operator.getitem),
    Operation("{}[{}]", PRIMARY, (PRIMARY, 0), lambda a, b: type(a) is dict, operator.getitem),
    Operation("{}.get({})", PRIMARY, (PRIMARY, 0), lambda a, b: type(a) is dict, dict.get),
    Operation("{}[{}:]", PRIMARY, (PRIMARY, 0), _can_index, lambda a, b: a[b:]),
    Operation("{}[:{}]", PRIMARY, (PRIMARY, 0), _can_index, lambda a, b: a[:b]),
    Operation("{}.split({})", PRIMARY, (PRIMARY, 0), _texts, str.split),
    Operation("{}.join({})", PRIMARY, (PRIMARY, 0), lambda a, b: type(a) is str and type(b) in _ORDERED, str.join),
)
"""Operations of two operands that give any value."""


def is_boolean(value: Value) -> bool:
    """Whether the truth of the value can be told, and a condition may rest on it."""
    return value is None or type(value) in (bool, int, str, list, tuple, dict, set, frozenset)
