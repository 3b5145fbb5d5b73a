"""What values mend a historical bug of a real library, and the expression that gives them."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from fakes.places import named

from analysis.facts import Limits, Outcome, TestId, TestRun
from corpora.environment import environment
from corpora.lab.cases import SQLPARSE
from corpora.lab.release_pair import make_bug_tree
from corpora.source_package import IndexUnreachableError, case_cache
from sandbox.sandbox import LocalSandbox
from sandbox.target import open_target
from sandbox.warm import WarmServer

pytestmark = pytest.mark.real

LIMITS = Limits(wall_seconds=300, test_seconds=60)


def test_the_condition_that_compares_in_capitals_alone(tmp_path: Path) -> None:
    try:
        tree = make_bug_tree(SQLPARSE.pair, tmp_path / "tree", case_cache())
        python = environment(SQLPARSE.requirements, case_cache())
    except IndexUnreachableError as problem:
        pytest.skip(str(problem))
    path, name = "sqlparse/engine/grouping.py", "group_functions"
    points = named((Path(tree.root) / path).read_text("utf-8"), name, path=path)
    asked = replace(points.ask, seconds=20.0)
    target = open_target(str(tree.root), python=python, environ={"PATH": os.environ["PATH"]})
    with LocalSandbox(target) as sandbox:
        run = sandbox.run((), limits=LIMITS)
        assert isinstance(run, TestRun), run
        passing = [r.test for r in run.results if r.outcome is Outcome.PASSED and "test_grouping.py" in r.test][:25]
        failing, settling = (
            sandbox.warm(tests, limits=LIMITS) for tests in (list(map(TestId, SQLPARSE.tests)), passing)
        )
        assert isinstance(failing, WarmServer), failing
        assert isinstance(settling, WarmServer), settling
        forced = failing.force(asked)()
        settled = settling.settle(asked, forced.wanted, record=True)()
        failing.close()
        settling.close()
    assert (forced.said, settled.said) == ("", "")
    found = {asked.places[number].text: texts for number, texts in settled.found}
    assert found["tmp_token.value == 'AS'"][0] == "tmp_token.value.upper() == 'AS'"
