"""How much of pytest an item needs around its call.

0 (``BARE``): nothing. A plain function without fixtures, or a method of a plain ``unittest.TestCase``. 1 (``SETUP``):
fixtures, through pytest's own state of set-up; no hooks and no reports. 2 (``FULL``): everything. Whatever is not known
to be safe below it: marks that act, fixtures that read reports, other kinds of items. Plugins and conftests with hooks
of a test's run belong here too.

The rules only say what may be tried. Before a level is used, the unpatched program runs at that level and at the full
one. Any difference sends the selection to the full one (see ``preflight.py``).
"""

from __future__ import annotations

import inspect
import os
import unittest

import pytest

from _repair_probe.ground.words import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from _repair_probe.ground.words import Value

    Bare = tuple[str, Any, dict[str, Value]]

BARE, SETUP, FULL = 0, 1, 2

_RUN_HOOKS = (
    "pytest_runtest_protocol",
    "pytest_runtest_setup",
    "pytest_runtest_call",
    "pytest_runtest_teardown",
    "pytest_runtest_makereport",
    "pytest_pyfunc_call",
)
# Plugins whose hooks do nothing to an item without their own marks; the second is what else must not be there.
_HARMLESS = {
    "_hypothesis_pytestplugin": "is_hypothesis_test",
    "anyio.pytest_plugin": "",
    "pytest_asyncio.plugin": "",
    "pytest_cov.plugin": "",
    "pytest_mock.plugin": "",
    "pytest_rerunfailures": "",
    "xdist.plugin": "",
}
_ACTING_MARKS = frozenset(
    (
        "filterwarnings",
        "asyncio",
        "anyio",
        "trio",
        "timeout",
        "flaky",
        "hypothesis",
        "benchmark",
        "django_db",
        "twisted",
    )
)
_REPORTING_FIXTURES = frozenset(
    ("caplog", "tmp_path", "tmpdir", "tmp_path_factory", "tmpdir_factory", "subtests", "pytester", "testdir")
)
_CLASS_FIXTURE = "_unittest_setUpClass_fixture_"


def level_of(item: Any, config: pytest.Config) -> int:
    """The lowest level that the rules allow for the item."""
    try:
        if not _is_known_kind(item) or _is_watched(item, config) or _is_marked(item):
            return FULL
        if any(name in _REPORTING_FIXTURES or name.startswith("record_") for name in item.fixturenames):
            return FULL
        return BARE if bare_call(item) is not None and not _has_package_setup(item) else SETUP
    except Exception:  # pytest's private parts differ from what is known here
        return FULL


def bare_call(item: Any) -> Bare | None:
    """What calls the test without fixtures: (kind, thing, keyword arguments), or ``None``."""
    if type(item).__name__ == "TestCaseFunction":
        return ("case", item.parent.obj, {}) if _is_plain_case(item) else None
    arguments = _direct_arguments(item)
    if arguments is None:
        return None
    if isinstance(item.parent, pytest.Class):
        return ("method", (item.parent.obj, item.originalname), arguments)
    return ("function", item.obj, arguments)


def _is_known_kind(item: Any) -> bool:
    from _pytest.unittest import TestCaseFunction

    parent = item.parent
    if type(item) is TestCaseFunction:
        return _calls_once(item.obj) and not getattr(parent.obj, "__unittest_skip__", False)
    return type(item) is pytest.Function and _calls_once(item.obj)


def _calls_once(function: Any) -> bool:
    """Neither a coroutine nor a generator, and without what old plugins look for."""
    kinds = (inspect.iscoroutinefunction, inspect.isgeneratorfunction, inspect.isasyncgenfunction)
    odd = any(kind(function) for kind in kinds)
    return not odd and not hasattr(function, "setup") and not hasattr(function, "teardown")


def _is_watched(item: Any, config: pytest.Config) -> bool:
    """Whether a hook that is neither pytest's nor known as harmless runs around the item."""
    for name in _RUN_HOOKS:
        for implementation in getattr(item.ihook, name).get_hookimpls():
            module = getattr(implementation.function, "__module__", None) or ""
            if module.startswith(("_pytest.", "_repair_probe.")):
                continue
            top = next((known for known in _HARMLESS if module == known or module.startswith(known + ".")), None)
            if top is None or (_HARMLESS[top] and getattr(item.obj, _HARMLESS[top], False)):
                return True
    return bool(config.getoption("setupshow", False) or config.getoption("usepdb", False))


def _is_marked(item: pytest.Item) -> bool:
    from _pytest.skipping import evaluate_skip_marks, evaluate_xfail_marks

    marks = list(item.iter_markers())
    if any(mark.name in _ACTING_MARKS for mark in marks):
        return True
    conditional = [mark for mark in marks if mark.name in ("skip", "skipif", "xfail")]
    if any(isinstance(value, str) for mark in conditional for value in mark.args):
        return True  # a condition in a string is evaluated anew each time
    return bool(conditional) and (evaluate_skip_marks(item) or evaluate_xfail_marks(item)) is not None


def _is_plain_case(item: Any) -> bool:
    case, plain = item.parent.obj, unittest.TestCase
    own = [getattr(case, name) for name in ("run", "__call__", "debug", "doCleanups")]
    shared = [getattr(case, name).__func__ for name in ("setUpClass", "tearDownClass", "doClassCleanups")
              if hasattr(plain, name)]  # fmt: skip
    return (
        own == [getattr(plain, name) for name in ("run", "__call__", "debug", "doCleanups")]
        and shared == [getattr(plain, n).__func__ for n in ("setUpClass", "tearDownClass", "doClassCleanups")
                       if hasattr(plain, n)]
        and all(name == "request" or name.startswith(_CLASS_FIXTURE) for name in item.fixturenames)
        and not getattr(item.obj, "__unittest_skip__", False)
    )  # fmt: skip


def _direct_arguments(item: Any) -> dict[str, Value] | None:
    """Arguments of a function that needs no fixture; ``None`` where one is needed."""
    spec = getattr(item, "callspec", None)
    given = {} if spec is None else dict(getattr(spec, "funcargs", None) or {})
    if spec is not None and not given:  # parameters come by way of fixtures of their own
        from _pytest import fixtures, python

        home = python if hasattr(python, "get_direct_param_fixture_func") else fixtures
        direct = home.get_direct_param_fixture_func
        known = item._fixtureinfo.name2fixturedefs
        for name, value in spec.params.items():
            if [definition.func for definition in known.get(name, ())] != [direct]:
                return None
            given[name] = value
    if any(name not in given for name in item.fixturenames):
        return None
    return {name: given[name] for name in item._fixtureinfo.argnames}


def _has_package_setup(item: Any) -> bool:
    """Whether a package above the item may have a set-up function of its own."""
    for node in item.listchain():
        if type(node).__name__ != "Package":
            continue
        path = os.path.join(str(getattr(node, "path", None) or node.fspath.dirname), "__init__.py")
        try:
            with open(path, "rb") as stream:
                text = stream.read()
        except OSError:
            continue
        if any(name in text for name in (b"setUpModule", b"setup_module", b"tearDownModule", b"teardown_module")):
            return True
    return False
