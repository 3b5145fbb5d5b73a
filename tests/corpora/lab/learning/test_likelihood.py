"""Likelihoods of held-out fixes: more for what other histories have seen."""

from __future__ import annotations

import math
from collections.abc import Mapping
from pathlib import Path

import pytest

from corpora.lab.learning.checking import rest_of
from corpora.lab.learning.learn import Learned, add_up
from corpora.lab.learning.likelihood import held_out_likelihoods, tried_strengths
from corpora.lab.learning.producing import COUNTED
from corpora.lab.learning.seen import Origin, Produced, Seen
from transforms.enumerate.order import FixCounts

WAY = Produced("number", "literal", "index", 2, {"index": 0.5, "argument": 0.5})
FROM = Origin("names", "class once", {"class once": 0.2, "function once": 0.8})


def history(name: str, times: int) -> Learned:
    seen = tuple(Seen(f"{name}{n}", True, True, ways=(WAY,), origins=(FROM,)) for n in range(times))
    return Learned(Path(name), add_up(seen), seen)


def both(one: int, other: int) -> tuple[Mapping[str, Learned], Mapping[str, FixCounts]]:
    each = {"a": history("a", one), "b": history("b", other)}
    return each, rest_of(each, FixCounts())


def test_what_others_have_seen_is_likelier() -> None:
    learned, hand, uniform = held_out_likelihoods(*both(30, 2))
    assert learned.of_fixes > hand.of_fixes
    assert learned.of_words > hand.of_words == pytest.approx(math.log(0.2))
    assert uniform.of_fixes == pytest.approx(math.log(0.5 / len(COUNTED)))
    assert learned.better_than(hand) == (2, 2)
    (few,), (many,) = ({*values} for values in learned.fixes)
    assert many > few


def test_fixes_of_the_same_history_do_not_count() -> None:
    learned, hand, _ = held_out_likelihoods({"a": history("a", 30)}, {"a": FixCounts()})
    assert learned.of_fixes == pytest.approx(hand.of_fixes)
    assert learned.of_words == pytest.approx(hand.of_words)


def test_a_weaker_prior_learns_more() -> None:
    found = {(part, value): tried for part, value, tried in tried_strengths(*both(30, 30))}
    assert found["operators", 20.0].of_fixes > found["operators", 1000.0].of_fixes
    assert found["context", 2.0].of_fixes > found["context", 100.0].of_fixes
    assert found["ingredient", 5.0].of_words > found["ingredient", 1000.0].of_words


def test_the_rest_is_all_others_and_what_was_before() -> None:
    each = {name: history(name, times) for name, times in (("a", 1), ("b", 2), ("c", 4))}
    rest = rest_of(each, FixCounts(operators={"number": 8.0}))
    assert [rest[name].operators["number"] for name in "abc"] == [14.0, 13.0, 11.0]
