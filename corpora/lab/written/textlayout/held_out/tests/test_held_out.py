import pytest

from layout.render import render
from layout.wrapping import wrap


@pytest.mark.parametrize("text, width, indent, hanging, want", [
    ("aa bb cc", 5, "", "", ["aa bb", "cc"]),
    ("aa bb cc", 8, "", "", ["aa bb cc"]),
    ("aa bb cc", 7, "> ", "> ", ["> aa bb", "> cc"]),
    ("aa bb cc", 6, "> ", "> ", ["> aa", "> bb", "> cc"]),
    ("aa bb cc dd", 7, "", "  ", ["aa bb", "  cc dd"]),
    ("aa bb cc dd", 6, "", "  ", ["aa bb", "  cc", "  dd"]),
    ("aa bb cc dd", 8, "", "    ", ["aa bb cc", "    dd"]),
    ("aa bb cc dd ee", 8, "    ", "", ["    aa", "bb cc dd", "ee"]),
    ("aa bb cc dd ee", 9, "    ", "", ["    aa bb", "cc dd ee"]),
    ("aa bb cc dd ee", 6, "* ", "", ["* aa", "bb cc", "dd ee"]),
    ("a b c d e f", 5, "1. ", "   ", ["1. a", "   b", "   c", "   d", "   e", "   f"]),
    ("a b c d e f", 6, "1. ", "   ", ["1. a b", "   c d", "   e f"]),
    ("longword a b", 5, "* ", "  ", ["* longword", "  a b"]),
    ("a longword b", 5, "* ", "  ", ["* a", "  longword", "  b"]),
    ("a b", 2, "******", "------", ["******a", "------b"]),
    ("  a \n b\t c ", 7, "* ", "  ", ["* a b c"]),
    ("", 5, "* ", "  ", []),
    ("word", 5, "* ", "  ", ["* word"]),
])
def test_wrap(text, width, indent, hanging, want):
    assert wrap(text, width, indent, hanging) == want


@pytest.mark.parametrize("width", [0, -4])
def test_bad(width):
    with pytest.raises(ValueError):
        wrap("a", width, "* ")


def test_render_items():
    assert render("- aaa bbb ccc\n- ddd", 9) == "* aaa bbb\n  ccc\n* ddd"
    assert render("- aaa bbb ccc\n- ddd", 8) == "* aaa\n  bbb\n  ccc\n* ddd"


def test_render_paragraph():
    assert render("aaa bbb ccc", 7) == "aaa bbb\nccc"
