import pytest

from minilang.reader import read_settings
from minilang.tokens import LexError


def test_settings():
    source = '''
    let name = "box";   # the name
    let size = 3;
    let ratio = 0.5;
    let open = true;
    '''
    assert read_settings(source) == {"name": "box", "size": 3, "ratio": 0.5, "open": True}


def test_missing_semicolon():
    with pytest.raises(LexError, match="2:1: expected ;"):
        read_settings("let a = 1\nlet b = 2;")


def test_value_needed():
    with pytest.raises(LexError, match="expected a value"):
        read_settings("let a = ;")
