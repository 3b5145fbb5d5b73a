"""Another known fix is a right patch: its function alone where that is enough."""

from __future__ import annotations

from pathlib import Path

from fakes.sizes import BUG, FIXED, PROGRAM, Sizes, changed

from corpora.lab.judging import material as making
from corpora.lab.judging.subjects import Terms, open_subject

ENOUGH = changed(FIXED.replace(b"len(rows)", b"len(list(rows))") + b"\n\nLIMIT = 3\n")
LEANING = changed(b"NONE = 0\n\n\n" + PROGRAM.replace(b" - 1", b" - NONE"))
WRONG = changed(PROGRAM.replace(b" - 1", b" - 2"))
GONE = changed(PROGRAM.replace(b"def size(rows):\n    return len(rows) - 1", b"size = len"))


def test_the_function_comes_first_where_it_passes_alone(tmp_path: Path) -> None:
    with open_subject(BUG, Sizes(), tmp_path / "tree", Terms(isolation="none", suite_seconds=1e6)) as subject:
        assert making._function_first(subject, ENOUGH) == changed(FIXED.replace(b"len(rows)", b"len(list(rows))"))
        assert making._function_first(subject, LEANING) == LEANING, "without the constant it does not pass"
        assert making._function_first(subject, GONE) == GONE, "there is no such function to take alone"
        assert making._function_first(subject, WRONG) is None
