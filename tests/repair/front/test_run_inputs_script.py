"""A script of edits is read, or refused with what was found."""

import json

import pytest

from analysis.errors import UsageError
from repair.front.run_inputs import read_script


def test_edits_are_read_in_their_order(tmp_path):
    path = tmp_path / "script.json"
    path.write_text(json.dumps([["update", "a + b", "a - b"], ["rewrite", "", "def f(): pass"]]))
    assert read_script(path) == [("update", "a + b", "a - b"), ("rewrite", "", "def f(): pass")]


@pytest.mark.parametrize("text", ["", "{", "{}", "[1]", '[["update", "a"]]', '[["update", "a", 3]]'])
def test_what_is_no_list_of_edits_is_refused(tmp_path, text):
    path = tmp_path / "script.json"
    path.write_text(text)
    with pytest.raises(UsageError) as refused:
        read_script(path)
    assert refused.value.where == str(path)


def test_a_script_that_is_not_there_is_refused(tmp_path):
    with pytest.raises(UsageError, match="cannot be read"):
        read_script(tmp_path / "script.json")
