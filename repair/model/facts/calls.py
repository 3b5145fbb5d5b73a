"""What a function calls and who calls it: short functions whole, of others the head and first sentence."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from analysis.call_sites import calls_of
from analysis.diagnosis import is_test_path
from analysis.function_text import FunctionNode, dotted_name, last_name, parents
from analysis.project_files import imported_from_project
from repair.model.facts.matter import (
    MOST_SHORT,
    Matter,
    clip,
    first_sentence,
    from_margin,
    is_short,
    one_line,
    signature,
    without_secrets,
)

MOST_CALLEES, MOST_CALLERS, MOST_FILES = 8, 2, 60
LINES_AROUND = 3
"""Lines of a caller that are shown above the call."""


def callees(matter: Matter) -> str:
    """The project's functions that it calls, those on lines that ran first; its classes are told apart from them."""
    if matter.node is None:
        return ""
    calls = [each for each in ast.walk(matter.node) if isinstance(each, ast.Call)]
    ranked = sorted(calls, key=lambda each: (each.lineno not in matter.suspicious, each.lineno not in matter.ran))
    found: dict[str, str] = {}
    for call in ranked:
        name = dotted_name(call.func)
        if name and name not in found and (told := _callee(matter, name)):
            found[name] = told
    return "\n".join(list(found.values())[:MOST_CALLEES])


def _callee(matter: Matter, name: str) -> str:
    """What the name stands for, in one or two lines; empty where the project does not define it."""
    path, own = matter.plan.function.path, matter.node
    root, _, rest = name.partition(".")
    if root in ("self", "cls") and matter.owner is not None and rest and "." not in rest:
        return _describe(matter, _member(matter, matter.owner, rest), path, name)
    if matter.module is None:
        return ""
    if not rest and own is not None:
        nested = [n for n in ast.walk(own) if isinstance(n, FunctionNode) and n is not own and n.name == root]
        if nested:
            return ""  # its text is shown
    found = _definition(matter.module, name)
    if found is not None:
        return _describe(matter, found, path, name) if found is not own else ""
    for known in imported_from_project(path, matter.module, matter.texts):
        if known.name == root:
            tree = matter.tree_of(known.path)
            inner = ".".join(filter(None, (known.inner, rest)))
            return _describe(matter, _definition(tree, inner) if tree and inner else None, known.path, name)
    return ""


def _definition(module: ast.Module, dotted: str) -> FunctionNode | ast.ClassDef | None:
    """The function or class of that name in a module, through classes."""
    around: ast.Module | ast.ClassDef | FunctionNode = module
    for part in dotted.split("."):
        inner = [n for n in around.body if isinstance(n, FunctionNode | ast.ClassDef) and n.name == part]
        if not inner:
            return None
        around = inner[-1]
    return around if isinstance(around, FunctionNode | ast.ClassDef) else None


def _member(matter: Matter, owner: ast.ClassDef, name: str) -> FunctionNode | None:
    """The method of the class, or of a base class in the same module."""
    waiting, seen = [owner], set[str]()
    classes = {n.name: n for n in matter.module.body if isinstance(n, ast.ClassDef)} if matter.module else {}
    while waiting:
        current = waiting.pop(0)
        seen.add(current.name)
        for part in current.body:
            if isinstance(part, FunctionNode) and part.name == name:
                return part
        bases = [classes[b.id] for b in current.bases if isinstance(b, ast.Name) and b.id in classes]
        waiting += [base for base in bases if base.name not in seen]
    return None


def _describe(matter: Matter, node: FunctionNode | ast.ClassDef | None, path: str, name: str) -> str:
    if not isinstance(node, FunctionNode):
        return ""
    place = f"{one_line(name, 60)}, {path}:{node.lineno}"
    text = matter.source_of(path, node)
    if is_short(node, text):
        return f"# {place}\n{clip(text, 2 * MOST_SHORT)}"
    sentence = without_secrets(first_sentence(node))
    return f"# {place}\n{one_line(signature(node), 200)}: ..." + (f"  # {one_line(sentence, 160)}" if sentence else "")


def callers(matter: Matter) -> str:
    """Two calls of the function in the project, tests left out, each with the lines above it."""
    return "\n".join(text for _, text in zip(range(MOST_CALLERS), _callers(matter), strict=False))


def _callers(matter: Matter) -> Iterator[str]:
    *outer, name = matter.plan.function.qualname.split(".")
    wanted = (outer[-1] if outer and name == "__init__" else name).encode()
    own = matter.plan.function.path
    holding = [p for p, text in matter.texts.items() if wanted + b"(" in text and not is_test_path(p)]
    for path in sorted(holding, key=lambda each: (each != own, each))[:MOST_FILES]:
        tree = matter.tree_of(path)
        if tree is None:
            continue
        above = parents(tree)
        for call in calls_of(tree, matter.plan.function.qualname):
            owner = _owner(call, above)
            if path == own and owner is not None and matter.node is owner:
                continue  # it calls itself, which is shown
            if last_name(call.func) in ("super",):
                continue
            yield _show_call(matter, path, call, owner)


def _owner(node: ast.AST, above: dict[ast.AST, ast.AST]) -> FunctionNode | None:
    while (node := above.get(node, ast.Module([], []))) and not isinstance(node, ast.Module):
        if isinstance(node, FunctionNode):
            return node
    return None


def _show_call(matter: Matter, path: str, call: ast.Call, owner: FunctionNode | None) -> str:
    first = max(call.lineno - LINES_AROUND, owner.lineno + 1 if owner else 1)
    last = min(call.end_lineno or call.lineno, call.lineno + 5)
    shown = from_margin(one_line_kept(line) for line in matter.lines_of(path)[min(first, call.lineno) - 1 : last])
    where = f"in {signature(owner)}" if owner else "at module level"
    return f"{path}:{call.lineno} {one_line(where, 160)}\n" + "\n".join(f"    {line}" for line in shown.split("\n"))


def one_line_kept(line: str) -> str:
    """A line that keeps its indentation and is cut where it is very long."""
    return line if len(line) <= 160 else line[:159] + "…"
