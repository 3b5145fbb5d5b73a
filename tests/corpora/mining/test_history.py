"""Candidates: one existing function changed together with tests; features are marked."""

from __future__ import annotations

from pathlib import Path

import pytest
from fakes.history import FIRST, HALF_TEST, MENDED, STEPS, make_history

from corpora.bug import Fault
from corpora.mining.history import MinedChange, candidates
from corpora.mining.repository import Repository


def found_in(root: Path) -> list[MinedChange]:
    with Repository(root) as repository:
        return list(candidates(repository, repository.commits("HEAD", None, "")))


def test_what_mends_one_function_is_found(tmp_path: Path):
    feature, mend = found_in(make_history(tmp_path / "lib"))
    assert (mend.subject, mend.fault, mend.tests, mend.marks) == (
        "Fix half",
        Fault("lib.py", "half"),
        ("test_lib.py",),
        (),
    )
    assert feature.fault == Fault("lib.py", "twice")
    assert feature.marks == ("signature changed", "the message speaks of something new")


@pytest.mark.parametrize(
    "files",
    [
        {"lib.py": MENDED},
        {"lib.py": MENDED.replace("n * 2", "n + n"), "test_lib.py": HALF_TEST},
        {"lib.py": MENDED + "\n\ndef new():\n    pass\n", "test_lib.py": HALF_TEST},
        {"lib.py": FIRST["lib.py"].replace("def half(n):", "def half(n: int) -> int:"), "test_lib.py": HALF_TEST},
        {"lib.py": MENDED, "other.py": "x = 1\n", "test_lib.py": HALF_TEST},
        {"lib.py": "print 'old'\n", "test_lib.py": HALF_TEST},
        {"lib.py": FIRST["lib.py"] + "\nEXTRA = 1\n", "test_lib.py": HALF_TEST},
    ],
    ids=["no test", "two functions", "one added", "annotations", "a new file", "an old dialect", "no function"],
)
def test_what_is_no_mend_of_one_function(tmp_path: Path, files: dict[str, str]):
    assert found_in(make_history(tmp_path / "lib", (STEPS[0], ("Fix it", files)))) == []


def test_the_rest_of_the_module_may_change_too(tmp_path: Path):
    files = {"lib.py": "import math\n" + MENDED, "test_lib.py": HALF_TEST, "setup.py": "# new\n"}
    (mend,) = found_in(make_history(tmp_path / "lib", (STEPS[0], ("Fix it", files))))
    assert mend.fault == Fault("lib.py", "half")


def test_a_getter_is_compared_with_the_getter(tmp_path: Path):
    both = (
        "class Box:\n    @property\n    def size(self):\n        return self._n\n\n"
        "    @size.setter\n    def size(self, n):\n        self._n = n\n"
    )
    files = {"box.py": both.replace("return self._n", "return self._n or 0"), "test_box.py": HALF_TEST}
    (mend,) = found_in(make_history(tmp_path / "lib", (("Start", {"box.py": both}), ("Fix the size", files))))
    assert (mend.fault, mend.marks) == (Fault("box.py", "Box.size"), ())
