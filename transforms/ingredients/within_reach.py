"""Names, expressions and statements within reach of one function: what a fix can be built from.

Read once per module and once per function, with the standard ``ast`` (the module is only looked at, never edited). Each
ingredient carries its distance (0 function, 1 class, 2 module) and a weight. The weight falls with the distance, and
grows slowly with how often the ingredient occurs.
"""

from __future__ import annotations

import ast
import builtins
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from typing import Any, TypeVar

from analysis.facts import FunctionId
from analysis.function_text import last_name
from analysis.functions import source_encoding, syntax_tree
from transforms.ingredients.value_kinds import find_unfilled, kinds_in
from transforms.ingredients.word_counts import (
    KINDS,
    Clause,
    Function,
    Ingredient,
    Shell,
    Weigh,
    WordCounts,
    by_hand,
    clauses_among,
    parameters_of,
    stored_names,
    top_level,
)


@dataclass(frozen=True, slots=True)
class Callee:
    """Something callable in the module and the names of its parameters, ``self`` left out."""

    name: str
    parameters: tuple[str, ...]
    distance: int


Members = tuple[tuple[str, tuple[str, ...]], ...]
"""Names, and the attributes that their values have, methods with ``()`` behind them."""


@dataclass(frozen=True, slots=True)
class Overridden:
    """What a method of a base class takes, ``self`` left out; ``rest`` has all other keywords, if anything has."""

    parameters: tuple[str, ...] = ()
    rest: str = ""


@dataclass(frozen=True, slots=True)
class Ingredients:
    """All ingredients of one function by kind, heaviest first."""

    parameters: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    """Parameters that the function takes and never looks at: something was to depend on them."""
    names: tuple[Ingredient, ...] = ()
    bound: frozenset[str] = frozenset()
    """Names that the function or one around it binds, inner functions and imports too, whether they are read or not."""
    constants: tuple[Ingredient, ...] = ()
    attributes: tuple[Ingredient, ...] = ()
    attribute_names: tuple[Ingredient, ...] = ()
    methods: tuple[Ingredient, ...] = ()
    calls: tuple[Ingredient, ...] = ()
    callables: tuple[Ingredient, ...] = ()
    callees: tuple[Callee, ...] = ()
    numbers: tuple[Ingredient, ...] = ()
    strings: tuple[Ingredient, ...] = ()
    conditions: tuple[Ingredient, ...] = ()
    expressions: tuple[Ingredient, ...] = ()
    statements: tuple[Ingredient, ...] = ()
    exceptions: tuple[Ingredient, ...] = ()
    classes: tuple[Ingredient, ...] = ()
    shells: tuple[Shell, ...] = ()
    """Larger expressions around those that occur in the function."""
    similar_names: tuple[str, ...] = ()
    """Attribute names of the function, and those of the module that look most like them."""
    imported: frozenset[str] = frozenset()
    defined: frozenset[str] = frozenset()
    """Names that the module binds at its top level."""
    has_star: bool = False
    """Whether a star import may bind more of them."""
    keywords: tuple[tuple[str, str, str], ...] = ()
    """Keyword arguments of the module's calls as (last name of what is called, keyword, value), the commonest first."""
    spelled: tuple[str, ...] = ()
    """Short texts of the rest of the module, the commonest first."""
    kinds: tuple[tuple[str, str], ...] = ()
    """What kind of value names hold, as far as the function's text tells: see ``value_kinds``."""
    members: Members = ()
    """What the values have that parameters were seen to hold."""
    unfilled: tuple[tuple[str, str], ...] = ()
    """Collections that are made empty here, or around it, and only asked: see ``unfilled_collections``."""
    owner: str = ""
    """The class that the function is a method of, where the module binds its name."""
    overridden: Overridden | None = None
    """The method of a base class that this one stands in for, as far as a base is known to have it."""
    is_method: bool = False
    is_generator: bool = False
    is_async: bool = False

    @property
    def variables(self) -> tuple[str, ...]:
        """Names bound in the function, heaviest first, without ``self`` and ``cls``."""
        return tuple(i.text for i in self.names if i.text not in ("self", "cls", "_"))

    def attributes_of(self, name: str) -> list[str]:
        """Attributes of the value that the parameter was seen to hold, its methods left out."""
        return [each for each in dict(self.members).get(name, ()) if not each.endswith("()")]

    def methods_of(self, name: str) -> list[str]:
        """Methods of the value that the parameter was seen to hold."""
        return [each[:-2] for each in dict(self.members).get(name, ()) if each.endswith("()")]

    def means(self, name: str) -> bool:
        """Whether the name has a meaning in the whole module, or may have one: ``len``, ``__file__``, an import."""
        return self.has_star or name in self.defined or hasattr(builtins, name) or name in _OF_MODULES


