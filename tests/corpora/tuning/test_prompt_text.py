"""Prompts in files of all forms, their sentences, and edits that touch nothing else."""

import pytest

from analysis.errors import UsageError
from corpora.tuning.prompt_text import PromptEdit, apply_edit, holes, normal_form, read_part, sentences
from repair.model.prompt_files import packaged_files

BODY = """You mend code. Keep names.
- Run the tests first.
- Say {what} you did!

```python
never. touched.
```
End here.
"""


def test_a_whole_file_a_part_and_a_constant():
    assert read_part(BODY, "p.txt").body == BODY
    page = "# top\n\n## one\nA.\n\n## two\nB.\n"
    part = read_part(page, "p.md#one")
    assert part.body == "A.\n\n"
    assert part.with_body("C.\n\n") == page.replace("A.", "C.")
    source = 'X = 1\nPROMPT: str = """Be brief.\nBe kind."""  # ümlaut\nprint(PROMPT)\n'
    part = read_part(source, "agent.py#PROMPT")
    assert part.body == "Be brief.\nBe kind."
    assert part.with_body(part.body) == source


@pytest.mark.parametrize("body", ["plain", 'ends with "', "back\\slash", 'three """ quotes', "tab\tand\x07bell"])
def test_a_constant_keeps_every_value(body):
    part = read_part("ü = 'ä'; P = 'old'\n", "a.py#P")
    again = read_part(part.with_body(body), "a.py#P")
    assert (again.body, again.after) == (body, "\n")


@pytest.mark.parametrize(
    ("text", "place"), [("A.", "p.md#none"), ("P = 1", "a.py#P"), ("P = 'x'", "a.py"), ("(", "a.py#P")]
)
def test_what_is_not_there_is_told(text, place):
    with pytest.raises(UsageError):
        read_part(text, place)


def test_sentences_are_numbered_and_code_is_none():
    assert [one.text for one in sentences(BODY)] == [
        "You mend code.",
        "Keep names.",
        "- Run the tests first.",
        "- Say {what} you did!",
        "End here.",
    ]


def test_each_edit_changes_one_place():
    assert apply_edit(BODY, PromptEdit("delete", 1)).startswith("Keep names.\n- Run")
    assert apply_edit(BODY, PromptEdit("delete", 2)).startswith("You mend code.\n- Run")
    assert apply_edit(BODY, PromptEdit("delete", 3)) == BODY.replace("- Run the tests first.\n", "")
    assert apply_edit(BODY, PromptEdit("delete", 5)) == BODY.replace("End here.\n", "")
    assert apply_edit(BODY, PromptEdit("replace", 3, "Run all.")) == BODY.replace("Run the tests first.", "Run all.")
    assert apply_edit(BODY, PromptEdit("insert", 0, "New.")) == "New.\n" + BODY
    assert apply_edit(BODY, PromptEdit("insert", 1, "New.")) == BODY.replace("code. Keep", "code. New. Keep")
    assert apply_edit(BODY, PromptEdit("insert", 5, "New.")) == BODY.replace("End here.\n", "End here.\nNew.\n")


@pytest.mark.parametrize("edit", [PromptEdit("delete", 0), PromptEdit("replace", 6, "x"), PromptEdit("insert", 9, "x")])
def test_a_sentence_that_is_not_there(edit):
    with pytest.raises(ValueError, match="there is no sentence"):
        apply_edit(BODY, edit)


def test_an_edit_has_a_normal_form():
    first = normal_form(PromptEdit("insert", 1, "Run THE tests!"), BODY)
    assert first == normal_form(PromptEdit("insert", 3, " run the  tests."), BODY)
    assert first != normal_form(PromptEdit("replace", 1, "Run the tests"), BODY)
    assert holes(BODY) == ("{what}",)


def test_every_deletion_in_our_own_prompts_takes_one_sentence_away():
    for name, text in packaged_files().items():
        if name.endswith(".md"):
            known = [one.text for one in sentences(text)]
            for number in range(1, len(known) + 1):
                left = [one.text for one in sentences(apply_edit(text, PromptEdit("delete", number)))]
                assert left == [*known[: number - 1], *known[number:]], (name, number)
