"""One function's new text, put into every live function object made from the old one.

``Index`` lists the live functions of the process once, before it forks. ``Index.target`` reads the
module of one function and keeps what all its trials share. ``Target.compile`` compiles a new text;
a ``Patch`` pairs each live function with its new code and puts it in, in the child.

Only the outermost function around the changed one is compiled, inside a skeleton of its classes (private names and
``super()`` need them). Where that skeleton does not give the free variables of the whole module, the whole module is
compiled. A text whose head is the old one goes straight to the compiler. That nothing but the function's own code is
new can be seen from the codes. What cannot be swapped faithfully is refused with ``Unswappable``: changed free
variables, decorators, annotations and docstrings (wrappers and registries have copied the old one). Refused are also
functions without a live object, and live functions whose code is not what the file compiles to. There a decorator or an
import hook has rewritten it.
"""

from __future__ import annotations

import ast
import functools
import gc
import io
import os
import tokenize
import types

from _repair_probe.ground.words import TYPE_CHECKING
from _repair_probe.swap.code_objects import (
    FUNCTIONS,
    Unswappable,
    compile_tree,
    count,
    default_trees,
    docstring,
    find_chain,
    find_code,
    function_of,
    future_flags,
    levels_of,
    line_of,
    pad,
    refuse_other_shape,
    same_code,
    same_place,
    shape,
    shift_lines,
    skeleton,
)
from _repair_probe.swap.effects import effects
from _repair_probe.swap.patch import Compiled, Patch

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from types import CodeType, FunctionType

    from _repair_probe.ground.words import Called, Change, Defaults, Function, Level, Levels, Value

CacheWrapper = type(functools.lru_cache()(len))


class Index:
    """The live functions and caches of this process, as of its making or its renewal."""

    _targets: dict[Called, LiveFunction]

    def __init__(self, called: Iterable[Called] = frozenset()) -> None:
        """``called`` are functions whose results were kept before: (file, name, first line)."""
        self.called: frozenset[Called] = frozenset()
        self.functions: dict[str, list[FunctionType]] = {}
        self.caches: list[functools._lru_cache_wrapper[Value]] = []
        self.renew(called)

    def renew(self, called: Iterable[Called] = frozenset()) -> None:
        """Take in what was made since. What was frozen meanwhile is known, and the collector does not name it again."""
        self.called |= frozenset((os.path.realpath(file), name, line) for file, name, line in called)
        self._targets = {}
        for thing in gc.get_objects():
            if type(thing) is types.FunctionType:
                self.functions.setdefault(thing.__code__.co_filename, []).append(thing)
            elif type(thing) is CacheWrapper:
                self.caches.append(thing)

    def target(self, path: str, qualname: str, first_line: int) -> LiveFunction:
        """The target of that place, read once. Raises ``Unswappable`` where there is none."""
        key = (path, qualname, first_line)
        if key not in self._targets:
            self._targets[key] = LiveFunction(self, path, qualname, first_line)
        return self._targets[key]

    def clear_caches(self) -> None:
        """Empty every cache round a function."""
        for cache in self.caches:
            cache.cache_clear()

    def of_file(self, path: str) -> tuple[list[FunctionType], str]:
        """Live functions of one file, under whatever name it was imported, and that name."""
        real, base = os.path.realpath(path), os.path.basename(path)
        found: list[FunctionType] = []
        name = real
        for filename, functions in self.functions.items():
            if os.path.basename(filename) == base and os.path.realpath(filename) == real:
                found += functions
                name = filename
        return found, name


