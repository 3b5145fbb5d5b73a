"""Texts that are cut, so that they fit into a line."""

from __future__ import annotations

import pytest

from repair.show.lines import shorten_both


@pytest.mark.parametrize(
    ("one", "other", "shown"),
    [
        ("short", "shorter", ("short", "shorter")),
        ("1" * 30, "2" * 30, ("1" * 20 + "…", "2" * 20 + "…")),
        ("a" * 50 + "1", "a" * 50 + "2", ("…" + "a" * 10 + "1", "…" + "a" * 10 + "2")),
        ("a" * 50, "a" * 60, ("…" + "a" * 10, "…" + "a" * 19 + "…")),
        ("", "a" * 30, ("", "a" * 20 + "…")),
    ],
)
def test_two_texts_are_cut_where_it_is_seen_how_they_differ(one, other, shown):
    assert shorten_both(one, other, 20) == shown
    assert one == other or shown[0] != shown[1]
