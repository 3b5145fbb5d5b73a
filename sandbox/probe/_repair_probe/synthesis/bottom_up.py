"""Expressions over recorded states, smallest first, one for each vector of values.

It is bottom-up enumeration with observational equivalence (Udupa et al., TRANSIT, 2013; Albarghouthi, Gulwani and
Kincaid, Escher, 2013). An expression that has the same values in all states as a smaller one is not built upon. Only
operations of exact builtin types are worked out, on copies, so that nothing of the target runs here.
"""

from __future__ import annotations

import re

from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.synthesis.operations import ADDING, DECIDING, MAKING, UNARY, is_boolean
from _repair_probe.values.snapshots import MISSING, Opaque, copy_plain, key

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence

    from _repair_probe.ground.clock import Allowance
    from _repair_probe.ground.words import Value
    from _repair_probe.synthesis.operations import Operation

    Truth = tuple[int, int]
    Kind = tuple[Truth, "list[Column]"]

_MOST_ATOMS, _MOST_BASE, _MOST_DERIVED = 60, 26, 60
_MOST_NEAR, _MOST_OTHERS = 6, 2
_FARTHEST = 7
_LOST = 1.5
_WORD = re.compile(r"\w+")
OR, AND, NOT, PRIMARY = 1, 2, 3, 9


class Column:
    """An expression with its values. ``level`` is how tightly its outermost operator binds.

    One that is ``fixed`` is a literal: it is built upon, and no answer by itself. ``others`` are larger ones with the
    same values.
    """

    __slots__ = ("fixed", "level", "others", "size", "text", "values")

    def __init__(
        self, text: str, values: Sequence[Value], size: float, level: int = PRIMARY, fixed: bool = False
    ) -> None:
        self.text, self.values, self.size, self.level, self.fixed = text, values, size, level, fixed
        self.others: list[Column] = []

    def text_inside(self, level: int) -> str:
        """The text as an operand of something that binds so tightly."""
        return self.text if self.level >= level else "(%s)" % self.text

    @property
    def alike(self) -> list[Column]:
        """Itself and the others."""
        return [self, *self.others]

    @property
    def is_whole(self) -> bool:
        """Whether it has a value in every state."""
        return not any(value is MISSING for value in self.values)


