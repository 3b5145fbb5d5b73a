"""A sheet of cells with cached values."""
import operator

from .formula import parse
from .refs import cells_between, references

OPERATORS = {"+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv}


class CellError(Exception):
    """A cell has no value: it depends on itself or divides by zero."""


class Sheet:
    """Cells hold numbers or formulas (strings that start with "=").

    Values are computed when asked for and cached; changing a cell drops the
    cached values of everything that depends on it and of nothing else.
    Cells that were never set count as 0 in arithmetic, and are left out by functions.
    """

    def __init__(self):
        self._content = {}
        self._readers = {}  # cell -> cells whose formula reads it
        self._cache = {}
        self.evaluations = 0

    def set(self, name, content):
        """Put a number or a formula into the cell; None empties it."""
        old = self._content.pop(name, None)
        if isinstance(old, tuple):
            for ref in references(old):
                self._readers[ref].discard(name)
        if isinstance(content, str) and content.startswith("="):
            tree = parse(content[1:])
            self._content[name] = tree
            for ref in references(tree):
                self._readers.setdefault(ref, set()).add(name)
        elif content is not None:
            self._content[name] = float(content)
        self._invalidate(name)

    def _invalidate(self, name):
        """Drop the cached values that the change of *name* makes stale."""
        stale, todo = set(), [name]
        while todo:
            cell = todo.pop()
            if cell not in stale:
                stale.add(cell)
                self._cache.pop(cell, None)
                todo.extend(self._readers.get(cell, ()))

    def value(self, name):
        """The number in the cell, 0.0 for an empty one."""
        if name in self._cache:
            return self._cache[name]
        content = self._content.get(name)
        if content is None:
            return 0.0
        if isinstance(content, float):
            return content
        self._cache[name] = None  # being computed
        try:
            self.evaluations += 1
            result = self._eval(content)
        except BaseException:
            del self._cache[name]
            raise
        self._cache[name] = result
        return result

    def _lookup(self, name):
        value = self.value(name)
        if value is None:
            raise CellError(f"{name} depends on itself")
        return value

    def _eval(self, tree):
        kind = tree[0]
        if kind == "num":
            return tree[1]
        if kind == "ref":
            return self._lookup(tree[1])
        if kind == "neg":
            return -self._eval(tree[1])
        if kind == "func":
            return self._call(tree[1], cells_between(tree[2], tree[3]))
        left, right = self._eval(tree[1]), self._eval(tree[2])
        if kind == "/" and right == 0:
            raise CellError("division by zero")
        return OPERATORS[kind](left, right)

    def _call(self, function, names):
        values = [self._lookup(n) for n in names if n in self._content]
        if function == "COUNT":
            return float(len(values))
        if function == "SUM":
            return float(sum(values))
        if not values:
            return 0.0
        return min(values) if function == "MIN" else max(values)
