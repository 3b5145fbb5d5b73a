"""What a test asserts of the program whenever it runs, as claims.

One side of an assertion is what the program gave: one call, or an attribute or an item of one. The call is of a name
that only an import of the program binds. So no assertion about Python itself, or about what the test made, counts.
"""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from analysis.facts import Files
from analysis.function_text import FunctionNode, Unreadable, last_name, parse_module, without_docstring

_MOST_ROWS = 200

_CHANGES = (
    *("setattr", "delattr", "monkeypatch", "mock", "mocker", "patch", "exec", "eval", "globals", "locals", "vars"),
    *("modules", "reload", "builtins", "__builtins__", "__dict__", "__class__", "__getattr__", "__setattr__"),
    "pytest_generate_tests",
)
"""Names by which a file of tests could put something else in place of the program, or of a test."""


@dataclass(frozen=True, slots=True)
class MeantNames:
    """The names of a test file that mean the program, or pytest, and nothing else.

    ``bound`` are all names that the file binds, ``parts`` the functions, classes and attributes of the program.
    """

    program: frozenset[str]
    pytest: frozenset[str]
    bound: frozenset[str]
    parts: frozenset[str]


def names_in(tree: ast.Module, program: Files) -> MeantNames:
    """What the names of a test file mean, with the program that it imports."""
    bound = Counter(_bound(tree))
    imported: dict[str, set[str]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for name, source in _imported(node):
                imported.setdefault(name, set()).add(source)
    known = {
        name: next(iter(sources))
        for name, sources in imported.items()
        if len(sources) == 1 and not bound[name] and "*" not in imported
    }
    paths = [path for path, _ in program]
    return MeantNames(
        frozenset(name for name, source in known.items() if _is_of(source, paths)),
        frozenset(name for name, source in known.items() if source.split(".")[0] == "pytest"),
        frozenset(bound) | frozenset(imported),
        _parts_of(program),
    )


def changes_program(tree: ast.Module) -> bool:
    """Whether a test file could put something else in the program's place: it sets an attribute, or reaches so far."""
    for node in ast.walk(tree):
        match node:
            case ast.Attribute(value=ast.Name(id="self"), ctx=ast.Store()):
                continue
            case ast.Attribute(ctx=ast.Store() | ast.Del()):
                return True
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name) | ast.FunctionDef(name=name):
                if name in _CHANGES:
                    return True
            case ast.alias(name=name) if name.rpartition(".")[2] in _CHANGES:
                return True
    return False


def bound_in(scope: ast.Module | ast.ClassDef) -> Iterator[str]:
    """Each binding of a name in a scope itself, not in the functions and classes that it holds; imports count."""
    waiting: list[ast.AST] = list(scope.body)
    while waiting:
        node = waiting.pop()
        yield from _bindings([node])
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield from (name for name, _ in _imported(node))
        elif not isinstance(node, FunctionNode | ast.ClassDef | ast.Lambda):
            waiting += ast.iter_child_nodes(node)


def _bound(tree: ast.Module) -> Iterator[str]:
    """Each binding of a name anywhere in a file, but for imports."""
    yield from _bindings(ast.walk(tree))


def _bindings(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.arg(arg=name):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                yield name
            case ast.MatchMapping(rest=str(name)):
                yield name


def _imported(node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, str]]:
    """The names that an import binds, each with the dotted name of what it means.

    It is empty where it calls something by another name: a quoted call would be another one.
    """
    for each in node.names:
        if isinstance(node, ast.ImportFrom):
            whole = f"{'.' * node.level}{node.module or ''}.{each.name}"
            yield each.asname or each.name, whole if each.asname in (None, each.name) else ""
        else:
            top = each.name.partition(".")[0]
            yield each.asname or top, each.name if each.asname else top


def _is_of(dotted: str, paths: Sequence[str]) -> bool:
    """Whether a dotted name is a module of these files, or stands in one."""
    whole = dotted.replace(".", "/")
    modules = {path.removesuffix(".py").removesuffix("/__init__") for path in paths}
    return any(f"{whole}/".startswith(f"{each}/") or f"{each}/".startswith(f"{whole}/") for each in modules)


