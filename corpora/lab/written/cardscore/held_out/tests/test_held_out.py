import pytest

from scoring import hand_value, is_bust, outcome


@pytest.mark.parametrize("hand, value", [
    ("", 0),
    ("AH", 11),
    ("AH 10S", 21),
    ("AH AS", 12),
    ("AH AS 9D", 21),
    ("AH AS 10D", 12),
    ("AH AS AD", 13),
    ("AH AS AD AC", 14),
    ("AH AS AD 8C", 21),
    ("AH AS AD 9C", 12),
    ("AH AS KD 9C", 21),
    ("AH AS KD QC", 22),
    ("AH AS AD KC 8D", 21),
    ("AH AS AD KC 9D", 22),
    ("AH KS QD", 21),
    ("AH KS QD 5C", 26),
    ("AH 5S 5D", 21),
    ("AH 5S 6D", 12),
    ("5S AH 5D AS", 12),
    ("2S 3D AH AS AC 2H", 20),
    ("2S 3D AH AS AC 4H", 12),
    ("KH QH JH", 30),
    ("KH QH AS 5D", 26),
    ("10S 9S 2D", 21),
])
def test_value(hand, value):
    cards = hand.split()
    assert hand_value(cards) == value
    assert cards == hand.split()


def test_not_bust():
    assert not is_bust(["AH", "AS", "KD", "9C"])


def test_outcome():
    assert outcome("AH AS KD 8C".split(), "KD 9D".split()) == "win"


def test_bad_card():
    with pytest.raises(ValueError):
        hand_value(["AH", "1S"])
