"""YAML as data, where a library that reads it is installed: PyYAML or ruamel.yaml. Nothing else needs one.

Tags that would make objects are refused, and so is a text whose aliases grow beyond all measure.
"""

from __future__ import annotations

import io
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

MOST_NODES = 500_000
"""Nodes that a text stands for, each alias as often as it is named: nested ones may stand for billions."""


class NoYaml(ValueError):
    """No library that reads YAML is there; says what to do."""


def read_yaml(text: str) -> Any:
    """The data of the text. Raises ``ValueError`` with what is wrong, and ``NoYaml`` where nothing can read it."""
    load = _find_loader()
    try:
        data = load(text)
    except Exception as problem:  # a tag's text may bring about any: `!!bool maybe` a KeyError
        raise ValueError(_said(problem)) from problem
    _refuse_many_nodes(data)
    return data


def _find_loader() -> Callable[[str], Any]:
    """What reads YAML here, the safe forms alone."""
    if find_spec("yaml") is not None:
        safe_load: Callable[[str], Any] = import_module("yaml").safe_load
        return safe_load
    if find_spec("ruamel.yaml") is not None:
        ruamel = import_module("ruamel.yaml")
        return lambda text: ruamel.YAML(typ="safe", pure=True).load(io.StringIO(text))
    raise NoYaml(
        "YAML is read with PyYAML, which is not installed: `pip install 'PyYAML>=6'` beside the engine, or write JSON"
    )


def _refuse_many_nodes(data: Any) -> None:
    """Raise ``ValueError`` where the data, with each alias in full, is too much to print or to walk, or has no end."""
    waiting, seen = [data], 0
    while waiting:
        seen += 1
        if seen > MOST_NODES:
            raise ValueError(f"with its aliases in full it stands for more than {MOST_NODES:,} nodes")
        node = waiting.pop()
        if isinstance(node, dict):
            waiting += [*node.keys(), *node.values()]
        elif isinstance(node, list | tuple | set):
            waiting += node


def _said(problem: Exception) -> str:
    mark = getattr(problem, "problem_mark", None)
    said = getattr(problem, "problem", None) or str(problem).partition("\n")[0]
    place = f" in line {mark.line + 1}" if mark is not None else ""
    return f"it is no YAML: {said}{place}"
