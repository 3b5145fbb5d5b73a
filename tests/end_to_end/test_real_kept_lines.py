"""Bugs of real libraries mended twice: what is known of lines from the first time changes no answer of the second."""

from __future__ import annotations

import pytest

from corpora.environment import environment
from corpora.lab.cases import HUMANIZE, LRI, ONE_TO_ONE
from corpora.lab.release_pair import make_bug_tree
from corpora.source_package import IndexUnreachableError, case_cache
from repair import api
from repair.engine import diagnosing
from repair.records.config import Options

pytestmark = pytest.mark.real


@pytest.mark.parametrize("case", [HUMANIZE, ONE_TO_ONE, LRI], ids=lambda case: case.name)
def test_the_answer_is_the_same_with_kept_lines_as_without(case, tmp_path, monkeypatch):
    """Kept lines are asked for in slow suites alone: here nobody waits for the suite."""
    try:
        tree = make_bug_tree(case.pair, tmp_path / "tree", case_cache())
        python = environment(case.requirements, case_cache())
    except IndexUnreachableError as problem:
        pytest.skip(str(problem))
    monkeypatch.setattr("repair.engine.engine.PATIENCE", 0.0)
    real, known = diagnosing.touching_tests, []

    def touching_tests(line_map, functions):
        found = real(line_map, functions)
        known.append(len(found))
        return found

    monkeypatch.setattr(diagnosing, "touching_tests", touching_tests)
    options = Options(str(tree.root), python=python, state_dir=str(tmp_path / "state"), max_seconds=400, cache=False)
    answers = [api.fix(case.tests, options, lambda happened: None, {}) for _ in range(2)]
    assert [(a.status, [p.diff for p in a.patches[:1]]) for a in answers[1:]] == [
        (answers[0].status, [p.diff for p in answers[0].patches[:1]])
    ]
    assert [e.decision for e in answers[0].patches[0].evidence] == [e.decision for e in answers[1].patches[0].evidence]
    assert known[0] == 0
    assert known[-1] > 0
