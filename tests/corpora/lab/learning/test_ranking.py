"""Places of fixes in the stream."""

from __future__ import annotations

from pathlib import Path

from fakes.history import make_history

from corpora.lab.learning.learn import Learning, learn
from corpora.lab.learning.ranking import Ranks, held_out_ranks


def test_fixes_are_ranked_by_the_counts_of_the_other_histories(tmp_path: Path) -> None:
    both = [make_history(tmp_path / name / "lib") for name in ("one", "other")]
    _, each = learn(both, Learning(), lambda line: None)
    (one,) = each.values()
    found = held_out_ranks({"one": one, "other": one}, {"one": one.counts, "other": one.counts}, 1)
    assert [ranks.order for ranks in found] == ["learned", "hand", "uniform"]
    assert all(len(ranks.places) == 2 and min(ranks.places) > 0 for ranks in found)
    assert max(found[0].places) <= min(found[1].places)


def test_what_is_too_far_back_counts_as_the_furthest() -> None:
    one, other = Ranks("hand", (0, 1, 300, 0)), Ranks("uniform", (2000, 1, 200, 0))
    assert str(one) == (
        "hand: 4 fixes, median place 2650, 25% in the first 10, 25% in the first 100,"
        " 50% in the first 1000, 50% in the first 5000"
    )
    assert one.ahead_of(other) == (0, 2)
