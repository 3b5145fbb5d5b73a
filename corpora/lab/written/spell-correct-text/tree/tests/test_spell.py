import pytest

from spell import Dictionary, SpellChecker, tokenize


@pytest.fixture
def checker():
    words = "the cat sat on a mat and slept house their there don't".split()
    return SpellChecker(Dictionary(words))


def test_tokenize():
    assert [t.text for t in tokenize("I don't, 42 know!")] == ["I", "don't", "know"]


def test_tokenize_skips_addresses():
    assert [t.text for t in tokenize("see https://exmple.org/abc now")] == ["see", "now"]


def test_dictionary_from_lines():
    d = Dictionary.from_lines(["# words", "the 10", "", "cat"])
    assert len(d) == 2
    assert d.frequency("THE") == 10


def test_is_correct(checker):
    assert checker.is_correct("Cat")
    assert not checker.is_correct("catt")


def test_suggest(checker):
    assert checker.suggest("hose") == ["house"]


def test_check(checker):
    assert [m.token.text for m in checker.check("the catt sat")] == ["catt"]


def test_correct_one_word(checker):
    assert checker.correct_text("the hose") == "the house"


def test_correct_two_words(checker):
    assert checker.correct_text("the catt slpt on a mat") == "the cat slept on a mat"


def test_correct_several_words(checker):
    assert checker.correct_text("teh hose andd the mta") == "the house and the mat"
