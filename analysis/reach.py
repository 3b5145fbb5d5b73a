"""What a function's names, attributes, imports, definitions and stores let it reach."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator
from dataclasses import dataclass

from analysis.danger_names import (
    REJECT,
    REVIEW,
    SECRET_ATTRIBUTES,
    UNTROUBLED_MODULES,
    Danger,
    danger_of,
    is_special,
)
from analysis.function_text import FunctionNode
from analysis.surroundings import Surroundings, imported_names
from analysis.use import Use

_BUILTINS = frozenset(dir(builtins)) | {
    "__debug__",
    "__builtins__",
    "__file__",
    "__name__",
    "WindowsError",
    "__class__",
}
_RUNNER_WORDS = ("pytest", "unittest", "conftest")


@dataclass(frozen=True, slots=True)
class _View:
    """The function's own names over those of its module."""

    function: FunctionNode
    around: Surroundings
    imports: dict[str, str]
    local: frozenset[str]

    def resolve(self, name: str) -> str:
        """The dotted name that a plain name stands for; ``""`` for a local, ``module.name`` for a module's own."""
        if name in self.imports:
            return self.imports[name]
        if name in self.local:
            return ""
        if name in _BUILTINS:
            return f"module.{name}" if name in self.around.top else f"builtins.{name}"
        return f"module.{name}" if name in self.around.bound else ""


def reach_of(function: FunctionNode, around: Surroundings) -> Iterator[Use]:
    """All uses that give the function reach beyond its arguments and its module's own names."""
    view = _view(function, around)
    for statement in function.body:
        yield from _walk(statement, view)
    yield from _local_imports(function, around)


def _view(function: FunctionNode, around: Surroundings) -> _View:
    own = dict(imported_names(function))
    outer = {n for node in ast.walk(function) if isinstance(node, ast.Global) for n in node.names}
    local = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)}
    local |= {n.arg for n in ast.walk(function) if isinstance(n, ast.arg)}
    local |= {n.name for n in ast.walk(function) if isinstance(n, (*_DEFINITIONS, ast.ExceptHandler)) and n.name}
    local |= {n.name for n in ast.walk(function) if isinstance(n, (ast.MatchAs, ast.MatchStar)) and n.name}
    local = (local - {function.name} - outer) | {a.arg for a in _parameters(function)}
    imports = {k: v for k, v in around.imports if k not in local} | own
    return _View(function, around, imports, frozenset(local))


_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)


def _parameters(function: FunctionNode) -> list[ast.arg]:
    a = function.args
    return [p for p in (*a.posonlyargs, *a.args, *a.kwonlyargs, a.vararg, a.kwarg) if p is not None]


def _walk(node: ast.AST, view: _View) -> Iterator[Use]:
    yield from _of_node(node, view)
    chain = _chain(node)
    if chain:
        yield from _of_chain(chain, node, view)
        yield from (use for part in _below(node) for use in _walk(part, view))
        return
    for child in ast.iter_child_nodes(node):
        yield from _walk(child, view)


def _chain(node: ast.AST) -> list[str]:
    """``a.b.c`` as its parts; ``getattr(a, "b")`` is read as ``a.b``."""
    match node:
        case ast.Name(id=name):
            return [name]
        case ast.Attribute(value=value, attr=name):
            inner = _chain(value)
            return [*inner, name] if inner else []
        case ast.Call(func=ast.Name(id="getattr"), args=[value, ast.Constant(value=str(name)), *_]):
            inner = _chain(value)
            return [*inner, name] if inner else []
    return []


def _below(node: ast.AST) -> Iterator[ast.AST]:
    """What a chain holds besides its parts: the defaults of ``getattr`` calls."""
    while isinstance(node, (ast.Attribute, ast.Call)):
        if isinstance(node, ast.Call):
            yield from node.args[2:]
            node = node.args[0]
        else:
            node = node.value


