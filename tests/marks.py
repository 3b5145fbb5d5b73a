"""Marks by rule: ``lab`` for the place where a test lies, ``slow`` for a sandbox that it opens.

By hand a test is marked ``real`` or ``agents``, which nothing shows, and ``lab`` where it makes many tries of one
thing. A test is slow where it, its fixtures or what they call in our tests uses one of ``DOORS`` or ``COMMANDS``, or
where it starts whole commands. A test that starts the tests of a project and is neither slow by this rule nor the
laboratory's fails, and says so: a door is missing here.
"""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType

import pytest

HERE = Path(__file__).parent

LABORATORY = (
    "corpora/lab",
    "end_to_end/test_bench.py",
    "end_to_end/test_bench_mutation.py",
)
"""Where tests of our own measuring and learning lie: what users get does not run it."""

TELLING = "[humanize-naturalsize]"
"""The real case whose tests belong to all; those of the others are the laboratory's."""

WHOLE_COMMANDS = ("end_to_end",)
"""Where each test starts the whole command."""

DOORS = frozenset(
    """
    LocalSandbox environment grade held mine_git mine_releases open_project run_probes score verify
    """.split()  # noqa: SIM905
)
"""Functions that open a sandbox or install an environment."""

COMMANDS = frozenset({"inject", "verify"})
"""Words of commands that open a sandbox, where a test runs them in its own process."""

PROBE = "_repair_probe.main"
"""What stands in every command line that runs the tests of a project."""


def mark(item: pytest.Item) -> None:
    """Gives the item the marks that follow from what it is."""
    real = item.get_closest_marker("real") is not None
    if _lies_in(item, LABORATORY) or (real and TELLING not in item.name):
        item.add_marker(pytest.mark.lab)
    if real or _lies_in(item, WHOLE_COMMANDS) or opens_a_sandbox(item):
        item.add_marker(pytest.mark.slow)


def opens_a_sandbox(item: pytest.Item) -> bool:
    """Whether a door is used by the test, by a fixture of it, or by what these call in our tests."""
    used = [_used(start) for start in _starts(item)]
    return any(names & DOORS or words & COMMANDS for names, words in used)


def _lies_in(item: pytest.Item, places: tuple[str, ...]) -> bool:
    return _is_below(item.path, places)


@functools.cache
def _is_below(path: Path, places: tuple[str, ...]) -> bool:
    return any(path.is_relative_to(HERE / place) for place in places)


def _starts(item: pytest.Item) -> Iterator[object]:
    if isinstance(item, pytest.Function):
        yield inspect.unwrap(item.function)
        yield getattr(getattr(item.function, "hypothesis", None), "inner_test", None)
        for definitions in item._fixtureinfo.name2fixturedefs.values():
            yield from (definition.func for definition in definitions)


@functools.cache
def _used(start: object) -> tuple[frozenset[str], frozenset[str]]:
    """The global names and the words that a function or class of our tests uses, with all that it uses of them."""
    names: set[str] = set()
    words: set[str] = set()
    seen: set[object] = set()
    waiting = [start]
    while waiting:
        value = waiting.pop()
        if not _is_ours(value) or value in seen:
            continue
        seen.add(value)
        if isinstance(value, type):
            waiting.extend(vars(value).values())
            continue
        function = inspect.unwrap(value)
        for code in _codes(function.__code__):
            used = function.__globals__.keys() & code.co_names
            names |= used
            words |= set(_words(code.co_consts))
            waiting.extend(function.__globals__[name] for name in used)
    return frozenset(names), frozenset(words)


def _is_ours(value: object) -> bool:
    """Whether it is a function or class of our tests; some of their values answer no question unharmed."""
    if type(value) is FunctionType:
        return _is_below(Path(inspect.unwrap(value).__code__.co_filename), (".",))
    module = sys.modules.get(value.__module__) if type(value) is type else None
    return _is_below(Path(getattr(module, "__file__", None) or "/"), (".",))


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _words(constants: tuple[object, ...]) -> Iterator[str]:
    for constant in constants:
        if isinstance(constant, str):
            yield constant
        elif isinstance(constant, tuple):
            yield from _words(constant)
