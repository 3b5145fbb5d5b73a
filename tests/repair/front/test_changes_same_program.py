import sys
from pathlib import Path

import pytest

from repair.front import changes
from repair.front.changes import MOST_COMPARED, are_same_programs

SAME = {
    "comment": (b"x = 1\n", b"# why\nx = 1  # one\n"),
    "layout": (b"f(1,\n  2)\n", b"f(1, 2)\n"),
    "lines in brackets": (b"f(a, b)\n", b"f(\n    a,  # one\n\n    b\n)\n"),
    "no last line end": (b"x = 1\n", b"x = 1"),
    "comment after a string with a value": (b"x = f'{a}'\n", b"x = f'{a}'  # {b}\n"),
    "line ends": (b"x = 1\ny = 2\n", b"x = 1\r\ny = 2\r\n"),
    "line ends in a string": (b"x = '''a\nb'''\n", b"x = '''a\r\nb'''\r\n"),
    "indentation": (b"if x:\n  y\n", b"if x:\n    y\n"),
}
OTHER = {
    "value": (b"x = 1\n", b"x = 2\n"),
    "kind of number": (b"x = 1\n", b"x = 1.0\n"),
    "truth and number": (b"x = 1\n", b"x = True\n"),
    "sign of zero": (b"x = 0.0\n", b"x = -0.0\n"),
    "docstring": (b'def f():\n    """One."""\n', b'def f():\n    """Two."""\n'),
    "order": (b"a\nb\n", b"b\na\n"),
    "one statement more": (b"a\n", b"a\na\n"),
    "operator": (b"a < b\n", b"a <= b\n"),
    "encoding": ("x = 'é'\n".encode(), "# coding: latin-1\nx = 'é'\n".encode()),
    # An older Python reads these otherwise, or refuses them; ours has one tree for both.
    "brackets around contexts": (b"with a as b, c as d:\n    e\n", b"with (a as b, c as d):\n    e\n"),
    "star in an index": (b"x[(*a,)]\n", b"x[*a]\n"),
    "brackets of a decorator": (b"@a.b\ndef f(): e\n", b"@(a.b)\ndef f(): e\n"),
    "quotes in a string with a value": (b"""x = f'{a["b"]}'\n""", b"""x = f'{a['b']}'\n"""),
    "line end in a string with a value": (b"x = f'{a}'\n", b"x = f'{a\n}'\n"),
    "blanks in a string with a value": (b"x = f'{a}'\n", b"x = f'{ a}'\n"),
    "backslash above an empty line": (b"\nx = 1\n", b"    \\\n\nx = 1\n"),
    "backslash": (b"x = 1 + 2\n", b"x = 1 + \\\n2\n"),
    "quotes": (b"x = 'a'\n", b'x = "a"\n'),
    "brackets": (b"x = 1\n", b"x = (1)\n"),
    "no program": (b"x = (\n", b"x = (\n"),
    "nested too deeply": (b"x = " + b"(" * 3000 + b"\n", b"x = " + b"(" * 3000 + b" \n"),
}


@pytest.mark.parametrize("name", SAME)
def test_comments_and_layout_make_no_other_program(name):
    assert are_same_programs([SAME[name]])


@pytest.mark.parametrize("name", OTHER)
def test_whatever_a_program_can_see_is_another_one(name):
    assert not are_same_programs([SAME["comment"], OTHER[name]])


def test_what_our_python_cannot_cut_into_tokens_counts_as_different():
    # Until 3.12 the tokenizer of the library knew fewer names than the parser.
    pair = ("℘ = 1\n".encode(), "℘ = 1  # one\n".encode())
    assert are_same_programs([pair]) == (sys.version_info >= (3, 12))


def test_a_real_module_without_its_comments_is_the_same():
    source = Path(changes.__file__).read_bytes()
    assert are_same_programs([(source, source.replace(b"\n\n\n", b"\n\n# a comment\n\n"))])
    assert not are_same_programs([(source, source.replace(b"1 << 20", b"1 << 21"))])


def test_what_takes_too_long_to_compare_counts_as_different(monkeypatch):
    assert not are_same_programs([(b"#" * MOST_COMPARED, b"#")])
    monkeypatch.setattr(changes, "_SECONDS", 0.001)
    assert not are_same_programs([SAME["comment"]])
