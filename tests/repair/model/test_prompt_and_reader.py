"""What the prompt asks for is what the reader takes: its form, its worked examples, and no stricter policy."""

from __future__ import annotations

import re

import pytest
from fakes.failing_function import scope_of

from repair.model.numbered import number_function
from repair.model.place_reply import place_reply
from repair.model.prompt_files import packaged_prompts
from repair.model.read_reply import read_reply
from repair.model.reply import Elsewhere, ModelReply, Reply
from transforms.tree.proposal import Origin, Proposal

SOURCE = b"""\
def total_of(items, rate=0):
    total = 0
    for item in items:
        total += item.price
    return total
"""


def test_the_form_as_it_is_asked_for_is_read():
    asked = packaged_prompts().text("reply/form")
    answer = re.sub(r".*?(?=WHY:)", "", asked, count=1, flags=re.DOTALL).replace(
        "The last line of every answer is ", ""
    )
    read = read_reply(ModelReply(re.sub(r"```python rewrite.*?```\n", "", answer, flags=re.DOTALL)))
    assert isinstance(read, Reply), read
    assert [(edit.kind, edit.place) for edit in read.edits] == [
        *(("update", "s7.value"), ("patch", "s7..s9"), ("insert after", "s7")),
    ]
    assert read.imports == ("import math",)
    assert read.words == ("limit - 1", "self.total")
    assert read.elsewhere == Elsewhere("path/to/file.py", "Class.method", "one sentence.")


@pytest.mark.parametrize("part", ["update", "patch", "insert", "rewrite"])
def test_each_worked_example_is_an_edit_of_its_function(part):
    read = read_reply(ModelReply(packaged_prompts().text(f"examples/{part}") + "\nEND"))
    assert isinstance(read, Reply), read
    assert read.edits[0].kind.startswith(part)
    scope = scope_of("total_of", SOURCE)
    made = place_reply(scope, number_function(scope), read, Origin("model", part), lambda texts: True)
    assert isinstance(made, Proposal), made


def test_a_function_written_anew_is_read_as_it_is_asked_for():
    asked = packaged_prompts().text("regenerate/form")
    answer = re.sub(r".*?(?=WHY:)", "", asked, count=1, flags=re.DOTALL).replace(
        "The last line of every answer is ", ""
    )
    read = read_reply(ModelReply(answer))
    assert isinstance(read, Reply), read
    assert [edit.kind for edit in read.edits] == ["rewrite"]
