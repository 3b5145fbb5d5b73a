"""The functions of one module: names, lines and byte spans; and the owner of a line or a frame.

The index comes from the standard ``ast``; a source that is newer than the engine's own grammar is
indexed with LibCST, whose grammar runs ahead.
"""

from __future__ import annotations

import ast
import io
import re
import tokenize
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import libcst as cst
from libcst.metadata import MetadataWrapper, PositionProvider

from analysis.errors import UnparseableError
from analysis.facts import Frame, FunctionId


@dataclass(frozen=True, slots=True)
class FunctionSpan:
    """Where one function stands.

    ``start`` and ``end`` are byte offsets of its full lines, decorators included. A byte order mark or form feed before
    the first of them is left out. ``parent`` is the qualified name of the enclosing scope without ``<locals>``,
    ``in_class`` whether that scope is a class.
    """

    function: FunctionId
    def_line: int
    end_line: int
    start: int
    end: int
    encoding: str
    in_class: bool
    parent: str
    is_async: bool
    parameters: tuple[str, ...]

    @property
    def name(self) -> str:
        """The function's own name."""
        return self.function.qualname.rsplit(".", 1)[-1]

    def contains(self, line: int) -> bool:
        """Whether the line of the file lies in the function, decorators included."""
        return self.function.first_line <= line <= self.end_line


def source_encoding(source: bytes) -> str:
    """The encoding that the file declares (PEP 263), ``utf-8`` by default."""
    try:
        name, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
    except SyntaxError as problem:
        raise UnparseableError(f"The file's encoding cannot be told: {problem}") from problem
    return "utf-8" if name == "utf-8-sig" else name


def functions_of(path: str, source: bytes) -> tuple[FunctionSpan, ...]:
    """Index of all functions of one file, in source order, nested and conditional ones included.

    Raises ``UnparseableError`` when neither grammar accepts the source.
    """
    encoding = source_encoding(source)
    try:
        found = list(_entries(source))
    except (SyntaxError, cst.ParserSyntaxError, ValueError, RecursionError, MemoryError) as problem:
        raise UnparseableError(
            f"{path} cannot be parsed: {problem}", remedy="Mend the syntax first: there is no stable tree to patch."
        ) from problem
    lines = _line_starts(source)
    ordered = sorted(found, key=lambda e: (e.first_line, -e.end_line))
    return tuple(_span(path, encoding, source, lines, entry) for entry in ordered)


def syntax_tree(source: bytes) -> ast.Module:
    """The standard tree of a source; what its author should be warned of is no concern of ours."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(source)


def owner_of_line(functions: Sequence[FunctionSpan], line: int) -> FunctionSpan | None:
    """The innermost function that contains the line."""
    owners = [f for f in functions if f.contains(line)]
    return min(owners, key=lambda f: f.end_line - f.function.first_line, default=None)


def owner_of_frame(functions: Sequence[FunctionSpan], frame: Frame) -> FunctionSpan | None:
    """The function that a frame belongs to; lambdas and comprehensions belong to the one around them.

    Matches on the qualified name first (targets before 3.11 report bare names), then on lines.
    """
    name = plain_qualname(frame.qualname)
    same = [f for f in functions if name and f.contains(frame.line) and (f.function.qualname == name or f.name == name)]
    return owner_of_line(same or functions, frame.line)


def plain_qualname(qualname: str) -> str:
    """A code object's qualified name without ``<locals>``, lambda and comprehension parts."""
    return re.sub(r"\.?<[^>]*>", "", qualname)


def find_function(functions: Sequence[FunctionSpan], qualname: str) -> FunctionSpan | None:
    """The last function of that qualified name: the one that a module ends up with when it defines it twice."""
    same = [f for f in functions if f.function.qualname == qualname]
    return same[-1] if same else None


def span_of(functions: Sequence[FunctionSpan], function: FunctionId) -> FunctionSpan | None:
    """The very function where it stands; after an edit above it, the one of the same name nearest to its old line."""
    same = [f for f in functions if f.function.qualname == function.qualname]
    return min(same, key=lambda f: abs(f.function.first_line - function.first_line), default=None)


@dataclass(frozen=True, slots=True)
class _Entry:
    qualname: str
    first_line: int
    def_line: int
    end_line: int
    in_class: bool
    parent: str
    is_async: bool
    parameters: tuple[str, ...]


def _entries(source: bytes) -> Iterator[_Entry]:
    try:
        tree = syntax_tree(source)
    except SyntaxError:
        # Depth that the standard parser refuses would kill the process in the other one.
        if _bracket_depth(source) > _DEEPEST_BRACKETS:
            raise
        yield from _from_cst(source)
    else:
        yield from _from_ast(tree)


