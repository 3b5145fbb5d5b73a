"""Small wrong edits of a right function, made by tables of our own on trees of Python, as other mutation tools do it.

They are no edits of the engine's operators: an oracle whose near-misses came from these would measure how well the
engine undoes itself. The kinds are those of Cosmic Ray: operators, comparisons, numbers, loops, variables. Slips that
real replies show are among them, too: a statement lost, two exchanged, an argument exchanged for another.
"""

from __future__ import annotations

import ast
import copy
import textwrap
from collections.abc import Callable, Iterator, Sequence

_BINARY = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow)
_COMPARING = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE)

Alter = Callable[[], None]


def near_misses(function: str) -> tuple[str, ...]:
    """Texts of the function with one thing wrong, in a fixed order; nothing where it cannot be parsed."""
    try:
        tree = ast.parse(textwrap.dedent(function))
    except (SyntaxError, ValueError):
        return ()
    right, found = ast.unparse(tree), list[str]()
    for number in range(sum(1 for _ in ast.walk(tree))):
        for variant in range(len(list(_alterations(tree, number)))):
            wrong = copy.deepcopy(tree)
            list(_alterations(wrong, number))[variant]()
            found.append(ast.unparse(ast.fix_missing_locations(wrong)))
    return tuple(text for text in dict.fromkeys(found) if text != right and _is_program(text))


def _is_program(text: str) -> bool:
    try:
        compile(text, "<near-miss>", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def _alterations(tree: ast.Module, number: int) -> Iterator[Alter]:
    """What can be done to the node of that number."""
    node = next(each for place, each in enumerate(ast.walk(tree)) if place == number)
    match node:
        case ast.BinOp(op=op):
            yield from (_setting(node, "op", kind()) for kind in _BINARY if not isinstance(op, kind))
        case ast.Compare(ops=[op]):
            yield from (_setting(node, "ops", [kind()]) for kind in _COMPARING if not isinstance(op, kind))
        case ast.BoolOp(op=op):
            yield _setting(node, "op", ast.Or() if isinstance(op, ast.And) else ast.And())
        case ast.Constant(value=bool()):
            yield _setting(node, "value", not node.value)
        case ast.Constant(value=int() | float() as value):
            yield from (_setting(node, "value", value + step) for step in (1, -1, 10))
        case ast.Call(args=[one, other]):
            yield _setting(node, "args", [other, one])
        case ast.If(test=test) | ast.While(test=test):
            yield _setting(node, "test", ast.UnaryOp(ast.Not(), test))
        case ast.For():
            yield _setting(node, "iter", ast.List([], ast.Load()))
        case ast.Name(id=name, ctx=ast.Load()):
            yield from (_setting(node, "id", other) for other in _locals(tree) if other != name)
    body = getattr(node, "body", None)
    if isinstance(body, list) and not isinstance(node, ast.Module):
        yield from _in_block(body)


def _in_block(body: list[ast.stmt]) -> Iterator[Alter]:
    """A statement lost, two neighbours exchanged, a loop left for a loop that goes on."""
    for place, statement in enumerate(body):
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant):
            continue
        yield _replacing(body, place, [ast.Pass()] if len(body) == 1 else [])
        if place + 1 < len(body):
            yield _replacing(body, place, [body[place + 1], statement], 2)
        if isinstance(statement, ast.Break | ast.Continue):
            yield _replacing(body, place, [ast.Continue() if isinstance(statement, ast.Break) else ast.Break()])


def _locals(tree: ast.Module) -> tuple[str, ...]:
    """The function's own variables, in the order in which they appear."""
    bound = [each.arg for each in ast.walk(tree) if isinstance(each, ast.arg)]
    bound += [each.id for each in ast.walk(tree) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
    return tuple(name for name in dict.fromkeys(bound) if name not in ("self", "cls"))


def _setting(node: ast.AST, name: str, value: object) -> Alter:
    return lambda: setattr(node, name, value)


def _replacing(body: list[ast.stmt], place: int, by: Sequence[ast.stmt], count: int = 1) -> Alter:
    def alter() -> None:
        body[place : place + count] = by

    return alter
