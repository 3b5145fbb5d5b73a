import pytest

from tally import instant_runoff

ABC = ["ann", "bob", "cy"]
ABCD = ABC + ["dee"]


def B(*groups):
    out = []
    for n, text in groups:
        out += [text.split()] * n
    return out


def test_first_round_majority():
    assert instant_runoff(B((3, "ann"), (2, "bob")), ABC) == ("ann", [{"ann": 3, "bob": 2, "cy": 0}])


def test_exactly_half_is_no_majority():
    winner, rounds = instant_runoff(B((2, "ann"), (1, "bob"), (1, "cy bob")), ABC)
    assert len(rounds) > 1
    assert rounds[0] == {"ann": 2, "bob": 1, "cy": 1}
    assert rounds[1] == {"ann": 2, "bob": 2}


def test_exhausted_leave_the_count():
    winner, rounds = instant_runoff(B((4, "ann"), (3, "bob"), (2, "cy")), ABC)
    assert winner == "ann"
    assert rounds == [{"ann": 4, "bob": 3, "cy": 2}, {"ann": 4, "bob": 3}]


def test_some_exhausted_some_transferred():
    winner, rounds = instant_runoff(B((5, "ann"), (4, "bob"), (2, "cy bob"), (2, "cy")), ABC)
    assert winner == "bob"
    assert rounds[-1] == {"ann": 5, "bob": 6}


def test_exhausted_in_two_rounds():
    winner, rounds = instant_runoff(B((6, "ann"), (5, "bob"), (4, "cy"), (3, "dee")), ABCD)
    assert winner == "ann"
    assert rounds == [
        {"ann": 6, "bob": 5, "cy": 4, "dee": 3},
        {"ann": 6, "bob": 5, "cy": 4},
        {"ann": 6, "bob": 5},
    ]


def test_majority_of_the_continuing_ends_the_count_early():
    # after dee goes: ann 6, bob 3, cy 2 of 11 - more than half of those counted
    winner, rounds = instant_runoff(B((6, "ann"), (3, "bob"), (2, "cy"), (1, "dee")), ABCD)
    assert winner == "ann"
    assert len(rounds) == 2


def test_no_majority_with_three_left_goes_on():
    winner, rounds = instant_runoff(B((4, "ann"), (3, "bob"), (3, "cy bob"), (2, "dee")), ABCD)
    assert winner == "bob"
    assert len(rounds) == 3
    assert rounds[1] == {"ann": 4, "bob": 3, "cy": 3}


def test_half_of_continuing_is_not_enough():
    # second round: ann 4 of 8 counted
    winner, rounds = instant_runoff(B((4, "ann"), (2, "bob"), (2, "cy bob"), (1, "dee")), ABCD)
    assert rounds[1] == {"ann": 4, "bob": 2, "cy": 2}
    assert len(rounds) > 2


def test_blank_ballots_are_not_counted():
    winner, rounds = instant_runoff(B((3, "ann"), (2, "bob"), (4, "")), ABC)
    assert winner == "ann"
    assert len(rounds) == 1


def test_no_ballots():
    assert instant_runoff([], ABC) == (None, [{"ann": 0, "bob": 0, "cy": 0}])


def test_only_blank_ballots():
    winner, rounds = instant_runoff([[], []], ABC)
    assert winner is None
    assert len(rounds) == 1


def test_no_candidates():
    assert instant_runoff([], []) == (None, [])


def test_tie_drops_the_last_listed():
    winner, rounds = instant_runoff(B((1, "ann"), (1, "bob"), (1, "cy bob")), ABC)
    assert winner == "bob"
    assert rounds[1] == {"ann": 1, "bob": 2}


def test_two_way_tie_is_won_by_the_first_listed():
    winner, rounds = instant_runoff(B((2, "ann"), (2, "bob")), ["ann", "bob"])
    assert winner == "ann"
    assert rounds == [{"ann": 2, "bob": 2}, {"ann": 2}]


def test_all_exhausted_but_one_candidate():
    winner, rounds = instant_runoff(B((2, "bob"), (2, "cy")), ABC)
    assert winner == "bob"


def test_plurality_loser_can_win():
    winner, _ = instant_runoff(B((4, "ann"), (3, "bob"), (2, "cy bob")), ABC)
    assert winner == "bob"


def test_leader_after_exhaustion_needs_a_majority_not_the_lead():
    winner, rounds = instant_runoff(
        B((5, "ann"), (4, "bob"), (3, "cy bob"), (1, "dee")), ABCD
    )
    assert winner == "bob"


def test_arguments_are_left_alone():
    ballots = B((4, "ann"), (3, "bob"), (2, "cy"))
    names = list(ABC)
    instant_runoff(ballots, names)
    assert names == ABC
    assert ballots == B((4, "ann"), (3, "bob"), (2, "cy"))
