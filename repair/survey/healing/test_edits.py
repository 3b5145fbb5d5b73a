"""Edits of generated tests, as spans of the file's text: names that moved, calls, quotes, claims, notes, imports.

Only these spans change: what stands elsewhere in the file stays byte for byte.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from analysis.changed_signature import ChangedParameters, adapted_call
from analysis.function_text import Unreadable, parse_module
from analysis.moved_definitions import ProgramNames
from repair.survey.growing.claim import Claim, ClaimKind
from repair.survey.growing.printing import TAKEN, as_comment, assertion_lines, import_block
from repair.survey.healing.generated_file import GeneratedFile, GeneratedTest, comment_lines_of, meaning

Span = tuple[int, int, str]
"""From which byte of the text to which other text stands; several spans never overlap."""


@dataclass(frozen=True, slots=True)
class MovedNames:
    """What definitions that a file names are called now, and what became of their parameters, by old dotted name."""

    old: ProgramNames
    new: ProgramNames
    homes: Mapping[str, str] = field(default_factory=dict)
    signatures: Mapping[str, ChangedParameters] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Imports:
    """What a file imports: ``parts`` are names of modules by how the file calls them, others ``whole``."""

    parts: Mapping[str, str]
    whole: frozenset[str]

    def spelled(self, dotted: str, was: str, file: GeneratedFile, new: ProgramNames) -> str:
        """How the file calls a definition that it called otherwise."""
        module, rest = new.split(dotted)
        first = rest.split(".")[0]
        in_part = any(was == each or was.startswith(f"{each}.") for each in file.parts.values())
        return rest if in_part and self.parts.get(first) == f"{module}.{first}" else dotted


def imports_after(file: GeneratedFile, moved: Mapping[str, str], new: ProgramNames) -> Imports:
    """What the file has to import when the definitions are called so."""
    parts, whole = dict(file.parts), set(file.whole)
    used = {node.id for node in ast.walk(file.tree) if isinstance(node, ast.Name)} - parts.keys()
    used |= {node.arg for node in ast.walk(file.tree) if isinstance(node, ast.arg)} | {t.node.name for t in file.tests}
    for was, dotted in moved.items():
        module, rest = new.split(dotted)
        first = rest.split(".")[0]
        is_free = first not in used | TAKEN and parts.get(first) in (None, was, f"{module}.{first}")
        in_part = any(was == each or was.startswith(f"{each}.") for each in file.parts.values())
        if in_part and is_free and not first.lower().startswith("test"):
            parts[first] = f"{module}.{first}"
        else:
            whole.add(module)
    return Imports(parts, frozenset(whole))


class _Followed(ast.NodeTransformer):
    """Names and calls as they are now. ``problem`` says why a call cannot be written."""

    def __init__(self, file: GeneratedFile, moved: MovedNames, imports: Imports) -> None:
        self._file, self._moved, self._imports = file, moved, imports
        self.problem = ""

    def visit_Call(self, node: ast.Call) -> ast.AST:
        changed = self._moved.signatures.get(meaning(node.func, self._file, self._moved.old))
        followed = self.generic_visit(node)
        if changed is None or not isinstance(followed, ast.Call):
            return followed
        adapted = adapted_call(followed, changed)
        if isinstance(adapted, str):
            self.problem = adapted
            return followed
        return adapted

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        was = meaning(node, self._file, self._moved.old)
        dotted = self._moved.homes.get(was)
        if dotted is None:
            return self.generic_visit(node)
        if isinstance(node.value, ast.Call):
            return ast.Attribute(self.visit(node.value), dotted.rpartition(".")[2], node.ctx)
        return self._spelled(dotted, was)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        was = meaning(node, self._file, self._moved.old)
        dotted = self._moved.homes.get(was)
        return node if dotted is None else self._spelled(dotted, was)

    def _spelled(self, dotted: str, was: str) -> ast.expr:
        text = self._imports.spelled(dotted, was, self._file, self._moved.new)
        return ast.parse(text, mode="eval").body


def followed_expression(
    node: ast.expr, file: GeneratedFile, moved: MovedNames, imports: Imports
) -> tuple[ast.expr, str]:
    """The expression with names and calls as they are now, and why one of its calls cannot be written."""
    follower = _Followed(file, moved, imports)
    followed = follower.visit(copy.deepcopy(node))
    return followed, follower.problem


def expressions_of(test: GeneratedTest) -> Iterator[ast.expr]:
    """The outermost expressions of a test's statements; its decorators hold plain values alone."""
    waiting: list[ast.AST] = list(test.node.body)
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.expr):
            yield node
        else:
            waiting = [*ast.iter_child_nodes(node), *waiting]


def name_spans(test: GeneratedTest, file: GeneratedFile, moved: MovedNames, imports: Imports) -> tuple[list[Span], str]:
    """What has to stand in a test for its names and calls to be those of the program now; and why it cannot."""
    spans: list[Span] = []
    for node in expressions_of(test):
        followed, problem = followed_expression(node, file, moved, imports)
        if problem:
            return [], problem
        if ast.dump(followed) != ast.dump(node):
            spans.append((*span_of(node, file.text), ast.unparse(followed)))
    return spans, ""


def span_of(node: ast.expr, text: str) -> tuple[int, int]:
    """The bytes of a node in the text."""
    starts = _line_starts(text)
    return starts[node.lineno - 1] + node.col_offset, starts[(node.end_lineno or 1) - 1] + (node.end_col_offset or 0)


def _line_starts(text: str) -> list[int]:
    starts = [0]
    for line in text.encode().split(b"\n"):
        starts.append(starts[-1] + len(line) + 1)
    return starts


