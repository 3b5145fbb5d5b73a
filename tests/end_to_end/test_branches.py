"""Branches: what they are, and which are taken, is what coverage.py itself says of the same run."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from corpora.lab.cases import ONE_TO_ONE
from corpora.lab.release_pair import make_bug_tree
from corpora.source_package import IndexUnreachableError, case_cache
from repair import api
from repair.records.config import Options
from repair.survey.survey import survey

SETTINGS = "[run]\nbranch = true\n"
WAYS = """\
import contextlib


def size(count, least=None):
    if least is not None:
        count = max(count, least)
    while count > 10:
        count -= 3
        if count == 8:
            break
    return count


def read(lines):
    for line in lines:
        with contextlib.suppress(ValueError):
            if line:
                yield int(line)


def first(lines):
    try:
        found = next(read(lines))
    except StopIteration:
        return None
    else:
        if found:
            return (
                found
                + 1
            )
    return 0


def rest(value):
    if value:  # pragma: no branch
        return 1
    return 2
"""
TESTS = """\
from ways import first, read, rest, size


def test_size():
    assert size(4) == 4
    assert size(13) == 10


def test_read():
    assert list(read(["1", "", "x"])) == [1]
    assert first(["3"]) == 4


def test_rest():
    assert rest(1) == 1
"""


def missed_by_coverage(root, python, path, tests=()):
    """The branches that coverage.py itself, run beside pytest, reports as not taken."""
    data, report = root.parent / "theirs", root.parent / "theirs.json"
    env = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHON", "PYTEST_", "COVERAGE"))}
    env |= {"COVERAGE_FILE": str(data), "PYTHONPATH": str(root)}
    ran = ["run", "--branch", "-m", "pytest", "-q", "-p", "no:cacheprovider", *tests]
    for command in (ran, ["json", "-o", str(report)]):  # tests of a bug fail
        subprocess.run([python, "-m", "coverage", *command], cwd=root, env=env, check=False, capture_output=True)
    return {tuple(each) for each in json.loads(report.read_text())["files"][path]["missing_branches"]}


def missed_by_us(root, python, tmp_path, path, **more):
    file = tmp_path / "ours"
    options = Options(
        str(root), python=python, state_dir=str(tmp_path / "state"), mutants=0, coverage_file=str(file), **more
    )
    report = survey((), options, lambda happened: None, {})
    found = {(f.line, f.claim) for f in report.findings if f.rule == "branch" and f.file == path}
    return report, found, file


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "project"
    root.mkdir()
    for name, text in (("ways.py", WAYS), ("test_ways.py", TESTS), (".coveragerc", SETTINGS)):
        (root / name).write_text(text)
    return root


def test_the_branches_that_no_test_takes_are_those_that_coverage_reports(project, tmp_path):
    report, found, file = missed_by_us(project, sys.executable, tmp_path, "ways.py")
    theirs = missed_by_coverage(project, sys.executable, "ways.py")
    assert {line for line, _ in found} == {start for start, _ in theirs}
    assert len(found) == len(theirs) == 3
    assert (5, "size: no test that can vouch takes the branch from line 5 to line 6") in found
    assert (report.coverage.branches.ran, report.coverage.branches.statements) == (9, 12)
    view = next(each for each in report.functions if each.function == "read")
    assert view.branches.value == 1.0
    # The data that is written has arcs, which coverage's own tools read.
    env = {**os.environ, "COVERAGE_FILE": str(file)}
    command = [sys.executable, "-m", "coverage", "json", "-o", str(tmp_path / "ours.json")]
    subprocess.run(command, cwd=project, env=env, check=True, capture_output=True)
    said = json.loads((tmp_path / "ours.json").read_text())
    assert said["meta"]["branch_coverage"] is True
    assert {tuple(each) for each in said["files"]["ways.py"]["missing_branches"]} >= theirs


def test_a_project_that_measures_no_branches_has_none(project, tmp_path):
    (project / ".coveragerc").unlink()
    report, found, _ = missed_by_us(project, sys.executable, tmp_path, "ways.py")
    assert not found
    assert report.coverage.branches.value is None


@pytest.mark.real
def test_a_library_has_the_branches_that_coverage_reports(tmp_path):
    try:
        tree = make_bug_tree(ONE_TO_ONE.pair, tmp_path / "tree", case_cache())
    except IndexUnreachableError as problem:
        pytest.skip(str(problem))
    (tree.root / "tests" / "conftest.py").unlink()  # it is for another pytest
    (tree.root / ".coveragerc").write_text("[run]\nbranch = true\n")
    tests, path = ("tests/test_dictutils.py",), "boltons/dictutils.py"
    report, found, _ = missed_by_us(tree.root, sys.executable, tmp_path, path, tests=tests)
    theirs = missed_by_coverage(tree.root, sys.executable, path, tests)
    public = [view for view in report.functions if view.file == path and view.cases]
    within = {s for s, _ in theirs if any(view.line <= s <= view.end_line for view in public)}
    assert within
    assert within <= {line for line, _ in found}


def test_check_counts_them_in_its_gate(project, tmp_path):
    (project / "ways.py").write_text(WAYS.replace("if found:", "if not found:"))
    more = '\n\ndef test_none():\n    assert first(["0"]) == 0\n'
    (project / "test_ways.py").write_text(TESTS + more)
    change = b"--- a/ways.py\n+++ b/ways.py\n@@ -27 +27 @@\n-        if not found:\n+        if found:\n"
    options = Options(str(project), python=sys.executable, state_dir=str(tmp_path / "state"), max_seconds=60)
    result = api.check(change, None, (), options, lambda happened: None, {})
    coverage = next(each for each in result.patches[0].evidence if each.gate == "coverage")
    numbers = dict(coverage.measurements)
    assert (numbers["branches"], numbers["branches_taken"]) == (2, 2), coverage
