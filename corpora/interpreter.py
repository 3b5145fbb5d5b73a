"""Which interpreter runs a bug's tests: the one that the corpus asks for, with the packages that it pins."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

from analysis.errors import TargetError
from corpora.bench.interpreters import find_interpreter
from corpora.bug import Environment
from corpora.environment import environment


def interpreter_of(needs: Environment, python: str, cache: Path, env: Mapping[str, str]) -> str:
    """Path of the interpreter for a bug that needs this. ``python`` is the one to use where the bug names none.

    Pinned requirements get an environment of their own in the cache. Raises ``TargetError`` where there is no such
    Python or no such package.
    """
    base = find_interpreter(needs.python, env) if needs.python else python or sys.executable
    if not base:
        raise TargetError(f"There is no Python {needs.python} here", remedy="Install it, or put it on PATH.")
    return environment(needs.requirements, cache, base) if needs.requirements else base
