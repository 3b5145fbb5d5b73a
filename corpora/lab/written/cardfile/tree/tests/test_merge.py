import pytest

from cardfile.contact import Contact
from cardfile.merge import combine, find, merge, same_person
from cardfile.normal import name_key, phone_key


@pytest.mark.parametrize("phone", ["+44 20 7946 0000", "0044 20 7946 0000", "(020) 7946-0000"])
def test_phone_key(phone):
    assert phone_key(phone) == "442079460000"


def test_name_key():
    assert name_key("Jones, Ann") == name_key("ann JONES")


def test_same_person():
    a = Contact("Ann Jones", ["020 7946 0000"])
    assert same_person(a, Contact("Jones, Ann", ["+442079460000"]))
    assert same_person(a, Contact("Ann Jones"))
    assert not same_person(a, Contact("Ann Jones", ["020 7946 0001"]))
    assert not same_person(a, Contact("Bob Jones", ["020 7946 0000"]))


def test_combine_adds_what_is_new():
    c = combine(Contact("Ann", ["1"], ["a@x.org"]), Contact("ann", ["2"], ["b@x.org"]))
    assert c == Contact("Ann", ["1", "2"], ["a@x.org", "b@x.org"])


def test_combine_does_not_change_its_arguments():
    a, b = Contact("Ann", ["1"]), Contact("Ann", ["2"])
    combine(a, b)
    assert a.phones == ["1"]
    assert b.phones == ["2"]


def test_combine_same_spelling():
    c = combine(Contact("Ann", ["1", "2"]), Contact("Ann", ["2", "3"]))
    assert c.phones == ["1", "2", "3"]


def test_combine_other_spelling_of_phone():
    c = combine(
        Contact("Ann", ["+44 20 7946 0000"]),
        Contact("Ann", ["020 7946 0000", "020 7946 0001"]),
    )
    assert c.phones == ["+44 20 7946 0000", "020 7946 0001"]


@pytest.mark.parametrize("first, second, note", [
    ("", "", ""),
    ("x", "", "x"),
    ("", "y", "y"),
    ("x", "y", "x; y"),
    ("x", "x", "x"),
])
def test_combine_notes(first, second, note):
    assert combine(Contact("A", note=first), Contact("A", note=second)).note == note


def test_merge_keeps_order():
    ann = Contact("Ann Jones", ["020 7946 0000"])
    bob = Contact("Bob", ["1"])
    again = Contact("Jones, Ann", ["020 7946 0000"], ["ann@x.org"])
    merged = merge([ann, bob], [again])
    assert [c.name for c in merged] == ["Ann Jones", "Bob"]
    assert merged[0].emails == ["ann@x.org"]


def test_find():
    contacts = [Contact("Ann", ["+442079460000"]), Contact("Bob", [], ["Bob@x.org"])]
    assert [c.name for c in find(contacts, "020 7946 0000")] == ["Ann"]
    assert [c.name for c in find(contacts, "bob@X.org")] == ["Bob"]
    assert [c.name for c in find(contacts, "an")] == ["Ann"]
