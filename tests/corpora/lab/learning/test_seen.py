"""What is kept of a commit, and what it adds to the counts."""

from __future__ import annotations

import pytest

from corpora.lab.learning.seen import Origin, Produced, Seen, bucket

WAYS = (
    Produced("number", "literal", "index", 2, {"index": 0.5, "argument": 0.5}),
    Produced("off_by_one", "arithmetic", "index", 1, {"index": 1.0}),
)


def test_a_fix_that_several_operators_give_is_shared_among_them() -> None:
    counts = Seen("1", True, True, "logic", "text", WAYS).counts()
    assert counts.operators == {"number": 0.5, "off_by_one": 0.5}
    assert counts.expected["number"] == {"index": 0.25, "argument": 0.25}
    assert counts.ranks["number"] == {"2": 0.5}
    assert counts.classes == {"logic": {"literal": 0.5, "arithmetic": 0.5}}
    assert counts.subclasses == {"text": counts.families}


def test_what_is_no_fix_is_counted_apart() -> None:
    counts = Seen("1", True, False, "logic", "text", WAYS).counts()
    assert counts.others == {"number": 0.5, "off_by_one": 0.5}
    assert counts.operators == counts.classes == {}


def test_origins_are_added_up_by_kind() -> None:
    one, other = (
        Origin("names", "function once", {"function once": 0.25, "function some": 0.75}),
        Origin("names", "new"),
    )
    counts = Seen("1", True, True, origins=(one, other, one)).counts()
    assert counts.ingredients == {"names": {"function once": 2.0, "new": 1.0}}
    assert counts.likely == {"names": {"function once": 0.5, "function some": 1.5}}
    assert counts.operators == counts.classes == {}


@pytest.mark.parametrize(("rank", "word"), [(1, "1"), (2, "2"), (3, "3-4"), (4, "3-4"), (5, "5-8"), (9, "9-16")])
def test_ranks_are_kept_by_powers_of_two(rank: int, word: str) -> None:
    assert bucket(rank) == word
