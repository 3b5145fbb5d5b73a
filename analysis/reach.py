"""What a function's names, attributes, imports, definitions and stores let it reach."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from analysis.danger import (
    HARMLESS_METHODS,
    KINDS,
    SECRET_ATTRIBUTES,
    UNTROUBLED_MODULES,
    Danger,
    Use,
    danger_of,
    danger_within,
    is_special,
    use_at,
    uses_of_changing_call,
    uses_of_class_store,
    uses_of_global,
    uses_of_item_store,
    uses_of_setattr,
    uses_of_store,
)
from analysis.function_text import FunctionNode, last_name, mutable_defaults, shape
from analysis.literals import literal_or
from analysis.scope_names import BUILTINS, View, chain_of, getattr_defaults, view_of
from analysis.surroundings import ModuleNames, imported_names

_RUNNER_WORDS = ("pytest", "unittest", "conftest")
_OF_TESTS = re.compile(r"(^|[/\\\\])(tests?[/\\\\]|test_)|_test\.py\b")
_WORD = re.compile(r"[A-Za-z_][A-Za-z_0-9]*")
_USUAL = ("__main__", "__init__", "__iter__", "__len__", "__call__", "__getitem__")
_TELLING = ("record", "stack_info", "capture_locals")
_DECODERS = (
    *("a85decode", "b16decode", "b32decode", "b64decode", "b85decode", "decode", "decompress", "fromhex"),
    *("literal_eval", "loads", "unhexlify"),
)
_METACLASS = "takes the class of a class, which makes classes"
_MADE_NAME = "takes an attribute whose name is made at run time"


def reach_of(function: FunctionNode, around: ModuleNames, known: frozenset[str] = frozenset()) -> Iterator[Use]:
    """All uses that give the function reach beyond its arguments and its module's own names.

    ``known`` are the top names of modules that it may import besides those of the standard library that reach nothing.
    """
    view = view_of(function, around)
    for statement in function.body:
        yield from _walk(statement, view)
    for node in ast.walk(function):
        for _, target in imported_names(node) if isinstance(node, (ast.Import, ast.ImportFrom)) else ():
            root = target.split(".")[0]
            danger = danger_of(target)
            if danger is not None and (danger.id == "runner" or root.startswith("test")):
                yield _use(danger, target, node)
            elif danger is None and root and root not in UNTROUBLED_MODULES | known:
                yield use_at(node, "import", root, f"imports {root}", review=True)


def _walk(node: ast.AST, view: View) -> Iterator[Use]:
    yield from _uses_of_node(node, view)
    chain = chain_of(node)
    if chain:
        yield from _uses_of_chain(chain, node, view)
        yield from (use for part in getattr_defaults(node) for use in _walk(part, view))
        return
    kinds = _kinds_asked_for(node, view)
    for child in ast.iter_child_nodes(node):
        if child in kinds and isinstance(child, ast.Tuple):
            yield from (use for item in child.elts if item not in kinds for use in _walk(item, view))
        elif child not in kinds:
            yield from _walk(child, view)


def _kinds_asked_for(node: ast.AST, view: View) -> list[ast.expr]:
    """The classes for which ``isinstance`` only asks: whoever makes no module may well refuse one."""
    match node:
        case ast.Call(func=ast.Name(id="isinstance" | "issubclass" as name), args=[_, asked], keywords=[]) if (
            view.resolve(name) == f"builtins.{name}"
        ):
            found = [each for each in (asked.elts if isinstance(asked, ast.Tuple) else [asked]) if _is_kind(each, view)]
            return [asked, *found] if isinstance(asked, ast.Tuple) and found else found
    return []


def _is_kind(node: ast.expr, view: View) -> bool:
    chain = chain_of(node)
    root = view.resolve(chain[0]) if chain else ""
    return ".".join([root, *chain[1:]]) in KINDS if root else False


def _use(danger: Danger, what: str, node: ast.AST) -> Use:
    key = danger.id if danger.whole else f"{danger.id}:{what}"
    return Use(danger.id, danger.severity, key, int(getattr(node, "lineno", 0)), f"uses {what}, which {danger.does}")


def _uses_of_chain(chain: list[str], node: ast.AST, view: View) -> Iterator[Use]:
    root = view.resolve(chain[0])
    for name in chain[1:]:
        if name in SECRET_ATTRIBUTES:
            yield _use(SECRET_ATTRIBUTES[name], f".{name}", node)
    if root:
        danger = danger_of(".".join([root, *chain[1:]]))
        if danger is not None:
            yield _use(danger, ".".join([root.removeprefix("builtins."), *chain[1:]]), node)
    elif chain[0] in view.local:
        name, danger = ".".join(chain), danger_within(chain)
        if danger is not None:
            yield use_at(node, danger.id, name, f"uses {name}, which {danger.does}", review=True)
    elif chain[0] not in BUILTINS and not view.around.has_star:
        claim = f"uses {chain[0]}, which is bound neither in it nor in its module"
        yield use_at(node, "name", chain[0], claim, review=True)
    if isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
        yield from uses_of_store(chain, node, view)


def _uses_of_node(node: ast.AST, view: View) -> Iterator[Use]:
    match node:
        case ast.Attribute(attr="__class__", value=value) if _is_class(value, view):
            yield use_at(node, "definition", "metaclass", _METACLASS, review=True)
        case ast.Attribute(attr=name, value=value) if not chain_of(value) and name in SECRET_ATTRIBUTES:
            yield _use(SECRET_ATTRIBUTES[name], f".{name}", node)
        case ast.Attribute(attr=name, value=value, ctx=ast.Store() | ast.Del()) if not chain_of(value):
            if is_special(name):
                yield use_at(node, "definition", name, f"sets {name}, which changes how objects behave")
            yield from uses_of_class_store(node)
        case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()) if len(chain_of(value)) > 0:
            yield from uses_of_item_store(chain_of(value), node, view)
        case ast.ClassDef(name=name):
            yield use_at(node, "definition", f"class {name}", f"defines the class {name}")
            yield from _uses_of_methods(node)
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if (
            is_special(name) and node not in view.methods
        ):
            yield use_at(node, "definition", name, f"defines {name}")
        case ast.Constant(value=str(text)):
            yield from _uses_of_text(text, node)
        case ast.Compare() if any(isinstance(n, ast.Name) and n.id == "__name__" for n in ast.iter_child_nodes(node)):
            yield use_at(node, "environment", "__name__", "asks how its module was started", review=True)
        case ast.Global(names=names):
            yield from uses_of_global(names, node, view)
        case ast.Call():
            yield from _uses_of_call(node, view)
        case ast.Lambda(args=args) | ast.FunctionDef(args=args) | ast.AsyncFunctionDef(args=args):
            for default in mutable_defaults(args):
                yield use_at(node, "state", shape(default), "keeps state in a default argument", review=True)


def _uses_of_methods(definition: ast.ClassDef) -> Iterator[Use]:
    """Special methods of a class in the function. A new class is a use of its own; an old one may learn to be copied.

    Examples: ``__copy__`` and ``__enter__`` reach nothing that their text does not show. ``__eq__`` may make an object
    equal to anything, which a person has to see.
    """
    for node in definition.body:
        if isinstance(node, FunctionNode) and is_special(node.name) and node.name not in HARMLESS_METHODS:
            claim = f"defines {node.name} of {definition.name}, which changes how its objects behave"
            yield use_at(node, "definition", f"{definition.name}.{node.name}", claim, review=True)


def _uses_of_text(text: str, node: ast.AST) -> Iterator[Use]:
    if is_special(text) and text not in SECRET_ATTRIBUTES and text not in _USUAL:
        yield use_at(node, "definition", text, f"spells {text}", review=True)
    for word in dict.fromkeys(_WORD.findall(text)):
        if word in SECRET_ATTRIBUTES and SECRET_ATTRIBUTES[word].id == "frames":
            yield _use(SECRET_ATTRIBUTES[word], f".{word}", node)
    if any(word in text.lower() for word in _RUNNER_WORDS):
        yield use_at(node, "runner", text, f"mentions the test runner: {text[:40]!r}")
    elif _OF_TESTS.search(text):
        yield use_at(node, "runner", text, f"mentions files of tests: {text[:40]!r}", review=True)


def _uses_of_call(node: ast.Call, view: View) -> Iterator[Use]:
    match node.args:
        case [_, ast.Tuple(), ast.Dict() | ast.DictComp() | ast.Call(func=ast.Name(id="dict"))]:
            claim = "calls with bases and a namespace, as who makes a class"
            yield use_at(node, "definition", "namespace", claim, review=True)
    chain = chain_of(node.func)
    root = view.resolve(chain[0]) if chain else ""
    full = ".".join([root, *chain[1:]]) if root else ""
    yield from uses_of_changing_call(chain, node, view)
    yield from _uses_of_opening(node, full)
    for keyword in node.keywords:
        if keyword.arg in _TELLING and literal_or(keyword.value, True):
            yield use_at(node, "frames", keyword.arg, f"asks by {keyword.arg} for who calls it", review=True)
    if full in ("operator.attrgetter", "operator.methodcaller"):
        yield from _uses_of_getter(node)
    if last_name(node.func) in _DECODERS and node.args and isinstance(literal_or(node.args[0], None), (str, bytes)):
        yield use_at(node, "dynamic", last_name(node.func), f"decodes a literal by {last_name(node.func)}", review=True)
    if root == f"builtins.{full.removeprefix('builtins.')}":
        yield from _uses_of_builtin(node, chain[0], view)


def _uses_of_getter(node: ast.Call) -> Iterator[Use]:
    """A getter made of texts takes what a chain of attributes would."""
    for text in (literal_or(argument, None) for argument in node.args):
        danger = danger_within(["", *text.split(".")]) if isinstance(text, str) else None
        if danger is not None:
            yield use_at(node, danger.id, str(text), f"takes {text!r}, which {danger.does}")
    if node.args and not isinstance(node.args[0], ast.Constant):
        yield use_at(node, "dynamic", "getattr", _MADE_NAME, review=True)


def _uses_of_builtin(node: ast.Call, name: str, view: View) -> Iterator[Use]:
    if name == "type" and len(node.args) + len(node.keywords) > 1:
        yield use_at(node, "definition", "type", "makes a class with type()")
    elif name == "type" and node.args and _is_class(node.args[0], view):
        yield use_at(node, "definition", "metaclass", _METACLASS, review=True)
    elif name in ("setattr", "delattr") and node.args:
        yield from uses_of_setattr(node, name, view)
    elif name == "getattr" and len(node.args) > 1 and not isinstance(node.args[1], ast.Constant):
        yield use_at(node, "dynamic", "getattr", _MADE_NAME, review=True)


def _uses_of_opening(node: ast.Call, full: str) -> Iterator[Use]:
    """What is opened how: who reads the file that it is given does not, for that, write, or open one by its name."""
    if full in ("builtins.open", "io.open", "codecs.open"):
        target, mode = node.args[:1], node.args[1:2]
    elif isinstance(node.func, ast.Attribute) and node.func.attr == "open":
        target, mode = [], node.args[:1]
    else:
        return
    mode += [k.value for k in node.keywords if k.arg == "mode"]
    said = literal_or(mode[0], None) if mode else "r"
    if isinstance(said, str) and len(said) < 4 and set(said) & set("wax+"):
        yield use_at(node, "files", "writes", "opens a file to write it")
    name = literal_or(target[0], None) if target else None
    if isinstance(name, str):
        yield use_at(node, "files", f"opens {name}", f"opens {name!r}, which nobody hands to it", review=True)


def _is_class(node: ast.expr, view: View) -> bool:
    """Whether the expression is a class for sure: a builtin one, one of the module, or an object's own."""
    match node:
        case ast.Call(func=ast.Name(id="type")) | ast.Attribute(attr="__class__"):
            return True
        case ast.Name(id=name):
            found = getattr(builtins, name, None) if view.resolve(name) == f"builtins.{name}" else None
            return isinstance(found, type) or (name in view.around.classes and name not in view.local)
    return False
