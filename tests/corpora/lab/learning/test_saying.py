"""The class of a failure from the words of a commit."""

from __future__ import annotations

import pytest

from corpora.lab.learning.saying import failure_said

RAISES = "with pytest.raises(ValueError):\n    f()"


@pytest.mark.parametrize(
    ("message", "new", "tests", "said"),
    [
        ("Do not raise KeyError for an unknown name", "", "", "runtime_safety key"),
        ("Fix crash\n\nAttributeError: 'NoneType' object has no attribute 'x'", "", "", "runtime_safety none"),
        ("Fix an infinite loop", "", "assert f() == 1", "logic timeout"),
        ("Refuse texts", "raise ValueError(a)", RAISES, "contract missing_raise"),
        ("Refuse texts", "", RAISES, "contract wrong_raise"),
        ("Fix the sum", "", "def test_sum():\n    assert f(2) == 4", "logic wrong_value"),
        ("Fix names", "", "    assert f(2) == 'four'\n    self.assertEqual(f(3), 'three')", "logic text"),
        ("Fix the sum when empty", "", "", " empty"),
        ("Fix rendering", "", "x = 1", " "),
    ],
)
def test_what_is_said(message: str, new: str, tests: str, said: str) -> None:
    failure, subclass = failure_said(message, "def f(): raise OSError", new, tests)
    assert f"{failure.value if failure else ''} {subclass}" == said