def _lines_span(text: str, first: int, last: int, lines: Sequence[str], indent: int) -> Span:
    """Whole lines, counted from 0, ``last`` not among them, that other ones stand for."""
    starts = _line_starts(text)
    return starts[first], starts[last], "".join(f"{' ' * indent}{line}\n" for line in lines)


def quote_span(test: GeneratedTest, file: GeneratedFile, said: str) -> Span:
    """Other words of who says so."""
    lines = comment_lines_of(test.node, file.text.splitlines())
    new = as_comment(f"{test.standing.value.capitalize()}: {said}")
    return _lines_span(file.text, lines.start, lines.stop, new, test.node.body[0].col_offset)


def note_span(test: GeneratedTest, file: GeneratedFile, note: str) -> Span:
    """A note below the last statement of a test."""
    end = test.node.end_lineno or test.node.lineno
    return _lines_span(file.text, end, end, as_comment(note), test.node.body[0].col_offset)


def claim_span(test: GeneratedTest, file: GeneratedFile, call: str, claim: Claim) -> Span:
    """Another claim of the one call that a test makes."""
    lines = assertion_lines(call, claim, unittest="::" in test.name)
    first = test.node.body[0].lineno - 1
    return _lines_span(file.text, first, test.node.end_lineno or 1, lines, test.node.body[0].col_offset)


@dataclass(frozen=True, slots=True)
class TestTable:
    """The rows of a test, each with its values; the last column may be what is expected."""

    __test__ = False

    columns: tuple[str, ...]
    rows: tuple[tuple[ast.expr, ...], ...]


def table_of(test: GeneratedTest) -> TestTable | None:
    """The table of a test, in the form that either style prints; ``None`` where it makes one call."""
    for decorator in test.node.decorator_list:
        match decorator:
            case ast.Call(args=[ast.Constant(value=str(name)), ast.List(elts=rows)]):
                return TestTable((name,), tuple((row,) for row in rows))
            case ast.Call(args=[ast.Tuple(elts=names), ast.List(elts=rows)]):
                heads = tuple(str(each.value) for each in names if isinstance(each, ast.Constant))
                return TestTable(heads, tuple(tuple(row.elts) for row in rows if isinstance(row, ast.Tuple)))
    for node in test.node.body:
        match node:
            case ast.For(target=ast.Name(id=name), iter=ast.List(elts=rows)):
                return TestTable((name,), tuple((row,) for row in rows))
            case ast.For(target=ast.Tuple(elts=names), iter=ast.List(elts=rows)):
                heads = tuple(each.id for each in names if isinstance(each, ast.Name))
                return TestTable(heads, tuple(tuple(row.elts) for row in rows if isinstance(row, ast.Tuple)))
    return None


def table_claim_spans(
    test: GeneratedTest, file: GeneratedFile, table: TestTable, claims: Sequence[Claim]
) -> list[Span] | None:
    """Other claims in the rows of a table; ``None`` where they do not fit into it."""
    has_values = table.columns[-1] == "expected"
    if has_values and all(claim.kind is ClaimKind.EQUALS for claim in claims):
        pairs = zip(table.rows, claims, strict=True)
        return [(*span_of(row[-1], file.text), claim.value) for row, claim in pairs]
    if not has_values and all(claim == claims[0] and claim.kind is ClaimKind.RAISES for claim in claims):
        for node in ast.walk(test.node):
            match node:
                case ast.withitem(context_expr=ast.Call(func=ast.Attribute(attr="raises" | "assertRaises"), args=[a])):
                    return [(*span_of(a, file.text), claims[0].value)]
    return None


def row_call(call: ast.Call, table: TestTable, row: Sequence[ast.expr]) -> ast.Call:
    """The call that a row makes."""
    values = dict(zip(table.columns, row, strict=True))
    made = copy.deepcopy(call)
    made.args = [values.get(each.id, each) if isinstance(each, ast.Name) else each for each in made.args]
    for keyword in made.keywords:
        if isinstance(keyword.value, ast.Name):
            keyword.value = values.get(keyword.value.id, keyword.value)
    return made


def replaced(text: str, spans: Sequence[Span], first: int = 0, last: int | None = None) -> str:
    """The text with the spans in place, or that part of it between two bytes that holds all of them."""
    content = text.encode()[:last]
    for start, end, new in sorted(spans, reverse=True):
        content = content[:start] + new.encode() + content[end:]
    return content[first:].decode()


def edited(file: GeneratedFile, spans: Sequence[Span], imports: Imports, modules: Sequence[str]) -> str:
    """The text with these spans in place, and the imports that it needs then."""
    text = replaced(file.text, spans)
    tree = parse_module(text)
    if isinstance(tree, Unreadable):
        return text
    heads = [node for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    parts: dict[str, set[str]] = {}
    for name, dotted in imports.parts.items():
        if name in names:
            parts.setdefault(dotted.rpartition(".")[0], set()).add(name)
    chains = {ast.unparse(node) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    uses_pytest = any(chain.startswith("pytest.") for chain in chains)
    whole = {each for each in imports.whole if each == "unittest" or any(c.startswith(f"{each}.") for c in chains)}
    block = import_block(whole | ({"pytest"} if uses_pytest else set()), parts, frozenset(modules))
    if not heads:
        return "\n".join([*block, *([""] if block else []), text])
    lines = text.split("\n")
    return "\n".join([*lines[: heads[0].lineno - 1], *block, *lines[heads[-1].end_lineno or 1 :]])
