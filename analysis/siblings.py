"""What stands beside a function: methods of its class, functions of its module, and whether they share its idioms.

An idiom is an expression with two names or more, as it is written: ``start <= day``, ``self._key(name)``. A
patch may bring in an expression that a neighbour has, while none has the one that it takes out. Then it does as is done
there.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from analysis.facts import FunctionId
from analysis.function_text import FunctionNode, Unreadable, first_line_of, parse_module

_MIRRORS = (
    "add remove|add subtract|push pop|encode decode|min max|minimum maximum|first last|left right|"
    "open close|start stop|start end|begin end|get set|load dump|load save|before after|lower upper|"
    "insert delete|enable disable|lock unlock|read write|parse format|next previous|next prev|"
    "increment decrement|inc dec|deposit withdraw|floor ceil|head tail|up down|show hide|"
    "register unregister|acquire release|prefix suffix|lstrip rstrip|attach detach|join split|enter exit|"
    "subscribe unsubscribe|compress decompress|serialize deserialize|pack unpack"
)
_PAIRS = frozenset(frozenset(pair.split()) for pair in _MIRRORS.split("|"))
_IDIOMS = (ast.Compare, ast.Call, ast.BinOp, ast.Subscript, ast.BoolOp, ast.IfExp, ast.UnaryOp)
DENIED = "not "
_MOST_NODES = 60
"""An expression with more parts is not written twice as one habit, and printing all of its parts is quadratic."""


@dataclass(frozen=True, slots=True)
class Sibling:
    """A function beside another one; ``mirrored`` says that their names are opposites, as in ``add`` and ``remove``."""

    name: str
    line: int
    idioms: frozenset[str]
    mirrored: bool = False


def siblings_of(function: FunctionId, source: bytes) -> tuple[Sibling, ...]:
    """The functions right beside it in its class or module, mirrored ones first; none where the file cannot be read."""
    tree = parse_module(source)
    if isinstance(tree, Unreadable):
        return ()
    *outer, name = function.qualname.split(".")
    around: ast.Module | ast.ClassDef = tree
    for part in outer:
        inner = next((n for n in around.body if isinstance(n, ast.ClassDef) and n.name == part), None)
        if inner is None:
            return ()
        around = inner
    beside = [node for node in around.body if isinstance(node, FunctionNode) and node.name != name]
    found = [Sibling(n.name, first_line_of(n), idioms_in(n), are_mirrored(n.name, name)) for n in beside]
    return tuple(sorted(found, key=lambda each: not each.mirrored))


def idioms_in(node: ast.AST) -> frozenset[str]:
    """The expressions with two names or more; one of more than ``_MOST_NODES`` parts is no idiom."""
    every = (each for each in ast.walk(node) if isinstance(each, _IDIOMS))
    return frozenset(text for each in every if (text := _text_of(each)))


def _text_of(expression: ast.AST) -> str:
    """An idiom as it is printed; empty where it is none."""
    written = (each for each in ast.walk(expression) if not isinstance(each, ast.expr_context))
    parts = list(islice(written, _MOST_NODES + 1))
    if len(parts) > _MOST_NODES or len(set(_names(parts))) < 2:
        return ""
    try:
        return ast.unparse(expression)
    except (ValueError, RecursionError):  # a number with too many digits, or a caller that is deep already
        return ""


def _names(parts: Iterable[ast.AST]) -> Iterator[str]:
    for each in parts:
        if isinstance(each, ast.Name):
            yield each.id
        elif isinstance(each, ast.Attribute):
            yield f".{each.attr}"


def are_mirrored(one: str, other: str) -> bool:
    """Whether two names differ in one word, and these are opposites: ``add_item`` and ``remove_item``."""
    words = [name.strip("_").lower().split("_") for name in (one, other)]
    if len(words[0]) != len(words[1]):
        return False
    unlike = [frozenset(pair) for pair in zip(*words, strict=True) if pair[0] != pair[1]]
    return len(unlike) == 1 and unlike[0] in _PAIRS


@dataclass(frozen=True, slots=True)
class Alike:
    """A sibling with an idiom that a patch brings in, or takes out."""

    sibling: Sibling
    idiom: str


def brought_in_line(old: Sequence[str], new: Sequence[str], siblings: Sequence[Sibling]) -> Alike | None:
    """The sibling that has an idiom which only the new text has, where none has one that only the old text has."""
    made, lost = _changed(old, new)
    return _first(made, siblings) if _first(lost, siblings) is None else None


def taken_out_of_line(old: Sequence[str], new: Sequence[str], siblings: Sequence[Sibling]) -> Alike | None:
    """The sibling that has an idiom which only the old text has, where none has one that only the new text has."""
    made, lost = _changed(old, new)
    return _first(lost, siblings) if _first(made, siblings) is None else None


def _changed(old: Sequence[str], new: Sequence[str]) -> tuple[frozenset[str], frozenset[str]]:
    """Idioms that come and that go. That something is not denied any more is no loss: what was denied still stands."""
    before, after = (parse_module("\n".join(lines)) for lines in (old, new))
    if isinstance(before, Unreadable) or isinstance(after, Unreadable):
        return frozenset(), frozenset()
    one, other = idioms_in(before), idioms_in(after)
    return other - one, frozenset(text for text in one - other if not text.startswith(DENIED))


def _first(idioms: frozenset[str], siblings: Sequence[Sibling]) -> Alike | None:
    shared = ((sibling, sorted(sibling.idioms & idioms, key=lambda text: (-len(text), text))) for sibling in siblings)
    return next((Alike(sibling, texts[0]) for sibling, texts in shared if texts), None)
