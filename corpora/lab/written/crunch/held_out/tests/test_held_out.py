import pytest

from crunch import pack, unpack
from crunch.rle import decode, encode


@pytest.mark.parametrize("text, coded", [
    ("\\", "\\\\"),
    ("\\\\", "\\\\\\\\"),
    ("\\\\\\", "3\\\\"),
    ("\\" * 10, "10\\\\"),
    ("a\\b", "a\\\\b"),
    ("\\7", "\\\\\\7"),
    ("0", "\\0"),
    ("9999", "4\\9"),
    ("ABC", "ABC"),
    ("a:b?c", "a:b?c"),
    ("----", "4-"),
    ("(x)[y]", "(x)[y]"),
    ("\u00b2\u00b2\u00b2", "3\u00b2"),
    ("\u0663", "\u0663"),
    ("A_Z", "A_Z"),
])
def test_coded_form(text, coded):
    assert encode(text) == coded
    assert decode(coded) == text


@pytest.mark.parametrize("text", [
    "\\", "x\\", "\\x", "3\\3", "\\\\\\3", "C:\\1\\2", "\\n", "111\\\\\\222", "~~~\\~",
])
def test_round_trip(text):
    assert decode(encode(text)) == text


def test_container_with_backslashes():
    text = "aaaaaaaa\\bbbbbbbb"
    packed = pack("p", text)
    assert packed == "p:r:17:8a\\\\8b"
    assert unpack(packed) == ("p", text)


def test_container_punctuation_is_not_inflated():
    assert pack("p", "----a!") == "p:r:6:4-a!"
