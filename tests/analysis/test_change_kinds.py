"""In which way a result changes: changes of one kind share the words."""

from __future__ import annotations

import pytest

from analysis.behaviour import Hung, Raised, Returned
from analysis.change_kinds import UNKNOWN, kind_of_change


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        ("'8.10'", "'8.1'", ("text", "shrinks", "part")),
        ("'1000 V'", "'1.00 kV'", ("text", "grows", "other")),
        ("3", "5", ("number", "grows")),
        ("3", "2.5", ("number", "shrinks")),
        ("True", "False", ("bool", "False")),
        ("1", "True", ("int", "bool")),
        ("False", "5", ("bool", "int")),
        ("1" + "0" * 400, "1.5", ("number", "shrinks")),
        ("[1]", "[1, 2]", ("list", "list")),
        ("None", "[]", ("NoneType", "list")),
        ("b'a'", "b'ba'", ("text", "grows", "more")),
    ],
)
def test_two_values(old, new, kind):
    assert kind_of_change(Returned(old), Returned(new)) == kind


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        (Raised("ValueError", "x"), Returned("0"), ("ValueError", "int")),
        (Returned("0"), Raised("KeyError", "1"), ("int", "KeyError")),
        (Raised("KeyError", "1"), Raised("KeyError", "2"), ("KeyError", "KeyError")),
        (Returned("<Metric>"), Returned("2"), UNKNOWN),
        (Returned("'aaa…", whole=False), Returned("'b'"), UNKNOWN),
        (Hung(5.0), Returned("1"), ("Hung", "int")),
        (Returned("<Metric>"), Raised("KeyError", ""), ("Returned", "KeyError")),
    ],
)
def test_other_ends(old, new, kind):
    assert kind_of_change(old, new) == kind
