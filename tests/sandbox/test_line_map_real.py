"""On suites of real libraries our quick maps hold the pairs of test and line that a plain trace function gives.

Where two runs may differ by themselves, the tests in question are named here, with the reason.
"""

from __future__ import annotations

import sys
from pathlib import Path

import platformdirs
import pytest

from analysis.errors import TargetError
from analysis.facts import Limits, Point, PointKind, Recording, TestRun
from corpora.environment import environment
from corpora.lab.cases import HUMANIZE, SQLPARSE
from corpora.lab.pinned import SourcePackage, fetch
from corpora.source_package import IndexUnreachableError, case_cache, unpack

pytestmark = pytest.mark.real

MORE = ("freezegun==1.5.5", "python-dateutil==2.9.0.post0", "six==1.17.0")
TOOLS = (
    *("pytest==8.4.2", "pluggy==1.6.0", "iniconfig==2.1.0", "packaging==25.0", "Pygments==2.19.2"),
    *MORE,
)
PATIENT = Limits(wall_seconds=600.0, cpu_seconds=600.0, test_seconds=300.0)
# A recursion that ends at the limit: a trace function written in Python needs frames of its own, and ends earlier.
DEEP = {"tests/test_regressions.py::test_max_recursion"}


def python_for(version: str) -> str:
    """An interpreter of that version with the libraries' requirements; skips where there is none."""
    own = "{}.{}".format(*sys.version_info[:2])
    found = sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python{version}"))
    base = sys.executable if version == own else str(found[-1]) if found else None
    if base is None:
        pytest.skip(f"no Python {version} on this machine")
    try:
        cache = platformdirs.user_cache_path("repair-engine-tests")
        return environment(TOOLS, cache, base)
    except TargetError as problem:
        pytest.skip(f"no environment for Python {version}: {problem}")


def unpacked(package: SourcePackage, root: Path) -> Path:
    try:
        unpack(fetch(package, case_cache()), root)
    except IndexUnreachableError as problem:
        pytest.skip(str(problem))
    return root


def pairs(sandbox, tests: list[str], tracer: str) -> set[tuple[str, str, int]]:
    run = sandbox.run(tests, trace=tracer)
    assert isinstance(run, TestRun), run
    assert run.collection_errors == ()
    return {(test, path, n) for test, files in run.line_map for path, lines in files for n in lines}


SUITES = [
    (HUMANIZE.pair.new, "3.11"),
    (SQLPARSE.pair.new, "3.11"),
    (HUMANIZE.pair.new, "3.12"),
]


@pytest.mark.parametrize(("package", "version"), SUITES, ids=str)
def test_the_same_pairs_as_a_trace_function(package, version, tmp_path, open_sandbox):
    python = python_for(version)
    sandbox = open_sandbox(unpacked(package, tmp_path / "tree"), python=python, limits=PATIENT)
    ours, reference = pairs(sandbox, ["tests"], "auto"), pairs(sandbox, ["tests"], "settrace")
    assert len(reference) > 5_000
    assert {test for test, _, _ in ours ^ reference} <= DEEP


def test_values_of_a_real_function(tmp_path, open_sandbox):
    sandbox = open_sandbox(unpacked(HUMANIZE.pair.new, tmp_path / "tree"), python=python_for("3.11"))
    source = (tmp_path / "tree/src/humanize/number.py").read_text().splitlines()
    line = next(n for n, text in enumerate(source, start=1) if text.startswith("def ordinal("))
    entry, result = (Point("src/humanize/number.py", line, kind=k) for k in (PointKind.ENTRY, PointKind.RETURN))
    seen = sandbox.record_points(["tests/test_number.py"], [entry, result])
    assert isinstance(seen, Recording), seen
    values = [[value.text for value in sighting.values] for sighting in seen.sightings_at(entry)]
    assert ["'1'", "'male'"] in values
    assert ["'1st'"] in [[value.text for value in sighting.values] for sighting in seen.sightings_at(result)]