class LiveFunction:
    """One function: its place in the tree, the codes of the old text, and their live functions."""

    _shapes: list[tuple[object, ...]] | None

    def __init__(self, index: Index, path: str, qualname: str, first_line: int) -> None:
        live, self.filename = index.of_file(path)
        self.path = os.path.realpath(path)
        with open(path, "rb") as file:
            self.source = file.read()
        self.lines = self.source.splitlines(True)
        self.encoding = tokenize.detect_encoding(io.BytesIO(self.source).readline)[0]
        tree = ast.parse(self.source, self.filename)
        self.flags = future_flags(tree)
        self.names = qualname.split(".")
        self.first_line = first_line
        chain = find_chain(tree, self.names, first_line)
        if chain is None:
            raise Unswappable("no function %s at line %d of %s" % (qualname, first_line, path))
        self.node = function_of(chain[-1])
        depth = next(i for i, node in enumerate(chain) if isinstance(node, FUNCTIONS))
        self.classes, self.outer = [node.name for node in chain[:depth]], function_of(chain[depth])
        self.method = isinstance(chain[-2], ast.ClassDef) if len(chain) > 1 else False
        code = find_code(compile_tree(tree, self.filename, self.flags), self.names[: depth + 1], line_of(self.outer))
        self.levels = levels_of(code)
        self.inner = (tuple(self.names[depth + 1 :]), line_of(self.node))
        self.live = {key: [f for f in live if same_place(f.__code__, old)] for key, old in self.levels.items()}
        own = self.levels[self.own_key()]
        self.effects = effects(own)
        self.called = (self.path, own.co_name, own.co_firstlineno) in index.called
        self._docstrings = {k: docstring(old) for k, old in self.levels.items() if self.live[k]}
        self.rewritten = any(not same_code(f.__code__, old) for k, old in self.levels.items() for f in self.live[k])
        self.caches = [c for c in index.caches if wraps_one_of(c, [f for fs in self.live.values() for f in fs])]
        self.whole = False
        self.whole = not self._skeleton_is_faithful()
        self._prefix, self._shapes = b"", None
        if not self.whole and self.encoding in ("utf-8", "utf-8-sig"):
            self._learn_shape()

    def text(self) -> bytes:
        """The old text of the function, as a trial would give it."""
        return b"".join(self.lines[line_of(self.node) - 1 : self.node.end_lineno])

    def own_functions(self) -> list[FunctionType]:
        """Live functions of the changed function itself."""
        return self.live[self.own_key()]

    def own_key(self) -> Level:
        """The level of the changed function itself."""
        names, line = self.inner
        return next(k for k, code in self.levels.items() if k[0] == names and code.co_firstlineno == line)

    def patch(self, text: bytes, change: Change | None = None) -> Patch:
        """The patch that puts the text in. ``change`` may edit the function's tree before it is compiled."""
        return Patch(self, self.compile(text, change))

    def compile(self, text: bytes, change: Change | None = None) -> Compiled:
        """The text's new codes, and what else of the function is new. Nothing of it is run yet."""
        if not any(self.live.values()):
            raise Unswappable("no live function of %s: needs a fresh import" % ".".join(self.names))
        if self.called:
            raise Unswappable("it runs while the tests are imported and collected: needs a fresh import")
        if self.rewritten:
            raise Unswappable("its code is not what its file compiles to: needs a fresh import")
        if change is None:
            codes = self._straight(text)
            if codes is not None:
                return Compiled(codes, None)
        pads: dict[Level, set[str]] = {}
        for _ in range(2):
            codes, node = self._compile(text, change, pads)
            refuse_other_shape(self.node, node)
            pads = self._dropped(codes)
            if not pads:
                break
        else:
            raise Unswappable("free variables differ: needs a fresh import")
        if not self._same_docstrings(codes):
            raise Unswappable("docstring differs: needs a fresh import")
        return Compiled(codes, self._new_defaults(node.args))

    def _same_docstrings(self, codes: Levels) -> bool:
        """Whether the live functions have the docstrings that functions made from the new codes would have."""
        return all(docstring(codes[key]) == said for key, said in self._docstrings.items())

    def _new_defaults(self, arguments: ast.arguments) -> Defaults | None:
        """Code that makes the new defaults, how many are positional, the names of the others; ``None`` for the old."""
        if default_trees(arguments) == default_trees(self.node.args):
            return None
        if self.node.decorator_list:
            raise Unswappable("defaults differ under a decorator that may have read them: needs a fresh import")
        if self.inner[0]:
            if self.own_functions():
                raise Unswappable("defaults of a nested function differ: needs a fresh import")
            return None
        names = [a.arg for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults) if d is not None]
        trees = arguments.defaults + [d for d in arguments.kw_defaults if d is not None]
        tree = ast.Expression(ast.Tuple(trees, ast.Load()))
        ast.fix_missing_locations(tree)
        return compile(tree, self.filename, "eval", self.flags, True), len(arguments.defaults), names

    def _learn_shape(self) -> None:
        """What the text of a trial has in front of the body, and the codes round the function, as they always are."""
        body = self.node.body
        first = body[1] if len(body) > 1 and ast.get_docstring(self.node, clean=False) is not None else body[0]
        if first is body[0] and ast.get_docstring(self.node, clean=False) is not None:
            return
        line = min([first.lineno] + [d.lineno for d in getattr(first, "decorator_list", ())])
        if line != first.lineno:
            return
        above, here = self.lines[line_of(self.node) - 1 : line - 1], self.lines[line - 1]
        source, delta = self._spliced(self.text())
        path = self._path(compile(source, self.filename, "exec", self.flags, True), delta)
        if path is not None:
            self._prefix = b"".join(above) + here[: first.col_offset]
            self._shapes = [shape(code) for code in path[:-1]]

    def _straight(self, text: bytes) -> Levels | None:
        """New codes without a look at the tree: for a text whose head is the old one, and that is one function."""
        if self._shapes is None or not text.startswith(self._prefix):
            return None
        source, delta = self._spliced(text)
        path = self._path(compile(source, self.filename, "exec", self.flags, True), delta)
        if path is None or [shape(code) for code in path[:-1]] != self._shapes:
            return None
        outer = path[len(self.classes) + 1]
        codes = levels_of(shift_lines(outer, delta) if delta else outer)
        for key, functions in self.live.items():
            if functions and (key not in codes or count(codes, key[0]) != count(self.levels, key[0])):
                return None
            if functions and functions[0].__code__.co_freevars != codes[key].co_freevars:
                return None
        return codes if self._same_docstrings(codes) else None

    def _path(self, code: CodeType, delta: int) -> list[CodeType] | None:
        """The codes from the module's down to the function's own."""
        path, depth = [code], len(self.classes)
        for place, name in enumerate(self.names):
            line = {depth: line_of(self.outer) - delta, len(self.names) - 1: line_of(self.node) - delta}.get(place)
            found = [
                c
                for c in path[-1].co_consts
                if isinstance(c, types.CodeType) and c.co_name == name and line in (None, c.co_firstlineno)
            ]
            if len(found) != 1:
                return None
            path.append(found[0])
        return path

    def _compile(
        self, text: bytes, change: Change | None, pads: Mapping[Level, Iterable[str]]
    ) -> tuple[Levels, Function]:
        source: bytes | str
        if self.whole:
            first, last = line_of(self.node) - 1, self.node.end_lineno
            source, delta = b"".join([*self.lines[:first], text, *self.lines[last:]]), 0
        else:
            source, delta = self._spliced(text)
        tree = ast.parse(source, self.filename)
        chain = find_chain(tree, self.names, self.first_line - delta)
        if chain is None:
            raise Unswappable("the text does not hold exactly the function %s" % self.names[-1])
        depth = len(self.classes)
        for key, names in pads.items():
            pad(function_of(chain[depth + len(key[0])]), names)
        node = function_of(chain[-1])
        if change is not None:
            change(node)
        code = compile_tree(tree, self.filename, self.flags)
        outer = find_code(code, self.names[: depth + 1], line_of(self.outer) - delta)
        return levels_of(shift_lines(outer, delta) if delta else outer), node

    def _spliced(self, text: bytes) -> tuple[str, int]:
        """The outermost function with the text in it, inside a skeleton of its classes; the lines that stood above."""
        first, last = line_of(self.node) - 1, self.node.end_lineno
        start, end = line_of(self.outer) - 1, self.outer.end_lineno
        piece = b"".join([*self.lines[start:first], text, *self.lines[last:end]])
        head, height = skeleton(self.classes, piece)
        return head + piece.decode(self.encoding), start - height

    def _skeleton_is_faithful(self) -> bool:
        try:
            codes, _ = self._compile(self.text(), None, {})
        except (SyntaxError, ValueError, Unswappable):
            return False
        return {k: c.co_freevars for k, c in codes.items()} == {k: c.co_freevars for k, c in self.levels.items()}

    def _dropped(self, codes: Levels) -> dict[Level, set[str]]:
        """Free variables that a new code lacks, for levels on the way to the function. Refuses any other change."""
        pads = {}
        for key, functions in self.live.items():
            for function in functions:
                if key not in codes or count(codes, key[0]) != count(self.levels, key[0]):
                    raise Unswappable("a nested function with live objects is gone: needs a fresh import")
                old, new = function.__code__.co_freevars, codes[key].co_freevars
                if old == new:
                    continue
                if set(new) - set(old) or key[0] != self.inner[0][: len(key[0])]:
                    raise Unswappable("free variables differ: needs a fresh import")
                pads[key] = set(old) - set(new)
        return pads


def wraps_one_of(wrapper: Value, functions: Iterable[FunctionType]) -> bool:
    """Whether a cache wraps one of the functions, directly or through other wrappers."""
    seen = 0
    inner = wrapper
    while inner is not None and seen < 20:
        inner = getattr(inner, "__wrapped__", None)
        if any(inner is f for f in functions):
            return True
        seen += 1
    return False
