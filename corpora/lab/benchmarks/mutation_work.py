"""The functions that are mutated by mutmut and by us: of real libraries, pinned by hash, of several shapes."""

from __future__ import annotations

from dataclasses import dataclass

from corpora.lab.benchmarks.mutmut_tree import MUTMUT, Subject
from corpora.lab.benchmarks.work import BOLTONS, MORE, PLUGINS, TOOLZ
from corpora.lab.cases import HUMANIZE, PYTEST, SQLPARSE
from corpora.lab.pinned import SourcePackage

ASYNC = SourcePackage("asyncstdlib", "3.14.0", "f99396992a3bba7495d8cf6c832bfe8c8727f61213233d3569a5a9cbd1c04385")

REQUIREMENTS = (*PLUGINS, *MUTMUT, *(each for each in HUMANIZE.requirements if each not in PYTEST))


@dataclass(frozen=True, slots=True)
class Case:
    """One function, or all of a file; ``shape`` says why it is among them."""

    name: str
    shape: str
    package: SourcePackage
    subject: Subject


CASES = (
    Case(
        "boltons",
        "plain",
        BOLTONS,
        Subject("boltons/strutils.py", "format_int_list", ("tests/test_strutils.py",)),
    ),
    Case(
        "more-itertools",
        "generator",
        MORE,
        Subject("more_itertools/more.py", "windowed", ("tests/test_more.py::WindowedTests",)),
    ),
    Case(
        "humanize",
        "plain, parametrized tests",
        HUMANIZE.pair.new,
        Subject("src/humanize/number.py", "intword", ("tests/test_number.py",)),
    ),
    Case(
        "toolz",
        "generator",
        TOOLZ,
        Subject("toolz/itertoolz.py", "partition_all", ("toolz/tests/test_itertoolz.py",)),
    ),
    Case(
        "async",
        "coroutine",
        ASYNC,
        Subject("asyncstdlib/builtins.py", "sorted", ("unittests/test_builtins.py",)),
    ),
    Case(
        "async-generator",
        "asynchronous generator",
        ASYNC,
        Subject("asyncstdlib/itertools.py", "islice", ("unittests/test_itertools.py",)),
    ),
    Case(
        "boltons-method",
        "method",
        BOLTONS,
        Subject("boltons/strutils.py", "MultiReplace.__init__", ("tests/test_strutils.py",)),
    ),
    Case(
        "sqlparse",
        "decorated",
        SQLPARSE.pair.new,
        Subject("sqlparse/engine/grouping.py", "group_order", ("tests/test_grouping.py",)),
    ),
    Case(
        "humanize-module",
        "a whole module, as users of mutmut run it",
        HUMANIZE.pair.new,
        Subject("src/humanize/number.py", "", ("tests/test_number.py",)),
    ),
    Case(
        "boltons-module",
        "a whole module with many functions",
        BOLTONS,
        Subject("boltons/strutils.py", "", ("tests/test_strutils.py",)),
    ),
)