NOTHING = Ingredients()

_OF_MODULES = ("__name__", "__file__", "__doc__", "__package__", "__spec__", "__path__", "__class__")


@dataclass(frozen=True, slots=True, eq=False)
class ReadModule:
    """One module as all of its functions see it: read once, however many of them are asked for.

    ``shared`` are the ingredients that all of them have.
    """

    tree: ast.Module
    lines: tuple[bytes, ...]
    tally: WordCounts
    clauses: tuple[Clause, ...]
    shared: Ingredients


def read_module(source: bytes) -> ReadModule | None:
    """The module; ``None`` where the engine's own grammar cannot read it."""
    try:
        tree = syntax_tree(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    lines = tuple(_source_lines(source))
    nodes = tuple(ast.walk(tree))
    tally = WordCounts(lines)
    tally.read_module(tree, nodes)
    texts = (n.value for n in nodes if isinstance(n, ast.Constant) and isinstance(n.value, str))
    shared = Ingredients(
        imported=frozenset(_imported_names(nodes)),
        defined=frozenset(_defined_names(tree)),
        has_star=any(isinstance(n, ast.ImportFrom) and any(a.name == "*" for a in n.names) for n in nodes),
        keywords=_by_frequency(_keywords(nodes)),
        spelled=_by_frequency(repr(text) for text in texts if 0 < len(text) <= _LONGEST),
    )
    return ReadModule(tree, lines, tally, tuple(clauses_among(nodes)), shared)


def function_in(module: ReadModule, function: FunctionId) -> tuple[ast.AST | None, bool]:
    """The function's node in the module's tree, and whether its first argument is an instance or class."""
    chain = _chain_to(module.tree, function)
    if not chain:
        return None, False
    decorators = getattr(chain[-1], "decorator_list", ())
    is_static = any(isinstance(each, ast.Name) and each.id == "staticmethod" for each in decorators)
    return chain[-1], len(chain) > 1 and isinstance(chain[-2], ast.ClassDef) and not is_static


def ingredients_of(module: bytes | ReadModule | None, function: FunctionId, weigh: Weigh = by_hand) -> Ingredients:
    """What is within reach of the function; nothing where the engine's own grammar cannot read the module."""
    module = read_module(module) if isinstance(module, bytes) else module
    chain = _chain_to(module.tree, function) if module is not None else []
    if module is None or not chain or not isinstance(chain[-1], Function):
        return Ingredients()
    node = chain[-1]
    classes = [n for n in chain if isinstance(n, ast.ClassDef)]
    owner = chain[-2] if len(chain) > 1 and isinstance(chain[-2], ast.ClassDef) else None
    tally = WordCounts(module.lines)
    tally.read(node, 0)
    around = [n for n in chain[:-1] if isinstance(n, Function)]
    for each in reversed(around):
        tally.read_outer(each, node)
    for body in classes[-1].body if classes else ():
        if body is not node:
            tally.read(body, 1)
    tally.merge(module.tally)
    tally.read_similar(module.tree, module.clauses, node)
    outermost = next(n for n in chain if isinstance(n, Function))
    bound = _bindings(node)
    names = tuple(i for i in tally.ranked("names", weigh) if i.text in bound or i.distance == 1)
    read = {n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
    parameters = tuple(p for p in parameters_of(node) if p not in ("self", "cls"))
    ranked: dict[str, Any] = {kind: tally.ranked(kind, weigh) for kind in KINDS if kind != "names"}
    return replace(
        module.shared,
        parameters=parameters,
        unread=tuple(p for p in parameters if p not in read and not p.startswith("_")),
        names=names,
        bound=bound.union(_imported_names(ast.walk(outermost)), *map(_bindings, around)),
        callees=tuple(_callees(module.tree, owner)),
        shells=tally.shells(),
        similar_names=_similar_names(tally),
        kinds=tuple(sorted(kinds_in(node).items())),
        unfilled=find_unfilled(outermost),
        owner=owner.name if owner is not None and owner.name in module.shared.defined else "",
        overridden=_overridden(module.tree, owner, node) if owner is not None else None,
        is_method=owner is not None,
        is_generator=any(isinstance(n, (ast.Yield, ast.YieldFrom)) for n in ast.walk(node)),
        is_async=isinstance(node, ast.AsyncFunctionDef),
        **ranked,
    )


def _similar_names(tally: WordCounts) -> tuple[str, ...]:
    every = tally.ranked("attribute_names", by_hand)
    own = [i.text for i in every if i.distance == 0][:8]
    words = (i.text[1:-1] for i in tally.ranked("strings", by_hand) if i.distance == 0)
    near = [*own, *itertools.islice(filter(str.isidentifier, words), 8)]
    rest = [i.text for i in every if i.distance > 0][:300]
    like = {n: max((SequenceMatcher(None, n, o, autojunk=False).ratio() for o in near), default=0) for n in rest}
    return (*own[:4], *sorted(rest, key=lambda n: (-like[n], n))[:6], *own[4:])


def _source_lines(source: bytes) -> list[bytes]:
    """Lines as ``ast`` counts them, in UTF-8, which is what its columns count."""
    text = source.decode(source_encoding(source), "replace").removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n").encode("utf-8", "surrogatepass").split(b"\n")


def _chain_to(root: ast.AST, function: FunctionId) -> list[ast.AST]:
    """Class and function nodes from the module to the function, itself last; empty when it is not there."""
    for child in ast.iter_child_nodes(root):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            first = min([child.lineno, *(d.lineno for d in child.decorator_list)])
            if first == function.first_line and child.name == function.qualname.rsplit(".", 1)[-1]:
                return [child]
            if first <= function.first_line <= (child.end_lineno or first):
                rest = _chain_to(child, function)
                return [child, *rest] if rest else []
        elif not isinstance(child, ast.expr):
            found = _chain_to(child, function)
            if found:
                return found
    return []


def _bindings(node: Function) -> frozenset[str]:
    """The names that the function binds, and those of what is defined in it; its imports are left out."""
    return frozenset((*parameters_of(node), *stored_names(node), *_other_bindings(node)))


def _other_bindings(node: Function) -> Iterator[str]:
    for each in ast.walk(node):
        if isinstance(each, ast.ExceptHandler) and each.name:
            yield each.name
        elif isinstance(each, ast.arg):
            yield each.arg
        elif isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and each is not node:
            yield each.name


def _overridden(module: ast.Module, owner: ast.ClassDef, node: Function) -> Overridden | None:
    """The method of that name in a base that the module holds; of any other base a constructor, which takes nothing."""
    names = [base.id for base in owner.bases if isinstance(base, ast.Name)]
    classes = {each.name: each for each in module.body if isinstance(each, ast.ClassDef)}
    bases = [classes[name] for name in names if name in classes]
    for method in (each for base in bases for each in base.body if isinstance(each, Function)):
        if method.name == node.name:
            a = method.args
            taken = [each.arg for each in (*a.posonlyargs, *a.args)][1:]
            return Overridden(tuple(taken), a.kwarg.arg if a.kwarg is not None else "")
    return Overridden() if owner.bases and node.name == "__init__" else None


def _callees(module: ast.Module, owner: ast.ClassDef | None) -> Iterator[Callee]:
    for child in owner.body if owner else ():
        if isinstance(child, Function):
            own = parameters_of(child)
            yield Callee(f"self.{child.name}", own[1:] if own[:1] in (("self",), ("cls",)) else own, 1)
    for node in top_level(module):
        yield from callees_at(getattr(node, "name", ""), node, 2)


def callees_at(name: str, node: ast.stmt, distance: int) -> Iterator[Callee]:
    """What can be called there under the name: the function, or the class and its methods."""
    if isinstance(node, Function):
        yield Callee(name, parameters_of(node), distance)
    for inner in node.body if isinstance(node, ast.ClassDef) else ():
        if isinstance(inner, Function):
            called = name if inner.name == "__init__" else f".{inner.name}"
            yield Callee(called, parameters_of(inner)[1:], distance)


def _imported_names(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                yield alias.asname or alias.name.split(".")[0]


def _defined_names(module: ast.Module) -> Iterator[str]:
    """What the module binds at its top level, and what its functions declare to be global."""
    statements = tuple(top_level(module))
    yield from _imported_names(statements)
    for node in ast.walk(module):
        if isinstance(node, ast.Global):
            yield from node.names
    for node in statements:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        else:
            yield from stored_names(node)


def _keywords(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, str, str]]:
    for node in nodes:
        if isinstance(node, ast.Call):
            called = last_name(node.func)
            for keyword in node.keywords:
                if called and keyword.arg and isinstance(keyword.value, (ast.Name, ast.Attribute, ast.Constant)):
                    value = ast.unparse(keyword.value)
                    if len(value) <= _LONGEST:
                        yield called, keyword.arg, value


_Item = TypeVar("_Item")
_LONGEST, _MOST_KEPT = 24, 400


def _by_frequency(items: Iterable[_Item]) -> tuple[_Item, ...]:
    """Each item once; among equally common ones, the first seen comes first."""
    return tuple(item for item, _ in Counter(items).most_common(_MOST_KEPT))
