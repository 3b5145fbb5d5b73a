"""Who says what the tests of a task claim: words of the task that hold the whole claim, or nobody.

A test is required where each assertion is understood, and one quote of the task holds every value, exception and
relation of it. Whatever else it is, it is pinned: nobody said that it should be so.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace

from analysis.facts import Files
from analysis.function_text import FunctionNode, Unreadable, last_name, parse_module, without_docstring
from analysis.quality.oracle import PINNED
from analysis.specified.asserted import KnownFunction, Named, facts_of_tests
from analysis.specified.contradictions import find_contradictions
from analysis.specified.fact_record import Extractor
from analysis.specified.task_text import StatedTask, call_key, calls_in, flat
from analysis.specified.test_functions import tests_in
from analysis.stated.citation import uncited
from analysis.stated.function import stated_functions
from analysis.stated.sentence import plain_text
from repair.records.grown import SaidBy

_MARKS = " \"'“”‘’"
_RAISING = ("raises", "assertRaises", "assertRaisesRegex")
_MOST_ROWS = 200


@dataclass(frozen=True, slots=True)
class QuotedTest:
    """A test by its node id, who says what it claims, and the words of the task that it quotes, with their lines.

    ``why`` says why a test is not required. ``claims`` are what it asserts, as source.
    """

    name: str
    standing: SaidBy
    quotes: tuple[tuple[int, str], ...] = ()
    claims: tuple[str, ...] = ()
    why: str = ""


def read_standings(files: Files, task: StatedTask, program: Files = ()) -> tuple[QuotedTest, ...]:
    """The tests of these files with their standings, in the order of the files. They have been parsed before.

    A test is pinned, too, where the extractors read in the task what excludes its claim of a function of the program.
    """
    trees = _trees(files)
    found = tuple(_standing(name, node, task) for name, node in tests_in(trees))
    denied = _denied(trees, task, functions_of(program))
    return tuple(
        replace(each, standing=SaidBy.PINNED, why=f"the task says otherwise: {denied[each.name]}")
        if each.name in denied and each.standing is SaidBy.REQUIRED
        else each
        for each in found
    )


def functions_of(files: Files) -> dict[str, KnownFunction]:
    """The plain functions of a program by name, as far as one name means one of them."""
    found: dict[str, list[KnownFunction]] = {}
    for path, tree in _trees(files).items():
        for each in stated_functions(path, tree):
            if "." not in each.qualname:
                found.setdefault(each.qualname, []).append(KnownFunction(f"{path}:{each.qualname}", each))
    return {name: known[0] for name, known in found.items() if len(known) == 1}


def _denied(trees: Mapping[str, ast.Module], task: StatedTask, named: Named) -> dict[str, str]:
    """The tests whose claims exclude what the task says, with its words."""
    claims = [fact for path, tree in trees.items() for fact in facts_of_tests(path, tree, named)]
    functions = {known.subject: known.function for known in named.values()}
    places = [(path, node, name) for path, tree in trees.items() for name, node in tests_in({path: tree})]
    found: dict[str, str] = {}
    for each in find_contradictions((*task.facts(named), *claims), functions) if claims else ():
        one, other = (each.one, each.other) if each.one.extractor is Extractor.TEST else (each.other, each.one)
        for path, node, name in places:
            if path == one.place.path and node.lineno <= one.place.line <= (node.end_lineno or 0):
                found.setdefault(name, other.cite())
    return found


def _trees(files: Files) -> Mapping[str, ast.Module]:
    read = ((path, parse_module(source)) for path, source in files)
    return {path: tree for path, tree in read if not isinstance(tree, Unreadable)}


def _standing(name: str, node: FunctionNode, task: StatedTask) -> QuotedTest:
    words = list(_quoted_words(ast.get_docstring(node) or "", task))
    quotes = tuple((line, each) for each in words if (line := task.line_of(each)))
    claims = tuple(_claims(node))
    shown = tuple(f"{each.relation.lower()} {each.value}" for each in claims if each is not None)

    def pinned(why: str) -> QuotedTest:
        return QuotedTest(name, SaidBy.PINNED, quotes, shown, why)

    if not quotes:
        return pinned("its quote is not in the task" if words else "it quotes nothing")
    if not claims or None in claims:
        return pinned("not all of its assertions are understood" if claims else "it asserts nothing")
    for each in claims:
        missing = min((_uncited(each, quote) for _, quote in quotes), key=len)
        if missing:
            return pinned(f"its quote does not say {', '.join(missing)}")
    named = frozenset(call for _, quote in quotes for call in calls_in(flat(task.around(quote).quote)))
    if not all(each in named for each in _made_calls(node, {name for name, _ in named})):
        return pinned("its quote speaks of another call")
    return QuotedTest(name, SaidBy.REQUIRED, quotes, shown)


def _made_calls(test: FunctionNode, names: Set[str]) -> Iterator[tuple[str, str]]:
    """The calls of these functions in a test, with the values of names: one call for each row of a table."""
    known = _assigned(test)
    for node in ast.walk(test):
        if isinstance(node, ast.Call) and last_name(node.func) in names:
            rows = [known[each.id] for each in ast.walk(node) if isinstance(each, ast.Name) and known.get(each.id)]
            for number in range(max(map(len, rows), default=1)):
                yield call_key(_Filled(known, number).visit(copy.deepcopy(node)))


class _Filled(ast.NodeTransformer):
    """Puts in place of names what they are given, in one row of a table."""

    def __init__(self, known: Mapping[str, Sequence[ast.expr]], number: int) -> None:
        self._known, self._number = known, number

    def visit_Name(self, node: ast.Name) -> ast.expr:
        given = self._known.get(node.id, ())
        return given[min(self._number, len(given) - 1)] if given else node


def _quoted_words(docstring: str, task: StatedTask) -> Iterator[str]:
    """What stands behind each ``Quotes:``, without marks around it; a full stop behind the words may be the model's."""
    for said in re.split(r"^\s*Quotes:", docstring, flags=re.MULTILINE)[1:]:
        words = flat(said).strip(_MARKS)
        yield words if task.line_of(words) else words.rstrip(".").strip(_MARKS)


