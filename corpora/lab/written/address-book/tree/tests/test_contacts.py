import pytest

from contacts.book import AddressBook
from contacts.letters import MissingField, letters, render
from contacts.vcard import Contact, VCardError, parse_vcards

CARD = """\
BEGIN:VCARD
FN:Ann Miller
ORG:Mill
  works
EMAIL;TYPE=work:ann@example.org
TEL:123
END:VCARD
"""


def test_parse_card():
    (contact,) = parse_vcards(CARD)
    assert contact.name == "Ann Miller"
    assert contact.company == "Mill works"
    assert contact.emails == ["ann@example.org"]


def test_card_without_end():
    with pytest.raises(VCardError):
        list(parse_vcards("BEGIN:VCARD\nFN:Ann\n"))


def test_add_and_find():
    book = AddressBook()
    book.add(Contact("Ann", emails=["ann@example.org"]))
    assert book.find("ANN@example.org").name == "Ann"
    assert book.find("bob@example.org") is None


def test_merge_keeps_one_entry():
    book = AddressBook()
    book.add(Contact("Ann", emails=["ann@example.org"]))
    book.add(Contact("Ann M.", emails=["ann@example.org"], phones=["123"]))
    assert len(book) == 1
    assert book.find("ann@example.org").phones == ["123"]


def test_find_by_address_learnt_later():
    book = AddressBook()
    book.add(Contact("Ann", emails=["ann@example.org"]))
    book.add(Contact("Ann", emails=["ann@example.org", "ann@home.net"]))
    assert book.find("ann@home.net") is not None
    assert len(book) == 1


def test_load():
    book = AddressBook()
    assert book.load(CARD) == 1
    assert len(book) == 1


def test_remove():
    book = AddressBook()
    book.load(CARD)
    book.remove("ann@example.org")
    assert len(book) == 0


def test_render():
    contact = Contact("Ann Miller", emails=["ann@example.org"])
    assert render("Dear {first}!", contact) == "Dear Ann!"
    with pytest.raises(MissingField):
        render("{age}", contact)


def test_letters():
    book = AddressBook()
    book.load(CARD)
    assert list(letters("Hi {name}", book)) == [("ann@example.org", "Hi Ann Miller")]
