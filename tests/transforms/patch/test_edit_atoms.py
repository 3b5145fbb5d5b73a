"""An edit as the smallest replacements, and atoms of several edits as one."""

import pytest

from analysis.functions import functions_of
from analysis.trials import Trial
from transforms.patch.apply import render
from transforms.patch.edit_atoms import atom_key, edit_atoms, unite
from transforms.tree.proposal import Origin, Proposal
from transforms.tree.scope import open_scope

OLD = """def f(a, b):
    x = a + b
    if x > 3:
        return x
    for i in range(b):
        x += i
    return x - 1
"""
BOTH = OLD.replace("a + b", "a - b").replace("x > 3", "x >= 3")


def opened(text):
    source = text.encode()
    return open_scope(source, functions_of("a.py", source)[0])


def atoms(text, old=OLD):
    return edit_atoms(opened(old).node, opened(text).node)


def text_with(replacements, old=OLD):
    scope = opened(old)
    made = render(scope, Proposal(scope.function, replacements, Origin("test", "it")))
    return made.text.decode() if isinstance(made, Trial) else made


@pytest.mark.parametrize(
    "new",
    [
        BOTH,
        OLD.replace("    x = a + b\n", "    y = 0\n    x = a + b\n"),
        OLD.replace("    return x - 1\n", "    y = x\n    return y\n"),
        OLD.replace("        x += i\n", "        x += i\n        print(x)\n    else:\n        x = 0\n"),
        OLD.replace("    if x > 3:\n        return x\n", ""),
        OLD.replace("    if x > 3:\n        return x\n", "    while x:\n        x = b\n    x = 7\n"),
        OLD.replace("        return x\n", "        return x\n    elif b:\n        return 2\n"),
        OLD.replace("def f(a, b):", "def f(a, b=3):"),
        "def f(a, b):\n    return a\n",
    ],
)
def test_all_atoms_together_are_the_edit(new):
    assert text_with(atoms(new)) == new


def test_a_function_that_stays_has_none():
    assert atoms(OLD) == ()
    assert atoms(OLD.replace("x = a + b", "x = (a + b)  # sum")) == ()


def test_each_atom_can_be_made_by_itself():
    one, other = atoms(BOTH)
    assert text_with((one,)) == OLD.replace("a + b", "a - b")
    assert text_with((other,)) == OLD.replace("x > 3", "x >= 3")


def test_atoms_of_several_edits_are_united_each_once():
    more = BOTH.replace("x - 1", "x")
    united = unite([atoms(BOTH), atoms(more)])
    assert len(united) == 3
    assert text_with(united) == more
    assert {atom_key(each) for each in united} == {atom_key(each) for each in atoms(more)}


@pytest.mark.parametrize(
    "other", [OLD.replace("a + b", "a * b"), OLD.replace("    x = a + b\n", "    x = 0\n    y = 1\n")]
)
def test_edits_of_one_place_are_not_united(other):
    assert unite([atoms(OLD.replace("a + b", "a - b")), atoms(other)]) is None
