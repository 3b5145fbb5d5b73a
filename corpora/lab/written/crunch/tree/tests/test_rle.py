import pytest

from crunch.rle import DecodeError, decode, encode


@pytest.mark.parametrize("text, coded", [
    ("", ""),
    ("abc", "abc"),
    ("aab", "aab"),
    ("aaab", "3ab"),
    ("a" * 12, "12a"),
    ("a7", "a\\7"),
    ("777", "3\\7"),
    ("77", "\\7\\7"),
    ("  x", "  x"),
])
def test_encode(text, coded):
    assert encode(text) == coded


@pytest.mark.parametrize("text", [
    "",
    "hello",
    "1000000",
    "aaa111bbb",
    "line\n\n\n\nnext",
    "C:\\temp\\new",
    "back\\",
    "a²",
    "1²",
])
def test_round_trip(text):
    assert decode(encode(text)) == text


@pytest.mark.parametrize("coded, position", [("3", 1), ("ab\\", 2), ("a0b", 1)])
def test_decode_errors(coded, position):
    with pytest.raises(DecodeError) as info:
        decode(coded)
    assert info.value.position == position


def test_decode_count_of_two_is_accepted():
    assert decode("2a") == "aa"
