import pytest

from phones.book import PhoneBook
from phones.normalise import BadNumber, normalise


@pytest.mark.parametrize("text, country, out", [
    ("+49 (0)30 1234567", "DE", "+49301234567"),
    ("+49 (0) 30 1234567", "DE", "+49301234567"),
    ("+49(0)301234567", "US", "+49301234567"),
    ("0049 (0)30 1234567", "DE", "+49301234567"),
    ("0049(0)30/1234567", "GB", "+49301234567"),
    ("+44 (0)20 7946 0000", "DE", "+442079460000"),
    ("0044 (0)20 7946 0000", "DE", "+442079460000"),
    ("+49 (0)30 1234567 ext. 5", "DE", "+49301234567"),
    # zeros elsewhere stay
    ("+49 30 1000000", "DE", "+49301000000"),
    ("030 (0)123456", "DE", "+49300123456"),
    ("+49 30 (0)123456", "DE", "+49300123456"),
    # Italy keeps its zero
    ("+39 06 69812345", "DE", "+390669812345"),
    ("0039 06 69812345", "DE", "+390669812345"),
    ("06 69812345", "IT", "+390669812345"),
    ("+39 (0)6 69812345", "DE", "+390669812345"),
    # no brackets or no trunk prefix at all
    ("+49 30 1234567", "DE", "+49301234567"),
    ("0049 30 1234567", "DE", "+49301234567"),
    ("030 1234567", "DE", "+49301234567"),
    ("1 212 555 0100", "US", "+12125550100"),
    ("+1 212 555 0100", "DE", "+12125550100"),
    ("(030) 1234567", "DE", "+49301234567"),
])
def test_normalise(text, country, out):
    assert normalise(text, country) == out


@pytest.mark.parametrize("text", [
    "", "+", "(0)", "+49", "+49 (0)", "+999 (0)1234567", "+49 (0)30 abc", "+49 (0)301", "+44 (0)20 7946",
])
def test_bad(text):
    with pytest.raises(BadNumber):
        normalise(text)


def test_one_entry_in_the_book():
    book = PhoneBook()
    for n in ("030 1234567", "+49 (0)30 1234567", "0049 (0)30 1234567", "+49 30 1234567"):
        book.add("Ann", n)
    assert len(book) == 1
