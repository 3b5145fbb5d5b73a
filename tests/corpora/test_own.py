"""Our own corpus: complete, well-formed, and no answer within a tree. Whether its bugs fail is verified elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest
from setuptools import find_packages

from analysis.functions import find_function, functions_of
from corpora.bug import Bug
from corpora.loaders.flat import FlatCorpus, files_below

ROOT = Path(__file__).parents[2]
OWN = ROOT / "corpora" / "own"
BUGS = tuple(bug for bug in FlatCorpus(OWN).bugs() if isinstance(bug, Bug))


def test_there_are_many_and_none_is_set_aside():
    assert len(BUGS) == len(list(FlatCorpus(OWN).bugs())) >= 40


@pytest.mark.parametrize("bug", BUGS, ids=lambda bug: bug.id)
def test_a_bug_is_complete(bug: Bug):
    oracle = FlatCorpus(OWN).oracle(bug)
    tree = dict(files_below(OWN / bug.id / "tree"))
    assert bug.failing
    assert bug.description
    assert {test.partition("::")[0] for test in bug.failing} <= set(tree)
    if not oracle.expected:
        assert bug.fault is not None
        assert find_function(functions_of(bug.fault.path, tree[bug.fault.path]), bug.fault.qualname) is not None
        assert [path for path, text in oracle.reference if tree.get(path) != text] == [bug.fault.path]
        assert oracle.held_out
    assert not {path for path, _ in oracle.held_out} & set(tree)


def test_nothing_of_it_is_a_package():
    assert not [name for name in find_packages(str(ROOT)) if name.startswith("corpora.own")]
