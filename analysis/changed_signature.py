"""What became of a function's parameters between two programs, and a call that says the same to the new one."""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping
from dataclasses import dataclass, field

from analysis.function_text import FunctionNode
from analysis.moved_definitions import Definition, likeness, rename_parameters


@dataclass(frozen=True, slots=True)
class CallParameters:
    """The parameters that a call may fill, the instance left out; ``needed`` have no default."""

    by_position: tuple[str, ...] = ()
    only_by_position: int = 0
    by_name: tuple[str, ...] = ()
    needed: frozenset[str] = frozenset()
    takes_more: bool = False
    """Whether it takes any number of further arguments."""
    marks: Mapping[str, str] = field(default_factory=dict)
    """Annotation and default of each, as source."""

    @property
    def names(self) -> tuple[str, ...]:
        """All of them."""
        return (*self.by_position, *self.by_name)


@dataclass(frozen=True, slots=True)
class ChangedParameters:
    """What a call of the old function is to say to the new one: each old name with its new one, ``""`` for none."""

    old: CallParameters
    new: CallParameters
    names: Mapping[str, str]


def parameters_to_fill(definition: Definition) -> CallParameters | None:
    """What a call of the function, or of the class, fills; ``None`` where the class says so nowhere."""
    node = definition.node
    if isinstance(node, ast.ClassDef):
        made = next((n for n in node.body if isinstance(n, ast.FunctionDef) and n.name == "__init__"), None)
        return _of(made, bound=True) if made is not None else _of_fields(node)
    static = any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in node.decorator_list)
    return _of(node, bound=bool(definition.owner) and not static)


def _of(node: FunctionNode, *, bound: bool) -> CallParameters:
    a = node.args
    plain = [*a.posonlyargs, *a.args]
    defaults = dict(zip([each.arg for each in plain[len(plain) - len(a.defaults) :]], a.defaults, strict=True))
    named = {each.arg: value for each, value in zip(a.kwonlyargs, a.kw_defaults, strict=True) if value is not None}
    given = defaults | named
    every = [*plain[int(bound) :], *a.kwonlyargs]
    marks = {each.arg: f"{_source(each.annotation)} = {_source(given.get(each.arg))}" for each in every}
    return CallParameters(
        tuple(each.arg for each in plain[int(bound) :]),
        max(0, len(a.posonlyargs) - int(bound)),
        tuple(each.arg for each in a.kwonlyargs),
        frozenset(each.arg for each in every if each.arg not in given),
        a.vararg is not None or a.kwarg is not None,
        marks,
    )


def _of_fields(node: ast.ClassDef) -> CallParameters | None:
    """The fields of a data class, or of a named tuple."""
    words = [ast.unparse(each) for each in (*node.decorator_list, *node.bases)]
    if not any("dataclass" in word or "NamedTuple" in word for word in words):
        return None
    fields = [f for f in node.body if isinstance(f, ast.AnnAssign) and isinstance(f.target, ast.Name)]
    names = [ast.unparse(each.target) for each in fields]
    needed = frozenset(name for name, each in zip(names, fields, strict=True) if each.value is None)
    marks = {n: f"{_source(f.annotation)} = {_source(f.value)}" for n, f in zip(names, fields, strict=True)}
    return CallParameters(tuple(names), 0, (), needed, takes_more=False, marks=marks)


def _source(node: ast.expr | None) -> str:
    return ast.unparse(node) if node is not None else ""


def changed_parameters(old: Definition, new: Definition) -> ChangedParameters | str | None:
    """What became of the parameters; ``None`` where calls may stay as they are, a sentence where nobody can tell."""
    before, now = parameters_to_fill(old), parameters_to_fill(new)
    if before is None or now is None or before == now:
        return None
    gone = [name for name in before.names if name not in now.names]
    come = [name for name in now.names if name not in before.names]
    names = {name: name for name in before.names if name in now.names}
    paired = _paired(gone, come, old, new, before, now)
    if paired is None:
        return f"which of its parameters became which cannot be told ({', '.join(gone)}; {', '.join(come)})"
    unknown = [name for name in now.needed if name in come and name not in paired.values()]
    if unknown:
        return f"it has to be given {', '.join(sorted(unknown))} now, and nobody says what"
    return ChangedParameters(before, now, names | dict.fromkeys(gone, "") | paired)


def _paired(
    gone: list[str], come: list[str], old: Definition, new: Definition, before: CallParameters, now: CallParameters
) -> dict[str, str] | None:
    """New names for old ones: with the same annotation and default, and the body says the same with them."""
    left, paired = list(come), {}
    for name in gone:
        fitting = [each for each in left if before.marks[name] == now.marks[each]]
        if not fitting:
            continue
        best = max(fitting, key=lambda each: (_sameness(old, new, {name: each}), -left.index(each)))
        if len(fitting) > 1 and len(gone) == 1:
            scores = sorted(_sameness(old, new, {name: each}) for each in fitting)
            if scores[-1] == scores[-2]:
                return None
        paired[name] = best
        left.remove(best)
    unpaired = [name for name in gone if name not in paired]
    if len(unpaired) == 1 and len(left) == 1:  # a new name and a new annotation, or default
        name, other = unpaired[0], left[0]
        if _sameness(old, new, {**paired, name: other}) > _sameness(old, new, paired):
            paired[name] = other
    return paired


def _sameness(old: Definition, new: Definition, names: Mapping[str, str]) -> float:
    if isinstance(old.node, ast.ClassDef) or isinstance(new.node, ast.ClassDef):
        return 0.0
    return likeness(rename_parameters(old.node, names), new.node)


def adapted_call(call: ast.Call, changed: ChangedParameters) -> ast.Call | str:
    """The call with its arguments where the new function takes them; a sentence where it cannot be written."""
    if any(isinstance(each, ast.Starred) for each in call.args) or any(k.arg is None for k in call.keywords):
        return "a call of it unpacks its arguments"
    old, new = changed.old, changed.new
    more = call.args[len(old.by_position) :]
    if more and not (old.takes_more and new.takes_more):
        return "a call of it gives more than its parameters take"
    given = dict(zip(old.by_position, call.args, strict=False))
    named = {str(k.arg): k.value for k in call.keywords}
    moved = {changed.names.get(name, name): value for name, value in given.items()}
    own = {changed.names.get(name, name): value for name, value in named.items()}
    moved.pop("", None)
    own.pop("", None)
    missing = new.needed - moved.keys() - own.keys()
    if missing:
        return f"a call of it does not give {', '.join(sorted(missing))}"
    args = []
    for name in new.by_position:
        if name not in moved:
            break
        args.append(moved.pop(name))
    if more and (moved or len(args) < len(new.by_position)):
        return "a call of it gives further arguments, and they would stand elsewhere"
    if any(name in new.by_position[: new.only_by_position] for name in (*moved, *own)):
        return "a call of it cannot give what is taken by position alone"
    words = moved | own
    adapted = copy.deepcopy(call)
    adapted.args = [copy.deepcopy(each) for each in (*args, *more)]
    adapted.keywords = [ast.keyword(name, copy.deepcopy(value)) for name, value in words.items()]
    return adapted
