"""Where a function or class of an older program stands now: under another name, in another file, or as it was.

Two bodies count as nearly the same by their words and signs, names of parameters put aside. Only what the older program
had not can be the new place: a sibling that was there all along is none.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from difflib import SequenceMatcher

from analysis.facts import Files
from analysis.function_text import FunctionNode, Unreadable, parameters_of, parse_module, without_docstring

SAME_NAME, OTHER_NAME = 0.5, 0.8
"""How alike two bodies have to be where the last name is the same, and where it is another one."""

FEW_WORDS = 12
"""A body of no more words and signs is common: under another name only the very same one counts."""

CLEAR = 0.05
"""So much more alike than the next one the best place has to be."""

_MOST_WORDS = 4_000


@dataclass(frozen=True, slots=True)
class Definition:
    """A function, method or class of a file; ``owner`` is the dotted name of the class that it stands in."""

    path: str
    qualname: str
    node: FunctionNode | ast.ClassDef
    owner: str = ""

    @property
    def is_class(self) -> bool:
        """Whether it is a class."""
        return isinstance(self.node, ast.ClassDef)

    @property
    def name(self) -> str:
        """Its last name."""
        return self.node.name


@dataclass(frozen=True, slots=True)
class ProgramNames:
    """The definitions of a program by dotted name, all names that modules bind, and the modules with their files."""

    definitions: Mapping[str, Definition]
    bound: Set[str]
    modules: Mapping[str, str]

    def split(self, dotted: str) -> tuple[str, str]:
        """The module of a dotted name, and the rest."""
        parts = dotted.split(".")
        for end in range(len(parts), 0, -1):
            if ".".join(parts[:end]) in self.modules:
                return ".".join(parts[:end]), ".".join(parts[end:])
        return "", dotted


@dataclass(frozen=True, slots=True)
class NotFound:
    """Why nobody can tell where a definition went."""

    why: str


def read_names(sources: Files, modules: Mapping[str, str]) -> ProgramNames:
    """The names of a program; ``modules`` gives the dotted name of each of its files. Unreadable files have none."""
    found: dict[str, Definition] = {}
    bound: set[str] = set()
    for path, text in sources:
        module, tree = modules.get(path, ""), parse_module(text) if modules.get(path) else Unreadable("")
        if isinstance(tree, Unreadable):
            continue
        bound |= {f"{module}.{name}" for name in _bound(tree)}
        for each in _definitions(path, tree.body, "", module, ""):
            found.setdefault(f"{module}.{each.qualname}", each)
    return ProgramNames(found, bound, {module: path for path, module in modules.items() if module})


def _definitions(path: str, body: list[ast.stmt], around: str, module: str, owner: str) -> Iterator[Definition]:
    for node in body:
        if isinstance(node, FunctionNode | ast.ClassDef):
            yield Definition(path, f"{around}{node.name}", node, owner)
        if isinstance(node, ast.ClassDef):
            inner = f"{around}{node.name}"
            yield from _definitions(path, node.body, f"{inner}.", module, f"{module}.{inner}")


def _bound(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        match node:
            case ast.Name(id=name, ctx=ast.Store()):
                yield name
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                yield from ((each.asname or each.name.split(".")[0]) for each in names)


def new_place(dotted: str, old: ProgramNames, new: ProgramNames) -> str | NotFound:
    """The dotted name that the old program's definition has in the new one, which may be the same."""
    if dotted in new.definitions:
        return dotted
    was = old.definitions.get(dotted)
    if was is None:
        return NotFound(f"{dotted} was no function or class before")
    if was.owner:
        owner = new_place(was.owner, old, new)
        if isinstance(owner, NotFound):
            return owner
        if f"{owner}.{was.name}" in new.definitions:
            return f"{owner}.{was.name}"
        return _best(dotted, was, new, [name for name, each in new.definitions.items() if each.owner == owner], old)
    top = [name for name, each in new.definitions.items() if not each.owner]
    return _best(dotted, was, new, top, old)


def _best(dotted: str, was: Definition, new: ProgramNames, among: list[str], old: ProgramNames) -> str | NotFound:
    fresh = [n for n in among if n not in old.definitions and new.definitions[n].is_class == was.is_class]
    scored = sorted(((_fits(was, new.definitions[name]), name) for name in fresh), reverse=True)
    scored = [(score, name) for score, name in scored if score > 0]
    if not scored:
        return NotFound(f"{dotted} is gone, and nothing new is like it")
    best = scored[0][0]
    near = [name for score, name in scored if score > best - CLEAR]
    same = [name for name in near if new.definitions[name].name == was.name]
    if len(near) > 1 and len(same) != 1:
        return NotFound(f"{dotted} is gone, and several new ones are like it: {', '.join(sorted(near)[:3])}")
    return same[0] if len(same) == 1 else near[0]


def _fits(was: Definition, now: Definition) -> float:
    """How alike they are, 0 where they are too unlike to be one."""
    alike = likeness(was.node, now.node)
    least = SAME_NAME if was.name == now.name else OTHER_NAME
    if was.name != now.name and len(_words(was.node)) <= FEW_WORDS:
        least = 1.0
    return alike if alike >= least else 0.0


def likeness(one: FunctionNode | ast.ClassDef, other: FunctionNode | ast.ClassDef) -> float:
    """The share of words and signs that both bodies have in one order, from 0 to 1; docstrings do not count."""
    plain = _ratio(_words(one), _words(other))
    if plain == 1.0 or isinstance(one, ast.ClassDef) or isinstance(other, ast.ClassDef):
        return plain
    return max(plain, _ratio(_words(_numbered(one)), _words(_numbered(other))))


def _ratio(one: list[str], other: list[str]) -> float:
    compared = SequenceMatcher(None, one, other, autojunk=False)
    if compared.real_quick_ratio() < SAME_NAME or compared.quick_ratio() < SAME_NAME:
        return 0.0
    return compared.ratio()


def _words(node: FunctionNode | ast.ClassDef) -> list[str]:
    body = without_docstring(node.body)
    try:
        text = "\n".join(ast.unparse(each) for each in body)
    except (ValueError, RecursionError, MemoryError):
        return []
    own = re.sub(rf"\b{re.escape(node.name)}\b", "ITSELF", text)
    return re.findall(r"\w+|[^\w\s]", own)[:_MOST_WORDS]


def _numbered(node: FunctionNode) -> FunctionNode:
    """The function with its parameters called by number."""
    names = {each.arg: f"given{number}" for number, each in enumerate(parameters_of(node))}
    return rename_parameters(node, names)


def rename_parameters(node: FunctionNode, names: Mapping[str, str]) -> FunctionNode:
    """A copy of the function with these parameters, and what its body calls them, under other names."""
    renamed = copy.deepcopy(node)
    for each in ast.walk(renamed):
        if isinstance(each, ast.Name) and each.id in names:
            each.id = names[each.id]
        elif isinstance(each, ast.arg) and each.arg in names:
            each.arg = names[each.arg]
    return renamed
