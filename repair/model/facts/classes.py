"""Classes: that of the function with what sets its attributes, and those of the project that it works with."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator, Set
from dataclasses import dataclass

from analysis.diagnosis import is_test_path
from analysis.function_text import FunctionNode, dotted_name, names_in, parameters_of
from analysis.project_files import imported_from_project
from repair.model.facts.matter import (
    Field,
    Matter,
    assignment,
    clip,
    first_sentence,
    is_short,
    one_line,
    shown_value,
    signature,
    without_secrets,
)
from repair.model.facts.tests_code import kept_statements

MOST_METHODS, MOST_INIT = 25, 1200
MOST_CLASSES, MOST_HEADS, MOST_FIELDS = 4, 6, 16
"""Classes that a function works with that are told; of each the heads of other methods, and the fields."""

MOST_FILES = 200
"""Files in which classes are looked for."""

_EVERYDAY = frozenset(name for kind in (list, dict, set, str, int, float) for name in dir(kind))
_SETS_UP = ("__init__", "__new__", "__post_init__", "__attrs_post_init__")


def its_class(matter: Matter) -> str:
    """The header of its class with the docstring's line, attributes, ``__init__`` and the heads of other methods."""
    owner = matter.owner
    if owner is None:
        return ""
    path = matter.plan.function.path
    lines = [*_header(owner), *(f"    {assignment(field)}" for field in _fields(owner))]
    methods = [part for part in owner.body if isinstance(part, FunctionNode) and part is not matter.node]
    setting = [part for part in methods if _sets_up(part)]
    for part in setting:
        lines += _indented(without_secrets(clip(matter.source_of(path, part), MOST_INIT)))
    rest = [part for part in methods if part not in setting][:MOST_METHODS]
    lines += map(_head, rest)
    base = _base_in_module(matter, owner)
    return "\n".join([*lines, *base]) if len(lines) > 1 or base else ""


def classes_in_use(matter: Matter) -> str:
    """The project's classes of what the function is given, makes or takes attributes of: fields and what it calls.

    Those that it names, in annotations or calls, come first, then those that the failing test makes. Last come those
    whose attributes it takes, where few other classes have such.
    """
    if matter.node is None:
        return ""
    taken = _attributes(matter.node)
    named, made = _meant(matter, names_in(matter.node) | _annotated(matter)), _names_of_test(matter)
    known = [place for place in _classes(matter) if _speaks(place.node)]
    having = Counter(name for place in known for name in place.members & taken)
    found = []
    for place in known:
        shared = sum(1 / having[name] for name in taken & place.members)
        likely = place.node.name in named or (shared and place.node.name in made) or shared >= 1
        if likely and place.node is not matter.owner:
            rank = (place.node.name not in named, place.node.name not in made, -shared)
            found.append((rank, place))
    nearest = sorted(found, key=lambda each: each[0])[:MOST_CLASSES]
    return "\n".join(_outline(matter, place, taken) for _, place in nearest)


@dataclass(frozen=True, slots=True)
class _Place:
    """A class of the project, its file, and the names of its own fields, methods and what ``__init__`` sets."""

    path: str
    node: ast.ClassDef
    members: frozenset[str]


def _classes(matter: Matter) -> Iterator[_Place]:
    """The classes at the top of the program's files, its own file's first."""
    own = matter.plan.function.path
    holding = (path for path, text in matter.texts.items() if b"class " in text and not is_test_path(path))
    module = matter.module
    imported = {each.path for each in imported_from_project(own, module, matter.texts)} if module is not None else set()
    for path in sorted(holding, key=lambda each: (each != own, each not in imported, each))[:MOST_FILES]:
        tree = matter.tree_of(path)
        for node in tree.body if tree else ():
            if isinstance(node, ast.ClassDef):
                yield _Place(path, node, _members(node))


def _members(owner: ast.ClassDef) -> frozenset[str]:
    own = [part.name for part in owner.body if isinstance(part, FunctionNode)]
    return frozenset([*own, *map(_field_name, _fields(owner)), *_values_set_up(owner)])


def _values_set_up(owner: ast.ClassDef) -> dict[str, ast.expr]:
    """The attributes that ``__init__`` or the like sets, each with its first value."""
    found: dict[str, ast.expr] = {}
    for part in owner.body:
        if not _sets_up(part):
            continue
        for node in ast.walk(part):
            if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    if isinstance(target, ast.Attribute) and dotted_name(target.value) == "self":
                        found.setdefault(target.attr, node.value)
    return found


def _speaks(owner: ast.ClassDef) -> bool:
    """Whether there is more in it than a name, as there is not in most classes of exceptions."""
    return any(isinstance(part, ast.Assign | ast.AnnAssign | FunctionNode) for part in owner.body)


def _attributes(node: FunctionNode) -> frozenset[str]:
    """The attributes that the function takes of anything but ``self``, those left out that lists or texts have, too."""
    taken = (each for each in ast.walk(node) if isinstance(each, ast.Attribute))
    return frozenset(each.attr for each in taken if dotted_name(each.value) not in ("self", "cls")) - _EVERYDAY


