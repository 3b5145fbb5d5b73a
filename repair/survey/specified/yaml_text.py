"""YAML as data, where a library that reads it is installed: PyYAML or ruamel.yaml. Nothing else needs one.

Tags that would make objects are refused, and so is a text whose aliases grow beyond all measure.
"""

from __future__ import annotations

import io
from importlib import import_module
from importlib.util import find_spec
from typing import Any

MOST_ALIASES = 1_000
"""Aliases of a text; nested ones may stand for billions of nodes."""


class NoYaml(ValueError):
    """No library that reads YAML is there; says what to do."""


def read_yaml(text: str) -> Any:
    """The data of the text. Raises ``ValueError`` with what is wrong, and ``NoYaml`` where nothing can read it."""
    if text.count("*") > MOST_ALIASES and text.count("&"):
        raise ValueError(f"it has more than {MOST_ALIASES} aliases")
    if find_spec("yaml") is not None:
        yaml = import_module("yaml")
        try:
            return yaml.safe_load(text)
        except yaml.YAMLError as problem:
            raise ValueError(_said(problem)) from problem
    if find_spec("ruamel.yaml") is not None:
        ruamel = import_module("ruamel.yaml")
        try:
            return ruamel.YAML(typ="safe", pure=True).load(io.StringIO(text))
        except ruamel.error.YAMLError as problem:
            raise ValueError(_said(problem)) from problem
    raise NoYaml("YAML is read with PyYAML, which is not installed: `pip install 'repair-engine[yaml]'`, or write JSON")


def _said(problem: Exception) -> str:
    mark = getattr(problem, "problem_mark", None)
    said = getattr(problem, "problem", None) or str(problem).partition("\n")[0]
    place = f" in line {mark.line + 1}" if mark is not None else ""
    return f"it is no YAML: {said}{place}"