@dataclass(frozen=True, slots=True)
class _Claim:
    """``EQUALS`` a literal, or ``RAISES`` an exception, with texts that its message has to hold."""

    relation: str
    value: str


def _uncited(claim: _Claim | None, quote: str) -> tuple[str, ...]:
    return uncited(claim.relation, claim.value, quote) if claim is not None else ("",)


def _claims(test: FunctionNode) -> Iterator[_Claim | None]:
    """What a test asserts whenever it runs; ``None`` for what is not understood, or may be left out."""
    yield from (None for each in test.decorator_list if _table_of(each) is None)
    yield from _claims_in(without_docstring(test.body), _assigned(test))


def _claims_in(body: Sequence[ast.stmt], known: Mapping[str, Sequence[ast.expr]]) -> Iterator[_Claim | None]:
    for node in body:
        match node:
            case ast.Assert(test=asserted):
                yield from _asserted(asserted, known)
            case ast.With(items=items, body=inner):
                raising = [claim for each in items for claim in _raising(each.context_expr)]
                yield from raising
                yield from (None for _ in inner[1:] if raising)
                yield from _claims_in(inner, known)
            case ast.Assign() | ast.AnnAssign() | ast.Import() | ast.ImportFrom() | ast.Pass():
                continue
            case ast.Expr(value=ast.Call(func=func)) if not last_name(func).startswith(("assert", *_RAISING)):
                continue
            case _:
                yield None


def _raising(node: ast.expr) -> Iterator[_Claim]:
    match node:
        case ast.Call(func=func, args=[kind, *_], keywords=given) if last_name(func) in _RAISING:
            yield _Claim("RAISES", ast.unparse(kind))
            yield from (_Claim("RAISES", ast.unparse(each.value)) for each in given if each.arg == "match")


