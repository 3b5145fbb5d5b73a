"""Who says what the tests of a task claim: words of the task that hold the whole claim, or nobody.

A test is required where each assertion is understood, and one quote of the task holds every value, exception and
relation of it. Whatever else it is, it is pinned: nobody said that it should be so.
"""

from __future__ import annotations

import ast
import copy
import re
from collections import Counter
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
from repair.survey.making.claims import (
    AssertedClaim,
    MeantNames,
    assigned,
    bound_in,
    changes_program,
    claims_of,
    names_in,
)

_MARKS = " \"'“”‘’"


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
    found = tuple(
        _standing(name, node, task, names)
        for path, tree in trees.items()
        for names in (names_in(tree, program),)
        for name, node in tests_in({path: tree})
    )
    denied = {name: f"the task says otherwise: {said}" for name, said in _denied(trees, task, functions_of(program))}
    changed = next((path for path, tree in trees.items() if changes_program(tree)), "")
    for path, tree in trees.items():
        hidden = dict.fromkeys(_hidden(path, tree), "its name, or that of its class, is bound more than once")
        denied |= hidden | dict.fromkeys(_on_shared_lines(path, tree, dict(files)[path]), "its docstring shares a line")
    return tuple(
        replace(each, standing=SaidBy.PINNED, why=why)
        if (why := denied.get(each.name) or (changed and f"{changed} could change the program"))
        and each.standing is SaidBy.REQUIRED
        else each
        for each in found
    )


def _hidden(path: str, tree: ast.Module) -> Iterator[str]:
    """The tests that may not be what pytest runs by their name: it is bound again, or that of their class."""
    again = [name for name, count in Counter(name for name, _ in tests_in({path: tree})).items() if count > 1]
    yield from again
    scopes: list[ast.Module | ast.ClassDef] = [
        tree,
        *(each for each in ast.walk(tree) if isinstance(each, ast.ClassDef)),
    ]
    for scope in scopes:
        bound = Counter(bound_in(scope))
        for node in scope.body:
            if isinstance(node, FunctionNode | ast.ClassDef) and (
                bound[node.name] > 1 or (isinstance(node, ast.ClassDef) and node.decorator_list)
            ):
                yield from (name for name, test in tests_in({path: tree}) if node is test or test in ast.walk(node))


def _on_shared_lines(path: str, tree: ast.Module, source: bytes) -> Iterator[str]:
    """The tests whose first statement has no line of its own: a mark in its place would take more away."""
    lines = source.split(b"\n")
    for name, node in tests_in({path: tree}):
        first = node.body[0]
        end = lines[(first.end_lineno or first.lineno) - 1][first.end_col_offset or 0 :].strip()
        if lines[first.lineno - 1][: first.col_offset].strip() or (end and not end.startswith(b"#")):
            yield name


def functions_of(files: Files) -> dict[str, KnownFunction]:
    """The plain functions of a program by name, as far as one name means one of them."""
    found: dict[str, list[KnownFunction]] = {}
    for path, tree in _trees(files).items():
        for each in stated_functions(path, tree):
            if "." not in each.qualname:
                found.setdefault(each.qualname, []).append(KnownFunction(f"{path}:{each.qualname}", each))
    return {name: known[0] for name, known in found.items() if len(known) == 1}


def _denied(trees: Mapping[str, ast.Module], task: StatedTask, named: Named) -> Iterator[tuple[str, str]]:
    """The tests whose claims exclude what the task says, with its words."""
    claims = [fact for path, tree in trees.items() for fact in facts_of_tests(path, tree, named)]
    functions = {known.subject: known.function for known in named.values()}
    places = [(path, node, name) for path, tree in trees.items() for name, node in tests_in({path: tree})]
    for each in find_contradictions((*task.facts(named), *claims), functions) if claims else ():
        one, other = (each.one, each.other) if each.one.extractor is Extractor.TEST else (each.other, each.one)
        for path, node, name in places:
            if path == one.place.path and node.lineno <= one.place.line <= (node.end_lineno or 0):
                yield name, other.cite()


def _trees(files: Files) -> Mapping[str, ast.Module]:
    read = ((path, parse_module(source)) for path, source in files)
    return {path: tree for path, tree in read if not isinstance(tree, Unreadable)}


def _standing(name: str, node: FunctionNode, task: StatedTask, names: MeantNames) -> QuotedTest:
    words = list(_quoted_words(ast.get_docstring(node) or "", task))
    quotes = tuple((line, each) for each in words if (line := task.line_of(each)))
    claims = claims_of(node, names)
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
    said = [sentence for _, quote in quotes for sentence in task.quoted(quote)]
    if not all(task.quoted(quote) for _, quote in quotes):
        return pinned("its quote is no whole sentence of the task")
    if any(each.negates for each in said):
        return pinned("the sentence that it quotes says what is not so")
    named = frozenset(
        call for _, quote in quotes for each in task.holding(quote) for call in calls_in(flat(each.quote))
    )
    made = list(_made_calls(node, {name for name, _ in named}))
    if not all(each in named for each in made) or (named and not made):
        return pinned("its quote speaks of another call")
    return QuotedTest(name, SaidBy.REQUIRED, quotes, shown)


