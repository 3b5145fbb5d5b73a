"""Whether an edit does what a failure asks for, only walks in another order, or returns literals of a strange kind."""

from __future__ import annotations

import ast
import textwrap
from collections import Counter
from collections.abc import Iterator

from analysis.facts import Constraint, ConstraintKind
from analysis.function_text import names_in
from analysis.functions import syntax_tree
from transforms.rules.antipatterns import trees_of

K = ConstraintKind
RAISES = frozenset({K.MISSING_RAISE, K.WRONG_RAISE})
NAMES = frozenset({K.UNBOUND_NAME, K.UNKNOWN_NAME})
CAUGHT = frozenset({K.MISSING_KEY, K.MISSING_FILE, K.FAILED_CONVERSION, K.CLOSED_FILE})
"""What may as well be caught as asked beforehand."""

SILENT = frozenset({K.NO_TERMINATION, K.WRONG_CALL})
"""Kinds that no shape of an edit is known to meet."""


def satisfies_constraint(constraint: Constraint, before: bytes, after: bytes, encoding: str = "utf-8") -> bool:
    """Whether the new text has more of what the constraint asks for: ``if x is None:``, where ``x`` was ``None``."""
    if constraint.kind in SILENT:
        return False
    old, new = trees_of(before, after, encoding)
    if constraint.kind in RAISES:
        return bool(_gained_sets(_raises(old), _raises(new)))
    if constraint.kind in NAMES:
        return bool(_gained_sets(_bound_sets(old, constraint.detail), _bound_sets(new, constraint.detail)))
    if constraint.kind in CAUGHT and _gained_sets(_handlers(old), _handlers(new)):
        return True
    try:
        wanted = _names_in(syntax_tree(textwrap.dedent(constraint.expression).encode()))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return any(wanted & names for names in _gained_sets(_questions(old), _questions(new)))


def _gained_sets(old: Iterator[frozenset[str]], new: Iterator[frozenset[str]]) -> Counter[frozenset[str]]:
    return Counter(new) - Counter(old)


def _raises(tree: ast.AST) -> Iterator[frozenset[str]]:
    """Each raise, with the conditions right around it."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If):
            yield from (frozenset({ast.dump(s), ast.dump(node.test)}) for s in node.body if isinstance(s, ast.Raise))
        elif isinstance(node, ast.Raise):
            yield frozenset({ast.dump(node)})


def _bound_sets(tree: ast.AST, name: str) -> Iterator[frozenset[str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store):
            yield frozenset({name})


def _handlers(tree: ast.AST) -> Iterator[frozenset[str]]:
    return (frozenset({ast.dump(n.type) if n.type else ""}) for n in ast.walk(tree) if isinstance(n, ast.ExceptHandler))


def _questions(tree: ast.AST) -> Iterator[frozenset[str]]:
    """The names that each condition asks about; ``x or y`` and ``d.get(k)`` ask, too."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.If, ast.IfExp, ast.While)):
            yield _names_in(node.test)
        elif isinstance(node, ast.comprehension):
            yield from map(_names_in, node.ifs)
        elif isinstance(node, ast.BoolOp):
            yield from map(_names_in, node.values[:-1])
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "get":
            yield _names_in(node.func.value)


