"""The tests that failed last are read from pytest's cache, or it is said why they cannot be."""

import json

import pytest

from analysis.errors import UsageError
from repair.front.run_inputs import LASTFAILED, read_last_failed


def cached(root, text):
    path = root / LASTFAILED
    path.parent.mkdir(parents=True)
    path.write_text(text)


def test_the_names_are_read(tmp_path):
    cached(tmp_path, json.dumps({"test_a.py::test_b": True, "test_a.py::test_c": True}))
    assert read_last_failed(tmp_path) == ("test_a.py::test_b", "test_a.py::test_c")


@pytest.mark.parametrize(("text", "said"), [("{}", "empty"), ("[]", "empty"), ("{", "cannot be read")])
def test_a_list_that_names_none_is_refused(tmp_path, text, said):
    cached(tmp_path, text)
    with pytest.raises(UsageError, match=said):
        read_last_failed(tmp_path)


def test_a_list_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(UsageError, match="no last-failed list"):
        read_last_failed(tmp_path)


def test_a_list_that_pytest_keeps_in_a_folder_above_is_named(tmp_path):
    cached(tmp_path, "{}")
    (tmp_path / "part").mkdir()
    with pytest.raises(UsageError) as raised:
        read_last_failed(tmp_path / "part")
    assert f"Say --root {tmp_path}," in raised.value.remedy