def _parts_of(program: Files) -> frozenset[str]:
    trees = [tree for _, source in program if not isinstance(tree := parse_module(source), Unreadable)]
    stored = (
        node.attr
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)
    )
    return frozenset((*stored, *(name for tree in trees for name in _bound(tree))))


@dataclass(frozen=True, slots=True)
class AssertedClaim:
    """``EQUALS`` a literal, or ``RAISES`` an exception, with texts that its message has to hold."""

    relation: str
    value: str


Values = Mapping[str, Sequence[ast.expr]]
"""What each name of a test may be."""

_PLAIN = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.UnaryOp, ast.unaryop, ast.keyword, ast.Starred)
"""What an argument may be made of, where the call has to raise: nothing that raises by itself."""


def claims_of(test: FunctionNode, names: MeantNames) -> tuple[AssertedClaim | None, ...]:
    """What a test asserts whenever it runs; ``None`` for what is not understood, or may be left out."""
    unknown = [None for each in test.decorator_list if _table_of(each) is None]
    return (*unknown, *_ClaimReader(names, assigned(test)).read(without_docstring(test.body)))


@dataclass(frozen=True, slots=True)
class _ClaimReader:
    """Reads the statements of one test."""

    names: MeantNames
    known: Values

    def read(self, body: Sequence[ast.stmt]) -> Iterator[AssertedClaim | None]:
        for node in body:
            match node:
                case ast.Assert(test=asserted):
                    yield from self._asserted(asserted)
                case ast.With(items=[ast.withitem(context_expr=ast.Call() as call)], body=[inner]):
                    yield from self._raising(call, inner)
                case ast.Assign() | ast.AnnAssign() | ast.Import() | ast.ImportFrom() | ast.Pass():
                    continue
                case ast.Expr(value=ast.Call(func=func)) if not last_name(func).startswith(("assert", "raises")):
                    continue
                case _:
                    yield None

    def _raising(self, call: ast.Call, inner: ast.stmt) -> Iterator[AssertedClaim | None]:
        """``with pytest.raises(kind):`` around one call of the program, whose arguments raise nothing themselves."""
        match call, inner:
            case ast.Call(args=[kind], keywords=given), ast.Expr(value=made) | ast.Assign(value=made):
                fits = self._is_pytest(call.func, "raises") and {each.arg for each in given} <= {"match"}
                if fits and self._is_kind(kind) and isinstance(made, ast.Call) and self._is_quiet(made):
                    yield AssertedClaim("RAISES", ast.unparse(kind))
                    yield from (AssertedClaim("RAISES", ast.unparse(each.value)) for each in given)
                    return
        yield None

    def _is_kind(self, kind: ast.expr) -> bool:
        root = _root(kind)
        own = root in self.names.program
        return own or (isinstance(kind, ast.Name) and root not in self.names.bound and hasattr(builtins, root))

    def _is_quiet(self, made: ast.Call) -> bool:
        """Whether only calls of the program can raise here."""
        calls = [node for node in ast.walk(made) if isinstance(node, ast.Call)]
        callees = [part for call in calls for part in ast.walk(call.func)]
        rest = [node for node in ast.walk(made) if node not in callees and not isinstance(node, ast.Call)]
        plain = all(isinstance(node, (*_PLAIN, ast.Name, ast.expr_context)) for node in rest)
        return plain and all(self._is_of_program(call, self.known) for call in calls)

    def _asserted(self, node: ast.expr) -> Iterator[AssertedClaim | None]:
        match node:
            case ast.BoolOp(op=ast.And(), values=values):
                for value in values:
                    yield from self._asserted(value)
            case ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right]):
                yield from self._equal(left, right)
            case ast.Call() if self._is_of_program(node, self.known):
                yield AssertedClaim("EQUALS", "True")
            case ast.UnaryOp(op=ast.Not(), operand=ast.Call() as call) if self._is_of_program(call, self.known):
                yield AssertedClaim("EQUALS", "False")
            case _:
                yield None

    def _equal(self, one: ast.expr, other: ast.expr) -> Iterator[AssertedClaim | None]:
        """One claim for each literal that the other side may be: of a name all that it was given."""
        for side, beside in ((other, one), (one, other)):
            values = self._values(side)
            if values and self._is_of_program(beside, self.known):
                yield from (AssertedClaim("EQUALS", value) for value in values)
                return
        yield None

    def _is_of_program(self, node: ast.expr, known: Values) -> bool:
        """Whether this is what the program gave: a call, an attribute or an item that starts at a name of it."""
        match node:
            case ast.Call(func=ast.Name(id=name)):
                return name in self.names.program
            case ast.Call(func=ast.Attribute(value=value, attr=attr)) | ast.Attribute(value=value, attr=attr):
                return attr in self.names.parts and self._starts_there(value, known)
            case ast.Subscript(value=value, slice=ast.Constant() | ast.UnaryOp()):
                return self._is_of_program(value, known)
            case ast.Name(id=name) if known.get(name):
                rest = {each: values for each, values in known.items() if each != name}
                return all(self._is_of_program(each, rest) for each in known[name])
        return False

    def _starts_there(self, node: ast.expr, known: Values) -> bool:
        """As above, or a module, a package or a class of the program."""
        if isinstance(node, ast.Attribute) and self._starts_there(node.value, known):
            return True
        return (isinstance(node, ast.Name) and node.id in self.names.program) or self._is_of_program(node, known)

    def _is_pytest(self, func: ast.expr, name: str) -> bool:
        return last_name(func) == name and _root(func) in self.names.pytest

    def _values(self, node: ast.expr) -> tuple[str, ...]:
        """The literals that an expression may be, as source; none where it is no literal, nor a name of such."""
        match node:
            case ast.Call(func=func, args=[value], keywords=[]) if self._is_pytest(func, "approx"):
                node = value
        given = self.known.get(node.id, ()) if isinstance(node, ast.Name) else (node,)
        try:
            for each in given:
                ast.literal_eval(each)
        except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
            return ()
        return tuple(ast.unparse(each) for each in given)


