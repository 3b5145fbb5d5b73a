"""Scripted edits are handed out in order, where they fit."""

from __future__ import annotations

import pytest
from fakes.failing_function import context_of, plan_of, scope_of

from analysis.errors import UsageError
from repair.proposers.edits import text_of
from repair.proposers.scripted import ScriptedProposer
from transforms.patch.apply import apply_update
from transforms.tree.proposal import Proposal

UPDATE = ("update", "name.lower()", "(name or '').lower()")
OTHER = ("update", "times > 1", "times >= 1")


def texts(*edits: object, qualname: str = "Greeter.greet") -> list[str]:
    scope = scope_of(qualname)
    proposer = ScriptedProposer(edits)
    return [text_of(scope, p) for p in proposer.propose(plan_of(scope), context_of(scope))]


def test_one_edit_and_several_as_one_change():
    one, two = texts(UPDATE, (UPDATE, OTHER))
    assert "(name or '').lower()" in one
    assert "times > 1" in one
    assert "(name or '').lower()" in two
    assert "times >= 1" in two


def test_all_kinds():
    patch = ("patch", "if times > 1:\n    text = text * times", "text *= times")
    rewrite = ("rewrite", "", "def greet(self, name, times=1):\n    return 'hello ' * times\n")
    assert [("text *= times" in t, "'hello ' * times" in t) for t in texts(patch, rewrite)] == [
        (True, False),
        (False, True),
    ]


@pytest.mark.parametrize(
    "edit",
    [
        ("update", "missing()", "1"),
        ("update", "text", "1"),
        ("update", "name.lower()", "name.lower()"),
        ("update", "name.lower()", "x = 1"),
        ("rewrite", "", "def hello(self):\n    pass\n"),
        ("rewrite", "", "def greet(self, name, times=1):\n    pass\n\ndef other():\n    pass\n"),
        ("rewrite", "", "import os\n"),
        (UPDATE, UPDATE),
        ("update", "name.lower()", "not " * 15_000 + "name"),
    ],
    ids=["absent", "not unique", "no change", "no expression", "renamed", "two", "none", "overlap", "hostile"],
)
def test_what_does_not_fit_is_passed_over(edit):
    assert len(texts(edit, OTHER)) == 1


def test_a_ready_proposal_is_for_its_own_function():
    scope, other = scope_of(), scope_of("other")
    ready = apply_update(other, "name.lower()", "name.upper()")
    assert isinstance(ready, Proposal)
    proposer = ScriptedProposer([ready])
    assert list(proposer.propose(plan_of(scope), context_of(scope))) == []
    assert list(proposer.propose(plan_of(other), context_of(other))) == [ready]


def test_an_unknown_kind_is_a_mistake_of_the_caller():
    with pytest.raises(UsageError, match="no kind of edit"):
        ScriptedProposer([("delete", "a", "b")])