class Bank:
    """All columns found so far, and which vectors are known. ``decides`` says that conditions are wanted.

    At most ``cells`` values are worked out, so that a slow machine finds what a quick one does.
    """

    columns: list[Column]
    _seen: dict[Hashable, Column]

    def __init__(self, states: list[dict[str, Value]], decides: bool, cells: int, allowance: Allowance) -> None:
        self.states, self._decides, self._cells, self._allowance = states, decides, cells, allowance
        self._samples = sorted({0, len(states) // 2, len(states) - 1}) if states else []
        self.columns, self._seen = [], {}

    @property
    def is_full(self) -> bool:
        """Whether to stop."""
        return self._cells <= 0 or self._allowance.is_over

    def add(self, column: Column) -> bool:
        """Keep the column where its values are new; whether it was kept."""
        vector = tuple([key(value) for value in column.values])
        if all(value is MISSING for value in column.values):
            return False
        if vector in self._seen:
            others = self._seen[vector].others
            if len(others) < _MOST_OTHERS:
                others.append(column)
            return False
        self._seen[vector] = column
        self.columns.append(column)
        return True

    def fill(self, names: Sequence[str], literals: Sequence[tuple[str, Value]], own: Column) -> None:
        """Atoms in their order, then what one and two operations make of them. ``own`` is the place's own column."""
        self.add(own)
        for text in sorted(names, key=lambda name: name not in own.text):  # what is spoken of here already comes first
            self.add(self._looked_up(text, 1))
        for text in sorted({name for state in self.states for name in state} - set(names)):
            if len(self.columns) < _MOST_ATOMS:
                self.add(self._looked_up(text, 2))
        base = self.columns[:_MOST_BASE]
        for text, value in literals:
            self.add(Column(text, [value] * len(self.states), 1, fixed=True))
        atoms = [*base, *(c for c in self.columns if c.fixed)]
        near = [c for c in base if c.text in own.text][:_MOST_NEAR] or base[:_MOST_NEAR]
        operations = DECIDING if self._decides else MAKING
        self._binary(operations, near, atoms)
        derived = self._unary(near)
        self._binary(operations, derived, atoms)
        derived += self._unary(base)
        if self._decides:
            self._binary(DECIDING, base, atoms)
            self._binary(DECIDING, derived[:_MOST_DERIVED], atoms)
            sums = self._binary(ADDING, [c for c in base if c.is_whole], atoms)
            self._binary(DECIDING, sums[:_MOST_BASE], atoms)
            self._binary(DECIDING, derived[:_MOST_BASE], derived[:_MOST_BASE])
        else:
            self._binary(MAKING, base, atoms)
            self._binary(MAKING, derived[:_MOST_DERIVED], atoms)
            if all(type(value) is bool for value in own.values):
                self._binary(DECIDING, base, atoms)

    def _looked_up(self, text: str, size: float) -> Column:
        return Column(text, [state.get(text, MISSING) for state in self.states], size + text.count(".") / 2)

    def _unary(self, columns: Iterable[Column]) -> list[Column]:
        made: list[Column] = []
        for column in columns:
            for operation in UNARY:
                if self.is_full:
                    return made
                self._keep(operation, (column,), made)
        return made

    def _binary(self, operations: Sequence[Operation], left: Sequence[Column], right: Sequence[Column]) -> list[Column]:
        made: list[Column] = []
        done: set[tuple[int, int]] = set()
        for one in left:
            for other in right:
                if one is other or (id(other), id(one)) in done:
                    continue
                done.add((id(one), id(other)))
                if self.is_full:
                    return made
                for operation in operations:
                    self._keep(operation, (one, other), made)
                    if not operation.one_way:
                        self._keep(operation, (other, one), made)
        return made

    def _keep(self, operation: Operation, columns: tuple[Column, ...], made: list[Column]) -> None:
        new = self._applied(operation, columns)
        if new is not None and self.add(new):
            made.append(new)

    def _applied(self, operation: Operation, columns: tuple[Column, ...]) -> Column | None:
        """The column of an operation, or ``None`` where it does not apply to most states."""
        rows = [column.values for column in columns]
        if not any(_applies(operation, [row[place] for row in rows]) for place in self._samples):
            return None
        self._cells -= len(self.states)
        values = [_worked_out(operation, given) for given in zip(*rows)]
        if sum(value is MISSING for value in values) > len(values) // 2:
            return None
        text = operation.text(*[column.text_inside(level) for column, level in zip(columns, operation.levels)])
        size = sum(column.size for column in columns) + operation.cost
        return Column(text, values, size, operation.level)


def _applies(operation: Operation, given: Sequence[Value]) -> bool:
    if not operation.any and any(type(value) is Opaque or value is MISSING for value in given):
        return False
    return MISSING not in given and operation.takes(*given)


def _worked_out(operation: Operation, given: Sequence[Value]) -> Value:
    try:
        if not _applies(operation, given):
            return MISSING
        value = operation.run(*given)
    except (ArithmeticError, LookupError, TypeError, ValueError, RecursionError, MemoryError):
        return MISSING
    return value if type(value) is bool else copy_plain(value)


def distance(column: Column, own: str) -> float:
    """How far an expression is from the one that stands there: its size, and what it leaves out of that one."""
    return column.size + _LOST * len(_words(own) - _words(column.text))


def _words(text: str) -> set[str]:
    return set(_WORD.findall(text))


def nearest_columns(columns: Iterable[Column], own: str, most: int) -> list[Column]:
    """The expressions that are nearest to the one that stands there, each text once; none that is far from it."""
    found: dict[str, Column] = {}
    for column in sorted(columns, key=lambda c: distance(c, own)):
        if column.text != own and len(found) < most and distance(column, own) <= _FARTHEST:
            found.setdefault(column.text, column)
    return list(found.values())


def matching_values(bank: Bank, fits: Callable[[Sequence[Value]], bool], own: str, most: int) -> list[Column]:
    """The nearest columns whose values fit."""
    found = [c for each in bank.columns if not each.fixed and fits(each.values) for c in each.alike]
    return nearest_columns(found, own, most)


class Truths:
    """Conditions: columns by what they say in each state, joined by ``and`` and ``or``.

    ``accepts(mask, known)`` tells whether a vector of truths will do; bits of ``known`` are states with a value.
    """

    _MOST_EACH, _MOST_JOINED = 4, 160

    def __init__(self, bank: Bank, own: str) -> None:
        """``own`` is the text of the condition that stands there now."""
        self._whole, self._own = (1 << len(bank.states)) - 1, own
        self._kinds: dict[Truth, list[Column]] = {}
        for column in sorted((c for each in bank.columns for c in each.alike), key=lambda c: distance(c, own)):
            if _may_decide(column):
                self._sort_in(column)

    def _sort_in(self, column: Column) -> None:
        mask = known = 0
        for place, value in enumerate(column.values):
            if value is not MISSING:
                known |= 1 << place
                mask |= bool(value) << place
        if mask in (0, known) and column.text != self._own:
            return  # it says the same everywhere, as far as was seen
        self._put(mask, known, column)
        if known == self._whole and column.level == PRIMARY and mask not in (0, known):
            negated = [not value for value in column.values]
            self._put(known & ~mask, known, Column("not %s" % column.text_inside(NOT), negated, column.size + 1, NOT))

    def _put(self, mask: int, known: int, column: Column) -> None:
        kind = self._kinds.setdefault((mask, known), [])
        if len(kind) < self._MOST_EACH:
            kind.append(column)

    def nearest_matching(self, accepts: Callable[[int], bool], most: int) -> list[Column]:
        """The nearest conditions that are accepted; two others are joined only where nothing else will do."""
        kinds = sorted(self._kinds.items(), key=lambda kind: kind[1][0].size)
        found = [c for (mask, known), kind in kinds if known == self._whole and accepts(mask) for c in kind]
        own = [kind for kind in kinds if kind[1][0].text == self._own]
        found += list(self._joined(accepts, own, kinds)) or list(self._joined(accepts, kinds, own))
        if not found:
            found = list(self._joined(accepts, kinds[: self._MOST_JOINED], kinds[: self._MOST_JOINED]))
        return nearest_columns(found, self._own, most)

    def _joined(
        self, accepts: Callable[[int], bool], lefts: Sequence[Kind], rights: Sequence[Kind]
    ) -> Iterator[Column]:
        for (first, known), left in lefts:
            if known != self._whole:
                continue
            for (second, sure), right in rights:
                # What stands on the right needs a value only where the left one does not decide.
                for word, level, both, open_bits in (
                    ("and", AND, first & second, first & ~sure),
                    ("or", OR, first | second, ~first & ~sure),
                ):
                    same = both in (0, self._whole, first) or (both == second and sure == self._whole)
                    if not open_bits & self._whole and not same and accepts(both):
                        for column in right[:_MOST_OTHERS]:
                            yield _join(word, left[0], column, level)


def _may_decide(column: Column) -> bool:
    """Whether the truth of the expression is a condition that somebody may have meant."""
    if column.fixed or not all(is_boolean(value) for value in column.values if value is not MISSING):
        return False
    return column.level in (PRIMARY, NOT) or all(type(v) is bool for v in column.values if v is not MISSING)


def _join(word: str, left: Column, right: Column, level: int) -> Column:
    text = "%s %s %s" % (left.text_inside(level), word, right.text_inside(level + 1 if right.level == level else level))
    return Column(text, (), left.size + right.size + 1, level)