def _names_in(tree: ast.AST) -> frozenset[str]:
    attributes = (node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    return names_in(tree).union(attributes)


_ORDERS = ("reversed", "sorted", "set", "frozenset", "list", "tuple")
"""What is walked over in place of a collection, each of its elements among the others."""


def only_reorders(before: bytes, after: bytes, encoding: str = "utf-8") -> bool:
    """Whether both texts are the same but for ``reversed``, ``set``, ``[::-1]`` and the like around what is in both."""
    old, new = trees_of(before, after, encoding)
    same = ast.dump(old) == ast.dump(new)
    return not same and ast.dump(_Unordered().visit(old)) == ast.dump(_Unordered().visit(new))


class _Unordered(ast.NodeTransformer):
    """Takes out what only orders."""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """``sorted(xs, key=…)`` and ``set(xs)`` are ``xs`` in some order."""
        self.generic_visit(node)
        orders = isinstance(node.func, ast.Name) and node.func.id in _ORDERS and len(node.args) == 1
        return node.args[0] if orders else node

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """``xs[::-1]`` is ``xs`` backwards."""
        self.generic_visit(node)
        return node.value if ast.unparse(node.slice) == "::-1" else node


_COPIES = ("list", "tuple", "sorted", "set", "frozenset", "copy", "deepcopy")
"""What makes a collection of its own out of what is walked over."""


def walked_copies(before: bytes, after: bytes, encoding: str = "utf-8") -> tuple[str, ...]:
    """What the new function walks over a copy of, in a loop that calls its elements, and the old one as it is.

    Example: ``subscribers`` of ``for each in list(subscribers): each.notify()``. What a call takes out of the
    collection is visited all the same.
    """
    old, new = trees_of(before, after, encoding)
    walked = {ast.dump(node.iter) for node in ast.walk(old) if isinstance(node, (ast.For, ast.AsyncFor))}
    loops = [
        node
        for node in ast.walk(new)
        if isinstance(node, (ast.For, ast.AsyncFor)) and ast.dump(node.iter) not in walked and _calls_elements(node)
    ]
    copied = [inner for node in loops if (inner := _copied(node.iter)) is not None]
    return tuple(ast.unparse(inner) for inner in copied if ast.dump(inner) in walked)


_OWN_ORDER = ("sorted", "set", "frozenset")
"""What puts the elements of a collection into an order of its own."""


def sorted_choices(before: bytes, after: bytes, encoding: str = "utf-8") -> tuple[str, ...]:
    """What the new function orders for a loop that is left at its first hit, and the old one walks over as it is.

    Example: ``names`` of ``for name in sorted(names): if name in rules: return rules[name]``. Which of two names is
    asked first, and so which rule holds, is up to the alphabet; with ``set(names)`` it is up to chance.
    """
    old, new = trees_of(before, after, encoding)
    walked = {ast.dump(node.iter) for node in ast.walk(old) if isinstance(node, (ast.For, ast.AsyncFor))}
    found = []
    for node in ast.walk(new):
        match node:
            case ast.For(_, ast.Call(ast.Name(name), [inner], []) as ordered, body) if (
                name in _OWN_ORDER and ast.dump(inner) in walked and ast.dump(ordered) not in walked
            ):
                if any(map(_chooses, body)):
                    found.append(ast.unparse(inner))
    return tuple(found)


def _chooses(node: ast.AST, *, within: bool = False) -> bool:
    """Whether a statement of a loop leaves it with an element: by ``break``, or by ``return`` of more than a constant.

    ``within`` says that it stands in an inner loop, whose ``break`` leaves that one alone.
    """
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef() | ast.Lambda():
            return False
        case ast.Return(value):
            return not (value is None or isinstance(value, ast.Constant))
        case ast.Break():
            return not within
        case (
            ast.For(body=body, orelse=orelse)
            | ast.AsyncFor(body=body, orelse=orelse)
            | ast.While(body=body, orelse=orelse)
        ):
            return any(_chooses(each, within=True) for each in body) or any(
                _chooses(each, within=within) for each in orelse
            )
    return any(_chooses(each, within=within) for each in ast.iter_child_nodes(node))


def _copied(walked: ast.expr) -> ast.expr | None:
    """What a copy is made of: ``xs`` in ``list(xs)``, ``xs.copy()`` and ``xs[:]``."""
    match walked:
        case ast.Call(ast.Name(name), [inner]) if name in _COPIES:
            return inner
        case ast.Call(ast.Attribute(ast.Name("copy"), "copy" | "deepcopy"), [inner]) | ast.List([ast.Starred(inner)]):
            return inner
        case ast.Call(ast.Attribute(inner, "copy"), []):
            return inner
        case ast.Subscript(inner, ast.Slice(None, None, None)):
            return inner
    return None


def _calls_elements(loop: ast.For | ast.AsyncFor) -> bool:
    """Whether an element, or what belongs to it, is called in the loop: ``each()`` or ``each.notify(event)``."""
    names = {node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)}
    called = [node.func for statement in loop.body for node in ast.walk(statement) if isinstance(node, ast.Call)]
    return any(isinstance(n, ast.Name) and n.id in names for func in called for n in ast.walk(func))


def idle_names(before: bytes, after: bytes, encoding: str = "utf-8") -> tuple[int, int]:
    """How many names the old function binds and never reads, and how many of these the new one reads.

    Example: of ``price, count = old`` in a function that reads ``price`` alone, ``count`` is idle.
    """
    old, new = trees_of(before, after, encoding)
    idle = _bound_names(old) - names_read(old)
    idle = frozenset(name for name in idle if not name.startswith("_"))
    return len(idle), len(idle & names_read(new))


def names_read(tree: ast.AST) -> frozenset[str]:
    """The plain names that are read somewhere in the tree."""
    return frozenset(n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load))


def _bound_names(tree: ast.AST) -> frozenset[str]:
    return frozenset(n.id for n in ast.walk(tree) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store))


_DISPLAYS = {ast.List: "list", ast.Tuple: "tuple", ast.Dict: "dict", ast.Set: "set", ast.JoinedStr: "str"}


def strange_answers(before: bytes, after: bytes, encoding: str = "utf-8") -> tuple[str, ...]:
    """Literals that only the new function returns, where the old one returns literals, and none of that kind."""
    old, new = map(_returned_literals, trees_of(before, after, encoding))
    kinds = {kind for _, kind in old}
    return tuple(text for text, kind in new if kinds and kind not in kinds)


def _returned_literals(tree: ast.AST) -> tuple[tuple[str, str], ...]:
    """The literals that are returned with their kinds, each once; a branch of ``a if c else b`` counts as returned."""
    pending = [node.value for node in ast.walk(tree) if isinstance(node, ast.Return) and node.value is not None]
    found: dict[tuple[str, str], None] = {}
    while pending:
        value = pending.pop(0)
        if isinstance(value, ast.IfExp):
            pending += [value.body, value.orelse]
        elif kind := _kind(value):
            found[ast.unparse(value), kind] = None
    return tuple(found)


def _kind(value: ast.expr) -> str:
    """Empty where it is no literal. A negative number is one, and numbers with and without a point are alike."""
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
        return _kind(value.operand)
    if isinstance(value, ast.Constant):
        return "number" if type(value.value) in (int, float, complex) else type(value.value).__name__
    return _DISPLAYS.get(type(value), "")