def _use(danger: Danger, what: str, node: ast.AST) -> Use:
    key = danger.id if danger.whole else f"{danger.id}:{what}"
    return Use(danger.id, danger.severity, key, int(getattr(node, "lineno", 0)), f"uses {what}, which {danger.does}")


def _own(id: str, what: str, node: ast.AST, claim: str, *, review: bool = False) -> Use:
    return Use(id, REVIEW if review else REJECT, f"{id}:{what}", int(getattr(node, "lineno", 0)), claim)


def _of_chain(chain: list[str], node: ast.AST, view: _View) -> Iterator[Use]:
    root = view.resolve(chain[0])
    for name in chain[1:]:
        if name in SECRET_ATTRIBUTES:
            yield _use(SECRET_ATTRIBUTES[name], f".{name}", node)
    if root:
        danger = danger_of(".".join([root, *chain[1:]]))
        if danger is not None:
            yield _use(danger, ".".join([root.removeprefix("builtins."), *chain[1:]]), node)
    elif chain[0] not in view.local and chain[0] not in _BUILTINS and not view.around.has_star:
        yield _own(
            "name", chain[0], node, f"uses {chain[0]}, which is bound neither in it nor in its module", review=True
        )
    if isinstance(getattr(node, "ctx", None), (ast.Store, ast.Del)):
        yield from _of_store(chain, node, view)


def _of_store(chain: list[str], node: ast.AST, view: _View) -> Iterator[Use]:
    if len(chain) > 1 and is_special(chain[-1]):
        yield _own("definition", chain[-1], node, f"sets {chain[-1]}, which changes how objects behave")
    root = view.resolve(chain[0])
    is_import = chain[0] in view.imports
    is_function = root == f"module.{chain[0]}" and chain[0] in view.around.functions
    if len(chain) > 1 and (is_import or is_function):
        yield _own("patching", ".".join(chain), node, f"changes {'.'.join(chain)}, which is not the function's own")
    elif len(chain) > 1 and root == f"module.{chain[0]}" and chain[0] in view.around.classes:
        yield _own("patching", ".".join(chain), node, f"changes the class {chain[0]}", review=True)


def _of_node(node: ast.AST, view: _View) -> Iterator[Use]:
    match node:
        case ast.Attribute(attr="__class__", value=value) if _is_class(value, view):
            yield _own("definition", "metaclass", node, "takes the class of a class, which makes classes", review=True)
        case ast.Attribute(attr=name, value=value) if not _chain(value) and name in SECRET_ATTRIBUTES:
            yield _use(SECRET_ATTRIBUTES[name], f".{name}", node)
        case ast.Attribute(attr=name, value=value, ctx=ast.Store() | ast.Del()) if not _chain(value) and is_special(
            name
        ):
            yield _own("definition", name, node, f"sets {name}, which changes how objects behave")
        case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()) if len(_chain(value)) > 0:
            yield from _of_item_store(_chain(value), node, view)
        case ast.ClassDef(name=name):
            yield _own("definition", f"class {name}", node, f"defines the class {name}")
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if is_special(name):
            yield _own("definition", name, node, f"defines {name}")
        case ast.Constant(value=str(text)):
            yield from _of_text(text, node)
        case ast.Global(names=names):
            yield from _of_global(names, node, view)
        case ast.Call():
            yield from _of_call(node, view)
        case ast.Lambda(args=args) | ast.FunctionDef(args=args) | ast.AsyncFunctionDef(args=args):
            yield from _of_defaults(args, node)


def _of_item_store(chain: list[str], node: ast.AST, view: _View) -> Iterator[Use]:
    if "__dict__" in chain[1:] and (chain[0] in view.imports or view.resolve(chain[0]).startswith("module.")):
        yield _own("patching", ".".join(chain), node, f"changes {'.'.join(chain)}, which is not the function's own")
    elif chain[0] in view.imports:
        severe = not view.imports[chain[0]].startswith(("os.environ", "."))
        yield _own("patching", ".".join(chain), node, f"changes items of {'.'.join(chain)}", review=not severe)


