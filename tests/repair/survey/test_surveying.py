"""Lines that coverage.py has recorded, from both of its forms."""

from __future__ import annotations

import json

import pytest
from coverage import CoverageData

from analysis.errors import UsageError
from repair.survey.survey import read_coverage

PATHS = ("src/shop/cart.py", "src/shop/till.py")


def database(path, lines):
    data = CoverageData(basename=str(path))
    data.add_lines(lines)
    data.write()
    data.close()
    return path


def test_a_database_and_its_export_say_the_same(tmp_path):
    cart = str(tmp_path / "src/shop/cart.py")
    before = database(tmp_path / ".coverage", {cart: [1, 2, 5]})
    bytes_before = before.read_bytes()
    exported = tmp_path / "coverage.json"
    exported.write_text(json.dumps({"files": {"src/shop/cart.py": {"executed_lines": [1, 2, 5]}}}))
    for file in (before, exported):
        assert {p: list(x) for p, x in read_coverage(file, tmp_path, PATHS).items()} == {"src/shop/cart.py": [1, 2, 5]}
    assert before.read_bytes() == bytes_before
    assert sorted(p.name for p in tmp_path.iterdir()) == [".coverage", "coverage.json"]


def test_data_of_another_checkout_is_found_by_the_ends_of_its_paths(tmp_path):
    file = database(tmp_path / "c", {"/ci/build/src/shop/cart.py": [3], "/ci/build/src/shop/atill.py": [4]})
    assert {p: list(x) for p, x in read_coverage(file, tmp_path, PATHS).items()} == {"src/shop/cart.py": [3]}


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"not a database at all" * 100,
        b"{",
        b"{}",
        b'{"files": []}',
        b'{"files": {"src/shop/cart.py": 3}}',
        b'{"files": {"src/shop/cart.py": {}}}',
        b"[" * 100_000,
    ],
)
def test_what_is_no_coverage_data_is_refused(tmp_path, content):
    file = tmp_path / "data"
    file.write_bytes(content)
    with pytest.raises(UsageError) as refused:
        read_coverage(file, tmp_path, PATHS)
    assert refused.value.where == str(file)
    assert "repair-coverage" not in str(refused.value)


def test_data_that_is_not_there_or_of_something_else(tmp_path):
    with pytest.raises(UsageError, match="cannot be read: No such file"):
        read_coverage(tmp_path / "gone", tmp_path, PATHS)
    with pytest.raises(UsageError, match="knows none of the program's files"):
        read_coverage(database(tmp_path / "c", {"/other.py": [1]}), tmp_path, PATHS)


def test_numbers_that_no_file_has_are_passed_over(tmp_path):
    file = tmp_path / "c.json"
    file.write_text(json.dumps({"files": {PATHS[0]: {"executed_lines": [1, -3, 10**12, "7", None]}}}))
    assert list(read_coverage(file, tmp_path, PATHS)[PATHS[0]]) == [1]
