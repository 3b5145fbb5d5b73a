"""Reading trees and codes for the swap: where a function stands, which codes belong to it, what differs."""

from __future__ import annotations
import __future__

import ast
import types

from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import CodeType
    from typing import Any

    from _repair_probe.ground.words import Function, Level, Levels, Scope

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


class Unswappable(Exception):
    """The text cannot be swapped in; the message says why."""


def line_of(node: Function | ast.ClassDef) -> int:
    """First line of a definition, decorators included: the first line of its code."""
    return min([node.lineno] + [d.lineno for d in node.decorator_list])


def function_of(node: Scope) -> Function:
    """The node, which has to be a function."""
    if not isinstance(node, FUNCTIONS):
        raise Unswappable("%s is no function" % node.name)
    return node


def find_chain(tree: ast.AST, names: Sequence[str], first_line: int) -> list[Scope] | None:
    """The scopes from the outermost to the named function at that line, or ``None``."""
    for node in ast.iter_child_nodes(tree):
        if not isinstance(node, SCOPES):
            found = find_chain(node, names, first_line)
        elif node.name != names[0]:
            continue
        elif len(names) == 1:
            found = [node] if isinstance(node, FUNCTIONS) and line_of(node) == first_line else None
        else:
            below = find_chain(node, names[1:], first_line)
            found = below and [node, *below]
        if found:
            return found
    return None


def codes_below(code: CodeType, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], CodeType]]:
    """Named codes nested in a code with the names that lead to them; generic scopes add no name."""
    for const in code.co_consts:
        if isinstance(const, types.CodeType):
            if const.co_name.startswith("<generic parameters"):
                yield from codes_below(const, path)
            elif not const.co_name.startswith("<"):
                yield (*path, const.co_name), const
                yield from codes_below(const, (*path, const.co_name))


def find_code(module: CodeType, names: Sequence[str], first_line: int) -> CodeType:
    """The code of the function of that name and line."""
    for path, code in codes_below(module):
        if path == tuple(names) and code.co_firstlineno == first_line:
            return code
    raise Unswappable("no code for %s" % ".".join(names))


def levels_of(code: CodeType) -> Levels:
    """A function's code and those nested in it, by names below it and a count among equal names."""
    levels: Levels = {((), 0): code}
    seen: dict[tuple[str, ...], int] = {}
    for path, below in codes_below(code):
        seen[path] = seen.get(path, -1) + 1
        levels[(path, seen[path])] = below
    return levels


def count(levels: Iterable[Level], names: tuple[str, ...]) -> int:
    """How many codes have these names."""
    return sum(1 for path, _ in levels if path == names)


def shift_lines(code: CodeType, delta: int) -> CodeType:
    """The code with its lines shifted; line tables are relative, so this is cheap."""
    consts = tuple(shift_lines(c, delta) if isinstance(c, types.CodeType) else c for c in code.co_consts)
    return code.replace(co_firstlineno=code.co_firstlineno + delta, co_consts=consts)


def shape(code: CodeType) -> tuple[object, ...]:
    """What a code does, without the codes that it holds: equal where the same statements stand round them."""
    consts = tuple(c for c in code.co_consts if not isinstance(c, types.CodeType))
    kinds = tuple(type(c) for c in consts)
    return code.co_code, repr(consts), kinds, code.co_names, code.co_varnames, code.co_freevars, code.co_cellvars


def same_place(code: CodeType, old: CodeType) -> bool:
    """Whether a live function's code is the old code, by name and line."""
    return code.co_firstlineno == old.co_firstlineno and code.co_name == old.co_name


_KIND = 0xFFFF
"""The flags of a code without those of ``from __future__``: old ones are noted only where a compiler was told so."""


def same_code(code: CodeType, other: CodeType) -> bool:
    """Whether two codes do the same in the same places; what the interpreter has noted in them since does not count."""
    names = "co_code", "co_names", "co_varnames", "co_freevars", "co_cellvars", "co_firstlineno"
    if any(getattr(code, name) != getattr(other, name) for name in names):
        return False
    if (code.co_flags ^ other.co_flags) & _KIND:
        return False
    pairs = zip(code.co_consts, other.co_consts)
    return len(code.co_consts) == len(other.co_consts) and all(_same_constant(*pair) for pair in pairs)


def _same_constant(value: Any, other: Any) -> bool:
    if type(value) is not type(other):
        return False
    if isinstance(value, types.CodeType):
        return same_code(value, other)
    return value == other or repr(value) == repr(other)  # a constant that is not a number equals nothing


def docstring(code: CodeType) -> str | None:
    """The docstring that a function made from the code has."""
    cells = tuple(types.CellType() for _ in code.co_freevars)
    return types.FunctionType(code, {}, None, None, cells).__doc__


def compile_tree(tree: ast.Module, filename: str, flags: int) -> CodeType:
    """The module code of a tree, with the future flags of the original module only."""
    code: CodeType = compile(tree, filename, "exec", flags, True)
    return code


def future_flags(tree: ast.Module) -> int:
    """Compiler flags of the ``from __future__`` imports of a module."""
    flags = 0
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module == "__future__":
            for name in node.names:
                feature = getattr(__future__, name.name, None)
                flags |= feature.compiler_flag if feature else 0
    return flags


def skeleton(classes: Sequence[str], piece: bytes) -> tuple[str, int]:
    """Header lines that open the classes round an indented piece of text, and their number."""
    indent = piece[: len(piece) - len(piece.lstrip(b" \t"))].decode("ascii")
    if not indent:
        return "", 0
    heads = [indent[:depth] + "class %s:\n" % name for depth, name in enumerate(classes)] or ["if 1:\n"]
    return "".join(heads), len(heads)


def pad(function: Function, names: Iterable[str]) -> None:
    """Name free variables in a dead branch, so that the code keeps its cells."""
    last = function.body[-1]
    for name in sorted(names):
        dead = ast.If(ast.Constant(0), [ast.Expr(ast.Name(name, ast.Load()))], [])
        ast.copy_location(dead, last)
        function.body.append(ast.fix_missing_locations(dead))


def default_trees(arguments: ast.arguments) -> list[str | None]:
    """Dumps of the default expressions."""
    return [None if d is None else ast.dump(d) for d in [*arguments.defaults, *arguments.kw_defaults]]


def refuse_other_shape(old: Function, new: Function) -> None:
    """Refuse what only takes effect when the definition runs again."""
    if type(old) is not type(new):
        raise Unswappable("async differs: needs a fresh import")
    if [ast.dump(d) for d in old.decorator_list] != [ast.dump(d) for d in new.decorator_list]:
        raise Unswappable("decorators differ: needs a fresh import")
    if annotations_of(old) != annotations_of(new):
        raise Unswappable("annotations differ: needs a fresh import")


def annotations_of(node: Function) -> list[tuple[str, str]]:
    """Dumps of a function's annotations with the names of their parameters."""
    a = node.args
    every = [*getattr(a, "posonlyargs", []), *a.args, *a.kwonlyargs, a.vararg, a.kwarg]
    named = [(p.arg, ast.dump(p.annotation)) for p in every if p is not None and p.annotation is not None]
    return [*named, ("return", ast.dump(node.returns))] if node.returns is not None else named
