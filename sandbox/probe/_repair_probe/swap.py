"""One function's new text, put into every live function object made from the old one.

``Index`` lists the live functions of the process once, before it forks. ``Index.target`` reads the
module of one function and keeps what all its trials share. ``Target.patch`` compiles a new text
and pairs each live function with its new code; ``Patch.apply`` puts it in, in the child.

Only the outermost function around the changed one is compiled, inside a skeleton of its classes
(private names and ``super()`` need them); where that skeleton does not give the free variables of
the whole module, the whole module is compiled. What cannot be swapped faithfully is refused with
``Unswappable``: changed free variables, decorators, annotations, functions without a live object.
"""

from __future__ import annotations

import ast
import functools
import gc
import io
import os
import tokenize
import types

from _repair_probe.codes import (
    FUNCTIONS,
    Unswappable,
    compile_tree,
    count,
    default_trees,
    find_chain,
    find_code,
    future_flags,
    levels_of,
    line_of,
    moved,
    pad,
    refuse_other_shape,
    same_place,
    skeleton,
)

CacheWrapper = type(functools.lru_cache()(len))


class Index:
    """The live functions and caches of this process, as of its making."""

    def __init__(self):
        self.functions = {}
        self.caches = []
        self._targets = {}
        for thing in gc.get_objects():
            if type(thing) is types.FunctionType:
                self.functions.setdefault(thing.__code__.co_filename, []).append(thing)
            elif type(thing) is CacheWrapper:
                self.caches.append(thing)

    def target(self, path, qualname, first_line):
        """The target of that place, read once. Raises ``Unswappable`` where there is none."""
        key = (path, qualname, first_line)
        if key not in self._targets:
            self._targets[key] = Target(self, path, qualname, first_line)
        return self._targets[key]

    def clear_caches(self):
        """Empty every cache round a function."""
        for cache in self.caches:
            cache.cache_clear()

    def of_file(self, path):
        """Live functions of one file, under whatever name it was imported, and that name."""
        real, base = os.path.realpath(path), os.path.basename(path)
        found, name = [], real
        for filename, functions in self.functions.items():
            if os.path.basename(filename) == base and os.path.realpath(filename) == real:
                found += functions
                name = filename
        return found, name


class Target:
    """One function: its place in the tree, the codes of the old text, and their live functions."""

    def __init__(self, index, path, qualname, first_line):
        live, self.filename = index.of_file(path)
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
        self.node = chain[-1]
        depth = next(i for i, node in enumerate(chain) if isinstance(node, FUNCTIONS))
        self.classes, self.outer = [node.name for node in chain[:depth]], chain[depth]
        self.method = isinstance(chain[-2], ast.ClassDef) if len(chain) > 1 else False
        code = find_code(compile_tree(tree, self.filename, self.flags), self.names[: depth + 1], line_of(self.outer))
        self.levels = levels_of(code)
        self.inner = (tuple(self.names[depth + 1 :]), line_of(self.node))
        self.live = {key: [f for f in live if same_place(f.__code__, old)] for key, old in self.levels.items()}
        self.caches = [c for c in index.caches if wraps_one_of(c, [f for fs in self.live.values() for f in fs])]
        self.whole = False
        self.whole = not self._skeleton_is_faithful()

    def text(self):
        """The old text of the function, as a trial would give it."""
        return b"".join(self.lines[line_of(self.node) - 1 : self.node.end_lineno])

    def own_functions(self):
        """Live functions of the changed function itself."""
        return self.live[self.own_key()]

    def own_key(self):
        """The level of the changed function itself."""
        names, line = self.inner
        return next(k for k, code in self.levels.items() if k[0] == names and code.co_firstlineno == line)

    def patch(self, text, change=None):
        """The patch that puts the text in. ``change`` may edit the function's tree before it is compiled."""
        if not any(self.live.values()):
            raise Unswappable("no live function of %s: needs a cold run" % ".".join(self.names))
        pads = {}
        for _ in range(2):
            codes, node = self._compile(text, change, pads)
            refuse_other_shape(self.node, node)
            pads = self._dropped(codes)
            if not pads:
                break
        else:
            raise Unswappable("free variables differ: needs a cold run")
        return Patch(self, codes, node)

    def _compile(self, text, change, pads):
        tree, delta = self._parse(text)
        node = find_chain(tree, self.names, self.first_line - delta)
        if node is None:
            raise Unswappable("the text does not hold exactly the function %s" % self.names[-1])
        depth = len(self.classes)
        for key, names in pads.items():
            pad(node[depth + len(key[0])], names)
        if change is not None:
            change(node[-1])
        code = compile_tree(tree, self.filename, self.flags)
        outer = find_code(code, self.names[: depth + 1], line_of(self.outer) - delta)
        return levels_of(moved(outer, delta) if delta else outer), node[-1]

    def _parse(self, text):
        first, last = line_of(self.node) - 1, self.node.end_lineno
        if self.whole:
            return ast.parse(b"".join([*self.lines[:first], text, *self.lines[last:]]), self.filename), 0
        start, end = line_of(self.outer) - 1, self.outer.end_lineno
        piece = b"".join([*self.lines[start:first], text, *self.lines[last:end]])
        head, height = skeleton(self.classes, piece)
        return ast.parse(head + piece.decode(self.encoding), self.filename), start - height

    def _skeleton_is_faithful(self):
        try:
            codes, _ = self._compile(self.text(), None, {})
        except (SyntaxError, ValueError, Unswappable):
            return False
        return {k: c.co_freevars for k, c in codes.items()} == {k: c.co_freevars for k, c in self.levels.items()}

    def _dropped(self, codes):
        """Free variables that a new code lacks, for levels on the way to the function. Refuses any other change."""
        pads = {}
        for key, functions in self.live.items():
            for function in functions:
                if key not in codes or count(codes, key[0]) != count(self.levels, key[0]):
                    raise Unswappable("a nested function with live objects is gone: needs a cold run")
                old, new = function.__code__.co_freevars, codes[key].co_freevars
                if old == new:
                    continue
                if set(new) - set(old) or key[0] != self.inner[0][: len(key[0])]:
                    raise Unswappable("free variables differ: needs a cold run")
                pads[key] = set(old) - set(new)
        return pads


