import pytest

from cardfile.contact import Contact
from cardfile.merge import combine, merge


def phones(first, second):
    return combine(Contact("A", list(first)), Contact("A", list(second))).phones


def emails(first, second):
    return combine(Contact("A", [], list(first)), Contact("A", [], list(second))).emails


@pytest.mark.parametrize("first, second, expected", [
    ([], [], []),
    ([], ["020 1"], ["020 1"]),
    (["020 1"], [], ["020 1"]),
    (["+44 20 1"], ["0201"], ["+44 20 1"]),
    (["0201"], ["+44 20 1"], ["0201"]),
    (["0201"], ["0044201"], ["0201"]),
    (["(020) 7946-0000"], ["020 7946 0000"], ["(020) 7946-0000"]),
    ([], ["0201", "+44201"], ["0201"]),
    (["9"], ["0201", "+44201", "0044 201"], ["9", "0201"]),
    (["020 7946 0000"], ["0161 946 0000"], ["020 7946 0000", "0161 946 0000"]),
    (["020 7946 0000"], ["+1 7946 0000"], ["020 7946 0000", "+1 7946 0000"]),
    (["020 7946 0000"], ["79460000"], ["020 7946 0000", "79460000"]),
    (["1", "2"], ["3", "2", "4"], ["1", "2", "3", "4"]),
])
def test_phones(first, second, expected):
    assert phones(first, second) == expected


@pytest.mark.parametrize("first, second, expected", [
    (["a@x.org"], ["A@X.org"], ["a@x.org"]),
    (["A@X.org"], ["a@x.org"], ["A@X.org"]),
    (["a@x.org"], [" a@x.org "], ["a@x.org"]),
    (["a@x.org"], ["B@x.org", "b@x.org"], ["a@x.org", "B@x.org"]),
    ([], ["b@x.org", "B@x.org"], ["b@x.org"]),
    (["a@x.org", "b@x.org"], ["c@x.org", "B@x.org"], ["a@x.org", "b@x.org", "c@x.org"]),
])
def test_emails(first, second, expected):
    assert emails(first, second) == expected


def test_arguments_are_not_changed():
    a = Contact("A", ["0201"], ["a@x.org"], "n")
    b = Contact("A", ["+44201", "2"], ["A@x.org", "b@x.org"], "m")
    combine(a, b)
    assert a == Contact("A", ["0201"], ["a@x.org"], "n")
    assert b == Contact("A", ["+44201", "2"], ["A@x.org", "b@x.org"], "m")


def test_result_is_independent_of_arguments():
    a, b = Contact("A", ["1"]), Contact("B")
    result = combine(a, b)
    result.phones.append("2")
    assert a.phones == ["1"]
    assert result.name == "A"


def test_merge_three_lists_in_three_spellings():
    lists = [
        [Contact("Ann Lee", ["020 1"], ["ann@x.org"])],
        [Contact("Lee, Ann", ["+44 20 1"], ["Ann@X.org"])],
        [Contact("ann lee", ["0044201"], ["ANN@x.org", "lee@x.org"])],
    ]
    assert merge(*lists) == [Contact("Ann Lee", ["020 1"], ["ann@x.org", "lee@x.org"])]


def test_notes_still_joined():
    c = combine(Contact("A", ["0201"], note="x"), Contact("A", ["+44201"], note="y"))
    assert c == Contact("A", ["0201"], [], "x; y")
