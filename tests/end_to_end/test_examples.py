"""What a docstring shows counts beside the tests: for a patch that keeps to it, and against one that does not."""

from __future__ import annotations

from pathlib import Path

import pytest
from end_to_end.conftest import Command

MODULE = '''\
def positive(numbers):
    """The numbers above zero.

    >>> positive([5, 0, -1])
    [5]
    >>> positive([])
    []
    """
    return [number for number in numbers if number < 0]
'''
TESTS = """\
from numbers_of import positive


def test_positive():
    assert positive([3, -2, 8]) == [3, 8]


def test_none():
    assert positive([]) == []
"""
PATCH = """\
--- a/numbers_of.py
+++ b/numbers_of.py
@@ -8,2 +8,2 @@
     \"\"\"
-    return [number for number in numbers if number < 0]
+    return [number for number in numbers if number > 0]
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "numbers_of.py").write_text(MODULE)
    (tmp_path / "test_numbers_of.py").write_text(TESTS)
    return tmp_path


def said(repair: Command, project: Path, patch: str, gate: str) -> tuple[str, str]:
    (project / "fix.diff").write_text(patch)
    told = repair("check", "fix.diff", "--json", cwd=project).result
    evidence = {e["gate"]: e for e in told["patches"][0]["evidence"]}
    return told["status"], evidence[gate]["claim"]


def test_examples_kill_what_the_tests_let_live(repair: Command, project: Path):
    status, claim = said(repair, project, PATCH, "mutation")
    assert status == "plausible", claim
    assert "2 examples of the docstring" in claim
    (project / "numbers_of.py").write_text(MODULE.replace("[5, 0, -1])\n    [5]", "[5, -1])\n    [5]"))
    _, claim = said(repair, project, PATCH, "mutation")
    assert "survived" in claim, "a boundary that no test and no example pins is told"


def test_a_patch_against_an_example_is_asked_about(repair: Command, project: Path):
    status, claim = said(repair, project, PATCH.replace("> 0", ">= 0"), "behaviour")
    assert (status, "does not hold" in claim) == ("plausible", True), claim