_DEEPEST_BRACKETS = 200  # the limit of the standard tokenizer


def _bracket_depth(source: bytes) -> int:
    """An upper bound of the nesting, brackets in strings and comments counted too."""
    depth = deepest = 0
    for bracket in re.findall(rb"[\[\](){}]", source):
        depth = depth + 1 if bracket in b"([{" else max(0, depth - 1)
        deepest = max(deepest, depth)
    return deepest


def _from_ast(tree: ast.Module) -> Iterator[_Entry]:
    """Entries in no order. A loop, because an ``elif`` chain nests as deep as it is long."""
    waiting: list[tuple[ast.AST, str, bool]] = [(tree, "", False)]
    while waiting:
        around, parent, in_class = waiting.pop()
        for node in ast.iter_child_nodes(around):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                qualname = _join_names(parent, node.name)
                yield _entry(node, qualname, parent, in_class)
                waiting.append((node, qualname, False))
            elif isinstance(node, ast.ClassDef):
                waiting.append((node, _join_names(parent, node.name), True))
            elif not isinstance(node, ast.expr):
                waiting.append((node, parent, in_class))


def _join_names(parent: str, name: str) -> str:
    return f"{parent}.{name}" if parent else name


def _entry(node: ast.FunctionDef | ast.AsyncFunctionDef, qualname: str, parent: str, in_class: bool) -> _Entry:
    every = (*node.args.posonlyargs, *node.args.args, node.args.vararg, *node.args.kwonlyargs, node.args.kwarg)
    return _Entry(
        qualname,
        min([node.lineno, *(d.lineno for d in node.decorator_list)]),
        node.lineno,
        node.end_lineno or node.lineno,
        in_class,
        parent,
        isinstance(node, ast.AsyncFunctionDef),
        tuple(a.arg for a in every if a is not None),
    )


def _from_cst(source: bytes) -> Iterator[_Entry]:
    wrapper = MetadataWrapper(cst.parse_module(source), unsafe_skip_copy=True)
    collector = _Collector()
    wrapper.visit(collector)
    yield from collector.entries


class _Collector(cst.CSTVisitor):
    METADATA_DEPENDENCIES = (PositionProvider,)

    def __init__(self) -> None:
        super().__init__()
        self.entries: list[_Entry] = []
        self._scopes: list[tuple[str, bool]] = []

    def visit_ClassDef(self, node: cst.ClassDef) -> None:
        self._scopes.append((node.name.value, True))

    def leave_ClassDef(self, original_node: cst.ClassDef) -> None:
        self._scopes.pop()

    def visit_FunctionDef(self, node: cst.FunctionDef) -> None:
        parent = ".".join(name for name, _ in self._scopes)
        position = self.get_metadata(PositionProvider, node)
        first = min(
            [position.start.line, *(self.get_metadata(PositionProvider, d).start.line for d in node.decorators)]
        )
        p = node.params
        every = (*p.posonly_params, *p.params, p.star_arg, *p.kwonly_params, p.star_kwarg)
        self.entries.append(
            _Entry(
                f"{parent}.{node.name.value}" if parent else node.name.value,
                first,
                self.get_metadata(PositionProvider, node.name).start.line,
                position.end.line,
                bool(self._scopes) and self._scopes[-1][1],
                parent,
                node.asynchronous is not None,
                tuple(x.name.value for x in every if isinstance(x, cst.Param)),
            )
        )
        self._scopes.append((node.name.value, False))

    def leave_FunctionDef(self, original_node: cst.FunctionDef) -> None:
        self._scopes.pop()


def _line_starts(source: bytes) -> list[int]:
    return [0, *(m.end() for m in re.finditer(rb"\r\n|\n|\r", source)), len(source)]


def _span(path: str, encoding: str, source: bytes, lines: list[int], entry: _Entry) -> FunctionSpan:
    start = lines[entry.first_line - 1]
    return FunctionSpan(
        FunctionId(path, entry.qualname, entry.first_line),
        entry.def_line,
        entry.end_line,
        start + _unindented_prefix(source[start : lines[min(entry.first_line, len(lines) - 1)]]),
        lines[min(entry.end_line, len(lines) - 1)],
        encoding,
        entry.in_class,
        entry.parent,
        entry.is_async,
        entry.parameters,
    )


def _unindented_prefix(line: bytes) -> int:
    """Bytes before a line's indentation: a byte order mark, and whatever a form feed has reset."""
    found = re.match(rb"(?:\xef\xbb\xbf)?(?:[ \t]*\f)*", line)
    return found.end() if found else 0
