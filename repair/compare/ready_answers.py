"""Answers that are ready to be given: what a witness shows, as a person would write it behind ``--answer``."""

from __future__ import annotations

import ast
import builtins
import functools
import itertools
import sys

from analysis.behaviour import Call, Raised, Returned, Witness
from analysis.calls import FOLDERS
from analysis.facts import Files, FunctionId
from analysis.function_text import first_line_of
from repair.compare.answers import (
    PersonsAnswer,
    dotted_names_in,
    is_literal,
    lines_of,
    module_of,
    needs_helpers,
    parsed_expression,
    read_answer,
    unparsed,
)
from repair.compare.made_values import AFTER, MADE, ClassNames, class_names, making

_READ = frozenset(("property", "cached_property"))
"""Decorators of what is read and not called."""


def write_answer(function: FunctionId, witness: Witness, sources: Files, instance: str = "") -> str:
    """The answer "as this patch does" to a witness, for a person to give or change; ``""`` where none can be written.

    What is no literal is made from its picture, a method's instance too: see `made_values.py`. None can be written
    where a picture does not say enough, and where something is a path in a folder that only the run had. An expression
    ``instance`` stands for the picture of the instance where one is given.

    Examples: of the call ``half(3)``, which ``returns 1``, comes ``package.half(3) == 1``; of ``total()`` on
    ``Cart(items=[2])`` comes ``made(shop.Cart, items=[2]).total() == 2``.
    """
    function = witness.call.of or function
    module, call = module_of(function.path, sources), witness.call
    classes = class_names(function.path, sources, lambda path: module_of(path, sources))
    text = dict(sources).get(function.path, b"")
    called = _called(function, call, module, text, classes, instance) if module else ""
    if not called or _names_a_folder(called):
        return ""
    match witness.mine:
        case Raised(name, left=""):
            raised = name if hasattr(builtins, name) else classes(name)
            return f"{called} raises {raised}" if raised else ""
        case Returned("None", True, "") if called.startswith("type("):
            return f"{called} == {module}.{function.qualname.rpartition('.')[0]}"
        case Returned(value, True, left) if not _names_a_folder(value + left):
            return _gives(called, value, left, classes)
    return ""


def _called(function: FunctionId, call: Call, module: str, text: bytes, classes: ClassNames, known: str = "") -> str:
    """The call as an expression; ``""`` where there is none. That of a constructor gives the class of what it makes."""
    if "<locals>" in function.qualname:
        return ""
    arguments = _given(call.exact or call.arguments, classes)
    owner, _, name = function.qualname.rpartition(".")
    instance = known or (making(call.instance, classes) if call.instance else "")
    kinds = _decorators_of(text, function) if owner else frozenset()
    match owner, name:
        case _ if not arguments or (name.startswith("__") and not name.endswith("__")):
            return ""
        case "", _:
            return "" if call.context and not call.exact else f"{module}.{name}{arguments}"
        case _, "__init__":
            return f"type({module}.{owner}{arguments})"
        case _ if kinds & {"staticmethod", "classmethod"}:
            return f"{module}.{function.qualname}{arguments}"
        case _ if not instance or kinds & {"setter", "deleter"}:
            return ""
        case _ if (
            not known and call.instance.partition("(")[0] != owner
        ):  # a class below it may have a method of its own
            inner = f"{instance}, {arguments[1:]}" if arguments != "()" else f"{instance})"
            return "" if kinds & _READ else f"{module}.{function.qualname}({inner}"
        case _ if kinds & _READ:
            return f"{instance}.{name}"
    return f"{instance}.{name}{arguments}"


def _given(arguments: str, classes: ClassNames) -> str:
    """Arguments as source, in parentheses; ``""`` where the text of one does not make it."""
    call = parsed_expression(f"f{arguments}")
    if not isinstance(call, ast.Call) or any(each.arg is None for each in call.keywords):
        return ""
    made = [_source(each, classes) for each in call.args]
    named = [(each.arg, _source(each.value, classes)) for each in call.keywords]
    if not all((*made, *(text for _, text in named))):
        return ""
    return f"({', '.join([*made, *(f'{key}={text}' for key, text in named)])})"


def _source(node: ast.expr, classes: ClassNames) -> str:
    text = unparsed(node)
    return text if not text or is_literal(node) else making(text, classes)


def _gives(called: str, value: str, left: str, classes: ClassNames) -> str:
    """What a call gives, or leaves of its instance where two programs differ in that alone."""
    if left:
        call, parsed = parsed_expression(called), parsed_expression(left.removeprefix("args "))
        match parsed:
            case ast.Tuple(elts=[ast.List(elts=[after, *_]), _]) if called.startswith(f"{MADE}(") and (
                isinstance(call, ast.Call)
            ):
                changed = ast.Call(ast.Name(AFTER), [call.func, *call.args], call.keywords)
                made = making(unparsed(after), classes)
                return f"{unparsed(changed)} == {made}" if made else ""
        return ""
    if value.startswith("items ["):
        called, value = f"list({called})", value.removeprefix("items ")
    result = parsed_expression(value)
    made = _source(result, classes) if result is not None else ""
    return f"{called} == {made}" if made else ""


def _names_a_folder(text: str) -> bool:
    """Whether it speaks of a folder that has another name in each run: ``'<tmp>/a.txt'``."""
    return any(folder in text for folder in FOLDERS)


def write_as_test(answer: str) -> tuple[str, ...]:
    """The lines of a test that holds a ready answer, for a person to confirm and to keep.

    None for one that speaks of an instance by its state: it reads well behind ``--answer`` alone.
    """
    read = read_answer(answer)
    if needs_helpers(read):
        return ()
    body = lines_of(read)
    imports = [f"import {name}" for name in _modules_in(read)]
    imports += ["import pytest"] if any("pytest." in line for line in body) else []
    name = next(each for each in dotted_names_in(read) if len(each) > 1)[-1].lower()
    return (*imports, "", f"def test_{name}():", *(f"    {line}" for line in body))


def _modules_in(answer: PersonsAnswer) -> list[str]:
    """The modules of its names, as they are usually written: what follows begins with a capital, or comes last."""
    found = set()
    for names in (each for each in dotted_names_in(answer) if len(each) > 1):
        before = itertools.takewhile(lambda name: not name[:1].isupper(), names[:-1])
        found.add(names[0] if names[0] in sys.stdlib_module_names else ".".join(before))
    return sorted(found)


@functools.cache
def _decorators_of(text: bytes, function: FunctionId) -> frozenset[str]:
    """The last names of its decorators: ``setter`` of ``@total.setter``."""
    try:
        nodes = [each for each in ast.walk(ast.parse(text)) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)]
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    listed = [d for each in nodes if first_line_of(each) == function.first_line for d in each.decorator_list]
    names = (each.func if isinstance(each, ast.Call) else each for each in listed)
    return frozenset(each.attr if isinstance(each, ast.Attribute) else getattr(each, "id", "") for each in names)
