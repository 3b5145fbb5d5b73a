"""What kind of value an expression gives, as far as the function's own text tells: number, text, list, table, truth.

A guess from how names are assigned and used; good for ordering edits, never for refusing one.

Collections that a function makes empty and only asks: nothing is ever found in them.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from types import MappingProxyType

NUMBER, TEXT, LIST, TABLE, TRUTH, NOTHING, UNKNOWN = "number", "text", "list", "table", "truth", "nothing", ""

_CALLS = MappingProxyType(
    {
        **dict.fromkeys(("len", "int", "float", "abs", "round", "sum", "ord", "divmod", "pow", "hash", "id"), NUMBER),
        **dict.fromkeys(("str", "repr", "chr", "hex", "oct", "format", "input", "ascii"), TEXT),
        **dict.fromkeys(("list", "tuple", "sorted", "range", "zip", "map", "filter", "enumerate", "reversed"), LIST),
        **dict.fromkeys(("set", "frozenset"), LIST),
        **dict.fromkeys(("dict", "Counter", "defaultdict", "OrderedDict", "vars"), TABLE),
        **dict.fromkeys(("bool", "isinstance", "issubclass", "callable", "hasattr", "any", "all"), TRUTH),
    }
)
_METHODS = MappingProxyType(
    {
        **dict.fromkeys(("index", "find", "rfind", "rindex", "count", "bit_length", "total_seconds"), NUMBER),
        **dict.fromkeys(("strip", "lstrip", "rstrip", "lower", "upper", "title", "capitalize", "join", "format"), TEXT),
        **dict.fromkeys(("replace", "sub", "zfill", "ljust", "rjust", "center", "decode", "casefold", "group"), TEXT),
        **dict.fromkeys(("split", "rsplit", "splitlines", "keys", "values", "items", "findall", "groups"), LIST),
        **dict.fromkeys(("startswith", "endswith", "isdigit", "isalpha", "isalnum", "isspace", "isupper"), TRUTH),
    }
)
_OF_RECEIVER = MappingProxyType(
    {
        **dict.fromkeys(("strip", "lstrip", "rstrip", "lower", "upper", "startswith", "endswith", "title"), TEXT),
        **dict.fromkeys(("split", "rsplit", "splitlines", "isdigit", "encode", "zfill", "capitalize"), TEXT),
        **dict.fromkeys(("append", "extend", "insert", "sort", "reverse", "appendleft", "popleft"), LIST),
        **dict.fromkeys(("items", "keys", "values", "setdefault", "get"), TABLE),
    }
)
_ARITHMETIC = (ast.Sub, ast.Div, ast.FloorDiv, ast.Pow, ast.Mult)


def kinds_in(function: ast.AST) -> dict[str, str]:
    """Kinds of the names and dotted names of the function, by their text; those on which all signs agree."""
    signs: dict[str, set[str]] = {}
    for _ in range(2):  # the second time, what was learned of one name tells of those computed from it
        known = {text: next(iter(found)) for text, found in signs.items() if len(found) == 1}
        signs = {}
        for node in ast.walk(function):
            for target, kind in _signs(node, known):
                if kind not in (UNKNOWN, NOTHING):
                    signs.setdefault(ast.unparse(target), set()).add(kind)
    return {text: next(iter(found)) for text, found in signs.items() if len(found) == 1}


def kind_of_text(text: str, known: tuple[tuple[str, str], ...]) -> str:
    """The kind of the expression that the text is; nothing where it does not parse."""
    try:
        node = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return UNKNOWN
    return kind_of(node, dict(known))


def kind_of(node: ast.AST, known: dict[str, str]) -> str:
    """The kind of the expression's value, given those of names."""
    if isinstance(node, ast.Constant):
        return _of_constant(node.value)
    if isinstance(node, (ast.Name, ast.Attribute)):
        return known.get(ast.unparse(node), UNKNOWN)
    if isinstance(node, (ast.List, ast.Tuple, ast.Set, ast.ListComp, ast.SetComp, ast.GeneratorExp)):
        return LIST
    if isinstance(node, (ast.Dict, ast.DictComp)):
        return TABLE
    if isinstance(node, ast.JoinedStr):
        return TEXT
    if isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)):
        return TRUTH
    if isinstance(node, ast.UnaryOp):
        return NUMBER
    if isinstance(node, ast.BinOp):
        return _of_operation(node, known)
    return _of_compound(node, known)


