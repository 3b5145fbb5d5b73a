"""Which operators give a new text from the old one, at which place; and what no single edit gives."""

from __future__ import annotations

import pytest

from analysis.functions import functions_of
from corpora.lab.learning.producing import MOST_ADDED, Wanted, describe_wanted, find_produced, vocabulary
from transforms.tree.scope import EditScope, open_scope

MODULE = '''
class Shelf:
    """Things in a row."""

    def upto(self, names, limit, skip=None):
        """All names before the limit."""
        found = []
        for at, name in enumerate(names):
            if at < limit:  # near enough
                found.append(name.strip())
        return found[0:limit], names[limit]
'''
GUARDED = "  if limit is None:\n                continue\n            if at < limit:"


def goal(*changes: tuple[str, str]) -> Wanted | None:
    source = MODULE.encode()
    (span,) = functions_of("m.py", source)
    scope = open_scope(source, span)
    assert isinstance(scope, EditScope)
    text = scope.text.decode()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return describe_wanted(scope, text.encode())


def ways(*changes: tuple[str, str]) -> dict[str, str]:
    sought = goal(*changes)
    assert sought is not None
    return {way.operator: way.context for way in find_produced(sought)}


@pytest.mark.parametrize(
    ("old", "new", "operator", "context"),
    [
        ("at < limit", "at <= limit", "comparison", "if"),
        ("if at < limit", "if skip and at < limit", "add_conjunct", "if"),
        ("[0:limit]", "[1:limit]", "number", "index"),
        ("name.strip()", "name", "unwrap", "argument"),
        ("names[limit]", "names[limit - 1]", "off_by_one", "index"),
        ("  if at < limit:", GUARDED, "guard_statement", "an if"),
        ("names[limit]", "names.get(limit)", "safe_access", "element"),
        ("  if at < limit:", GUARDED.replace("continue", "return"), "guard_statement", "an if"),
    ],
)
def test_an_edit_is_found_with_its_context(old: str, new: str, operator: str, context: str) -> None:
    assert ways((old, new)).get(operator) == context


def test_layout_comments_docstrings_and_quotes_do_not_count() -> None:
    changes = (("  # near enough", ""), ("before the limit", "up to the limit"), ("at < limit", "(at  <= limit)"))
    assert "comparison" in ways(*changes)


def test_the_share_of_contexts_and_the_rank_are_told() -> None:
    sought = goal(("[0:limit]", "[1:limit]"))
    assert sought is not None
    way = next(way for way in find_produced(sought) if way.operator == "number")
    assert way.rank <= 4
    assert dict(way.expected) == {"index": 1.0}


def test_two_edits_are_not_one() -> None:
    assert ways(("at < limit", "at <= limit"), ("name.strip()", "name")) == {}


def test_words_that_nobody_here_knows_are_brought_by_no_edit() -> None:
    sought = goal(("at < limit", "at < limit_of_tomorrow"))
    assert sought is not None
    assert sought.land.sites == ()
    assert sought.near.ingredients.parameters == ("names", "limit", "skip")
    assert ways(("at < limit", "at < limit_of_tomorrow")) == {}


def test_words_of_the_operators_and_the_language_are_known() -> None:
    assert {"strip", "len", "not", "ValueError"} <= vocabulary()
    assert "limit_of_tomorrow" not in vocabulary()


def test_what_is_larger_than_any_edit_is_not_looked_for() -> None:
    assert (
        goal(("return found", "x = 'y'\n" + "        x = x + 'more'\n" * MOST_ADDED + "        return found")) is None
    )


def test_the_same_program_is_no_change() -> None:
    assert goal(("  # near enough", "")) is None


def test_a_text_that_is_no_program_is_not_looked_for() -> None:
    assert goal(("at < limit", "at < (limit")) is None
