"""The work of the benchmarks: functions of real libraries, pinned by hash, with the tests that run them.

The first four are the figures' libraries: a plain function, a generator behind re-exports, a decorated
function with fixtures, and one whose import is slow. The others are cheap to run cold and give volume, the largest
last, so that they can take what the others do not have.
"""

from __future__ import annotations

from dataclasses import dataclass

from corpora.lab.cases import HUMANIZE, SQLPARSE, TABULATE
from corpora.lab.pinned import SourcePackage

# pytest with the plugins that many developers have, all loaded by default.
PLUGINS = (
    *("pytest==9.2.0", "pluggy==1.7.0", "iniconfig==2.3.1", "packaging==26.3", "pygments==2.21.0"),
    *("pytest-cov==7.1.0", "coverage==7.17.3", "pytest-xdist==3.8.0", "execnet==2.1.2"),
    *("hypothesis==6.170.15", "sortedcontainers==2.4.0"),
)


@dataclass(frozen=True, slots=True)
class Work:
    """Mutants of these functions of one file, against these tests. ``most`` bounds how many of them run cold."""

    name: str
    package: SourcePackage
    path: str
    functions: tuple[str, ...]
    tests: tuple[str, ...]
    requirements: tuple[str, ...] = PLUGINS
    most: int = 10_000
    timed: bool = False
    """Whether it is one of the libraries that the figures are medians of."""
    build: bool = False
    """Whether extension modules are built in the tree first."""


BOLTONS = SourcePackage("boltons", "26.2.0", "d39cfd15c1a1c3bd4d705c82252fa9edb8e4f5e8cc039f8e39afac7b1b47e92c")
MORE = SourcePackage("more-itertools", "11.2.1", "cbf08fd0af284dc69718b9b76a8e6203df624d70209ea511e4219d350c856f63")
NETWORKX = SourcePackage("networkx", "3.6.1", "26b7c357accc0c8cde558ad486283728b65b6a95d85ee1cd66bafab4c8168509")
SYMPY = SourcePackage("sympy", "1.14.0", "d3d3fe8df1e5a0b42f0e7bdf50541697dbe7d23746e894990c030e2b05e72517")
TOOLZ = SourcePackage("toolz", "1.0.0", "2c86e3d9a04798ac556793bced838816296a2f085017664e4995cb40a1047a02")

_MORE_TESTS = (
    *("ReplaceTests", "ZipOffsetTest", "ChunkedTests", "AdjacentTests", "SlicedTests", "LocateTests"),
    *("DifferenceTest", "SplitAtTests", "RlocateTests", "StaggerTest", "SplitIntoTests"),
)

WORKS = (
    Work(
        "more-itertools",
        MORE,
        "more_itertools/more.py",
        ("windowed",),
        ("tests/test_more.py::WindowedTests",),
        timed=True,
    ),
    Work(
        "boltons",
        BOLTONS,
        "boltons/strutils.py",
        ("format_int_list",),
        ("tests/test_strutils.py::test_format_int_list",),
        timed=True,
    ),
    Work(
        "networkx",
        NETWORKX,
        "networkx/algorithms/core.py",
        ("core_number",),
        ("networkx/algorithms/tests/test_core.py",),
        most=40,
        timed=True,
    ),
    Work(
        "sympy",
        SYMPY,
        "sympy/utilities/iterables.py",
        ("kbins",),
        ("sympy/utilities/tests/test_iterables.py::test_kbins",),
        requirements=(*PLUGINS, "mpmath==1.3.0"),
        most=20,
        timed=True,
    ),
    Work(
        "boltons-strutils",
        BOLTONS,
        "boltons/strutils.py",
        (
            *("singularize", "MultiReplace.__init__", "strip_ansi", "complement_int_list", "parse_int_list"),
            *("int_ranges_from_int_list", "unwrap_text", "iter_splitlines", "is_uuid", "slugify", "bytes2human"),
        ),
        ("tests/test_strutils.py",),
    ),
    Work(
        "humanize-filesize",
        HUMANIZE.pair.new,
        "src/humanize/filesize.py",
        ("naturalsize",),
        ("tests/test_filesize.py",),
        HUMANIZE.requirements,
    ),
    Work(
        "sqlparse-grouping",
        SQLPARSE.pair.new,
        "sqlparse/engine/grouping.py",
        ("_group", "_group_matching", "group_functions", "group_identifier", "group_order", "group_where"),
        ("tests/test_grouping.py",),
        SQLPARSE.requirements,
    ),
    Work(
        "tabulate",
        TABULATE.pair.new,
        "tabulate.py",
        ("_align_column", "_type", "_format", "_column_type", "_afterpoint", "_isnumber", "_isint", "_multiline_width"),
        ("test/test_internal.py", "test/test_textwrapper.py", "test/test_regression.py"),
        TABULATE.requirements,
    ),
    Work(
        "more-itertools-more",
        MORE,
        "more_itertools/more.py",
        (
            *("replace", "zip_offset", "chunked", "adjacent", "sliced", "locate", "difference", "split_at"),
            *("rlocate", "stagger", "split_into"),
        ),
        tuple(f"tests/test_more.py::{name}" for name in _MORE_TESTS),
    ),
    Work(
        "toolz-itertoolz",
        TOOLZ,
        "toolz/itertoolz.py",
        (
            *("join", "diff", "_merge_sorted_binary", "get", "partition_all", "reduceby", "pluck", "interleave"),
            *("isdistinct", "unique", "accumulate", "groupby", "sliding_window", "topk", "partition"),
        ),
        ("toolz/tests/test_itertoolz.py",),
    ),
    Work(
        "humanize-number",
        HUMANIZE.pair.new,
        "src/humanize/number.py",
        ("intword", "scientific", "metric", "fractional", "clamp", "intcomma", "ordinal", "apnumber"),
        ("tests/test_number.py",),
        HUMANIZE.requirements,
    ),
    Work(
        "boltons-iterutils",
        BOLTONS,
        "boltons/iterutils.py",
        (
            *("bucketize", "chunked_iter", "chunk_ranges", "split_iter", "redundant", "frange", "unique_iter"),
            *("research", "windowed_iter", "xfrange", "rstrip_iter", "same", "flatten_iter", "lstrip_iter"),
            *("backoff_iter", "remap"),
        ),
        ("tests/test_iterutils.py",),
    ),
)