def _of_compound(node: ast.AST, known: dict[str, str]) -> str:
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute):
            return _METHODS.get(node.func.attr, UNKNOWN)
        return _CALLS.get(node.func.id, UNKNOWN) if isinstance(node.func, ast.Name) else UNKNOWN
    if isinstance(node, ast.Subscript):
        held = kind_of(node.value, known)
        return held if isinstance(node.slice, ast.Slice) or held == TEXT else UNKNOWN
    if isinstance(node, ast.IfExp):
        return kind_of(node.body, known) or kind_of(node.orelse, known)
    return UNKNOWN


def _of_constant(value: object) -> str:
    if isinstance(value, bool):
        return TRUTH
    if isinstance(value, (int, float)):
        return NUMBER
    return TEXT if isinstance(value, (str, bytes)) else NOTHING


def _of_operation(node: ast.BinOp, known: dict[str, str]) -> str:
    left, right = kind_of(node.left, known), kind_of(node.right, known)
    if isinstance(node.op, (ast.Mod, ast.Mult)) and TEXT in (left, right):
        return TEXT
    if isinstance(node.op, (ast.Add, ast.BitOr, ast.BitAnd, ast.Sub)) and (left or right) != NUMBER:
        return left or right
    return LIST if isinstance(node.op, ast.Mult) and LIST in (left, right) else NUMBER


def _signs(node: ast.AST, known: dict[str, str]) -> Iterator[tuple[ast.AST, str]]:
    """What one node tells of the names in it."""
    if isinstance(node, ast.Assign):
        kind = kind_of(node.value, known)
        yield from ((t, kind) for t in node.targets if isinstance(t, (ast.Name, ast.Attribute)))
    elif isinstance(node, (ast.AugAssign, ast.AnnAssign)) and node.value is not None:
        if isinstance(node.target, (ast.Name, ast.Attribute)):
            yield node.target, kind_of(node.value, known)
    elif isinstance(node, (ast.For, ast.comprehension)) and isinstance(node.target, ast.Name):
        walked = node.iter
        over_range = isinstance(walked, ast.Call) and isinstance(walked.func, ast.Name) and walked.func.id == "range"
        yield node.target, NUMBER if over_range else UNKNOWN
    elif isinstance(node, ast.BinOp):
        if isinstance(node.op, (*_ARITHMETIC, ast.Add)):
            kinds = {kind_of(side, known) for side in (node.left, node.right)} - {UNKNOWN}
            if kinds == {NUMBER} or (kinds == {TEXT} and isinstance(node.op, ast.Add)):
                kind = kinds.pop()
                yield from ((s, kind) for s in (node.left, node.right) if isinstance(s, (ast.Name, ast.Attribute)))
    elif isinstance(node, ast.Compare):
        yield from _compared_kinds(node, known)
    elif (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, (ast.Name, ast.Attribute))
    ):
        yield node.func.value, _OF_RECEIVER.get(node.func.attr, UNKNOWN)


def _compared_kinds(node: ast.Compare, known: dict[str, str]) -> Iterator[tuple[ast.AST, str]]:
    sides = [node.left, *node.comparators]
    if all(isinstance(op, (ast.Eq, ast.NotEq, ast.Lt, ast.Gt, ast.LtE, ast.GtE)) for op in node.ops):
        kinds = {kind_of(side, known) for side in sides} - {UNKNOWN, NOTHING}
        if len(kinds) == 1:
            kind = kinds.pop()
            yield from ((s, kind) for s in sides if isinstance(s, (ast.Name, ast.Attribute)))


def find_unfilled(function: ast.AST) -> tuple[tuple[str, str], ...]:
    """Names of such sets and lists, each with the method that puts something in.

    One that has any other use is left out: it may be filled by whoever gets it, or is told as it is.
    """
    nodes = tuple(ast.walk(function))
    uses = Counter(node.id for node in nodes if isinstance(node, ast.Name))
    uses.update(node.arg for node in nodes if isinstance(node, ast.arg))
    asked = Counter(
        asked.id
        for node in nodes
        if isinstance(node, ast.Compare)
        for operator, asked in zip(node.ops, node.comparators, strict=True)
        if isinstance(operator, (ast.In, ast.NotIn)) and isinstance(asked, ast.Name)
    )
    made = {}
    for node in nodes:
        targets = (
            node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
        )
        method = _filled_by(node.value) if isinstance(node, (ast.Assign, ast.AnnAssign)) else ""
        if method and len(targets) == 1 and isinstance(targets[0], ast.Name):
            made[targets[0].id] = method
    return tuple((name, method) for name, method in made.items() if asked[name] and uses[name] == asked[name] + 1)


def _filled_by(value: ast.expr | None) -> str:
    """The method that puts something into what the expression makes, where that is empty."""
    text = ast.unparse(value) if value is not None else ""
    return "add" if text == "set()" else "append" if text in ("[]", "list()") else ""
