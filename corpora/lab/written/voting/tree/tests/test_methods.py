import pytest

from voting.ballots import parse_ballots
from voting.methods import borda, instant_runoff, motion_passes, plurality

NAMES = ["ann", "bob", "cid"]


def ballots(text):
    return parse_ballots(text, NAMES)


def test_plurality():
    assert plurality(ballots("2: ann\n1: bob"), NAMES).winner == "ann"


def test_plurality_tie():
    assert plurality(ballots("ann\nbob"), NAMES).winner is None


def test_runoff_first_round():
    result = instant_runoff(ballots("3: ann\n1: bob\n1: cid"), NAMES)
    assert result.winner == "ann"
    assert len(result.rounds) == 1


def test_runoff_second_round():
    result = instant_runoff(ballots("4: ann > bob\n3: bob > cid\n2: cid > bob"), NAMES)
    assert result.winner == "bob"
    assert result.rounds == [
        {"ann": 4, "bob": 3, "cid": 2},
        {"ann": 4, "bob": 5},
    ]


def test_runoff_equally_weak():
    result = instant_runoff(ballots("3: ann\n2: bob > ann\n2: cid > bob"), NAMES)
    assert result.winner == "bob"


def test_runoff_with_blank_ballots():
    result = instant_runoff(ballots("2: ann\n1: bob\n2:"), NAMES)
    assert result.winner == "ann"



def test_borda():
    assert borda(ballots("2: ann > bob\ncid > bob > ann"), NAMES) == {
        "ann": 4,
        "bob": 3,
        "cid": 2,
    }


@pytest.mark.parametrize(
    "yes, no, abstain, members, passes",
    [
        (3, 2, 0, 10, True),
        (3, 1, 0, 10, False),
        (2, 2, 6, 10, False),
        (1, 0, 4, 10, True),
    ],
)
def test_motion(yes, no, abstain, members, passes):
    assert motion_passes(yes, no, abstain, members) is passes
