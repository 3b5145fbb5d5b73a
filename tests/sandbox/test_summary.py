"""What pytest's plugins do at the end of a run costs nothing where it has nothing to say."""

from __future__ import annotations

import pytest

from analysis.facts import Outcome, TestRun

TAIL = """
    import sys

    def pytest_unconfigure(config):
        open({said!r}, "w").write(str("hypothesis" in sys.modules))
"""
PLAIN = "def test_it():\n    pass\n"
USING = """
    from hypothesis import given, settings, strategies

    @settings(max_examples=2, database=None)
    @given(strategies.integers())
    def test_it(number):
        pass
"""


@pytest.mark.parametrize(("tests", "imported"), [(PLAIN, "False"), (USING, "True")], ids=["plain", "using"])
def test_hypothesis_is_imported_only_for_tests_that_use_it(project, open_sandbox, tmp_path, tests, imported):
    said = tmp_path / "said"
    root = project({"conftest.py": TAIL.format(said=str(said)), "test_it.py": tests})
    run = open_sandbox(root, plugins=True).run([])
    assert isinstance(run, TestRun), run
    assert run.outcome("test_it.py::test_it") is Outcome.PASSED
    assert said.read_text() == imported