def _made_calls(test: FunctionNode, names: Set[str]) -> Iterator[tuple[str, str]]:
    """The calls of these functions in a test, with the values of names: one call for each row of a table."""
    known = assigned(test)
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


def _uncited(claim: AssertedClaim | None, quote: str) -> tuple[str, ...]:
    return uncited(claim.relation, claim.value, quote) if claim is not None else ("",)


def mark_tests(files: Files, task: StatedTask, tests: Sequence[QuotedTest]) -> Files:
    """The files with a first line in each test that says who says so: a quote with its place, or nobody."""
    known = {test.name: test for test in tests}
    return tuple((path, _mark_file(path, source, task, known)) for path, source in files)


def _mark_file(path: str, source: bytes, task: StatedTask, known: Mapping[str, QuotedTest]) -> bytes:
    tree = parse_module(source)
    if isinstance(tree, Unreadable):
        return source
    apart = _with_lines_of_their_own(path, tree, source)
    own = parse_module(apart)
    if isinstance(own, Unreadable):
        return source
    lines, shared = apart.decode().split("\n"), frozenset(_on_shared_lines(path, own, apart))
    for name, node in reversed(tests_in({path: own})):
        first = node.body[0]
        if name in shared:  # there is no place for a mark
            continue
        kept = node.body[1:] if ast.get_docstring(node) is not None else node.body
        indent = " " * first.col_offset
        marks = [f"{indent}{each}" for each in _marks(known[name], task)]
        end = (first.end_lineno or first.lineno) if len(kept) < len(node.body) else first.lineno - 1
        rest = [f"{indent}pass"] if not kept else []
        lines[first.lineno - 1 : end] = [*marks, *rest]
    marked = "\n".join(lines).encode()
    return marked if _same_but_marks(tree, marked) else source


def _with_lines_of_their_own(path: str, tree: ast.Module, source: bytes) -> bytes:
    """The file with the first statements of each test on lines of their own, so that a mark has a place.

    Example: ``def test_f(): assert f(1) == 2`` becomes two lines. What could not be parted so stays.
    """
    text = source.decode()
    lines, shared = text.split("\n"), frozenset(_on_shared_lines(path, tree, source))
    for name, node in reversed(tests_in({path: tree})):
        if name in shared:
            first, last = node.body[0].lineno, _last_line_shared(node)
            head = lines[first - 1].encode()[: node.body[0].col_offset].decode()
            indent = " " * (node.col_offset + 4) if head.strip() else head
            parts = [ast.get_source_segment(text, each) or "" for each in node.body if each.lineno <= last]
            behind = lines[last - 1].rpartition(parts[-1].rpartition("\n")[2])[2].strip(" ;")
            comment = [f"{indent}{behind}"] if behind else []
            lines[first - 1 : last] = [
                *([head.rstrip()] if head.strip() else []),
                *(indent + p for p in parts),
                *comment,
            ]
    apart = "\n".join(lines).encode()
    again = parse_module(apart)
    return source if isinstance(again, Unreadable) or ast.dump(again) != ast.dump(tree) else apart


def _last_line_shared(node: FunctionNode) -> int:
    """The line that the row of statements ends in that begins with the first one."""
    last = 0
    for each in node.body:
        if not last or each.lineno <= last:
            last = max(last, each.end_lineno or each.lineno)
    return last


def _same_but_marks(tree: ast.Module, marked: bytes) -> bool:
    """Whether the marked text does what the file did: all but the docstrings of its tests is as it was."""
    other = parse_module(marked)
    return not isinstance(other, Unreadable) and _without_words(tree) == _without_words(other)


def _without_words(tree: ast.Module) -> str:
    bare = copy.deepcopy(tree)
    for _, node in tests_in({"": bare}):
        body = without_docstring(node.body)
        node.body = [] if [type(each) for each in body] == [ast.Pass] else body
    return ast.dump(bare)


def _marks(test: QuotedTest, task: StatedTask) -> Iterator[str]:
    if test.standing is SaidBy.PINNED:
        yield f'"""{PINNED}nobody said that it should be so."""'
    for line, quote in test.quotes if test.standing is SaidBy.REQUIRED else ():
        name = task.holding(quote)[0].requirement
        yield f'# Required: {f"{name}, " if name else ""}{task.path}:{line} says "{flat(plain_text(quote))}"'
