import pytest

from voting.ballots import parse_ballots
from voting.methods import instant_runoff

NAMES = ["ann", "bob", "cid"]


@pytest.mark.parametrize(
    "text, winner, rounds",
    [
        ("ann", "ann", 1),
        ("cid", "cid", 1),
        ("3: ann\n1: bob\n1: cid", "ann", 1),
        ("2: ann\n1: bob\n2:", "ann", 1),
        ("2: ann\n1: bob\n9:", "ann", 1),
        ("1: bob\n5:", "bob", 1),
        ("4: ann > bob\n3: bob > cid\n2: cid > bob", "bob", 2),
        # the two ballots for cid are used up after the first round
        ("4: ann\n3: bob\n2: cid", "ann", 2),
        ("3: ann\n4: bob\n2: cid", "bob", 2),
        ("5: ann\n4: bob\n3: cid\n1:", "ann", 2),
        ("3: bob\n3: cid\n2: ann > cid", "cid", 2),
        ("3: bob\n2: ann\n1: cid", "bob", 2),
        ("3: ann\n2: bob\n2: cid > bob", "bob", 2),
        # exactly half is no majority
        ("2: ann\n1: bob\n1: cid > bob", "ann", 3),
        ("2: ann\n2: bob", "ann", 3),
        ("2: ann\n2: bob\n1:", "ann", 3),
    ],
)
def test_runoff(text, winner, rounds):
    result = instant_runoff(parse_ballots(text, NAMES), NAMES)
    assert result.winner == winner
    assert len(result.rounds) == rounds


def test_half_does_not_win():
    order = ["bob", "ann", "cid"]
    ballots = parse_ballots("3: ann\n2: bob\n1: cid > bob", order)
    assert instant_runoff(ballots, order).winner == "bob"


@pytest.mark.parametrize("ballots", [[], [[]], [[], [], []]])
def test_no_votes(ballots):
    assert instant_runoff(ballots, NAMES).winner is None


def test_one_candidate():
    assert instant_runoff([["ann"], []], ["ann"]).winner == "ann"
    assert instant_runoff([[]], ["ann"]).winner is None


def test_rounds_are_recorded():
    result = instant_runoff(parse_ballots("4: ann\n3: bob\n2: cid", NAMES), NAMES)
    assert result.rounds == [{"ann": 4, "bob": 3, "cid": 2}, {"ann": 4, "bob": 3}]


def test_candidates_are_not_changed():
    names = list(NAMES)
    instant_runoff([["ann"], ["bob"]], names)
    assert names == NAMES
