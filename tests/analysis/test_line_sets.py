"""The lines of a report: equal sets are kept once, and no report can ask for more than there is room for."""

from __future__ import annotations

import pytest

from analysis.lines import LineSets, MalformedLines


def test_equal_sets_of_one_file_are_one_object():
    sets = LineSets()
    (first,), (again, other) = (
        sets.lines_of_test({"m.py": [[1, 3]]}),
        sets.lines_of_test({"n.py": [[1, 3]], "m.py": [[1, 2], [3, 3]]}),
    )
    assert first == ("m.py", {1, 2, 3})
    assert again is first
    assert other == ("n.py", {1, 2, 3})


@pytest.mark.parametrize(
    "told",
    [
        *(None, [], {"m.py": None}, {"m.py": [1]}, {"m.py": [[1]]}, {"m.py": [["1", 2]]}, {"m.py": [[3, 1]]}),
        *({"m.py": [[0, 1]]}, {"m.py": [[1, 10**7]]}, {"m.py": [[1.0, 2]]}, {"m.py": [[1, 2, 3]]}),
    ],
)
def test_anything_else_is_refused(told):
    with pytest.raises(MalformedLines):
        LineSets().lines_of_test(told)


def test_lines_are_bounded_by_how_many_there_are_and_not_by_how_often_they_run():
    sets = LineSets(most_lines=100)
    for test in range(50):
        sets.lines_of_test({"m.py": [[1, test + 1]], "n.py": [[1, 50]]})
    with pytest.raises(MalformedLines, match="more lines than can be kept"):
        sets.lines_of_test({"m.py": [[51, 51]]})


def test_sets_are_bounded_by_what_they_take():
    sets = LineSets(most_bytes=10_000)
    sets.lines_of_test({"m.py": [[40_000, 40_000]]})
    with pytest.raises(MalformedLines, match="more lines than can be kept"):
        sets.lines_of_test({"m.py": [[40_001, 40_001]]})


def test_reading_is_bounded_by_its_work_and_not_by_what_is_new():
    sets = LineSets(most_work=1000)
    sets.lines_of_test({"m.py": [[1, 4000]]})
    with pytest.raises(MalformedLines, match="too long to read"):
        sets.lines_of_test({"m.py": [[1, 4000]] * 2})
