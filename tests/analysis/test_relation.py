"""What came beside what was wanted: one relation of a closed list."""

from __future__ import annotations

import pytest

from analysis.relation import Relation, differing_item, relation_between, relation_of_texts

CASES = [
    ("None", "3", Relation.NONE),
    ("3", "None", Relation.NOT_NONE),
    ("True", "False", Relation.NEGATED),
    ("-4", "4", Relation.SIGN),
    ("4", "5", Relation.OFF_BY_ONE),
    ("0.30000000000000004", "0.3", Relation.ROUNDING),
    ("2.5", "2", Relation.ROUNDING),
    ("0.333", "0.33", Relation.ROUNDING),
    ("6", "3", Relation.FACTOR),
    ("0.5", "50.0", Relation.FACTOR),
    ("7", "3", Relation.NUMBER),
    ("0", "3", Relation.NUMBER),
    ("1e400", "3", Relation.NUMBER),
    ("3.0", "3", Relation.TYPE),
    ("'3'", "3", Relation.TYPE),
    ("(1, 2)", "[1, 2]", Relation.TYPE),
    ("{2, 1}", "[1, 2]", Relation.TYPE),
    ("b'a'", "'a'", Relation.TYPE),
    ("True", "1", Relation.TYPE),
    ("'Ab'", "'aB'", Relation.CASE),
    ("'a  b\\n'", "'a b'", Relation.WHITESPACE),
    ("'a b'", "'ab'", Relation.WHITESPACE),
    ("''", "'ab'", Relation.EMPTY),
    ("'a,b,'", "'a,b'", Relation.ONE_CHARACTER),
    ("'a;b'", "'a,b'", Relation.ONE_CHARACTER),
    ("'on'", "'one two'", Relation.PREFIX),
    ("'two'", "'one two'", Relation.SUFFIX),
    ("'say one now'", "'one'", Relation.LONGER),
    ("'b a c'", "'c b a'", Relation.ORDER),
    ("'abcdef'", "'uvwxyz'", Relation.OTHER),
    ("[2, 1]", "[1, 2]", Relation.ORDER),
    ("[1, 1, 2]", "[1, 2]", Relation.REPEATED),
    ("[1]", "[1, 2]", Relation.SUBSET),
    ("[1, 2, 3]", "[1, 2]", Relation.SUPERSET),
    ("[[1], [2]]", "[1, [2]]", Relation.ONE_ITEM),
    ("[[1, 2], 3]", "[1, [2, 3]]", Relation.NESTED),
    ("[1, 9, 3]", "[1, 2, 3]", Relation.ONE_ITEM),
    ("[8, 9]", "[1, 2, 3]", Relation.LENGTH),
    ("[8, 9]", "[1, 2]", Relation.OTHER),
    ("[]", "[1]", Relation.EMPTY),
    ("{}", "{'a': 1}", Relation.EMPTY),
    ("{'a': 1}", "{'a': 1, 'b': 2}", Relation.SUBSET),
    ("{'a': 1, 'b': 2}", "{'a': 1}", Relation.SUPERSET),
    ("{'b': 1}", "{'a': 1}", Relation.KEYS),
    ("{'a': 1, 'b': 2}", "{'a': 1, 'b': 3}", Relation.ONE_ITEM),
    ("{'a': 1, 'b': 2}", "{'a': 4, 'b': 3}", Relation.OTHER),
    ("'a'", "[1]", Relation.OTHER_TYPE),
]


@pytest.mark.parametrize(("got", "wanted", "relation"), CASES)
def test_each_relation_is_told(got: str, wanted: str, relation: Relation) -> None:
    assert relation_of_texts(got, wanted) is relation


BY_EXCEPTION = {
    Relation.RAISED,
    Relation.NOT_RAISED,
    Relation.OTHER_EXCEPTION,
    Relation.OTHER_MESSAGE,
    Relation.ENDLESS,
}


def test_the_list_is_closed_and_every_word_of_it_is_told_of_some_pair() -> None:
    assert {relation for *_, relation in CASES} | BY_EXCEPTION == set(Relation)


@pytest.mark.parametrize(("got", "wanted"), [("<Foo>", "3"), ("'a...z'...", "'a'"), ("", "1"), ("1" * 30_000, "1")])
def test_of_what_is_no_literal_nothing_is_told(got: str, wanted: str) -> None:
    assert relation_of_texts(got, wanted) is None


@pytest.mark.parametrize(
    ("got", "wanted", "relation"),
    [
        ("Fraction(6, 1)", "-6", Relation.SIGN),
        ("Decimal('12.50')", "Decimal('13.50')", Relation.OFF_BY_ONE),
        ("[Fraction(1, 2), Fraction(3, 1)]", "[Fraction(3, 1), Fraction(1, 2)]", Relation.ORDER),
        ("Decimal('NaN')", "2", None),
        ("Fraction(n, 2)", "2", None),
    ],
)
def test_exact_numbers_are_numbers(got: str, wanted: str, relation: Relation | None) -> None:
    assert relation_of_texts(got, wanted) is relation


def test_of_equal_values_nothing_is_told() -> None:
    assert relation_of_texts("[1]", "[ 1 ]") is None


def test_a_deep_text_is_no_literal() -> None:
    assert relation_of_texts("[" * 5000, "1") is None


def test_the_one_item_that_differs_is_named() -> None:
    assert differing_item([1, "a"], [1, "b"]) == ("[1]", "a", "b")
    assert differing_item({"k": 1}, {"k": 2}) == ("['k']", 1, 2)
    assert differing_item([1, 2], [3, 4]) is None
    assert differing_item([1], [1, 2]) is None


def test_numbers_without_end_are_compared_too() -> None:
    assert relation_between(float("nan"), 1.0) is Relation.NUMBER
    assert relation_between(float("inf"), float("-inf")) is Relation.NUMBER