def _of_text(text: str, node: ast.AST) -> Iterator[Use]:
    if text in SECRET_ATTRIBUTES and text.startswith("__"):
        yield _use(SECRET_ATTRIBUTES[text], f".{text}", node)
    elif is_special(text) and text not in ("__main__", "__init__", "__iter__", "__len__", "__call__", "__getitem__"):
        yield _own("definition", text, node, f"spells {text}", review=True)
    if any(word in text.lower() for word in _RUNNER_WORDS):
        yield _own("runner", text, node, f"mentions the test runner: {text[:40]!r}")


def _of_global(names: list[str], node: ast.AST, view: _View) -> Iterator[Use]:
    for name in names:
        if name in view.around.classes | view.around.functions or name in view.imports:
            yield _own("patching", name, node, f"rebinds the module's {name}")
        elif name not in view.around.bound:
            yield _own("state", name, node, f"makes a new global {name} to remember things in")


def _of_call(node: ast.Call, view: _View) -> Iterator[Use]:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if _makes_class(node):
        yield _own(
            "definition", "namespace", node, "calls with bases and a namespace, as who makes a class", review=True
        )
    if view.resolve(name) != f"builtins.{name}" or not name:
        return
    if name == "type" and len(node.args) + len(node.keywords) > 1:
        yield _own("definition", "type", node, "makes a class with type()")
    elif name == "type" and node.args and _is_class(node.args[0], view):
        yield _own("definition", "metaclass", node, "takes the class of a class, which makes classes", review=True)
    elif name in ("setattr", "delattr") and node.args:
        yield from _of_setattr(node, name, view)
    elif name == "getattr" and len(node.args) > 1 and not isinstance(node.args[1], ast.Constant):
        yield _own("dynamic", "getattr", node, "takes an attribute whose name is made at run time", review=True)


def _makes_class(node: ast.Call) -> bool:
    """The arguments look like those of a metaclass: a name, a tuple of bases, a dict."""
    match node.args:
        case [_, ast.Tuple(), ast.Dict() | ast.DictComp() | ast.Call(func=ast.Name(id="dict"))]:
            return True
    return False


def _is_class(node: ast.expr, view: _View) -> bool:
    """Whether the expression is a class for sure: a builtin one, one of the module, or an object's own."""
    match node:
        case ast.Call(func=ast.Name(id="type")) | ast.Attribute(attr="__class__"):
            return True
        case ast.Name(id=name):
            found = getattr(builtins, name, None) if view.resolve(name) == f"builtins.{name}" else None
            return isinstance(found, type) or (name in view.around.classes and name not in view.local)
    return False


def _of_setattr(node: ast.Call, name: str, view: _View) -> Iterator[Use]:
    match node.args:
        case [target, ast.Constant(value=str(attribute)), *_] if _chain(target):
            stored = list(_of_store([*_chain(target), attribute], node, view))
            yield from stored
            if stored:
                return
    yield _own("patching", name, node, f"uses {name}()", review=True)


def _of_defaults(args: ast.arguments, node: ast.AST) -> Iterator[Use]:
    for default in (*args.defaults, *args.kw_defaults):
        if isinstance(default, (ast.List, ast.Dict, ast.Set, ast.Call)):
            yield _own("state", ast.dump(default), node, "keeps state in a default argument", review=True)


def _local_imports(function: FunctionNode, around: Surroundings) -> Iterator[Use]:
    known = {target.split(".")[0] for _, target in around.imports}
    for node in ast.walk(function):
        for _, target in imported_names(node) if isinstance(node, (ast.Import, ast.ImportFrom)) else ():
            root = target.split(".")[0]
            danger = danger_of(target)
            if danger is not None and (danger.id == "runner" or root.startswith("test")):
                yield _use(danger, target, node)
            elif danger is None and root and root not in UNTROUBLED_MODULES | known:
                yield _own("import", root, node, f"imports {root}", review=True)