def _root(node: ast.expr) -> str:
    """The name that an expression of names and attributes starts at."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _table_of(decorator: ast.expr) -> tuple[list[str], list[ast.expr]] | None:
    """The names and rows of a table of cases; ``None`` for another decorator, or more rows than are read."""
    match decorator:
        case ast.Call(func=func, args=[ast.Constant(value=str(names)), ast.List(elts=rows) | ast.Tuple(elts=rows)]):
            if last_name(func) == "parametrize" and len(rows) <= _MOST_ROWS:
                return [name.strip() for name in names.split(",")], rows
    return None


def assigned(test: FunctionNode) -> Mapping[str, Sequence[ast.expr]]:
    """What each name of a test is given by plain assignments, or by the rows of a table; nothing for other names."""
    found: dict[str, list[ast.expr]] = {}
    for decorator in test.decorator_list:
        table = _table_of(decorator)
        if table is not None:
            _add_rows(found, *table)
    plain = [node for node in ast.walk(test) if isinstance(node, ast.Assign)]
    for node in plain:
        match node.targets:
            case [ast.Name(id=name)]:
                found.setdefault(name, []).append(node.value)
    single = [each for node in plain for each in node.targets]
    for each in ast.walk(test):
        if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store) and each not in single:
            found[each.id] = []
    return found


def _add_rows(found: dict[str, list[ast.expr]], names: Sequence[str], rows: Sequence[ast.expr]) -> None:
    for row in rows:
        values = row.elts if len(names) > 1 and isinstance(row, ast.Tuple | ast.List) else [row]
        for name, value in zip(names, values, strict=False):
            found.setdefault(name, []).append(value)
