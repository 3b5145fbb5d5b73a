import pytest

from spell import Dictionary, SpellChecker


@pytest.fixture
def checker():
    d = Dictionary.from_lines(["the 50", "cat 5", "cats 1", "sat", "on", "a", "mat", "and", "slept", "house",
                               "he", "hen", "don't", "is"])
    return SpellChecker(d, ignore=["kubectl"])


CASES = [
    ("", ""),
    ("the cat", "the cat"),
    ("hous", "house"),
    ("housee", "house"),
    ("hous hous hous", "house house house"),
    ("catt catts", "cat cats"),
    ("slpt  catt\n\tmatt ", "slept  cat\n\tmat "),
    ("  hous", "  house"),
    ("(catt), \"slpt\"; matt!", "(cat), \"slept\"; mat!"),
    ("catt-slpt/matt", "cat-slept/mat"),
    ("Catt SLPT matt", "Cat SLEPT mat"),
    ("Hous hous HOUS", "House house HOUSE"),
    ("catt qqqqq slpt", "cat qqqqq slept"),
    ("qqqqq slpt qqqqq matt", "qqqqq slept qqqqq mat"),
    ("slpt https://catt.org/slpt matt", "slept https://catt.org/slpt mat"),
    ("`catt` catt `slpt` slpt", "`catt` cat `slpt` slept"),
    ("mail catt@slpt.org slpt", "mail catt@slpt.org slept"),
    ("dont catt", "don't cat"),
    ("slpt 123 catt 4matt", "slept 123 cat 4mat"),
    ("andd hous", "and house"),
    ("kubectl catt kubectl slpt", "kubectl cat kubectl slept"),
    ("slptqqq slpt", "slptqqq slept"),
    ("slpt slptqqq catt", "slept slptqqq cat"),
    ("matt\r\nslpt\r\n", "mat\r\nslept\r\n"),
    ("catt catttt slpt slept", "cat catttt slept slept"),
    ("slpt\u00a0catt … hous", "slept\u00a0cat … house"),
]


@pytest.mark.parametrize("text, expected", CASES)
def test_correct(checker, text, expected):
    assert checker.correct_text(text) == expected


def test_counts(checker):
    checker.correct_text("hous catt hous qqqqq Hous")
    assert checker.corrections == {("hous", "house"): 2, ("catt", "cat"): 1, ("Hous", "House"): 1}


def test_counts_add_up_over_calls(checker):
    checker.correct_text("hous")
    checker.correct_text("hous and matt")
    assert checker.corrections == {("hous", "house"): 2, ("matt", "mat"): 1}


def test_no_counts_for_right_text(checker):
    checker.correct_text("the cat sat")
    assert checker.corrections == {}


def test_calls_are_independent(checker):
    assert checker.correct_text("slpt slpt catt") == "slept slept cat"
    assert checker.correct_text("matt slpt") == "mat slept"


def test_corrected_text_is_stable(checker):
    once = checker.correct_text("Slpt, catt hous; matt...")
    assert once == "Slept, cat house; mat..."
    assert checker.correct_text(once) == once


def test_check_keeps_offsets(checker):
    found = checker.check("slpt  catt")
    assert [(m.token.text, m.token.start, m.token.end) for m in found] == [("slpt", 0, 4), ("catt", 6, 10)]
