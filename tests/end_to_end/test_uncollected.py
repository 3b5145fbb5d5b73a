"""Files of tests that cannot be collected: a function that is called at import is mended like any other."""

from __future__ import annotations

import pytest

from corpora.environment import environment
from corpora.lab.cases import ONE_TO_ONE
from corpora.lab.release_pair import make_bug_tree
from corpora.source_package import IndexUnreachableError, case_cache
from repair import api
from repair.records.config import Options

PARTS = '''\
"""Parts of a name."""


def parts(name, more=None):
    """The name and what comes with it."""
    return [name] + more


def fault():
    """What a fixture asks for."""
    return {}["none"]
'''
AS_ARGUMENT = """\
import pytest
from parts import parts


@pytest.mark.parametrize("name", parts("a"))
def test_each(name):
    assert name == "a"


def test_more():
    assert parts("a", ["b"]) == ["a", "b"]
"""
FIXTURE = """\
import pytest
from parts import fault


@pytest.fixture
def found():
    return fault()


def test_found(found):
    assert found is None
"""


def explain(root, tmp_path, *tests, python=""):
    options = Options(str(root), python=python, state_dir=str(tmp_path / "state"), max_seconds=100, cache=False)
    return api.explain(tests, options, lambda happened: None, {})


def test_arguments_of_tests_and_fixtures_that_raise_are_causes(tmp_path):
    root = tmp_path / "project"
    root.mkdir()
    (root / "parts.py").write_text(PARTS)
    (root / "test_argument.py").write_text(AS_ARGUMENT)
    (root / "test_fixture.py").write_text(FIXTURE)
    result = explain(root, tmp_path)
    assert [failure.test for failure in result.failures] == ["test_argument.py", "test_fixture.py::test_found"]
    assert {cause.function for cause in result.causes} == {"parts", "fault"}
    assert {tuple(cause.tests) for cause in result.causes} == {("test_argument.py",), ("test_fixture.py::test_found",)}


@pytest.mark.real
def test_a_fault_in_what_a_library_calls_at_import_is_mended(tmp_path):
    try:
        tree = make_bug_tree(ONE_TO_ONE.pair, tmp_path / "tree", case_cache())
        python = environment(ONE_TO_ONE.requirements, case_cache())
    except IndexUnreachableError as problem:
        pytest.skip(str(problem))
    module = tree.root / "boltons" / "typeutils.py"
    module.write_text(module.read_text().replace("self.var_name = var_name", "self.var_name = variable_name"))
    options = Options(str(tree.root), python=python, state_dir=str(tmp_path / "state"), max_seconds=100, cache=False)
    result = api.fix(("tests/test_cacheutils.py",), options, lambda happened: None, {})
    assert [failure.test for failure in result.failures] == ["tests/test_cacheutils.py"]
    assert result.status in ("plausible", "certified"), result.messages
    assert result.patches[0].function == "make_sentinel.Sentinel.__init__"