class Patch:
    """Live functions with their new code; ``own`` is the code of the changed function itself."""

    def __init__(self, target, codes, node):
        self.target = target
        self.own = codes.get(target.own_key(), None)
        self.pairs = [(f, codes[key]) for key, functions in target.live.items() for f in functions]
        self.doc = ast.get_docstring(node, clean=False)
        self._same_doc = self.doc == ast.get_docstring(target.node, clean=False)
        new = default_trees(node.args) != default_trees(target.node.args)
        values = self._evaluate(node.args) if new else None
        own = target.own_functions()
        self._defaults = [(f, *(values or (f.__defaults__, f.__kwdefaults__))) for f in own]
        self._before, self._defaults_before = [], []

    def apply(self):
        """Put the new code into every live function and empty the caches that wrap them."""
        self._before = [(f, f.__code__) for f, _ in self.pairs]
        self._defaults_before = [(f, f.__defaults__, f.__kwdefaults__, f.__doc__) for f, _, _ in self._defaults]
        for function, code in self.pairs:
            function.__code__ = code
        for function, positional, named in self._defaults:
            function.__defaults__, function.__kwdefaults__ = positional, named
            if not self._same_doc:
                function.__doc__ = self.doc
        for cache in self.target.caches:
            cache.cache_clear()

    def undo(self):
        """Put back what was there before the patch."""
        for function, code in self._before:
            function.__code__ = code
        for function, positional, named, doc in self._defaults_before:
            function.__defaults__, function.__kwdefaults__, function.__doc__ = positional, named, doc
        for cache in self.target.caches:
            cache.cache_clear()

    def current_defaults(self):
        """Positional and keyword defaults that hold while the patch is in."""
        return self._defaults[0][1:] if self._defaults else (None, None)

    def _evaluate(self, arguments):
        own = self.target.own_functions()
        if self.target.inner[0]:
            if own:
                raise Unswappable("defaults of a nested function differ: needs a cold run")
            return None
        names = [a.arg for a, d in zip(arguments.kwonlyargs, arguments.kw_defaults) if d is not None]
        trees = arguments.defaults + [d for d in arguments.kw_defaults if d is not None]
        tree = ast.Expression(ast.Tuple(trees, ast.Load()))
        ast.fix_missing_locations(tree)
        try:
            code = compile(tree, self.target.filename, "eval", self.target.flags, True)
            values = eval(code, own[0].__globals__)
        except Exception as problem:
            raise Unswappable("a default cannot be evaluated alone (%r): needs a cold run" % problem) from problem
        split = len(arguments.defaults)
        return values[:split] or None, dict(zip(names, values[split:])) or None


def wraps_one_of(wrapper, functions):
    """Whether a cache wraps one of the functions, directly or through other wrappers."""
    seen = 0
    inner = wrapper
    while inner is not None and seen < 20:
        inner = getattr(inner, "__wrapped__", None)
        if any(inner is f for f in functions):
            return True
        seen += 1
    return False
