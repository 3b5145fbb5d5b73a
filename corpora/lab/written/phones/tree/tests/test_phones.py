import pytest

from phones.book import PhoneBook
from phones.normalise import BadNumber, normalise, split_extension


@pytest.mark.parametrize("text, country, out", [
    ("030 / 1234-567", "DE", "+49301234567"),
    ("+49 30 1234567", "US", "+49301234567"),
    ("0049 30 1234567", "DE", "+49301234567"),
    ("(212) 555-0100", "US", "+12125550100"),
    ("06 698 12345", "IT", "+390669812345"),
    ("030 1234567 ext. 12", "DE", "+49301234567"),
])
def test_normalise(text, country, out):
    assert normalise(text, country) == out


def test_trunk_prefix_in_brackets():
    assert normalise("+49 (0)30 1234567") == "+49301234567"


@pytest.mark.parametrize("text", ["", "030 CALL ME", "12+34567", "030 1", "+999 1234567"])
def test_bad(text):
    with pytest.raises(BadNumber):
        normalise(text)


def test_extension():
    assert split_extension("030 123 x45") == ("030 123", "45")
    assert split_extension("030 123") == ("030 123", None)


def test_book():
    book = PhoneBook()
    assert book.add("Ann", "030 1234567")
    assert not book.add("Ann again", "+49 30 1234567")
    assert book.find("0049301234567") == "Ann"
    assert book.find("nonsense") is None
    assert len(book) == 1


def test_load():
    book = PhoneBook("GB")
    assert book.load(["Bob; 020 7946 0000", "Eve; 12"]) == ["Eve; 12"]
    assert list(book) == [("Bob", "+442079460000")]