def _annotated(matter: Matter) -> frozenset[str]:
    """The names in annotations of its parameters and of its class's attributes, those written as texts, too."""
    assert matter.node is not None, "asked of a function that was found"
    notes = [each.annotation for each in parameters_of(matter.node)]
    owner = matter.owner
    within = ast.walk(owner) if owner is not None else iter(())
    notes += [each.annotation for each in within if isinstance(each, ast.AnnAssign)]
    found = set[str]()
    for note in filter(None, notes):
        found |= names_in(note)
        for text in (n.value for n in ast.walk(note) if isinstance(n, ast.Constant) and isinstance(n.value, str)):
            found |= set(text.replace("[", " ").replace("]", " ").replace(",", " ").replace("|", " ").split())
    return frozenset(found)


def _meant(matter: Matter, names: frozenset[str]) -> frozenset[str]:
    """The names, and what those stand for that an import has given another name."""
    if matter.module is None:
        return names
    known = imported_from_project(matter.plan.function.path, matter.module, matter.texts)
    return names | {each.inner for each in known if each.name in names}


def _names_of_test(matter: Matter) -> frozenset[str]:
    """The names in the part of the failing test that ran."""
    if matter.case is None:
        return frozenset()
    line = matter.test_frame.line if matter.test_frame else 0
    return frozenset[str]().union(*(names_in(each) for each in kept_statements(matter.case, line)))


def _outline(matter: Matter, place: _Place, taken: Set[str]) -> str:
    """Header, fields and what it sets, the methods that the function calls (short ones whole), heads of some others."""
    fields = [assignment(field) for field in _fields(place.node)]
    own = {_field_name(field) for field in _fields(place.node)}
    held = _values_set_up(place.node).items()
    fields += [f"self.{name} = {shown_value(name, ast.unparse(value), 60)}" for name, value in held if name not in own]
    methods = [part for part in place.node.body if isinstance(part, FunctionNode)]
    used = [part for part in methods if part.name in taken]
    rest = [part for part in methods if part not in used and (part.name == "__init__" or part.name[:1] != "_")]
    lines = [f"# {place.path}:{place.node.lineno}", *_header(place.node)]
    lines += [f"    {field}" for field in fields[:MOST_FIELDS]]
    lines += [f"    … and {len(fields) - MOST_FIELDS} more"] if len(fields) > MOST_FIELDS else []
    for part in used:
        text = matter.source_of(place.path, part)
        lines += _indented(text) if is_short(part, text) else [_head(part)]
    return "\n".join([*lines, *map(_head, rest[:MOST_HEADS])])


def _header(owner: ast.ClassDef) -> list[str]:
    """Decorators, the line of ``class``, and the docstring's line."""
    given = [*map(ast.unparse, owner.bases), *(f"{k.arg}={ast.unparse(k.value)}" for k in owner.keywords if k.arg)]
    sentence = without_secrets(first_sentence(owner))
    return [
        *(without_secrets(f"@{ast.unparse(each)}") for each in owner.decorator_list),
        without_secrets(f"class {owner.name}({', '.join(given)}):") if given else f"class {owner.name}:",
        *([f'    """{sentence}"""'] if sentence else []),
    ]


def _fields(owner: ast.ClassDef) -> list[Field]:
    return [part for part in owner.body if isinstance(part, ast.Assign | ast.AnnAssign)]


def _field_name(field: Field) -> str:
    target = field.target if isinstance(field, ast.AnnAssign) else field.targets[0]
    return target.id if isinstance(target, ast.Name) else ""


def _indented(text: str) -> list[str]:
    return [f"    {line}".rstrip() for line in text.split("\n")]


def _head(part: FunctionNode) -> str:
    return f"    {_decorators(part)}{one_line(signature(part), 140)}: ..."


def _decorators(node: FunctionNode) -> str:
    return "".join(
        f"@{ast.unparse(each)} " for each in node.decorator_list if isinstance(each, ast.Name | ast.Attribute)
    )


def _base_in_module(matter: Matter, owner: ast.ClassDef) -> list[str]:
    """The ``__init__`` of the nearest base class in the same module, where the class has none of its own."""
    if matter.module is None or any(_sets_up(part) for part in owner.body):
        return []
    known = {node.name: node for node in matter.module.body if isinstance(node, ast.ClassDef)}
    base = next((known[b.id] for b in owner.bases if isinstance(b, ast.Name) and b.id in known), None)
    found = [part for part in base.body if _sets_up(part)] if base is not None else []
    if base is None or not found:
        return []
    shown = without_secrets(clip(matter.source_of(matter.plan.function.path, found[0]), MOST_INIT))
    return [f"its base {base.name} has:", *(f"    {line}" for line in shown.split("\n"))]


def _sets_up(node: ast.stmt) -> bool:
    return isinstance(node, FunctionNode) and node.name in _SETS_UP
