"""The gates beyond the core on functions of real libraries: silent on upstream's fixes, in doubt on patches made worse.

Without the package index the tests are skipped.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from analysis.checkers import new_remarks
from analysis.facts import FunctionId, Limits, Outcome, TestId, TestRun
from analysis.functions import find_function, functions_of
from analysis.line_counts import WorkReport, excess
from corpora.environment import environment
from corpora.lab.cases import HUMANIZE, ONE_TO_ONE, SQLPARSE, Case
from corpora.lab.release_pair import make_bug_tree
from corpora.source_package import IndexUnreachableError, case_cache
from repair.front.ruff import Ruff, find_ruff
from repair.records.functions import as_trial, edit_scope
from sandbox.sandbox import LocalSandbox
from sandbox.target import open_target
from sandbox.warm import WarmServer
from transforms.tree.scope import EditScope

pytestmark = pytest.mark.real

BODY = re.compile(rb"^( +)(?=(?:abs_bytes = abs|hash\(val\)))", re.MULTILINE)
GROSS = rb"\1for _ in range(4000):\n\1    pass\n\1"
MISSPELT = rb"\1missing_name\n\1"
RUFF = find_ruff("/nowhere", os.environ.get("PATH", ""))
SQUARE = rb"\1for _ in dict_or_iterable:\n\1    pass\n\1"


class Opened:
    """A library with its old function, upstream's fix of it, and a server over the tests of the failing test's file."""

    def __init__(self, case: Case, folder: Path) -> None:
        self.path = case.pair.path
        try:
            tree = make_bug_tree(case.pair, folder / "tree", case_cache())
            python = environment(case.requirements, case_cache())
        except IndexUnreachableError as problem:
            pytest.skip(str(problem))
        self.before, self.after, self.name = tree.before, tree.after, case.pair.qualname
        self._home = TestId(case.tests[0].partition("::")[0])
        self._target = open_target(str(tree.root), python=python, environ={"PATH": os.environ["PATH"]})

    def scope(self, source: bytes) -> EditScope:
        """The function in one of the texts."""
        span = find_function(functions_of(self.path, source), self.name)
        assert span is not None
        return edit_scope(((self.path, source),), FunctionId(self.path, self.name, span.function.first_line))

    @contextmanager
    def served(self) -> Iterator[WarmServer]:
        """A server on the fixed library."""
        fixed = ((self.path, self.after),)
        limits = Limits(wall_seconds=120, test_seconds=60)
        with LocalSandbox(self._target, limits=limits) as sandbox:
            run = sandbox.run([self._home], fixed)
            assert isinstance(run, TestRun), run
            passing = [each.test for each in run.results if each.outcome is Outcome.PASSED]
            session = sandbox.warm(passing, fixed)
            assert isinstance(session, WarmServer), session
            yield session
            session.close()

    def weighed(self, session: WarmServer, change: bytes = b"") -> WorkReport:
        """The work of the fix, with more put in, beside that of the old function."""
        old, new = self.scope(self.before), self.scope(self.after)
        text = BODY.sub(change, new.text, 1) if change else new.text
        assert (text == new.text) is not bool(change)
        return session.questions.work(as_trial(new, text, "new"), as_trial(new, old.text, "old"))


@pytest.mark.parametrize(
    ("case", "change"), [(HUMANIZE, GROSS), (ONE_TO_ONE, SQUARE), (SQLPARSE, b"")], ids=lambda x: getattr(x, "name", "")
)
def test_a_fix_costs_what_it_should_and_one_made_slow_does_not(case: Case, change: bytes, tmp_path: Path) -> None:
    library = Opened(case, tmp_path)
    with library.served() as session:
        report = library.weighed(session)
        assert report.agreeing_pairs, report.failures
        assert excess(report) is None
        assert not change or excess(library.weighed(session, change)) is not None


@pytest.mark.skipif(not RUFF, reason="ruff is not installed here")
@pytest.mark.parametrize("case", [HUMANIZE, ONE_TO_ONE], ids=lambda x: x.name)
def test_a_fix_brings_nothing_fatal_and_a_misspelt_name_does(case: Case, tmp_path: Path) -> None:
    library = Opened(case, tmp_path)
    wrong = BODY.sub(MISSPELT, library.after)
    said = Ruff(RUFF, (3, 11))(tuple((library.path, text) for text in (library.before, library.after, wrong)))
    assert isinstance(said, tuple), said
    assert new_remarks(said[0], said[1]) == ()
    assert {remark.message for remark in new_remarks(said[0], said[2])} == {"F821 Undefined name `missing_name`"}
