"""The bench of unrelated memories: by default none moves a mend, and an edit of the memory takes a turn."""

from __future__ import annotations

from pathlib import Path

import pytest

from corpora.lab.benchmarks.history_reach import place_beside
from corpora.lab.benchmarks.remembering import TODAY, drawn
from corpora.lab.benchmarks.unrelated import unrelated_figures

PROGRAM = """\
def one(items, size):
    return items[len(items) - 1] if size < len(items) - 1 else None


def two(rows, width):
    return width + len(rows) * 3 if width == len(rows) + 2 else 0
"""


def test_by_default_no_mend_is_moved(tmp_path: Path) -> None:
    for name in ("first", "second"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "shop.py").write_text(PROGRAM)
    found = unrelated_figures([tmp_path / "first", tmp_path / "second"], 2, drawn(300), TODAY)
    assert found["mistakes"] == 2
    assert found["by_default"] == {"more_in_all": 0.0, "median_ratio": 1.0, "sooner": 0, "later": 0}
    assert found["remembered"]["sooner"] + found["remembered"]["later"] > 0


@pytest.mark.parametrize(
    ("alone", "known", "edits", "place"),
    [(20, None, 0, 20), (20, None, 200, 23), (20, None, 1, 21), (20, 1, 200, 1), (20, 9, 200, 23), (20, 2, 200, 12)],
)
def test_an_edit_of_the_memory_stands_between_ten_of_the_search(
    alone: int, known: int | None, edits: int, place: int
) -> None:
    assert place_beside(alone, known, edits) == place
