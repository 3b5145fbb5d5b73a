import pytest

from voting.ballots import BallotError, first_choices, parse_ballot, parse_ballots

NAMES = ["ann", "bob", "cid"]


def test_parse_ballot():
    assert parse_ballot(" bob > ann ", NAMES) == ["bob", "ann"]


def test_blank_ballot():
    assert parse_ballot("", NAMES) == []


@pytest.mark.parametrize("text", ["ann > ann", "ann > zoe"])
def test_bad_ballot(text):
    with pytest.raises(BallotError):
        parse_ballot(text, NAMES)


def test_parse_ballots():
    assert parse_ballots("2: ann > bob\ncid", NAMES) == [
        ["ann", "bob"],
        ["ann", "bob"],
        ["cid"],
    ]


def test_first_choices():
    ballots = [["ann", "bob"], ["cid"], []]
    assert first_choices(ballots, ["bob", "cid"]) == {"bob": 1, "cid": 1}
