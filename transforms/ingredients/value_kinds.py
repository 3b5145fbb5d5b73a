"""What kind of value an expression gives, as far as the function's own text tells: number, text, list, table, truth.

A guess from how names are assigned and used; good for ordering edits, never for refusing one. It also finds collections
that a function makes empty and only asks: nothing is ever found in them.
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
_ORDERS = (ast.Eq, ast.NotEq, ast.Lt, ast.Gt, ast.LtE, ast.GtE)
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
    match node:
        case ast.Constant(value=bool()) | ast.Compare() | ast.UnaryOp(op=ast.Not()):
            return TRUTH
        case ast.Constant(value=int() | float()) | ast.UnaryOp():
            return NUMBER
        case ast.Constant(value=str() | bytes()) | ast.JoinedStr():
            return TEXT
        case ast.Constant():
            return NOTHING
        case ast.Name() | ast.Attribute():
            return known.get(ast.unparse(node), UNKNOWN)
        case ast.List() | ast.Tuple() | ast.Set() | ast.ListComp() | ast.SetComp() | ast.GeneratorExp():
            return LIST
        case ast.Dict() | ast.DictComp():
            return TABLE
        case ast.BinOp():
            return _of_operation(node, known)
        case ast.Call(func=ast.Attribute(attr=name)):
            return _METHODS.get(name, UNKNOWN)
        case ast.Call(func=ast.Name(id=name)):
            return _CALLS.get(name, UNKNOWN)
        case ast.Subscript(value=value, slice=index):
            held = kind_of(value, known)
            return held if isinstance(index, ast.Slice) or held == TEXT else UNKNOWN
        case ast.IfExp(body=body, orelse=other):
            return kind_of(body, known) or kind_of(other, known)
    return UNKNOWN


def _of_operation(node: ast.BinOp, known: dict[str, str]) -> str:
    left, right = kind_of(node.left, known), kind_of(node.right, known)
    if isinstance(node.op, (ast.Mod, ast.Mult)) and TEXT in (left, right):
        return TEXT
    if isinstance(node.op, (ast.Add, ast.BitOr, ast.BitAnd, ast.Sub)) and (left or right) != NUMBER:
        return left or right
    return LIST if isinstance(node.op, ast.Mult) and LIST in (left, right) else NUMBER


def _signs(node: ast.AST, known: dict[str, str]) -> Iterator[tuple[ast.AST, str]]:
    """What one node tells of the names in it."""
    named: list[ast.expr] = []
    kind = UNKNOWN
    match node:
        case ast.Assign(targets=named, value=value):
            kind = kind_of(value, known)
        case ast.AugAssign(target=target, value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
            named, kind = [target], kind_of(value, known)
        case ast.For() | ast.comprehension() if isinstance(node.target, ast.Name):
            walked = node.iter
            is_range = isinstance(walked, ast.Call) and isinstance(walked.func, ast.Name) and walked.func.id == "range"
            named, kind = [node.target], NUMBER if is_range else UNKNOWN
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, (*_ARITHMETIC, ast.Add)):
            kinds = {kind_of(left, known), kind_of(right, known)} - {UNKNOWN}
            if kinds == {NUMBER} or (kinds == {TEXT} and isinstance(op, ast.Add)):
                named, kind = [left, right], kinds.pop()
        case ast.Compare(left=left, ops=ops, comparators=others) if all(isinstance(op, _ORDERS) for op in ops):
            kinds = {kind_of(side, known) for side in (left, *others)} - {UNKNOWN, NOTHING}
            if len(kinds) == 1:
                named, kind = [left, *others], kinds.pop()
        case ast.Call(func=ast.Attribute(value=receiver, attr=name)):
            named, kind = [receiver], _OF_RECEIVER.get(name, UNKNOWN)
    yield from ((each, kind) for each in named if isinstance(each, (ast.Name, ast.Attribute)))


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
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.expr() as value):
                pass
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                pass
            case _:
                continue
        if method := _FILLED_BY.get(ast.unparse(value)):
            made[name] = method
    return tuple((name, method) for name, method in made.items() if asked[name] and uses[name] == asked[name] + 1)


_FILLED_BY = {"set()": "add", "list()": "append", "[]": "append"}
"""The method that puts something into what an expression makes empty."""
