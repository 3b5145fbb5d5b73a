"""Each decision of a campaign: when it ends, and what it says no to."""

from random import Random

import pytest

from corpora.tuning.decisions import judge_deletion, judge_gain, judge_sealed, screen
from corpora.tuning.evidence import TaskPair, spent_error


def pairs(*gains):
    return [TaskPair(f"t{n}", f"p{n % 5}", 0.0, gain) for n, gain in enumerate(gains)]


def drawn(pairs):
    """An iterator, and how many were taken from it."""
    taken = []

    def draw():
        for pair in pairs:
            taken.append(pair)
            yield pair

    return draw(), taken


def no_more():
    """No second look is allowed."""
    raise AssertionError("more samples were asked for")


@pytest.mark.parametrize(
    ("gains", "passed", "asked"),
    [
        ([0] * 20, False, 8),
        ([-1] * 20, False, 4),
        ([1, 1, 1, *[0] * 9], True, 3),
        ([1, *[0] * 19], True, 12),
        ([1, -1, *[0] * 18], False, 12),
    ],
)
def test_the_screen_is_a_race(gains, passed, asked):
    draw, taken = drawn(pairs(*gains))
    found = screen(draw, to_gain=True)
    assert (found.accepted, len(taken)) == (passed, asked)
    assert found.pairs == tuple(taken)


@pytest.mark.parametrize(("gains", "passed"), [([0] * 20, True), ([-1] * 20, False), ([1, -1, -1] * 4, True)])
def test_a_deletion_need_not_win(gains, passed):
    assert screen(pairs(*gains), to_gain=False).accepted is passed


def test_a_large_gain_ends_the_test_early():
    draw, taken = drawn(pairs(*[1] * 60))
    found = judge_gain(draw, no_more, 60, spent_error(1), Random(0))
    assert found.accepted
    assert 5 < len(taken) < 15
    assert found.path[-1] >= 20
    assert found.low > 0


def test_harm_ends_the_test_early():
    draw, taken = drawn(pairs(*[-1] * 60))
    found = judge_gain(draw, no_more, 60, spent_error(1), Random(0))
    assert not found.accepted
    assert len(taken) < 15


def test_what_chance_gives_is_no_gain():
    found = judge_gain(
        pairs(*[1, 0, 0, 1, -1, 0] * 10), lambda: pairs(*[1, 0, 0, 1, -1, 0] * 10), 60, spent_error(1), Random(0)
    )
    assert not found.accepted
    assert found.chance is not None
    assert found.chance > spent_error(1) / 4
    assert len(found.pairs) == 60


HOPEFUL = [1] * 11 + [-1] * 5 + [0] * 44


def test_a_second_look_needs_hope_and_decides_by_all_samples():
    hopeful, better = HOPEFUL.copy(), [1] * 22 + [-1] * 5 + [0] * 33
    Random(5).shuffle(hopeful)
    Random(6).shuffle(better)
    found = judge_gain(pairs(*hopeful), lambda: pairs(*better), 60, spent_error(3), Random(0))
    assert found.accepted
    assert found.reason.startswith("sign test with more samples: 22 won, 5 lost")
    assert found.pairs == tuple(pairs(*better))
    assert len(found.path) == 60
    again = judge_gain(pairs(*hopeful), lambda: pairs(*hopeful), 60, spent_error(3), Random(0))
    assert not again.accepted
    assert "against 0.0008" in again.reason


def test_without_hope_nothing_more_is_asked_for():
    flat = [1, -1] * 8 + [0] * 44
    assert judge_gain(pairs(*flat), no_more, 60, spent_error(1), Random(0)).reason.startswith(
        "sign test: 8 won, 8 lost"
    )


def test_three_looks_spend_the_error_of_a_test():
    """Of edits that do nothing, whose more samples are new luck, no more than the error are accepted."""
    rng, accepted = Random(1), 0
    for _ in range(400):
        first = [rng.choice((0, 0, 0.5, -0.5)) for _ in range(60)]
        more = [(one + rng.choice((0, 0, 0.5, -0.5))) / 2 for one in first]
        accepted += judge_gain(pairs(*first), lambda more=more: pairs(*more), 60, 0.2, rng).accepted
    assert 0 < accepted <= 0.2 * 400 * 1.2


def test_a_later_test_needs_more_than_an_earlier_one():
    gains = [1] * 14 + [-1] * 3 + [0] * 43
    Random(5).shuffle(gains)
    assert judge_gain(pairs(*gains), lambda: pairs(*gains), 60, spent_error(1), Random(0)).accepted
    assert not judge_gain(pairs(*gains), lambda: pairs(*gains), 60, spent_error(20), Random(0)).accepted


def test_a_gain_of_one_project_alone_does_not_do():
    gains = [TaskPair(str(n), "p0" if n % 5 == 0 else f"p{n % 5}", 0.0, float(n % 5 == 0)) for n in range(60)]
    assert not judge_gain(gains, lambda: gains, 60, spent_error(1), Random(0)).accepted


def test_a_deletion_has_to_cost_less_than_the_margin():
    assert judge_deletion(pairs(*[0] * 58, 1, -1), 0.10, Random(0)).accepted
    assert not judge_deletion(pairs(*[0, 0, 0, 0, 0, 0, 0, -1] * 7), 0.10, Random(0)).accepted
    assert not judge_deletion(pairs(*[0, 0, -1] * 20), 0.10, Random(0)).accepted


def test_the_seal_is_stricter_with_what_should_gain():
    slightly_worse = pairs(*[0] * 47, -1)
    assert not judge_sealed(slightly_worse, 0.10, Random(0), shorter_only=False).accepted
    assert judge_sealed(slightly_worse, 0.10, Random(0), shorter_only=True).accepted
    assert judge_sealed(pairs(*[0] * 23, 1), 0.10, Random(0), shorter_only=False).accepted


def test_nothing_measured_accepts_nothing():
    assert not screen([], to_gain=True).accepted
    assert not judge_gain([], no_more, 60, 0.05, Random(0)).accepted
    assert not judge_deletion([], 0.10, Random(0)).accepted
    assert not judge_sealed([], 0.10, Random(0), shorter_only=True).accepted
