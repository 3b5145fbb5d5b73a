import copy

import pytest

from contacts.book import AddressBook
from contacts.letters import letters
from contacts.vcard import Contact


@pytest.fixture
def book():
    book = AddressBook()
    book.add(Contact("Zoe", "Zoo", ["zoe@example.org"], ["900"]))
    book.add(Contact("Ann", "", ["m@example.org"], ["1"]))
    return book


def merge(book, *emails, **kwargs):
    return book.add(Contact(emails=["m@example.org", *emails], **kwargs))


def test_new_address_finds_the_entry(book):
    entry = merge(book, "x@example.org")
    assert book.find("x@example.org") is entry
    assert book.find("x@example.org") is book.find("m@example.org")


def test_all_new_addresses_find_the_entry(book):
    entry = merge(book, "x@example.org", "a@example.org", "k@example.org")
    for name in "xakm":
        assert book.find(f"{name}@example.org") is entry


def test_new_address_in_front(book):
    entry = book.add(Contact(emails=["x@example.org", "m@example.org"]))
    assert book.find("x@example.org") is entry
    assert entry.emails == ["m@example.org", "x@example.org"]


@pytest.mark.parametrize("spelling", ["x@example.org", "X@Example.ORG", "X@example.org"])
def test_case_of_a_learnt_address(book, spelling):
    entry = merge(book, "X@Example.org")
    assert book.find(spelling) is entry


def test_order_of_addresses(book):
    entry = merge(book, "z@example.org", "a@example.org")
    assert entry.emails == ["m@example.org", "z@example.org", "a@example.org"]
    merge(book, "b@example.org")
    assert entry.emails == ["m@example.org", "z@example.org", "a@example.org", "b@example.org"]


def test_address_in_other_case_is_known(book):
    entry = book.add(Contact(emails=["M@EXAMPLE.ORG", "x@example.org", "X@example.org"]))
    assert entry.emails == ["m@example.org", "x@example.org"]


def test_other_entries_are_still_found(book):
    zoe = book.find("zoe@example.org")
    merge(book, "x@example.org")
    assert book.find("zoe@example.org") is zoe
    assert zoe.emails == ["zoe@example.org"]
    assert len(book) == 2


def test_chain_of_merges(book):
    entry = merge(book, "x@example.org")
    assert book.add(Contact(emails=["x@example.org", "y@example.org"])) is entry
    assert book.add(Contact(emails=["Y@example.org"], phones=["5"])) is entry
    assert len(book) == 2
    assert entry.phones == ["1", "5"]
    assert entry.emails == ["m@example.org", "x@example.org", "y@example.org"]


def test_phones(book):
    entry = merge(book, phones=["2", "1", "3", "2"])
    assert entry.phones == ["1", "2", "3"]


def test_name_and_company(book):
    entry = merge(book, name="Anna", company="Mill")
    assert (entry.name, entry.company) == ("Ann", "Mill")
    merge(book, company="Other")
    assert entry.company == "Mill"


def test_contact_is_not_changed(book):
    contact = Contact("Anna", "", ["m@example.org", "x@example.org"], ["7"])
    before = copy.deepcopy(contact)
    entry = book.add(contact)
    assert contact == before
    book.add(Contact(emails=["x@example.org", "y@example.org"], phones=["8"]))
    assert contact == before
    assert entry is not contact
    assert entry.emails is not contact.emails


def test_new_contact_is_copied(book):
    contact = Contact("Bob", emails=["bob@example.org"])
    entry = book.add(contact)
    contact.emails.append("other@example.org")
    assert entry.emails == ["bob@example.org"]
    book.add(Contact(emails=["bob@example.org", "b2@example.org"]))
    assert contact.emails == ["bob@example.org", "other@example.org"]
    assert book.find("b2@example.org") is entry


def test_contacts_without_address_are_never_merged(book):
    book.add(Contact("Cid"))
    book.add(Contact("Cid"))
    assert len(book) == 4


def test_unknown_address(book):
    merge(book, "x@example.org")
    assert book.find("nobody@example.org") is None


def test_remove_by_a_learnt_address(book):
    merge(book, "x@example.org")
    book.remove("X@example.org")
    assert len(book) == 1
    assert book.find("m@example.org") is None
    assert book.find("x@example.org") is None
    assert book.find("zoe@example.org") is not None


def test_two_entries_grow_side_by_side(book):
    merge(book, "x@example.org")
    book.add(Contact(emails=["zoe@example.org", "zoe@home.net"]))
    assert book.find("zoe@home.net").name == "Zoe"
    assert book.find("x@example.org").name == "Ann"
    assert book.find("m@example.org").name == "Ann"


def test_load_three_cards_of_one_person():
    book = AddressBook()
    text = "".join(
        f"BEGIN:VCARD\nFN:Ann\n{mails}END:VCARD\n"
        for mails in ("EMAIL:a@x.org\n", "EMAIL:A@x.org\nEMAIL:B@x.org\n", "EMAIL:b@X.org\nEMAIL:c@x.org\n")
    )
    assert book.load(text) == 3
    assert len(book) == 1
    assert book.find("c@x.org").emails == ["a@x.org", "B@x.org", "c@x.org"]
    assert list(letters("{name}", book)) == [("a@x.org", "Ann")]
