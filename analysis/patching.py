"""Stores that change what is not the function's own: modules, classes, other functions, methods of its object."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from analysis.danger import Use, use_at
from analysis.danger_names import UNTROUBLED_MODULES, is_special
from analysis.function_text import last_name
from analysis.scope_names import View, chain_of

_METHODS = "add append clear discard extend insert pop popitem remove setdefault update"
_CHANGING = frozenset(_METHODS.split())


def uses_of_store(chain: list[str], node: ast.AST, view: View) -> Iterator[Use]:
    """What storing to ``a.b.c`` changes beyond the function's own objects."""
    if len(chain) < 2:
        return
    name, last = ".".join(chain), chain[-1]
    if is_special(last):
        yield use_at(node, "definition", last, f"sets {last}, which changes how objects behave")
    root = view.resolve(chain[0])
    own = root == f"module.{chain[0]}"
    if chain[0] in view.imports or (own and chain[0] in view.around.functions):
        yield use_at(node, "patching", name, f"changes {name}, which is not the function's own")
    elif own and chain[0] in view.around.classes:
        yield use_at(node, "patching", name, f"changes the class {chain[0]}", review=True)
    elif _is_of_a_reader(chain, view):
        yield use_at(node, "state", name, f"changes {name} where it is only asked for a value", review=True)
    elif last in view.around.methods:
        yield use_at(node, "patching", name, f"puts something in the place of the method {last}", review=True)
    else:
        yield from _uses_of_module(chain, node, view)


def _uses_of_module(chain: list[str], node: ast.AST, view: View) -> Iterator[Use]:
    """What all calls share: data that the module holds. Who changed it before may do so in another way."""
    if view.resolve(chain[0]) == f"module.{chain[0]}" and chain[0] in view.around.top:
        claim = f"changes the module's {chain[0]}, which all calls share"
        yield use_at(node, "state", f"module.{chain[0]}", claim, review=True)


def _is_of_a_reader(chain: list[str], view: View) -> bool:
    """A public attribute of the object whose property this is; what begins with ``_`` may be a cache."""
    first = next(iter(view.function.args.args), None)
    decorators = {last_name(decorator) for decorator in view.function.decorator_list}
    is_own = first is not None and chain[0] == first.arg and len(chain) == 2
    return is_own and "property" in decorators and not chain[1].startswith("_")


def uses_of_class_store(node: ast.Attribute) -> Iterator[Use]:
    """A store to an attribute of an object's class: all objects of it are changed."""
    match node.value:
        case ast.Call(func=ast.Name(id="type"), args=[_]) | ast.Attribute(attr="__class__"):
            claim = f"changes {node.attr} for all objects of a class"
            yield use_at(node, "patching", f"class.{node.attr}", claim, review=True)


def uses_of_item_store(chain: list[str], node: ast.AST, view: View) -> Iterator[Use]:
    """What storing to ``a.b[…]`` changes beyond the function's own objects."""
    name = ".".join(chain)
    if "__dict__" in chain[1:] and (chain[0] in view.imports or view.resolve(chain[0]).startswith("module.")):
        yield use_at(node, "patching", name, f"changes {name}, which is not the function's own")
    elif chain[0] in view.imports:
        mild = view.imports[chain[0]].startswith(("os.environ", "."))
        yield use_at(node, "patching", name, f"changes items of {name}", review=mild)
    else:
        yield from _uses_of_module(chain, node, view)


def uses_of_changing_call(chain: list[str], node: ast.Call, view: View) -> Iterator[Use]:
    """``a.b.append(…)`` where ``a`` is imported, or the module's own: it changes what others see."""
    if len(chain) < 2 or chain[-1] not in _CHANGING:
        return
    if chain[0] not in view.imports:
        yield from _uses_of_module(chain, node, view)
        return
    parts = view.imports[chain[0]].split(".") + chain[1:]
    if len(parts) > 2 or parts[0] not in UNTROUBLED_MODULES:
        name = ".".join(chain[:-1])
        yield use_at(node, "patching", name, f"changes {name}, which is not the function's own", review=True)


def uses_of_global(names: list[str], node: ast.AST, view: View) -> Iterator[Use]:
    """What a ``global`` statement lets the function rebind."""
    for name in names:
        if name in view.around.classes | view.around.functions or name in view.imports:
            yield use_at(node, "patching", name, f"rebinds the module's {name}")
        elif name not in view.around.bound:
            yield use_at(node, "state", name, f"makes a new global {name} to remember things in")
        else:
            yield from _uses_of_module([name], node, view)


def uses_of_setattr(node: ast.Call, name: str, view: View) -> Iterator[Use]:
    """What ``setattr`` and ``delattr`` change; to where cannot always be told."""
    match node.args:
        case [target, ast.Constant(value=str(attribute)), *_] if chain_of(target):
            stored = list(uses_of_store([*chain_of(target), attribute], node, view))
            yield from stored
            if stored:
                return
    yield use_at(node, "patching", name, f"uses {name}()", review=True)
