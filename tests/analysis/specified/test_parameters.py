"""What docstrings say of parameters."""

import pytest

from analysis.specified.parameters import parameter_facts


def said(text):
    return [f"{fact.name} {fact.predicate} {fact.value}" for fact in parameter_facts(text, {"n", "mode"})]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "Do.\n\nArgs:\n    n (int): Must be at least 2. Defaults to 5.\n",
            ["n type int", "n default 5", "n range >= 2"],
        ),
        ("Do.\n\nArgs:\n    n: must be\n        positive\n", ["n range > 0"]),
        ("Do.\n\n:param int n: must be between 1 and 6\n", ["n type int", "n range >= 1", "n range <= 6"]),
        ("Do.\n\nArgs:\n    n: How many, at most 20.\n", ["n range <= 20"]),
        ("Do.\n\nArgs:\n    n: A text of at most 20 letters; at most 3 of them small.\n", []),
        ("Do.\n\n:param n: it\n:type n: int or None\n", ["n type NoneType | int"]),
        (
            "Do.\n\nParameters\n----------\nmode : {'b', 'a'}, default 'a'\n    How.\n",
            ["mode enum 'a', 'b'", "mode default 'a'"],
        ),
        (
            "Do.\n\nParameters\n----------\nn : int, optional\n    Must not be negative.\n",
            ["n type int", "n range >= 0"],
        ),
        ("Do.\n\nArgs:\n    mode: must be one of 'a' or 'b'.\n", ["mode enum 'a', 'b'"]),
        ("Do.\n\nArgs:\n    n: Usually must be positive.\n", []),
        ("Do.\n\nArgs:\n    n: Must be positive if mode is set.\n", []),
        ("Do.\n\nArgs:\n    n: Defaults to 5, or 6 on Sundays. Defaults to 6.\n", []),
        ("Do.\n\nArgs:\n    other: must be positive\n\nReturns:\n    n: must be positive\n", []),
    ],
)
def test_parameters(text, expected):
    assert said(text) == expected


def test_a_default_that_is_no_literal_says_nothing():
    assert said("Do.\n\nArgs:\n    n: Defaults to the length.\n") == []
