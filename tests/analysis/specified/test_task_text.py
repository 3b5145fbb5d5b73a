import ast

import pytest

from analysis.specified.asserted import KnownFunction
from analysis.specified.task_text import StatedTask, TaskSentence, calls_in
from analysis.stated.function import stated_functions

PROSE = StatedTask(
    "TASK.md",
    """\
# Slugs

Write a function `slugify(text)`. Thank you in advance!
It returns the words in lower case, with hyphens
between them. Empty text gives an empty string.

- `slugify("A b")` returns "a-b".
- REQ-2: When text is None, `slugify` shall raise TypeError.

```python
x = "this is code"
```
""",
)


def test_sentences_that_state_something_have_their_lines():
    assert [(each.line, each.requirement, each.quote.split()[0]) for each in PROSE.sentences] == [
        (3, "", "Write"),
        (4, "", "It"),
        (5, "", "Empty"),
        (7, "", '`slugify("A'),
        (8, "REQ-2", "-"),
    ]


def test_facts_are_those_that_extractors_read_of_a_program():
    (function,) = stated_functions("slugs.py", ast.parse("def slugify(text): ..."))
    facts = PROSE.facts({"slugify": KnownFunction("slugs.py:slugify", function)})
    claims = {fact.claim for fact in facts}
    assert any("returns 'a-b'" in claim for claim in claims), claims
    assert any("raises TypeError" in claim for claim in claims), claims


def test_a_feature_states_by_its_scenarios():
    task = StatedTask("TASK.feature", "Feature: F\n  Scenario: S\n    When `f(1)` is called\n    Then it returns 2\n")
    assert [each.line for each in task.sentences] == [2]


@pytest.mark.parametrize(
    ("quote", "line"),
    [
        ("returns the words in lower case, with hyphens between them", 4),
        ("returns  the\nwords", 4),
        ("Empty text gives an empty string.", 5),
        ("empty text gives", 0),
        ("a b c", 0),
        ("", 0),
    ],
)
def test_words_are_quoted_where_they_stand_there_letter_by_letter(quote, line):
    assert PROSE.line_of(quote) == line


@pytest.mark.parametrize(
    "text", ["", "\n\n", "```\n", "# Title\n", "| a | b |\n", "x" * 50_000, "- \n" * 5000, "é\x0c ü."]
)
def test_odd_texts_state_nothing(text):
    assert StatedTask("TASK.md", text).sentences == ()


FEATURE = StatedTask(
    "a.feature", "Feature: F\n\n  Scenario: S\n    When `total([1])` is called\n    Then it returns 1\n"
)
MIXED = StatedTask(
    "T.md",
    "| REQ-1 | `total([1])` shall return 1. |\n\n- US-2: it must return\n  5.\n"
    "- [ ] **REQ-3**: `f(1)` shall return 2. It returns 3\n\nUTF-8 text returns 4.\n",
)


@pytest.mark.parametrize(
    ("task", "quote", "lines"),
    [
        (FEATURE, "Then it returns 1", [3]),
        (FEATURE, "it returns 1", []),
        (MIXED, "`total([1])` shall return 1.", [1]),
        (MIXED, "REQ-3: `f(1)` shall return 2.", []),
        (MIXED, "`f(1)` shall return 2.", [5]),
        (MIXED, "It returns 3.", [5]),
        (MIXED, "it must return 5", [3]),
        (MIXED, "US-2: it must return 5.", [3]),
        (MIXED, "`f(1)` shall return 2. It returns 3", [5]),
        (MIXED, "must return 5", []),
        (MIXED, "text returns 4.", []),
        (MIXED, "UTF-8 text returns 4. And 5.", []),
        (MIXED, "", []),
    ],
)
def test_quoted_words_are_whole_sentences_or_none(task, quote, lines):
    assert [each.line for each in task.holding(quote)] == lines


@pytest.mark.parametrize(
    ("words", "denies"),
    [
        ("`rank` must not return 7.", True),
        ("It never returns 7.", True),
        ("It doesn't return 7.", True),
        ("If the list is empty it must not return 7.", True),
        ("It returns 7 when it is full but not when it is empty.", True),
        ("It raises ValueError when the text is not a number.", False),
        ("If the text is not a number, it raises ValueError.", False),
        ("It returns 7.", False),
    ],
)
def test_a_sentence_denies_where_it_does_so_outside_of_a_condition(words, denies):
    assert TaskSentence(1, words).negates is denies


def test_blanks_in_code_are_part_of_the_call():
    (said,) = StatedTask("t.md", '- REQ-1: `tidy("a  b")`   shall\n  return `"a b"`.').sentences
    assert str(said) == 'REQ-1, line 1: - REQ-1: `tidy("a  b")` shall return `"a b"`.'
    assert calls_in(said.quote) != calls_in('`tidy("a b")`')