def _asserted(node: ast.expr, known: Mapping[str, Sequence[ast.expr]]) -> Iterator[_Claim | None]:
    match node:
        case ast.BoolOp(op=ast.And(), values=values):
            for value in values:
                yield from _asserted(value, known)
        case ast.Compare(left=left, ops=[ast.Eq() | ast.Is()], comparators=[right]):
            yield from _equal(left, right, known)
        case ast.Call():
            yield _Claim("EQUALS", "True")
        case ast.UnaryOp(op=ast.Not(), operand=ast.Call()):
            yield _Claim("EQUALS", "False")
        case _:
            yield None


def _equal(one: ast.expr, other: ast.expr, known: Mapping[str, Sequence[ast.expr]]) -> Iterator[_Claim | None]:
    """One claim for each literal that the other side may be: of a name all that it was given."""
    for side, beside in ((other, one), (one, other)):
        values = _values(side, known)
        if values and not _values(beside, known):
            yield from (_Claim("EQUALS", value) for value in values)
            return
    yield None


def _values(node: ast.expr, known: Mapping[str, Sequence[ast.expr]]) -> tuple[str, ...]:
    """The literals that an expression may be, as source; none where it is no literal, nor a name of such."""
    if isinstance(node, ast.Call) and last_name(node.func) == "approx" and node.args:
        node = node.args[0]
    given = known.get(node.id, ()) if isinstance(node, ast.Name) else (node,)
    try:
        for each in given:
            ast.literal_eval(each)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return ()
    return tuple(ast.unparse(each) for each in given)


def _table_of(decorator: ast.expr) -> tuple[list[str], list[ast.expr]] | None:
    """The names and rows of a table of cases; ``None`` for another decorator."""
    match decorator:
        case ast.Call(func=func, args=[ast.Constant(value=str(names)), ast.List(elts=rows) | ast.Tuple(elts=rows)]):
            if last_name(func) == "parametrize":
                return [name.strip() for name in names.split(",")], rows[:_MOST_ROWS]
    return None


def _assigned(test: FunctionNode) -> Mapping[str, Sequence[ast.expr]]:
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


def mark_tests(files: Files, task: StatedTask, tests: Sequence[QuotedTest]) -> Files:
    """The files with a first line in each test that says who says so: a quote with its place, or nobody."""
    known = {test.name: test for test in tests}
    return tuple((path, _mark_file(path, source, task, known)) for path, source in files)


def _mark_file(path: str, source: bytes, task: StatedTask, known: Mapping[str, QuotedTest]) -> bytes:
    tree = parse_module(source)
    if isinstance(tree, Unreadable):
        return source
    lines = source.decode().split("\n")
    for name, node in reversed(tests_in({path: tree})):
        first = node.body[0]
        if first.lineno == node.lineno:  # the whole test on one line: there is no place for a mark
            continue
        kept = node.body[1:] if ast.get_docstring(node) is not None else node.body
        indent = " " * first.col_offset
        marks = [f"{indent}{each}" for each in _marks(known[name], task)]
        end = (first.end_lineno or first.lineno) if len(kept) < len(node.body) else first.lineno - 1
        rest = [f"{indent}pass"] if not kept else []
        lines[first.lineno - 1 : end] = [*marks, *rest]
    return "\n".join(lines).encode()


def _marks(test: QuotedTest, task: StatedTask) -> Iterator[str]:
    if test.standing is SaidBy.PINNED:
        yield f'"""{PINNED}nobody said that it should be so."""'
    for line, quote in test.quotes if test.standing is SaidBy.REQUIRED else ():
        name = task.around(quote).requirement
        yield f'# Required: {f"{name}, " if name else ""}{task.path}:{line} says "{flat(plain_text(quote))}"'
