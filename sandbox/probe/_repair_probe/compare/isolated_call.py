"""One function called on plain values in a process of its own: its module is imported, and neither tests nor pytest.

Values go in and text comes out; nothing here knows what is expected. With ``like_tests`` the process looks like one
that runs tests, so that a function that can tell the difference shows it.
"""

from __future__ import annotations

import ast
import hashlib
import importlib
import os
import random
import sys
import tempfile
import types
from time import monotonic

from _repair_probe.compare.evaluate import call
from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FunctionType, ModuleType
    from typing import Any

    from _repair_probe.compare.evaluate import CallOutcome
    from _repair_probe.ground.report import Report
    from _repair_probe.ground.words import Fields

_ALL_SECONDS = 10.0
"""What all calls in the process may take."""


def answer(request: Fields, report: Report) -> int:
    """One ``answer`` event: for each call what came out and its digest, or ``why`` the function cannot be called."""
    if request["like_tests"]:
        _look_like_tests()
    else:
        sys.argv[:] = ["-c"]
    for name in [name for name in sys.modules if name.startswith("_repair_probe")]:
        del sys.modules[name]
    try:
        function = _function(request["root"], request["files"][0], request["subject"])
    except BaseException as problem:  # a module may raise anything, or exit, while it is imported
        why = "%s: %s" % (type(problem).__name__, str(problem)[:300])
        report.event("answer", why=why, told=[], nonce=request["nonce"])
        return 0
    if not request["like_tests"]:
        os.chdir(tempfile.mkdtemp())
    told = _answers_in_order(function, request["calls"], request["call_seconds"])
    report.event("answer", why="", told=told, nonce=request["nonce"])
    return 0


def digest_of(outcome: CallOutcome) -> str:
    """What two equal outcomes share, in any process."""
    return hashlib.sha256(
        ("%s\0%s" % ("\0".join(outcome.result), outcome.state)).encode("utf-8", "replace")
    ).hexdigest()[:20]


def _answers_in_order(function: FunctionType, calls: Sequence[Sequence[str]], seconds: float) -> list[list[Any] | None]:
    """In an order of its own; ``None`` for what came too late or does not end."""
    until = monotonic() + _ALL_SECONDS
    order = list(range(len(calls)))
    random.Random(len(calls)).shuffle(order)
    told: list[list[Any] | None] = [None] * len(calls)
    for place in order:
        if monotonic() > until:
            break
        args, kwargs = (ast.literal_eval(text) for text in calls[place])
        outcome = call(function, args, kwargs, seconds)
        if outcome.came_to_an_end:
            told[place] = [digest_of(outcome), outcome.wire()]
    return told


def _function(root: str, path: str, subject: str) -> FunctionType:
    """The function that whoever imports the module gets, where that is the one of the file itself."""
    module = _module(os.path.join(root, path))
    found: Any = module
    for name in subject.split("."):
        found = getattr(found, name)
    if type(found) is not types.FunctionType:
        raise TypeError("%s is no plain function" % subject)
    code = found.__code__
    if (
        os.path.realpath(code.co_filename) != os.path.realpath(module.__file__ or "")
        or code.co_name != subject.rpartition(".")[2]
    ):
        raise TypeError("%s is wrapped" % subject)
    return found


def _module(path: str) -> ModuleType:
    """The module of the file, imported by the name that its packages give it."""
    folder, name = os.path.split(path[: -len(".py")])
    names = [] if name == "__init__" else [name]
    while os.path.exists(os.path.join(folder, "__init__.py")):
        folder, package = os.path.split(folder)
        names.insert(0, package)
    if folder not in sys.path:
        sys.path.insert(1, folder)
    module = importlib.import_module(".".join(names))
    if os.path.realpath(module.__file__ or "") != os.path.realpath(path):
        raise ImportError("%s is another module" % ".".join(names))
    return module


def _look_like_tests() -> None:
    import pytest

    os.environ["PYTEST_CURRENT_TEST"] = "tests/test_it.py::test_it (call)"
    os.environ["PYTEST_VERSION"] = pytest.__version__
    sys.argv[:] = [pytest.__file__.replace("__init__", "__main__")]
