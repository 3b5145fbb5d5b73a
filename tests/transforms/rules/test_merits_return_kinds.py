"""Literals of a kind that a function did not return before."""

import pytest

from transforms.rules.merits import strange_answers

FOUND = "def found(items, wanted):\n    for item in items:\n        if item == wanted:\n            return True\n{}"
SIZE = "def size(text):\n    if not text:\n        return 0\n    return len(text)\n{}"
NAME = "def name(user):\n    return user.name\n{}"
LINES = "def lines(text):\n    return [] if not text else text.split()\n{}"


@pytest.mark.parametrize(
    ("function", "added", "strange"),
    [
        (FOUND, "    return False\n", ()),
        (FOUND, "    return None\n", ("None",)),
        (FOUND, "    return 0\n", ("0",)),
        (FOUND, "    return 0 if items else ''\n", ("0", "''")),
        (FOUND, "    return bool(items)\n", ()),
        (FOUND, "    return\n", ()),
        (SIZE, "    return -1\n", ()),
        (SIZE, "    return 0.5\n", ()),
        (SIZE, "    return False\n", ("False",)),
        (NAME, "    return ''\n", ()),  # nothing is known of what it returns
        (LINES, "    return ['a']\n", ()),
        (LINES, "    return ('a',)\n", ("('a',)",)),
        (LINES, "    return f'{text}'\n", ("f'{text}'",)),
    ],
)
def test_a_literal_of_another_kind_is_strange(function, added, strange):
    assert strange_answers(function.format("").encode(), function.format(added).encode()) == strange


@pytest.mark.parametrize("text", [b"def f(:", b"\xff"])
def test_what_cannot_be_read_says_nothing(text):
    assert strange_answers(text, text) == ()
