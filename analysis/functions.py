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
from dataclasses import dataclass, replace

from analysis.errors import UnparseableError
from analysis.facts import Frame, FunctionId
from analysis.function_text import first_line_of, parameters_of


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
        found = list(_spans(path, encoding, source))
    except (SyntaxError, ValueError, RecursionError, MemoryError) as problem:
        raise UnparseableError(
            f"{path} cannot be parsed: {problem}", remedy="Mend the syntax first: there is no stable tree to patch."
        ) from problem
    starts = [0, *(m.end() for m in re.finditer(rb"\r\n|\n|\r", source)), len(source)]
    ordered = sorted(found, key=lambda f: (f.function.first_line, -f.end_line))
    return tuple(_with_bytes(span, source, starts) for span in ordered)


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


def _spans(path: str, encoding: str, source: bytes) -> Iterator[FunctionSpan]:
    """The functions in no order, their bytes not yet told."""
    try:
        tree = syntax_tree(source)
    except SyntaxError:
        # Depth that the standard parser refuses would kill the process in the other one.
        if _bracket_depth(source) > _DEEPEST_BRACKETS:
            raise
        yield from _from_cst(path, encoding, source)
    else:
        yield from _from_ast(path, encoding, tree)


_DEEPEST_BRACKETS = 200  # the limit of the standard tokenizer


def _bracket_depth(source: bytes) -> int:
    """An upper bound of the nesting, brackets in strings and comments counted too."""
    depth = deepest = 0
    for bracket in re.findall(rb"[\[\](){}]", source):
        depth = depth + 1 if bracket in b"([{" else max(0, depth - 1)
        deepest = max(deepest, depth)
    return deepest


def _from_ast(path: str, encoding: str, tree: ast.Module) -> Iterator[FunctionSpan]:
    """A loop, because an ``elif`` chain nests as deep as it is long."""
    waiting: list[tuple[ast.AST, str, bool]] = [(tree, "", False)]
    while waiting:
        around, parent, in_class = waiting.pop()
        for node in ast.iter_child_nodes(around):
            if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                if not isinstance(node, ast.expr):
                    waiting.append((node, parent, in_class))
                continue
            qualname = f"{parent}.{node.name}" if parent else node.name
            waiting.append((node, qualname, isinstance(node, ast.ClassDef)))
            if not isinstance(node, ast.ClassDef):
                function = FunctionId(path, qualname, first_line_of(node))
                parameters = tuple(a.arg for a in parameters_of(node))
                is_async = isinstance(node, ast.AsyncFunctionDef)
                last = node.end_lineno or node.lineno
                yield FunctionSpan(function, node.lineno, last, 0, 0, encoding, in_class, parent, is_async, parameters)


def _from_cst(path: str, encoding: str, source: bytes) -> Iterator[FunctionSpan]:
    # Seldom needed, and a fifth of a second that every command would wait for.
    import libcst as cst  # noqa: PLC0415
    from libcst.metadata import MetadataWrapper, PositionProvider  # noqa: PLC0415

    try:
        wrapper = MetadataWrapper(cst.parse_module(source), unsafe_skip_copy=True)
    except cst.ParserSyntaxError as problem:
        raise SyntaxError(str(problem)) from problem
    places = wrapper.resolve(PositionProvider)
    waiting: list[tuple[cst.CSTNode, str, bool]] = [(wrapper.module, "", False)]
    while waiting:
        around, parent, in_class = waiting.pop()
        for node in around.children:
            if not isinstance(node, (cst.FunctionDef, cst.ClassDef)):
                waiting.append((node, parent, in_class))
                continue
            qualname = f"{parent}.{node.name.value}" if parent else node.name.value
            waiting.append((node, qualname, isinstance(node, cst.ClassDef)))
            if isinstance(node, cst.FunctionDef):
                first = min([places[node].start.line, *(places[d].start.line for d in node.decorators)])
                function, line = FunctionId(path, qualname, first), places[node.name].start.line
                last = places[node].end.line
                p = node.params
                every = (*p.posonly_params, *p.params, p.star_arg, *p.kwonly_params, p.star_kwarg)
                parameters = tuple(x.name.value for x in every if isinstance(x, cst.Param))
                is_async = node.asynchronous is not None
                yield FunctionSpan(function, line, last, 0, 0, encoding, in_class, parent, is_async, parameters)


def _with_bytes(span: FunctionSpan, source: bytes, starts: list[int]) -> FunctionSpan:
    """The span with its bytes, less a byte order mark and whatever a form feed has reset before its indentation."""
    first = span.function.first_line
    line = source[starts[first - 1] : starts[min(first, len(starts) - 1)]]
    prefix = re.match(rb"(?:\xef\xbb\xbf)?(?:[ \t]*\f)*", line)
    start = starts[first - 1] + (prefix.end() if prefix else 0)
    return replace(span, start=start, end=starts[min(span.end_line, len(starts) - 1)])
